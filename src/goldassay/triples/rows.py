"""Rows of which each is a triple, or only an id, from tables and records: checked by expressions, and put down column by column."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain, count, repeat
from operator import itemgetter
from typing import Any

import numpy as np

from goldassay.core.errors import RecordError
from goldassay.core.intern import as_names, numbered
from goldassay.core.lazy import Engine, Frame
from goldassay.formats import texts
from goldassay.formats.records import Block, Lines, in_blocks, objects_in
from goldassay.formats.tables import HERE, ROW, Flaw, Table, expressions, sifted, stripped, texts_of
from goldassay.formats.texts import whole
from goldassay.triples.batch import MISSING, SLOTS, UNWEIGHTED, Batch, Numbers, typed_once
from goldassay.triples.records import GRAPH, keys_of_entity, plain_types
from goldassay.triples.statements import (
    BAD_WEIGHT,
    HALF,
    NAMED,
    OTHER_ENDS,
    UNNAMED,
    XSD,
    Reader,
    Shapes,
    ends_of,
    lists_triples,
    role_of,
    slots_of,
    weights_of,
)

SUBJECT, PREDICATE, OBJECT = range(3)
COLUMNS = ("id", *SLOTS)
DATATYPES = tuple(filter(None, XSD.values()))
CODES = {kind: DATATYPES.index(datatype) if datatype else MISSING for kind, datatype in XSD.items()}
EXPECTED_ROW = "id, subject, predicate, object"


def checked(frame: Frame, engine: Engine) -> tuple[Frame, list[Flaw]]:
    """Mark rows that have only an id (``alone``), and list what makes rows bad."""
    ex = expressions(engine)
    empty = {slot: ex.col(slot) == "" for slot in SLOTS}
    alone = empty["subject"] & empty["predicate"] & empty["object"]
    halves = [Flaw(empty[slot] & ~ex.col("alone"), partial(_half, slot)) for slot in SLOTS]
    return frame.with_columns(alone=alone), [Flaw(ex.col("id") == "", _nameless), *halves]


def _nameless(row: Mapping[str, Any]) -> RecordError:
    found = [row[name] for name in COLUMNS]
    return RecordError("A row has no id.", found=repr(found), expected="the id of a document")


def _half(missing: str, row: Mapping[str, Any]) -> RecordError:
    found = [row[slot] for slot in SLOTS]
    return RecordError(HALF.format(missing), found=repr(found), expected="subject, predicate and object")


def _unnamed(reader: Reader, row: Mapping[str, Any]) -> RecordError:
    slot, _, shown = row["unnamed"].partition(" ")
    error = RecordError(UNNAMED.format(slot), found=shown, expected=NAMED)
    reader.unnamed = reader.unnamed or error
    return error


def _bad_weight(row: Mapping[str, Any]) -> RecordError:
    found = {name: row[name] for name in (*SLOTS, "weight")}
    return RecordError(BAD_WEIGHT, found=repr(found), expected="for example 0.5")


def rows_of_table(table: Table, reader: Reader, types: Mapping[str, str] | None = None) -> Batch:
    """Read a table; where slots are nodes, or both ends ids, its rows are records. Types of entities are given by name."""
    import polars as pl

    kinds = table.frame.schema
    if any(kinds[slot].is_nested() for slot in SLOTS) or all(kinds[end].is_numeric() for end in SLOTS[::2]):
        given: Any = table.frame
        rows = zip(repeat(None), given.drop(ROW).rows(named=True), given[ROW], strict=False)
        return rows_of_records(in_blocks(rows), reader)
    if isinstance(kinds.get("id"), pl.List):
        # A row of several documents is one of each.
        ids = pl.when(pl.col("id").list.len() == 0).then(pl.lit([GRAPH])).otherwise("id")
        table = replace(table, frame=table.frame.with_columns(ids.cast(pl.List(pl.String))).explode("id"))
    given = table.frame if "id" in table.roles else table.frame.with_columns(pl.lit(GRAPH).alias("id"))
    objects, numbers = given["object"], np.full(len(given), np.nan)
    if objects.dtype != pl.String:
        numbers = texts.numbers_of(objects, absent=np.nan)
    # A whole number is an integer, as in JSON.
    datatypes = np.where(np.isnan(numbers), MISSING, np.where(numbers % 1 == 0, CODES[int], CODES[float]))
    names: Any = given.select(COLUMNS)
    names = texts_of(names, {}, path=table.path, engine=HERE)
    frame = names.with_columns(*given.drop(COLUMNS).get_columns(), pl.Series("datatype", datatypes))
    typed = []
    if types:
        ends = map(str.strip, chain.from_iterable(names.select(SLOTS[::2]).iter_rows()))
        typed = [(at // 2, name, types[name]) for at, name in enumerate(ends) if name in types]
    return _batch_of(replace(table, frame=frame), reader, typed)


@dataclass
class _Records:
    """The rows that records are, while they are read."""

    reader: Reader
    ids: list[Any] = field(default_factory=list)
    slots: tuple[list[str | None], ...] = field(default_factory=lambda: ([], [], []))
    weights: list[float] = field(default_factory=list)
    datatypes: list[int] = field(default_factory=list)
    unnamed: dict[int, str] = field(default_factory=dict)
    senseless: list[int] = field(default_factory=list)
    typed: list[tuple[int, str, str]] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    layouts: Shapes = field(default_factory=lambda: Shapes(_layout))
    nodes: Shapes = field(default_factory=lambda: Shapes(keys_of_entity))
    named: bool = False

    def add(self, block: Block) -> None:
        """Add the records of a block: column by column if all are keyed alike."""
        rows: Sequence[int] = range(block.first, block.first + len(block.values))
        records = block.values
        try:
            key, *keys, weight = self.layouts.common(records)
            cells = _cells(records, keys)
        except (AttributeError, KeyError, TypeError, ValueError):
            rows, records = self._readable(block)
            key, *keys, weight = COLUMNS[0], *SLOTS, "weight"
            self.named = self.named or any(key in record for record in records)
            cells = _cells(records, keys)
        else:
            self.named = self.named or key is not None
        ids, weights = _column(records, key), weights_of(_column(records, weight)).tolist()
        if list in {*map(type, ids)}:
            # A record of several documents is one of each.
            each = [
                (one, at) for at, some in enumerate(ids) for one in (some or [GRAPH] if type(some) is list else [some])
            ]
            ids, order = [one for one, _ in each], [at for _, at in each]
            rows, weights = [rows[at] for at in order], [weights[at] for at in order]
            cells = [cell for at in order for cell in cells[3 * at : 3 * at + 3]]
        self._put(cells)
        self.ids += ids if {*map(type, ids)} == {str} else map(_name, ids)
        self.weights += weights
        self.rows += rows

    def _readable(self, block: Block) -> tuple[list[int], list[dict[str, Any]]]:
        """List the records that are rows by role, with their places; the others are faults."""
        reader, rows, records = self.reader, [], []
        for place, line, value in block.numbered():
            reader.at(block.lines, place, line)
            if isinstance(value, RecordError):
                reader.bad.add(value)
            elif lists_triples(value):
                found = f"the keys {', '.join(value)}"
                message = "The line is a document among lines of triples."
                reader.fault(message, line=line, found=found, expected=EXPECTED_ROW)
            else:
                record = ends_of(value)
                keys = zip((*COLUMNS, "weight"), _layout(tuple(record)) or (), strict=True)
                rows.append(place)
                records.append({role: record[key] for role, key in keys if key is not None})
        return rows, records

    def _put(self, cells: list[Any]) -> None:
        """Put slots down as texts: as they are if all are, else with what they are besides."""
        cells = list(map(whole, cells)) if float in {*map(type, cells)} else cells
        first, columns = len(self.datatypes), [cells[slot :: len(SLOTS)] for slot in range(len(SLOTS))]
        kinds = [{*map(type, column)} for column in columns]
        typed: list[tuple[int, str, str]] = []
        for slot in (SUBJECT, OBJECT):
            if kinds[slot] == {dict} and (named := self._named(columns[slot])):
                columns[slot], kinds[slot] = named[0], {str}
                typed += [
                    (at, name, kind)
                    for at, (name, kind) in enumerate(zip(*named, strict=True), first)
                    if kind not in ("", name)
                ]
        self.typed += sorted(typed, key=itemgetter(0))
        objects = columns[OBJECT]
        if kinds[SUBJECT] == kinds[PREDICATE] == {str} and kinds[OBJECT] <= CODES.keys():
            self.datatypes += map(CODES.__getitem__, map(type, objects))
            if bool in kinds[OBJECT]:
                objects = [str(cell).lower() if type(cell) is bool else cell for cell in objects]
            columns[OBJECT] = objects if kinds[OBJECT] == {str} else list(map(str, objects))
        else:
            rows = [self._slots(at, some) for at, some in enumerate(zip(*columns, strict=True), first)]
            columns = [[row[slot] for row in rows] for slot in range(len(SLOTS))]
        for column, found in zip(self.slots, columns, strict=True):
            column.extend(found)

    def _named(self, nodes: Sequence[dict[str, Any]]) -> tuple[list[str], list[str]] | None:
        """List the names and types of nodes; None if one may be called otherwise."""
        try:
            own, key = self.nodes.common(nodes)
        except (TypeError, ValueError):
            return None
        names = _column(nodes, own)
        if {*map(type, names)} != {str} or not all(map(str.strip, names)):
            return None
        return names, plain_types(_column(nodes, key))

    def _slots(self, at: int, cells: Sequence[Any]) -> list[str | None]:
        """Read one triple with what its slots are besides texts."""
        slots, datatype, unnamed, types = slots_of(cells)
        self.datatypes.append(DATATYPES.index(datatype) if datatype else MISSING)
        self.typed += [(at, name, kind) for name, kind in types.items()]
        if not any(slots) and any(cell not in (None, "") for cell in cells):
            self.senseless.append(at)
        if unnamed is not None:
            self.unnamed[at] = f"{unnamed} {list(cells)!r}"
        return slots


def _layout(keys: tuple[str, ...]) -> tuple[str | None, ...] | None:
    """Return the keys of the id, the slots and the weight of a record of one triple; None if it may be another thing."""
    if lists_triples(keys) or {*keys} >= OTHER_ENDS:
        return None
    return tuple(role_of(keys, role) for role in (*COLUMNS, "weight"))


def _cells(records: Sequence[Mapping[str, Any]], keys: Sequence[str | None]) -> list[Any]:
    """List what records have under some keys, record by record; None where one lacks it."""
    try:
        return list(chain.from_iterable(map(itemgetter(*keys), records)))
    except KeyError:
        return [None if key is None else record.get(key) for record in records for key in keys]


def _column(records: Sequence[Mapping[str, Any]], key: str | None) -> list[Any]:
    return [None] * len(records) if key is None else [record.get(key) for record in records]


def _name(cell: object) -> str:
    """Name a document by a cell; a gap makes floats of whole numbers."""
    return "" if (found := whole(cell)) is None else str(found)


def rows_of_records(blocks: Iterable[Block], reader: Reader) -> Batch:
    """Read records of which each is a triple, or only an id; without ids all are one graph."""
    import polars as pl

    found = _Records(reader)
    firsts: list[int] = []
    lines: list[Sequence[int | None]] = []
    for block in objects_in(blocks, reader.path):
        firsts.append(block.first)
        lines.append(block.lines)
        found.add(block)

    def line_of(row: int) -> int:
        block = bisect_right(firsts, row) - 1
        return lines[block][row - firsts[block]] or 0

    has_lines = not (lines and type(lines[0]) is list and None in lines[0])
    size = len(found.rows)
    columns = dict(zip(SLOTS, found.slots, strict=True)) | {"id": found.ids if found.named else [GRAPH] * size}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)).with_columns(
        pl.Series("weight", found.weights, dtype=pl.Float64), pl.Series("datatype", found.datatypes, dtype=pl.Int64)
    )
    if found.unnamed:
        frame = frame.with_columns(pl.Series("unnamed", list(map(found.unnamed.get, range(size))), dtype=pl.String))
    table = Table.of(reader.path, frame, rows=found.rows, line_of=line_of if has_lines else None)
    return _batch_of(table, reader, found.typed, found.senseless)


def _batch_of(
    table: Table, reader: Reader, typed: Sequence[tuple[int, str, str]], senseless: Sequence[int] | None = None
) -> Batch:
    """Check rows, and put them into columns. Typed entities have the number of their row.

    Of records, the rows are given that state something without a text; their texts stay as they are written.
    """
    import polars as pl

    given: Any = table.frame
    weights = texts.numbers_of(given["weight"], absent=UNWEIGHTED) if "weight" in table.roles else np.ones(len(given))
    bad_weight = ~((weights >= 0) & (weights < np.inf))
    marked: Any = stripped(given, HERE)
    marked = marked.with_columns(pl.col(COLUMNS).fill_null(""), pl.Series("bad_weight", bad_weight)).with_row_index(
        "at"
    )
    marked, flaws = checked(marked, HERE)
    if senseless is not None:
        empty = given.select(pl.all_horizontal(pl.col(SLOTS).fill_null("") == "")).to_series()
        marked = marked.with_columns(alone=empty & ~pl.col("at").is_in(senseless))
    odd = [Flaw(pl.col("bad_weight") & ~pl.col("alone"), _bad_weight)]
    if "unnamed" in table.roles:
        odd.append(Flaw(pl.col("unnamed").is_not_null(), partial(_unnamed, reader)))
    flaws[1:1] = odd
    good: Any = sifted(marked, flaws, path=table.path, bad=reader.bad, engine=HERE, line_of=table.line_of)[0]
    # A half triple is an answer, and no right one; a document without triples is one, too.
    rows = marked.filter(pl.col("id") != "")
    ids, (owners,) = numbered(rows["id"])
    at = rows["at"].to_numpy()
    readable = np.ones(len(ids), dtype=np.bool_)
    if len(good) < len(marked):
        readable[owners[~np.isin(at, good["at"].to_numpy())]] = False
    firsts = np.zeros(len(ids), dtype=np.int64)
    firsts[owners[::-1]] = at[::-1]
    order = np.flatnonzero(~rows["alone"].to_numpy())
    order = order[np.argsort(owners[order], kind="stable")]
    written, places = marked if senseless is None else given, at[order].astype(np.int64)
    spelt, codes = texts.numbered_by_rows(*(written[slot].fill_null("") for slot in SLOTS), rows=places)
    for slot in range(len(SLOTS)):
        if written[SLOTS[slot]].null_count():
            codes[written[SLOTS[slot]].is_null().to_numpy()[places], slot] = MISSING
    owner_of = np.full(len(marked), MISSING)
    owner_of[at] = owners
    types, kinds = _types(typed, owner_of, spelt)
    return Batch(
        ids=as_names(ids).tolist(),
        texts=[""] * len(ids),
        lines=Lines(cache(lambda: [table.line(row) for row in firsts.tolist()]), range(len(ids))),
        readable=readable,
        counts=np.ones(len(ids), dtype=np.int64),
        sizes=np.bincount(owners[order], minlength=len(ids)),
        slots=codes,
        rows=given[ROW].to_numpy()[places],
        weights=np.where(bad_weight, UNWEIGHTED, weights)[places],
        datatypes=given["datatype"].to_numpy()[places],
        types=types,
        names=spelt,
        known_datatypes=DATATYPES,
        known_types=kinds,
    )


def _types(typed: Sequence[tuple[int, str, str]], owner_of: Numbers, spelt: Sequence[str]) -> tuple[Numbers, list[str]]:
    """Number typed entities: document, name and type; and list the types."""
    if not typed:
        return np.zeros((0, 3), dtype=np.int64), []
    rows, named, stated = (list(column) for column in zip(*typed, strict=True))
    number_of = defaultdict(lambda: MISSING, zip(spelt, count(), strict=False))
    kinds, (codes,) = numbered(stated)
    types = np.column_stack([owner_of[rows], list(map(number_of.__getitem__, named)), codes]).astype(np.int64)
    # A row without an id is of no document.
    return typed_once(types[(types > MISSING).all(axis=1)]), list(as_names(kinds).listed)
