"""Means over units: one unit has the mean that it has itself, and the policy for empty ones is as declared."""

import itertools
import math

import numpy as np
import pytest

from goldassay.core.average import Average
from goldassay.core.counts import Division, precision_recall_f1

EVERY = [Average(empty=empty) for empty in ("right", "undefined", "ignored")]


def mean_of(average, rows, undefined=0.0):
    names = ("hit_pred", "n_pred", "hit_gold", "n_gold")
    sums = {name: np.array(column, dtype=float) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    ratio = Division(undefined)
    added = average.sum_columns(sums, undefined=undefined)
    counts = {name: float(column.sum()) for name, column in added.items()}
    return {name: float(value) for name, value in average.means(counts, ratio).items()}, ratio.names


@pytest.mark.parametrize("average", EVERY, ids=lambda one: one.empty)
@pytest.mark.parametrize("undefined", [0.0, 1.0, math.nan])
def test_the_mean_of_one_unit_is_what_all_together_have(average, undefined):
    for hit, (n_pred, n_gold) in itertools.product(range(3), itertools.product(range(3), repeat=2)):
        if hit > min(n_pred, n_gold) or not n_pred + n_gold:
            continue
        row = {"hit_pred": hit, "n_pred": n_pred, "hit_gold": hit, "n_gold": n_gold}
        ratio = Division(undefined)
        found, names = mean_of(average, [tuple(row.values())], undefined)
        for name, value in precision_recall_f1(row, ratio).items():
            np.testing.assert_equal(found[name], value)
        assert [name for name in names if name != "f1"] == ratio.names


@pytest.mark.parametrize(
    ("empty", "undefined", "expected"),
    [
        ("right", 0.0, (0.75, 0.75, 0.75)),
        ("undefined", 0.0, (0.25, 0.25, 0.25)),
        ("undefined", 1.0, (0.75, 0.75, 0.75)),
        ("undefined", math.nan, (0.5, 0.5, 0.5)),
        ("ignored", 0.0, (0.5, 0.5, 0.5)),
        ("ignored", math.nan, (0.5, 0.5, 0.5)),
    ],
)
def test_a_unit_that_is_empty_on_both_sides_goes_by_the_policy(empty, undefined, expected):
    found, names = mean_of(Average(empty=empty), [(1, 2, 1, 2), (0, 0, 0, 0)], undefined)
    assert (tuple(found.values()), names) == (expected, [])


@pytest.mark.parametrize("average", EVERY, ids=lambda one: one.empty)
def test_a_mean_of_units_without_a_prediction_is_0_by_0(average):
    found, names = mean_of(average, [(0, 0, 0, 2), (0, 0, 0, 1)], 1.0)
    assert (found["precision"], found["recall"], names) == (1.0, 0.0, ["precision"])


def test_an_undefined_ratio_is_in_no_mean_or_makes_it_undefined():
    rows = [(1, 1, 1, 1), (0, 0, 0, 1)]
    assert mean_of(Average(empty="right"), rows, math.nan)[0]["precision"] == 1.0
    assert math.isnan(mean_of(Average(empty="ignored"), rows, math.nan)[0]["precision"])


@pytest.mark.parametrize("undefined", [0.0, 1.0, math.nan])
def test_a_mean_of_no_unit_is_what_0_by_0_is(undefined):
    found, _ = mean_of(Average(empty="ignored"), [(0, 0, 0, 0)], undefined)
    np.testing.assert_equal(list(found.values()), [undefined] * 3)
