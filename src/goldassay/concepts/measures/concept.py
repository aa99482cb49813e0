"""Concept F1: a concept counts if its meaning is similar to that of a concept of the other answer, or if its key is equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.match import AssertedMeasure, ConceptMatching, equal_sides, refuse_without
from goldassay.concepts.measures.near import NearMeasure
from goldassay.concepts.model import Concepts
from goldassay.core.context import Context
from goldassay.core.counts import FloatArray
from goldassay.core.curve import Cut
from goldassay.core.errors import UsageError, require
from goldassay.core.matching import NO_MATCH, Side
from goldassay.core.measure import PRECISION_RECALL_F1, Symmetry
from goldassay.core.parameters import Bounds, parameter
from goldassay.kernels.cosine import pair_cosines
from goldassay.kernels.edges.grouped import Groups
from goldassay.kernels.edges.one_to_one import OneToOne, match_one_to_one

SOURCE_BOUNDS: Mapping[str, Bounds] = MappingProxyType(
    {"precision": (0.0, 1.0), "recall": (0.0, np.inf), "f1": (0.0, 2.0)}
)


@dataclass(frozen=True, kw_only=True)
class Concept(NearMeasure, AssertedMeasure):
    """A concept is hit if its best cosine to a concept of the other answer is at least epsilon.

    Recall divides the hits of the system by the concepts of gold, as its source defines it, so that it exceeds 1 if
    several concepts of the system match one of gold. Concepts of equal id, or without ids of equal text, always match.

    Attributes:
        average: ``macro`` takes the mean of the values of the documents, ``micro`` divides their sums.
        assertions: How assertions are compared: ``match`` (they must be equal), ``ignore`` or ``report``.
        numbers: Whether numbers with units must have equal values: ``exact`` or ``ignore``.
        epsilon: The minimum cosine.
        recall: ``source`` counts the hits of the system, ``symmetric`` the matched concepts of gold.
        assignment: How many concepts a concept may match: ``many``, or ``one``: the hits of a document are then a
            largest one-to-one matching over the matching pairs.

    Example:
        >>> from goldassay.concepts import Concepts
        >>> gold = Concepts.from_lists([("q1", ["heart attack", "smoking"])])
        >>> pred = Concepts.from_lists([("q1", ["heart attacks", "aspirin"])])
        >>> Concept().score(pred=pred, gold=gold, encoder="hashing").f1
        0.5
    """

    name: ClassVar[str] = "concept"
    title: ClassVar[str] = "Concept F1"
    formula: ClassVar[str] = (
        r"h = |\{c \in C(y) \mid \max_{\hat c \in C(\hat y)} \cos(c, \hat c) \geq \epsilon\}|,\quad "
        r"P = \frac{h}{|C(y)|},\quad R = \frac{h}{|C(\hat y)|},\quad F_1 = \frac{2PR}{P + R}"
    )
    citation: ClassVar[str] = "conceptf1"
    conventions: ClassVar[tuple[str, ...]] = (
        "recall divides the hits of the system, and can exceed 1: recall=symmetric counts the matched concepts of gold",
        "one concept may match any number of concepts: assignment=one allows one match each",
        "the mean over documents; average=micro divides the sums of all documents",
        "the source has no assertions and numbers: assertions=ignore, numbers=ignore is its definition",
        "the source specifies no epsilon; 0.6 is calibrated for all-MiniLM-L6-v2, other encoders need their own",
    )

    recall: str = parameter(
        "source",
        help="which hits recall counts: source = those of the system (can exceed 1), symmetric = those of gold",
        choices=("source", "symmetric"),
    )
    assignment: str = parameter(
        "many",
        help="how many concepts a concept may match: many, or one (a largest one-to-one matching)",
        choices=("many", "one"),
    )

    @property
    def values(self) -> Mapping[str, Bounds]:
        """Precision, recall and F1; recall as its source defines it has no upper bound."""
        return SOURCE_BOUNDS if self.recall == "source" and self.assignment == "many" else PRECISION_RECALL_F1

    @property
    def perfect(self) -> Mapping[str, float]:
        """The score of a model against itself: 1."""
        return dict.fromkeys(self.values, 1.0)

    @property
    def symmetry(self) -> Symmetry:
        """Recall as its source defines it is not the precision of the sides swapped."""
        return "none" if self.recall == "source" and self.assignment == "many" else "swap"

    def sides(
        self, groups: Groups, equal: tuple[NDArray[np.int64], NDArray[np.int64]], context: Context
    ) -> tuple[Side, Side]:
        """Decide which concepts of both sides are hit, each by any other or by one of its own."""
        if self.assignment == "one":
            return _match_one_to_one(groups, equal[0], self.epsilon, context)
        return super().sides(groups, equal, context)

    @property
    def weighs_gold(self) -> bool:
        """Only if recall counts concepts of gold, each for itself."""
        return self.recall == "symmetric" and self.assignment == "many"

    @property
    def cut(self) -> Cut | None:
        """The cosine to reach; none where concepts are matched one to one, anew for each epsilon."""
        return None if self.assignment == "one" else super().cut

    def no_curve(self) -> UsageError:
        """Return why there is no curve."""
        return UsageError(f"{self}: curves are not supported with one-to-one matching.", hint="assignment=many")

    def recall_values(self, counts: Mapping[str, Any]) -> Any:
        """Return which hits recall counts."""
        return counts["hit_pred" if self.recall == "source" else "hit_gold"]

    def note(self, matching: ConceptMatching, values: Mapping[str, Any]) -> str | None:
        """Flag a recall above 1, and what all measures of meaning and of assertions flag."""
        recalls = self.per_document(matching)["sum_recall"]
        notes = note_recall_above_1(recalls, np.ones(len(recalls))), super().note(matching, values)
        return "; ".join(filter(None, notes)) or None


def note_recall_above_1(recalls: FloatArray, times: FloatArray) -> str | None:
    """Return the note on documents whose recall exceeds 1; None if there is none."""
    above = int(times[recalls > 1].sum())
    if not above:
        return None
    return (
        f"recall exceeds 1 in {above:,} of {int(times.sum()):,} documents, where several predicted "
        "concepts match one of gold; recall=symmetric counts the concepts of gold instead"
    )


def _match_one_to_one(groups: Groups, equal: NDArray[np.int64], epsilon: float, context: Context) -> tuple[Side, Side]:
    """Match the concepts of each pair of documents one to one; equal ones may be matched regardless of their vectors."""
    require("scipy", extra="scipy", purpose="find a largest one-to-one matching")
    pairs_matched = np.flatnonzero(equal != NO_MATCH)
    spans = zip(groups.left_ends.tolist(), groups.right_ends.tolist(), strict=True)
    found = match_one_to_one(
        groups.vectors,
        groups.left,
        groups.right,
        threshold=epsilon,
        inclusive=True,
        groups=[(np.arange(*here), np.arange(*there)) for here, there in spans],
        also=(pairs_matched, equal[pairs_matched]),
        memory=context.memory,
        progress=context.progress,
    )
    if found.size < found.upper:
        raise UsageError(
            "The memory is too small for a largest one-to-one matching.",
            found=f"{context.memory / 2**20:.3g} MB",
            expected=f"more; {found.size:,} pairs were matched, and at most {found.upper:,} can be",
            hint="--memory 4096",
        )
    sides = (found, groups.left, groups.right), (found.swap_sides(len(groups.right)), groups.right, groups.left)
    return _match_sides(groups, *sides[0]), _match_sides(groups, *sides[1])


def _match_sides(groups: Groups, found: OneToOne, here: NDArray[np.int64], there: NDArray[np.int64]) -> Side:
    matched = np.flatnonzero(found.counterpart != NO_MATCH)
    similarity = np.full(len(here), np.nan)
    similarity[matched] = pair_cosines(groups.vectors, here[matched], there[found.counterpart[matched]])
    return Side(
        credit=(found.counterpart != NO_MATCH).astype(np.float64), counterpart=found.counterpart, similarity=similarity
    )


@dataclass(frozen=True, kw_only=True)
class ConceptExact(AssertedMeasure):
    """A concept is hit if the other answer has a concept of the same id, or of the same text if there are no ids.

    Attributes:
        average: ``macro`` takes the mean of the values of the documents, ``micro`` divides their sums.
        assertions: How assertions are compared: ``match`` (they must be equal), ``ignore`` or ``report``.
        numbers: Whether numbers with units must have equal values: ``exact`` or ``ignore``.
        ids: ``preferred`` compares ids, and texts where there are no ids; ``required`` rejects concepts without an id.

    Example:
        >>> gold = Concepts.from_lists([("q1", [("heart attack", "C0027051"), ("smoking", "C0037369")])])
        >>> pred = Concepts.from_lists([("q1", [("myocardial infarction", "C0027051")])])
        >>> ConceptExact(ids="required").score(pred=pred, gold=gold).recall
        0.5
    """

    name: ClassVar[str] = "concept_exact"
    title: ClassVar[str] = "Exact concept F1"
    formula: ClassVar[str] = (
        r"P = \frac{|C(y) \cap C(\hat y)|}{|C(y)|},\quad R = \frac{|C(y) \cap C(\hat y)|}{|C(\hat y)|}"
    )
    citation: ClassVar[str] = "yim2023acibench"
    conventions: ClassVar[tuple[str, ...]] = (
        "medcon compares only ids, of some semantic groups",
        "the mean over documents; average=micro divides the sums of all documents",
    )

    ids: str = parameter(
        "preferred",
        help="whether concepts are compared by id: preferred = by id if any, else by text; required = only by id",
        choices=("preferred", "required"),
    )

    @property
    def keys(self) -> tuple[str, ...]:
        """The document and the concept as it is compared, unless only ids are."""
        return ("id", "concept") if self.ids == "preferred" else ()

    def match(self, *, pred: Concepts, gold: Concepts, context: Context) -> ConceptMatching:
        """Find the same concept in the other answer.

        Raises:
            UsageError: If ids are required and a concept has none.
        """
        del context
        if self.ids == "required":
            for side, model in (("prediction", pred), ("gold standard", gold)):
                refuse_without("id", model.concept_ids, side, model, owner=str(self))
        reported = self.reported(pred=pred, gold=gold)
        return equal_sides(pred=self.compared(pred), gold=self.compared(gold), reported=reported)
