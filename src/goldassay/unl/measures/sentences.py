"""The matching of sentences: which are returned, which are correct, and why others are not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import Counts, Division, FloatArray, precision_recall_f1
from goldassay.core.curve import Step
from goldassay.core.matching import NO_MATCH, Matching, Side, SideName
from goldassay.core.measure import PRECISION_RECALL_F1, Measure, ModelType, added_counts, item_names
from goldassay.core.parameters import Bounds
from goldassay.core.parts import Part, both_parts
from goldassay.kernels.ragged import inverse
from goldassay.unl.model import Document, Texts

Column: TypeAlias = NDArray[Any] | Callable[[int], str]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SentenceMatching(Matching[Document | Texts]):
    """Sentences and their verdicts."""

    # whether each predicted sentence is a valid result, and each expected one can be compared
    included: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    # columns of evidence on the predicted sentences, each of shape (pred,), or a function that computes one entry
    compared: Mapping[str, Column]
    # the highest limit at which each predicted sentence is not correct (`tight_limit`), nan where there is no such
    # limit: float64, shape (pred,)
    apart: FloatArray
    # the value of each of the columns for an expected sentence without a partner
    missing: Mapping[str, Any] = field(default_factory=dict)

    def details(self, side: SideName, rows: NDArray[np.int64]) -> Mapping[str, NDArray[Any]]:
        """Return the result of the comparison of some sentences with their partners."""
        here = rows if side == "pred" else self.gold.counterpart[rows]
        return {name: self.column(name, here) for name in self.compared}

    def column(self, name: str, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Return the entries of one column of evidence for some predicted sentences, -1 for none."""
        column, missing = self.compared[name], self.missing[name]
        if callable(column):
            return np.array([missing if row == NO_MATCH else column(row) for row in rows.tolist()], dtype=object)
        return np.append(column, np.array([missing], dtype=column.dtype))[rows]


def tight_limit(apart: Fraction) -> float:
    """Return the highest number that as a limit is not above a discrepancy."""
    # A limit means the decimal number that it is written as. So it may be above a fraction whose nearest number it is.
    nearest = float(apart)
    return math.nextafter(nearest, -math.inf) if Fraction(str(nearest)) > apart else nearest


def sentence_matching(
    *,
    partner: NDArray[np.int64],
    returned: NDArray[np.bool_],
    correct: NDArray[np.bool_],
    similarity: NDArray[np.float64],
    expected: NDArray[np.bool_],
    apart: FloatArray,
    compared: Mapping[str, Column],
    missing: Mapping[str, Any],
    pred: Document | Texts,
    gold: Document | Texts,
) -> SentenceMatching:
    """Build a matching of both sides from verdicts on predicted sentences."""
    back = inverse(partner, len(gold))
    matched = back != NO_MATCH
    gold_correct, gold_similarity = np.zeros(len(gold)), np.full(len(gold), np.nan)
    gold_correct[matched], gold_similarity[matched] = correct[back[matched]], similarity[back[matched]]
    return SentenceMatching(
        pred=Side(credit=correct.astype(np.float64), counterpart=partner, similarity=similarity),
        gold=Side(credit=gold_correct, counterpart=back, similarity=gold_similarity),
        pred_items=pred,
        gold_items=gold,
        included=(returned, expected),
        compared=compared,
        apart=apart,
        missing=missing,
    )


@dataclass(frozen=True, kw_only=True)
class SentenceMeasure(Measure[ModelType, SentenceMatching]):
    """A measure of whole sentences: precision over those returned, recall over those expected."""

    citation: ClassVar[str] = "unlwiki2013fmeasure"
    values: ClassVar[Mapping[str, Bounds]] = PRECISION_RECALL_F1
    headline: ClassVar[str] = "f1"
    unit: ClassVar[str] = "sentence"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "none"

    @property
    def weighs_gold(self) -> bool:
        """Every expected sentence is counted for itself."""
        return True

    def parts(self, matching: SentenceMatching) -> tuple[Part, ...]:
        """List the sentences of both sides: each is returned or expected, and correct or not."""
        pred, gold = matching.pred_items, matching.gold_items
        keys = [partial(names, matching) for names in (_name_predicted, _gold_keys)]
        return both_parts((pred, gold), keys, added_counts(partial(self.added, matching)))

    def note(self, matching: SentenceMatching, values: Mapping[str, Any]) -> str | None:
        """Return how many predicted sentences do not count as returned, and why."""
        del values
        returned, _ = matching.included
        out = np.flatnonzero(~returned)
        if not len(out):
            return None
        # A reason may end with the word that it is about.
        why = Counter(str(one).partition(" '")[0] for one in matching.column("why", out))
        reasons = ", ".join(f"{reason} ({times:,})" for reason, times in why.most_common())
        does = "does" if len(out) == 1 else "do"
        return f"{len(out):,} of the {len(returned):,} predicted sentences {does} not count as returned: {reasons}"

    def steps(self, matching: SentenceMatching) -> list[Step]:
        """Build the curve on which a predicted sentence, and the one that it answers, are correct from their distance on."""
        apart, (returned, expected) = matching.apart, matching.included
        return [
            Step("hit_pred", 1.0, apart),
            Step("n_pred", returned),
            Step("hit_gold", 1.0, np.where(matching.pred.counterpart == NO_MATCH, np.nan, apart)),
            Step("n_gold", expected),
        ]

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide correct by returned and by expected sentences."""
        return precision_recall_f1(counts, ratio)


def _gold_keys(matching: SentenceMatching) -> list[str]:
    """Name each expected sentence by its id, or by its place where ids are not unique."""
    ids = [name or str(row + 1) for row, name in enumerate(matching.gold_items.ids)]
    return ids if len(set(ids)) == len(ids) else [f"{row + 1}" for row in range(len(ids))]


def _name_predicted(matching: SentenceMatching) -> list[str]:
    """Name each predicted sentence by its expected partner: the two are one unit."""
    names, gold_keys = item_names(matching.pred_items), _gold_keys(matching)
    partners = matching.pred.counterpart.tolist()
    return [
        f"{row + 1}, not expected: {names[row]}" if partner == NO_MATCH else gold_keys[partner]
        for row, partner in enumerate(partners)
    ]
