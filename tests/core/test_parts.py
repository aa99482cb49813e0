"""The rows that a measure counts, laid out in parts."""

import numpy as np
import pytest

from goldassay.core.matching import Named
from goldassay.core.parts import Part, column_of, exact_sum, names_of, sum_parts, units_of

PARTS = [
    Part(items=Named(("a", "b")), others=Named(()), unit_keys=lambda: ["x", "y"], counts={"hit": [1, 0], "n": [1, 1]}),
    Part(items=Named(("c",)), others=Named(()), unit_keys=lambda: ["x"], counts={"m": [2.5]}),
]


def test_sums_are_those_of_the_rows_and_a_part_without_a_sum_adds_nothing():
    assert names_of(PARTS) == ["hit", "m", "n"]
    assert column_of(PARTS, "n").tolist() == [1.0, 1.0, 0.0]
    assert dict(sum_parts(PARTS)) == {"hit": 1, "m": 2.5, "n": 2}
    assert (column_of([], "n").tolist(), dict(sum_parts([]))) == ([], {})


def test_rows_of_one_unit_are_added_up():
    units = units_of("edge", PARTS)
    assert (units.name, units.keys.tolist()) == ("edge", ["x", "y"])
    assert {name: column.tolist() for name, column in units.counts.items()} == {
        "hit": [1, 0],
        "m": [2.5, 0],
        "n": [1, 1],
    }


@pytest.mark.parametrize(
    ("column", "total"), [([1.0, 2.0], 3), ([0.5, 0.25], 0.75), ([0.1] * 10, 1), ([1e16, 0.5, -1e16], 0.5)]
)
def test_a_sum_is_exact_and_whole_where_it_is_whole(column, total):
    found = exact_sum(np.array(column))
    assert (found, type(found)) == (total, type(total))


def test_broken_numbers_are_added_without_rounding_in_between():
    assert exact_sum(np.full(100, 0.1)) == 10.0


def test_the_example_of_sum_parts():
    part = Part(
        items=Named(("a", "b")), others=Named(()), unit_keys=list, counts={"hit_pred": [1, 0], "n_pred": [1, 1]}
    )
    assert sum_parts([part]).sums == {"hit_pred": 1, "n_pred": 2}
