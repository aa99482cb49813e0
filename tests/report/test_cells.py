"""The cells of a table: which value is best, and which end, mean or deviation is where; no two of them are alike here."""

import math
from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pytest

import goldassay
from goldassay.alignments import Alignment, MeanRank
from goldassay.core.counts import Counts
from goldassay.core.text import USUAL, NumberFormat
from goldassay.core.units import Units
from goldassay.gold_standards import choose_best_units
from goldassay.report.cells import (
    MATCHED,
    Cell,
    TextTable,
    _use_short_names,
    difference_tables,
    fit_tables,
    group_sums,
    group_tables,
    is_best,
    legend,
    published_rows,
    score_rows,
    short_labels,
    shorten_for_pipe,
    shorten_names,
    show_change,
    show_matched,
)
from goldassay.report.forest import forests
from goldassay.report.gates import Checks, Gate
from goldassay.report.results import Benchmark, Comparison, Published

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
QUICK = goldassay.Resampling(resamples=500)
RIGHT = Alignment.from_rows([(f"s{n}", "right") for n in range(12)])
GOLD = goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(60)])


def ranked(rank, late=2):
    """Candidates of twelve sources: the right one has a rank, or the next in one of `late` sources."""
    rows = range(1, 7)
    return Alignment.from_rows(
        (f"s{n}", "right" if row == rank + (n % late == 0) else f"wrong {row}", "=", 1 - row / 10)
        for n in range(12)
        for row in rows
    )


def graph(found):
    return goldassay.Graph.from_edges([(f"child {n}", "parent" if n < found else "other") for n in range(60)])


def of_ranks(preds, **options):
    return goldassay.evaluate(preds, gold=RIGHT, kind="alignment", measures=["mean_rank", "mrr"], **options)


def bold(report, place=0):
    return [(row.spec, row.label) for row in score_rows(report, NumberFormat(4)) if row.cells[place].best]


RANKS = {"far": 3, "near": 1, "middle": 2}


@pytest.mark.parametrize("names", [*permutations(RANKS)])
def test_of_ranks_the_least_is_best_and_the_others_are_tested_against_it(names):
    report = of_ranks({name: ranked(RANKS[name]) for name in names}, intervals=QUICK, against="best")
    ranks, mrr = (sorted(report.runs, key=lambda run: run[one].values[one]) for one in ("mean_rank", "mrr"))
    assert [run.label for run in ranks] == ["near", "middle", "far"]
    assert [run.label for run in mrr] == ["far", "middle", "near"]
    best = names.index("near")
    assert {one.against for one in report.comparisons} == {best}
    plain = of_ranks({name: ranked(RANKS[name]) for name in names})
    assert bold(plain) == [("mean_rank", "near")]
    assert bold(plain, 1) == [("mrr", "near")]
    assert [row["label"] for row in forests(report)[0]["rows"]] == ["near", "middle", "far"]


@pytest.mark.parametrize("names", [*permutations(RANKS)])
def test_of_systems_the_least_is_best_and_the_others_are_tested_against_it(names):
    runs = {name: [ranked(RANKS[name]), ranked(RANKS[name], late=3)] for name in names}
    report = of_ranks(runs, against="best")
    assert [{one.against for one in system.scores} for system in report.systems] == [
        {None} if name == "near" else {"near"} for name in names
    ]
    assert bold(report) == [("mean_rank", "near")]
    assert bold(report, 1) == [("mrr", "near")]


@pytest.mark.parametrize("order", [*permutations([0, 30, 60])])
def test_what_is_undefined_is_neither_best_nor_tested_against(order):
    preds = {f"p{found}": graph(found) if found else goldassay.Graph.from_edges([]) for found in order}
    options = {"gold": GOLD, "measures": "literal(undefined=nan)"}
    assert [label for _, label in bold(goldassay.evaluate(preds, **options))] == ["p60"]
    tested = goldassay.evaluate(preds, intervals=QUICK, against="best", **options)
    assert {tested.runs[one.against].label for one in tested.comparisons} == {"p60"}
    systems = goldassay.evaluate({name: [one, one] for name, one in preds.items()}, against="best", **options)
    assert {one.against for system in systems.systems for one in system.scores} == {None, "p60"}
    assert [label for _, label in bold(systems)] == ["p60"]


def test_only_a_value_that_another_does_not_reach_is_best():
    report = goldassay.evaluate({"a": graph(30), "b": graph(30)}, gold=GOLD, measures="literal")
    assert bold(report) == []
    report = goldassay.evaluate({"a": graph(30), "b": graph(30), "c": graph(20)}, gold=GOLD, measures="literal")
    assert bold(report) == [("literal", "a"), ("literal", "b")]


def test_the_low_end_of_an_interval_is_first():
    report = goldassay.evaluate({"a": graph(50), "b": graph(20)}, gold=GOLD, measures="literal", intervals=QUICK)
    for run, row in zip(report.runs, score_rows(report, NumberFormat(3)), strict=True):
        found = run["literal"].intervals["recall"]
        assert found.low < run["literal"].recall < found.high
        assert row.cells[1].text == f"{run['literal'].recall:.3f} [{found.low:.3f}, {found.high:.3f}]"
        wide = report.to_frame(wide=True).row(report.runs.index(run), named=True)
        assert (wide["recall_low"], wide["recall_high"]) == (found.low, found.high)


def test_the_low_end_of_an_interval_of_a_group_is_first():
    report = goldassay.evaluate(graph(45), gold=GOLD, measures="literal", by="depth", intervals=QUICK)
    [table] = group_tables(report, NumberFormat(3, percent=True))
    [cells] = ([cell.text for cell in row] for row in table.rows)
    found = report["literal"].breakdowns[0].intervals[0]["recall"]
    assert found.low < 0.75 < found.high
    assert table.title == "prediction: literal by depth"
    assert dict(zip(table.head, cells, strict=True)) == {
        "depth": "1",
        "precision": cells[1],
        "recall": f"75.000 [{100 * found.low:.3f}, {100 * found.high:.3f}]",
        "f1": cells[3],
        "pred matched": "45 / 60",
        "gold matched": "45 / 60",
    }


def test_of_runs_the_mean_is_before_the_deviation_and_the_low_end_before_the_high():
    runs = {"a": [graph(50), graph(44)], "b": [graph(20), graph(26), graph(35)]}
    report = goldassay.evaluate(runs, gold=GOLD, measures="literal")
    frame = report.to_frame(wide=True)
    for place, row in enumerate(score_rows(report, NumberFormat(3, percent=True))):
        found = report.systems[place]["literal"].values["recall"]
        numbers = found.interval.low, found.mean, found.interval.high
        assert len({*numbers, found.sd}) == 4
        assert list(numbers) == sorted(numbers)
        low, mean, high = (f"{100 * number:.3f}" for number in numbers)
        assert row.cells[1].text == f"{mean} ± {100 * found.sd:.3f} [{low}, {high}]"
        shown = frame.row(place, named=True)
        assert [shown[f"recall{end}"] for end in ("_low", "", "_high", "_sd")] == [*numbers, found.sd]
        kept = report.to_dict()["systems"][place]["scores"][0]["values"]["recall"]
        assert (kept["mean"], kept["sd"], kept["interval"]) == (found.mean, found.sd, [numbers[0], numbers[2]])


def test_p_of_several_systems_is_adjusted_by_holm():
    runs = {
        "base": [graph(30), graph(33), graph(27)],
        "b": [graph(34), graph(36), graph(33)],
        "c": [graph(50), graph(46)],
    }
    report = goldassay.evaluate(runs, gold=GOLD, measures="literal")
    _, *others = (system["literal"] for system in report.systems)
    for place, one in enumerate(others, 1):
        kept = report.to_dict()["systems"][place]["scores"][0]["values"]
        for value, found in one.differences.items():
            shown = [kept[value][name] for name in ("difference", "difference_interval", "p", "p_holm")]
            ends = [found.interval.low, found.interval.high]
            assert shown == [found.difference, ends, found.p, one.p_holm[value]]
        assert one.differences["recall"].p != one.differences["f1"].p
    for value in ("recall", "f1"):
        plain = [one.differences[value].p for one in others]
        least, other = sorted(plain)
        expected = {least: min(1, 2 * least), other: max(min(1, 2 * least), other)}
        assert least < other < 1
        assert [one.p_holm[value] for one in others] == pytest.approx([expected[p] for p in plain])


def test_systems_of_one_run_each_have_no_mark_to_explain():
    report = of_ranks({"a": [ranked(1)], "b": [ranked(2)]})
    assert "differs from" not in str(report) or any(one.p_holm for system in report.systems for one in system.scores)


def test_precision_if_the_unjudged_are_wrong_is_the_lower_one():
    gold = [("a", "r"), ("b", "r"), ("c", "r")]
    pred = goldassay.Graph.from_edges([("a", "r"), ("x", "r"), ("y", "r"), ("z", "r")])
    judged = goldassay.Graph.from_edges([*gold, ("x", "r")])
    options = {"gold": goldassay.Graph.from_edges(gold), "measures": "literal", "judged": judged}
    report = goldassay.evaluate(pred, **options)
    head = report.format().splitlines()
    [row] = score_rows(report, NumberFormat(2))
    assert [cell.text for cell in row.cells] == ["0.50", "0.33", "0.40", "0.25", "0.75"]
    assert any(line.split()[-6:-4] == ["precision_if_wrong", "precision_if_right"] for line in head if line)
    wide = report.to_frame(wide=True).row(0, named=True)
    assert (wide["precision_if_wrong"], wide["precision_if_right"]) == (1 / 4, 3 / 4)
    tidy = report.to_frame().row(0, named=True)
    assert (tidy["value"], tidy["if_wrong"], tidy["if_right"]) == ("precision", 1 / 4, 3 / 4)


@pytest.mark.parametrize("percent", [False, True])
def test_mean_and_deviation_of_chance_are_in_their_places(percent):
    report = goldassay.evaluate(graph(45), gold=GOLD, measures="literal", chance=goldassay.Chance(draws=30))
    level = report["literal"].chance
    expected, sd, adjusted, percentile = (
        found["f1"] for found in (level.expected, level.sd, level.adjusted, level.percentile)
    )
    assert len({round(number, 4) for number in (expected, sd, adjusted, percentile)}) == 4
    factor = 100 if percent else 1
    [row] = score_rows(report, NumberFormat(4, percent=percent))
    assert row.cells[3].text == f"{expected * factor:.4f} \u00b1 {sd * factor:.4f}"
    assert row.cells[4].text == f"{adjusted * factor:.4f}"
    wide = report.to_frame(wide=True).row(0, named=True)
    assert [wide[f"f1_{name}"] for name in ("expected", "sd", "percentile", "adjusted")] == [
        expected,
        sd,
        percentile,
        adjusted,
    ]


@pytest.mark.parametrize("order", [1, -1])
def test_of_golds_the_one_with_the_least_rank_judges_a_unit(order):
    keys = ["near first", "near last", "level"]
    gains = [[1.0, 6.0, 2.0], [4.0, 2.0, 2.0]][::order]
    gold_standards = [
        Units.of("query", keys, Counts({"gain": np.array(one), "references": np.ones(3)})) for one in gains
    ]
    found = choose_best_units(
        MeanRank(), gold_standards, [set(keys)] * 2, [dict.fromkeys(keys, 3)] * 2, dict.fromkeys(keys, 3)
    )
    assert dict(zip(found.keys.tolist(), found.counts["gain"].tolist(), strict=True)) == {
        "near first": 1.0,
        "near last": 2.0,
        "level": 2.0,
    }


def test_a_rank_that_is_undefined_is_not_the_best_and_passes_no_gate():
    """No candidate is right: 0/0 is no rank."""
    nothing = Alignment.from_rows((f"s{n}", f"wrong {n}", "=", 0.5) for n in range(12))
    report = of_ranks({"nothing": nothing, "far": ranked(3), "near": ranked(1)}, intervals=QUICK, against="best")
    assert math.isnan(report.runs[0]["mean_rank"].mean_rank)
    assert bold(report) == [("mean_rank", "near")]
    assert {report.runs[one.against].label for one in report.comparisons if one.measure == "mean_rank"} == {"near"}
    assert [row["label"] for row in forests(report)[0]["rows"]] == ["near", "far", "nothing"]
    assert forests(report)[0]["sentence"].startswith("near is best")
    single, before = (of_ranks({"x": one}) for one in (nothing, ranked(3)))
    [message] = Checks(gates=[Gate.parse("mean_rank=5")]).failures(single)
    assert message == "x: mean_rank mean_rank is nan, and must be at most 5"
    given = goldassay.evaluate(nothing, gold=RIGHT, kind="alignment", measures="mean_rank(undefined=0)")
    [message] = Checks(gates=[Gate.parse("mean_rank=5")]).failures(given)
    assert message.endswith(" is 0, and must be at most 5; it is undefined, given as 0")
    [message] = [one for one in Checks(baseline=before, max_drop=9.0).failures(single) if "mean_rank" in one]
    assert "an undefined value passes no check" in message


@pytest.mark.parametrize(
    ("level", "p", "differs"),
    [
        (0.95, 0.05, True),
        (0.95, 0.051, False),
        (0.9, 0.1, True),
        (0.9, 0.11, False),
        (0.99, 0.02, False),
        (None, 0.05, True),
        (None, 0.06, False),
    ],
)
def test_a_difference_is_marked_at_the_level_of_the_intervals(level, p, differs):
    score = SimpleNamespace(resampling=level and SimpleNamespace(level=level))
    assert Comparison.differs(SimpleNamespace(p_holm=p, resampling=None), score) is differs
    drawn = SimpleNamespace(level=0.5)
    assert Comparison.differs(SimpleNamespace(p_holm=p, resampling=drawn), score) is (p <= 0.5)


def test_the_names_of_both_sides_of_a_difference_are_shortened():
    names = [f"{'long/' * 40}{name}.ttl" for name in "abc"]
    preds = dict(zip(names, map(graph, (50, 20, 40)), strict=True))
    drawn = goldassay.Resampling(resamples=200)
    for report in (
        goldassay.evaluate(preds, gold=GOLD, measures="literal", intervals=drawn, against="all"),
        goldassay.evaluate({name: [one, one] for name, one in preds.items()}, gold=GOLD, measures="literal"),
    ):
        [table] = difference_tables(report, NumberFormat(4))
        whole = {cell.text for row in table.rows for cell in row[:2]}
        for short in (shorten_for_pipe(table), next(fit_tables(table, 80))):
            assert short.width <= 80
            assert len({cell.text for row in short.rows for cell in row[:2]}) == len(whole)
            assert [row[2:] for row in short.rows] == [row[2:] for row in table.rows]


def test_of_two_columns_of_names_the_longer_is_shortened_first():
    cells = [Cell(text="a" * 30), Cell(text="b" * 14), Cell(text="0.5")]
    table = TextTable("", ["prediction", "against", "value"], [cells], 2, shortened=2)
    for width, found in ((60, (30, 14)), (50, (25, 14)), (40, (15, 14)), (38, (13, 13)), (20, (12, 12))):
        assert tuple(len(cell.text) for cell in _use_short_names(table, width).rows[0][:2]) == found, width
    one = table._replace(shortened=1)
    assert tuple(len(cell.text) for cell in _use_short_names(one, 40).rows[0][:2]) == (15, 14)


def test_published_values_are_found_by_the_spec_or_by_the_name_of_a_measure():
    report = goldassay.evaluate(graph(30), gold=GOLD, measures=["literal(distinct=true)", "motif"])
    by_spec = {"literal(distinct=true)": {"f1": 0.5}, "literal": {"f1": 0.4}}
    for values, found in ((by_spec, {"f1": 0.5}), ({"literal": {"f1": 0.4}}, {"f1": 0.4}), ({"fuzzy": {"f1": 1}}, {})):
        one = Published(system="a", source="b", values=values)
        assert [one.of(score) for score in report.runs[0].scores] == [found, {}]


def test_what_others_published_is_in_the_table_of_its_measure():
    values = {"literal": {"f1": 0.5, "recall": 0.25}, "motif": {"distance": 2.0}}
    task = Benchmark(
        name="a", title="b", page="c", licence="d", published=(Published(system="theirs", source="s", values=values),)
    )
    report = replace(goldassay.evaluate(graph(30), gold=GOLD, measures=["literal", "motif"]), task=task)
    for specs in (["literal"], ["motif"], None):
        rows = list(published_rows(report, NumberFormat(2), specs=specs))
        assert [row.spec for row in rows] == (specs or ["literal", "motif"])
    [row] = published_rows(report, NumberFormat(2), specs=["literal"])
    assert (row.label, [cell.text for cell in row.cells]) == ("theirs (published)", ["", "0.25", "0.5"])


def test_of_three_systems_two_are_tested_against_the_first():
    runs = {name: [graph(found), graph(found + 3)] for name, found in (("a", 20), ("b", 30), ("c", 40))}
    two = {name: runs[name] for name in "ab"}
    assert "Holm over 2 systems" in legend(goldassay.evaluate(runs, gold=GOLD, measures="literal"))[-1]
    assert "Holm" not in " ".join(legend(goldassay.evaluate(two, gold=GOLD, measures="literal")))


def test_how_many_match_is_below_the_values_where_columns_are_too_wide():
    head = ["prediction", "precision", "recall", "f1", *MATCHED.values()]
    cells = ["a.ttl", "0.5000 [0.4000, 0.6000]", "0.2500 [0.1000, 0.4000]", "0.3333", "1,000 / 2,000", "900 / 3,600"]
    table = TextTable("", head, [[Cell(text=text) for text in cells]], 1)
    [fitted] = fit_tables(table, 70)
    assert fitted.head == ["prediction", "precision\npred matched", "recall\ngold matched", "f1"]
    assert [cell.text for cell in fitted.rows[0]] == [
        "a.ttl",
        "0.5000\n[0.4000, 0.6000]\n1,000 / 2,000",
        "0.2500\n[0.1000, 0.4000]\n900 / 3,600",
        "0.3333",
    ]
    assert [part.head for part in fit_tables(table, 30)] == [["prediction", name] for name in fitted.head[1:]]


def test_the_name_of_a_row_leaves_room_for_numbers():
    row = [
        "/shared/data/triples/long/ont_7_space_lora-13b_responses_v2.jsonl",
        "labelled(design=documents, of=documents)",
    ]
    head = ["prediction", "measure", "precision", "recall"]
    table = TextTable("", head, [[Cell(text=one) for one in (*row, *["0.6500 [0.5349, 0.7576]"] * 2)]], 2)
    assert [(part.head, part.width <= 80) for part in fit_tables(table, 80)] == [
        ([*head[:2], value], True) for value in head[2:]
    ]


def test_the_example_of_fit_tables():
    row = [Cell(text="a.ttl"), Cell(text="0.5000 [0.4000, 0.6000]"), Cell(text="0.2500 [0.1000, 0.4000]")]
    table = TextTable("", ["prediction", "precision", "recall"], [row], 1)
    assert ([len(part.head) for part in fit_tables(table, 100)], [part.width for part in fit_tables(table, 50)]) == (
        [3],
        [48],
    )
    assert [part.head for part in fit_tables(table, 30)] == [["prediction", "precision"], ["prediction", "recall"]]


def test_the_example_of_shorten_names():
    assert shorten_names(["runs/2026-11-20/system-a.ttl", "b.ttl"], 16) == ["…/system-a.ttl", "b.ttl"]
    assert shorten_names(["a-very-long-name-of-a-run.ttl", "b-very-long-name-of-a-run.ttl"], 14) == [
        "a-very…run.ttl",
        "b-very…run.ttl",
    ]


def test_the_example_of_show_change():
    assert (show_change(2.0, USUAL), show_change(-0.5, NumberFormat(1)), show_change(1e-12, USUAL)) == (
        "+2",
        "-0.5",
        "=",
    )


def test_the_example_of_group_sums():
    assert group_sums({"hit_pred": 1.0, "n_pred": 4.0, "slack": 0.0}, USUAL) == {"pred matched": "1 / 4"}


def test_the_example_of_show_matched():
    assert show_matched(4.5, 1200.0) == "4.5 / 1,200"


def test_the_example_of_short_labels():
    assert (short_labels(["runs/a/pred.ttl", "runs/b/pred.ttl"]), short_labels(["runs/a/pred.ttl"])) == (
        ["a/pred.ttl", "b/pred.ttl"],
        ["runs/a/pred.ttl"],
    )


def test_values_that_differ_by_rounding_are_both_best():
    thirds = 1 / 3 + 2 / 3 * 0.1
    assert [is_best(one, [thirds, thirds + 1e-16, 0.1]) for one in (thirds, thirds + 1e-16, 0.1)] == [True, True, False]
    assert not is_best(thirds, [thirds, thirds + 1e-16])
    assert not is_best(-math.inf, [-math.inf, 0.5])
