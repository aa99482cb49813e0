"""The forest plot: where each mark lies, the order of the systems, and what is said of the best one."""

import math
import re
from itertools import pairwise

import pytest

import goldassay
from goldassay.core.chance import Chance
from goldassay.graphs import Graph
from goldassay.report.forest import forests, ticks

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
EDGES = [(f"n{i}", f"n{i // 2}") for i in range(1, 30)]
GOLD, PRED = Graph.from_edges(EDGES), Graph.from_edges([*EDGES[9:], ("x", "y")])


def evaluated(pred=PRED, **options):
    return goldassay.evaluate(
        pred, gold=options.pop("gold", GOLD), measures=options.pop("measures", "literal"), **options
    )


def named(edges, name):
    graph = Graph.from_edges(edges)
    object.__setattr__(graph, "path", name)
    return graph


def placed(row):
    return {mark["kind"]: (float(mark["left"]) / 100, float(mark["width"]) / 100) for mark in row["marks"]}


def test_value_interval_and_chance_lie_where_they_are():
    report = evaluated(chance=Chance(draws=20), intervals=True)
    score = report["literal"]
    [plot] = forests(report)
    [row] = plot["rows"]
    expected, sd = score.chance.expected["f1"], score.chance.sd["f1"]
    interval = score.intervals["f1"]
    assert list(placed(row)) == ["chance", "range", "value"]
    assert placed(row)["value"] == (pytest.approx(score.f1, abs=1e-4), 0)
    assert placed(row)["range"] == pytest.approx((interval.low, interval.high - interval.low), abs=2e-4)
    low = max(expected - sd, 0)
    assert placed(row)["chance"] == pytest.approx((low, expected + sd - low), abs=2e-4)
    assert [tick["text"] for tick in plot["ticks"]] == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert [kind for kind, _ in plot["legend"]] == ["value", "range", "chance"]
    assert row["told"].startswith("chance ")
    assert row["lines"] == [row["label"], *reversed(row["told"].split(", "))]
    assert row["tip"] in {f"left:{100 * score.f1:.2f}%", f"right:{100 - 100 * score.f1:.2f}%"}
    assert f"{score.f1:.4f}" in plot["sentence"]
    assert f"Chance gives {expected:.4f}." in plot["sentence"]


def test_the_human_ceiling_is_a_mark():
    report = evaluated(gold=[GOLD, Graph.from_edges(EDGES[5:])])
    [row] = forests(report)[0]["rows"]
    ceiling = report["literal"].golds.ceiling["f1"]
    assert row["marks"][0] == {"kind": "ceiling", "left": f"{100 * ceiling:.2f}", "width": "0.00"}


def test_the_best_system_comes_first_also_where_less_is_better():
    runs = [named(EDGES[20:], "poor"), named(EDGES[1:], "good"), named(EDGES[10:], "fair")]
    report = evaluated(runs, measures=["literal", "nodes", "motif"])
    for plot in forests(report):
        scores = {run.label: run[plot["measure"]] for run in report.runs}
        values = [scores[row["label"]].values[plot["name"]] for row in plot["rows"]]
        better = scores["good"].higher_is_better
        assert values == sorted(values, reverse=better)
    assert [row["label"] for row in forests(report)[0]["rows"]] == ["good", "fair", "poor"]
    assert re.match(r"good is best with f1 0\.98\d\d, 0\.19\d\d better than fair\.$", forests(report)[0]["sentence"])


def test_what_is_significant_is_marked_and_said():
    runs = [named(EDGES[20:], "poor"), named(EDGES[1:], "good")]
    report = evaluated(runs, intervals=True)
    [plot] = forests(report, places=2)
    good, poor = plot["rows"]
    assert good["differs"]
    assert not poor["differs"]
    assert good["difference"].startswith("+0.")
    assert poor["difference"] == ""
    assert "a significant difference (p" in plot["sentence"]
    [plot] = forests(evaluated([named(EDGES[1:], "a"), named(EDGES[2:], "b")], intervals=True, against="best"))
    assert "which may be chance" in plot["sentence"]


def test_systems_that_lie_close_get_a_part_of_the_scale():
    close = evaluated([named(EDGES[1:], "a"), named(EDGES[2:], "b")])
    [plot] = forests(close)
    assert plot["part"]
    assert float(plot["rows"][0]["marks"][-1]["left"]) - float(plot["rows"][1]["marks"][-1]["left"]) > 10
    [far] = forests(evaluated([named(EDGES[1:], "a"), named(EDGES[25:], "b")]))
    assert not far["part"]


def test_values_without_a_best_get_a_scale_of_their_own():
    alignment = goldassay.alignments.Alignment.from_rows([("a", f"{i}", "=", i / 10) for i in range(5)])
    gold = goldassay.alignments.Alignment.from_rows([("a", "3")])
    report = goldassay.evaluate(alignment, gold=gold, kind="alignment", measures=["mean_rank", "mrr"])
    rank, mrr = forests(report)
    assert 0 <= float(rank["rows"][0]["marks"][-1]["left"]) <= 100
    assert rank["direction"] == "lower is better"
    assert not mrr["part"]


def test_undefined_values_are_said_and_not_drawn():
    empty = named([], "nothing")
    report = evaluated([empty, named(EDGES, "all")], measures="literal(undefined=nan)")
    [plot] = forests(report)
    assert [row["label"] for row in plot["rows"]] == ["all", "nothing"]
    undefined = [row for row in plot["rows"] if row["value"] == "undefined"]
    assert all(row["marks"] == [] for row in undefined)


def test_repeated_runs_are_one_row_a_system():
    runs = {"weak": [PRED, named(EDGES[12:], "w2")], "strong": [named(EDGES[2:], "s1"), named(EDGES[3:], "s2")]}
    [plot] = forests(evaluated(runs, intervals=True))
    assert [row["label"] for row in plot["rows"]] == ["strong", "weak"]
    assert all(row["interval"] for row in plot["rows"])


def test_percent_counts_for_marks_and_words():
    [plot] = forests(evaluated(), places=1, percent=True)
    assert plot["rows"][0]["value"] == f"{100 * evaluated()['literal'].f1:.1f}"
    assert plot["ticks"][-1]["text"] == "100"


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-1, 1), (0.011, 0.012), (3, 4000), (0.9999, 1)])
def test_ticks_are_round_and_inside(low, high):
    found = ticks(low, high)
    assert 3 <= len(found) <= 7
    assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in found)
    steps = [after - before for before, after in pairwise(found)]
    assert all(math.isclose(step, steps[0], rel_tol=1e-6) for step in steps)


def test_the_page_opens_with_them():
    page = evaluated(chance=Chance(draws=5)).format("html")
    assert page.index('class="forest"') < page.index('class="numbers"') < page.index('id="reproduce"')
    assert '<i class="chance"' in page
