"""Semantic precision, recall and F: a correspondence counts if the other side entails it along the hierarchies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.hierarchy import Ontologies, reached
from goldassay.alignments.lookup import Keys
from goldassay.alignments.model import Alignment
from goldassay.alignments.overlap import NearMeasure, ontologies_of
from goldassay.alignments.relations import BROADER, EQUIVALENT, NARROWER
from goldassay.alignments.sides import Numbering, Sides
from goldassay.core.matching import Side
from goldassay.core.parameters import parameter


@dataclass(frozen=True, kw_only=True)
class Semantic(NearMeasure):
    """A correspondence is hit if the other side entails it: by is-a as both ontologies state it, and its correspondences.

    ``=`` is is-a in both directions, ``<`` and ``>`` are is-a in one; other relations are entailed where they are stated. That
    is the closure of what is stated, without a reasoner: what follows from restrictions, intersections or disjoint classes is
    not seen. The hierarchies are those of ``--source-ontology`` and ``--target-ontology``.

    Example:
        >>> edges = {"source_edges": [("kitten", "cat")], "target_edges": []}
        >>> gold = Alignment.from_rows([("cat", "chat", "=")], **edges)
        >>> pred = Alignment.from_rows([("kitten", "chat", "<"), ("cat", "chien", "=")], **edges)
        >>> Semantic().score(pred=pred, gold=gold)
        <Score semantic: precision 0.5000, recall 0.0000, f1 0.0000>
    """

    name: ClassVar[str] = "semantic"
    title: ClassVar[str] = "Semantic precision, recall and F, by closure"
    formula: ClassVar[str] = (
        r"P = \frac{|\{a \in A \mid O, O', R \vdash a\}|}{|A|},\quad R = \frac{|\{r \in R \mid O, O', A \vdash r\}|}{|R|},"
        r"\quad \vdash \text{ by paths of is-a}"
    )
    citation: ClassVar[str] = "euzenat2007semantic"
    conventions: ClassVar[tuple[str, ...]] = (
        "the paper asks a reasoner; the closure of what is stated entails less, and never what a reasoner does not",
    )

    relation: str = parameter(
        "exact", help="whether relations are as stated, or all of them equivalences", choices=("exact", "ignore")
    )

    def meet(self, both: Sides, pred: Alignment, gold: Alignment, kept: NDArray[np.bool_] | None) -> tuple[Side, Side]:
        """Find what each side entails of the other."""
        here, there = super().meet(both, pred, gold, kept)
        known = ontologies_of(pred, gold)
        statements = [
            _Statements.of(both.numbering, side, gold=place == 1, whatever=self.relation == "ignore")
            for place, side in enumerate((pred, gold))
        ]
        sides = (here, statements[1], statements[0]), (there, statements[0], statements[1])
        entailed = [_entailed(both.numbering, known, by, asked) for _, by, asked in sides]
        met, found = (
            replace(side, credit=np.maximum(side.credit, credit))
            for (side, _, _), credit in zip(sides, entailed, strict=True)
        )
        return met, found


@dataclass(frozen=True, eq=False)
class _Statements:
    """Correspondences as is-a between entities of both ontologies, int64 and bool arrays of shape (correspondences,)."""

    case: Keys
    source: Keys
    target: Keys
    up: NDArray[np.bool_]
    down: NDArray[np.bool_]

    @classmethod
    def of(cls, numbering: Numbering, items: Alignment, *, gold: bool, whatever: bool) -> _Statements:
        relations = np.full(len(items), EQUIVALENT) if whatever else items.relations
        up, down = (np.isin(relations, (EQUIVALENT, one)) for one in (NARROWER, BROADER))
        return cls(*numbering.entities(items, gold=gold), up, down)


def _entailed(numbering: Numbering, known: Ontologies, by: _Statements, asked: _Statements) -> NDArray[np.float64]:
    """Say which correspondences follow from others, each test case for itself: 1 or 0."""
    lower, low_size = known.source.numbered(numbering.terms)
    upper, high_size = known.target.numbered(numbering.terms)
    is_a = np.concatenate([lower, upper + low_size])
    found = np.zeros(len(asked.case))
    for case in np.unique(asked.case).tolist():
        bridges = np.flatnonzero(by.case == case)
        ends = np.column_stack([by.source[bridges], by.target[bridges] + low_size])
        edges = np.concatenate([is_a, ends[by.up[bridges]], ends[by.down[bridges]][:, ::-1]])
        rows = np.flatnonzero((asked.case == case) & (asked.up | asked.down))
        source, target = asked.source[rows], asked.target[rows] + low_size
        size = low_size + high_size
        above, below = reached(edges, size, source, target), reached(edges, size, target, source)
        found[rows] = (above | ~asked.up[rows]) & (below | ~asked.down[rows])
    return found
