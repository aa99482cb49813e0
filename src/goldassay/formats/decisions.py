"""Columns that say of each row whether it holds, which no reader reads: rows that do not hold would count without a word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

from goldassay.core.patterns import pattern_of
from goldassay.formats.column_names import ENDINGS, NEGATIONS, bare, decisions_in

YES = pattern_of(
    r"(?:y|t|1(?:\.0*)?|correct|right|match|positive|accept(?:ed)?|supported|approved|ja|oui|(?:yes|true)(?:[\s.,;:!].*)?)",
    re.DOTALL,
)
NO = pattern_of(
    r"(?:n|f|0(?:\.0*)?|incorrect|wrong|no[ _-]?match|mismatch|negative|reject(?:ed)?|unsupported|not[ _-]?supported|refuted|nein|non|(?:no|false)(?:[\s.,;:!].*)?)",
    re.DOTALL,
)
CUT_OFF = pattern_of("length|max_(?:output_)?tokens")
"""Why an answer ends that is cut off."""


@dataclass
class Decisions:
    """Counts what columns of decisions say, as far as all their cells say yes or no.

    Attributes:
        counts: How often each cell is in a column; None for one that says other things.
    """

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
        if bare(name) in ENDINGS:
            return
        if not all(cell == "" or YES.fullmatch(cell) or NO.fullmatch(cell) or cell == name.lower() for cell in found):
            self.counts[name] = None

    def see_records(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Count the values of all keys of decisions in some records."""
        for name in decisions_in(list(dict.fromkeys(chain.from_iterable(records))), ()):
            self.see(name, (record.get(name) for record in records))

    def warnings(self) -> Iterator[str]:
        """Warn of rows that do not hold, and of answers that are cut off."""
        for name, counts in self.counts.items():
            if counts and bare(name) in ENDINGS:
                yield from warn_of_cuts(sum(count for cell, count in counts.items() if CUT_OFF.fullmatch(cell)))
                continue
            no = YES if bare(name) in NEGATIONS else NO
            wrong = {cell: count for cell, count in (counts or {}).items() if no.fullmatch(cell)}
            if not counts or not wrong:
                continue
            first = next(iter(wrong))[:20]
            yield (
                f"{sum(wrong.values()):,} of {counts.total():,} rows do not hold by the column {name!r} ({first!r}), which is not read: "
                "they are scored like all others; leave them out of the file"
            )


def warn_of_cuts(count: int) -> Iterator[str]:
    """Warn of answers that the service cut off."""
    if count:
        were = "answers were" if count > 1 else "answer was"
        yield f"{count:,} {were} cut off by the service: what is last in them may not be whole"


def _written(cell: Any) -> str:
    """Write a cell as it is compared; what is no plain value says neither yes nor no."""
    if cell is None:
        return ""
    return str(cell).strip().lower() if isinstance(cell, str | bool | int | float) else "[]"
