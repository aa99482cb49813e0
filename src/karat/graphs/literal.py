"""Literal precision, recall and F1: an edge counts when the other side has the same two texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from karat.core.context import Context
from karat.core.matching import NONE_MET, Matching, Side
from karat.core.measure import PrecisionRecallMeasure
from karat.core.parameters import parameter
from karat.graphs.model import Graph


@dataclass(frozen=True, kw_only=True)
class Literal(PrecisionRecallMeasure[Graph]):
    """An edge is hit when the other side has an edge with the same pair of texts.

    Attributes:
        distinct: Count each pair of texts once, however many edges carry it.

    Example:
        >>> gold = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
        >>> pred = Graph.from_edges([("leukemia", "cancer"), ("sarcoma", "cancer"), ("flu", "disease")])
        >>> Literal().score(pred=pred, gold=gold)
        <Score literal: precision 0.3333, recall 0.5000, f1 0.4000>
    """

    name: ClassVar[str] = "literal"
    title: ClassVar[str] = "Literal F1"
    family: ClassVar[str] = "taxonomy"
    formula: ClassVar[str] = (
        r"P = \frac{|\{(u', v') \in E' \mid \exists (u, v) \in E,\ u = u' \wedge v = v'\}|}{|E'|},\quad "
        r"R = \frac{|\{(u, v) \in E \mid \exists (u', v') \in E',\ u = u' \wedge v = v'\}|}{|E|}"
    )
    citation: ClassVar[str] = "lo2024ollm"
    conventions: ClassVar[tuple[str, ...]] = ("OLLM's code counts sets of title pairs: distinct=true",)

    distinct: bool = parameter(False, help="count each pair of texts once, however many edges carry it (OLLM's code)")

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> Matching:
        """Find the edges whose pair of texts stands on both sides."""
        del context
        if self.distinct:
            pred, gold = _one_edge_a_text_pair(pred), _one_edge_a_text_pair(gold)
        keys = _text_pair_keys(pred, gold)
        pred_keys, gold_keys = keys[: len(pred)], keys[len(pred) :]
        return Matching(
            pred=_side(pred_keys, gold_keys), gold=_side(gold_keys, pred_keys), pred_items=pred, gold_items=gold
        )


def _text_pair_keys(*graphs: Graph) -> NDArray[np.int64]:
    """Number the pairs of texts so that equal pairs of any of the graphs have equal numbers."""
    texts = np.concatenate([graph.texts[graph.edges].ravel() for graph in graphs])
    _, numbers = np.unique(texts, return_inverse=True)
    sources, targets = numbers.reshape(-1, 2).T.astype(np.int64)
    return sources * len(texts) + targets


def _one_edge_a_text_pair(graph: Graph) -> Graph:
    _, first = np.unique(_text_pair_keys(graph), return_index=True)
    return graph.take(np.sort(first))


def _side(here: NDArray[np.int64], there: NDArray[np.int64]) -> Side:
    hit = np.isin(here, there)
    counterpart = np.full(len(here), NONE_MET, dtype=np.int64)
    if hit.any():
        order = np.argsort(there, kind="stable")
        counterpart[hit] = order[np.searchsorted(there[order], here[hit])]
    return Side(credit=hit.astype(np.float64), counterpart=counterpart, similarity=np.where(hit, 1.0, np.nan))
