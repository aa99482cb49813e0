"""What a model holds has one digest in any order, and another one if an item is another one."""

import json

import numpy as np
import pytest

import goldassay
from goldassay import compare
from goldassay.core.content import TextRows, digest_content
from goldassay.core.intern import FEW, PART, Names

EDGES = [("cat", "pet"), ("dog", "pet"), ("pet", "animal"), ("oak", "tree")]
SHUFFLED = [(child, parent) for (child, _), parent in zip(EDGES, ["tree", "pet", "pet", "animal"], strict=True)]


def graph(edges):
    return goldassay.Graph.from_edges(edges)


@pytest.mark.parametrize("size", [5, FEW + 1, PART + 7])
def test_few_and_many_texts_in_any_order_have_one_digest(size):
    rows = [(f"child {number}", f"parent {number % 3}") for number in range(size)]
    mixed = rows[size // 2 :] + rows[: size // 2]
    assert digest_content(list(zip(*rows, strict=True))) == digest_content(list(zip(*mixed, strict=True)))
    other = [("child 1", "parent 0"), *rows[:1], *rows[2:]]
    assert digest_content(list(zip(*rows, strict=True))) != digest_content(list(zip(*other, strict=True)))


def test_a_text_is_the_same_in_every_column_that_holds_it():
    import polars as pl

    texts = ["a", "", "ä", "a"]
    rows = TextRows(["ä", "", "a"], np.array([2, 1, 0, 2]))
    found = {digest_content([one]) for one in (texts, tuple(texts), Names(pl.Series(texts)), rows)}
    assert len(found) == 1


def test_tables_and_columns_do_not_run_into_each_other():
    assert digest_content([["ab"], ["c"]]) != digest_content([["a"], ["bc"]])
    assert digest_content([["a"]], [["b"]]) != digest_content([["a", "b"]], [[]])
    assert digest_content([["a", "a"]]) != digest_content([["a"]])


def test_a_digest_is_the_same_in_every_process():
    assert graph(EDGES).digest == "d64d1b63e7e405029067bae70653c676"


FAMILIES = {
    "axioms": (
        goldassay.axioms.Axioms.from_rows,
        [("A", "p", "B"), ("B", "q", "C")],
        [("A", "q", "B"), ("B", "p", "C")],
    ),
    "alignment": (goldassay.alignments.Alignment.from_rows, [("a", "x"), ("b", "y")], [("a", "y"), ("b", "x")]),
    "labels": (goldassay.labels.Labels.from_rows, [("1", "a"), ("2", "b")], [("1", "b"), ("2", "a")]),
    "concepts": (goldassay.concepts.Concepts.from_lists, [("1", ["a"]), ("2", ["b"])], [("1", ["b"]), ("2", ["a"])]),
    "triples": (
        goldassay.triples.TripleSet.from_lists,
        [("1", [("a", "p", "b")]), ("2", [("b", "p", "c")])],
        [("1", [("b", "p", "c")]), ("2", [("a", "p", "b")])],
    ),
    "taxonomy": (graph, EDGES, SHUFFLED),
}


@pytest.mark.parametrize("kind", FAMILIES)
def test_every_family_knows_other_items_in_equal_number(kind):
    make, rows, others = FAMILIES[kind]
    assert make(rows).digest == make(rows[::-1]).digest != ""
    assert make(rows).digest != make(others).digest


def test_sentences_with_other_relations_or_wordings_differ():
    from goldassay.unl.model import Texts
    from goldassay.unl.read import document_of

    one, other = document_of("[S:1] agt(a, b) obj(a, c) [/S]"), document_of("[S:1] agt(a, c) obj(a, b) [/S]")
    assert one.digest != other.digest
    assert one.digest == document_of("[S:1] obj(a, c) agt(a, b) [/S]").digest
    assert Texts(ids=("1",), wordings=(("a", "b"),)).digest != Texts(ids=("1",), wordings=(("a", "c"),)).digest


def test_a_report_keeps_the_digest_of_gold_and_not_of_predictions(tmp_path):
    report = goldassay.evaluate(graph(EDGES), gold=graph(EDGES), measures="literal")
    report.save(tmp_path / "report.json")
    written = json.loads((tmp_path / "report.json").read_text())
    assert written["gold"]["digest"] == graph(EDGES).digest
    assert "digest" not in written["runs"][0]["pred"]
    assert goldassay.load(tmp_path / "report.json").to_dict()["gold"] == written["gold"]


def report_on(gold, *, intervals=False):
    return goldassay.evaluate(graph(EDGES), gold=graph(gold), measures="literal", intervals=intervals)


def old(report, path):
    """Load a report as an earlier version saved it."""
    report.save(path)
    document = json.loads(path.read_text())
    del document["gold"]["digest"]
    path.write_text(json.dumps(document))
    return goldassay.load(path)


def test_reports_on_other_gold_of_the_same_size_are_not_compared(tmp_path):
    here, there = report_on(EDGES, intervals=True), report_on(SHUFFLED, intervals=True)
    with pytest.raises(goldassay.UsageError, match="different gold standards"):
        compare([here, there])
    before = old(here, tmp_path / "old.json")
    with pytest.raises(goldassay.UsageError, match="different gold standards"):
        compare([before, here, there])
    assert len(compare([before, there]).comparisons) == len(
        compare([here, report_on(EDGES[::-1], intervals=True)]).comparisons
    )


def test_the_example_of_digest_content():
    one, same, other = (
        (["cat", "dog"], ["pet", "tree"]),
        (["dog", "cat"], ["tree", "pet"]),
        (["cat", "dog"], ["tree", "pet"]),
    )
    assert (digest_content(one) == digest_content(same), digest_content(one) == digest_content(other)) == (True, False)
