"""Where triples of gold are lost: at their entities, at how these are called, at the link, at the relation, or at its direction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context, Progress, ignore_progress
from goldassay.core.counts import Counts, Division, FloatArray
from goldassay.core.documents import DocumentPairs, spans_of
from goldassay.core.errors import UsageError
from goldassay.core.matching import Evidence, SideName
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part, both_parts
from goldassay.formats.synonyms import read_synonyms
from goldassay.triples.comparison import Comparison
from goldassay.triples.match import LARGEST, TripleMatching, check_size, equal_sides, objects, pairs_of
from goldassay.triples.measures.measure import InDocuments, ReferencedMeasure
from goldassay.triples.model import OBJECT, PREDICATE, SUBJECT, Numbers, TripleSet
from goldassay.triples.synonyms import codes_of_slots
from goldassay.triples.words import overlap

STAGES = ("found", "resolved", "linked", "related", "directed")
"""What has to be right of a triple, in this order."""
FOUND, RESOLVED, LINKED, RELATED, DIRECTED = range(len(STAGES))
KEPT = -1
"""Of a triple that is lost at no stage."""
HALF = 0.5
F1 = "f1"
TOO_LARGE = "A document has too many triples to look for where they are lost."


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class StageMatching(TripleMatching):
    """Equal triples of the same document, and the stage at which each other one of gold is lost."""

    lost: Numbers  # the stage of each triple of gold, a row of `STAGES`, -1 for one that is right, int64, shape (gold,)
    # whether each predicted triple is in the place of a gold one that is lost at a stage, bool, shape (pred, stages)
    replaced: NDArray[np.bool_]

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = ignore_progress) -> Evidence:
        """Return what is known of triples: the stage at which one of gold is ``lost``, and at which ones a predicted one is ``replaced``."""
        found = super().evidence(side, rows, progress=progress)
        names: list[list[str]]
        if side == "gold":
            names = [[] if stage == KEPT else [STAGES[stage]] for stage in self.lost[rows].tolist()]
        else:
            names = [[STAGES[stage] for stage in np.flatnonzero(some)] for some in self.replaced[rows]]
        shown = objects([", ".join(some) or None for some in names])
        nothing = objects([None] * len(rows))
        lost, replaced = (shown, nothing) if side == "gold" else (nothing, shown)
        return replace(found, details={**found.details, "lost": lost, "replaced": replaced})


@dataclass(frozen=True, kw_only=True)
class Stages(ReferencedMeasure[StageMatching]):
    """The share of gold's triples that are right up to each stage, or the F1 with gold's part put in at one stage.

    A gold triple is lost at the first stage that it does not pass. *Found*: its document has both ends among the predicted entities, if under
    another name. *Resolved*: both under the name of gold; and what links them does so under these names. *Linked*: a predicted triple has both
    ends. *Related*: one of them has the predicate, too. *Directed*: it has subject and object in their places, so that this last share is the
    recall of ``triples``.

    With ``oracle=yes`` each value is the F1 of a prediction into which the triples of gold that are lost at that stage are put, in place of
    wrong ones that link the same two entities.

    Attributes:
        alike: The word overlap (F1) from which a name is another one of the same entity; 1 takes only synonyms.
        synonyms: Names of entities that mean the same: a table, an ontology, or a graph with clusters.
        oracle: Whether the values are F1 with gold's part put in, and not shares of gold.

    Example:
        >>> gold = TripleSet.from_lists({"d": [("Oslo", "in", "Norway"), ("Rome", "in", "Italy"), ("Bonn", "in", "Germany")]})
        >>> pred = TripleSet.from_lists({"d": [("Norway", "in", "Oslo"), ("City of Rome", "in", "Italy")]})
        >>> Stages().score(pred=pred, gold=gold).format()
        'stages: found 0.6667, resolved 0.3333, linked 0.3333, related 0.3333, directed 0.0000'
        >>> Stages(oracle="yes").score(pred=pred, gold=gold).format()
        'stages(oracle=yes): f1 0.0000, found 0.3333, resolved 0.4000, linked 0.0000, related 0.0000, directed 0.4000'
    """

    name: ClassVar[str] = "stages"
    title: ClassVar[str] = "Stages at which triples are lost"
    formula: ClassVar[str] = (
        r"R_k = 1 - \frac{1}{|G|}\sum_{j \le k} |L_j|,\quad "
        r"F_k = \frac{2 (|P \cap G| + |L_k|)}{|P| - |C_k| + |L_k| + |G|}"
    )
    citation: ClassVar[str] = "bolya2020tide"
    defined_one_sided: ClassVar[bool] = True
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "none"

    alike: float = parameter(
        HALF, help="word overlap (F1) from which a name is another one of an entity", bounds=(0.0, 1.0)
    )
    synonyms: str | None = parameter(None, help="names of entities that mean the same", metavar="FILE")
    oracle: str = parameter("no", help="shares of gold, or F1 with gold's part put in", choices=("no", "yes"))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.alike:
            raise UsageError(f"{self.name}: alike must be greater than 0.", hint="alike=0.5")

    @property
    def values(self) -> Mapping[str, Bounds]:
        """The stages, and with gold's part put in also F1 as it is."""
        return MappingProxyType(dict.fromkeys((F1, *STAGES) if self.oracle == "yes" else STAGES, (0.0, 1.0)))

    @property
    def headline(self) -> str:
        """Recall, or F1."""
        return F1 if self.oracle == "yes" else STAGES[DIRECTED]

    def match(self, *, pred: TripleSet, gold: TripleSet, context: Context) -> StageMatching:
        """Find equal triples, and the stage at which each other one of gold is lost."""
        equal = super().match(pred=pred, gold=gold, context=context)
        gold, pairs = equal.gold_items, equal.pairs
        groups = self._groups(equal.comparison.texts, gold)
        lost, replaced = np.full(len(gold), KEPT), np.zeros((len(pred), len(STAGES)), dtype=np.bool_)
        blocks = spans_of(pred.starts, pairs.pred), spans_of(gold.starts, pairs.gold)
        open_ = np.unique(equal.gold_pairs[equal.gold.credit == 0])
        for done, pair in enumerate(open_.tolist(), start=1):
            (first, last), (begin, end) = (block[pair].tolist() for block in blocks)
            size = max(last - first, end - begin)
            check_size(size, pred.path, TOO_LARGE, most=LARGEST, hint="split the document")
            document = _Document(equal.comparison.pred[first:last].tolist(), equal.comparison.texts, groups, self.alike)
            for row, triple in enumerate(equal.comparison.gold[begin:end].tolist(), start=begin):
                if not equal.gold.credit[row]:
                    lost[row], wrong = document.stage(*triple)
                    wrong = [first + one for one in wrong if not equal.pred.credit[first + one]]
                    replaced[wrong, lost[row]] = True
            context.progress("matching", done, len(open_))
        return replace(equal, lost=lost, replaced=replaced)

    def worth(self, matching: StageMatching) -> FloatArray:
        """Return how many triples of each document are right."""
        hits = np.bincount(matching.gold_pairs, weights=matching.gold.credit, minlength=len(matching.pairs))
        return hits.astype(np.float64)

    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> StageMatching:
        """Match equal triples."""
        del context
        places = pairs_of(pred, gold, pairs)
        comparison = Comparison.of_names(pred=pred, gold=gold)
        sides = equal_sides(pred=(places[0], *comparison.pred.T), gold=(places[1], *comparison.gold.T))
        nothing = {"lost": np.zeros(0, dtype=np.int64), "replaced": np.zeros((0, 0), dtype=np.bool_)}
        return StageMatching.of(sides, items=(pred, gold), places=places, pairs=pairs, comparison=comparison, **nothing)

    def _groups(self, texts: list[str], gold: TripleSet) -> list[int]:
        """Number the names of entities so that synonyms have one number."""
        if not self.synonyms:
            return list(range(len(texts)))
        groups: list[int] = codes_of_slots(texts, read_synonyms(self.synonyms), gold=gold)[0][SUBJECT].tolist()
        return groups

    def parts(self, matching: StageMatching) -> tuple[Part, ...]:
        """List the triples of both sides, those of gold with the stage at which they are lost."""
        pred = InDocuments.of(matching.pred_items, matching.pred_pairs, matching)
        gold = InDocuments.of(matching.gold_items, matching.gold_pairs, matching)
        hits, weights = self.added(matching, "gold")
        counts = {f"replaced_{name}": matching.replaced[:, at].astype(np.float64) for at, name in enumerate(STAGES)}
        lost = {f"lost_{name}": (matching.lost == at) * weights for at, name in enumerate(STAGES)}
        added = {"n_pred": np.ones(len(pred)), **counts}, {"hit_gold": hits, "n_gold": weights, **lost}
        return both_parts((pred, gold), (pred.names, gold.names), added)

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide what is left of gold by gold, or the hits with gold's part put in by both sides."""
        lost = [counts[f"lost_{name}"] for name in STAGES]
        if self.oracle == "no":
            left = counts["n_gold"] - np.cumsum(lost, axis=0)
            return {name: ratio(name, left[at], counts["n_gold"]) for at, name in enumerate(STAGES)}
        both = counts["n_pred"] + counts["n_gold"]
        values = {F1: ratio(F1, 2 * counts["hit_gold"], both)}
        for name, some in zip(STAGES, lost, strict=True):
            made = both - counts[f"replaced_{name}"] + some
            values[name] = ratio(name, 2 * (counts["hit_gold"] + some), made)
        return values


class _Document:
    """The predicted triples of a document, by their ends."""

    def __init__(self, triples: Sequence[Sequence[int]], texts: list[str], groups: list[int], alike: float) -> None:
        self.texts, self.groups, self.alike = texts, groups, alike
        self.triples = triples
        self.links: dict[tuple[int, int], list[int]] = {}
        for row, triple in enumerate(triples):
            self.links.setdefault((triple[SUBJECT], triple[OBJECT]), []).append(row)
        self.names = {triple[end] for triple in triples for end in (SUBJECT, OBJECT)}
        # A name is compared only with those that have a word in common with it, or its synonyms.
        self.near: dict[str | int, set[int]] = {}
        for name in self.names:
            for key in self._keys(name):
                self.near.setdefault(key, set()).add(name)
        self.called = lru_cache(None)(self._called)

    def stage(self, subject: int, predicate: int, thing: int) -> tuple[int, list[int]]:
        """Return the stage at which a triple is lost, and the rows that link its ends."""
        rows = self._linking([subject], [thing])
        if rows:
            swapped = [row for row in rows if self._is_swapped(row, subject, predicate, thing)]
            return (DIRECTED, swapped) if swapped else (RELATED, rows)
        names = self.called(subject), self.called(thing)
        if not all(names):
            return FOUND, []
        rows = self._linking(*names)
        missing = subject not in self.names or thing not in self.names
        return (RESOLVED, rows) if rows or missing else (LINKED, [])

    def _is_swapped(self, row: int, subject: int, predicate: int, thing: int) -> bool:
        triple = self.triples[row]
        return (triple[SUBJECT], triple[PREDICATE], triple[OBJECT]) == (thing, predicate, subject)

    def _linking(self, subjects: Sequence[int], things: Sequence[int]) -> list[int]:
        """List the rows between two entities, in either direction."""
        ends = [pair for one in subjects for other in things for pair in ((one, other), (other, one))]
        return sorted({row for pair in ends for row in self.links.get(pair, ())})

    def _called(self, entity: int) -> tuple[int, ...]:
        """List the predicted names of an entity."""
        near = set[int]().union(*(self.near.get(key, ()) for key in self._keys(entity)))
        return tuple(sorted(name for name in near if self._is_called(name, entity)))

    def _keys(self, name: int) -> set[str | int]:
        """Return the words of a name, and the number of its synonyms."""
        return {self.groups[name], *(self.texts[name].casefold().split() if self.alike < 1 else ())}

    def _is_called(self, name: int, entity: int) -> bool:
        here, there = (self.texts[one].casefold() for one in (name, entity))
        return self.groups[name] == self.groups[entity] or overlap(here, there) >= self.alike
