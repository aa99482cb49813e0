"""Whether the relation that is ranked first for the right entity is the right one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from goldassay.alignments.matching import AlignmentMatching, query_names
from goldassay.alignments.model import Alignment
from goldassay.alignments.overlap import AlignmentMeasure, check_unit
from goldassay.alignments.rankings.ranks import Lists, lists_of
from goldassay.alignments.relations import RELATIONS
from goldassay.alignments.sides import Sides
from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray
from goldassay.core.matching import NONE_MET, Side
from goldassay.core.measure import Symmetry
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.core.signature import Signature

KINDS = range(len(RELATIONS))


@dataclass(frozen=True, eq=False, kw_only=True)
class ChoiceMatching(AlignmentMatching):
    """References whose entity is among the candidates, and the relations that are ranked first there.

    Attributes:
        chosen: How likely each relation is chosen, float64, shape (references, relations); 0 if the entity is not there.
    """

    chosen: FloatArray


@dataclass(frozen=True, kw_only=True)
class RelationChoice(AlignmentMeasure[ChoiceMatching]):
    """Of the candidates that are the right entity the best-scored one is taken: is its relation right, too?

    References whose entity is no candidate are left out. ``macro_f1`` is the mean over relations that gold has or that are
    chosen.

    Attributes:
        ties: How to treat relations with equal scores: each of them as likely, or in the order of relations (``name``).

    Example:
        >>> gold = Alignment.from_rows([("A", "1", "="), ("B", "2", "<")])
        >>> pred = Alignment.from_rows([("A", "1", "<", 0.4), ("A", "1", "=", 0.5), ("B", "2", "=", 0.9)])
        >>> found = RelationChoice().score(pred=pred, gold=gold)
        >>> found.accuracy, round(found.macro_f1, 4)
        (0.5, 0.3333)
    """

    name: ClassVar[str] = "relation_choice"
    title: ClassVar[str] = "Relation of the right entity"
    formula: ClassVar[str] = (
        r"\text{Acc} = \frac{1}{|Q|} \sum_{q \in Q} \mathbf{1}[\arg\max_r s_q(t_q, r) = r_q],\quad "
        r"F = \frac{1}{|L|} \sum_{r \in L} F_1(r)"
    )
    citation: ClassVar[str] = "bioml2026kit"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType({"accuracy": (0.0, 1.0), "macro_f1": (0.0, 1.0)})
    headline: ClassVar[str] = "accuracy"
    unit: ClassVar[str] = "query"
    symmetry: ClassVar[Symmetry] = "none"

    ties: str = parameter("expected", help="each of equal relations, or by their order", choices=("expected", "name"))

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> ChoiceMatching:
        """Find the candidates that are the right entity, and the best-scored of their relations."""
        check_unit(pred)
        both = self.both(pred=pred, gold=gold, context=context)
        lists = lists_of(both, typed=True, by_name=self.ties == "name")
        items = lists.items if lists.rows is None else lists.items.take(lists.rows)
        chosen = self._chosen(both, lists, items)
        wanted = both.whole_gold.relations.astype(np.int64)
        right = chosen[np.arange(len(wanted)), wanted]
        return ChoiceMatching(
            pred=Side.of_hits(np.zeros(len(items), dtype=np.bool_)),
            gold=Side(
                credit=right,
                counterpart=np.where(right > 0, lists.at, NONE_MET),
                similarity=np.where(right > 0, right, np.nan),
            ),
            pred_items=items,
            gold_items=both.whole_gold,
            numbering=both.numbering,
            predicted=items,
            reference=both.whole_gold,
            chosen=chosen,
        )

    def _chosen(self, both: Sides, lists: Lists, items: Alignment) -> FloatArray:
        import polars as pl

        _, _, target = both.numbering.entities(both.whole_gold, gold=True)
        asked = pl.DataFrame({"list": lists.references, "target": target}).with_row_index("reference")
        offered = pl.DataFrame(
            {
                "list": lists.lists,
                "target": items.targets.astype(np.int64),
                "relation": items.relations.astype(np.int64),
                "score": lists.scores,
            }
        )
        best = asked.join(offered, on=["list", "target"]).filter(
            pl.col("score") == pl.col("score").max().over("reference")
        )
        if self.ties == "name":
            best = best.filter(pl.col("relation") == pl.col("relation").min().over("reference"))
        best = best.unique(["reference", "relation"])
        chosen = np.zeros((len(both.whole_gold), len(RELATIONS)))
        chosen[best["reference"].to_numpy(), best["relation"].to_numpy()] = 1.0
        return np.asarray(chosen / np.maximum(chosen.sum(axis=1, keepdims=True), 1.0))

    def parts(self, matching: ChoiceMatching) -> tuple[Part, ...]:
        """List the references: which relation each has, which is chosen, and whether that is right."""
        items, chosen = matching.reference, matching.chosen
        there = (chosen.sum(axis=1) > 0).astype(np.float64)
        counts: dict[str, Any] = {"right": matching.gold.credit, "references": there}
        for kind in KINDS:
            wanted = there * (items.relations == kind)
            counts |= {
                f"right_{kind}": wanted * chosen[:, kind],
                f"wanted_{kind}": wanted,
                f"chosen_{kind}": chosen[:, kind],
            }
        return (Part(items=items, others=matching.pred_items, unit_keys=partial(query_names, items), counts=counts),)

    def sign(self, *, pred: Alignment, gold: Alignment, counts: Counts, context: Context) -> Signature:
        """Build the signature, with the number of references whose entity is listed: what the prediction lists decides it."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        return signature.with_field("ranked", str(counts["references"]))

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide what is right by the references, and take the mean of the F1 of relations."""
        below = [np.add(counts[f"wanted_{kind}"], counts[f"chosen_{kind}"]) for kind in KINDS]
        some = Division(0.0)
        f1 = sum(some("f1", 2 * counts[f"right_{kind}"], both) for kind, both in zip(KINDS, below, strict=True))
        present = sum(np.greater(both, 0).astype(float) for both in below)
        return {
            "accuracy": ratio("accuracy", counts["right"], counts["references"]),
            "macro_f1": ratio("macro_f1", f1, present),
        }

    def remark(self, matching: ChoiceMatching, values: Mapping[str, Any]) -> str | None:
        """Say how many references are left out."""
        del values
        without = int((matching.chosen.sum(axis=1) == 0).sum())
        if not without:
            return None
        return f"{without:,} of {len(matching.chosen):,} references are left out: their entity is no candidate"
