"""Macro averages: precision, recall and F1 of every test case, and their means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from goldassay.alignments.lookup import Keys
from goldassay.alignments.matching import AlignmentMatching
from goldassay.alignments.overlap import Overlap
from goldassay.core.average import Average
from goldassay.core.counts import Counts, Division, FloatArray, f_measure
from goldassay.core.curve import Step, grouped_steps
from goldassay.core.matching import Named
from goldassay.core.parameters import Bounds
from goldassay.core.parts import Part

# A test case without a correspondence on either side is ignored.
OVER_CASES = Average(empty="ignored", units="cases", f="f")


class Cases(Named):
    """The names of test cases."""


@dataclass(frozen=True, kw_only=True)
class MacroOverlap(Overlap):
    """The mean over test cases of precision and recall, with the F of the means and the mean of F.

    A case where a ratio is 0/0 has the value ``undefined``; a case that is empty on both sides is ignored.

    Example:
        >>> from goldassay.alignments import Alignment
        >>> gold = Alignment.from_rows([("cat", "chat"), ("dog", "chien")])
        >>> MacroOverlap().score(pred=Alignment.from_rows([("cat", "chat")]), gold=gold).mean_f1
        0.6666666666666666
    """

    name: ClassVar[str] = "macro_overlap"
    title: ClassVar[str] = "Mean precision, recall and F of test cases"
    formula: ClassVar[str] = (
        r"\bar P = \frac{1}{|C|} \sum_{c \in C} P_c,\quad \bar R = \frac{1}{|C|} \sum_{c \in C} R_c,\quad "
        r"F(\bar P, \bar R),\quad \bar F = \frac{1}{|C|} \sum_{c \in C} F(P_c, R_c)"
    )
    sums_over_records: ClassVar[bool] = False
    unit: ClassVar[str] = "test case"
    conventions: ClassVar[tuple[str, ...]] = (
        "MELT prints the mean of F since 2 August 2023: mean_f1; before that it printed the F of the means: f1",
    )

    @property
    def values(self) -> Mapping[str, Bounds]:
        """The means of precision and recall, the F of the means, and the mean of F."""
        return dict.fromkeys(("precision", "recall", self.headline, f"mean_{self.headline}"), (0.0, 1.0))

    def steps(self, matching: AlignmentMatching) -> list[Step]:
        """Score every test case at every score of its predictions."""
        steps = self.counted(matching, _case_rows(matching))
        return grouped_steps(steps, matching.numbering.cases, self._scored)

    def parts(self, matching: AlignmentMatching) -> tuple[Part, ...]:
        """Score every test case: each adds its values, and counts the case and its 0/0 values."""
        names, columns = self._cases(matching)
        cases = Cases(names)
        return (Part(items=cases, others=cases, unit_keys=lambda: names, counts=columns),)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sums by the number of test cases; where all of them are 0/0, so is the mean."""
        precision, recall, mean_f = OVER_CASES.means(counts, ratio).values()
        f_of_means = f_measure(precision, recall, beta=self.beta)
        return dict(zip(self.values, (precision, recall, f_of_means, mean_f), strict=True))

    def _cases(self, matching: AlignmentMatching) -> tuple[list[str], dict[str, FloatArray]]:
        """Score every test case of either side."""
        count = matching.numbering.cases
        here, there = _case_rows(matching)
        columns = {
            "hit_pred": (here, matching.pred.credit),
            "n_pred": (here, self.weights(matching.predicted)),
            "hit_gold": (there, matching.gold.credit),
            "n_gold": (there, self.weights(matching.reference)),
        }
        sums = {
            name: np.bincount(case, weights=one, minlength=count).astype(np.float64)
            for name, (case, one) in columns.items()
        }
        names = [*matching.predicted.case_names, *matching.reference.case_names]
        return list(dict.fromkeys(names)), self._scored(sums)

    def _scored(self, sums: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
        """Turn the sums of test cases into what each adds."""
        return OVER_CASES.added(sums, undefined=self.undefined, beta=self.beta)


def _case_rows(matching: AlignmentMatching) -> tuple[Keys, Keys]:
    """Return the test case of each correspondence of the prediction and of gold."""
    number = matching.numbering.entities
    return number(matching.predicted, gold=False)[0], number(matching.reference, gold=True)[0]
