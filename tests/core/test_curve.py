"""The curve against the definition, point by point."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.core.curve import ANY, Curve, Cut, Point, Step, compute_steps, similarity_steps

SIMILARITIES = st.lists(st.sampled_from([-1.0, -0.3, 0.0, 0.2, 0.436, 0.437, 0.9, 1.0, float("nan")]), max_size=12)


def of_similarities(*, pred, gold, **how):
    return Curve.of_steps(similarity_steps(pred=pred, gold=gold), **how)


def curve_of(pred, gold):
    return of_similarities(pred=np.array(pred, dtype=np.float64), gold=np.array(gold, dtype=np.float64))


@given(SIMILARITIES, SIMILARITIES, st.floats(-1.2, 1.2) | st.sampled_from([0.436, 1.0]), st.booleans())
def test_any_threshold_gives_what_counting_gives(pred, gold, threshold, inclusive):
    def share(side):
        hits = sum(value >= threshold if inclusive else value > threshold for value in side)
        return hits / len(side) if side else 0.0

    point = curve_of(pred, gold).at(threshold, inclusive=inclusive)
    assert (point.precision, point.recall) == (share(pred), share(gold))
    assert point.threshold == threshold


@given(SIMILARITIES, SIMILARITIES)
def test_area_is_the_mean_precision_where_each_gold_item_is_just_matched(pred, gold):
    curve = curve_of(pred, gold)
    precisions = [curve.at(value, inclusive=True).precision for value in gold if not np.isnan(value)]
    assert curve.area == pytest.approx(sum(precisions) / len(gold) if gold else 0.0)


@given(SIMILARITIES, SIMILARITIES)
def test_best_is_the_highest_f1_and_of_equals_the_highest_threshold(pred, gold):
    curve = curve_of(pred, gold)
    if not len(curve):
        assert curve.best is None
        return
    assert curve.best.f1 == curve.values["f1"].max()
    assert curve.best.threshold == max(curve.thresholds[curve.values["f1"] == curve.best.f1])


SUMS = {"hit_pred": [1, 1], "n_pred": [1, 2], "hit_gold": [1, 1], "n_gold": [2, 2]}


def test_a_curve_whose_prediction_grows():
    """An alignment cut at its scores: fewer correspondences, not fewer hits of all of them."""
    curve = Curve(
        thresholds=np.array([0.9, 0.5]),
        counts={name: np.array(sums) for name, sums in SUMS.items()},
        unreached={"hit_pred": 0, "n_pred": 0, "hit_gold": 0, "n_gold": 2},
    )
    assert curve.precision.tolist() == [1.0, 0.5]
    assert (curve.best.threshold, curve.area) == (0.9, 0.5)


def test_thinned_keeps_the_ends_and_the_best():
    values = np.linspace(-1, 1, 1001)
    whole = of_similarities(pred=values, gold=values[:300])
    thin = whole.thin(20)
    assert len(thin) <= 20
    assert (thin.thresholds[0], thin.thresholds[-1]) == (1.0, -1.0)
    assert thin.best == whole.best
    assert whole.thin(5000) is whole


def test_it_goes_into_json():
    written = json.loads(json.dumps(curve_of([0.5], [0.5, 0.1]).to_dict()))
    assert written["best"] == {"threshold": 0.1, "precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert written["points"]["threshold"] == [0.5, 0.1]
    assert curve_of([], []).to_dict()["best"] is None


@pytest.mark.parametrize("inclusive", [True, False])
def test_whether_a_threshold_is_reached_is_the_measures_to_say_or_the_callers(inclusive):
    value = float(inclusive)
    values = np.array([0.5])
    curve = of_similarities(pred=values, gold=values, cut=Cut("threshold", 0.5, inclusive=inclusive))
    assert curve.at(0.5) == Point(0.5, dict.fromkeys(("precision", "recall", "f1"), value))
    assert curve.at(0.5, inclusive=not inclusive).recall == 1 - value
    # What is written next to values is what gives them.
    assert curve.best.threshold == (0.5 if inclusive else np.nextafter(0.5, 0))
    assert curve.at(curve.best.threshold).recall == curve.best.recall == 1


def test_what_is_zero_by_zero_is_zero_if_nothing_is_reported():
    assert curve_of([], [0.5]).precision.tolist() == [0.0]


def test_thinned_to_what_there_is_is_the_same():
    values = np.linspace(0, 1, 10)
    whole = of_similarities(pred=values, gold=values)
    assert whole.thin(10) is whole


def test_thinned_has_as_many_points_as_it_may_where_the_best_is_one_of_them():
    size = np.arange(1, 12)
    hits = np.minimum(size, 5)
    whole = Curve(
        thresholds=1.0 - size,
        counts={"hit_pred": hits, "n_pred": size, "hit_gold": hits, "n_gold": np.full(11, 5)},
        unreached={"hit_pred": 0, "n_pred": 0, "hit_gold": 0, "n_gold": 5},
    )
    assert whole.thin(5).counts["n_pred"].tolist() == [1, 4, 5, 8, 11]


def test_the_values_within_a_margin_are_those_on_both_sides_of_the_cut():
    gold = np.array([0.9])
    for near in (0.40, 0.42):
        curve = of_similarities(pred=np.array([0.9, near]), gold=gold, cut=Cut("threshold", 0.41))
        assert curve.spread(0.02)["precision"] == (0.5, 1.0)
        assert curve.spread(0.005)["precision"] == ((1.0, 1.0) if near == 0.42 else (0.5, 0.5))


def test_precision_and_recall_only_have_an_area():
    def divide(counts, ratio):
        return {
            "precision": ratio("precision", counts["hit_pred"], counts["n_pred"]),
            "recall": ratio("recall", counts["hit_gold"], counts["n_gold"]),
        }

    values = np.array([0.5])
    assert of_similarities(pred=values, gold=values, divide=divide, headline="recall").area == 1.0
    single = of_similarities(
        pred=values, gold=values, divide=lambda counts, ratio: {"f1": ratio("f1", counts["hit_pred"], 1)}
    )
    assert single.area is None


def test_where_less_is_better_the_best_is_the_least():
    values = np.array([0.9, 0.5, 0.1])
    curve = of_similarities(
        pred=values,
        gold=values,
        divide=lambda counts, ratio: {"loss": np.abs(np.asarray(counts["hit_pred"]) - 2.0)},
        headline="loss",
        higher_is_better=False,
    )
    assert (curve.best.threshold, curve.best.loss) == (0.5, 0.0)


def curve_with(precisions, thresholds, cut):
    """A curve with these precisions, 0 beyond it."""
    hits = np.array(precisions)
    return Curve(
        thresholds=np.array(thresholds),
        counts={"hit": hits},
        unreached={"hit": 0.0},
        cut=cut,
        divide=lambda counts, _: {"precision": np.asarray(counts["hit"])},
        headline="precision",
    )


def test_the_ends_of_a_margin_are_within_it():
    cut = Cut("threshold", 0.5, inclusive=False)
    assert curve_with([1.0, 0.5], [np.nextafter(0.75, 0), 0.625], cut).spread(0.25)["precision"] == (0.0, 1.0)
    assert curve_with([1.0, 0.5], [0.75, 0.625], cut).spread(0.25)["precision"] == (0.5, 1.0)
    assert curve_with([1.0, 0.5], [0.8125, 0.625], cut).spread(0.25)["precision"] == (0.5, 1.0)


def test_the_stricter_end_of_a_margin_of_a_distance_is_the_lower_one():
    cut = Cut("limit", 0.5, lower_is_stricter=True)
    assert curve_with([1.0, 0.5], [0.125, 0.375], cut).spread(0.25)["precision"] == (0.5, 1.0)


def test_the_best_of_large_values_is_the_best():
    assert curve_with([1e6, 2e6, 3e6], [0.9, 0.5, 0.1], Cut("threshold", 0.5)).best.threshold == 0.1


def test_thinned_adds_nothing_where_the_best_is_the_first():
    whole = curve_with([1.0, *[0.5] * 10], np.linspace(1, 0, 11), Cut("threshold", 0.5))
    assert whole.thin(3).thresholds.tolist() == [1.0, 0.0]


def test_an_area_is_written_where_there_is_one():
    assert curve_of([0.5], [0.5, float("nan")]).to_dict()["area"] == 0.5
    assert curve_with([1.0], [0.5], Cut("threshold", 0.5)).to_dict()["area"] is None


def test_what_counts_always_counts_beyond_the_curve_too():
    curve = curve_of([0.5, 0.1, float("nan")], [0.5])
    assert dict(curve.unreached) == {"hit_pred": 0.0, "n_pred": 3.0, "hit_gold": 0.0, "n_gold": 1.0}


ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from([0.1, 0.2, 0.3, float("nan")]), st.integers(1, 3)), max_size=12
)


@given(hits=ROWS, always=ROWS, lower=st.booleans())
def test_groups_are_scored_at_every_threshold(hits, always, lower):
    """The score is no sum, so that a group has to be scored as a whole."""

    def score(sums):
        return {"score": np.asarray(sums["hit"]) ** 2 / (1 + np.asarray(sums["n"]))}

    def step(name, rows, at):
        groups, places, amounts = (np.array([row[column] for row in rows]) for column in range(3))
        return Step(name, amounts.astype(float), places.astype(float) if at else None, groups.astype(np.int64))

    steps = compute_steps([step("hit", hits, at=True), step("n", always, at=False)], 4, score, lower_is_stricter=lower)
    cut = Cut("limit", 0.2, lower_is_stricter=lower)
    curve = Curve.of_steps(steps, cut=cut, divide=lambda counts, _: dict(counts), headline="score")
    for threshold in (0.05, 0.1, 0.2, 0.25, 0.3, 0.4):
        wanted = 0.0
        for group in range(4):
            hit = sum(
                amount
                for own, place, amount in hits
                if own == group and (place <= threshold if lower else place >= threshold)
            )
            wanted += hit**2 / (1 + sum(amount for own, _, amount in always if own == group))
        assert curve.at(threshold).score == pytest.approx(wanted)


def test_a_higher_threshold_lets_less_count_if_nothing_else_is_reported():
    at, groups = np.array([0.9, 0.5]), np.zeros(2, dtype=np.int64)

    def score(sums):
        return {"square": sums["n"] ** 2}

    steps = compute_steps([Step("n", np.ones(2), at, groups)], 1, score)
    curve = Curve.of_steps(steps, divide=lambda counts, _: dict(counts), headline="square")
    assert dict(zip(curve.thresholds.tolist(), curve.values["square"].tolist(), strict=True)) == {0.9: 1.0, 0.5: 4.0}
    assert ANY.value == -np.inf


def test_the_example_of_curve():
    curve = of_similarities(pred=np.array([0.9, 0.4]), gold=np.array([0.9, 0.5, 0.4]))
    assert (curve.thresholds.tolist(), curve.precision.tolist(), curve.at(0.45).f1) == (
        [0.9, 0.5, 0.4],
        [0.5, 0.5, 1.0],
        0.5714285714285715,
    )
    assert (curve.best.threshold, round(curve.area, 4)) == (0.4, 0.6667)


def test_the_example_of_curve_of_steps():
    at = np.array([0.3, 0.1])
    limit = Cut("limit", 0.2, inclusive=False, lower_is_stricter=True)
    steps = [Step("correct", 1, at), Step("all", np.ones(2))]
    curve = Curve.of_steps(steps, cut=limit, divide=lambda n, over: {"f1": over("f1", n["correct"], n["all"])})
    assert (curve.thresholds.tolist(), curve.at(0.3).f1, curve.at(0.4).f1) == (
        np.nextafter(at[::-1], 1).tolist(),
        0.5,
        1.0,
    )


def test_the_example_of_curve_mean():
    one, other = (of_similarities(pred=np.array([at]), gold=np.array([at])) for at in (0.9, 0.4))
    curve = Curve.mean([one, other])
    assert (curve.thresholds.tolist(), curve.recall.tolist()) == ([0.9, 0.4], [0.5, 1.0])


def test_the_example_of_curve_spread():
    curve = of_similarities(pred=np.array([0.9, 0.4]), gold=np.array([0.9]), cut=Cut("threshold", 0.41))
    assert curve.spread(0.02)["precision"] == (0.5, 1.0)


def test_the_example_of_compute_steps():
    at, groups = np.array([0.9, 0.5, 0.5]), np.array([0, 0, 1])
    halved = compute_steps([Step("n", np.ones(3), at, groups)], 2, lambda sums: {"half": sums["n"] / 2})
    curve = Curve.of_steps(halved, divide=lambda counts, _: dict(counts), headline="half")
    assert (curve.thresholds.tolist(), curve.values["half"].tolist()) == ([0.9, 0.5], [0.5, 1.5])
