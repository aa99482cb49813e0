"""JSON, parsed by one set of rules, with the place of errors; brackets are counted before any parser recurses too deeply."""

from __future__ import annotations

import json
import math
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import chain, islice
from typing import Any, NoReturn

import numpy as np

from goldassay.core.errors import InputError
from goldassay.core.libraries import msgspec
from goldassay.core.limits import DEPTH, DIGITS
from goldassay.core.patterns import pattern_of
from goldassay.formats.python_values import object_of, parse_python
from goldassay.formats.source import TOO_LONG, Source, check_stretches, strip_byte_order_mark, utf8_of

# Each alternative is possessive, so that any input takes linear time; an unclosed part extends
# to the end, where the parser stops as well.
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
FUNCTIONAL = pattern_of(_STRING + rb"|<[^<>\s]*+>?|#[^\n]*+", re.DOTALL)
JSON = pattern_of(_STRING, re.DOTALL)
# Atomic: a possessive group with a choice or a look ahead in it is wrong before Python 3.11.5.
TURTLE = pattern_of(
    rb'"""(?>(?:[^"\\]++|\\.|"(?!""))*)(?:"""|\\?"{0,2}\Z)'
    rb"|'''(?>(?:[^'\\]++|\\.|'(?!''))*)(?:'''|\\?'{0,2}\Z)"
    rb"|" + _STRING + rb"|'[^'\\]*+(?:\\.[^'\\]*+)*+(?:'|\\?\Z)"
    rb'|<(?>(?:[^\x00-\x20<>"{}|^`\\]++|\\[uU][0-9A-Fa-f]++)*)>|#[^\n\r]*+|\\.',
    re.DOTALL,
)
HIGH, LOW = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
ESCAPES = pattern_of(rf"\\\\|{HIGH}{LOW}|(?P<lone>{HIGH}|{LOW})")
PYTHON = 2**20
"""Up to so many characters are tried as what Python writes."""
CUT = "check that writing the file has finished; if a model wrote it up to its limit, let the name end with .txt"
ESCAPED_COLON = b"\\u003"
"""How an escaped colon begins, and some other characters."""
FEW = 4096
FEW_LEVELS, FEW_DIGITS = 16, 16
NESTED = (dict, list)
CASE = ord("{") ^ ord("[")
ESCAPED_QUOTE = rb"\""
NO_MARKS = bytes(set(range(256)) - set(b'[{}]"'))
SAME_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)

AT_ONCE, PIECE = 2**14, 2**16
"""Texts that are left out, and bytes in which brackets are counted, at the same time."""
GAP = pattern_of(r"[\s,:]*")
TOKEN = pattern_of(r'"(?:[^"\\]|\\.)*+"|[-\w.+]++|[{}\[\]:]')


def check_nesting(data: bytes, skipped: re.Pattern[bytes], brackets: str, *, width: int = 1) -> None:
    """Reject brackets that are nested too deeply.

    Example:
        >>> check_nesting(b'[{"a": "[[[[["}]' * 1000, JSON, "[{]}")
        >>> check_nesting(b"[" * 1000, JSON, "[{]}")
        Traceback (most recent call last):
        goldassay.core.errors.InputError: The brackets are nested too deeply.
          ...
    """
    half = len(brackets) // 2
    if sum(data.count(mark.encode()) for mark in brackets[:half]) <= DEPTH.value * width:
        return
    steps = np.zeros(256, dtype=np.int64)
    steps[list(brackets[:half].encode())], steps[list(brackets[half:].encode())] = 1, -1
    depth, deepest = 0, 0
    for piece in _pieces_without(skipped, data):
        depths = depth + np.cumsum(steps[np.frombuffer(piece, dtype=np.uint8)])
        depth, deepest = int(depths[-1]), max(deepest, int(depths.max()))
    DEPTH.check(deepest // width, "The brackets are nested too deeply.")


def _pieces_without(skipped: re.Pattern[bytes], data: bytes) -> Iterator[bytes]:
    """Leave out what a pattern matches, piece by piece: what is between a million short texts takes much more memory than the file."""
    found, begin = skipped.finditer(data), 0
    while begin < len(data):
        last = deque(islice(found, AT_ONCE), maxlen=1)
        end = last[0].end() if last else len(data)
        bare = skipped.sub(b"", data[begin:end])
        yield from (bare[start : start + PIECE] for start in range(0, len(bare), PIECE))
        begin = end


class NoJSONError(ValueError):
    """Text that Python accepts as JSON, but readers should reject.

    Attributes:
        offset: Its offset in the text, in characters; None if unknown.
    """

    def __init__(self, message: str, offset: int | None = None) -> None:
        super().__init__(message)
        self.offset = offset


def parse_json(text: str | bytes) -> Any:
    """Parse JSON strictly, without the extensions of Python's parser.

    Example:
        >>> parse_json('{"id": 1, "score": 0.5}')
        {'id': 1, 'score': 0.5}
        >>> parse_json('{"id": 1, "id": 2}')
        Traceback (most recent call last):
        goldassay.formats.python_values.RepeatedKeyError: the key 'id' occurs twice
    """
    data = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    decode, unreadable = decoder()
    try:
        value = decode(data)
    except unreadable:
        return parse_carefully(text)
    return value if is_strict(value, data) else parse_carefully(text)


def parse_if_json(text: str | bytes) -> Any:
    """Parse JSON; None if it is none."""
    with suppress(ValueError, RecursionError):
        return parse_json(text)
    return None


def is_json(text: str | bytes) -> bool:
    """Return whether a text is JSON."""
    try:
        parse_json(text)
    except (ValueError, RecursionError):
        return False
    return True


def is_well_formed(data: bytes) -> bool:
    """Return whether data have the form of JSON; no value is made of them, so that it takes a tenth of the time."""
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return True


@cache
def decoder() -> tuple[Callable[[bytes], Any], tuple[type[Exception], ...]]:
    """Return a parser in C, and what it raises; it is as strict as `parse_carefully`, but for what `holds_all` finds."""
    return msgspec.json.Decoder().decode, (msgspec.MsgspecError, ValueError, RecursionError)


def is_strict(value: Any, data: bytes) -> bool:
    """Return whether a value has all that is in the JSON that it was decoded from, and nothing that should be rejected."""
    return holds_all(value, data) and not is_deep(value, data, DEPTH.value)


def holds_all(value: Any, data: bytes, longest: int | None = None) -> bool:
    """Return whether a value has every pair of the JSON that it was decoded from, and whether its numbers are short enough.

    A parser keeps the last of several pairs with one key. All colons of the JSON come after keys or in texts; with a pair at least one
    is lost, and written again the value has as many as before only if no pair was lost; nor was one if objects have as many pairs. An escaped colon would be one more. A number is no longer than the longest of several records.
    """
    # One character is found sooner than several.
    if (b"\\" in data and ESCAPED_COLON in data) or _has_long_number(data, len(data) if longest is None else longest):
        return False
    colons = _count(data, b":")
    is_table = type(value) is list and set(map(type, value)) == {dict}
    try:
        return (is_table and colons == sum(map(len, value))) or colons == _count(msgspec.json.encode(value), b":")
    except (OverflowError, RecursionError):  # a number beyond 64 bits
        return False


def _has_long_number(data: bytes, longest: int) -> bool:
    """Return whether there are too many digits in a row: at first among every few bytes, of which many digits have some."""
    most = DIGITS.value
    if longest <= most:
        return False
    steps = (max(1, most // FEW_DIGITS), 1)
    return all(b"0" * ((most + 1) // step) in data[::step].translate(SAME_DIGITS) for step in steps)


def _count(data: bytes, marks: bytes) -> int:
    """Count some characters; where there is much to count, numpy does it in a quarter of the time."""
    if len(data) < FEW:
        return sum(map(data.count, marks))
    every = np.frombuffer(data, dtype=np.uint8)
    return sum(int(np.count_nonzero(every == mark)) for mark in marks)


def is_deep(value: Any, data: bytes, most: int) -> bool:
    """Return whether a value nests beyond a limit."""
    if len(data) <= most or _count(data, b"[{") <= most or _is_flat(data, most):
        return False
    inner = [value]
    for _ in range(most + 1):
        inner = [one for one in inner if type(one) in NESTED]
        if not inner:
            return False
        inner = list(chain.from_iterable(one.values() if type(one) is dict else one for one in inner))
    return True


def may_be_deep(data: bytes, longest: int, most: int) -> bool:
    """Return whether one of several records, none of them longer than a number of bytes, may nest beyond a limit: two stretches hold any."""
    opens = (np.frombuffer(data, dtype=np.uint8) | CASE) == ord("{")
    counts = np.add.reduceat(opens.view(np.uint8), np.arange(0, len(data), longest), dtype=np.int64)
    return 2 * int(counts.max()) > most


def _is_flat(data: bytes, most: int) -> bool:
    """Return whether brackets are seen to nest no deeper than a limit: the innermost pairs are taken out, level by level."""
    marks = data.translate(None, NO_MARKS).replace(b'""', b"")
    if ESCAPED_QUOTE in data or b'"' in marks:  # a bracket may be in a text
        return False
    for level in range(0, FEW_LEVELS, 2):
        if len(marks) // 2 + level <= most:
            return True
        marks = marks.replace(b"[]", b"").replace(b"{}", b"")
    return False


def parse_carefully(text: str | bytes) -> Any:
    """Parse JSON as `parse_json` does, step by step: to read what cannot be decoded at once, or to say what is wrong with it."""
    text = text if isinstance(text, str) else text.decode()
    lone = next((match for match in ESCAPES.finditer(text) if match["lone"]), None) if "\\u" in text else None
    if lone is not None:
        raise NoJSONError(f"the lone surrogate {lone['lone']} of a pair", lone.start())
    value = DECODER.decode(text)
    if is_deep(value, text.encode(errors="surrogatepass"), DEPTH.value):
        raise NoJSONError(f"brackets of more than {DEPTH.value:,} levels")
    return value


def _parsed(source: Source) -> tuple[Any, Exception | None]:
    """Parse a file as JSON the first time, and return its value, or what is wrong with it."""
    if not source.parsed:
        data = strip_byte_order_mark(source)
        try:
            source.parsed.append((parse_json(data), None))
        except (ValueError, RecursionError) as error:
            source.parsed.append((None, error.with_traceback(None)))
    return source.parsed[0]


def is_json_file(source: Source) -> bool:
    """Return whether a file is JSON."""
    return _parsed(source)[1] is None


def json_in(source: Source) -> Any:
    """Parse a file as JSON; None if it is none."""
    return _parsed(source)[0]


def json_of(source: Source) -> Any:
    """Parse a JSON file."""
    data = utf8_of(source)
    check_stretches(data, b'",[{', TOO_LONG)
    value, wrong = _parsed(source)
    if wrong is None:
        return value
    check_nesting(data, JSON, "[{]}")
    text = data.decode()
    try:
        raise wrong
    except json.JSONDecodeError as error:
        hint = _hint_for(text, error)
        raise InputError(
            "Invalid JSON." if hint == CUT else "The file begins like JSON, but is not JSON.",
            line=error.lineno,
            column=error.colno,
            found=f"{text[error.pos : error.pos + 40]!r} ({error.msg})",
            expected="one JSON value",
            hint=hint,
        ) from error
    except RecursionError as error:
        # The limit was raised, or the callers have used up most of the stack.
        raise InputError("The JSON is nested too deeply.", expected="fewer levels", hint=DEPTH.hint) from error
    except ValueError as error:
        offset = getattr(error, "offset", None)
        offset = _place_of(text) if offset is None else offset
        raise InputError(
            "The JSON contains a value that is not allowed.",
            line=None if offset is None else text.count("\n", 0, offset) + 1,
            found=str(error),
            expected="no lone surrogates, finite numbers, and unique keys in an object",
            hint="write the file again (in Python: json.dumps(..., ensure_ascii=False, allow_nan=False))",
        ) from error


def lines_of_members(source: Source, *steps: str | int) -> list[int]:
    """List the lines on which the members of a list begin, given the keys and places that lead to the list."""
    text = utf8_of(source).decode()
    lines, line, before, at = [], 1, 0, _begin_of_value(text, steps)
    for _, begin in _members(text, at):
        line += text.count("\n", before, begin)
        before = begin
        lines.append(line)
    return lines


def line_of_value(source: Source, *steps: str | int) -> int:
    """Return the line on which a value begins, given the keys and places that lead to it."""
    text = utf8_of(source).decode()
    return text.count("\n", 0, _begin_of_value(text, steps)) + 1


def _begin_of_value(text: str, steps: Iterable[str | int]) -> int:
    at = _skip_blank(text, 0)
    for step in steps:
        at = next(begin for key, begin in _members(text, at) if key == step)
    return at


def _members(text: str, at: int) -> Iterator[tuple[str | int, int]]:
    """List the keys or places of the members of an object or a list, and where each begins."""
    at = _skip_blank(text, at)
    is_object, at, place = text[at] == "{", at + 1, 0
    while text[at := _skip_blank(text, at)] not in "]}":
        key: str | int = place
        if is_object:
            key, at = DECODER.raw_decode(text, at)
        yield key, (at := _skip_blank(text, at))
        at = DECODER.raw_decode(text, at)[1]
        place += 1


def _skip_blank(text: str, at: int) -> int:
    """Return where a key or a value begins behind white space and marks."""
    gap = GAP.match(text, at)
    return gap.end() if gap else at


def is_cut(text: str, error: json.JSONDecodeError) -> bool:
    """Return whether a text is no JSON only because its end is missing."""
    return error.msg.startswith("Unterminated") or len(text.rstrip()) - error.pos < len("false")


def _hint_for(text: str, error: json.JSONDecodeError) -> str:
    """Return what to do about a text that is not JSON: it is cut short, or written in another way."""
    if is_cut(text, error):
        return CUT
    first, _, more = text.strip().partition("\n")
    for line in (first, text):
        with suppress(ValueError):
            found = parse_python(line if len(line) < PYTHON else "")
            if isinstance(found, list) and ((more and line is first) or (found and isinstance(found[0], list))):
                return "these are lists: if they are triples, goldassay triples reads them"
            return "this is how Python writes values: write them by json.dumps, and not by str or print"
    return "correct this place; a program that writes JSON (json.dumps, jq) makes no such error"


def _place_of(text: str) -> int | None:
    """Find the first value of a JSON text that `DECODER` refuses, which does not say where it is."""
    keys: list[set[str]] = []
    before, place = "", None
    for token in TOKEN.finditer(text):
        word = token[0]
        if word in "{[":
            keys.append(set())
        elif word in "}]":
            keys = keys[:-1]
        elif word == ":":
            if before in keys[-1]:
                return place
            keys[-1].add(before)
        else:
            try:
                found = DECODER.decode(word)
            except ValueError:
                return token.start()
            before, place = str(found), token.start()
    return None


def _refuse_constant(name: str) -> NoReturn:
    raise NoJSONError(f"{name}, which is not a number")


def _find_end(digits: str) -> int:
    if len(digits) > DIGITS.value:
        raise NoJSONError(f"a number of {len(digits):,} digits")
    return int(digits)


def _finite(written: str) -> float:
    number = float(written)
    if not math.isfinite(number):
        raise NoJSONError(f"{written[:40]}, which is out of range")
    return number


# Made once: json.loads would make one for each text.
DECODER = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_int=_find_end, parse_float=_finite, object_pairs_hook=object_of
)
