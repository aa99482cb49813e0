"""Semantic precision, recall and F: a correspondence counts if the other side entails it along the hierarchies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.hierarchy import Ontologies, mark_reachable
from goldassay.alignments.match import AlignmentMatching, Numbering, Sides
from goldassay.alignments.measures.overlap import NearMeasure, ontologies_of
from goldassay.alignments.measures.reasoner import Hermit, IsA, find_entailed, iri, ontology_axioms
from goldassay.alignments.model import TYPES, Alignment
from goldassay.alignments.relations import BROADER, EQUIVALENT, NARROWER
from goldassay.core.context import Context
from goldassay.core.counts import Counts
from goldassay.core.matching import Side
from goldassay.core.parameters import parameter
from goldassay.core.signature import Signature
from goldassay.kernels.types import Rows


@dataclass(frozen=True, kw_only=True)
class Semantic(NearMeasure):
    """A correspondence is hit if the other side entails it: by is-a as both ontologies state it, and its correspondences.

    ``=`` is is-a in both directions, ``<`` and ``>`` are is-a in one; other relations are entailed where they are stated. That
    is the closure of what is stated, without a reasoner: what follows from restrictions, intersections or disjoint classes is
    not seen. ``reasoner=hermit`` sees it too: HermiT is asked, with the correspondences as axioms between classes, properties
    or individuals. The ontologies are those of ``--source-ontology`` and ``--target-ontology``.

    Raises:
        MissingDependencyError: If HermiT is asked, and it or Java is not installed.
        InputError: If HermiT finds that ontologies and correspondences contradict each other, or cannot reason over them.

    Example:
        >>> edges = {"source_edges": [("kitten", "cat")], "target_edges": []}
        >>> gold = Alignment.from_rows([("cat", "chat", "=")], **edges)
        >>> pred = Alignment.from_rows([("kitten", "chat", "<"), ("cat", "chien", "=")], **edges)
        >>> Semantic().score(pred=pred, gold=gold)
        <Score semantic: precision 0.5000, recall 0.0000, f1 0.0000>
    """

    name: ClassVar[str] = "semantic"
    title: ClassVar[str] = "Semantic precision, recall and F, by closure or by HermiT"
    formula: ClassVar[str] = (
        r"P = \frac{|\{a \in A \mid O, O', R \vdash a\}|}{|A|},\quad R = \frac{|\{r \in R \mid O, O', A \vdash r\}|}{|R|},"
        r"\quad \vdash \text{ by paths of is-a, or by HermiT}"
    )
    citation: ClassVar[str] = "euzenat2007semantic"
    conventions: ClassVar[tuple[str, ...]] = (
        "the paper asks a reasoner; the closure of what is stated entails less, and never what a reasoner does not: reasoner=hermit",
        "a class that cannot have an instance is below every other one: reasoner=hermit says how many there are",
    )

    relation: str = parameter(
        "exact", help="whether relations are as stated, or all of them equivalences", choices=("exact", "ignore")
    )
    reasoner: str = parameter(
        "closure", help="what entails: the closure of is-a, or HermiT as well", choices=("closure", "hermit")
    )

    def match(self, *, pred: Alignment, gold: Alignment, context: Context) -> AlignmentMatching:
        """Match by the closure, and by HermiT if it is asked."""
        hermit = Hermit.find() if self.reasoner == "hermit" else None
        found: AlignmentMatching = super().match(pred=pred, gold=gold, context=context)
        return found if hermit is None else self._reason(hermit, found, ontologies_of(pred, gold))

    def sign(self, *, pred: Alignment, gold: Alignment, counts: Counts, context: Context) -> Signature:
        """Build the signature, with the version of the reasoner."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        return signature if self.reasoner == "closure" else signature.with_field("reasoner", Hermit.find().version)

    def _reason(self, hermit: Hermit, found: AlignmentMatching, known: Ontologies) -> AlignmentMatching:
        """Add what HermiT finds."""
        axioms = list(ontology_axioms(known))
        entities = _Entities.of(found)
        pred, gold = (
            _Statements.of(found.numbering, side, gold=place == 1, any_relation=self.relation == "ignore")
            for place, side in enumerate((found.pred_items, found.gold_items))
        )
        notes = [found.note] if found.note and not known.files else []
        sides = []
        for side, asked, by, whose in ((found.pred, pred, gold, "gold"), (found.gold, gold, pred, "the prediction")):
            credit, empty = _reason(hermit, axioms, entities, by=by, asked=asked, whose=f"the ontologies and {whose}")
            sides.append(replace(side, credit=np.maximum(side.credit, credit)))
            if empty:
                notes.append(
                    f"below all others, as they cannot have instances by the ontologies and {whose}: {empty:,} classes"
                )
        return replace(found, pred=sides[0], gold=sides[1], note="; ".join(notes) or None)

    def match_sides(self, both: Sides, pred: Alignment, gold: Alignment) -> tuple[Side, Side]:
        """Find what each side entails of the other."""
        here, there = super().match_sides(both, pred, gold)
        known = ontologies_of(pred, gold)
        statements = [
            _Statements.of(both.numbering, side, gold=place == 1, any_relation=self.relation == "ignore")
            for place, side in enumerate((pred, gold))
        ]
        sides = (here, statements[1], statements[0]), (there, statements[0], statements[1])
        entailed = [_find_entailed(both.numbering, known, by, asked) for _, by, asked in sides]
        matched, found = (
            replace(side, credit=np.maximum(side.credit, credit))
            for (side, _, _), credit in zip(sides, entailed, strict=True)
        )
        return matched, found


@dataclass(frozen=True, eq=False)
class _Statements:
    """Correspondences as is-a between entities of both ontologies, int64 and bool arrays of shape (correspondences,)."""

    case: Rows
    source: Rows
    target: Rows
    up: NDArray[np.bool_]
    down: NDArray[np.bool_]

    @classmethod
    def of(cls, numbering: Numbering, items: Alignment, *, gold: bool, any_relation: bool) -> _Statements:
        relations = np.full(len(items), EQUIVALENT) if any_relation else items.relations
        up, down = (np.isin(relations, (EQUIVALENT, one)) for one in (NARROWER, BROADER))
        return cls(*numbering.entities(items, gold=gold), up, down)

    def is_a(self, entities: _Entities, case: int) -> list[tuple[int, IsA]]:
        """List what is below what in one test case, each with its row; what HermiT does not support is left out."""
        rows = np.flatnonzero((self.case == case) & (self.up | self.down)).tolist()
        named = ((row, entities.named(int(self.source[row]), int(self.target[row]))) for row in rows)
        both = [(row, one) for row, one in named if one is not None]
        upward = [(row, one) for row, one in both if self.up[row]]
        return upward + [(row, (kind, high, low)) for row, (kind, low, high) in both if self.down[row]]


@dataclass(frozen=True, eq=False)
class _Entities:
    """What the entities of both sides are: their names, and rows of ``TYPES``; and the names of the test cases."""

    names: Sequence[str]
    kinds: Sequence[int]
    cases: Sequence[str]

    @classmethod
    def of(cls, found: AlignmentMatching) -> _Entities:
        kinds = np.zeros(len(found.numbering.terms), dtype=np.int8)
        if found.pred_items.types is not None:
            kinds[: len(found.pred_items.terms)] = found.pred_items.types
        if found.gold_items.types is not None:
            kinds[found.numbering.gold_terms] = np.maximum(kinds[found.numbering.gold_terms], found.gold_items.types)
        cases = dict.fromkeys((*found.pred_items.case_names, *found.gold_items.case_names))
        return cls(found.numbering.terms.listed, kinds.tolist(), list(cases))

    def named(self, source: int, target: int) -> IsA | None:
        """Name two entities, as classes if nothing is known of either; None for unlike ones and annotation properties."""
        kinds = {self.kinds[source], self.kinds[target]} - {TYPES.index("unknown")} or {TYPES.index("class")}
        if len(kinds) > 1 or kinds == {TYPES.index("annotation property")}:
            return None
        return kinds.pop(), iri(self.names[source], "source"), iri(self.names[target], "target")


def _find_entailed(numbering: Numbering, known: Ontologies, by: _Statements, asked: _Statements) -> NDArray[np.float64]:
    """Return which correspondences follow from others, test case by test case: 1 or 0."""
    lower, low_size = known.source.number_terms(numbering.terms)
    upper, high_size = known.target.number_terms(numbering.terms)
    is_a = np.concatenate([lower, upper + low_size])
    found = np.zeros(len(asked.case))
    for case in np.unique(asked.case).tolist():
        bridges = np.flatnonzero(by.case == case)
        ends = np.column_stack([by.source[bridges], by.target[bridges] + low_size])
        edges = np.concatenate([is_a, ends[by.up[bridges]], ends[by.down[bridges]][:, ::-1]])
        rows = np.flatnonzero((asked.case == case) & (asked.up | asked.down))
        source, target = asked.source[rows], asked.target[rows] + low_size
        size = low_size + high_size
        above, below = mark_reachable(edges, size, source, target), mark_reachable(edges, size, target, source)
        found[rows] = (above | ~asked.up[rows]) & (below | ~asked.down[rows])
    return found


def _reason(
    hermit: Hermit, axioms: Sequence[str], entities: _Entities, *, by: _Statements, asked: _Statements, whose: str
) -> tuple[NDArray[np.float64], int]:
    """Return by HermiT which correspondences follow from others, test case by test case, and how many classes are empty."""
    found, empty = np.zeros(len(asked.case)), 0
    for case in np.unique(asked.case).tolist():
        questions = asked.is_a(entities, case)
        if not questions:
            continue
        stated = [one for _, one in by.is_a(entities, case)]
        place = f"{whose}, test case {entities.cases[case]}" if entities.cases[case] else whose
        rows = np.array([row for row, _ in questions])
        holds, count = find_entailed(hermit, axioms, stated, [one for _, one in questions], whose=place)
        found[rows] = 1
        found[rows[~holds]] = 0
        empty += count
    return found, empty
