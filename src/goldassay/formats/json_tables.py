"""Tables in one JSON object: column by column, or rows by number, as pandas and others write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import NoneType
from typing import Any, cast

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.formats.documents import decoder, json_of, parse_if_json
from goldassay.formats.records import Block
from goldassay.formats.roles import Roles
from goldassay.formats.source import Source, strip_byte_order_mark

BEGINS = pattern_of(
    rb"(?:\xef\xbb\xbf)?\s*\{\s*\"(?:[^\"\\]|\\.)*+\"\s*:\s*(?:\[(?!\s*[\[{])|\{\s*\"(?:\d+|fields)\"\s*:)"
    rb"|(?:\xef\xbb\xbf)?\s*\{\s*\"(?:\d+\"\s*:\s*\{|data\"\s*:\s*\[\s*\[)"
)
"""How such a table may begin: with a column, a row, names of columns or a schema."""
_PAIR = rb"\s*+\"(?:[^\"\\]|\\.)*+\"\s*+:\s*+(?:\"(?:[^\"\\]|\\.)*+\"|null)\s*+"
OF_TEXTS = pattern_of(rb"(?:\xef\xbb\xbf)?\s*+(?:\{%b(?:\}|,%b)|\[\s*+\")" % (_PAIR, _PAIR))
"""How an object of texts, or a list of them, begins."""
OF_LINES = (".jsonl", ".ndjson")
OF_ERRORS = frozenset({"error", "detail", "message", "status"})
"""What a service writes in place of an answer."""
VALUES = (str, int, float, list, type(None))
MANY = 2


def rows_in(value: Any) -> list[dict[str, Any]]:
    """List the rows of a table that is one object; none if it is no such table.

    The layouts are those that pandas calls columns, index, split and table, and lists by column.

    Source:
        https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.to_json.html
    """
    if not isinstance(value, dict) or not value:
        return []
    names, data = value.get("columns"), value.get("data")
    if isinstance(value.get("schema"), dict) and _are(dict, data):
        return [{key: cell for key, cell in row.items() if key != "index"} for row in cast("list[Any]", data)]
    if _are(str, names) and _are(list, data):
        whole = {*map(len, cast("list[Any]", data))} == {len(cast("list[Any]", names))}
        return (
            [dict(zip(cast("list[str]", names), row, strict=True)) for row in cast("list[Any]", data)] if whole else []
        )
    return _rows_of_members(value)


def _rows_of_members(value: dict[str, Any]) -> list[dict[str, Any]]:
    inside = list(value.values())
    if _are(list, inside) and len(inside) >= MANY and {*map(len, inside)} == {len(inside[0])}:
        return [dict(zip(value, row, strict=True)) for row in zip(*inside, strict=True)]
    if not _are(dict, inside) or {*map(tuple, inside)} != {tuple(inside[0])}:
        return []
    cells = (cell for row in inside for cell in row.values())
    if not all(isinstance(cell, VALUES) for cell in cells):
        return []
    keys = list(inside[0])
    if len(inside) >= MANY and keys and all(map(str.isdecimal, keys)):
        return [{name: column[key] for name, column in value.items()} for key in keys]
    return inside if len(keys) >= MANY and list(value) == list(map(str, range(len(value)))) else []


def _are(kind: type, some: Any) -> bool:
    """Return whether something is a list whose members all have one type."""
    return isinstance(some, list) and {*map(type, some)} == {kind}


def is_json_table(source: Source, recognises: Callable[[Sequence[str]], bool]) -> bool:
    """Return whether a file is a table in one object, whose columns a family recognises."""
    if not BEGINS.match(source.data):
        return False
    rows = rows_in(parse_if_json(strip_byte_order_mark(source)))
    return bool(rows) and recognises(list(rows[0]))


def as_lines(source: Source, recognises: Callable[[Sequence[str]], bool]) -> Source:
    """Write such a table as a record on each line; any other file stays."""
    if not is_json_table(source, recognises):
        return source
    return source.of_records(rows_in(json_of(source)))


def texts_as_lines(
    source: Source,
    roles: Roles,
    names: tuple[str, str],
    *,
    listed: bool = True,
    holds: Callable[[Mapping[str, str | None]], bool] = bool,
) -> Source:
    """Write an object of texts by id, or a list of texts, as a record on each line; a record of a family, an object of other texts and any other file stay."""
    if source.name.endswith(OF_LINES) or not OF_TEXTS.match(source.data):
        return source
    value: Any = None
    decode, unreadable = decoder()
    with suppress(*unreadable):
        value = decode(strip_byte_order_mark(source))
    # What a service did not answer is null in an object, and an item without a text in a list.
    kinds = {*map(type, value.values())} - {NoneType} if isinstance(value, dict) else {*map(type, value or ())}
    if kinds != {str}:
        return source
    if isinstance(value, list):
        pairs = [(str(number), text) for number, text in enumerate(value, start=1)] if listed else []
    elif any(roles.called(role, value) for role in roles.names) or not OF_ERRORS.isdisjoint(value) or not holds(value):
        return source
    else:
        pairs = list(json_of(source).items())
    rows = [dict(zip(names, (name, text or ""), strict=True)) for name, text in pairs]
    return source.of_records(rows) if rows else source


def table_objects(source: Source) -> Iterator[Block]:
    """Read the rows of a table in one object; they have no lines of their own."""
    rows = rows_in(json_of(source))
    if not rows:
        raise InputError(
            "This JSON is no table of columns or rows.",
            path=source.path,
            expected='for example {"child": {"0": "dog"}, "parent": {"0": "animal"}}',
            hint="leave out --input-format, or write one record a line (in pandas: to_json(orient='records', lines=True))",
        )
    yield Block(0, cast("list[int]", [None] * len(rows)), rows)
