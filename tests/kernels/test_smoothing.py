"""Examples of kernels/smoothing.py."""

import numpy as np

from goldassay.kernels.smoothing import smooth


def test_the_example_of_smooth():
    assert smooth(np.eye(2, dtype=np.float32), np.array([[0, 1]]), 1).astype(float).round(3).tolist() == [
        [1.0, 0.0, 0.0],
        [0.816, 0.577, 0.0],
    ]
