"""Evaluation: read, match, count, divide."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from goldassay.comparison import asked_of, base_of, check_against, compare
from goldassay.core.breakdown import break_down
from goldassay.core.chance import Chance
from goldassay.core.combination import Rule
from goldassay.core.context import Context, Progress, ignore_progress
from goldassay.core.errors import UsageError, check_type, warn
from goldassay.core.family import SideOptions
from goldassay.core.libraries import pl
from goldassay.core.measure import Score
from goldassay.core.model import Model
from goldassay.core.partial import Completeness
from goldassay.core.significance import Resampling
from goldassay.core.sweep import Sweep
from goldassay.core.timing import running
from goldassay.engines import EngineName, check_place, engine_of
from goldassay.families import family
from goldassay.formats.options import check_read
from goldassay.inputs import Input, inputs, model_of, name_inputs, prediction_of, systems
from goldassay.notebooks import time_call
from goldassay.pipeline import name_input, open_line
from goldassay.place import Place
from goldassay.repeated import add_systems
from goldassay.report import Report
from goldassay.request import Arguments, EncoderLike, Measures, Request, reading_options

if TYPE_CHECKING:
    from goldassay.arguments import EvaluateArguments


def read(path: Input, *, kind: str = "taxonomy", **reading: Any) -> Any:
    """Read a file, or what a program holds in memory, into the model of its family.

    Args:
        path: The file; or a table, a graph or a list, as `evaluate` takes it.
        kind: The family.
        **reading: Options of the family's reader, for a taxonomy those of `goldassay.graphs.GraphReading`.

    Returns:
        The model, for a taxonomy a `goldassay.Graph`.

    Raises:
        InputError: If the file cannot be read as what it should be.
        UsageError: If an option is unknown.
    """
    chosen = family(kind)
    options = reading_options(chosen, reading)
    model = model_of(chosen, path, options)
    check_read((options, [model.format]))
    return model


def read_sides(pred: Input, gold: Input, **asked: Any) -> dict[str, Any]:
    """Read a gold standard, and a prediction that may be empty."""
    chosen = family(asked["kind"])
    if len(asked) > 1:
        options = Arguments.of_sweep({"gold": gold, **asked}).settle([pred]).options
    else:
        # Without options only gold is checked, which may be several inputs.
        inputs(chosen, gold)
        options = SideOptions(usual := reading_options(chosen, {}), usual)
    model = model_of(chosen, gold, options.gold)
    return {"pred": prediction_of(chosen, pred, options.pred, model), "gold": model}


@overload
def evaluate(
    pred: Mapping[str, Any], *, gold: Input | Sequence[Input], **asked: Unpack[EvaluateArguments]
) -> Report[dict[str, Score]]: ...
@overload
def evaluate(
    pred: Sequence[tuple[Any, ...]], *, gold: Input | Sequence[Input], **asked: Unpack[EvaluateArguments]
) -> Report[Score]: ...
@overload
def evaluate(
    pred: list[Any] | tuple[Any, ...], *, gold: Input | Sequence[Input], **asked: Unpack[EvaluateArguments]
) -> Report[Any]: ...
@overload
def evaluate(pred: Input, *, gold: Input | Sequence[Input], **asked: Unpack[EvaluateArguments]) -> Report[Score]: ...
@time_call
def evaluate(
    pred: Input | Sequence[Input] | Mapping[str, Any],
    *,
    gold: Input | Sequence[Input],
    kind: str | None = None,
    measures: Measures = None,
    encoder: EncoderLike = "minilm",
    progress: Progress = ignore_progress,
    memory: int = Context.memory,
    intervals: bool | Resampling = False,
    against: str | Sequence[str] = (),
    chance: bool | str | Chance = False,
    selfcheck: bool = True,
    by: str | Sequence[str] = (),
    combine: Rule | None = None,
    judged: Input | None = None,
    ignore: Input | None = None,
    scope: str | PathLike[str] | Collection[str] | None = None,
    completeness: Completeness | None = None,
    unreadable: Literal["stop", "keep"] = "stop",
    evidence: bool = False,
    as_: str | None = None,
    engine: EngineName | None = None,
    spark_remote: str | None = None,
    spark_vectors: str | None = None,
    gold_options: Mapping[str, Any] | None = None,
    pred_options: Mapping[str, Any] | None = None,
    **reading: Any,
) -> Report:
    """Score one or several predictions against a gold standard.

    Args:
        pred: A file, a model, a table (pandas, Polars, PyArrow, DuckDB), a graph (networkx, rdflib), or a list of tuples,
            dictionaries or texts; or several of them, as a list, or by their names; or a list of the repeated runs of
            each system, by its name.
        gold: The same, one or several.
        kind: The family; if None, that of the measures, else that of a gold standard that is a model, else ``taxonomy``.
        measures: Measures or their specs, plain functions of prediction and gold (`goldassay.measure`), or the parameters of each by its name; the family's default if None.
        encoder: An encoder, its name, or a function from a list of texts to rows of numbers; used only if a measure needs one.
        progress: Called while long work runs.
        memory: Bytes that a kernel may use for its tiles.
        intervals: Whether to give every value its interval and to test several predictions against one; or how.
        against: Which predictions the others are tested against, one or several: the ``first`` (if nothing is given), for each measure the
            ``best``, ``all``, or the names of predictions. All pairs are tested for groups of ties.
        chance: Whether to say what every score is by chance; a null model of the family, or how to draw from which.
        selfcheck: Whether to warn where a measure of the default does not separate good from bad on gold: gold is made worse in a few ways, and
            scored against itself.
        by: What to split the scores by, for example ``"depth"``: one name or several that the family knows.
        combine: How to combine several gold standards: ``max`` (None), ``union``, ``intersection``, ``mean`` or ``votes``. If it
            is given, one file may also hold several gold standards, where the family reads such.
        judged: Judged items; a prediction that is neither in gold nor judged is not counted.
        ignore: Items that count on neither side.
        scope: The names that gold covers, a file with one name a line, or ``branch:NAME`` for what gold has below a name; what else either side has is not counted.
        completeness: Which predicted items gold can judge: all (``complete``), those whose ``source`` it has, whose
            ``target`` it has, one of both (``partial``), or none but its own and the judged ones (``judged``). By default
            ``judged`` with judged items, else ``complete``.
        unreadable: Whether a prediction that cannot be read stops the evaluation, or is kept in the report with its error, if
            another one can be read.
        evidence: Whether the best counterpart of every item is found at once. Set it if you save a page or the evidence: both take
            less time together than one after the other; no number depends on it.
        as_: A preset, for example ``"melt"``: measures and options that give the number of another tool (`goldassay presets`).
        engine: Where it is done: ``duckdb`` for tables that do not fit into memory, ``spark`` for those of a cluster, both with
            exact measures, and ``spark`` with some by meaning; ``spark-tasks`` for many predictions, each of which a worker of the
            cluster scores as one machine does; None for this process (docs/scale.md).
        spark_remote: Where Spark Connect is, for example ``sc://host``; without it Spark's current session is used.
        spark_vectors: A folder, or an address such as ``s3a://...``, where a cluster keeps the vectors of texts as Parquet, so
            that no text is encoded twice; without it they are kept only for this evaluation.
        gold_options: Options of the family's reader for gold only, for example ``{"input_format": "csv"}``.
        pred_options: Options of the family's reader for the predictions only.
        **reading: Options of the family's reader for both sides.

    Returns:
        The report, one run per prediction.

    Raises:
        InputError: If a file cannot be read as what it should be.
        UsageError: If a measure, parameter or option is unknown.
        EncoderError: If a measure needs an encoder that is not available.

    Example:
        >>> import goldassay
        >>> gold = goldassay.Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
        >>> pred = goldassay.Graph.from_edges([("leukemia", "cancer"), ("sarcoma", "cancer")])
        >>> goldassay.evaluate(pred, gold=gold, measures=["literal"])["literal"].precision
        0.5
    """
    asked = locals()
    return _evaluate(asked.pop("pred"), Arguments(**asked))


@time_call
def sweep(pred: Input | Sequence[Input] | Mapping[str, Any], *, gold: Input, **asked: Any) -> list[Sweep]:
    """Return the values of measures at every threshold, instead of the one that they are asked for with.

    Args:
        pred: A file or a model, or several of them; or a list of the repeated runs of each system, by its name.
        gold: A file or a model.
        **asked: The other arguments, as for `evaluate`: ``kind``; ``measures`` with a threshold (those of the family's default
            that have one if None); ``encoder``, ``progress``, ``memory``; ``judged``, ``ignore``, ``scope``, ``completeness``;
            ``gold_options``, ``pred_options`` and the options of the family's reader.

    Returns:
        One sweep a prediction and measure; of repeated runs one a system and measure, the mean of their curves.

    Raises:
        InputError: If a file cannot be read as what it should be.
        UsageError: If an argument, a measure, parameter or option is unknown, or a measure has no threshold.
        EncoderError: If a measure needs an encoder that is not available.

    Example:
        >>> import goldassay
        >>> gold = goldassay.alignments.Alignment.from_rows([("cat", "chat"), ("dog", "chien")])
        >>> pred = goldassay.alignments.Alignment.from_rows([("cat", "chat", "=", 0.9), ("dog", "loup", "=", 0.4)])
        >>> [found] = goldassay.sweep(pred, gold=gold, kind="alignment", measures="overlap")
        >>> found.curve.thresholds.tolist(), found.curve.best.threshold, found.curve.best.precision
        ([0.9, 0.4], 0.9, 1.0)
    """
    request = Arguments.of_sweep({"gold": gold, **asked})
    chosen = request.chosen
    preds, runs_of = name_inputs(chosen, pred), systems(chosen, pred)
    setting = request.settle([one for _, one in preds])
    default = [one for one in chosen.measures.default if one.swept] or list(chosen.measures.default)
    setting = replace(setting, measures=setting.measures or default)
    for measure in setting.measures:
        if not measure.swept:
            raise measure.no_curve()
    if len(setting.gold_standards) > 1:
        raise UsageError("A sweep supports one gold standard only.", hint="sweep against one after the other")
    line = open_line(setting)
    read, found = [], []
    for name, one in preds:
        read.append(line.read(name, one))
        found.append(line.sweeps(read[-1]))
    _check_looked_at(setting, read, [line.pool.gold])
    for word in line.use.unknown():
        warn(word)
    if runs_of:
        several = ((name, zip(*(found[row] for row in rows), strict=True)) for name, rows in runs_of.items())
        return [Sweep.of_runs(name, runs) for name, by_measure in several for runs in by_measure]
    return [one for sweeps in found for one in sweeps]


def _evaluate(pred: Any, asked: Arguments) -> Report:
    """Check what is asked, score where it is asked for, and test."""
    chosen = asked.chosen
    preds, runs_of = name_inputs(chosen, pred), systems(chosen, pred)
    _check_runs(asked, preds=preds, runs_of=runs_of)
    check_place(asked.engine, spark_remote=asked.spark_remote, spark_vectors=asked.spark_vectors)
    # A cluster sends scores back, not items; and a mean over runs has an interval.
    own = asked
    if asked.engine or runs_of:
        evidence = asked.evidence and asked.engine is None
        own = replace(asked, evidence=evidence, intervals=asked.intervals or bool(runs_of))
    setting = own.settle([one for _, one in preds])
    running().progress = None if setting.progress is ignore_progress else setting.progress
    if asked.engine == "spark-tasks":
        from goldassay.spread import spread

        report = spread(setting.without_progress(), preds)
    else:
        if asked.engine is not None:
            _refuse_on_engine(asked.engine, setting, ci=asked.intervals, runs=runs_of)
        report = open_line(setting, _place(setting)).report(preds)
    _check_looked_at(
        setting, [run.pred for run in report], [*report.gold_standards] or [report.gold], whole=not report.failures
    )
    if runs_of:
        return add_systems(
            report,
            runs_of,
            against=base_of(asked.against, list(runs_of)),
            resampling=setting.resampling or Resampling(),
        )
    tested = len(report) > 1 and any(score.units for score in report.scores)
    return compare(report, against=asked.against) if tested else report


def _place(setting: Request) -> Place:
    """Start the engine that is asked for; this process if none is."""
    chosen = setting.chosen
    if setting.engine is None:
        return Place(chosen)
    made = engine_of(
        setting.engine,
        memory=setting.memory,
        spark_remote=setting.spark_remote,
        spark_vectors=setting.spark_vectors,
    )
    from goldassay.engines.scoring import OnEngine

    place = OnEngine(chosen, made)
    place.check(setting.measures, setting.options, setting.completeness)
    return place


def _refuse_on_engine(engine: EngineName, setting: Request, **others: object) -> None:
    """Refuse what engines do not support, before any file is read."""
    from goldassay.engines.scoring import refuse_on_engine

    several = len(setting.gold_standards) > 1
    asked = {"chance": setting.drawing, "by": setting.by, "combine": setting.combine or several}
    partial = {name: getattr(setting, name) is not None for name in ("judged", "ignore", "scope")}
    refuse_on_engine(engine, {**others, **asked, **partial})


def _check_runs(asked: Arguments, *, preds: Sequence[tuple[str | None, Input]], runs_of: Mapping[str, object]) -> None:
    """Refuse unreadable runs of a system, and a choice of tests where none is done."""
    if runs_of and asked.unreadable == "keep":
        raise UsageError("--runs does not support an unreadable run.", hint="unreadable='stop'")
    if asked_of(asked.against) == ("first",):
        return
    names = list(runs_of) or [name or name_input(one) for name, one in preds]
    check_against(asked.against, names, of="system" if runs_of else "prediction")
    if not (asked.intervals or runs_of):
        raise UsageError("--against has no effect without intervals.", hint="--ci (Python: intervals=True)")


def _check_looked_at(
    setting: Request, preds: Sequence[Model], gold_standards: Sequence[Model], *, whole: bool = True
) -> None:
    """Refuse options of the reader that have no effect on any file that was read, if all are known."""
    if whole and setting.judged is None and setting.ignore is None:
        options = setting.options
        check_read(
            (options.pred, [one.format for one in preds]), (options.gold, [one.format for one in gold_standards])
        )


def breakdown(score: Score, *, by: str) -> pl.DataFrame:
    """Split a score into groups, such as the edges at each depth.

    Every item keeps the credit that it earned against the whole other side. So the counts of the groups add up to those of
    the score, and the values of a group are what the measure makes of its counts.

    Args:
        score: A score of any measure.
        by: The name of the grouping.

    Returns:
        One row per group: group, the values (null where 0/0), the bounds of their intervals if there are any, the
        counts.

    Raises:
        UsageError: If the measure cannot be grouped so.

    Example:
        >>> import goldassay
        >>> gold = goldassay.Graph.from_edges([("cat", "pet"), ("pet", "animal")])
        >>> pred = goldassay.Graph.from_edges([("cat", "pet")])
        >>> score = goldassay.evaluate(pred, gold=gold, measures="literal")["literal"]
        >>> breakdown(score, by="depth").select("group", "precision", "recall").rows()
        [('1', 1.0, 0.0), ('2', None, 1.0)]
    """
    check_type(score, Score, "a score of a report")
    check_type(by, str, "the name of a grouping")
    found = break_down(score, by, family(score.measure.family).views.groupings)
    columns = found.columns()
    numbers = [name for name in columns if name != "group" and (name not in found.counts or not len(found))]
    types = {"group": pl.String, **dict.fromkeys(numbers, pl.Float64)}
    return pl.DataFrame(columns, schema_overrides=types, strict=False)
