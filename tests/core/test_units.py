import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.core.counts import Counts
from goldassay.core.units import Units, align_units

ROWS = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 3), st.integers(0, 3)), max_size=12)


def units(rows):
    return Units.of(
        "edge", [key for key, *_ in rows], Counts({"hit": [a for _, a, _ in rows], "n": [b for *_, b in rows]})
    )


@given(ROWS)
def test_rows_of_one_key_add_up(rows):
    made = units(rows)
    assert sorted(made.keys) == sorted({key for key, *_ in rows})
    for key, hit in zip(made.keys, made.counts["hit"], strict=True):
        assert hit == sum(a for other, a, _ in rows if other == key)


@given(ROWS, ROWS)
def test_alignment_keeps_every_count_under_its_key(first, second):
    here, there = units(first), units(second)
    left, right = align_units(here, there)
    assert left.keys.tolist() == right.keys.tolist()
    assert len(left) == len({*here.keys, *there.keys})
    for before, after in ((here, left), (there, right)):
        known = dict(zip(before.keys, before.matrix.tolist(), strict=True))
        assert after.matrix.tolist() == [known.get(key, [0.0, 0.0]) for key in after.keys]


def test_units_of_different_measures_do_not_align():
    with pytest.raises(ValueError, match="different measures"):
        align_units(Units.of("edge", [], Counts({"n": []})), Units.of("edge", [], Counts({"m": []})))


def test_no_units_make_a_matrix_of_no_rows():
    assert np.array_equal(units([]).matrix, np.zeros((0, 2)))


def test_units_that_count_nothing_make_a_matrix_of_no_columns():
    assert Units.of("edge", ["a", "b"], Counts({})).matrix.shape == (2, 0)


def test_the_example_of_units():
    units = Units.of("edge", ["a -> b", "c -> b", "a -> b"], Counts({"n_pred": [1, 1, 0], "n_gold": [0, 0, 1]}))
    assert (units.keys.tolist(), units.counts["n_gold"].tolist()) == (["a -> b", "c -> b"], [1.0, 0.0])


def test_the_example_of_align_units():
    a = Units.of("edge", ["x"], Counts({"hits": [1]}))
    b = Units.of("edge", ["y", "x"], Counts({"hits": [2, 3]}))
    assert [side.counts["hits"].tolist() for side in align_units(a, b)] == [[1.0, 0.0], [3.0, 2.0]]
