"""JSON tables, as pandas writes them, are the same table in a file, in a fence, below a key and in a response."""

import json
from itertools import product

import pytest

import goldassay

FAMILIES = {
    "taxonomy": (["child", "parent"], [("cat", "pet"), ("dog", "pet"), ("pet", "animal")]),
    "labels": (["id", "label"], [("d1", "sport"), ("d2", "politics")]),
    "alignment": (["source", "target"], [("cat", "chat"), ("dog", "chien")]),
    "axioms": (["domain", "property", "range"], [("Product", "hasBrand", "Brand"), ("Person", "livesIn", "City")]),
    "triples": (["subject", "predicate", "object"], [("Oslo", "capital of", "Norway"), ("Nile", "in", "Egypt")]),
}
WAYS = {
    "fence": "```json\n{}\n```".format,
    "below a key": lambda text: f'```json\n{{"result": {text}}}\n```',
    "behind words": "Here it is:\n\n{}".format,
    "response": lambda text: json.dumps({"choices": [{"message": {"content": text}}]}),
}


def layouts(names, rows):
    index = {str(at): dict(zip(names, row, strict=True)) for at, row in enumerate(rows)}
    columns = {name: {str(at): row[place] for at, row in enumerate(rows)} for place, name in enumerate(names)}
    split = {"columns": names, "index": [*range(len(rows))], "data": rows}
    lists = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    return {"index": index, "columns": columns, "split": split, "lists": lists}


@pytest.mark.parametrize(("kind", "way"), [*product(FAMILIES, WAYS)])
def test_a_table_of_pandas_is_the_same_table_everywhere(tmp_path, kind, way):
    names, rows = FAMILIES[kind]
    file = tmp_path / "a.csv"
    file.write_text("\n".join(map(",".join, [names, *rows])))
    plain = goldassay.read(file, kind=kind)
    expected = sorted(map(plain.item, range(len(plain))))
    for layout, table in layouts(names, rows).items():
        file = tmp_path / f"{layout}.txt"
        file.write_text(WAYS[way](json.dumps(table)))
        found = goldassay.read(file, kind=kind)
        assert sorted(map(found.item, range(len(found)))) == expected, layout


def test_a_key_around_classes_is_no_class(tmp_path):
    classes = {"Cat": {"subClassOf": "Pet"}, "Pet": {"subClassOf": "Animal"}}
    for value in (classes, {"classes": classes}, {"ontology": {"classes": classes}}, {"ontology": classes}):
        file = tmp_path / "a.json"
        file.write_text(json.dumps(value))
        found = goldassay.read(file, kind="axioms")
        assert sorted(map(found.item, range(len(found)))) == ["Cat subClassOf Pet", "Pet subClassOf Animal"]


@pytest.mark.parametrize(
    ("below", "above"),
    [
        ("Child Class", "Parent Class"), ("child_topic", "parent_topic"), ("Child Concept Name", "Parent Concept Name"),
        ("descendant", "ancestor"), ("specific", "general"), ("Unterbegriff", "Oberbegriff"), ("topic (child)", "topic (parent)"),
    ],
)  # fmt: skip
def test_columns_whose_names_differ_in_what_is_below_and_above_are_the_ends(tmp_path, below, above):
    for names, rows in (((below, above), ["cat,pet", "pet,animal"]), ((above, below), ["pet,cat", "animal,pet"])):
        file = tmp_path / "a.csv"
        file.write_text("\n".join([",".join(names), *rows]))
        found = goldassay.read(file, kind="taxonomy")
        assert [found.item(row) for row in range(len(found))] == ["cat -> pet", "pet -> animal"]
        assert found.warnings == ()


def test_several_such_pairs_say_nothing(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("child_a,parent_a,child_b,parent_b\ncat,pet,dog,pet\n")
    with pytest.raises(goldassay.InputError):
        goldassay.read(file, kind="taxonomy")
