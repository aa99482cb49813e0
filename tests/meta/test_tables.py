"""Examples of meta/tables.py."""

import numpy as np

from goldassay.meta.tables import mean_of


def test_the_example_of_mean_of():
    assert repr(mean_of([np.array([[1.0, np.nan]]), np.array([[2.0, np.nan]])]).tolist()) == "[[1.5, nan]]"
