"""Intervals of a share: against SciPy and the formulas, on random counts; and how often they hold the truth, computed exactly."""

import math

import numpy as np
import pytest
from scipy import stats

from goldassay.sampling import special
from goldassay.sampling.designs import Estimate
from goldassay.sampling.estimates import design_effect
from goldassay.sampling.intervals import (
    PRIORS,
    adaptive,
    finite_size,
    mid_p,
    shortest,
    wilson,
    wilson_poisson,
)

RANDOM = np.random.default_rng(7)
COUNTS = [(int(RANDOM.integers(0, n + 1)), int(n)) for n in RANDOM.integers(2, 400, 25)]


@pytest.mark.parametrize(
    ("a", "b"), [(0.5, 0.5), (1 / 3, 40.3), (2.5, 3.5), (930.4, 11.2), (8000.5, 2000.5), (1.2, 900)]
)
def test_beta_as_scipy_has_it(a, b):
    for share in (1e-6, 0.025, 0.3, 0.5, 0.975, 1 - 1e-6):
        x = float(stats.beta.ppf(share, a, b))
        assert special.beta_quantile(share, a, b) == pytest.approx(x, rel=1e-10, abs=1e-12)
        if 0 < x < 1:
            assert special.beta_share(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-10, abs=1e-12)
            assert special.beta_density(x, a, b) == pytest.approx(stats.beta.pdf(x, a, b), rel=1e-10)


def test_t_as_scipy_has_it():
    for freedom in (1, 2, 7.5, 30, 5000):
        assert special.t_quantile(0.975, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-10)


@pytest.mark.parametrize(
    ("right", "population", "drawn"), [(5, 20, 8), (0, 9, 4), (9, 9, 4), (900, 1000, 300), (9_000_000, 10_000_000, 50)]
)
def test_hypergeometric_as_scipy_has_it(right, population, drawn):
    first, found = special.hypergeometric(right, population, drawn)
    assert found == pytest.approx(
        stats.hypergeom.pmf(np.arange(first, first + len(found)), population, right, drawn), rel=1e-8, abs=1e-12
    )


def test_binomial_as_scipy_has_it():
    first, found = special.binomial(0.3, 20)
    assert found == pytest.approx(stats.binom.pmf(np.arange(21), 20, 0.3), rel=1e-10)
    assert (first, special.binomial(0.0, 4)[0], special.binomial(1.0, 4)[0]) == (0, 0, 4)


def test_wilson_holds_the_shares_that_a_score_test_accepts():
    for right, size in COUNTS:
        for end in map(float, wilson(right, size)):
            if 0 < end < 1:
                distance = abs(right / size - end) / math.sqrt(end * (1 - end) / size)
                assert distance == pytest.approx(special.normal_quantile(0.975), rel=1e-9)


def test_wilson_takes_arrays():
    low, high = wilson(np.array([0, 9]), np.array([10, 10]))
    assert (low[0], float(high[1])) == (0.0, pytest.approx(0.9821, abs=1e-4))


def test_poisson_bounds_only_where_few_are_right():
    assert wilson_poisson(1, 20)[0] == pytest.approx(-math.log(0.95) / 20)
    assert wilson_poisson(3, 50)[0] == float(wilson(3, 50)[0])
    assert wilson_poisson(3, 51)[0] == pytest.approx(stats.chi2.ppf(0.05, 6) / 2 / 51)
    assert wilson_poisson(49, 51)[1] == pytest.approx(1 - stats.chi2.ppf(0.05, 4) / 2 / 51)
    assert wilson_poisson(1.7, 20) == tuple(map(float, wilson(1.7, 20)))


@pytest.mark.parametrize("prior", PRIORS)
def test_shortest_holds_its_share_and_is_shortest(prior):
    for right, size in COUNTS[:8]:
        low, high = shortest(right, size, prior=prior)
        posterior = stats.beta(right + PRIORS[prior], size - right + PRIORS[prior])
        assert posterior.cdf(high) - posterior.cdf(low) == pytest.approx(0.95, abs=1e-9)
        for share in (0.001, 0.01, 0.025, 0.04, 0.049):
            assert high - low <= posterior.ppf(share + 0.95) - posterior.ppf(share) + 1e-9


def accepted(right, drawn, population):
    """All whole numbers of right items that mid-p does not reject, tried one by one."""
    found = []
    for whole in range(population + 1):
        law = stats.hypergeom(population, whole, drawn)
        half = law.pmf(right) / 2
        if law.sf(right) + half > 0.025 and law.cdf(right - 1) + half > 0.025:
            found.append(whole / population)
    return found[0], found[-1]


@pytest.mark.parametrize(
    ("right", "drawn", "population"), [(9, 10, 40), (0, 10, 40), (10, 10, 40), (3, 7, 50), (29, 30, 200), (5, 5, 5)]
)
def test_mid_p_is_what_no_tail_rejects(right, drawn, population):
    assert mid_p(right, drawn, population) == pytest.approx(accepted(right, drawn, population), abs=1e-12)


def test_mid_p_of_an_infinite_population():
    low, high = mid_p(9, 10)
    for end, tail in (
        (low, stats.binom.sf(9, 10, low) + stats.binom.pmf(9, 10, low) / 2),
        (high, stats.binom.cdf(8, 10, high) + stats.binom.pmf(9, 10, high) / 2),
    ):
        assert (end, tail) == (end, pytest.approx(0.025, abs=1e-9))
    assert mid_p(0, 10)[0] == 0.0
    assert mid_p(10, 10)[1] == 1.0
    assert mid_p(180, 200, 10_000_000) == pytest.approx(mid_p(180, 200), abs=2e-5)


@pytest.mark.parametrize(("population", "share"), [(1860, 0.9134), (1386, 0.9921), (9344, 0.8507), (5000, 0.5)])
@pytest.mark.parametrize("drawn", [50, 200])
def test_mid_p_holds_the_truth_as_often_as_promised(population, share, drawn):
    """Exactly: every count, its probability, and whether its interval holds the truth."""
    whole = round(population * share)
    first, probabilities = special.hypergeometric(whole, population, drawn)
    held = [
        low <= whole / population <= high
        for low, high in (mid_p(first + k, drawn, population) for k in range(len(probabilities)))
    ]
    assert probabilities @ np.array(held) >= 0.93


def test_sizes():
    assert float(finite_size(50, 99)) == 100
    assert finite_size(50, None) == 50
    assert float(finite_size(99, 99)) == math.inf


def test_the_adaptive_interval_is_the_shortest_of_the_three():
    chosen = set()
    for right in range(11):
        three = [shortest(right, 10, 0.95, prior=prior) for prior in PRIORS]
        widths = [high - low for low, high in three]
        assert adaptive(right, 10) == three[widths.index(min(widths))]
        chosen.add(widths.index(min(widths)))
    assert len(chosen) > 1


@pytest.mark.parametrize(
    ("effective", "labels", "population", "effect"),
    [(0.5, 2, 10, 2.5), (4.0, 5, 20, 4 / 3), (0.5, 1, 10, 1), (0.5, 10, 10, 1), (0.0, 5, 10, 1), (math.inf, 5, 10, 1)],
)
def test_the_effect_of_a_design_is_against_a_simple_sample_without_replacement(effective, labels, population, effect):
    assert design_effect(Estimate(0.5, 0.1, effective, 3.0), labels, population) == pytest.approx(effect)


def test_the_example_of_wilson():
    assert [round(float(end), 4) for end in wilson(9, 10)] == [0.5958, 0.9821]


def test_the_example_of_shortest():
    assert [round(end, 4) for end in shortest(9, 10)] == [0.6692, 0.9996]


def test_the_example_of_adaptive():
    assert [round(end, 4) for end in adaptive(9, 10)] == [0.6833, 1.0]


def test_the_example_of_mid_p():
    assert [round(end, 4) for end in mid_p(9, 10)] == [0.5965, 0.995]
    assert mid_p(9, 10, 10) == (0.9, 0.9)


def test_the_example_of_finite_size():
    assert float(finite_size(50, 99)) == 100.0
