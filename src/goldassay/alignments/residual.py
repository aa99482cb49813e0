"""Residual precision, recall and F: what a prediction adds to a string comparison."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.lookup import places
from goldassay.alignments.model import Alignment
from goldassay.alignments.overlap import OverlapMeasure
from goldassay.alignments.read import read_alignment
from goldassay.alignments.reading import AlignmentReading
from goldassay.alignments.sides import Numbering, Sides
from goldassay.core.context import Context
from goldassay.core.matching import NONE_MET
from goldassay.core.parameters import parameter
from goldassay.formats.labels import opened


@dataclass(frozen=True, kw_only=True)
class Residual(OverlapMeasure):
    """Precision, recall and F of the correspondences that a string baseline does not find.

    Attributes:
        baseline: An alignment that the baseline found; None compares labels, or the ends of the identifiers.

    Example:
        >>> gold = Alignment.from_rows([("a#Paper", "b#paper"), ("a#Author", "b#Writer")])
        >>> pred = Alignment.from_rows([("a#Paper", "b#paper"), ("a#Author", "b#Person")])
        >>> Residual().score(pred=pred, gold=gold)
        <Score residual: precision 0.0000, recall 0.0000, f1 0.0000>
    """

    name: ClassVar[str] = "residual"
    title: ClassVar[str] = "Residual precision, recall and F (recall+)"
    formula: ClassVar[str] = (
        r"P^+ = \frac{|A^+ \cap R^+|}{|A^+|},\quad R^+ = \frac{|A^+ \cap R^+|}{|R^+|},\quad X^+ = X \setminus B"
    )
    conventions: ClassVar[tuple[str, ...]] = (
        "the recall is the recall+ of the OAEI; its baseline StringEquiv can be named: baseline=FILE",
        "without a baseline two entities are equal by labels or ends of identifiers, in lower case, letters and digits alone",
    )

    baseline: str | None = parameter(None, help="an alignment that the baseline found; none compares names")

    def both(self, *, pred: Alignment, gold: Alignment, context: Context) -> Sides:
        """Take what the baseline finds out of both sides."""
        both = super().both(pred=pred, gold=gold, context=context)
        return context.once(f"alignments without {self.baseline}", (both,), lambda: self._without(both))

    def files(self) -> dict[str, str | None]:
        """Name the files that the measure uses, by their parameter."""
        return {**super().files(), "baseline": self.baseline}

    def _without(self, both: Sides) -> Sides:
        found = _baseline_pairs(self.baseline, both.numbering) if self.baseline else _name_numbers(both)
        sides = [
            _kept(side, both.numbering, found, gold=place == 1)
            for place, side in enumerate((both.whole_pred, both.whole_gold))
        ]
        return replace(both, pred=sides[0].pairs, gold=sides[1].pairs, whole_pred=sides[0], whole_gold=sides[1])


@dataclass(frozen=True, eq=False)
class _Baseline:
    """What the baseline finds: some pairs, or all terms with equal names.

    Attributes:
        pairs: Keys of pairs, int64.
        names: A number for the name of each term, int64; shape (0,) if pairs are given.
        size: How many terms there are.
    """

    pairs: NDArray[np.int64]
    names: NDArray[np.int64]
    size: int

    def finds(self, source: NDArray[np.int64], target: NDArray[np.int64]) -> NDArray[np.bool_]:
        if len(self.names):
            return np.asarray(self.names[source] == self.names[target])
        return np.isin(source * self.size + target, self.pairs)


def _baseline_pairs(path: str, numbering: Numbering) -> _Baseline:
    pairs = read_alignment(path, AlignmentReading(scores="any"))
    place = places(pairs.terms, numbering.terms).astype(np.int64)
    sources, targets = place[pairs.sources], place[pairs.targets]
    known = (sources != NONE_MET) & (targets != NONE_MET)
    size = len(numbering.terms)
    return _Baseline(sources[known] * size + targets[known], np.zeros(0, dtype=np.int64), size)


def _name_numbers(both: Sides) -> _Baseline:
    """Number all entities by their names, equal names alike; each entity without a name gets its own number."""
    labels: Mapping[str, str] = {}
    for side in (both.pred, both.gold):
        if side.labels is not None:
            labels = {**labels, **dict(zip(side.terms.to_list(), side.labels.to_list(), strict=True))}
    numbers: dict[str, int] = {}
    found = []
    for term in both.numbering.terms.to_list():
        name = re.sub(r"[\W_]+", "", (labels.get(term) or opened(term)).lower())
        found.append(numbers.setdefault(name or f"<{term}>", len(numbers)))
    return _Baseline(np.zeros(0, dtype=np.int64), np.array(found, dtype=np.int64), len(found))


def _kept(side: Alignment, numbering: Numbering, baseline: _Baseline, *, gold: bool) -> Alignment:
    _, source, target = numbering.entities(side, gold=gold)
    return side.take(~baseline.finds(source, target))
