"""Argument tree similarity, and the ways in which trees are written."""

import json
import math
import warnings

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts import ConceptReading, Concepts, Paths, read_concepts
from goldassay.concepts.formats.trees import paths_of

SAME = [
    {"text": "root", "children": [{"text": "a", "children": ["b", "c"]}, "d"]},
    {
        "name": "root",
        "premises": [{"claim": "a", "nodes": [{"title": "b"}, {"title": "c", "children": []}]}, {"label": "d"}],
    },
    {"root": {"a": ["b", "c"], "d": {}}},
    [{"root": [{"a": {"b": None, "c": ""}}, "d"]}],
    "- root\n  - a\n    - b\n    - c\n  - d",
    "* root\n\t1. a\n\t\t1) b\n\t\t2) c\n\n\t2. d\n",
    json.dumps({"root": {"a": ["b", "c"], "d": {}}}),
]


@pytest.mark.parametrize("tree", SAME)
def test_one_tree_written_in_many_ways(tree):
    assert paths_of(tree, "/") == ["root/a/b", "root/a/c", "root/d"]


def test_separators_and_several_roots():
    assert paths_of(["a", {"b": "c"}], " > ") == ["a", "b > c"]
    assert paths_of({}) == paths_of([]) == paths_of("") == []
    with pytest.raises(goldassay.InputError, match="A tree cannot be read"):
        Concepts.from_trees({"d": 7})


CYCLIC = {"text": "a", "children": []}
CYCLIC["children"].append(CYCLIC)


@pytest.mark.parametrize(
    ("tree", "messages"),
    [
        (CYCLIC, "contains itself"),
        ({"a": 7}, "7, where a node is expected"),
        ({"text": " ", "children": ["a"]}, "without a text"),
        ([["a"]], "a list in a list"),
        ("- a\nno item", "line 2 of a tree is not a list item"),
        ("{broken", "broken"),
    ],
)
def test_what_is_no_tree(tree, messages):
    with pytest.raises((ValueError, TypeError), match=messages):
        paths_of(tree)


def test_a_tree_too_deep(monkeypatch):
    tree = "leaf"
    for _ in range(600):
        tree = {"text": "a", "children": [tree]}
    with pytest.raises(goldassay.InputError, match="nested too deeply"):
        paths_of(tree)
    monkeypatch.setenv("GOLDASSAY_MAX_LIST", "10")
    with pytest.raises(goldassay.InputError, match="too many paths"):
        paths_of({"a": ["b"] * 20})


VECTORS = {"a x": (1, 0), "a y": (0.8, 0.6), "b": (0, 1), "a": (0.6, -0.8)}


class Table:
    """An encoder of a few known vectors."""

    name, fingerprint, dimension = "table", "0" * 64, 2

    def encode(self, texts, *, progress=None):
        return np.array([VECTORS[text] for text in texts], dtype=np.float32).reshape(-1, 2)


TREES = st.dictionaries(
    st.sampled_from("xyz"),
    st.lists(st.sampled_from([{"a": "x"}, {"a": ["x", "y"]}, "b", {"a": {}}]), max_size=3),
    min_size=1,
    max_size=3,
)


@example(pred={"z": [], "y": ["b"]}, gold={"x": [], "y": ["b"]}, epsilon=0.5)
@given(pred=TREES, gold=TREES, epsilon=st.sampled_from([-0.5, 0.5, 0.7, 0.9]))
def test_against_the_definition(pred, gold, epsilon):
    models = {"pred": Concepts.from_trees(pred), "gold": Concepts.from_trees(gold)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.UndefinedWarning)
        result = Paths(epsilon=epsilon).score(**models, encoder=Table())
    # An empty tree that gold does not have states nothing.
    names = {**gold, **{name: tree for name, tree in pred.items() if tree}}
    recalls = []
    for name in names:
        ours, theirs = ({*paths_of(side.get(name, []))} for side in (pred, gold))
        best = {p: max((float(np.dot(VECTORS[p], VECTORS[q])) for q in ours), default=-math.inf) for p in theirs}
        recalls.append(sum(value >= epsilon - 1e-7 for value in best.values()) / len(theirs) if theirs else 0)
    assert result.recall == pytest.approx(sum(recalls) / len(names))
    assert result.measure.headline == "recall"
    assert result.warning is None or "no paths" not in result.warning


def test_files_of_trees(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps({"id": number, "tree": tree}) for number, tree in enumerate(SAME)))
    concepts = read_concepts(path, ConceptReading(separator=" > "))
    assert concepts.names.tolist() == ["root > a > b", "root > a > c", "root > d"]
    assert len(concepts) == 3 * len(SAME)
    assert concepts.choices == {"concepts": "paths:' > '"}
    score = Paths().score(pred=concepts, gold=concepts, encoder="hashing")
    assert score.recall == 1
    assert "concepts:paths:' > '" in str(score.signature)
    path.write_text('{"id": 1, "why": {"a": "b"}}')
    assert read_concepts(f"{path}#why").names.tolist() == ["a b"]
    assert read_concepts(path, ConceptReading(tree="why")).names.tolist() == ["a b"]
    path.write_text('{"id": 1, "tree": 7}')
    with pytest.raises(goldassay.RecordError, match="The tree in line 1 cannot be read"):
        read_concepts(path)


def test_concepts_that_are_no_paths_are_flagged():
    plain = Concepts.from_lists({"q": ["a"]})
    assert "not paths of trees" in Paths().score(pred=plain, gold=plain, encoder="hashing").warning
