"""Edges, neighbourhoods and lines of descent under a one-to-one matching of terms: the shape of LLMs4OL 2026."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray, f_measure, shares
from goldassay.core.errors import UsageError
from goldassay.core.matching import NO_MATCH, Amounts, Matching, Side, SideName
from goldassay.core.measure import Symmetry
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.encoders.measure import MeaningMeasure
from goldassay.graphs.measures.ancestors import TextPair
from goldassay.graphs.measures.taxonomic import Concepts
from goldassay.graphs.model import Graph
from goldassay.kernels.ancestors import kinship
from goldassay.kernels.assigned import assign_rows
from goldassay.kernels.components import parts
from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.ragged import inverse, mark

VALUES = ("precision", "recall", "edge_f1", "neighbourhood", "taxonomy", "similarity")
NEIGHBOURS = ("both", "parents", "children")
BLOCK = 2**22
"""Pairs of texts that are compared at once."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TermMatching(Matching[Concepts]):
    """The terms of both sides, matched one to one, and how well their neighbourhoods agree."""

    terms: Mapping[str, FloatArray]  # what each term, of either side, adds to the sums; those of gold first
    keys: Concepts

    def rows(self, side: SideName) -> NDArray[np.int64]:
        """Return the row of each term of a side among those of both, int64, shape (terms,)."""
        count, partner = len(self.gold_items), self.pred.counterpart
        if side == "gold":
            return np.arange(count)
        return np.where(partner == NO_MATCH, count + np.cumsum(partner == NO_MATCH) - 1, partner)

    def details(self, side: SideName, rows: NDArray[np.int64]) -> Mapping[str, NDArray[Any]]:
        """Return how much the neighbours, and the lines of descent, of each term agree, once for a term that both sides have."""
        place = self.rows(side)[rows]
        once = (side == "gold") | (place >= len(self.gold_items))
        return {
            name: np.where(once & (self.terms[f"{name}_terms"][place] > 0), self.terms[name][place], np.nan)
            for name in ("near", "line")
        }


@dataclass(frozen=True, kw_only=True)
class Edges(MeaningMeasure[Graph, TermMatching]):
    """The mean of the F1 of edges, and of how much the neighbours, and the ancestors and descendants, of terms agree.

    Terms are matched one to one first, so that the sum of their similarities is greatest; a predicted term then stands for
    its partner. Both agreements are means over terms of |A & B| / |A | B|: a term without a partner has 0, and a term that has
    nothing around it on either side does not count.

    Attributes:
        terms: How terms are matched: ``exact``, ``string`` (the ratio of rapidfuzz, from 0 to 1) or ``meaning`` (cosine).
        threshold: What a similarity has to reach.
        neighbourhood: Which neighbours of a term are compared: ``parents``, ``children`` or ``both`` together.

    Example:
        >>> gold = Graph.from_edges([("cat", "pet"), ("pet", "animal")])
        >>> pred = Graph.from_edges([("cat", "pet"), ("pets", "animal")])
        >>> Edges().score(pred=pred, gold=gold).values["edge_f1"]
        0.5
        >>> Edges(terms="string", threshold=0.8).score(pred=gold, gold=gold).similarity
        1.0
    """

    name: ClassVar[str] = "edges"
    title: ClassVar[str] = "Edges, neighbourhoods and lines of descent"
    family: ClassVar[str] = "taxonomy"
    formula: ClassVar[str] = (
        r"S = \frac{1}{3} (F_1(E', E) + \overline{J(N', N)} + \overline{J(A' \cup D', A \cup D)}),\quad "
        r"J(X, Y) = \frac{|X \cap Y|}{|X \cup Y|}"
    )
    citation: ClassVar[str] = "llms4ol2026"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType(dict.fromkeys(VALUES, (0.0, 1.0)))
    headline: ClassVar[str] = "similarity"
    unit: ClassVar[str] = "term"
    conventions: ClassVar[tuple[str, ...]] = (
        "the shape of LLMs4OL 2026's graph similarity: terms=exact, terms=string and terms=meaning, each with threshold=0.9",
        "LLMs4OL 2026 averages over documents; here the two graphs are compared as wholes",
        "cycles are condensed first: the members of a cycle are neither above nor below each other",
    )

    terms: str = parameter("exact", help="how terms are matched", choices=("exact", "string", "meaning"))
    threshold: float = parameter(0.9, help="minimum similarity of terms", bounds=(-1.0, 1.0))
    neighbourhood: str = parameter("both", help="which neighbours of a term are compared", choices=NEIGHBOURS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.terms == "exact" and self.threshold != 0.9:  # noqa: PLR2004 - the default
            raise UsageError(
                f"{self.name}: the threshold has no effect on exact terms.",
                hint=f"terms=string, threshold={self.threshold:g}",
            )

    @property
    def symmetry(self) -> Symmetry:
        """Swapping the sides swaps precision and recall; of equally good matchings of terms it may choose another."""
        return "swap" if self.terms == "exact" else "none"

    @property
    def needs_encoder(self) -> bool:
        """Whether it compares meanings."""
        return self.terms == "meaning"

    def match(self, *, pred: Graph, gold: Graph, context: Context) -> TermMatching:
        """Match the terms, and compare their neighbourhoods."""
        numbers = TextPair.of(pred, gold)
        partner, similarity = self._partners(numbers, context)
        # From here on a predicted term has the number of its partner, so that both sides name their terms alike.
        called = np.arange(len(numbers.texts))
        matched = np.flatnonzero(partner != NO_MATCH)
        called[numbers.pred] = len(called) + np.arange(len(partner))
        called[numbers.pred[matched]] = numbers.gold[partner[matched]]
        size = len(called) + len(partner)
        edges = called[numbers.edges[0]], numbers.edges[1]
        loops = called[numbers.loops[0]], numbers.loops[1]
        present = np.concatenate([numbers.gold, called[numbers.pred][partner == NO_MATCH]])
        around = _neighbours(edges, loops, size, self.neighbourhood)
        lines = kinship(*edges, size, np.arange(size), memory=context.memory, progress=context.progress)
        hits = _edge_counts(edges, loops, size)
        terms = {
            **{name: column[present] for name, column in hits.items()},
            **_jaccards("near", *around, present),
            **_jaccards("line", lines.left, lines.right, lines.both, present),
        }
        names = np.concatenate([numbers.texts[numbers.gold], numbers.texts[numbers.pred][partner == NO_MATCH]])
        back = inverse(partner, len(numbers.gold))
        back_similarity = np.full(len(back), np.nan)
        back_similarity[partner[matched]] = similarity[matched]
        return TermMatching(
            pred=_side(partner, similarity),
            gold=_side(back, back_similarity),
            pred_items=Concepts(numbers.texts[numbers.pred], pred),
            gold_items=Concepts(numbers.texts[numbers.gold], gold),
            terms=terms,
            keys=Concepts(names, gold),
        )

    def parts(self, matching: TermMatching) -> tuple[Part, ...]:
        """List the terms of gold, then those of the prediction without a partner; an edge is counted at its lower end."""
        items, count = matching.keys, len(matching.gold_items)
        slices = (slice(0, count), slice(count, None))
        sides = ((matching.gold_items, matching.pred_items), (matching.pred_items, matching.gold_items))
        return tuple(
            Part(
                items=Concepts(items.texts[rows], own.graph),
                others=other,
                unit_keys=partial(_keys, items.texts[rows].tolist(), side),
                counts={name: column[rows] for name, column in matching.terms.items()},
            )
            for side, (rows, (own, other)) in enumerate(zip(slices, sides, strict=True))
        )

    def added(self, matching: TermMatching, side: SideName) -> Amounts:
        """Return how many edges of each lower end the other side has, and how many there are."""
        rows = matching.rows(side)
        return matching.terms["hit"][rows].astype(np.float64), matching.terms[f"n_{side}"][rows].astype(np.float64)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide edges by those of each side and agreements by terms, and take the mean of the three."""
        precision = ratio("precision", counts["hit"], counts["n_pred"])
        recall = ratio("recall", counts["hit"], counts["n_gold"])
        edge_f1 = f_measure(precision, recall)
        near = ratio("neighbourhood", counts["near"], counts["near_terms"])
        line = ratio("taxonomy", counts["line"], counts["line_terms"])
        return dict(zip(VALUES, (precision, recall, edge_f1, near, line, (edge_f1 + near + line) / 3), strict=True))

    def _partners(self, numbers: TextPair, context: Context) -> tuple[NDArray[np.int64], FloatArray]:
        """Match predicted terms with those of gold: the place of each partner, -1 for none, and the similarity."""
        if self.terms == "exact":
            _, here, there = np.intersect1d(numbers.pred, numbers.gold, assume_unique=True, return_indices=True)
            pairs = here, there, np.ones(len(here))
        elif self.terms == "string":
            pairs = _find_similar(numbers, self.threshold, context)
        else:
            here, there, vectors, rows = numbers.near(self.threshold, context, inclusive=True, owner=str(self))
            pairs = here, there, pair_cosines(vectors, rows[numbers.pred][here], rows[numbers.gold][there])
        return _assign(*pairs, len(numbers.pred))


def _keys(names: list[str], side: int) -> list[str]:
    """Return the unit of each term: a predicted term without a partner may have the name of one of gold."""
    return [f"{name}, not matched" for name in names] if side else names


def _find_similar(
    numbers: TextPair, threshold: float, context: Context
) -> tuple[NDArray[np.int64], NDArray[np.int64], FloatArray]:
    """List the pairs of terms whose strings are alike, with rapidfuzz's ratio."""
    from rapidfuzz import fuzz, process

    left, right = (numbers.texts[rows].tolist() for rows in (numbers.pred, numbers.gold))
    step = max(1, BLOCK // max(1, len(right)))
    found = []
    for start in range(0, len(left), step):
        context.progress("comparing terms", start, len(left))
        # float64, since a ratio such as 90 has to be reached as a fraction of 100.
        ratios = process.cdist(left[start : start + step], right, scorer=fuzz.ratio, dtype=np.float64) / 100
        here, there = np.nonzero(ratios >= threshold)
        found.append((start + here, there, ratios[here, there]))
    nothing = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0)
    rows, columns, values = (np.concatenate(parts) for parts in zip(nothing, *found, strict=True))
    return rows, columns, values


def _assign(
    here: NDArray[np.int64], there: NDArray[np.int64], similarity: FloatArray, size: int
) -> tuple[NDArray[np.int64], FloatArray]:
    """Match one to one so that the sum of similarities is greatest: component by component, which are small."""
    partner, found = np.full(size, NO_MATCH, dtype=np.int64), np.full(size, np.nan)
    if not len(here):
        return partner, found
    component = parts(np.column_stack((here, size + there)), size + int(there.max()) + 1)[here]
    order = np.lexsort((there, here, component))
    for rows in np.split(order, np.flatnonzero(np.diff(component[order])) + 1):
        mine, row = np.unique(here[rows], return_inverse=True)
        other, column = np.unique(there[rows], return_inverse=True)
        gain = np.full((len(mine), len(other)), 0.0)
        gain[row, column] = similarity[rows]
        allowed = mark((row, column), gain.shape)
        left, right = assign_rows(gain)
        kept = allowed[left, right]
        partner[mine[left[kept]]] = other[right[kept]]
        found[mine[left[kept]]] = gain[left[kept], right[kept]]
    return partner, found


def _neighbours(
    edges: tuple[NDArray[np.int64], NDArray[np.int64]],
    loops: tuple[NDArray[np.int64], NDArray[np.int64]],
    size: int,
    which: str,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Count the neighbours of each term: of the prediction, of gold, and of both."""
    keys = []
    for some, own in zip(edges, loops, strict=True):
        ways = [own * size + own]
        if which != "children":
            ways.append(some[:, 0] * size + some[:, 1])
        if which != "parents":
            ways.append(some[:, 1] * size + some[:, 0])
        keys.append(np.unique(np.concatenate(ways)))
    both = np.intersect1d(keys[0], keys[1], assume_unique=True)
    first, second, third = (np.bincount(some // size, minlength=size) for some in (*keys, both))
    return first, second, third


def _edge_counts(
    edges: tuple[NDArray[np.int64], NDArray[np.int64]], loops: tuple[NDArray[np.int64], NDArray[np.int64]], size: int
) -> dict[str, NDArray[np.int64]]:
    """Count the edges of each term to its parents: those of both sides, of the prediction and of gold."""
    keys = [
        np.unique(np.concatenate([some[:, 0] * size + some[:, 1], own * size + own]))
        for some, own in zip(edges, loops, strict=True)
    ]
    both = np.intersect1d(keys[0], keys[1], assume_unique=True)
    names = ("hit", "n_pred", "n_gold")
    return {name: np.bincount(some // size, minlength=size) for name, some in zip(names, (both, *keys), strict=True)}


def _jaccards(
    name: str,
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    both: NDArray[np.int64],
    present: NDArray[np.int64],
) -> dict[str, FloatArray]:
    either = (left + right - both)[present]
    return {name: shares(both[present], either), f"{name}_terms": (either > 0).astype(np.float64)}


def _side(partner: NDArray[np.int64], similarity: FloatArray) -> Side:
    return Side(credit=(partner != NO_MATCH).astype(np.float64), counterpart=partner, similarity=similarity)
