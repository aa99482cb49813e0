r"""Names of a dictionary that a text writes in another way: inflected, in another order, with stop words, or with other numerals.

As in the normal forms of the UMLS, a name is the bag of the stems of its words without stop words. The hash of a bag is the sum of
the hashes of its words modulo :math:`2^{64}`, so that the bag of any run of words is a difference of two sums over a text. A run
has no symbol and no word that no name has. What sums of the plain words, of their numerals and of their stems say, and their
order, shows which ways were taken.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.texts.phrases import NONE, Hashes, Integers, Phrases, hash_ends
from goldassay.concepts.texts.words import LISTS

WAYS = ("inflection", "order", "stop-words", "numbers", "misspelling", "abbreviation")
"""The ways, by their bits."""
INFLECTION, ORDER, STOPS, NUMBERS, MISSPELLING, ABBREVIATION = (1 << at for at in range(len(WAYS)))
USUAL = WAYS[:4]
"""The ways that are taken if none is named."""
LONGEST = 8
"""Bags of more words are not looked for."""
MOST_SKIPPED = 3
"""So many stop words may be in a run."""
SHORTEST_STEM, SHORTEST_INFLECTED, SHORTEST_MISSPELT = 5, 7, 8
CONTENT, SKIPPED, BORDER = range(3)
NUMERALS = dict(pair.split("=") for pair in LISTS["numerals"])
ENDINGS = (("ically", "ic"), ("ally", "al"), ("ly", ""), ("ing", ""), ("ed", ""))


def bits_of(ways: Sequence[str]) -> int:
    """Return ways as one number."""
    return sum(1 << WAYS.index(way) for way in set(ways))


def names_of(ways: int) -> list[str]:
    """Return the names of ways."""
    return [name for at, name in enumerate(WAYS) if ways >> at & 1]


class Form(NamedTuple):
    """What is known of a folded word: the numbers of its plain form with Arabic numerals and of its stem, what it is in a run, and the stem."""

    plain: int
    stem: int
    kind: int
    text: str


def number(word: str) -> int:
    """Return the number of a folded word: a hash of 63 bits, at least 1, the same in every process."""
    return (
        int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little") >> 1
        or 1
    )


class Forms(dict[int, Form]):
    """The forms of words by the numbers of the words, of all that were numbered in this process."""

    def number(self, word: str) -> int:
        """Number a folded word, and remember its form."""
        made = number(word)
        if made not in self:
            plain = NUMERALS.get(word, word)
            text = stem(plain)
            kind = SKIPPED if word in LISTS["skipped"] else CONTENT if any(map(str.isalnum, word)) else BORDER
            self[made] = Form(number(plain) if plain != word else made, number(text), kind, text)
        return made

    def columns(self, numbers: Integers) -> Integers:
        """Return plain number, stem and kind of words, int64, shape (words, 3); unknown ones are borders."""
        known = [self.get(one, (one, one, BORDER))[:3] for one in numbers.tolist()]
        return np.array(known, dtype=np.int64).reshape(-1, 3)


FORMS = Forms()
ARRAYS = ("ordered", "plain", "arabic", "sizes", "stems", "spelt")
"""The arrays of `Variants`, besides its bags."""


def stem(word: str) -> str:
    """Cut the endings of adverbs, participles and gerunds of long words; the result is a key for comparison."""
    if len(word) >= SHORTEST_INFLECTED:
        for ending, kept in ENDINGS:
            if word.endswith(ending):
                word = word.removesuffix(ending) + kept
                doubled = word[-1] in word[-2:-1] and word[-1] not in "lse"
                return word[:-1] if doubled else word
    return word.removesuffix("e") if len(word) > SHORTEST_STEM else word


class Runs(NamedTuple):
    """Runs of words that are the names of a dictionary in another way."""

    first: Integers
    last: Integers
    rows: Integers
    ways: Integers


@dataclass(frozen=True, eq=False)
class Variants:
    """The bags of names."""

    bags: Phrases  # the hashes of the bags, and the row of a name for each
    ordered: Hashes  # the hash of the stems of each bag in the order of its name, uint64, shape (names,)
    plain: Hashes  # the sum of its words as they are, uint64, shape (names,)
    arabic: Hashes  # the sum of its words with Arabic numerals, uint64, shape (names,)
    sizes: Integers  # how many words it has, without and with stop words, int64, shape (names, 2)
    stems: Integers  # the stems of all names, sorted, int64
    spelt: NDArray[np.uint8]  # the stems that are long enough to be misspelt, each on a line

    @classmethod
    def of(cls, words: Integers, lengths: Integers, acronyms: NDArray[np.bool_]) -> Variants:
        """Gather the bags of names that are numbered by `FORMS`; of equal bags the first counts."""
        distinct, place = np.unique(words, return_inverse=True)
        table = FORMS.columns(distinct)
        plain, stems, kind = table[place].T
        owner, names = np.repeat(np.arange(len(lengths)), lengths), len(lengths)
        content = kind == CONTENT
        sizes = np.column_stack([np.bincount(owner[some], minlength=names) for some in (content, kind != BORDER)])
        kept = content & ((sizes[:, 0] <= LONGEST) & ~acronyms)[owner]
        counts = np.bincount(owner[kept], minlength=names)
        sums = [_sums_of(column[kept], counts) for column in (stems, words, plain)]
        used = sorted({FORMS[one].text for one in distinct.tolist() if len(FORMS[one].text) >= SHORTEST_MISSPELT})
        return cls(
            Phrases.of_hashes(sums[0][counts > 0], np.flatnonzero(counts)),
            hash_ends(stems[kept], counts),
            sums[1],
            sums[2],
            sizes,
            np.unique(stems[kept]),
            np.frombuffer("\n".join(used).encode("utf-8", "surrogatepass"), dtype=np.uint8),
        )

    def find(self, words: Integers, allowed: int) -> Runs:
        """List the runs of a text that are names in some allowed ways, of each number of words."""
        distinct, place = np.unique(words, return_inverse=True)
        table = FORMS.columns(distinct)
        known = (table[:, 2] == CONTENT) & np.isin(table[:, 1], self.stems)
        misspelt = np.zeros(len(distinct), dtype=np.int64)
        if allowed & MISSPELLING:
            for row in np.flatnonzero((table[:, 2] == CONTENT) & ~known).tolist():
                meant = self._correct(FORMS[int(distinct[row])].text)
                if meant is not None:
                    table[row, 1], known[row], misspelt[row] = meant, True, 1
        border = (table[:, 2] == BORDER) | ((table[:, 2] == CONTENT) & ~known)
        segment = np.cumsum(border[place])
        at = np.flatnonzero(known[place])
        inside = place[at]
        every = np.column_stack([table[inside, 1], distinct[inside], table[inside, 0], misspelt[inside]]).astype(
            np.uint64
        )
        sums = np.vstack([np.zeros((1, 4), dtype=np.uint64), np.cumsum(every, axis=0, dtype=np.uint64)])
        found = [Runs(*[np.zeros(0, dtype=np.int64)] * 4)]
        for size in range(1, min(LONGEST, len(at)) + 1):
            first = np.arange(len(at) - size + 1)
            first = first[
                (segment[at[first]] == segment[at[first + size - 1]])
                & (at[first + size - 1] - at[first] < size + MOST_SKIPPED)
            ]
            rows = self.bags.look_up(sums[first + size, 0] - sums[first, 0])
            first, rows = first[rows != NONE], rows[rows != NONE]
            if len(first):
                last = first + size - 1
                ways = self._ways(
                    rows,
                    every[first[:, None] + np.arange(size), 0],
                    sums[last + 1] - sums[first],
                    at[last] - at[first] + 1,
                )
                fits = (ways & ~allowed == 0) & (ways > 0)
                found.append(Runs(at[first[fits]], at[last[fits]], rows[fits], ways[fits]))
        return Runs(*map(np.concatenate, zip(*found, strict=True)))

    def _ways(self, rows: Integers, stems: Hashes, sums: Hashes, lengths: Integers) -> Integers:
        """Return in which ways runs differ from their names."""
        numerals = sums[:, 2] - sums[:, 1] != self.arabic[rows] - self.plain[rows]
        inflected = sums[:, 2] != self.arabic[rows]
        size = np.full(len(rows), stems.shape[1])
        order = hash_ends(stems.ravel().astype(np.int64), size) != self.ordered[rows]
        stops = (lengths != size) | (self.sizes[rows, 0] != self.sizes[rows, 1])
        misspelt = sums[:, 3] > 0
        ways = MISSPELLING * misspelt + (INFLECTION * inflected + NUMBERS * numerals) * ~misspelt
        both: Integers = ways + ORDER * order + STOPS * stops
        return both

    def _correct(self, text: str) -> int | None:
        """Return the stem that a long word is one edit away from: the first in the alphabet; None if there is none."""
        if len(text) < SHORTEST_MISSPELT:
            return None
        near = min(
            (one for key in _deletions(text) for one in self._spelt.get(key, ()) if _is_one_edit(text, one)),
            default=None,
        )
        return None if near is None else number(near)

    @cached_property
    def _spelt(self) -> dict[str, list[str]]:
        """The long stems by what is left of them without one letter."""
        found: dict[str, list[str]] = {}
        for one in self.spelt.tobytes().decode("utf-8", "surrogatepass").split("\n"):
            for key in _deletions(one):
                found.setdefault(key, []).append(one)
        return found


def _deletions(word: str) -> Sequence[str]:
    return [word, *(word[:at] + word[at + 1 :] for at in range(len(word)))]


def _is_one_edit(one: str, other: str) -> bool:
    """Return whether a letter is added, left out, replaced or swapped with the next."""
    from rapidfuzz.distance import OSA

    return bool(OSA.distance(one, other, score_cutoff=1) <= 1)


def _sums_of(words: Integers, counts: Integers) -> Hashes:
    """Sum the numbers of the words of each name."""
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(words.astype(np.uint64), dtype=np.uint64)])
    ends = np.cumsum(counts)
    made: Hashes = sums[ends] - sums[ends - counts]
    return made
