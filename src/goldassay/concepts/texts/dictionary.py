"""A dictionary of concepts: their names found in texts."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from os import PathLike
from os.path import isdir, isfile
from pathlib import Path
from types import MappingProxyType

import numpy as np

from goldassay.concepts.formats.read_names import read_names
from goldassay.concepts.model import Mention
from goldassay.concepts.texts.compiled import Compiled, numbering
from goldassay.concepts.texts.names import Name, Names
from goldassay.concepts.texts.phrases import NONE, Integers, choose_longest
from goldassay.concepts.texts.variants import USUAL, bits_of, names_of
from goldassay.core.errors import InputError
from goldassay.encoders import cache_path
from goldassay.formats.records import BadRecords

FORM = "4"
"""How compiled names are laid out, and words are folded: changed with either."""
LARGE = 20_000_000
"""From how many bytes on a dictionary is kept compiled: smaller ones are compiled in a few seconds."""
AT_ONCE = 2**20
"""About so many characters of texts are searched at once."""
BORDER, NOWHERE = np.array([2**63 - 1]), np.array([[0, 0]])
"""The number between two texts, and its place."""


class Dictionary:
    """Finds the names of concepts in texts: the longest name at each place, from left to right, whole words only.

    Case and plurals are folded. A name of two to four capitals (``ALL``) is found only in capitals.

    Attributes:
        choice: Its entry in the signature: the digest of its names.
        notes: Notes for the user.

    Args:
        names: The names of the concepts, or what they were compiled to.
        left_out: What was left out before, counted by reason.
        notes: Further notes for the user on the source of the names.
        kinds: Semantic types of concepts by id, separated by commas.
        variants: The other ways in which names are found, of `goldassay.concepts.texts.variants.WAYS`.

    Raises:
        InputError: If there is no name that can be searched for.

    Example:
        >>> dictionary = Dictionary([Name(0, "D:1", "heart attack"), Name(1, "D:1", "MI"), Name(0, "D:2", "heart")])
        >>> [found.id for found in dictionary.find("Heart attacks hurt the heart; MI too, as in mi.")]
        ['D:1', 'D:2', 'D:1']
    """

    def __init__(
        self,
        names: Iterable[Name] | Compiled,
        left_out: Mapping[str, int] = MappingProxyType({}),
        notes: tuple[str, ...] = (),
        *,
        kinds: Mapping[str, str] = MappingProxyType({}),
        variants: Sequence[str] = (),
    ) -> None:
        if not isinstance(names, Compiled):
            gathered = Names()
            for name in names:
                gathered.add(*name)
            for concept, some in kinds.items():
                for kind in some.split(","):
                    gathered.add_kind(concept, kind)
            names = Compiled.of(gathered.frame(), gathered.kinds())
        self._compiled = compiled = names
        facts = compiled.facts
        self._allowed = bits_of(variants)
        ways = f",variants-1:{'+'.join(names_of(self._allowed))}" if self._allowed else ""
        self.choice = f"dictionary:sha256-{facts['digest']}{ways}"
        skipped = {"names_of_only_stop_words": int(facts["unsearchable"])} if facts["unsearchable"] else {}
        concepts, known, ambiguous = (int(facts[name]) for name in ("concepts", "names", "ambiguous"))
        self.notes = (_note(concepts, known, ambiguous, {**left_out, **skipped}), *notes)

    def find(self, text: str) -> list[Mention]:
        """Find the names of concepts in a text, in its order.

        Args:
            text: The text.
        """
        return self._find([text])[0]

    def find_all(self, texts: Iterable[str]) -> Iterator[list[Mention]]:
        """Find the names of concepts in many texts."""
        some: list[str] = []
        size = 0
        for text in texts:
            some.append(text)
            size += len(text)
            if size >= AT_ONCE:
                yield from self._find(some)
                some, size = [], 0
        yield from self._find(some)

    def _find(self, texts: Sequence[str]) -> list[list[Mention]]:
        """Find names in texts at once: a number that no word has separates them."""
        if not texts:
            return []
        compiled, words = self._compiled, numbering().words_of_all(texts)
        numbers = np.concatenate([part for one in words for part in (one.numbers, BORDER)])
        spans = np.concatenate([part for one in words for part in (one.spans, NOWHERE)])
        first, last, rows, ways = self._find_names(numbers)
        of = np.searchsorted(np.cumsum([len(one.numbers) + 1 for one in words]), first, side="right")
        starts, ends = spans[first, 0], spans[last, 1]
        wanted = np.ones(len(rows), dtype=np.bool_)
        for place in np.flatnonzero(compiled.acronyms[rows]).tolist():
            wanted[place] = texts[of[place]][starts[place] : ends[place]].isupper()
        concepts = compiled.concepts[rows[wanted]].tolist()
        described = {row: (compiled.ids[row], compiled.labels[row], compiled.kinds[row]) for row in set(concepts)}
        found: list[list[Mention]] = [[] for _ in texts]
        columns = (of[wanted].tolist(), concepts, *(column[wanted].tolist() for column in (starts, ends, ways)))
        for text, concept, start, end, way in zip(*columns, strict=True):
            one, label, kinds = described[concept]
            found[text].append(Mention(one, label, one, start, end, kinds=kinds, way=way))
        return found

    def _find_names(self, numbers: Integers) -> tuple[Integers, Integers, Integers, Integers]:
        """Find the longest name at each place, as it is or in another way: first and last word, row and way of each."""
        row, last = self._compiled.phrases.longest_at(numbers)
        way = np.zeros(len(row), dtype=np.int64)
        if self._allowed:
            runs = self._compiled.variants.find(numbers, self._allowed)
            for first, end, name, how in zip(*(column.tolist() for column in runs), strict=True):
                if row[first] == NONE or last[first] < end:
                    row[first], last[first], way[first] = name, end, how
        found, ends, rows = choose_longest(row, last)
        return found, ends, rows, way[found]

    def save(self, folder: Path, left_out: Mapping[str, int]) -> None:
        """Keep the compiled names in a folder.

        Args:
            folder: The folder.
            left_out: What was left out before, counted by reason.

        Raises:
            OSError: If it cannot be written.
        """
        self._compiled.save(folder, {"left_out": dict(left_out), "notes": self.notes[1:]})

    @classmethod
    def load(cls, folder: Path, variants: Sequence[str] = ()) -> Dictionary:
        """Open a dictionary that was kept.

        Raises:
            InputError: If there is none, or it is damaged.
        """
        compiled, kept = Compiled.load(folder)
        return cls(compiled, kept["left_out"], tuple(kept["notes"]), variants=variants)


def read_dictionary(
    path: str | PathLike[str],
    *,
    language: str = "en",
    bad: BadRecords | None = None,
    names: Sequence[str] = (),
    vocabularies: Sequence[str] = (),
    suppressed: bool = False,
    variants: Sequence[str] = USUAL,
    branch: str | None = None,
) -> Dictionary:
    """Read a dictionary from an ontology, a terminology or a table; see `goldassay.concepts.formats.read_names.read_names`.

    A large one is kept compiled in the cache folder, and opened at once as long as its file has the same size and time.

    Args:
        path: The file, gzipped or not, or a folder of the UMLS.
        language: The preferred language.
        bad: Receives the bad records.
        names: More predicates that name concepts, as IRIs or as the last parts of IRIs.
        vocabularies: The vocabularies of the UMLS whose names are taken; all if none are named.
        suppressed: Whether suppressed names of the UMLS are taken too.
        variants: The other ways in which names are found.
        branch: The id or a name of the concept that all others are below, itself included; None for all.

    Returns:
        The dictionary.

    Raises:
        InputError: If the file cannot be read, is no dictionary, or has no name.
        UsageError: If it has no such vocabulary.
        MissingDependencyError: If what the format needs is not installed.
    """
    bad = bad or BadRecords()
    options = (
        language,
        bad.on_error,
        str(suppressed),
        *sorted(vocabularies),
        "",
        *names,
        *([] if branch is None else ["", branch]),
    )
    kept = _cache_folder(path, options)
    if kept is not None:
        with suppress(InputError):
            return Dictionary.load(kept, variants)
        shutil.rmtree(kept, ignore_errors=True)  # a damaged one is made anew
    gathered = read_names(
        path,
        language=language,
        bad=bad,
        predicates=names,
        vocabularies=vocabularies,
        suppressed=suppressed,
        branch=branch,
    )
    try:
        compiled = Compiled.of(gathered.frame(), gathered.kinds())
    except InputError as error:
        error.path = str(path)
        raise
    made = Dictionary(compiled, gathered.left_out, tuple(f"{path}: {note}" for note in bad.notes()), variants=variants)
    if kept is not None:
        with suppress(OSError):  # a cache that cannot be written costs time, and nothing else
            made.save(kept, gathered.left_out)
    return made


def _cache_folder(path: str | PathLike[str], options: Sequence[str]) -> Path | None:
    """Return where a large dictionary is kept, by its files as they are now; None for a small one."""
    folder = Path(path)
    files = (
        [folder / name for name in ("MRCONSO.RRF", "MRSTY.RRF")]
        if isdir(folder)
        else [folder, folder.with_name("MRSTY.RRF")]
    )
    states = [(str(file.resolve()), file.stat()) for file in files if isfile(file)]
    if sum(state.st_size for _, state in states) < LARGE:
        return None
    parts = [FORM, *options, *(f"{name} {state.st_size} {state.st_mtime_ns}" for name, state in states)]
    return cache_path().parent / "dictionaries" / hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def _note(concepts: int, names: int, ambiguous: int, left_out: Mapping[str, int]) -> str:
    counted = [f"{concepts:,} concepts with {names:,} names"]
    if ambiguous:
        counted.append(f"{ambiguous:,} names of several concepts, each used for the one that has it as its label")
    if left_out:
        reasons = ", ".join(f"{reason.replace('_', ' ')} ({count:,})" for reason, count in left_out.items())
        counted.append(f"left out: {reasons}")
    return f"the dictionary has {'; '.join(counted)}"
