"""Columns that say of each row whether it holds, which no reader reads: rows that do not hold would count without a word."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.formats.roles import DATA, NEGATIONS, PREDICTIONS, bare, decisions_in

YES = pattern_of(
    r"(?:y|t|1(?:\.0*)?|correct|right|match|positive|accept(?:ed)?|supported|approved|ja|oui|(?:yes|true)(?:[\s.,;:!].*)?)",
    re.DOTALL,
)
NO = pattern_of(
    r"(?:n|f|0(?:\.0*)?|incorrect|wrong|no[ _-]?match|mismatch|negative|reject(?:ed)?|unsupported|not[ _-]?supported|refuted|nein|non|(?:no|false)(?:[\s.,;:!].*)?)",
    re.DOTALL,
)
FEW_WORDS = 8
"""What a system predicted has at most so many words; a whole answer has more."""
HALF = 0.5
"""Of predictions a larger share differs; names of relations and of systems recur."""


@dataclass
class Decisions:
    """Counts what columns of decisions say, as far as all their cells say yes or no.

    Attributes:
        path: The file.
        flag: The flag that says which column is read, where the table may have one of the other side; else the empty text.
        counts: How often each cell is in a column; None for one that says other things.
    """

    path: str = ""
    flag: str = ""
    counts: dict[str, Counter[str] | None] = field(default_factory=dict)

    def see(self, name: str, cells: Iterable[Any]) -> None:
        """Count the cells of a column, which are given one by one, or with how often each of them is there."""
        known = self.counts.setdefault(name, Counter())
        if known is None:
            return
        found = Counter[str]()
        for cell, count in cells.items() if isinstance(cells, Mapping) else zip(cells, repeat(1), strict=False):
            found[_written(cell)] += count
        known.update(found)
        if not all(cell == "" or YES.fullmatch(cell) or NO.fullmatch(cell) or cell == name.lower() for cell in found):
            self.counts[name] = None
            self._refuse_predictions(name, found)

    def _refuse_predictions(self, name: str, found: Counter[str]) -> None:
        """Refuse a table that has what was predicted next to what is right: one of the two would be read on both sides."""
        names = [cell for cell in found if cell and not DATA.fullmatch(cell) and len(cell.split()) <= FEW_WORDS]
        if self.flag and bare(name) in PREDICTIONS and len(names) > max(2, HALF * found.total()):
            raise InputError(
                "The table may have a column of each side: what was predicted, and what is right.",
                path=self.path,
                found=f"the column {name!r}, which is not read, with {names[0][:60]!r}",
                expected="one of the two columns, or yes and no",
                hint=f"name the one that is meant: {self.flag} {shlex.quote(name)}, or the other; or remove one",
            )

    def see_records(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Count the values of all keys of decisions in some records."""
        for name in decisions_in(list(dict.fromkeys(chain.from_iterable(records))), ()):
            self.see(name, (record.get(name) for record in records))

    def warnings(self) -> Iterator[str]:
        """Warn of rows that do not hold."""
        for name, counts in self.counts.items():
            no = YES if bare(name) in NEGATIONS else NO
            wrong = {cell: count for cell, count in (counts or {}).items() if no.fullmatch(cell)}
            if not counts or not wrong:
                continue
            first = next(iter(wrong))[:20]
            yield (
                f"{sum(wrong.values()):,} of {counts.total():,} rows do not hold by the column {name!r} ({first!r}), which is not read: "
                "they are scored like all others; leave them out of the file"
            )


def _written(cell: Any) -> str:
    """Write a cell as it is compared; what is no plain value says neither yes nor no."""
    if cell is None:
        return ""
    return str(cell).strip().lower() if isinstance(cell, str | bool | int | float) else "[]"
