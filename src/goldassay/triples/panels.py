"""What the report page shows of triples: the text of a document with its entities and triples, and the two graphs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from goldassay.core.matching import FAILURES, NO_MATCH, SideName
from goldassay.core.panel import (
    Arrow,
    Bars,
    Column,
    Diagram,
    DiagramPair,
    Diagrams,
    Mark,
    MarkedText,
    Panel,
    ScoreEvidence,
    Texts,
    verdict_of_share,
    worst_first,
)
from goldassay.triples.match import SAME, TripleMatching
from goldassay.triples.measures.measure import DocumentMeasure
from goldassay.triples.measures.stages import STAGES, Stages
from goldassay.triples.model import OBJECT, PREDICATE, SUBJECT, TripleSet

SHOWN = 300
"""As many documents go into a page; those of lowest F1 come first."""
SIDES: tuple[SideName, SideName] = ("gold", "pred")


def panels(scores: Sequence[ScoreEvidence], *, pred: TripleSet, gold: TripleSet) -> Iterator[Panel]:
    """Return the panels of one prediction: where triples are lost, and the documents of its first score that counts triples."""
    del pred, gold
    yield from map(_losses, [one for one in scores if isinstance(one.score.measure, Stages)][:1])
    for one in scores:
        matching, measure = one.matching, one.score.measure
        if not isinstance(matching, TripleMatching) or not isinstance(measure, DocumentMeasure):
            continue
        worst, note = worst_first(measure.per_document(matching)["sum_f1"], SHOWN)
        sides = {side: _Side.of(side, one, matching) for side in SIDES}
        yield Texts(
            title="Texts, their entities and their triples",
            note=note,
            measure=one.score.spec,
            entries=[_entry(pair, sides) for pair in worst],
        )
        yield Diagrams(
            title="The two graphs of a document",
            note=note,
            measure=one.score.spec,
            entries=[_diagrams(pair, sides) for pair in worst],
        )
        return


def _losses(one: ScoreEvidence) -> Bars:
    """Draw the share of gold that is lost at each stage."""
    counts = one.score.counts
    shares = [float(counts[f"lost_{name}"]) / max(float(counts["n_gold"]), 1.0) for name in STAGES]
    return Bars(
        title="Where triples of gold are lost",
        note="Each triple is lost at the first stage that it does not pass; the rest is right.",
        measure=one.score.spec,
        axis="share of gold",
        categories=list(STAGES),
        series={"lost": np.array(shares)},
    )


class _Side(NamedTuple):
    """The documents of one side, and the evidence of their triples."""

    side: SideName
    triples: TripleSet
    documents: list[int]
    ids: list[str]
    verdicts: Column
    counterparts: Column
    errors: Column
    ends: tuple[Column, Column]

    @classmethod
    def of(cls, side: SideName, one: ScoreEvidence, matching: TripleMatching) -> _Side:
        triples, documents = (
            (matching.gold_items, matching.pairs.gold) if side == "gold" else (matching.pred_items, matching.pairs.pred)
        )
        verdicts, counterparts, errors = (one.of(side, name) for name in ("verdict", "counterpart", "error"))
        ends = one.of(side, "subject"), one.of(side, "object")
        ids = matching.pairs.ids.tolist()
        return cls(side, triples, documents.tolist(), ids, verdicts, counterparts, errors, ends)

    def rows(self, pair: int) -> range:
        document = self.documents[pair]
        return range(0) if document == NO_MATCH else self.triples.rows_of(document)

    def text(self, pair: int) -> str:
        document = self.documents[pair]
        return "" if document == NO_MATCH else str(self.triples.texts[document])

    def entities(self, pair: int) -> dict[str, str]:
        """Return the entities of a document as they are compared, and as they are written."""
        found: dict[str, str] = {}
        for row in self.rows(pair):
            slots = self.triples.slots(row)
            for slot in (SUBJECT, OBJECT):
                found.setdefault(str(self.triples.keys[self.triples.rows[row, slot]]), slots[slot])
        return found

    def judged(self, pair: int, other: _Side) -> dict[str, tuple[str, str]]:
        """Return the entities of a document as they are written, each with its verdict."""
        # An entity is a hit if the other side has it, or if the score took that of a counterpart for the same.
        known = {*other.entities(pair), *self._match(pair)}
        return {
            key: (name, "hit" if key in known else FAILURES[self.side]) for key, name in self.entities(pair).items()
        }

    def _match(self, pair: int) -> Iterator[str]:
        for row in self.rows(pair):
            for slot, column in zip((SUBJECT, OBJECT), self.ends, strict=True):
                if column[row] == SAME:
                    yield str(self.triples.keys[self.triples.rows[row, slot]])

    def summary(self, pair: int) -> str:
        """Return how many triples of one document were matched."""
        word = "gold" if self.side == "gold" else "prediction"
        if self.documents[pair] == NO_MATCH:
            return f"{word}: there is no such document"
        rows = self.rows(pair)
        return f"{word}: {sum(self.verdicts[row] == 'hit' for row in rows):,} of {len(rows):,} triples matched"

    def marks(self, pair: int, sides: Mapping[SideName, _Side]) -> list[Mark]:
        """Mark the entities of one document in its text, and list its triples below."""
        if self.documents[pair] == NO_MATCH:
            return []
        text = sides["gold"].text(pair) or sides["pred"].text(pair)
        other = sides["pred" if self.side == "gold" else "gold"]
        marks = list(mark_names(text, dict(self.judged(pair, other).values())))
        for row in self.rows(pair):
            counterpart = self.counterparts[row]
            summary = "no counterpart" if counterpart is None else f"next to {counterpart}"
            marks += [Mark("\n")] if marks else []
            slots = " | ".join(self.triples.slots(row))
            marks.append(Mark(slots, self.verdicts[row], summary, self.triples.item(row), counterpart or ""))
            # The verdict says already that it is missed or invented.
            if self.errors[row] not in (None, FAILURES[self.side]):
                marks.append(Mark(f"  {self.errors[row]}"))
        return marks

    def diagram(self, pair: int, other: _Side) -> Diagram:
        judged = self.judged(pair, other)
        places = {key: place for place, key in enumerate(judged)}
        arrows = []
        for row in self.rows(pair):
            start, end = (str(self.triples.keys[self.triples.rows[row, slot]]) for slot in (SUBJECT, OBJECT))
            label = self.triples.slots(row)[PREDICATE]
            arrows.append(Arrow(places[start], places[end], label, self.verdicts[row]))
        return Diagram(list(judged.values()), arrows)


def _entry(pair: int, sides: Mapping[SideName, _Side]) -> MarkedText:
    gold, pred = sides["gold"], sides["pred"]
    summary = f"{gold.summary(pair)}; {pred.summary(pair)}"
    return MarkedText(gold.ids[pair], "", summary, pred.marks(pair, sides), gold.marks(pair, sides))


def _diagrams(pair: int, sides: Mapping[SideName, _Side]) -> DiagramPair:
    gold, pred = sides["gold"], sides["pred"]
    hits = sum(gold.verdicts[row] == "hit" for row in gold.rows(pair))
    counts = len(gold.rows(pair)), len(pred.rows(pair))
    return DiagramPair(
        gold.ids[pair],
        verdict_of_share(hits, *counts),
        f"{hits:,} of {counts[0]:,} expected triples matched, {counts[1] - hits:,} too many",
        gold.diagram(pair, pred),
        pred.diagram(pair, gold),
    )


def mark_names(text: str, names: Mapping[str, str]) -> Iterator[Mark]:
    """Mark the occurrences of names in a text, in any case; the longest of overlapping ones."""
    verdicts = {
        " ".join(re.split(r"[\s_]+", name)).casefold(): verdict for name, verdict in names.items() if name.strip()
    }
    words = sorted(verdicts, key=len, reverse=True)
    pattern = "|".join(r"\s+".join(map(re.escape, name.split())) for name in words)
    end = 0
    for match in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE) if pattern else ():
        verdict = verdicts.get(" ".join(match[0].split()).casefold())
        if verdict is None:
            continue
        if match.start() > end:
            yield Mark(text[end : match.start()])
        yield Mark(match[0], verdict)
        end = match.end()
    if end < len(text):
        yield Mark(text[end:])
