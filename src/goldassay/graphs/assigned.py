"""One-to-one assignment by meaning: shared by the continuous and the graph score."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from goldassay.core.context import Context, FloatMatrix
from goldassay.core.counts import Counts, Division
from goldassay.core.errors import GoldassayWarning, UsageError
from goldassay.core.intern import Names, StringArray
from goldassay.core.matching import NONE_MET, NOTHING, ItemsT_co, Matching, Named, Side
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.core.signature import Signature
from goldassay.core.units import Units
from goldassay.encoders.measure import EncodedMeasure
from goldassay.graphs.model import Graph
from goldassay.graphs.texts import numbered_texts
from goldassay.kernels.edges.assignment import Assignment, assign, least_memory
from goldassay.kernels.types import Rows

UNPROVEN = Named(("not proven",))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AssignmentMatching(Matching[ItemsT_co]):
    """A one-to-one matching, and how far it may be from the best one.

    Attributes:
        slack: Upper bound on how much higher the sum of similarities of another one-to-one matching can be; 0 for the
            best.
    """

    slack: float


@dataclass(frozen=True, kw_only=True)
class AssignedMeasure(EncodedMeasure[Graph, AssignmentMatching[Any]]):
    """A measure that assigns items one to one, and adds up their similarities.

    Attributes:
        gap: How far the mean similarity may be below the optimum, if that cannot be found exactly.
    """

    sums_over_records: ClassVar[bool] = False
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType(
        dict.fromkeys(("precision", "recall", "f1", "f1_upper"), (-1.0, 1.0))
    )

    gap: float = parameter(
        1e-3, help="maximum distance from the optimum, if memory does not allow the exact score", bounds=(1e-4, 1.0)
    )

    def assign(
        self, vectors: FloatMatrix, *, rows: tuple[Rows, Rows], items: tuple[ItemsT_co, ItemsT_co], context: Context
    ) -> AssignmentMatching[ItemsT_co]:
        """Assign the items of both sides one to one."""
        least = least_memory(len(rows[0]), len(rows[1]))
        if context.memory < least:
            raise UsageError(
                f"{self.name}: the memory limit is too small.",
                found=f"{context.memory / 2**20:.3g} MB",
                expected=f"at least {math.ceil(least / 2**20)} MB",
                hint=f"--memory {math.ceil(least / 2**20)}",
            )
        found = _assigned_in_order(rows, vectors, self.gap, context)
        slack = found.upper - found.total
        if slack > self.gap * min(map(len, rows)):
            warnings.warn(
                f"{self}: the requested gap could not be reached; f1_upper is the upper bound of the score",
                GoldassayWarning,
                stacklevel=2,
            )
        back = found.turned(len(rows[1]))
        return AssignmentMatching(
            pred=_side(found), gold=_side(back), pred_items=items[0], gold_items=items[1], slack=slack
        )

    def parts(self, matching: AssignmentMatching[Any]) -> tuple[Part, ...]:
        """List the items of both sides, and the possible excess of the best assignment, which belongs to no item."""
        return with_slack(super().parts(matching), matching.slack)

    def units(self, matching: AssignmentMatching[Any]) -> Units | None:
        """Split the counts over items; None where the assignment is not proven to be the best."""
        return None if matching.slack else super().units(matching)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sum by the items of each side, and do the same with the highest sum there may be."""
        values = super().divide(counts, ratio)
        return {**values, "f1_upper": super().divide(highest(counts), ratio)["f1"]}

    def sign(self, *, pred: Graph, gold: Graph, counts: Counts, context: Context) -> Signature:
        """Build the signature, with the distance of the assignment from the best."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        mean = counts["slack"] / max(1, min(counts["n_pred"], counts["n_gold"]))
        return Signature(
            signature.measure, {"assignment": f"within {mean:.1e}" if mean else "exact", **signature.fields}
        )


def with_slack(parts: tuple[Part, ...], slack: float) -> tuple[Part, ...]:
    """Add what the best may have beyond the hits: a column of zeros, or a row of its own."""
    first, *others = parts
    if not slack:
        return replace(first, counts={**first.counts, "slack": np.zeros(len(first))}), *others
    return *parts, Part(items=UNPROVEN, others=NOTHING, unit_keys=lambda: UNPROVEN.names, counts={"slack": [slack]})


def highest(counts: Counts) -> Counts:
    """Return the counts with the most hits that there may be."""
    return Counts({**counts, **{side: np.add(counts[side], counts["slack"]) for side in ("hit_pred", "hit_gold")}})


def _assigned_in_order(rows: tuple[Rows, Rows], vectors: FloatMatrix, gap: float, context: Context) -> Assignment:
    """Assign from the smaller side, or for equal sizes the first by its rows: swapping the sides changes nothing."""
    pred, gold = rows
    options: dict[str, Any] = {"gap": gap, "memory": context.memory, "progress": context.progress}
    if (len(gold), gold.tobytes()) < (len(pred), pred.tobytes()):
        return assign(vectors, gold, pred, **options).turned(len(pred))
    return assign(vectors, pred, gold, **options)


def _side(found: Assignment) -> Side:
    met = found.counterpart != NONE_MET
    return Side(credit=np.where(met, found.similarity, 0.0), counterpart=found.counterpart, similarity=found.similarity)


def ranked_texts(
    *, pred: Names | StringArray, gold: Names | StringArray, context: Context
) -> tuple[Rows, Rows, FloatMatrix]:
    """Return the texts of both sides as rows of one matrix of vectors that is in their order."""
    texts, (here, there) = numbered_texts(pred, gold)
    vectors, rows = context.vectors(texts)
    return here, there, vectors[rows]
