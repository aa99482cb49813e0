"""Tables by role, in this process and on engines: cells as texts, and the rows that cannot be read, found by the same expressions.

Expressions are written in what Narwhals has, which Polars has too: here they are made with Polars, which computes those of a few rows in a
fraction of the time that Narwhals takes to translate them. A frame of this process is one of Polars. It has one column more: ``row``, the
place of a row in the file from 0, without a row of names. Rows of an engine are in no order, and are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import InputError, RecordError
from goldassay.core.intern import FEW
from goldassay.core.lazy import Engine, Frame
from goldassay.core.libraries import nw, pl
from goldassay.core.patterns import pattern_of
from goldassay.formats.delimited import DELETE, WHITE
from goldassay.formats.records import BadRecords
from goldassay.formats.texts import moment_text, number_text

SHOWN = 120
ROW = "row"
MADE = "number"
"""The column of numbers that a reader makes of texts, which messages do not show."""
ODD_END = r"[^!-~]$"
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
"""How a number is written that every engine reads alike."""
LineOf: TypeAlias = Callable[[int], int]
"""Finds the line on which a row begins, from 1, given its place in the file: only messages ask for lines."""
Expr: TypeAlias = Any
"""An expression of Polars here, and of Narwhals on an engine."""


class RowCheck(NamedTuple):
    """A way in which a row can be bad."""

    rows: Expr
    error: Callable[[Mapping[str, Any]], RecordError]


class _Here:
    """This process, as a place of tables."""

    name = "local"

    def materialize(self, frame: Frame) -> Frame:
        """Return a frame back: it is computed."""
        return frame

    def map_rows(self, frame: Frame, column: str, into: str, function: Callable[[str], str | None]) -> Frame:
        """Add a column that a function makes of another; it sees each distinct text once."""
        here: Any = frame
        texts = here[column].unique().to_list()
        made = pl.col(column).replace_strict(texts, list(map(function, texts)), return_dtype=pl.String)
        found: Frame = here.with_columns((made if texts else pl.col(column)).alias(into))
        return found

    def rows(self, frame: Frame) -> list[dict[str, Any]]:
        """List all rows."""
        here: Any = frame
        found: list[dict[str, Any]] = here.rows(named=True)
        return found


HERE: Engine = _Here()
FLOAT = r"^\s*(-?[0-9]+\.[0-9]+\s*)?$"
"""How pandas writes every number of a column of floats, of which some are absent."""
WHOLE = r"\.0\s*$"
"""What it writes behind those that are whole."""
WORD = pattern_of(r"\s*+[^\W\d_]{2,}+(?:[ -][^\W\d_]{1,}+){0,3}\s*+")
LOOKED_AT = 100
"""Rows of which one has a cell in each column, mostly."""
MOST_WORDS = 10
"""So many different words may be in a column of confidence."""


def expressions(engine: Engine) -> Any:
    """Return the library with which the expressions of a place are made."""
    return pl if engine is HERE else nw


@dataclass(frozen=True, kw_only=True)
class Table:
    """Some columns of a table that is in this process.

    Attributes:
        frame: One column per role, one row per record, in the order of the file; and the column ``row``.
        line_of: Finds the line of a row; None for formats without lines.
        called: What the user calls each column, where that is not its role.
        listing: The roles that have a list of JSON in a cell, written as text.
        named: Whether the columns were chosen by their names.
    """

    path: str
    frame: pl.DataFrame
    line_of: LineOf | None = None
    warnings: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)
    listing: Collection[str] = ()
    named: bool = True

    @classmethod
    def of(
        cls,
        path: str,
        columns: pl.DataFrame | Mapping[str, Sequence[Any] | pl.Series],
        *,
        rows: Sequence[int] | NDArray[np.int64] | None = None,
        line_of: LineOf | None = None,
        warnings: tuple[str, ...] = (),
        called: Mapping[str, str] = MappingProxyType({}),
        named: bool = True,
    ) -> Table:
        """Make a table of columns of texts, with the place of each row; None for all rows."""
        frame = (
            pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)) if isinstance(columns, Mapping) else columns
        )
        places = pl.Series(ROW, np.arange(len(frame)) if rows is None else rows, dtype=pl.Int64)
        frame = frame.with_columns(places)
        return cls(path=path, frame=frame, line_of=line_of, warnings=warnings, called=called, named=named)

    @property
    def roles(self) -> list[str]:
        """The roles of the columns."""
        return [name for name in self.frame.columns if name != ROW]

    @property
    def input_rows(self) -> NDArray[np.int64]:
        """The place of each row in the file, int64, shape (rows,)."""
        return self.frame[ROW].to_numpy()

    def line(self, row: int) -> int | None:
        """Return the line on which a row begins; None for formats without lines."""
        return None if self.line_of is None else self.line_of(self.frame[row, ROW])

    def fill(self, bad: BadRecords, *, blank: Collection[str] = ()) -> Table:
        """Strip white space around texts, and reject rows with an empty cell in a column that must have none."""
        if self.is_plain(blank):
            return self
        here: Any = self.frame
        flaws = empty_flaws([role for role in self.roles if role not in blank], HERE, self.called)
        frame, _ = validate_rows(strip_texts(here, HERE), flaws, bad=bad, engine=HERE, line_of=self.line_of)
        here = frame
        return replace(self, frame=here)

    def is_plain(self, blank: Collection[str] = ()) -> bool:
        """Return whether few rows have only texts that are stripped and not empty: two expressions take longer than to look at each."""
        if len(self.frame) > FEW:
            return False
        columns = {role: self.frame[role].to_list() for role in self.roles}
        return all(
            {*map(type, cells)} <= {str} and list(map(str.strip, cells)) == cells and (role in blank or "" not in cells)
            for role, cells in columns.items()
        )


def without_worded_scores(table: Table, *, named: bool) -> Table:
    """Leave a column that is called as scores are out, with a warning, if its cells are a few words such as high and low."""
    if not named or "score" not in table.roles or table.frame["score"].dtype != pl.String:
        return table
    words = [word for word in table.frame["score"].unique().drop_nulls().head(MOST_WORDS + 1) if word.strip()]
    if not words or len(words) > MOST_WORDS or not all(map(WORD.fullmatch, words)) or any(map(_is_number, words)):
        return table
    warning = f"column not read, since it has words and no numbers: {table.called.get('score', 'score')!r}"
    return replace(table, frame=table.frame.drop("score"), warnings=(*table.warnings, warning))


def _is_number(text: str) -> bool:
    """Return whether Python reads a word as a number, such as nan and inf."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def texts_of(
    frame: Frame,
    called: Mapping[str, str],
    *,
    engine: Engine,
    numbers: Collection[str] = (),
    lists: Collection[str] = (),
    absent: bool = False,
) -> Frame:
    """Write columns of any type as texts; an absent value is the empty text, or stays absent."""
    ex = expressions(engine)
    texts = [ex.String, ex.Categorical, ex.Enum, ex.Boolean, ex.Date, ex.Datetime]
    # Narwhals does not know all types of engines, of which one is that of a column without a value.
    texts.append(ex.Null if engine is HERE else ex.Unknown)
    columns = []
    rewrites: dict[str, Callable[[str | None], str | None]] = {}
    for role, kind in frame.collect_schema().items():
        column = ex.col(role)
        if (role in numbers and kind.is_numeric()) or (role in lists and kind.is_nested()):
            columns.append(column)
            continue
        # Every engine writes moments of a time zone in its own way.
        if not (kind in texts or kind.is_numeric()) or getattr(kind, "time_zone", None):
            raise InputError(
                f"The {role} column contains {'lists' if kind.is_nested() else f'values of the type {kind}'}.",
                found=f"{called[role]!r}: {kind}",
                expected="one text or number per cell",
                hint="write the column as text",
            )
        text = column if kind == ex.String else column.cast(ex.String)
        columns.append(text if absent else text.fill_null(""))
        if kind.is_float() or kind.is_decimal() or kind == ex.Datetime:
            rewrites[role] = number_text if kind.is_float() else moment_text
    frame = frame.select(*columns)
    for role, function in rewrites.items():
        frame = map_texts(frame, [role], function, engine)
    return frame


def without_points(frame: pl.DataFrame, roles: Collection[str]) -> pl.DataFrame:
    """Write whole numbers of columns of floats without a point: one empty cell makes floats of all, and other formats say what is a number."""
    floats = []
    for role in roles:
        first = next((cell for cell in frame[role].head(LOOKED_AT) if cell and not cell.isspace()), "")
        # Nearly all columns have texts, and say so in their first cell.
        if first[-1:].isdigit() and "." in first and frame[role].str.contains(FLOAT).all():
            floats.append(role)
    # One table for each column would take the square of their number.
    return frame.with_columns(pl.col(floats).str.replace_all(WHOLE, "")) if floats else frame


def texts_in(frame: Frame) -> list[str]:
    """Name the columns of texts."""
    return [name for name, kind in frame.collect_schema().items() if kind == nw.String]


def strip_texts(frame: Frame, engine: Engine) -> Frame:
    """Strip white space around texts."""
    if engine is HERE:
        texts = pl.selectors.string()
        here: Any = frame
        # Most tables have nothing to strip, and a second copy of their texts would take the most memory of all.
        odd = here.select(pl.any_horizontal(pl.lit(value=False), _is_odd(texts).any()))
        found: Frame = here.with_columns(texts.str.strip_chars(WHITE)) if odd.item() else frame
        return found
    # To strip every cell in every pass would take longer than all the rest.
    odd = {name: _is_odd(nw.col(name)) for name in texts_in(frame)}
    if not numbers_of(frame, engine, odd=how_many(nw.any_horizontal(*odd.values(), ignore_nulls=True)))["odd"]:
        return frame
    return frame.with_columns(
        nw.when(rows).then(nw.col(name).str.strip_chars(WHITE)).otherwise(nw.col(name)).alias(name)
        for name, rows in odd.items()
    )


def _is_odd(text: Expr) -> Expr:
    """Return which texts may begin or end with white space, all of which is before ! or after ~ in the order of bytes."""
    return ((text < "!") & (text != "")) | (text >= DELETE) | text.str.contains(ODD_END)


def validate_rows(
    frame: Frame,
    flaws: Sequence[RowCheck],
    *,
    bad: BadRecords,
    engine: Engine,
    kinds: Sequence[str] = (),
    line_of: LineOf | None = None,
) -> tuple[Frame, dict[str, int]]:
    """Reject bad rows: each by the first flaw that it has. Also count all rows, those that are left out, and some kinds of the others."""
    if engine is HERE:
        return _validate_in_memory(frame, flaws, bad=bad, kinds=kinds, line_of=line_of)
    each = [f"flaw{number}" for number in range(len(flaws))]
    marked = frame.with_columns(**{name: flaw.rows for name, flaw in zip(each, flaws, strict=True)})
    any_bad = nw.any_horizontal(*map(nw.col, each), ignore_nulls=True)
    sums = {name: how_many(nw.col(name)) for name in each} | {name: how_many(nw.col(name) & ~any_bad) for name in kinds}
    found = numbers_of(marked, engine, rows=nw.len(), skipped_records=how_many(any_bad), **sums)
    counts = [found.pop(name) for name in each]
    if not found["skipped_records"]:
        return frame, found
    if bad.on_error == "stop":
        number = next(place for place, count in enumerate(counts) if count)
        row = engine.rows(frame.filter(flaws[number].rows).head(1))[0]
        raise locate_error(flaws[number].error(row), row, rows=counts[number])
    bad.uncounted += found["skipped_records"]
    return marked.filter(~any_bad).drop(*each), found


def _validate_in_memory(
    frame: Any, flaws: Sequence[RowCheck], *, bad: BadRecords, kinds: Sequence[str], line_of: LineOf | None
) -> tuple[Frame, dict[str, int]]:
    rows = len(frame)
    any_bad = pl.any_horizontal(pl.lit(value=False), *(flaw.rows for flaw in flaws)).fill_null(value=False)
    # Nearly all tables have no bad row: one pass says so.
    found = frame.select(any_bad.any().alias("bad"), *(pl.col(name).sum() for name in kinds)).row(0, named=True)
    if found.pop("bad"):
        wrong = frame.filter(any_bad)
        reasons = wrong.select(flaw.rows.alias(str(number)) for number, flaw in enumerate(flaws))
        for row, reason in zip(wrong.iter_rows(named=True), reasons.iter_rows(), strict=True):
            error = next(flaw.error for flaw, is_so in zip(flaws, reason, strict=True) if is_so)
            bad.add(locate_error(error(row), row, line_of=line_of))
        frame = frame.filter(~any_bad)
        found = frame.select(pl.col(name).sum() for name in kinds).row(0, named=True) if kinds else {}
    return frame, {"rows": rows, "skipped_records": rows - len(frame), **found}


def locate_error(
    error: RecordError, row: Mapping[str, Any], *, rows: int = 1, line_of: LineOf | None = None
) -> RecordError:
    """Add to the error of a row its line or number, its content, and on an engine the number of similar rows."""
    error.line = line_of(row[ROW]) if line_of else None
    number = f"row {row[ROW] + 1}: " if ROW in row and not line_of else ""
    error.found = number + (error.found or _show_cell(row))[:SHOWN] + (f" ({rows:,} such rows)" if rows > 1 else "")
    return error


def _show_cell(row: Mapping[str, Any]) -> str:
    return ", ".join(repr(cell) for name, cell in row.items() if isinstance(cell, str | float) and name != MADE)


def empty_flaws(roles: Sequence[str], engine: Engine, called: Mapping[str, str]) -> list[RowCheck]:
    """Refuse rows with an empty cell, by the name that the user knows its column by."""
    ex = expressions(engine)

    def flaw(role: str) -> RowCheck:
        name = called.get(role, role)
        return RowCheck(
            ex.col(role) == "",
            lambda _: RecordError(
                f"The {name} is empty.",
                expected=f"text for the {name}",
                hint="write it in each row where cells were merged, or leave such rows out, such as those of roots: --on-error skip",
            ),
        )

    return [flaw(role) for role in roles]


def map_texts(frame: Frame, columns: Sequence[str], function: Callable[[str], str | None], engine: Engine) -> Frame:
    """Apply a Python function to columns of texts, once per distinct text."""
    if engine is HERE:
        for name in columns:
            frame = engine.map_rows(frame, name, name, function)
        return frame
    distinct = distinct_rows(nw.concat([frame.select(nw.col(name).alias("text")) for name in columns]), "text")
    known = engine.materialize(engine.map_rows(distinct, "text", "made", function))
    order = frame.collect_schema().names()
    for name in columns:
        made = known.select(nw.col("text").alias(name), nw.col("made"))
        frame = frame.join(made, on=name, how="left").drop(name).rename({"made": name})
    return frame.select(*order)


def encode_words(
    frame: Frame, column: str, code_of: Callable[[str], int], engine: Engine
) -> tuple[Expr, dict[int, list[str]]]:
    """Replace the words of a column by numbers, each distinct word once; also list the words of each number."""
    ex = expressions(engine)
    words_of: dict[int, list[str]] = {}
    here: Any = frame
    words = (
        here[column].unique() if engine is HERE else [row[column] for row in engine.rows(distinct_rows(frame, column))]
    )
    for word in words:
        words_of.setdefault(code_of(word), []).append(word)
    code = ex.lit(next(iter(words_of), 0))
    for number, words in list(words_of.items())[1:]:
        code = ex.when(ex.col(column).is_in(words)).then(ex.lit(number)).otherwise(code)
    return code, words_of


def how_many(rows: Expr) -> Expr:
    """Count the rows for which an expression is true."""
    return nw.when(rows).then(1).otherwise(0).sum()


def numbers_of(frame: Frame, engine: Engine, **sums: Expr) -> dict[str, int]:
    """Compute whole numbers over all rows, in one pass: an aggregate by name."""
    found = engine.rows(frame.select(**sums))[0]
    return {name: int(value or 0) for name, value in found.items()}


def rows_in(frame: Frame, engine: Engine) -> int:
    """Count the rows of a frame."""
    return numbers_of(frame, engine, rows=nw.len())["rows"]


def distinct_rows(frame: Frame, *columns: str, **sums: Expr) -> Frame:
    """Group by columns and aggregate."""
    # Unlike `unique`, a group-by needs no window over the rows.
    grouped = frame.group_by(*columns).agg(**(sums or {"rows": nw.len()}))
    return grouped if sums else grouped.select(*columns)
