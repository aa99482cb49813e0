"""Tables: CSV, TSV and Parquet into string columns, with a line for every row that is wrong."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from goldassay.core.errors import InputError, RecordError
from goldassay.formats.records import BadRecords
from goldassay.formats.source import Source, text_of, utf8_of

if TYPE_CHECKING:
    from polars import DataFrame, Series


def separator_of(source: Source, name: str) -> str:
    """Say what separates the cells: a tab in TSV; in CSV whichever of comma and semicolon the first line has more of.

    Example:
        >>> separator_of(Source(path="a", name="a", data=b"cat;animal, wild;x", size=18), "csv")
        ';'
    """
    if name == "tsv":
        return "\t"
    first = source.data.partition(b"\n")[0]
    return ";" if first.count(b";") > first.count(b",") else ","


def first_row(source: Source, name: str) -> list[str]:
    """Read the first row: the names of the columns, or data.

    Args:
        source: The file.
        name: Its format: ``csv``, ``tsv`` or ``parquet``.

    Returns:
        The cells, stripped; for Parquet the names of the columns.

    Raises:
        InputError: If not even one row can be read.

    Example:
        >>> first_row(Source(path="a", name="a", data=b'"cat, wild",animal', size=18), "csv")
        ['cat, wild', 'animal']
    """
    if name == "parquet":
        return parquet_frame(source).columns
    try:
        for row in _rows(text_of(source), source, name):
            cells = [cell.strip() for cell in row]
            if any(cells):
                return cells
    except csv.Error as error:
        raise RecordError("The row is broken.", path=source.path, line=1, found=str(error)) from error
    raise InputError("The table has no row.", path=source.path, found=f"{source.size} bytes without a word")


def read_columns(
    source: Source, name: str, columns: Mapping[str, int], *, width: int, header: bool, bad: BadRecords | None = None
) -> DataFrame:
    r"""Read some columns of a table.

    Cells are stripped of white space around them. In CSV, quotes enclose cells; in TSV they are characters like any other.

    Args:
        source: The file.
        name: Its format: ``csv``, ``tsv`` or ``parquet``.
        columns: Name of each wanted column, and its 0-based place.
        width: How many cells a row has.
        header: Whether the first row is names and not data.
        bad: Receives rows that are too short or too long, or where a wanted cell is empty; without it the first one is
            raised.

    Returns:
        The wanted columns, strings without nulls, one row a good record, in the order of the file.

    Raises:
        InputError: If the file is no table; a :class:`~goldassay.core.errors.RecordError` with its line for one bad row.

    Example:
        >>> source = Source(path="a", name="a", data=b"cat,animal\ndog,animal\n", size=22)
        >>> read_columns(source, "csv", {"child": 0}, width=2, header=False)["child"].to_list()
        ['cat', 'dog']
    """
    bad = bad or BadRecords()
    if name == "parquet":
        return _judged(parquet_frame(source), columns, source.path, bad)
    frame = _at_once(source, name, columns, header=header)
    return _row_by_row(source, name, columns, width=width, header=header, bad=bad) if frame is None else frame


def _at_once(source: Source, name: str, columns: Mapping[str, int], *, header: bool) -> DataFrame | None:
    """Read the table in one go; None if any row needs a second look."""
    import polars as pl

    try:
        frame = pl.read_csv(
            utf8_of(source).removeprefix(b"\xef\xbb\xbf"),
            has_header=False,
            separator=separator_of(source, name),
            quote_char='"' if name == "csv" else None,
            infer_schema=False,
        )
    except (pl.exceptions.PolarsError, ValueError):
        return None
    if max(columns.values()) >= frame.width:
        return None
    wanted = _select(frame, columns)
    # A row that is too short ends in a null, and so does one whose last cell is empty. The names are judged with the
    # rest: where blank lines stand above them, the first row is not theirs.
    whole = frame[:, -1].null_count() == 0 and not any(_gaps(wanted[key]).any() for key in columns)
    return wanted[int(header) :] if whole else None


def _select(frame: DataFrame, columns: Mapping[str, int]) -> DataFrame:
    import polars as pl

    return frame.select(pl.nth(place).cast(pl.String).str.strip_chars().alias(key) for key, place in columns.items())


def _gaps(column: Series) -> Series:
    return column.is_null() | (column == "").fill_null(value=True)


def _rows(text: str, source: Source, name: str) -> Any:
    return csv.reader(
        io.StringIO(text, newline="\n"),
        delimiter=separator_of(source, name),
        quoting=csv.QUOTE_MINIMAL if name == "csv" else csv.QUOTE_NONE,
        strict=True,
    )


def _row_by_row(
    source: Source, name: str, columns: Mapping[str, int], *, width: int, header: bool, bad: BadRecords
) -> DataFrame:
    import polars as pl

    cells: dict[str, list[str]] = {key: [] for key in columns}
    for number, (line, row) in enumerate(_numbered(source, name, bad)):
        if header and number == 0:
            continue
        wanted = {key: row[place].strip() if place < len(row) else "" for key, place in columns.items()}
        problem = _problem(row, wanted, width)
        if problem is not None:
            bad.add(RecordError(problem, path=source.path, line=line, found=repr(row), expected=f"{width} cells"))
            continue
        for key, cell in wanted.items():
            cells[key].append(cell)
    return pl.DataFrame(cells, schema=dict.fromkeys(columns, pl.String))


def _problem(row: Sequence[str], wanted: Mapping[str, str], width: int) -> str | None:
    if len(row) != width:
        return f"The row has {len(row)} cells where the first has {width}."
    empty = [key for key, cell in wanted.items() if not cell]
    return f"The {empty[0]} is empty." if empty else None


def _numbered(source: Source, name: str, bad: BadRecords) -> Iterator[tuple[int, list[str]]]:
    rows = _rows(text_of(source), source, name)
    while True:
        line = rows.line_num + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            bad.add(RecordError("The row is broken.", path=source.path, line=line, found=str(error)))
            continue
        if any(cell.strip() for cell in row):
            yield line, row


def parquet_frame(source: Source) -> DataFrame:
    """Read a Parquet file.

    Raises:
        InputError: If it is broken.
    """
    import polars as pl

    try:
        return pl.read_parquet(io.BytesIO(source.data))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(
            "The Parquet file is broken.", path=source.path, found=str(error), hint="copy or write it again"
        ) from error


def _judged(frame: DataFrame, columns: Mapping[str, int], path: str, bad: BadRecords) -> DataFrame:
    import polars as pl

    nested = [key for key, place in columns.items() if frame.dtypes[place].is_nested()]
    if nested:
        raise InputError(f"The {nested[0]} column holds lists.", path=path, expected="one text or number a cell")
    wanted = _select(frame, columns)
    gaps = wanted.select(pl.any_horizontal(_gaps(wanted[key]) for key in columns)).to_series()
    for row in gaps.arg_true().to_list():
        found = f"row {row + 1}: {wanted.row(row)}"
        bad.add(RecordError("A cell is empty.", path=path, found=found, expected="text in every cell"))
    return wanted.filter(~gaps)
