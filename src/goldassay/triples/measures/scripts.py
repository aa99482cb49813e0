"""The numbers of the scripts of WebNLG 2020 and of EDC: written triples as items, paired by the scripts' rules."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from itertools import permutations
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.core.counts import Counts, Division, FloatArray, f_measure
from goldassay.core.documents import DocumentPairs
from goldassay.core.errors import require
from goldassay.core.matching import NO_MATCH, Side, SideName
from goldassay.core.measure import PRECISION_RECALL_F1
from goldassay.core.parameters import Bounds, parameter
from goldassay.core.parts import Part
from goldassay.core.patterns import pattern_of
from goldassay.kernels.assigned import assign_rows
from goldassay.kernels.ragged import mark
from goldassay.triples.match import DocumentMatching, check_size, sides_of
from goldassay.triples.measures.measure import ReferencedMeasure
from goldassay.triples.measures.spans import EMPTY, SCHEMES, Triple, count_matched_spans, count_spans, values_of
from goldassay.triples.model import SLOTS, Numbers, TripleSet
from goldassay.triples.words import REMEMBERED

CAMEL = pattern_of(r"([a-z])([A-Z])")
BLANKS = pattern_of(r"\s+")
OPENING = pattern_of(r"\s\(")
TRIED = 8
"""Up to so many triples every order is tried, as the scripts do: where two orders are equally good but for the last bit
of a sum, that bit decides in them, and so it does here."""
LARGEST = 500
"""Triples of one document on one side that are compared each with each, words and all."""
TOO_LARGE = "A document has too many triples for this preset."
COUNTED = ("correct", "incorrect", "partial", "missed", "spurious")


@lru_cache(maxsize=REMEMBERED)
def prepare_triple(triple: tuple[str, ...], *, ascii_only: bool = False) -> Triple:
    """Write a triple as the scripts of WebNLG 2020 compare it."""
    subject, predicate, thing = (
        BLANKS.sub(" ", CAMEL.sub(r"\1 \2", text).lower().replace("_", " ")) for text in triple
    )
    if ascii_only:
        unidecode = require("unidecode", extra="edc", purpose="bring letters into ASCII as the script of EDC does")
        subject, predicate, thing = (unidecode.unidecode(text) for text in (subject, predicate, thing))
    remark = OPENING.search(thing) if thing.endswith(")") and "\n" not in thing else None
    return subject, predicate, thing[: remark.start()] if remark else thing


def find_best_order(credit: NDArray[np.float64]) -> NDArray[np.int64]:
    """Find the order of the columns that gives the rows most credit; of several the first in the alphabet of places."""
    size = len(credit)
    if size <= TRIED:
        orders = _orders(size)
        total = np.zeros(len(orders))
        for row in range(size):
            total += credit[row, orders[:, row]]
        found: NDArray[np.int64] = orders[int(np.argmax(total))]
        return found
    return assign_rows(credit)[1]


@cache
def _orders(size: int) -> NDArray[np.int64]:
    return np.array(list(permutations(range(size))), dtype=np.int64).reshape(math.factorial(size), size)


@dataclass(frozen=True, eq=False, kw_only=True)
class WrittenTriples:
    """All triples of documents as they were written, duplicates too."""

    triples: TripleSet

    def __len__(self) -> int:
        return len(self.triples.written)

    def item(self, row: int) -> str:
        """Name one triple for a person."""
        document = int(np.searchsorted(self.triples.written_starts, row, side="right")) - 1
        slots = (slot or "" for slot in self.triples.written_row(row))
        return f"{self.triples.ids[document]}: {' | '.join(slot.strip() for slot in slots)}"

    def identifiers(self, rows: Numbers) -> dict[str, list[str]]:
        """List the slots of some triples as they are written."""
        return self.triples.written_columns(rows)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ScriptMatching(DocumentMatching[WrittenTriples]):
    """Written triples, paired one to one, surplus ones with nothing."""

    places: Numbers  # the pair of documents of each pair of triples
    rows: Numbers  # the written triples of each pair, -1 for none, shape (paired, 2)
    matched: Numbers  # see `count_matched_spans`, shape (paired, 16)
    scored: Numbers  # pairs of documents
    shown: Mapping[str, FloatArray] = field(default_factory=dict)  # what each pair of triples adds to the sums

    def details(self, side: SideName, rows: Numbers) -> Mapping[str, NDArray[Any]]:
        """Return the documents, and what the pair of each triple adds: once, for a pair of two in the row of the predicted one."""
        own = self.rows[:, int(side == "gold")]
        once = np.flatnonzero((own != NO_MATCH) & ((side == "pred") | (self.rows[:, 0] == NO_MATCH)))
        shown = {name: np.full(len(self._items(side)), np.nan) for name in self.shown}
        for name, column in self.shown.items():
            shown[name][own[once]] = column[once]
        return {**super().details(side, rows), **{name: column[rows] for name, column in shown.items()}}


@dataclass(frozen=True, kw_only=True)
class ScriptMeasure(ReferencedMeasure[ScriptMatching]):
    """Precision, recall and F1 as the script of WebNLG 2020 prints them."""

    largest: ClassVar[bool] = False
    values: ClassVar[Mapping[str, Bounds]] = PRECISION_RECALL_F1
    headline: ClassVar[str] = "f1"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "none"
    defined_one_sided: ClassVar[bool] = True

    mode: str = parameter("strict", help="when a span is correct", choices=SCHEMES, always=True)
    slot: str = parameter("all", help="which slot's spans count", choices=("all", *SLOTS))
    average: str = parameter(
        "pairs", help="mean over pairs of triples, or the counts divided", choices=("pairs", "counts")
    )

    @property
    @abstractmethod
    def ascii_only(self) -> bool:
        """Whether letters are brought into ASCII."""

    @abstractmethod
    def skipped(self, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs) -> Iterable[int]:
        """List the pairs of documents that the script leaves out."""

    def match(self, *, pred: TripleSet, gold: TripleSet, context: Context) -> ScriptMatching:
        """Pair the triples of each document so that the mean of the four F1 is greatest."""
        # All modes pair alike: what is compared depends on no parameter but those that `skipped` reads.
        make = partial(super().match, pred=pred, gold=gold, context=context)
        made = context.get_or_make(self.made_once, (pred, gold), make)
        columns = {name.removeprefix("sum_"): column for name, column in self._columns(made).items() if name != "pairs"}
        return replace(made, pred=self._side(made, 0), gold=self._side(made, 1), shown=columns)

    @property
    def made_once(self) -> str:
        """What the pairing is called among what measures share; says all that it depends on."""
        return self.name

    def _side(self, matching: ScriptMatching, side: int) -> Side:
        """Return each triple the F1 of its pair."""
        here, there = matching.rows[:, side], matching.rows[:, 1 - side]
        both = (here != NO_MATCH) & (there != NO_MATCH)
        size = len(matching.pred_items if side == 0 else matching.gold_items)
        return Side.of_pairs(size, here[both], there[both], values_of(self._count_hits(matching))[both, 2])

    def worth(self, matching: ScriptMatching) -> FloatArray:
        """Return the mean F1 of the pairs of triples of each document."""
        sums = self.per_document(matching)
        return np.asarray(sums["sum_f1"] / np.maximum(sums["pairs"], 1))

    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> ScriptMatching:
        """Pair the triples of each document."""
        left_out = set(self.skipped(pred, gold, pairs))
        sides = [_Lines(pred, self.ascii_only), _Lines(gold, self.ascii_only)]
        places: list[int] = []
        rows: list[tuple[int, int]] = []
        matched: list[tuple[int, ...]] = []
        for pair, documents in enumerate(zip(pairs.pred.tolist(), pairs.gold.tolist(), strict=True)):
            if pair in left_out:
                continue
            (begin, here), (start, there) = (side.of(one) for side, one in zip(sides, documents, strict=True))
            size = max(len(here), len(there))
            check_size(size, pred.path, TOO_LARGE, most=LARGEST, hint="the measure triples has no such bound")
            found = [[count_matched_spans(other, one) for other in _fill(there, size)] for one in _fill(here, size)]
            order = find_best_order(np.array([[_worth(one) for one in row] for row in found]).reshape(size, size))
            for row, column in enumerate(order.tolist()):
                matched.append(found[row][column])
                places.append(pair)
                rows.append(
                    (begin + row if row < len(here) else NO_MATCH, start + column if column < len(there) else NO_MATCH)
                )
            context.progress("matching", pair + 1, len(pairs))
        nothing, paired = np.zeros(0, dtype=np.int64), np.array(rows, dtype=np.int64).reshape(-1, 2)
        kept = [
            mark(column[column != NO_MATCH], len(side.written))
            for column, side in zip(paired.T, (pred, gold), strict=True)
        ]
        return ScriptMatching(
            **matching_attributes(pred, gold, pairs, (nothing, nothing)),
            included=(kept[0], kept[1]),
            places=np.array(places, dtype=np.int64),
            rows=paired,
            matched=np.array(matched, dtype=np.int64).reshape(-1, 16),
            scored=np.array([pair for pair in range(len(pairs)) if pair not in left_out], dtype=np.int64),
        )

    def parts(self, matching: ScriptMatching) -> tuple[Part, ...]:
        """List the documents that are scored, each with the sums over its pairs of triples."""
        pairs = matching.pairs.only(matching.scored)
        columns = {name: column[matching.scored] for name, column in self.per_document(matching).items()}
        return (Part(items=pairs, others=pairs, unit_keys=pairs.ids.tolist, counts=columns),)

    def per_document(self, matching: ScriptMatching) -> dict[str, FloatArray]:
        """Sum the values of the pairs of triples, and what the scheme counts of them, document by document."""
        size = len(matching.pairs)
        return {
            name: np.bincount(matching.places, weights=column, minlength=size).astype(np.float64)
            for name, column in self._columns(matching).items()
        }

    def divide(self, counts: Counts, ratio: Division) -> dict[str, Any]:
        """Divide the sums of values by the pairs of triples, or what is right by what there is."""
        if self.average == "pairs":
            return {name: ratio(name, counts[f"sum_{name}"], counts["pairs"]) for name in PRECISION_RECALL_F1}
        right = counts["correct"] + 0.5 * counts["partial"]
        matched = counts["correct"] + counts["incorrect"] + counts["partial"]
        precision = ratio("precision", right, matched + counts["spurious"])
        recall = ratio("recall", right, matched + counts["missed"])
        return {"precision": precision, "recall": recall, "f1": f_measure(precision, recall)}

    def _count_hits(self, matching: ScriptMatching) -> Numbers:
        return count_spans(matching.matched, self.mode, None if self.slot == "all" else SLOTS.index(self.slot))

    def _columns(self, matching: ScriptMatching) -> dict[str, FloatArray]:
        numbers = self._count_hits(matching)
        values = values_of(numbers)
        return {
            "pairs": np.ones(len(numbers)),
            **{f"sum_{name}": values[:, place] for place, name in enumerate(PRECISION_RECALL_F1)},
            **{name: numbers[:, place].astype(np.float64) for place, name in enumerate(COUNTED)},
        }


class _Lines:
    """The written triples of one side, as the script compares them."""

    def __init__(self, triples: TripleSet, ascii_only: bool) -> None:
        self.triples = triples
        self.ascii_only = ascii_only

    def of(self, document: int) -> tuple[int, list[Triple]]:
        """Return the first row of a document and its triples; none of a document that is not there."""
        if document == NO_MATCH:
            return 0, []
        begin = int(self.triples.written_starts[document])
        rows = self.triples.written_of(document)
        return begin, [prepare_triple(tuple(slot or "" for slot in row), ascii_only=self.ascii_only) for row in rows]


def _fill(triples: list[Triple], size: int) -> list[Triple]:
    return [*triples, *[EMPTY] * (size - len(triples))]


@lru_cache(maxsize=REMEMBERED)
def _worth(matched: tuple[int, ...]) -> float:
    """Return the sum of the four F1, rounded once, as the script's mean is, a fourth of it."""
    return math.fsum(values_of(count_spans(np.array([matched]), scheme))[0, 2] for scheme in SCHEMES)


def matching_attributes(
    pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, counterparts: Sequence[Numbers]
) -> dict[str, Any]:
    """Return the attributes of a matching of written triples."""
    sides = sides_of(*counterparts)
    return {
        "pred": sides[0],
        "gold": sides[1],
        "pred_items": WrittenTriples(triples=pred),
        "gold_items": WrittenTriples(triples=gold),
        "pairs": pairs,
        "pred_pairs": lines_pairs(pred, pairs.pred, pairs),
        "gold_pairs": lines_pairs(gold, pairs.gold, pairs),
    }


def lines_pairs(triples: TripleSet, documents: Numbers, pairs: DocumentPairs) -> Numbers:
    """Return the pair of documents that each written triple of a side is in, int64, shape (written,)."""
    return np.repeat(pairs.of(documents, len(triples.ids)), np.diff(triples.written_starts))


def find_dropped(pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, *, max_length_diff: int = -1) -> Iterator[int]:
    """List the pairs of documents that the script leaves out."""
    typed = np.zeros(len(pred.ids), dtype=np.bool_)
    lines = np.repeat(np.arange(len(pred.ids)), np.diff(pred.written_starts))
    typed[lines[pred.datatypes != ""]] = True
    sizes = np.diff(pred.written_starts), np.diff(gold.written_starts)
    for pair, (here, there) in enumerate(zip(pairs.pred.tolist(), pairs.gold.tolist(), strict=True)):
        if here != NO_MATCH and (pred.unreadable[here] or typed[here]):
            yield pair
        elif max_length_diff >= 0:
            counts = (0 if one == NO_MATCH else int(size[one]) for one, size in ((here, sizes[0]), (there, sizes[1])))
            if abs(next(counts) - next(counts)) > max_length_diff:
                yield pair


@dataclass(frozen=True, kw_only=True)
class Webnlg(ScriptMeasure):
    """What ``Evaluation_script_json.py`` of WebNLG 2020 prints under ``Total_scores`` and ``Scores_per_tag``.

    A preset, and no measure that one would define so: a wrong word in a slot leaves the others full credit even in strict
    mode, references do not always score 1 against themselves, and a surplus triple lowers recall. `TripleF1` is the clean
    measure. Where the script tries every order of the triples of a document, an assignment finds the same.

    Example:
        >>> gold = TripleSet.from_lists({"d": [("Alpha_Beta", "city", "Oslo")]})
        >>> pred = TripleSet.from_lists({"d": [("Alpha_Gamma", "county", "Vestland")]})
        >>> Webnlg().score(pred=pred, gold=gold).format()
        'webnlg(mode=strict): precision 0.2000, recall 0.3333, f1 0.2500'
    """

    name: ClassVar[str] = "webnlg"
    title: ClassVar[str] = "WebNLG 2020 script"
    formula: ClassVar[str] = (
        r"F_1 = \frac{1}{|M|} \sum_{(p, g) \in M} F_1(p, g),\quad "
        r"M = \arg\max_{M \text{ one-to-one}} \sum_{(p, g) \in M} \overline{F_1}(p, g)"
    )
    citation: ClassVar[str] = "castroferreira2020"
    conventions: ClassVar[tuple[str, ...]] = (
        "precision, recall and F1 are means over pairs of triples; average=counts divides the printed counts",
        "a text is one sentence to NLTK's word tokenizer (preserve_line)",
        "up to 8 triples a document ties are broken as the script breaks them",
    )

    @property
    def ascii_only(self) -> bool:
        """The script leaves letters as they are."""
        return False

    def skipped(self, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs) -> Iterable[int]:
        """Leave no document out."""
        del pred, gold, pairs
        return ()


@dataclass(frozen=True, kw_only=True)
class Edc(ScriptMeasure):
    """What ``evaluate/evaluation_script.py`` of EDC prints: the script of WebNLG 2020 with letters in ASCII.

    A preset. A document whose prediction cannot be read, or holds anything but texts, vanishes together with its gold,
    so that what a model could not write down costs it nothing. `TripleF1` counts such a document as not answered.

    Attributes:
        max_length_diff: Documents whose numbers of triples differ by more are left out; -1 leaves none out.

    Example:
        >>> gold = TripleSet.from_lists({"d": [("Mülhausen", "country", "France")]})
        >>> pred = TripleSet.from_lists({"d": [("Mulhausen", "country", "France")]})
        >>> Edc().score(pred=pred, gold=gold).f1
        1.0
    """

    name: ClassVar[str] = "edc"
    title: ClassVar[str] = "EDC script"
    formula: ClassVar[str] = (
        r"F_1 = \frac{1}{|M|} \sum_{(p, g) \in M} F_1(p, g)\ \text{over documents whose prediction can be read}"
    )
    citation: ClassVar[str] = "zhang2024edc"
    conventions: ClassVar[tuple[str, ...]] = (
        "unreadable predictions are left out together with their gold",
        "letters are brought into ASCII by Unidecode",
    )

    max_length_diff: int = parameter(
        -1,
        help="leave out documents whose numbers of triples differ by more than this; -1 leaves none out",
        bounds=(-1, 10**6),
    )

    @property
    def ascii_only(self) -> bool:
        """The script brings letters into ASCII."""
        return True

    @property
    def made_once(self) -> str:
        """What the pairing is called among what measures share."""
        return f"{self.name}-{self.max_length_diff}"

    def skipped(self, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs) -> Iterable[int]:
        """Leave out documents that cannot be read, or whose numbers of triples differ by too much."""
        return find_dropped(pred, gold, pairs, max_length_diff=self.max_length_diff)
