"""Clusters that overlap: how many pairs of objects have one in common."""

from __future__ import annotations

import numpy as np

from goldassay.kernels.search import MEMORY, Rows

ENTRY = 24
"""Bytes that an entry of a product takes."""


def pairs_together(objects: Rows, clusters: Rows, *, memory: int = MEMORY) -> int:
    """Count the pairs of objects that have a cluster in common; a pair that has several counts once.

    Objects in the same clusters are counted as one, with their number as weight. Where no object is in several clusters,
    nothing is left to compare; elsewhere the groups that share a cluster are found by a sparse product, block by block.

    Args:
        objects: The object of each membership, int64, shape (memberships,).
        clusters: The cluster of each, int64, shape (memberships,).
        memory: Bytes that may be used.

    Example:
        >>> pairs_together(np.array([0, 1, 1, 2, 3]), np.array([7, 7, 8, 8, 9]))
        2
    """
    if not len(objects):
        return 0
    from scipy.sparse import csr_array

    _, cluster = np.unique(clusters, return_inverse=True)
    _, owner, sizes = np.unique(objects, return_inverse=True, return_counts=True)
    order = np.lexsort((cluster, owner))
    cluster, starts = cluster[order], np.cumsum(sizes) - sizes
    count = int(cluster.max()) + 1
    several = np.flatnonzero(sizes > 1)
    group = cluster[starts]
    names: dict[bytes, int] = {}
    for one in several.tolist():
        own = cluster[starts[one] : starts[one] + sizes[one]].tobytes()
        group[one] = names.setdefault(own, count + len(names))
    weights = np.bincount(group)
    if not len(several):
        return int((weights * (weights - 1) // 2).sum())
    _, first = np.unique(group, return_index=True)
    weights = weights[group[first]]
    widths = sizes[first]
    ends = np.cumsum(widths)
    place = np.arange(int(ends[-1])) + np.repeat(starts[first] - ends + widths, widths)
    table = csr_array(
        (np.ones(len(place), dtype=np.int32), cluster[place], np.concatenate([[0], ends])), shape=(len(first), count)
    )
    # What a row of the product has at most: the groups that are in its clusters.
    bound = np.cumsum(table @ table.sum(axis=0))
    block = np.searchsorted(bound, np.arange(0, bound[-1], max(1, memory // ENTRY)), side="left")
    cuts = np.unique([0, *block.tolist(), len(first)])
    turned = table.T.tocsr()
    total = 0
    for start, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        shared = table[start:end] @ turned
        shared.data = np.ones(len(shared.data), dtype=np.int64)
        total += int((shared @ weights * weights[start:end]).sum())
    return (total - int(weights.sum())) // 2
