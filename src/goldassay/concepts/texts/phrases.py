r"""Known sequences of words, found in longer ones by the hashes of their beginnings.

The hash of words :math:`w_0 \dots w_{k-1}` is :math:`\sum_i w_i B^i` modulo :math:`2^{64}`, so that the hash of any part of a text is
a difference of two sums over it, times a power of the inverse of the odd number B. The hashes of all beginnings of all
sequences are sorted; a place of a text is followed as long as what begins there is one of them. With n beginnings and m
looked up, hashes of different words coincide with a probability of about n m / 2^64: 10^-6 for 30 million
beginnings and a million words.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.core.limits import PAIRS

BASE = np.uint64(0x9E3779B97F4A7C15)
INVERSE = np.uint64(pow(int(BASE), -1, 2**64))
NONE = -1
LOOKED_UP_A_WORD = 8
"""The usual maximum number of beginnings looked up for a word, on average over a text."""

Hashes = NDArray[np.uint64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Phrases:
    """Sequences of words, and where each is found."""

    beginnings: Hashes  # the hashes of all beginnings, sorted, uint64, shape (beginnings,)
    rows: Integers  # the row of the sequence that ends there, -1 for none, int64, shape (beginnings,)
    # from which beginning on the first bits of a hash are at least so much, int64, shape (2^bits + 1,)
    buckets: Integers

    @classmethod
    def of(cls, words: Integers, lengths: Integers) -> Phrases:
        """Gather sequences; of equal ones the first counts."""
        hashes = _hashes(words, lengths)
        return cls.of_hashes(hashes[np.cumsum(lengths) - 1], np.arange(len(lengths)), hashes)

    @classmethod
    def of_hashes(cls, hashes: Hashes, known: Integers, others: Hashes | None = None) -> Phrases:
        """Gather hashes with a row each, of equal ones the first, and others without."""
        beginnings, first = np.unique(hashes, return_index=True)
        every = beginnings if others is None else np.unique(others)
        rows = np.full(len(every), NONE, dtype=np.int64)
        rows[np.searchsorted(every, beginnings)] = known[first]
        bits = max(1, len(every).bit_length())
        borders = np.arange(2**bits, dtype=np.uint64) << np.uint64(64 - bits)
        return cls(every, rows, np.append(np.searchsorted(every, borders), len(every)))

    def owners(self, words: Integers, lengths: Integers) -> Integers:
        """Return the row of the first equal sequence of each sequence that was gathered."""
        return self.look_up(_hashes(words, lengths)[np.cumsum(lengths) - 1])

    def look_up(self, hashes: Hashes) -> Integers:
        """Return the row of each hash; -1 for those that are not there."""
        found = self._look_up(hashes)
        return np.where(found == NONE, NONE, self.rows[found] if len(self.rows) else NONE)

    def longest(self, words: Integers) -> tuple[Integers, Integers, Integers]:
        """Find sequences in a text, the longest at each place, from left to right, none over another."""
        return choose_longest(*self.longest_at(words))

    def longest_at(self, words: Integers) -> tuple[Integers, Integers]:
        """Return the row of the longest sequence at each place of a text, -1 for none, and where it ends."""
        size = len(words)
        unsigned = words.astype(np.uint64)
        sums = np.concatenate(
            [np.zeros(1, dtype=np.uint64), np.cumsum(unsigned * _powers(BASE, size), dtype=np.uint64)]
        )
        inverses = _powers(INVERSE, size)
        row, last = np.full(size, NONE, dtype=np.int64), np.zeros(size, dtype=np.int64)
        places, length, followed = np.arange(size), 1, 0
        while len(places):
            followed += len(places)
            if followed > LOOKED_UP_A_WORD * size:
                PAIRS.check(followed, "The names of the dictionary are nested too often in one text.")
            found = self._look_up((sums[places + length] - sums[places]) * inverses[places])
            places = places[found != NONE]
            rows = self.rows[found[found != NONE]]
            ended = rows != NONE
            row[places[ended]], last[places[ended]] = rows[ended], places[ended] + length - 1
            length += 1
            places = places[places + length <= size]
        return row, last

    def _look_up(self, hashes: Hashes) -> Integers:
        """Find hashes among the beginnings; -1 for those that are not there."""
        bits = len(self.buckets).bit_length() - 1
        bucket = (hashes >> np.uint64(64 - bits)).astype(np.int64)
        at, stop = self.buckets[bucket], self.buckets[bucket + 1]
        found = np.full(len(hashes), NONE, dtype=np.int64)
        left = np.flatnonzero(at < stop)
        while len(left):
            here = at[left]
            matched = self.beginnings[here] == hashes[left]
            found[left[matched]] = here[matched]
            at[left] += 1
            left = left[~matched & (at[left] < stop[left])]
        return found


def choose_longest(row: Integers, last: Integers) -> tuple[Integers, Integers, Integers]:
    """Choose from left to right among the longest sequences at each place."""
    first = np.flatnonzero(row != NONE)
    chosen, free = [], 0
    for start, end in zip(first.tolist(), last[first].tolist(), strict=True):
        if start >= free:
            chosen.append(start)
            free = end + 1
    places = np.array(chosen, dtype=np.int64)
    return places, last[places], row[places]


def hash_ends(words: Integers, lengths: Integers) -> Hashes:
    """Hash whole sequences; the hash of an empty one is any number."""
    hashes: Hashes = np.append(_hashes(words, lengths), np.uint64(0))[np.cumsum(lengths) - 1]
    return hashes


def _hashes(words: Integers, lengths: Integers) -> Hashes:
    """Hash all beginnings of sequences, in their order."""
    starts = np.cumsum(lengths) - lengths
    within = np.arange(len(words)) - np.repeat(starts, lengths)
    powers = _powers(BASE, int(lengths.max(initial=0)))
    sums = np.cumsum(words.astype(np.uint64) * powers[within], dtype=np.uint64)
    before = np.concatenate([np.zeros(1, dtype=np.uint64), sums])[starts]
    hashes: Hashes = sums - np.repeat(before, lengths)
    return hashes


def _powers(base: np.uint64, number: int) -> Hashes:
    powers = np.full(number, base, dtype=np.uint64)
    powers[:1] = 1
    powered: Hashes = np.multiply.accumulate(powers)
    return powered
