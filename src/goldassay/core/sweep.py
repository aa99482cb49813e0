"""A sweep: the values of a measure at every threshold, and how robust its value is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from goldassay.core.context import Context
from goldassay.core.counts import Counts, FloatArray
from goldassay.core.curve import Curve
from goldassay.core.measure import Measure
from goldassay.core.partial import REASONS
from goldassay.core.signature import Signature

MARGIN = 0.01
"""How near to the cut a threshold is near: about as much as the cosines of two versions of one encoder differ by."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Sweep:
    """The curve of one prediction under one measure."""

    prediction: str
    measure: str
    signature: Signature  # everything that can change the curve, in one line
    parameter: str
    threshold: float | None  # its value in the measure, the cut; None where nothing is cut off
    curve: Curve  # the values at every threshold
    # the lowest and the highest of each value at thresholds within `MARGIN` of the cut; empty without a cut
    near: Mapping[str, tuple[float, float]]
    # how many items gold cannot judge, by side and reason; empty if it can judge all
    left_out: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    # the sweep of each repeated run, where the prediction is a system, and the curve their mean; else empty
    runs: tuple[Sweep, ...] = ()

    @classmethod
    def of_runs(cls, system: str, runs: Sequence[Sweep]) -> Sweep:
        """Combine the sweeps of the repeated runs of a system to the mean of their curves."""
        first, curve = runs[0], Curve.mean([one.curve for one in runs])
        return replace(
            first,
            prediction=system,
            signature=Signature.shared([one.signature for one in runs]),
            curve=curve,
            near=curve.spread(MARGIN) if first.near else {},
            left_out={},
            runs=tuple(runs),
        )

    def sd(self, thresholds: ArrayLike) -> dict[str, FloatArray]:
        """Return the standard deviation over runs of the values at some thresholds; nothing of fewer than two runs."""
        at = np.asarray(thresholds, dtype=np.float64)
        found = [one.curve.at_all(at) for one in self.runs]
        return {name: np.std([one[name] for one in found], axis=0, ddof=1) for name in found[0]} if found[1:] else {}

    @classmethod
    def of(cls, measure: Measure[Any, Any], *, pred: Any, gold: Any, context: Context) -> Sweep:
        """Sweep the threshold of a measure over all its values."""
        curve = measure.curve(pred=pred, gold=gold, context=context)
        cut = curve.cut.value
        return cls(
            prediction=pred.path or "prediction",
            measure=str(measure),
            signature=measure.sign(pred=pred, gold=gold, counts=Counts({}), context=context),
            parameter=curve.cut.parameter,
            threshold=cut if math.isfinite(cut) else None,
            curve=curve,
            near=curve.spread(MARGIN) if math.isfinite(cut) else {},
            left_out={
                side: {reason: model.left_out[reason] for reason in REASONS if reason in model.left_out}
                for side, model in (("pred", pred), ("gold", gold))
            },
        )

    def _sd_of_points(self) -> dict[str, list[float | None]]:
        found = self.sd(self.curve.thresholds)
        return {name: [None if math.isnan(one) else one for one in column.tolist()] for name, column in found.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the sweep as plain values."""
        return {
            "prediction": self.prediction,
            "measure": self.measure,
            "signature": str(self.signature),
            "parameter": self.parameter,
            "threshold": self.threshold,
            "within": MARGIN,
            "near": {name: [None if math.isnan(end) else end for end in ends] for name, ends in self.near.items()},
            "left_out": {side: dict(reasons) for side, reasons in self.left_out.items()},
            **self.curve.to_dict(),
            **({"sd": self._sd_of_points(), "runs": [one.to_dict() for one in self.runs]} if self.runs else {}),
        }
