"""MEDCON: concepts of the semantic groups of the UMLS that it counts (McCray et al. 2001)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.match import (
    ConceptMatching,
    ConceptMeasure,
    equal_sides,
    pair_documents,
    pair_of,
    refuse_without,
)
from goldassay.concepts.model import Concepts, Mention
from goldassay.core.context import Context
from goldassay.core.counts import FloatArray
from goldassay.core.documents import DocumentPairs
from goldassay.core.matching import NO_MATCH, Side
from goldassay.core.measure import Symmetry
from goldassay.core.parameters import Bounds, parameter

TYPES: Mapping[str, str] = MappingProxyType(
    {
        "ANAT": "T017 T018 T021 T022 T023 T024 T025 T026 T029 T030 T031",
        "CHEM": "T103 T104 T109 T110 T111 T114 T115 T116 T117 T118 T119 T120 T121 T122 T123 T124 T125 T126 T127 T129 T130 T131 "
        "T192 T195 T196 T197 T200",
        "DEVI": "T074 T075 T203",
        "DISO": "T019 T020 T033 T037 T046 T047 T048 T049 T050 T184 T190 T191",
        "GENE": "T028 T085 T086 T087 T088",
        "PHEN": "T034 T038 T067 T068 T069 T070",
        "PHYS": "T032 T039 T040 T041 T042 T043 T044 T045 T201",
    }
)
"""Anatomy, chemicals and drugs, devices, disorders, genes and molecular sequences, phenomena, and physiology."""

GROUP_OF: Mapping[str, str] = MappingProxyType(
    {**{kind: group for group, kinds in TYPES.items() for kind in kinds.split()}, **{group: group for group in TYPES}}
)


def groups_of(kinds: str) -> frozenset[str]:
    """Return the groups of a concept."""
    return frozenset(GROUP_OF[kind] for kind in kinds.split(",") if kind in GROUP_OF)


TERM_BOUNDS: Mapping[str, Bounds] = MappingProxyType(
    {"precision": (0.0, np.inf), "recall": (0.0, 1.0), "f1": (0.0, 2.0)}
)


@dataclass(frozen=True, kw_only=True)
class Medcon(ConceptMeasure):
    """A concept is hit if the other note has a concept of the same id; only concepts of some semantic groups count.

    Assertions are ignored, as by its source.

    Attributes:
        average: ``macro`` takes the mean of the values of the documents, ``micro`` divides their sums.
        by: ``id`` counts ids; ``term`` counts texts, each with all its ids, as the script of its source does.
        groups: ``medcon`` counts anatomy, chemicals and drugs, devices, disorders, genes and molecular sequences,
            phenomena and physiology, a group by its name in the UMLS (``DISO``) counts only that group, ``all`` counts all.

    Example:
        >>> from goldassay.concepts.model import Mention, lay_out
        >>> asthma, walk = Mention("C0004096", "asthma", "C0004096", kinds="T047"), Mention("C1", "walk", "C1", kinds="T056")
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
        "the script of its source divides the terms of gold that are hit on both sides: by=term, of files read with --terms",
        "the mean over documents; average=micro divides the sums of all documents",
    )

    by: str = parameter(
        "id",
        help="what counts: id = concepts; term = texts with all their ids, where the hits of gold are divided on both sides "
        "(can exceed 1)",
        choices=("id", "term"),
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
        matching = _terms(*counted) if self.by == "term" else equal_sides(pred=counted[0], gold=counted[1])
        return replace(matching, left_out=left_out)

    @property
    def values(self) -> Mapping[str, Bounds]:
        """Precision, recall and F1; the precision of terms has no upper bound."""
        return TERM_BOUNDS if self.by == "term" else super().values

    @property
    def perfect(self) -> Mapping[str, float]:
        """The score of a model against itself: 1."""
        return dict.fromkeys(self.values, 1.0)

    @property
    def symmetry(self) -> Symmetry:
        """The precision of terms is not the recall of the sides swapped."""
        return "none" if self.by == "term" else super().symmetry

    @property
    def weighs_gold(self) -> bool:
        """Only if ids are counted."""
        return self.by == "id"

    def values_of_each(self, sums: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
        """Divide the hits of gold on both sides, where terms count."""
        return super().values_of_each({**sums, "hit_pred": sums["hit_gold"]} if self.by == "term" else sums)

    def counted(self, model: Concepts) -> Concepts:
        """Keep the concepts of the groups."""
        if self.groups == "all":
            return model
        wanted = set(TYPES) if self.groups == "medcon" else {self.groups}
        kept = np.array([bool(groups_of(kinds) & wanted) for kinds in model.kinds.tolist()], dtype=np.bool_)
        mask: NDArray[np.bool_] = kept[model.words]
        return model.take(mask)

    def note(self, matching: ConceptMatching, values: Mapping[str, Any]) -> str | None:
        """Return how many concepts of other groups are not counted."""
        del values
        return f"{matching.left_out:,} concepts of other semantic groups are not counted" if matching.left_out else None


def _terms(pred: Concepts, gold: Concepts) -> ConceptMatching:
    """Match each term with the first one in the other document of its pair that has one of its ids."""
    pred, gold = (model.relaid(_group_by_term(model)) for model in (pred, gold))
    pairs = pair_documents(pred=pred, gold=gold)
    here, there = _list_places(pred, pairs.pred, pairs), _list_places(gold, pairs.gold, pairs)
    return ConceptMatching(
        pred=_first_of(here, there), gold=_first_of(there, here), pred_items=pred, gold_items=gold, pairs=pairs
    )


def _group_by_term(model: Concepts) -> Iterator[tuple[str, str, list[Mention]]]:
    for row, (name, text) in enumerate(zip(model.ids.tolist(), model.texts.tolist(), strict=True)):
        ids: dict[str, set[str]] = {}
        for one in model.found(row):
            ids.setdefault(one.name, set()).add(one.id)
        yield name, text, [Mention(term, term, "\t".join(sorted(some))) for term, some in ids.items()]


def _list_places(model: Concepts, rows: NDArray[np.int64], pairs: DocumentPairs) -> list[list[tuple[int, str]]]:
    """List the ids of each term, each with its pair of documents."""
    words = model.concept_ids[model.words].tolist()
    return [
        [(pair, one) for one in ids.split("\t")]
        for pair, ids in zip(pair_of(model, rows, pairs).tolist(), words, strict=True)
    ]


def _first_of(here: Sequence[Sequence[tuple[int, str]]], there: Sequence[Sequence[tuple[int, str]]]) -> Side:
    first: dict[tuple[int, str], int] = {}
    for row, ids in enumerate(there):
        for one in ids:
            first.setdefault(one, row)
    return Side.of_equals(
        np.array([min((first[one] for one in ids if one in first), default=NO_MATCH) for ids in here], dtype=np.int64)
    )
