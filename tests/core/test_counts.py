import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.core.counts import Counts, Division, choose, f_measure, format_sum, precision_recall_f1

ratios = st.floats(0, 1)


def test_counts_add():
    assert Counts({"a": 1, "b": 2}) + Counts({"a": 10, "b": 20}) == Counts({"a": 11, "b": 22})


def test_counts_of_different_kinds_do_not_add():
    with pytest.raises(ValueError, match="different kinds"):
        Counts({"a": 1}) + Counts({"b": 1})


@pytest.mark.parametrize("undefined", [0.0, 1.0, math.nan])
def test_zero_by_zero_is_the_policy_and_is_remembered(undefined):
    divide = Division(undefined)
    value = divide("recall", 0, 0)
    assert value == undefined or (math.isnan(value) and math.isnan(undefined))
    assert divide.names == ["recall"]


def test_arrays_divide_like_numbers():
    divide = Division(0.0)
    above, below = np.array([1.0, 0.0, 3.0]), np.array([2.0, 0.0, 3.0])
    together = divide("x", above, below)
    one_by_one = [Division(0.0)("x", a, b) for a, b in zip(above, below, strict=True)]
    assert together.tolist() == one_by_one


numbers = st.integers(-5, 2**70) | st.floats(allow_infinity=False) | st.floats().map(np.float64)


@given(numbers, numbers, st.sampled_from([0.0, 1.0, math.nan]))
def test_numbers_divide_like_arrays_to_the_last_bit(above, below, undefined):
    one, many = Division(undefined), Division(undefined)
    with np.errstate(all="ignore"):
        found, wanted = (
            one("x", above, below),
            many("x", np.array([above], dtype=float), np.array([below], dtype=float)),
        )
    assert type(found) is float
    assert np.array([found]).tobytes() == wanted.tobytes() or (math.isnan(found) and math.isnan(wanted[0]))
    assert one.names == many.names


@given(ratios, ratios, st.floats(0.1, 10))
def test_f_measure_lies_between_its_parts(precision, recall, beta):
    value = f_measure(precision, recall, beta=beta)
    assert min(precision, recall) - 1e-9 <= value <= max(precision, recall) + 1e-9


def test_f_measure_by_hand():
    assert f_measure(0.5, 0.25) == pytest.approx(1 / 3)
    assert f_measure(0.5, 0.25, beta=2) == pytest.approx(5 * 0.125 / (4 * 0.5 + 0.25))
    assert f_measure(0.0, 0.0) == 0.0


def test_nothing_reported_of_zero_by_zero_is_zero():
    assert Division()("recall", 0, 0) == 0.0


def test_the_example_of_choose():
    assert (choose(True, 0.5, 0.0), choose(np.array([True, False]), 0.5, 0.0).tolist()) == (0.5, [0.5, 0.0])


def test_the_example_of_f_measure():
    assert f_measure(0.5, 1.0) == 0.6666666666666666


def test_the_example_of_precision_recall_f1():
    assert precision_recall_f1({"hit_pred": 1, "n_pred": 2, "hit_gold": 1, "n_gold": 1}, Division()) == {
        "precision": 0.5,
        "recall": 1.0,
        "f1": 0.6666666666666666,
    }


def test_the_example_of_format_sum():
    assert (format_sum(3.0), format_sum(2.5)) == (3, 2.5)


def test_what_was_0_by_0_is_nan_even_where_it_is_given_as_a_number():
    divide = Division(1.0)
    values = {
        "p": divide("p", np.array([1.0, 0.0]), np.array([2.0, 0.0])),
        "r": divide("r", 1, 4),
        "q": divide("q", 0, 0),
    }
    assert values["p"].tolist() == [0.5, 1.0]
    found = divide.without_undefined(values)
    assert found["p"].tolist() == pytest.approx([0.5, math.nan], nan_ok=True)
    assert (found["r"], math.isnan(found["q"])) == (0.25, True)
