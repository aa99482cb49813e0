"""Relaxed precision, recall and F: a correspondence that is nearly right earns a part of what a right one earns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from goldassay.alignments.hierarchy import Ontologies, Steps, join_frames, steps_between
from goldassay.alignments.match import Numbering, Sides
from goldassay.alignments.measures.overlap import NearMeasure, check_unit, ontologies_of
from goldassay.alignments.model import Alignment
from goldassay.alignments.relations import BROADER, EQUIVALENT, EXACT, NARROWER, RELATIONS
from goldassay.core.counts import FloatArray
from goldassay.core.errors import require
from goldassay.core.libraries import pl
from goldassay.core.matching import NO_MATCH, Side
from goldassay.core.measure import Symmetry
from goldassay.core.parameters import Bounds, parameter
from goldassay.kernels.ragged import best_rows
from goldassay.kernels.types import Rows

BASES: Mapping[str, tuple[tuple[float, float], tuple[float, float]]] = MappingProxyType(
    {
        "symmetric": ((0.5, 0.5), (0.5, 0.5)),
        "effort": ((0.6, 0.4), (0.6, 0.4)),
        "precision": ((0.5, 1.0), (1.0, 0.5)),
        "recall": ((1.0, 0.5), (0.5, 1.0)),
    }
)
"""What a step leaves, as a factor: of a source that is more specific than that of gold, and of one that is more general; then
the same of targets."""


def _credit_of_relations(subsumed: float, subsumes: float, other: float) -> FloatArray:
    table = np.full((len(RELATIONS), len(RELATIONS)), other)
    np.fill_diagonal(table, 1.0)
    for near, value in ((NARROWER, subsumed), (BROADER, subsumes)):
        table[EQUIVALENT, near] = table[near, EQUIVALENT] = value
    return table


NEAR_RELATIONS: Mapping[str, FloatArray] = MappingProxyType(
    {
        "symmetric": _credit_of_relations(0.5, 0.5, 0.0),
        "effort": _credit_of_relations(0.5, 0.5, 0.5),
        "precision": _credit_of_relations(0.5, 1.0, 0.0),
        "recall": _credit_of_relations(1.0, 0.5, 0.0),
    }
)
"""Proximity of two relations: of equivalence and ``<``, of equivalence and ``>``, and of any other two."""


@dataclass(frozen=True, kw_only=True)
class Relaxed(NearMeasure):
    """Credit for near misses: entities above or below the right ones, along the hierarchies of the two ontologies.

    Two correspondences are as near as their sources, their targets and, with ``relation=graded``, their relations, multiplied.
    Each correspondence of one side earns by at most one of the other, so that the sum is as great as can be. The hierarchies
    are those that the ontologies state (``--source-ontology``, ``--target-ontology``); without them nothing is near.

    Attributes:
        kind: What a step costs. ``symmetric``: 0.5. ``effort``: 0.6 where the entity found is more specific, 0.4 where it is
            more general. ``precision``: 0.5 where the correspondence says more than gold does, ``recall``: where it says less.
        assignment: ``optimal``, or ``greedy`` as the Alignment API does.
        confidence: Whether near misses are multiplied by 1 - the difference of the scores.

    Example:
        >>> edges = {"source_edges": [("kitten", "cat"), ("cat", "animal")], "target_edges": []}
        >>> gold = Alignment.from_rows([("cat", "chat"), ("dog", "chien")], **edges)
        >>> pred = Alignment.from_rows([("kitten", "chat"), ("dog", "chien")], **edges)
        >>> Relaxed().score(pred=pred, gold=gold), Relaxed(kind="effort").score(pred=pred, gold=gold).precision
        (<Score relaxed: precision 0.7500, recall 0.7500, f1 0.7500>, 0.8)
    """

    name: ClassVar[str] = "relaxed"
    title: ClassVar[str] = "Relaxed precision, recall and F"
    formula: ClassVar[str] = (
        r"P = \frac{\omega(A, R)}{|A|},\quad R = \frac{\omega(A, R)}{|R|},\quad "
        r"\omega(A, R) = \max_{M} \sum_{(a, r) \in M} \sigma(a, r),\quad M \subseteq A \times R \text{ one-to-one}"
    )
    citation: ClassVar[str] = "ehrig2005relaxed"
    conventions: ClassVar[tuple[str, ...]] = (
        "the Alignment API of 2013 (ExtPREvaluator): assignment=greedy, confidence=true unless noconfidence is set",
        "with assignment=greedy a prediction may earn several times, and gold without a predicted source or of properties nothing",
        "the table of relations for recall has 0 and 1 swapped in the paper; the authors correct it",
    )

    kind: str = parameter("symmetric", help="what a step in a hierarchy costs", choices=tuple(BASES))
    assignment: str = parameter(
        "optimal", help="one-to-one with the greatest sum, or the nearest for each", choices=("optimal", "greedy")
    )
    confidence: bool = parameter(False, help="multiply near misses by 1 - the difference of scores")

    @property
    def values(self) -> Mapping[str, Bounds]:
        """Precision, recall and F; with the greedy assignment a prediction may earn several times."""
        most = 1.0 if self.assignment == "optimal" else np.inf
        return {name: (0.0, 1.0 if name == "recall" else most) for name in super().values}

    @property
    def perfect(self) -> Mapping[str, float]:
        """What an alignment scores against itself."""
        return dict.fromkeys(super().perfect, 1.0)

    @property
    def symmetry(self) -> Symmetry:
        """Swapping the sides swaps precision and recall where up costs as much as down."""
        return super().symmetry if self.kind == "symmetric" and self.assignment == "optimal" else "none"

    def match_sides(self, both: Sides, pred: Alignment, gold: Alignment) -> tuple[Side, Side]:
        """Find which correspondences are near each other, and assign them."""
        near = self._near(both, pred, gold)
        sizes = len(pred), len(gold)
        return _assign(near, *sizes) if self.assignment == "optimal" else _assign_greedily(near, *sizes)

    def _near(self, both: Sides, pred: Alignment, gold: Alignment) -> _Near:
        """Find every pair of correspondences that are near each other, and how near."""
        known = ontologies_of(pred, gold)
        pairs = _pairs_of(both.numbering, pred, gold, known if self.assignment == "optimal" else known.of_classes)
        value = np.ones(len(pairs.pred))
        for steps, (specific, general) in zip((pairs.source, pairs.target), BASES[self.kind], strict=True):
            value *= np.where(steps > 0, specific, general) ** np.abs(steps)
        same = (pairs.source == 0) & (pairs.target == 0)
        if self.relation != "ignore":
            here, there = pred.relations[pairs.pred], gold.relations[pairs.gold]
            value *= (NEAR_RELATIONS[self.kind] if self.relation == "graded" else EXACT)[here, there]
            same &= here == there
        scores = pred.scores[pairs.pred], gold.scores[pairs.gold]
        if self.kind == "effort":
            # A near miss of no confidence takes no effort to correct: it is not made.
            value *= same | (scores[0] != 0) & (scores[1] != 0)
        elif self.confidence:
            check_unit(pred, gold)
            value *= np.where(same, 1.0, np.maximum(1.0 - np.abs(scores[0] - scores[1]), 0.0))
        if self.assignment == "greedy":
            predicted = both.numbering.source_keys(pred, gold=False)
            value *= np.isin(both.numbering.source_keys(gold, gold=True), predicted)[pairs.gold]
        return replace(pairs, value=value)


@dataclass(frozen=True, eq=False, kw_only=True)
class _Near:
    """Pairs of rows of prediction and gold whose ends are so many steps above or below each other, and how near; shape (pairs,)."""

    pred: Rows
    gold: Rows
    source: Rows
    target: Rows
    value: FloatArray


def _pairs_of(numbering: Numbering, pred: Alignment, gold: Alignment, ontologies: Ontologies) -> _Near:
    """Join the correspondences of both sides over their sources and their targets."""
    case, source, target = numbering.entities(pred, gold=False)
    wanted_case, wanted_source, wanted_target = numbering.entities(gold, gold=True)
    here = pl.DataFrame({"case": case, "source": source, "target": target}).with_row_index("pred")
    there = pl.DataFrame({"case": wanted_case, "over": wanted_source, "beyond": wanted_target}).with_row_index("gold")
    sources = steps_between(ontologies.source, numbering.terms, wanted_source, source)
    targets = steps_between(ontologies.target, numbering.terms, wanted_target, target)
    near = there.join(_frame(sources, "over", "source", "up"), on="over")
    pairs = join_frames(near, here, _frame(targets, "beyond", "target", "upper")).sort("gold", "pred")
    columns = [pairs[name].to_numpy().astype(np.int64) for name in ("pred", "gold", "up", "upper")]
    return _Near(pred=columns[0], gold=columns[1], source=columns[2], target=columns[3], value=np.ones(len(pairs)))


def _frame(steps: Steps, here: str, there: str, name: str) -> pl.DataFrame:
    return pl.DataFrame({here: steps.here, there: steps.there, name: steps.steps})


def _assign(near: _Near, n_pred: int, n_gold: int) -> tuple[Side, Side]:
    """Assign correspondences one-to-one, with the greatest sum."""
    # Every row of gold is assigned exactly one column: a prediction, or one of its own that stands for nothing. All
    # values are raised by 1, since the solver knows no edges of value 0; that adds the same to every assignment.
    sparse = require("scipy.sparse.csgraph", extra="scipy", purpose="assign correspondences one to one")
    from scipy.sparse import csr_array

    some = near.value > 0
    rows = np.concatenate([near.gold[some], np.arange(n_gold)])
    columns = np.concatenate([near.pred[some], n_pred + np.arange(n_gold)])
    values = np.concatenate([near.value[some], np.zeros(n_gold)])
    there = np.full(n_gold, NO_MATCH, dtype=np.int64)
    if n_gold:
        graph = csr_array((values + 1.0, (rows, columns)), shape=(n_gold, n_pred + n_gold))
        row, column = sparse.min_weight_full_bipartite_matching(graph, maximize=True)
        there[row] = np.where(column < n_pred, column, NO_MATCH)
    matched = np.flatnonzero(there != NO_MATCH)
    here = there[matched]
    credit = near.value[np.searchsorted(near.gold * n_pred + near.pred, matched * n_pred + here)]
    return Side.of_pairs(n_pred, here, matched, credit), Side.of_pairs(n_gold, matched, here, credit)


def _assign_greedily(near: _Near, n_pred: int, n_gold: int) -> tuple[Side, Side]:
    """Score each correspondence of gold by the nearest prediction, which may score for several."""
    # Of equally near predictions the first.
    best = best_rows(near.value, near.gold)
    best = best[near.value[best] > 0]
    here, there, value = near.pred[best], near.gold[best], near.value[best]
    earned = np.bincount(here, weights=value, minlength=n_pred)[here].astype(np.float64)
    return Side.of_pairs(n_pred, here, there, earned), Side.of_pairs(n_gold, there, here, value)
