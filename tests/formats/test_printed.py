"""What Python prints of objects, as people paste it from a terminal."""

from __future__ import annotations

import pytest

import goldassay
from goldassay.formats.printed import json_of_printed


@pytest.mark.parametrize(
    ("kind", "text", "items"),
    [
        (
            "taxonomy",
            "Taxonomy(edges=[Edge(child='dog', parent='mammal'), Edge(child='cat', parent='mammal')])",
            ["cat -> mammal", "dog -> mammal"],
        ),
        (
            "taxonomy",
            "Edge(child='dog', parent='mammal')\nEdge(child='cat', parent='mammal')",
            ["cat -> mammal", "dog -> mammal"],
        ),
        ("taxonomy", "edges=[Edge(child='dog', parent='mammal')]", ["dog -> mammal"]),
        (
            "triples",
            "nodes=[Node(id='Oslo')] relationships=[Relationship(source=Node(id='Oslo'), target=Node(id='Norway'), type='IN')]",
            ["1: Oslo | IN | Norway"],
        ),
    ],
)
def test_objects_are_read_as_their_json(kind, text, items, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(text)
    model = goldassay.read(path, kind=kind)
    assert sorted(map(model.item, range(len(model)))) == items


@pytest.mark.parametrize(
    "text",
    [
        b"Edge(child='dog'",
        b"Edge(child=)",
        b"Edge(child='dog')) x",
        b"key=value",
        b"Prefix(:=<http://e/>)",
        b"Edge(child='\xff')",
    ],
)
def test_anything_else_is_kept(text):
    assert json_of_printed(text) == text


def test_a_call_has_no_fields():
    assert json_of_printed(b"A(at=datetime(2026, 1, tz=UTC), b=C())") == b'{"at": [2026, 1, null], "b": {}}'


@pytest.mark.parametrize(
    "text", ["capital_of(city=Oslo, country=Norway)", "Edge(child=dog, parent='x')", "P(x=<object object at 0x7f>)"]
)
def test_what_python_does_not_print_stays(text):
    assert json_of_printed(text.encode()) == text.encode()


def test_what_has_no_value_is_none():
    assert (
        json_of_printed(b"P(a=None, b=True, c=nan, kind=Kind.ISA)")
        == b'{"a": null, "b": true, "c": null, "kind": null}'
    )
