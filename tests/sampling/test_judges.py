"""Judges: agreement by the formulas, prediction-powered estimates, and who is admitted."""

import math
from itertools import product

import numpy as np
import pytest

from goldassay.sampling.agreement import alpha, kappa, kappa_of, sight_of, table_of
from goldassay.sampling.designs import interval_of
from goldassay.sampling.judges import assess, estimate_by_strata, flips_of, prediction_powered

RANDOM = np.random.default_rng(5)


def judge_of(truth, right, rng):
    return np.where(rng.random(len(truth)) < right, truth, 1 - truth)


def assessed(right, *, labelled=500, items=20_000, accuracy=0.7, seed=0):
    rng = np.random.default_rng(seed)
    truth = (rng.random(items) < accuracy).astype(float)
    verdicts = judge_of(truth, right, rng)
    return assess("model", truth[:labelled], verdicts[:labelled], verdicts[labelled:])


def plain_alpha(ratings):
    """Krippendorff's alpha by its matrix of coincidences."""
    pairs = {}
    for row in ratings:
        known = [one for one in row if not math.isnan(one)]
        for here, there in product(range(len(known)), repeat=2):
            if here != there:
                key = known[here], known[there]
                pairs[key] = pairs.get(key, 0) + 1 / (len(known) - 1)
    total = sum(pairs.values())
    of = {value: sum(count for (one, _), count in pairs.items() if one == value) for value in {one for one, _ in pairs}}
    seen = sum(count for (one, other), count in pairs.items() if one != other) / total
    expected = sum(of[one] * of[other] for one in of for other in of if one != other) / (total * (total - 1))
    return 1 - seen / expected


def test_alpha_is_that_of_the_coincidences():
    for _ in range(20):
        ratings = RANDOM.integers(0, 2, (30, 3)).astype(float)
        ratings[RANDOM.random(ratings.shape) < 0.3] = np.nan
        assert alpha(ratings) == pytest.approx(plain_alpha(ratings))


def test_alpha_of_nothing_to_compare():
    assert math.isnan(alpha(np.array([[1, np.nan], [np.nan, 0]])))
    assert math.isnan(alpha(np.array([[1.0, 1], [1, 1]])))
    assert alpha(np.array([[1.0, 1], [0, 0]])) == 1


def test_kappa_by_its_formula():
    for _ in range(20):
        here, there = RANDOM.integers(0, 2, (2, 40)).astype(float)
        seen = np.mean(here == there)
        chance = here.mean() * there.mean() + (1 - here.mean()) * (1 - there.mean())
        found = kappa(here, there)
        assert found.value == pytest.approx((seen - chance) / (1 - chance))
        assert found.low <= found.value <= found.high
    assert math.isnan(float(kappa_of(table_of(np.ones(3), np.ones(3)))))


def test_sight():
    truth, verdicts = np.array([1, 1, 1, 1, 0, 0.0]), np.array([1, 1, 1, 0, 0, 1.0])
    found = sight_of(truth, verdicts)
    assert [found.sensitivity.value, found.specificity.value, found.youden.value] == [0.75, 0.5, 0.25]
    weighed = sight_of(truth, verdicts, np.array([1, 1, 1, 3, 1, 1.0]))
    assert weighed.sensitivity.value == 0.5
    assert weighed.sensitivity.high - weighed.sensitivity.low > found.sensitivity.high - found.sensitivity.low


def test_intervals_of_youden_hold_the_truth():
    held = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        truth = (rng.random(200) < 0.7).astype(float)
        index = sight_of(truth, judge_of(truth, 0.8, rng)).youden
        held += index.low <= 0.6 <= index.high
    assert 0.92 <= held / 400 <= 0.98


def test_estimates_are_unbiased_and_their_variance_is_right():
    values, variances = [], []
    for seed in range(600):
        rng = np.random.default_rng(seed)
        truth = (rng.random(2200) < 0.7).astype(float)
        verdicts = judge_of(truth, 0.85, rng)
        value, variance, trust = prediction_powered(truth[:200], verdicts[:200], verdicts[200:])
        assert 0 <= trust <= 1
        values.append(value)
        variances.append(variance)
    assert np.mean(values) == pytest.approx(0.7, abs=0.005)
    assert np.mean(variances) == pytest.approx(np.var(values), rel=0.15)


@pytest.mark.parametrize("power", ["classical", "ppi", "ppi++"])
def test_without_other_verdicts_it_is_classical(power):
    labels, verdicts = np.array([1, 0, 1, 1.0]), np.array([1, 1, 0, 1.0])
    assert prediction_powered(labels, verdicts, np.zeros(0), power=power) == (0.75, 0.75 * 0.25 / 4, 0)


def test_a_judge_that_is_trusted_gives_what_labels_correct():
    labels, verdicts, others = np.array([1, 0, 1, 1.0]), np.array([1, 1, 0, 1.0]), np.array([1, 1, 1, 1, 0.0])
    value, variance, trust = prediction_powered(labels, verdicts, others, power="ppi")
    assert (value, variance, trust) == (pytest.approx(0.8), pytest.approx(0.5 / 4 + 0.16 / 5), 1)


def test_within_strata():
    labels, strata = RANDOM.integers(0, 2, 40).astype(float), np.repeat([0, 1], 20)
    verdicts = judge_of(labels, 0.8, RANDOM)
    others, there = RANDOM.integers(0, 2, 100).astype(float), np.repeat([0, 1], 50)
    weights = np.array([0.25, 0.75])
    found = estimate_by_strata(
        labels, verdicts, others, strata=strata, other_strata=there, weights=weights, power="ppi++"
    )
    rows = [(labels[strata == h], verdicts[strata == h], others[there == h]) for h in (0, 1)]
    # The trust at which the variance of the weighted sum is least, for verdicts and labels with these moments.
    shared = [np.cov(one, seen, ddof=0)[0, 1] / 20 for one, seen, _ in rows]
    spread = [np.var([*seen, *rest], ddof=1) * (1 / 20 + 1 / 50) for _, seen, rest in rows]
    trust = max(weights**2 @ shared, 0) / (weights**2 @ spread)
    values = [(one - trust * seen).mean() + trust * rest.mean() for one, seen, rest in rows]
    # Of 70 judged items 20 are labelled, and the 70 stand for many more.
    variances = [(one - trust * 70 / 50 * seen).var() * (1 / 20 - 1 / 70) + one.var() / 70 for one, seen, _ in rows]
    assert 0 < trust < 1
    assert found.value == pytest.approx(weights @ values)
    assert found.variance == pytest.approx(weights**2 @ variances)


def share_held(drawn, judged, right, wrong, strata=1):
    """Share of 400 intervals of admitted judges that hold the share of right items."""
    random, held = np.random.default_rng(5), []
    stratum = np.repeat(np.arange(strata), judged)
    while len(held) < 400:
        truth = (random.random(len(stratum)) < right).astype(float)
        verdicts = np.where(random.random(len(stratum)) < wrong, 1 - truth, truth)
        place = random.random((strata, judged)).argsort(axis=1).argsort(axis=1).ravel()
        here = place < drawn
        given = {"strata": stratum[here], "other_strata": stratum[~here], "weights": np.full(strata, 1 / strata)}
        sizes = np.full(strata, float(judged))
        found = assess("judge", truth[here], verdicts[here], verdicts[~here], sizes=sizes, **given)
        if found.admitted:
            low, high = interval_of(found.powered)
            assert 0 <= low < high <= 1
            held.append(low <= truth.mean() <= high)
    return np.mean(held)


@pytest.mark.parametrize(
    ("drawn", "judged", "right", "wrong", "strata"),
    [
        (20, 500, 0.5, 0.05, 1),
        (50, 1000, 0.9, 0.02, 1),
        (100, 1000, 0.9, 0.01, 1),
        (4, 50, 0.7, 0.05, 10),
        (25, 100, 0.7, 0.03, 5),
    ],
)
def test_intervals_with_a_judge_hold_the_truth_though_it_agrees_with_all_labels(drawn, judged, right, wrong, strata):
    # It was 0.66 to 0.86: where no verdict was seen to be wrong, or each stratum had a trust of its own.
    assert share_held(drawn, judged, right, wrong, strata) >= 0.92


def test_an_estimate_stays_a_share():
    labels = np.array([0, 0, *[1] * 13], dtype=float)
    verdicts = np.array([0, 0, 0, *[1] * 12], dtype=float)
    found = assess("judge", labels, verdicts, np.ones(185), sizes=np.array([200.0]))
    low, high = interval_of(found.powered)
    assert found.admitted
    assert found.powered.value == 1
    assert 0.5 < low < 0.95
    assert high == 1


def test_a_stratum_whose_labels_are_alike_has_a_variance_all_the_same():
    labels, verdicts = np.array([1, 1, 1, 1, 1, 0, 1, 0.0]), np.array([1, 1, 0, 1, 1, 0, 1, 0.0])
    strata, others = np.repeat([0, 1], 4), np.ones(6)
    given = {"strata": strata, "other_strata": np.zeros(6, dtype=np.int64), "weights": np.array([0.9, 0.1])}
    for sizes, left in ((None, 0), (np.array([40.0, 40.0]), 1 / 40)):
        found = estimate_by_strata(labels, verdicts, others, power="ppi++", sizes=sizes, **given)
        # Of four right labels and half a wrong one.
        alike = 0.81 * 0.9 * 0.1 * (1 / 4 - left)
        varied = 0.01 * 0.25 * (1 / 4 - left)
        assert found.variance == pytest.approx(alike + varied)


def test_coin_flips_are_refused():
    refused = [assessed(0.5, seed=seed) for seed in range(40)]
    assert not any(one.admitted for one in refused)
    assert sum("has no information" in one.reason for one in refused) >= 35


def test_a_good_judge_saves_what_theory_says():
    """The share of labels saved is the squared correlation of labels and verdicts, less what the unlabelled items add."""
    accuracy, right, labelled, items = 0.7, 0.95, 500, 20_000
    called = accuracy * right + (1 - accuracy) * (1 - right)
    shared = accuracy * right - accuracy * called
    squared = shared**2 / (accuracy * (1 - accuracy) * called * (1 - called))
    theory = squared / (1 + labelled / (items - labelled))
    found = [assessed(right, seed=seed) for seed in range(40)]
    assert all(one.admitted for one in found)
    assert np.mean([one.saved for one in found]) == pytest.approx(theory, abs=0.02)


def test_a_judge_without_a_verdict_on_labels_of_a_stratum_is_refused():
    strata = {"strata": np.zeros(4, dtype=np.int64), "other_strata": np.array([0, 1])}
    alike = assess(
        "model", np.array([1, 1, 0, 0.0]), np.array([1, 1, 0, 0.0]), np.ones(2), weights=np.array([0.5, 0.5]), **strata
    )
    assert (alike.admitted, "none of a stratum" in alike.reason) == (False, True)


def test_reasons():
    assert "wrong more often" in assessed(0.1).reason
    # It sees a little, which 5,000 labels show, and saves nearly nothing.
    assert "less than 5%" in assessed(0.57, labelled=5000).reason
    alike = assess("model", np.ones(5), np.ones(5), np.ones(5))
    assert (alike.admitted, "all right or all wrong" in alike.reason) == (False, True)
    assert assessed(0.95).line().startswith("judge model admitted: it saves ")


def test_flips():
    assert flips_of({"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 1, "c": 0}}) == 0.5
    assert math.isnan(flips_of({"1": {"a": 1}}))


def test_only_the_proportions_of_weights_matter():
    truth, verdicts = np.array([1, 1, 1, 0, 0, 1, 0.0]), np.array([1, 0, 1, 0, 1, 1, 0.0])
    weights = np.array([1, 2, 3, 4, 1, 2, 5.0])
    assert np.allclose(np.array(sight_of(truth, verdicts, weights)), np.array(sight_of(truth, verdicts, 7 * weights)))


def test_the_example_of_prediction_powered():
    people, judge = np.array([1, 1, 0, 1.0]), np.array([1, 1, 0, 0.0])
    assert [round(number, 4) for number in prediction_powered(people, judge, np.array([1, 0, 0, 1, 1, 0.0]))] == [
        0.75,
        0.0376,
        0.27,
    ]


def test_the_example_of_flips_of():
    assert flips_of({"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 1, "c": 0}}) == 0.5
