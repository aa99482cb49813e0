"""Loading of saved reports: values, provenance, units for comparisons, and what a page shows if that was saved."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from itertools import chain
from os import PathLike
from typing import Any, ClassVar, Literal, NoReturn, TypeAlias

import numpy as np
from msgspec import UnsetType
from msgspec.structs import asdict
from numpy.typing import NDArray

from goldassay.core.chance import Chance, ChanceLevel
from goldassay.core.combination import Combination
from goldassay.core.context import Progress, ignore_progress
from goldassay.core.counts import Counts, FloatArray
from goldassay.core.errors import InputError, UsageError, convert_errors, names_file
from goldassay.core.groups import Breakdown
from goldassay.core.matching import Cells, Evidence, Explanation, Matching, Side, SideName, explain_failures, is_failure
from goldassay.core.measure import Measure, Score
from goldassay.core.model import Model, Provenance, digest_of
from goldassay.core.shape import Ends, SavedBreakdown, SavedChance, SavedResampling, SavedScore, read_saved
from goldassay.core.signature import Signature
from goldassay.core.significance import Difference, Interval, Resampling
from goldassay.core.units import Units
from goldassay.families import parse
from goldassay.formats.documents import json_of
from goldassay.formats.source import load as load_source
from goldassay.formats.source import open_file
from goldassay.formats.toml import Misfit, misfits
from goldassay.repeated import add_systems, keep_groups
from goldassay.report import shape
from goldassay.report.report import Report
from goldassay.report.results import CHANCE_COLUMNS, Comparison, OtherScore, Run, Ties, View
from goldassay.report.shape import SCHEMA, SavedComparison, SavedReport, SavedRun, read_view, report_schema

AGAIN = "write it again: goldassay ... --format json -o report.json"
BEFORE_JSON = b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n"
"""Marks of byte order and white space, also in UTF-16."""
KEPT = ("path", "format", "left_out", "facts", "notes", "choices")
"""What a report says of a model, besides its size."""
MeasureOf: TypeAlias = Callable[[str], Measure[Any, Any]]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SavedModel(Provenance):
    """A model in a saved report: how it was read, and its size."""

    items: int
    digest: str = ""

    def __len__(self) -> int:
        return self.items

    def item(self, row: int) -> str:
        """Raise an error: items are not saved."""
        del row
        _refuse()


@dataclass(frozen=True, eq=False, kw_only=True)
class NoEvidence(Matching[Any]):
    """The matching of a score that was loaded or sent from a worker: it was not kept, and access to what was not saved raises an error."""

    kept: ClassVar[bool] = False

    # how many errors of each kind there are on each side, if that was saved
    kinds: Mapping[SideName, Mapping[str, int]] = field(default_factory=dict)
    listed: Mapping[str, Cells] | None = None  # the table of all items, if evidence was saved

    @cached_property
    def error_counts(self) -> Mapping[SideName, Mapping[str, int]]:
        """Count the errors of each side by kind."""
        return self.kinds

    def evidence(self, side: SideName, rows: Any, *, progress: Progress = ignore_progress) -> Evidence:
        """Raise an error: evidence is not saved."""
        del side, rows, progress
        _refuse()

    def columns(self, *, progress: Progress = ignore_progress) -> dict[str, Cells]:
        """List every item as it was saved; an error if it was not."""
        del progress
        if self.listed is None:
            _refuse()
        return dict(self.listed)

    def failed(self, side: SideName) -> NDArray[np.int64]:
        """Return the rows without full credit among the items of a side, as they were saved."""
        table = self.columns()
        verdicts = [verdict for of, verdict in zip(table["side"], table["verdict"], strict=True) if of == side]
        return np.flatnonzero([is_failure(str(verdict)) for verdict in verdicts])

    def _failures(self, side: SideName, most: int | None) -> list[Explanation]:
        return explain_failures(self.table(), side, most)


def keep_model(model: Model) -> SavedModel:
    """Keep of a model what a report says of it."""
    return SavedModel(**{name: getattr(model, name) for name in KEPT}, items=len(model))


def keep_gold(gold: Model) -> SavedModel:
    """Keep of gold what a report says of it, with the digest of what it holds."""
    return replace(keep_model(gold), digest=digest_of(gold))


def drop_evidence(run: Run) -> Run:
    """Keep of a run what a report says that is saved without its items."""
    scores = (
        replace(score, matching=make_no_evidence(found.error_counts, found.sizes))
        for score in run.scores
        for found in [score.matching]
    )
    return replace(run, pred=keep_model(run.pred), scores=tuple(scores))


def make_no_evidence(
    kinds: Mapping[SideName, Mapping[str, int]] | None = None,
    sizes: tuple[int, int] = (0, 0),
    *,
    listed: Mapping[str, Cells] | None = None,
) -> NoEvidence:
    """Make the matching of a score of which no items are kept, at most how many errors there are of each kind, and the table of items."""
    pred, gold = (SavedModel(format="report", items=size) for size in sizes)
    side = Side.of_hits(np.zeros(0, dtype=np.bool_))
    return NoEvidence(pred=side, gold=side, pred_items=pred, gold_items=gold, kinds=kinds or {}, listed=listed)


@names_file
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
    is_json = source.data.lstrip(BEFORE_JSON).startswith(b"{")
    document: Any = json_of(source) if is_json else None
    found = document.get("schema") if isinstance(document, dict) else None
    if found != SCHEMA:
        raise InputError(
            "The file is not a report that this version of goldassay can read.",
            found=f"schema {found!r:.80}" if found else "JSON without a schema" if is_json else "no object of JSON",
            expected=SCHEMA,
            hint="write one with: goldassay ... -o report.json (Python: report.save('report.json'))",
        )
    for misfit in chain(misfits(document, report_schema()), _contradictions(document)):
        raise _damaged_error(misfit)
    with convert_errors("the report", "The report is damaged.", hint=AGAIN):
        found = _report(read_saved(document, SavedReport), document, cache(_measure))
    for row, run in enumerate(found.runs):
        for number, score in enumerate(run.scores):
            lacking = _lacking(score)
            if lacking:
                raise _damaged_error(Misfit(f"runs[{row}].scores[{number}]", *lacking))
    return found


def _damaged_error(misfit: Misfit) -> InputError:
    found = f"{misfit.place}: {misfit.found}"
    return InputError("The report is damaged.", found=found, expected=misfit.expected, hint=AGAIN)


def _lacking(score: Score) -> tuple[str, str] | None:
    """Return which counts or values of its measure a score lacks, and what there should be."""
    # A challenge hides counts, and with them which items are right.
    hidden = not score.counts and not score.units
    values: Collection[str] = score.measure.values
    for counts in () if hidden else (score.counts, score.units.counts if score.units else score.counts):
        sides = [name.removeprefix("hit_") for name in counts if name.startswith("hit_")]
        try:
            values = score.measure.divide_counts(counts)
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
        measures = Counter(score["measure"] for score in run["scores"])
        yield from (
            Misfit(f"runs[{row}].scores", f"{count} scores of {name}", "one score of each measure")
            for name, count in measures.items()
            if count > 1
        )
    runs, systems = len(document["runs"]), document.get("systems", [])
    rows = len(systems) or runs
    for name, count, ends in (("comparisons", runs, ("run", "against")), ("ties", rows, ("best", "second"))):
        for row, one in enumerate(document.get(name, [])):
            yield from _beyond(f"{name}[{row}]", {end: [one[end]] for end in ends}, count)
            if len(one.get("letters", range(count))) != count:
                yield Misfit(f"{name}[{row}].letters", f"{len(one['letters'])} texts", f"{count}, one for each row")
    for row, one in enumerate(systems):
        yield from _beyond(f"systems[{row}]", {"runs": one["runs"]}, runs)
    if systems and len({tuple(score["measure"] for score in run["scores"]) for run in document["runs"]}) > 1:
        yield Misfit("runs", "different measures", "the same measures in every run of a system")


def _beyond(place: str, found: Mapping[str, Sequence[int]], count: int) -> Iterator[Misfit]:
    """List the first row of each field that the report does not have."""
    for name, rows in found.items():
        beyond = [row for row in rows if row >= count]
        if beyond:
            yield Misfit(f"{place}.{name}", str(beyond[0]), f"a row of the {count} runs, from 0")


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
    if ceiling := (score.get("combined") or {}).get("ceiling"):
        whole["combined.ceiling"] = ceiling
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
    with suppress(InputError), open_file(path) as stream:
        return f'"{SCHEMA}"'.encode() in stream.read(200)
    return False


def _report(saved: SavedReport, document: Mapping[str, Any], measure_of: MeasureOf) -> Report:
    report = Report(
        kind=saved.kind,
        item=saved.item,
        gold=_model(saved.gold),
        gold_standards=tuple(map(_model, saved.gold_standards)),
        runs=tuple(_run(run, kept, measure_of) for run, kept in zip(saved.runs, document["runs"], strict=True)),
        failures=saved.failures,
        comparisons=tuple(map(_comparison, saved.comparisons)),
        ties=tuple(Ties(**asdict(one)) for one in saved.ties),
        task=saved.task or None,
    )
    if not saved.systems:
        return report
    # The runs keep their units, from which the spreads follow again.
    resampling = next((score.resampling for score in report.scores if score.resampling), Resampling())
    names = [one.name for one in saved.systems]
    bases = {score.against for one in saved.systems for score in one.scores if score.against}
    against = names.index(bases.pop()) if len(bases) == 1 else "best"
    found = add_systems(report, {one.name: one.runs for one in saved.systems}, against=against, resampling=resampling)
    return keep_groups(
        found,
        {
            one.name: {score.measure: tuple(map(_breakdown, score.breakdowns)) for score in one.scores}
            for one in saved.systems
        },
    )


def _run(run: SavedRun, kept: Mapping[str, Any], measure_of: MeasureOf) -> Run:
    scores = tuple(_score(score, measure_of) for score in run.scores)
    view = read_view(kept["evidence"], [score.spec for score in scores]) if run.evidence else None
    others = tuple(OtherScore(one.name, one.value, one.version) for one in run.others)
    if view is not None:
        scores = tuple(_add_items(score, view) for score in scores)
    return Run(pred=_model(run.pred), scores=scores, warnings=run.warnings, view=view, others=others)


def _add_items(score: Score, view: View) -> Score:
    """Give a score the table of its items; a measure without items has none."""
    listed = view.items.get(score.spec)
    if listed is None:
        return score
    kept = score.matching
    return replace(score, matching=make_no_evidence(kept.error_counts, kept.sizes, listed=listed.columns))


def _model(saved: shape.SavedModel) -> Model:
    return SavedModel(**asdict(saved))


def _score(saved: SavedScore, measure_of: MeasureOf) -> Score:
    units = saved.units
    return Score(
        measure=measure_of(saved.measure),
        values={name: float(value) for name, value in saved.values.items()},
        counts=Counts(saved.counts),
        matching=make_no_evidence(saved.errors, (saved.sizes.get("pred", 0), saved.sizes.get("gold", 0))),
        signature=Signature.parse(saved.signature),
        undefined=saved.undefined,
        resampling=_resampling(saved.resampling),
        # Units that are none are not written again, and say nothing.
        units=Units.of(units.name, units.keys, Counts(_columns(units.counts))) if units and units.keys else None,
        intervals=_intervals(saved.intervals),
        bounds=_intervals(saved.bounds),
        chance=_chance(saved.chance) if saved.chance else None,
        combined=Combination(**asdict(saved.combined)) if saved.combined else None,
        breakdowns=tuple(map(_breakdown, saved.breakdowns)),
    )


def _breakdown(saved: SavedBreakdown) -> Breakdown:
    groups = saved.groups

    def columns(word: Literal["values", "counts", "sd"]) -> dict[str, FloatArray]:
        rows = [getattr(group, word) for group in groups]
        return _columns({name: [row[name] for row in rows] for name in (rows[0] if rows else ())})

    return Breakdown(
        by=saved.by,
        groups=tuple(group.group for group in groups),
        values=columns("values"),
        counts=columns("counts"),
        intervals=tuple(_intervals(group.intervals) for group in groups),
        sd=columns("sd"),
    )


def _chance(saved: SavedChance) -> ChanceLevel:
    columns = {name: getattr(saved, name) for name in CHANCE_COLUMNS}
    return ChanceLevel(drawn=Chance(null=saved.null, draws=saved.draws, seed=saved.seed), exact=saved.exact, **columns)


def _comparison(saved: SavedComparison) -> Comparison:
    found = asdict(saved)
    of_difference = {one.name: found.pop(one.name) for one in fields(Difference)}
    of_difference |= {name: math.nan for name, value in of_difference.items() if value is None}
    difference = Difference(**{**of_difference, "interval": Interval(*saved.interval)})
    return Comparison(difference=difference, **{**found, "resampling": _resampling(saved.resampling)})


def _resampling(saved: SavedResampling | UnsetType) -> Resampling | None:
    return Resampling(**asdict(saved)) if saved else None


def _columns(columns: Mapping[str, Sequence[float]]) -> dict[str, FloatArray]:
    return {name: np.array(column, dtype=np.float64) for name, column in columns.items()}


def _intervals(found: Mapping[str, Ends]) -> dict[str, Interval]:
    return {name: Interval(*ends) for name, ends in found.items()}


def _measure(spec: str) -> Measure[Any, Any]:
    try:
        return parse(spec)
    except UsageError as error:
        raise InputError(
            f"The report has a score of an unknown measure. {error.message}",
            found=spec,
            expected="a measure that `goldassay measures` lists",
            hint="install the package that defines the measure, or correct its name",
        ) from error


def _refuse() -> NoReturn:
    raise UsageError(
        "The report contains values, but no evidence.",
        found="a report that was loaded, or made by tasks of a cluster",
        hint="score the files again, in this process",
    )
