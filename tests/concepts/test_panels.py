import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts.model import Mention, lay_out
from goldassay.core.panel import ScoreEvidence, Texts
from goldassay.report.evidence import collect_evidence

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
SPANS = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 12)).filter(lambda span: span[0] < span[1]), max_size=8)


def texts_of(pred, gold):
    report = goldassay.evaluate(pred, gold=gold, kind="concepts", measures="concept_exact")
    scores: list[ScoreEvidence] = collect_evidence(report.runs[0])
    (found,) = (panel for panel in report.panels(scores, pred=pred, gold=gold) if isinstance(panel, Texts))
    return {entry.name: entry for entry in found.entries}


def answers(text, spans):
    return lay_out([("d", text, [Mention(text[a:b], text[a:b], "", a, b) for a, b in spans])])


def test_concepts_are_marked_where_they_are_and_name_their_counterparts():
    gold = answers("aspirin and rest", [(0, 7), (12, 16)])
    entry = texts_of(answers("aspirin and flu", [(0, 7), (12, 15)]), gold)["d"]
    assert [tuple(mark)[:2] for mark in entry.marks if mark.text] == [
        ("aspirin", "hit"), (" and ", ""), ("flu", "invented"),
    ]  # fmt: skip
    assert entry.told == "gold: 1 of 2 concepts matched; prediction: 1 of 2 concepts matched"
    (here,), (there,) = ([mark for mark in side if mark.verdict == "hit"] for side in (entry.marks, entry.gold))
    assert (here.item, here.counterpart) == (there.counterpart, there.item)
    assert here.item


def test_concepts_without_a_text_are_listed():
    gold = goldassay.concepts.Concepts.from_lists({"d": ["aspirin", "rest"], "e": ["flu"]})
    entries = texts_of(goldassay.concepts.Concepts.from_lists({"d": ["rest"]}), gold)
    assert [tuple(mark)[:2] for mark in entries["d"].gold[::2]] == [("aspirin", "missed"), ("rest", "hit")]
    assert entries["e"].told == "gold: 0 of 1 concepts matched; prediction: the document is missing"
    assert entries["e"].marks == []


@given(SPANS, SPANS)
def test_the_marks_of_a_text_are_the_text(here, there):
    assume(there)
    text = "abcabcabcabc"
    entries = texts_of(answers(text, here), answers(text, there))
    for entry in entries.values():
        assert "".join(mark.text for mark in entry.marks) == text
        assert "".join(mark.text for mark in entry.gold) == text
