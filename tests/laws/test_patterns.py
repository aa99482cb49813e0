"""Every pattern of the package takes linear time, as it is used, on what it is made of, repeated: twice as much takes twice as long."""

import importlib
import pkgutil
import re
import time
from itertools import product
from pathlib import Path

import pytest

import goldassay

USE = re.compile(r"\b(_?[A-Z][A-Z_0-9]*)\.(search|match|fullmatch|finditer|findall|sub|split)\(")
LITERAL = re.compile(r"[\w:<>(){}\[\]|#-]{2,}")
SIZE, SLOW, FACTOR = 1500, 0.003, 3
MARKS = " \n\t\"'\\.,:;-_#<>()[]{}|*/@^=+"
CLASSES = {"\\d": "1", "\\w": "a", "\\s": " ", ".": "a", "[^": "a"}


def patterns():
    """Give each pattern with the name of its module and the methods by which any module calls it."""
    found = {}
    for module in pkgutil.walk_packages(goldassay.__path__, "goldassay."):
        if ".kernels" in module.name or module.name.endswith(("__main__", ".pytest")) or ".migrations" in module.name:
            continue
        home = importlib.import_module(module.name)
        for name, method in USE.findall(Path(home.__file__).read_text(encoding="utf-8")):
            one = getattr(home, name, None)
            if isinstance(one, re.Pattern) and isinstance(one.pattern, str):
                found.setdefault(one, (f"{module.name.removeprefix('goldassay.')}.{name}", set()))[1].add(method)
    return found


GAPS = "formats.answer_lines."
"""Patterns of single lines of model output, in which `_line` leaves no more than eight blanks in a row."""


def pieces(pattern):
    """List what a text that the pattern nearly matches is made of."""
    written = pattern.pattern
    some = {mark for mark in MARKS if mark in written} | {shown for mark, shown in CLASSES.items() if mark in written}
    some |= {letter for letter in written if not letter.isascii()} if len(written) < 200 else set()
    single = sorted(some | {"a", "1"})
    return single, [
        *single,
        *map("".join, product(single[:8], repeat=2)),
        *dict.fromkeys(LITERAL.findall(written)[:8]),
    ]


def seconds(pattern, method, text):
    begin = time.process_time()
    call = {"sub": lambda: pattern.sub("", text), "finditer": lambda: list(pattern.finditer(text))}
    call.get(method, lambda: getattr(pattern, method)(text))()
    return time.process_time() - begin


def grows(pattern, method):
    """Return the first text on which a pattern takes more than linear time."""
    single, repeated = pieces(pattern)
    for piece, before, after in product(repeated, ["", *single[-2:]], ["\x01"]):
        if piece.isspace() and PATTERNS.get(pattern, ("",))[0].startswith(GAPS):
            continue
        short, long = (before + piece * (times * SIZE // len(piece)) + after for times in (1, 2))
        if seconds(pattern, method, short) > SLOW:
            quick, slow = (min(seconds(pattern, method, text) for _ in range(3)) for text in (short, long))
            if slow > FACTOR * quick and quick > SLOW:
                return short[:20]
    return None


PATTERNS = patterns()


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: PATTERNS[pattern][0])
def test_a_pattern_takes_linear_time(pattern):
    for method in PATTERNS[pattern][1]:
        assert grows(pattern, method) is None, method


def test_a_pattern_that_takes_the_square_is_found():
    assert len(PATTERNS) > 150
    assert grows(re.compile(r"\d+\.?\d*"), "fullmatch")
    assert grows(re.compile(r"^\s*(?:a|\s)*b", re.MULTILINE), "search")
