"""Every pattern of the package takes linear time, as it is used, on what it is made of, repeated: twice as much takes twice as long."""

import importlib
import json
import pkgutil
import re
import subprocess
import sys
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from tests.growing import is_linear, spent

import goldassay
from goldassay.core.patterns import pattern_of

USE = re.compile(r"\b(_?[A-Z][A-Z_0-9]*)\.(search|match|fullmatch|finditer|findall|sub|split)\(")
LITERAL = re.compile(r"[\w:<>(){}\[\]|#-]{2,}")
SIZE, SLOW = 1500, 0.001
MARKS = " \n\t\"'\\.,:;-_#<>()[]{}|*/@^=+"
CLASSES = {"\\d": "1", "\\w": "a", "\\s": " ", ".": "a", "[^": "a"}


def modules():
    """Give each module of the package that can have patterns."""
    for module in pkgutil.walk_packages(goldassay.__path__, "goldassay."):
        if ".kernels" in module.name or module.name.endswith(("__main__", ".pytest")) or ".migrations" in module.name:
            continue
        yield module, importlib.import_module(module.name)


def compiled(value):
    """Give the pattern that a value is, whenever it is compiled; None if it is none."""
    kinds = re.Pattern, type(pattern_of(""))
    return re.compile(value.pattern, value.flags) if isinstance(value, kinds) else None


def patterns():
    """Give each pattern with the name of its module and the methods by which any module calls it."""
    found = {}
    for module, home in modules():
        for name, method in USE.findall(Path(home.__file__).read_text(encoding="utf-8")):
            one = compiled(getattr(home, name, None))
            if one and isinstance(one.pattern, str):
                found.setdefault(one, (f"{module.name.removeprefix('goldassay.')}.{name}", set()))[1].add(method)
    return found


GAPS = tuple(f"formats.answers.{part}." for part in ("names", "lines", "shapes", "fields", "statements", "outline"))
"""Patterns of single lines of model output, in which `_cleaned` leaves no more than eight blanks in a row."""


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


def seconds(pattern, method, before, piece, size):
    text = before + piece * (size // len(piece)) + "\x01"
    call = {"sub": partial(pattern.sub, ""), "finditer": lambda text: list(pattern.finditer(text))}
    return spent(call.get(method, getattr(pattern, method)), text)


def grows(pattern, method):
    """Return the first piece that, repeated, takes a pattern more than linear time."""
    single, repeated = pieces(pattern)
    for piece, before in product(repeated, ["", *single[-2:]]):
        if piece.isspace() and PATTERNS.get(pattern, ("",))[0].startswith(GAPS):
            continue
        seconds_of = partial(seconds, pattern, method, before, piece)
        if seconds_of(SIZE) > SLOW and not is_linear(seconds_of, SIZE, SLOW):
            return before + piece
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


SPANS = """
import hashlib, json, re, sys
texts = [open(path, "rb").read(1500) for path in json.loads(sys.argv[1])]
for written, flags, raw in json.load(sys.stdin):
    pattern = re.compile(written.encode("latin-1") if raw else written, flags)
    found = hashlib.sha256()
    for text in texts:
        found.update(repr([one.span() for one in pattern.finditer(text if raw else text.decode("latin-1"))]).encode())
    print(found.hexdigest())
"""
"""What prints a line for each pattern: what it finds in some files."""


POSSESSIVE = re.compile(r"\)(?:[*+?]|\{[\d,]+\})\+")
"""What the fault is in: a group, as often as it goes, for good."""


def debian():
    """Return the interpreter of Debian 12, in which possessive quantifiers over groups have a fault that 3.11.5 mended."""
    asked = "import sys; print(sys.version_info < (3, 11, 5) and sys.version_info >= (3, 11))"
    path = Path("/usr/bin/python3")
    if (
        path.exists()
        and subprocess.run([path, "-c", asked], check=False, capture_output=True, text=True).stdout.strip() == "True"
    ):
        return path
    return pytest.skip("no Python before 3.11.5 on this machine")


def test_python_of_debian_finds_the_same():
    every = {
        value: f"{home.__name__}.{name}"
        for _, home in modules()
        for name, value in ((name, compiled(one)) for name, one in vars(home).items())
        if value
        and POSSESSIVE.search(value.pattern if isinstance(value.pattern, str) else value.pattern.decode("latin-1"))
    }
    written = [
        (one.pattern.decode("latin-1"), one.flags, True)
        if isinstance(one.pattern, bytes)
        else (one.pattern, one.flags, False)
        for one in every
    ]
    corpus = Path(__file__).parent.parent / "fuzz" / "corpus"
    files = [str(path) for path in sorted(corpus.rglob("*")) if path.is_file() and path.stat().st_size < 20_000]
    assert len(every) >= 15
    assert len(files) > 100

    def found(interpreter):
        ran = subprocess.run(
            [interpreter, "-c", SPANS, json.dumps(files)],
            input=json.dumps(written),
            capture_output=True,
            text=True,
            check=True,
        )
        return dict(zip(every.values(), ran.stdout.split(), strict=True))

    here = found(sys.executable)
    assert found(debian()) == here
