"""The connected components of a graph, and its cycles."""

from __future__ import annotations

import numpy as np

from goldassay.kernels.ragged import distinct
from goldassay.kernels.types import Rows

PEELED = 64
"""How often what has nothing above or nothing below is taken away before cycles are followed node by node."""


def roots(edges: Rows, nodes: int) -> Rows:
    """Find one node of the weakly connected component of each node, the same for all nodes of a component.

    A root represents each part that is connected so far. In each round either every root that an edge connects with a smaller root is
    hung below one of these, or every root is that has a larger one, whichever are more; all nodes then point to their roots.
    Within a round all pointers go one way, so that they make no cycle, and only nodes of one component are ever joined. A root that
    an edge leaves has a smaller neighbour or a larger one, so that at least half of these roots are gone after each round.

    Args:
        edges: The ends of each edge, integers, shape (m, 2).
        nodes: How many nodes there are.

    Returns:
        The root of each node, int64, shape (nodes,).
    """
    root, (one, another) = np.arange(nodes, dtype=np.int64), edges.T
    # An edge within a part stays there.
    while (apart := one != another).any():
        one, another = one[apart], another[apart]
        low, high = np.minimum(one, another), np.maximum(one, another)
        if len(distinct(high)) >= len(distinct(low)):
            np.minimum.at(root, high, low)
        else:
            np.maximum.at(root, low, high)
        while ((above := root[root]) != root).any():
            root = above
        one, another = root[one], root[another]
    return root


def parts(edges: Rows, nodes: int) -> Rows:
    """Number the weakly connected component of each node, in the order of their first nodes; arguments and result as of `roots`."""
    root, first = roots(edges, nodes), np.full(nodes, nodes)
    np.minimum.at(first, root, np.arange(nodes))
    first = first[root]
    return np.asarray((np.cumsum(first == np.arange(nodes)) - 1)[first])


def cycles(edges: Rows, nodes: int) -> Rows:
    """Number the strongly connected component of each node, in the order of their first nodes; arguments and result as of `roots`.

    Source:
        R. Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1(2), 1972.
    """
    group = np.arange(nodes)
    for _ in range(PEELED):
        above, below = np.zeros(nodes, dtype=np.bool_), np.zeros(nodes, dtype=np.bool_)
        above[edges[:, 0]], below[edges[:, 1]] = True, True
        within = below[edges[:, 0]] & above[edges[:, 1]]
        if within.all():
            break
        edges = edges[within]
    names, ends = np.unique(edges, return_inverse=True)
    ends = ends.reshape(-1, 2)
    ends = ends[np.argsort(ends[:, 0], kind="stable")]
    starts = np.searchsorted(ends[:, 0], np.arange(len(names) + 1))
    for cycle in _cycles(starts.tolist(), ends[:, 1].tolist()):
        group[names[cycle]] = names[min(cycle)]
    return np.asarray(np.unique(group, return_inverse=True)[1])


def _cycles(starts: list[int], targets: list[int]) -> list[list[int]]:
    """List the strongly connected components, with a stack instead of recursion."""
    size = len(starts) - 1
    number, lowest, following = [0] * size, [0] * size, starts[:-1]
    count, waiting, found = 0, [], []
    for root in range(size):
        way = [] if number[root] else [root]
        while way:
            node = way[-1]
            if not number[node]:
                count += 1
                number[node] = lowest[node] = count
                waiting.append(node)
            if following[node] < starts[node + 1]:
                target = targets[following[node]]
                following[node] += 1
                if number[target]:
                    lowest[node] = min(lowest[node], lowest[target])
                else:
                    way.append(target)
                continue
            way.pop()
            if way:
                lowest[way[-1]] = min(lowest[way[-1]], lowest[node])
            if lowest[node] == number[node]:
                cycle = [waiting.pop()]
                while cycle[-1] != node:
                    cycle.append(waiting.pop())
                for one in cycle:
                    # Nothing that reaches it later is on the cycle.
                    lowest[one] = size + 1
                found.append(cycle)
    return found
