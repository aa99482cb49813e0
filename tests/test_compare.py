"""Predictions side by side: what is tested against what, and that saved reports give the same."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goldassay
from goldassay.core.significance import letters, mcnemar
from goldassay.report.forest import forests

GOLD = goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(60)])
QUICK = goldassay.Resampling(resamples=500)


def pred(start, stop):
    return goldassay.Graph.from_edges([(f"child {n}", "parent") for n in range(start, stop)])


@pytest.fixture(scope="module")
def report():
    return goldassay.evaluate([pred(0, 50), pred(0, 20), pred(5, 55)], gold=GOLD, measures="literal", intervals=QUICK)


def found(report, run, value):
    (one,) = (one for one in report.comparisons if (one.run, one.value) == (run, value))
    return one


def test_each_measure_is_tested_by_itself(report):
    preds, others = [pred(0, 50), pred(0, 20), pred(5, 55)], ["literal", "ancestor_f1"]
    both = goldassay.evaluate(preds, gold=GOLD, measures=others, intervals=QUICK)
    assert [one for one in both.comparisons if one.measure == "literal"] == list(report.comparisons)
    assert both.runs[0]["literal"].f1 != both.runs[0]["ancestor_f1"].f1
    assert {one.measure for one in both.comparisons} == {*others}


def test_every_prediction_is_tested_against_the_first(report):
    assert {one.against for one in report.comparisons} == {0}
    assert {(one.run, one.value) for one in report.comparisons} == {
        (run, value) for run in (1, 2) for value in ("precision", "recall", "f1")
    }
    worse = found(report, 1, "recall")
    assert worse.difference.difference == pytest.approx(-0.5)
    assert worse.p_holm == pytest.approx(min(1, 2 * worse.difference.p_randomisation))
    assert worse.p_mcnemar == mcnemar(30, 0)
    assert found(report, 2, "recall").p_mcnemar == mcnemar(5, 5) == 1.0
    assert found(report, 2, "precision").p_mcnemar is None


def test_mcnemar_of_f1_counts_wrong_predictions_too():
    def wrong(start, stop, names):
        edges = [(f"child {n}", "parent") for n in range(start, stop)] + [(name, "no one") for name in names]
        return goldassay.Graph.from_edges(edges)

    preds = [wrong(0, 50, "ab"), wrong(10, 55, "bcdef")]
    report = goldassay.evaluate(preds, gold=GOLD, measures="literal", intervals=QUICK)
    # Gold that only one has: 10 against 5. Wrong predictions that only one makes: a, against c, d, e and f.
    assert found(report, 1, "recall").p_mcnemar == mcnemar(10, 5)
    assert found(report, 1, "f1").p_mcnemar == mcnemar(10 + 4, 5 + 1)
    assert found(report, 1, "f1").p_mcnemar_mid == mcnemar(14, 6, method="midp")


def test_the_others_are_tested_against_the_best():
    report = goldassay.evaluate([pred(0, 20), pred(0, 50)], gold=GOLD, measures="literal", intervals=QUICK)
    assert {(one.run, one.against) for one in goldassay.compare(report, against="best").comparisons} == {(0, 1)}


FOUR = {"a": pred(0, 50), "b": pred(0, 20), "c": pred(5, 52), "d": pred(0, 34)}


def four(**asked):
    return goldassay.evaluate(FOUR, gold=GOLD, measures="literal", intervals=QUICK, **asked)


def pairs_in(report):
    return [(one.run, one.against) for one in report.comparisons if one.value == "f1"]


def test_predictions_that_share_a_letter_do_not_differ_by_holm_over_all_pairs():
    report = four(against="all")
    assert len(pairs_in(report)) == 6
    p = {frozenset((one.run, one.against)): one.p_holm for one in report.comparisons if one.value == "f1"}
    [ties] = report.ties
    for pair, found in p.items():
        one, other = pair
        assert bool({*ties.letters[one]} & {*ties.letters[other]}) == (found > 0.05)
    assert (ties.best, ties.second, ties.leads, ties.pairs) == (0, 2, False, 6)
    # The tests that are asked for change no letter.
    assert four().ties[0].letters == ties.letters == ("a", "c", "a", "b")


def test_the_best_is_always_tested_against_the_second():
    tie = "0.0306 better than c, which may be chance (p\u00a0=\u00a0"
    assert all(tie in sentence(four(against=against)) for against in ("first", "d", "all"))
    apart = goldassay.evaluate(
        {"low": FOUR["b"], "best": FOUR["a"], "mid": FOUR["d"]}, gold=GOLD, measures="literal", intervals=QUICK
    )
    assert "0.1857 better than mid, a significant difference" in sentence(apart)
    assert apart.ties[0].leads


def sentence(report):
    return forests(report)[0]["sentence"]


@pytest.mark.parametrize(
    ("against", "found"),
    [
        ((), [(1, 0), (2, 0), (3, 0)]),
        (["first", "best"], [(1, 0), (2, 0), (3, 0)]),
        ("d", [(0, 3), (1, 3), (2, 3)]),
        (["b", "d"], [(0, 1), (2, 1), (3, 1), (0, 3), (2, 3)]),
        ("all", [(1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2)]),
    ],
)
def test_several_predictions_can_be_tested_against(against, found):
    report = four(against=against)
    assert pairs_in(report) == found
    one = report.comparisons[-1]
    assert one.p_holm >= one.difference.p_randomisation
    for layout in ("text", "markdown", "latex"):
        assert report.format(layout).count("effect") + report.format(layout).count("Effect") == 1
    named = "p_f1 against" in report.format("csv")
    assert named == (len({base for _, base in found}) > 1)


@pytest.mark.parametrize(
    ("against", "message"),
    [
        ("e", "Unknown value of against 'e'"),
        (["first", "worst.csv"], "Unknown value"),
        ("x.csv", "Several predictions have the same name"),
    ],
)
def test_a_name_of_no_prediction_is_refused(against, message):
    preds = FOUR if against == "e" else {"one/x.csv": FOUR["a"], "two/x.csv": FOUR["b"]}
    with pytest.raises(goldassay.UsageError, match=message):
        goldassay.evaluate(preds, gold=GOLD, measures="literal", intervals=QUICK, against=against)


def test_an_effect_is_the_d_of_pairs_where_a_value_is_a_mean(report):
    # 30 of 60 edges are found by the first only.
    apart = np.array([-1.0] * 30 + [0.0] * 30)
    assert found(report, 1, "recall").difference.effect == pytest.approx(apart.mean() / apart.std(ddof=1))
    assert math.isnan(found(report, 1, "precision").difference.effect)


def test_what_is_undefined_is_not_tested_and_has_no_letter():
    preds = {"none": goldassay.Graph.from_edges([]), **FOUR}
    with pytest.warns(goldassay.UndefinedWarning), pytest.warns(goldassay.SuspectInputWarning):
        report = goldassay.evaluate(preds, gold=GOLD, measures="literal(undefined=nan)", intervals=QUICK)
    assert {one.value for one in report.comparisons} == {"recall"}
    assert report.ties[0].letters == ("", "a", "c", "a", "b")


def test_too_few_resamples_for_all_pairs_give_no_letters_and_say_so():
    few = goldassay.Resampling(resamples=100)
    report = goldassay.evaluate(FOUR, gold=GOLD, measures="literal", intervals=few)
    assert report.ties == ()
    assert "100 resamples are too few to separate 6 pairs" in report.format()


def test_systems_of_several_runs_have_letters_and_one_base(tmp_path):
    runs = {name: [pred(0, stop + more) for more in range(4)] for name, stop in {"x": 50, "y": 20, "z": 49}.items()}
    report = goldassay.evaluate(runs, gold=GOLD, measures="literal", intervals=QUICK, against="y")
    assert report.ties[0].letters == ("a", "b", "a")
    assert {score.against for system in report.systems for score in system.scores} == {None, "y"}
    report.save(tmp_path / "runs.json")
    kept = goldassay.load(tmp_path / "runs.json")
    assert kept.format("csv") == report.format("csv")
    assert kept.ties == report.ties
    with pytest.raises(goldassay.UsageError, match="against one system"):
        goldassay.evaluate(runs, gold=GOLD, measures="literal", against=["x", "y"])


@settings(deadline=None)
@given(
    st.integers(0, 8).flatmap(
        lambda count: st.tuples(
            st.just(count), st.sets(st.sampled_from(pairs_of(count))) if count > 1 else st.just(set())
        )
    )
)
def test_two_share_a_letter_exactly_if_they_do_not_differ(drawn):
    count, differ = drawn
    found = [set(text) for text in letters(count, differ)]
    assert all(found)
    for pair in pairs_of(count):
        one, other = pair
        assert (pair in differ) == found[one].isdisjoint(found[other])


def pairs_of(count):
    return [frozenset(pair) for pair in itertools.combinations(range(count), 2)]


def test_saved_reports_compare_to_the_same_figures(report, tmp_path):
    report.save(tmp_path / "all.json")
    kept = goldassay.load(tmp_path / "all.json")
    assert kept.comparisons == report.comparisons
    assert kept.ties == report.ties
    single = []
    for row, run in enumerate(report):
        goldassay.evaluate(run.pred, gold=GOLD, measures="literal", intervals=QUICK).save(tmp_path / f"{row}.json")
        single.append(goldassay.load(tmp_path / f"{row}.json"))
    assert goldassay.compare(single).comparisons == report.comparisons


def test_a_loaded_report_says_what_it_reported(report, tmp_path):
    report.save(tmp_path / "report.json")
    kept = goldassay.load(tmp_path / "report.json")
    for layout in ("text", "markdown", "latex", "csv", "json"):
        assert kept.format(layout) == report.format(layout)
    with pytest.raises(goldassay.UsageError, match="contains values"):
        kept.runs[0]["literal"].matching.missed(3)
    with pytest.raises(goldassay.UsageError, match="contains values"):
        kept.runs[0]["literal"].matching.table()
    with pytest.raises(goldassay.UsageError, match="contains values"):
        kept.gold.item(0)


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
def test_what_is_no_number_comes_back_as_none(tmp_path):
    empty = goldassay.Graph.from_edges([])
    with pytest.warns(goldassay.UndefinedWarning):
        goldassay.evaluate(empty, gold=GOLD, measures="literal(undefined=nan)").save(tmp_path / "r.json")
    assert math.isnan(goldassay.load(tmp_path / "r.json")["literal"].precision)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("{}", "The file is empty"),
        ('{"schema": "goldassay.report/9"}', "not a report"),
        ("[1]", "not a report"),
        ('{"schema": "goldassay.report/1"}', "damaged"),
        ('{"schema": "goldassay.report/1", "kind": "taxonomy", "item": "edge", "gold": 3, "runs": []}', "damaged"),
        ("{", "Invalid JSON"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path, document, message):
    path = tmp_path / "report.json"
    path.write_text(document)
    with pytest.raises(goldassay.InputError, match=message):
        goldassay.load(path)


def test_every_damage_of_a_report_is_an_input_error(report, tmp_path):
    whole = json.loads(json.dumps(report.to_dict()))
    path = tmp_path / "report.json"
    changes = (None, 3, "x", [], {})
    read = set()
    for key in whole:
        for change in changes:
            path.write_text(json.dumps({**whole, key: change}))
            try:
                goldassay.load(path)
            except goldassay.InputError:
                continue
            read.add((key, str(change)))
    # Any word may be a name, and a report need not compare; changes of errors follow from the counts of each score.
    names = {("goldassay", "x"), ("item", "x"), ("kind", "x")}
    assert read == names | {(key, "[]") for key in ("comparisons", "ties", "error_changes")}


def test_a_measure_that_is_not_known_is_refused(report, tmp_path):
    path = tmp_path / "report.json"
    path.write_text(json.dumps(report.to_dict()).replace('"measure": "literal', '"measure": "borrowed'))
    with pytest.raises(goldassay.InputError, match="unknown measure") as caught:
        goldassay.load(path)
    assert "borrowed" in str(caught.value)
    assert "install the package" in str(caught.value)


def test_reports_on_different_golds_do_not_compare(report):
    other = goldassay.evaluate(pred(0, 9), gold=pred(0, 10), measures="literal", intervals=QUICK)
    with pytest.raises(goldassay.UsageError, match="different gold"):
        goldassay.compare([report, other])


def test_reports_of_different_kinds_do_not_compare(report, tmp_path):
    table = tmp_path / "axioms.csv"
    table.write_text("class,property,object,kind\nCat,eats,Mouse,object\nDog,eats,Bone,object\n")
    other = goldassay.evaluate(table, gold=table, kind="axioms", measures="exact", intervals=QUICK)
    with pytest.raises(goldassay.UsageError, match="different kinds"):
        goldassay.compare([report, other])


def test_reports_without_intervals_do_not_compare():
    with pytest.raises(goldassay.UsageError, match="--ci"):
        goldassay.compare(goldassay.evaluate([pred(0, 2), pred(0, 3)], gold=GOLD, measures="literal"))
    with pytest.raises(goldassay.UsageError, match="no report"):
        goldassay.compare([])


def test_resamples_that_are_0_0_are_counted():
    gold, predicted = [["d1", "art"], ["d2", "law"], ["d3", "law"]], [["d1", "art"]]
    drawing = goldassay.Resampling(method="percentile", resamples=1000)
    with pytest.warns(goldassay.SuspectInputWarning):
        report = goldassay.evaluate({"mine": predicted}, gold=gold, kind="labels", measures=["flat"], intervals=drawing)
    found = report.runs[0].scores[0].intervals
    # The only prediction is in none of the three that are drawn in (2/3)^3 = 0.2963 of resamples.
    assert found["recall"].undefined == found["f1"].undefined == 0
    assert 250 < found["precision"].undefined < 345
    note = f"of 1,000 resamples, {found['precision'].undefined} (precision) are 0/0 and left out"
    assert any(note in line for line in report.runs[0].warnings)


def test_one_unit_has_no_interval_and_says_so():
    report = goldassay.evaluate(pred(0, 1), gold=pred(0, 1), measures="literal", intervals=True)
    assert report["literal"].intervals == {}
    assert "no interval, since there is only 1 edge" in report.runs[0].warnings[0]
    assert "no interval" in report.format()


def test_the_unit_and_the_draws_are_in_the_signature(report):
    signature = report.runs[0]["literal"].signature
    assert signature.fields["ci"] == "bca(level=0.95,resamples=500,seed=0)/edge"
    assert list(signature.fields)[-1] == "goldassay"


def test_the_best_is_bold_and_what_differs_is_marked(report):
    markdown = report.format("markdown", places=2)
    assert "| 1.00 [1.00, 1.00] | **0.83 [" in markdown  # of a value that all share none is the best
    assert r"\* differs from prediction" in markdown
    latex = report.format("latex", places=2)
    assert r"\textbf{0.83 " in latex
    assert r"$^{*}$" in latex
    assert "p_f1" in report.format("csv").splitlines()[0]


def test_how_tests_were_drawn_is_shown_and_saved(report, tmp_path):
    wanted = goldassay.Resampling(resamples=300, level=0.9, seed=7)
    tested = goldassay.compare(report, resampling=wanted)
    assert {one.resampling for one in tested.comparisons} == {wanted}
    line = "differs from prediction 1 (p <= 0.1, approximate randomisation, 300 resamples, seed 7, Holm over 2 predictions)"
    tested.save(tmp_path / "tested.json")
    for one in (tested, goldassay.load(tmp_path / "tested.json")):
        assert one.comparisons == tested.comparisons
        assert all(
            f"* {line}" in one.format(layout).replace("\n  ", " ").replace("\\", "") for layout in ("text", "markdown")
        )
    saved = json.loads((tmp_path / "tested.json").read_text())["comparisons"][0]["resampling"]
    assert saved == {"resamples": 300, "level": 0.9, "method": "bca", "seed": 7}


def test_a_report_of_an_earlier_version_does_not_say_how_tests_were_drawn(report, tmp_path):
    written = json.loads(report.format("json"))
    for one in written["comparisons"]:
        del one["resampling"]
    (tmp_path / "old.json").write_text(json.dumps(written))
    loaded = goldassay.load(tmp_path / "old.json")
    assert {one.resampling for one in loaded.comparisons} == {None}
    assert "(p <= 0.05, approximate randomisation, Holm over 2 predictions)" in loaded.format("markdown").replace(
        "\\", ""
    )


def test_predictions_of_the_same_name_are_numbered():
    one, other = (
        goldassay.evaluate({"mine": model}, gold=GOLD, measures="literal", intervals=QUICK)
        for model in (pred(0, 50), pred(0, 20))
    )
    third = goldassay.evaluate({"theirs": pred(5, 55)}, gold=GOLD, measures="literal", intervals=QUICK)
    both = goldassay.compare([one, other, third], against="mine (2)")
    assert [run.label for run in both] == ["mine (1)", "mine (2)", "theirs"]
    assert [run.label for run in (*one, *other)] == ["mine", "mine"]
    assert {one.against for one in both.comparisons} == {1}
    assert set(both.metrics()) == {
        f"{run.label}/literal.{value}" for run in both for value in ("precision", "recall", "f1")
    }
