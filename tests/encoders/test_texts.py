"""Examples of encoders/texts.py."""

import numpy as np

from goldassay.encoders.texts import blocks, is_unit, row_lengths


def test_the_example_of_blocks():
    assert [run.stop for run in blocks(["a", "bb", "cccc", "d"], count=3, characters=4)] == [2, 3, 4]


def test_the_example_of_is_unit():
    assert is_unit(np.array([[0.6, 0.8], [1.0, 1.0], [np.nan, 0.0]], dtype=np.float32)).tolist() == [True, False, False]


def test_the_example_of_row_lengths():
    assert repr(row_lengths(np.array([[3.0, 4.0], [np.inf, 0.0]], dtype=np.float32)).tolist()) == "[5.0, inf]"
