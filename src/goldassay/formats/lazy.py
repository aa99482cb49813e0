"""Tables of an engine, and what every family counts of them by joins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.core.counts import Counts
from goldassay.core.errors import InputError
from goldassay.core.lazy import Engine, EngineCounts, Frame, LazyDocuments, LazyItems, sums_of
from goldassay.core.libraries import nw
from goldassay.core.matching import AMOUNTS, FAILURES, SideName
from goldassay.core.measure import Measure
from goldassay.formats.both_sides import LOOKED_AT
from goldassay.formats.choose_columns import Choice, Chooser
from goldassay.formats.decisions import Decisions
from goldassay.formats.list_cells import is_plural
from goldassay.formats.literals import BETWEEN
from goldassay.formats.rows import ANGLED_IRI, OF_NUMBERS, announces, is_title, line_breaks, warn_of_repeated_heads
from goldassay.formats.several_sets import MOST, find_sets, key_of, look_at_unread, written
from goldassay.formats.tables import (
    FLOAT,
    WHOLE,
    distinct_rows,
    how_many,
    numbers_of,
    rows_in,
    strip_texts,
    texts_in,
    texts_of,
)

SIDES: tuple[SideName, SideName] = ("pred", "gold")
IN_BRACKETS = r"^(?:\[\s*\]|[\[({]\s*[\"'].*[\"']\s*,?\s*[\])}])$|<[bB][rR]"
"""Cells that are lists in any column."""
MOST_DECISIONS = 100
"""A column with so many different cells is none of decisions."""
Hits: TypeAlias = tuple[Frame, Frame]
"""The keys of the items of the prediction and of gold that are hit, each once."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LazyTable:
    """A table whose rows are on an engine.

    Attributes:
        names: The names of its columns, or the cells of its first row.
        scan: Gives all rows, their columns named by their places from "0" on; without the first row, or with it.
        with_absent: The same, without the first row and with null for each absent cell, and for no other of a file of lines.
        lines: Whether cells are texts of a file of lines, in which an absent one is an empty one.
        width: How many cells most of the first rows of a file of lines have.
        below: The rows below a first row that may be a title.
        called: What the user calls each column that was chosen.
    """

    path: str
    format: str
    names: tuple[str, ...]
    scan: Callable[[bool], Frame]
    with_absent: Callable[[], Frame]
    comments: tuple[str, ...] = ()
    lines: bool = False
    width: int = 0
    below: tuple[list[str], ...] = ()
    warnings: list[str] = field(default_factory=list)
    called: dict[str, str] = field(default_factory=dict)

    def choice(self, choose: Chooser) -> Choice:
        """Choose columns by their names, by the rule of the readers of files."""
        if self.lines and all(name.startswith("?") for name in self.names):
            raise InputError(
                "Engines do not read results of SPARQL, whose cells are terms.",
                line=1,
                found=", ".join(self.names),
                expected="names without marks",
                hint="leave out --engine",
            )
        choice = choose(self.names, always=not self.lines, width=lambda: self.width)
        row = next((cells for cells in self.below if not is_title(cells)), None)
        above = row is not None and (not choice.named or announces(self.names, row))
        if row is not None and above and choose(row, width=lambda: self.width).named:
            raise InputError(
                "There are lines above the header.",
                line=1,
                found=", ".join(self.names),
                expected=f"the header {', '.join(row)}",
                hint="remove what is above the header, or leave out --engine, without which it is skipped",
            )
        self.warnings.extend(choice.warnings)
        self.called.update(choice.called)
        return choice

    def chosen(
        self, choice: Choice, engine: Engine, *, numbers: Collection[str] = (), lists: Collection[str] = ()
    ) -> Frame:
        """Return some columns by role, as `texts_of` writes them, without white space around texts."""
        self.warnings.extend(self._denied(choice, engine))
        self.warnings.extend(self._of_unread(choice, engine))
        frame = self.scan(choice.named).select(**{role: nw.col(str(place)) for role, place in choice.places.items()})
        # The first row may have fewer cells than most.
        called = {role: "".join(self.names[place : place + 1]) for role, place in choice.places.items()}
        frame = texts_of(frame, called, engine=engine, numbers=numbers, lists=lists)
        frame = strip_texts(frame, engine)
        if not self.lines:
            return frame
        frame = frame.with_columns(
            nw.when(nw.col(role).str.contains(ANGLED_IRI))
            .then(nw.col(role).str.strip_chars("<>"))
            .otherwise(nw.col(role))
            .alias(role)
            for role in texts_in(frame)
        )
        broken = nw.any_horizontal(
            *(nw.col(role).str.contains("[\n\r]") for role in texts_in(frame)), ignore_nulls=True
        )
        again = nw.all_horizontal(*(nw.col(role) == name.strip() for role, name in called.items()), ignore_nulls=True)
        heads = {"heads": how_many(again)} if choice.named and all(called.values()) else {}
        others = {
            f"no {role}": how_many(~(nw.col(role).str.contains(FLOAT) | again))
            for role in texts_in(frame)
            if role not in OF_NUMBERS
        }
        counts = numbers_of(frame, engine, rows=how_many(broken), **heads, **others)
        self.warnings.extend([line_breaks(counts["rows"])] * (counts["rows"] > 0))
        if counts.get("heads"):
            self.warnings.append(warn_of_repeated_heads(counts["heads"]))
            frame = frame.filter(~again)
        floats = [role for role in texts_in(frame) if counts.get(f"no {role}") == 0]
        # Spark Connect refuses to change no column.
        frame = frame.with_columns(nw.col(floats).str.replace_all(WHOLE, "")) if floats else frame
        # A line of only separators is not a row.
        some = nw.any_horizontal(*(nw.col(role) != "" for role in texts_in(frame)), ignore_nulls=True)
        return frame.filter(some)

    def refuse_lists(self, frame: Frame, roles: Collection[str], engine: Engine) -> None:
        """Refuse cells that are lists of names: without an engine each name has a row of its own."""
        texts = [role for role in roles if role in texts_in(frame)]
        if not texts:
            return
        several = {
            role: f"{IN_BRACKETS}|{BETWEEN.pattern}" if is_plural(self.called.get(role, role)) else IN_BRACKETS
            for role in texts
        }
        lists = nw.any_horizontal(
            *(nw.col(role).str.contains(marks) for role, marks in several.items()), ignore_nulls=True
        )
        if found := numbers_of(frame, engine, lists=how_many(lists))["lists"]:
            raise InputError(
                "Engines do not read lists in cells.",
                found=f"{found:,} rows with lists of names",
                expected="one name in each cell",
                hint="leave out --engine, or write a row for each name",
            )

    def _denied(self, choice: Choice, engine: Engine) -> Iterator[str]:
        """Warn of rows that do not hold by a column that is not read; of one with many different cells nothing is known."""
        judged = Decisions()
        for name, place in choice.decisions.items():
            cells = self.scan(choice.named).select(cell=nw.col(str(place)))
            some = engine.rows(distinct_rows(cells, "cell", times=nw.len()).head(MOST_DECISIONS))
            if len(some) < MOST_DECISIONS:
                judged.see(name, {row["cell"]: int(row["times"]) for row in some})
        return judged.warnings()

    def _of_unread(self, choice: Choice, engine: Engine) -> Iterator[str]:
        """Warn of columns that are not read and have the other side, or the rows of several systems, or refuse them."""
        table = self.scan(choice.named)
        kinds = table.collect_schema() if choice.unread else {}
        wanted = [at for at in map(str, (*choice.places.values(), *choice.unread.values())) if at in kinds]
        wanted = [at for at in wanted if kinds[at] == nw.List(nw.String) or not kinds[at].is_nested()]
        rows = engine.rows(table.head(LOOKED_AT).select(*dict.fromkeys(wanted))) if choice.unread else []

        def first(at: int) -> list[Any]:
            return [row.get(str(at)) for row in rows]

        sides, choice = look_at_unread(choice, first)
        yield from sides
        yield from self._several_sets(choice, engine)

    def _several_sets(self, choice: Choice, engine: Engine) -> Iterator[str]:
        """Warn of the rows of several systems in one table, or refuse them."""
        if not choice.unread:
            return iter(())
        places = {**choice.places, **{key_of(at): at for at in choice.unread.values()}}
        frame = self.scan(choice.named).select(**{name: nw.col(str(at)) for name, at in places.items()})

        def distinct(*columns: str) -> int:
            return rows_in(distinct_rows(frame, *columns), engine)

        def values_of(column: str) -> list[str]:
            rows = engine.rows(distinct_rows(frame, column).head(MOST + 1))
            return [written(row[column]) for row in rows]

        return find_sets(choice, rows_in(frame, engine), distinct, values_of)


def nonzero_counts(**counts: int) -> dict[str, int]:
    """List what was left out, by reason, without what was not."""
    return {reason: count for reason, count in counts.items() if count}


def count_equal(
    measure: Measure[Any, Any], pred: LazyItems, gold: LazyItems, engine: Engine, context: Context
) -> EngineCounts:
    """Count the items whose keys both sides have; those of documents by document."""
    del context
    keys, whole, known = measure.keys, pred.compared(measure, engine), gold.compared(measure, engine)
    here, there = whole.frame, known.frame
    if isinstance(pred, LazyDocuments) and isinstance(gold, LazyDocuments):
        # No key occurs twice on a side.
        shared = engine.materialize(here.join(there.select(*keys), on=list(keys), how="inner").select(*keys))
        counts = sums_of(*sum_documents(measure, pred, gold, (shared, shared), engine))
    else:
        matched = here.join(distinct_rows(there, *keys, gold_times=nw.len()), on=list(keys), how="inner")
        shared = engine.materialize(
            distinct_rows(matched, *keys, times=nw.len(), gold_times=nw.col("gold_times").max())
        )
        hits = {"hit_pred": nw.col("times").sum(), "hit_gold": nw.col("gold_times").sum()}
        counts = {**numbers_of(shared, engine, **hits), "n_pred": len(whole), "n_gold": len(known)}
    shown = here.collect_schema().names()
    evidence = partial(verdicts, here, there, (shared, shared), keys, shown)
    return EngineCounts(counts=Counts(counts), evidence=evidence)


def verdicts(
    pred: Frame, gold: Frame, hits: Hits, keys: Sequence[str], columns: Sequence[str], *, times: str | None = None
) -> Frame:
    """List the items of both sides with their verdicts, and how much each counts; hits that have a ``credit`` below 1 are partial."""
    weight = nw.lit(1.0) if times is None else nw.col(times).cast(nw.Float64)
    halves = []
    for name, side, found in zip(SIDES, (pred, gold), hits, strict=True):
        credit = nw.col("credit") if "credit" in found.collect_schema().names() else nw.lit(1.0)
        earned = nw.when(nw.col("matched") < 1).then(nw.lit("partial")).otherwise(nw.lit("hit"))
        verdict = nw.when(nw.col("matched").is_null()).then(nw.lit(FAILURES[name])).otherwise(earned)
        joined = side.join(found.select(*keys, matched=credit), on=list(keys), how="left")
        amounts = dict(zip(AMOUNTS, (nw.col("matched").fill_null(0.0), weight), strict=True))
        halves.append(joined.select(*columns, side=nw.lit(name), verdict=verdict, **amounts))
    return nw.concat(halves)


def sum_documents(
    measure: Measure[Any, Any], pred: LazyDocuments, gold: LazyDocuments, hits: Hits, engine: Engine
) -> tuple[Mapping[str, Any], NDArray[np.float64]]:
    """Return what documents add to the sums of a measure: a row that occurs each, float64, and how many documents have it."""
    counted = {"hit_pred": hits[0], "hit_gold": hits[1], "n_pred": pred.frame, "n_gold": gold.frame}
    parts = [
        frame.select("id", *(nw.lit(int(one == name)).alias(one) for one in counted))
        for name, frame in (*counted.items(), ("", pred.predicted), ("", gold.documents))
    ]
    sums = distinct_rows(nw.concat(parts), "id", **{name: nw.col(name).sum() for name in counted})
    rows = engine.rows(distinct_rows(sums, *counted, documents=nw.len()))
    columns = {name: np.array([float(row[name]) for row in rows], dtype=np.float64) for name in (*counted, "documents")}
    times = columns.pop("documents")
    return measure.values_of_each(columns), times
