"""The parts of a graph that hang together: its weakly connected components."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.graphs.model import Graph
from goldassay.kernels.components import parts


def components_of(graph: Graph) -> NDArray[np.int64]:
    """Number the component of each node, int64, shape (nodes,).

    Example:
        >>> components_of(Graph.from_edges([("cat", "pet"), ("rose", "plant")])).tolist()
        [0, 0, 1, 1]
    """
    return parts(graph.edges, len(graph.ids))


def component_names(graph: Graph) -> list[str]:
    """Name the component of each node by the alphabetically first of its roots; where it has none, of its nodes.

    Example:
        >>> component_names(Graph.from_edges([("cat", "pet"), ("rose", "plant"), ("plant", "being"), ("rose", "gift")]))
        ['pet', 'pet', 'being', 'being', 'being', 'being']
    """
    component = components_of(graph)
    texts, places = graph.alphabet
    below = np.zeros(len(places), dtype=np.bool_)
    below[graph.edges[:, 0]] = True
    # A root comes before whatever is none.
    order = places + len(texts) * below
    first = np.full(component.max(initial=-1) + 1, 2 * len(texts))
    np.minimum.at(first, component, order)
    names = [texts[place % len(texts)] for place in first.tolist()]
    return list(map(names.__getitem__, component.tolist()))
