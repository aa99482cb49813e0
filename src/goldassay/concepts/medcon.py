"""MEDCON: the medical concepts of some semantic groups that a note has in common with gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.matching import ConceptMatching, ConceptMeasure, equal_sides, refuse_without
from goldassay.concepts.model import Concepts
from goldassay.concepts.partial import taken
from goldassay.concepts.semantic_groups import TYPES, groups_of
from goldassay.core.context import Context
from goldassay.core.parameters import parameter


@dataclass(frozen=True, kw_only=True)
class Medcon(ConceptMeasure):
    """A concept is hit if the other note has a concept of the same id; only concepts of some semantic groups count.

    What is said of concepts is not looked at, as its source does not.

    Attributes:
        average: ``macro`` takes the mean of the values of the documents, ``micro`` divides their sums.
        groups: ``medcon`` counts anatomy, chemicals and drugs, devices, disorders, genes and molecular sequences,
            phenomena and physiology, a group by its name in the UMLS (``DISO``) counts it alone, ``all`` counts all.

    Example:
        >>> from goldassay.concepts.model import Found, lay_out
        >>> asthma, walk = Found("C0004096", "asthma", "C0004096", kinds="T047"), Found("C1", "walk", "C1", kinds="T056")
        >>> gold, pred = (lay_out([("d", "", found)]) for found in ([asthma], [asthma, walk]))
        >>> Medcon().score(pred=pred, gold=gold).f1, Medcon(groups="all").score(pred=pred, gold=gold).precision
        (1.0, 0.5)
    """

    name: ClassVar[str] = "medcon"
    title: ClassVar[str] = "MEDCON"
    formula: ClassVar[str] = (
        r"P = \frac{|C(y) \cap C(\hat y)|}{|C(y)|},\quad R = \frac{|C(y) \cap C(\hat y)|}{|C(\hat y)|},\quad "
        r"C(y) = \{c \text{ in } y \mid group(c) \in G\}"
    )
    citation: ClassVar[str] = "yim2023acibench"
    conventions: ClassVar[tuple[str, ...]] = (
        "the script of its source counts terms, each with all its concepts, so that its F1 can exceed 1; here concepts count",
        "the mean over documents; average=micro divides the sums of all documents",
    )

    groups: str = parameter(
        "medcon",
        help="semantic groups that count: medcon = the seven of its source, all, or one of them",
        choices=("medcon", "all", *TYPES),
    )

    def match(self, *, pred: Concepts, gold: Concepts, context: Context) -> ConceptMatching:
        """Find the same concept in the other note, among those of the groups.

        Raises:
            UsageError: If a concept has no id, or no semantic type while only some groups count.
        """
        del context
        for side, model in (("prediction", pred), ("gold standard", gold)):
            refuse_without("id", model.concept_ids, side, model, owner=str(self))
            if self.groups != "all":
                refuse_without("type", model.kinds, side, model, owner=str(self))
        counted = [self.counted(self.compared(model)) for model in (pred, gold)]
        left_out = len(pred) + len(gold) - sum(map(len, counted))
        return replace(equal_sides(pred=counted[0], gold=counted[1]), left_out=left_out)

    def counted(self, model: Concepts) -> Concepts:
        """Keep the concepts of the groups.

        Args:
            model: The documents.
        """
        if self.groups == "all":
            return model
        wanted = set(TYPES) if self.groups == "medcon" else {self.groups}
        kept = np.array([bool(groups_of(kinds) & wanted) for kinds in model.kinds.tolist()], dtype=np.bool_)
        mask: NDArray[np.bool_] = kept[model.words]
        return taken(model, mask)

    def remark(self, matching: ConceptMatching, values: Mapping[str, Any]) -> str | None:
        """Tell how many concepts are of other groups."""
        del values
        return f"{matching.left_out:,} concepts of other semantic groups are not counted" if matching.left_out else None
