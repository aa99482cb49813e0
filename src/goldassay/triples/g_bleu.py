"""G-BLEU: triples read as sentences, paired one to one by BLEU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from goldassay.triples.sentences import SentenceMeasure
from goldassay.triples.similarity import bleu


@dataclass(frozen=True, kw_only=True)
class GBleu(SentenceMeasure):
    """The best one-to-one pairing of the triples of a document by the BLEU of their sentences.

    Example:
        >>> from goldassay.triples import Triples
        >>> gold = Triples.from_lists({"d": [("Oslo", "capital of", "Norway")]})
        >>> pred = Triples.from_lists({"d": [("Oslo", "is the capital of", "Norway")]})
        >>> GBleu().score(pred=pred, gold=gold).format()
        'g_bleu: precision 0.4111, recall 0.4111, f1 0.4111'
    """

    name: ClassVar[str] = "g_bleu"
    title: ClassVar[str] = "G-BLEU"
    formula: ClassVar[str] = (
        r"P = \frac{1}{|P|} \sum_d \max_{A \text{ one-to-one}} \sum_{(p, g) \in A} \text{BLEU}(p, g)"
    )
    citation: ClassVar[str] = "saha2021explagraphs"
    symmetry: ClassVar[Literal["swap", "same", "none"]] = "none"
    conventions: ClassVar[tuple[str, ...]] = (
        "the scripts take the mean over graphs: average=macro",
        "the script of PiVe counts duplicates, and has no number for an empty prediction: pive",
    )

    def alike(self, candidate: str, reference: str) -> float:
        """Give BLEU, with the gold sentence as the reference."""
        return bleu(candidate, reference)
