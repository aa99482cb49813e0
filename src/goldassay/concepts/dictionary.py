"""A dictionary of concepts: their names found in texts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from os import PathLike
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.fold import Numbering, fold, is_acronym, pieces_of
from goldassay.concepts.model import Found
from goldassay.concepts.names import Name, read_names
from goldassay.concepts.stop_words import STOP_WORDS
from goldassay.core.errors import InputError, require
from goldassay.core.limits import PAIRS
from goldassay.formats.records import BadRecords

BATCH = 2**18
"""Names that are processed together: nested names can outnumber words by far."""
NAMES_A_WORD = 8
"""The usual maximum number of names that end at a word, on average over a text."""
BASE = 64
FIRST_DIGIT = 32


class Dictionary:
    """Finds the names of concepts in texts: the longest name at each place, from left to right, whole words only.

    Case and plurals are folded. A name of two to four capitals (``ALL``) is found only in capitals.

    Attributes:
        choice: Its entry in the signature: the digest of its names.
        notes: Notes for the user.

    Args:
        names: The names of the concepts.
        left_out: What was left out before, counted by reason.
        notes: Further notes for the user on the source of the names.
        kinds: Semantic types of concepts by id, separated by commas.

    Raises:
        InputError: If there is no name that can be searched for.
        MissingDependencyError: If pyahocorasick is not installed.

    Example:
        >>> dictionary = Dictionary([Name(0, "D:1", "heart attack"), Name(1, "D:1", "MI"), Name(0, "D:2", "heart")])
        >>> [found.id for found in dictionary.find("Heart attacks hurt the heart; MI too, as in mi.")]
        ['D:1', 'D:2', 'D:1']
    """

    def __init__(
        self,
        names: Iterable[Name],
        left_out: Mapping[str, int] = MappingProxyType({}),
        notes: tuple[str, ...] = (),
        *,
        kinds: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        chosen = sorted(names)
        labels: dict[str, str] = {}
        for name in chosen:
            labels.setdefault(name.concept, name.text)
        vocabulary: dict[str, int] = {}
        owners: dict[tuple[int, ...], tuple[str, bool]] = {}
        ambiguous = unsearchable = 0
        for name in chosen:
            pieces = pieces_of(name.text)
            if not _searchable(pieces):
                unsearchable += 1
                continue
            key = tuple(vocabulary.setdefault(fold(piece), len(vocabulary) + 1) for piece in pieces)
            owner, _ = owners.setdefault(key, (name.concept, len(pieces) == 1 and is_acronym(pieces[0])))
            ambiguous += owner != name.concept
        if not owners:
            raise InputError(
                "The dictionary contains no name to search for.", expected="labels or synonyms of concepts"
            )
        self._numbering = Numbering(vocabulary.get)
        self._code = Code.for_words(len(vocabulary))
        self._lengths = np.array([len(key) for key in owners], dtype=np.int64)
        self._acronyms = np.array([acronym for _, acronym in owners.values()], dtype=np.bool_)
        self._ids = np.array([concept for concept, _ in owners.values()], dtype=np.object_)
        self._labels = np.array([labels[concept] for concept, _ in owners.values()], dtype=np.object_)
        self._kinds = np.array([kinds.get(concept, "") for concept, _ in owners.values()], dtype=np.object_)
        self._automaton = _automaton()
        for row, key in enumerate(owners):
            self._automaton.add_word(self._code.write(np.array(key)), row)
        self._automaton.make_automaton()
        self.choice = f"dictionary:sha256-{_digest(chosen)}"
        skipped = {"names_of_stop_words_alone": unsearchable} if unsearchable else {}
        self.notes = (_note(len(labels), len(owners), ambiguous, {**left_out, **skipped}), *notes)

    def find(self, text: str) -> list[Found]:
        """Find the names of concepts in a text, in its order.

        Args:
            text: The text.
        """
        numbers, spans = self._numbering.words(text)
        first, last, rows = self._longest(numbers)
        starts, ends = spans[first, 0], spans[last, 1]
        wanted = np.ones(len(rows), dtype=np.bool_)
        for place in np.flatnonzero(self._acronyms[rows]).tolist():
            wanted[place] = text[starts[place] : ends[place]].isupper()
        ids, names, kinds = (column[rows[wanted]].tolist() for column in (self._ids, self._labels, self._kinds))
        places = zip(ids, names, ids, starts[wanted].tolist(), ends[wanted].tolist(), kinds, strict=True)
        return [Found(*place[:5], kinds=place[5]) for place in places]

    def find_all(self, texts: Iterable[str]) -> Iterator[list[Found]]:
        """Find the names of concepts in many texts."""
        return map(self.find, texts)

    def _longest(self, words: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
        """Choose among all names that occur: first word, last word, and the row of each name."""
        # The automaton's own search for the longest names misses some (iter_long in pyahocorasick 2.3.1).
        hits = self._automaton.iter(self._code.write(words))
        parts, number = [np.zeros((0, 3), dtype=np.int64)], 0
        while batch := list(islice(hits, BATCH)):
            number += len(batch)
            if number > NAMES_A_WORD * len(words):
                PAIRS.check(number, "The names of the dictionary are nested too often in one text.")
            ends, rows = np.array(batch, dtype=np.int64).T
            last = ends // self._code.digits
            parts.append(_longest_at_each_start(np.column_stack([last - self._lengths[rows] + 1, last, rows])))
        first, last, row = _longest_at_each_start(np.concatenate(parts)).T
        chosen, free = [], 0
        for place, (start, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            if start >= free:
                chosen.append(place)
                free = end + 1
        return first[chosen], last[chosen], row[chosen]


@dataclass(frozen=True)
class Code:
    """Writes numbers of words as text, each in a fixed number of digits, so that an automaton over characters can read them.

    A node of the automaton searches its children one by one, of which there would be as many as words. The digits of
    each place are characters of their own, so that nothing matches across words.

    Attributes:
        digits: How many characters a word has.

    Example:
        >>> Code.for_words(100_000).digits, len(Code(digits=3).write(np.array([1, 2])))
        (3, 6)
    """

    digits: int

    @classmethod
    def for_words(cls, number: int) -> Code:
        """Make the shortest code for numbers up to a maximum."""
        digits = 1
        while BASE**digits <= number:
            digits += 1
        return cls(digits)

    def write(self, words: NDArray[np.int64]) -> str:
        """Write the numbers of words, int64, shape (words,)."""
        places = np.arange(self.digits)
        digits = words[:, None] // BASE**places % BASE + FIRST_DIGIT + BASE * places
        return digits.astype("<u4").tobytes().decode("utf-32-le")


def read_dictionary(
    path: str | PathLike[str], *, language: str = "en", bad: BadRecords | None = None, names: Sequence[str] = ()
) -> Dictionary:
    """Read a dictionary from an ontology, a terminology or a table; see `goldassay.concepts.names.read_names`.

    Args:
        path: The file, gzipped or not, or a folder of the UMLS.
        language: The preferred language.
        bad: Receives the bad records.
        names: More predicates that name concepts, as IRIs or as the last parts of IRIs.

    Returns:
        The dictionary.

    Raises:
        InputError: If the file cannot be read, is no dictionary, or has no name.
        MissingDependencyError: If pyahocorasick is not installed, or what the format needs.
    """
    bad = bad or BadRecords()
    _automaton()  # Report a missing package before reading for minutes.
    gathered = read_names(path, language=language, bad=bad, predicates=names)
    try:
        return Dictionary(
            gathered.names, gathered.left_out, tuple(f"{path}: {note}" for note in bad.notes()), kinds=gathered.kinds
        )
    except InputError as error:
        error.path = str(path)
        raise


def _longest_at_each_start(names: NDArray[np.int64]) -> NDArray[np.int64]:
    """Keep the longest of the names that begin at one word; rows of first word, last word and name, sorted by the first."""
    names = names[np.lexsort((-names[:, 1], names[:, 0]))]
    return names[np.flatnonzero(np.diff(names[:, 0], prepend=-1))]


def _automaton() -> Any:
    package = require("ahocorasick", extra="text", purpose="search texts for the names of a dictionary")
    return package.Automaton(package.STORE_INTS)


def _searchable(pieces: list[str]) -> bool:
    """Return whether a name can be distinguished from the words between concepts."""
    if len(pieces) == 1 and is_acronym(pieces[0]):
        return True
    words = [piece for piece in pieces if any(character.isalnum() for character in piece)]
    # One letter or digit of an alphabet is not a name; one character of an unspaced script may be.
    told = (fold(word) not in STOP_WORDS and (len(word) > 1 or word > "\u0dff") for word in words)
    return any(told)


def _digest(names: Iterable[Name]) -> str:
    lines = "\n".join(f"{name.rank}\t{name.concept}\t{name.text}" for name in names)
    return hashlib.sha256(lines.encode()).hexdigest()[:8]


def _note(concepts: int, names: int, ambiguous: int, left_out: Mapping[str, int]) -> str:
    counted = [f"{concepts:,} concepts with {names:,} names"]
    if ambiguous:
        counted.append(f"{ambiguous:,} names of several concepts, each used for the one that has it as its label")
    if left_out:
        reasons = ", ".join(f"{reason.replace('_', ' ')} ({count:,})" for reason, count in left_out.items())
        counted.append(f"left out: {reasons}")
    return f"the dictionary has {'; '.join(counted)}"
