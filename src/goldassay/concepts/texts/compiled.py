"""The names of a dictionary as arrays in their on-disk layout: compiled once, and then memory-mapped."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.texts.fold import SKIPPED, STOP_WORDS, WordNumbers, fold, is_acronym, pieces_in
from goldassay.concepts.texts.phrases import Phrases
from goldassay.concepts.texts.variants import ARRAYS as ARRAYS_OF_VARIANTS
from goldassay.concepts.texts.variants import FORMS, Variants
from goldassay.core.errors import InputError, convert_errors
from goldassay.core.libraries import pl

UNCUT = "\u0dff"
"""Beyond it, one character may be a word."""
NOTHING = (0, False, False)


class NameWords(NamedTuple):
    """The words of names, one after the other."""

    numbers: NDArray[np.int64]  # what each word is compared as, int64, shape (words,)
    lengths: NDArray[np.int64]  # how many words each name has, int64, shape (names,)
    searchable: NDArray[np.bool_]  # whether a name is more than function words, bool, shape (names,)
    acronyms: NDArray[np.bool_]  # whether a name is one acronym, bool, shape (names,)


class Spellings(dict[str, tuple[int, bool, bool]]):
    """What is known of a word as it is spelt: its number, whether it can be a name, and whether it is an acronym."""

    def __init__(self, number: Callable[[str], int]) -> None:
        self.number = number

    def __missing__(self, piece: str) -> tuple[int, bool, bool]:
        folded = fold(piece)
        # One letter or digit of an alphabet is not a name; one character of an unspaced script may be.
        naming = any(map(str.isalnum, piece)) and folded not in STOP_WORDS and (len(piece) > 1 or piece > UNCUT)
        self[piece] = found = (self.number(folded), naming, is_acronym(piece))
        return found


def find_spellings(names: pl.Series, spellings: Spellings) -> NameWords:
    """Find the words of names."""
    pieces, codes, counts, _ = pieces_in(names)
    is_word = np.array([not SKIPPED.match(piece) for piece in pieces], dtype=np.bool_)
    about = [spellings[piece] if kept else NOTHING for piece, kept in zip(pieces, is_word.tolist(), strict=True)]
    kept = is_word[codes]
    lengths = np.diff(np.append(0, np.cumsum(kept))[np.append(0, np.cumsum(counts))])
    known = np.array(about, dtype=np.int64).reshape(-1, 3)[codes[kept]]
    ends = np.cumsum(lengths)
    naming, acronyms = (np.concatenate([[0], np.cumsum(known[:, column])]) for column in (1, 2))
    acronym = (lengths == 1) & (acronyms[ends] > acronyms[ends - lengths])
    return NameWords(known[:, 0].copy(), lengths, acronym | (naming[ends] > naming[ends - lengths]), acronym)


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
    *(f"variants_{name}" for name in ("beginnings", "rows", "buckets", *ARRAYS_OF_VARIANTS)),
)
FACTS = "facts.json"
AT_ONCE = 2**18
"""Names whose words are found at once."""


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts, one after the other."""

    data: NDArray[np.uint8]  # their bytes in UTF-8, uint8
    ends: NDArray[np.int64]  # where each ends, int64, shape (texts,)

    @classmethod
    def of(cls, texts: pl.Series) -> Texts:
        """Concatenate texts."""
        data = str(texts.str.join("").item() or "").encode() if len(texts) else b""
        return cls(np.frombuffer(data, dtype=np.uint8), np.cumsum(texts.str.len_bytes().to_numpy().astype(np.int64)))

    def __getitem__(self, row: int) -> str:
        start = int(self.ends[row - 1]) if row else 0
        return self.data[start : int(self.ends[row])].tobytes().decode()


@dataclass(frozen=True, eq=False, kw_only=True)
class Compiled:
    """Names, and the concepts that own them."""

    phrases: Phrases  # the words of the names
    acronyms: NDArray[np.bool_]  # which names are found only in capitals, bool, shape (names,)
    concepts: NDArray[np.int64]  # the concept of each name, int64, shape (names,)
    ids: Texts  # ids of concepts
    labels: Texts  # their labels
    kinds: Texts  # their semantic types, separated by commas
    variants: Variants  # what names are in other ways
    facts: Mapping[str, str | int]  # digest of the names, and how many there are of what

    @classmethod
    def of(cls, names: pl.DataFrame, kinds: pl.DataFrame) -> Compiled:
        """Compile names."""
        chosen = names.sort("rank", "concept", "text")
        # The first name of a concept is its label.
        first = chosen.with_row_index("row").select(pl.col("row").first().over("concept")).to_series().to_numpy()
        is_label = first == np.arange(len(first))
        labelled, owners = chosen.filter(is_label), (np.cumsum(is_label) - 1)[first]
        digest, found, spellings = hashlib.sha256(), list[NameWords](), Spellings(FORMS.number)
        for start in range(0, len(chosen), AT_ONCE):
            some = chosen[start : start + AT_ONCE]
            lines = some.select(pl.format("{}\t{}\t{}", "rank", "concept", "text").str.join("\n")).item()
            digest.update(f"{chr(10) * (start > 0)}{lines}".encode())
            found.append(find_spellings(some["text"], spellings))
        searchable = np.concatenate([one.searchable for one in found])
        if not searchable.any():
            raise InputError(
                "The dictionary contains no name to search for.", expected="labels or synonyms of concepts"
            )
        words = np.concatenate([one.numbers[np.repeat(one.searchable, one.lengths)] for one in found])
        lengths = np.concatenate([one.lengths[one.searchable] for one in found])
        acronyms = np.concatenate([one.acronyms[one.searchable] for one in found])
        phrases, owned = Phrases.of(words, lengths), owners[searchable]
        types = labelled.select("concept").join(kinds, on="concept", how="left", maintain_order="left")
        return cls(
            phrases=phrases,
            acronyms=acronyms,
            concepts=owned,
            ids=Texts.of(labelled["concept"]),
            labels=Texts.of(labelled["text"]),
            kinds=Texts.of(types["kind"].fill_null("")),
            variants=Variants.of(words, lengths, acronyms),
            facts={
                "digest": digest.hexdigest()[:8],
                "concepts": len(labelled),
                "names": int((phrases.rows >= 0).sum()),
                "ambiguous": int((owned[phrases.owners(words, lengths)] != owned).sum()),
                "unsearchable": int((~searchable).sum()),
            },
        )

    def save(self, folder: Path, facts: Mapping[str, object]) -> None:
        """Write the arrays to a folder, which is complete as soon as it is there."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(dir=folder.parent))
        try:
            for name, column in zip(ARRAYS, self._arrays(), strict=True):
                np.save(made / f"{name}.npy", column)
            kept = {**facts, "facts": dict(self.facts)}
            sums = _checksums(kept, self._arrays())
            (made / FACTS).write_text(json.dumps({**kept, "checksums": sums}), encoding="utf-8")
            os.rename(made, folder)  # noqa: PTH104 - no file of this folder is there before all are
        finally:
            shutil.rmtree(made, ignore_errors=True)

    @classmethod
    def load(cls, folder: Path) -> tuple[Compiled, dict[str, Any]]:
        """Open the arrays of a folder, and return what else was kept."""
        with convert_errors("numpy", "The compiled dictionary is damaged.", path=folder, hint="delete it"):
            facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
            # As plain arrays, whose slices cost less than those of np.memmap.
            opened = {name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in ARRAYS}
            columns = {name: np.asarray(column) for name, column in opened.items()}
            if facts.pop("checksums") != _checksums(facts, list(columns.values())):
                raise ValueError("a checksum is another one")
        return cls._of_columns(columns, facts.pop("facts")), facts

    @classmethod
    def _of_columns(cls, columns: Mapping[str, NDArray[Any]], facts: Mapping[str, str | int]) -> Compiled:
        texts = [Texts(columns[name], columns[f"{name}_ends"]) for name in ("ids", "labels", "kinds")]
        return cls(
            phrases=Phrases(columns["beginnings"], columns["rows"], columns["buckets"]),
            acronyms=columns["acronyms"],
            concepts=columns["concepts"],
            ids=texts[0],
            labels=texts[1],
            kinds=texts[2],
            variants=Variants(
                Phrases(*(columns[f"variants_{name}"] for name in ("beginnings", "rows", "buckets"))),
                *(columns[f"variants_{name}"] for name in ARRAYS_OF_VARIANTS),
            ),
            facts=facts,
        )

    def _arrays(self) -> Sequence[NDArray[np.generic]]:
        texts = [column for one in (self.ids, self.labels, self.kinds) for column in (one.data, one.ends)]
        bags = self.variants.bags
        return (
            *(self.phrases.beginnings, self.phrases.rows, self.phrases.buckets, self.acronyms, self.concepts, *texts),
            *(bags.beginnings, bags.rows, bags.buckets),
            *(getattr(self.variants, name) for name in ARRAYS_OF_VARIANTS),
        )


def _checksums(facts: Mapping[str, object], columns: Sequence[NDArray[np.generic]]) -> list[int]:
    written = json.dumps(facts, sort_keys=True).encode()
    return [zlib.crc32(written), *map(_checksum, columns)]


def _checksum(column: NDArray[np.generic]) -> int:
    """Sum up the bytes of an array, and what they are read as: the same bytes in another order are other numbers."""
    kind = f"{column.dtype.str} {column.shape}".encode()
    return zlib.crc32(np.ascontiguousarray(column).view(np.uint8).data, zlib.crc32(kind))


@cache
def numbering() -> WordNumbers:
    """Return the numbers of words: hashes of 63 bits, at least 1, the same in every process."""
    return WordNumbers(FORMS.number)
