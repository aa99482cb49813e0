"""Triples of documents: a predicted one matches a gold one of the same document, completely, in part, or by its meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from goldassay.core.context import Context
from goldassay.core.counts import FloatArray
from goldassay.core.curve import Cut, Step, similarity_steps
from goldassay.core.documents import DocumentPairs, spans_of
from goldassay.core.errors import UsageError
from goldassay.core.intern import string_array
from goldassay.core.measure import Symmetry
from goldassay.core.parameters import parameter
from goldassay.encoders.measure import MINILM, WORDNET_THRESHOLD, MeaningMeasure
from goldassay.formats.synonyms import count_idle, idle_note, read_synonyms
from goldassay.triples.comparison import SWAPPED, Alike, ByMeaning, ByWords, Comparison, number_names
from goldassay.triples.match import Blocks, TripleMatching, equal_sides, match_similar, pairs_of
from goldassay.triples.measures.measure import DocumentMeasure
from goldassay.triples.model import OBJECT, PREDICATE, SUBJECT, Numbers, TripleSet
from goldassay.triples.synonyms import codes_of_slots

PAIRS_AT_ONCE = 2**18
BYTES_OF_A_PAIR = 8
"""Of each dimension of the vectors of a pair: two float32."""


@dataclass(frozen=True, kw_only=True)
class TripleF1(MeaningMeasure[TripleSet, TripleMatching], DocumentMeasure[TripleMatching]):
    """A predicted triple is right when it matches a gold one of the same document. Documents are sets: a repeated triple counts once.

    Attributes:
        names: ``strict`` asks for the same names in all three slots; ``partial`` gives the mean of the word overlap (F1)
            of the slots; ``fuzzy`` asks for a cosine above the threshold in every slot; ``anchored`` asks, too, that no other name
            of gold's document is nearer: an equal name is the nearest, entities are compared with entities, predicates with predicates.
        threshold: The cosine that slots have to pass; 0.436 belongs to all-MiniLM-L6-v2.
        relation: Whether predicates match as the other slots do (``same``), or only if they are equal (``exact``).
        assignment: ``one-to-one`` lets a triple match one other at the most, so that credit is greatest; ``none`` lets each
            match its best, so that several predictions can be right by one gold triple.
        synonyms: A table of predicates or entities and their synonyms, an ontology, or a graph with clusters or aliases.
        symmetric: Predicates for which subject and object may change places.
        weighted: Whether a triple counts by the weight that its file gives it, 1 where it gives none, or every triple
            counts the same.

    Example:
        >>> gold = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway"), ("Oslo", "located in", "Norway")]})
        >>> pred = TripleSet.from_lists({"d": [("Oslo", "capital", "Norway")]})
        >>> TripleF1().score(pred=pred, gold=gold).f1
        0.0
        >>> TripleF1(names="partial").score(pred=pred, gold=gold).format()
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
        "a document is a set of triples: a repeated triple counts once, on both sides",
        "the script of WebNLG 2020 gives other numbers, also to references against themselves: webnlg",
        "the script of Text2KGBench leaves wrong relations out before it divides: text2kgbench",
        "fuzzy scores of graphs let several edges match one: assignment=none",
    )

    names: str = parameter(
        "strict",
        help="how names match: strict = equal, partial = by shared words, fuzzy = by meaning, anchored = with the nearest of gold's document",
        choices=("strict", "partial", "fuzzy", "anchored"),
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
    synonyms: str | None = parameter(
        None, help="names that mean the same: a table, an ontology, or a graph with clusters", metavar="FILE"
    )
    symmetric: tuple[str, ...] = parameter((), help="predicates whose subject and object may be swapped")
    weighted: str = parameter(
        "no", help="whether a triple counts by the weight that its file gives it", choices=("no", "yes")
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.by_meaning and self.threshold != WORDNET_THRESHOLD:
            raise UsageError(
                f"{self.name}: the threshold has no effect unless names are fuzzy or anchored.",
                hint=f"names=fuzzy, threshold={self.threshold:g}",
            )

    @property
    def keys(self) -> tuple[str, ...]:
        """The document and the three names, if these are compared as they are and every triple counts alike."""
        plain = self.names == "strict" and not self.synonyms and not self.symmetric and self.weighted == "no"
        return ("id", "subject", "predicate", "object") if plain else ()

    @property
    def by_meaning(self) -> bool:
        """Whether names are compared by their vectors."""
        return self.names in ("fuzzy", "anchored")

    @property
    def needs_encoder(self) -> bool:
        """Whether it compares meanings."""
        return self.by_meaning

    @property
    def weighs_gold(self) -> bool:
        """Equal triples do not compete; alike ones do."""
        return self.names == "strict" or self.assignment == "none"

    @property
    def symmetry(self) -> Symmetry:  # type: ignore[override]
        """Swapping the sides swaps precision and recall, unless predicted names are anchored at those of gold."""
        return "none" if self.names == "anchored" else "swap"

    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> TripleMatching:
        """Match triples within their documents."""
        places = pairs_of(pred, gold, pairs)
        comparison = self._comparison(pred=pred, gold=gold, context=context)
        if self.names == "strict" and self.assignment == "one-to-one":
            here, there = (_order_ends(some, comparison.symmetric) for some in (comparison.pred, comparison.gold))
            sides = equal_sides(pred=(places[0], *here.T), gold=(places[1], *there.T))
        else:
            sides = match_similar(
                Blocks(pred=spans_of(pred.starts, pairs.pred), gold=spans_of(gold.starts, pairs.gold)),
                comparison.likeness,
                one_to_one=self.assignment == "one-to-one",
                at_once=self._at_once(context),
                progress=context.progress,
                path=pred.path,
            )
        return TripleMatching.of(sides, items=(pred, gold), places=places, pairs=pairs, comparison=comparison)

    def weights(self, items: Any) -> FloatArray:
        """Return how much each triple counts, float64, shape (triples,)."""
        found: FloatArray = items.weights if self.weighted == "yes" else super().weights(items)
        return found

    def _at_once(self, context: Context) -> int:
        if not self.by_meaning or context.encoder is None:
            return PAIRS_AT_ONCE
        return max(1, context.memory // (BYTES_OF_A_PAIR * context.encoder.dimension))

    def _comparison(self, *, pred: TripleSet, gold: TripleSet, context: Context) -> Comparison:
        """Make the object that compares triples."""
        names = number_names(pred=pred, gold=gold)
        # The names of the prediction are numbered first, in their order.
        texts, rows, predicates = names.texts, [pred.rows, names.gold[gold.rows]], np.arange(len(names.texts))
        if self.synonyms:
            codes, texts = codes_of_slots(texts, read_synonyms(self.synonyms), gold=gold)
            predicates = codes[PREDICATE]
            rows = [np.column_stack([code[some[:, slot]] for slot, code in enumerate(codes)]) for some in rows]
        known = {text: code for code, text in enumerate(names.texts)} if self.symmetric else {}
        symmetric = [predicates[known[name]] for name in map(gold.normalise, self.symmetric) if name in known]
        return Comparison(
            texts=texts,
            pred=rows[0],
            gold=rows[1],
            symmetric=np.array(symmetric, dtype=np.int64),
            alike=self._alike(texts, context),
            threshold=self.threshold if self.by_meaning else None,
            anchored=gold.sets if self.names == "anchored" else None,
            exact_relation=self.relation == "exact",
            mean=self.names == "partial",
            merged=bool(self.synonyms),
        )

    def _alike(self, texts: list[str], context: Context) -> Alike | None:
        if self.by_meaning:
            return ByMeaning(*context.vectors(string_array(texts)))
        return ByWords(texts) if self.names == "partial" else None

    @property
    def cut(self) -> Cut | None:
        """The cosine that slots have to pass; none where no item has one similarity that decides whether it is hit."""
        decides = (
            self.names == "fuzzy" and self.assignment == "none" and self.average == "micro" and self.weighted == "no"
        )
        return Cut("threshold", self.threshold, inclusive=False) if decides else None

    def no_curve(self) -> UsageError:
        """Return why there is no curve."""
        return UsageError(
            f"{self} has no curve over thresholds.", expected="triples(names=fuzzy, assignment=none), micro"
        )

    def match_widest(self, *, pred: TripleSet, gold: TripleSet, context: Context) -> TripleMatching:
        """Find the best counterpart of every triple, however unlike it is."""
        return replace(self, threshold=-1.0).match(pred=pred, gold=gold, context=context)

    def steps(self, matching: TripleMatching) -> Sequence[Step]:
        """Make every triple a hit from its best similarity on."""
        return similarity_steps(pred=matching.pred.similarity, gold=matching.gold.similarity)

    def note(self, matching: TripleMatching, values: Mapping[str, Any]) -> str | None:
        """Return how many rows of synonyms apply to nothing."""
        del values
        if not self.synonyms:
            return None
        pairs, used = (
            read_synonyms(self.synonyms),
            {*matching.pred_items.keys.tolist(), *matching.gold_items.keys.tolist()},
        )
        return idle_note(self.synonyms, count_idle(pairs, used, normalise=matching.gold_items.normalise), len(pairs))


def _order_ends(rows: Numbers, symmetric: Numbers) -> Numbers:
    """Order the ends of triples of symmetric predicates."""
    if not len(symmetric):
        return rows
    turn = np.isin(rows[:, PREDICATE], symmetric) & (rows[:, SUBJECT] > rows[:, OBJECT])
    turned = rows.copy()
    turned[turn] = rows[turn][:, SWAPPED]
    return turned
