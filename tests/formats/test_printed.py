"""What Python prints of objects, as people paste it from a terminal."""

from __future__ import annotations

import json
from collections import deque
from pprint import pformat

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


PRINTED = {
    "list": repr,
    "set": lambda rows: repr({*rows}),
    "frozenset": lambda rows: repr(frozenset(rows)),
    "deque": lambda rows: repr(deque(rows)),
    "view": lambda rows: f"dict_keys({rows!r})",
    "pretty": lambda rows: pformat({*rows}, width=12),
    "array": lambda rows: f"array({[*map(list, rows)]!r}, dtype='<U12')",
}


@pytest.mark.parametrize("printed", PRINTED)
@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("taxonomy", [("dog", "animal"), ("cat's", "animal"), ("poodle", "dog")]),
        ("triples", [("Oslo", "capital of", "Norway"), ("Oslo", "has", "a (big) harbour")]),
        ("alignment", [("dog", "Hund"), ("cat", "Katze")]),
        ("labels", [("i1", "sport"), ("i2", "art")]),
        ("axioms", [("Dog", "hasOwner", "Person"), ("Cat", "eats", "Mouse")]),
        ("concepts", [("aspirin", "fever", "pain"), ("cough", "asthma", "cold")]),
    ],
)
def test_collections_are_read_as_the_list_of_what_they_hold(kind, rows, printed, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(PRINTED[printed](rows))
    model = goldassay.read(path, kind=kind)
    read = [model.item(at).partition(": ")[2] if kind == "concepts" else model.item(at) for at in range(len(model))]
    found = goldassay.read(rows, kind=kind)
    expected = [found.item(at).partition(": ")[2] if kind == "concepts" else found.item(at) for at in range(len(found))]
    assert sorted(read) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'d1': {'fever'}, 'd2': set()}", '{"d1": ["fever"], "d2": []}'),
        ("defaultdict(<class 'set'>, {1: {'fever'}})", '{"1": ["fever"]}'),
        ("OrderedDict({'dog': 'animal'})", '{"dog": "animal"}'),
        ("[frozenset({'a', 'b'}), frozenset()]", '[["a", "b"], []]'),
        ("{'a': 'f({x})'}", '{"a": "f({x})"}'),
        ("{Edge(child='dog'), Edge(child='cat')}", '[{"child": "dog"}, {"child": "cat"}]'),
    ],
)
def test_sets_and_collections_are_lists_and_objects(text, value):
    assert json_of_printed(text.encode()).decode() == value


@pytest.mark.parametrize("suffix", ["txt", "json", "jsonl"])
@pytest.mark.parametrize("write", [repr, json.dumps, lambda lists: repr([*map(set, lists)])])
def test_lists_of_concepts_in_a_file_are_documents(write, suffix, tmp_path):
    path = tmp_path / f"answers.{suffix}"
    path.write_text(write([["aspirin", "fever", "pain"], ["asthma"]]))
    model = goldassay.read(path, kind="concepts")
    assert (model.ids.tolist(), len(model)) == (["1", "2"], 4)
    path.write_text('[["aspirin", "fever"], ["asthma", "cough"]]')
    with pytest.raises(goldassay.InputError, match=f"answers.{suffix}: Each list has two texts"):
        goldassay.read(path, kind="concepts")


@pytest.mark.parametrize(
    "text",
    [
        b"{('dog', animal)}",
        b'{"dog": "f()",\n"cat": "{\'a\'}"}',
        b'[["dog", "f({})"]]',
        b"{'dog': 'animal', 'cat'}",
        b"{None: 'x', (1,): set()}",
        b"[(Dog, 'x'), {'a'}]",
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
