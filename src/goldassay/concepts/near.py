"""Shared by the measures of meaning: a concept is hit if one of the other answer is near enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.matching import ConceptMatching, ConceptMeasure, equal_concepts
from goldassay.concepts.model import Concepts
from goldassay.concepts.pairing import comparable, paired
from goldassay.core.context import Context
from goldassay.core.curve import Cut, Step, grouped_steps, similarity_steps
from goldassay.core.matching import NONE_MET, Side
from goldassay.core.parameters import parameter
from goldassay.encoders.measure import MINILM, MeaningMeasure, lenient_threshold
from goldassay.kernels.edges.grouped import Groups, grouped_join

EPSILON = 0.6
"""Where all-MiniLM-L6-v2 best separates exact synonyms from the nearest of ten other concepts; see the decisions."""


@dataclass(frozen=True, kw_only=True)
class NearMeasure(ConceptMeasure, MeaningMeasure[Concepts, ConceptMatching]):
    """A concept is hit if its best cosine to a concept of the other answer is at least epsilon, or if it is equal to one.

    Attributes:
        epsilon: The minimum cosine.
    """

    epsilon: float = parameter(EPSILON, help="the minimum cosine", always=True, bounds=(-1.0, 1.0), encoder=MINILM)

    def match(self, *, pred: Concepts, gold: Concepts, context: Context) -> ConceptMatching:
        """Decide for every concept whether any concept of the other answer is near enough."""
        told = self.told(pred=pred, gold=gold)
        pred, gold = self.compared(pred), self.compared(gold)
        pairs = paired(pred=pred, gold=gold)
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
            told=told,
        )

    def sides(
        self, groups: Groups, equal: tuple[NDArray[np.int64], NDArray[np.int64]], context: Context
    ) -> tuple[Side, Side]:
        """Decide which concepts of both sides are hit."""
        near = grouped_join(groups, threshold=self.epsilon, memory=context.memory, progress=context.progress)
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
        return grouped_steps(steps, len(matching.pairs), self.of_each)

    def remark(self, matching: ConceptMatching, values: Mapping[str, Any]) -> str | None:
        """Flag an epsilon that hardly tells concepts apart."""
        groups = matching.groups
        lenient = (
            lenient_threshold(groups.vectors, groups.left, groups.right, threshold=self.epsilon, inclusive=True)
            if groups
            else None
        )
        return "; ".join(filter(None, (lenient, super().remark(matching, values)))) or None


def _side(near: NDArray[np.bool_], equal: NDArray[np.int64]) -> Side:
    """Make a side of verdicts; only equal counterparts are known so far."""
    return replace(Side.of_equals(equal), credit=(near | (equal != NONE_MET)).astype(np.float64))
