"""The panels of UNL: scores by relation label, graphs as drawings, and texts with their edits marked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from goldassay.core.matching import FAILURES, SideName
from goldassay.core.panel import (
    Arrow,
    Diagram,
    DiagramPair,
    Diagrams,
    Mark,
    MarkedText,
    Panel,
    ScoreEvidence,
    Texts,
    verdict_of_share,
)
from goldassay.core.patterns import pattern_of
from goldassay.unl.match import partners, relation_items
from goldassay.unl.measures.sentences import SentenceMatching
from goldassay.unl.model import Document, Node, Sentence
from goldassay.unl.model import Texts as Wordings

DRAWN = 1000
"""Maximum number of pairs of graphs on the page; those with errors come first."""
LISTED = 5000
NOTHING = Sentence()
EDITS = pattern_of(r"(?=\[-|\{\+)(?:\[-(?P<gone>.*?)(?:-\]|\Z))?(?:\{\+(?P<new>.*?)(?:\+\}|\Z))?", re.DOTALL)
"""An edit of a text; one that is not closed, because the text itself has such marks, goes on to the end."""


def document_panels(scores: Sequence[ScoreEvidence], *, pred: Document, gold: Document) -> Iterator[Panel]:
    """Return the panels of one predicted document."""
    del scores
    entries = sorted(_pairs(pred, gold), key=_share_matched)
    yield Diagrams(
        title="The two graphs of a sentence",
        note=f"The {DRAWN:,} of {len(entries):,} sentences with the smallest share of matched relations."
        if len(entries) > DRAWN
        else "The sentences with the smallest share of matched relations come first.",
        entries=entries[:DRAWN],
    )


def sentence_panels(scores: Sequence[ScoreEvidence], *, pred: object, gold: object) -> Iterator[Panel]:
    """Return the panels of predicted sentences."""
    del pred, gold
    for evidenced in scores:
        if not isinstance(evidenced.matching, SentenceMatching) or "edits" not in evidenced.table:
            continue
        entries = [*_missing(evidenced), *_answers(evidenced)]
        yield Texts(
            title="Texts and their edits",
            note=f"The {LISTED:,} farthest of {len(entries):,}." if len(entries) > LISTED else "",
            measure=evidenced.score.spec,
            entries=entries[:LISTED],
        )


def _answers(evidenced: ScoreEvidence) -> list[MarkedText]:
    """Mark the predicted sentences and what they answer, the farthest first."""
    names = ("item", "verdict", "similarity", "counterpart", "edits", "why")
    columns = (evidenced.of("pred", name) for name in names)
    found = sorted(zip(*columns, strict=True), key=lambda row: (row[1] == "hit", row[2]))
    return [
        MarkedText(
            item.partition(" ")[0],
            _verdict_of(verdict, expected),
            "no such sentence in gold" if expected is None else why,
            edit_marks(edits, "pred"),
            edit_marks(edits, "gold"),
        )
        for item, verdict, _, expected, edits, why in found
    ]


def _missing(evidenced: ScoreEvidence) -> Iterator[MarkedText]:
    """Mark the expected sentences that have no answer."""
    expected = evidenced.matching.gold_items
    for row, answer in enumerate(evidenced.of("gold", "counterpart")):
        if answer is None and isinstance(expected, Wordings):
            text = Mark(expected.wordings[row][0], "missed")
            yield MarkedText(expected.ids[row], "missed", "no prediction", [], [text])


def _verdict_of(verdict: str, expected: str | None) -> str:
    """Return the verdict on a sentence: an expected one that is not correct is missed."""
    return verdict if verdict == "hit" or expected is None else "missed"


def edit_marks(script: str, side: SideName) -> list[Mark]:
    """Read the edits of a text as marks in it, or in the expected text; words that replace each other name each other."""
    marks, end = [], 0
    for number, found in enumerate(EDITS.finditer(script)):
        if found.start() > end:
            marks.append(Mark(script[end : found.start()]))
        texts = {"pred": found["gone"], "gold": found["new"]}
        other = texts["gold" if side == "pred" else "pred"]
        if texts[side]:
            name = str(number) if other else ""
            hint = f"instead of {other}" if other else "not in the other text"
            marks.append(Mark(texts[side], FAILURES[side], hint, name, name))
        end = found.end()
    return [*marks, Mark(script[end:])] if end < len(script) else marks


def _pairs(pred: Document, gold: Document) -> Iterator[DiagramPair]:
    answers = {row: place for place, row in enumerate(partners(pred, gold).tolist()) if row >= 0}
    for row, expected in enumerate(gold.sentences):
        actual = pred.sentences[answers[row]] if row in answers else NOTHING
        here, there = relation_items(actual), relation_items(expected)
        common = (Counter(here) & Counter(there)).total()
        summary = f"{common:,} of {len(there):,} expected relations matched, {len(here) - common:,} too many"
        yield DiagramPair(
            gold.item(row),
            verdict_of_share(common, len(here), len(there)),
            summary if row in answers else "no prediction",
            diagram(expected, other=actual, failure="missed"),
            diagram(actual, other=expected, failure="invented"),
        )


def _share_matched(pair: DiagramPair) -> float:
    arrows = [arrow for arrow in (*pair.gold.arrows, *pair.pred.arrows) if arrow.verdict]
    return sum(arrow.verdict == "hit" for arrow in arrows) / max(len(arrows), 1)


def diagram(sentence: Sentence, *, other: Sentence, failure: str) -> Diagram:
    """Convert one graph to nodes and arrows, each with its verdict against the other graph."""
    rows: dict[tuple[str, str], int] = {}
    shown: list[tuple[str, str]] = []
    known = {node.uw for node in other.nodes}

    def place(node: Node) -> int:
        key = (node.uw, node.id)
        if key not in rows:
            rows[key] = len(shown)
            shown.append((str(node), "hit" if node.is_scope or node.uw in known else failure))
        return rows[key]

    left = Counter(relation_items(other))
    arrows = []
    for relation, item in zip(sentence.relations, relation_items(sentence), strict=True):
        verdict = "hit" if left[item] else failure
        left[item] -= bool(left[item])
        label = relation.label + (f":{relation.scope}" if relation.scope else "")
        arrows.append(Arrow(place(relation.source), place(relation.target), label, verdict))
    for node in sentence.isolated:
        place(node)
    arrows += [Arrow(place(node), place(entry), "", "") for node, entry in _scope_entries(sentence)]
    return Diagram(shown, arrows)


def _scope_entries(sentence: Sentence) -> Iterator[tuple[Node, Node]]:
    """Connect each reference to a scope with the first node of the scope."""
    entries: dict[str, Node] = {}
    for relation in sentence.relations:
        for node in (relation.source, relation.target):
            if relation.scope and (relation.scope not in entries or "entry" in node.attributes):
                entries[relation.scope] = node
    references = dict.fromkeys(node for node in sentence.nodes if node.is_scope)
    return ((node, entries[node.id]) for node in references if node.id in entries)
