"""Loading of saved reports: values, provenance, units for comparisons, and what a page shows if that was saved."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from importlib import resources
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Literal, NoReturn, TypeAlias

import numpy as np

from goldassay.core.chance import Chance, ChanceLevel
from goldassay.core.context import Progress, silent
from goldassay.core.counts import Counts, FloatArray
from goldassay.core.errors import InputError, UsageError, borrowed
from goldassay.core.golds import Golds
from goldassay.core.groups import Breakdown
from goldassay.core.matching import Evidence, Explanation, Matching, Side, SideName
from goldassay.core.measure import Measure, Score
from goldassay.core.model import Model, Read
from goldassay.core.signature import Signature
from goldassay.core.significance import Difference, Interval, Resampling
from goldassay.core.units import Units
from goldassay.families import parse
from goldassay.formats.documents import json_of
from goldassay.formats.schema import Misfit, misfits
from goldassay.formats.source import load as load_source
from goldassay.repeated import with_systems
from goldassay.report.benchmark import Benchmark
from goldassay.report.comparison import Comparison
from goldassay.report.kept import read_view
from goldassay.report.report import Report
from goldassay.report.results import CHANCE_COLUMNS, SCHEMA, Failure, Run, describe

AGAIN = "write it again: goldassay ... --format json -o report.json"
MeasureOf: TypeAlias = Callable[[str], Measure[Any, Any]]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SavedModel(Read):
    """A model in a saved report: how it was read, and its size.

    Attributes:
        items: Its number of items.
    """

    items: int

    def __len__(self) -> int:
        return self.items

    def item(self, row: int) -> str:
        """Raise an error: items are not saved."""
        del row
        _refuse()


class NoEvidence(Matching[Any]):
    """The matching of a score that was loaded or sent from a worker: it was not kept, and access raises an error."""

    kept: ClassVar[bool] = False

    def evidence(self, side: SideName, rows: Any, *, progress: Progress = silent) -> Evidence:
        """Raise an error: evidence is not saved."""
        del side, rows, progress
        _refuse()

    def table(self, *, progress: Progress = silent) -> NoReturn:
        """Raise an error: evidence is not saved."""
        del progress
        _refuse()

    def missed(self, most: int | None = None) -> list[Explanation]:
        """Raise an error: evidence is not saved."""
        del most
        _refuse()

    invented = missed


def saved_model(model: Model) -> Model:
    """Keep of a model what a report says of it."""
    return _model(describe(model))


def without_evidence(run: Run) -> Run:
    """Keep of a run what a report says that is saved without its items."""
    scores = (replace(score, matching=_no_evidence()) for score in run.scores)
    return replace(run, pred=saved_model(run.pred), scores=tuple(scores))


def load(path: str | PathLike[str]) -> Report:
    """Load a report written by `Report.save` or ``--format json``.

    Args:
        path: The file.

    Returns:
        The report. Its scores have values, counts, signature, intervals and units, but no matching; its page has every item
        if it was saved with its evidence.

    Raises:
        InputError: If the file is not a report of goldassay, or is in a later format.

    Example:
        >>> import goldassay, tempfile, pathlib
        >>> gold = goldassay.Graph.from_edges([("cat", "animal"), ("dog", "animal")])
        >>> file = pathlib.Path(tempfile.mkdtemp(), "report.json")
        >>> goldassay.evaluate(gold, gold=gold, measures="literal").save(file)
        >>> load(file)["literal"].f1
        1.0
    """
    source = load_source(path)
    document = json_of(source)
    found = document.get("schema") if isinstance(document, dict) else None
    if found != SCHEMA:
        raise InputError(
            "The file is not a report that this version of goldassay can read.",
            path=path,
            found=f"schema {found!r:.80}" if found else "JSON without a schema",
            expected=SCHEMA,
            hint="write one with: goldassay ... --format json -o report.json",
        )
    _check(document, path)
    with borrowed("the report", "The report is damaged.", path=path, hint=AGAIN):
        found = _report(document, cache(partial(_measure, path)))
    for row, run in enumerate(found.runs):
        for number, score in enumerate(run.scores):
            lacking = _lacking(score)
            if lacking:
                raise _damaged(path, Misfit(f"runs[{row}].scores[{number}]", *lacking))
    return found


def _check(document: Any, path: str | PathLike[str]) -> None:
    """Hold a report against its schema, and against what no schema can say."""
    schema = json.loads((resources.files("goldassay.report") / "schema.json").read_text(encoding="utf-8"))
    for misfit in chain(misfits(document, schema), _contradictions(document)):
        raise _damaged(path, misfit)


def _damaged(path: str | PathLike[str], misfit: Misfit) -> InputError:
    found = f"{misfit.place}: {misfit.found}"
    return InputError("The report is damaged.", path=path, found=found, expected=misfit.expected, hint=AGAIN)


def _lacking(score: Score) -> tuple[str, str] | None:
    """Return which counts or values of its measure a score lacks, and what there should be."""
    for counts in (score.counts, score.units.counts if score.units else score.counts):
        sides = [name.removeprefix("hit_") for name in counts if name.startswith("hit_")]
        try:
            values = score.measure.divided(counts)
            for side in sides:
                _ = counts[f"n_{side}"]
        except KeyError as error:
            return f"counts {', '.join(counts) or 'none'}", f"the count {error} among them"
    missing = [name for name in values if name not in score.values]
    return (f"values {', '.join(score.values) or 'none'}", f"the value {missing[0]!r} among them") if missing else None


def _contradictions(document: Mapping[str, Any]) -> Iterator[Misfit]:
    """List where the parts of a report that fits its schema do not fit each other; reached only if all of it fits."""
    for row, run in enumerate(document["runs"]):
        for number, score in enumerate(run["scores"]):
            place = f"runs[{row}].scores[{number}]"
            yield from _contradictions_of_score(score, place)
    runs = len(document["runs"])
    for row, one in enumerate(document.get("comparisons", [])):
        for end in ("run", "against"):
            if one[end] >= runs:
                yield Misfit(f"comparisons[{row}].{end}", str(one[end]), f"a row of the {runs} runs, from 0")
    systems = document.get("systems", [])
    for row, one in enumerate(systems):
        beyond = [run for run in one["runs"] if run >= runs]
        if beyond:
            yield Misfit(f"systems[{row}].runs", str(beyond[0]), f"a row of the {runs} runs, from 0")
    if systems and len({tuple(score["measure"] for score in run["scores"]) for run in document["runs"]}) > 1:
        yield Misfit("runs", "different measures", "the same measures in every run of a system")


def _contradictions_of_score(score: Mapping[str, Any], place: str) -> Iterator[Misfit]:
    yield from _strangers(score, place)
    drawn = next((name for name in ("units", "intervals") if score.get(name)), None)
    if drawn and not score.get("resampling"):
        yield Misfit(place, f"{drawn} without resampling", "the key 'resampling', which says how they are drawn")
    if score.get("units"):
        yield from _contradictions_of_units(score["units"], f"{place}.units")
    for row, breakdown in enumerate(score.get("breakdowns", [])):
        for number, group in enumerate(breakdown["groups"]):
            for word in ("values", "counts"):
                found, first = set(group[word]), set(breakdown["groups"][0][word])
                if found != first:
                    where = f"{place}.breakdowns[{row}].groups[{number}].{word}"
                    yield Misfit(where, ", ".join(sorted(found)), f"as in the first group: {', '.join(sorted(first))}")


def _strangers(score: Mapping[str, Any], place: str) -> Iterator[Misfit]:
    """List what a score says of values that it does not have."""
    known = ", ".join(score["values"])
    for name in ("undefined", "intervals", "bounds"):
        strangers = [value for value in score.get(name, ()) if value not in score["values"]]
        if strangers:
            yield Misfit(f"{place}.{name}", repr(strangers[0]), f"one of {known}")
    whole = {f"chance.{name}": score["chance"][name] for name in CHANCE_COLUMNS} if score.get("chance") else {}
    if ceiling := (score.get("golds") or {}).get("ceiling"):
        whole["golds.ceiling"] = ceiling
    for name, values in whole.items():
        if set(values) != set(score["values"]):
            yield Misfit(f"{place}.{name}", ", ".join(values) or "nothing", known)


def _contradictions_of_units(units: Mapping[str, Any], place: str) -> Iterator[Misfit]:
    keys = units["keys"]
    if len(set(keys)) < len(keys):
        yield Misfit(f"{place}.keys", "a key twice", "each unit once")
    for name, counts in units["counts"].items():
        if len(counts) != len(keys):
            yield Misfit(f"{place}.counts.{name}", f"{len(counts)} numbers", f"{len(keys)}, as many as keys")


def is_report(path: str | PathLike[str]) -> bool:
    """Return whether a file begins like a report of goldassay."""
    try:
        # To open a pipe would wait for somebody to write into it.
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as stream:
            return f'"{SCHEMA}"'.encode() in stream.read(200)
    except (OSError, ValueError):
        return False


def _report(document: Mapping[str, Any], measure_of: MeasureOf) -> Report:
    report = Report(
        kind=document["kind"],
        item=document["item"],
        gold=_model(document["gold"]),
        golds=tuple(map(_model, document.get("golds", []))),
        runs=tuple(_run(run, measure_of) for run in document["runs"]),
        failures=tuple(Failure(one["label"], one["error"]) for one in document.get("failures", [])),
        comparisons=tuple(_comparison(one) for one in document.get("comparisons", [])),
        task=Benchmark.from_dict(document["task"]) if "task" in document else None,
    )
    systems = document.get("systems", [])
    if not systems:
        return report
    # The runs keep their units, from which the spreads follow again.
    resampling = next((score.resampling for run in report for score in run.scores if score.resampling), Resampling())
    first = all(score["against"] is None for score in systems[0]["scores"])
    against: Literal["first", "best"] = "first" if first else "best"
    return with_systems(report, {one["name"]: one["runs"] for one in systems}, against=against, resampling=resampling)


def _run(run: Mapping[str, Any], measure_of: MeasureOf) -> Run:
    scores = tuple(_score(score, measure_of) for score in run["scores"])
    view = read_view(run["evidence"], [score.spec for score in scores]) if run.get("evidence") else None
    return Run(pred=_model(run["pred"]), scores=scores, warnings=tuple(run["warnings"]), view=view)


def _model(kept: Mapping[str, Any]) -> Model:
    # Fields that a later version adds under the same schema are passed by.
    known = {field.name: kept[field.name] for field in fields(SavedModel) if field.name in kept}
    return SavedModel(**{**known, "notes": tuple(kept["notes"])})


def _score(kept: Mapping[str, Any], measure_of: MeasureOf) -> Score:
    resampling = kept.get("resampling")
    return Score(
        measure=measure_of(kept["measure"]),
        # JSON cannot represent nan.
        values={name: math.nan if value is None else float(value) for name, value in kept["values"].items()},
        counts=Counts({name: math.nan if count is None else count for name, count in kept["counts"].items()}),
        matching=_no_evidence(),
        signature=Signature.parse(kept["signature"]),
        undefined=tuple(kept["undefined"]),
        resampling=Resampling(**{field.name: resampling[field.name] for field in fields(Resampling)})
        if resampling
        else None,
        # Units that are none are not written again, and say nothing.
        units=_units(kept["units"]) if kept.get("units") and kept["units"]["keys"] else None,
        intervals={name: _interval(ends) for name, ends in kept.get("intervals", {}).items()},
        bounds={name: _interval(ends) for name, ends in kept.get("bounds", {}).items()},
        chance=_chance(kept["chance"]) if kept.get("chance") else None,
        golds=_golds(kept["golds"]) if kept.get("golds") else None,
        breakdowns=tuple(_breakdown(one) for one in kept.get("breakdowns", [])),
    )


def _no_evidence() -> NoEvidence:
    nothing, side = SavedModel(**NOTHING), Side.of_hits(np.zeros(0, dtype=np.bool_))
    return NoEvidence(pred=side, gold=side, pred_items=nothing, gold_items=nothing)


def _breakdown(kept: Mapping[str, Any]) -> Breakdown:
    groups = kept["groups"]

    def columns(word: str) -> dict[str, FloatArray]:
        names = groups[0][word] if groups else {}
        return {
            name: np.array(
                [math.nan if one[word][name] is None else one[word][name] for one in groups], dtype=np.float64
            )
            for name in names
        }

    return Breakdown(
        by=kept["by"],
        groups=tuple(one["group"] for one in groups),
        values=columns("values"),
        counts=columns("counts"),
        intervals=tuple({name: _interval(ends) for name, ends in one["intervals"].items()} for one in groups),
    )


def _chance(kept: Mapping[str, Any]) -> ChanceLevel:
    columns = {
        column: {name: math.nan if value is None else float(value) for name, value in kept[column].items()}
        for column in ("expected", "sd", "percentile", "adjusted")
    }
    drawn = Chance(null=kept["null"], draws=kept["draws"], seed=kept["seed"])
    return ChanceLevel(drawn=drawn, exact=kept["exact"], **columns)


def _golds(kept: Mapping[str, Any]) -> Golds:
    ceiling = {name: math.nan if value is None else float(value) for name, value in kept["ceiling"].items()}
    return Golds(rule=kept["rule"], sizes=tuple(kept["sizes"]), mixed=kept["mixed"], ceiling=ceiling)


class _UnknownMeasureError(InputError):
    """A report contains an unknown measure."""


def _measure(path: str | PathLike[str], spec: str) -> Measure[Any, Any]:
    try:
        return parse(spec)
    except UsageError as error:
        raise _UnknownMeasureError(
            "The report has a score of an unknown measure.",
            path=path,
            found=spec,
            expected="a measure that `goldassay measures` lists",
            hint="install the package that defines the measure",
        ) from error


def _units(kept: Mapping[str, Any]) -> Units:
    return Units.of(
        kept["name"], kept["keys"], Counts({name: np.array(v, float) for name, v in kept["counts"].items()})
    )


def _interval(ends: list[float | None]) -> Interval:
    low, high = (math.nan if end is None else float(end) for end in ends)
    return Interval(low, high)


def _comparison(kept: Mapping[str, Any]) -> Comparison:
    difference = Difference(
        difference=kept["difference"],
        interval=_interval(kept["interval"]),
        p_randomisation=kept["p_randomisation"],
        p_bootstrap=kept["p_bootstrap"],
    )
    rest = {name: kept[name] for name in ("run", "against", "measure", "value", "p_holm", "p_mcnemar", "p_mcnemar_mid")}
    return Comparison(difference=difference, **rest)


NOTHING: Mapping[str, Any] = {
    "path": None,
    "format": "report",
    "items": 0,
    "left_out": {},
    "facts": {},
    "notes": (),
    "choices": {},
}


def _refuse() -> NoReturn:
    raise UsageError(
        "The report contains values, but no evidence.",
        found="a report that was loaded, or made by tasks of a cluster",
        hint="score the files again, in this process",
    )
