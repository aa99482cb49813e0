import copy
import json
import math
import pickle
import re
from dataclasses import replace
from itertools import permutations

import pytest

import goldassay
from goldassay.graphs import Graph, Literal
from goldassay.labels import Labels

GOLD = Graph.from_edges([("cat", "animal"), ("dog", "animal")])
PRED = Graph.from_edges([("cat", "animal"), ("cat", "animal"), ("oak | elm", "tree")])


@pytest.fixture
def report():
    return goldassay.evaluate(PRED, gold=GOLD, measures="literal")


def test_scores_are_found_by_name_and_by_spec():
    report = goldassay.evaluate(PRED, gold=GOLD, measures=["literal", "literal(distinct=true)"])
    assert report["literal(distinct=true)"].spec == "literal(distinct=true)"
    assert report["literal"].f1 == pytest.approx(0.5)
    with pytest.raises(goldassay.UsageError, match="Unknown score"):
        report["fuzzy"]


def test_predictions_of_one_name_must_be_chosen():
    preds = [replace(graph, path="a.ttl") for graph in (PRED, GOLD)]
    report = goldassay.evaluate(preds, gold=GOLD, measures=Literal())
    assert [run["literal"].recall for run in report] == [0.5, 1.0]
    with pytest.raises(goldassay.UsageError, match="have the same name"):
        report["literal"]


def test_a_score_names_its_values_as_attributes(report):
    score = report["literal"]
    assert (score.precision, score.recall) == (0.5, 0.5)
    with pytest.raises(AttributeError, match="precision, recall, f1"):
        score.accuracy  # noqa: B018
    assert pickle.loads(pickle.dumps(score)).precision == 0.5


def test_what_was_left_out_is_shown(report):
    assert "duplicates (1)" in report.format()
    assert report.to_dict()["runs"][0]["pred"]["left_out"] == {"duplicates": 1}


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_json_holds_no_nan_that_other_programs_cannot_read():
    empty = Graph.from_edges([])
    with pytest.warns(goldassay.UndefinedWarning):
        report = goldassay.evaluate(empty, gold=GOLD, measures="literal(undefined=nan)")
    values = json.loads(report.format("json"))["runs"][0]["scores"][0]["values"]
    assert values["precision"] is None


def test_a_frame_has_one_row_a_score(report):
    frame = report.to_frame(wide=True)
    assert frame.shape[0] == 1
    assert frame["hit_pred"].item() == 1


def test_a_frame_has_one_row_a_value():
    options = {"measures": "literal", "intervals": True, "chance": True, "by": "depth"}
    report = goldassay.evaluate([PRED, GOLD], gold=GOLD, **options)
    frame = report.to_frame()
    score = report.runs[1]["literal"]
    whole = frame.filter(frame["by"].is_null())
    assert whole["value"].to_list() == ["precision", "recall", "f1"] * 2
    last = whole.row(-1, named=True)
    assert (last["score"], last["low"], last["high"]) == (1.0, score.intervals["f1"].low, score.intervals["f1"].high)
    assert (last["expected"], last["adjusted"]) == (score.chance.expected["f1"], score.chance.adjusted["f1"])
    assert last["signature"] == str(score.signature)
    assert len(frame) > len(whole)
    assert frame.filter(frame["by"] == "depth")["group"].null_count() == 0


def test_an_unknown_layout_is_refused(report):
    with pytest.raises(goldassay.UsageError, match="layout"):
        report.format("yaml")


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_markup_in_texts_stays_text():
    odd = Graph.from_edges([("[bold]x[/bold]", "<b>y</b>")])
    text = goldassay.evaluate(odd, gold=odd, measures="literal").format()
    assert "[literal]" not in text
    assert goldassay.evaluate(odd, gold=GOLD, measures="literal")["literal"].matching.invented()[0].item == (
        "[bold]x[/bold] -> <b>y</b>"
    )


def test_a_frame_may_be_one_of_pandas(report):
    pandas = pytest.importorskip("pandas")
    frame = report.to_frame("pandas")
    assert isinstance(frame, pandas.DataFrame)
    assert frame.to_dict("list") == report.to_frame().to_dict(as_series=False)


def test_a_frame_of_an_unknown_library_is_refused(report):
    with pytest.raises(goldassay.UsageError, match="polars, pandas"):
        report.to_frame("arrow")


def test_a_warning_that_is_not_of_all_predictions_names_its_own(tmp_path):
    for name, text in {
        "other.csv": "child,parent\noak,plant\n",
        "plain.csv": "child,parent\ncat,animal\n",
        "gold.csv": "child,parent\ncat,animal\n",
    }.items():
        tmp_path.joinpath(name).write_text(text, encoding="utf-8")
    paths = [tmp_path / "other.csv", tmp_path / "plain.csv"]
    with pytest.warns(goldassay.SuspectInputWarning):
        report = goldassay.evaluate(paths, gold=tmp_path / "gold.csv", kind="taxonomy", measures="literal")
    assert report.warnings
    assert all(line.startswith(f"{paths[0]}: ") for line in report.warnings)
    with pytest.warns(goldassay.SuspectInputWarning):
        single = goldassay.evaluate(paths[0], gold=tmp_path / "gold.csv", kind="taxonomy", measures="literal")
    assert [f"{paths[0]}: {line}" for line in single.warnings] == report.warnings


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_a_warning_names_its_prediction_once(tmp_path):
    for name in ("gold.csv", "learned.csv", "pred.csv"):
        tmp_path.joinpath(name).write_text("child,parent\ncat,animal\n", encoding="utf-8")
    gold, learned, pred = (tmp_path / name for name in ("gold.csv", "learned.csv", "pred.csv"))
    report = goldassay.evaluate([gold, learned], gold=pred, kind="taxonomy", measures="literal")
    [swapped] = [line for line in report.warnings if "swapped" in line]
    assert swapped.count(str(gold)) == 1


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_an_undefined_value_has_no_interval_in_any_layout():
    # Of depth 3 there is nothing to predict, so that recall is 0/0 there.
    gold = Graph.from_edges([(f"a{i}", "a") for i in range(6)] + [("a", "top")])
    pred = Graph.from_edges(
        [(f"a{i}", "a") for i in range(4)] + [("a", "top")] + [(f"b{i}", f"a{i}") for i in range(4)]
    )
    report = goldassay.evaluate(pred, gold=gold, measures="literal", intervals=True, by="depth")
    (found,) = report["literal"].breakdowns
    for row, group in enumerate(found.groups):
        undefined = {name for name, column in found.values.items() if math.isnan(column[row])}
        assert not undefined & found.intervals[row].keys(), group
        assert all(one.low == one.low and one.high == one.high for one in found.intervals[row].values())
    assert any(math.isnan(value) for value in found.values["recall"])
    for layout in ("text", "markdown", "latex", "github", "html"):
        written = report.format(layout)
        assert "[nan" not in written
        assert "- [" not in "".join(line for line in written.splitlines() if "depth" not in line)
    assert "NaN" not in report.format("json")


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_one_value_is_written_alike_in_every_layout():
    gold = Labels.from_rows([("i", "cat"), ("j", "dog")], edges=[("cat", "pet"), ("dog", "pet"), ("pet", "animal")])
    pred = Labels.from_rows([("i", "dog", 0.5), ("j", "dog", 0.9)], hierarchy=gold.hierarchy)
    report = goldassay.evaluate(pred, gold=gold, kind="labels", measures="wu_palmer", by="instance")
    for layout in ("text", "markdown", "latex"):
        assert re.findall(r"\d\.\d{5,}", report.format(layout)) == []
        assert "66.7" in report.format(layout, places=1, percent=True)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_what_is_undefined_is_a_dash_in_the_table_of_scores():
    report = goldassay.evaluate(Graph.from_edges([]), gold=GOLD, measures="literal(undefined=nan)")
    for layout in ("text", "markdown", "latex"):
        assert "nan" not in report.format(layout).replace("undefined=nan", "").replace("given as nan", "")


def test_scores_of_several_predictions_are_a_dictionary_that_a_notebook_shows():
    gold = [("cat", "pet"), ("pet", "animal")]
    report = goldassay.evaluate({"mine": gold[:1], "theirs": gold}, gold=gold, measures=["literal", "closure"])
    scores = report["literal"]
    assert {name: score.recall for name, score in scores.items()} == {"mine": 0.5, "theirs": 1}
    for shown in (scores, copy.deepcopy(scores), pickle.loads(pickle.dumps(scores))):
        html = shown._repr_html_()
        assert "mine" in html
        assert "literal" in html
        assert "closure" not in html


@pytest.mark.filterwarnings("ignore:prediction and gold have no child in common")
def test_a_report_has_its_runs_and_its_scores_by_name_and_spec():
    gold = Graph.from_edges([("cat", "pet"), ("dog", "pet")])
    preds = {"one": [("cat", "pet")], "two": [("cow", "pet")]}
    report = goldassay.evaluate(preds, gold=gold, measures=["literal(relation=exact)", "motif"])
    for name in ("literal", "literal(relation=exact)", "motif", report.runs[1]):
        assert name in report
    for name in ("literal(relation=ignore)", "nodes", "one", 3):
        assert name not in report


@pytest.mark.filterwarnings("ignore:prediction and gold have no child in common")
def test_evidence_of_a_report_has_every_item_of_every_run():
    gold = Graph.from_edges([("cat", "pet"), ("dog", "pet")])
    report = goldassay.evaluate({"one": [("cat", "pet")], "two": [("cow", "pet")]}, gold=gold, measures="literal")
    verdicts = sorted(report.evidence().select("prediction", "source", "verdict").rows())
    assert verdicts == [
        ("one", "cat", "hit"),
        ("one", "cat", "hit"),
        ("one", "dog", "missed"),
        ("two", "cat", "missed"),
        ("two", "cow", "invented"),
        ("two", "dog", "missed"),
    ]


@pytest.mark.parametrize("measures", list(permutations(["literal", "literal(distinct=true)"])))
def test_a_spec_that_is_a_name_too_finds_its_own_score(measures):
    gold = goldassay.Graph.from_edges([("a", "r"), ("b", "r")])
    pred = goldassay.Graph.from_edges([("a", "r"), ("c", "r")])
    report = goldassay.evaluate({"one": [pred, gold], "two": [gold, gold]}, gold=gold, measures=list(measures))
    for spec in measures:
        assert report.runs[0][spec].spec == spec
        assert report.systems[0][spec].spec == spec
    for found in (report.runs[0], report.systems[0]):
        with pytest.raises(goldassay.UsageError, match="Unknown score 'closure'"):
            found["closure"]
    assert goldassay.evaluate(pred, gold=gold, measures=measures[-1])["literal"].spec == measures[-1]
