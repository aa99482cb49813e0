"""A dictionary of concepts: their names found in texts."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from os import PathLike
from types import MappingProxyType

import numpy as np

from goldassay.concepts.fold import Numbering, fold, is_acronym, pieces_of
from goldassay.concepts.model import Found
from goldassay.concepts.names import Name, read_names
from goldassay.concepts.phrases import Phrases
from goldassay.concepts.stop_words import STOP_WORDS
from goldassay.core.errors import InputError
from goldassay.formats.records import BadRecords


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
        words, lengths, acronyms, kept = array("q"), array("q"), bytearray(), []
        for name in chosen:
            labels.setdefault(name.concept, name.text)
            pieces = pieces_of(name.text)
            if _searchable(pieces):
                words.extend(_numbering()[piece] for piece in pieces)
                lengths.append(len(pieces))
                acronyms.append(len(pieces) == 1 and is_acronym(pieces[0]))
                kept.append(name.concept)
        if not kept:
            raise InputError(
                "The dictionary contains no name to search for.", expected="labels or synonyms of concepts"
            )
        self._phrases = Phrases.of(np.array(words, dtype=np.int64), np.array(lengths, dtype=np.int64))
        self._acronyms = np.frombuffer(bytes(acronyms), dtype=np.bool_)
        self._ids = np.array(kept, dtype=np.object_)
        self._labels, self._kinds = labels, kinds
        self.choice = f"dictionary:sha256-{_digest(chosen)}"
        owners = self._phrases.rows[self._phrases.rows >= 0]
        unsearchable = len(chosen) - len(kept)
        skipped = {"names_of_stop_words_alone": unsearchable} if unsearchable else {}
        ambiguous = self._ambiguous(words, lengths)
        self.notes = (_note(len(labels), len(owners), ambiguous, {**left_out, **skipped}), *notes)

    def find(self, text: str) -> list[Found]:
        """Find the names of concepts in a text, in its order.

        Args:
            text: The text.
        """
        numbers, spans = _numbering().words(text)
        first, last, rows = self._phrases.longest(numbers)
        starts, ends = spans[first, 0], spans[last, 1]
        wanted = np.ones(len(rows), dtype=np.bool_)
        for place in np.flatnonzero(self._acronyms[rows]).tolist():
            wanted[place] = text[starts[place] : ends[place]].isupper()
        places = zip(self._ids[rows[wanted]].tolist(), starts[wanted].tolist(), ends[wanted].tolist(), strict=True)
        return [
            Found(one, self._labels[one], one, start, end, kinds=self._kinds.get(one, "")) for one, start, end in places
        ]

    def find_all(self, texts: Iterable[str]) -> Iterator[list[Found]]:
        """Find the names of concepts in many texts."""
        return map(self.find, texts)

    def _ambiguous(self, words: array[int], lengths: array[int]) -> int:
        """Count the names that another concept has too, and owns."""
        owner = self._phrases.owners(np.array(words, dtype=np.int64), np.array(lengths, dtype=np.int64))
        return int((self._ids[owner] != self._ids).sum())


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
        MissingDependencyError: If what the format needs is not installed.
    """
    bad = bad or BadRecords()
    gathered = read_names(path, language=language, bad=bad, predicates=names)
    try:
        return Dictionary(
            gathered.names, gathered.left_out, tuple(f"{path}: {note}" for note in bad.notes()), kinds=gathered.kinds
        )
    except InputError as error:
        error.path = str(path)
        raise


@cache
def _numbering() -> Numbering:
    """Number words by a hash of 63 bits, the same in every process."""
    return Numbering(_hash)


def _hash(word: str) -> int:
    return (
        int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little") >> 1
        or 1
    )


def _searchable(pieces: list[str]) -> bool:
    """Return whether a name can be distinguished from the words between concepts."""
    if len(pieces) == 1 and is_acronym(pieces[0]):
        return True
    words = [piece for piece in pieces if any(character.isalnum() for character in piece)]
    # One letter or digit of an alphabet is not a name; one character of an unspaced script may be.
    told = (fold(word) not in STOP_WORDS and (len(word) > 1 or word > "\u0dff") for word in words)
    return any(told)


def _digest(names: Iterable[Name]) -> str:
    digest = hashlib.sha256()
    for place, name in enumerate(names):
        digest.update(f"{chr(10) * (place > 0)}{name.rank}\t{name.concept}\t{name.text}".encode())
    return digest.hexdigest()[:8]


def _note(concepts: int, names: int, ambiguous: int, left_out: Mapping[str, int]) -> str:
    counted = [f"{concepts:,} concepts with {names:,} names"]
    if ambiguous:
        counted.append(f"{ambiguous:,} names of several concepts, each used for the one that has it as its label")
    if left_out:
        reasons = ", ".join(f"{reason.replace('_', ' ')} ({count:,})" for reason, count in left_out.items())
        counted.append(f"left out: {reasons}")
    return f"the dictionary has {'; '.join(counted)}"
