"""The numbers of the script of PiVe, so that they can be compared with what others printed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray
from goldassay.core.documents import DocumentPairs
from goldassay.core.matching import NO_MATCH
from goldassay.core.parameters import Bounds
from goldassay.core.parts import Part
from goldassay.core.text import count_of
from goldassay.kernels.assigned import assign_rows
from goldassay.triples.match import ValuedMatching, check_size
from goldassay.triples.measures.graphs import SmallGraph, edit_distance
from goldassay.triples.measures.measure import ReferencedMeasure
from goldassay.triples.measures.scripts import LARGEST, TOO_LARGE, WrittenTriples, matching_attributes
from goldassay.triples.model import TripleSet
from goldassay.triples.words import bleu, rouge2, sentence_of

SHARES = ("precision", "recall", "f1")
SENTENCES = tuple(f"{name}_{share}" for name in ("g_bleu", "g_rouge") for share in SHARES)
VALUES = ("triple_match_f1", "graph_match_accuracy", *SENTENCES, "ged")
FILLER = "NULL"
WORST_PREDICTION = 30
"""What the script adds to the nodes and edges of gold to bound the distance."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PiveMatching(ValuedMatching[WrittenTriples]):
    """What the script says of each graph."""

    least: FloatArray  # the least that each `ged` can be
    unknown: int  # how many graphs may match, and count as different


@dataclass(frozen=True, kw_only=True)
class Pive(ReferencedMeasure[PiveMatching]):
    """What ``graph_evaluation/metrics/eval.py`` of PiVe prints, but for G-BERTScore.

    A preset. Graph match compares relations and shape, and no names; parallel relations overwrite each other; G-ROUGE is
    ROUGE-2 precision; and an empty prediction turns the precision of G-BLEU and G-ROUGE into nan for all documents.
    `TripleF1`, `GraphMatch`, `GBleu`, `GRouge` and `Ged` are the clean measures.

    Example:
        >>> gold, pred = (TripleSet.from_lists({"d": [(a, "r", b)]}) for a, b in ("ab", "xy"))
        >>> score = Pive().score(pred=pred, gold=gold)
        >>> score.triple_match_f1, score.graph_match_accuracy
        (0.0, 1.0)
    """

    name: ClassVar[str] = "pive"
    title: ClassVar[str] = "PiVe script"
    largest: ClassVar[bool] = False
    formula: ClassVar[str] = r"F_1 = \frac{2 |P \cap G|}{|P| + |G|},\quad \text{and means over graphs}"
    citation: ClassVar[str] = "han2024pive"
    values: ClassVar[Mapping[str, Bounds]] = MappingProxyType(dict.fromkeys(VALUES, (0.0, 1.0)))
    headline: ClassVar[str] = "triple_match_f1"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "none"
    defined_one_sided: ClassVar[bool] = True
    conventions: ClassVar[tuple[str, ...]] = (
        "G-BERTScore is not computed",
        "networkx, which the script uses, lets a loop become an edge for nothing: distances of graphs with loops differ",
    )

    @property
    def perfect(self) -> Mapping[str, float]:
        """All 1, and no distance."""
        return {name: float(name != "ged") for name in VALUES}

    def worth(self, matching: PiveMatching) -> FloatArray:
        """Return the F1 of the triples of each graph."""
        sums = matching.sums
        return np.asarray(2 * sums["matched"] / np.maximum(sums["n_pred"] + sums["n_gold"], 1))

    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> PiveMatching:
        """Compare graph by graph."""
        rows: list[dict[str, float]] = []
        counterparts = [np.full(len(side.written), NO_MATCH, dtype=np.int64) for side in (pred, gold)]
        counted = [np.zeros(len(side.written), dtype=np.bool_) for side in (pred, gold)]
        least = np.zeros(len(pairs))
        unknown = 0
        for pair, (here, there) in enumerate(zip(pairs.pred.tolist(), pairs.gold.tolist(), strict=True)):
            ours = [] if here == NO_MATCH else pred.written_of(here)
            theirs = [] if there == NO_MATCH else gold.written_of(there)
            hint = "the measures triples, graph_match and ged have no such bound"
            check_size(max(len(ours), len(theirs)), pred.path, TOO_LARGE, most=LARGEST, hint=hint)
            row, least[pair], known = _graph(ours, theirs)
            rows.append(row)
            unknown += not known
            own, wanted = (
                {_drop_empty_slots(triple): place for place, triple in enumerate(some)} for some in (ours, theirs)
            )
            counted[0][pred.written_starts[here] + np.array([*own.values()], dtype=np.int64)] = True
            counted[1][gold.written_starts[there] + np.array([*wanted.values()], dtype=np.int64)] = True
            for place, triple in enumerate(ours):
                other = wanted.get(_drop_empty_slots(triple))
                if other is not None:
                    ends = int(pred.written_starts[here]) + place, int(gold.written_starts[there]) + other
                    counterparts[0][ends[0]], counterparts[1][ends[1]] = ends[1], ends[0]
            context.progress("comparing graphs", pair + 1, len(pairs))
        names = ("documents", "matched", "n_pred", "n_gold", *VALUES[1:])
        return PiveMatching(
            **matching_attributes(pred, gold, pairs, counterparts),
            included=(counted[0], counted[1]),
            sums={name: np.array([row[name] for row in rows], dtype=np.float64) for name in names},
            least=least,
            unknown=unknown,
        )

    def parts(self, matching: PiveMatching) -> tuple[Part, ...]:
        """List the graphs, each with its values; one nan makes the sum nan, as in the script."""
        pairs = matching.pairs
        return (Part(items=pairs, others=pairs, unit_keys=pairs.ids.tolist, counts=matching.sums),)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide matched triples by all, and the other sums by the graphs."""
        f1 = ratio(VALUES[0], 2 * counts["matched"], counts["n_pred"] + counts["n_gold"])
        return {VALUES[0]: f1, **{name: ratio(name, counts[name], counts["documents"]) for name in VALUES[1:]}}

    def note(self, matching: PiveMatching, values: Mapping[str, Any]) -> str | None:
        """Return where nan comes from, how many distances are bounds and in which range the exact mean is, and which matches are open."""
        notes = []
        if math.isnan(values["g_bleu_precision"]):
            empty = int(np.isnan(matching.sums["g_bleu_precision"]).sum())
            notes.append(f"{empty:,} empty predictions turn precision into nan, as in the script")
        distances = matching.sums["ged"]
        if bounds := int((distances != matching.least).sum()):
            notes.append(
                f"the edit distances of {_graphs(bounds)} are bounds: ged is between {matching.least.mean():.4f} and "
                f"{distances.mean():.4f}"
            )
        if matching.unknown:
            notes.append(f"whether {_graphs(matching.unknown)} match is not known: they count as different")
        return "; ".join(notes) or None


def _graphs(count: int) -> str:
    return count_of(count, "large graph")


def _graph(
    ours: list[tuple[str | None, ...]], theirs: list[tuple[str | None, ...]]
) -> tuple[dict[str, float], float, bool]:
    """Compute what the script prints of one graph, the least that its distance can be, and whether it is known to match or not."""
    here, there = {_drop_empty_slots(triple) for triple in ours}, {_drop_empty_slots(triple) for triple in theirs}
    graphs = [SmallGraph.of([_lower(triple) for triple in some], parallel=False) for some in (ours, theirs)]
    distance, size = edit_distance(graphs[0], graphs[1]), len(graphs[1]) + WORST_PREDICTION
    shape = edit_distance(graphs[0], graphs[1], named=False, most=0)
    candidates, references = ([sentence_of(_fill(triple)) for triple in some] for some in (ours, theirs))
    row = {
        "documents": 1.0,
        "matched": len(here & there),
        "n_pred": len(here),
        "n_gold": len(there),
        "graph_match_accuracy": shape.most == 0,
        **dict(zip(SENTENCES[:3], _pair_sentences(candidates, references, rouge=False), strict=True)),
        **dict(zip(SENTENCES[3:], _pair_sentences(candidates, references, rouge=True), strict=True)),
        "ged": distance.most / size,
    }
    return row, distance.least / size, shape.most == 0 or shape.least > 0


def _pair_sentences(candidates: list[str], references: list[str], *, rouge: bool) -> tuple[float, float, float]:
    """Pair sentences one to one; precision of no sentence is nan, as is recall of none."""
    credit = np.zeros((len(candidates), len(references)))
    for row, one in enumerate(candidates):
        for column, other in enumerate(references):
            credit[row, column] = rouge2(one, other, ascii_only=True)[0] if rouge else bleu(one, other)
    total = float(credit[assign_rows(credit)].sum())
    precision = total / len(candidates) if candidates else math.nan
    recall = total / len(references) if references else math.nan
    both = precision + recall
    return precision, recall, (2 * precision * recall) / both if both > 0 else 0.0


def _fill(triple: tuple[str | None, ...]) -> list[str]:
    return [FILLER if slot is None else slot for slot in triple]


def _lower(triple: tuple[str | None, ...]) -> list[str]:
    return [slot.lower().strip() for slot in _fill(triple)]


def _drop_empty_slots(triple: tuple[str | None, ...]) -> tuple[str, ...]:
    """Return the slots that are there, as the script compares whole triples."""
    return tuple(slot.lower().strip() for slot in triple if slot is not None)
