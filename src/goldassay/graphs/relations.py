"""Relations of edges: which edges may match if relations are compared."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context, FloatMatrix
from goldassay.core.intern import numbered, string_array
from goldassay.formats.labels import last_part, opened
from goldassay.graphs.matching import Groups
from goldassay.graphs.model import Graph
from goldassay.kernels.cosine import pair_cosines

CHOICES = ("ignore", "exact", "fuzzy")
HELP = "whether edges match only if their relations do: ignore, the same name, or a cosine above the threshold"


def relation_numbers(*graphs: Graph) -> list[NDArray[np.int64]]:
    """Number the relation of each edge, equal names of any of the graphs alike; shape (edges,) each.

    Example:
        >>> here, there = (Graph.from_edges([("a", "b")], relation=name) for name in ("eats", "likes"))
        >>> [numbers.tolist() for numbers in relation_numbers(here, there)]
        [[0], [1]]
    """
    _, places = numbered(*(graph.relation_names for graph in graphs))
    return [place.astype(np.int64)[graph.relations] for graph, place in zip(graphs, places, strict=True)]


def same_relation(pred: Graph, gold: Graph) -> Groups:
    """Allow matches between edges of the same relation."""
    here, there = relation_numbers(pred, gold)
    common = np.intersect1d(here, there)
    return tuple(zip(_rows_by(here, common), _rows_by(there, common), strict=True))


def _rows_by(numbers: NDArray[np.int64], wanted: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """List the rows of each requested number, with a single sort."""
    order = np.argsort(numbers, kind="stable")
    first, last = (np.searchsorted(numbers[order], wanted, side=side) for side in ("left", "right"))
    return [order[start:end] for start, end in zip(first.tolist(), last.tolist(), strict=True)]


def relation_vectors(
    pred: Graph, gold: Graph, context: Context
) -> tuple[FloatMatrix, tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Give vectors of the names of relations, and the row of each name of the prediction and of gold."""
    names = [opened(last_part(name)) for graph in (pred, gold) for name in graph.relation_names]
    vectors, rows = context.vectors(string_array(names))
    return vectors, (rows[: len(pred.relation_names)], rows[len(pred.relation_names) :])


def similar_relation(pred: Graph, gold: Graph, *, threshold: float, inclusive: bool, context: Context) -> Groups:
    """Allow matches between edges with similar relations: the last part of the name, split into words."""
    vectors, (here, there) = relation_vectors(pred, gold, context)
    groups = []
    for relation, row in enumerate(here):
        cosines = pair_cosines(vectors, np.full(len(there), row), there)
        near = np.flatnonzero(cosines >= threshold if inclusive else cosines > threshold)
        pair = np.flatnonzero(pred.relations == relation), np.flatnonzero(np.isin(gold.relations, near))
        if len(pair[0]) and len(pair[1]):
            groups.append(pair)
    return tuple(groups)
