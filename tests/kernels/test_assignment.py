"""Examples of kernels/edges/assignment.py."""

import numpy as np

from goldassay.kernels.edges.assignment import assign, least_memory


def test_the_example_of_least_memory():
    assert least_memory(80_000, 90_000) // 2**20 == 3


def test_the_example_of_assign():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    found = assign(vectors, np.array([[0, 0], [1, 1]]), np.array([[1, 1], [0, 0], [2, 2]]), gap=1e-3)
    assert (found.counterpart.tolist(), found.total) == ([1, 0], 2.0)
