"""What the ranking measures share: references and their ranks, gains, and what the gains are averaged over."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.matching import AlignmentMatching, query_names
from goldassay.alignments.model import Alignment
from goldassay.alignments.overlap import AlignmentMeasure, check_unit
from goldassay.alignments.rankings.ranks import TIES, Ranks, Ties, places_of_first, ranks_of
from goldassay.core.context import Context, Progress, silent
from goldassay.core.counts import Counts, Division, FloatArray
from goldassay.core.errors import UsageError
from goldassay.core.matching import NONE_MET, Evidence, Side, SideName
from goldassay.core.measure import Symmetry
from goldassay.core.parameters import Bounds, parameter, parameters_of
from goldassay.core.parts import Part

ORDERED = ("order", "name")
"""Ways to treat ties that put tied candidates into an order."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RankingMatching(AlignmentMatching):
    """The references of gold and where the prediction ranks them: what each adds to the sum and to its divisor, shape (references,)."""

    ranks: Ranks
    gains: FloatArray
    shares: NDArray[np.int64]

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = silent) -> Evidence:
        """Look up the expected rank of some references, and the best-scored wrong candidate."""
        found = super().evidence(side, rows, progress=progress)
        ranks = self.ranks.above + (self.ranks.tied + 1) / 2
        told = [float(ranks[row]) if side == "gold" and self.ranks.found[row] else None for row in rows.tolist()]
        return replace(found, details={"rank": np.array(told, dtype=object), **found.details})


@dataclass(frozen=True, eq=False)
class Queries:
    """The sources that are looked up, each in its test case, as one correspondence of each."""

    references: Alignment

    def __len__(self) -> int:
        return len(self.references)

    def item(self, row: int) -> str:
        """Return the display name of one source."""
        return self.references.name(self.references.sources[row])


@dataclass(frozen=True, kw_only=True)
class RankingMeasure(AlignmentMeasure[RankingMatching]):
    """A measure of the ranks of the targets of gold among the predictions for their sources."""

    defined_alone: ClassVar[bool] = True
    symmetry: ClassVar[Symmetry] = "none"
    per: ClassVar[str] = "references"
    unit: ClassVar[str] = "query"

    ties: str = parameter(
        "expected",
        help="how to treat equal scores: expectation over all orders, order of the file or of names, best or worst order",
        choices=TIES,
    )
    typed: bool = parameter(False, help="whether a candidate has to have the right relation, too")

    @property
    def values(self) -> Mapping[str, Bounds]:
        """The mean of the gains."""
        return {self.headline: (0.0, 1.0)}

    @property
    def counted(self) -> str:
        """What the gains are divided by."""
        return self.per

    @abstractmethod
    def gain(self, ranks: Ranks) -> FloatArray:
        """Return what each reference earns by its rank, float64, shape (references,)."""

    def settled(self, ranks: Ranks) -> Ranks:
        """Apply the conventions of the measure to the ranks."""
        return ranks.settled(cast("Ties", self.ties), filtered=False)

    def weights(self, ranks: Ranks) -> FloatArray:
        """Return how much each reference counts in its query, float64, shape (references,)."""
        return np.ones(len(ranks.found))

    def shares(self, ranks: Ranks, gold: Alignment) -> NDArray[np.int64]:
        """Return what the sum of gains is divided by, reference by reference: each query once."""
        del gold
        _, first = np.unique(ranks.queries, return_index=True)
        shares = np.zeros(len(ranks.queries), dtype=np.int64)
        shares[first] = 1
        return shares

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> RankingMatching:
        """Find the rank of each reference, and what it earns."""
        check_unit(pred)
        both = self.both(pred=pred, gold=gold, context=context)
        typed, by_name = self.typed, self.ties == "name"
        key = f"ranks, typed {typed}, by name {by_name}"
        found = context.once(key, (both,), lambda: ranks_of(both, typed=typed, by_name=by_name))
        gold = both.whole_gold if typed else both.gold
        ranks = self.settled(found)
        credit = np.where(ranks.found, self.gain(ranks), 0.0)
        row = ranks.row
        return RankingMatching(
            pred=found.candidates,
            gold=Side(credit=credit, counterpart=row, similarity=np.where(row == NONE_MET, np.nan, 1.0)),
            pred_items=ranks.items,
            gold_items=gold,
            numbering=both.numbering,
            ranks=ranks,
            gains=credit * self.weights(ranks),
            shares=self.shares(ranks, gold),
        )

    @property
    def uses_scores(self) -> bool:
        """They rank the candidates."""
        return True

    def parts(self, matching: RankingMatching) -> tuple[Part, ...]:
        """List the references, or the queries where each of these counts once, with what they gain."""
        items: Alignment | Queries = matching.gold_items
        counts: dict[str, Any] = {"gain": matching.gains, self.counted: matching.shares}
        if self.counted == "queries":
            _, first, query = np.unique(matching.ranks.queries, return_index=True, return_inverse=True)
            counts = {name: np.bincount(query, weights=column, minlength=len(first)) for name, column in counts.items()}
            items = Queries(matching.gold_items.take(first))
        return (Part(items=items, others=matching.pred_items, unit_keys=partial(_query_names, items), counts=counts),)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the gains by the number of references or queries."""
        return {self.headline: ratio(self.headline, counts["gain"], counts[self.counted])}

    def note(self, matching: RankingMatching, values: Mapping[str, Any]) -> str | None:
        """Return that nothing is ranked, since all candidates of every source have one score."""
        del values
        listed = matching.pred_items
        if self.ties in ORDERED or (listed.scores != listed.scores[:1]).any():
            return None
        if len(np.unique(listed.sources)) == len(listed):
            return None
        return f"all candidates have the score {listed.scores[0]:g}: their ranking is meaningless, since all are tied"


def _query_names(items: Alignment | Queries) -> list[str]:
    return query_names(items.references if isinstance(items, Queries) else items)


@dataclass(frozen=True, kw_only=True)
class ReferenceMeasure(RankingMeasure):
    """A ranking measure in which every reference counts alike."""

    filtered: bool = parameter(False, help="remove other references of the same source from its list first")
    duplicates: str = parameter(
        "merge", help="whether a reference stated twice counts twice", choices=("merge", "count")
    )
    first: bool = parameter(False, help="average over sources, each by the first of its references")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("filtered", "duplicates") if self.first else ():
            if not parameters_of(type(self))[name].is_default(getattr(self, name)):
                raise UsageError(
                    f"{self.name}: {name} says nothing of the first reference of a source.",
                    found=str(self),
                    expected=f"first or {name}",
                )

    @property
    def counted(self) -> str:
        """What the gains are divided by."""
        return "queries" if self.first else self.per

    def settled(self, ranks: Ranks) -> Ranks:
        """Apply the conventions of the measure to the ranks."""
        settled = ranks.settled(cast("Ties", self.ties), filtered=self.filtered)
        if self.ties not in {"optimistic", "pessimistic"} or self.filtered or self.first:
            return settled
        # Each reference is a query of its own here, and other references are candidates like any other.
        worst = ranks.tied - 1 if self.ties == "pessimistic" else np.zeros_like(ranks.tied)
        return replace(settled, above=ranks.above + worst)

    def shares(self, ranks: Ranks, gold: Alignment) -> NDArray[np.int64]:
        """Count every reference once or as often as it was stated; or every source, at the first of its references."""
        if self.first:
            shares = np.zeros(len(gold), dtype=np.int64)
            shares[ranks.first] = 1
            return shares
        return np.ones(len(gold), dtype=np.int64) if self.duplicates == "merge" else gold.times.astype(np.int64)

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> RankingMatching:
        """Find the rank of each reference, and what it earns."""
        found = super().match(pred=pred, gold=gold, context=context)
        gains = self._gains_of_first(found.ranks) if self.first else found.gains
        return replace(found, gains=gains * found.shares)

    def gains_of_places(self, ranks: Ranks, length: int) -> FloatArray:
        """Give what a reference gains at each place of a list without ties, float64, shape (length,)."""
        return self.gain(replace(ranks, above=np.arange(length), tied=np.ones(length, dtype=np.int64)))

    def _gains_of_first(self, ranks: Ranks) -> FloatArray:
        """Return the expected gain of the first reference of each source, in its row."""
        rows = ranks.first[ranks.found[ranks.first]]
        cases, case = np.unique(
            np.column_stack([ranks.above[rows], ranks.tied[rows], ranks.true_tied[rows]]), axis=0, return_inverse=True
        )
        places = self.gains_of_places(ranks, int((ranks.above + ranks.tied).max(initial=0)))
        expected = [places[above : above + tied] @ places_of_first(tied, true) for above, tied, true in cases.tolist()]
        gains = np.zeros(len(ranks.found))
        gains[rows] = np.array(expected, dtype=np.float64)[case.ravel()]
        return gains


def in_first(ranks: Ranks, most: Any) -> FloatArray:
    """Return the probability that a reference is among the first of its list, float64."""
    return np.asarray(np.clip((most - ranks.above) / np.maximum(ranks.tied, 1), 0.0, 1.0))


def harmonic(ranks: Ranks) -> FloatArray:
    """Return the expected reciprocal rank of every reference, float64."""
    top = int((ranks.above + ranks.tied).max(initial=0)) + 1
    sums = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, top + 1))])
    spread = (sums[ranks.above + ranks.tied] - sums[ranks.above]) / np.maximum(ranks.tied, 1)
    # Without ties the reciprocal is exact.
    return np.where(ranks.tied <= 1, 1.0 / (ranks.above + 1), spread)
