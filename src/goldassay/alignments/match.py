"""Both sides of a comparison in one numbering, and the evidence behind every score of an alignment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.errors import Claims, kinds_of
from goldassay.alignments.model import NO_PAIRS, Alignment, Pairs, stack_columns
from goldassay.alignments.relations import DISJOINT, UNJUDGED
from goldassay.core.context import Context, Progress, ignore_progress
from goldassay.core.intern import Names, Places, as_names, number_columns
from goldassay.core.libraries import pl
from goldassay.core.matching import NO_MATCH, Evidence, Matching, SideName, equal_counterparts
from goldassay.kernels.ragged import best_rows
from goldassay.kernels.types import Rows

ONE_END = 0.5
"""The similarity of two correspondences that share only their source or only their target."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Numbering:
    """Entities and test cases of two alignments, numbered alike: those of the prediction as they are."""

    terms: Names
    gold_terms: Places
    gold_cases: Places
    cases: int

    @classmethod
    def of(cls, *, pred: Alignment, gold: Alignment) -> Numbering:
        """Number the entities and test cases of both sides."""
        terms, (_, place) = number_columns(pred.terms, gold.terms)
        names, cases = pred.case_names, np.arange(len(gold.case_names), dtype=np.int32)
        if names != gold.case_names:
            names, (_, cases) = number_columns(names, gold.case_names)
        return cls(terms=as_names(terms), gold_terms=place, gold_cases=cases, cases=len(names))

    def entities(self, items: Alignment | Pairs, *, gold: bool) -> tuple[Rows, Rows, Rows]:
        """Return case, source and target of each row as common numbers, int64."""
        case, source, target = (column.astype(np.int64) for column in (items.cases, items.sources, items.targets))
        if gold:
            target = np.where(target < 0, target, self.gold_terms[target]) if len(self.gold_terms) else target
            return self.gold_cases[case].astype(np.int64), self.gold_terms[source].astype(np.int64), target
        return case, source, target

    def pair_keys(self, items: Alignment | Pairs, *, gold: bool) -> Rows:
        """Return a number for each row that is the same where case, source and target are, int64."""
        case, source, target = self.entities(items, gold=gold)
        return (case * len(self.terms) + source) * len(self.terms) + target

    def source_keys(self, items: Alignment | Pairs, *, gold: bool) -> Rows:
        """Return a number for each row that is the same where case and source are, int64."""
        case, source, _ = self.entities(items, gold=gold)
        return case * len(self.terms) + source

    def target_keys(self, items: Alignment | Pairs, *, gold: bool) -> Rows:
        """Return a number for each row that is the same where case and target are, int64."""
        case, _, target = self.entities(items, gold=gold)
        return case * len(self.terms) + target


@dataclass(frozen=True, eq=False, kw_only=True)
class Sides:
    """A prediction and a gold standard as a measure uses them, without the pairs that gold marks ``?``."""

    numbering: Numbering
    pred: Alignment  # each (source, target) once, without disjoint ones
    gold: Alignment
    whole_pred: Alignment  # each (source, target, relation)
    whole_gold: Alignment


def both_sides(*, pred: Alignment, gold: Alignment, unjudged: str, context: Context) -> Sides:
    """Number both sides alike, and leave out what is marked ``?``; computed once for all measures."""
    key = f"both sides, unjudged {unjudged}"
    return context.get_or_make(key, (pred, gold), lambda: _number_alike(pred=pred, gold=gold, unjudged=unjudged))


def _number_alike(*, pred: Alignment, gold: Alignment, unjudged: str) -> Sides:
    numbering = Numbering.of(pred=pred, gold=gold)
    if unjudged != "keep" and UNJUDGED in pred.codes:
        pred = pred.take(pred.relations != UNJUDGED)
    # A prediction that could make a pair neutral could take it from gold.
    if unjudged != "count" and UNJUDGED in gold.codes:
        neutral = numbering.pair_keys(gold.take(gold.relations == UNJUDGED), gold=True)
        pred, gold = (
            side.take(~np.isin(numbering.pair_keys(side, gold=side is gold), neutral)) for side in (pred, gold)
        )
    whole = _deny_disjoint(pred), _deny_disjoint(gold)
    claims = [drop_disjoint(side).pairs for side in whole]
    return Sides(numbering=numbering, pred=claims[0], gold=claims[1], whole_pred=whole[0], whole_gold=whole[1])


def drop_disjoint(side: Alignment) -> Alignment:
    """Leave out what states that two entities are disjoint."""
    return side.take(side.relations != DISJOINT) if DISJOINT in side.codes else side


def _deny_disjoint(side: Alignment) -> Alignment:
    """Add the pairs that are stated to be disjoint to the denied ones."""
    if DISJOINT not in side.codes:
        return side
    disjoint = side.take(side.relations == DISJOINT)
    return replace(side, denied=Pairs(**stack_columns([side.denied, disjoint], "sources", "targets", "cases")))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AlignmentMatching(Matching[Alignment]):
    """A matching of correspondences, with a note on what was matched."""

    numbering: Numbering

    def _kinds(self, side: SideName, rows: NDArray[np.int64]) -> list[str]:
        """Name for each of some correspondences what the other side has of its entities."""
        claims = {
            "pred": Claims(*self.numbering.entities(self.pred_items, gold=False)),
            "gold": Claims(*self.numbering.entities(self.gold_items, gold=True)),
        }
        asked = Claims(*(column[rows] for column in claims.pop(side)))
        [there] = claims.values()
        denied = self.numbering.pair_keys(self.gold_items.denied if side == "pred" else NO_PAIRS, gold=True)
        ontologies = self.pred_items.ontologies or self.gold_items.ontologies
        return kinds_of(asked, there, denied, self.numbering.terms, ontologies)

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = ignore_progress) -> Evidence:
        """Look up the nearest counterpart of some correspondences; where none is equal, the best-scored one that shares an end."""
        del progress
        here, mine = (self.pred_items, self.pred) if side == "pred" else (self.gold_items, self.gold)
        counterpart, similarity = mine.counterpart[rows].copy(), mine.similarity[rows].copy()
        for ends in ("source", "target"):
            open_ = np.flatnonzero(counterpart == NO_MATCH)
            near = self._near(side, ends, rows[open_])
            counterpart[open_] = near
            similarity[open_[near != NO_MATCH]] = ONE_END
        nothing = np.full(len(rows), None, dtype=object)
        wrong = self._wrong(rows) if side == "gold" else {"best_wrong": nothing, "best_wrong_score": nothing}
        details: dict[str, NDArray[Any]] = {"score": here.scores[rows], **wrong}
        if here.labels is not None:
            for name, column in (("source", here.sources), ("target", here.targets)):
                details[name] = here.terms.take(column[rows]).array.astype(object)
        return Evidence(counterpart=counterpart, similarity=similarity, details=details)

    def verdicts(self, side: SideName, rows: NDArray[np.int64]) -> list[str]:
        """Return the verdict on each correspondence; ``denied`` if gold states that it does not hold."""
        words = super().verdicts(side, rows)
        if side == "gold" or not len(self.gold_items.denied):
            return words
        denied = self.numbering.pair_keys(self.gold_items.denied, gold=True)
        is_denied = np.isin(self.numbering.pair_keys(self.pred_items, gold=False)[rows], denied).tolist()
        return ["denied" if no and word == "invented" else word for word, no in zip(words, is_denied, strict=True)]

    def _keys(self, side: SideName, ends: str) -> Rows:
        items = self._items(side)
        number = self.numbering.source_keys if ends == "source" else self.numbering.target_keys
        return number(items, gold=side == "gold")

    def _near(self, side: SideName, ends: str, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the best-scored correspondence of the other side that shares an end."""
        there: SideName = "gold" if side == "pred" else "pred"
        others = self.gold_items if side == "pred" else self.pred_items
        keys = self._keys(there, ends)
        best = np.sort(best_rows(others.scores, keys))
        return np.append(best, NO_MATCH)[equal_counterparts(self._keys(side, ends)[rows], keys[best])]

    @cached_property
    def _wrong_candidates(self) -> tuple[Rows, NDArray[np.int64]]:
        """The best-scored correspondence of each source that gold does not have."""
        wrong = np.flatnonzero(
            ~np.isin(
                self.numbering.pair_keys(self.pred_items, gold=False),
                self.numbering.pair_keys(self.gold_items, gold=True),
            )
        )
        wrong = wrong[np.sort(best_rows(self.pred_items.scores[wrong], self._keys("pred", "source")[wrong]))]
        return self._keys("pred", "source")[wrong], wrong

    def _wrong(self, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        keys, best = self._wrong_candidates
        found = np.append(best, NO_MATCH)[equal_counterparts(self._keys("gold", "source")[rows], keys)]
        names = [
            None if row == NO_MATCH else self.pred_items.name(self.pred_items.targets[row]) for row in found.tolist()
        ]
        scores = [None if row == NO_MATCH else float(self.pred_items.scores[row]) for row in found.tolist()]
        return {"best_wrong": np.array(names, dtype=object), "best_wrong_score": np.array(scores, dtype=object)}


def pair_names(items: Alignment) -> list[str]:
    """Name every pair by its identifiers, regardless of its relation: the key of a unit that both sides share."""
    return _pair_names(items, items.sources, items.targets)


def query_names(items: Alignment) -> list[str]:
    """Name the query of every correspondence: its test case and its source."""
    return _pair_names(items, items.sources)


def _pair_names(items: Alignment, *ends: Places) -> list[str]:
    columns = [pl.Series(list(items.case_names)).gather(items.cases), *(items.terms.take(rows).series for rows in ends)]
    named = pl.DataFrame({str(place): column for place, column in enumerate(columns)})
    return named.select(pl.concat_str(pl.all(), separator="\t")).to_series().to_list()
