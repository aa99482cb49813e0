"""The shape of saved reports, which ``goldassay schema`` prints."""

from __future__ import annotations

from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from goldassay.core.shape import Ends, Number, SavedScore, Shape, Size, Value, schema_of
from goldassay.core.version import __version__
from goldassay.report.kept import SavedItems, SavedPanel, written_view
from goldassay.report.results import Benchmark, Failure

SCHEMA = "goldassay.report/1"
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]


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


class SavedView(Shape, frozen=True):
    """What a page shows of the prediction: every item of each score, and the panels. Written with --evidence."""

    items: Annotated[dict[str, SavedItems], Meta(description="By the spec of the measure.")]
    panels: tuple[SavedPanel, ...]


class SavedRun(Shape, frozen=True):
    """One prediction and its scores."""

    FROM: ClassVar = {"evidence": lambda run: run.view and written_view(run.view)}
    pred: SavedModel
    scores: Annotated[tuple[SavedScore, ...], Meta(min_length=1)]
    warnings: tuple[str, ...]
    evidence: SavedView | UnsetType = UNSET


class SavedComparison(Shape, frozen=True):
    """One value of one prediction, tested against the same value of another; both are rows of the runs."""

    FROM: ClassVar = {
        name: attrgetter(f"difference.{name}") for name in ("difference", "interval", "p_randomisation", "p_bootstrap")
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
    p_randomisation: Share
    p_bootstrap: Share


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
        "headline": attrgetter("measure.headline"),
        "values": lambda score: {name: score.fields_of(name) for name in score.values},
    }
    measure: str
    headline: str
    signature: str
    unit: Annotated[str | None, Meta(description="What was drawn; null if there are no units.")]
    against: Annotated[str | None, Meta(description="The system that it was tested against.")]
    values: dict[str, SavedSpread]


class SavedSystem(Shape, frozen=True):
    """A system and its repeated runs, as rows of the runs."""

    FROM: ClassVar = {"runs": attrgetter("rows")}
    name: str
    runs: Annotated[tuple[Size, ...], Meta(min_length=1)]
    scores: Annotated[tuple[SavedSystemScore, ...], Meta(min_length=1)]


class SavedReport(Shape, frozen=True, kw_only=True):
    """A report of goldassay: what --format json writes. Fields may be added under this version; none is renamed or removed."""

    FROM: ClassVar = {"schema": lambda _: SCHEMA, "goldassay": lambda _: __version__}
    schema: Literal["goldassay.report/1"]
    kind: Annotated[str, Meta(description="The family, for example taxonomy.")]
    item: Annotated[str, Meta(description="What is counted, for example edge.")]
    goldassay: Annotated[str, Meta(description="The version that wrote the report.")]
    gold: Annotated[SavedModel, Meta(description="What several golds were merged to, or the first of them.")]
    golds: Annotated[tuple[SavedModel, ...], Meta(min_length=2, description="The golds, if there are several.")] = ()
    runs: Annotated[tuple[SavedRun, ...], Meta(min_length=1)]
    failures: Annotated[tuple[Failure, ...], Meta(description="The predictions that could not be read.")] = ()
    comparisons: tuple[SavedComparison, ...] = ()
    systems: Annotated[tuple[SavedSystem, ...], Meta(description="Repeated runs put together.")] = ()
    task: Benchmark | UnsetType = UNSET


def report_schema() -> dict[str, Any]:
    """Return the JSON schema of reports."""
    return schema_of(SavedReport, **{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA})
