"""Measures that compare meanings within documents, and argument tree similarity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.match import ConceptMatching, ConceptMeasure, comparable, equal_concepts, pair_documents
from goldassay.concepts.model import Concepts
from goldassay.core.context import Context
from goldassay.core.curve import Cut, Step, compute_steps, similarity_steps
from goldassay.core.matching import NO_MATCH, Side
from goldassay.core.parameters import parameter
from goldassay.encoders.measure import MINILM, MeaningMeasure, lenient_threshold
from goldassay.kernels.edges.grouped import Groups, join_groups

EPSILON = 0.6
"""Where all-MiniLM-L6-v2 best separates exact synonyms from the nearest of ten other concepts; see the decisions."""


@dataclass(frozen=True, kw_only=True)
class NearMeasure(ConceptMeasure, MeaningMeasure[Concepts, ConceptMatching]):
    """A concept is hit if its best cosine to a concept of the other answer is at least epsilon, or if it is equal to one."""

    epsilon: float = parameter(EPSILON, help="the minimum cosine", always=True, bounds=(-1.0, 1.0), encoder=MINILM)

    def match(self, *, pred: Concepts, gold: Concepts, context: Context) -> ConceptMatching:
        """Decide for every concept whether any concept of the other answer is near enough."""
        reported = self.reported(pred=pred, gold=gold)
        pred, gold = self.compared(pred), self.compared(gold)
        pairs = pair_documents(pred=pred, gold=gold)
        vectors, rows = context.vectors(np.concatenate([pred.names, gold.names]))
        # Equal names have equal rows.
        equal = equal_concepts(pred=pred, gold=gold, pairs=pairs, names=rows)
        left_ends, right_ends = comparable(pred=pred, gold=gold, pairs=pairs)
        groups = Groups(
            vectors=vectors,
            left=rows[: len(pred.names)][pred.words],
            right=rows[len(pred.names) :][gold.words],
            left_ends=left_ends,
            right_ends=right_ends,
        )
        sides = self.sides(groups, equal, context)
        return ConceptMatching(
            pred=sides[0],
            gold=sides[1],
            pred_items=pred,
            gold_items=gold,
            pairs=pairs,
            groups=groups,
            epsilon=self.epsilon,
            memory=context.memory,
            reported=reported,
        )

    def sides(
        self, groups: Groups, equal: tuple[NDArray[np.int64], NDArray[np.int64]], context: Context
    ) -> tuple[Side, Side]:
        """Decide which concepts of both sides are hit."""
        near = join_groups(groups, threshold=self.epsilon, memory=context.memory, progress=context.progress)
        return _side(near[0], equal[0]), _side(near[1], equal[1])

    @property
    def cut(self) -> Cut | None:
        """The cosine to reach."""
        return Cut("epsilon", self.epsilon)

    def match_widest(self, *, pred: Concepts, gold: Concepts, context: Context) -> ConceptMatching:
        """Look up the nearest concept of every concept, which says up to which epsilon it is hit."""
        return self.match(pred=pred, gold=gold, context=context).best(progress=context.progress)

    def steps(self, matching: ConceptMatching) -> list[Step]:
        """Score every document at every epsilon where one of its concepts begins to be hit."""
        found = similarity_steps(pred=matching.pred.similarity, gold=matching.gold.similarity)
        here, there = matching.item_pairs()
        steps = [step._replace(groups=groups) for step, groups in zip(found, (here, there, here, there), strict=True)]
        return compute_steps(steps, len(matching.pairs), self.values_of_each)

    def note(self, matching: ConceptMatching, values: Mapping[str, Any]) -> str | None:
        """Flag an epsilon that most pairs of concepts reach."""
        groups = matching.groups
        lenient = (
            lenient_threshold(groups.vectors, groups.left, groups.right, threshold=self.epsilon, inclusive=True)
            if groups
            else None
        )
        return "; ".join(filter(None, (lenient, super().note(matching, values)))) or None


def _side(near: NDArray[np.bool_], equal: NDArray[np.int64]) -> Side:
    """Make a side of verdicts; only equal counterparts are known so far."""
    return replace(Side.of_equals(equal), credit=(near | (equal != NO_MATCH)).astype(np.float64))


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
        "the source defines only recall, as ArgumentTreeSimilarity; precision and F1 are added",
        "the text of a path is its nodes joined by --separator",
        "the source specifies no epsilon; 0.6 is that of concept for all-MiniLM-L6-v2, other encoders need their own",
    )

    def note(self, matching: ConceptMatching, values: Mapping[str, Any]) -> str | None:
        """Flag concepts that are not paths, and what all measures of meaning flag."""
        sides = (matching.pred_items, matching.gold_items)
        known = all(model.choices.get("concepts", "").startswith("paths") for model in sides)
        flagged = None if known else "the concepts are not paths of trees: each counts as a path of one node"
        return "; ".join(filter(None, (flagged, super().note(matching, values)))) or None
