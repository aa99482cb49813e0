"""Matching by meaning: shared by edges and nodes that are matched by vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context, FloatMatrix, Progress, ignore_progress
from goldassay.core.counts import Counts, Division
from goldassay.core.curve import Cut, Step, similarity_steps
from goldassay.core.errors import UsageError, require
from goldassay.core.matching import NO_MATCH, NOTHING, Evidence, Items, ItemsT_co, Matching, Named, Side, SideName
from goldassay.core.measure import PRECISION_RECALL_F1
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.core.signature import Signature
from goldassay.core.text import count_of
from goldassay.core.units import Units
from goldassay.encoders.measure import BY_CHANCE, MINILM, WORDNET_THRESHOLD, EncodedMeasure, lenient_threshold
from goldassay.graphs.model import Graph
from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges.best import Best, find_best, find_best_of_both
from goldassay.kernels.edges.join import edge_join
from goldassay.kernels.edges.one_to_one import match_one_to_one
from goldassay.kernels.near import Near, NearEdges, find_near_texts
from goldassay.kernels.types import Rows

Groups: TypeAlias = tuple[tuple[Rows, Rows], ...]
"""Rows of the prediction, and the rows of gold that they may match."""

ASSIGNMENTS = ("many", "one")
ASSIGNMENT_HELP = "matching: many-to-many, or a maximum one-to-one matching (one)"
WORTH_COMPARING = 2**24
"""Pairs of texts that take as long to compare as the edges of one prediction with those of gold (measured on WordNet)."""
UNPROVEN = Named(("not proven",))
VALUES_OF_ONE: Mapping[str, Bounds] = MappingProxyType({**PRECISION_RECALL_F1, "f1_upper": (0.0, 1.0)})


def everything(rows: tuple[Rows, Rows]) -> Groups:
    """Allow every item to match every item of the other side."""
    return ((np.arange(len(rows[0])), np.arange(len(rows[1]))),)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MeaningMatching(Matching[ItemsT_co]):
    """A matching whose verdicts were decided without looking up every best counterpart."""

    vectors: FloatMatrix  # unit rows, one per distinct text, float32, shape (texts, dimension)
    pred_rows: Rows  # items of the prediction as rows of `vectors`, int64, shape (edges, 2) or (nodes,)
    gold_rows: Rows  # the same for the items of gold
    threshold: float
    memory: int
    groups: Groups
    # how many more items a largest one-to-one matching may have; 0 if this one is proven to be a largest
    slack: int = 0

    def evidence(self, side: SideName, rows: Rows, *, progress: Progress = ignore_progress) -> Evidence:
        """Look up the counterpart of some items: the one they are matched with, or else the most similar one."""
        here, there = self._rows(side)
        here = here[rows]
        counterpart = self._nearest(side, rows, progress)
        cosines = self._cosines(here.T, there.T, counterpart)
        similarity = cosines.min(axis=0)
        ends = {"child_cosine": cosines[0], "parent_cosine": cosines[1]} if here.ndim > 1 else {}
        details = {**ends, "margin": similarity - self.threshold}
        return Evidence(counterpart=counterpart, similarity=similarity, details=details)

    def _nearest(self, side: SideName, rows: Rows, progress: Progress) -> Rows:
        """Return the counterpart of some items: the one they are matched with, or else the most similar one."""
        matched = (self.pred if side == "pred" else self.gold).counterpart[rows]
        here, there = self._rows(side)
        here = here[rows]
        counterpart, similarity = matched.copy(), np.full(len(rows), np.nan)
        for group in self.groups:
            mine, other = group if side == "pred" else group[::-1]
            asking = np.flatnonzero(np.isin(rows, mine) & (matched == NO_MATCH))
            if not len(asking):
                continue
            best = find_best(self.vectors, here[asking], there[other], memory=self.memory, progress=progress)
            _keep_better(counterpart, similarity, asking, other, best)
        return counterpart

    def _rows(self, side: SideName) -> tuple[Rows, Rows]:
        """Return the items of a side, and those of the other, as rows of the vectors."""
        return (self.pred_rows, self.gold_rows) if side == "pred" else (self.gold_rows, self.pred_rows)

    def _cosines(self, here: Rows, there: Rows, counterpart: Rows) -> NDArray[np.float64]:
        """Compare the ends of items with those of their counterparts, float64, shape (ends, items); nan without one."""
        cosines = np.full(np.atleast_2d(here).shape, np.nan)
        pairs_matched = counterpart != NO_MATCH
        for end, (one, other) in enumerate(zip(np.atleast_2d(here), np.atleast_2d(there), strict=True)):
            cosines[end, pairs_matched] = pair_cosines(
                self.vectors, one[pairs_matched], other[counterpart[pairs_matched]]
            )
        return cosines


def _keep_better(counterpart: Rows, similarity: NDArray[np.float64], asking: Rows, answering: Rows, best: Best) -> None:
    """Write the best counterparts within a group where none as similar is known."""
    better = np.flatnonzero(best.similarity > np.nan_to_num(similarity[asking], nan=-np.inf))
    similarity[asking[better]] = best.similarity[better]
    counterpart[asking[better]] = answering[best.counterpart[better]]


@dataclass(eq=False)
class _GoldCache:
    """What is kept of texts and gold from one prediction to the next."""

    # rows of the texts of the latest prediction, ascending; also those of gold where several predictions are scored
    # against it
    texts: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    near: Near | None = None  # which of them are near texts of gold; None where there are too many pairs
    # edges of gold that may match the same edges, by their rows; None where they take too much memory
    laid_out: dict[bytes, NearEdges | None] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ThresholdMeasure(EncodedMeasure[Graph, MeaningMatching[Any]]):
    """A measure whose items match if the cosines of all their ends exceed a threshold."""

    threshold: float = parameter(
        WORDNET_THRESHOLD, help="minimum cosine (exclusive)", always=True, bounds=(-1.0, 1.0), encoder=MINILM
    )
    inclusive: bool = parameter(False, help="whether a cosine equal to the threshold is a match (OLLM's code)")
    assignment: str = parameter("many", help=ASSIGNMENT_HELP, choices=ASSIGNMENTS)

    @property
    def values(self) -> Mapping[str, Bounds]:
        """Precision, recall and F1; for a one-to-one matching also an upper bound of F1."""
        return VALUES_OF_ONE if self.assignment == "one" else PRECISION_RECALL_F1

    def join(
        self,
        rows: tuple[Rows, Rows],
        items: tuple[ItemsT_co, ItemsT_co],
        vectors: FloatMatrix,
        context: Context,
        groups: Groups | None = None,
    ) -> MeaningMatching[ItemsT_co]:
        """Decide for every item whether it matches an item of the other side, or is assigned to one."""
        every, slack = everything(rows) if groups is None else groups, 0
        if self.assignment == "one":
            pred, gold, slack = self._match_one_to_one(rows, vectors, groups, context)
        elif context.evidence:
            pred, gold = self._look_up(rows, vectors, every, context)
        else:
            pred, gold = self._join(rows, items, vectors, every, context)
        return MeaningMatching(
            pred=pred,
            gold=gold,
            pred_items=items[0],
            gold_items=items[1],
            vectors=vectors,
            pred_rows=rows[0],
            gold_rows=rows[1],
            threshold=self.threshold,
            memory=context.memory,
            groups=every,
            slack=slack,
        )

    def _limits(self, context: Context) -> dict[str, Any]:
        """Return what decides which items are near, and how much their search may take."""
        return {
            "threshold": self.threshold,
            "inclusive": self.inclusive,
            "memory": context.memory,
            "progress": context.progress,
        }

    def _look_up(
        self, rows: tuple[Rows, Rows], vectors: FloatMatrix, groups: Groups, context: Context
    ) -> Iterator[Side]:
        """Find the best counterpart of every item, and give credit by it: what matches some item matches the most similar one."""
        counterparts = [np.full(len(side), NO_MATCH, dtype=np.int64) for side in rows]
        similarities = [np.full(len(side), np.nan) for side in rows]
        for group in groups:
            sides = [side[chosen] for side, chosen in zip(rows, group, strict=True)]
            found = find_best_of_both(vectors, *sides, memory=context.memory, progress=context.progress)
            for side, best in enumerate(found):
                _keep_better(counterparts[side], similarities[side], group[side], group[1 - side], best)
        passes = np.greater_equal if self.inclusive else np.greater
        for counterpart, similarity in zip(counterparts, similarities, strict=True):
            credit = passes(similarity, self.threshold).astype(np.float64)
            yield Side(credit=credit, counterpart=counterpart, similarity=similarity)

    def _join(
        self,
        rows: tuple[Rows, Rows],
        items: tuple[Items, Items],
        vectors: FloatMatrix,
        groups: Groups,
        context: Context,
    ) -> Iterator[Side]:
        """Decide which items match some item, without looking up which is the most similar one."""
        hits = [np.zeros(len(side), dtype=np.bool_) for side in rows]
        for here, there in groups:
            asked = rows[0][here], rows[1][there]
            laid_out = self._near_edges(asked, items, vectors, context) if rows[0].ndim > 1 else None
            if laid_out is not None:
                found = laid_out.join(asked[0])
            else:
                joined = edge_join(vectors, *asked, **self._limits(context))
                found = joined.hit_pred, joined.hit_gold
            hits[0][here] |= found[0]
            hits[1][there] |= found[1]
        return map(Side.of_hits, hits)

    def _near_edges(
        self, rows: tuple[Rows, Rows], items: tuple[Items, Items], vectors: FloatMatrix, context: Context
    ) -> NearEdges | None:
        """Index gold once for all predictions over the same texts; None where that does not pay, or needs too much memory."""
        pred, gold = items
        several = any(gold is one for one in context.shared)
        if not (context.repeats or several) or not isinstance(pred, Graph) or not isinstance(gold, Graph):
            return None
        kept: _GoldCache = context.get_or_make(f"near texts of {self} in {id(gold)}", (gold,), _GoldCache)
        if not np.isin(rows[0], kept.texts).all():
            texts, right = (np.unique(context.vectors(graph.texts)[1]) for graph in (pred, gold))
            texts = np.union1d(texts, right) if several else texts
            fresh = texts if kept.near is None else np.setdiff1d(texts, kept.texts)
            if not context.repeats and len(fresh) * len(right) > WORTH_COMPARING:
                return None
            options: dict[str, Any] = {"threshold": self.threshold, "inclusive": self.inclusive}
            found = find_near_texts(vectors, fresh, right, memory=context.memory, **options)
            kept.near = found if found is None or kept.near is None else kept.near.with_more(found, texts)
            kept.texts = texts
            kept.laid_out.clear()
        if kept.near is None:
            return None
        key = rows[1].tobytes()
        if key not in kept.laid_out:
            kept.laid_out[key] = NearEdges.of(kept.near, rows[1], memory=context.memory)
        return kept.laid_out[key]

    def note(self, matching: MeaningMatching[Any], values: Mapping[str, Any]) -> str | None:
        """Return where the threshold hardly distinguishes texts, and self-loops that score."""
        del values
        rows = matching.pred_rows, matching.gold_rows
        lenient = lenient_threshold(matching.vectors, *rows, threshold=self.threshold, inclusive=self.inclusive)
        found = f"{lenient}: {BY_CHANCE}" if lenient else None
        return "; ".join(filter(None, (found, _self_loops(matching)))) or None

    def _match_one_to_one(
        self, rows: tuple[Rows, Rows], vectors: FloatMatrix, groups: Groups | None, context: Context
    ) -> tuple[Side, Side, int]:
        """Match as many items as possible one to one; there may be so many more matches."""
        require("scipy", extra="scipy", purpose="find a largest one-to-one matching")
        found = match_one_to_one(vectors, *rows, groups=groups, **self._limits(context))
        pred, gold = (
            Side.of_hits(one.counterpart != NO_MATCH, one.counterpart)
            for one in (found, found.swap_sides(len(rows[1])))
        )
        return pred, gold, found.upper - found.size

    def parts(self, matching: MeaningMatching[Any]) -> tuple[Part, ...]:
        """List the items of both sides; for one-to-one also how many more matches there may be, which is no item's."""
        parts = super().parts(matching)
        return add_slack(parts, matching.slack) if self.assignment == "one" else parts

    def units(self, matching: MeaningMatching[Any]) -> Units | None:
        """Split the counts over items; None where the matching is not proven to be a largest one."""
        return None if matching.slack else super().units(matching)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide hits by items on each side; for a one-to-one matching also with the maximum number of hits."""
        values = super().divide(counts, ratio)
        if self.assignment == "many":
            return values
        return {**values, "f1_upper": super().divide(highest(counts), ratio)["f1"]}

    def sign(self, *, pred: Graph, gold: Graph, counts: Counts, context: Context) -> Signature:
        """Build the signature, with the distance of the matching from a largest one."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        if self.assignment == "many":
            return signature
        slack = int(counts["slack"])
        return Signature(signature.measure, {"assignment": f"within {slack}" if slack else "exact", **signature.fields})

    @property
    def cut(self) -> Cut | None:
        """The cosine that every end must pass; none where items are matched one to one, anew for each threshold."""
        return None if self.assignment == "one" else Cut("threshold", self.threshold, self.inclusive)

    def no_curve(self) -> UsageError:
        """Return why there is no curve."""
        return UsageError(f"{self}: curves are not supported with one-to-one matching.", hint="assignment=many")

    def match_widest(self, *, pred: Graph, gold: Graph, context: Context) -> MeaningMatching[Any]:
        """Look up the best counterpart of every item, up to which it is hit."""
        with context.looking_up():
            return self.match(pred=pred, gold=gold, context=context)

    def steps(self, matching: MeaningMatching[Any]) -> Sequence[Step]:
        """Return the best similarity of every item, up to which it is hit."""
        return similarity_steps(pred=matching.pred.similarity, gold=matching.gold.similarity)


def add_slack(parts: tuple[Part, ...], slack: float) -> tuple[Part, ...]:
    """Add what the best may have beyond the hits: a column of zeros, or a row of its own."""
    first, *others = parts
    if not slack:
        return replace(first, counts={**first.counts, "slack": np.zeros(len(first))}), *others
    return *parts, Part(items=UNPROVEN, others=NOTHING, unit_keys=lambda: UNPROVEN.names, counts={"slack": [slack]})


def highest(counts: Counts) -> Counts:
    """Return the counts with the most hits that there may be."""
    return Counts({**counts, **{side: np.add(counts[side], counts["slack"]) for side in ("hit_pred", "hit_gold")}})


def _self_loops(matching: MeaningMatching[Any]) -> str | None:
    pred, gold = matching.pred_rows, matching.gold_rows
    if pred.ndim == 1:
        return None
    scoring = (pred[:, 0] == pred[:, 1]) & (matching.pred.credit > 0)
    loops = gold[gold[:, 0] == gold[:, 1], 0]
    return new_loops(int((scoring & ~np.isin(pred[:, 0], loops)).sum()))


def new_loops(count: int) -> str | None:
    """Note how many self-loops score that gold does not have; None if none do."""
    if not count:
        return None
    return f"{count_of(count, 'self-loop')} of the prediction score{'s' * (count == 1)}, and gold has no such edge"


def encode_nodes(*, pred: Graph, gold: Graph, context: Context) -> tuple[Rows, Rows, FloatMatrix]:
    """Return the nodes of both graphs as rows of one matrix of vectors."""

    def encoded_together() -> Rows:
        return context.vectors(np.concatenate([pred.texts, gold.texts]))[1][len(pred.texts) :]

    # Several predictions are scored against one gold standard, whose texts are looked up once.
    there = context.get_or_make("rows of gold", (gold.texts,), encoded_together)
    vectors, here = context.vectors(pred.texts)
    return here, there, vectors


def encode_edges(*, pred: Graph, gold: Graph, context: Context) -> tuple[Rows, Rows, FloatMatrix]:
    """Return the edges of both graphs as rows of one matrix of vectors, int64, shape (edges, 2); see `encode_nodes`."""
    pred_nodes, gold_nodes, vectors = encode_nodes(pred=pred, gold=gold, context=context)
    return pred_nodes[pred.edges], gold_nodes[gold.edges], vectors
