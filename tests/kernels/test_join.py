"""Examples of kernels/edges/join.py."""

import numpy as np

from goldassay.kernels.edges.join import edge_join


def test_the_example_of_edge_join():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    join = edge_join(vectors, np.array([[0, 2], [2, 0]]), np.array([[1, 2]]), threshold=0.7)
    assert (join.hit_pred.tolist(), join.hit_gold.tolist(), join.witness_pred.tolist()) == (
        [True, False],
        [True],
        [0, -1],
    )


def test_the_example_of_edge_join_of_nodes():
    vectors = np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32)
    assert edge_join(vectors, np.array([0, 2]), np.array([1]), threshold=0.7).hit_pred.tolist() == [True, False]
