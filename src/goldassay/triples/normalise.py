"""When two spellings are one name: the rules that a person may choose, and what each of them does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from goldassay.core.intern import FEW
from goldassay.formats.delimited import WHITE
from goldassay.formats.labels import WORD_BORDER

QUOTES = "\"'`\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb\u2039\u203a"
ARTICLE = re.compile(r"^(?:the|an?) (?=\S)", re.IGNORECASE)
LANGUAGE = re.compile(r"(?<=\S)@[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$")
ODD_BLANKS = f"[{WHITE.replace(' ', '')}]|  |^ | $"
"""Blanks that are not one space between words."""
NUMBER = re.compile(r"([-+]?)0*(\d+)(?:\.(\d*))?")


def _without_zeros(text: str) -> str:
    """Write a plain decimal number without zeros that say nothing; anything else stays."""
    match = NUMBER.fullmatch(text)
    if not match:
        return text
    sign, whole, part = match[1], match[2], (match[3] or "").rstrip("0")
    number = f"{whole}.{part}" if part else whole
    return f"-{number}" if sign == "-" and number != "0" else number


RULES: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "language": lambda text: LANGUAGE.sub("", text),
        "quotes": lambda text: text.strip(QUOTES),
        "underscores": lambda text: text.replace("_", " "),
        "camel": lambda text: WORD_BORDER.sub(" ", text),
        "case": str.casefold,
        "articles": lambda text: ARTICLE.sub("", text),
        "numbers": _without_zeros,
    }
)
"""What a person may ask for, in the order in which it is done."""


def normaliser(rules: Iterable[str]) -> Normaliser:
    """Make the function that gives every spelling its name.

    Characters are always composed (Unicode NFC), and blanks are always one space between words and none around them.

    Example:
        >>> normaliser([])(" New  York"), normaliser(["case", "underscores"])("New_York")
        ('New York', 'new york')
        >>> normaliser(["camel", "case"])("birthPlace"), normaliser(["numbers"])("2439.50")
        ('birth place', '2439.5')
    """
    chosen = set(rules)
    return Normaliser(tuple(name for name in RULES if name in chosen))


@dataclass(frozen=True)
class Normaliser:
    """What is done to a spelling, rule by rule; no closure, so that what was read can be pickled."""

    rules: tuple[str, ...]

    def __call__(self, text: str) -> str:
        """Give a spelling its name."""
        text = _blanks(text)
        for rule in self.rules:
            text = _blanks(RULES[rule](text))
        return text

    def each(self, texts: Sequence[str]) -> list[str]:
        """Give several spellings their names; without rules most texts are their own names.

        Example:
            >>> normaliser([]).each(["Oslo", " New  York", "cafe\u0301"])
            ['Oslo', 'New York', 'café']
        """
        if self.rules:
            return list(map(self, texts))
        if len(texts) <= FEW:
            every = "|".join(texts)
            # One look at all of them: plain texts without a blank too many are their own names.
            plain = every.isascii() and " |" not in every and "| " not in every and _blanks(every) == every
            return list(texts) if plain else list(map(self, texts))
        import polars as pl

        names = list(texts)
        series = pl.Series(names, dtype=pl.String).str
        for row in series.contains("[^ -~]").arg_true().to_list():
            names[row] = unicodedata.normalize("NFC", names[row])
        for row in series.contains(ODD_BLANKS).arg_true().to_list():
            names[row] = " ".join(names[row].split())
        return names


def _blanks(text: str) -> str:
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())
