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


@pytest.mark.filterwarnings("ignore:prediction and gold have no")
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


def test_an_unreadable_run_is_refused():
    with pytest.raises(goldassay.UsageError, match="--runs does not support an unreadable run"):
        goldassay.evaluate(RUNS, gold=GOLD, measures="literal", unreadable="keep")


def uneven(sizes):
    """Make runs whose edges have relations; some have none of the second."""
    return [
        goldassay.Graph.from_edges(
            [
                *((f"child {n}", "is a", "parent" if n < hits else "other") for n in range(40)),
                *((f"part {n}", "part of", "whole" if n < parts else "other") for n in range(2 * parts)),
            ]
        )
        for hits, parts in sizes
    ]


PARTS = goldassay.Graph.from_edges(
    [
        *((f"child {n}", "is a", "parent") for n in range(40)),
        *((f"part {n}", "part of", "whole") for n in range(20)),
    ]
)


def test_groups_of_systems_are_means_over_the_runs_that_have_them():
    asked = {"gold": PARTS, "measures": "literal(undefined=nan)", "by": "relation"}
    runs = {"strong": uneven([(30, 8), (36, 0), (33, 5)]), "weak": uneven([(10, 2)])}
    report = goldassay.evaluate(runs, **asked)
    strong, weak = (
        dict(zip(one.groups, one.rows(), strict=True)) for one in (s.scores[0].breakdowns[0] for s in report.systems)
    )
    assert strong["is a"]["values"]["recall"] == pytest.approx(33 / 40)
    assert strong["is a"]["sd"]["recall"] == pytest.approx(stdev([30 / 40, 36 / 40, 33 / 40]))
    assert strong["part of"]["values"]["precision"] == pytest.approx(0.5)
    assert strong["part of"]["counts"]["n_pred"] == pytest.approx((16 + 0 + 10) / 3)
    assert 33 / 40 in strong["is a"]["intervals"]["recall"]
    assert math.isnan(weak["is a"]["sd"]["recall"])
    single = goldassay.evaluate(runs["weak"][0], intervals=True, **asked).runs[0].scores[0].breakdowns[0]
    assert weak["is a"]["values"] == pytest.approx(next(single.rows())["values"])


@pytest.mark.parametrize("layout", ["text", "markdown", "latex", "html"])
def test_groups_and_chance_of_systems_are_in_every_layout(layout):
    report = goldassay.evaluate(
        {"strong": uneven([(30, 8), (36, 9)])}, gold=PARTS, measures="literal", by="relation", chance="random-edges"
    )
    written = report.format(layout, places=2)
    assert "0.82 ± 0.11" in written
    assert "part of" in written
    level = report.systems[0]["literal"].chance
    assert f"{level.expected['f1']:.2f} ± {level.sd['f1']:.2f}" in written


def test_chance_of_a_system_is_the_mean_of_its_runs():
    report = goldassay.evaluate(RUNS, gold=GOLD, measures="literal", chance=goldassay.Chance(null="rewire", draws=7))
    level = report.systems[1]["literal"].chance
    of_runs = [run["literal"].chance for run in report.runs[3:]]
    assert level.expected["f1"] == pytest.approx(mean(one.expected["f1"] for one in of_runs))
    assert level.sd["recall"] ** 2 == pytest.approx(mean(one.sd["recall"] ** 2 for one in of_runs))
    frame = report.to_frame(wide=True)
    assert frame["f1_expected"].to_list() == [system["literal"].chance.expected["f1"] for system in report.systems]
    assert frame["f1_sd"].to_list() != frame["f1_expected_sd"].to_list()
    assert report.to_frame().columns[:6] == ["system", "measure", "runs", "value", "score", "low"]


def test_groups_and_chance_come_back(tmp_path):
    report = goldassay.evaluate(
        {"a": uneven([(30, 8), (36, 0)]), "b": uneven([(20, 3), (26, 4)])},
        gold=PARTS, measures="literal", by="relation", chance=goldassay.Chance(null="rewire", draws=5),
    )  # fmt: skip
    report.save(tmp_path / "report.json")
    document = json.loads(report.format("json"))
    pytest.importorskip("jsonschema").Draft202012Validator(report_schema()).validate(document)
    loaded = goldassay.load(tmp_path / "report.json")
    assert json.loads(loaded.format("json"))["systems"] == document["systems"]
    assert loaded.format("text").split("literal by")[1:] == report.format("text").split("literal by")[1:]


def test_differences_of_systems_are_a_table(report):
    weak = report.systems[1]["literal"]
    found = weak.differences["f1"]
    for layout in ("text", "markdown", "latex", "html"):
        written = report.format(layout, places=3)
        assert f"{found.difference:.3f} [{found.interval.low:.3f}, {found.interval.high:.3f}]" in written.replace(
            '</span><span class="interval">', " "
        ).replace("*[", "[").replace("* [", " [").replace("$^{*}$", "").replace(r"]\*", "]").replace("$-$", "-")
    assert report.to_frame(wide=True)["f1_difference"].to_list()[:2] == [None, None]
    assert f"{weak.p_holm['f1']:.4f}" in report.format("text").split("difference of f1")[1]


def test_single_runs_are_drawn(report):
    page = report.format("html", places=2)
    assert page.count('<i class="run"') == 12 + 2  # six runs and a legend, by two measures
    assert "a single run" in page
    assert f"runs {50 / 60:.2f}, {54 / 60:.2f}, {47 / 60:.2f}" in page
    assert report._repr_html_().count('r="2"') == 12
    drawn = json.dumps(report.plot.values().to_dict())
    assert drawn.count('"run_low": 0.') == 6  # both measures share them


def test_saved_reports_of_systems_are_compared(report, tmp_path):
    middle = goldassay.evaluate(
        {"middle": [graph(40), graph(44)]}, gold=GOLD, measures=["literal", "literal(undefined=nan)"]
    )
    found = goldassay.compare([report, middle], against="weak")
    assert [(one.name, one.rows) for one in found.systems] == [
        ("strong", (0, 1, 2)),
        ("weak", (3, 4, 5)),
        ("middle", (6, 7)),
    ]
    together = goldassay.evaluate(
        {**RUNS, "middle": [graph(40), graph(44)]},
        gold=GOLD,
        measures=["literal", "literal(undefined=nan)"],
        against="weak",
    )
    for one, other in zip(found.systems, together.systems, strict=True):
        assert one["literal"].p_holm == other["literal"].p_holm
    plain = goldassay.evaluate(
        {"one": graph(30)}, gold=GOLD, measures=["literal", "literal(undefined=nan)"], intervals=True
    )
    assert [one.name for one in goldassay.compare([report, plain]).systems] == ["strong", "weak", "one"]
    with pytest.raises(goldassay.UsageError, match="a system of the same name"):
        goldassay.compare([report, report])
    other = goldassay.evaluate({"x": [graph(40)]}, gold=GOLD, measures="literal")
    with pytest.raises(goldassay.UsageError, match="by the same measures"):
        goldassay.compare([report, other])


def test_curves_of_runs_are_averaged_at_every_threshold():
    rows = [("cat", "chat", "=", 0.9), ("dog", "chien", "=", 0.6), ("cow", "veau", "=", 0.7)]
    gold = goldassay.alignments.Alignment.from_rows([("cat", "chat"), ("dog", "chien")])
    runs = {
        "both": [goldassay.alignments.Alignment.from_rows(part) for part in (rows[:2], rows[1:])],
        "one": [goldassay.alignments.Alignment.from_rows(rows)],
    }
    asked = {"gold": gold, "kind": "alignment", "measures": "overlap"}
    both, one = goldassay.sweep(runs, **asked)
    assert (both.prediction, [run.prediction for run in both.runs]) == ("both", ["both 1", "both 2"])
    assert both.curve.thresholds.tolist() == [0.9, 0.7, 0.6]
    assert both.curve.recall.tolist() == pytest.approx([mean([0.5, 0]), mean([0.5, 0]), mean([1, 0.5])])
    assert both.curve.precision.tolist() == pytest.approx([mean([1, 0]), mean([1, 0]), mean([1, 0.5])])
    assert both.sd([0.6])["recall"][0] == pytest.approx(stdev([1, 0.5]))
    assert one.sd([0.6]) == {}
    [single] = goldassay.sweep(runs["one"][0], **asked)
    assert one.curve.values["f1"].tolist() == single.curve.values["f1"].tolist()
    assert one.curve.area == single.curve.area
    assert both.to_dict()["sd"]["recall"][2] == pytest.approx(stdev([1, 0.5]))
    assert [run["points"] for run in one.to_dict()["runs"]] == [single.to_dict()["points"]]
    assert "|runs:2|" in str(both.signature)


def test_groups_of_runs_that_are_numbers_are_in_the_order_of_numbers():
    gold = [(str(n + 1), str(n)) for n in range(12)]
    report = goldassay.evaluate({"one": [gold, gold[:11]]}, gold=gold, measures="literal", by="depth", selfcheck=False)
    [found] = report.systems[0].scores[0].breakdowns
    assert found.groups == tuple(str(n) for n in range(1, 13))
