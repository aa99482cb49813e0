"""JSON, read whole: parsed once, with a place for what is wrong with it."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from goldassay.core.errors import InputError
from goldassay.core.limits import DEPTH, DIGITS
from goldassay.formats.nesting import JSON, check_nesting
from goldassay.formats.source import Source, text_of

HIGH, LOW = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
CORRECT = "correct the file, or write it again"
ESCAPES = re.compile(rf"\\\\|{HIGH}{LOW}|(?P<lone>{HIGH}|{LOW})")


def json_of(source: Source) -> Any:
    """Parse a JSON file.

    Args:
        source: The file.

    Returns:
        What it holds: dictionaries, lists, strings, numbers, booleans and None.

    Raises:
        InputError: If it is no JSON, nests too deeply, or holds half a character; names the line.

    Example:
        >>> json_of(Source(path="a.json", name="a.json", data=b'{"nodes": []}', size=13))
        {'nodes': []}
    """
    text = text_of(source)
    _refuse_half_characters(text, source.path)
    check_nesting(text.encode(), JSON, "[{]}", source.path)
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_int=_number, parse_float=_decimal)
    except json.JSONDecodeError as error:
        raise InputError(
            "The JSON is broken.",
            path=source.path,
            line=error.lineno,
            column=error.colno,
            found=error.msg,
            hint=CORRECT,
        ) from error
    except RecursionError as error:
        # The stack is nearly used up by whoever calls.
        raise InputError("The JSON nests too deeply.", path=source.path, hint=DEPTH.hint) from error
    except ValueError as error:
        raise InputError(
            "The JSON holds what JSON has no word for.",
            path=source.path,
            found=str(error),
            expected="finite numbers; null where there is none",
            hint=CORRECT,
        ) from error


def _number(digits: str) -> int:
    if len(digits) > DIGITS.value:
        raise ValueError(f"a number of {len(digits):,} digits")
    return int(digits)


def _decimal(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(digits[:40])
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _refuse_half_characters(text: str, path: str) -> None:
    for match in ESCAPES.finditer(text):
        if match["lone"]:
            raise InputError(
                "A text holds half a character.",
                path=path,
                line=text.count("\n", 0, match.start()) + 1,
                found=f"the lone surrogate {match['lone']}",
                expected="surrogates in pairs",
                hint="write the file again with whole characters (in Python: json.dumps(..., ensure_ascii=False))",
            )
