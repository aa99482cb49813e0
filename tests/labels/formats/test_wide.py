"""Examples of labels/formats/wide.py."""

import numpy as np
import polars as pl

from goldassay.labels.formats.wide import are_shares, as_numbers


def test_the_example_of_as_numbers():
    assert as_numbers(pl.Series(["True", "x", "70%", "0,5", ""])).to_list() == ["1", "1", "70e-2", "0.5", ""]


def test_the_example_of_are_shares():
    assert (
        are_shares(np.array([[0.7, 0.3], [0.5, 0.5]])),
        are_shares(np.array([[1.0, 0.0]])),
        are_shares(np.array([[0.9, 0.8]])),
    ) == (True, False, False)
