"""The entities of documents: what stands as subject or object of any triple."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from goldassay.core.context import Context
from goldassay.core.documents import DocumentPairs
from goldassay.core.matching import NONE_MET, Side
from goldassay.core.parameters import parameter
from goldassay.triples.matching import DocumentMatching
from goldassay.triples.measure import DocumentMeasure
from goldassay.triples.model import OBJECT, SUBJECT, Numbers, Triples
from goldassay.triples.names import NameItems, names_met


@dataclass(frozen=True, kw_only=True)
class Entities(DocumentMeasure[DocumentMatching[NameItems]]):
    """The distinct subjects and objects of a document, whatever is said of them.

    Attributes:
        types: ``ignore`` compares names alone; ``strict`` also asks for the same type, where a type that neither side
            gives is the same.

    Example:
        >>> gold = Triples.from_lists({"d": [("Oslo", "capital of", "Norway")]})
        >>> pred = Triples.from_lists({"d": [("Norway", "has", "Oslo"), ("Oslo", "in", "Europe")]})
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

    def meet(
        self, *, pred: Triples, gold: Triples, pairs: DocumentPairs, context: Context
    ) -> DocumentMatching[NameItems]:
        """Let equal names meet, and part them again where types differ."""
        del context
        matching = names_met(pred=pred, gold=gold, pairs=pairs, slots=(SUBJECT, OBJECT), often=False)
        if self.types == "ignore":
            return matching
        here, there = _types(pred, matching.pred_items), _types(gold, matching.gold_items)
        return replace(
            matching,
            pred=_agreeing(matching.pred, here, there),
            gold=_agreeing(matching.gold, there, here),
        )


def _types(triples: Triples, items: NameItems) -> list[str]:
    """Give the type of each entity, empty where none is known."""
    names = triples.type_names.tolist()
    known = {(document, key): names[kind] for document, key, kind in triples.types.tolist()}
    return [known.get(place, "") for place in zip(items.documents.tolist(), items.keys.tolist(), strict=True)]


def _agreeing(side: Side, here: list[str], there: list[str]) -> Side:
    met = np.array(
        [row != NONE_MET and here[place] == there[row] for place, row in enumerate(side.counterpart.tolist())],
        dtype=np.bool_,
    )
    counterpart: Numbers = np.where(met, side.counterpart, NONE_MET)
    return Side.of_hits(met, counterpart)
