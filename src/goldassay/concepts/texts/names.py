"""The names of the concepts of a dictionary, gathered in columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from goldassay.core.errors import InputError
from goldassay.core.items import reach
from goldassay.core.libraries import pl
from goldassay.core.limits import NAME
from goldassay.formats.records import BadRecords

PACKED = 2**18
"""Rows that are kept as objects before they are packed."""


class Name(NamedTuple):
    """One name of a concept.

    Attributes:
        rank: 0 for a label, higher for weaker names.
        concept: The id of the concept.
        text: The name.
    """

    rank: int
    concept: str
    text: str


@dataclass
class Names:
    """The names of concepts, and what was left out of them."""

    bad: BadRecords = field(default_factory=BadRecords)
    left_out: Counter[str] = field(default_factory=Counter)
    longest: int = field(default_factory=lambda: NAME.value)
    _names: NameColumns = field(default_factory=lambda: NameColumns(("rank", "concept", "text")))
    _kinds: NameColumns = field(default_factory=lambda: NameColumns(("concept", "kind")))
    _parents: NameColumns = field(default_factory=lambda: NameColumns(("concept", "parent")))
    _kept: frozenset[str] | None = None

    def add(self, rank: int, concept: str, text: str, *, line: int | None = None) -> None:
        """Add a name."""
        if len(text) <= self.longest:
            self._names.add((rank, concept, text))
            return
        error = NAME.error("The name is too long.", found=f"{len(text):,} characters: {text[:40]!r}...")
        self.bad.refuse(error.message, line=line, found=error.found, expected=error.expected, hint=error.hint)

    def add_kind(self, concept: str, kind: str) -> None:
        """Add a semantic type of a concept."""
        self._kinds.add((concept, kind))

    def add_parent(self, concept: str, parent: str) -> None:
        """Add what a concept, or a place in a tree, is directly below."""
        self._parents.add((concept, parent))

    def describe(self, concept: str, kinds: Iterable[str], numbers: Iterable[str]) -> None:
        """Add the semantic types of a concept, and its places in a tree: C08.127 is below C08."""
        for kind in kinds:
            self.add_kind(concept, kind)
        for number in numbers:
            self.add_parent(number, concept)
            self.add_parent(concept, number.rpartition(".")[0])

    def keep_branch(self, name: str) -> None:
        """Keep only the names of a concept, given by its id or a name of it, and of all below it; the others are counted."""
        names = self.frame()
        roots = names.filter((pl.col("concept") == name) | (pl.col("text").str.to_lowercase() == name.lower()))[
            "concept"
        ]
        below: dict[str, list[str]] = {}
        for child, parent in self._parents.frame().rows():
            below.setdefault(parent, []).append(child)
        if not len(roots) or not below:
            found = f"no concept {name!r}" if below else "no hierarchy"
            expected = "the id or a name of a concept" if below else "an ontology, or MeSH"
            raise InputError("The dictionary does not have this branch.", found=found, expected=expected)
        self._kept = reach(roots, below)
        self.left_out["names_of_other_branches"] = len(names) - len(self.frame())

    def leave_out(self, reason: str) -> None:
        """Count a name that is left out."""
        self.left_out[reason] += 1

    def frame(self) -> pl.DataFrame:
        """Return the names, in columns rank, concept and text."""
        names = self._names.frame()
        return names if self._kept is None else names.filter(pl.col("concept").is_in(list(self._kept)))

    def kinds(self) -> pl.DataFrame:
        """Return the semantic types of each concept that has some, in columns concept and kind, separated by commas."""
        every = self._kinds.frame().unique().sort("concept", "kind")
        return every.group_by("concept", maintain_order=True).agg(pl.col("kind").str.join(","))

    def listed(self) -> list[Name]:
        """Return the names one by one."""
        return [Name(*row) for row in self.frame().rows()]


@dataclass
class NameColumns:
    """Rows that are packed into columns while they come, so that millions of them need little memory."""

    columns: tuple[str, ...]
    _rows: list[tuple[int | str, ...]] = field(default_factory=list)
    _frames: list[pl.DataFrame] = field(default_factory=list)

    def add(self, row: tuple[int | str, ...]) -> None:
        """Add a row."""
        self._rows.append(row)
        if len(self._rows) >= PACKED:
            self._pack()

    def frame(self) -> pl.DataFrame:
        """Return all rows."""
        self._pack()
        return pl.concat(self._frames)

    def _pack(self) -> None:
        schema = {name: pl.Int64 if name == "rank" else pl.String for name in self.columns}
        self._frames.append(pl.DataFrame(self._rows, schema=schema, orient="row"))
        self._rows = []
