"""Examples of `goldassay.formats.answers.json`: what its functions give."""

import pytest

import goldassay
from goldassay.formats.answers.json import names_things, read_nested, rows_of, value_of_xml
from goldassay.formats.answers.means import OF_EDGES


def test_example_of_names_things():
    from xml.etree.ElementTree import fromstring

    assert [names_things(fromstring(text), OF_EDGES) for text in ("<a><b/></a>", "<div><p>Hi.</p></div>")] == [  # noqa: S314
        True,
        False,
    ]


def test_example_of_value_of_xml():
    from xml.etree.ElementTree import fromstring

    assert value_of_xml(fromstring("<a><mammal><dog/><cat/></mammal></a>")) == {"mammal": {"dog": {}, "cat": {}}}  # noqa: S314
    assert value_of_xml(fromstring("<a><pair><child>dog</child><parent>animal</parent></pair></a>")) == [  # noqa: S314
        {"child": "dog", "parent": "animal"}
    ]


def test_example_of_read_nested():
    assert [(one.subject, one.object) for one in read_nested({"animal": {"dog": {"poodle": {}}, "cat": []}})] == [
        ("dog", "animal"),
        ("poodle", "dog"),
        ("cat", "animal"),
    ]
    assert [(one.subject, one.object) for one in read_nested({"name": "animal", "children": [{"name": "dog"}]})] == [
        ("dog", "animal")
    ]
    assert [(one.subject, one.object) for one in read_nested([["dog", "animal"], ["cat", "is a", "animal"]])] == [
        ("dog", "animal"),
        ("cat", "animal"),
    ]


def test_example_of_rows_of():
    assert rows_of({"edges": [{"child": "dog", "parent": "animal"}]})
    assert not rows_of([{"name": "a", "children": []}])


@pytest.mark.parametrize("fence", ["{}", "```xml\n{}\n```", "Sure:\n\n{}\n\nDone."])
@pytest.mark.parametrize(
    "text",
    [
        "<category>Animal\n  <category>Mammal</category>\n  <category>Bird</category>\n</category>",
        "<root>\n<concept>Animal\n  <concept>Mammal</concept>\n  <concept>Bird</concept>\n</concept>\n</root>",
        "<root><category>Animal<subcategory>Mammal</subcategory><subcategory>Bird</subcategory></category></root>",
    ],
)
def test_a_text_before_elements_is_the_name_of_what_they_are_in(text, fence, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(fence.format(text))
    model = goldassay.read(path)
    assert sorted(map(model.item, range(len(model)))) == ["Bird -> Animal", "Mammal -> Animal"]
