"""Argument tree similarity: a path of the gold tree counts if its meaning is similar to that of a path of the other tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from goldassay.concepts.matching import ConceptMatching
from goldassay.concepts.near import NearMeasure


@dataclass(frozen=True, kw_only=True)
class Paths(NearMeasure):
    """A path from the root to a leaf is hit if its best cosine to a path of the other tree is at least epsilon.

    Recall is the measure of its source, ``PathHits / |Path(gold)|``; precision is the same of the system's paths.

    Attributes:
        average: ``macro`` takes the mean of the values of the trees, ``micro`` divides their sums.
        epsilon: The minimum cosine.

    Example:
        >>> from goldassay.concepts import Concepts
        >>> gold = Concepts.from_trees({"q1": {"text": "Stop smoking", "children": ["it harms", "it costs money"]}})
        >>> pred = Concepts.from_trees({"q1": {"text": "Stop smoking", "children": ["it harms"]}})
        >>> Paths(epsilon=0.9).score(pred=pred, gold=gold, encoder="hashing").recall
        0.5
    """

    name: ClassVar[str] = "paths"
    title: ClassVar[str] = "Argument tree similarity"
    formula: ClassVar[str] = (
        r"R = \frac{|\{p \in Path(\hat y) \mid \max_{q \in Path(y)} \cos(p, q) \geq \epsilon\}|}{|Path(\hat y)|},\quad "
        r"P = \frac{|\{q \in Path(y) \mid \max_{p \in Path(\hat y)} \cos(p, q) \geq \epsilon\}|}{|Path(y)|}"
    )
    citation: ClassVar[str] = "conceptf1"
    headline: ClassVar[str] = "recall"
    conventions: ClassVar[tuple[str, ...]] = (
        "the source defines recall alone, as ArgumentTreeSimilarity; precision and F1 stand beside it",
        "the text of a path is its nodes joined by --separator",
        "the source specifies no epsilon; 0.6 is that of concept for all-MiniLM-L6-v2, other encoders need their own",
    )

    def remark(self, matching: ConceptMatching, values: Mapping[str, Any]) -> str | None:
        """Flag concepts that are no paths, beside what all measures of meaning flag."""
        sides = (matching.pred_items, matching.gold_items)
        known = all(model.choices.get("concepts", "").startswith("paths") for model in sides)
        flagged = None if known else "the concepts are no paths of trees: each counts as a path of one node"
        return "; ".join(filter(None, (flagged, super().remark(matching, values)))) or None
