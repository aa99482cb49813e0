"""Results of the comparison of two predictions, one per value and measure."""

from __future__ import annotations

from dataclasses import dataclass

from goldassay.core.significance import Difference


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One value of one prediction, tested against the same value of another.

    Attributes:
        run: Row of the prediction in the report.
        against: Row of the prediction that it is tested against.
        difference: The prediction minus the other prediction, with its interval and its p values.
        p_holm: The p of approximate randomisation, adjusted for the number of predictions tested.
        p_mcnemar: Exact p of McNemar's test: of a recall on the items of gold, of a headline such as F1 on wrong predictions
            too. None for other values, and if items are not simply right or wrong.
        p_mcnemar_mid: Its mid-p.
    """

    run: int
    against: int
    measure: str
    value: str
    difference: Difference
    p_holm: float
    p_mcnemar: float | None
    p_mcnemar_mid: float | None
