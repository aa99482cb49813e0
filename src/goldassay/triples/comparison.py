"""How slots are compared: one object decides which triples match, and what their evidence shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core import intern
from goldassay.core.context import FloatMatrix
from goldassay.core.counts import FloatArray
from goldassay.kernels.ragged import run_heads
from goldassay.triples.model import OBJECT, PREDICATE, SLOTS, SUBJECT, Numbers, TripleSet
from goldassay.triples.words import overlap

Alike: TypeAlias = Callable[[Numbers, Numbers], FloatArray]
"""Takes the numbers of names of both sides, and returns their similarities."""
Flags: TypeAlias = NDArray[np.bool_]
SWAPPED = [OBJECT, PREDICATE, SUBJECT]
EQUAL = 1.0
OPPOSITE = -1.0
"""What no threshold lets pass."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Names:
    """The names of both sides, numbered alike."""

    texts: list[str]
    pred: Numbers  # the number of each key
    gold: Numbers


def number_names(*, pred: TripleSet, gold: TripleSet) -> Names:
    """Number the names of both sides alike."""
    texts, (here, there) = intern.number_columns(pred.keys, gold.keys)
    return Names(texts=list(texts), pred=here.astype(np.int64), gold=there.astype(np.int64))


@dataclass(frozen=True, eq=False)
class ByWords:
    """Compares names by the F1 of their words."""

    texts: list[str]

    def __call__(self, left: Numbers, right: Numbers) -> FloatArray:
        """Return the similarity of each pair of names."""
        size = len(self.texts)
        codes, place = np.unique(left * size + right, return_inverse=True)
        found = [overlap(self.texts[code // size], self.texts[code % size]) for code in codes.tolist()]
        return np.array(found, dtype=np.float64)[place]


@dataclass(frozen=True, eq=False)
class ByMeaning:
    """Compares names by the cosine of their vectors."""

    vectors: FloatMatrix
    rows: Numbers

    def __call__(self, left: Numbers, right: Numbers) -> FloatArray:
        """Return the similarity of each pair of names."""
        found = np.einsum("ij,ij->i", self.vectors[self.rows[left]], self.vectors[self.rows[right]])
        return np.asarray(found, dtype=np.float64)


class Slots(NamedTuple):
    """What is the same in pairs of triples.

    Attributes:
        same: Whether each slot matches, bool, shape (pairs, 3).
        swapped: Whether all slots match once subject and object of one triple change places, bool, shape (pairs,).
        shared: Whether each slot matches or shares a word, bool, shape (pairs,).
    """

    same: Flags
    swapped: Flags
    shared: Flags


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """Compares predicted triples with gold ones."""

    texts: list[str]  # the names of both sides, by number
    pred: Numbers  # numbers of names, of which synonyms have one, shape (pred, 3)
    gold: Numbers
    symmetric: Numbers = field(
        default_factory=lambda: np.zeros(0, dtype=np.int64)
    )  # predicates whose subject and object may change places
    alike: Alike | None = None  # compares different names; None where only equal ones match
    threshold: float | None = None  # what matching slots exceed; None where they are equal
    exact_relation: bool = False
    anchored: Numbers | None = None  # the document of each gold triple, if a name only matches the nearest name there
    merged: bool = False  # whether synonyms have one number
    mean: bool = False  # whether the credit is the mean of the slots, and not 1 where all match

    @classmethod
    def of_names(cls, *, pred: TripleSet, gold: TripleSet) -> Comparison:
        """Compare names as they are: two slots match if they are equal."""
        names = number_names(pred=pred, gold=gold)
        # The names of the prediction are numbered first, in their order.
        return cls(texts=names.texts, pred=pred.rows, gold=names.gold[gold.rows])

    def likeness(self, left: Numbers, right: Numbers) -> tuple[FloatArray, FloatArray]:
        """Return credit and similarity of pairs of triples; where names are anchored, of each triple with all of a document."""
        if self.anchored is not None:
            return self._anchored(left, right, self.anchored[right])
        here, there = self.pred[left], self.gold[right]
        credit, similarity = self._compare_sides(here, there)
        both_ways = np.flatnonzero(self._either_way(here, there))
        if len(both_ways):
            other = self._compare_sides(here[both_ways], there[both_ways][:, SWAPPED])
            kept = other[1] > similarity[both_ways]
            better = both_ways[kept]
            credit[better], similarity[better] = other[0][kept], other[1][kept]
        return credit, similarity

    def _anchored(self, left: Numbers, right: Numbers, document: Numbers) -> tuple[FloatArray, FloatArray]:
        """Match names with the nearest names of a document: entities with its entities, predicates with its predicates."""
        here, there = self.pred[left], self.gold[right]
        begins = run_heads(left, document)
        starts, group = np.flatnonzero(begins), np.cumsum(begins) - 1
        passed, least = [], []
        for ends in ((SUBJECT, PREDICATE, OBJECT), SWAPPED):
            flags, lowest = np.ones(len(left), dtype=np.bool_), np.full(len(left), EQUAL)
            for slot, end in enumerate(ends):
                # An equal name wins over one whose vector is equal.
                found = {
                    other: self._slot(here[:, slot], there[:, other], slot) + (here[:, slot] == there[:, other])
                    for other in ({PREDICATE} if slot == PREDICATE else {SUBJECT, OBJECT})
                }
                best = np.maximum.reduceat(np.maximum.reduce([*found.values()]), starts)[group] if len(left) else lowest
                flags &= (found[end] == best) & self._find_passed(found[end])
                lowest = np.minimum(lowest, found[end])
            passed.append(flags)
            least.append(lowest)
        crossed = self._either_way(here, there) & (passed[1] > passed[0])
        return np.where(crossed, passed[1], passed[0]).astype(np.float64), np.where(crossed, least[1], least[0])

    def slots(self, left: Numbers, right: Numbers) -> Slots:
        """Return which slots of pairs of triples match; of symmetric predicates in the order that matches better."""
        here, there = self.pred[left], self.gold[right]
        straight, crossed = (self._find_passed(self._all_slots(here, some)) for some in (there, there[:, SWAPPED]))
        better = self._either_way(here, there) & (crossed.sum(axis=1) > straight.sum(axis=1))
        same = np.where(better[:, None], crossed, straight)
        shared = same | (self._words(here, there) > 0)
        swapped, some = (np.asarray(column.all(axis=1)) for column in (crossed, shared))
        return Slots(same, swapped, some)

    def _either_way(self, here: Numbers, there: Numbers) -> Flags:
        """Return of which pairs one of the predicates is symmetric, so that the ends of its triple may change places."""
        return np.isin(here[:, PREDICATE], self.symmetric) | np.isin(there[:, PREDICATE], self.symmetric)

    def nearness(self, left: Numbers, right: Numbers) -> tuple[FloatArray, FloatArray]:
        """Return how near pairs of triples are: the mean over slots, 1 for a slot that matches, else the F1 of its words."""
        here, there = self.pred[left], self.gold[right]
        straight, crossed = (self._near(here, some) for some in (there, there[:, SWAPPED]))
        return straight, crossed

    def _near(self, here: Numbers, there: Numbers) -> FloatArray:
        words = self._words(here, there)
        if self.alike is not None:
            words = np.where(self._find_passed(self._all_slots(here, there)), EQUAL, words)
        return (words[:, SUBJECT] + words[:, PREDICATE] + words[:, OBJECT]) / len(SLOTS)

    def _words(self, here: Numbers, there: Numbers) -> FloatArray:
        return ByWords(self.texts)(here.ravel(), there.ravel()).reshape(here.shape)

    def _all_slots(self, here: Numbers, there: Numbers, apart: float = OPPOSITE) -> FloatArray:
        return np.stack([self._slot(here[:, slot], there[:, slot], slot, apart) for slot in range(len(SLOTS))], axis=1)

    def _slot(self, left: Numbers, right: Numbers, slot: int, apart: float = OPPOSITE) -> FloatArray:
        equal = left == right
        found: FloatArray = np.where(equal, EQUAL, apart)
        if self.alike is not None and not (slot == PREDICATE and self.exact_relation):
            found[~equal] = self.alike(left[~equal], right[~equal])
        return found

    def _compare_sides(self, here: Numbers, there: Numbers) -> tuple[FloatArray, FloatArray]:
        if self.mean:
            slots = self._all_slots(here, there, apart=0.0)
            mean = (slots[:, SUBJECT] + slots[:, PREDICATE] + slots[:, OBJECT]) / len(SLOTS)
            return mean, mean
        least = self._slot(here[:, PREDICATE], there[:, PREDICATE], PREDICATE)
        for slot in (SUBJECT, OBJECT):
            # What one slot keeps apart, no other slot brings together.
            near = np.flatnonzero(self._find_passed(least))
            least[near] = np.minimum(least[near], self._slot(here[near, slot], there[near, slot], slot))
        return self._find_passed(least).astype(np.float64), least

    def _find_passed(self, similarity: FloatArray) -> Flags:
        return similarity == EQUAL if self.threshold is None else similarity > self.threshold
