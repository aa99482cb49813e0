"""What partial gold standards of graphs are about: edges by the texts of their ends."""

from __future__ import annotations

import numpy as np

from goldassay.core.partial import Restriction
from goldassay.graphs.model import Graph


def _texts(graph: Graph, end: int) -> list[str]:
    texts: list[str] = graph.texts[graph.edges[:, end]].tolist()
    return texts


def _pairs(graph: Graph) -> list[tuple[str, ...]]:
    return list(zip(_texts(graph, 0), _texts(graph, 1), strict=True))


RESTRICTION: Restriction[Graph] = Restriction(
    keys=lambda graph: ["\t".join(pair) for pair in _pairs(graph)],
    take=lambda graph, mask: graph.take(np.flatnonzero(mask)),
    names=_pairs,
    ends={"source": lambda graph: _texts(graph, 0), "target": lambda graph: _texts(graph, 1)},
)
