"""Examples of core/model.py."""

import numpy as np

from goldassay.core.model import Provenance, is_model, row_column, rows_kept


def test_the_example_of_is_model():
    assert (is_model([("cat", "pet")]), is_model(Provenance())) == (False, True)


def test_the_example_of_rows_kept():
    assert (
        repr((rows_kept(np.array([4, 7]), np.array([False, True])), rows_kept(None, np.array([1]))))
        == "(array([7]), None)"
    )


def test_the_example_of_row_column():
    assert (row_column(np.array([4, -1, 7]), np.array([1, 2])), row_column(None, np.array([1, 2]))) == (
        {"row": [None, 7]},
        {},
    )
