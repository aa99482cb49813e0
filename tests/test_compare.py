"""Predictions side by side: what is tested against what, and that saved reports give the same."""

import json
import math

import pytest

import goldassay
from goldassay.core.significance import mcnemar

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


def test_saved_reports_compare_to_the_same_figures(report, tmp_path):
    report.save(tmp_path / "all.json")
    kept = goldassay.load(tmp_path / "all.json")
    assert kept.comparisons == report.comparisons
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
        ("{", "JSON is broken"),
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
    # Any word may is where a name is, and a report need not compare.
    assert read == {("goldassay", "x"), ("item", "x"), ("kind", "x"), ("comparisons", "[]")}


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
