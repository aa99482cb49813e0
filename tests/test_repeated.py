"""Repeated runs from Python and saved reports: one row a system."""

import json
import math
from statistics import mean, stdev

import pytest

import goldassay
from goldassay.report.shape import report_schema

GOLD = goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(60)])
LAYOUTS = ["text", "markdown", "latex", "csv", "html"]


def graph(found):
    return goldassay.Graph.from_edges([(f"child {n}", "parent" if n < found else "other") for n in range(60)])


RUNS = {"strong": [graph(50), graph(54), graph(47)], "weak": [graph(20), graph(25), graph(18)]}


@pytest.fixture(scope="module")
def report():
    return goldassay.evaluate(RUNS, gold=GOLD, measures=["literal", "literal(undefined=nan)"])


def test_mean_and_standard_deviation_are_those_of_the_runs(report):
    found = report.systems[0]["literal"].values["recall"]
    shares = [50 / 60, 54 / 60, 47 / 60]
    assert (found.mean, found.sd) == pytest.approx((mean(shares), stdev(shares)))
    assert found.mean in found.interval
    assert [system.rows for system in report.systems] == [(0, 1, 2), (3, 4, 5)]
    assert [run["literal"].recall for run in report.runs[:3]] == shares


def test_the_second_system_is_tested_against_the_first(report):
    strong, weak = (system["literal"] for system in report.systems)
    assert (strong.against, weak.against) == (None, "strong")
    assert weak.differences["recall"].difference == pytest.approx((63 - 151) / 180)
    assert weak.p_holm["recall"] < 0.05
    assert weak.differs("recall")


def test_p_values_are_corrected_for_all_systems_that_are_tested():
    middle = [graph(45), graph(40), graph(52)]
    found = goldassay.evaluate({**RUNS, "middle": middle}, gold=GOLD, measures="literal").systems
    p = {system.name: system["literal"].differences["recall"].p for system in found[1:]}
    p_holm = {system.name: system["literal"].p_holm["recall"] for system in found[1:]}
    assert p["weak"] < p["middle"]
    assert p_holm == pytest.approx({"weak": min(1, 2 * p["weak"]), "middle": max(2 * p["weak"], p["middle"])})


def test_against_the_best():
    report = goldassay.evaluate(dict(reversed(RUNS.items())), gold=GOLD, measures="literal", against="best")
    assert [system["literal"].against for system in report.systems] == ["strong", None]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_shows_systems(report, layout):
    written = report.format(layout, places=2)
    assert "strong" in written
    assert "weak" in written
    if layout != "csv":
        assert "0.84" in written
        assert "± 0.06" in written
        assert "Between runs" in written or "between runs" in written
    assert "runs:3|ci:two-level(level=0.95,resamples=10000,seed=0)/edge" in written.replace("\\|", "|")


def test_a_notebook_shows_systems(report):
    assert "strong" in report._repr_html_()


def test_one_run_says_that_nothing_is_known_between_runs():
    report = goldassay.evaluate({"a": [graph(50)], "b": RUNS["weak"]}, gold=GOLD, measures="literal")
    found = report.systems[0]["literal"].values["f1"]
    assert (found.sd, found.share_of_runs) == (None, None)
    assert "a: literal: one run only, so that nothing is known of the variance between runs" in str(report)


def test_json_has_the_shape_and_comes_back(report, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    shape = report_schema()
    document = json.loads(report.format("json"))
    jsonschema.Draft202012Validator(shape).validate(document)
    report.save(tmp_path / "report.json")
    loaded = goldassay.load(tmp_path / "report.json")
    assert json.loads(loaded.format("json"))["systems"] == document["systems"]


def test_a_damaged_row_of_a_system_is_reported(report, tmp_path):
    document = json.loads(report.format("json"))
    document["systems"][1]["runs"] = [9]
    (tmp_path / "report.json").write_text(json.dumps(document))
    with pytest.raises(goldassay.InputError, match=r"systems\[1\].runs"):
        goldassay.load(tmp_path / "report.json")


def test_a_measure_without_units_has_an_interval_of_runs_only():
    report = goldassay.evaluate({"strong": RUNS["strong"]}, gold=GOLD, measures="graph", encoder="hashing")
    found = report.systems[0].scores[0]
    if found.unit is None:
        assert "the interval is of runs only" in str(report)
    assert not math.isnan(found.values[found.measure.headline].mean)


def test_intervals_stay_within_what_a_value_can_be():
    runs = [graph(60), graph(60), graph(40)]
    found = goldassay.evaluate({"a": runs}, gold=GOLD, measures="literal").systems[0]["literal"].values["recall"]
    assert found.interval.high == 1
    runs = [graph(0), graph(0), graph(20)]
    found = goldassay.evaluate({"a": runs}, gold=GOLD, measures="literal").systems[0]["literal"].values["recall"]
    assert found.interval.low == 0


def test_no_prediction_at_all_is_refused():
    with pytest.raises(goldassay.UsageError, match="No prediction"):
        goldassay.evaluate({}, gold=GOLD, measures="literal")


@pytest.mark.parametrize("asked", [{"chance": True}, {"by": "depth"}])
def test_what_runs_together_have_not_is_refused(asked):
    with pytest.raises(goldassay.UsageError, match="--runs does not support"):
        goldassay.evaluate(RUNS, gold=GOLD, measures="literal", **asked)
