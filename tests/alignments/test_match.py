"""Examples of alignments/match.py."""

import numpy as np

from goldassay.alignments.match import best_rows


def test_the_example_of_best_rows():
    assert best_rows(np.array([0.1, 0.9, 0.5]), np.array([7, 7, 8])).tolist() == [1, 2]
