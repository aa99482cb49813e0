"""Tables on an engine: their columns by role, as text, with the rows that cannot be read found by expressions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import InputError, RecordError
from goldassay.core.lazy import Engine, Frame, LazyDocuments
from goldassay.core.matching import FAILURES, SideName
from goldassay.formats.delimited import WHITE
from goldassay.formats.options import OnError
from goldassay.formats.roles import Choice, Chooser
from goldassay.formats.rows import line_breaks
from goldassay.formats.texts import moment_text, number_text

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

SHOWN = 120
DELETE, ODD_END = "\x7f", r"[^!-~]$"
SIDES: tuple[SideName, SideName] = ("pred", "gold")
Hits: TypeAlias = tuple[Frame, Frame]
"""The keys of the items of the prediction and of gold that are hit, each once."""
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


@dataclass(frozen=True, eq=False, kw_only=True)
class LazyTable:
    """A table whose rows are on an engine.

    Attributes:
        path: What it is called in messages.
        format: Its format.
        names: The names of its columns, or the cells of its first row.
        scan: Gives all rows, their columns named by their places from "0" on; with or without the first row.
        comments: The lines above a table that begin with ``#``, without that sign.
        lines: Whether cells are texts of a file of lines, in which an absent one is an empty one.
        width: How many cells most of the first rows of a file of lines have.
        warnings: What changes what a number means, as far as it is known: `chosen` adds to it.
    """

    path: str
    format: str
    names: tuple[str, ...]
    scan: Callable[[bool], Frame]
    comments: tuple[str, ...] = ()
    lines: bool = False
    width: int = 0
    warnings: list[str] = field(default_factory=list)

    def choice(self, choose: Chooser) -> Choice:
        """Choose columns by their names, by the rule of the readers of files."""
        choice = choose(self.names, always=not self.lines, width=lambda: self.width)
        self.warnings.extend(choice.warnings)
        return choice

    def chosen(
        self,
        choice: Choice,
        engine: Engine,
        *,
        numbers: Collection[str] = (),
        lists: Mapping[str, int] = MappingProxyType({}),
    ) -> Frame:
        """Give some columns by role, as text without white space around it; an absent value is the empty text.

        Args:
            choice: The place of the column of each role.
            engine: The engine.
            numbers: Roles whose numbers stay numbers.
            lists: The places of further columns, which stay what they are.

        Raises:
            InputError: If a column holds what is no text, number, truth value or date.
        """
        import narwhals.stable.v2 as nw

        frame = self.scan(choice.named)
        schema = frame.collect_schema()
        columns, texts = [], []
        rewrites: dict[str, Callable[[str], str]] = {}
        for role, place in choice.places.items():
            kind, column = schema[str(place)], nw.col(str(place))
            if role in numbers and kind.is_numeric():
                columns.append(column.cast(nw.Float64).alias(role))
                continue
            plain = isinstance(
                kind, nw.String | nw.Categorical | nw.Enum | nw.Boolean | nw.Date | nw.Datetime | nw.Unknown
            )
            # Every engine writes moments of a time zone in its own way.
            if not (plain or kind.is_numeric()) or getattr(kind, "time_zone", None):
                raise InputError(
                    f"The {role} column contains {'lists' if kind.is_nested() else f'values of the type {kind}'}.",
                    path=self.path,
                    found=f"{self.names[place]!r}: {kind}",
                    expected="one text or number per cell",
                    hint="write the column as text",
                )
            text = column if kind == nw.String else column.cast(nw.String)
            columns.append(text.fill_null("").alias(role))
            texts.append(role)
            if kind.is_float() or isinstance(kind, nw.Datetime):
                rewrites[role] = number_text if kind.is_float() else moment_text
        frame = frame.select(*columns, *(nw.col(str(place)).alias(role) for role, place in lists.items()))
        for role, function in rewrites.items():
            frame = rewritten(frame, [role], function, engine)
        # To strip every cell in every pass would take longer than all the rest.
        odd = nw.any_horizontal(*(_is_odd(nw.col(role)) for role in texts), ignore_nulls=True)
        broken = nw.any_horizontal(*(nw.col(role).str.contains("[\n\r]") for role in texts), ignore_nulls=True)
        seen = numbers_of(frame, engine, odd=how_many(odd), **({"broken": how_many(broken)} if self.lines else {}))
        if seen.get("broken"):
            self.warnings.append(line_breaks(seen["broken"]))
        if seen["odd"]:
            stripped = (
                nw.when(_is_odd(nw.col(role))).then(nw.col(role).str.strip_chars(WHITE)).otherwise(nw.col(role))
                for role in texts
            )
            frame = frame.with_columns(column.alias(role) for column, role in zip(stripped, texts, strict=True))
        # A line of separators alone is no row.
        some = nw.any_horizontal(*(nw.col(role) != "" for role in texts), ignore_nulls=True)
        return frame.filter(some) if self.lines else frame


def _is_odd(text: nw.Expr) -> nw.Expr:
    """Say which texts may begin or end with white space, all of which is before ! or after ~ in the order of bytes."""
    return ((text < "!") & (text != "")) | (text >= DELETE) | text.str.contains(ODD_END)


def how_many(rows: nw.Expr) -> nw.Expr:
    """Count the rows for which an expression is true."""
    import narwhals.stable.v2 as nw

    return nw.when(rows).then(1).otherwise(0).sum()


def numbers_of(frame: Frame, engine: Engine, **sums: nw.Expr) -> dict[str, int]:
    """Compute whole numbers over all rows, in one pass.

    Args:
        frame: The rows.
        engine: The engine.
        **sums: An aggregate by name.
    """
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


def sifted(
    frame: Frame, flaws: Sequence[Flaw], *, path: str, on_error: OnError, engine: Engine, **good: nw.Expr
) -> tuple[Frame, dict[str, int]]:
    """Refuse bad rows, or leave them out.

    Args:
        frame: The rows.
        flaws: How a row can be bad; a row is bad by the first that it has.
        path: The file.
        on_error: Whether to stop at a bad row, or to skip and count it.
        engine: The engine.
        **good: Which of the good rows to count in the same pass, by name.

    Returns:
        The good rows, and the counts; ``rows`` counts all, ``skipped_records`` the bad ones.

    Raises:
        RecordError: For one of the bad rows.
    """
    import narwhals.stable.v2 as nw

    bad = {f"flaw{number}": how_many(flaw.rows) for number, flaw in enumerate(flaws)}
    any_bad = nw.any_horizontal(*(flaw.rows for flaw in flaws), ignore_nulls=True)
    asked = {name: how_many(rows & ~any_bad) for name, rows in good.items()}
    found = numbers_of(frame, engine, rows=nw.len(), skipped_records=how_many(any_bad), **bad, **asked)
    counts = [found.pop(name) for name in bad]
    if not found["skipped_records"]:
        return frame, found
    if on_error == "skip":
        return frame.filter(~any_bad), found
    number = next(place for place, count in enumerate(counts) if count)
    row = engine.rows(frame.filter(flaws[number].rows).head(1))[0]
    error = flaws[number].error(row)
    error.found = error.found or ", ".join(repr(cell) for cell in row.values() if isinstance(cell, str | float))
    raise of_many(error, counts[number], path)


def of_many(error: RecordError, rows: int, path: str | None) -> RecordError:
    """Say in the error of one row how many rows are like it, and in which file.

    Example:
        >>> print(of_many(RecordError("The source is empty.", found="''"), 1_200, "a.csv"))
        a.csv: The source is empty.
          found:    '' (1,200 such rows)
    """
    error.path, error.found = path, f"{error.found}"[:SHOWN] + (f" ({rows:,} such rows)" if rows > 1 else "")
    return error


def empty_flaws(roles: Sequence[str]) -> list[Flaw]:
    """Refuse rows with an empty cell."""
    import narwhals.stable.v2 as nw

    def flaw(role: str) -> Flaw:
        return Flaw(nw.col(role) == "", lambda _: RecordError(f"The {role} is empty.", expected=f"text for the {role}"))

    return [flaw(role) for role in roles]


def rewritten(frame: Frame, columns: Sequence[str], function: Callable[[str], str | None], engine: Engine) -> Frame:
    """Put what a function of Python makes of a text in the place of that text; it sees each distinct text once.

    Args:
        frame: The rows.
        columns: Columns of texts.
        function: Makes a text of a text, or None.
        engine: The engine.
    """
    import narwhals.stable.v2 as nw

    distinct = once(nw.concat([frame.select(nw.col(name).alias("text")) for name in columns]), "text")
    known = engine.kept(engine.mapped(distinct, "text", "made", function))
    order = frame.collect_schema().names()
    for name in columns:
        made = known.select(nw.col("text").alias(name), nw.col("made"))
        frame = frame.join(made, on=name, how="left").drop(name).rename({"made": name})
    return frame.select(*order)


def coded(column: str, words_of: Mapping[int, Collection[str]], otherwise: int) -> nw.Expr:
    """Put a number for each word of a column.

    Args:
        column: The column of words.
        words_of: The words of each number.
        otherwise: The number of every other word.
    """
    import narwhals.stable.v2 as nw

    code = nw.lit(otherwise)
    for number, words in words_of.items():
        code = nw.when(nw.col(column).is_in(list(words))).then(nw.lit(number)).otherwise(code)
    return code


def left_out_of(**counts: int) -> dict[str, int]:
    """List what was left out, by reason, without what was not."""
    return {reason: count for reason, count in counts.items() if count}


def skipped_notes(count: int) -> tuple[str, ...]:
    """Say how many records were skipped."""
    return (f"{count:,} bad record{'s' if count > 1 else ''} skipped",) if count else ()


def met(
    pred: Frame, gold: Frame, keys: Sequence[str], engine: Engine, *, sizes: tuple[int, int]
) -> tuple[dict[str, int], Frame]:
    """Count the items of each side whose key the other side has.

    Args:
        pred: The items of the prediction.
        gold: Those of gold.
        keys: The columns by which they meet.
        engine: The engine.
        sizes: How many items each side has.

    Returns:
        The counts of precision and recall, and the keys of both sides.
    """
    import narwhals.stable.v2 as nw

    known = once(gold, *keys, gold_times=nw.len())
    shared = once(
        pred.join(known, on=list(keys), how="inner"), *keys, times=nw.len(), gold_times=nw.col("gold_times").max()
    )
    shared = engine.kept(shared)
    hits = numbers_of(shared, engine, hit_pred=nw.col("times").sum(), hit_gold=nw.col("gold_times").sum())
    return {
        "hit_pred": hits["hit_pred"],
        "hit_gold": hits["hit_gold"],
        "n_pred": sizes[0],
        "n_gold": sizes[1],
    }, shared


def verdicts(pred: Frame, gold: Frame, hits: Hits, keys: Sequence[str], columns: Sequence[str]) -> Frame:
    """List the items of both sides with their verdicts.

    Args:
        pred: The items of the prediction.
        gold: Those of gold.
        hits: The keys of the items of each side that are hit.
        keys: The columns of keys.
        columns: The columns that name an item.
    """
    import narwhals.stable.v2 as nw

    verdict = nw.when(nw.col("met").is_null())
    halves = [
        side.join(found.select(*keys, met=nw.lit(value=True)), on=list(keys), how="left").select(
            *columns, side=nw.lit(name), verdict=verdict.then(nw.lit(FAILURES[name])).otherwise(nw.lit("hit"))
        )
        for name, side, found in zip(SIDES, (pred, gold), hits, strict=True)
    ]
    return nw.concat(halves)


def shared_items(pred: LazyDocuments, gold: LazyDocuments, keys: Sequence[str], engine: Engine) -> Hits:
    """Give the keys that both sides have.

    Args:
        pred: The documents of the prediction.
        gold: Those of gold.
        keys: The columns of keys.
        engine: The engine.
    """
    shared = engine.kept(pred.frame.join(gold.frame.select(*keys), on=list(keys), how="inner").select(*keys))
    return shared, shared


def per_document(
    pred: LazyDocuments, gold: LazyDocuments, hits: Hits, engine: Engine
) -> tuple[dict[str, NDArray[np.float64]], NDArray[np.float64]]:
    """Count the items of every document, and how many documents have the same counts.

    Args:
        pred: The documents of the prediction.
        gold: Those of gold.
        hits: The items of each side that are hit, with the id of their document.
        engine: The engine.

    Returns:
        The counts ``hit_pred``, ``hit_gold``, ``n_pred`` and ``n_gold`` of a document, a row each that occurs, float64; and how
        many documents have each.
    """
    import narwhals.stable.v2 as nw

    counted = {"hit_pred": hits[0], "hit_gold": hits[1], "n_pred": pred.frame, "n_gold": gold.frame}
    parts = [
        frame.select("id", *(nw.lit(int(one == name)).alias(one) for one in counted))
        for name, frame in (*counted.items(), ("", pred.documents), ("", gold.documents))
    ]
    sums = once(nw.concat(parts), "id", **{name: nw.col(name).sum() for name in counted})
    rows = engine.rows(once(sums, *counted, documents=nw.len()))
    columns = {name: np.array([float(row[name]) for row in rows], dtype=np.float64) for name in (*counted, "documents")}
    times = columns.pop("documents")
    return columns, times
