"""Names as items: those that stand in one slot, or in any of several, document by document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from goldassay.core.documents import DocumentPairs
from goldassay.triples.matching import DocumentMatching, sides_of_keys
from goldassay.triples.model import Numbers, Triples
from goldassay.triples.pairing import numbered


@dataclass(frozen=True, eq=False, kw_only=True)
class NameItems:
    """Names that stand in documents.

    Attributes:
        triples: Where they stand.
        documents: The document of each, int64, shape (names,).
        keys: Row of ``triples.keys`` for each, int64, shape (names,).
        turns: How often the name stands in the document before, int64, shape (names,).
    """

    triples: Triples
    documents: Numbers
    keys: Numbers
    turns: Numbers

    @classmethod
    def of(cls, triples: Triples, slots: Sequence[int], *, often: bool) -> NameItems:
        """List the names of some slots."""
        documents = np.repeat(triples.documents, len(slots))
        keys = triples.rows[:, list(slots)].reshape(-1)
        order = np.lexsort((np.arange(len(keys)), keys, documents))
        documents, keys = documents[order], keys[order]
        new = np.ones(len(keys), dtype=np.bool_)
        new[1:] = (documents[1:] != documents[:-1]) | (keys[1:] != keys[:-1])
        turns = np.arange(len(keys)) - np.maximum.accumulate(np.where(new, np.arange(len(keys)), 0))
        # The name of a slot that is not there is no name.
        kept = (keys != triples.nameless) & (new | often)
        return cls(triples=triples, documents=documents[kept], keys=keys[kept], turns=turns[kept])

    def __len__(self) -> int:
        return len(self.keys)

    def item(self, row: int) -> str:
        """Name one item for a person, for example ``d1: Oslo``; ``(2)`` for the second time."""
        again = f" ({self.turns[row] + 1})" if self.turns[row] else ""
        return f"{self.triples.ids[self.documents[row]]}: {self.triples.keys[self.keys[row]]}{again}"


def names_met(
    *, pred: Triples, gold: Triples, pairs: DocumentPairs, slots: Sequence[int], often: bool
) -> DocumentMatching[NameItems]:
    """Let equal names of the same document meet."""
    names = numbered(pred=pred, gold=gold)
    here, there = NameItems.of(pred, slots, often=often), NameItems.of(gold, slots, often=often)
    places = pairs.of(pairs.pred, len(pred.ids))[here.documents], pairs.of(pairs.gold, len(gold.ids))[there.documents]
    most = 1 + max((int(turns.max()) for turns in (here.turns, there.turns) if len(turns)), default=0)
    codes = [
        (place * len(names.texts) + code[items.keys]) * most + items.turns
        for place, code, items in ((places[0], names.pred, here), (places[1], names.gold, there))
    ]
    sides = sides_of_keys(codes[0], codes[1])
    return DocumentMatching[NameItems].of(sides, items=(here, there), places=places, pairs=pairs)
