"""Examples of kernels/edges/best.py."""

import numpy as np

from goldassay.kernels.edges.best import find_best, find_best_of_both


def test_the_example_of_find_best():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    best = find_best(vectors, np.array([[0, 2], [2, 0]]), np.array([[2, 2], [1, 2]]))
    assert (best.similarity.round(6).tolist(), best.counterpart.tolist()) == ([0.8, 0.0], [1, 1])


def test_the_example_of_find_best_of_both():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    here, there = find_best_of_both(vectors, np.array([[0, 2], [2, 0]]), np.array([[2, 2], [1, 2]]))
    assert (here.counterpart.tolist(), there.counterpart.tolist()) == ([1, 1], [0, 0])


def test_the_example_of_find_best_of_nodes():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    assert find_best(vectors, np.array([0, 2]), np.array([1])).similarity.round(6).tolist() == [0.8, 0.6]
