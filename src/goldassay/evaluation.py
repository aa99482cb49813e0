"""Evaluation: read, match, count, divide."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from goldassay.comparison import check_against, compare
from goldassay.core.breakdown import break_down
from goldassay.core.chance import Chance
from goldassay.core.context import Context, Progress, silent
from goldassay.core.errors import UsageError, tell, unknown_choice
from goldassay.core.family import Family, SideOptions
from goldassay.core.golds import Rule
from goldassay.core.measure import Measure, Score
from goldassay.core.model import Model
from goldassay.core.partial import Completeness
from goldassay.core.preset import preset_of, read_as
from goldassay.core.significance import Resampling
from goldassay.core.sweep import Sweep
from goldassay.core.timing import running
from goldassay.engines import EngineName, check_place, engine_of
from goldassay.engines.scoring import OnEngine, refuse_beside
from goldassay.families import family, measure_of
from goldassay.formats.options import check_read
from goldassay.inputs import Input, inputs, model_of, named_inputs, prediction_of, systems
from goldassay.line import EncoderLike, Setting
from goldassay.notebooks import at_work
from goldassay.place import Place
from goldassay.repeated import with_systems
from goldassay.report import Report

if TYPE_CHECKING:
    import polars as pl

SHOWN = 80
MeasureLike: TypeAlias = str | Measure[Any, Any]
Measures: TypeAlias = MeasureLike | Sequence[MeasureLike] | Mapping[str, Mapping[str, Any]] | None


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


def read_sides(
    pred: Input,
    gold: Input,
    *,
    kind: str,
    gold_options: Mapping[str, Any] | None = None,
    pred_options: Mapping[str, Any] | None = None,
    **reading: Any,
) -> dict[str, Any]:
    """Read a gold standard, and a prediction that may be empty."""
    chosen = family(kind)
    _, options = _asked(chosen, None, reading, (pred_options, gold_options), None)
    _refuse_read(reading, pred_options, gold_options, pred=[pred], gold=[gold])
    model = model_of(chosen, gold, options.gold)
    return {"pred": prediction_of(chosen, pred, options.pred, model), "gold": model}


@at_work
def evaluate(
    pred: Input | Sequence[Input] | Mapping[str, Any],
    *,
    gold: Input | Sequence[Input],
    kind: str = "taxonomy",
    measures: Measures = None,
    encoder: EncoderLike = "minilm",
    progress: Progress = silent,
    memory: int = Context.memory,
    intervals: bool | Resampling = False,
    against: Literal["first", "best"] = "first",
    chance: bool | str | Chance = False,
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
        kind: The family.
        measures: Measures or their specs, or the parameters of each by its name; the family's default if None.
        encoder: An encoder, its name, or a function from a list of texts to rows of numbers; used only if a measure needs one.
        progress: Called while long work runs.
        memory: Bytes that a kernel may use for its tiles.
        intervals: Whether to give every value its interval and to test several predictions against one; or how.
        against: Which prediction the others are tested against: the ``first``, or for each measure the ``best``.
        chance: Whether to say what every score is by chance; a null model of the family, or how to draw from which.
        by: What to split the scores by, for example ``"depth"``: one name or several that the family knows.
        combine: How to combine several gold standards: ``max`` (None), ``union``, ``intersection``, ``mean`` or ``votes``. If it
            is given, one file may also hold several golds, where the family reads such.
        judged: The items that somebody judged; what else is predicted and not in gold is not counted.
        ignore: Items that count on neither side.
        scope: The names that gold covers, a file with one name a line, or ``branch:NAME`` for what gold has below a name; what else either side has is not counted.
        completeness: Which predicted items gold can judge: all (``complete``), those whose ``source`` it has, whose
            ``target`` it has, one of both (``partial``), or none but its own and the judged ones (``judged``). By default
            ``judged`` with judged items, else ``complete``.
        unreadable: Whether a prediction that cannot be read stops the evaluation, or is kept in the report with its error, if
            another one can be read.
        evidence: Whether the best counterpart of every item is found at once. Set it if you save a page or the evidence: both take
            less time together than one after the other; no number depends on it.
        as_: A preset, for example ``"melt"``: measures and options that give the number of a peer (`goldassay presets`).
        engine: Where it is done: ``duckdb`` for tables that do not fit into memory, ``spark`` for those of a cluster, both with
            exact measures, and ``spark`` with some by meaning; ``spark-tasks`` for many predictions, each of which a worker of the
            cluster scores as one machine does; None for this process (docs/scale.md).
        spark_remote: Where Spark Connect is, for example ``sc://host``; without it Spark's current session is used.
        spark_vectors: A folder, or an address such as ``s3a://...``, where a cluster keeps the vectors of texts as Parquet, so
            that no text is encoded twice; without it they are kept for this evaluation alone.
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
    return _evaluated(**locals())


@at_work
def sweep(
    pred: Input | Sequence[Input],
    *,
    gold: Input,
    kind: str = "taxonomy",
    measures: Measures = None,
    encoder: EncoderLike = "minilm",
    progress: Progress = silent,
    memory: int = Context.memory,
    judged: Input | None = None,
    ignore: Input | None = None,
    scope: str | PathLike[str] | Collection[str] | None = None,
    completeness: Completeness | None = None,
    gold_options: Mapping[str, Any] | None = None,
    pred_options: Mapping[str, Any] | None = None,
    **reading: Any,
) -> list[Sweep]:
    """Return the values of measures at every threshold, instead of the one that they are asked for with.

    Args:
        pred: A file or a model, or several of them.
        gold: A file or a model.
        kind: The family.
        measures: Measures with a threshold, or their specs; those of the family's default that have one if None.
        encoder: An encoder or its name; used only if a measure needs one.
        progress: Called while long work runs.
        memory: Bytes that a kernel may use for its tiles.
        judged: The items that somebody judged, as for `evaluate`.
        ignore: Items that count on neither side.
        scope: The names that gold covers.
        completeness: Which predicted items gold can judge.
        gold_options: Options of the family's reader for gold only.
        pred_options: Options of the family's reader for the predictions only.
        **reading: Options of the family's reader for both sides.

    Returns:
        One sweep a prediction and measure.

    Raises:
        InputError: If a file cannot be read as what it should be.
        UsageError: If a measure, parameter or option is unknown, or a measure has no threshold.
        EncoderError: If a measure needs an encoder that is not available.

    Example:
        >>> import goldassay
        >>> gold = goldassay.alignments.Alignment.from_rows([("cat", "chat"), ("dog", "chien")])
        >>> pred = goldassay.alignments.Alignment.from_rows([("cat", "chat", "=", 0.9), ("dog", "loup", "=", 0.4)])
        >>> [found] = goldassay.sweep(pred, gold=gold, kind="alignment", measures="overlap")
        >>> found.curve.thresholds.tolist(), found.curve.best.threshold, found.curve.best.precision
        ([0.9, 0.4], 0.9, 1.0)
    """
    return _swept(**locals())


def _evaluated(
    pred: Any,
    *,
    kind: str,
    progress: Progress,
    intervals: bool | Resampling,
    against: Literal["first", "best"],
    chance: bool | str | Chance,
    by: str | Sequence[str],
    unreadable: Literal["stop", "keep"],
    evidence: bool,
    engine: EngineName | None,
    spark_remote: str | None,
    spark_vectors: str | None,
    **asked: Any,
) -> Report:
    """Settle what is asked, score where it is asked for, and test."""
    chosen = family(kind)
    named_preds, runs_of = named_inputs(chosen, pred), systems(chosen, pred)
    _check_values(memory=asked["memory"], intervals=intervals, unreadable=unreadable, progress=progress)
    _check_alone(runs_of, chance=chance, by=by, unreadable=unreadable)
    resampling = _resampling(intervals or bool(runs_of))
    _check_tested(against, resampling, preds=len(named_preds), runs_of=runs_of)
    check_place(engine, spark_remote=spark_remote, spark_vectors=spark_vectors)
    setting = _settled(
        chosen,
        [one for _, one in named_preds],
        resampling=resampling,
        chance=_chance(chosen, chance),
        by=_checked(chosen, by),
        # A cluster sends scores back, not items.
        evidence=evidence and engine is None,
        **asked,
    )
    running().progress = None if progress is silent else progress
    keep_going = unreadable == "keep"
    if engine == "spark-tasks":
        from goldassay.spread import spread

        report = spread(setting, named_preds, remote=spark_remote, keep_going=keep_going)
    else:
        place = Place(chosen)
        if engine is not None:
            _refuse_beside(engine, setting, ci=intervals, runs=runs_of)
            made = engine_of(engine, memory=setting.memory, spark_remote=spark_remote, spark_vectors=spark_vectors)
            place = OnEngine(chosen, made)
            place.check(setting.measures, setting.options, setting.completeness)
        report = setting.opened(place, progress).report(named_preds, keep_going=keep_going)
    _check_looked_at(setting, [run.pred for run in report], [*report.golds] or [report.gold], whole=not report.failures)
    if runs_of:
        return with_systems(report, runs_of, against=against, resampling=resampling or Resampling())
    tested = len(report) > 1 and any(score.units for run in report for score in run.scores)
    return compare(report, against=against) if tested else report


def _refuse_beside(engine: EngineName, setting: Setting, **others: object) -> None:
    """Refuse what engines do not know, before any file is read."""
    several = len(inputs(family(setting.kind), setting.gold)) > 1
    asked = {"chance": setting.chance, "by": setting.by, "combine": setting.combine or several}
    partial = {name: getattr(setting, name) is not None for name in ("judged", "ignore", "scope")}
    refuse_beside(engine, {**others, **asked, **partial})


def _swept(pred: Any, *, kind: str, progress: Progress, **asked: Any) -> list[Sweep]:
    """Settle what is asked, and sweep the measures that have a threshold."""
    chosen = family(kind)
    preds = inputs(chosen, pred)
    setting = _settled(chosen, preds, **asked)
    usual = [one for one in chosen.measures.default if one.swept] or list(chosen.measures.default)
    setting = replace(setting, measures=setting.measures or usual)
    for measure in setting.measures:
        if not measure.swept:
            raise measure.no_curve()
    if len(inputs(chosen, setting.gold)) > 1:
        raise UsageError("A sweep is about one gold standard.", hint="sweep against one after the other")
    line = setting.opened(progress=progress)
    read, found = [], []
    for one in preds:
        read.append(line.read(None, one))
        found += line.sweeps(read[-1])
    _check_looked_at(setting, read, [line.pool.gold])
    for word in line.use.unknown():
        tell(word)
    return found


def _settled(
    chosen: Family[Any],
    preds: Sequence[Input],
    *,
    measures: Measures,
    reading: Mapping[str, Any],
    gold_options: Mapping[str, Any] | None,
    pred_options: Mapping[str, Any] | None,
    as_: str | None = None,
    **asked: Any,
) -> Setting:
    """Settle what is asked before any file is read: a misspelt word should not cost a minute."""
    measures, options = _asked(chosen, measures, reading, (pred_options, gold_options), as_)
    # What gold can judge is read as gold is.
    beside = (asked[name] for name in ("judged", "ignore"))
    of_gold = [*inputs(chosen, asked["gold"]), *(one for one in beside if one is not None)]
    _refuse_read(reading, pred_options, gold_options, pred=preds, gold=of_gold)
    setting = Setting(kind=chosen.kind, measures=_measures(chosen, measures), options=options, **asked)
    partial = ("judged", "ignore", "scope", "completeness")
    _refuse_partial(chosen, setting.chance, **{name: asked[name] for name in partial})
    return setting


def _check_looked_at(setting: Setting, preds: Sequence[Model], golds: Sequence[Model], *, whole: bool = True) -> None:
    """Refuse options of the reader that have no effect on any file that was read, if all are known."""
    if whole and setting.judged is None and setting.ignore is None:
        options = setting.options
        check_read((options.pred, [one.format for one in preds]), (options.gold, [one.format for one in golds]))


def _asked(
    chosen: Family[Any],
    measures: Measures,
    reading: Mapping[str, Any],
    of_sides: tuple[Mapping[str, Any] | None, Mapping[str, Any] | None],
    as_: str | None,
) -> tuple[Measures, SideOptions]:
    """Make the reading options of both sides, and take measures and options from a preset if one is named."""
    both = [{**reading, **(own or {})} for own in of_sides]
    if as_ is not None:
        preset = preset_of(chosen.measures.presets, as_, kind=chosen.kind)
        both = [read_as(preset, one, measured=measures is not None) for one in both]
        measures = preset.measures
    return measures, SideOptions.of(*(reading_options(chosen, one) for one in both))


def _refuse_read(
    reading: Mapping[str, Any],
    pred_options: Mapping[str, Any] | None,
    gold_options: Mapping[str, Any] | None,
    *,
    pred: Sequence[Any],
    gold: Sequence[Any],
) -> None:
    """Refuse options of a reader where nothing is read."""
    for options, read in ((reading, [*pred, *gold]), (pred_options, pred), (gold_options, gold)):
        if options and read and all(isinstance(one, Model) for one in read):
            raise UsageError(
                "Models are read already, so options of the reader have no effect.",
                found=", ".join(options),
                hint="give the options to goldassay.read",
            )


def reading_options(chosen: Family[Any], options: dict[str, Any]) -> Any:
    """Make the reading options of a family from keyword arguments."""
    if not options:
        usual: Any = chosen.reading.options
        return _usual(usual)
    known = chosen.reading.options.__dataclass_fields__
    for name in options:
        if name not in known:
            raise unknown_choice(f"option of {chosen.kind}", name, known)
    return chosen.reading.options(
        **{name: fspath(value) if isinstance(value, PathLike) else value for name, value in options.items()}
    )


@cache
def _usual(reading: Any) -> Any:
    """Make the options of a reader that nobody chose, once: each is checked when it is made."""
    return reading()


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
    import polars as pl

    found = break_down(score, by, family(score.measure.family).views.groupings)
    columns = found.columns()
    numbers = [name for name in columns if name != "group" and (name not in found.counts or not len(found))]
    types = {"group": pl.String, **dict.fromkeys(numbers, pl.Float64)}
    return pl.DataFrame(columns, schema_overrides=types, strict=False)


def _refuse_partial(chosen: Family[Any], drawing: Chance | None, **given: Any) -> None:
    """Refuse partial gold where it cannot be, before any file is read."""
    asked = [name for name, value in given.items() if value is not None]
    if asked and chosen.trust.restriction is None:
        raise UsageError(f"The family {chosen.kind} has no partial gold.", found=f"--{asked[0]}")
    if drawing and {"judged", "completeness"} & set(asked):
        raise UsageError(
            "Draws of a null model cannot be judged: nobody has seen them.",
            found=f"--{asked[0]} and --chance",
            hint="leave one out",
        )


def _checked(chosen: Family[Any], by: object) -> list[str]:
    """Reject unknown groupings, before any file is read."""
    names: list[Any] = list(by) if isinstance(by, Iterable) and not isinstance(by, str) else [by]
    for name in names:
        if name not in chosen.splits:
            raise unknown_choice(f"group of {chosen.kind}", name, chosen.splits)
    return names


def _resampling(intervals: bool | Resampling) -> Resampling | None:
    if isinstance(intervals, bool):
        return Resampling() if intervals else None
    return intervals


def _chance(chosen: Family[Any], asked: bool | str | Chance) -> Chance | None:
    """Settle how chance is drawn, before any file is read."""
    if asked is False:
        return None
    chance = asked if isinstance(asked, Chance) else Chance() if asked is True else Chance(null=asked)
    if chance.null and chance.null not in chosen.trust.nulls:
        raise unknown_choice(f"null model of {chosen.kind}", chance.null, chosen.trust.nulls)
    return chance


def _check_values(*, memory: object, intervals: object, unreadable: str, progress: object) -> None:
    """Reject values that nothing can be done with, before any file is read."""
    if unreadable not in ("stop", "keep"):
        raise unknown_choice("value of unreadable", unreadable, ("stop", "keep"))
    if not isinstance(memory, int) or memory < 1:
        raise UsageError("This is no amount of memory.", found=f"memory={memory!r}", expected="a whole number of bytes")
    if not callable(progress):
        raise UsageError(
            "Progress is told to a function.",
            found=f"progress={progress!r}",
            expected="a function of the work, what is done and what there is",
            hint="leave progress out",
        )
    if not isinstance(intervals, bool | Resampling):
        raise UsageError(
            "This does not say how intervals are drawn.",
            found=f"intervals={intervals!r}",
            expected="True, False, or a goldassay.Resampling",
        )


def _measures(chosen: Family[Any], asked: Measures) -> list[Measure[Any, Any]]:
    if asked is None:
        return []
    if isinstance(asked, Mapping):
        measures = [_with_parameters(chosen, name, parameters) for name, parameters in asked.items()]
    else:
        several = asked if isinstance(asked, Iterable) and not isinstance(asked, str) else [asked]
        measures = [_measure(chosen, measure) for measure in several]
    if not measures:
        raise UsageError("There is no measure to score with.", hint="leave measures out for the default")
    for measure in measures:
        if measure.family != chosen.kind:
            raise unknown_choice(
                f"measure of {chosen.kind}", measure.name, [known.name for known in chosen.measures.classes]
            )
    return list(dict.fromkeys(measures))


def _with_parameters(chosen: Family[Any], name: object, parameters: object) -> Measure[Any, Any]:
    if not isinstance(name, str) or not isinstance(parameters, Mapping | None):
        raise UsageError(
            "This is no measure with its parameters.",
            found=f"{{{name!r}: {parameters!r}}}"[:SHOWN],
            expected="its name, and a dictionary of parameters: {'fuzzy': {'threshold': 0.9}}",
        )
    return measure_of(chosen, name, parameters)


@lru_cache
def _parsed(chosen: Family[Any], spec: str) -> Measure[Any, Any]:
    return measure_of(chosen, spec)


def _measure(chosen: Family[Any], asked: object) -> Measure[Any, Any]:
    if isinstance(asked, str):
        return _parsed(chosen, asked)
    if isinstance(asked, Measure):
        return asked
    raise UsageError(
        "This is no measure.",
        found=f"{asked!r}"[:SHOWN],
        expected="a spec such as 'fuzzy(threshold=0.9)', a measure, or a dictionary of parameters by measure",
        hint=f"{asked.__name__}()" if isinstance(asked, type) else None,
    )


def _check_tested(against: str, resampling: Resampling | None, *, preds: int, runs_of: Mapping[str, object]) -> None:
    """Refuse to choose what is tested against where nothing is tested."""
    check_against(against, len(runs_of) or preds, of="system" if runs_of else "prediction")
    if against != "first" and resampling is None:
        raise UsageError(
            "Nothing is tested without intervals, so --against has no effect.", hint="--ci (Python: intervals=True)"
        )


def _check_alone(runs_of: Mapping[str, object], *, chance: object, by: object, unreadable: str) -> None:
    """Refuse what is shown of single predictions, where there are repeated runs."""
    for asked, what in ((chance, "a level of chance"), (by, "groups"), (unreadable == "keep", "an unreadable run")):
        if runs_of and asked:
            raise UsageError(
                f"Repeated runs cannot be shown with {what}.", hint="score one run of each system for that"
            )
