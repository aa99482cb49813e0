"""TOML, parsed and held against a JSON Schema, with the place of errors."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import date, time
from importlib import resources
from os import PathLike
from typing import Any

from goldassay.core.errors import InputError
from goldassay.formats.schema import misfits
from goldassay.formats.source import load, text_of

PLACE = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")
DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}""")
"""A dotted key of more parts than any file has: the parser takes the square of their number."""
MOST_BITS = 1000
"""No whole number in a file of settings has more."""


def toml_of(path: str | PathLike[str], schema: str) -> dict[str, Any]:
    """Parse a TOML file, and check that it has the keys and types that a schema says."""
    source = load(path)
    try:
        written = _without_dates(_parsed(text_of(source)))
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        place = PLACE.search(said)
        line, column = (place["line"], place["column"]) if place else (None, None)
        raise InputError(
            "The TOML is broken.",
            path=path,
            line=int(line) if line else None,
            column=int(column) if column else None,
            found=said,
            expected="key = value, [table] or [[list of tables]] on each line",
        ) from error
    except RecursionError as error:
        raise InputError("The TOML is nested too deeply.", path=path, expected="fewer levels") from error
    except ValueError as error:
        raise InputError("A number in the TOML has too many digits.", path=path, expected="fewer digits") from error
    package, _, name = schema.partition("/")
    expected = json.loads((resources.files(package) / name).read_text(encoding="utf-8"))
    for misfit in misfits(written, expected):
        raise InputError(
            "The file is not as it should be.",
            path=path,
            found=f"{misfit.place}: {misfit.found}",
            expected=misfit.expected,
        )
    return dict(written)


def _parsed(text: str) -> dict[str, Any]:
    if DEEP_KEY.search(text):
        raise RecursionError
    return tomllib.loads(text)


def _without_dates(value: Any) -> Any:
    match value:
        case int() if value.bit_length() > MOST_BITS:
            raise ValueError
        case dict():
            return {key: _without_dates(inner) for key, inner in value.items()}
        case list():
            return [_without_dates(inner) for inner in value]
        case date() | time():
            return value.isoformat()
        case _:
            return value
