"""A score split into groups: a group is some of the rows that the measure counts, and the measure divides their sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from goldassay.core.counts import Counts, FloatArray
from goldassay.core.errors import UsageError
from goldassay.core.groups import Breakdown, ByError, Grouping
from goldassay.core.libraries import pl
from goldassay.core.measure import Measure, Score
from goldassay.core.parts import Part, column_of, labels_of, names_of
from goldassay.core.significance import Interval, Resampling, intervals
from goldassay.core.units import Units


def break_down(score: Score, by: str, groupings: Mapping[str, Grouping]) -> Breakdown:
    """Split a score into groups."""
    # Every row keeps what it adds to the sums, and belongs to one group. So the counts of the groups add up to those of
    # the score, and the measure divides them as it divides those.
    measure, groupings = score.measure, _group_by_error(score, groupings)
    parts = measure.parts(score.matching) if score.matching.kept else ()
    labels = labels_of(parts, by, measure.unit, groupings)
    if labels is None:
        raise _refusal(score, by, groupings_of(score, groupings) if parts else [])
    groups, row_groups = _number_labels(labels)
    unit = score.resampling.unit if score.resampling else ""
    drawn = labels_of(parts, unit or measure.unit, measure.unit, groupings) if score.units else None
    names = names_of(parts)
    columns = {name: column_of(parts, name) for name in names}
    counts: dict[str, FloatArray] = {
        name: np.bincount(row_groups, weights=column, minlength=len(groups)).astype(np.float64)
        for name, column in columns.items()
    }
    divided = measure.divide_drawn(Counts(counts))
    units = tuple(_units_of(score, drawn or (), columns, row_groups, len(groups)))
    return Breakdown(
        by=by,
        groups=tuple(groups),
        values={
            name: np.broadcast_to(np.asarray(value, dtype=np.float64), len(groups)) for name, value in divided.items()
        },
        counts=counts,
        intervals=tuple(_intervals(units, measure, score.resampling))
        if score.resampling and units
        else ({},) * len(groups),
        units=units,
    )


def groupings_of(score: Score, groupings: Mapping[str, Grouping]) -> list[str]:
    """List the groupings of a score."""
    parts, groupings = score.measure.parts(score.matching), _group_by_error(score, groupings)
    return [name for name in groupings if _can(parts, name, groupings)]


def _group_by_error(score: Score, groupings: Mapping[str, Grouping]) -> dict[str, Grouping]:
    """Make the grouping by errors one of this matching."""
    return {
        name: (lambda items, _: score.matching.errors_among(items)) if isinstance(grouping, ByError) else grouping
        for name, grouping in groupings.items()
    }


def _can(parts: Sequence[Part], by: str, groupings: Mapping[str, Grouping]) -> bool:
    try:
        return labels_of(parts, by, "", groupings) is not None
    except UsageError:
        return False


def _number_labels(labels: Sequence[pl.Series]) -> tuple[list[str], np.ndarray[Any, np.dtype[np.int64]]]:
    """List the distinct labels, numbers by size and then others by name, and give the place of each row's label."""
    rows = pl.concat([column.cast(pl.String).fill_null("").alias("group") for column in labels]).to_frame()
    groups = rows.unique().sort(pl.col("group").cast(pl.Int64, strict=False), "group", nulls_last=True)
    placed = rows.join(groups.with_row_index("place"), on="group", how="left", maintain_order="left")
    return groups["group"].to_list(), placed["place"].to_numpy().astype(np.int64)


def _intervals(
    units: Sequence[Units], measure: Measure[Any, Any], resampling: Resampling
) -> Iterator[Mapping[str, Interval]]:
    """Resample the units inside each group."""
    for one in units:
        yield intervals(one, measure.divide_drawn, resampling)


def _units_of(
    score: Score,
    drawn: Sequence[pl.Series],
    columns: Mapping[str, FloatArray],
    row_groups: np.ndarray[Any, np.dtype[np.int64]],
    size: int,
) -> Iterator[Units]:
    """Divide the units among the groups, if units are drawn."""
    if score.resampling is None or score.units is None:
        return
    keys = np.array([key for column in drawn for key in column.to_list()], dtype=object)
    order = np.argsort(row_groups, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(row_groups, minlength=size))[:-1]):
        counts = Counts({name: column[rows] for name, column in columns.items()})
        yield Units.of(score.units.name, keys[rows].tolist(), counts)


def _refusal(score: Score, by: str, known: Sequence[str]) -> UsageError:
    if not score.matching.kept:
        return UsageError("A loaded report contains values, but no items to split.", hint="score again")
    if not known:
        return UsageError(f"{score.spec} cannot be split: its counts do not belong to single items.")
    return UsageError(
        f"{score.spec} cannot be grouped by {by}.",
        expected=", ".join(known),
        hint=known[0],
    )
