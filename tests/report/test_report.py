import json
import pickle
from dataclasses import replace

import pytest

import goldassay
from goldassay.graphs import Graph, Literal

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
    with pytest.raises(goldassay.UsageError, match="have one name"):
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


HOSTILE = "a|b\n`c` \x1b[31m*d*\u2028<i>_e_"


@pytest.fixture
def hostile(tmp_path):
    path = tmp_path / HOSTILE.replace("/", "")
    path.write_text("child,parent\ncat,pet\n")
    return goldassay.evaluate([path, path], gold=path, measures="literal", intervals=True, by="depth")


def test_names_of_files_are_escaped_in_every_layout(hostile):
    for layout in ("text", "markdown", "latex"):
        text = hostile.format(layout)
        assert "\x1b" not in text
        assert "\u2028" not in text
        assert r"\x1b[31m" in text.replace(r"\[", "[") or "x1b[31m" in text
    rows = [line for line in hostile.format("markdown").split("\n") if line.startswith("|")]
    heads = {line.replace(r"\|", "").count("|") for line in rows[:4]}
    assert len(heads) == 1
    assert r"\<i\>" in hostile.format("markdown")
    assert r"\textless{}i\textgreater{}" in hostile.format("latex")
    assert "\n`c`" not in hostile.format("latex")


def test_a_warning_that_is_not_of_all_predictions_names_its_own(tmp_path):
    for name, text in {"other.csv": "oak,tree\n", "plain.csv": "cat,animal\n", "gold.csv": "cat,animal\n"}.items():
        tmp_path.joinpath(name).write_text(text, encoding="utf-8")
    paths = [tmp_path / "other.csv", tmp_path / "plain.csv"]
    with pytest.warns(goldassay.SuspectInputWarning):
        report = goldassay.evaluate(paths, gold=tmp_path / "gold.csv", kind="taxonomy", measures="literal")
    assert report.warnings
    assert all(line.startswith(f"{paths[0]}: ") for line in report.warnings)
    with pytest.warns(goldassay.SuspectInputWarning):
        alone = goldassay.evaluate(paths[0], gold=tmp_path / "gold.csv", kind="taxonomy", measures="literal")
    assert [f"{paths[0]}: {line}" for line in alone.warnings] == report.warnings
