"""Measures against people as tables; and predictions as a table of scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from goldassay.core.errors import UsageError
from goldassay.core.text import NumberFormat, count_of, to_one_line
from goldassay.evaluation import evaluate
from goldassay.meta.evaluation import NO_STATISTICS, MetaReport, Tracked
from goldassay.meta.tables import Scores
from goldassay.report.cells import Cell, TextTable

HEAD = ["level", "statistic", "measure", "value", "chance", "people"]
TESTS = ["level", "statistic", "first", "second", "difference", "p", "p_holm"]


def rows_of(report: MetaReport) -> Iterator[dict[str, Any]]:
    """List every statistic of every measure, with chance and the ceiling of people; None where there is none."""
    for one in report.measures:
        for level, values in one.levels.items():
            for name, value in values.items():
                if name in NO_STATISTICS:
                    continue
                plain = value["value"] if isinstance(value, Mapping) else value
                chance, ceiling = (some.get(level, {}).get(name) for some in (one.chance, report.ceiling))
                yield dict(zip(HEAD, (level, name, one.measure, plain, chance, ceiling), strict=True))


def places_of_chance(measure: Tracked, level: str, name: str, places: int = 4) -> int:
    """Return to how many places a level of chance holds: twice its standard error is at most half of the last one."""
    error = measure.chance_error.get(level, {}).get(name, 0.0)
    return min(places, max(0, math.floor(-math.log10(4 * error)))) if error > 0 else places


def tables_of(report: MetaReport, *, places: int = 4) -> Iterator[TextTable]:
    """Make the table of statistics, and that of the tests between measures."""
    measures = {one.measure: one for one in report.measures}

    def cell(value: Any, places: int = places) -> Cell:
        if isinstance(value, str):
            return Cell(text=to_one_line(value))
        return Cell(text="" if value is None or np.isnan(value) else NumberFormat(places).value(value))

    def shown(row: dict[str, Any]) -> list[Cell]:
        holds = places_of_chance(measures[row["measure"]], row["level"], row["statistic"], places)
        return [cell(row[name], holds if name == "chance" else places) for name in HEAD]

    order = list(dict.fromkeys((row["level"], row["statistic"]) for row in rows_of(report)))
    rows = sorted(rows_of(report), key=lambda row: order.index((row["level"], row["statistic"])))
    yield TextTable("Measures against people", HEAD, list(map(shown, rows)), 3)
    if report.tests:
        yield TextTable(
            "Tests between measures", TESTS, [[cell(one[name]) for name in TESTS] for one in report.tests], 4
        )


def frame_of(report: MetaReport) -> pl.DataFrame:
    """Return every statistic, unrounded, as a frame."""
    numbers = dict.fromkeys(HEAD[3:], pl.Float64)
    return pl.DataFrame(list(rows_of(report)), schema_overrides=numbers, strict=False)


def notes_of(report: MetaReport) -> Iterator[str]:
    """Return what was compared, and what was left out."""
    ratings = report.ratings
    sizes = {"item": ratings.items, "system": ratings.systems, "rater": ratings.raters}
    yield (
        f"{', '.join(count_of(len(some), name) for name, some in sizes.items())}; chance: shuffled scores; people: one rater against the others"
        + ("" if report.ceiling else " (unknown: one rater)")
    )
    draws = sorted({one.draws for one in report.measures if one.draws})
    if draws:
        yield f"chance of accuracies and of spa: a mean over {' to '.join(f'{count:,}' for count in dict.fromkeys((draws[0], draws[-1])))} draws, with the digits that hold; the others are exact"
    for one in report.measures:
        parts = [f"{count:,} outputs are {name.replace('_', ' ')}" for name, count in one.left_out.items() if count]
        if parts:
            yield f"{to_one_line(one.measure)}: {' and '.join(parts)}, and left out"


def scores_of(preds: Sequence[Any], *, gold: Any, kind: str, measures: Any = None, **asked: Any) -> Scores:
    """Score predictions item by item: the units of a measure are the items, the name of a file is its system."""
    report = evaluate(list(preds), gold=gold, kind=kind, measures=measures, intervals=True, **asked)
    found: dict[str, dict[tuple[str, str], float]] = {}
    paths: dict[str, str] = {}
    for run in report:
        path = run.pred.path or "prediction"
        system = Path(path).stem
        if system in paths:
            raise UsageError(
                f"Two predictions are of the system {system!r}.",
                found=f"{paths[system]} and {path}",
                expected="files with different names",
            )
        paths[system] = path
        for score in run.scores:
            if score.units is None:
                raise UsageError(f"{score.spec} has no values for single items.", hint="choose another measure")
            values = np.asarray(score.measure.divide_counts(score.units.counts)[score.headline], dtype=np.float64)
            keys = zip(score.units.keys.tolist(), values.tolist(), strict=True)
            found.setdefault(score.spec, {}).update({(str(key), system): value for key, value in keys})
    return Scores(values=found)
