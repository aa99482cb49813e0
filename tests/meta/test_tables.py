"""Examples of meta/tables.py."""

from fractions import Fraction

import numpy as np
import pytest

from goldassay.meta.statistics import mean_along
from goldassay.meta.tables import mean_of


def test_the_example_of_mean_of():
    assert repr(mean_of([np.array([[1.0, np.nan]]), np.array([[2.0, np.nan]])]).tolist()) == "[[1.5, nan]]"


@pytest.mark.parametrize("raters", [2, 3, 6, 7])
def test_means_of_means_are_equal_exactly_where_fractions_are(raters):
    random = np.random.default_rng(raters)
    for items in (2, 3, 7, 11):
        ratings = random.integers(1, 6, size=(raters, 60, items))
        exact = [Fraction(int(one), raters * items) for one in ratings.sum(axis=(0, 2))]
        found = mean_along(mean_of(list(ratings.astype(float))), 1).tolist()
        assert len(set(zip(exact, found, strict=True))) == len(set(exact)) == len(set(found))
