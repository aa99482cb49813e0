r"""Rows of tables: CSV, TSV, Parquet and JSON Lines, read by one set of rules for every family.

- CSV and TSV are read by :mod:`goldassay.formats.delimited`. A row without a required cell is a bad record.
- Names of columns are stripped of white space, and must be unique.
- In JSON Lines each line is an object, in an array each member; a value is text, a number, true, false, null, or a list or an object.
"""

from __future__ import annotations

import itertools
import json
import operator
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import EmptyInputError, InputError, RecordError
from goldassay.core.libraries import pl
from goldassay.core.limits import COLUMNS
from goldassay.core.patterns import pattern_of
from goldassay.core.text import count_of
from goldassay.formats.both_sides import LOOKED_AT
from goldassay.formats.choose_columns import Choice, Chooser, refuse_twins
from goldassay.formats.column_names import INDEX, bare
from goldassay.formats.decisions import Decisions
from goldassay.formats.delimited import Cells, TextTable, rows_of, usual_width
from goldassay.formats.json_tables import table_objects
from goldassay.formats.known import formats_of
from goldassay.formats.parquet import BAD_PARQUET, scan_parquet
from goldassay.formats.records import BadRecords, Block, json_objects, not_utf8_error, pause_collector
from goldassay.formats.several_sets import look_at_unread, sets_in_frame
from goldassay.formats.source import Source, check_lines, polars_errors, strip_byte_order_mark, utf8_of
from goldassay.formats.tables import HERE, SHOWN, Table, texts_of, without_points
from goldassay.formats.texts import to_whole

TABLES = formats_of("rows")
"""Formats of rows."""
OBJECTS: Mapping[str, Callable[[Source], Iterator[Block]]] = {
    "json-lines": json_objects,
    "json-table": table_objects,
}
"""What reads the records of tables whose rows name their own cells."""
NESTED = frozenset({list, dict})
OF_NUMBERS = ("score", "weight")
ABOVE = 20
"""A title or comments above a header have fewer lines."""
LONGEST_TITLE = 2**12
ANGLED_IRI = r"^\s*<([A-Za-z][\w+.-]*:[^<>\s]*)>\s*$"
SEPARATORS = pattern_of(r"[,;\t]")
COMPACT = 2**16
"""After so many records their texts go into columns of polars."""
Cellular: TypeAlias = "dict[str, Sequence[Any] | pl.Series] | list[dict[str, Any]]"
"""The cells of some records: by their names where all have the same ones, else record by record."""


def names_in(source: Source, name: str) -> list[str]:
    """Return the names of the columns of a table, or its first row where it has no names."""
    bad = BadRecords(on_error="skip")
    if name == "parquet":
        with polars_errors(BAD_PARQUET):
            return scan_parquet(source).collect_schema().names()
    if name in OBJECTS:
        return list(next((record for _, record, _ in objects_of(source, bad, name)), {}))
    if name in TABLES:
        return next((row.cells for row in rows_of(source, name, bad)), [])
    return []


def read_table(
    source: Source,
    name: str,
    choose: Chooser,
    bad: BadRecords,
    *,
    numbers: Collection[str] = (),
    lists: Collection[str] = (),
    names: Collection[str] = (),
    texts: Collection[str] = (),
    before: int = 0,
    absent: bool = False,
) -> Table:
    r"""Read some columns of a table.

    Args:
        source: The file.
        name: Its format, one of `TABLES`.
        choose: Chooses the columns (`goldassay.formats.choose_columns.Roles.chooser`).
        bad: Receives the records that cannot be read.
        numbers: Roles whose numbers in Parquet stay numbers.
        lists: Roles that may be lists; in Parquet they stay lists.
        names: Those of them that hold names or lists of names: next to a list of JSON a text is one name (`name_cell`).
        texts: Roles whose cells may have several lines; of others a line break is warned.
        before: Number of lines before the first line of the source.
        absent: Whether an absent value of CSV, TSV and Parquet is None.

    Returns:
        The columns; an absent value is the empty text, unless absent values are asked for.

    Raises:
        InputError: If the file is not a table; a :class:`~goldassay.core.errors.RecordError` with its line for a bad
            row.
    """
    if name == "parquet":
        return _read_parquet(source, choose, numbers, lists, absent=absent)
    if name in OBJECTS:
        return _read_objects(source, name, choose, bad, lists=lists, named=names)
    table = _read_delimited(source, name, choose, bad, before, texts=texts, absent=absent)
    return replace(table, frame=without_points(table.frame, {*table.roles}.difference(texts, OF_NUMBERS)))


def records_of(
    source: Source, name: str, bad: BadRecords, *, repeated: list[int] | None = None
) -> Iterator[tuple[int | None, dict[str, Any], int]]:
    r"""Read all cells of a table, record by record.

    Rows that repeat the header are refused, or left out where a list receives their lines.
    """
    if name in OBJECTS:
        yield from objects_of(source, bad, name)
        return
    if name == "parquet":
        with polars_errors(BAD_PARQUET):
            # Values are decoded as Python's when they are taken out: a date may lie beyond the year 9999.
            records = scan_parquet(source).collect().rows(named=True)
            yield from ((None, cells, row) for row, cells in enumerate(records))
        return
    rows = rows_of(source, name, bad)
    _, names, _ = next(rows, (0, [], 0))
    header = check_names(names)
    for line, cells, place in rows:
        if cells[0].strip() == header[0] and [*map(str.strip, cells)] == header:
            if repeated is None:
                bad.add(_repeated_header_error(line))
            else:
                repeated.append(line)
            continue
        # Every row has all columns, also those whose cells are absent at its end: the header says which there are.
        yield line, dict(itertools.zip_longest(header, cells)), place - 1


def _repeated_header_error(line: int) -> RecordError:
    return RecordError(
        "The row repeats the names of the columns.",
        line=line,
        found="the header once more",
        expected="one header",
        hint="remove the row: perhaps files were joined",
    )


def lines_of(source: Source, bad: BadRecords) -> Iterator[tuple[int, str]]:
    """Decode a file line by line, so that a line in another encoding is one bad record."""
    yield from decode_lines(strip_byte_order_mark(check_lines(source)), bad)


def decode_lines(data: bytes, bad: BadRecords, *, first: int = 1) -> Iterator[tuple[int, str]]:
    """Decode lines one by one, as `lines_of` does, from the number of the first of them on."""
    # Unlike str.splitlines, this splits only at \n, \r\n and \r.
    for number, line in enumerate(data.splitlines(), start=first):
        try:
            yield number, line.decode()
        except UnicodeDecodeError as error:
            bad.add(not_utf8_error(line, error, number))


def objects_of(source: Source, bad: BadRecords, name: str = "json-lines") -> Iterator[tuple[int, dict[str, Any], int]]:
    """Read the records of one of `OBJECTS`."""
    for block in OBJECTS[name](source):
        for place, line, value in block.enumerate_values():
            if type(value) is dict:
                yield line, value, place
            else:
                bad.add(value)


def check_names(names: Iterable[str]) -> list[str]:
    """Strip the names of columns, and reject duplicate names."""
    stripped = [name.strip() for name in names]
    refuse_twins(stripped)
    return stripped


def _read_delimited(
    source: Source, name: str, choose: Chooser, bad: BadRecords, before: int, *, texts: Collection[str], absent: bool
) -> Table:
    table = TextTable.opened(source, name, before=before)
    if table is None:
        raise EmptyInputError("The table has no row.", found=f"{source.size} bytes without a cell", expected="a header")
    row = table.first.cells

    def read_below(below: TextTable) -> Table:
        return _read_delimited(below.source, name, choose, bad, below.before, texts=texts, absent=absent)

    try:
        choice = choose(row, width=lambda: usual_width(source, name))
    except InputError:
        if (below := below_title(source, name, lambda cells: choose(cells).named, before)) is None:
            raise
        return warn_of_title(read_below(below), below.before - before)
    if not choice.named and row[0] in ("", INDEX):
        # A first row of data has no names.
        table = TextTable.opened(source, name, before=before, named=False) or table
        row = table.first.cells
        choice = choose(row, width=lambda: usual_width(source, name))
    if below := header_below(source, name, row, lambda cells: choose(cells).named, known=choice.named, before=before):
        return warn_of_title(read_below(below), below.before - before)
    table = replace(table, width=max(len(row), 0 if choice.named else 1 + max(choice.places.values())))
    return _read_chosen(source, table, choice, bad, texts=texts, absent=absent)


def _read_chosen(
    source: Source, table: TextTable, choice: Choice, bad: BadRecords, *, texts: Collection[str], absent: bool
) -> Table:
    """Read the columns that were chosen, and look at the others."""
    judged = {f"{name} ": at for name, at in choice.decisions.items()}
    found = table.columns({**choice.places, **judged}, bad, header=choice.named)
    denied = [*_denied({name: found.frame[f"{name} "] for name in choice.decisions})]
    frame = found.frame.drop(judged) if judged else found.frame
    found = found._replace(frame=frame)
    denied += _of_unread(
        choice,
        frame,
        _cells_of(table.first_rows(LOOKED_AT) if choice.unread else []),
        lambda places: table.columns({**choice.places, **places}, BadRecords(on_error="skip")).frame,
    )
    if absent:
        widths = pl.Series(found.widths)
        frame = frame.with_columns(
            pl.when(widths > place).then(pl.col(role)).alias(role) for role, place in choice.places.items()
        )
    may_angle = choice.places if b"<" in source.data else ()
    angled = [role for role in may_angle if role not in texts and frame[role].str.starts_with("<").any()]
    # An IRI between angle brackets is written as in Turtle, and no name is.
    frame = frame.with_columns(pl.col(angled).str.replace(ANGLED_IRI, "$1")) if angled else frame
    made = Table.of(
        source.path,
        frame,
        rows=found.places,
        line_of=lambda row: int(found.lines[np.searchsorted(found.places, row)]),
        warnings=(*choice.warnings, *_breaks_in(found, texts), *_doubtful(table.doubtful), *denied),
        called=choice.called,
        named=choice.named,
    )
    return (
        _drop_repeated_heads(made, {role: table.first.cells[at].strip() for role, at in choice.places.items()})
        if choice.named
        else made
    )


def _denied(columns: Mapping[str, Sequence[Any] | pl.Series]) -> list[str]:
    """Warn of rows that do not hold by a column that is not read."""
    judged = Decisions()
    for name, cells in columns.items():
        judged.see(name, cells)
    return list(judged.warnings())


def _of_unread(
    choice: Choice,
    frame: pl.DataFrame,
    first: Callable[[int], Collection[Any]],
    read: Callable[[Mapping[str, int]], pl.DataFrame],
) -> list[str]:
    """Warn of columns that are not read and have the other side, or the rows of several systems, or refuse them.

    Args:
        choice: Its columns.
        frame: Those that are read, by role.
        first: Gives the first cells of a column by its place.
        read: Reads columns of some places with those that are read.
    """
    sides, choice = look_at_unread(choice, first)
    return [*sides, *sets_in_frame(choice, frame, read)]


def _cells_of(rows: Sequence[Sequence[str]]) -> Callable[[int], list[str]]:
    """Return what gives the cells of some rows by the place of their column; those that a row lacks are empty."""
    return lambda at: ["".join(cells[at : at + 1]) for cells in rows]


def below_title(
    source: Source, name: str, recognises: Callable[[Sequence[str]], bool], before: int = 0
) -> TextTable | None:
    """Open a table at its header, if lines with a title, a comment or a separator are above it; None if there are none."""
    data, start, commented = utf8_of(source), 0, None
    for above in range(1, ABOVE):
        end = data.find(b"\n", start, start + LONGEST_TITLE)
        if end < 0 or not is_title(SEPARATORS.split(data[start:end].decode())):
            break
        start = end + 1
        below = replace(source, data=data[start:])
        table = TextTable.opened(below, name, before=before + above)
        with suppress(InputError):
            if table and table.first.line == before + above + 1 and recognises(table.first.cells):
                if not table.first.cells[0].startswith("#"):
                    return table
                commented = table
    return commented


def header_below(
    source: Source,
    name: str,
    row: Sequence[str],
    recognises: Callable[[Sequence[str]], bool],
    *,
    known: bool,
    before: int = 0,
) -> TextTable | None:
    """Open a table at its header, if its first row, which may be known as one, is a title or a comment above it."""
    # Most first rows are neither, and say so before the file is looked at. A header of one column is no title.
    if not (row[0].startswith("#") if known else is_title(row)):
        return None
    return below_title(source, name, lambda cells: recognises(cells) and (not known or announces(row, cells)), before)


def announces(comment: Sequence[str], names: Iterable[str]) -> bool:
    """Return whether a first row is a comment that repeats the names of the columns that are below it."""
    written = bare(" ".join(comment))
    return comment[0].startswith("#") and all(bare(name) in written for name in names)


def warn_of_title(table: Table, above: int) -> Table:
    """Add the warning that lines above the header are left out."""
    return replace(table, warnings=(*table.warnings, title_warning(above)))


def title_warning(above: int) -> str:
    """Write the warning that lines above the header are left out."""
    return f"{count_of(above, 'line above the header is', 'lines above the header are')} left out"


def is_title(cells: Sequence[str]) -> bool:
    """Return whether a first row is a title or a comment: a row has several cells."""
    return "".join(cells[:1]).startswith("#") or sum(map(bool, map(str.strip, cells))) - (INDEX in cells[:1]) <= 1


def _drop_repeated_heads(table: Table, heads: Mapping[str, str]) -> Table:
    """Leave out rows that repeat the names of the columns, as where files were joined, and warn."""
    first, *_ = heads
    if not (table.frame[first] == heads[first]).any():
        return table
    again = like_heads(table.frame, heads)
    count = int(again.sum())
    if not count:
        return table
    return replace(
        table,
        frame=table.frame.filter(~again.fill_null(False)),
        warnings=(*table.warnings, warn_of_repeated_heads(count)),
    )


def like_heads(frame: pl.DataFrame, heads: Mapping[str, str]) -> pl.Series:
    """Return which rows repeat the names of the columns."""
    return frame.select(pl.all_horizontal(pl.col(role) == name for role, name in heads.items())).to_series()


def warn_of_repeated_heads(rows: int) -> str:
    """Write the warning that rows repeat the names of the columns."""
    return f"{rows:,} row{'s repeat' if rows > 1 else ' repeats'} the names of the columns, and {'are' if rows > 1 else 'is'} left out"


def _breaks_in(found: Cells, texts: Collection[str]) -> Iterator[str]:
    """Warn that cells contain line breaks: sometimes intended, sometimes a missing closing quote, behind which rows are lost."""
    frame, lines = found.frame, found.lines
    read = [role for role in frame.columns if role not in texts]
    if not read:
        return
    if len(lines) and lines[-1] - lines[0] == len(lines) - 1:
        # Each row but the last is on one line.
        last = "".join(filter(None, (frame[role][-1] for role in read)))
        lines = lines[-1:] if "\n" in last or "\r" in last else lines[:0]
    else:
        has_break = (pl.col(read).str.contains(end, literal=True) for end in "\n\r")
        lines = lines[frame.select(pl.any_horizontal(*has_break)).to_series().to_numpy()]
    if len(lines):
        yield f"{line_breaks(len(lines))}, first on line {lines[0]}"


def _doubtful(quotes: int) -> list[str]:
    """Warn of quotes that open a cell of TSV, and are letters since rows follow before the next one."""
    what = (
        "is not closed before other rows, and is a letter"
        if quotes == 1
        else "are not closed before other rows, and are letters"
    )
    return [f"{count_of(quotes, 'quote')} at the beginning of a cell {what}"] if quotes else []


def line_breaks(rows: int) -> str:
    """Write the warning that cells contain line breaks."""
    return f"{count_of(rows, 'row')} with a line break in a cell"


def _read_parquet(
    source: Source, choose: Chooser, numbers: Collection[str], lists: Collection[str], *, absent: bool
) -> Table:
    with polars_errors(BAD_PARQUET):
        table = scan_parquet(source)
        names = table.collect_schema().names()
        COLUMNS.check(len(names), "The table is too wide.")
        choice = choose(names, always=True)
        called = {role: names[at] for role, at in choice.places.items()}
        judged = {name: f"{name} " for name in choice.decisions}
        wanted = [
            pl.col(name).alias(role) for role, name in (*called.items(), *((new, old) for old, new in judged.items()))
        ]
        frame: Any = table.select(wanted).collect()
        denied = [*_denied({name: frame[made] for name, made in judged.items()})]
        frame = frame.drop(judged.values())
        frame = texts_of(frame, called, engine=HERE, numbers=numbers, lists=lists, absent=absent)

        def read(places: Mapping[str, int]) -> pl.DataFrame:
            others: Any = table.select(pl.col(names[at]).alias(key) for key, at in places.items()).collect()
            return pl.DataFrame(frame).hstack(others)

        denied += _of_unread(choice, frame, _first_cells(table, names, choice), read)
    return Table.of(source.path, frame, warnings=(*choice.warnings, *denied), called=called, named=choice.named)


def _first_cells(table: pl.LazyFrame, names: Sequence[str], choice: Choice) -> Callable[[int], Collection[Any]]:
    """Return what gives the first cells of a column of Parquet by its place, if they are values or lists of names."""
    kinds = table.collect_schema()
    wanted = {names[at] for at in (*choice.places.values(), *choice.unread.values()) if choice.unread}
    wanted = {name for name in wanted if kinds[name] == pl.List(pl.String) or not kinds[name].is_nested()}
    some: Any = table.head(LOOKED_AT).select(wanted - {name for name in wanted if kinds[name] == pl.Binary}).collect()
    return lambda at: some[names[at]].to_list() if names[at] in some.columns else [None] * len(some)


def _read_objects(
    source: Source, name: str, choose: Chooser, bad: BadRecords, *, lists: Collection[str], named: Collection[str]
) -> Table:
    parts: list[tuple[int, Cellular]] = []
    waiting: list[tuple[int, Cellular]] = []
    compact_at = COMPACT
    rows: list[NDArray[np.int64]] = []
    firsts: list[int] = []
    lines: list[Sequence[int]] = []
    with pause_collector():
        for block in OBJECTS[name](source):
            firsts.append(block.first)
            lines.append(block.lines)
            records, places = _good_records(block, bad)
            rows.append(places)
            waiting.append((len(records), _split_by_column(records)))
            if block.first + len(block.values) >= compact_at:
                compact_at += COMPACT
                parts += _compact(waiting)
                waiting = []
    parts += _compact(waiting) if parts else waiting

    def line_of(row: int) -> int:
        block = bisect_right(firsts, row) - 1
        return lines[block][row - firsts[block]]

    places = np.concatenate(rows) if rows else np.arange(0)
    names = list(dict.fromkeys(itertools.chain.from_iterable(itertools.chain.from_iterable(map(_keys_of, parts)))))
    choice = choose(names, always=True)
    columns = {role: _column_of(parts, names[at]) for role, at in choice.places.items()}
    kinds = {
        role: {str} if isinstance(column, pl.Series) else set(map(type, column)) for role, column in columns.items()
    }
    nested = {
        row: role
        for role, column in reversed(columns.items())
        if role not in lists and kinds[role] & NESTED
        for row, cell in enumerate(column)
        if type(cell) in NESTED
    }
    for row, role in sorted(nested.items()):
        name = choice.called.get(role, names[choice.places[role]])
        bad.add(_nested_error(name, columns[role][row], line_of(int(places[row]))))
    listing = {role for role in columns if kinds[role] & NESTED}
    texts = {
        role: column
        if kinds[role] == {str}
        else list(map(name_cell if role in listing & {*named} else cell_of, column))
        for role, column in columns.items()
    }
    table = Table.of(source.path, texts, rows=places, line_of=line_of, called=choice.called, named=choice.named)
    denied = _of_keys(choice, table.frame, parts, names)
    table = replace(table, listing=listing, warnings=(*choice.warnings, *denied))
    if not nested:
        return table
    return replace(table, frame=table.frame.filter(~pl.int_range(len(places), eager=True).is_in(list(nested))))


def _of_keys(
    choice: Choice, frame: pl.DataFrame, parts: Sequence[tuple[int, Cellular]], names: Sequence[str]
) -> list[str]:
    """Warn of what keys of records say that are not read, or refuse it."""
    beginning = _beginning(parts)

    def read(places: Mapping[str, int]) -> pl.DataFrame:
        others = {key: [*map(cell_of, _column_of(parts, names[at]))] for key, at in places.items()}
        return frame.hstack(pl.DataFrame(others))

    denied = _denied({name: _column_of(parts, name) for name in choice.decisions})
    return [*denied, *_of_unread(choice, frame, lambda at: _column_of(beginning, names[at]), read)]


def _good_records(block: Block, bad: BadRecords) -> tuple[list[dict[str, Any]], NDArray[np.int64]]:
    """List the objects of a block, with their places among all records; the others are bad."""
    places = np.arange(block.first, block.first + len(block.values))
    if set(map(type, block.values)) <= {dict}:
        return block.values, places
    is_object = [type(value) is dict for value in block.values]
    for value in itertools.compress(block.values, map(operator.not_, is_object)):
        bad.add(value)
    return list(itertools.compress(block.values, is_object)), places[is_object]


def _split_by_column(records: list[dict[str, Any]]) -> Cellular:
    """Take records apart while they are in the cache of the processor, if all have the same keys in the same order."""
    shapes = set(map(tuple, records))
    if len(shapes) != 1:
        return records
    return dict(zip(*shapes, zip(*map(dict.values, records), strict=True), strict=True))


def _compact(parts: list[tuple[int, Cellular]]) -> list[tuple[int, Cellular]]:
    """Join records that have the same keys, their texts in polars, where they take a fraction of the memory."""
    shapes = {tuple(cells) if isinstance(cells, dict) else None for _, cells in parts}
    if len(shapes) > 1 or None in shapes:
        return parts
    columns: dict[str, Sequence[Any] | pl.Series] = {
        name: _column_of(parts, name) for names in shapes if names for name in names
    }
    texts = (name for name, column in columns.items() if set(map(type, column)) == {str})
    return [(sum(size for size, _ in parts), columns | {name: pl.Series(columns[name]) for name in texts})]


def _keys_of(part: tuple[int, Cellular]) -> Iterable[Iterable[str]]:
    _, cells = part
    return [cells] if isinstance(cells, dict) else dict.fromkeys(map(tuple, cells))


def _column_of(parts: Sequence[tuple[int, Cellular]], name: str) -> list[Any] | pl.Series:
    """Join the values of a key; None where a record lacks it."""
    found = [cells.get(name, ()) for _, cells in parts if isinstance(cells, dict)]
    if len(found) == len(parts) and all(isinstance(cells, pl.Series) for cells in found):
        return pl.concat(cast("list[pl.Series]", found)) if found else []
    column: list[Any] = []
    for size, cells in parts:
        if isinstance(cells, dict):
            column.extend(cells.get(name, itertools.repeat(None, size)))
        else:
            column.extend(map(dict.get, cells, itertools.repeat(name)))
    return column


def _beginning(parts: Sequence[tuple[int, Cellular]]) -> list[tuple[int, Cellular]]:
    """Keep the first records of the first part."""
    return [
        (
            min(size, LOOKED_AT),
            {name: column[:LOOKED_AT] for name, column in cells.items()}
            if isinstance(cells, dict)
            else cells[:LOOKED_AT],
        )
        for size, cells in parts[:1]
    ]


def _nested_error(role: str, value: object, line: int | None) -> RecordError:
    return RecordError(
        f"The {role} is a list or an object.",
        line=line,
        found=cell_of(value)[:SHOWN],
        expected="one text or number",
    )


def name_cell(value: object) -> str:
    """Write a name, or a list of names, as the text of a cell; a name that looks like a list is the only one of a list."""
    return cell_of([value] if isinstance(value, str) and value.startswith(("[", "{")) else value)


def cell_of(value: object) -> str:
    """Write a value of JSON as the text of a cell."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(to_whole(value), ensure_ascii=False)
