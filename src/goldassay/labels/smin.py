"""Smin: the least distance over all thresholds between what a prediction leaves unsaid and what it says wrongly."""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from goldassay.core.counts import Counts, Division
from goldassay.core.parameters import Bounds
from goldassay.labels.thresholds import BestThreshold


@dataclass(frozen=True, kw_only=True)
class Smin(BestThreshold):
    """The least semantic distance over all thresholds, with the remaining uncertainty and the misinformation there.

    Example:
        >>> from goldassay.labels.model import Labels
        >>> edges = [("cat", "pet"), ("dog", "pet"), ("pet", "animal")]
        >>> gold = Labels.from_rows([("d1", "cat"), ("d2", "dog")], edges=edges)
        >>> pred = Labels.from_rows([("d1", "cat", 0.9), ("d2", "cat", 0.4)], edges=edges)
        >>> Smin(weights="one").score(pred=pred, gold=gold)
        <Score smin(weights=one): s 0.7071, uncertainty 0.5000, misinformation 0.5000>
    """

    name: ClassVar[str] = "smin"
    title: ClassVar[str] = "Least semantic distance"
    formula: ClassVar[str] = (
        r"S_{min} = \min_\tau \sqrt{ru(\tau)^2 + mi(\tau)^2},\quad ru(\tau) = \frac{1}{n} \sum_i "
        r"\sum_{v \in \hat G_i \setminus \hat P_i(\tau)} ic(v),\quad "
        r"mi(\tau) = \frac{1}{n} \sum_i \sum_{v \in \hat P_i(\tau) \setminus \hat G_i} ic(v)"
    )
    higher_is_better: ClassVar[bool] = False
    values: ClassVar[Mapping[str, Bounds]] = types.MappingProxyType(
        dict.fromkeys(("s", "uncertainty", "misinformation"), (0.0, math.inf))
    )
    headline: ClassVar[str] = "s"
    # Of a prediction of nothing all uncertainty remains; without gold there is no instance to take a mean over.
    defined_alone: ClassVar[bool] = True

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide what is missed and what is wrong by the number of instances, and take the length of the two."""
        size = counts["answered"] if self.norm == "pred" else counts["targets"]
        uncertainty = ratio("uncertainty", counts["n_gold_weight"] - counts["hit"], size)
        misinformation = ratio("misinformation", counts["n_pred_weight"] - counts["hit"], size)
        s = np.hypot(uncertainty, misinformation)
        return {
            "s": float(s) if np.ndim(s) == 0 else s,
            "uncertainty": uncertainty,
            "misinformation": misinformation,
        }
