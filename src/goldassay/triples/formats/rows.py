"""Rows of which each is a triple, or only an id, from tables and records: checked by expressions, and put down column by column."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain, compress
from operator import itemgetter
from typing import Any

import numpy as np

from goldassay.core.counts import FloatArray
from goldassay.core.errors import RecordError
from goldassay.core.intern import as_names, number_columns
from goldassay.core.lazy import Engine, Frame
from goldassay.core.libraries import pl
from goldassay.formats import texts
from goldassay.formats.both_sides import sides_in_records
from goldassay.formats.column_names import bare
from goldassay.formats.decisions import Decisions
from goldassay.formats.records import Block, objects_in
from goldassay.formats.roles import TRIPLES
from goldassay.formats.several_sets import SYSTEMS, sets_in_records
from goldassay.formats.tables import HERE, ROW, RowCheck, Table, expressions, strip_texts, validate_rows
from goldassay.formats.texts import to_whole
from goldassay.triples.formats.raw import MISSING, OBJECT, PREDICATE, SLOTS, SUBJECT, UNWEIGHTED, Numbers, RawDocuments
from goldassay.triples.formats.slots import (
    BAD_WEIGHT,
    HALF,
    KEY,
    NAMED,
    UNNAMED,
    XSD,
    are_names,
    columns_of,
    ends_of,
    first_types,
    has_other_ends,
    keys_of_entity,
    lists_triples,
    role_of,
    slots_of,
    weights_of,
)
from goldassay.triples.reading import is_kgtk

COLUMNS = ("id", *SLOTS)
DATATYPES = tuple(XSD.values())
CODES = {kind: code for code, kind in enumerate(XSD)}
EXPECTED_ROW = "id, subject, predicate, object"
SEVERAL = 3
"""So many rows with ids of their own may be rows of one document."""
GRAPH = "1"
"""The id of a graph without a name."""


def check_rows(frame: Frame, engine: Engine) -> tuple[Frame, list[RowCheck]]:
    """Mark rows that have only an id (``only_id``), and list what makes rows bad."""
    ex = expressions(engine)
    empty = {slot: ex.col(slot) == "" for slot in SLOTS}
    only_id = empty["subject"] & empty["predicate"] & empty["object"]
    halves = [RowCheck(empty[slot] & ~ex.col("only_id"), partial(_half, slot)) for slot in SLOTS]
    return frame.with_columns(only_id=only_id), [RowCheck(ex.col("id") == "", _nameless), *halves]


def _nameless(row: Mapping[str, Any]) -> RecordError:
    found = [row[name] for name in COLUMNS]
    return RecordError("The row has no id.", found=repr(found), expected="the id of a document")


def _half(missing: str, row: Mapping[str, Any]) -> RecordError:
    found = [row[slot] for slot in SLOTS]
    return RecordError(HALF.format(missing), found=repr(found), expected="subject, predicate and object")


def _unnamed_error(raw: RawDocuments, row: Mapping[str, Any]) -> RecordError:
    slot, _, shown = row["unnamed"].partition(" ")
    error = RecordError(UNNAMED.format(slot), found=shown, expected=NAMED)
    raw.unnamed = raw.unnamed or error
    return error


def _bad_weight(row: Mapping[str, Any]) -> RecordError:
    found = {name: row[name] for name in (*SLOTS, "weight")}
    return RecordError(BAD_WEIGHT, found=repr(found), expected="for example 0.5")


@dataclass
class _RowRecords:
    """Records of which each is a triple, while they are read."""

    raw: RawDocuments
    ids: list[Any] = field(default_factory=list)
    slots: tuple[list[str | None], ...] = field(default_factory=lambda: ([], [], []))
    weights: list[FloatArray] = field(default_factory=list)
    datatypes: list[int] = field(default_factory=list)
    unnamed: dict[int, str] = field(default_factory=dict)
    senseless: list[int] = field(default_factory=list)
    typed: list[tuple[int, str, str]] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    named: bool = False

    def add(self, block: Block) -> None:
        """Add the records of a block: column by column if all are keyed alike."""
        rows: Sequence[int] = range(block.first, block.first + len(block.values))
        columns = columns_of(_layout, block.values) if {*map(type, block.values)} == {dict} else None
        if columns is None:
            rows, records = self._readable(block)
            columns = (columns_of(_by_role, records) if records else None) or [None] * 5
        self.named = self.named or columns[0] is not None
        ids, *slots, weights = ([None] * len(rows) if column is None else column for column in columns)
        if list in {*map(type, ids)}:
            # A record of several documents is one of each.
            each = [
                (one, at) for at, some in enumerate(ids) for one in (some or [GRAPH] if type(some) is list else [some])
            ]
            ids, order = [one for one, _ in each], [at for _, at in each]
            rows, weights, *slots = ([some[at] for at in order] for some in (rows, weights, *slots))  # type: ignore[assignment]
        self._put(slots)
        self.ids += ids if {*map(type, ids)} == {str} else map(_name, ids)
        self.weights.append(weights_of(weights))
        self.rows += rows

    def _readable(self, block: Block) -> tuple[list[int], list[dict[str, Any]]]:
        """List the records that are rows by role, with their places; the others are faults."""
        raw, rows, records = self.raw, [], []
        for place, line, value in block.enumerate_values():
            raw.number_record(block.lines, place, line)
            if isinstance(value, RecordError):
                raw.bad.add(value)
            elif lists_triples(value):
                found = f"the keys {', '.join(value)}"
                message = "The line is a document among lines of triples."
                raw.fault(message, line=line, found=found, expected=EXPECTED_ROW)
            else:
                record = ends_of(value)
                keys = zip((*COLUMNS, "weight"), _layout(tuple(record)) or (), strict=True)
                rows.append(place)
                records.append({role: record[key] for role, key in keys if key is not None})
        return rows, records

    def _put(self, columns: list[list[Any]]) -> None:
        """Write slots as texts: as they are if all are texts, otherwise one by one with their datatypes and types."""
        first, kinds = len(self.datatypes), [{*map(type, column)} for column in columns]
        for slot in range(len(SLOTS)):
            if float in kinds[slot]:
                columns[slot] = list(map(to_whole, columns[slot]))
                kinds[slot] = {*map(type, columns[slot])}
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
        for texts_so_far, found in zip(self.slots, columns, strict=True):
            texts_so_far.extend(found)

    def _named(self, nodes: Sequence[dict[str, Any]]) -> tuple[list[str], list[str]] | None:
        """List the names and types of nodes; None if one may be called otherwise."""
        names, kinds = columns_of(keys_of_entity, nodes) or (None, None)
        if names is None or {*map(type, names)} != {str} or not are_names(names):
            return None
        return names, first_types(kinds or [""] * len(names))

    def _slots(self, at: int, cells: Sequence[Any]) -> list[str | None]:
        """Read one triple with what its slots are besides texts."""
        slots, datatype, unnamed, types = slots_of(cells)
        self.datatypes.append(DATATYPES.index(datatype))
        self.typed += [(at, name, kind) for name, kind in types.items()]
        if not any(slots) and any(cell not in (None, "") for cell in cells):
            self.senseless.append(at)
        if unnamed is not None:
            self.unnamed[at] = f"{unnamed} {list(cells)!r}"
        return slots


@lru_cache(maxsize=1024)
def _layout(keys: tuple[str, ...]) -> tuple[str | None, ...] | None:
    """Return the keys of the id, the slots and the weight of a record of one triple; None if it may be another thing."""
    if lists_triples(keys) or has_other_ends(keys) or role_of(keys, "predicate") == KEY:
        return None
    found = [role_of(keys, role) for role in (*COLUMNS, "weight")]
    return (None, *found[1:]) if is_kgtk(keys) else tuple(found)


def other_sides(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Warn of keys of triples that have the other side, or refuse them."""
    found = zip((*COLUMNS, "weight"), _layout(tuple(dict.fromkeys(chain.from_iterable(records)))) or (), strict=False)
    called = {role: key for role, key in found if key is not None}
    # No flag names a key of JSON.
    return sides_in_records(dict.fromkeys(TRIPLES.sides_of(called), ""), called, records)


def _by_role(keys: tuple[str, ...]) -> tuple[str | None, ...]:
    return tuple(role if role in keys else None for role in (*COLUMNS, "weight"))


def _name(cell: object) -> str:
    """Name a document by a cell; a gap makes floats of whole numbers."""
    return "" if (found := to_whole(cell)) is None else str(found)


def rows_of_records(blocks: Iterable[Block], raw: RawDocuments) -> None:
    """Read records of which each is a triple, or only an id; without ids all are one graph."""
    found, judged = _RowRecords(raw), Decisions()
    firsts: list[int] = []
    lines: list[Sequence[int | None]] = []
    every: list[dict[str, Any]] = []
    for block in objects_in(blocks):
        firsts.append(block.first)
        lines.append(block.lines)
        found.add(block)
        records = [value for value in block.values if type(value) is dict]
        judged.see_records(records)
        raw.warnings += () if block.first else tuple(other_sides(records))
        every += records if any(bare(key) in SYSTEMS for record in records[:1] for key in record) else []
    keys = zip(COLUMNS, _layout(tuple(every[0])) or (), strict=False) if every else ()
    sets = sets_in_records({role: key for role, key in keys if key}, every)
    raw.warnings += (*judged.warnings(), *sets)

    def line_of(row: int) -> int:
        block = bisect_right(firsts, row) - 1
        return lines[block][row - firsts[block]] or 0

    has_lines = not (lines and type(lines[0]) is list and None in lines[0])
    size = len(found.rows)
    columns = dict(zip(SLOTS, found.slots, strict=True)) | {"id": found.ids if found.named else [GRAPH] * size}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)).with_columns(
        pl.Series("weight", np.concatenate(found.weights or [np.ones(0)])),
        pl.Series("datatype", found.datatypes, dtype=pl.Int64),
    )
    if found.unnamed:
        frame = frame.with_columns(pl.Series("unnamed", list(map(found.unnamed.get, range(size))), dtype=pl.String))
    table = Table.of(str(raw.path), frame, rows=found.rows, line_of=line_of if has_lines else None)
    add_rows(table, raw, found.typed, found.senseless)


def _warn_of_row_ids(raw: RawDocuments, ids: Sequence[str]) -> None:
    """Warn of a table each of whose rows is a document of its own, called by a number: it may be that of the row."""
    reading = raw.reading
    if (
        len(ids) >= SEVERAL
        and reading.unit == "document"
        and not (reading.ids or reading.id_column)
        and all(map(str.isdecimal, ids))
    ):
        example = ", ".join(ids[:2])
        hint = "if ids are those of rows or edges: --unit corpus, which makes all rows one document"
        raw.warnings += (f"every row has an id of its own ({example}, ...), and is a document of one triple; {hint}",)


def add_texts(
    raw: RawDocuments, cells: Mapping[str, list[str]], rows: Sequence[int], line_of: Callable[[int], int | None] | None
) -> None:
    """Add rows of texts, by column, of which each is a triple; without ids all are one graph."""
    size = len(rows)
    if "id" in cells:
        sets = [raw.set_of(name, line_of and partial(line_of, at)) for at, name in enumerate(cells["id"])]
        if line_of and len(raw.ids) == size:
            _warn_of_row_ids(raw, raw.ids)
    else:
        sets = [raw.set_of(GRAPH, line_of and partial(line_of, 0))] * size if size else []
    slots = zip(*(cells[slot] for slot in SLOTS), strict=True)
    raw.extend(sets, [1] * size, rows, chain.from_iterable(slots))


def add_rows(
    table: Table, raw: RawDocuments, typed: Sequence[tuple[int, str, str]], senseless: Sequence[int] | None = None
) -> None:
    """Check rows, and add their triples. Typed entities have the number of their row."""
    # Of records, the rows are given that have values, but no text in a slot; their texts stay as they are written.
    given: Any = table.frame
    weights = texts.numbers_of(given["weight"], absent=UNWEIGHTED) if "weight" in table.roles else np.ones(len(given))
    bad_weight = ~((weights >= 0) & (weights < np.inf))
    marked: Any = strip_texts(given, HERE)
    marked = marked.with_columns(pl.col(COLUMNS).fill_null(""), pl.Series("bad_weight", bad_weight)).with_row_index(
        "at"
    )
    marked, flaws = check_rows(marked, HERE)
    if senseless is not None:
        empty = given.select(pl.all_horizontal(pl.col(SLOTS).fill_null("") == "")).to_series()
        marked = marked.with_columns(only_id=empty & ~pl.col("at").is_in(senseless))
    odd = [RowCheck(pl.col("bad_weight") & ~pl.col("only_id"), _bad_weight)]
    if "unnamed" in table.roles:
        odd.append(RowCheck(pl.col("unnamed").is_not_null(), partial(_unnamed_error, raw)))
    flaws[1:1] = odd
    good: Any = validate_rows(marked, flaws, bad=raw.bad, engine=HERE, line_of=table.line_of)[0]
    # Half a triple counts, and is never right; a document without triples counts, too.
    rows = marked.filter(pl.col("id") != "")
    ids, (owners,) = number_columns(rows["id"])
    at = rows["at"].to_numpy()
    firsts = np.zeros(len(ids), dtype=np.int64)
    firsts[owners[::-1]] = at[::-1]
    names = as_names(ids).tolist()
    if len(names) == len(rows):
        _warn_of_row_ids(raw, names)
    sets = raw.begin_all(names, [partial(table.line, row) for row in firsts.tolist()])
    if len(good) < len(marked):
        raw.unreadable.update((owners[~np.isin(at, good["at"].to_numpy())] + sets.start).tolist())
    owner_of = np.full(len(marked), MISSING)
    owner_of[at] = owners
    stating = np.flatnonzero(~rows["only_id"].to_numpy())
    places = at[stating].astype(np.int64)
    written = marked if senseless is None else given
    datatypes = given["datatype"].to_numpy()[places]
    raw.slots.add_column(list_cells([written[slot] for slot in SLOTS], places))
    raw.extend(
        (owners[stating] + sets.start).tolist(),
        [1] * len(places),
        given[ROW].to_numpy()[places].tolist(),
        (),
        weights=np.where(bad_weight, UNWEIGHTED, weights)[places],
        datatypes=[DATATYPES[code] for code in datatypes.tolist()] if (datatypes > 0).any() else None,
    )
    # A row without an id is of no document.
    if typed:
        places, called, types = zip(*typed, strict=True)
        documents = owner_of[list(places)]
        known = documents > MISSING
        raw.add_types(documents[known] + sets.start, *(list(compress(some, known)) for some in (called, types)))


def list_cells(columns: Sequence[pl.Series], rows: Numbers) -> pl.Series:
    """List the cells of some rows, row by row."""
    at = rows[:, np.newaxis] + np.arange(len(columns)) * len(columns[0])
    return pl.concat(columns, rechunk=True).gather(at.ravel())
