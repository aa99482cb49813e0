"""The concepts of two taxonomies with their ancestors, and which of these the other side has: for `closure` and `ancestor_f1`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context, FloatMatrix, Progress, silent
from goldassay.core.errors import UsageError
from goldassay.core.intern import StringArray
from goldassay.core.matching import NONE_MET, Evidence, Matching, Side, SideName
from goldassay.graphs.model import Graph
from goldassay.graphs.taxonomic import Concepts
from goldassay.graphs.texts import numbered_texts
from goldassay.kernels.ancestors import Tally
from goldassay.kernels.near import near_texts
from goldassay.kernels.reach import Order


@dataclass(frozen=True, eq=False)
class TextPair:
    """Two graphs over one numbering of their texts.

    Attributes:
        texts: The texts of either side in order, shape (texts,).
        pred: Numbers of the texts of the prediction, ascending, int64.
        gold: Numbers of the texts of gold, ascending, int64.
        edges: The edges of the prediction and of gold between these numbers, each once, without loops, int64, shape (m, 2).
        loops: Numbers of the texts with an edge to themselves, of the prediction and of gold, ascending, int64.
    """

    texts: StringArray
    pred: NDArray[np.int64]
    gold: NDArray[np.int64]
    edges: tuple[NDArray[np.int64], NDArray[np.int64]]
    loops: tuple[NDArray[np.int64], NDArray[np.int64]]

    @classmethod
    def of(cls, pred: Graph, gold: Graph) -> TextPair:
        """Number the texts of both sides."""
        texts, (here, there) = numbered_texts(pred.texts, gold.texts)
        edges = [np.unique(rows[graph.edges], axis=0) for rows, graph in ((here, pred), (there, gold))]
        loop = [some[:, 0] == some[:, 1] for some in edges]
        first, second = (some[~mask] for some, mask in zip(edges, loop, strict=True))
        loops = edges[0][loop[0], 0], edges[1][loop[1], 0]
        return cls(texts, np.unique(here), np.unique(there), (first, second), loops)

    @property
    def common(self) -> NDArray[np.bool_]:
        """Which texts both sides have, shape (texts,)."""
        both = np.zeros(len(self.texts), dtype=np.bool_)
        both[np.intersect1d(self.pred, self.gold)] = True
        return both

    def near(
        self, threshold: float, context: Context, *, inclusive: bool, owner: str
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], FloatMatrix, NDArray[np.int64]]:
        """List the texts of the prediction with those of gold that are near in meaning."""
        vectors, rows = context.vectors(self.texts)
        left, right = rows[self.pred], rows[self.gold]
        places = np.argsort(left), np.argsort(right)
        near = near_texts(
            vectors,
            left[places[0]],
            right[places[1]],
            threshold=threshold,
            inclusive=inclusive,
            memory=context.memory,
            progress=context.progress,
        )
        if near is None:
            raise UsageError(
                f"{owner}: more pairs of texts are near than the memory limit has room for.",
                found=f"{context.memory / 2**20:.3g} MB",
                hint="raise --memory, or the threshold",
            )
        here = places[0][np.repeat(np.arange(len(left)), np.diff(near.starts))]
        return here, places[1][near.places], vectors, rows

    def orders(self) -> tuple[Order, Order]:
        """Return both hierarchies, cycles condensed."""
        first, second = (Order.of(edges, len(self.texts)) for edges in self.edges)
        return first, second


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AncestorMatching(Matching[Concepts]):
    """The concepts that have ancestors, and how many of these the other side has."""

    pred_tally: Tally
    gold_tally: Tally
    told: str | None = None

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = silent) -> Evidence:
        """Return how many ancestors each concept has, and how many of them the other side has."""
        found = super().evidence(side, rows, progress=progress)
        tally = self.pred_tally if side == "pred" else self.gold_tally
        details = {"ancestors": tally.pairs[rows], "met": tally.met[rows]}
        return Evidence(counterpart=found.counterpart, similarity=found.similarity, details=details)


def ancestor_matching(
    *, pred: Graph, gold: Graph, numbers: TextPair, tallies: tuple[Tally, Tally], told: str | None = None
) -> AncestorMatching:
    """Lay out the concepts that have ancestors; each is credited with the share of them that the other side has."""
    rows = [np.flatnonzero(tally.pairs) for tally in tallies]
    _, here, there = np.intersect1d(rows[0], rows[1], assume_unique=True, return_indices=True)
    kept = [Tally(tally.pairs[some], tally.met[some]) for tally, some in zip(tallies, rows, strict=True)]
    sides = []
    for tally, mine, other in ((kept[0], here, there), (kept[1], there, here)):
        counterpart = np.full(len(tally.pairs), NONE_MET, dtype=np.int64)
        counterpart[mine] = other
        credit = tally.met / tally.pairs
        sides.append(
            Side(
                credit=credit,
                counterpart=counterpart,
                similarity=np.where(counterpart == NONE_MET, np.nan, credit),
            )
        )
    return AncestorMatching(
        pred=sides[0],
        gold=sides[1],
        pred_items=Concepts(numbers.texts[rows[0]], pred),
        gold_items=Concepts(numbers.texts[rows[1]], gold),
        pred_tally=kept[0],
        gold_tally=kept[1],
        told=told,
    )
