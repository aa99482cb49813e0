"""Examples of `goldassay.formats.answers.diagrams`: what its functions give."""

import pytest

import goldassay
from goldassay.core.errors import InputError
from goldassay.formats.answers.diagrams import _typed, read_dot, read_mermaid

AROUND = (
    "[]",
    "()",
    "([ ])",
    "[[ ]]",
    "[( )]",
    "(( ))",
    ">]",
    "{}",
    "{{ }}",
    "[/ /]",
    "[/ \\]",
    "[\\ \\]",
    "[\\ /]",
    "((( )))",
)
"""What is around the text of a node in a flowchart."""
TEXTS = {
    "animal": "animal",
    "animal (all)": "animal (all)",
    "animal [all], or: a {b}": "animal [all], or: a {b}",
    "(all) animals": "(all) animals",
    "a/b c": "a/b c",
    "cats & dogs": "cats & dogs",
    '"animal; all"': "animal; all",
    '"all (animals) [x] --> y"': "all (animals) [x] --> y",
    '"`**animal**`"': "animal",
    '"<b>animal</b><br/>all"': "animal all",
    '"x #quot;y#quot; z #35;1 &lt;a&gt;"': 'x "y" z #1 <a>',
    'say "hi" you': 'say "hi" you',
    '"say "hi" you"': 'say "hi" you',
    "fa:fa-dog dog": "dog",
}
"""Texts of nodes, and the names that they show."""
FLOW = {
    "declared": "graph TD\n A{}\n B[b]\n A --> B",
    "declared below": "graph TD\n A --> B; B[b]\n A{}",
    "in the edge": "graph TD\n A{} --> B[b]",
    "in the edge, with a style": "graph TD\n A{}:::big -->|x| B[b]:::big",
    "behind the edge": "graph BT\n B[b]-->A{};",
    "with &": "graph TD\n A{} & A{} --> B[b]",
    "with an id of the edge": "flowchart TD\n A{} e1@--> B[b]",
    "of dots": "graph TD\n A{}-.->B[b]",
}
"""Edges from a node to another."""


@pytest.mark.parametrize("flow", FLOW)
@pytest.mark.parametrize("text", TEXTS)
def test_a_node_of_a_flowchart_has_the_name_that_it_shows(text, flow):
    for around in (one.replace(" ", "") for one in AROUND):
        half = len(around) // 2
        found = read_mermaid(FLOW[flow].replace("{}", f"{around[:half]}{text}{around[half:]}"))
        ends = {(one.subject, one.object) for one in found.statements}
        assert ends == {("b", TEXTS[text]) if "BT" in FLOW[flow] else (TEXTS[text], "b")}, around


@pytest.mark.parametrize(
    ("text", "name"), [('label: "an} animal"', "an} animal"), ("label: animal", "animal"), ("", "A")]
)
def test_a_node_may_have_attributes(text, name):
    found = read_mermaid(f'graph TD\n A@{{ shape: rect, {text} }} --> B@{{label: "b"}}:::big\n')
    assert found.statements[0][1:4] == (name, "is a", "b")


@pytest.mark.parametrize(
    "line",
    [
        "A[animal --> B[dog]",
        'A["animal --> B',
        "A --> B[dog",
        "A -->",
        "two words --> B",
        "A -->|x --> B",
        "A@{ label: x --> B",
    ],
)
def test_an_edge_of_a_flowchart_that_cannot_be_read_is_counted_and_gives_no_name(line, tmp_path):
    path = tmp_path / "a.mmd"
    path.write_text(f"graph TD\n C[c] --> D[d]\n {line}\n")
    graph = goldassay.read(path, kind="taxonomy")
    assert [graph.item(row) for row in range(len(graph))] == ["d -> c"]
    assert graph.left_out["lines_of_prose"] == 1
    path.write_text(f"graph TD\n {line}\n")
    with pytest.raises(InputError, match="name of a node") as error:
        goldassay.read(path, kind="taxonomy")
    assert error.value.line == 2


def test_ids_may_begin_like_words_of_the_layout():
    found = read_mermaid("graph TD\n endocrine --> style1\n end\n style endocrine fill:#f9f\n click style1 x\n")
    assert [one[1:4:2] for one in found.statements] == [("endocrine", "style1")]


def test_characters_in_texts_of_dot():
    found = read_dot('digraph { a [label="say \\"hi\\" x"]; b [label="x\\ny\\lz &amp; \\\\w"]; a -> b }')
    assert found.statements[0][1:4:2] == ('say "hi" x', "x y z & \\w")


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


def test_members_are_read_next_to_a_line_that_is_no_edge(tmp_path):
    (tmp_path / "a.txt").write_text('classDiagram\nclass Shop {\n  string name\n}\nnote for Shop "a -- b"\n')
    axioms = goldassay.read(tmp_path / "a.txt", kind="axioms")
    assert axioms.item(0) == "Shop name string"
    assert axioms.left_out["lines_of_prose"] == 1


@pytest.mark.parametrize("line", ["Animal <|-- Dog", "Animal <|-down- Dog", "Dog -up-|> Animal", "Dog -u-|> Animal"])
def test_an_arrow_of_plantuml_may_say_which_way_it_is_drawn(line):
    assert read_mermaid(f"@startuml\n{line}\n@enduml").statements[0][1:4] == ("Dog", "is a", "Animal")
    assert read_mermaid("@startuml\nA -down-> B\n@enduml").statements[0][1:4] == ("A", "is a", "B")
