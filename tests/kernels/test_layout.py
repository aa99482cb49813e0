"""Edges with equal vectors are one, and no others."""

import numpy as np
import pytest

from goldassay.kernels.edges.layout import lay_out, loops

NODES = np.array([[0, 0], [1, 1]])


@pytest.mark.parametrize(("other", "distinct"), [([1.0, 0.0], 1), ([1.0, -0.0], 1), ([1.0, 1e-12], 2), ([0.0, 1.0], 2)])
def test_rows_are_one_where_they_are_equal(other, distinct):
    vectors = np.array([[1.0, 0.0], other], dtype=np.float32)
    found = lay_out(vectors, NODES, NODES[:1], 2**20)
    assert len(found.left) == distinct
    assert found.left.merged.tolist() == [0, distinct - 1]


@pytest.mark.parametrize("end", [0, 1])
def test_the_end_with_fewer_distinct_rows_is_compared_first(end):
    edges = np.array([[0, 0], [0, 1], [0, 2]])
    edges = edges if end == 0 else edges[:, ::-1].copy()
    assert lay_out(np.eye(3, dtype=np.float32), edges, edges, 2**20).anchor == end


def test_no_edges_of_no_vectors():
    none = np.empty((0, 2), dtype=np.int64)
    found = lay_out(np.empty((0, 2), dtype=np.float32), none, none, 2**20)
    assert len(found.left) == len(found.right) == 0


def test_the_example_of_loops():
    assert loops(np.array([5, 7])).tolist() == [[5, 5], [7, 7]]
