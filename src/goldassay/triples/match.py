"""How items match within their documents, and what is wrong with those that do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Progress, ignore_progress
from goldassay.core.counts import FloatArray
from goldassay.core.documents import DocumentPairs
from goldassay.core.errors import InputError, RecordError
from goldassay.core.matching import (
    ERROR,
    FAILURES,
    NO_MATCH,
    Evidence,
    ItemsT_co,
    Matching,
    Side,
    SideName,
    equal_counterparts,
)
from goldassay.kernels.assigned import assign_rows
from goldassay.kernels.keys import join_equal, pack_rows
from goldassay.kernels.ragged import ranges, run_heads
from goldassay.triples.comparison import Comparison, Slots
from goldassay.triples.model import OBJECT, PREDICATE, SLOTS, SUBJECT, Numbers, TripleSet
from goldassay.triples.words import occurs_exactly, to_plain_text

LARGEST = 2000
"""Triples of one document on one side that are compared each with each; the time grows with their cube."""

Likeness: TypeAlias = Callable[[Numbers, Numbers], tuple[FloatArray, FloatArray]]
"""Takes rows of pairs, of the prediction and of gold; gives credit and similarity of each pair."""
SAME, OTHER = "same", "other"
NOT_IN_TEXT = "not in the text"
ERRORS: Mapping[str, str] = MappingProxyType({
    "wrong subject": "subject apart, a triple of the document on the other side is the same",
    "wrong predicate": "predicate apart, a triple of the document on the other side is the same",
    "wrong object": "object apart, a triple of the document on the other side is the same",
    "partial boundary": "the slots that differ share words",
    "swapped": "subject and object are exchanged",
    "duplicate": "the triple that it is nearest to is matched already",
    NOT_IN_TEXT: "invented, and the text of the document does not have its subject or object",
    "invented": "predicted, and nothing else of these",
    "missed": "of gold, and nothing else of these",
})  # fmt: skip
"""What each kind of error means; the nearest triple of the same document decides."""
PAIRS_AT_ONCE = 2**16
Sides: TypeAlias = tuple[Side, Side]


def pair_documents(*, pred: TripleSet, gold: TripleSet) -> DocumentPairs:
    """Pair the documents of both sides by id; an empty document that gold does not have states nothing and is left out."""
    _check(pred=pred, gold=gold)
    pairs = DocumentPairs.by_id(pred=pred.ids, gold=gold.ids)
    if not pairs.surplus:
        return pairs
    written = np.diff(pred.starts) + np.diff(pred.written_starts)
    sizes = np.bincount(pred.owners, weights=written, minlength=len(pred.ids)).astype(np.int64)
    return pairs.without_empty(sizes)


def _check(*, pred: TripleSet, gold: TripleSet) -> None:
    if gold.faults:
        first = gold.faults[0]
        raise RecordError(
            f"Gold cannot be read completely. {first.message}",
            path=gold.path,
            line=first.line,
            found=first.found,
            expected=first.expected,
            hint="correct the record: only predictions may have unreadable records",
        )
    if len(pred.owners) > len(pred.ids):
        several = np.flatnonzero(pred.references > 1)
        raise InputError(
            "A document of the prediction has several sets of triples.",
            path=pred.path,
            found=f"{pred.references[several[0]]} of {str(pred.ids[several[0]])!r}",
            expected="one; only gold may have several references",
        )


def pairs_of(pred: TripleSet, gold: TripleSet, pairs: DocumentPairs) -> tuple[Numbers, Numbers]:
    """Return the pair that each triple of the prediction and of gold is in, int64, shape (triples,) each."""
    return pairs.of(pairs.pred, len(pred.ids))[pred.documents], pairs.of(pairs.gold, len(gold.ids))[gold.documents]


@dataclass(frozen=True, eq=False, kw_only=True)
class Blocks:
    """The triples of both sides, pair of documents by pair of documents."""

    pred: Numbers  # begin and end of the triples of each pair, shape (pairs, 2)
    gold: Numbers

    @property
    def sizes(self) -> Numbers:
        """How many triples of the prediction and of gold each pair has, int64, shape (pairs, 2)."""
        return np.column_stack([np.diff(self.pred, axis=1), np.diff(self.gold, axis=1)])


def equal_sides(*, pred: Sequence[Numbers], gold: Sequence[Numbers]) -> tuple[Side, Side]:
    """Match equal triples of the same document."""
    keys = pack_rows(*map(np.concatenate, zip(pred, gold, strict=True)))
    # Of several equal ones, as synonyms make them, the first matches.
    here, there = join_equal(keys[: len(pred[0])], keys[len(pred[0]) :], once=True)
    return Side.of_equals(here), Side.of_equals(there)


def check_size(size: int, path: str | None, message: str, *, most: int, hint: str) -> None:
    """Refuse a document with more triples than can be compared."""
    if size > most:
        raise InputError(message, path=path, found=f"{size:,} triples", expected=f"at most {most:,}", hint=hint)


def match_similar(
    blocks: Blocks,
    likeness: Likeness,
    *,
    one_to_one: bool,
    at_once: int,
    progress: Progress,
    path: str | None,
) -> tuple[Side, Side]:
    """Match similar triples of the same document."""
    sides = tuple(_Open(int(ends.max(initial=0))) for ends in (blocks.pred, blocks.gold))
    sizes = blocks.sizes
    message = "A document has too many triples to compare each with each."
    hint = "names=strict has no bound; or split the document"
    check_size(sizes.max(initial=0), path, message, most=LARGEST, hint=hint)
    products = sizes[:, 0] * sizes[:, 1]
    for pairs in batches(products, at_once):
        left, right = _each_with_each(blocks, pairs, products)
        credit, similarity = likeness(left, right)
        start = 0
        for pair in pairs.tolist():
            shape = int(sizes[pair, 0]), int(sizes[pair, 1])
            end = start + shape[0] * shape[1]
            cut = credit[start:end].reshape(shape), similarity[start:end].reshape(shape)
            if cut[0].any():
                begin = int(blocks.pred[pair, 0]), int(blocks.gold[pair, 0])
                (_assign if one_to_one else _best)(*cut, sides=sides, begin=begin)
            start = end
        progress("matching", int(pairs[-1]) + 1, len(products))
    return sides[0].side(), sides[1].side()


class _Open:
    """A side while it is filled."""

    def __init__(self, size: int) -> None:
        self.credit = np.zeros(size)
        self.counterpart = np.full(size, NO_MATCH, dtype=np.int64)
        self.similarity = np.full(size, np.nan)

    def record(self, rows: Numbers, others: Numbers, credit: FloatArray, similarity: FloatArray) -> None:
        self.credit[rows], self.counterpart[rows], self.similarity[rows] = credit, others, similarity

    def side(self) -> Side:
        return Side(credit=self.credit, counterpart=self.counterpart, similarity=self.similarity)


def batches(products: Numbers, at_once: int) -> Iterator[Numbers]:
    """Group pairs of documents so that each group has few pairs of triples; a large one is a group of its own."""
    pairs = np.flatnonzero(products)
    total = np.cumsum(products[pairs])
    start = 0
    while start < len(pairs):
        before = total[start - 1] if start else 0
        end = max(int(np.searchsorted(total, before + at_once, side="right")), start + 1)
        yield pairs[start:end]
        start = end


def _each_with_each(blocks: Blocks, pairs: Numbers, products: Numbers) -> tuple[Numbers, Numbers]:
    """List all pairs of triples of some pairs of documents, row by row of their matrices."""
    counts = products[pairs]
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    width = np.repeat(blocks.gold[pairs, 1] - blocks.gold[pairs, 0], counts)
    left = np.repeat(blocks.pred[pairs, 0], counts) + within // width
    right = np.repeat(blocks.gold[pairs, 0], counts) + within % width
    return left, right


def _assign(credit: FloatArray, similarity: FloatArray, *, sides: tuple[_Open, ...], begin: tuple[int, int]) -> None:
    rows, columns = _find_best_assignment(credit, similarity)
    matched = credit[rows, columns] > 0
    rows, columns = rows[matched], columns[matched]
    found = credit[rows, columns], similarity[rows, columns]
    sides[0].record(rows + begin[0], columns + begin[1], *found)
    sides[1].record(columns + begin[1], rows + begin[0], *found)


def _find_best_assignment(credit: FloatArray, similarity: FloatArray) -> tuple[Numbers, Numbers]:
    """Find the assignment with most credit, and of these one with most similarity."""
    # Similarities lie in [-1, 1] and are weighed so that all of them together weigh less than the smallest step of
    # credit that counts, a millionth.
    weight = credit + np.where(credit > 0, similarity, 0.0) * (1e-7 / min(credit.shape))
    if min(weight.shape) == 1:
        best = int(np.argmax(weight))
        return np.array([best // weight.shape[1]]), np.array([best % weight.shape[1]])
    return assign_rows(weight)


def _best(credit: FloatArray, similarity: FloatArray, *, sides: tuple[_Open, ...], begin: tuple[int, int]) -> None:
    weight = credit + np.where(credit > 0, similarity, 0.0) * 1e-7
    for here, there, axis in ((0, 1, 1), (1, 0, 0)):
        best = np.argmax(weight, axis=axis)
        rows: NDArray[np.int64] = np.arange(weight.shape[1 - axis])
        places = (rows, best) if axis == 1 else (best, rows)
        matched = credit[places] > 0
        sides[here].record(
            rows[matched] + begin[here],
            best[matched] + begin[there],
            credit[places][matched],
            similarity[places][matched],
        )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DocumentMatching(Matching[ItemsT_co]):
    """Items that matched within their pairs of documents."""

    pairs: DocumentPairs
    pred_pairs: Numbers  # the pair of each predicted item
    gold_pairs: Numbers  # the pair of each gold item

    @classmethod
    def of(
        cls, sides: Sides, *, items: tuple[Any, Any], places: tuple[Numbers, Numbers], pairs: DocumentPairs, **more: Any
    ) -> Self:
        """Combine what matched with the items of both sides, and the pairs that these are in; ``more`` are further attributes."""
        return cls(
            pred=sides[0],
            gold=sides[1],
            pred_items=items[0],
            gold_items=items[1],
            pairs=pairs,
            pred_pairs=places[0],
            gold_pairs=places[1],
            **more,
        )

    def predicates(self, side: SideName) -> Numbers | None:
        """Return the number of the predicate of each item as it was compared, int64, shape (items,); None if items have none."""
        del side
        return None

    def errors_among(self, items: Any) -> list[str] | None:
        """Name the kind of error of every row of some items, which a measure counts together with their documents."""
        return super().errors_among(getattr(items, "items", items))

    def details(self, side: SideName, rows: NDArray[np.int64]) -> Mapping[str, NDArray[Any]]:
        """Return the documents of some items."""
        places = self.pred_pairs if side == "pred" else self.gold_pairs
        return {"document": objects(self.pairs.ids[places[rows]].tolist())}


def sides_of_keys(here: Numbers, there: Numbers) -> tuple[Side, Side]:
    """Match items with equal keys."""
    counterparts = equal_counterparts(here, there), equal_counterparts(there, here)
    return sides_of(*counterparts)


def sides_of(here: Numbers, there: Numbers) -> tuple[Side, Side]:
    """Make both sides of the counterparts of each; who has one is completely hit."""
    return Side.of_hits(here != NO_MATCH, here), Side.of_hits(there != NO_MATCH, there)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ValuedMatching(DocumentMatching[ItemsT_co]):
    """Items of documents whose values are those of a script."""

    sums: Mapping[str, NDArray[np.float64]]  # what each pair of documents adds to the sums, by name

    def details(self, side: SideName, rows: NDArray[np.int64]) -> Mapping[str, NDArray[Any]]:
        """Return the documents of some items, and the values of these."""
        places = (self.pred_pairs if side == "pred" else self.gold_pairs)[rows]
        return {**super().details(side, rows), **{name: column[places] for name, column in self.sums.items()}}


class ExplainedMatching(DocumentMatching[ItemsT_co]):
    """Items whose evidence names the kind of error."""

    def _kinds(self, side: SideName, rows: NDArray[np.int64]) -> list[str]:
        """Name the kind of error of some items."""
        return list(self.evidence(side, rows).details[ERROR].tolist())


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedTriples:
    """Triples that are each right or wrong by themselves."""

    triples: TripleSet
    verdicts: Numbers  # 1 if a check holds, 0 if not, -1 where that is not known, int64, shape (triples, checks)
    checks: tuple[str, ...]
    wrong: str  # how the kind of error begins where some do not hold

    def __len__(self) -> int:
        return len(self.triples)

    def item(self, row: int) -> str:
        """Name one triple for a person."""
        return self.triples.item(row)

    def identifiers(self, rows: Numbers) -> dict[str, list[str]]:
        """List what the input calls some triples."""
        return self.triples.identifiers(rows)

    def error(self, row: int) -> str | None:
        """Return which checks do not hold for a triple; None if none is known not to."""
        failed = [name for name, verdict in zip(self.checks, self.verdicts[row].tolist(), strict=True) if verdict == 0]
        return f"{self.wrong}: {', '.join(failed)}" if failed else None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class JudgedMatching(ExplainedMatching[JudgedTriples]):
    """Predicted triples that are each right or wrong by themselves."""

    def details(self, side: SideName, rows: NDArray[np.int64]) -> Mapping[str, NDArray[Any]]:
        """Return the documents of some items, and what is wrong with them (``error``)."""
        errors = objects([self._items(side).error(row) for row in rows.tolist()])
        return {**super().details(side, rows), "error": errors}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TripleMatching(ExplainedMatching[TripleSet]):
    """Triples that matched within their pairs of documents; gold has one set a document."""

    comparison: Comparison

    def predicates(self, side: SideName) -> Numbers:
        """Return the number of the predicate of each triple as it was compared: synonyms have one."""
        return (self.comparison.pred if side == "pred" else self.comparison.gold)[:, PREDICATE]

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = ignore_progress) -> Evidence:
        """Look up the nearest triple of the same document, slot by slot, and name the kind of error."""
        # What is the same is what the score took for the same.
        found = super().evidence(side, rows, progress=progress)
        counterpart, similarity = found.counterpart.copy(), found.similarity.copy()
        open_ = np.flatnonzero(counterpart == NO_MATCH)
        counterpart[open_] = self._nearest(side, rows[open_])
        matched = np.flatnonzero(counterpart != NO_MATCH)
        left, right = _swap(side, rows[matched], counterpart[matched])
        unknown = np.isnan(similarity[matched])
        similarity[matched[unknown]] = self.comparison.nearness(left[unknown], right[unknown])[0]
        slots = self.comparison.slots(left, right)
        columns = {name: np.full(len(rows), None, dtype=np.object_) for name in (*SLOTS, "error")}
        for slot, name in enumerate(SLOTS):
            columns[name][matched] = np.where(slots.same[:, slot], SAME, OTHER)
        if self.comparison.merged:
            columns["synonym"] = np.full(len(rows), None, dtype=np.object_)
            columns["synonym"][matched] = self._synonyms(left, right, slots.same)
        columns["error"][:] = FAILURES[side]
        doubled = self._side("gold" if side == "pred" else "pred").credit[counterpart[matched]] >= 1
        columns["error"][matched] = _errors(slots, doubled, side)
        columns["error"][self._side(side).credit[rows] >= 1] = None
        if side == "pred":
            self._look_into_texts(rows, columns["error"])
        return Evidence(counterpart=counterpart, similarity=similarity, details={**found.details, **columns})

    def _synonyms(self, left: Numbers, right: Numbers, same: NDArray[np.bool_]) -> NDArray[Any]:
        """Name the synonyms by which slots are the same; None where the names are."""
        found = []
        for mine, other, slots in zip(left.tolist(), right.tolist(), same.tolist(), strict=True):
            names = zip(self.pred_items.slots(mine), self.gold_items.slots(other), slots, strict=True)
            normalise = self.gold_items.normalise
            differ = [
                f"{here} = {there}" for here, there, alike in names if alike and normalise(here) != normalise(there)
            ]
            found.append("; ".join(differ) or None)
        return objects(found)

    def _nearest(self, side: SideName, rows: Numbers) -> Numbers:
        """Find the most alike triple of the same document, as it is or with subject and object swapped; none if nothing is alike."""
        nearest = np.full(len(rows), NO_MATCH, dtype=np.int64)
        mine, others = (self.pred_pairs, self.gold_pairs) if side == "pred" else (self.gold_pairs, self.pred_pairs)
        begins, counts = _blocks(others, len(self.pairs))
        begins, counts = begins[mine[rows]], counts[mine[rows]]
        for some in batches(counts, PAIRS_AT_ONCE):
            there = ranges(begins[some], counts[some])
            near = np.maximum(*self.comparison.nearness(*_swap(side, np.repeat(rows[some], counts[some]), there)))
            starts = np.cumsum(counts[some]) - counts[some]
            best = np.maximum.reduceat(near, starts)
            # Of equally near ones the first.
            at = np.flatnonzero(near == np.repeat(best, counts[some]))
            first = there[at[np.searchsorted(at, starts)]]
            nearest[some] = np.where(best > 0, first, NO_MATCH)
        return nearest

    def _look_into_texts(self, rows: NDArray[np.int64], errors: NDArray[Any]) -> None:
        """Mark invented triples whose subject or object does not occur in the text."""
        prepared: dict[int, str] = {}
        for place, row in enumerate(rows.tolist()):
            if errors[place] != FAILURES["pred"]:
                continue
            pair = int(self.pred_pairs[row])
            if pair not in prepared:
                prepared[pair] = to_plain_text(self._text(pair))
            slots = self.pred_items.slots(row)
            if prepared[pair] and not all(occurs_exactly(slots[end], prepared[pair]) for end in (SUBJECT, OBJECT)):
                errors[place] = NOT_IN_TEXT

    def _text(self, pair: int) -> str:
        """Return the text of a pair of documents: that of gold, or else the one that comes with the prediction."""
        sides = (self.gold_items, self.pairs.gold[pair]), (self.pred_items, self.pairs.pred[pair])
        texts = (str(side.texts[document]) for side, document in sides if document != NO_MATCH)
        return next(filter(None, texts), "")


def objects(values: Sequence[Any]) -> NDArray[Any]:
    """Build a column of values of any kind."""
    column = np.empty(len(values), dtype=np.object_)
    column[:] = values
    return column


def _swap(side: SideName, rows: Numbers, others: Numbers) -> tuple[Numbers, Numbers]:
    """Return the rows of the prediction first."""
    return (rows, others) if side == "pred" else (others, rows)


def _blocks(pairs: Numbers, size: int) -> tuple[Numbers, Numbers]:
    """Find where the items of each pair begin, and how many there are; those of one pair are neighbours, in any order of pairs."""
    begins = np.zeros(size, dtype=np.int64)
    first = np.flatnonzero(run_heads(pairs))
    begins[pairs[first]] = first
    return begins, np.bincount(pairs, minlength=size)


def _errors(slots: Slots, doubled: NDArray[np.bool_], side: SideName) -> NDArray[Any]:
    """Name the kind of error of triples next to their counterparts."""
    errors = np.full(len(doubled), FAILURES[side], dtype=np.object_)
    differing = (~slots.same).sum(axis=1)
    for slot, name in enumerate(SLOTS):
        errors[(differing == 1) & ~slots.same[:, slot]] = f"wrong {name}"
    errors[(differing > 0) & slots.shared] = "partial boundary"
    errors[(differing > 0) & slots.swapped] = "swapped"
    errors[doubled] = np.where(slots.shared[doubled], "duplicate", FAILURES[side])
    return errors
