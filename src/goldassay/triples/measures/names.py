"""Names of documents as items, and the measures of them: those in one slot, entities and relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from goldassay.core.context import Context
from goldassay.core.documents import DocumentPairs
from goldassay.core.matching import NO_MATCH, Side
from goldassay.core.model import row_column
from goldassay.core.parameters import parameter
from goldassay.kernels.ragged import run_heads
from goldassay.triples.comparison import number_names
from goldassay.triples.match import DocumentMatching, sides_of_keys
from goldassay.triples.measures.measure import DocumentMeasure
from goldassay.triples.model import OBJECT, PREDICATE, SLOTS, SUBJECT, Numbers, TripleSet


@dataclass(frozen=True, eq=False, kw_only=True)
class NameItems:
    """Names that occur in documents."""

    triples: TripleSet
    documents: Numbers
    keys: Numbers  # rows of `triples.keys`
    turns: Numbers  # how often the document has the name before
    firsts: Numbers  # the triple and the slot where it is, or is first, shape (names, 2)

    @classmethod
    def of(cls, triples: TripleSet, slots: Sequence[int], *, often: bool) -> NameItems:
        """List the names of some slots."""
        documents = np.repeat(triples.documents, len(slots))
        keys = triples.rows[:, list(slots)].reshape(-1)
        order = np.lexsort((np.arange(len(keys)), keys, documents))
        documents, keys = documents[order], keys[order]
        new = run_heads(documents, keys)
        turns = np.arange(len(keys)) - np.maximum.accumulate(np.where(new, np.arange(len(keys)), 0))
        # The name of a slot that is not there is no name.
        kept = (keys != triples.nameless) & (new | often)
        firsts = np.column_stack([order // len(slots), np.array(slots)[order % len(slots)]])
        return cls(triples=triples, documents=documents[kept], keys=keys[kept], turns=turns[kept], firsts=firsts[kept])

    def __len__(self) -> int:
        return len(self.keys)

    def item(self, row: int) -> str:
        """Name one item for a person, for example ``d1: Oslo``; ``(2)`` for the second time."""
        again = f" ({self.turns[row] + 1})" if self.turns[row] else ""
        return f"{self.triples.ids[self.documents[row]]}: {self.triples.keys[self.keys[row]]}{again}"

    def identifiers(self, rows: Numbers) -> dict[str, list[str]]:
        """List the rows of the input that some names first occur in, their documents, and the names as they are written there."""
        triples, slots = self.firsts[rows].T
        names = [self.triples.slots(row)[slot] for row, slot in zip(triples.tolist(), slots.tolist(), strict=True)]
        documents = self.triples.ids[self.documents[rows]].tolist()
        return {**row_column(self.triples.input_rows, triples), "document": documents, "name": names}


def match_names(
    *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, slots: Sequence[int], often: bool
) -> DocumentMatching[NameItems]:
    """Match equal names of the same document."""
    names = number_names(pred=pred, gold=gold)
    here, there = NameItems.of(pred, slots, often=often), NameItems.of(gold, slots, often=often)
    places = pairs.of(pairs.pred, len(pred.ids))[here.documents], pairs.of(pairs.gold, len(gold.ids))[there.documents]
    most = 1 + max((int(turns.max()) for turns in (here.turns, there.turns) if len(turns)), default=0)
    codes = [
        (place * len(names.texts) + code[items.keys]) * most + items.turns
        for place, code, items in ((places[0], names.pred, here), (places[1], names.gold, there))
    ]
    sides = sides_of_keys(codes[0], codes[1])
    return DocumentMatching[NameItems].of(sides, items=(here, there), places=places, pairs=pairs)


@dataclass(frozen=True, kw_only=True)
class Slots(DocumentMeasure[DocumentMatching[NameItems]]):
    """The names in one slot of the triples of a document, each as often as it occurs; the other slots are ignored.

    Attributes:
        slot: Which slot.

    Example:
        >>> gold = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway"), ("Oslo", "in", "Norway")]})
        >>> pred = TripleSet.from_lists({"d": [("Oslo", "capital of", "Sweden")]})
        >>> Slots(slot="subject").score(pred=pred, gold=gold).format()
        'slots(slot=subject): precision 1.0000, recall 0.5000, f1 0.6667'
    """

    name: ClassVar[str] = "slots"
    title: ClassVar[str] = "F1 of one slot"
    formula: ClassVar[str] = (
        r"h = \sum_d \sum_n \min(P_d^{slot}(n), G_d^{slot}(n)),\quad P = \frac{h}{|P|},\quad R = \frac{h}{|G|}"
    )
    citation: ClassVar[str] = "castroferreira2020"

    slot: str = parameter("predicate", help="which slot", choices=SLOTS, always=True)

    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> DocumentMatching[NameItems]:
        """Match equal names in the slot, one to one."""
        del context
        return match_names(pred=pred, gold=gold, pairs=pairs, slots=(SLOTS.index(self.slot),), often=True)


@dataclass(frozen=True, kw_only=True)
class Entities(DocumentMeasure[DocumentMatching[NameItems]]):
    """The distinct subjects and objects of a document, in any triple.

    Attributes:
        types: ``ignore`` compares only names; ``strict`` also asks for the same type, where a type that neither side
            gives is the same.

    Example:
        >>> gold = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway")]})
        >>> pred = TripleSet.from_lists({"d": [("Norway", "has", "Oslo"), ("Oslo", "in", "Europe")]})
        >>> Entities().score(pred=pred, gold=gold).format()
        'entities: precision 0.6667, recall 1.0000, f1 0.8000'
    """

    name: ClassVar[str] = "entities"
    title: ClassVar[str] = "Entity F1"
    formula: ClassVar[str] = (
        r"P = \frac{\sum_d |E_d^P \cap E_d^G|}{\sum_d |E_d^P|},\quad E_d = \{s, o \mid (s, p, o) \in d\}"
    )
    citation: ClassVar[str] = "mihindukulasooriya2023"

    types: str = parameter("ignore", help="whether types must be equal, too", choices=("ignore", "strict"))

    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> DocumentMatching[NameItems]:
        """Match equal names with equal types."""
        del context
        matching = match_names(pred=pred, gold=gold, pairs=pairs, slots=(SUBJECT, OBJECT), often=False)
        if self.types == "ignore":
            return matching
        here, there = _types(pred, matching.pred_items), _types(gold, matching.gold_items)
        return replace(
            matching,
            pred=_agreeing(matching.pred, here, there),
            gold=_agreeing(matching.gold, there, here),
        )


def _types(triples: TripleSet, items: NameItems) -> list[str]:
    """Return the type of each entity, empty where none is known."""
    names = triples.type_names.tolist()
    known = {(document, key): names[kind] for document, key, kind in triples.types.tolist()}
    return [known.get(place, "") for place in zip(items.documents.tolist(), items.keys.tolist(), strict=True)]


def _agreeing(side: Side, here: list[str], there: list[str]) -> Side:
    matched = np.array(
        [row != NO_MATCH and here[place] == there[row] for place, row in enumerate(side.counterpart.tolist())],
        dtype=np.bool_,
    )
    counterpart: Numbers = np.where(matched, side.counterpart, NO_MATCH)
    return Side.of_hits(matched, counterpart)


@dataclass(frozen=True, kw_only=True)
class Relations(DocumentMeasure[DocumentMatching[NameItems]]):
    """The distinct predicates of a document, between any subject and object.

    Example:
        >>> gold = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway"), ("Oslo", "in", "Norway")]})
        >>> pred = TripleSet.from_lists({"d": [("Rome", "capital of", "Italy"), ("Pisa", "capital of", "Italy")]})
        >>> Relations().score(pred=pred, gold=gold).format()
        'relations: precision 1.0000, recall 0.5000, f1 0.6667'
    """

    name: ClassVar[str] = "relations"
    title: ClassVar[str] = "Relation F1"
    formula: ClassVar[str] = (
        r"P = \frac{\sum_d |R_d^P \cap R_d^G|}{\sum_d |R_d^P|},\quad R_d = \{p \mid (s, p, o) \in d\}"
    )
    citation: ClassVar[str] = "mihindukulasooriya2023"

    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> DocumentMatching[NameItems]:
        """Match equal predicates."""
        del context
        return match_names(pred=pred, gold=gold, pairs=pairs, slots=(PREDICATE,), often=False)
