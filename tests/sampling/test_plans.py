"""Plans of a difference: the power that they promise is that of the tests that are made."""

import math

import numpy as np
import pytest
from scipy import stats

from goldassay.core.counts import Counts
from goldassay.core.errors import UsageError
from goldassay.core.replication import difference, part, replicates
from goldassay.core.significance import Resampling, compare
from goldassay.core.units import Units
from goldassay.sampling.plans import (
    RunTest,
    UnitTest,
    fewest_units,
    labels_for,
    needed_for,
    plan_difference,
    power_of,
    simulate_power,
)


def recall(sums):
    return {"recall": sums["hit"] / sums["n"]}


@pytest.mark.parametrize("freedom", [1, 2, 5, 30, 1000])
@pytest.mark.parametrize("shift", [0.0, 0.5, 3.0, 6.0])
def test_the_power_of_t_is_that_of_the_noncentral_t(shift, freedom):
    critical = stats.t.ppf(0.975, freedom)
    expected = stats.nct.sf(critical, freedom, shift) + stats.nct.cdf(-critical, freedom, shift)
    assert power_of(shift, critical, freedom) == pytest.approx(expected, abs=1e-4)


def test_a_floor_is_added_to_the_squared_error():
    random = np.random.default_rng(0)
    s = np.sqrt(random.chisquare(4, 200_000) / 4)
    seen = np.mean((random.normal(3.0, 1.0, 200_000)) ** 2 > (2.0 * s) ** 2 + 1.5**2)
    assert power_of(3.0, 2.0, 4, 1.5) == pytest.approx(seen, abs=0.005)


def share_seen(runs, apart, *, deviation=0.0458, size=100, alike=0.0, trials=300):
    """Make trials of the test of two systems; hits are as likely for every run, or partly on the same units."""
    random, seen = np.random.default_rng(3), 0
    for _ in range(trials):
        hard, given = random.random((2, size)), []
        for side, mean in enumerate((0.65 - apart, 0.65)):
            for _ in range(runs):
                hits = round(size * float(np.clip(random.normal(mean, deviation), 0, 1)))
                order = np.argsort(alike * hard[side] + (1 - alike) * random.random(size))
                given.append(np.isin(np.arange(size), order[:hits]).astype(float))
        units = [Units.of("edge", map(str, range(size)), Counts({"hit": one, "n": np.ones(size)})) for one in given]
        values = [{"recall": float(one.mean())} for one in given]
        found = replicates(units, values, recall, Resampling(resamples=100))["recall"]
        first, second = part(found, range(runs)), part(found, range(runs, 2 * runs))
        seen += difference(first, second, resamples=10_000).p <= 0.05
    return seen / trials


@pytest.mark.parametrize(("runs", "apart"), [(2, 0.15), (3, 0.15), (4, 0.1), (4, 0.15)])
def test_the_planned_power_of_runs_is_that_of_the_test_of_runs(runs, apart):
    planned = RunTest(deviation=0.0458).power(runs, apart)
    # Units that are drawn have some variance by chance, which makes the test a little less powerful.
    assert share_seen(runs, apart) == pytest.approx(planned, abs=0.1)


def test_units_that_systems_find_hard_make_the_test_of_runs_less_powerful():
    size, runs, apart = 100, 4, 0.15
    # Both sides have the same units in each of their runs: the variance of their difference is that of two shares.
    of_units = (0.65 * 0.35 + 0.5 * 0.5) / size
    test = RunTest(deviation=0.0458, of_units=of_units, units=size)
    planned = test.power(runs, apart)
    assert planned < RunTest(deviation=0.0458).power(runs, apart) - 0.2
    assert share_seen(runs, apart, alike=1.0) == pytest.approx(planned, abs=0.1)


def test_runs_do_not_make_up_for_few_units():
    test = RunTest(deviation=0.01, of_units=0.01, units=50)
    with pytest.raises(UsageError, match="No number shows this difference"):
        needed_for(test, 0.15)
    assert test.power(needed_for(test, 0.25), 0.25) >= 0.8


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_with_fewer_units_nothing_is_significant_and_with_that_many_something_is(level):
    fewest = fewest_units(level)
    for count, significant in ((fewest - 1, False), (fewest, True)):
        first, second = (
            Units.of("edge", map(str, range(count)), Counts({"hit": np.full(count, hit), "n": np.ones(count)}))
            for hit in (0.0, 1.0)
        )
        p = compare(first, second, recall, Resampling(resamples=100_000))["recall"].p_randomisation
        assert (p <= 1 - level) == significant
        assert p == pytest.approx(2 / 2**count, rel=0.2)
    assert needed_for(UnitTest(deviation=0.1, level=level, fewest=fewest), 0.9) == fewest


@pytest.mark.parametrize(("units", "apart"), [(12, 0.5), (30, 0.3), (60, 0.2)])
def test_the_planned_power_of_units_is_about_that_of_randomisation(units, apart):
    """A unit differs by 1 in one direction or the other, or by nothing."""
    shares = np.array([0.1, 0.9 - 0.1 - apart, 0.1 + apart])
    deviation = math.sqrt(0.2 + apart - apart**2)
    random, seen, trials = np.random.default_rng(5), 0, 300
    for _ in range(trials):
        way = random.choice([-1.0, 0.0, 1.0], units, p=shares)
        first, second = (
            Units.of("edge", map(str, range(units)), Counts({"hit": hit, "n": np.ones(units)}))
            for hit in ((way < 0).astype(float), (way > 0).astype(float))
        )
        seen += compare(first, second, recall, Resampling(resamples=400))["recall"].p_randomisation <= 0.05
    planned = plan_difference(first, second, recall, "recall")
    assert planned.step == pytest.approx(1)
    test = UnitTest(deviation=deviation, step=planned.step, fewest=6)
    assert seen / trials == pytest.approx(test.power(units, apart), abs=0.1)


def test_labels_of_all_items_leave_nothing_to_test():
    test = UnitTest(deviation=0.6, population=67)
    needed = needed_for(test, 0.1)
    assert needed < 67 < needed_for(UnitTest(deviation=0.6), 0.1)
    assert (test.power(67, 0.1), needed_for(test, 1e-9)) == (1.0, 67)
    parts = np.random.default_rng(0).choice([-1.0, 0.0, 1.0], 500, p=[0.2, 0.6, 0.2])
    of_pilot = UnitTest(deviation=float(parts.std(ddof=1)), population=67)
    assert simulate_power(parts, needed, 0.1, of_pilot) == pytest.approx(of_pilot.power(needed, 0.1), abs=0.05)


@pytest.mark.parametrize("width", [1e-3, 2.5e-5, 1e-6])
def test_labels_for_a_narrow_interval_are_counted_to_the_end(width):
    assert labels_for(width) == pytest.approx((stats.norm.ppf(0.975) / (2 * width)) ** 2, rel=1e-4)


@pytest.mark.parametrize(("difference", "power"), [(0, 0.8), (-0.1, 0.8), (math.inf, 0.8), (0.1, 0), (0.1, 1)])
def test_units_are_planned_for_a_difference_and_a_power_only(difference, power):
    with pytest.raises(UsageError, match="must be positive, and the power between 0 and 1"):
        needed_for(UnitTest(deviation=1.0), difference, power)


def test_the_example_of_labels_for():
    assert (labels_for(0.05, 0.91), labels_for(0.02, 0.91), labels_for(0.01, 0.91)) == (130, 791, 3151)


@pytest.mark.parametrize(
    ("right", "facts", "labels"),
    [(1375, 1386, (41, 136, 390)), (1699, 1860, (126, 764, 3042)), (7949, 9344, (195, 1220, 4879))],
    ids=["yago", "nell", "dbpedia"],
)
def test_published_plans_are_of_the_accuracy_of_a_set_before_it_is_rounded(right, facts, labels):
    # They are listed by accuracies of two places, 0.99, 0.91 and 0.85, which need other numbers of labels.
    assert tuple(labels_for(width, right / facts) for width in (0.05, 0.02, 0.01)) == labels
    assert tuple(labels_for(width, round(right / facts, 2)) for width in (0.05, 0.02, 0.01)) != labels


def test_the_example_of_power_of():
    assert (round(power_of(2.8, 1.96, 1e6), 2), round(power_of(2.8, 12.71, 1), 2)) == (0.8, 0.17)


def test_the_example_of_unittest_power():
    assert (round(UnitTest(deviation=1.0).power(100, 0.28), 2), UnitTest(deviation=1.0, fewest=6).power(5, 9.0)) == (
        0.79,
        0.0,
    )


def test_the_example_of_runtest_power():
    test = RunTest(deviation=0.0458)
    assert [round(test.power(runs, 0.15), 2) for runs in (2, 3, 4)] == [0.07, 0.51, 0.88]


def test_the_example_of_fewest_units():
    assert (fewest_units(), fewest_units(0.99)) == (6, 8)


def test_the_example_of_needed_for():
    assert (needed_for(UnitTest(deviation=1.0), 0.28), needed_for(RunTest(deviation=0.0458), 0.15)) == (103, 4)
