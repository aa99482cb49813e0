"""JSON, parsed by one set of rules, with the place of errors."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any, NoReturn

from goldassay.core.errors import InputError
from goldassay.core.limits import DEPTH, DIGITS
from goldassay.formats.nesting import JSON, check_nesting
from goldassay.formats.source import Source, text_of

HIGH, LOW = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
ESCAPES = re.compile(rf"\\\\|{HIGH}{LOW}|(?P<lone>{HIGH}|{LOW})")

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[-\w.+]++|[{}\[\]:]')


class NoJSONError(ValueError):
    """Text that Python accepts as JSON, but readers should reject.

    Attributes:
        offset: Its offset in the text, in characters; None if unknown.
    """

    def __init__(self, message: str, offset: int | None = None) -> None:
        super().__init__(message)
        self.offset = offset


def parse_json(text: str) -> Any:
    r"""Parse JSON strictly, without the extensions of Python's parser.

    Args:
        text: One JSON value.

    Returns:
        Dictionaries, lists, strings, finite numbers, booleans and None.

    Raises:
        NoJSONError: For NaN and infinity, numbers beyond the range of a float, an object with a duplicate key, and lone
            surrogates.
        ValueError: If it is not JSON.
        RecursionError: If it nests too deeply.

    Example:
        >>> parse_json('{"id": 1, "score": 0.5}')
        {'id': 1, 'score': 0.5}
        >>> parse_json('{"id": 1, "id": 2}')
        Traceback (most recent call last):
        goldassay.formats.documents.NoJSONError: the key 'id' occurs twice
    """
    lone = next((match for match in ESCAPES.finditer(text) if match["lone"]), None) if "\\u" in text else None
    if lone is not None:
        raise NoJSONError(f"the lone surrogate {lone['lone']} of a pair", lone.start())
    return DECODER.decode(text)


def json_of(source: Source) -> Any:
    """Parse a JSON file.

    Args:
        source: The file.

    Returns:
        What it holds, as `parse_json` gives it.

    Raises:
        InputError: If it is not JSON, is nested too deeply, or contains invalid values; the message has the line.

    Example:
        >>> json_of(Source(path="a.json", name="a.json", data=b'{"nodes": []}', size=13))
        {'nodes': []}
    """
    text = text_of(source)
    check_nesting(text.encode(), JSON, "[{]}", source.path)
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        raise InputError(
            "The JSON is broken.",
            path=source.path,
            line=error.lineno,
            column=error.colno,
            found=f"{text[error.pos : error.pos + 40]!r} ({error.msg})",
            expected="one JSON value",
            hint="check that writing the file has finished",
        ) from error
    except RecursionError as error:
        # The limit was raised, or the callers have used up most of the stack.
        raise InputError(
            "The JSON is nested too deeply.", path=source.path, expected="fewer levels", hint=DEPTH.hint
        ) from error
    except ValueError as error:
        offset = getattr(error, "offset", None)
        offset = _place_of(text) if offset is None else offset
        raise InputError(
            "The JSON contains a value that is not allowed.",
            path=source.path,
            line=None if offset is None else text.count("\n", 0, offset) + 1,
            found=str(error),
            expected="no lone surrogates, finite numbers, and unique keys in an object",
            hint="write the file again (in Python: json.dumps(..., ensure_ascii=False, allow_nan=False))",
        ) from error


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


def _whole(digits: str) -> int:
    if len(digits) > DIGITS.value:
        raise NoJSONError(f"a number of {len(digits):,} digits")
    return int(digits)


def _finite(written: str) -> float:
    number = float(written)
    if not math.isfinite(number):
        raise NoJSONError(f"{written[:40]}, which is out of range")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise NoJSONError(f"the key {twice!r} occurs twice")
    return made


# Made once: json.loads would make one for each text.
DECODER = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_int=_whole, parse_float=_finite, object_pairs_hook=_object
)
