"""evaluate and score take what people hold."""

import polars as pl
import pytest

import goldassay
from goldassay.graphs import Fuzzy, Literal

GOLD = [("cat", "pet"), ("dog", "pet")]


def encode(texts):
    return [[len(text), 1.0] for text in texts]


def test_names_of_predictions_stand_in_the_report():
    report = goldassay.evaluate({"mine": [("cat", "pet")], "other": GOLD}, gold=GOLD, measures="literal")
    assert [run.label for run in report] == ["mine", "other"]
    assert report.metrics()["mine/literal.recall"] == 0.5
    assert not report.systems


def test_lists_of_inputs_by_name_are_repeated_runs():
    runs = {"mine": [[("cat", "pet")], GOLD], "other": [GOLD]}
    report = goldassay.evaluate(runs, gold=GOLD, measures="literal")
    assert [(system.name, system.rows) for system in report.systems] == [("mine", (0, 1)), ("other", (2,))]


def test_a_list_of_frames_is_several_predictions():
    frame = pl.DataFrame({"child": ["cat"], "parent": ["pet"]})
    assert len(goldassay.evaluate([frame, frame], gold=GOLD, measures="literal")) == 2


def test_several_golds_in_memory():
    report = goldassay.evaluate(GOLD, gold=[GOLD, [("cat", "pet")]], measures="literal", golds="union")
    assert report["literal"].f1 == 1


def test_parameters_of_measures_by_name():
    report = goldassay.evaluate(GOLD, gold=GOLD, measures={"fuzzy": {"threshold": 0.9}, "literal": {}}, encoder=encode)
    assert [score.spec for score in report.runs[0].scores] == ["fuzzy(threshold=0.9)", "literal"]
    assert report.metrics()["fuzzy(threshold=0.9).f1"] == 1
    with pytest.raises(goldassay.UsageError, match="Unknown parameter of fuzzy 'treshold'"):
        goldassay.evaluate(GOLD, gold=GOLD, measures={"fuzzy": {"treshold": 0.9}})


def test_a_measure_scores_what_can_be_read():
    assert Literal().score(pred=[("cat", "pet")], gold=GOLD).recall == 0.5
    assert Fuzzy().score(pred=[("cat", "pet")], gold=GOLD, encoder=encode).precision == 1


def test_a_text_that_is_no_file_is_one_in_a_list():
    with pytest.raises(goldassay.InputError, match=r"(?s)no such file.*\['He has a fever\.'\]"):
        goldassay.evaluate("He has a fever.", gold=["fever"], kind="concepts")
    with pytest.raises(goldassay.InputError, match="no such file"):
        goldassay.evaluate(["missing.jsonl"], gold=["He has a fever."], kind="concepts")


@pytest.mark.parametrize(
    ("suffix", "start"),
    [
        ("json", "{"),
        ("csv", "prediction,"),
        ("html", "<!doctype"),
        ("md", "| prediction"),
        ("tex", "% needs"),
        ("txt", " "),
        ("parquet", "PAR1"),
    ],
)
def test_a_report_is_saved_by_its_suffix(tmp_path, suffix, start):
    report = goldassay.evaluate(GOLD, gold=GOLD, measures="literal")
    report.save(tmp_path / f"report.{suffix}")
    assert tmp_path.joinpath(f"report.{suffix}").read_bytes().lower().startswith(start.lower().encode())


def test_an_unknown_suffix_of_a_report_is_refused(tmp_path):
    report = goldassay.evaluate(GOLD, gold=GOLD, measures="literal")
    with pytest.raises(goldassay.OutputError, match=r"(?s)names no layout.*\.json"):
        report.save(tmp_path / "report.docx")


def test_what_is_shown_of_values_is_short():
    report = goldassay.evaluate(GOLD, gold=GOLD, measures="literal")
    shown = [report, report.runs[0], report.gold, report["literal"].matching]
    shown += [goldassay.read([("a", "b")], kind="alignment"), goldassay.read(["a b"], kind="concepts")]
    assert max(len(repr(one)) for one in shown) < 150
    assert repr(report.gold) == "<Graph of 2 items, the first: cat -> pet>"
    assert repr(report["literal"].matching) == "<LiteralMatching: 2 of 2 predicted, 2 of 2 gold items met>"


def test_evidence_is_a_frame():
    frame = goldassay.evaluate([("cat", "pet")], gold=GOLD, measures="literal")["literal"].matching.to_frame()
    assert frame.filter(side="gold").select("item", "verdict").rows() == [
        ("cat -> pet", "hit"),
        ("dog -> pet", "missed"),
    ]
