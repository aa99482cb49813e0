"""JSON: parsed by one set of rules, with a place for what is wrong with it."""

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


class NoJSONError(ValueError):
    """A value that JSON can be made to write and that no reader should accept; says which.

    Attributes:
        offset: Where it stands in the text, in characters; None if that is not known.
    """

    def __init__(self, message: str, offset: int | None = None) -> None:
        super().__init__(message)
        self.offset = offset


def parse_json(text: str) -> Any:
    r"""Parse JSON, and refuse what Python's parser accepts beyond it.

    Args:
        text: One JSON value.

    Returns:
        Dictionaries, lists, strings, finite numbers, booleans and None.

    Raises:
        NoJSONError: For NaN and infinity, numbers beyond the range of a float, an object that has one key twice, and lone
            surrogates (half a character).
        ValueError: If it is no JSON.
        RecursionError: If it nests too deeply.

    Example:
        >>> parse_json('{"id": 1, "score": 0.5}')
        {'id': 1, 'score': 0.5}
        >>> parse_json('{"id": 1, "id": 2}')
        Traceback (most recent call last):
        goldassay.formats.documents.NoJSONError: the key 'id' stands twice
    """
    lone = next((match for match in ESCAPES.finditer(text) if match["lone"]), None) if "\\u" in text else None
    if lone is not None:
        raise NoJSONError(f"the lone surrogate {lone['lone']} (half a character)", lone.start())
    return DECODER.decode(text)


def json_of(source: Source) -> Any:
    """Parse a JSON file.

    Args:
        source: The file.

    Returns:
        What it holds, as `parse_json` gives it.

    Raises:
        InputError: If it is no JSON, nests too deeply, or holds what JSON has no word for; names the line.

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
        # The limit was raised, or the stack is nearly used up by whoever calls.
        raise InputError(
            "The JSON nests too deeply.", path=source.path, expected="fewer levels", hint=DEPTH.hint
        ) from error
    except ValueError as error:
        offset = getattr(error, "offset", None)
        raise InputError(
            "The JSON holds a value that is not allowed.",
            path=source.path,
            line=None if offset is None else text.count("\n", 0, offset) + 1,
            found=str(error),
            expected="whole characters, finite numbers, and each key once in an object",
            hint="write the file again (in Python: json.dumps(..., ensure_ascii=False, allow_nan=False))",
        ) from error


def _refuse_constant(name: str) -> NoReturn:
    raise NoJSONError(f"{name}, which is no number")


def _whole(digits: str) -> int:
    if len(digits) > DIGITS.value:
        raise NoJSONError(f"a number of {len(digits):,} digits")
    return int(digits)


def _finite(written: str) -> float:
    number = float(written)
    if not math.isfinite(number):
        raise NoJSONError(f"{written[:40]}, which is beyond the range of a number")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise NoJSONError(f"the key {twice!r} stands twice")
    return made


# Made once: json.loads would make one for each text.
DECODER = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_int=_whole, parse_float=_finite, object_pairs_hook=_object
)
