"""An engine as a place: read, match and count there, and divide here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

from goldassay.core.combination import Rule
from goldassay.core.context import Context
from goldassay.core.documents import describe_unpaired
from goldassay.core.errors import UsageError
from goldassay.core.family import Family, SideOptions
from goldassay.core.lazy import EngineCounts, LazyDocuments, LazyItems, LazyMatching
from goldassay.core.libraries import nw
from goldassay.core.measure import Measure, Score
from goldassay.core.model import Model, is_empty
from goldassay.core.parameters import note_reads, parameters_of
from goldassay.core.partial import (
    Completeness,
    PartialGold,
    PartialGoldUse,
    RestrictedPrediction,
    bounds_of_sums,
    restrict_scope,
)
from goldassay.core.text import LISTED, contrast_names
from goldassay.core.timing import stage
from goldassay.engines.engine import TableEngine
from goldassay.formats.lazy import count_equal
from goldassay.formats.tables import rows_in
from goldassay.gold_standards import CombinedScore, GoldStandards
from goldassay.inputs import Input
from goldassay.place import Place

MATCHED = ("hit_", "gain", "covered_")
"""The first part of the names of counts of matched items."""


@dataclass(frozen=True, eq=False)
class OnEngine(Place):
    """An engine, where tables become lazy frames, and joins match them."""

    tables: TableEngine

    @property
    def engine(self) -> TableEngine:
        """What holds the evidence."""
        return self.tables

    @property
    def lazily(self) -> Any:
        """How the family is scored on an engine."""
        return lazy_scoring_of(self.family)

    @property
    def defaults(self) -> Sequence[Measure[Any, Any]]:
        """The default measures of the family that are counted without Python."""
        return [one for one in self.family.measures.default if one.keys or type(one) in self.lazily.count]

    def default_for(self, gold: Model) -> Sequence[Measure[Any, Any]]:
        """Choose the default measures."""
        del gold
        return self.defaults

    def read(self, given: Input, options: Any, name: str | None = None) -> LazyItems:
        """Read a table."""
        table = self.tables.table(given, self.family, asked=options.input_format, name=name)
        with self.tables.explain_errors(table.path), note_reads():
            side: LazyItems = self.lazily.read(table, options, self.tables)
        return side if isinstance(given, str | PathLike) else replace(side, path=name)

    def check(
        self, asked: Iterable[Measure[Any, Any]], options: SideOptions, completeness: Completeness | None
    ) -> None:
        """Refuse measures, options of the reader and partial gold that engines do not know, before any file is read."""
        engine = self.tables
        for measure in asked:
            if counter(measure, engine, self.lazily) is None:
                # With other parameters it may be counted by its keys.
                known = {one.name for one in self.family.measures.classes if counter(one(), engine, self.lazily)}
                raise UsageError(
                    f"{measure} is not supported on this engine"
                    + ("; use --engine spark." if type(measure) in self.lazily.count_near else "."),
                    expected=str(type(measure)()) if measure.name in known else ", ".join(sorted(known)),
                    hint="leave out --engine",
                )
        idle = {
            name: one for name, one in parameters_of(self.family.reading.options).items() if name in self.lazily.idle
        }
        for side in options:
            refuse_on_engine(engine.name, {name: not one.is_default(getattr(side, name)) for name, one in idle.items()})
        if self.lazily.judged is None:
            refuse_on_engine(engine.name, {"completeness": PartialGold(completeness=completeness or "complete")})

    def pool(self, gold_standards: tuple[Model, ...], rule: Rule) -> Tables:
        """Make what predictions are scored against."""
        return Tables(self.family, gold_standards, rule, engine=self.tables)

    def judgeable(self, pred: Any, gold: Any, use: PartialGoldUse) -> RestrictedPrediction[Any]:
        """Leave out of a prediction what gold cannot judge."""
        if not use.partial or self.family.trust.restriction is None:
            return RestrictedPrediction(pred=pred, gold=gold, whole=pred)
        whole = restrict_scope(self.family.trust.restriction, pred, use)
        kept = self.lazily.judged(whole, gold, use.partial.completeness, self.tables)
        return RestrictedPrediction(pred=kept, gold=gold, whole=whole)

    def bound_memory(self, score: Score, part: RestrictedPrediction[Any], context: Context) -> Score:
        """Return how far what gold cannot judge could move precision."""
        if len(part.whole) == len(part.pred) or "precision" not in score.values:
            return score
        of_all = self.pool((part.gold,), "max").matched(score.measure, part.whole, context)
        bounds = bounds_of_sums(score, of_all.counted.counts)
        return replace(score, bounds={"precision": bounds}) if bounds else score

    def other_names(self, options: SideOptions, *, pred: Model, gold: Model) -> Iterable[str]:
        """Name no option: a large table is not read again."""
        del options, pred, gold
        return ()

    def diagnose(self, score: Score, *, pred: Model, gold: Model, context: Context) -> Iterable[str]:
        """Question no score: a null model draws items, which are on the engine."""
        del score, pred, gold, context
        return ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Tables(GoldStandards):
    """Gold on an engine."""

    engine: TableEngine

    def judge(self, measure: Measure[Any, Any], pred: Any, context: Context) -> CombinedScore:
        """Score a prediction."""
        with stage("matching", str(measure)), self.engine.explain_errors(pred.path):
            score = measure.settle(self.matched(measure, pred, context), pred=pred, gold=self.gold, context=context)
        return CombinedScore(score, score, self.gold)

    def matched(self, measure: Measure[Any, Any], pred: Any, context: Context) -> LazyMatching:
        """Match and count on the engine."""
        count, gold = counter(measure, self.engine, lazy_scoring_of(self.family)), self.gold
        assert count is not None  # noqa: S101 - refused before any file was read
        return LazyMatching(pred_items=pred, gold_items=gold, counted=count(measure, pred, gold, self.engine, context))

    def find_warnings(self, pred: Model) -> Iterator[str]:
        """Return which documents have no counterpart, one sentence for each side."""
        gold = self.gold
        if is_empty(pred) or not isinstance(pred, LazyDocuments) or not isinstance(gold, LazyDocuments):
            return
        for here, there, kind, lacks in (
            (gold, pred, "gold document", "no prediction"),
            (pred, gold, "predicted document", "no gold"),
        ):
            unpaired = self.engine.materialize(here.documents.join(there.documents, on="id", how="anti"))
            count = rows_in(unpaired, self.engine)
            if count:
                names = [row["id"] for row in self.engine.rows(unpaired.sort("id").head(LISTED))]
                yield f"{describe_unpaired(names, count, kind, lacks)}; missing documents count as empty"

    def why_zero(self, pred: Any, scores: Sequence[Score]) -> Iterator[str]:
        """Warn that no score matched anything, with an item of each side."""
        pairs_matched = any(
            value for score in scores for name, value in score.counts.items() if name.startswith(MATCHED)
        )
        if not pairs_matched and len(pred) and len(self.gold):
            sides = (self._first(side) for side in (pred, self.gold))
            yield f"prediction and gold have nothing in common, {contrast_names(*sides)}"

    def _first(self, side: Any) -> list[str]:
        """Name the first item of a side in the order of the alphabet."""
        texts = [name for name, kind in side.frame.collect_schema().items() if kind == nw.String]
        row = self.engine.rows(side.frame.select(*texts).sort(*texts).head(1))[0]
        return [" ".join(str(row[name]) for name in texts)]


def counter(measure: Measure[Any, Any], engine: TableEngine, lazily: Any) -> Callable[..., EngineCounts] | None:
    """Return what counts a measure on an engine; None if nothing does."""
    own: dict[type, Callable[..., EngineCounts]] = {**lazily.count, **(lazily.count_near if engine.runs_python else {})}
    return own.get(type(measure)) or (count_equal if measure.keys else None)


def lazy_scoring_of(chosen: Family[Any]) -> Any:
    """Return how a family is scored on an engine."""
    if chosen.reading.lazily is None:
        raise UsageError(f"Engines do not support {chosen.kind}.", hint="leave out --engine")
    return chosen.reading.lazily


def refuse_on_engine(engine: str, asked: Mapping[str, object]) -> None:
    """Refuse what engines do not know, before any file is read."""
    for name, value in asked.items():
        if value:
            raise UsageError(
                f"--{name.replace('_', '-')} is not supported on the engine {engine}.",
                hint="leave out --engine",
            )
