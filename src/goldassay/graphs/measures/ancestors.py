"""What lies above the concepts of two taxonomies: F1 over all pairs of a concept and an ancestor, and its mean over concepts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context, FloatMatrix
from goldassay.core.errors import UsageError
from goldassay.core.intern import StringArray
from goldassay.core.matching import NO_MATCH, Amounts, Matching, Side, SideName
from goldassay.core.measure import Measure, added_counts
from goldassay.core.parameters import parameter
from goldassay.core.parts import Part, both_parts
from goldassay.encoders.measure import BY_CHANCE, MINILM, WORDNET_THRESHOLD, EncodedMeasure, lenient_threshold
from goldassay.graphs.measures.taxonomic import Concepts
from goldassay.graphs.model import Graph
from goldassay.graphs.texts import number_texts
from goldassay.kernels.ancestors import Links, Tally, reduction, tallies, tally
from goldassay.kernels.near import find_near_texts
from goldassay.kernels.ragged import mark
from goldassay.kernels.reach import Order


@dataclass(frozen=True, eq=False)
class TextPair:
    """Two graphs over one numbering of their texts."""

    texts: StringArray  # the texts of either side in order, shape (texts,)
    pred: NDArray[np.int64]  # numbers of the texts of the prediction, ascending, int64
    gold: NDArray[np.int64]  # numbers of the texts of gold, ascending, int64
    # the edges of the prediction and of gold between these numbers, each once, without loops, int64, shape (m, 2)
    edges: tuple[NDArray[np.int64], NDArray[np.int64]]
    # numbers of the texts with an edge to themselves, of the prediction and of gold, ascending, int64
    loops: tuple[NDArray[np.int64], NDArray[np.int64]]

    @classmethod
    def of(cls, pred: Graph, gold: Graph) -> TextPair:
        """Number the texts of both sides."""
        texts, (here, there) = number_texts(pred.texts, gold.texts)
        edges = [np.unique(rows[graph.edges], axis=0) for rows, graph in ((here, pred), (there, gold))]
        loop = [some[:, 0] == some[:, 1] for some in edges]
        first, second = (some[~mask] for some, mask in zip(edges, loop, strict=True))
        loops = edges[0][loop[0], 0], edges[1][loop[1], 0]
        return cls(texts, np.unique(here), np.unique(there), (first, second), loops)

    @property
    def common(self) -> NDArray[np.bool_]:
        """Which texts both sides have, shape (texts,)."""
        return mark(np.intersect1d(self.pred, self.gold), len(self.texts))

    def near(
        self, threshold: float, context: Context, *, inclusive: bool, owner: str
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], FloatMatrix, NDArray[np.int64]]:
        """List the texts of the prediction with those of gold that are near in meaning."""
        vectors, rows = context.vectors(self.texts)
        left, right = rows[self.pred], rows[self.gold]
        places = np.argsort(left), np.argsort(right)
        near = find_near_texts(
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
                f"{owner}: too many near pairs for the memory limit.",
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

    def details(self, side: SideName, rows: NDArray[np.int64]) -> Mapping[str, NDArray[Any]]:
        """Return how many ancestors each concept has, and how many of them the other side has."""
        tally = self.pred_tally if side == "pred" else self.gold_tally
        return {"ancestors": tally.pairs[rows], "matched": tally.matched[rows]}


def ancestor_matching(
    *, pred: Graph, gold: Graph, numbers: TextPair, counted: tuple[Tally, Tally], note: str | None = None
) -> AncestorMatching:
    """Match the concepts that have ancestors; each is credited with the share of them that the other side has."""
    rows = [np.flatnonzero(one.pairs) for one in counted]
    _, here, there = np.intersect1d(rows[0], rows[1], assume_unique=True, return_indices=True)
    kept = [Tally(one.pairs[some], one.matched[some]) for one, some in zip(counted, rows, strict=True)]
    sides = []
    for one, mine, other in ((kept[0], here, there), (kept[1], there, here)):
        counterpart = np.full(len(one.pairs), NO_MATCH, dtype=np.int64)
        counterpart[mine] = other
        sides.append(Side.of_credit(one.matched / one.pairs, counterpart))
    return AncestorMatching(
        pred=sides[0],
        gold=sides[1],
        pred_items=Concepts(numbers.texts[rows[0]], pred),
        gold_items=Concepts(numbers.texts[rows[1]], gold),
        pred_tally=kept[0],
        gold_tally=kept[1],
        note=note,
    )


@dataclass(frozen=True, kw_only=True)
class Closure(EncodedMeasure[Graph, AncestorMatching]):
    """A pair of a concept and an ancestor, direct or not, is hit if the other side has it too.

    A concept is a text. An edge that skips a level, or a level that is missing, costs little, while a wrong edge far up
    costs all pairs over it.

    Attributes:
        by: Whether concepts are the same by their ``text``, or by ``meaning``: if their cosine exceeds the threshold.
        threshold: The minimum cosine (exclusive); used only for meaning.
        inclusive: Whether a cosine equal to the threshold is a match.
        pairs: Which pairs are looked up: those of the ``closure``; those ``asserted`` as edges, in the closure of the other
            side; or those of the transitive reduction (``reduced``), in the reduction of the other side.
        concepts: Which concepts count: ``all``; those ``common`` to both sides; or the common ones, related by edges
            between them (``cut``).

    Example:
        >>> gold = Graph.from_edges([("cat", "pet"), ("pet", "animal")])
        >>> pred = Graph.from_edges([("cat", "animal")])
        >>> Closure().score(pred=pred, gold=gold)
        <Score closure: precision 1.0000, recall 0.3333, f1 0.5000>
    """

    name: ClassVar[str] = "closure"
    unit: ClassVar[str] = "concept"
    title: ClassVar[str] = "F1 over ancestor pairs"
    family: ClassVar[str] = "taxonomy"
    sums_over_records: ClassVar[bool] = False
    formula: ClassVar[str] = (
        r"P = \frac{|E'^+ \cap E^+|}{|E'^+|},\quad R = \frac{|E'^+ \cap E^+|}{|E^+|},\quad "
        r"E^+ = \{(u, v) \mid u \ne v,\ u \to \dots \to v \text{ in } E\}"
    )
    citation: ClassVar[str] = "mao2018taxorl"
    conventions: ClassVar[tuple[str, ...]] = (
        "papers on taxonomy induction call it Ancestor-F1; ancestor_f1 is the mean over concepts",
        "cycles are condensed first: the members of a cycle are neither above nor below each other",
        "by meaning, a pair is hit if some pair of the other side is near at both ends, as in fuzzy",
    )

    by: str = parameter("text", help="how concepts are compared: by text or by meaning", choices=("text", "meaning"))
    threshold: float = parameter(
        WORDNET_THRESHOLD, help="minimum cosine (exclusive), by meaning", bounds=(-1.0, 1.0), encoder=MINILM
    )
    inclusive: bool = parameter(False, help="whether a cosine equal to the threshold is a match")
    pairs: str = parameter(
        "closure",
        help="which pairs are counted: closure, asserted (edges, in the closure of the other side) or reduced",
        choices=("closure", "asserted", "reduced"),
    )
    concepts: str = parameter(
        "all",
        help="which concepts count: all, common to both sides, or common and related by edges between them (cut)",
        choices=("all", "common", "cut"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.by == "meaning" and (self.pairs == "reduced" or self.concepts != "all"):
            raise UsageError(f"{self.name}: reduced pairs and common concepts are found by text.", hint="by=text")
        if self.by == "text" and (self.threshold != WORDNET_THRESHOLD or self.inclusive):
            raise UsageError(
                f"{self.name}: the threshold has no effect on texts.",
                hint=f"by=meaning, threshold={self.threshold:g}",
            )

    @property
    def needs_encoder(self) -> bool:
        """Whether it compares meanings."""
        return self.by == "meaning"

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> AncestorMatching:
        """Count the ancestors of each concept, and those that the other side has too."""
        numbers = TextPair.of(pred, gold)
        among = None if self.concepts == "all" else numbers.common
        if self.concepts == "cut":
            first, second = (edges[numbers.common[edges].all(axis=1)] for edges in numbers.edges)
            numbers = replace(numbers, edges=(first, second))
        links, note = self._links(numbers, context) if self.needs_encoder else (None, None)
        if self.pairs == "reduced":
            counted = _count_reduced(numbers, among, context)
        else:
            counted = self._tallies(numbers, links, among, context)
        return ancestor_matching(pred=pred, gold=gold, numbers=numbers, counted=counted, note=note)

    def parts(self, matching: AncestorMatching) -> tuple[Part, ...]:
        """List the concepts of both sides: each adds its ancestors, and those that the other side has."""
        items = matching.pred_items, matching.gold_items
        return both_parts(items, [one.texts.tolist for one in items], added_counts(partial(self.added, matching)))

    def added(self, matching: AncestorMatching, side: SideName) -> Amounts:
        """Return how many of the ancestors of each concept the other side has, and how many there are."""
        counted = matching.pred_tally if side == "pred" else matching.gold_tally
        return counted.matched.astype(np.float64), counted.pairs.astype(np.float64)

    def _tallies(
        self, numbers: TextPair, links: Links | None, among: NDArray[np.bool_] | None, context: Context
    ) -> tuple[Tally, Tally]:
        here, there = numbers.orders()
        asked = numbers.edges if self.pairs == "asserted" else None
        if links is None:
            return tallies(here, there, asked=asked, among=among, memory=context.memory, progress=context.progress)
        back = links.swap_sides(len(numbers.texts))
        first, second = (
            tally(*orders, standing, asked=pairs, memory=context.memory, progress=context.progress)
            for orders, standing, pairs in zip(
                ((here, there), (there, here)), (links, back), asked or (None, None), strict=True
            )
        )
        return first, second

    def _links(self, numbers: TextPair, context: Context) -> tuple[Links, str | None]:
        here, there, vectors, rows = numbers.near(self.threshold, context, inclusive=self.inclusive, owner=str(self))
        links = Links.of(numbers.pred[here], numbers.gold[there], len(numbers.texts))
        lenient = lenient_threshold(
            vectors, rows[numbers.pred], rows[numbers.gold], threshold=self.threshold, inclusive=self.inclusive
        )
        return links, f"{lenient}: {BY_CHANCE}" if lenient else None


def _count_reduced(numbers: TextPair, among: NDArray[np.bool_] | None, context: Context) -> tuple[Tally, Tally]:
    """Count the edges of both reductions, and those that both have."""
    size = len(numbers.texts)
    kept = []
    for order, edges in zip(numbers.orders(), numbers.edges, strict=True):
        found = reduction(order, edges, memory=context.memory)
        kept.append(found if among is None else found[among[found].all(axis=1)])
    keys = [edges[:, 0] * size + edges[:, 1] for edges in kept]
    first, second = (
        Tally(
            np.bincount(edges[:, 0], minlength=size),
            np.bincount(edges[np.isin(mine, other), 0], minlength=size),
        )
        for edges, mine, other in ((kept[0], keys[0], keys[1]), (kept[1], keys[1], keys[0]))
    )
    return first, second


@dataclass(frozen=True, kw_only=True)
class AncestorF1(Measure[Graph, AncestorMatching]):
    """Precision, recall and F1 of the ancestors of each concept, averaged over concepts.

    A concept is a text. Precision is the mean over the concepts of the prediction that have ancestors, recall over those of
    gold, and F1 over those of either side: a concept without ancestors on one of them has F1 0. So every concept has the
    same weight, however deep it lies.

    Attributes:
        concepts: Which concepts count: ``all``, or those ``common`` to both sides, with only their common ancestors.

    Example:
        >>> gold = Graph.from_edges([("cat", "pet"), ("pet", "animal")])
        >>> pred = Graph.from_edges([("cat", "animal"), ("pet", "animal")])
        >>> AncestorF1().score(pred=pred, gold=gold)
        <Score ancestor_f1: precision 1.0000, recall 0.7500, f1 0.8333>
    """

    name: ClassVar[str] = "ancestor_f1"
    title: ClassVar[str] = "Mean F1 of ancestors"
    family: ClassVar[str] = "taxonomy"
    formula: ClassVar[str] = (
        r"F = \frac{1}{|C|} \sum_{c \in C} \frac{2 |A'(c) \cap A(c)|}{|A'(c)| + |A(c)|},\quad "
        r"C = \{c \mid A'(c) \cup A(c) \ne \emptyset\}"
    )
    citation: ClassVar[str] = "mao2018taxorl"
    ratios: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType(
        {"precision": ("overlap_pred", "n_pred"), "recall": ("overlap_gold", "n_gold"), "f1": ("sum_f1", "either")}
    )
    headline: ClassVar[str] = "f1"
    unit: ClassVar[str] = "concept"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "swap"
    defined_one_sided: ClassVar[bool] = False
    conventions: ClassVar[tuple[str, ...]] = (
        "f1 is the mean of F1 over concepts, not the F1 of the two means",
        "what papers on taxonomy induction call Ancestor-F1 counts pairs and divides once: closure",
        "cycles are condensed first: the members of a cycle are neither above nor below each other",
    )

    concepts: str = parameter(
        "all", help="which concepts count: all, or those common to both sides", choices=("all", "common")
    )

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> AncestorMatching:
        """Count the ancestors of each concept, and those that both sides have."""
        numbers = TextPair.of(pred, gold)
        among = None if self.concepts == "all" else numbers.common
        here, there = numbers.orders()
        options: dict[str, Any] = {"among": among, "memory": context.memory, "progress": context.progress}
        found = tallies(here, there, **options)
        return ancestor_matching(pred=pred, gold=gold, numbers=numbers, counted=found)

    def parts(self, matching: AncestorMatching) -> tuple[Part, ...]:
        """List the concepts with ancestors: first those of gold, then those that only the prediction has."""
        gold, pred = matching.gold_items, matching.pred_items
        partner = matching.gold.counterpart
        matched = partner >= 0
        sizes = np.where(matched, matching.pred_tally.pairs[partner] if len(pred) else 0, 0)
        of_gold = {
            "overlap_pred": np.where(matched, matching.gold_tally.matched / np.maximum(sizes, 1), 0.0),
            "n_pred": matched,
            "overlap_gold": matching.gold.credit,
            "n_gold": np.ones(len(gold)),
            "sum_f1": 2 * matching.gold_tally.matched / (sizes + matching.gold_tally.pairs),
            "either": np.ones(len(gold)),
        }
        unmatched = np.flatnonzero(matching.pred.counterpart < 0)
        only = Concepts(pred.texts[unmatched], pred.graph)
        of_pred = {"n_pred": np.ones(len(only)), "either": np.ones(len(only))}
        return (
            Part(items=gold, others=pred, unit_keys=gold.texts.tolist, counts=of_gold),
            Part(items=only, others=gold, unit_keys=only.texts.tolist, counts=of_pred),
        )
