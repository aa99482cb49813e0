"""The graphs of documents, compared whole."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from goldassay.core.context import Context, Progress, silent
from goldassay.core.counts import Counts, Division, FloatArray
from goldassay.core.documents import DocumentPairs
from goldassay.core.matching import NONE_MET, Evidence, Side, SideName
from goldassay.core.measure import Measure
from goldassay.core.parts import Part
from goldassay.triples.edits import SmallGraph
from goldassay.triples.matching import DocumentMatching
from goldassay.triples.measure import best_references
from goldassay.triples.model import Numbers, Triples
from goldassay.triples.pairing import paired


@dataclass(frozen=True, eq=False, kw_only=True)
class Graphs:
    """Documents as items: the graph of each."""

    triples: Triples

    def __len__(self) -> int:
        return len(self.triples.ids)

    def item(self, row: int) -> str:
        """Name one graph for a person: its document, and its size."""
        count = len(self.triples.rows_of(row))
        return f"{self.triples.ids[row]}: {count} triple{'s' if count != 1 else ''}"

    def graph(self, document: int) -> SmallGraph:
        """Give the graph of a document; an empty one of a document that is not there."""
        if document == NONE_MET:
            return SmallGraph.of([])
        names = self.triples.keys
        rows = self.triples.rows[list(self.triples.rows_of(document))].tolist()
        return SmallGraph.of([[str(names[slot]) for slot in row] for row in rows])


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class GraphMatching(DocumentMatching[Graphs]):
    """What was found of each pair of graphs."""

    values: FloatArray  # of each pair of documents
    limits: FloatArray  # the other end of the range of the exact value

    @property
    def ranges(self) -> tuple[FloatArray, FloatArray]:
        """The least and the most that each exact value can be, float64, each of shape (pairs,)."""
        return np.minimum(self.values, self.limits), np.maximum(self.values, self.limits)

    def evidence(self, side: SideName, rows: Numbers, *, progress: Progress = silent) -> Evidence:
        """Return the documents, and the range in which the exact value of each is."""
        found = super().evidence(side, rows, progress=progress)
        places = (self.pred_pairs if side == "pred" else self.gold_pairs)[rows]
        least, most = self.ranges
        return replace(found, details={**found.details, "at_least": least[places], "at_most": most[places]})


@dataclass(frozen=True, kw_only=True)
class GraphMeasure(Measure[Triples, GraphMatching]):
    """The mean over documents of a value of their graphs."""

    family: ClassVar[str] = "triples"
    unit: ClassVar[str] = "document"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "same"
    defined_alone: ClassVar[bool] = True

    @abstractmethod
    def compared(self, here: SmallGraph, there: SmallGraph) -> tuple[float, float]:
        """Compare two graphs: the value, and the other end of the range in which the exact one is."""

    def match(self, *, pred: Triples, gold: Triples, context: Context) -> GraphMatching:
        """Compare the graphs of each document; with several references the one that is best counts."""
        pairs = paired(pred=pred, gold=gold)

        def better(one: Triples) -> FloatArray:
            values = self._matched(pred=pred, gold=one, pairs=pairs, context=context).values
            return values if self.higher_is_better else -values

        return self._matched(pred=pred, gold=best_references(gold, pairs, better), pairs=pairs, context=context)

    def _matched(self, *, pred: Triples, gold: Triples, pairs: DocumentPairs, context: Context) -> GraphMatching:
        here, there = Graphs(triples=pred), Graphs(triples=gold)
        found = np.zeros((len(pairs), 2))
        for pair, (one, other) in enumerate(zip(pairs.pred.tolist(), pairs.gold.tolist(), strict=True)):
            found[pair] = self.compared(here.graph(one), there.graph(other))
            context.progress("comparing graphs", pair + 1, len(pairs))
        values, limits = found.T
        credit = values if self.higher_is_better else 1 - values
        return GraphMatching(
            pred=_side(credit, pairs.pred, pairs.gold, len(pred.ids)),
            gold=_side(credit, pairs.gold, pairs.pred, len(gold.ids)),
            pred_items=here,
            gold_items=there,
            pairs=pairs,
            pred_pairs=pairs.of(pairs.pred, len(pred.ids)),
            gold_pairs=pairs.of(pairs.gold, len(gold.ids)),
            values=values,
            limits=limits,
        )

    def parts(self, matching: GraphMatching) -> tuple[Part, ...]:
        """Lay out the documents, each with the value of its graphs."""
        pairs = matching.pairs
        counts = {"sum": matching.values, "documents": np.ones(len(pairs))}
        return (Part(items=pairs, others=pairs, unit_keys=pairs.ids.tolist, counts=counts),)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Take the mean over the documents."""
        return {self.headline: ratio(self.headline, counts["sum"], counts["documents"])}

    def remark(self, matching: GraphMatching, values: Mapping[str, Any]) -> str | None:
        """Return how many values are bounds, and the range in which the exact mean is."""
        del values
        bounds = int((matching.values != matching.limits).sum())
        if not bounds:
            return None
        least, most = (float(side.mean()) for side in matching.ranges)
        return (
            f"the graphs of {bounds:,} document{'s' * (bounds != 1)} were too large to compare exactly: "
            f"{self.headline} is between {least:.4f} and {most:.4f}"
        )


def _side(credit: FloatArray, here: Numbers, there: Numbers, size: int) -> Side:
    found, counterpart = np.zeros(size), np.full(size, NONE_MET, dtype=np.int64)
    known = here != NONE_MET
    found[here[known]], counterpart[here[known]] = credit[known], there[known]
    return Side(credit=found, counterpart=counterpart, similarity=np.where(counterpart < 0, np.nan, found))
