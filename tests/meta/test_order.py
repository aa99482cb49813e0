"""Meta-evaluation does not depend on the order of rows, undefined tests are none, and chance is what shuffles give on average."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldassay.meta import Ratings, Scores, meta
from goldassay.meta.evaluation import _value, levels_of
from goldassay.meta.page import page_of
from goldassay.meta.statistics import chance_of_accuracy, pairwise_accuracy, permutation_p_values

SYSTEMS, ITEMS = "abcd", [f"i{one}" for one in range(12)]


def tables(*, yes_no=False, gaps=False):
    """Rows of ratings and scores: good follows people, const is always 1, coarse is 0 or 1."""
    rng = np.random.default_rng(0)
    ratings, scores = [], []
    for item in ITEMS:
        for place, system in enumerate(SYSTEMS):
            quality = place / 2 + rng.normal()
            ratings.append((item, system, "ann", float(quality > 0.7) if yes_no else round(quality, 2)))
            row = {"good": round(quality + rng.normal() / 2, 3), "const": 1.0, "coarse": float(rng.random() < 0.4)}
            if not (gaps and rng.random() < 0.1):
                scores.append(((item, system), row))
    return ratings, scores


def report_of(ratings, scores, seed=0):
    columns = {name: {key: row[name] for key, row in scores} for name in ("good", "const", "coarse")}
    return meta(Ratings.of(ratings), Scores(values=columns), permutations=30, seed=seed)


@settings(max_examples=5, deadline=None)
@given(st.randoms(use_true_random=False), st.booleans())
def test_no_figure_depends_on_the_order_of_rows(random, gaps):
    ratings, scores = tables(gaps=gaps)
    before = report_of(ratings, scores).to_dict()
    for rows in (ratings, scores):
        random.shuffle(rows)
    assert report_of(ratings, scores).to_dict() == before


def test_systems_that_are_equal_everywhere_are_ordered_neither_way():
    scores = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 4.0]])
    found = permutation_p_values(scores)
    assert found[0, 1] == 0.5
    # A draw that ties counts in full, as in the source: here all draws that leave the last segment.
    assert found[0, 2] == 1
    assert found[1, 2] == 1
    const = report_of(*tables()).measures[1]
    assert set(np.array(const.levels["system"]["p_measure"])[np.triu_indices(4, 1)]) == {0.5}
    people = np.array(const.levels["system"]["p_human"])[np.triu_indices(4, 1)]
    assert const.levels["system"]["spa"] == pytest.approx(1 - np.abs(people - 0.5).mean())


def test_a_test_of_what_is_undefined_is_none_and_is_not_corrected_for():
    report = report_of(*tables())
    tests = {(one["first"], one["second"], one["level"]): one for one in report.tests}
    for (first, second, _), one in tests.items():
        undefined = "const" in (first, second)
        assert all(np.isnan(one[name]) == undefined for name in ("difference", "p", "p_holm"))
    defined = [one for one in tests.values() if not np.isnan(one["p"])]
    assert max(one["p_holm"] for one in defined) <= 2 * max(one["p"] for one in defined)
    assert [one["p"] for one in report.to_dict()["tests"]].count(None) == 4
    assert "nan" not in page_of(report)


@pytest.mark.parametrize(("yes_no", "gaps"), [(False, False), (True, False), (False, True)])
def test_chance_is_the_mean_of_shuffled_scores_and_its_formulas_need_no_seed(yes_no, gaps):
    report, other = (report_of(*tables(yes_no=yes_no, gaps=gaps), seed=seed) for seed in (0, 1))
    human, rng, shuffles = report.ratings.mean, np.random.default_rng(2), 60
    for one, again in zip(report.measures, other.measures, strict=True):
        matrix = report.matrices[one.measure]
        there, drawn = ~np.isnan(matrix), []
        for _ in range(shuffles):
            shuffled = matrix.copy()
            shuffled[there] = rng.permutation(matrix[there])
            drawn.append(levels_of(human, shuffled))
        assert one.draws == (0 if one.measure == "const" else 60)
        for level, values in one.chance.items():
            for name, chance in values.items():
                seen = np.array([_value(found[level][name]) for found in drawn])
                if np.isnan(_value(one.levels[level][name])):
                    assert np.isnan(chance)
                    continue
                error = one.chance_error.get(level, {}).get(name, 0.0)
                allowed = 4 * np.hypot(np.nanstd(seen) / np.sqrt(shuffles), error) + 1e-9
                assert chance == pytest.approx(np.nanmean(seen), abs=allowed)
                assert abs(chance - again.chance[level][name]) <= 6 * error
                assert error < 0.03


def test_a_prediction_that_is_given_twice_is_refused(tmp_path, goldassay_command):
    (tmp_path / "gold.csv").write_text("child,parent\ncat,pet\n")
    (tmp_path / "ratings.csv").write_text("item,system,rating\ncat -> pet,good,1\n")
    (tmp_path / "other").mkdir()
    for name in ("good.csv", "other/good.csv"):
        (tmp_path / name).write_text("child,parent\ncat,pet\n")
    call = ["meta", tmp_path / "ratings.csv", "--gold", tmp_path / "gold.csv", "-m", "literal", "--pred"]
    for second in ("good.csv", "other/good.csv"):
        result = goldassay_command(*call, tmp_path / "good.csv", "--pred", tmp_path / second)
        assert (result.code, "Two predictions are of the system 'good'" in result.err) == (2, True)


@pytest.mark.parametrize(
    "human", [(1.0, 2.0, 3.0, 4.0), (1.0, 1.0, 2.0, 3.0), (1.0, 1.0, 2.0, 2.0), (1.0, 1.0, 1.0, 1.0)]
)
@pytest.mark.parametrize("scores", [(4.0, 1.0, 3.0, 2.0), (1.0, 5.0, 5.0, 2.0), (2.0, 2.0, 2.0, 3.0)])
def test_chance_of_accuracy_is_the_mean_over_all_ways_to_name_the_systems(human, scores):
    named = [pairwise_accuracy(np.array(human)[:, None], np.array(one)[:, None]) for one in permutations(scores)]
    assert chance_of_accuracy(np.array(human), np.array(scores)) == pytest.approx(np.mean(named), abs=1e-12)
