"""Intervals against closed forms and scipy, tests against scipy, and what a person relies on: the same seed, the same figures."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from goldassay.core import significance
from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError
from goldassay.core.significance import Interval, Resampling, compare, holm, intervals, letters, mcnemar
from goldassay.core.units import Units
from goldassay.kernels.resample import bootstrap_sums, distinct_rows, sum_swapped

PERCENTILE = Resampling(method="percentile")


def proportion(sums):
    return {"p": sums["hit"] / sums["n"]}


def hits(found, size):
    return units([1.0] * found + [0.0] * (size - found))


def units(values):
    return Units.of("edge", map(str, range(len(values))), Counts({"hit": values, "n": [1.0] * len(values)}))


def test_the_percentile_interval_of_a_proportion_is_the_binomial_one():
    found = intervals(hits(300, 1000), proportion, PERCENTILE)["p"]
    low, high = stats.binom(1000, 0.3).ppf([0.025, 0.975]) / 1000
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.002)


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_intervals_are_those_of_scipy(method):
    values = np.random.default_rng(5).gamma(1.5, size=60)
    found = intervals(units(values), proportion, Resampling(method=method, resamples=50_000))["p"]
    theirs = stats.bootstrap((values,), np.mean, method=method, n_resamples=50_000, rng=3).confidence_interval
    spread = theirs.high - theirs.low
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.02 * spread)


@pytest.fixture
def one_thread(monkeypatch):
    """Draw thousands of small samples in one thread: the figures are the same, and others take longer to start than to draw."""
    monkeypatch.setattr("goldassay.kernels.threads.workers", lambda: 1)


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_a_95_percent_interval_holds_the_true_value_93_to_97_times_of_100(method):
    random, trials, held = np.random.default_rng(11), 1000, 0
    for trial in range(trials):
        sample = random.multinomial(200, [0.35, 0.2, 0.25, 0.2])
        both, pred, gold, _ = sample
        rows = {
            "hit": [1.0] * both + [0.0] * (pred + gold),
            "pred": [1.0] * (both + pred) + [0.0] * gold,
            "gold": [1.0] * both + [0.0] * pred + [1.0] * gold,
        }
        drawn = Units.of("edge", map(str, range(both + pred + gold)), Counts(rows))
        resampling = Resampling(method=method, resamples=1000, seed=trial)
        found = intervals(drawn, lambda sums: {"f": 2 * sums["hit"] / (sums["pred"] + sums["gold"])}, resampling)["f"]
        held += 2 * 0.35 / (0.55 + 0.6) in found
    assert 0.93 <= held / trials <= 0.97


@pytest.mark.parametrize("distinct", [2, 3000])
def test_sums_of_resamples_have_the_mean_and_the_spread_of_resamples(distinct):
    values = np.resize(np.random.default_rng(1).random(distinct), 3000)[:, None]
    sums = bootstrap_sums(*distinct_rows(values), resamples=4000, seed=2)[:, 0]
    assert sums.mean() == pytest.approx(values.sum(), rel=0.002)
    assert sums.std() == pytest.approx(values.std() * math.sqrt(3000), rel=0.05)
    tossed = sum_swapped(*distinct_rows(values), resamples=4000, seed=2)[:, 0]
    assert tossed.mean() == pytest.approx(values.sum() / 2, rel=0.005)
    assert tossed.std() == pytest.approx(math.sqrt((values**2).sum()) / 2, rel=0.05)


@pytest.mark.parametrize("values", [[1.0, 0.0] * 50, list(np.linspace(0, 1, 400))])
def test_the_same_seed_gives_the_same_figures_for_any_threads(values, monkeypatch):
    one, other = units(values), units([value**2 + 0.1 for value in values[::-1]])
    first = intervals(one, proportion, Resampling(seed=4)), compare(one, other, proportion, Resampling(seed=4))
    monkeypatch.setattr("goldassay.kernels.threads.workers", lambda: 1)
    assert first == (
        intervals(one, proportion, Resampling(seed=4)),
        compare(one, other, proportion, Resampling(seed=4)),
    )
    other_seed = Resampling(seed=5)
    assert first != (intervals(one, proportion, other_seed), compare(one, other, proportion, other_seed))


def test_a_perfect_value_has_an_interval_without_width():
    found = intervals(hits(30, 30), proportion, Resampling())["p"]
    assert (found.low, found.high) == (1.0, 1.0)


@pytest.mark.parametrize("size", [0, 1])
def test_fewer_than_two_units_have_no_interval(size):
    assert intervals(hits(0, size), proportion, Resampling()) == {}
    assert compare(hits(0, size), hits(0, size), proportion, Resampling()) == {}


def test_resamples_of_nothing_are_left_out_where_nothing_is_no_number():
    sums = Units.of("edge", ["a", "b"], Counts({"hit": [1.0, 0.0], "n": [1.0, 0.0]}))
    with np.errstate(invalid="ignore"):
        found = intervals(sums, proportion, PERCENTILE)["p"]
    assert (found.low, found.high) == (1.0, 1.0)


def test_swapping_is_the_exact_test_where_that_can_be_listed():
    random = np.random.default_rng(3)
    first, second = random.random(10), random.random(10) + 0.2
    p = compare(units(first), units(second), proportion, Resampling(resamples=100_000))["p"].p_randomisation
    signs = np.array(np.meshgrid(*[[-1, 1]] * 10)).reshape(10, -1)
    exact = np.mean(np.abs(signs.T @ (second - first)) >= abs((second - first).sum()) - 1e-12)
    assert p == pytest.approx(exact, abs=0.005)
    theirs = stats.permutation_test((second, first), lambda x, y: np.mean(x - y), permutation_type="samples").pvalue
    assert p == pytest.approx(theirs, abs=0.005)


def test_systems_that_are_the_same_do_not_differ():
    found = compare(hits(10, 50), hits(10, 50), proportion, Resampling())["p"]
    assert (found.difference, found.p_randomisation, found.p_bootstrap) == (0.0, 1.0, 1.0)


@pytest.mark.usefixtures("one_thread")
def test_a_test_under_the_null_is_as_rare_as_it_says():
    random, alarms = np.random.default_rng(8), 0
    for trial in range(400):
        first, second = random.random((2, 60)) < 0.5
        found = compare(units(first * 1.0), units(second * 1.0), proportion, Resampling(resamples=400, seed=trial))
        alarms += found["p"].p_randomisation <= 0.05
    assert alarms / 400 < 0.075


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_exact_is_the_binomial_test_and_midp_is_bolder(only_first, only_second):
    exact = mcnemar(only_first, only_second)
    disagreed = only_first + only_second
    assert exact == pytest.approx(stats.binomtest(only_first, disagreed, 0.5).pvalue if disagreed else 1.0)
    fewer, law = min(only_first, only_second), stats.binom(disagreed, 0.5)
    tail = law.cdf(fewer - 1) + law.pmf(fewer) / 2
    midp = mcnemar(only_first, only_second, method="midp")
    assert midp == pytest.approx(1 - law.pmf(fewer) / 2 if only_first == only_second else 2 * tail)
    assert midp <= exact


def test_mcnemar_as_published():
    # Fagerland, Lydersen and Laake (2013), table 4: 1 and 7 discordant pairs; exact 0.0703, mid-p 0.0391.
    assert mcnemar(1, 7) == pytest.approx(0.0703, abs=5e-5)
    assert mcnemar(1, 7, method="midp") == pytest.approx(0.0391, abs=5e-5)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_rejects_what_stepping_down_rejects(p_values):
    adjusted = holm(p_values)
    for level in (0.01, 0.05, 0.3):
        order = sorted(range(len(p_values)), key=lambda row: p_values[row])
        rejected = set()
        for rank, place in enumerate(order):
            if (len(p_values) - rank) * p_values[place] > level:
                break
            rejected.add(place)
        assert rejected == {row for row, p in enumerate(adjusted) if p <= level}


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"level": 0.0}, "level"),
        ({"level": 95}, "level"),
        ({"resamples": 5}, "resamples"),
        ({"method": "bootstrap"}, "percentile"),
        ({"seed": -1}, "seed"),
    ],
)
def test_a_choice_that_cannot_be_is_refused(choice, message):
    with pytest.raises(UsageError, match=message):
        Resampling(**choice)


@pytest.mark.parametrize("choice", [{"level": 1.0}, {"level": 1.5}, {"resamples": 99}])
def test_the_least_that_cannot_be(choice):
    with pytest.raises(UsageError):
        Resampling(**choice)


def test_the_least_and_the_most_that_can_be():
    assert Resampling(resamples=100, level=0.999, seed=0).resamples == 100


def test_the_defaults_are_those_that_the_docs_name():
    assert str(Resampling()) == "bca(level=0.95,resamples=10000,seed=0)"


def test_an_interval_holds_its_ends():
    assert 0.25 in Interval(0.25, 0.75)
    assert 0.75 in Interval(0.25, 0.75)
    assert 0.76 not in Interval(0.25, 0.75)


def test_two_units_have_an_interval_and_a_test():
    assert set(intervals(hits(1, 2), proportion, Resampling())) == {"p"}
    assert set(compare(hits(1, 2), hits(0, 2), proportion, Resampling())) == {"p"}


def test_holm_never_says_more_than_one():
    assert holm([0.9, 0.6, 0.04]) == pytest.approx([1.0, 1.0, 0.12])


def test_without_any_skew_only_the_bias_moves_the_tails():
    frequency, drawn = np.ones(4, dtype=np.int64), np.array([0.1, 0.2, 0.3, 0.4])
    tails = significance._correct_tails((0.025, 0.975), drawn, 0.25, np.full(4, 0.25), frequency)
    assert tails == pytest.approx((0.025, 0.975))


def test_p_values_count_the_sample_itself():
    """Davison and Hinkley (1997), 4.11: of N resamples and the sample, c + 1 of N + 1 are as extreme; never 0."""
    apart = compare(hits(0, 40), hits(40, 40), proportion, Resampling(resamples=199))["p"]
    assert apart.p_randomisation == pytest.approx(1 / 200)
    assert apart.p_bootstrap == pytest.approx(1 / 200)


def test_a_swap_that_gives_the_difference_itself_is_as_extreme():
    # One unit differs: swapping it or not gives the same size of difference, so that every resample counts.
    first, second = units([1.0, 0.0, 0.0]), units([0.0, 0.0, 0.0])
    assert compare(first, second, proportion, Resampling(resamples=100))["p"].p_randomisation == 1.0


def test_the_bootstrap_p_is_that_of_a_difference_moved_to_zero():
    """Efron and Tibshirani (1993), 16.4: how often a difference, less the one seen, is as large as the one seen."""
    first, second = units([0.0, 1.0, 0.0, 1.0, 0.0, 0.0]), units([1.0, 1.0, 1.0, 0.0, 1.0, 0.0])
    found = compare(first, second, proportion, Resampling(resamples=100_000))["p"]
    change = [1.0, 0.0, 1.0, -1.0, 1.0, 0.0]
    seen = sum(change) / 6
    draws = np.array(np.meshgrid(*[change] * 6)).reshape(6, -1).mean(axis=0)
    exact = np.mean(np.abs(draws - seen) >= seen - 1e-12)
    assert found.p_bootstrap == pytest.approx(exact, abs=0.005)


def plain_bca(values, drawn, level):
    """BCa as Efron (1987) writes it, with resamples that tie with the value counted half, for a mean."""
    point, size = np.mean(values), len(values)
    below = (np.sum(drawn < point) + np.sum(drawn == point) * 0.5) / len(drawn)
    bias = stats.norm.ppf(below)
    jackknife = np.array([np.mean(np.delete(values, row)) for row in range(size)])
    apart = jackknife.mean() - jackknife
    skew = np.sum(apart**3) / (6.0 * np.sum(apart**2) ** 1.5)
    ends = []
    for tail in ((1 - level) / 2, 1 - (1 - level) / 2):
        reach = bias + stats.norm.ppf(tail)
        ends.append(np.quantile(drawn, stats.norm.cdf(bias + reach / (1 - skew * reach))))
    return ends


@pytest.mark.parametrize(
    "values",
    [
        [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        [0.0] * 6 + [3.0, 1.0, 8.0],
        [1.0, 0.0] * 4,
        [0.03, 0.11, 0.27, 0.4, 0.92, 1.7, 6.3, 19.1],
    ],
)
def test_the_corrected_interval_is_the_formula_with_ties_counted_half(values):
    resampling = Resampling(resamples=3000, seed=3)
    made = units(values)
    rows, frequency = distinct_rows(made.matrix)
    names = list(made.counts)
    sums = bootstrap_sums(rows, frequency, resamples=3000, seed=3)
    drawn = sums[:, names.index("hit")] / sums[:, names.index("n")]
    found = intervals(made, proportion, resampling)["p"]
    assert [found.low, found.high] == pytest.approx(plain_bca(values, drawn, 0.95), abs=1e-12)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_value_at_the_end_of_all_resamples_is_not_corrected(sign):
    made = units(list(np.random.default_rng(2).random(40)))

    mean = float(proportion(Counts({name: column.sum() for name, column in made.counts.items()}))["p"])

    def end(sums):
        return {"p": sign * 1e6 * (sums["hit"] / sums["n"] - mean) ** 2}

    # No resample is below the value, or none is not: the bias would be without end.
    assert intervals(made, end, Resampling()) == intervals(made, end, PERCENTILE)


def test_without_skew_the_correction_is_that_of_bias_only():
    made = hits(2, 4)
    # Leaving out any of the four gives 1/6.
    found = intervals(made, lambda sums: {"p": abs(sums["hit"] / sums["n"] - 0.5)}, Resampling(seed=1))["p"]
    sums = bootstrap_sums(*distinct_rows(made.matrix), resamples=10_000, seed=1)
    drawn = abs(sums[:, list(made.counts).index("hit")] / 4 - 0.5)
    bias = stats.norm.ppf(np.mean(drawn == 0.0) / 2)
    tails = stats.norm.cdf(2 * bias + stats.norm.ppf([0.025, 0.975]))
    assert [found.low, found.high] == pytest.approx(np.quantile(drawn, tails))


def test_mcnemar_of_an_unknown_method_is_refused():
    with pytest.raises(UsageError, match="midp"):
        mcnemar(1, 2, method="chi2")


def test_more_resamples_than_memory_are_refused():
    with pytest.raises(UsageError, match="memory") as caught:
        Resampling(resamples=10**9)
    assert "GOLDASSAY_MAX_RESAMPLES" in caught.value.hint


def test_holm_leaves_out_what_was_not_tested():
    p = [0.04, math.nan, 0.01, math.nan, 0.03]
    found = holm(p)
    assert [found[0], found[2], found[4]] == holm([0.04, 0.01, 0.03])
    assert math.isnan(found[1])
    assert math.isnan(found[3])


def test_resamples_without_a_value_are_not_counted_as_small():
    """Precision is undefined wherever nothing is predicted; swapping all units leaves one side without any."""
    units = [
        Units.of("edge", ["a", "b"], Counts({"hit": np.array(hit), "n": np.array(n)}))
        for hit, n in (([1.0, 0.0], [1.0, 0.0]), ([0.0, 0.0], [0.0, 1.0]))
    ]

    def divide(sums):
        with np.errstate(invalid="ignore"):
            return {"precision": sums["hit"] / sums["n"]}

    # Of four ways to swap, two are defined, and both are as large as what is seen.
    assert compare(*units, divide, Resampling(resamples=1000))["precision"].p_randomisation == 1


def test_the_example_of_intervals():
    units = Units.of("edge", map(str, range(100)), Counts({"hit": [1.0] * 40 + [0.0] * 60, "n": [1.0] * 100}))
    found = intervals(units, lambda sums: {"precision": sums["hit"] / sums["n"]}, Resampling(method="percentile"))
    assert (round(found["precision"].low, 1), round(found["precision"].high, 1)) == (0.3, 0.5)


def test_the_example_of_mcnemar():
    assert (round(mcnemar(1, 9), 5), round(mcnemar(1, 9, method="midp"), 5)) == (0.02148, 0.01172)


def test_the_example_of_holm():
    assert holm([0.04, 0.01, 0.03]) == [0.06, 0.03, 0.06]
    assert repr(holm([0.04, math.nan, 0.03])) == "[0.06, nan, 0.06]"


def test_the_example_of_letters():
    assert letters(3, [frozenset({0, 2})]) == ["a", "ab", "b"]


@pytest.mark.parametrize("parts", [3, 6, 7, 10, 13])
@pytest.mark.parametrize("seed", range(4))
def test_what_a_unit_is_divided_by_moves_no_interval(parts, seed):
    """Sums of thirds are rounded, sums of whole numbers are not: where a resample ties must be the same."""
    hit = np.random.default_rng(seed).integers(0, parts + 1, 9)
    keys = list(map(str, range(len(hit))))
    shares, whole = (
        intervals(Units.of("d", keys, Counts({"hit": hit / by, "n": np.full(9, parts / by)})), proportion, Resampling())
        for by in (parts, 1)
    )
    assert [shares["p"].low, shares["p"].high] == pytest.approx([whole["p"].low, whole["p"].high], abs=1e-9)


def test_resamples_without_a_value_do_not_move_the_tails():
    """One unit is predicted, of ten: where it is drawn precision is 1, and elsewhere 0/0."""
    made = Units.of("d", map(str, range(10)), Counts({"hit": [1.0] + [0.0] * 9, "n": [1.0] * 10}))

    def divide(sums):
        return {"f": np.where(sums["hit"] > 0, sums["hit"] / sums["n"], np.nan)}

    found, plain = (intervals(made, divide, Resampling(method=method))["f"] for method in ("bca", "percentile"))
    assert 0.1 == found.low < found.high <= plain.high
