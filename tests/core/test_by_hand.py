"""Rows that a program gives are used as they are, or refused by their number."""

import math

import pytest

import goldassay
from goldassay.alignments import Alignment
from goldassay.axioms import Axioms
from goldassay.concepts import Concepts
from goldassay.graphs import Graph
from goldassay.labels import Labels
from goldassay.triples import TripleSet

BUILT = {
    "graph": (Graph.from_edges, ("cat", "pet")),
    "alignment": (Alignment.from_rows, ("a", "b")),
    "axioms": (Axioms.from_rows, ("Cat", "subClassOf", "Pet")),
    "labels": (lambda rows: Labels.from_rows(rows, edges=[("cat", "pet"), ("pet", "animal")]), ("1", "cat")),
    "triples": (lambda rows: TripleSet.from_lists({"d": rows}), ("Oslo", "in", "Norway")),
    "concepts": (lambda rows: Concepts.from_lists({"d": rows}), ("fever", "D1")),
}


@pytest.mark.parametrize("kind", BUILT)
@pytest.mark.parametrize(
    "bad",
    ["abc", b"ab", b"abc", dict.fromkeys("ab"), dict.fromkeys("abc"), {"a", "b", "c"}, None, 5, (), ("a",), ("a",) * 5],
)
def test_what_is_no_row_is_refused_with_its_number(kind, bad):
    build, row = BUILT[kind]
    assert len(build([row])) == 1
    if kind == "concepts" and bad in ("abc", ("a",)):
        # A concept may have no id.
        assert len(build([row, bad])) == 2
        return
    with pytest.raises(goldassay.UsageError, match=r"Row 2.* cannot be used") as message:
        build([row, bad])
    assert message.value.hint.startswith("goldassay.read(ROWS, kind=")


@pytest.mark.parametrize("kind", BUILT)
@pytest.mark.parametrize("absent", [None, "", math.nan, ["x"], b"x", object()])
def test_a_row_without_a_name_is_refused(kind, absent):
    build, row = BUILT[kind]
    for at in range(len(row)):
        # A correspondence may have no target, and a concept no id.
        if (
            at
            and kind in ("alignment", "concepts")
            and not isinstance(absent, list | bytes)
            and type(absent) is not object
        ):
            continue
        with pytest.raises(goldassay.UsageError, match=r"Row 1.* cannot be used"):
            build([(*row[:at], absent, *row[at + 1 :])])


@pytest.mark.parametrize("kind", BUILT)
@pytest.mark.parametrize("rows", ["abc", b"abc", None, 5, {"a": "b"}])
def test_what_is_no_list_of_rows_is_refused(kind, rows):
    with pytest.raises(goldassay.UsageError, match=r"The rows.* cannot be used|\(id of a document, list\)"):
        BUILT[kind][0](rows)


@pytest.mark.parametrize("kind", BUILT)
def test_a_number_is_written_as_text(kind):
    build, row = BUILT[kind]
    shown = build([(7, *row[1:])]).item(0)
    assert shown == build([("7", *row[1:])]).item(0)


@pytest.mark.parametrize("build", [TripleSet.from_lists, Concepts.from_lists])
def test_documents_are_a_dictionary_or_pairs(build):
    rows = [("a", "r", "b")] if build == TripleSet.from_lists else ["a"]
    assert build([("d", rows)]).item(0) == build({"d": rows}).item(0)
    for bad in ([rows], ["ab"], [("d",)], None, "ab", 5):
        with pytest.raises(goldassay.UsageError, match="cannot be used"):
            build(bad)


@pytest.mark.parametrize("kind", ["alignment", "labels"])
@pytest.mark.parametrize("score", ["high", (), "nan"])
def test_a_score_that_is_no_number_is_refused(kind, score):
    build, row = BUILT[kind]
    row = (*row, "=", score) if kind == "alignment" else (*row, score)
    with pytest.raises(goldassay.UsageError, match="The score of row 1 is not a number"):
        build([row])
