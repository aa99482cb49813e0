"""The picture of the scores: where each mark lies, and what is not drawn."""

import pytest

import goldassay
from goldassay.core.chance import Chance
from goldassay.graphs import Graph
from goldassay.report.marks import marks

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
EDGES = [(f"n{i}", f"n{i // 2}") for i in range(1, 30)]
GOLD, PRED = Graph.from_edges(EDGES), Graph.from_edges([*EDGES[9:], ("x", "y")])


def evaluated(**options):
    return goldassay.evaluate(PRED, gold=options.pop("gold", GOLD), measures="literal", **options)


def test_value_interval_and_chance_lie_where_they_are():
    report = evaluated(chance=Chance(draws=20), intervals=True)
    score = report["literal"]
    found = marks(report)
    [row] = found["rows"]
    placed = {mark["kind"]: (float(mark["left"]) / 100, float(mark["width"]) / 100) for mark in row["marks"]}
    expected, sd = score.chance.expected["f1"], score.chance.sd["f1"]
    interval = score.intervals["f1"]
    assert list(placed) == ["chance", "range", "value"]
    assert placed["value"] == (pytest.approx(score.f1, abs=1e-4), 0)
    assert placed["range"] == pytest.approx((interval.low, interval.high - interval.low), abs=2e-4)
    low = max(expected - sd, 0)
    assert placed["chance"] == pytest.approx((low, expected + sd - low), abs=2e-4)
    assert found["ends"] == ["0", "1"]
    assert [kind for kind, _ in found["legend"]] == ["value", "range", "chance"]
    assert row["told"].startswith(f"f1 {score.f1:.4f}, chance ")


def test_the_human_ceiling_is_a_mark():
    report = evaluated(gold=[GOLD, Graph.from_edges(EDGES[5:])])
    [row] = marks(report)["rows"]
    ceiling = report["literal"].golds.ceiling["f1"]
    assert row["marks"][0] == {"kind": "ceiling", "left": f"{100 * ceiling:.2f}", "width": "0.00"}


def test_scores_alone_need_no_picture_and_values_without_a_best_have_none():
    assert marks(evaluated())["rows"] == []
    alignment = goldassay.alignments.Alignment.from_rows([("a", f"{i}", "=", i / 10) for i in range(5)])
    gold = goldassay.alignments.Alignment.from_rows([("a", "3")])
    report = goldassay.evaluate(alignment, gold=gold, kind="alignment", measures=["mean_rank", "mrr"], chance=True)
    assert [row["measure"] for row in marks(report)["rows"]] == ["mrr"]


def test_the_page_draws_them():
    page = evaluated(chance=Chance(draws=5)).format("html")
    assert 'class="score-marks"' in page
    assert '<i class="chance"' in page
    assert 'class="score-marks"' not in evaluated().format("html")
