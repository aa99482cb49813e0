"""Safe display of texts."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from goldassay.core.patterns import pattern_of

LISTED = 5
"""How many names a sentence lists."""
BULLETS = "-*+↳•◦▪▸‣●○■□◆◇►➢➤\u2013\u2014"
"""What is before an item of a list, with a blank behind it."""
BREAKS = pattern_of("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
HIDDEN = pattern_of(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Characters that move the cursor, change the direction of text, have no width or cannot be encoded; without tabs and line ends."""


def visible(text: str) -> str:
    r"""Escape control characters, so that no text from a file can move the cursor or hide.

    Line ends and tabs are kept. Only printed text is escaped, never data.

    Example:
        >>> print(visible("red \x1b[31m"), visible("a\tb"), visible("one\u2028\ud800"))
        red \x1b[31m a	b one\u2028\ud800
    """
    return HIDDEN.sub(lambda found: ascii(found[0])[1:-1], text)


def json_text(value: object, **layout: Any) -> str:
    """Write a value as JSON, in which hidden characters are escapes."""
    written = json.dumps(value, ensure_ascii=False, allow_nan=False, **layout)
    return HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], written)


def encodable(text: str) -> str:
    """Escape what UTF-8 cannot write: half of a surrogate pair, as in the name of a file in no encoding."""
    return text.encode("utf-8", "backslashreplace").decode()


def show_object(value: object) -> str:
    """Write an object of a program as one line, even one that cannot be written."""
    try:
        return to_one_line(repr(value))
    except Exception:  # noqa: BLE001 - an object may raise anything
        return f"an object of {type(value).__name__} that has no text"


def to_one_line(text: str) -> str:
    """Write a text as one line that is safe to print: line ends and tabs become spaces, others escapes."""
    return visible(BREAKS.sub(" ", text))


PLURALS = (("ty", "ties"), ("ss", "sses"), ("", "s"))
"""How nouns for one end, and for several."""


def count_of(count: int, noun: str, several: str | None = None) -> str:
    """Write a count with its noun, which may have words around it that differ where there are several."""
    if count == 1:
        return f"1 {noun}"
    ending, plural = next(pair for pair in PLURALS if noun.endswith(pair[0]))
    return f"{count:,} {noun.removesuffix(ending) + plural if several is None else several}"


def list_counts(counts: Mapping[str, int]) -> str:
    """Write counts by reason, without those that are 0: ``blank nodes (3), duplicates (1,024)``."""
    return ", ".join(f"{name.replace('_', ' ')} ({count:,})" for name, count in counts.items() if count)


def singular(name: str) -> str:
    """Write the plural of a name as its singular."""
    if not name.endswith(("s", "children")):
        return name
    for ending, instead in (("children", "child"), ("ies", "y"), ("sses", "ss"), ("ss", "ss"), ("s", "")):
        if name.endswith(ending) and len(name) > len(ending) + (ending != "children"):
            return name.removesuffix(ending) + instead
    return "child" if name == "children" else name


def separating_digits(value: float, bound: float) -> int:
    """Return how many digits show that two numbers differ, at least 6."""
    return next((digits for digits in range(6, 17) if f"{value:.{digits}g}" != f"{bound:.{digits}g}"), 6)


SHOWN = 60
"""Characters of a name in a sentence."""


def contrast_names(here: Iterable[str], there: Iterable[str]) -> str:
    """Show one name of each side, where the two have none in common: the first in the order of the alphabet."""
    one, other = (to_one_line(min(names))[:SHOWN] for names in (here, there))
    return f"for example {one!r} against {other!r}"


@dataclass(frozen=True)
class NumberFormat:
    """How numbers are written: with how many decimal places, and whether values are in percent."""

    places: int = 4
    percent: bool = False

    def value(self, value: float) -> str:
        """Write a value; one that is undefined as a dash."""
        return "-" if math.isnan(value) else f"{value * self.factor:.{self.places}f}"

    def stated(self, value: float) -> str:
        """Write a value that was published, with no more decimal places than it has."""
        places = len(f"{Decimal(str(value)):f}".partition(".")[2]) - (2 if self.percent else 0)
        return replace(self, places=max(min(self.places, places), 0)).value(value)

    @property
    def factor(self) -> int:
        """What a value is multiplied by."""
        return 100 if self.percent else 1

    def within(self, value: float, interval: Any, sd: float = math.nan) -> str:
        """Write a value, its standard deviation and the ends of its `Interval` or None, as far as they are known and defined."""
        text = self.value(value)
        if math.isnan(value):
            return text
        if not math.isnan(sd):
            text += f" \u00b1 {self.value(sd)}"
        if interval is None or math.isnan(interval.low) or math.isnan(interval.high):
            return text
        return f"{text} [{self.value(interval.low)}, {self.value(interval.high)}]"

    def count(self, value: float) -> str:
        """Write a sum: a whole number without decimal places, any other with them."""
        if math.isnan(value):
            return "-"
        return f"{round(value):,}" if float(value).is_integer() else f"{value:,.{self.places}f}"


USUAL = NumberFormat()


def list_first(names: Sequence[str], count: int | None = None) -> str:
    """Name the first of several names, and say how many more there are: of ``count`` names in all, if not all are given."""
    total = len(names) if count is None else count
    more = f" and {total - LISTED:,} more" if total > LISTED else ""
    return ", ".join(names[:LISTED]) + more
