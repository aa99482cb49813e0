"""Repeated runs: the scores of several runs of a system put together, and systems held against each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from goldassay.core.measure import Measure, Score
from goldassay.core.replication import Replicates, Spread, difference, part, replicates, spread
from goldassay.core.signature import Signature
from goldassay.core.significance import Interval, Resampling, holm
from goldassay.report import Report
from goldassay.report.results import System, SystemScore, Ties


def add_systems(
    report: Report, named: Mapping[str, Sequence[int]], *, against: str | int, resampling: Resampling
) -> Report:
    """Put the runs of each system together, test every system against the first, the best or a row, and all pairs for groups of ties."""
    found = [_score_systems(report, place, named, against, resampling) for place in range(len(report.runs[0].scores))]
    columns = [column for column, _ in found]
    systems = tuple(
        System(name=name, rows=tuple(rows), scores=tuple(column[name] for column in columns))
        for name, rows in named.items()
    )
    return replace(report, systems=systems, ties=tuple(ties for _, ties in found if ties))


def _score_systems(
    report: Report, place: int, named: Mapping[str, Sequence[int]], against: str | int, resampling: Resampling
) -> tuple[dict[str, SystemScore], Ties | None]:
    scores = [run.scores[place] for run in report.runs]
    measure = scores[0].measure
    found = replicates(
        [score.units for score in scores],
        [score.values for score in scores],
        measure.divide_counts,
        resampling,
    )
    parts = {name: {value: part(one, rows) for value, one in found.items()} for name, rows in named.items()}
    spreads = {
        name: {
            value: _clip_interval(measure, value, spread(one, level=resampling.level)) for value, one in values.items()
        }
        for name, values in parts.items()
    }
    words: dict[str | int, str] = {
        **dict(enumerate(named)),
        "first": next(iter(named)),
        "best": _ranked(spreads, measure)[0],
    }
    made = {
        name: SystemScore(
            measure=measure,
            values=values,
            signature=_signature([scores[row] for row in named[name]], resampling),
            resampling=resampling,
            unit=_unit(found, measure),
        )
        for name, values in spreads.items()
    }
    return _test_systems(made, parts, words[against], resampling), _ties(spreads, parts, measure, resampling)


def _test_systems(
    made: Mapping[str, SystemScore],
    parts: Mapping[str, Mapping[str, Replicates]],
    base: str,
    resampling: Resampling,
) -> dict[str, SystemScore]:
    rest = [name for name in made if name != base]
    options = {"resamples": resampling.resamples, "level": resampling.level}
    differences = {
        name: {value: difference(parts[base][value], one, **options) for value, one in parts[name].items()}  # type: ignore[arg-type]
        for name in rest
    }
    adjusted: dict[str, dict[str, float]] = {name: {} for name in rest}
    for value in made[base].values:
        p_values = {name: p for name in rest if (p := differences[name][value].p) is not None}
        for name, p_holm in zip(p_values, holm(list(p_values.values())), strict=True):
            adjusted[name][value] = p_holm
    tested = {
        name: replace(made[name], against=base, differences=differences[name], p_holm=adjusted[name]) for name in rest
    }
    return {name: tested.get(name, score) for name, score in made.items()}


def _clip_interval(measure: Measure[Any, Any], value: str, found: Spread) -> Spread:
    """Cut an interval at what the value can be: t knows no bounds."""
    if found.interval is None:
        return found
    low, high = measure.values[value]
    return replace(found, interval=Interval(max(found.interval.low, low), min(found.interval.high, high)))


def _ranked(spreads: Mapping[str, Mapping[str, Spread]], measure: Measure[Any, Any]) -> list[str]:
    return sorted(spreads, key=lambda name: measure.merit(spreads[name][measure.headline].mean), reverse=True)


def _ties(
    spreads: Mapping[str, Mapping[str, Spread]],
    parts: Mapping[str, Mapping[str, Replicates]],
    measure: Measure[Any, Any],
    resampling: Resampling,
) -> Ties | None:
    """Test all pairs of systems by the headline; None where a pair cannot be tested."""
    name, rows = measure.headline, {system: row for row, system in enumerate(spreads)}
    ranked = _ranked(spreads, measure)
    p = {}
    for one, other in combinations(ranked, 2):
        found = difference(parts[one][name], parts[other][name], resamples=resampling.resamples, level=resampling.level)
        if found.p is None or math.isnan(found.p):
            return None
        p[frozenset((rows[one], rows[other]))] = found.p
    places = [rows[system] for system in ranked]
    return (
        Ties.of(str(measure), places, p, rows=len(rows), level=resampling.level)
        if p and resampling.separates(len(p))
        else None
    )


def _unit(found: Mapping[str, Replicates], measure: Measure[Any, Any]) -> str | None:
    return measure.unit if any(one.drawn is not None for one in found.values()) else None


def _signature(scores: Sequence[Score], resampling: Resampling) -> Signature:
    """Keep what the signatures of all runs share."""
    first, *others = (score.signature for score in scores)
    shared = {
        name: value
        for name, value in first.fields.items()
        if name != "ci" and all(other.fields.get(name) == value for other in others)
    }
    unit = scores[0].units.name if scores[0].units else "runs alone"
    drawn = f"two-level(level={resampling.level:g},resamples={resampling.resamples},seed={resampling.seed})/{unit}"
    return Signature(first.measure, shared).with_field("runs", str(len(scores))).with_field("ci", drawn)
