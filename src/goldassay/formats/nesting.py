"""Check of the depth of brackets, before a parser recurses without a limit and crashes the process."""

from __future__ import annotations

import re

import numpy as np

from goldassay.core.limits import DEPTH

# Each alternative is possessive, so that any input takes linear time; an unclosed part extends
# to the end, where the parser stops as well.
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
FUNCTIONAL = re.compile(_STRING + rb"|<[^<>\s]*+>?|#[^\n]*+", re.DOTALL)
JSON = re.compile(_STRING, re.DOTALL)
TURTLE = re.compile(
    rb'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\\?"{0,2}\Z)'
    rb"|'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\\?'{0,2}\Z)"
    rb"|" + _STRING + rb"|'[^'\\]*+(?:\\.[^'\\]*+)*+(?:'|\\?\Z)"
    rb'|<(?:[^\x00-\x20<>"{}|^`\\]|\\[uU][0-9A-Fa-f]++)*+>|#[^\n\r]*+|\\.',
    re.DOTALL,
)


def check_nesting(data: bytes, skipped: re.Pattern[bytes], brackets: str, path: str, *, width: int = 1) -> None:
    """Reject brackets that are nested too deeply.

    Example:
        >>> check_nesting(b'[{"a": "[[[[["}]' * 1000, JSON, "[{]}", "a.json")
        >>> check_nesting(b"[" * 1000, JSON, "[{]}", "a.json")
        Traceback (most recent call last):
        goldassay.core.errors.InputError: a.json: The brackets are nested too deeply.
          ...
    """
    half = len(brackets) // 2
    if sum(data.count(mark.encode()) for mark in brackets[:half]) <= DEPTH.value * width:
        return
    bare = np.frombuffer(skipped.sub(b"", data), dtype=np.uint8)
    opens, closes = (np.isin(bare, list(marks.encode())) for marks in (brackets[:half], brackets[half:]))
    steps = np.where(opens, np.int64(1), np.int64(-1))[opens | closes]
    DEPTH.check(int(np.cumsum(steps).max(initial=0)) // width, "The brackets are nested too deeply.", path=path)
