"""Tables by role, in this process and on engines: cells as texts, and the rows that cannot be read, found by the same expressions.

A frame of this process is Narwhals on polars. It has two columns more: ``row``, the place of a row in the file from 0, without a row of
names; and ``line``, on which it begins, from 1, where the format has lines. Rows of an engine are in no order, and are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import InputError, RecordError
from goldassay.core.lazy import Engine, Frame
from goldassay.formats.delimited import WHITE
from goldassay.formats.records import BadRecords
from goldassay.formats.texts import moment_text, number_text

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl

SHOWN = 120
ROW, LINE = "row", "line"
MADE = "number"
"""The column of numbers that a reader makes of texts, which messages do not show."""
DELETE, ODD_END = "\x7f", r"[^!-~]$"
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
"""How a number is written that every engine reads alike."""


class Flaw(NamedTuple):
    """A way in which a row can be bad.

    Attributes:
        rows: Which rows are.
        error: Makes the error of one of them.
    """

    rows: nw.Expr
    error: Callable[[Mapping[str, Any]], RecordError]


class _Here:
    """This process, as a place of tables."""

    name = "local"

    def kept(self, frame: Frame) -> Frame:
        """Give a frame back: it is computed."""
        return frame

    def mapped(self, frame: Frame, column: str, into: str, function: Callable[[str], str | None]) -> Frame:
        """Add a column that a function makes of another; it sees each distinct text once."""
        import narwhals.stable.v2 as nw

        texts = [row[column] for row in self.rows(once(frame, column))]
        made = nw.col(column).replace_strict(texts, list(map(function, texts)), return_dtype=nw.String)
        return frame.with_columns((made if texts else nw.col(column)).alias(into))

    def rows(self, frame: Frame) -> list[dict[str, Any]]:
        """List all rows."""
        found: list[dict[str, Any]] = frame.to_native().rows(named=True)
        return found


HERE: Engine = _Here()


@dataclass(frozen=True, kw_only=True)
class Table:
    """Some columns of a table that is in this process.

    Attributes:
        path: The file.
        frame: One column per role, one row per record, in the order of the file; and the columns ``row`` and ``line``.
        warnings: What changes what a number means.
    """

    path: str
    frame: pl.DataFrame
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        path: str,
        columns: pl.DataFrame | Mapping[str, Sequence[Any]],
        *,
        rows: Sequence[int] | NDArray[np.int64] | None = None,
        lines: Sequence[int] | NDArray[np.int64] | None = None,
        warnings: tuple[str, ...] = (),
    ) -> Table:
        """Make a table of columns of texts, with the place and the line of each row; None for all rows, and for no lines."""
        import polars as pl

        frame = (
            pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)) if isinstance(columns, Mapping) else columns
        )
        places = {ROW: np.arange(len(frame)) if rows is None else rows, **({} if lines is None else {LINE: lines})}
        return cls(
            path=path,
            frame=frame.with_columns(pl.Series(name, some, dtype=pl.Int64) for name, some in places.items()),
            warnings=warnings,
        )

    @property
    def roles(self) -> list[str]:
        """The roles of the columns."""
        return [name for name in self.frame.columns if name not in {ROW, LINE}]

    @property
    def marked(self) -> Frame:
        """The frame, for expressions of Narwhals."""
        import narwhals.stable.v2 as nw

        return nw.from_native(self.frame)

    @property
    def lines(self) -> NDArray[np.int64] | None:
        """The line on which each row begins; None for formats without lines."""
        return self.frame[LINE].to_numpy() if LINE in self.frame.columns else None

    @property
    def input_rows(self) -> NDArray[np.int64]:
        """The place of each row in the file, int64, shape (rows,)."""
        return self.frame[ROW].to_numpy()

    def line(self, row: int) -> int | None:
        """Return the line on which a row begins; None for formats without lines."""
        return int(self.frame[row, LINE]) if LINE in self.frame.columns else None

    def filled(self, bad: BadRecords, *, blank: Collection[str] = ()) -> Table:
        """Strip white space around texts, and reject rows with an empty cell in a column that must have none."""
        flaws = empty_flaws([role for role in self.roles if role not in blank])
        frame, _ = sifted(stripped(self.marked, HERE), flaws, path=self.path, bad=bad, engine=HERE)
        return replace(self, frame=frame.to_native())


def texts_of(
    frame: Frame,
    called: Mapping[str, str],
    *,
    path: str,
    engine: Engine,
    numbers: Collection[str] = (),
    lists: Collection[str] = (),
    absent: bool = False,
) -> Frame:
    """Write columns of any type as texts; an absent value is the empty text, or stays absent."""
    import narwhals.stable.v2 as nw

    columns = []
    rewrites: dict[str, Callable[[str], str]] = {}
    for role, kind in frame.collect_schema().items():
        column = nw.col(role)
        if (role in numbers and kind.is_numeric()) or (role in lists and kind.is_nested()):
            columns.append(column)
            continue
        # Narwhals knows no types of other libraries, such as a period of pandas.
        native = frame.to_native().schema[role] if engine is HERE else kind
        known = engine is not HERE or kind != nw.Unknown or str(native) == "Null"
        plain = known and isinstance(
            kind, nw.String | nw.Categorical | nw.Enum | nw.Boolean | nw.Date | nw.Datetime | nw.Unknown
        )
        # Every engine writes moments of a time zone in its own way.
        if not (plain or kind.is_numeric()) or getattr(kind, "time_zone", None):
            raise InputError(
                f"The {role} column contains {'lists' if kind.is_nested() else f'values of the type {native}'}.",
                path=path,
                found=f"{called[role]!r}: {native}",
                expected="one text or number per cell",
                hint="write the column as text",
            )
        text = column if kind == nw.String else column.cast(nw.String)
        columns.append(text if absent else text.fill_null(""))
        if kind.is_float() or isinstance(kind, nw.Datetime):
            rewrites[role] = number_text if kind.is_float() else moment_text
    frame = frame.select(*columns)
    for role, function in rewrites.items():
        frame = rewritten(frame, [role], function, engine)
    return frame


def texts_in(frame: Frame) -> list[str]:
    """Name the columns of texts."""
    import narwhals.stable.v2 as nw

    return [name for name, kind in frame.collect_schema().items() if kind == nw.String]


def stripped(frame: Frame, engine: Engine) -> Frame:
    """Strip white space around texts."""
    import narwhals.stable.v2 as nw

    if engine is HERE:
        import polars as pl

        strip = pl.selectors.string().str.strip_chars(WHITE)
        here: Frame = nw.from_native(frame.to_native().with_columns(strip))
        return here
    # To strip every cell in every pass would take longer than all the rest.
    odd = {name: _is_odd(nw.col(name)) for name in texts_in(frame)}
    if not numbers_of(frame, engine, odd=how_many(nw.any_horizontal(*odd.values(), ignore_nulls=True)))["odd"]:
        return frame
    return frame.with_columns(
        nw.when(rows).then(nw.col(name).str.strip_chars(WHITE)).otherwise(nw.col(name)).alias(name)
        for name, rows in odd.items()
    )


def _is_odd(text: nw.Expr) -> nw.Expr:
    """Say which texts may begin or end with white space, all of which is before ! or after ~ in the order of bytes."""
    return ((text < "!") & (text != "")) | (text >= DELETE) | text.str.contains(ODD_END)


def sifted(
    frame: Frame, flaws: Sequence[Flaw], *, path: str, bad: BadRecords, engine: Engine, kinds: Sequence[str] = ()
) -> tuple[Frame, dict[str, int]]:
    """Reject bad rows: each by the first flaw that it has."""
    import narwhals.stable.v2 as nw

    each = [f"flaw{number}" for number in range(len(flaws))]
    marked = frame.with_columns(**{name: flaw.rows for name, flaw in zip(each, flaws, strict=True)})
    if engine is HERE:
        return _sifted_here(marked, frame.columns, dict(zip(each, flaws, strict=True)), path=path, bad=bad, kinds=kinds)
    any_bad = nw.any_horizontal(*map(nw.col, each), ignore_nulls=True)
    sums = {name: how_many(nw.col(name)) for name in each} | {name: how_many(nw.col(name) & ~any_bad) for name in kinds}
    found = numbers_of(marked, engine, rows=nw.len(), skipped_records=how_many(any_bad), **sums)
    counts = [found.pop(name) for name in each]
    if not found["skipped_records"]:
        return frame, found
    if bad.on_error == "stop":
        number = next(place for place, count in enumerate(counts) if count)
        row = engine.rows(frame.filter(flaws[number].rows).head(1))[0]
        raise placed(flaws[number].error(row), row, path, rows=counts[number])
    bad.uncounted += found["skipped_records"]
    return marked.filter(~any_bad).drop(*each), found


def _sifted_here(
    marked: Any, names: Sequence[str], flaws: Mapping[str, Flaw], *, path: str, bad: BadRecords, kinds: Sequence[str]
) -> tuple[Frame, dict[str, int]]:
    import narwhals.stable.v2 as nw
    import polars as pl

    rows: pl.DataFrame = marked.to_native()
    is_bad = rows.select(pl.any_horizontal(pl.lit(value=False), *flaws).fill_null(value=False)).to_series()
    if is_bad.any():
        for row in rows.filter(is_bad).iter_rows(named=True):
            error = next(flaw.error for name, flaw in flaws.items() if row[name])
            cells = {name: row[name] for name in names}
            bad.add(placed(error(cells), cells, path))
        rows = rows.filter(~is_bad)
    sums = {name: int(rows[name].sum()) for name in kinds}
    found: Any = nw.from_native(rows.drop(flaws))
    return found, {"rows": len(is_bad), "skipped_records": int(is_bad.sum()), **sums}


def placed(error: RecordError, row: Mapping[str, Any], path: str, *, rows: int = 1) -> RecordError:
    """Say in the error of a row where it is, by its line or its number, what it holds, and how many are like it on an engine."""
    error.path, error.line = path, row.get(LINE)
    number = f"row {row[ROW] + 1}: " if ROW in row and LINE not in row else ""
    error.found = number + (error.found or _shown(row))[:SHOWN] + (f" ({rows:,} such rows)" if rows > 1 else "")
    return error


def _shown(row: Mapping[str, Any]) -> str:
    return ", ".join(repr(cell) for name, cell in row.items() if isinstance(cell, str | float) and name != MADE)


def empty_flaws(roles: Sequence[str]) -> list[Flaw]:
    """Refuse rows with an empty cell."""
    import narwhals.stable.v2 as nw

    def flaw(role: str) -> Flaw:
        return Flaw(nw.col(role) == "", lambda _: RecordError(f"The {role} is empty.", expected=f"text for the {role}"))

    return [flaw(role) for role in roles]


def rewritten(frame: Frame, columns: Sequence[str], function: Callable[[str], str | None], engine: Engine) -> Frame:
    """Put what a function of Python makes of a text in the place of that text; it sees each distinct text once."""
    import narwhals.stable.v2 as nw

    if engine is HERE:
        for name in columns:
            frame = engine.mapped(frame, name, name, function)
        return frame
    distinct = once(nw.concat([frame.select(nw.col(name).alias("text")) for name in columns]), "text")
    known = engine.kept(engine.mapped(distinct, "text", "made", function))
    order = frame.collect_schema().names()
    for name in columns:
        made = known.select(nw.col("text").alias(name), nw.col("made"))
        frame = frame.join(made, on=name, how="left").drop(name).rename({"made": name})
    return frame.select(*order)


def coded(
    frame: Frame, column: str, code_of: Callable[[str], int], engine: Engine
) -> tuple[nw.Expr, dict[int, list[str]]]:
    """Put numbers for the words of a column: only distinct words are looked at one by one. Also list the words of each number."""
    import narwhals.stable.v2 as nw

    words_of: dict[int, list[str]] = {}
    for row in engine.rows(once(frame, column)):
        words_of.setdefault(code_of(row[column]), []).append(row[column])
    code = nw.lit(next(iter(words_of), 0))
    for number, words in list(words_of.items())[1:]:
        code = nw.when(nw.col(column).is_in(words)).then(nw.lit(number)).otherwise(code)
    return code, words_of


def how_many(rows: nw.Expr) -> nw.Expr:
    """Count the rows for which an expression is true."""
    import narwhals.stable.v2 as nw

    return nw.when(rows).then(1).otherwise(0).sum()


def numbers_of(frame: Frame, engine: Engine, **sums: nw.Expr) -> dict[str, int]:
    """Compute whole numbers over all rows, in one pass: an aggregate by name."""
    found = engine.rows(frame.select(**sums))[0]
    return {name: int(value or 0) for name, value in found.items()}


def rows_in(frame: Frame, engine: Engine) -> int:
    """Count the rows of a frame."""
    import narwhals.stable.v2 as nw

    return numbers_of(frame, engine, rows=nw.len())["rows"]


def once(frame: Frame, *columns: str, **sums: nw.Expr) -> Frame:
    """Give each combination of some columns once, with aggregates of its rows."""
    import narwhals.stable.v2 as nw

    # Unlike `unique`, a group-by needs no window over the rows.
    grouped = frame.group_by(*columns).agg(**(sums or {"rows": nw.len()}))
    return grouped if sums else grouped.select(*columns)
