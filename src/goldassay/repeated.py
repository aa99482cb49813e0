"""Repeated runs: the scores of several runs of a system put together, and systems held against each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from goldassay.core.chance import ChanceLevel
from goldassay.core.groups import Breakdown
from goldassay.core.measure import Measure, Score
from goldassay.core.replication import Replicates, Spread, difference, part, replicates, spread
from goldassay.core.signature import Signature
from goldassay.core.significance import Interval, Resampling, holm
from goldassay.report import Report
from goldassay.report.results import System, SystemScore, Ties


def add_systems(
    report: Report, named: Mapping[str, Sequence[int]], *, against: str | int, resampling: Resampling
) -> Report:
    """Combine the runs of each system, test every system against the first, the best or a row, and all pairs for groups of ties."""
    found = [_score_systems(report, place, named, against, resampling) for place in range(len(report.runs[0].scores))]
    columns = [column for column, _ in found]
    systems = tuple(
        System(name=name, rows=tuple(rows), scores=tuple(column[name] for column in columns))
        for name, rows in named.items()
    )
    return replace(report, systems=systems, ties=tuple(ties for _, ties in found if ties))


def keep_groups(report: Report, known: Mapping[str, Mapping[str, tuple[Breakdown, ...]]]) -> Report:
    """Add their former groups to the scores of systems, if the units of the groups are missing."""
    systems = (
        replace(
            one, scores=tuple(replace(score, breakdowns=known[one.name].get(score.spec, ())) for score in one.scores)
        )
        for one in report.systems
    )
    return replace(report, systems=tuple(systems))


def _score_systems(
    report: Report, place: int, named: Mapping[str, Sequence[int]], against: str | int, resampling: Resampling
) -> tuple[dict[str, SystemScore], Ties | None]:
    scores = [run.scores[place] for run in report.runs]
    measure = scores[0].measure
    found = replicates(
        [score.units for score in scores],
        [score.values for score in scores],
        measure.divide_drawn,
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
            chance=_mean_chance([scores[row].chance for row in named[name]]),
            breakdowns=tuple(_mean_groups([scores[row] for row in named[name]], resampling)),
        )
        for name, values in spreads.items()
    }
    return _test_systems(made, parts, words[against], resampling), _ties(spreads, parts, measure, resampling)


def _mean_chance(levels: Sequence[ChanceLevel | None]) -> ChanceLevel | None:
    """Average what chance gives the runs of a system; the standard deviation is that of one draw."""
    known = [level for level in levels if level is not None]
    if len(known) < len(levels):
        return None
    means: dict[str, Any] = {
        name: {value: float(np.mean([getattr(one, name)[value] for one in known])) for value in known[0].expected}
        for name in ("expected", "percentile", "adjusted")
    }
    sd = {value: math.sqrt(np.mean([one.sd[value] ** 2 for one in known])) for value in known[0].sd}
    return replace(known[0], sd=sd, **means)


def _mean_groups(scores: Sequence[Score], resampling: Resampling) -> Iterator[Breakdown]:
    """Combine the groups of the runs of a system."""
    for by in dict.fromkeys(one.by for score in scores for one in score.breakdowns):
        split = [one for score in scores for one in score.breakdowns if one.by == by]
        names = sorted({group for one in split for group in one.groups}, key=_numbers_first)
        spreads = [_spread_group(group, split, scores[0].measure, resampling) for group in names]
        counts = {
            name: [
                sum(one.counts[name][one.groups.index(group)] for one in split if group in one.groups)
                for group in names
            ]
            for name in split[0].counts
        }
        yield Breakdown(
            by=by,
            groups=tuple(names),
            values={value: np.array([one[value].mean for one in spreads]) for value in split[0].values},
            sd={value: np.array([_nan(one[value].sd) for one in spreads]) for value in split[0].values},
            counts={name: np.array(sums) / len(scores) for name, sums in counts.items()},
            intervals=tuple(
                {value: found.interval for value, found in one.items() if found.interval} for one in spreads
            ),
        )


def _numbers_first(group: str) -> tuple[bool, int, str]:
    number = int(group) if group.isdecimal() else None
    return number is None, number or 0, group


def _nan(value: float | None) -> float:
    return math.nan if value is None else value


def _spread_group(
    group: str, split: Sequence[Breakdown], measure: Measure[Any, Any], resampling: Resampling
) -> dict[str, Spread]:
    """Return how the values of one group vary over the runs that have it and where they are defined."""
    rows = [(one, one.groups.index(group)) for one in split if group in one.groups]
    values = [{name: float(column[row]) for name, column in one.values.items()} for one, row in rows]
    units = [one.units[row] if one.units else None for one, row in rows]
    found = replicates(units, values, measure.divide_drawn, resampling)
    return {value: _spread_defined(measure, value, one, resampling) for value, one in found.items()}


def _spread_defined(measure: Measure[Any, Any], value: str, found: Replicates, resampling: Resampling) -> Spread:
    defined = np.flatnonzero(~np.isnan(found.values)).tolist()
    if not defined:
        return Spread(mean=math.nan, sd=None, interval=None, between_runs=None, between_units=None)
    return _clip_interval(measure, value, spread(part(found, defined), level=resampling.level))


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
        if found.p is None:
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
    unit = scores[0].units.name if scores[0].units else "runs alone"
    drawn = f"two-level(level={resampling.level:g},resamples={resampling.resamples},seed={resampling.seed})/{unit}"
    return Signature.shared([score.signature for score in scores]).with_field("ci", drawn)
