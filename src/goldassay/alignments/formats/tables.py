"""Tables of correspondences: CSV, TSV, Parquet and JSON Lines, with columns of any name."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from goldassay.alignments.formats.records import Stated, columns_error, located
from goldassay.core.errors import InputError, RecordError
from goldassay.formats import Source, first_row
from goldassay.formats.records import BadRecords
from goldassay.formats.source import text_of
from goldassay.formats.tables import separator_of

if TYPE_CHECKING:
    import polars as pl

ROLES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "source": (
            "source", "src", "srcentity", "sourceentity", "sourceiri", "sourceid", "subject", "subjectid", "entity1",
            "head", "left", "from",
        ),
        "target": (
            "target", "tgt", "tgtentity", "targetentity", "targetiri", "targetid", "mappediri", "object", "objectid",
            "entity2", "tail", "right", "to",
        ),
        "relation": ("relation", "predicate", "predicateid", "rel"),
        "score": ("score", "confidence", "measure", "similarity", "sim", "weight", "normalizedscore", "probability"),
        "candidates": ("tgtcandidates", "targetcandidates", "candidates"),
    }
)  # fmt: skip
"""What columns are called, letters and digits alone, the likeliest first."""
NEEDED = ("source", "target")
PLACEHOLDER = "none"


def roles_of(columns: Sequence[str], named: Mapping[str, str | None], path: str) -> dict[str, int]:
    """Find the column of each role: the one that was named, else by what it is called.

    Args:
        columns: The names of the columns.
        named: Columns that a person named, by role; ``"none"`` for a role that shall have none.
        path: The file.

    Returns:
        The place of each column that there is.

    Raises:
        RecordError: If a named column or a needed one does not exist; lists the columns that there are.

    Example:
        >>> roles_of(["SrcEntity", "TgtEntity", "Score"], {}, "a.tsv")
        {'source': 0, 'target': 1, 'score': 2}
    """
    places: dict[str, int] = {}
    plain = [re.sub(r"[^a-z0-9]", "", column.lower()) for column in columns]
    for role, words in ROLES.items():
        wanted = named.get(role)
        if wanted == PLACEHOLDER and wanted not in columns:
            continue
        if wanted:
            if wanted not in columns:
                raise columns_error(wanted, role, columns, path)
            places[role] = columns.index(wanted)
        else:
            known = next((word for word in words if word in plain), None)
            if known:
                places[role] = plain.index(known)
            elif role in NEEDED:
                raise columns_error("", role, columns, path)
    return places


def read_table(
    source: Source, name: str, bad: BadRecords, named: Mapping[str, str | None]
) -> tuple[Stated, pl.Series | None]:
    r"""Read a table.

    Args:
        source: The file.
        name: Its format: ``csv``, ``tsv``, ``parquet`` or ``json-lines``.
        bad: Receives rows with more cells than the header.
        named: Columns that a person named, by role.

    Returns:
        The rows, and the column of candidates if there is one.

    Raises:
        InputError: If the file is no such table; a :class:`~goldassay.core.errors.RecordError` for one bad row.

    Example:
        >>> table = b"SrcEntity\tTgtEntity\tScore\na\tb\t0.5\n"
        >>> stated, _ = read_table(Source(path="a", name="a.tsv", data=table, size=1), "tsv", BadRecords(), {})
        >>> stated.sources.to_list(), stated.scores.to_list()
        (['a'], ['0.5'])
    """
    if name == "parquet":
        return _read_parquet(source, named)
    if name == "json-lines":
        return _read_json_lines(source, bad, named)
    # A table without the right columns is no such table, whatever else is wrong with its rows.
    places = roles_of(first_row(source, name), named, source.path)
    frame, _, locate = read_delimited(source, name, bad)
    return stated_of(frame, places, locate)


def stated_of(
    frame: pl.DataFrame, places: Mapping[str, int], locate: Callable[[int], int | None]
) -> tuple[Stated, pl.Series | None]:
    """Pick the columns of the roles out of a frame."""
    columns = {role: frame.to_series(place) for role, place in places.items()}
    stated = Stated(
        sources=columns["source"],
        targets=columns["target"],
        relations=columns.get("relation"),
        scores=columns.get("score"),
        locate=locate,
    )
    return stated, columns.get("candidates")


def read_delimited(
    source: Source, name: str, bad: BadRecords, *, before: int = 0
) -> tuple[pl.DataFrame, list[str], Callable[[int], int | None]]:
    """Read the rows of a CSV or TSV file below its header, as text.

    Args:
        source: The file.
        name: Its format.
        bad: Receives rows with more cells than the header.
        before: How many lines of the file stand before its first row.

    Returns:
        String columns, the names of the columns, and what says on which line a row stands.

    Raises:
        InputError: If the file is no table; a :class:`~goldassay.core.errors.RecordError` for one bad row.
    """
    import polars as pl

    header = first_row(source, name)
    text = text_of(source)
    frame = _at_once(text, source, name, len(header))
    if frame is not None:
        known = BadRecords(on_error="skip")
        return frame, header, located(lambda: [line for line, _ in _rows(text, source, name, known, before=before)])
    rows = list(_rows(text, source, name, bad, before=before))
    columns = [[row[place] for _, row in rows] for place in range(len(header))]
    frame = pl.DataFrame([pl.Series(str(place), column, dtype=pl.String) for place, column in enumerate(columns)])
    return frame, header, located(lambda: [line for line, _ in rows])


def _at_once(text: str, source: Source, name: str, width: int) -> pl.DataFrame | None:
    """Read the table in one go; None if any row is too short or too long."""
    import polars as pl

    try:
        frame = pl.read_csv(
            text.encode(),
            has_header=False,
            skip_rows=1,
            separator=separator_of(source, name),
            quote_char='"' if name == "csv" else None,
            infer_schema=False,
        )
    except (pl.exceptions.PolarsError, ValueError):
        return None
    lines = text.count("\n") + (not text.endswith("\n")) - 1
    # A row of another width, a line break in a cell or an empty line: each needs a look at its own line.
    whole = frame.width == width and frame.height == lines
    return frame.fill_null("") if whole and not _is_ragged(text, source, name, width, frame.height) else None


def _is_ragged(text: str, source: Source, name: str, width: int, height: int) -> bool:
    """Say whether some row has fewer cells than the header: one separator too few is enough."""
    separators = text.count(separator_of(source, name))
    return separators != (width - 1) * (height + 1) or (name == "csv" and '"' in text)


def _rows(text: str, source: Source, name: str, bad: BadRecords, *, before: int) -> Iterator[tuple[int, list[str]]]:
    """Give the rows below the header, each with its line."""
    rows = csv.reader(
        io.StringIO(text, newline="\n"),
        delimiter=separator_of(source, name),
        quoting=csv.QUOTE_MINIMAL if name == "csv" else csv.QUOTE_NONE,
        strict=True,
    )
    width = 0
    while True:
        line = before + rows.line_num + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            bad.add(RecordError("The row is broken.", path=source.path, line=line, found=str(error)))
            continue
        if not any(cell.strip() for cell in row):
            continue
        if not width:
            width = len(row)
        elif len(row) > width:
            bad.add(
                RecordError(
                    f"The row has {len(row)} cells where the header has {width}.",
                    path=source.path,
                    line=line,
                    found=repr(row)[:200],
                    expected=f"at most {width} cells",
                )
            )
        else:
            # Cells that are absent at the end are empty; a needed one is then found missing like any other.
            yield line, row + [""] * (width - len(row))


def _read_parquet(source: Source, named: Mapping[str, str | None]) -> tuple[Stated, pl.Series | None]:
    import polars as pl

    try:
        table = pl.scan_parquet(io.BytesIO(source.data))
        schema = table.collect_schema()
        columns = schema.names()
        places = roles_of(columns, named, source.path)
        nested = [role for role, place in places.items() if schema[columns[place]].is_nested() and role != "candidates"]
        if nested:
            raise InputError(f"The {nested[0]} column holds lists.", path=source.path, expected="one value a cell")
        shared = pl.Categorical(pl.Categories.random())
        # Entities become categories while the file is decoded, so that their text is never held row by row.
        entities = [
            pl.col(columns[places[role]]).cast(pl.String).fill_null("").cast(shared).alias(role) for role in NEEDED
        ]
        others = [pl.col(columns[place]).alias(role) for role, place in places.items() if role not in NEEDED]
        frame = table.select(*entities, *others).collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(
            "The Parquet file is broken.", path=source.path, found=str(error)[:200], hint="copy or write it again"
        ) from error
    return stated_of(frame, {role: place for place, role in enumerate(frame.columns)}, lambda row: None)  # noqa: ARG005


def _read_json_lines(
    source: Source, bad: BadRecords, named: Mapping[str, str | None]
) -> tuple[Stated, pl.Series | None]:
    import polars as pl

    lines: list[int] = []
    records: list[dict[str, Any]] = []
    for line, text in enumerate(text_of(source).split("\n"), start=1):
        if text.strip():
            record = _json_record(text, line, source.path, bad)
            if record is not None:
                lines.append(line)
                records.append(record)
    columns = list(dict.fromkeys(key for record in records for key in record))
    places = roles_of(columns, named, source.path)
    frame = pl.DataFrame(
        [
            pl.Series(role, [json_cell(record.get(columns[place])) for record in records], dtype=pl.String)
            for role, place in places.items()
        ]
    )
    return stated_of(frame, {role: place for place, role in enumerate(places)}, lines.__getitem__)


def _json_record(text: str, line: int, path: str, bad: BadRecords) -> dict[str, Any] | None:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        bad.add(RecordError("The line is no JSON.", path=path, line=line, found=str(error)))
        return None
    if not isinstance(record, dict):
        expected = '{"source": ..., "target": ..., "score": ...}'
        bad.add(
            RecordError("The line is no JSON object.", path=path, line=line, found=text.strip()[:80], expected=expected)
        )
        return None
    return record


def json_cell(value: object) -> str:
    """Write a value of JSON as the text of a cell; nothing is the empty text."""
    if isinstance(value, list | dict):
        return json.dumps(value)
    text = "" if value is None else str(value)
    # Half a character (a lone surrogate escape) has no place in any text; what is left of it shows that.
    return text.encode("utf-8", "replace").decode("utf-8")
