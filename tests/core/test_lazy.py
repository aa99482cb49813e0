"""What comes back from an engine is added to the last bit, and rows of an engine have no numbers."""

import math

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError
from goldassay.core.lazy import EngineCounts, LazyDocuments, LazyItems, LazyMatching, sum_of, sums_of

VALUES = st.floats(0, 1)


@given(st.lists(st.tuples(VALUES, st.integers(0, 50)), max_size=20))
def test_units_that_are_alike_add_up_as_one_by_one(rows):
    values, times = [value for value, _ in rows], [many for _, many in rows]
    one_by_one = [value for value, many in rows for _ in range(many)]
    assert sum_of(values, times) == math.fsum(one_by_one)


def test_whole_sums_are_whole_numbers():
    found = sums_of({"hit": np.array([1.0, 0.5]), "n": np.array([1.0, 1.0])}, np.array([2.0, 3.0]))
    assert found == {"hit": 3.5, "n": 5}
    assert isinstance(found["n"], int)
    assert Counts(found)["hit"] == 3.5


def test_items_of_an_engine_have_a_size_and_no_rows():
    items = LazyItems(frame=None, size=3)
    matching = LazyMatching(
        pred_items=items, gold_items=items, counted=EngineCounts(counts=Counts({}), evidence=lambda: None)
    )
    assert len(items) == 3
    assert not matching.kept
    assert "lazy frame" in repr(matching)
    calls = (
        lambda: items.item(0),
        lambda: matching.evidence("pred", None),
        matching.table,
        matching.missed,
        matching.invented,
    )
    for call in calls:
        with pytest.raises(UsageError, match=r"report\.evidence"):
            call()


def test_an_empty_prediction_of_an_engine_has_no_documents_either():
    frames = {name: nw.from_native(pl.LazyFrame({"id": ["p", "q", "r"]})) for name in ("frame", "documents")}
    empty = LazyDocuments(**frames, size=3, format="csv", left_out={"blank": 1}).make_empty("pred.csv")
    assert [len(one.collect()) for one in (empty.frame, empty.documents, empty.predicted)] == [0, 0, 0]
    assert (len(empty), empty.path, empty.format, empty.left_out) == (0, "pred.csv", "empty", {})


def test_the_example_of_sum_of():
    assert (sum_of([0.1, 0.5], [10, 2]), sum_of([1.0], [3])) == (2, 3)
