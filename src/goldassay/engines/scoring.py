"""Evaluation on an engine: read, match and count there, and divide here."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

from goldassay.core.context import Context
from goldassay.core.counts import Division
from goldassay.core.documents import without_counterpart
from goldassay.core.errors import EmptyInputError, InputError, SuspectInputWarning, UndefinedWarning, UsageError
from goldassay.core.family import Family, SideOptions
from goldassay.core.lazy import Counted, LazyDocuments, LazyItems, LazyMatching
from goldassay.core.measure import Measure, Score
from goldassay.core.model import is_empty, unscored, warnings_of
from goldassay.core.parameters import at_reader, parameters_of
from goldassay.core.partial import Partial, bounds_of_sums
from goldassay.core.text import LISTED, against
from goldassay.core.timing import running, stage
from goldassay.engines.engine import TableEngine
from goldassay.formats.memory import name_of
from goldassay.formats.tables import rows_in
from goldassay.report import Report, Run
from goldassay.report.results import Failure

MET = ("hit_", "gain", "covered_")
"""How the counts begin of what was met."""


def evaluate_on(
    engine: TableEngine,
    chosen: Family[Any],
    preds: Sequence[tuple[str | None, Any]],
    gold: Any,
    *,
    measures: Sequence[Measure[Any, Any]],
    options: SideOptions,
    context: Context,
    keep_going: bool,
    partial: Partial,
) -> Report:
    """Score predictions against a gold standard on an engine."""
    lazily = _lazily(chosen)
    asked = list(measures) or [one for one in chosen.default if type(one) in lazily.count]
    counted_by = _counting(engine, chosen, asked)
    _refuse_idle(engine, chosen, options, partial)
    with stage("reading"):
        gold_side = _narrowed(_read(engine, chosen, gold, options.gold, None), partial)
        chosen.check_gold([gold_side])
    for line in warnings_of(gold_side):
        warnings.warn(line, SuspectInputWarning, stacklevel=3)
    runs: list[Run] = []
    failures: list[InputError] = []
    for name, given in preds:
        try:
            with stage("reading"):
                whole = _narrowed(_prediction(engine, chosen, given, options.pred, name=name, gold=gold_side), partial)
                pred = lazily.judged(whole, gold_side, partial.completeness, engine) if partial else whole
        except InputError as error:
            if not keep_going:
                raise
            failures.append(error)
            continue
        unpaired = tuple(_unpaired(pred, gold_side, engine))
        for line in (*warnings_of(pred), *unscored(pred, asked), *unpaired):
            warnings.warn(line, SuspectInputWarning, stacklevel=3)
        scores = []
        for measure in asked:
            with stage("matching", str(measure)), engine.explained(pred.path):
                counted = counted_by[type(measure)](measure, pred, gold_side, engine, context)
                score = _divided(measure, counted, pred=pred, gold=gold_side, context=context)
                if len(whole) != len(pred) and "precision" in score.values:
                    of_all = counted_by[type(measure)](measure, whole, gold_side, engine, context).counts
                    bounds = bounds_of_sums(score, of_all)
                    score = replace(score, bounds={"precision": bounds} if bounds else {})
                scores.append(score)
        said = (
            *warnings_of(pred, gold_side),
            *unpaired,
            _nothing_met(scores, pred, gold_side, engine) if not is_empty(whole) else chosen.empty_prediction,
            *unscored(pred, asked),
            chosen.nothing_counted(gold_side, scores),
            *(score.caveat for score in scores),
            *(measure.borrowed(context.encoder) for measure in asked),
        )
        runs.append(Run(pred=pred, scores=tuple(scores), warnings=tuple(filter(None, said))))
    if not runs:
        raise failures[0]
    return Report(
        kind=chosen.kind,
        item=chosen.item,
        gold=gold_side,
        runs=tuple(runs),
        failures=tuple(map(Failure.of, failures)),
        timings=dict(running().seconds),
        engine=engine,
    )


def refuse_beside(engine: str, asked: Mapping[str, object]) -> None:
    """Refuse what engines do not know, before any file is read."""
    for name, value in asked.items():
        if value:
            raise UsageError(
                f"--{name.replace('_', '-')} is for one machine, and has no effect on the engine {engine}.",
                hint="leave out --engine",
            )


def _refuse_idle(engine: TableEngine, chosen: Family[Any], options: SideOptions, partial: Partial) -> None:
    """Refuse options of a family's reader, and partial gold, that the engine does not know."""
    idle = {name: one for name, one in parameters_of(chosen.reading).items() if name in _lazily(chosen).idle}
    for side in options:
        refuse_beside(engine.name, {name: not one.is_default(getattr(side, name)) for name, one in idle.items()})
    if partial and _lazily(chosen).judged is None:
        refuse_beside(engine.name, {"completeness": partial})


def _lazily(chosen: Family[Any]) -> Any:
    if chosen.lazily is None:
        raise UsageError(f"The family {chosen.kind} is scored on one machine alone.", hint="leave out --engine")
    return chosen.lazily


def _counting(
    engine: TableEngine, chosen: Family[Any], asked: Iterable[Measure[Any, Any]]
) -> Mapping[type[Measure[Any, Any]], Any]:
    """Return what counts each kind of measure on an engine, and refuse those that it does not count."""
    lazily = _lazily(chosen)
    known = {**lazily.count, **(lazily.count_near if engine.runs_python else {})}
    for measure in asked:
        if type(measure) not in known:
            raise UsageError(
                f"{measure} is scored on one machine alone"
                + (", or on the engine spark." if type(measure) in lazily.count_near else "."),
                expected=", ".join(sorted(one.name for one in known)),
                hint="leave out --engine",
            )
    return known


def _nothing_met(scores: Sequence[Score], pred: LazyItems, gold: LazyItems, engine: TableEngine) -> str | None:
    """Return a warning if no score met anything, with an item of each side; None if one did, or a side is empty."""
    met = any(value for score in scores for name, value in score.counts.items() if name.startswith(MET))
    if met or not len(pred) or not len(gold):
        return None
    warning = f"prediction and gold have nothing in common, {against(*(_first(side, engine) for side in (pred, gold)))}"
    warnings.warn(warning, SuspectInputWarning, stacklevel=4)
    return warning


def _unpaired(pred: LazyItems, gold: LazyItems, engine: TableEngine) -> Iterator[str]:
    """Return which documents have no counterpart, one sentence for each side."""
    if is_empty(pred) or not isinstance(pred, LazyDocuments) or not isinstance(gold, LazyDocuments):
        return
    for here, there, kind, lacks in (
        (gold, pred, "gold document", "no prediction"),
        (pred, gold, "predicted document", "no gold"),
    ):
        alone = engine.kept(here.documents.join(there.documents, on="id", how="anti"))
        count = rows_in(alone, engine)
        if count:
            names = [row["id"] for row in engine.rows(alone.sort("id").head(LISTED))]
            yield f"{without_counterpart(names, count, kind, lacks)}; missing documents count as empty"


def _first(side: LazyItems, engine: TableEngine) -> list[str]:
    """Name the first item of a side in the order of the alphabet."""
    import narwhals.stable.v2 as nw

    texts = [name for name, kind in side.frame.collect_schema().items() if kind == nw.String]
    row = engine.rows(side.frame.select(*texts).sort(*texts).head(1))[0]
    return [" ".join(str(row[name]) for name in texts)]


def _read(engine: TableEngine, chosen: Family[Any], given: Any, options: Any, name: str | None) -> LazyItems:
    table = engine.table(given, chosen, asked=options.input_format, name=name)
    with engine.explained(table.path), at_reader():
        side: LazyItems = _lazily(chosen).read(table, options, engine)
    return side if isinstance(given, str | PathLike) else replace(side, path=name)


def _prediction(
    engine: TableEngine, chosen: Family[Any], given: Any, options: Any, *, name: str | None, gold: LazyItems
) -> LazyItems:
    """Read a prediction: one without any item is an empty side, which scores 0."""
    try:
        return _read(engine, chosen, given, options, name)
    except EmptyInputError as error:
        path = name or name_of(given)
        if not error.is_about(name_of(given) if isinstance(given, str | PathLike) else path):
            raise
        return gold.emptied(path)


def _narrowed(side: LazyItems, partial: Partial) -> LazyItems:
    """Say in the signature what gold can judge."""
    return replace(side, choices={**side.choices, **partial.choices}) if partial else side


def _divided(
    measure: Measure[Any, Any], counted: Counted, *, pred: LazyItems, gold: LazyItems, context: Context
) -> Score:
    ratio = Division(measure.undefined)
    score = Score(
        measure=measure,
        values=measure.divide(counted.counts, ratio),
        counts=counted.counts,
        matching=LazyMatching(pred_items=pred, gold_items=gold, frame=counted.evidence),
        signature=measure.sign(pred=pred, gold=gold, counts=counted.counts, context=context),
        undefined=tuple(ratio.names),
        remark=counted.remark,
    )
    if score.undefined and score.caveat:
        warnings.warn(score.caveat, UndefinedWarning, stacklevel=4)
    return score
