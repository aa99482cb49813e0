"""TOML and JSON held against a JSON Schema, as far as the schemas of this project use it, with the place of errors."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from datetime import date, time
from importlib import resources
from os import PathLike
from typing import Any, NamedTuple

from goldassay.core.errors import InputError, names_file
from goldassay.core.patterns import pattern_of
from goldassay.formats.source import Source, load, text_of

SHOWN = 60
LARGEST = 2**63
BOUNDS: Mapping[str, tuple[Callable[[Any, Any], bool], str]] = {
    "minimum": (lambda value, bound: value >= bound, "at least {}"),
    "maximum": (lambda value, bound: value <= bound, "at most {}"),
    "exclusiveMinimum": (lambda value, bound: value > bound, "more than {}"),
    "exclusiveMaximum": (lambda value, bound: value < bound, "less than {}"),
}
SIZES: Mapping[str, tuple[Callable[[Any, Any], bool], str]] = {
    "minItems": (lambda value, bound: len(value) >= bound, "at least {} entries"),
    "maxItems": (lambda value, bound: len(value) <= bound, "at most {} entries"),
}
PLACE = pattern_of(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")
MOST_PARTS = 100
DEEP_KEY = pattern_of(rf"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{MOST_PARTS}}}""")
"""A dotted key of more parts than any file has: the parser takes the square of their number."""
MOST_BITS = 1000
"""No whole number in a file of settings has more."""


def _is_number(value: Any) -> bool:
    """Return whether this is a number that tables can hold: below 2**63, whole or not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST


KINDS: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and _is_number(value),
    "number": _is_number,
}


class Misfit(NamedTuple):
    """Where a document does not fit.

    Attributes:
        place: The place, for example ``runs[0].scores[1].values``.
    """

    place: str
    found: str
    expected: str


def misfits(document: Any, schema: Mapping[str, Any]) -> Iterator[Misfit]:
    """List where a document does not fit a schema, in the order of the document."""
    yield from _misfits(document, schema, schema, "")


def _misfits(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], place: str) -> Iterator[Misfit]:
    if not schema:
        return  # anything fits, however much there is of it
    something = schema["anyOf"][0] if "anyOf" in schema else schema  # or nothing
    if "$ref" in something:
        something = root["$defs"][something["$ref"].rpartition("/")[2]]
    schema = {**something, "type": [something["type"], "null"]} if "anyOf" in schema else something
    expected = _check_value(value, schema)
    if expected:
        yield Misfit(place or "the whole file", _show_value(value), expected)
    elif isinstance(value, dict):
        known = schema.get("properties", {})
        for key, inner in value.items():
            where, declared = f"{place}.{key}" if place else key, known.get(key, schema.get("additionalProperties", {}))
            if declared is False:
                yield Misfit(where, "an unknown key", f"one of {', '.join(known)}")
            else:
                yield from _misfits(inner, declared, root, where)
    elif isinstance(value, list) and ("items" in schema or "prefixItems" in schema):
        first = schema.get("prefixItems", [])
        for row, inner in enumerate(value):
            declared = first[row] if row < len(first) else schema.get("items", {})
            yield from _misfits(inner, declared, root, f"{place}[{row}]")


def _check_value(value: Any, schema: Mapping[str, Any]) -> str | None:
    """Return what a value should be if it is not; what lies within it is not looked at."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(KINDS[kind](value) for kind in kinds):
        return " or ".join(kinds)
    choices = [schema["const"]] if "const" in schema else schema.get("enum")
    if choices is not None and not any(type(value) is type(choice) and value == choice for choice in choices):
        return " or ".join(map(_show_value, choices))
    if isinstance(value, dict):
        return next((f"the key {key!r}" for key in schema.get("required", []) if key not in value), None)
    checks = SIZES if isinstance(value, list) else BOUNDS if KINDS["number"](value) else {}
    broken = (
        message.format(schema[word])
        for word, (fits, message) in checks.items()
        if word in schema and not fits(value, schema[word])
    )
    return next(broken, None)


def _show_value(value: Any) -> str:
    written = json.dumps(value, ensure_ascii=False)
    return written if len(written) <= SHOWN else f"{written[:SHOWN]}..."


@names_file
def has_key(path: str | PathLike[str], key: str) -> bool:
    """Return whether a TOML file has a key at its top."""
    return key in _parse(load(path))


@names_file
def toml_of(path: str | PathLike[str], schema: str) -> dict[str, Any]:
    """Parse a TOML file, and check that it has the keys and types that a schema says."""
    written = _parse(load(path))
    package, _, name = schema.partition("/")
    expected = json.loads((resources.files(package) / name).read_text(encoding="utf-8"))
    for misfit in misfits(written, expected):
        raise InputError(
            "The file does not match the schema.",
            found=f"{misfit.place}: {misfit.found}",
            expected=misfit.expected,
        )
    return written


def _parse(source: Source) -> dict[str, Any]:
    text = text_of(source)
    deep = DEEP_KEY.search(text)
    if deep:
        raise InputError(
            "The TOML is nested too deeply.",
            line=text.count("\n", 0, deep.start()) + 1,
            found="a key of many parts",
            expected=f"at most {MOST_PARTS} names between dots",
        )
    try:
        written = _convert_dates(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = PLACE.search(message)
        line, column = (place["line"], place["column"]) if place else (None, None)
        raise InputError(
            "Invalid TOML.",
            line=int(line) if line else None,
            column=int(column) if column else None,
            found=message,
            expected="key = value, [table] or [[list of tables]] on each line",
        ) from error
    except RecursionError as error:
        raise InputError(
            "The TOML is nested too deeply.",
            found="brackets within brackets, or tables within tables",
            expected="fewer levels",
        ) from error
    except ValueError as error:
        raise InputError(
            "A number in the TOML has too many digits.", expected=f"whole numbers below 2**{MOST_BITS}"
        ) from error
    return dict(written)


def _convert_dates(value: Any) -> Any:
    match value:
        case int() if value.bit_length() > MOST_BITS:
            raise ValueError
        case dict():
            return {key: _convert_dates(inner) for key, inner in value.items()}
        case list():
            return [_convert_dates(inner) for inner in value]
        case date() | time():
            return value.isoformat()
        case _:
            return value
