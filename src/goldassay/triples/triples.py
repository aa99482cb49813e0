"""Triples of documents: a predicted one meets a gold one of the same document, wholly, in part, or by its meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context, string_array
from goldassay.core.counts import Counts, FloatArray
from goldassay.core.curve import Cut, Step, similarity_steps
from goldassay.core.documents import DocumentPairs
from goldassay.core.errors import UsageError
from goldassay.core.parameters import parameter
from goldassay.core.signature import Signature
from goldassay.encoders.measure import MINILM, WORDNET_THRESHOLD, MeaningMeasure
from goldassay.formats import load
from goldassay.triples.matching import TripleMatching
from goldassay.triples.measure import DocumentMeasure
from goldassay.triples.meeting import Blocks, Likeness, alike_sides, blocks_of, equal_sides
from goldassay.triples.model import OBJECT, PREDICATE, SLOTS, SUBJECT, Numbers, Triples
from goldassay.triples.pairing import Names, numbered, pairs_of
from goldassay.triples.synonyms import merged_codes, read_synonyms
from goldassay.triples.words import overlap

_Alike: TypeAlias = Callable[[Numbers, Numbers], FloatArray]
PAIRS_AT_ONCE = 2**18
BYTES_OF_A_PAIR = 8
"""Of each dimension of the vectors of a pair: two float32."""


@dataclass(frozen=True, kw_only=True)
class Triple(MeaningMeasure[Triples, TripleMatching], DocumentMeasure[TripleMatching]):
    """A predicted triple is right when it meets a gold one of the same document.

    Attributes:
        names: ``strict`` asks for the same names in all three slots; ``partial`` gives the mean of the word overlap (F1)
            of the slots; ``fuzzy`` asks for a cosine above the threshold in every slot.
        threshold: The cosine that slots have to pass; 0.436 belongs to all-MiniLM-L6-v2.
        relation: Whether predicates meet as the other slots do (``same``), or only if they are equal (``exact``).
        assignment: ``one-to-one`` lets a triple meet one other at the most, so that credit is greatest; ``none`` lets each
            meet its best, so that several predictions can be right by one gold triple.
        synonyms: A table of predicates and their synonyms.
        symmetric: Predicates for which subject and object may change places.
        weighted: Whether a triple counts by the weight that its file gives it, 1 where it gives none, or every triple
            counts the same.

    Example:
        >>> gold = Triples.from_lists({"d": [("Oslo", "capital of", "Norway"), ("Oslo", "located in", "Norway")]})
        >>> pred = Triples.from_lists({"d": [("Oslo", "capital", "Norway")]})
        >>> Triple().score(pred=pred, gold=gold).f1
        0.0
        >>> Triple(names="partial").score(pred=pred, gold=gold).format()
        'triples(names=partial): precision 0.8889, recall 0.4444, f1 0.5926'
    """

    name: ClassVar[str] = "triples"
    title: ClassVar[str] = "Triple F1"
    formula: ClassVar[str] = (
        r"P = \frac{1}{|P|} \sum_d \sum_{(p, g) \in A_d} c(p, g),\quad R = \frac{1}{|G|} \sum_d \sum_{(p, g) \in A_d} c(p, g)"
        r",\quad A_d = \arg\max_{A \text{ one-to-one}} \sum_{(p, g) \in A} c(p, g)"
    )
    citation: ClassVar[str] = "castroferreira2020"
    conventions: ClassVar[tuple[str, ...]] = (
        "the script of WebNLG 2020 gives other numbers, also to references against themselves: webnlg",
        "the script of Text2KGBench leaves wrong relations out before it divides: text2kgbench",
        "fuzzy scores of graphs let several edges meet one: assignment=none",
    )

    names: str = parameter(
        "strict",
        help="how names match: strict = equal, partial = by shared words, fuzzy = by meaning",
        choices=("strict", "partial", "fuzzy"),
    )
    threshold: float = parameter(
        WORDNET_THRESHOLD, help="the cosine that fuzzy names must exceed", bounds=(-1.0, 1.0), encoder=MINILM
    )
    relation: str = parameter(
        "same", help="how predicates match: as other names do, or exact", choices=("same", "exact")
    )
    assignment: str = parameter(
        "one-to-one",
        help="whether a triple matches at most one other, or (none) its best",
        choices=("one-to-one", "none"),
    )
    synonyms: str | None = parameter(None, help="a table of predicates and their synonyms", metavar="FILE")
    symmetric: tuple[str, ...] = parameter((), help="predicates whose subject and object may be swapped")
    weighted: str = parameter(
        "no", help="whether a triple counts by the weight that its file gives it", choices=("no", "yes")
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.names != "fuzzy" and self.threshold != WORDNET_THRESHOLD:
            raise UsageError(
                f"{self.name}: the threshold has no effect unless names are fuzzy.",
                hint=f"names=fuzzy, threshold={self.threshold:g}",
            )

    @property
    def needs_encoder(self) -> bool:
        """Whether it compares meanings."""
        return self.names == "fuzzy"

    @property
    def weighs_gold(self) -> bool:
        """Equal triples do not compete; alike ones do."""
        return self.names == "strict" or self.assignment == "none"

    def meet(self, *, pred: Triples, gold: Triples, pairs: DocumentPairs, context: Context) -> TripleMatching:
        """Let triples meet within their documents."""
        names = numbered(pred=pred, gold=gold)
        places = pairs_of(pred, pairs, side="pred"), pairs_of(gold, pairs, side="gold")
        # The names of the prediction are numbered first, in their order.
        rows = [pred.rows, names.gold[gold.rows]]
        predicates = np.arange(len(names.texts))
        if self.synonyms:
            predicates = merged_codes(names.texts, read_synonyms(self.synonyms), gold=gold)
            rows = [_merged(some, predicates) for some in rows]
        known = {text: code for code, text in enumerate(names.texts)} if self.symmetric else {}
        symmetric = np.array(
            [predicates[known[name]] for name in map(gold.normalise, self.symmetric) if name in known], dtype=np.int64
        )
        if self.names == "strict" and self.assignment == "one-to-one":
            here, there = (_turned(some, symmetric) for some in rows)
            sides = equal_sides(pred=(places[0], *here.T), gold=(places[1], *there.T))
        else:
            sides = alike_sides(
                Blocks(pred=blocks_of(pred, pairs.pred), gold=blocks_of(gold, pairs.gold)),
                self._likeness(rows, names, symmetric, context),
                one_to_one=self.assignment == "one-to-one",
                at_once=self._at_once(context),
                progress=context.progress,
                path=pred.path,
            )
        return TripleMatching.of(sides, items=(pred, gold), places=places, pairs=pairs)

    def weights(self, items: Any) -> FloatArray:
        """Return how much each triple counts, float64, shape (triples,)."""
        found: FloatArray = items.weights if self.weighted == "yes" else super().weights(items)
        return found

    def _at_once(self, context: Context) -> int:
        if self.names != "fuzzy" or context.encoder is None:
            return PAIRS_AT_ONCE
        return max(1, context.memory // (BYTES_OF_A_PAIR * context.encoder.dimension))

    def _likeness(self, rows: list[Numbers], names: Names, symmetric: Numbers, context: Context) -> Likeness:
        """Make the function that compares pairs of triples."""
        alike = self._alike(names, context)

        def of_slot(left: Numbers, right: Numbers, *, predicate: bool = False) -> FloatArray:
            equal = left == right
            found: FloatArray = equal.astype(np.float64)
            if self.names == "strict" or (predicate and self.relation == "exact"):
                return found
            found[~equal] = alike(left[~equal], right[~equal])
            return found

        def compared(here: Numbers, there: Numbers) -> tuple[FloatArray, FloatArray]:
            if self.names == "partial":
                slots = [of_slot(here[:, slot], there[:, slot], predicate=slot == PREDICATE) for slot in range(3)]
                mean = (slots[SUBJECT] + slots[PREDICATE] + slots[OBJECT]) / len(SLOTS)
                return mean, mean
            least = of_slot(here[:, PREDICATE], there[:, PREDICATE], predicate=True)
            for slot in (SUBJECT, OBJECT):
                # What one slot keeps apart, no other slot brings together.
                near = np.flatnonzero(passed(least))
                least[near] = np.minimum(least[near], of_slot(here[near, slot], there[near, slot]))
            return passed(least).astype(np.float64), least

        def passed(least: FloatArray) -> NDArray[np.bool_]:
            return least == 1.0 if self.names == "strict" else least > self.threshold

        def likeness(left: Numbers, right: Numbers) -> tuple[FloatArray, FloatArray]:
            here, there = rows[0][left], rows[1][right]
            credit, similarity = compared(here, there)
            both_ways = np.flatnonzero(np.isin(there[:, PREDICATE], symmetric))
            if len(both_ways):
                other = compared(here[both_ways], there[both_ways][:, [OBJECT, PREDICATE, SUBJECT]])
                kept = other[1] > similarity[both_ways]
                better = both_ways[kept]
                credit[better], similarity[better] = other[0][kept], other[1][kept]
            return credit, similarity

        return likeness

    def _alike(self, names: Names, context: Context) -> _Alike:
        if self.names != "fuzzy":
            return _by_words(names)
        vectors, places = context.vectors(string_array(names.texts))

        def by_meaning(left: Numbers, right: Numbers) -> FloatArray:
            found = np.einsum("ij,ij->i", vectors[places[left]], vectors[places[right]])
            return np.asarray(found, dtype=np.float64)

        return by_meaning

    @property
    def cut(self) -> Cut | None:
        """The cosine that slots have to pass; none where no item has a similarity that alone decides whether it is hit."""
        alone = (
            self.names == "fuzzy" and self.assignment == "none" and self.average == "micro" and self.weighted == "no"
        )
        return Cut("threshold", self.threshold, inclusive=False) if alone else None

    def no_curve(self) -> UsageError:
        """Say why there is no curve."""
        return UsageError(
            f"{self} has no curve over thresholds.", expected="triples(names=fuzzy, assignment=none), micro"
        )

    def match_widest(self, *, pred: Triples, gold: Triples, context: Context) -> TripleMatching:
        """Find the best counterpart of every triple, however unlike it is."""
        return replace(self, threshold=-1.0).match(pred=pred, gold=gold, context=context)

    def steps(self, matching: TripleMatching) -> Sequence[Step]:
        """Let every triple be hit from its best similarity on."""
        return similarity_steps(pred=matching.pred.similarity, gold=matching.gold.similarity)

    def sign(self, *, pred: Triples, gold: Triples, counts: Counts, context: Context) -> Signature:
        """Write the line that says all that can move the number: also what the table of synonyms holds."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        return signature.with_field("synonyms", load(self.synonyms).digest) if self.synonyms else signature


def _by_words(names: Names) -> _Alike:
    def alike(left: Numbers, right: Numbers) -> FloatArray:
        codes, place = np.unique(left * len(names.texts) + right, return_inverse=True)
        found = [overlap(names.texts[code // len(names.texts)], names.texts[code % len(names.texts)]) for code in codes]
        return np.array(found, dtype=np.float64)[place]

    return alike


def _merged(rows: Numbers, predicates: Numbers) -> Numbers:
    """Give synonymous predicates one number."""
    merged = rows.copy()
    merged[:, PREDICATE] = predicates[rows[:, PREDICATE]]
    return merged


def _turned(rows: Numbers, symmetric: Numbers) -> Numbers:
    """Put the ends of triples of symmetric predicates in one order."""
    if not len(symmetric):
        return rows
    turn = np.isin(rows[:, PREDICATE], symmetric) & (rows[:, SUBJECT] > rows[:, OBJECT])
    turned = rows.copy()
    turned[turn] = rows[turn][:, [OBJECT, PREDICATE, SUBJECT]]
    return turned
