"""Examples of `goldassay.formats.answer_diagrams`: what its functions give."""

from goldassay.formats.answer_diagrams import _typed, read_dot, read_mermaid


def test_example_of_read_mermaid():
    assert read_mermaid('graph TD\nA["animal"] -->|includes| B(dog)\nA --> C').statements[0][1:4] == (
        "animal",
        "includes",
        "dog",
    )


def test_example_of_typed():
    assert _typed("string name") == ("name", "string")
    assert _typed("name: string") == ("name", "string")
    assert _typed("price decimal") == ("price", "decimal")
    assert _typed("id") == ("id", "")


def test_example_of_read_dot():
    graph = read_dot('digraph { rankdir=BT; d [label="dog"]; d -> animal [label="is_a"] }')
    assert graph.statements[0][1:4] == ("dog", "is_a", "animal")
    assert not graph.down
