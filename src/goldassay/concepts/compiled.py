"""The names of a dictionary as arrays, which are searched as they lie in files: compiled once, and opened at once."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.fold import Numbering, fold, is_acronym, pieces_of
from goldassay.concepts.names import Name
from goldassay.concepts.phrases import Phrases
from goldassay.concepts.stop_words import STOP_WORDS
from goldassay.core.errors import InputError

ARRAYS = (
    "beginnings",
    "rows",
    "buckets",
    "acronyms",
    "concepts",
    "ids",
    "ids_ends",
    "labels",
    "labels_ends",
    "kinds",
    "kinds_ends",
)
FACTS = "facts.json"


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts, one after the other.

    Attributes:
        data: Their bytes in UTF-8, uint8.
        ends: Where each ends, int64, shape (texts,).

    Example:
        >>> texts = Texts.of(["asthma", "", "caf\u00e9"])
        >>> [texts[row] for row in range(3)]
        ['asthma', '', 'caf\u00e9']
    """

    data: NDArray[np.uint8]
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        """Put texts one after the other."""
        data, ends = bytearray(), array("q")
        for text in texts:
            data += text.encode()
            ends.append(len(data))
        return cls(np.frombuffer(bytes(data), dtype=np.uint8), np.array(ends, dtype=np.int64))

    def __getitem__(self, row: int) -> str:
        start = int(self.ends[row - 1]) if row else 0
        return self.data[start : int(self.ends[row])].tobytes().decode()


@dataclass(frozen=True, eq=False, kw_only=True)
class Compiled:
    """Names, and the concepts that own them.

    Attributes:
        phrases: The words of the names.
        acronyms: Which names are found in capitals alone, bool, shape (names,).
        concepts: The concept of each name, int64, shape (names,).
        ids: Ids of concepts.
        labels: Their labels.
        kinds: Their semantic types, separated by commas.
        facts: Digest of the names, and how many there are of what.
    """

    phrases: Phrases
    acronyms: NDArray[np.bool_]
    concepts: NDArray[np.int64]
    ids: Texts
    labels: Texts
    kinds: Texts
    facts: Mapping[str, str | int]

    @classmethod
    def of(cls, names: Iterable[Name], kinds: Mapping[str, str]) -> Compiled:
        """Compile names.

        Args:
            names: The names.
            kinds: Semantic types of concepts by id.

        Raises:
            InputError: If there is no name that can be searched for.
        """
        chosen = sorted(names)
        known: dict[str, int] = {}
        labels: list[str] = []
        words, lengths, acronyms, concepts = array("q"), array("q"), bytearray(), array("q")
        digest = hashlib.sha256()
        for place, name in enumerate(chosen):
            digest.update(f"{chr(10) * (place > 0)}{name.rank}\t{name.concept}\t{name.text}".encode())
            concept = known.setdefault(name.concept, len(known))
            if concept == len(labels):
                labels.append(name.text)
            pieces = pieces_of(name.text)
            if _searchable(pieces):
                words.extend([numbering()[piece] for piece in pieces])
                lengths.append(len(pieces))
                acronyms.append(len(pieces) == 1 and is_acronym(pieces[0]))
                concepts.append(concept)
        if not concepts:
            raise InputError(
                "The dictionary contains no name to search for.", expected="labels or synonyms of concepts"
            )
        sequences = np.array(words, dtype=np.int64), np.array(lengths, dtype=np.int64)
        phrases, owned = Phrases.of(*sequences), np.array(concepts, dtype=np.int64)
        return cls(
            phrases=phrases,
            acronyms=np.frombuffer(bytes(acronyms), dtype=np.bool_),
            concepts=owned,
            ids=Texts.of(known),
            labels=Texts.of(labels),
            kinds=Texts.of(kinds.get(concept, "") for concept in known),
            facts={
                "digest": digest.hexdigest()[:8],
                "concepts": len(known),
                "names": int((phrases.rows >= 0).sum()),
                "ambiguous": int((owned[phrases.owners(*sequences)] != owned).sum()),
                "unsearchable": len(chosen) - len(owned),
            },
        )

    def save(self, folder: Path, facts: Mapping[str, object]) -> None:
        """Write the arrays to a folder, which is complete as soon as it is there.

        Args:
            folder: The folder; one that is there already stays.
            facts: What else to keep, as JSON has it.

        Raises:
            OSError: If it cannot be written.
        """
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(dir=folder.parent))
        try:
            for name, column in zip(ARRAYS, self._arrays(), strict=True):
                np.save(made / f"{name}.npy", column)
            (made / FACTS).write_text(json.dumps({**facts, "facts": dict(self.facts)}), encoding="utf-8")
            os.rename(made, folder)  # noqa: PTH104 - no file of this folder is there before all are
        finally:
            shutil.rmtree(made, ignore_errors=True)

    @classmethod
    def load(cls, folder: Path) -> tuple[Compiled, dict[str, Any]]:
        """Open the arrays of a folder without reading them, and return what else was kept.

        Raises:
            OSError: If the folder is not there.
            ValueError: If it is damaged.
        """
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        # As plain arrays, whose slices cost less than those of np.memmap.
        opened = {name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in ARRAYS}
        columns = {name: np.asarray(column) for name, column in opened.items()}
        texts = [Texts(columns[name], columns[f"{name}_ends"]) for name in ("ids", "labels", "kinds")]
        compiled = cls(
            phrases=Phrases(columns["beginnings"], columns["rows"], columns["buckets"]),
            acronyms=columns["acronyms"],
            concepts=columns["concepts"],
            ids=texts[0],
            labels=texts[1],
            kinds=texts[2],
            facts=facts.pop("facts"),
        )
        return compiled, facts

    def _arrays(self) -> Sequence[NDArray[np.generic]]:
        texts = [column for one in (self.ids, self.labels, self.kinds) for column in (one.data, one.ends)]
        return (self.phrases.beginnings, self.phrases.rows, self.phrases.buckets, self.acronyms, self.concepts, *texts)


@cache
def numbering() -> Numbering:
    """Return the numbers of words: hashes of 63 bits, at least 1, the same in every process."""
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
