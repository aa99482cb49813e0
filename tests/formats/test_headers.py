"""A first statement that says what the parts of the others are is none of them, in every shape and family."""

import json

import pytest

import goldassay

PAIRS = [("dog", "animal"), ("cat", "animal"), ("poodle", "dog")]
EDGES = sorted(f"{child} -> {parent}" for child, parent in PAIRS)
TRIPLES = [("Oslo", "capital of", "Norway"), ("Paris", "capital of", "France")]
AXIOMS = [("Book", "hasAuthor", "Author"), ("Author", "name", "string")]
SHAPES = {
    "bars": lambda rows: "\n".join(" | ".join(row) for row in rows),
    "arrows": lambda rows: "\n".join(" -> ".join(row) for row in rows),
    "tuples": lambda rows: "\n".join(f"({', '.join(row)})" for row in rows),
    "JSON": json.dumps,
    "memory": lambda rows: rows,
}
PAIRED = [
    "Child Parent",
    "child parent",
    "HYPONYM HYPERNYM",
    "Term Hypernym",
    "Subclass Superclass",
    "Source Target",
    "Subcategory Category",
]
TRIPLED = [
    "Subject Predicate Object",
    "subject relation object",
    "Head Relation Tail",
    "Source Relationship Target",
    "Entity1 Relation Entity2",
]


def given(shape, rows, folder):
    if shape == "memory":
        return rows
    file = folder / ("a.json" if shape == "JSON" else "a.txt")
    file.write_text(f"{SHAPES[shape](rows)}\n")
    return file


def items(model):
    return sorted(map(model.item, range(len(model))))


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("header", PAIRED)
@pytest.mark.parametrize("shape", SHAPES)
def test_names_of_ends_are_no_edge_and_say_the_direction(shape, header, down, tmp_path):
    rows = [tuple(header.split()), *PAIRS]
    graph = goldassay.read(given(shape, [row[::-1] for row in rows] if down else rows, tmp_path), kind="taxonomy")
    assert items(graph) == EDGES


@pytest.mark.parametrize("header", TRIPLED)
@pytest.mark.parametrize("shape", SHAPES)
def test_names_of_parts_are_no_triple(shape, header, tmp_path):
    rows = [tuple(header.split()), *TRIPLES]
    found = goldassay.read(given(shape, rows, tmp_path), kind="triples")
    assert [item.partition(": ")[2] for item in items(found)] == [" | ".join(row) for row in TRIPLES]


@pytest.mark.parametrize("header", ["Class Property Object", "Domain Property Range", "class relation range"])
@pytest.mark.parametrize("shape", ["bars", "tuples", "memory"])
def test_names_of_parts_are_no_axiom(shape, header, tmp_path):
    found = goldassay.read(given(shape, [tuple(header.split()), *AXIOMS], tmp_path), kind="axioms")
    assert items(found) == sorted(map(" ".join, AXIOMS))


@pytest.mark.parametrize(
    "first", ["class object", "concept entity", "person agent", "item thing", "group class", "s o", "node entity"]
)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_first_edge_of_things_that_are_called_like_columns_is_one(shape, first, tmp_path):
    rows = [tuple(first.split()), *PAIRS]
    graph = goldassay.read(given(shape, rows, tmp_path), kind="taxonomy")
    assert items(graph) == sorted([*EDGES, " -> ".join(rows[0])])
    assert items(goldassay.read([("child", "parent")], kind="taxonomy")) == ["child -> parent"]


@pytest.mark.parametrize(
    "text", ["0,cat,pet\n1,dog,pet\n", "cat,pet,0.9\ndog,pet,0.8\n", "pet,dog,poodle\npet,cat,tom\n"]
)
def test_columns_without_names_that_are_no_relations_are_to_be_named(text, tmp_path):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(goldassay.InputError) as caught:
        goldassay.read(tmp_path / "a.csv", kind="taxonomy")
    assert "name them in a first row" in caught.value.hint
    assert "--edges cat" not in caught.value.hint
    (tmp_path / "a.csv").write_text(f"level1,level2,level3\n{text}")
    assert len(goldassay.read(tmp_path / "a.csv", kind="taxonomy"))


def test_a_column_of_types_may_be_left_out_as_the_hint_says(tmp_path):
    (tmp_path / "a.csv").write_text("child,parent,type\ndog,animal,concept\n")
    with pytest.raises(goldassay.InputError, match="--relation-column none"):
        goldassay.read(tmp_path / "a.csv", kind="taxonomy")
    assert items(goldassay.read(tmp_path / "a.csv", kind="taxonomy", relation_column="none")) == ["dog -> animal"]


@pytest.mark.parametrize("header", ["id,path", '"child,parent"'])
def test_no_hint_names_an_id_as_the_parent_of_a_name_or_a_row_as_a_column(header, tmp_path):
    (tmp_path / "a.csv").write_text(f"{header}\n{header}x\n")
    with pytest.raises(goldassay.InputError) as caught:
        goldassay.read(tmp_path / "a.csv", kind="taxonomy")
    assert "-column" not in caught.value.hint


@pytest.mark.parametrize(
    "given",
    [
        {"triples": [{"subject": "a", "predicate": "r", "object": ["b", "c"], "weight": 0.5}]},
        [["a", "r", ["b", "c"]]],
        {"relationships": [{"startNode": "a", "name": "r", "endNode": end} for end in "bc"]},
    ],
)
def test_each_object_of_a_list_is_in_a_triple_of_its_own(given, tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(given))
    assert items(goldassay.read(tmp_path / "a.json", kind="triples")) == ["1: a | r | b", "1: a | r | c"]


@pytest.mark.parametrize("names", [("skill", "parent_skill"), ("Topic", "Broader Topic"), ("role", "role_parent")])
@pytest.mark.parametrize("turned", [False, True])
def test_what_is_above_may_be_called_by_what_it_is(names, turned, tmp_path):
    rows = [names, *PAIRS]
    path = tmp_path / "a.csv"
    path.write_text("".join(",".join(row[::-1] if turned else row) + "\n" for row in rows))
    graph = goldassay.read(path)
    assert sorted(map(graph.item, range(len(graph)))) == EDGES
