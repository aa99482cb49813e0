"""Anchored edges: each text has one counterpart, the nearest one, before edges are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context, Progress, ignore_progress
from goldassay.core.curve import Cut, Step, similarity_steps
from goldassay.core.errors import UsageError, require
from goldassay.core.intern import first_of_each
from goldassay.core.matching import NO_MATCH, Evidence, Matching, Side, SideName, equal_counterparts
from goldassay.core.measure import Symmetry
from goldassay.core.parameters import parameter
from goldassay.encoders.measure import MINILM, WORDNET_THRESHOLD, EncodedMeasure
from goldassay.graphs.anchors import Anchors, Ends, Texts, anchor
from goldassay.graphs.match import Groups, everything
from goldassay.graphs.measures.literal import CHOICES, HELP, relation_groups, relation_numbers
from goldassay.graphs.model import Graph
from goldassay.kernels.assigned import assign_rows
from goldassay.kernels.components import cycles
from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.keys import pack_rows
from goldassay.kernels.ragged import distinct, find_keys, starts_of
from goldassay.kernels.reach import WORD, Order, words_at_once

GRID = 2.0**24
"""Cosines are assigned to seven places, so that vectors which rounding sets apart tie."""
CELL = 40
"""Bytes of a pair of texts while they are assigned."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AnchoredMatching(Matching[Graph]):
    """A matching of edges by the anchors of their ends."""

    texts: Texts  # the texts of both sides
    ends: Ends  # the texts at the ends of the edges of the prediction and of gold, int64, shape (edges, 2) each
    anchors: tuple[Anchors, Anchors]  # where the texts of the prediction and those of gold are anchored
    whole: bool  # whether all are; otherwise those are left out whose anchor makes no edge right
    measure: Anchored  # what anchors them
    memory: int  # bytes that may be used
    # up to which threshold each edge of the prediction and of gold is right, nan if up to none
    reach: tuple[NDArray[np.float64], ...]

    @cached_property
    def every_anchor(self) -> tuple[Anchors, Anchors]:
        """Where all texts are anchored."""
        if self.whole:
            return self.anchors
        return self.measure.anchored(self.texts, self.ends, Context(memory=self.memory), every=True)

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = ignore_progress) -> Evidence:
        """Return the edge that each edge is anchored at, and the anchors of its ends."""
        found = super().evidence(side, rows, progress=progress)
        this, other = (0, 1) if side == "pred" else (1, 0)
        ends, anchors = self.ends[this][rows], self.every_anchor[this]
        matched = found.counterpart != NO_MATCH
        details: dict[str, NDArray[Any]] = {}
        for end, name in enumerate(("child", "parent")):
            named = np.array([None, *anchors.first(self.texts, ends[:, end])], dtype=object)[1:]
            named[matched] = self.texts.every[self.ends[other][found.counterpart[matched], end]].tolist()
            details[f"{name}_anchor"] = named
            details[f"{name}_cosine"] = anchors.similarity[ends[:, end]]
        return replace(found, details=details)


@dataclass(frozen=True, kw_only=True)
class Anchored(EncodedMeasure[Graph, AnchoredMatching]):
    """An edge is hit if the nearest texts of its two ends are an edge of the other side.

    Each text is *anchored* at the text of the other side with the largest cosine, if that exceeds the threshold: at an
    equal text if there is one, and otherwise at all that are equally near. So a text means one thing, where `fuzzy` lets it
    mean everything that is near, and related texts are not taken for the same. Edges of the same two texts count once.

    Attributes:
        threshold: The cosine that a text and its anchor must exceed.
        of: What the anchors of an edge must be: an edge of the other side (``edges``), or a pair that follows from its
            edges by transitivity (``closure``).
        assignment: How many texts may be anchored at one: ``many``, or ``one``: the one-to-one assignment of largest
            total cosine.
        mutual: Whether a text is only anchored at texts that are themselves anchored at it.
        relation: Whether edges match only if their relations do: ``ignore``, ``exact`` (the same name) or ``fuzzy``
            (names whose cosine exceeds the threshold).

    Example:
        >>> gold = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
        >>> pred = Graph.from_edges([("leukemias", "cancer"), ("disease", "cancer")])
        >>> Anchored().score(pred=pred, gold=gold, encoder="hashing")
        <Score anchored(threshold=0.436): precision 0.5000, recall 0.5000, f1 0.5000>
    """

    name: ClassVar[str] = "anchored"
    unit: ClassVar[str] = "edge"
    title: ClassVar[str] = "Anchored F1"
    family: ClassVar[str] = "taxonomy"
    sums_over_records: ClassVar[bool] = False
    opens: ClassVar[bool] = True
    formula: ClassVar[str] = (
        r"P = \frac{|\{(u', v') \in E' \mid \exists (a, b) \in E,\ a \in A(u') \wedge b \in A(v')\}|}{|E'|},\quad "
        r"A(u') = \{a \in V \mid \cos(a, u') = \max_{x \in V} \cos(x, u') > t\}"
    )
    citation: ClassVar[str] = "lo2024ollm"
    conventions: ClassVar[tuple[str, ...]] = (
        "fuzzy, the measure of the paper, matches a text with every near text: an edge the other way round is often right",
        "edges with the same two texts count once, as in literal(distinct=true)",
        "the threshold 0.436 is calibrated for all-MiniLM-L6-v2; other encoders need their own",
    )

    threshold: float = parameter(
        WORDNET_THRESHOLD,
        help="the cosine that a text and its anchor must exceed",
        always=True,
        bounds=(-1.0, 1.0),
        encoder=MINILM,
    )
    of: str = parameter(
        "edges",
        help="what the anchors of an edge must be: an edge, or a pair that follows from edges by transitivity",
        choices=("edges", "closure"),
    )
    assignment: str = parameter(
        "many",
        help="how many texts may be anchored at one: many, or one (the assignment of largest total cosine)",
        choices=("many", "one"),
    )
    mutual: bool = parameter(False, help="whether a text and its anchor must be each other's nearest")
    relation: str = parameter("ignore", help=HELP, choices=CHOICES)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mutual and self.assignment == "one":
            raise UsageError(f"{self.name}: one-to-one anchors are always mutual.", hint="use only one of them")
        if self.of == "closure" and self.relation == "fuzzy":
            raise UsageError(f"{self.name}: transitivity needs edges of one relation.", hint="relation=exact")

    @property
    def symmetry(self) -> Symmetry:
        """Swapping the sides swaps precision and recall; of equally good assignments it may choose another."""
        return "swap" if self.assignment == "many" else "none"

    @property
    def cut(self) -> Cut | None:
        """The cosine that both ends must exceed; none where it also decides who is anchored where."""
        plain = self.assignment == "many" and self.relation != "fuzzy"
        return Cut("threshold", self.threshold, inclusive=False) if plain else None

    def no_curve(self) -> UsageError:
        """Return why there is no curve."""
        if self.assignment == "one":
            return UsageError(f"{self}: curves are not supported with one-to-one assignment.", hint="assignment=many")
        return UsageError(f"{self}: curves are not supported with fuzzy relations.", hint="relation=exact")

    def match_widest(self, *, pred: Graph, gold: Graph, context: Context) -> AnchoredMatching:
        """Anchor every text, however far its nearest one is."""
        return replace(self, threshold=-1.0).match(pred=pred, gold=gold, context=context)

    def steps(self, matching: AnchoredMatching) -> Sequence[Step]:
        """Build the curve on which an edge is hit from the smaller cosine of its ends and their anchors on."""
        return similarity_steps(pred=matching.reach[0], gold=matching.reach[1])

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> AnchoredMatching:
        """Anchor the texts of both sides, and compare edges by their anchors."""
        texts, ends = Texts.of(pred, gold, context)
        kept = self._distinct(pred, gold, ends)
        pred, gold = (graph.take(rows) for graph, rows in zip((pred, gold), kept, strict=True))
        ends = ends[0][kept[0]], ends[1][kept[1]]
        whole = context.evidence or context.repeats or self.mutual or self.assignment == "one" or self.of == "closure"
        anchors = self._anchors(texts, ends, gold, context, every=whole)
        groups = self._groups(pred, gold, context)
        there_and_back = (ends, groups), (ends[::-1], tuple((b, a) for a, b in groups))
        matched = [
            self._match_texts(one, texts.kind, edges, some, context.memory)
            for one, (edges, some) in zip(anchors, there_and_back, strict=True)
        ]
        reach = tuple(
            np.where(hits, one.similarity[some].min(axis=1), np.nan)
            for one, some, (hits, _) in zip(anchors, ends, matched, strict=True)
        )
        sides = [
            Side(
                credit=hits.astype(np.float64),
                counterpart=counterpart,
                similarity=np.where(counterpart == NO_MATCH, np.nan, up_to),
            )
            for (hits, counterpart), up_to in zip(matched, reach, strict=True)
        ]
        return AnchoredMatching(
            pred=sides[0],
            gold=sides[1],
            pred_items=pred,
            gold_items=gold,
            texts=texts,
            ends=ends,
            anchors=anchors,
            whole=whole,
            measure=self,
            memory=context.memory,
            reach=reach,
        )

    def note(self, matching: AnchoredMatching, values: Mapping[str, Any]) -> str | None:
        """Return where a cycle lets every pair of its members follow, in both directions."""
        del values
        if self.of == "edges":
            return None
        sides = zip(("the prediction", "gold"), matching.ends, strict=True)
        cyclic = [f"{size:,} texts of {name}" for name, edges in sides if (size := _count_on_cycles(edges))]
        found = " and ".join(cyclic)
        return f"{found} lie on cycles, where every edge follows in both directions" if cyclic else None

    def _distinct(
        self, pred: Graph, gold: Graph, ends: tuple[NDArray[np.int64], NDArray[np.int64]]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Choose the first of the edges of each side that have the same texts, and the same relation if that counts."""
        relations = [np.zeros(len(one), dtype=np.int64) for one in ends]
        if self.relation != "ignore":
            relations = relation_numbers(pred, gold)
        first, second = (first_of_each(pack_rows(*some.T, own)) for some, own in zip(ends, relations, strict=True))
        return first, second

    def _groups(self, pred: Graph, gold: Graph, context: Context) -> Groups:
        groups = relation_groups(pred, gold, self.relation, threshold=self.threshold, inclusive=False, context=context)
        return everything((pred.edges, gold.edges)) if groups is None else groups

    def _anchors(
        self, texts: Texts, ends: Ends, gold: Graph, context: Context, *, every: bool
    ) -> tuple[Anchors, Anchors]:
        """Anchor both sides; where prediction after prediction has the same texts, only once."""
        if not context.repeats:
            return self.anchored(texts, ends, context, every=every)
        made: dict[bytes, tuple[Anchors, Anchors]] = context.get_or_make(f"anchors of {self}", (gold.texts,), dict)
        key = texts.rows.tobytes() + texts.sides[0].tobytes()
        if key not in made:
            made.clear()
            made[key] = self.anchored(texts, ends, context, every=every)
        return made[key]

    def anchored(self, texts: Texts, ends: Ends, context: Context, *, every: bool) -> tuple[Anchors, Anchors]:
        """Anchor both sides: every text, or those only whose anchor can make an edge right."""
        if self.assignment == "one":
            return _assign_texts(texts, self, context)
        return anchor(texts, ends, context, threshold=self.threshold, mutual=self.mutual, every=every)

    def _match_texts(
        self,
        anchors: Anchors,
        kind: NDArray[np.int64],
        ends: tuple[NDArray[np.int64], NDArray[np.int64]],
        groups: Groups,
        memory: int,
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Find which edges of one side are right, and the edge of the other side that each is anchored at."""
        asking, answering = ends
        hits, counterpart = np.zeros(len(asking), dtype=np.bool_), np.full(len(asking), NO_MATCH, dtype=np.int64)
        for mine, others in groups:
            edge, anchored = anchors.expand(asking[mine], len(kind))
            row, known = anchors.answer_texts(answering[others], kind)
            place = equal_counterparts(_keys(anchored, len(kind)), _keys(known, len(kind)))
            matched = np.flatnonzero(place != NO_MATCH)[::-1]
            # Of several edges the first stays, which is written last.
            counterpart[mine[edge[matched]]] = others[row[place[matched]]]
            hits[mine[edge[matched]]] = True
            if self.of == "closure":
                hits[mine[edge[_find_reached(known, anchored, memory)]]] = True
        return hits, counterpart


def _assign_texts(texts: Texts, measure: Anchored, context: Context) -> tuple[Anchors, Anchors]:
    """Assign the texts of both sides one to one, so that their cosines add up to most; equal texts before others as near."""
    require("scipy", extra="scipy", purpose="assign texts one to one")
    here, there = texts.sides
    if len(here) * len(there) * CELL > context.memory:
        raise UsageError(
            f"{measure}: one-to-one anchors need more memory than the limit.",
            found=f"{len(here):,} x {len(there):,} texts, {context.memory / 2**20:.3g} MB",
            hint="raise --memory, or use assignment=many",
        )
    rows = np.repeat(texts.rows[here], len(there)), np.tile(texts.rows[there], len(here))
    cosines = pair_cosines(texts.vectors, *rows).reshape(len(here), len(there))
    gain = np.where(cosines > max(measure.threshold, 0.0), np.round(cosines * GRID) / GRID, 0.0)
    # Less than one step of the grid for all texts together.
    bonus = 0.5 / GRID / (len(here) + 1)
    left, right = assign_rows(gain + bonus * (here[:, None] == there) * (gain > 0))
    kept = gain[left, right] > 0
    first, second, cosine = here[left[kept]], there[right[kept]], cosines[left[kept], right[kept]]
    return _keep_one_each(texts, first, second, cosine), _keep_one_each(texts, second, first, cosine)


def _keep_one_each(
    texts: Texts, some: NDArray[np.int64], others: NDArray[np.int64], cosine: NDArray[np.float64]
) -> Anchors:
    similarity, codes = np.full(len(texts.every), np.nan), np.zeros(len(texts.every), dtype=np.int64)
    similarity[some], codes[some] = cosine, others
    present = ~np.isnan(similarity)
    return Anchors(similarity, starts_of(present), codes[present], others[:0])


def _keys(codes: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Write the codes of a source and a target, below three times the number of texts, as one number."""
    return codes[:, 0] * (3 * size) + codes[:, 1]


def _find_reached(edges: NDArray[np.int64], asked: NDArray[np.int64], memory: int) -> NDArray[np.int64]:
    """Find the pairs whose second node is reached from the first by at least one edge, block by block of second nodes."""
    nodes = distinct(edges.ravel())
    # What is on no edge neither reaches anything nor is reached.
    rows = np.flatnonzero(find_keys(asked, nodes).all(axis=1))
    pairs, known = np.searchsorted(nodes, asked[rows]), np.searchsorted(nodes, edges)
    order = Order.of(known, len(nodes))
    cyclic = np.bincount(order.group)[order.group] > 1
    found = (order.group[pairs[:, 0]] == order.group[pairs[:, 1]]) & cyclic[pairs[:, 0]]
    targets = distinct(pairs[:, 1])
    place = np.searchsorted(targets, pairs[:, 1])
    words = words_at_once(memory, len(nodes))
    for start in range(0, len(targets), WORD * words):
        block = np.flatnonzero((place >= start) & (place < start + WORD * words))
        above = order.above(targets[start : start + WORD * words], words)
        word, bit = np.divmod(place[block] - start, WORD)
        found[block] |= (above[pairs[block, 0], word] >> bit.astype(np.uint64) & np.uint64(1)).astype(np.bool_)
    return np.asarray(rows[found])


def _count_on_cycles(edges: NDArray[np.int64]) -> int:
    """Count the texts from which edges lead back over another text."""
    nodes, ends = np.unique(edges, return_inverse=True)
    sizes = np.bincount(cycles(ends.reshape(-1, 2), len(nodes)))
    return int(sizes[sizes > 1].sum())
