"""Examples of meta/statistics.py."""

import numpy as np
import pytest

from goldassay.meta.statistics import (
    accuracy_with_ties,
    auc,
    chance_of_accuracy,
    chance_of_spa,
    kendall_b,
    mean_along,
    pairwise_accuracy,
    pearson,
    soft_pairwise_accuracy,
    verdicts,
)


def test_the_example_of_kendall_b():
    assert kendall_b(np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 3.0, 2.0]])) == 0.3333333333333333


def test_the_example_of_accuracy_with_ties():
    assert accuracy_with_ties(np.array([[1.0, 1.0, 2.0]]), np.array([[0.5, 0.6, 0.9]])) == (1.0, 0.09999999999999998)


def test_the_example_of_pairwise_accuracy():
    assert pairwise_accuracy(np.array([[1.0], [2.0], [3.0]]), np.array([[0.1], [0.3], [0.2]])) == 0.6666666666666666


def test_the_example_of_pearson():
    assert round(pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])), 12) == 1.0


def test_the_example_of_soft_pairwise_accuracy():
    assert soft_pairwise_accuracy(np.array([[-1, 0.1], [-1, -1]]), np.array([[-1, 0.4], [-1, -1]])) == 0.7


def test_the_example_of_chance_of_spa():
    assert chance_of_spa(np.array([[-1, 0.1], [-1, -1]]), np.array([[1.0, 2.0], [1.0, 2.0]])) == 0.6


def test_the_example_of_chance_of_accuracy():
    assert chance_of_accuracy(np.array([1.0, 2.0, 3.0]), np.array([5.0, 4.0, 7.0])) == 0.5


def test_the_example_of_auc():
    assert auc(np.array([True, True, False]), np.array([0.9, 0.4, 0.4])) == 0.75


def test_the_example_of_verdicts():
    assert verdicts(np.array([True, True, False, False]), np.array([True, False, False, False])) == {
        "sensitivity": 0.5,
        "specificity": 1.0,
        "kappa": 0.5,
    }


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (2, 0, 1)])
@pytest.mark.parametrize("scale", [1e-9, 1.0, 100.0])
def test_means_of_the_same_numbers_tie_in_any_order(order, scale):
    a, b = (scale * np.array(one)[list(order)] for one in ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1]))
    same, ones = np.array([a, b]), np.ones((2, 3))
    assert len(set(mean_along(same, 1).tolist())) == 1
    assert pairwise_accuracy(same, ones) == pairwise_accuracy(ones, same) == 1.0
    assert np.isnan(pearson(mean_along(same, 1), np.array([1.0, 2.0])))


def test_equal_numbers_have_no_correlation():
    """The mean of three tenths is not a tenth."""
    assert np.isnan(pearson(np.array([0.1] * 3), np.array([0.1, 0.2, 0.3])))


def test_a_mean_is_over_what_is_there():
    some = np.array([[0.1, np.nan, 0.2], [np.nan] * 3])
    assert mean_along(some, 1).tolist() == pytest.approx([0.15, np.nan], nan_ok=True)
    assert mean_along(some, 0).tolist() == pytest.approx([0.1, np.nan, 0.2], nan_ok=True)
