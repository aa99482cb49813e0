"""The shape of saved reports, which ``goldassay schema`` prints, and how what a page shows is kept in them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import msgspec
import numpy as np
from msgspec import UNSET, Meta, UnsetType

from goldassay.core.matching import SideName
from goldassay.core.model import digest_of
from goldassay.core.panel import Bars, Cell, Column, Diagrams, Histogram, Lines, Panel, Table, Texts, Tree
from goldassay.core.shape import (
    Ends,
    Number,
    SavedBreakdown,
    SavedChance,
    SavedResampling,
    SavedScore,
    Shape,
    Size,
    Value,
    schema_of,
)
from goldassay.core.version import __version__
from goldassay.report.results import Benchmark, Failure, Listed, View

Written: TypeAlias = Mapping[str, Any]
PANELS: Mapping[str, type[Panel]] = {
    one.__name__.lower(): one for one in (Lines, Histogram, Bars, Table, Tree, Texts, Diagrams)
}
"""The classes of panels by what they are called in reports."""
Kind: TypeAlias = Literal[tuple(PANELS)]  # type: ignore[valid-type]
COLUMNS = ("side", "item", "verdict", "similarity", "counterpart")
SCHEMA = "goldassay.report/1"
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


class SavedItems(Shape, frozen=True):
    """The items of a score: first those of the prediction, then those of gold; and the group of each by grouping."""

    columns: Annotated[dict[str, list[Any]], Meta(description="Texts, numbers, true, false, or null for nothing.")]
    groups: dict[str, list[Any]]


class SavedPanel(Shape, frozen=True):
    """Something to look at. The other fields of each kind are those of its class in goldassay.core.panel."""

    kind: Kind
    title: str
    note: str
    measure: str | None


def write_view(view: View) -> dict[str, Any]:
    """Write what there is to show of a prediction."""
    return {
        "items": _to_plain(view.items),
        "panels": [{"kind": type(panel).__name__.lower(), **_to_plain(panel)} for panel in view.panels],
    }


def _to_plain(value: Any) -> Any:
    """Write a value as JSON has it: arrays as lists, and null for what is not a number."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=lambda array: array.tolist()))


def read_view(written: Written, specs: Sequence[str]) -> View:
    """Read what there is to show of a prediction."""
    items = {
        spec: _list_items(found) for spec, found in msgspec.convert(written["items"], dict[str, SavedItems]).items()
    }
    panels = [_read_panel(dict(found)) for found in written["panels"]]
    for spec in [*items, *(panel.measure for panel in panels if panel.measure is not None)]:
        _require(spec in specs, f"evidence of {spec!r}, which is no score of this prediction")
    return View(items=items, panels=panels)


def _list_items(saved: SavedItems) -> Listed:
    columns: dict[str, Column] = dict(msgspec.convert(saved.columns, dict[str, list[Cell]]))
    for name in COLUMNS:
        _require(name in columns, f"items without the column {name!r}")
    groups = msgspec.convert(saved.groups, dict[str, list[str]])
    sizes = {len(column) for column in (*columns.values(), *groups.values())}
    _require(len(sizes) == 1, f"columns of items of {len(sizes)} different lengths")
    of_pred = columns["side"].count("pred")
    order = ["pred"] * of_pred + ["gold"] * (len(columns["side"]) - of_pred)
    _require(columns["side"] == order, "items that are not first those of the prediction and then those of gold")
    for name in ("item", "verdict"):
        msgspec.convert(columns[name], list[str])
    msgspec.convert(columns["counterpart"], list[str | None])
    similarity = msgspec.convert(columns["similarity"], list[float | None])
    columns["similarity"] = [math.nan if one is None else one for one in similarity]
    return Listed(columns=columns, groups=groups)


def _read_panel(written: dict[str, Any]) -> Panel:
    kind = PANELS[written.pop("kind")]
    return msgspec.convert(written, kind, dec_hook=_array_of)


def _array_of(kind: Any, value: Any) -> Any:
    """Make an array of a list of numbers; null stands for nan."""
    _require(
        isinstance(value, list) and not any(isinstance(one, str) for one in value), "what is not a list of numbers"
    )
    (dtype,) = kind.__args__[1].__args__
    found = np.array(value, dtype=np.float64)
    _require(dtype is np.float64 or bool((found % 1 == 0).all()), "numbers that are not whole")
    return found.astype(dtype)


def _require(holds: bool, found: str) -> None:
    if not holds:
        raise ValueError(found)


class SavedModel(Shape, frozen=True):
    """How a gold standard or a prediction was read, and its size."""

    FROM: ClassVar = {"items": len}
    path: str | None
    format: str
    items: Size
    facts: Annotated[dict[str, int], Meta(description="What was seen and kept, counted.")]
    left_out: Annotated[dict[str, Size], Meta(description="What reading left out, counted by reason.")]
    notes: tuple[str, ...]
    choices: Annotated[dict[str, str], Meta(description="How items were chosen.")]


class SavedGold(SavedModel, frozen=True):
    """How a gold standard was read, its size, and what it holds."""

    FROM: ClassVar = {**SavedModel.FROM, "digest": digest_of}
    digest: Annotated[
        str, Meta(description="Of its items, in any order and from any format; left out where it is not known.")
    ] = ""


class SavedView(Shape, frozen=True):
    """What a page shows of the prediction: every item of each score, and the panels. Written with --evidence."""

    items: Annotated[dict[str, SavedItems], Meta(description="By the spec of the measure.")]
    panels: tuple[SavedPanel, ...]


class SavedOther(Shape, frozen=True):
    """A score of the texts of a prediction by another package."""

    name: str
    value: Number
    version: Annotated[str, Meta(description="How it was computed.")]


class SavedRun(Shape, frozen=True):
    """One prediction and its scores."""

    FROM: ClassVar = {"evidence": lambda run: run.view and write_view(run.view)}
    pred: SavedModel
    scores: Annotated[tuple[SavedScore, ...], Meta(min_length=1)]
    warnings: tuple[str, ...]
    evidence: SavedView | UnsetType = UNSET
    others: tuple[SavedOther, ...] = ()


class SavedComparison(Shape, frozen=True):
    """One value of one prediction, tested against the same value of another; both are rows of the runs."""

    FROM: ClassVar = {
        name: attrgetter(f"difference.{name}")
        for name in ("difference", "interval", "p_randomisation", "p_bootstrap", "effect")
    }
    run: Size
    against: Size
    measure: str
    value: str
    difference: Value
    p_holm: Share
    p_mcnemar: Number | None
    p_mcnemar_mid: Number | None
    interval: Ends
    p_randomisation: Annotated[Share | None, Meta(description="null where another test was made.")]
    p_bootstrap: Annotated[Share | None, Meta(description="null where another test was made.")]
    effect: Annotated[
        Value,
        Meta(description="The difference in standard deviations of what a unit adds to it; null where none varies."),
    ] = math.nan
    resampling: Annotated[
        SavedResampling | UnsetType, Meta(description="How the test was drawn; left out where nothing was drawn.")
    ] = UNSET


class SavedTies(Shape, frozen=True):
    """Which runs, or systems, one measure does not separate by its headline: the p of all pairs, adjusted by Holm's method."""

    measure: str
    letters: Annotated[
        tuple[str, ...], Meta(description="Two that share a letter do not differ significantly, all others do.")
    ]
    best: Size
    second: Size
    p_holm: Annotated[Share, Meta(description="Of the best against the second.")]


class SavedSpread(Shape, frozen=True):
    """One value over the runs of a system, and its difference from that of another system if it was tested."""

    mean: Value
    sd: Annotated[Value, Meta(description="Over runs; null with one run.")]
    interval: Annotated[Ends | None, Meta(description="Of the mean, with other runs and other units.")]
    between_runs: Annotated[Value, Meta(description="Variance of a run's value on the same units.")]
    between_units: Annotated[Value, Meta(description="Variance of the mean of many runs with other units.")]
    difference: Value | UnsetType = UNSET
    difference_interval: Ends | None = None
    p: Value | UnsetType = UNSET
    p_holm: Value | UnsetType = UNSET


class SavedSystemScore(Shape, frozen=True):
    """One measure over the runs of a system."""

    FROM: ClassVar = {
        "measure": attrgetter("spec"),
        "values": lambda score: {name: score.fields_of(name) for name in score.values},
    }
    measure: str
    headline: str
    signature: str
    unit: Annotated[str | None, Meta(description="What was drawn; null if there are no units.")]
    against: Annotated[str | None, Meta(description="The system that it was tested against.")]
    values: dict[str, SavedSpread]
    chance: Annotated[SavedChance | UnsetType, Meta(description="On average over the runs.")] = UNSET
    breakdowns: tuple[SavedBreakdown, ...] = ()


class SavedSystem(Shape, frozen=True):
    """A system and its repeated runs, as rows of the runs."""

    FROM: ClassVar = {"runs": attrgetter("rows")}
    name: str
    runs: Annotated[tuple[Size, ...], Meta(min_length=1)]
    scores: Annotated[tuple[SavedSystemScore, ...], Meta(min_length=1)]


class SavedErrorChange(Shape, frozen=True):
    """How many errors of one kind a prediction or system makes, and the one that it was tested against; of systems means over runs."""

    name: str
    against: str
    measure: str
    side: SideName
    kind: str
    count: Number
    before: Number
    difference: Number


class SavedReport(Shape, frozen=True, kw_only=True):
    """A report of goldassay: what --format json writes. Fields may be added under this version; none is renamed or removed."""

    FROM: ClassVar = {"schema": lambda _: SCHEMA, "goldassay": lambda _: __version__}
    schema: Literal["goldassay.report/1"]
    kind: Annotated[str, Meta(description="The family, for example taxonomy.")]
    item: Annotated[str, Meta(description="What is counted, for example edge.")]
    goldassay: Annotated[str, Meta(description="The version that wrote the report.")]
    gold: Annotated[SavedGold, Meta(description="What several gold standards were merged to, or the first of them.")]
    gold_standards: Annotated[
        tuple[SavedGold, ...], Meta(min_length=2, description="The gold standards, if there are several.")
    ] = ()
    runs: Annotated[tuple[SavedRun, ...], Meta(min_length=1)]
    failures: Annotated[tuple[Failure, ...], Meta(description="The predictions that could not be read.")] = ()
    comparisons: tuple[SavedComparison, ...] = ()
    ties: tuple[SavedTies, ...] = ()
    error_changes: tuple[SavedErrorChange, ...] = ()
    systems: Annotated[tuple[SavedSystem, ...], Meta(description="Repeated runs put together.")] = ()
    task: Benchmark | UnsetType = UNSET


@cache
def report_schema() -> dict[str, Any]:
    """Return the JSON schema of reports, which must not be changed."""
    return schema_of(SavedReport, **{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA})
