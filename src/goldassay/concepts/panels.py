"""The panels of concepts: the texts with their concepts marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from goldassay.concepts.match import ConceptMatching, ConceptMeasure
from goldassay.concepts.model import Concepts
from goldassay.concepts.show import pieces_of
from goldassay.core.matching import NO_MATCH, SideName
from goldassay.core.panel import Column, Mark, MarkedText, Panel, ScoreEvidence, Texts, worst_first

SHOWN = 500
"""Maximum number of pairs of documents whose texts are on the page; those of lowest F1 come first."""
SIDES: tuple[SideName, SideName] = ("gold", "pred")


def panels(scores: Sequence[ScoreEvidence], *, pred: Concepts, gold: Concepts) -> Iterator[Panel]:
    """Return the panels of one prediction."""
    del pred, gold
    for one in scores:
        matching = one.matching
        if not isinstance(matching, ConceptMatching):
            continue
        measure = cast("ConceptMeasure", one.score.measure)
        worst, note = worst_first(measure.per_document(matching)["sum_f1"], SHOWN)
        yield Texts(
            title="Texts and their concepts",
            note=note,
            measure=one.score.spec,
            entries=list(_entries(one, matching, worst)),
        )


class _Side(NamedTuple):
    """The documents of one side, and the evidence of their concepts."""

    word: str
    concepts: Concepts
    documents: list[int]
    verdicts: Column
    counterparts: Column
    similarities: Column

    @classmethod
    def of(cls, side: SideName, one: ScoreEvidence, matching: ConceptMatching) -> _Side:
        word, concepts, documents = (
            ("gold", matching.gold_items, matching.pairs.gold)
            if side == "gold"
            else ("prediction", matching.pred_items, matching.pairs.pred)
        )
        columns = (one.of(side, name) for name in ("verdict", "counterpart", "similarity"))
        return cls(word, concepts, documents.tolist(), *columns)

    def summary(self, pair: int) -> str:
        """Return how many concepts of one document were matched."""
        if (document := self.documents[pair]) == NO_MATCH:
            return f"{self.word}: the document is missing"
        rows = self.concepts.rows_of(document)
        return f"{self.word}: {sum(self.verdicts[row] == 'hit' for row in rows):,} of {len(rows):,} concepts matched"

    def marks(self, pair: int) -> list[Mark]:
        """Mark the concepts of one document."""
        document = self.documents[pair]
        return [] if document == NO_MATCH else list(self._marks(document))

    def _marks(self, document: int) -> Iterator[Mark]:
        """Mark the concepts in a text; list them if there is no text."""
        if self.concepts.texts[document]:
            for row, piece in pieces_of(self.concepts, document):
                yield Mark(piece) if row is None else self._mark(row, piece)
            return
        for row in self.concepts.rows_of(document):
            yield self._mark(row, self.concepts.title(row))
            yield Mark("; ")

    def _mark(self, row: int, text: str) -> Mark:
        counterpart, similarity = self.counterparts[row], self.similarities[row]
        nearest = "no counterpart" if counterpart is None else f"nearest {counterpart} at {similarity:.4f}"
        return Mark(text, self.verdicts[row], nearest, self.concepts.item(row), counterpart or "")


def _entries(one: ScoreEvidence, matching: ConceptMatching, order: Sequence[int]) -> Iterator[MarkedText]:
    gold, pred = (_Side.of(side, one, matching) for side in SIDES)
    names = matching.pairs.ids.tolist()
    return (
        MarkedText(names[pair], "", f"{gold.summary(pair)}; {pred.summary(pair)}", pred.marks(pair), gold.marks(pair))
        for pair in order
    )
