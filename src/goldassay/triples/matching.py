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
from goldassay.triples.grounds import plain, stands_exactly
from goldassay.triples.model import OBJECT, PREDICATE, SLOTS, SUBJECT, Numbers, Triples
from goldassay.triples.words import overlap

SAME, OTHER = "same", "other"
NOT_IN_TEXT = "not in the text"
Sides: TypeAlias = tuple[Side, Side]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DocumentMatching(Matching[ItemsT_co]):
    """Items that met within their pairs of documents.

    Attributes:
        pairs: Which documents were compared.
        pred_pairs: The pair that each predicted item is in, int64, shape (pred,).
        gold_pairs: The pair that each gold item is in, int64, shape (gold,).
    """

    pairs: DocumentPairs
    pred_pairs: Numbers
    gold_pairs: Numbers

    @classmethod
    def of(cls, sides: Sides, *, items: tuple[Any, Any], places: tuple[Numbers, Numbers], pairs: DocumentPairs) -> Self:
        """Put what met beside the items of both sides, and the pairs that these are in."""
        return cls(
            pred=sides[0],
            gold=sides[1],
            pred_items=items[0],
            gold_items=items[1],
            pairs=pairs,
            pred_pairs=places[0],
            gold_pairs=places[1],
        )

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

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = silent) -> Evidence:
        """Look up the nearest triple of the same document, slot by slot, and name the kind of error.

        The columns are ``document``; ``subject``, ``predicate`` and ``object``, each ``same`` or ``other`` beside the
        counterpart, None without one; and ``error``: None for a full hit, else ``missed``, ``invented``, ``wrong
        predicate``, ``swapped`` (subject and object), ``partial boundary`` (slots share words), ``wrong subject``,
        ``wrong object``, ``duplicate`` (another one has met its counterpart already), or ``not in the text`` (an invented
        triple whose subject or object does not stand in the text of its document).
        """
        found = super().evidence(side, rows, progress=progress)
        here, there = (self.pred_items, self.gold_items) if side == "pred" else (self.gold_items, self.pred_items)
        credit = self._side(side).credit[rows]
        others = _by_pair(self.gold_pairs if side == "pred" else self.pred_pairs)
        others_credit = self._side("gold" if side == "pred" else "pred").credit
        places = self.pred_pairs if side == "pred" else self.gold_pairs
        counterpart, similarity = found.counterpart.copy(), found.similarity.copy()
        columns: dict[str, list[str | None]] = {name: [] for name in (*SLOTS, "error")}
        for place, row in enumerate(rows.tolist()):
            slots = _names(here, row)
            if counterpart[place] == NONE_MET:
                counterpart[place], similarity[place] = _nearest(slots, others.get(int(places[row]), ()), there)
            met = int(counterpart[place])
            beside = None if met == NONE_MET else _names(there, met)
            if beside is not None and np.isnan(similarity[place]):
                similarity[place] = likeness(slots, beside)
            for slot, name in enumerate(SLOTS):
                columns[name].append(None if beside is None else SAME if slots[slot] == beside[slot] else OTHER)
            columns["error"].append(
                None
                if credit[place] >= 1
                else _error(slots, beside, side, doubled=met != NONE_MET and others_credit[met] >= 1)
            )
        if side == "pred":
            self._look_into_texts(rows, columns["error"])
        details = {**found.details, **{name: objects(column) for name, column in columns.items()}}
        return Evidence(counterpart=counterpart, similarity=similarity, details=details)

    def _look_into_texts(self, rows: NDArray[np.int64], errors: list[str | None]) -> None:
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


def _names(triples: Triples, row: int) -> tuple[str, str, str]:
    subject, predicate, thing = (str(triples.keys[key]) for key in triples.rows[row])
    return subject, predicate, thing


def _by_pair(pairs: Numbers) -> dict[int, range]:
    """List the items of each pair; items stand in the order of their documents, which need not be that of the pairs."""
    ends = np.flatnonzero(np.diff(pairs, prepend=-1, append=-1))
    return {
        int(pairs[start]): range(start, end) for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    }


def likeness(here: Sequence[str], there: Sequence[str]) -> float:
    """Say how alike two triples are: the mean of the word overlap (F1) of their slots.

    Example:
        >>> likeness(("Oslo", "capital of", "Norway"), ("Oslo", "capital", "Norway"))
        0.8888888888888888
    """
    return sum(overlap(one, other) for one, other in zip(here, there, strict=True)) / len(SLOTS)


def _nearest(slots: tuple[str, str, str], rows: Sequence[int], there: Triples) -> tuple[int, float]:
    """Find the most alike triple, as it stands or with subject and object swapped; none if nothing is alike."""
    best, nearest = 0.0, NONE_MET
    swapped = (slots[OBJECT], slots[PREDICATE], slots[SUBJECT])
    for row in rows:
        other = _names(there, row)
        found = max(likeness(slots, other), likeness(swapped, other))
        if found > best:
            best, nearest = found, row
    return nearest, (likeness(slots, _names(there, nearest)) if nearest != NONE_MET else float("nan"))


def _error(slots: tuple[str, str, str], beside: tuple[str, str, str] | None, side: SideName, *, doubled: bool) -> str:
    """Name the kind of error of a triple beside its counterpart."""
    if beside is None:
        return FAILURES[side]
    if doubled:
        return "duplicate" if _boundaries(slots, beside) else FAILURES[side]
    differing = [slot for slot in range(len(SLOTS)) if slots[slot] != beside[slot]]
    if slots == (beside[OBJECT], beside[PREDICATE], beside[SUBJECT]) and differing:
        return "swapped"
    if differing and _boundaries(slots, beside):
        return "partial boundary"
    if len(differing) == 1:
        return f"wrong {SLOTS[differing[0]]}"
    return FAILURES[side]


def _boundaries(slots: Sequence[str], beside: Sequence[str]) -> bool:
    """Say whether all slots share words."""
    return all(overlap(one, other) > 0 for one, other in zip(slots, beside, strict=True))
