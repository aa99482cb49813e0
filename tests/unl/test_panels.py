"""The panels of UNL show how each sentence was matched, those with errors first."""

import pytest

import goldassay
from goldassay.report.evidence import collect_evidence
from goldassay.unl import panels
from goldassay.unl.panels import diagram, edit_marks
from goldassay.unl.read import document_of

A, B, C, D = "agt(see, cat)", "obj(see, dog)", "mod(cat, big)", "ins(see, eye)"
GOLD = {"1": [A, B], "2": [A, B], "3": [A], "4": [B], "5": [A, A], "6": [A, B, C]}
PRED = {"1": [A, B], "2": [A, C, D], "3": [C], "5": [A], "6": [A, B, C, D]}
SHOWN = [
    ("S:3", "missed", "0 of 1 expected relations matched, 1 too many"),
    ("S:4", "missed", "no prediction"),
    ("S:2", "partial", "1 of 2 expected relations matched, 2 too many"),
    ("S:5", "partial", "1 of 2 expected relations matched, 0 too many"),
    ("S:6", "partial", "3 of 3 expected relations matched, 1 too many"),
    ("S:1", "hit", "2 of 2 expected relations matched, 0 too many"),
]


def panels_of(pred, gold, kind, **options):
    report = goldassay.evaluate(pred, gold=gold, kind=kind, **options)
    evidence = collect_evidence(report.runs[0])
    return [*report.panels(evidence, pred=report.runs[0].pred, gold=report.gold)]


def write(path, sentences):
    bodies = ("[S:{}]\n{{unl}}\n{}\n{{/unl}}\n[/S]\n".format(name, "\n".join(one)) for name, one in sentences.items())
    path.write_text("".join(bodies))
    return str(path)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("drawn", [5, 6, 7])
def test_the_graphs_with_the_fewest_matched_relations_come_first(drawn, tmp_path, monkeypatch):
    monkeypatch.setattr(panels, "DRAWN", drawn)
    files = write(tmp_path / "pred.unl", PRED), write(tmp_path / "gold.unl", GOLD)
    [panel] = panels_of(*files, "unl")
    assert [entry[:3] for entry in panel.entries] == SHOWN[:drawn]
    all_of_them = "The sentences with the smallest share of matched relations come first."
    assert panel.note == (
        "The 5 of 6 sentences with the smallest share of matched relations." if drawn == 5 else all_of_them
    )


TEXTS = {"1": "the cat sat", "2": "a dog ran away", "3": "no one", "4": "he ran"}
ANSWERS = {"1": "the cat sat", "2": "the dog ran", "4": "we saw it", "9": "a fish"}


def rows(texts):
    return [{"id": name, "text": text} for name, text in texts.items()]


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("listed", [4, 5])
def test_texts_without_an_answer_come_first_then_the_farthest(listed, monkeypatch):
    monkeypatch.setattr(panels, "LISTED", listed)
    [panel] = panels_of(rows(ANSWERS), rows(TEXTS), "sentences", measures="levenshtein")
    found = [entry[:3] for entry in panel.entries]
    far = "distance not below 0.3 of the length"
    expected = [
        ("3", "missed", "no prediction"),
        ("4", "missed", far),
        ("9", "invented", "no such sentence in gold"),
        ("2", "missed", far),
        ("1", "hit", ""),
    ]
    assert found == expected[:listed]
    assert panel.note == ("The 4 farthest of 5." if listed == 4 else "")
    assert ["".join(mark.text for mark in entry.marks) for entry in panel.entries] == [
        "",
        "we saw it",
        "a fish",
        "the dog ran",
        "the cat sat",
    ][:listed]
    assert "".join(mark.text for mark in panel.entries[3].gold) == "a dog ran away"


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_only_measures_with_edits_have_a_panel_of_texts():
    measures = [one() for one in goldassay.families.family("sentences").measures.classes]
    found = panels_of(rows(ANSWERS), rows(TEXTS), "sentences", measures=measures)
    assert [panel.measure for panel in found] == ["levenshtein"]


@pytest.mark.parametrize(("mark", "entry"), [("", "big"), (".@entry", "cat")])
def test_a_reference_to_a_scope_leads_to_its_entry_or_to_its_first_node(mark, entry):
    text = f"agt(see, :01)\nobj(:02, see)\nmod:01(big, cat{mark})\nqua:01(cat, two)\n[W]\nfish\n[/W]"
    here, other = document_of(f"[S]{text}[/S] [S]agt(see, cat)\nmod:01(big, cow)[/S]").sentences
    drawn = panels.diagram(here, other=other, failure="missed")
    words = [text.partition(".@")[0] for text, _ in drawn.nodes]
    verdicts = dict(zip(words, (verdict for _, verdict in drawn.nodes), strict=True))
    unknown = dict.fromkeys(("00:02", "two", "fish"), "missed")
    assert verdicts == {**dict.fromkeys(("see", ":01", "big", "cat"), "hit"), **unknown}
    arrows = [(words[one.source], words[one.target], one.label) for one in drawn.arrows]
    assert [one for one in arrows if not one[2]] == [(":01", entry, "")]
    assert ("big", "cat", "mod:01") in arrows
    assert ("see", ":01", "agt") in arrows


def test_the_example_of_edit_marks():
    assert [mark[:2] for mark in edit_marks("[-A-]{+The+} cat[- !-]", "pred")] == [
        ("A", "invented"),
        (" cat", ""),
        (" !", "invented"),
    ]
    assert [mark[:2] for mark in edit_marks("[-A-]{+The+} cat[- !-]", "gold")] == [("The", "missed"), (" cat", "")]


def test_the_example_of_diagram():
    gold, pred = document_of("[S]agt(a, b) obj(a, c)[/S] [S]agt(a, b)[/S]").sentences
    assert [(arrow.label, arrow.verdict) for arrow in diagram(gold, other=pred, failure="missed").arrows] == [
        ("agt", "hit"),
        ("obj", "missed"),
    ]
