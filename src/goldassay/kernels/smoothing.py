"""Vectors smoothed over a graph: each node is averaged with its neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.kernels.types import FloatMatrix, Rows


def smooth(vectors: FloatMatrix, messages: Rows, hops: int) -> FloatMatrix:
    """Send vectors along edges, several times, and normalise the results.

    One hop multiplies by D^-1/2 (A + I) D^-1/2, where A has the receivers and senders, and D counts the senders of each
    node, itself included (Wu et al., Simplifying Graph Convolutional Networks, ICML 2019).

    Args:
        vectors: One row per node, float32, shape (n, d).
        messages: Sender and receiver of each message, distinct pairs, int64, shape (m, 2); a message to oneself is the one
            that every node gets anyway.
        hops: Number of steps.

    Returns:
        Unit rows, float32, shape (n, d + 1): the last column is 1 where smoothing left nothing, and 0 elsewhere, so that
        such a node is not similar to any other.
    """
    from scipy.sparse import csr_array, diags_array, eye_array

    nodes = len(vectors)
    sender, receiver = messages[messages[:, 0] != messages[:, 1]].T
    hears = csr_array((np.ones(len(sender)), (receiver, sender)), shape=(nodes, nodes)) + eye_array(nodes)
    scale = diags_array(np.asarray(hears.sum(axis=1)) ** -0.5)
    step = (scale @ hears @ scale).tocsr().astype(np.float32)
    for _ in range(hops):
        vectors = step @ vectors
    return _unit_rows(vectors)


def _unit_rows(vectors: FloatMatrix) -> FloatMatrix:
    lengths: NDArray[np.float64] = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    nothing = lengths == 0.0
    rows = np.empty((len(vectors), vectors.shape[1] + 1), dtype=np.float32)
    np.divide(vectors, np.where(nothing, 1.0, lengths)[:, None], out=rows[:, :-1], casting="same_kind")
    rows[:, -1] = nothing
    return rows
