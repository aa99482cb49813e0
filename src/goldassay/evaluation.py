"""Evaluation: read, match, count, divide."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from goldassay.chance import doubts, with_chance
from goldassay.comparison import compare
from goldassay.core.breakdown import break_down
from goldassay.core.chance import Chance
from goldassay.core.context import WORTH_KEEPING, Context, Encoder, Progress, silent
from goldassay.core.errors import InputError, SuspectInputWarning, UsageError, unknown_choice
from goldassay.core.family import Family
from goldassay.core.golds import RULES, Rule
from goldassay.core.groups import Breakdown
from goldassay.core.measure import Measure, Score
from goldassay.core.model import Model
from goldassay.core.panel import no_panels
from goldassay.core.partial import Completeness, Partial, Restricted, Use, narrowed, restricted, with_bounds
from goldassay.core.preset import preset_of, read_as
from goldassay.core.significance import Resampling
from goldassay.core.sweep import Sweep
from goldassay.core.timing import progressing, running, stage
from goldassay.engines import EngineName, engine_of
from goldassay.engines.scoring import evaluate_on, refuse_beside
from goldassay.families import family, measure_of
from goldassay.formats.source import load, text_of
from goldassay.golds import MERGING, Pool, check_rule
from goldassay.inputs import Input, inputs, model_of, named_inputs, swapped, systems
from goldassay.notebooks import at_work
from goldassay.repeated import with_systems
from goldassay.report import Report, Run
from goldassay.report.results import Failure

if TYPE_CHECKING:
    import polars as pl

MeasureLike: TypeAlias = str | Measure[Any, Any]
Measures: TypeAlias = MeasureLike | Sequence[MeasureLike] | Mapping[str, Mapping[str, Any]] | None
EncoderLike: TypeAlias = str | Encoder | Callable[[list[str]], Any]


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
    return model_of(chosen, path, reading_options(chosen, reading))


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
    golds: Rule | None = None,
    judged: Input | None = None,
    ignore: Input | None = None,
    scope: str | PathLike[str] | Collection[str] | None = None,
    completeness: Completeness | None = None,
    unreadable: Literal["stop", "keep"] = "stop",
    as_: str | None = None,
    engine: EngineName | None = None,
    spark_remote: str | None = None,
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
        golds: How several golds give one score: ``max`` (None), ``union``, ``intersection``, ``mean`` or ``votes``. If it
            is given, one file may also hold several golds, where the family reads such.
        judged: The items that somebody judged; what else is predicted and not in gold is not counted.
        ignore: Items that count on neither side.
        scope: The names that gold covers, a file with one name a line, or ``branch:NAME`` for what gold has below a name; what else either side has is not counted.
        completeness: Which predicted items gold can judge: all (``complete``), those whose ``source`` it has, whose
            ``target`` it has, one of both (``partial``), or none but its own and the judged ones (``judged``). By default
            ``judged`` with judged items, else ``complete``.
        unreadable: Whether a prediction that cannot be read stops the evaluation, or is kept in the report with its error, if
            another one can be read.
        as_: A preset, for example ``"melt"``: measures and options that give the number of a peer (`goldassay presets`).
        engine: Where tables are joined and counted: ``duckdb`` for more than fits into memory, ``spark`` for a cluster; None for
            this process. Both score exact measures alone (docs/scale.md).
        spark_remote: Where Spark Connect is, for example ``sc://host``; without it Spark's current session is used.
        **reading: Options of the family's reader, the same for both sides.

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
    chosen = family(kind)
    measures, options = _asked(chosen, measures, reading, as_)
    runs_of = systems(chosen, pred)
    _check_alone(runs_of, chance=chance, by=by)
    # Measures and encoder are settled before any file is read: a misspelt word should not cost a minute.
    asked = _measures(chosen, measures)
    drawing = _chance(chosen, chance)
    _refuse_partial(chosen, drawing, judged=judged, ignore=ignore, scope=scope, completeness=completeness)
    context = Context(progress=progress, memory=memory, resampling=_resampling(intervals or bool(runs_of)))
    running().progress = None if progress is silent else progress
    if engine is not None:
        beside = {
            "ci": intervals,
            "runs": runs_of,
            "chance": drawing,
            "by": by,
            "golds": golds,
            "judged": judged is not None,
        }
        beside |= {"ignore": ignore is not None, "scope": scope is not None}
        refuse_beside(engine, beside)
        return evaluate_on(
            engine_of(engine, memory=memory, spark_remote=spark_remote),
            chosen,
            named_inputs(chosen, pred),
            gold,
            measures=asked,
            options=options,
            context=context,
            keep_going=unreadable == "keep",
            partial=Partial(completeness=completeness or "complete"),
        )
    _load_encoder(context, encoder, asked or (*chosen.default, *chosen.several))
    split = _checked(chosen, by)
    with _reading(_named(gold)):
        models = _golds(chosen, gold, options, golds)
        use = Use(
            _partial(chosen, options, models, judged=judged, ignore=ignore, scope=scope, completeness=completeness)
        )
        if len(models) > 1 and not use.partial.judges_all:
            raise UsageError(
                "--judged and --completeness need one gold standard, and there are several.",
                found="--completeness" if judged is None else "--judged",
                expected="--scope and --ignore beside several golds",
            )
        if chosen.restriction is not None and use.partial:
            models = tuple(narrowed(chosen.restriction, model, use) for model in models)
    # Votes are counted by some measures alone: without a choice those of the default that can.
    usual = chosen.default_for(models[0])
    asked = asked or [one for one in usual if golds != "votes" or one.weighs_gold] or list(usual)
    pool = _pool(chosen, models, golds, asked)
    sources = named_inputs(chosen, pred)
    context.shared = (pool.gold, *pool.models) if len(sources) >= WORTH_KEEPING else ()
    runs: list[Run] = []
    failures: list[InputError] = []
    for name, source in sources:
        try:
            with _reading(name or _named(source)):
                pred_model = model_of(chosen, source, options, name)
        except InputError as error:
            if unreadable == "stop" or runs_of:
                raise
            failures.append(error)
            continue
        part = _restricted(chosen, pred_model, pool.gold, use)
        runs.append(_run(chosen, part, pool, asked, context, chance=drawing, split=split))
    if not runs:
        raise failures[0]
    if unknown := tuple(use.unknown()):
        runs = [replace(run, warnings=(*run.warnings, *unknown)) for run in runs]
    report = Report(
        kind=kind,
        item=chosen.item,
        gold=pool.gold,
        golds=pool.models if len(pool.models) > 1 else (),
        runs=tuple(runs),
        failures=tuple(Failure(str(error.path or "prediction"), str(error)) for error in failures),
        # Each score may be about another gold where none is merged, and panels show one.
        panels=chosen.panels if len(pool.models) == 1 or pool.rule in MERGING else no_panels,
        groupings=chosen.groupings,
        timings=dict(running().seconds),
    )
    if runs_of:
        return with_systems(report, runs_of, against=against, resampling=context.resampling or Resampling())
    tested = len(runs) > 1 and any(score.units for run in runs for score in run.scores)
    return compare(report, against=against) if tested else report


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
        **reading: Options of the family's reader, the same for both sides.

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
    chosen = family(kind)
    options = reading_options(chosen, reading)
    _refuse_partial(chosen, None, judged=judged, ignore=ignore, scope=scope, completeness=completeness)
    asked = _measures(chosen, measures) or [one for one in chosen.default if one.swept] or list(chosen.default)
    for measure in asked:
        if not measure.swept:
            raise measure.no_curve()
    context = Context(progress=progress, memory=memory)
    _load_encoder(context, encoder, asked)
    with _reading(_named(gold)):
        gold_model = model_of(chosen, gold, options)
    use = Use(
        _partial(chosen, options, [gold_model], judged=judged, ignore=ignore, scope=scope, completeness=completeness)
    )
    if chosen.restriction is not None and use.partial:
        gold_model = narrowed(chosen.restriction, gold_model, use)
    found = []
    for source in inputs(chosen, pred):
        with _reading(_named(source)):
            pred_model = model_of(chosen, source, options)
        part = _restricted(chosen, pred_model, gold_model, use)
        for one in asked:
            with stage("matching", str(one)):
                found.append(Sweep.of(one, pred=part.pred, gold=part.gold, context=context))
        for line in part.warnings():
            warnings.warn(line, SuspectInputWarning, stacklevel=3)
    for line in use.unknown():
        warnings.warn(line, SuspectInputWarning, stacklevel=3)
    return found


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Measure the time that a reader takes, and show that it works."""
    tell = progressing() or silent
    with stage("reading", name):
        tell(f"reading {name}", 0, 0)
        yield
        tell(f"reading {name}", 1, 1)


def _named(given: Input | Sequence[Input]) -> str:
    """Name the files of an input; what is in memory has the name of its type."""
    several = given if isinstance(given, list | tuple) else [given]
    files = [fspath(one) for one in several if isinstance(one, str | PathLike)]
    return ", ".join(files) or type(given).__name__


def _load_encoder(context: Context, encoder: EncoderLike, measures: Iterable[Measure[Any, Any]]) -> None:
    """Load the encoder if any of the measures needs one."""
    if any(measure.needs_encoder for measure in measures):
        from goldassay.encoders import get_encoder

        context.encoder = get_encoder(encoder)


def _asked(chosen: Family[Any], measures: Measures, reading: dict[str, Any], as_: str | None) -> tuple[Measures, Any]:
    """Make the reading options, and take measures and options from a preset if one is named."""
    if as_ is None:
        return measures, reading_options(chosen, reading)
    preset = preset_of(chosen.presets, as_, kind=chosen.kind)
    return preset.measures, reading_options(chosen, read_as(preset, reading, measured=measures is not None))


def reading_options(chosen: Family[Any], options: dict[str, Any]) -> Any:
    """Make the reading options of a family from keyword arguments.

    Raises:
        UsageError: If an option is unknown or its value is not allowed.
    """
    known = chosen.reading.__dataclass_fields__
    for name in options:
        if name not in known:
            raise unknown_choice(f"option of {chosen.kind}", name, known)
    return chosen.reading(**options)


def _run(
    chosen: Family[Any],
    part: Restricted[Any],
    pool: Pool,
    asked: Iterable[Measure[Any, Any]],
    context: Context,
    *,
    chance: Chance | None,
    split: Sequence[str],
) -> Run:
    pred = part.pred
    by_name = swapped(pred.path, [gold.path for gold in pool.models])
    suspicions = (*filter(None, [by_name]), *pool.suspicions(pred), *part.warnings())
    for suspicion in suspicions:
        warnings.warn(suspicion, SuspectInputWarning, stacklevel=4)
    judged = [pool.judge(measure, pred, context) for measure in asked]
    scores = [with_bounds(one.score, part, context) for one in judged]
    without: list[str] = []
    if chance:
        with stage("drawing by chance"):
            several = len(pool.models) > 1
            scores, without = with_chance(
                chosen,
                scores,
                pred=pred,
                gold=pool.known if several else pool.gold,
                context=context,
                chance=chance,
                valuing=(lambda measure, model: pool.values(measure, model, context)) if several else None,
            )
    with stage("questioning the scores"):
        doubted = [
            line
            for score, one in zip(scores, judged, strict=True)
            for line in doubts(
                chosen, score if one.plain is one.score else one.plain, pred=pred, gold=one.gold, context=context
            )
        ]
    scores, refused = _split(chosen, scores, split)
    said = (line for score in scores for line in (score.caveat, score.unsure) if line)
    borrowed = filter(None, (measure.borrowed(context.encoder) for measure in asked))
    alone = pool.refusals() if len(pool.models) > 1 else []
    told = (*suspicions, *said, *doubted, *without, *borrowed, *refused, *alone)
    return Run(pred=pred, scores=tuple(scores), warnings=told)


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

    found = break_down(score, by, family(score.measure.family).groupings)
    columns = found.columns()
    numbers = [name for name in columns if name != "group" and (name not in found.counts or not len(found))]
    types = {"group": pl.String, **dict.fromkeys(numbers, pl.Float64)}
    return pl.DataFrame(columns, schema_overrides=types, strict=False)


def _refuse_partial(chosen: Family[Any], drawing: Chance | None, **given: Any) -> None:
    """Refuse partial gold where it cannot be, before any file is read."""
    asked = [name for name, value in given.items() if value is not None]
    if asked and chosen.restriction is None:
        raise UsageError(f"The family {chosen.kind} has no partial gold.", found=f"--{asked[0]}")
    if drawing and {"judged", "completeness"} & set(asked):
        raise UsageError(
            "Draws of a null model cannot be judged: nobody has seen them.",
            found=f"--{asked[0]} and --chance",
            hint="leave one out",
        )


def _partial(
    chosen: Family[Any],
    options: Any,
    golds: Sequence[Any],
    *,
    judged: Input | None,
    ignore: Input | None,
    scope: str | PathLike[str] | Collection[str] | None,
    completeness: Completeness | None,
) -> Partial:
    def keys(source: Input | None) -> frozenset[str] | None:
        if source is None or chosen.restriction is None:
            return None
        return frozenset(chosen.restriction.keys(model_of(chosen, source, options)))

    names = _scope(chosen, scope, golds) if isinstance(scope, str | PathLike) else scope
    return Partial(
        judged=keys(judged),
        ignore=keys(ignore),
        scope=None if names is None else frozenset(names),
        completeness=completeness or ("complete" if judged is None else "judged"),
    )


def _scope(chosen: Family[Any], scope: str | PathLike[str], golds: Sequence[Any]) -> Collection[str]:
    """Read the names of a scope, or find those of a branch of the golds."""
    word, colon, name = fspath(scope).partition(":")
    if word != "branch" or not colon:
        return names_of(scope)
    hook = chosen.restriction
    if hook is None or hook.branch is None:
        raise UsageError(f"The family {chosen.kind} has no branches.", found=fspath(scope), expected="a file of names")
    names = frozenset().union(*(hook.branch(gold, name) for gold in golds))
    if not names:
        raise UsageError("Gold has nothing of this name.", found=name, expected="the text of a node of gold")
    return names


def names_of(path: str | PathLike[str]) -> list[str]:
    """Read names, one a line; lines that are empty say nothing.

    Raises:
        InputError: If the file cannot be read as text.
    """
    # str.splitlines would also split at characters inside names, such as U+2028.
    lines = re.split(r"\r\n|\n|\r", text_of(load(path)))
    return [line.strip() for line in lines if line.strip()]


def _restricted(chosen: Family[Any], pred: Any, gold: Any, use: Use) -> Restricted[Any]:
    if chosen.restriction is None or not use.partial:
        return Restricted(pred=pred, gold=gold, whole=pred)
    return restricted(chosen.restriction, pred, gold, use)


def _checked(chosen: Family[Any], by: str | Sequence[str]) -> list[str]:
    """Reject unknown groupings, before any file is read."""
    names = [by] if isinstance(by, str) else list(by)
    for name in names:
        if name not in chosen.splits:
            raise unknown_choice(f"group of {chosen.kind}", name, chosen.splits)
    return names


def _split(chosen: Family[Any], scores: Sequence[Score], split: Sequence[str]) -> tuple[list[Score], list[str]]:
    """Split every score that has the grouping, and note the groupings of the others."""
    made: list[list[Breakdown]] = [[] for _ in scores]
    refused = []
    for by in split:
        refusals = []
        for place, score in enumerate(scores):
            try:
                _check_one_gold(score)
                made[place].append(break_down(score, by, chosen.groupings))
            except UsageError as error:
                refusals.append(error)
        if len(refusals) == len(scores):
            raise refusals[0]
        refused += [" ".join(str(error).split()) for error in refusals]
    return [replace(score, breakdowns=tuple(found)) for score, found in zip(scores, made, strict=True)], refused


def _check_one_gold(score: Score) -> None:
    if score.golds is not None and score.golds.mixed:
        raise UsageError(
            f"{score.spec} cannot be split: its counts are of several golds, whose items differ.",
            hint="golds=union, intersection or votes",
        )


def _resampling(intervals: bool | Resampling) -> Resampling | None:
    if isinstance(intervals, bool):
        return Resampling() if intervals else None
    return intervals


def _chance(chosen: Family[Any], asked: bool | str | Chance) -> Chance | None:
    """Settle how chance is drawn, before any file is read."""
    if asked is False:
        return None
    chance = asked if isinstance(asked, Chance) else Chance() if asked is True else Chance(null=asked)
    if chance.null and chance.null not in chosen.nulls:
        raise unknown_choice(f"null model of {chosen.kind}", chance.null, chosen.nulls)
    return chance


def _measures(chosen: Family[Any], asked: Measures) -> list[Measure[Any, Any]]:
    if asked is None:
        return []
    if isinstance(asked, Mapping):
        measures = [measure_of(chosen, name, parameters) for name, parameters in asked.items()]
    else:
        several = [asked] if isinstance(asked, str | Measure) else asked
        measures = [measure_of(chosen, measure) if isinstance(measure, str) else measure for measure in several]
    for measure in measures:
        if measure.family != chosen.kind:
            raise unknown_choice(f"measure of {chosen.kind}", measure.name, [known.name for known in chosen.measures])
    return list(dict.fromkeys(measures))


def _golds(chosen: Family[Any], gold: Input | Sequence[Input], options: Any, rule: Rule | None) -> tuple[Model, ...]:
    """Read the golds, of which a file may hold several if a rule is asked for."""
    if rule is not None and rule not in RULES:
        raise unknown_choice("rule for several golds", rule, RULES)
    if isinstance(gold, list | tuple) and not gold:
        raise UsageError("There is no gold standard to score against.")
    sources = inputs(chosen, gold)
    paths = Counter(fspath(one) for one in sources if isinstance(one, str | PathLike))
    if paths and max(paths.values()) > 1:
        raise UsageError("A gold standard is given twice.", found=paths.most_common(1)[0][0])
    if rule is not None and len(sources) == 1 and chosen.references and isinstance(sources[0], str | PathLike):
        models = tuple(chosen.references(sources[0], options))
    else:
        models = tuple(model_of(chosen, source, options) for source in sources)
    if rule is not None and len(models) == 1:
        raise UsageError(
            f"--golds {rule} needs several golds, and there is one.",
            found=models[0].path or "a model in memory",
            expected="two golds or more",
            hint=f"--gold A --gold B --golds {rule}",
        )
    return models


def _pool(
    chosen: Family[Any],
    models: tuple[Model, ...],
    rule: Rule | None,
    asked: Sequence[Measure[Any, Any]],
) -> Pool:
    pool = Pool(chosen, models, rule or "max")
    if len(models) == 1:
        return pool
    check_rule(chosen, pool.rule, asked)
    return pool


def _check_alone(runs_of: Mapping[str, object], *, chance: object, by: object) -> None:
    """Refuse what is shown of single predictions, where there are repeated runs."""
    for asked, what in ((chance, "a level of chance"), (by, "groups")):
        if runs_of and asked:
            raise UsageError(
                f"Repeated runs cannot be shown with {what}.", hint="score one run of each system for that"
            )
