"""The best F and the least distance over all thresholds, where nodes count by what they say: weighted Fmax and Smin."""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from goldassay.core.counts import Counts, Division, f_measure
from goldassay.core.parameters import Bounds, parameter
from goldassay.labels.thresholds import BestThreshold


@dataclass(frozen=True, kw_only=True)
class WeightedFmax(BestThreshold):
    """The best F over all thresholds, with the precision, recall and coverage there.

    Coverage is the share of gold's instances that have a prediction at the threshold. Of several thresholds with the best F
    the lowest is taken, as cafaeval does.

    Attributes:
        average: Whether precision and recall are means over instances, or of all instances at once.

    Example:
        >>> from goldassay.labels import Labels
        >>> edges = [("cat", "pet"), ("dog", "pet"), ("pet", "animal")]
        >>> gold = Labels.from_rows([("d1", "cat"), ("d2", "dog")], edges=edges)
        >>> pred = Labels.from_rows([("d1", "cat", 0.9), ("d2", "cat", 0.4)], edges=edges)
        >>> WeightedFmax(weights="one").score(pred=pred, gold=gold)
        <Score weighted_fmax(weights=one): precision 0.8333, recall 0.8333, fmax 0.8333, coverage 1.0000>
    """

    name: ClassVar[str] = "weighted_fmax"
    title: ClassVar[str] = "Weighted Fmax"
    formula: ClassVar[str] = (
        r"F_{max} = \max_\tau \frac{2 P(\tau) R(\tau)}{P(\tau) + R(\tau)},\quad P(\tau) = \frac{1}{m(\tau)} \sum_i "
        r"\frac{\sum_{v \in \hat P_i(\tau) \cap \hat G_i} ic(v)}{\sum_{v \in \hat P_i(\tau)} ic(v)},\quad "
        r"R(\tau) = \frac{1}{n} \sum_i \frac{\sum_{v \in \hat P_i(\tau) \cap \hat G_i} ic(v)}{\sum_{v \in \hat G_i} ic(v)}"
    )
    values: ClassVar[Mapping[str, Bounds]] = types.MappingProxyType(
        dict.fromkeys(("precision", "recall", "fmax", "coverage"), (0.0, 1.0))
    )
    defined_one_sided: ClassVar[bool] = True
    headline: ClassVar[str] = "fmax"

    average: str = parameter("macro", help="means over instances, or all at once", choices=("macro", "micro"))

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sums at the threshold."""
        answered, targets = counts["answered"], counts["targets"]
        if self.average == "micro":
            precision = ratio("precision", counts["hit"], counts["n_pred_weight"])
            recall = ratio("recall", counts["hit"], counts["n_gold_weight"])
        else:
            precision = ratio("precision", counts["sum_precision"], targets if self.norm == "gold" else answered)
            recall = ratio("recall", counts["sum_recall"], answered if self.norm == "pred" else targets)
        coverage = ratio("coverage", counts["answered_targets"], targets)
        fmax = f_measure(precision, recall)
        return {"precision": precision, "recall": recall, "fmax": fmax, "coverage": coverage}


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
    defined_one_sided: ClassVar[bool] = True

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
