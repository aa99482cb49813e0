"""The forest plot: where each mark lies, the order of the systems, and what is reported of the best one."""

import math
import re
from dataclasses import replace
from itertools import pairwise

import pytest

import goldassay
from goldassay.core.chance import Chance
from goldassay.core.significance import Interval
from goldassay.core.text import NumberFormat
from goldassay.graphs import Graph
from goldassay.report.forest import Entry, InWords, forests, labels_of, p_text, sentence, ticks
from goldassay.report.results import Benchmark, HeadlineTest, Published

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
    assert row["text"].startswith("chance ")
    assert row["lines"] == [row["label"], *reversed(row["text"].split(", "))]
    assert row["tip"] in {f"left:{100 * score.f1:.2f}%", f"right:{100 - 100 * score.f1:.2f}%"}
    assert f"{score.f1:.4f}" in plot["sentence"]
    assert f"Chance gives {expected:.4f}." in plot["sentence"]


def test_the_human_ceiling_is_a_mark():
    report = evaluated(gold=[GOLD, Graph.from_edges(EDGES[5:])])
    [row] = forests(report)[0]["rows"]
    ceiling = report["literal"].combined.ceiling["f1"]
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


def test_what_is_significant_is_marked_and_reported():
    runs = [named(EDGES[20:], "poor"), named(EDGES[1:], "good")]
    report = evaluated(runs, intervals=True)
    [plot] = forests(report, NumberFormat(2))
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


def test_undefined_values_are_reported_and_not_drawn():
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
    [plot] = forests(evaluated(), NumberFormat(1, percent=True))
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


RANK = goldassay.parse("mean_rank")
LITERAL = goldassay.parse("literal")


def against(label, *, by=0.1, p=0.001, differs=True):
    return HeadlineTest(label=label, difference=by, p=p, differs=differs)


def messages(*entries, measure=LITERAL, published=(), places=2):
    made = [Entry(label=label, run=row, **values) for row, (label, values) in enumerate(entries)]
    others = [Entry(label=label, run=-1, value=value) for label, value in published]
    return sentence(made, measure, InWords(places), level=0.95, published=others).replace("\xa0", " ")


INTERVAL = Interval(0.25, 0.75)
SENTENCES = {
    "one": ([("a", {"value": 0.5})], "a reaches f1 0.50."),
    "one with an interval": (
        [("a", {"value": 0.5, "interval": INTERVAL})],
        "a reaches f1 0.50 (95% interval 0.25 to 0.75).",
    ),
    "one far above chance": (
        [("a", {"value": 0.5, "chance": (0.1, 0.1)})],
        "a reaches f1 0.50. Chance gives 0.10.",
    ),
    "one within chance": (
        [("a", {"value": 0.5, "chance": (0.4, 0.1)})],
        "No better than chance (0.40 ± 0.10): a reaches f1 0.50.",
    ),
    "one that is chance, which always gives the same": (
        [("a", {"value": 0.5, "chance": (0.5, 0.0)})],
        "No better than chance (0.50 ± 0.00): a reaches f1 0.50.",
    ),
    "one below chance": (
        [("a", {"value": 0.1, "chance": (0.5, 0.1)})],
        "Worse than chance (0.50 ± 0.10): a reaches f1 0.10.",
    ),
    "one draw of chance": (
        [("a", {"value": 0.1, "chance": (0.1, math.nan)})],
        "No better than chance (0.10): a reaches f1 0.10.",
    ),
    "one that a warning warnings": ([("a", {"value": 0.02, "doubted": True})], "Little better than chance: a reaches f1 0.02."),
    "one that is a little beyond chance": (
        [("a", {"value": 0.52, "chance": (0.5, 0.001), "doubted": True})],
        "Little better than chance (0.50 ± 0.00): a reaches f1 0.52.",
    ),
    "chance that is undefined": ([("a", {"value": 0.5, "chance": (math.nan, 0.1)})], "a reaches f1 0.50."),
    "two, no test": (
        [("a", {"value": 0.5}), ("b", {"value": 0.4})],
        "a is best with f1 0.50, 0.10 better than b.",
    ),
    "two, tested against the second": (
        [("a", {"value": 0.5, "against": against("b")}), ("b", {"value": 0.4})],
        "a is best with f1 0.50, 0.10 better than b, a significant difference (p = 0.001).",
    ),
    "two, the second tested against the best": (
        [("a", {"value": 0.5}), ("b", {"value": 0.4, "against": against("a", by=-0.1, p=0.4, differs=False)})],
        "a is best with f1 0.50, 0.10 better than b, which may be chance (p = 0.400).",
    ),
    "two, one run each": (
        [("a", {"value": 0.5}), ("b", {"value": 0.4, "against": against("a", p=None, differs=False)})],
        "a is best with f1 0.50, 0.10 better than b, not tested.",
    ),
    "three, the best tested against the third": (
        [("a", {"value": 0.5, "against": against("c", by=0.2)}), ("b", {"value": 0.4, "against": against("c")}), ("c", {"value": 0.3})],
        "a is best with f1 0.50, 0.10 better than b (not tested), and 0.20 better than c, a significant difference (p = 0.001).",
    ),
    "three, no better than the third": (
        [("a", {"value": 0.5, "against": against("c", by=0.2, p=0.2, differs=False)}), ("b", {"value": 0.4}), ("c", {"value": 0.3})],
        "a is best with f1 0.50, 0.10 better than b (not tested), and 0.20 better than c, which may be chance (p = 0.200).",
    ),
    "three, only the others tested": (
        [("a", {"value": 0.5}), ("b", {"value": 0.4, "against": against("c")}), ("c", {"value": 0.3})],
        "a is best with f1 0.50, 0.10 better than b (not tested).",
    ),
    "two, chance first": (
        [("a", {"value": 0.5, "chance": (0.45, 0.1)}), ("b", {"value": 0.4, "chance": (0.1, 0.01)})],
        "No better than chance (0.45 ± 0.10): a is best with f1 0.50, 0.10 better than b.",
    ),
    "two, nearly the same": (
        [("a", {"value": 0.501}), ("b", {"value": 0.5})],
        "a is best with f1 0.50, less than 0.01 better than b.",
    ),
    "two, level": ([("a", {"value": 0.5}), ("b", {"value": 0.5})], "a and b are level at f1 0.50."),
    "two, level but for rounding": ([("a", {"value": 0.3}), ("b", {"value": 0.1 + 0.2})], "a and b are level at f1 0.30."),
    "three, level": ([(label, {"value": 0.5}) for label in "abc"], "a, b, c are level at f1 0.50."),
    "level at chance": (
        [("a", {"value": 0.5, "chance": (0.5, 0.1)}), ("b", {"value": 0.5})],
        "No better than chance (0.50 ± 0.10): a and b are level at f1 0.50.",
    ),
    "all undefined": ([("a", {"value": math.nan}), ("b", {"value": math.nan})], "f1 is undefined."),
    "one undefined": (
        [("a", {"value": 0.5}), ("b", {"value": math.nan})],
        "a reaches f1 0.50. f1 of b is undefined.",
    ),
    "people": ([("a", {"value": 0.5, "ceiling": 0.9})], "a reaches f1 0.50. People reach 0.90."),
}  # fmt: skip


@pytest.mark.parametrize("case", SENTENCES)
def test_the_sentence_says_what_was_tested_and_no_more(case):
    entries, expected = SENTENCES[case]
    assert messages(*entries) == expected


def test_the_sentence_knows_that_less_can_be_better():
    ranks = [("a", {"value": 2.0, "chance": (50.0, 5.0)}), ("b", {"value": 3.5})]
    assert messages(*ranks, measure=RANK) == "a is best with mean_rank 2.00, 1.50 better than b. Chance gives 50.00."
    worse = messages(("a", {"value": 70.0, "chance": (50.0, 5.0)}), measure=RANK)
    assert worse == "Worse than chance (50.00 ± 5.00): a reaches mean_rank 70.00."
    others = [("c", 1.5), ("d", 9.0)]
    assert messages(*ranks[:1], measure=RANK, published=others).endswith("Published and better: c with 1.5.")


def test_the_sentence_does_not_hide_what_others_published():
    two = [("a", {"value": 0.5}), ("b", {"value": 0.4})]
    assert messages(*two, published=[("c", 0.9), ("d", 0.6)]).endswith("than b. Published and better: c with 0.9.")
    assert "Published" not in messages(*two, published=[("c", 0.5), ("d", 0.1)])


@pytest.mark.parametrize("chance", [False, Chance(draws=3)])
def test_a_warning_of_chance_is_first_on_the_page(chance):
    edges = [(f"cell type {i}", f"cell type {i // 2}") for i in range(1, 40)]
    preds = [named(edges, "all"), named(edges[:30], "part")]
    options = {"measures": "fuzzy(threshold=0.3)", "encoder": "hashing", "chance": chance}
    [plot] = forests(evaluated(preds, gold=Graph.from_edges(edges), **options))
    assert re.match(
        r"(Little|No) better than chance( \(.*?\))?: all and part are level at f1 1\.0000", plot["sentence"]
    )
    [plot] = forests(evaluated(preds, gold=Graph.from_edges(edges), measures="literal"))
    assert plot["sentence"].startswith("all is best")
    [plot] = forests(
        evaluated({"a": preds}, gold=Graph.from_edges(edges), measures="fuzzy(threshold=0.3)", encoder="hashing")
    )
    assert plot["sentence"].startswith("Little better than chance: a reaches")


def test_repeated_runs_that_were_not_tested_are_not_called_tested():
    runs = {"weak": [PRED], "strong": [named(EDGES[2:], "s1")]}
    [plot] = forests(evaluated(runs, measures="motif"))
    assert "significant" not in plot["sentence"]
    assert "may be chance" not in plot["sentence"]


def test_only_the_base_is_called_the_base():
    """One edge has no units to draw from, so that it is tested against nothing."""
    single = replace(evaluated(named(EDGES[:1], "single"), gold=Graph.from_edges(EDGES[:1]), intervals=True).runs[0])
    report = evaluated([named(EDGES, "all"), named(EDGES[5:], "some")], intervals=True)
    score = replace(report.runs[0].scores[0], units=None, intervals={})
    without = replace(single, scores=(score,))
    page = goldassay.compare(
        replace(report, runs=(*report.runs, without)), resampling=report.runs[0].scores[0].resampling
    )
    written = page.format("html")
    assert written.count("(base)") == 1
    assert written.count("(not tested)</span>") == 1


def test_a_prediction_only_is_called_by_its_file_and_several_by_what_differs():
    assert labels_of(evaluated(named(EDGES, "runs/a/pred.ttl"))) == ["pred.ttl"]
    several = {f"runs/{name}/pred.ttl": PRED for name in "ab"}
    assert labels_of(evaluated(several)) == ["a/pred.ttl", "b/pred.ttl"]


def test_what_others_published_is_reported_to_be_better_and_is_no_own_row():
    better = Published(system="theirs", source="a paper", values={"literal": {"f1": 0.99}})
    task = Benchmark(name="a", title="b", page="c", licence="d", published=(better,))
    [forest] = forests(replace(evaluated(), task=task))
    assert forest["sentence"].endswith("Published and better: theirs with 0.99.")
    assert [(row["label"], row["run"]) for row in forest["rows"]] == [("theirs", None), ("prediction", 0)]


def test_an_interval_without_a_width_is_one_number():
    [forest] = forests(evaluated(GOLD, intervals=goldassay.Resampling(resamples=100)))
    [row] = forest["rows"]
    assert row["interval"] == "[1.0000, 1.0000]"
    assert " to " not in row["text"]


def test_the_example_of_p_text():
    assert (p_text(0.0312), p_text(0.0002)) == ("p\xa0=\xa00.031", "p\xa0<\xa00.001")


def test_the_example_of_ticks():
    assert (ticks(0, 1), ticks(0.81, 0.97)) == ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.85, 0.9, 0.95])
