"""The straight line of one prediction: what is asked of every prediction, gold read once, and a run made of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from os import PathLike, fspath
from os.path import exists
from typing import Any, Literal

from goldassay.chance import Draws, add_chance, draws_of, explain_not_separated
from goldassay.core.breakdown import break_down
from goldassay.core.combination import RULES
from goldassay.core.context import WORTH_KEEPING, Context, ignore_progress
from goldassay.core.errors import GoldassayError, InputError, UsageError, names_file, unknown_choice_error, warn
from goldassay.core.family import Family
from goldassay.core.groups import Breakdown
from goldassay.core.measure import Measure, Score
from goldassay.core.model import Model, is_empty, warn_of_unscored, warnings_of
from goldassay.core.panel import return_no_panels
from goldassay.core.parameters import note_reads
from goldassay.core.partial import PartialGold, PartialGoldUse, RestrictedPrediction, restrict_scope
from goldassay.core.patterns import pattern_of
from goldassay.core.sweep import Sweep
from goldassay.core.timing import progressing, running, stage
from goldassay.formats.both_sides import reads_prediction
from goldassay.formats.known import MEMORY
from goldassay.formats.memory import PLAIN, ROWS, looking
from goldassay.formats.source import Source, keeping, load, text_of
from goldassay.gold_standards import MERGING, GoldStandards, check_rule
from goldassay.inputs import Input, is_same_file, model_of, warn_of_swapped
from goldassay.place import Place
from goldassay.report import Report, Run
from goldassay.report.results import Failure
from goldassay.request import EncoderLike, Request

OF_A_SIDE = pattern_of(r"--(?:input-(format)|(encoding|language|[a-z]+-column))\b")
"""Flags of readers that differ where the files of the two sides do."""


MERGED = ("union", "intersection")
"""How several gold standards become one."""


def open_line(setting: Request, place: Place | None = None) -> Pipeline:
    """Load the encoder, and read gold; in this process, if no other place is given."""
    place = place or Place(setting.chosen)
    context = Context(
        progress=setting.progress,
        memory=setting.memory,
        resampling=setting.resampling,
        groupings=place.family.views.groupings,
    )
    load_encoder(context, setting.encoder, setting.measures or place.defaults)
    files = files_of(setting.measures)
    with reading_of(name_input(setting.gold), "gold"):
        models = _golds(place, setting)
        place.family.check_gold(models)
        use = PartialGoldUse(_partial(setting, models))
        if len(models) > 1 and not use.partial.judges_all:
            raise UsageError(
                "--judged and --completeness support one gold standard only.",
                found="--completeness" if setting.judged is None else "--judged",
                expected="--scope and --ignore with several gold standards",
            )
        if len(models) > 1 and setting.resampling and setting.resampling.unit and setting.combine not in MERGED:
            raise UsageError(
                "--ci-unit has no effect when each item is scored against the best of several gold standards.",
                found=f"--ci-unit {setting.resampling.unit}",
                hint="--combine union",
            )
        if place.family.trust.restriction is not None and use.partial:
            models = tuple(restrict_scope(place.family.trust.restriction, model, use) for model in models)
    # Votes are counted by some measures only: without a choice those of the default that can.
    usual = place.default_for(models[0])
    asked = setting.measures or [one for one in usual if setting.combine != "votes" or one.weighs_gold] or usual
    pool = place.pool(models, setting.combine or "max")
    if len(models) > 1:
        check_rule(place.family, pool.rule, asked)
    return Pipeline(
        place=place, setting=setting, context=context, pool=pool, use=use, measures=tuple(asked), files=files
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Pipeline:
    """Gold that was read, and how a prediction is read, matched, counted and divided."""

    place: Place
    setting: Request
    context: Context
    pool: GoldStandards  # gold
    use: PartialGoldUse  # what gold can judge, and what was found of it
    measures: tuple[Measure[Any, Any], ...]
    files: Mapping[str, Source]  # the files that the measures need, by their paths

    def read(self, name: str | None, given: Input) -> Model:
        """Read a prediction."""
        with reading_of(name or name_input(given), "pred"):
            return self.place.prediction(given, self.setting.options.pred, self.pool.models[0], name)

    def report(self, preds: Sequence[tuple[str | None, Input]]) -> Report:
        """Score predictions one after another."""
        pool, chosen = self.pool, self.place.family
        self.context.shared = (pool.gold, *pool.models) if len(preds) >= WORTH_KEEPING else ()
        runs: list[Run] = []
        failures: list[GoldassayError] = []
        for name, given in preds:
            try:
                pred = self.read(name, given)
            except InputError as error:
                if self.setting.unreadable != "keep":
                    raise
                failures.append(error)
                continue
            runs.append(self.run(pred))
        if not runs:
            raise failures[0]
        # Each score may be about another gold where none is merged, and panels show one.
        shown = not self.place.engine and (len(pool.models) == 1 or pool.rule in MERGING)
        return report_of(
            chosen,
            (pool.gold, *pool.models),
            warn_of_unknown(runs, self.use),
            failures,
            panels=chosen.views.panels if shown else return_no_panels,
            groupings={} if self.place.engine else chosen.views.groupings,
            engine=self.place.engine,
        )

    def sweeps(self, pred: Model) -> list[Sweep]:
        """Sweep the threshold of each measure over all its values."""
        part, found = self.place.judgeable(pred, self.pool.gold, self.use), []
        with keeping(self.files):
            for one in self.measures:
                with stage("matching", str(one)):
                    found.append(Sweep.of(one, pred=part.pred, gold=part.gold, context=self.context))
        for line in (*warnings_of(part.pred, part.gold), *self._of_pair(pred, part, [])):
            warn(line)
        return found

    def draws(self, pred: Model, part: range) -> Draws:
        """Score some of the predictions that are drawn for the level of chance."""
        part_of = self.place.judgeable(pred, self.pool.gold, self.use)
        with keeping(self.files):
            return draws_of(self.place.family, self.measures, part=part, **self._draw(part_of.pred))

    def run(self, pred: Model, draws: Draws | None = None) -> Run:
        """Score a prediction."""
        part = self.place.judgeable(pred, self.pool.gold, self.use)
        find_warnings = self._find_warnings(pred, part)
        for line in find_warnings:
            warn(line)
        with keeping(self.files):
            return self._run(pred, part, find_warnings, draws)

    def _find_warnings(self, pred: Model, part: RestrictedPrediction[Any]) -> list[str]:
        """Return what is suspicious before anything is matched."""
        place, models = self.place, self.pool.models
        found = [] if is_empty(pred) else [*self.pool.find_warnings(part.pred)]
        if not is_empty(pred) and len(models) == 1:
            found += place.other_names(self.setting.options, pred=pred, gold=self.pool.gold)
        by_name = warn_of_swapped(part.pred.path, [gold.path for gold in models])
        return [
            *filter(None, [by_name]),
            *warnings_of(part.pred, *models),
            *warn_of_unscored(part.pred, self.measures),
            *self._of_pair(pred, part, found),
        ]

    def _of_pair(self, pred: Model, part: RestrictedPrediction[Any], found: Sequence[str]) -> Iterator[str]:
        yield from found if not is_empty(pred) else [self.place.family.empty_prediction]
        yield from part.warnings()

    def _run(
        self, pred: Model, part: RestrictedPrediction[Any], find_warnings: Sequence[str], draws: Draws | None
    ) -> Run:
        place, pool, context = self.place, self.pool, self.context
        # Of several gold standards one or none is shown with its items.
        with context.looking_up(self.setting.evidence and len(pool.models) == 1):
            judged = [pool.judge(measure, part.pred, context) for measure in self.measures]
        nothing = place.family.nothing_counted(pool.models[0], [one.score for one in judged])
        apart = [*pool.why_zero(part.pred, [one.score for one in judged])] if not is_empty(pred) else []
        for line in apart:
            warn(line)
        scores = [place.bound_memory(one.score, part, context) for one in judged]
        without: list[str] = []
        if self.setting.drawing:
            with stage("drawing by chance"):
                scores, without = add_chance(place.family, scores, draws=draws, **self._draw(part.pred))
        scores = _split(place.family, scores, self.setting.by)
        notes = [
            line for score in scores for line in (score.warning, score.no_interval, score.undefined_resamples) if line
        ]
        of_encoder = filter(None, (measure.encoder_note(context.encoder) for measure in self.measures))
        first = (*find_warnings, *apart, *filter(None, [nothing]), *notes)
        last = (*without, *of_encoder, *pool.refusals())
        plain = [score if one.plain is one.score else one.plain for score, one in zip(scores, judged, strict=True)]
        gold_standards = [one.gold for one in judged]
        run = Run(
            pred=part.pred,
            scores=tuple(scores),
            # Diagnostics take longer than the scores of a small call, so they wait until the warnings are looked at.
            warnings=lambda: (
                *first,
                *self._same_file(part.pred),
                *self._diagnose(part.pred, plain, gold_standards),
                *last,
            ),
        )
        if context.progress is not ignore_progress or running().on_stage:
            # Who watches the work sees all of it.
            run.warnings  # noqa: B018
        return run

    def _same_file(self, pred: Model) -> Iterator[str]:
        """Warn that a file is scored against itself."""
        options, names = self.setting.options, [model.path for model in self.pool.models]
        if options.pred == options.gold and pred.format != MEMORY and is_same_file(pred.path, names):
            yield (
                "prediction and gold are the same file, read in the same way, so that every item is right: "
                "to compare two columns of a file, name one for each side"
            )

    def _diagnose(self, pred: Model, scores: Sequence[Score], gold_standards: Sequence[Model]) -> list[str]:
        """Question the scores of a prediction, each against its gold."""
        with keeping(self.files), stage("diagnostics"):
            return [
                line
                for score, gold in zip(scores, gold_standards, strict=True)
                for line in (
                    *self.place.diagnose(score, pred=pred, gold=gold, context=self.context),
                    *self._warn_of_unseparated(score.measure, gold),
                )
            ]

    def _warn_of_unseparated(self, measure: Measure[Any, Any], gold: Model) -> Iterator[str]:
        """Question a measure of the default on gold, once for all predictions."""
        chosen, context = self.place.family, self.context
        if not self.setting.selfcheck or self.place.engine or type(measure) not in map(type, chosen.measures.default):
            return
        asked = f"whether {measure} separates"
        if line := context.get_or_make(
            asked, (gold,), lambda: explain_not_separated(chosen, measure, gold, context=context)
        ):
            yield line

    def _draw(self, pred: Model) -> dict[str, Any]:
        """Name what draws are made of, and how they are scored."""
        several = len(self.pool.models) > 1
        return {
            "pred": pred,
            "gold": self.pool.known if several else self.pool.gold,
            "context": self.context,
            "chance": self.setting.drawing,
            "valuing": self._values if several else None,
        }

    def _values(self, measure: Measure[Any, Any], pred: Model) -> Mapping[str, float]:
        return self.pool.values(measure, pred, self.context)


def report_of(
    chosen: Family[Any],
    gold_standards: Sequence[Model],
    runs: Sequence[Run],
    failures: Sequence[GoldassayError],
    **more: Any,
) -> Report:
    """Make a report of what is shown as gold, each gold after it, the runs, and what could not be read."""
    gold, *several = gold_standards
    return Report(
        kind=chosen.kind,
        item=chosen.item,
        gold=gold,
        gold_standards=tuple(several) if len(several) > 1 else (),
        runs=tuple(runs),
        failures=tuple(map(Failure.of, failures)),
        timings=dict(running().seconds),
        **more,
    )


def _golds(place: Place, setting: Request) -> tuple[Model, ...]:
    """Read the gold standards, of which a file may hold several if a rule is asked for."""
    chosen, sources, rule, options = place.family, setting.gold_standards, setting.combine, setting.options.gold
    if rule is not None and rule not in RULES:
        raise unknown_choice_error("rule for several gold standards", rule, RULES)
    if isinstance(setting.gold, list | tuple) and not setting.gold:
        raise UsageError("No gold standard is given.")
    paths = Counter(fspath(one) for one in sources if isinstance(one, str | PathLike) and exists(one))
    if paths and max(paths.values()) > 1:
        raise UsageError("The same gold standard is given twice.", found=paths.most_common(1)[0][0])
    if rule is not None and len(sources) == 1 and chosen.reading.references and isinstance(sources[0], str | PathLike):
        with note_reads():
            models = tuple(chosen.reading.references(sources[0], options))
    else:
        models = tuple(place.read(source, options) for source in sources)
    if rule is not None and len(models) == 1:
        raise UsageError(
            f"--combine {rule} needs at least two gold standards.",
            found=models[0].path or "a model in memory",
            expected="two gold standards or more",
            hint=f"--gold A --gold B --combine {rule}",
        )
    return models


def _partial(asked: Request, gold_standards: Sequence[Any]) -> PartialGold:
    """Read what says which items gold can judge."""
    chosen, scope = asked.chosen, asked.scope

    def keys(source: Input | None) -> frozenset[str] | None:
        if source is None or chosen.trust.restriction is None:
            return None
        return frozenset(chosen.trust.restriction.keys(model_of(chosen, source, asked.options.gold)))

    names = _scope(chosen, scope, gold_standards) if isinstance(scope, str | PathLike) else scope
    return PartialGold(
        judged=keys(asked.judged),
        ignore=keys(asked.ignore),
        scope=None if names is None else frozenset(names),
        completeness=asked.completeness or ("complete" if asked.judged is None else "judged"),
    )


def _scope(chosen: Family[Any], scope: str | PathLike[str], gold_standards: Sequence[Any]) -> Collection[str]:
    """Read the names of a scope, or find those of a branch of the gold standards."""
    word, colon, name = fspath(scope).partition(":")
    if word != "branch" or not colon:
        return names_of(scope)
    hook = chosen.trust.restriction
    if hook is None or hook.branch is None:
        raise UsageError(f"The family {chosen.kind} has no branches.", found=fspath(scope), expected="a file of names")
    names = frozenset().union(*(hook.branch(gold, name) for gold in gold_standards))
    if not names:
        raise UsageError("Gold has no node with this name.", found=name, expected="the text of a node of gold")
    return names


@names_file
def names_of(path: str | PathLike[str]) -> list[str]:
    """Read names, one a line; lines that are empty say nothing."""
    # str.splitlines would also split at characters inside names, such as U+2028.
    lines = re.split(r"\r\n|\n|\r", text_of(load(path)))
    return [line.strip() for line in lines if line.strip()]


def warn_of_unknown(runs: Sequence[Run], use: PartialGoldUse) -> tuple[Run, ...]:
    """Warn in every run of what no model has of the lists of partial gold."""
    unknown = tuple(use.unknown())
    if not unknown:
        return tuple(runs)
    return tuple(replace(run, warnings=(*run.warnings, *unknown)) for run in runs)


def _split(chosen: Family[Any], scores: Sequence[Score], split: Sequence[str]) -> list[Score]:
    """Split every score that has the grouping; a report says which have not."""
    if not split:
        return list(scores)
    made: list[list[Breakdown]] = [[] for _ in scores]
    for by in split:
        refusals = []
        for place, score in enumerate(scores):
            try:
                _check_one_gold(score)
                made[place].append(break_down(score, by, chosen.views.groupings))
            except UsageError as error:
                refusals.append(error)
        if len(refusals) == len(scores):
            raise refusals[0]
    return [replace(score, breakdowns=tuple(found)) for score, found in zip(scores, made, strict=True)]


def _check_one_gold(score: Score) -> None:
    if score.combined is not None and score.combined.mixed:
        raise UsageError(
            f"{score.spec} cannot be split: its counts are of several gold standards, whose items differ.",
            hint="combine=union, intersection or votes",
        )


def files_of(measures: Iterable[Measure[Any, Any]]) -> dict[str, Source]:
    """Read the files that measures need besides prediction and gold, each once."""
    found: dict[str, Source] = {}
    for path in dict.fromkeys(path for measure in measures for path in measure.files):
        with stage("reading", path):
            found[path] = load(path)
    return found


def load_encoder(context: Context, encoder: EncoderLike, measures: Iterable[Measure[Any, Any]]) -> None:
    """Load the encoder if any of the measures needs one."""
    if any(measure.needs_encoder for measure in measures):
        from goldassay.encoders import get_encoder

        context.encoder = get_encoder(encoder)


@contextmanager
def reading_of(name: str, side: Literal["gold", "pred"]) -> Iterator[None]:
    """Measure the time that a reader takes, show that it works, and let hints name the flags of one side only."""
    report = progressing() or ignore_progress
    with stage("reading", name):
        report(f"reading {name}", 0, 0)
        before = reads_prediction.set(side == "pred")
        try:
            yield
        except GoldassayError as error:
            error.hint = error.hint and OF_A_SIDE.sub(lambda flag: f"--{side}-{flag[1] or flag[2]}", error.hint)
            raise
        finally:
            reads_prediction.reset(before)
        report(f"reading {name}", 1, 1)


@looking
def name_input(given: Input | Sequence[Input]) -> str:
    """Name the files of an input; what is in memory has the name of its type."""
    several: Any = given if isinstance(given, list | tuple) else [given]
    # The rows of a list are asked for this, too, and to ask whether they are a PathLike takes ten times as long.
    rows = {*map(type, several)} <= ROWS | PLAIN
    files = [] if rows else [fspath(one) for one in several if isinstance(one, str) or hasattr(type(one), "__fspath__")]
    return ", ".join(files) or type(given).__name__
