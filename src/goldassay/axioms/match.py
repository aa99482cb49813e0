"""Which axioms match, by equal spelling, declared equivalence or similar meaning: the evidence behind weighted and exact precision and recall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from goldassay.axioms.model import CLASS, FILLER, PARTS, PROPERTY, Axioms, Numbers
from goldassay.core import intern
from goldassay.core.context import Context, FloatMatrix, Progress, ignore_progress
from goldassay.core.intern import string_array
from goldassay.core.matching import NO_MATCH, Evidence, Matching, Side, SideName, equal_counterparts, first_that_holds
from goldassay.formats.labels import split_local_name
from goldassay.kernels.cosine import cosines_of_distinct, pair_cosines
from goldassay.kernels.edges.join import edge_join
from goldassay.kernels.keys import pack_rows


@dataclass(frozen=True, eq=False, kw_only=True)
class Names:
    """The axioms of both sides as numbers, where equal numbers are equal names: rows of shape (axioms, 3), and terms of shape (names,)."""

    pred: Numbers
    gold: Numbers
    pred_terms: Numbers
    gold_terms: Numbers
    texts: Sequence[str]

    def agree(self, pred_rows: Numbers, gold_rows: Numbers, part: int) -> NDArray[np.bool_]:
        """Return whether pairs of axioms agree in one part."""
        return np.asarray(self.pred[pred_rows, part] == self.gold[gold_rows, part])


@dataclass(frozen=True, eq=False, kw_only=True)
class FuzzyNames(Names):
    """Names that also match if the cosine of their vectors is above a threshold; ``pred_vectors`` and ``gold_vectors`` are rows of ``vectors``."""

    vectors: FloatMatrix
    pred_vectors: Numbers
    gold_vectors: Numbers
    threshold: float

    def agree(self, pred_rows: Numbers, gold_rows: Numbers, part: int) -> NDArray[np.bool_]:
        """Return whether pairs of axioms agree in one part, by name or by cosine."""
        near = pair_cosines(self.vectors, self.pred_vectors[pred_rows, part], self.gold_vectors[gold_rows, part])
        return super().agree(pred_rows, gold_rows, part) | (near > self.threshold)


def number_names(*, pred: Axioms, gold: Axioms, equivalences: Iterable[tuple[str, str]] = ()) -> Names:
    """Number the names of both sides alike."""
    texts, rows = intern.number_columns(gold.keys, pred.keys)
    gold_terms, pred_terms = (row.astype(np.int64) for row in rows)
    if equivalences := list(equivalences):
        numbers = {text: number for number, text in enumerate(texts)}
        same = [(numbers[a], numbers[b]) for a, b in equivalences if a in numbers and b in numbers]
        merged = _merge_numbers(len(texts), same)
        pred_terms, gold_terms = merged[pred_terms], merged[gold_terms]
    return Names(
        pred=pred_terms[pred.rows],
        gold=gold_terms[gold.rows],
        pred_terms=pred_terms,
        gold_terms=gold_terms,
        texts=texts,
    )


def _merge_numbers(count: int, pairs: Sequence[tuple[int, int]]) -> Numbers:
    """Number names connected by equivalences alike: by the lowest of their numbers, which is one of gold."""
    group = np.arange(count)
    for a, b in pairs:
        low, high = sorted((group[a], group[b]))
        group[group == high] = low
    return group


def fuzzy(names: Names, *, threshold: float, context: Context) -> FuzzyNames:
    """Match names by meaning too."""
    used, places = np.unique(np.concatenate([names.pred, names.gold]), return_inverse=True)
    vectors, rows = context.vectors(string_array([split_local_name(names.texts[number]) for number in used.tolist()]))
    both = rows[places.reshape(-1, 3)]
    cut = len(names.pred)
    return FuzzyNames(
        **vars(names), vectors=vectors, pred_vectors=both[:cut], gold_vectors=both[cut:], threshold=threshold
    )


def find_first_alike(here: Numbers, there: Numbers, parts: Sequence[int]) -> Numbers:
    """Find for each axiom the first of the other side whose parts have equal names; -1 for none."""
    # The time grows with the number of axioms, not with the number of pairs.
    keys = pack_rows(*np.concatenate([here, there])[:, list(parts)].T)
    return equal_counterparts(keys[: len(here)], keys[len(here) :])


ENDS = (CLASS, FILLER)
NEARLY = ((CLASS, PROPERTY), (PROPERTY, FILLER))
"""Parts that a counterpart without credit may share, the most specific first: all but the object, and all but the class."""
ERRORS: Mapping[str, str] = MappingProxyType({
    "same names": "the other side has the axiom by its names, but it does not get full credit",
    "reversed": "the other side has the axiom with class and object exchanged",
    "wrong property": "the other side has class and object, with another property",
    "wrong object": "the other side has class and property, with another object",
    "wrong class": "the other side has property and object, with another class",
    "class and object unknown": "the other side has neither name",
    "class unknown": "the other side does not have the name of the class",
    "object unknown": "the other side does not have the name of the object",
    "property unknown": "the other side does not have the name of the property",
    "not related": "the other side has the three names, but no two of them together",
})  # fmt: skip
"""What each kind of error means, in the order in which they are tried; names are compared as they are spelt, not by meaning."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AxiomMatching(Matching[Axioms]):
    """A matching of axioms, with both sides as numbers."""

    names: Names

    def _kinds(self, side: SideName, rows: NDArray[np.int64]) -> list[str]:
        """Name for each of some axioms which parts the other side has together: the first of `ERRORS` that holds."""
        here, there = (self.names.pred, self.names.gold) if side == "pred" else (self.names.gold, self.names.pred)
        mine, others, parts = here[rows], there[:, ENDS], there[:, PROPERTY]
        alike = [find_first_alike(mine, there, some) != NO_MATCH for some in (range(len(PARTS)), ENDS, *NEARLY)]
        turned = find_first_alike(mine[:, ::-1], there, range(len(PARTS))) != NO_MATCH
        class_known, object_known = (np.isin(mine[:, end], others) for end in ENDS)
        known = np.isin(mine[:, PROPERTY], parts)
        holds = [
            alike[0],
            turned,
            *alike[1:],
            ~class_known & ~object_known,
            ~class_known,
            ~object_known,
            ~known,
            np.ones(len(rows), dtype=np.bool_),
        ]
        return first_that_holds(ERRORS, holds)

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = ignore_progress) -> Evidence:
        """Look up the best counterpart of some axioms, and which of class, property and object agree."""
        # The counterpart of an axiom without credit is one that agrees in class and property, or else in property and
        # object; there may be none.
        del progress
        here, there = (self.names.pred, self.names.gold) if side == "pred" else (self.names.gold, self.names.pred)
        mine = self.pred if side == "pred" else self.gold
        counterpart = mine.counterpart[rows]
        for parts in NEARLY:
            open_ = np.flatnonzero(counterpart == NO_MATCH)
            counterpart[open_] = find_first_alike(here[rows[open_]], there, parts)
        matched = counterpart != NO_MATCH
        similarity = np.where(matched, np.nan_to_num(mine.similarity[rows]), np.nan)
        details = {"kind": self._items(side).kind_names(rows)}
        pair = (rows[matched], counterpart[matched]) if side == "pred" else (counterpart[matched], rows[matched])
        for part, name in enumerate(PARTS):
            agreement = np.full(len(rows), None, dtype=object)
            agreement[matched] = np.where(self.names.agree(*pair, part), "same", "differs")
            details[name] = agreement
        return Evidence(counterpart=counterpart, similarity=similarity, details=details)


def match_sides(*, names: Names, partial: float, context: Context) -> tuple[Side, Side]:
    """Find the best counterpart of every axiom of both sides."""
    # Axioms that agree by name are found by the numbers of their names; then similar names are compared for the axioms
    # that are still without full credit.
    cut, both = len(names.pred), np.concatenate([names.pred, names.gold])
    pair = pack_rows(both[:, CLASS], both[:, FILLER])
    whole = pack_rows(pair, both[:, PROPERTY])
    pred = _equal((whole[:cut], whole[cut:]), (pair[:cut], pair[cut:]), partial)
    gold = _equal((whole[cut:], whole[:cut]), (pair[cut:], pair[:cut]), partial)
    return _nearer(names, pred, gold, partial, context) if isinstance(names, FuzzyNames) else (pred, gold)


def _equal(whole: tuple[Numbers, Numbers], pair: tuple[Numbers, Numbers], partial: float) -> Side:
    """Find for each axiom of the first side the equal one, or else one that agrees in class and object."""
    same = equal_counterparts(*whole)

    def side() -> Side:
        found = same.copy()
        (others,) = (same == NO_MATCH).nonzero()
        found[others] = equal_counterparts(pair[0][others], pair[1])
        return _side(same, found, partial)

    # What earns nothing is evidence, and looked for when it is asked for.
    return side() if partial else Side.later(lambda: vars(side()), credit=(same != NO_MATCH).astype(np.float64))


def _side(whole: Numbers, pair: Numbers, partial: float) -> Side:
    credit = np.where(whole != NO_MATCH, 1.0, np.where(pair != NO_MATCH, partial, 0.0))
    counterpart = np.where(whole != NO_MATCH, whole, pair)
    return Side.of_credit(credit, counterpart)


def _nearer(names: FuzzyNames, pred: Side, gold: Side, partial: float, context: Context) -> tuple[Side, Side]:
    """Raise the credit of axioms that match one by meaning."""
    join = edge_join(
        names.vectors,
        names.pred_vectors[:, ENDS],
        names.gold_vectors[:, ENDS],
        threshold=names.threshold,
        memory=context.memory,
        progress=context.progress,
    )
    pred_near, gold_near = np.flatnonzero(join.hit_pred), np.flatnonzero(join.hit_gold)
    pred_open, gold_open = pred_near[pred.credit[pred_near] < 1], gold_near[gold.credit[gold_near] < 1]
    whole_pred = _find_whole(names, pred_open, gold_near, context)
    whole_gold = _find_whole(_swap_sides(names), gold_open, pred_near, context)
    return _raise_similarity(pred, whole_pred, join.witness_pred, partial), _raise_similarity(
        gold, whole_gold, join.witness_gold, partial
    )


def _raise_similarity(side: Side, whole: Numbers, pair: Numbers, partial: float) -> Side:
    by_name = np.where(side.credit == 1.0, side.counterpart, NO_MATCH)
    found = np.where(by_name != NO_MATCH, by_name, whole)
    near = np.where(side.counterpart != NO_MATCH, side.counterpart, pair)
    return _side(found, near, partial)


def _swap_sides(names: FuzzyNames) -> FuzzyNames:
    return replace(
        names, pred=names.gold, gold=names.pred, pred_terms=names.gold_terms, gold_terms=names.pred_terms,
        pred_vectors=names.gold_vectors, gold_vectors=names.pred_vectors,
    )  # fmt: skip


def _find_whole(names: FuzzyNames, here: Numbers, there: Numbers, context: Context) -> Numbers:
    """Find an axiom that agrees in all three parts, among those that agree in class and object with some."""
    found = np.full(len(names.pred), NO_MATCH, dtype=np.int64)
    if not len(there):
        return found
    tile = max(1, context.memory // (32 * len(there)))
    for start in range(0, len(here), tile):
        rows = here[start : start + tile]
        context.progress("matching whole axioms", start, len(here))
        matched = np.ones((len(rows), len(there)), dtype=np.bool_)
        for part in range(len(PARTS)):
            matched &= _near(names, names.pred_vectors[rows, part], names.gold_vectors[there, part])
        some = matched.any(axis=1)
        found[rows[some]] = there[matched.argmax(axis=1)[some]]
    return found


def _near(names: FuzzyNames, left: Numbers, right: Numbers) -> NDArray[np.bool_]:
    """Return which names are equal, or near in meaning, bool, shape (left, right)."""
    cosines, here, there = cosines_of_distinct(names.vectors, left, right)
    return np.asarray((cosines > names.threshold)[here][:, there] | (left[:, None] == right))
