"""Rows that a program gives are used as they are, or refused by their number."""

import math

import pytest

import goldassay
from goldassay.alignments import Alignment
from goldassay.axioms import Axioms
from goldassay.graphs import Graph
from goldassay.labels import Labels

BUILT = {
    "graph": (Graph.from_edges, ("cat", "pet")),
    "alignment": (Alignment.from_rows, ("a", "b")),
    "axioms": (Axioms.from_rows, ("Cat", "subClassOf", "Pet")),
    "labels": (lambda rows: Labels.from_rows(rows, edges=[("cat", "pet"), ("pet", "animal")]), ("1", "cat")),
}


@pytest.mark.parametrize("kind", BUILT)
@pytest.mark.parametrize("bad", ["abc", {"a": 1, "b": 2, "c": 3}, {"a", "b", "c"}, None, 5, ("a",), ("a",) * 5])
def test_what_is_no_row_is_refused_with_its_number(kind, bad):
    build, row = BUILT[kind]
    assert len(build([row])) == 1
    with pytest.raises(goldassay.UsageError, match="Row 2 cannot be used") as message:
        build([row, bad])
    assert message.value.hint.startswith("goldassay.read(ROWS, kind=")


@pytest.mark.parametrize("kind", ["graph", "axioms", "labels"])
@pytest.mark.parametrize("absent", [None, "", math.nan])
def test_a_row_without_a_name_is_refused(kind, absent):
    build, row = BUILT[kind]
    with pytest.raises(goldassay.UsageError, match="Row 1 cannot be used"):
        build([(*row[:-1], absent)])


@pytest.mark.parametrize("kind", ["alignment", "labels"])
@pytest.mark.parametrize("score", ["high", (), "nan"])
def test_a_score_that_is_no_number_is_refused(kind, score):
    build, row = BUILT[kind]
    row = (*row, "=", score) if kind == "alignment" else (*row, score)
    with pytest.raises(goldassay.UsageError, match="The score of row 1 is not a number"):
        build([row])
