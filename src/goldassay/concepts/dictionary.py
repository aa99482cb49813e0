"""A dictionary of concepts: their names found in texts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from types import MappingProxyType

import numpy as np

from goldassay.concepts.compiled import Compiled, numbering
from goldassay.concepts.model import Found
from goldassay.concepts.names import Name, read_names
from goldassay.core.errors import InputError
from goldassay.encoders import cache_path
from goldassay.formats.records import BadRecords

FORM = "1"
"""How compiled names are laid out, and words are folded: changed with either."""
LARGE = 20_000_000
"""From how many bytes on a dictionary is kept compiled: smaller ones are compiled in a few seconds."""


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
    ) -> None:
        self._compiled = compiled = names if isinstance(names, Compiled) else Compiled.of(names, kinds)
        facts = compiled.facts
        self.choice = f"dictionary:sha256-{facts['digest']}"
        skipped = {"names_of_stop_words_alone": int(facts["unsearchable"])} if facts["unsearchable"] else {}
        concepts, known, ambiguous = (int(facts[name]) for name in ("concepts", "names", "ambiguous"))
        self.notes = (_note(concepts, known, ambiguous, {**left_out, **skipped}), *notes)

    def find(self, text: str) -> list[Found]:
        """Find the names of concepts in a text, in its order.

        Args:
            text: The text.
        """
        compiled = self._compiled
        numbers, spans = numbering().words(text)
        first, last, rows = compiled.phrases.longest(numbers)
        starts, ends = spans[first, 0], spans[last, 1]
        wanted = np.ones(len(rows), dtype=np.bool_)
        for place in np.flatnonzero(compiled.acronyms[rows]).tolist():
            wanted[place] = text[starts[place] : ends[place]].isupper()
        concepts = compiled.concepts[rows[wanted]].tolist()
        told = {row: (compiled.ids[row], compiled.labels[row], compiled.kinds[row]) for row in set(concepts)}
        places = zip((told[row] for row in concepts), starts[wanted].tolist(), ends[wanted].tolist(), strict=True)
        return [Found(one, label, one, start, end, kinds=kinds) for (one, label, kinds), start, end in places]

    def find_all(self, texts: Iterable[str]) -> Iterator[list[Found]]:
        """Find the names of concepts in many texts."""
        return map(self.find, texts)

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
    def load(cls, folder: Path) -> Dictionary:
        """Open a dictionary that was kept.

        Raises:
            OSError: If there is none.
            ValueError: If it is damaged.
        """
        compiled, kept = Compiled.load(folder)
        return cls(compiled, kept["left_out"], tuple(kept["notes"]))


def read_dictionary(
    path: str | PathLike[str], *, language: str = "en", bad: BadRecords | None = None, names: Sequence[str] = ()
) -> Dictionary:
    """Read a dictionary from an ontology, a terminology or a table; see `goldassay.concepts.names.read_names`.

    A large one is kept compiled in the cache folder, and opened at once as long as its file has the same size and time.

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
    kept = _kept(path, (language, bad.on_error, *names))
    if kept is not None:
        with suppress(OSError, ValueError, KeyError, TypeError):  # a damaged one is made anew
            return Dictionary.load(kept)
    gathered = read_names(path, language=language, bad=bad, predicates=names)
    try:
        made = Dictionary(
            gathered.names, gathered.left_out, tuple(f"{path}: {note}" for note in bad.notes()), kinds=gathered.kinds
        )
    except InputError as error:
        error.path = str(path)
        raise
    if kept is not None:
        with suppress(OSError):  # a cache that cannot be written costs time, and nothing else
            made.save(kept, gathered.left_out)
    return made


def _kept(path: str | PathLike[str], options: Sequence[str]) -> Path | None:
    """Return where a large dictionary is kept, by its files as they are now; None for a small one."""
    folder = Path(path)
    files = (
        [folder / name for name in ("MRCONSO.RRF", "MRSTY.RRF")]
        if folder.is_dir()
        else [folder, folder.with_name("MRSTY.RRF")]
    )
    states = [(str(file.resolve()), file.stat()) for file in files if file.is_file()]
    if sum(state.st_size for _, state in states) < LARGE:
        return None
    told = [FORM, *options, *(f"{name} {state.st_size} {state.st_mtime_ns}" for name, state in states)]
    return cache_path().parent / "dictionaries" / hashlib.sha256("\n".join(told).encode()).hexdigest()[:32]


def _note(concepts: int, names: int, ambiguous: int, left_out: Mapping[str, int]) -> str:
    counted = [f"{concepts:,} concepts with {names:,} names"]
    if ambiguous:
        counted.append(f"{ambiguous:,} names of several concepts, each used for the one that has it as its label")
    if left_out:
        reasons = ", ".join(f"{reason.replace('_', ' ')} ({count:,})" for reason, count in left_out.items())
        counted.append(f"left out: {reasons}")
    return f"the dictionary has {'; '.join(counted)}"
