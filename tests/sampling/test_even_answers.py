"""A judge must answer for labelled items and for others alike; otherwise the estimate with it is biased."""

import json
from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from goldassay.core.errors import UsageError
from goldassay.sampling.answers import chance_of_split
from goldassay.sampling.drawing import draw
from goldassay.sampling.results import EstimateOptions, estimate_file
from goldassay.sampling.sample import SampleRequest
from goldassay.sampling.todo import design_path, save_design, save_table

ITEMS, DRAWN, LABELLED = 600, 300, 100


def is_right(row):
    return int(row["child"][1:]) % 10 < 7


@pytest.fixture
def labels(tmp_path):
    """A table of 300 drawn items of which 100 have a label, and its rows."""
    pred = tmp_path / "pred.csv"
    pred.write_text("child,parent\n" + "".join(f"c{one},p{one % 17}\n" for one in range(ITEMS)))

    def made(seed=0):
        found = draw([pred], kind="taxonomy", asked=SampleRequest(size=DRAWN, seed=seed))
        save_design(found.sample, design_path(tmp_path / "todo.csv"))
        words = [("yes" if is_right(row) else "no") if at < LABELLED else "" for at, row in enumerate(found.rows)]
        save_table([{**row, "label": word} for row, word in zip(found.rows, words, strict=True)], tmp_path / "todo.csv")
        return found.rows

    return made


def estimate(folder, rows, answers, **wanted):
    """Estimate with a judge whose answers are those of rows in their order; no answer is None, no row is a gap."""
    lines = [{"item": row["id"], "verdict": one} for row, one in zip(rows, answers, strict=False) if one != "gap"]
    (folder / "judge.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    return estimate_file(folder / "todo.csv", verdicts=[folder / "judge.jsonl"], wanted=EstimateOptions(**wanted))


def powered(report):
    return [(one.precision, one.intervals["precision"].low) for one in report.runs[0].scores[1:]]


def is_set_aside(report, reason):
    return not powered(report) and any(
        one.startswith("judge judge is set aside") and reason in one for one in report.runs[0].warnings
    )


def mostly_right(rows, seed=0):
    random = np.random.default_rng(seed)
    return [is_right(row) == bool(random.random() < 0.9) for row in rows]


@pytest.mark.parametrize("policy", ["wrong", "unsure"])
@pytest.mark.parametrize("answered", [LABELLED, LABELLED + 5])
def test_a_file_whose_rest_has_no_answer_yet_is_set_aside(tmp_path, labels, policy, answered):
    rows = labels()
    given = [*mostly_right(rows)[:answered], *[None] * (DRAWN - answered)]
    reason = "no answer on an item without" if answered == LABELLED else "100.0% of the labelled items and 2.5% of"
    assert is_set_aside(estimate(tmp_path, rows, given, unanswered=policy), reason)


def test_rows_that_are_left_out_at_the_end_are_as_if_they_were_not_there(tmp_path, labels):
    rows = labels()
    given = mostly_right(rows)[:200]
    cut = powered(estimate(tmp_path, rows, given))
    assert cut == powered(estimate(tmp_path, rows, [*given, *[None] * 100], unanswered="leave-out")) != []


def test_the_labels_themselves_are_no_judge(tmp_path, labels):
    labels()
    report = estimate_file(tmp_path / "todo.csv", verdicts=[tmp_path / "todo.csv"])
    assert len(report.runs[0].scores) == 1
    assert any("todo is set aside: it has no answer on an item without a label" in one for one in report.warnings)


def test_verdicts_on_all_labelled_items_and_on_few_others_in_between_are_set_aside(tmp_path, labels):
    rows = labels()
    given = [one if at < LABELLED or at % 10 == 9 else "gap" for at, one in enumerate(mostly_right(rows))]
    assert is_set_aside(estimate(tmp_path, rows, given), "100.0% of the labelled items and 10.0% of the others")


@pytest.mark.parametrize("nothing", [None, "gap"])
def test_what_is_left_out_must_be_as_often_right(tmp_path, labels, nothing):
    """A judge that leaves out half of the wrong items would show the precision of what is left."""
    rows = labels()
    given = [nothing if not is_right(row) and at % 2 else is_right(row) for at, row in enumerate(rows)]
    assert is_set_aside(estimate(tmp_path, rows, given, unanswered="leave-out"), "100.0% of the right items")
    # As wrong verdicts they are as good as any, and the estimate is what the labels correct.
    assert bool(powered(estimate(tmp_path, rows, given))) is (nothing is None)


def test_no_answers_that_depend_on_the_item_leave_the_estimate_unbiased(tmp_path, labels):
    """The judge does not know what is wrong more often than what is right, but on both sides by the same rule."""
    found, aside = [], 0
    for seed in range(20):
        rows, random = labels(seed), np.random.default_rng(seed)
        known = [random.random() < (0.9 if is_right(row) else 0.5) for row in rows]
        given = [one if knows else None for one, knows in zip(mostly_right(rows, seed), known, strict=True)]
        report = estimate(tmp_path, rows, given)
        found += [value for value, _ in powered(report)]
        aside += len(report.runs[0].scores) == 1
    assert aside <= 2
    assert np.mean(found) == pytest.approx(0.7, abs=0.02)


def test_a_judge_is_given_once(tmp_path, labels):
    rows = labels()
    estimate(tmp_path, rows, mostly_right(rows))
    (tmp_path / "other").mkdir()
    for other in ("judge.jsonl", "other/judge.jsonl"):
        (tmp_path / other).write_text((tmp_path / "judge.jsonl").read_text())
        with pytest.raises(UsageError, match="same judge is given twice"):
            estimate_file(tmp_path / "todo.csv", verdicts=[tmp_path / "judge.jsonl", tmp_path / other])


@pytest.mark.parametrize("table", [(5, 1, 2, 6), (0, 3, 4, 0), (2, 2, 2, 2), (1, 0, 3, 9)])
def test_one_stratum_is_the_exact_test_of_fisher(table):
    both, one, other, none = table
    rows = [
        (0, *having)
        for having, count in zip(product([True, False], repeat=2), table, strict=True)
        for _ in range(count)
    ]
    tails = [stats.fisher_exact([[both, one], [other, none]], alternative=side).pvalue for side in ("less", "greater")]
    assert chance_of_split(rows) == pytest.approx(min(1, 2 * min(tails)))


def test_strata_are_compared_within_each():
    """Against all ways to give as many units of each stratum the second property."""
    sizes, firsts, chosen = (5, 4), ({0, 1, 2}, {0}), ((0, 1, 3), (0, 2))
    ways = list(product(*(combinations(range(size), len(of)) for size, of in zip(sizes, chosen, strict=True))))
    sums = np.array([sum(len(first & set(of)) for first, of in zip(firsts, way, strict=True)) for way in ways])
    seen = sum(len(first & set(of)) for first, of in zip(firsts, chosen, strict=True))
    rows = [(h, at in firsts[h], at in chosen[h]) for h, size in enumerate(sizes) for at in range(size)]
    assert chance_of_split(rows) == pytest.approx(min(1, 2 * min((sums <= seen).mean(), (sums >= seen).mean())))
    # A stratum that is labelled more, and answered more, shows nothing.
    assert chance_of_split([(0, True, True)] * 50 + [(1, False, False)] * 50) == 1
    assert chance_of_split([]) == 1
