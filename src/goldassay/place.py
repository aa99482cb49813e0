"""Where an evaluation is done: a place reads inputs, and scores what it read. This process is one, an engine another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from goldassay.chance import diagnose
from goldassay.core.combination import Rule
from goldassay.core.context import Context
from goldassay.core.family import Family, SideOptions
from goldassay.core.measure import Measure, Score
from goldassay.core.model import Model
from goldassay.core.partial import PartialGoldUse, RestrictedPrediction, add_bounds, restrict_prediction
from goldassay.gold_standards import GoldStandards
from goldassay.inputs import Input, model_of, prediction_of
from goldassay.renaming import find_inside, find_lists, suggest_names


@dataclass(frozen=True, eq=False)
class Place:
    """This process: the reader of a family makes models, and measures match them."""

    family: Family[Any]

    @property
    def engine(self) -> Any:
        """What holds the evidence; None for this process."""
        return None

    @property
    def defaults(self) -> Sequence[Measure[Any, Any]]:
        """All measures that may be the default."""
        return (*self.family.measures.default, *self.family.measures.other)

    def default_for(self, gold: Model) -> Sequence[Measure[Any, Any]]:
        """Choose the default measures for a gold standard."""
        return self.family.measures.default_for(gold)

    def read(self, given: Input, options: Any, name: str | None = None) -> Model:
        """Read an input."""
        found: Model = model_of(self.family, given, options, name)
        return found

    def prediction(self, given: Input, options: Any, gold: Model, name: str | None) -> Model:
        """Read a prediction, which may be empty."""
        found: Model = prediction_of(self.family, given, options, gold, name, read=self.read)
        return found

    def pool(self, gold_standards: tuple[Model, ...], rule: Rule) -> GoldStandards:
        """Make what predictions are scored against."""
        return GoldStandards(self.family, gold_standards, rule)

    def judgeable(self, pred: Model, gold: Model, use: PartialGoldUse) -> RestrictedPrediction[Any]:
        """Leave out of a prediction what gold cannot judge."""
        if self.family.trust.restriction is None or not use.partial:
            return RestrictedPrediction(pred=pred, gold=gold, whole=pred)
        return restrict_prediction(self.family.trust.restriction, pred, gold, use)

    def bound_memory(self, score: Score, part: RestrictedPrediction[Any], context: Context) -> Score:
        """Return how far what gold cannot judge could move precision."""
        return add_bounds(score, part, context)

    def other_names(self, options: SideOptions, *, pred: Model, gold: Model) -> Iterable[str]:
        """Return why names may differ: by an option, where they have nearly none in common, or since some are lists."""
        yield from suggest_names(self.family, options, pred=pred, gold=gold)
        yield from find_lists(self.family, pred=pred, gold=gold)
        yield from find_inside(self.family, pred=pred, gold=gold)

    def diagnose(self, score: Score, *, pred: Model, gold: Model, context: Context) -> Iterable[str]:
        """Return why a score says little."""
        return diagnose(self.family, score, pred=pred, gold=gold, context=context)
