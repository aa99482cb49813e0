"""Jaccard similarity of two alignments: how much two matchers agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from goldassay.alignments.overlap import OverlapMeasure
from goldassay.core.counts import Counts, Division
from goldassay.core.measure import Symmetry
from goldassay.core.parameters import Bounds


@dataclass(frozen=True, kw_only=True)
class Jaccard(OverlapMeasure):
    """The correspondences that both sides have, divided by those that either has.

    Example:
        >>> from goldassay.alignments import Alignment
        >>> one = Alignment.from_rows([("cat", "chat"), ("dog", "chien")])
        >>> other = Alignment.from_rows([("cat", "chat"), ("cow", "vache")])
        >>> round(Jaccard().score(pred=one, gold=other).jaccard, 4)
        0.3333
    """

    name: ClassVar[str] = "jaccard"
    title: ClassVar[str] = "Jaccard similarity of two alignments"
    formula: ClassVar[str] = r"J = \frac{|A \cap R|}{|A \cup R|}"
    conventions: ClassVar[tuple[str, ...]] = (
        "MELT's matcher similarity compares relations, too: relation=exact; its macro average is a mean over test cases",
    )
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType({"jaccard": (0.0, 1.0)})
    headline: ClassVar[str] = "jaccard"
    defined_alone: ClassVar[bool] = True

    @property
    def symmetry(self) -> Symmetry:
        """Both sides are alike, unless only predictions are left out."""
        return "same" if super().symmetry == "swap" else "none"

    @property
    def perfect(self) -> Mapping[str, float]:
        """What an alignment scores against itself, unless it lacks some of its own correspondences."""
        return {"jaccard": 1.0} if self.threshold is None else {}

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide what both have by what either has; the mean of both sides, where they earn unlike parts."""
        shared = (counts["hit_pred"] + counts["hit_gold"]) / 2
        return {"jaccard": ratio("jaccard", shared, counts["n_pred"] + counts["n_gold"] - shared)}
