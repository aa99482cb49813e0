"""Tables in one JSON object: column by column, or rows by number, as pandas and others write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from types import NoneType
from typing import Any, TypeAlias, cast

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.formats.choose_columns import Roles
from goldassay.formats.column_names import INDEX
from goldassay.formats.delimited import OF_NUMBER
from goldassay.formats.documents import decoder, json_in, json_of
from goldassay.formats.literals import parse_if_literal
from goldassay.formats.plain import ROWS, plain
from goldassay.formats.records import Block
from goldassay.formats.roles import AXIOMS, CORRESPONDENCES, DOCUMENTS, EDGES, LABELS, SENTENCES, TRIPLES
from goldassay.formats.source import Source, strip_byte_order_mark, text_of

BEGINS = pattern_of(
    rb"(?:\xef\xbb\xbf)?\s*\{\s*\"(?:[^\"\\]|\\.)*+\"\s*:\s*(?:\[(?!\s*[\[{])|\{\s*\"(?:\d+|fields)\"\s*:)"
    rb"|(?:\xef\xbb\xbf)?\s*\{\s*\"(?:(?!@)(?:[^\"\\]|\\.)*+\"\s*:\s*\{\s*\"(?!@)|data\"\s*:\s*\[\s*\[)"
)
"""How such a table may begin: with a column, a row, names of columns or a schema."""
_PAIR = rb"\s*+\"(?:[^\"\\]|\\.)*+\"\s*+:\s*+(?:\"(?:[^\"\\]|\\.)*+\"|null)\s*+"
OF_TEXTS = pattern_of(rb"(?:\xef\xbb\xbf)?\s*+(?:\{%b(?:\}|,%b)|\[\s*+\")" % (_PAIR, _PAIR))
"""How an object of texts, or a list of them, begins."""
OF_LISTS = pattern_of(rb"(?:\xef\xbb\xbf)?\s*+[\[(]\s*+[\[(]\s*+[\"']")
"""How a list of lists of texts begins."""
OF_CONCEPTS = ("id", "concepts")
LISTS = frozenset({list, tuple, set, frozenset})
OF_LINES = (".jsonl", ".ndjson")
OF_ERRORS = frozenset({"error", "detail", "message", "status"})
"""What a service writes in place of an answer."""
VALUES = frozenset({str, int, float, bool, list, NoneType})
MANY = 2
Recognises: TypeAlias = Callable[[Sequence[str]], bool]
"""Says whether names are those of the columns of a family."""
EVERY = (EDGES, CORRESPONDENCES, AXIOMS, TRIPLES, LABELS, SENTENCES, DOCUMENTS)


def rows_in(value: Any, recognises: Recognises | None = None) -> list[dict[str, Any]]:
    """List the rows of a table that is one object; none if it is no such table.

    The layouts are those that pandas calls columns, index, split and table, and lists by column. An index of texts is a column; it
    may be below columns, or above rows, whose names are recognised.

    Source:
        https://pandas.pydata.org/docs/reference/api/pandas.DataFrame.to_json.html
    """
    if not isinstance(value, dict) or not value:
        return []
    names, data = value.get("columns"), value.get("data")
    if isinstance(value.get("schema"), dict) and _are(dict, data):
        rows = [{key: cell for key, cell in row.items() if key != "index"} for row in cast("list[Any]", data)]
        return _with_index([row.get("index") for row in cast("list[Any]", data)], rows)
    if _are(str, names) and _are(list, data):
        whole = {*map(len, cast("list[Any]", data))} == {len(cast("list[Any]", names))}
        rows = [dict(zip(cast("list[str]", names), row, strict=False)) for row in cast("list[Any]", data)]
        return _with_index(value.get("index"), rows) if whole else []
    return _rows_of_members(value, recognises)


def _with_index(index: Any, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put an index of texts before the columns; numbers of rows are none."""
    if not _is_index(index) or len(index) != len(rows):
        return rows
    return [{INDEX: name, **row} for name, row in zip(index, rows, strict=True)]


def _is_index(index: Any) -> bool:
    return _are(str, index) and not all(map(OF_NUMBER.fullmatch, index))


def _rows_of_members(value: dict[str, Any], recognises: Recognises | None) -> list[dict[str, Any]]:
    if (rows := rows_of_lists(value)) is not None:
        return rows
    inside = list(value.values())
    if not isinstance(inside[0], dict):
        return []
    keys, several = list(inside[0]), len(inside) >= MANY
    numbered = bool(keys) and all(map(str.isdecimal, keys))
    names = [INDEX] * _is_index(keys) + list(value)
    of_columns = bool(keys) and (several or not numbered) and (numbered or bool(recognises and recognises(names)))
    of_rows = several and bool(recognises and recognises(keys))
    # What is no table is seen by its names, before all of it is looked through.
    if not (of_columns or of_rows) and (len(keys) < MANY or list(value) != list(map(str, range(len(value))))):
        return []
    if not _are(dict, inside) or {*map(tuple, inside)} != {tuple(keys)} or not _are_cells(inside):
        return []
    if of_columns:
        return _with_index(keys, [{name: column[key] for name, column in value.items()} for key in keys])
    return _with_index(list(value), inside) if of_rows else inside


def _are_cells(rows: Sequence[dict[str, Any]]) -> bool:
    return {*map(type, chain.from_iterable(map(dict.values, rows)))} <= VALUES


def rows_of_lists(value: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """List the rows of an object of lists by column, as Hugging Face writes a list of objects; None if it is none."""
    columns = list(value.values())
    if not _are(list, columns) or len(columns) < MANY or len({*map(len, columns)}) > 1:
        return None
    return [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)]


def _are(kind: type, some: Any) -> bool:
    """Return whether something is a list whose members all have one type."""
    return isinstance(some, list) and {*map(type, some)} == {kind}


def is_json_table(source: Source, recognises: Recognises) -> bool:
    """Return whether a file is a table in one object, whose columns a family recognises, or whose rows are numbered from 0."""
    return bool(_rows_of(source, recognises))


def _rows_of(source: Source, recognises: Recognises) -> list[dict[str, Any]]:
    value = json_in(source) if BEGINS.match(source.data) else None
    rows = rows_in(value, recognises)
    return rows if rows and (recognises(list(rows[0])) or _are_numbered(value, len(rows))) else []


def _are_numbered(value: Any, rows: int) -> bool:
    """Return whether an object has columns of cells by the number of their row, of which one has texts: no scores of classes."""
    columns = list(value.values())
    numbers = list(map(str, range(rows)))
    return (
        len(columns) >= MANY
        and all(isinstance(column, dict) and list(column) == numbers for column in columns)
        and any({*map(type, column.values())} == {str} for column in columns)
    )


def as_lines(source: Source, recognises: Recognises) -> Source:
    """Write such a table as a record on each line; any other file stays."""
    rows = _rows_of(source, recognises)
    return source.of_records(rows) if rows else source


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
    value = json_in(source)
    decode, unreadable = decoder()
    with suppress(*unreadable):
        # What has a key twice is refused below.
        value = decode(strip_byte_order_mark(source)) if value is None else value
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


def _name_columns(names: Sequence[str]) -> bool:
    """Return whether names are those of the columns of any family."""
    return any(known.recognises(names) for known in EVERY)


def table_objects(source: Source, recognises: Recognises = _name_columns) -> Iterator[Block]:
    """Read the rows of a table in one object; they have no lines of their own."""
    rows = rows_in(json_of(source), recognises)
    if not rows:
        raise InputError(
            "This JSON is no table of columns or rows.",
            expected='for example {"child": {"0": "dog"}, "parent": {"0": "animal"}}',
            hint="leave out --input-format, or write one record a line (in pandas: to_json(orient='records', lines=True))",
        )
    yield Block(0, cast("list[int]", [None] * len(rows)), rows)


def documents_in(rows: Sequence[Any]) -> Sequence[Any]:
    """Name what lists of concepts are: those of one document each, in order, or next to its id; pairs of texts stay, if the first is an id."""
    kinds = {*map(type, rows)}
    if not kinds or not kinds <= LISTS:
        return rows
    pairs = kinds <= ROWS and {*map(len, rows)} == {MANY}
    if pairs and {*(type(row[1]) for row in rows)} <= LISTS:
        return [dict(zip(OF_CONCEPTS, (name, plain(names)), strict=True)) for name, names in rows]
    if not {*map(type, chain.from_iterable(rows))} <= {str}:
        return rows
    if not pairs:
        return [{"id": str(number), "concepts": plain(row)} for number, row in enumerate(rows, start=1)]
    if list in kinds and not all(any(map(str.isdigit, row[0])) for row in rows):
        raise InputError(
            "Each list has two texts: two concepts, or an id and a text.",
            found=f"{rows[0]!r:.80}",
            expected='{"d1": ["aspirin", "fever"], ...}, or tuples (id, text)',
            hint="name the documents: {str(number): concepts for number, concepts in enumerate(LISTS)}",
        )
    return rows


def lists_as_lines(source: Source) -> Source:
    """Write a list of lists of concepts, in JSON or as Python writes it, as a record on each line; any other file stays."""
    value = parse_if_literal(text_of(source)) if OF_LISTS.match(source.data) else None
    if not isinstance(value, list):
        return source
    made = documents_in(value)
    return source if made is value else source.of_records(made)
