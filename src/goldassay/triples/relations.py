"""The relations of documents: which predicates are used at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from goldassay.core.context import Context
from goldassay.core.documents import DocumentPairs
from goldassay.triples.matching import DocumentMatching
from goldassay.triples.measure import DocumentMeasure
from goldassay.triples.model import PREDICATE, Triples
from goldassay.triples.names import NameItems, names_met


@dataclass(frozen=True, kw_only=True)
class Relations(DocumentMeasure[DocumentMatching[NameItems]]):
    """The distinct predicates of a document, whatever they hold between.

    Example:
        >>> gold = Triples.from_lists({"d": [("Oslo", "capital of", "Norway"), ("Oslo", "in", "Norway")]})
        >>> pred = Triples.from_lists({"d": [("Rome", "capital of", "Italy"), ("Pisa", "capital of", "Italy")]})
        >>> Relations().score(pred=pred, gold=gold).format()
        'relations: precision 1.0000, recall 0.5000, f1 0.6667'
    """

    name: ClassVar[str] = "relations"
    title: ClassVar[str] = "Relation F1"
    formula: ClassVar[str] = (
        r"P = \frac{\sum_d |R_d^P \cap R_d^G|}{\sum_d |R_d^P|},\quad R_d = \{p \mid (s, p, o) \in d\}"
    )
    citation: ClassVar[str] = "mihindukulasooriya2023"

    def meet(
        self, *, pred: Triples, gold: Triples, pairs: DocumentPairs, context: Context
    ) -> DocumentMatching[NameItems]:
        """Let equal predicates meet."""
        del context
        return names_met(pred=pred, gold=gold, pairs=pairs, slots=(PREDICATE,), often=False)
