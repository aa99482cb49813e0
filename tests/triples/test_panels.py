"""What the page shows of triples: texts with marks that are still the texts, and graphs that are the triples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.core.panel import Diagrams, Texts
from goldassay.report.evidence import collect_evidence
from goldassay.triples import TripleSet
from goldassay.triples.panels import mark_names

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")

GOLD = TripleSet.from_lists(
    {"d": [("Oslo", "capital of", "Norway"), ("Oslo", "at", "fjord")], "e": []}, texts={"d": "Oslo is in Norway."}
)
PRED = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway"), ("Norway", "has", "sea")]})


def panels():
    report = goldassay.evaluate(
        PRED, gold=GOLD, kind="triples", measures=["entities", "triples", "triples(names=partial)"]
    )
    return list(report.panels(collect_evidence(report.runs[0]), pred=PRED, gold=GOLD))


def test_the_text_has_its_entities_and_its_triples():
    [texts] = [panel for panel in panels() if isinstance(panel, Texts)]
    entries = {entry.name: entry for entry in texts.entries}
    marks = [tuple(mark)[:2] for mark in entries["d"].marks]
    assert marks[:4] == [("Oslo", "hit"), (" is in ", ""), ("Norway", "hit"), (".", "")]
    assert ("Norway | has | sea", "invented") in marks
    assert entries["d"].told == "gold: 1 of 2 triples matched; prediction: 1 of 2 triples matched"
    assert entries["e"].told == "gold: 0 of 0 triples matched; prediction: there is no such document"
    (here,), (there,) = (
        [mark for mark in side if " | " in mark.text and mark.verdict == "hit"]
        for side in (entries["d"].marks, entries["d"].gold)
    )
    assert (here.item, here.counterpart) == (there.counterpart, there.item)


def test_the_graphs_are_those_of_the_triples():
    [diagrams] = [panel for panel in panels() if isinstance(panel, Diagrams)]
    pair = next(entry for entry in diagrams.entries if entry.name == "d")
    assert pair.pred.nodes == [("Oslo", "hit"), ("Norway", "hit"), ("sea", "invented")]
    assert [(arrow.source, arrow.target, arrow.label, arrow.verdict) for arrow in pair.gold.arrows] == [
        (0, 1, "capital of", "hit"),
        (0, 2, "at", "missed"),
    ]
    assert pair.verdict == "partial"


WORDS = st.lists(st.sampled_from(["new", "york", "New York", "İstanbul", "(", "a"]), max_size=6).map(" ".join)


@given(WORDS, st.dictionaries(WORDS, st.sampled_from(["hit", "missed"]), max_size=4))
def test_the_marks_of_a_text_are_the_text(text, names):
    assert "".join(mark.text for mark in mark_names(text, names)) == text


def test_what_is_lost_at_each_stage_is_drawn():
    report = goldassay.evaluate(PRED, gold=GOLD, kind="triples", measures=["stages", "stages(oracle=yes)"])
    [bars] = report.panels(collect_evidence(report.runs[0]), pred=PRED, gold=GOLD)
    assert dict(zip(bars.categories, bars.series["lost"].tolist(), strict=True)) == {
        "found": 0.5,
        "resolved": 0.0,
        "linked": 0.0,
        "related": 0.0,
        "directed": 0.0,
    }


def test_what_matched_and_what_is_too_many_is_counted():
    gold = TripleSet.from_lists(
        {"a": [("x", "r", "y"), ("u", "r", "v"), ("p", "r", "q")], "b": [("x", "r", "y")], "c": []}
    )
    pred = TripleSet.from_lists(
        {
            "a": [("x", "r", "y"), ("u", "r", "v"), *((name, "s", "t") for name in "klm")],
            "b": [("x", "r", "y")],
            "c": [("x", "r", "y")],
        }
    )
    report = goldassay.evaluate(pred, gold=gold, kind="triples", measures="triples")
    found = report.panels(collect_evidence(report.runs[0]), pred=pred, gold=gold)
    [diagrams] = [panel for panel in found if isinstance(panel, Diagrams)]
    assert {tuple(entry)[:3] for entry in diagrams.entries} == {
        ("a", "partial", "2 of 3 expected triples matched, 3 too many"),
        ("b", "hit", "1 of 1 expected triples matched, 0 too many"),
        ("c", "missed", "0 of 0 expected triples matched, 1 too many"),
    }


def test_example_of_mark_names():
    assert [tuple(mark)[:2] for mark in mark_names("New York is big.", {"York": "missed", "new york": "hit"})] == [
        ("New York", "hit"),
        (" is big.", ""),
    ]
