"""G-ROUGE: triples read as sentences, paired one to one by the neighbouring words they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from goldassay.triples.sentences import SentenceMeasure
from goldassay.triples.similarity import rouge2


@dataclass(frozen=True, kw_only=True)
class GRouge(SentenceMeasure):
    """The best one-to-one pairing of the triples of a document by the ROUGE-2 F1 of their sentences.

    Example:
        >>> from goldassay.triples import Triples
        >>> gold = Triples.from_lists({"d": [("Oslo", "capital of", "Norway")]})
        >>> pred = Triples.from_lists({"d": [("Oslo", "is the capital of", "Norway")]})
        >>> GRouge().score(pred=pred, gold=gold).format()
        'g_rouge: precision 0.5000, recall 0.5000, f1 0.5000'
    """

    name: ClassVar[str] = "g_rouge"
    title: ClassVar[str] = "G-ROUGE"
    formula: ClassVar[str] = (
        r"P = \frac{1}{|P|} \sum_d \max_{A \text{ one-to-one}} \sum_{(p, g) \in A} \text{ROUGE-2}_{F_1}(p, g)"
    )
    citation: ClassVar[str] = "saha2021explagraphs"
    conventions: ClassVar[tuple[str, ...]] = (
        "the scripts take the mean over graphs: average=macro",
        "the script of PiVe takes ROUGE-2 precision for F1, and letters of ASCII alone: pive",
    )

    def alike(self, candidate: str, reference: str) -> float:
        """Give the F1 of ROUGE-2."""
        precision, recall = rouge2(candidate, reference)
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
