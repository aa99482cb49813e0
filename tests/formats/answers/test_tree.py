"""Nested JSON and YAML: a tree in every layout of fields gives the same edges, and keys that are fields are never nodes."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.core.errors import InputError
from goldassay.formats.answers.json import read_nested
from goldassay.formats.answers.tree import Left, _is_names, has_fields, is_held, read_tree, without_about
from goldassay.formats.yaml import parse_yaml

TREE = {"animal": {"mammal": {"dog": {"poodle": {}}, "cat": {}}, "bird": {"eagle": {}}}}


def pairs(tree, parent=None):
    for name, below in tree.items():
        if parent:
            yield name, parent
        yield from pairs(below, name)


def groups(tree):
    found = {}
    for child, parent in pairs(tree):
        found.setdefault(parent, []).append(child)
    return found


def records(tree, **more):
    parents = {}
    for child, parent in pairs(tree):
        parents.setdefault(parent, [])
        parents.setdefault(child, []).append(parent)
    return [{"name": name, **more, "parents": above} for name, above in parents.items()]


def nest(tree, name, below, **more):
    return [{name: key, **more, below: nest(inner, name, below, **more)} for key, inner in tree.items()]


def within(tree, below, **more):
    return {key: {**more, below: within(inner, below, **more)} for key, inner in tree.items()}


def listed(tree, below):
    return [{key: {below: listed(inner, below)}} for key, inner in tree.items()]


def numbered(tree):
    ids = {one["name"]: f"c{at}" for at, one in enumerate(records(tree))}
    return [
        {"id": ids[one["name"]], "prefLabel": one["name"], "broader": [ids[end] for end in one["parents"]]}
        for one in records(tree)
    ]


def first(some):
    return {one["name"]: {"is_a": (one["parents"] or [None])[0], "description": "It is."} for one in some}


LAYOUTS = {
    "parent and children": lambda tree: [{"parent": a, "children": b} for a, b in groups(tree).items()],
    "parent and child": lambda tree: [{"parent": a, "child": b} for a, b in groups(tree).items()],
    "hypernym and hyponyms": lambda tree: [{"hypernym": a, "hyponyms": b} for a, b in groups(tree).items()],
    "category and subcategories": lambda tree: [{"category": a, "subcategories": b} for a, b in groups(tree).items()],
    "concept and narrower": lambda tree: [{"concept": a, "narrower": b} for a, b in groups(tree).items()],
    "a name of its own": lambda tree: nest(tree, "taxon", "subgroups"),
    "root": lambda tree: {"root": "animal", "children": nest(tree["animal"], "name", "children")},
    "names": lambda tree: tree,
    "names and descriptions": lambda tree: within(tree, "children", description="What it is."),
    "names and levels": lambda tree: within(tree, "children", level=1),
    "names and children": lambda tree: within(tree, "children"),
    "names and subtypes": lambda tree: within(tree, "subtypes"),
    "names in lists": lambda tree: listed(tree, "children"),
    "classes": lambda tree: {"classes": records(tree)},
    "classes with notes": lambda tree: {"concepts": records(tree, synonyms=["x"], note="n")},
    "any key of records": lambda tree: {"mine": records(tree)},
    "about the file": lambda tree: {"title": "T", "version": "1.0", "taxonomy": tree},
    "about the file and names": lambda tree: {"title": "T", "description": "It is.", **tree},
    "ids": lambda tree: {"concepts": numbered(tree)},
    "bare ids": numbered,
    "jsTree": lambda tree: {"core": {"data": nest(tree, "text", "children", state={"opened": True})}},
    "rows of jsTree": lambda tree: [
        {"id": one["name"], "parent": (one["parents"] or ["#"])[0], "text": one["name"]} for one in records(tree)
    ],
    "names and pairs": lambda tree: {
        "nodes": [one["name"] for one in records(tree)],
        "edges": [list(pair) for pair in pairs(tree)],
    },
    "LinkML": lambda tree: {
        "id": "https://example.org/pets",
        "name": "pets",
        "prefixes": {"linkml": "https://w3id.org/linkml/"},
        "classes": first(records(tree)),
        "slots": {"age": {"range": "integer"}},
    },
    "is_a": lambda tree: first(records(tree)),
}


@pytest.mark.parametrize("form", ["JSON", "YAML", "flow of YAML"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_tree_in_every_layout_has_the_same_edges(layout, form, tmp_path):
    value = LAYOUTS[layout](TREE)
    path = tmp_path / ("tree.json" if form == "JSON" else "tree.yaml")
    flow = None if form == "flow of YAML" else False
    text = json.dumps(value) if form == "JSON" else yaml.safe_dump(value, sort_keys=False, default_flow_style=flow)
    if form != "JSON" and layout == "names":
        text = text.replace(": {}", ":")
    path.write_text(text)
    graph = goldassay.read(path)
    assert sorted(map(graph.item, range(len(graph)))) == sorted(" -> ".join(pair) for pair in pairs(TREE))
    path.with_suffix(".md").write_text(f"Sure:\n\n```{form.rpartition(' ')[2].lower()}\n{text}\n```\n")
    graph = goldassay.read(path.with_suffix(".md"))
    assert sorted(map(graph.item, range(len(graph)))) == sorted(" -> ".join(pair) for pair in pairs(TREE))


@pytest.mark.parametrize(
    ("value", "edges"),
    [
        ({"mammal": {"dog": {}, "cat": {}}, "pet": {"dog": {}}}, "dog mammal, cat mammal, dog pet"),
        ({"mammal": ["dog", "cat"], "pet": ["dog"]}, "dog mammal, cat mammal, dog pet"),
        ({"mammal": {"dog": ""}, "pet": {"dog": "", "cat": ""}}, "dog mammal, dog pet, cat pet"),
        ({"cats": {"food": ["fish"]}, "dogs": {"food": ["meat"]}}, "food cats, fish food, food dogs, meat food"),
        ({"person": {"child": {}, "adult": {}}}, "child person, adult person"),
        ({"kin": {"parent": {"mother": {}}, "child": {"son": {}}}}, "parent kin, mother parent, child kin, son child"),
        (
            {"people": {"children": {"boys": {}}}, "things": {"tools": {}}},
            "children people, boys children, tools things",
        ),
        ({"animal": [{"name": "dog", "children": ["poodle"]}, {"name": "cat"}]}, "dog animal, poodle dog, cat animal"),
        ([{"dog": "animal"}, {"dog": "pet"}], "animal dog, pet dog"),
        ({"animal": ["dog"], "description": "x"}, "dog animal"),
        ({"language": "English", "fruit": ["apple"]}, "English language, apple fruit"),
        ({"animal": {"name": "Animal", "children": {"dog": {"name": "Dog"}}}}, "dog animal"),
    ],
)
def test_names_that_are_below_several_names_or_called_like_fields_stay_names(value, edges):
    found = [f"{one.subject} {one.object}" for one in read_nested(value)]
    assert found == edges.split(", ")


def test_ids_of_children_are_names():
    some = [{"id": 1, "label": "animal", "children": [2, 3]}, {"id": 2, "label": "dog"}, {"id": 3, "label": "cat"}]
    assert [(one.subject, one.object) for one in read_nested({"nodes of it": some})][1:3] == [
        ("dog", "animal"),
        ("cat", "animal"),
    ]


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        ('{"animal": {"dog": {"sound": "woof"}, "cat": {"sound": "meow"}}}', ".json"),
        (
            '{"animals": [{"taxon": "dog", "eats": "meat", "x": ["a"]}, {"taxon": "cat", "eats": "fish", "x": []}]}',
            ".json",
        ),
        ('{"dog": {"children": {"pug": {}}, "eats": ["x"]}, "cat": {"children": {"manx": {}}}}', ".json"),
        ("animal:\n  dog:\n    sound: woof\n  cat:\n    sound: meow\n", ".yaml"),
        ("Sure:\n```yaml\nanimal:\n  dog:\n    sound: woof\n  cat:\n    sound: meow\n```\n", ".md"),
    ],
)
def test_fields_that_say_nothing_of_parents_are_refused_by_name(text, suffix, tmp_path):
    path = tmp_path / f"tree{suffix}"
    path.write_text(text)
    with pytest.raises(InputError, match=r"sound|eats") as caught:
        goldassay.read(path)
    assert caught.value.path == str(path)
    assert "parent" in caught.value.hint


def test_fields_that_are_not_read_are_named(tmp_path):
    path = tmp_path / "tree.json"
    path.write_text(json.dumps({"animal": {"colour": "brown", "children": {"dog": {"colour": "red"}}}}))
    graph = goldassay.read(path)
    assert len(graph) == 1
    assert "fields not read: 'colour' (2)" in graph.notes[0]


def test_fields_that_may_hold_names_are_warned_of(tmp_path):
    path = tmp_path / "tree.json"
    path.write_text(json.dumps({"classes": [{"name": "dog", "parent": "pet", "eats": ["x"]}], "more": {"cat": "pet"}}))
    [warning] = goldassay.read(path).warnings
    assert warning == "fields with lists or objects were not read: 'more' (1), 'eats' (1)"


def test_an_answer_of_a_batch_with_unknown_fields_is_one_line_that_was_not_read(tmp_path):
    path = tmp_path / "batch.jsonl"
    texts = ["dog is an animal", '{"animal": {"dog": {"sound": "woof"}, "cat": {"sound": "meow"}}}']
    path.write_text("".join(json.dumps({"custom_id": str(at), "output": text}) + "\n" for at, text in enumerate(texts)))
    graph = goldassay.read(path)
    assert (len(graph), graph.left_out["lines_of_prose"]) == (1, 1)


def test_nodes_of_react_flow_have_their_names(tmp_path):
    path = tmp_path / "flow.json"
    nodes = [{"id": f"n{one['name']}", "data": {"label": one["name"]}} for one in records(TREE)]
    edges = [{"source": f"n{a}", "target": f"n{b}"} for a, b in pairs(TREE)]
    path.write_text(json.dumps({"nodes": nodes, "edges": edges}))
    graph = goldassay.read(path)
    assert sorted(graph.texts) == sorted(one["name"] for one in records(TREE))


TEXTS = st.sampled_from(
    [
        "dog",
        "big dog",
        "it's",
        'say "x"',
        "a: b",
        "- x",
        "1",
        "true",
        "\xe9",
        "[x]",
        "#a",
        "a #b",
        "",
        "more words than a line",
    ]
)
VALUES = st.recursive(
    TEXTS | st.integers(-99, 99) | st.booleans() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b c", "d-e", "f: g", "#h", "\xe9", "1"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, False, True]), st.booleans(), st.sampled_from([10, 20, 80]))
def test_yaml_is_parsed_as_its_library_parses_it(value, flow, accents, width):
    text = yaml.safe_dump([value], allow_unicode=accents, default_flow_style=flow, width=width)
    assert parse_yaml(text) == yaml.safe_load(text)


def test_anchors_are_what_they_name():
    same = ["x"]
    for value in ([same, same], {"a": same, "b": [same]}):
        assert parse_yaml(yaml.safe_dump(value)) == value
    assert parse_yaml("a: &x 1\nb: *x\n") == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    "text",
    [
        "a: *x\n",
        "a: &x\n- [b]\nc: *x\n",
        "a: !t 1\n",
        "a\n b: c\n",
        "a: b\n  c: d\n",
        "a: 1\na: 2\n",
        "\ta: 1\n",
        "a: 'b\n",
        "",
        "a: [b\n",
    ],
)
def test_other_yaml_is_no_data(text):
    with pytest.raises(ValueError, match=r"."):
        parse_yaml(text)


@pytest.mark.parametrize(
    "text",
    [
        "- - Oslo\n  - capital of\n  - Norway\n- - Oslo\n  - located in\n  - Europe\n",
        "triples:\n- subject: Oslo\n  predicate: capital of\n  object: Norway\n- subject: Oslo\n  predicate: located in\n  object: Europe\n",
        "- id: '1'\n  triples:\n  - [Oslo, capital of, Norway]\n  - [Oslo, located in, Europe]\n",
    ],
)
def test_triples_in_yaml_are_read_as_in_json(text, tmp_path):
    path = tmp_path / "triples.yaml"
    path.write_text(text)
    triples = goldassay.read(path, kind="triples")
    assert [triples.item(row) for row in range(len(triples))] == [
        "1: Oslo | capital of | Norway",
        "1: Oslo | located in | Europe",
    ]


def test_texts_that_describe_the_leaves_are_no_children():
    tree = {"animal": {"fish": {"salmon": "A pink fish that swims upstream", "trout": "Freshwater fish."}, "cat": {}}}
    assert [one[1:4:2] for one in read_nested(tree)] == [
        ("fish", "animal"),
        ("salmon", "fish"),
        ("trout", "fish"),
        ("cat", "animal"),
    ]


def test_names_below_keys_stay_children():
    assert [one[1:4:2] for one in read_nested({"animal": {"dog": "poodle", "cat": {}}})] == [
        ("dog", "animal"),
        ("poodle", "dog"),
        ("cat", "animal"),
    ]


def test_names_listed_by_level_have_no_parents(tmp_path):
    file = tmp_path / "levels.json"
    file.write_text('{"level_1": ["animal"], "level_2": ["fish", "mammal"]}')
    with pytest.raises(InputError, match="without a parent"):
        goldassay.read(file)


def test_example_of_left():
    left = Left()
    assert left.see({"note": "n", "eats": ["fish"]}, ["note", "eats"]) is None
    assert dict(left) == {"note": 1, "eats": 1}
    assert dict(left.holding) == {"eats": 1}


def test_example_of_read_tree():
    assert [
        (one.subject, one.object) for one in read_tree([{"category": "animal", "subcategories": ["dog", "cat"]}])
    ] == [("dog", "animal"), ("cat", "animal")]
    assert [(one.subject, one.object) for one in read_tree({"dog": {"is_a": "animal", "sound": "woof"}})] == [
        ("dog", "animal")
    ]
    assert [(one.subject, one.object) for one in read_tree({"animal": {"dog": {}}, "pet": {"dog": {}}})] == [
        ("dog", "animal"),
        ("dog", "pet"),
    ]


def test_example_of_has_fields():
    assert has_fields([{"name": "dog", "parents": ["mammal"]}])
    assert not has_fields({"mammal": ["dog"]})


def test_example_of_is_held():
    assert is_held({"title": "Pets", "taxonomy": {"mammal": ["dog"]}})
    assert not is_held({"mammal": ["dog"]})


def test_example_of_without_about():
    assert without_about({"title": "Pets", "mammal": ["dog"]}, Left()) == {"mammal": ["dog"]}
    assert without_about({"name": "pet", "children": []}, Left()) == {"name": "pet", "children": []}


@pytest.mark.parametrize(("value", "are"), [(["a"], True), ([["a"]], False), (3, False), (None, True)])
def test_lists_of_lists_are_no_names(value, are):
    assert _is_names(value) is are
