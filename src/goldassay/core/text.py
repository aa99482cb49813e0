"""Safe display of texts."""

from __future__ import annotations

import re
from collections.abc import Sequence

LISTED = 5
"""How many names a sentence lists."""
BREAKS = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""Control characters, and lone surrogates, which cannot be encoded."""


def visible(text: str) -> str:
    r"""Escape control characters, so that no text from a file can move the cursor or hide.

    Line ends and tabs are kept. Only printed text is escaped, never data.

    Example:
        >>> print(visible("red \x1b[31m"), visible("a\tb"))
        red \x1b[31m a	b
    """
    return HIDDEN.sub(lambda found: ascii(found[0])[1:-1], text)


def one_line(text: str) -> str:
    r"""Write a text as one line that is safe to print: line ends and tabs become spaces, others escapes.

    Example:
        >>> print(one_line("two\nlines \x1b[31m"))
        two lines \x1b[31m
    """
    return visible(BREAKS.sub(" ", text))


def first_few(names: Sequence[str]) -> str:
    """Name the first of several names, and say how many more there are.

    Example:
        >>> first_few(["a", "b"]), first_few(["a", "b", "c", "d", "e", "f"])
        ('a, b', 'a, b, c, d, e and 1 more')
    """
    more = f" and {len(names) - LISTED:,} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more
