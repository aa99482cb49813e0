"""The measure of labels: what an estimate without gold is divided by, as any score is by its measure."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, f_measure
from goldassay.core.errors import UsageError
from goldassay.core.matching import Matching
from goldassay.core.measure import Measure, Symmetry
from goldassay.core.parameters import Bounds, parameter

VALUES: Mapping[str, tuple[str, ...]] = types.MappingProxyType(
    {
        "precision": ("precision",),
        "pool": ("precision", "pooled_recall", "pooled_f1"),
        "documents": ("precision", "recall", "f1"),
    }
)


@dataclass(frozen=True, kw_only=True)
class Labelled(Measure[Any, Matching[Any]]):
    """Precision estimated from labels of drawn items; recall of a pool, or of documents whose right items were all written down.

    Counts are what the labels stand for: estimated numbers of items.
    """

    name: ClassVar[str] = "labelled"
    title: ClassVar[str] = "Estimates from labels"
    family: ClassVar[str] = "any"
    formula: ClassVar[str] = r"\hat P = \sum_h W_h \bar y_h"
    citation: ClassVar[str] = "cochran1977sampling"
    test: ClassVar[str] = "t test on the same labels"

    design: str = parameter("simple", help="how items were drawn", always=True)
    interval: str = parameter("", help="the interval, if not that of the design")
    of: str = parameter("precision", help="what was labelled", choices=tuple(VALUES))
    judge: str = parameter("", help="the judge whose verdicts sharpen the estimate")

    @property
    def values(self) -> Mapping[str, Bounds]:
        """Precision; with a pool or documents also recall and F1."""
        return dict.fromkeys(VALUES[self.of], (0.0, 1.0))

    @property
    def headline(self) -> str:
        """Precision."""
        return "precision"

    @property
    def symmetry(self) -> Symmetry:
        """None: there is no gold to swap with."""
        return "none"

    def match(self, *, pred: Any, gold: Any, context: Context) -> Matching[Any]:
        """Raise an error: labels are given, and nothing is matched."""
        del pred, gold, context
        raise UsageError("Labels cannot be matched.", hint="goldassay estimate todo.csv PRED")

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide right items by items on each side."""
        found = {"precision": ratio("precision", counts["hit_pred"], counts["n_pred"])}
        if self.of != "precision":
            recall = ratio("recall", counts["hit_gold"], counts["n_gold"])
            names = VALUES[self.of]
            found |= {names[1]: recall, names[2]: f_measure(found["precision"], recall)}
        return found
