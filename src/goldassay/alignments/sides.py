"""Both sides of a comparison in one numbering: what every measure of alignments starts from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from goldassay.alignments.lookup import Keys, Rows
from goldassay.alignments.model import Alignment, Pairs, column_of, stacked
from goldassay.alignments.read import read_alignment
from goldassay.alignments.reading import AlignmentReading
from goldassay.alignments.relations import DISJOINT, UNJUDGED
from goldassay.core.context import Context
from goldassay.core.intern import numbered, places_among
from goldassay.core.matching import NONE_MET

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False, kw_only=True)
class Numbering:
    """Entities and test cases of two alignments, numbered alike: those of the prediction as they are."""

    terms: pl.Series
    gold_terms: Rows
    gold_cases: Rows
    cases: int

    @classmethod
    def of(cls, *, pred: Alignment, gold: Alignment) -> Numbering:
        """Number the entities and test cases of both sides."""
        terms, (_, place) = numbered(pred.terms, gold.terms)
        names, (_, cases) = numbered(pred.case_names, gold.case_names)
        return cls(terms=column_of(terms), gold_terms=place, gold_cases=cases, cases=len(names))

    def entities(self, items: Alignment | Pairs, *, gold: bool) -> tuple[Keys, Keys, Keys]:
        """Return case, source and target of each row as common numbers, int64."""
        case, source, target = (column.astype(np.int64) for column in (items.cases, items.sources, items.targets))
        if gold:
            target = np.where(target < 0, target, self.gold_terms[target]) if len(self.gold_terms) else target
            return self.gold_cases[case].astype(np.int64), self.gold_terms[source].astype(np.int64), target
        return case, source, target

    def pair_keys(self, items: Alignment | Pairs, *, gold: bool) -> Keys:
        """Return a number for each row that is the same where case, source and target are, int64."""
        case, source, target = self.entities(items, gold=gold)
        return (case * len(self.terms) + source) * len(self.terms) + target

    def source_keys(self, items: Alignment | Pairs, *, gold: bool) -> Keys:
        """Return a number for each row that is the same where case and source are, int64."""
        case, source, _ = self.entities(items, gold=gold)
        return case * len(self.terms) + source

    def target_keys(self, items: Alignment | Pairs, *, gold: bool) -> Keys:
        """Return a number for each row that is the same where case and target are, int64."""
        case, _, target = self.entities(items, gold=gold)
        return case * len(self.terms) + target


@dataclass(frozen=True, eq=False, kw_only=True)
class Sides:
    """A prediction and a gold standard as a measure uses them, without the pairs that gold marks ``?``."""

    numbering: Numbering
    pred: Alignment  # each (source, target) once, without disjoint ones
    gold: Alignment
    whole_pred: Alignment  # each (source, target, relation)
    whole_gold: Alignment


def both_sides(*, pred: Alignment, gold: Alignment, unjudged: str, context: Context) -> Sides:
    """Number both sides alike, and leave out what is marked ``?``; computed once for all measures."""
    key = f"both sides, unjudged {unjudged}"
    return context.once(key, (pred, gold), lambda: _numbered_alike(pred=pred, gold=gold, unjudged=unjudged))


def _numbered_alike(*, pred: Alignment, gold: Alignment, unjudged: str) -> Sides:
    numbering = Numbering.of(pred=pred, gold=gold)
    if unjudged != "keep" and pred.facts.get("unjudged"):
        pred = pred.take(pred.relations != UNJUDGED)
    # A prediction that could make a pair neutral could take it from gold.
    neutral = gold.take(np.flatnonzero((gold.relations == UNJUDGED) & (unjudged != "count")))
    excluded = numbering.pair_keys(neutral, gold=True)
    sides = [
        _without(_with_disjoint_denied(side), numbering, excluded, gold=place == 1)
        for place, side in enumerate((pred, gold))
    ]
    claims = [claimed(side).pairs for side in sides]
    return Sides(numbering=numbering, pred=claims[0], gold=claims[1], whole_pred=sides[0], whole_gold=sides[1])


def claimed(side: Alignment) -> Alignment:
    """Leave out what says that two entities are disjoint."""
    disjoint = side.relations == DISJOINT
    return side.take(~disjoint) if disjoint.any() else side


def _with_disjoint_denied(side: Alignment) -> Alignment:
    """Let what says that two entities are disjoint deny that they correspond."""
    disjoint = side.relations == DISJOINT
    if not disjoint.any():
        return side
    return replace(side, denied=Pairs(**stacked([side.denied, side.take(disjoint)], "sources", "targets", "cases")))


def _without(side: Alignment, numbering: Numbering, excluded: Keys, *, gold: bool) -> Alignment:
    return side.take(~np.isin(numbering.pair_keys(side, gold=gold), excluded)) if len(excluded) else side


def pair_keys_of(path: str, numbering: Numbering) -> Keys:
    """Number the pairs of a file: the source's number times that of all entities, plus the target's. Pairs of unknown entities are left out."""
    pairs = read_alignment(path, AlignmentReading(scores="any"))
    place = places_among(pairs.terms, numbering.terms).astype(np.int64)
    sources, targets = place[pairs.sources], place[pairs.targets]
    known = (sources != NONE_MET) & (targets != NONE_MET)
    return np.asarray(sources[known] * len(numbering.terms) + targets[known])
