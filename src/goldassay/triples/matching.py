"""Items that met within their documents, and what is wrong with those that did not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Progress, silent
from goldassay.core.documents import DocumentPairs
from goldassay.core.matching import (
    FAILURES,
    NONE_MET,
    Evidence,
    Items,
    ItemsT_co,
    Matching,
    Side,
    SideName,
    equal_counterparts,
)
from goldassay.kernels.ragged import ranges
from goldassay.triples.comparison import Comparison, Slots
from goldassay.triples.meeting import batches
from goldassay.triples.model import OBJECT, PREDICATE, SLOTS, SUBJECT, Numbers, Triples
from goldassay.triples.words import plain, stands_exactly

SAME, OTHER = "same", "other"
NOT_IN_TEXT = "not in the text"
PAIRS_AT_ONCE = 2**16
Sides: TypeAlias = tuple[Side, Side]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DocumentMatching(Matching[ItemsT_co]):
    """Items that met within their pairs of documents."""

    pairs: DocumentPairs
    pred_pairs: Numbers  # the pair of each predicted item
    gold_pairs: Numbers  # the pair of each gold item

    @classmethod
    def of(
        cls, sides: Sides, *, items: tuple[Any, Any], places: tuple[Numbers, Numbers], pairs: DocumentPairs, **more: Any
    ) -> Self:
        """Combine what matched with the items of both sides, and the pairs that these are in; ``more`` are further attributes."""
        return cls(
            pred=sides[0],
            gold=sides[1],
            pred_items=items[0],
            gold_items=items[1],
            pairs=pairs,
            pred_pairs=places[0],
            gold_pairs=places[1],
            **more,
        )

    def predicates(self, side: SideName) -> Numbers | None:
        """Return the number of the predicate of each item as it was compared, int64, shape (items,); None if items have none."""
        del side
        return None

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = silent) -> Evidence:
        """Give the counterpart of some items, and their documents."""
        found = super().evidence(side, rows, progress=progress)
        places = self.pred_pairs if side == "pred" else self.gold_pairs
        return replace(found, details={"document": objects(self.pairs.ids[places[rows]].tolist())})


def sides_of_keys(here: Numbers, there: Numbers) -> tuple[Side, Side]:
    """Let items of equal keys meet.

    Example:
        >>> sides_of_keys(np.array([7, 8]), np.array([9, 7]))[1].counterpart.tolist()
        [-1, 0]
    """
    counterparts = equal_counterparts(here, there), equal_counterparts(there, here)
    return sides_of(*counterparts)


def sides_of(here: Numbers, there: Numbers) -> tuple[Side, Side]:
    """Make both sides of the counterparts of each; who has one is wholly hit."""
    return Side.of_hits(here != NONE_MET, here), Side.of_hits(there != NONE_MET, there)


class Judged(Items, Protocol):
    """Items that are each right or wrong by themselves."""

    def error(self, row: int) -> str | None:
        """Say what is wrong with one item; None if nothing is known to be."""
        ...


JudgedT_co = TypeVar("JudgedT_co", bound=Judged, covariant=True)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class JudgedMatching(DocumentMatching[JudgedT_co]):
    """Predicted items that are each right or wrong by themselves."""

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = silent) -> Evidence:
        """Give the document of some items, and what is wrong with them (``error``)."""
        found = super().evidence(side, rows, progress=progress)
        items = self.pred_items if side == "pred" else self.gold_items
        return replace(found, details={**found.details, "error": objects([items.error(row) for row in rows.tolist()])})


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TripleMatching(DocumentMatching[Triples]):
    """Triples that met within their pairs of documents; gold has one set a document."""

    comparison: Comparison

    def predicates(self, side: SideName) -> Numbers:
        """Return the number of the predicate of each triple as it was compared: synonyms have one."""
        return (self.comparison.pred if side == "pred" else self.comparison.gold)[:, PREDICATE]

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = silent) -> Evidence:
        """Look up the nearest triple of the same document, slot by slot, and name the kind of error.

        What is the same is what the score took for the same. The columns are ``document``; ``subject``, ``predicate`` and ``object``,
        each ``same`` or ``other`` beside the counterpart, None without one; and ``error``: None for a full hit, else ``missed``,
        ``invented``, ``wrong predicate``, ``swapped`` (subject and object), ``partial boundary`` (slots share words), ``wrong
        subject``, ``wrong object``, ``duplicate`` (another one has met its counterpart already), or ``not in the text`` (an invented
        triple whose subject or object does not stand in the text of its document).
        """
        found = super().evidence(side, rows, progress=progress)
        counterpart, similarity = found.counterpart.copy(), found.similarity.copy()
        open_ = np.flatnonzero(counterpart == NONE_MET)
        counterpart[open_] = self._nearest(side, rows[open_])
        beside = np.flatnonzero(counterpart != NONE_MET)
        left, right = _turned(side, rows[beside], counterpart[beside])
        unknown = np.isnan(similarity[beside])
        similarity[beside[unknown]] = self.comparison.nearness(left[unknown], right[unknown])[0]
        slots = self.comparison.slots(left, right)
        columns = {name: np.full(len(rows), None, dtype=np.object_) for name in (*SLOTS, "error")}
        for slot, name in enumerate(SLOTS):
            columns[name][beside] = np.where(slots.same[:, slot], SAME, OTHER)
        columns["error"][:] = FAILURES[side]
        doubled = self._side("gold" if side == "pred" else "pred").credit[counterpart[beside]] >= 1
        columns["error"][beside] = _errors(slots, doubled, side)
        columns["error"][self._side(side).credit[rows] >= 1] = None
        if side == "pred":
            self._look_into_texts(rows, columns["error"])
        return Evidence(counterpart=counterpart, similarity=similarity, details={**found.details, **columns})

    def _nearest(self, side: SideName, rows: Numbers) -> Numbers:
        """Find the most alike triple of the same document, as it is or with subject and object swapped; none if nothing is alike."""
        nearest = np.full(len(rows), NONE_MET, dtype=np.int64)
        mine, others = (self.pred_pairs, self.gold_pairs) if side == "pred" else (self.gold_pairs, self.pred_pairs)
        begins, counts = _blocks(others, len(self.pairs))
        begins, counts = begins[mine[rows]], counts[mine[rows]]
        for some in batches(counts, PAIRS_AT_ONCE):
            there = ranges(begins[some], counts[some])
            near = np.maximum(*self.comparison.nearness(*_turned(side, np.repeat(rows[some], counts[some]), there)))
            starts = np.cumsum(counts[some]) - counts[some]
            best = np.maximum.reduceat(near, starts)
            # Of equally near ones the first.
            at = np.flatnonzero(near == np.repeat(best, counts[some]))
            first = there[at[np.searchsorted(at, starts)]]
            nearest[some] = np.where(best > 0, first, NONE_MET)
        return nearest

    def _look_into_texts(self, rows: NDArray[np.int64], errors: NDArray[Any]) -> None:
        """Tell invented triples apart by whether the text speaks of their subject and object."""
        prepared: dict[int, str] = {}
        for place, row in enumerate(rows.tolist()):
            if errors[place] != FAILURES["pred"]:
                continue
            pair = int(self.pred_pairs[row])
            if pair not in prepared:
                prepared[pair] = plain(self._text(pair))
            slots = self.pred_items.slots(row)
            if prepared[pair] and not all(stands_exactly(slots[end], prepared[pair]) for end in (SUBJECT, OBJECT)):
                errors[place] = NOT_IN_TEXT

    def _text(self, pair: int) -> str:
        """Give the text of a pair of documents: that of gold, or else the one that comes with the prediction."""
        sides = (self.gold_items, self.pairs.gold[pair]), (self.pred_items, self.pairs.pred[pair])
        texts = (str(side.texts[document]) for side, document in sides if document != NONE_MET)
        return next(filter(None, texts), "")


def objects(values: Sequence[Any]) -> NDArray[Any]:
    """Lay values of any kind into a column."""
    column = np.empty(len(values), dtype=np.object_)
    column[:] = values
    return column


def _turned(side: SideName, rows: Numbers, others: Numbers) -> tuple[Numbers, Numbers]:
    """Put the rows of the prediction first."""
    return (rows, others) if side == "pred" else (others, rows)


def _blocks(pairs: Numbers, size: int) -> tuple[Numbers, Numbers]:
    """Find where the items of each pair begin, and how many there are; those of one pair are neighbours, in any order of pairs."""
    begins = np.zeros(size, dtype=np.int64)
    first = np.flatnonzero(np.diff(pairs, prepend=-1))
    begins[pairs[first]] = first
    return begins, np.bincount(pairs, minlength=size)


def _errors(slots: Slots, doubled: NDArray[np.bool_], side: SideName) -> NDArray[Any]:
    """Name the kind of error of triples next to their counterparts."""
    errors = np.full(len(doubled), FAILURES[side], dtype=np.object_)
    differing = (~slots.same).sum(axis=1)
    for slot, name in enumerate(SLOTS):
        errors[(differing == 1) & ~slots.same[:, slot]] = f"wrong {name}"
    errors[(differing > 0) & slots.shared] = "partial boundary"
    errors[(differing > 0) & slots.swapped] = "swapped"
    errors[doubled] = np.where(slots.shared[doubled], "duplicate", FAILURES[side])
    return errors
