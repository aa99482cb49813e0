"""When two spellings are one name: the rules that a person may choose, and what each of them does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from goldassay.formats.labels import WORD_BORDER

QUOTES = "\"'`\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb\u2039\u203a"
ARTICLE = re.compile(r"^(?:the|an?) (?=\S)", re.IGNORECASE)
LANGUAGE = re.compile(r"(?<=\S)@[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$")
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


def normaliser(rules: Iterable[str]) -> Callable[[str], str]:
    """Make the function that gives every spelling its name.

    Characters are always composed (Unicode NFC), and blanks are always one space between words and none around them.

    Args:
        rules: Words of `RULES`, in any order.

    Example:
        >>> normaliser([])(" New  York"), normaliser(["case", "underscores"])("New_York")
        ('New York', 'new york')
        >>> normaliser(["camel", "case"])("birthPlace"), normaliser(["numbers"])("2439.50")
        ('birth place', '2439.5')
    """
    chosen = set(rules)
    steps = [step for name, step in RULES.items() if name in chosen]

    def normalise(text: str) -> str:
        text = _blanks(text)
        for step in steps:
            text = _blanks(step(text))
        return text

    return normalise


def _blanks(text: str) -> str:
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())
