"""The spread of repeated runs against plain loops, known variances and scipy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from goldassay.core.counts import Counts, Division
from goldassay.core.replication import Replicates, Spread, difference, part, replicates, spread
from goldassay.core.significance import Resampling
from goldassay.core.units import Units


def share(sums):
    return {"p": Division(math.nan)("p", sums["hit"], sums["n"])}


def units(row, keys=None):
    keys = map(str, range(len(row))) if keys is None else keys
    return Units.of("edge", keys, Counts({"hit": list(map(float, row)), "n": [1.0] * len(row)}))


def drawn(rows, resampling=None):
    rows = np.asarray(rows, dtype=float)
    points = [{"p": float(row.mean())} for row in rows]
    return replicates([units(row) for row in rows], points, share, resampling or Resampling())["p"]


def test_the_parts_are_those_of_plain_loops():
    random = np.random.default_rng(0)
    rows = random.random((3, 40)) + random.normal(0, 0.3, (3, 1)) + random.normal(0, 0.5, 40)
    boots = []
    for _ in range(20_000):
        places = random.integers(0, 40, 40)
        boots.append([row[places].mean() for row in rows])
    boots = np.array(boots)
    of_mean, of_one = boots.mean(axis=1).var(), boots.var(axis=0).mean()
    found = spread(drawn(rows, Resampling(resamples=20_000)))
    assert found.between_runs == pytest.approx(np.var(rows.mean(axis=1), ddof=1))
    assert found.between_units == pytest.approx((3 * of_mean - of_one) / 2, rel=0.06)
    assert found.sd == pytest.approx(math.sqrt(found.between_runs))


def test_drawing_runs_and_units_in_turn_varies_as_the_parts_foretell():
    random = np.random.default_rng(1)
    rows = random.normal(0, 1, (6, 50)) + random.normal(0, 0.5, (6, 1))
    means = []
    for _ in range(20_000):
        places, runs = random.integers(0, 50, 50), random.integers(0, 6, 6)
        means.append(rows[runs][:, places].mean())
    boots = drawn(rows, Resampling(resamples=20_000)).drawn
    foretold = boots.mean(axis=1).var() + boots.var(axis=1).mean() / 6
    assert np.var(means) == pytest.approx(foretold, rel=0.05)


def test_known_variances_are_found():
    random, sizes = np.random.default_rng(2), (400, 300)
    rows = random.normal(0, 0.1, (sizes[0], 1)) + random.normal(0, 2, (1, sizes[1])) + random.normal(0, 1, sizes)
    found = spread(drawn(rows, Resampling(resamples=2000)))
    assert found.between_runs == pytest.approx(0.1**2 + 1 / 300, rel=0.2)
    assert found.between_units == pytest.approx(2**2 / 300, rel=0.2)


def test_without_units_the_interval_is_students():
    values = np.array([0.2, 0.5, 0.4, 0.7])
    found = spread(Replicates(values=values, drawn=None, units=0), level=0.9)
    theirs = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert (found.interval.low, found.interval.high) == pytest.approx((theirs.low, theirs.high))
    assert found.between_units is None
    assert found.share_of_runs is None


def test_systems_of_as_many_runs_with_one_variance_have_the_p_of_one_t():
    one, other = (Replicates(values=np.array(row), drawn=None, units=0) for row in ([1.0, 2.0, 3.0], [2.5, 3.5, 4.5]))
    found = difference(one, other, resamples=10_000)
    error = math.sqrt(2 / 3)
    assert found.p == pytest.approx(2 * stats.t.sf(1.5 / error, 2), abs=1e-9)
    assert found.interval.low == pytest.approx(1.5 - stats.t.ppf(0.975, 2) * error)


def test_one_run_has_the_variance_of_units_only():
    row = np.random.default_rng(3).random(200)
    found = spread(drawn([row]))
    assert (found.sd, found.between_runs, found.share_of_runs) == (None, None, None)
    reach = stats.t.ppf(0.975, 199) * row.std() / math.sqrt(200)
    assert found.interval.high - found.mean == pytest.approx(reach, rel=0.03)


def test_one_run_without_units_has_no_interval():
    single = Replicates(values=np.array([0.5]), drawn=None, units=0)
    assert spread(single).interval is None
    assert (difference(single, single, resamples=100).p, difference(single, single, resamples=100).interval) == (
        None,
        None,
    )


def test_runs_without_units_have_none():
    found = replicates([None, None], [{"p": 0.5}, {"p": 0.7}], share, Resampling())["p"]
    assert (found.values.tolist(), found.drawn, found.units) == ([0.5, 0.7], None, 0)
    one = replicates([units([1])], [{"p": 1.0}], share, Resampling())["p"]
    assert (one.drawn, one.units) == (None, 0)
    assert replicates([units([1, 0])], [{"p": 0.5}], share, Resampling())["p"].units == 2


def test_systems_of_which_one_has_no_units_differ_by_their_runs_only():
    rows = np.random.default_rng(8).random((3, 50))
    drawn_, plain = drawn(rows), Replicates(values=rows.mean(axis=1) + 0.1, drawn=None, units=0)
    found = difference(drawn_, plain, resamples=100)
    single = Replicates(values=drawn_.values, drawn=None, units=0)
    assert found == difference(single, plain, resamples=100)


def test_systems_on_the_same_units_are_tested_on_these():
    """What is hard for both does not blur their difference."""
    random = np.random.default_rng(4)
    hard = random.normal(0, 5, 100)
    rows = np.vstack([hard + random.normal(0, 0.1, (3, 100)), hard + 0.2 + random.normal(0, 0.1, (3, 100))])
    found = drawn(rows)
    tested = difference(part(found, range(3)), part(found, range(3, 6)), resamples=10_000)
    apart = spread(part(found, range(3)))
    assert apart.interval.high - apart.interval.low > 1
    assert tested.p < 0.01
    assert 0 not in tested.interval


def test_a_difference_between_runs_only_is_none_of_the_systems():
    rows = np.repeat([[0.2], [0.8], [0.3], [0.9]], 1000, axis=1) + np.random.default_rng(5).normal(0, 0.01, (4, 1000))
    found = drawn(rows)
    assert difference(part(found, [0, 1]), part(found, [2, 3]), resamples=10_000).p > 0.5
    assert difference(part(found, [0]), part(found, [1]), resamples=10_000).p < 0.01


def test_units_that_one_run_only_has_count_nothing_in_the_others():
    runs = [units([1, 1, 0], "abc"), units([1, 0], "ad")]
    found = replicates(runs, [{"p": 2 / 3}, {"p": 1 / 2}], share, Resampling())["p"]
    assert found.units == 4
    assert np.nanmean(found.drawn[:, 1]) == pytest.approx(0.5, abs=0.02)


@given(st.lists(st.lists(st.booleans(), min_size=8, max_size=8), min_size=2, max_size=5), st.integers(0, 9))
def test_laws(rows, seed):
    resampling = Resampling(resamples=200, seed=seed)
    found = drawn(rows, resampling)
    one = spread(found)
    assert one.mean in one.interval
    assert one.between_units >= 0
    turned = spread(part(found, range(len(rows))[::-1]))
    assert (turned.mean, turned.between_units) == pytest.approx((one.mean, one.between_units))
    same = difference(found, found, resamples=200)
    assert (same.difference, same.p) == (0, 1)
    forth, back = (difference(part(found, a), part(found, b), resamples=200) for a, b in (((0,), (1,)), ((1,), (0,))))
    assert (forth.difference, forth.p) == pytest.approx((-back.difference, back.p))
    assert 1 / 201 <= forth.p <= 1


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_p_and_interval_say_the_same(level):
    found = drawn(np.random.default_rng(6).random((6, 60)) + np.array([[0], [0], [0], [0.1], [0.2], [0.15]]))
    tested = difference(part(found, range(3)), part(found, range(3, 6)), resamples=10_000, level=level)
    edge = difference(part(found, range(3)), part(found, range(3, 6)), resamples=10_000, level=1 - tested.p)
    assert edge.interval.low == pytest.approx(0, abs=1e-9)
    assert (0 in tested.interval) == (tested.p > 1 - level)


def test_the_chance_of_single_runs_is_counted_once_in_a_difference():
    """Items are alike for both systems, so that the difference varies between runs only."""
    random = np.random.default_rng(7)
    rows = random.normal(0, 3, 300) + random.normal(0, 1, (60, 300))
    found = drawn(rows)
    tested = difference(part(found, range(30)), part(found, range(30, 60)), resamples=10_000)
    between = [found.values[:30].var(ddof=1), found.values[30:].var(ddof=1)]
    single = stats.t.ppf(0.975, 29) * math.sqrt(sum(between) / 30)
    assert (tested.interval.high - tested.interval.low) / 2 == pytest.approx(single, rel=0.12)


@pytest.mark.parametrize(
    ("runs", "others", "share_"),
    [(1.0, 3.0, 0.25), (2.0, 2.0, 0.5), (0.0, 0.0, None), (None, 1.0, None), (1.0, None, None)],
)
def test_the_share_of_runs_is_a_part_of_the_sum(runs, others, share_):
    found = Spread(mean=0.0, sd=None, interval=None, between_runs=runs, between_units=others)
    assert found.share_of_runs == share_


def test_where_one_run_has_no_units_none_is_drawn():
    found = replicates([units([1, 0]), None], [{"p": 0.5}, {"p": 0.5}], share, Resampling())["p"]
    assert (found.drawn, found.units) == (None, 0)


def test_the_interval_of_a_difference_is_that_of_the_formula():
    """With so few runs and units the degrees of freedom matter."""
    random = np.random.default_rng(9)
    rows = random.normal(0, 1, (6, 5)) + random.normal(0, 3, 5) * np.array([[1], [1], [0], [0], [0], [0]])
    found = drawn(rows, Resampling(resamples=500))
    first, second = part(found, [0, 1]), part(found, [2, 3, 4, 5])
    chance = []
    for one in (first, second):
        runs = len(one.values)
        within = np.mean([column.var() for column in one.drawn.T])
        chance.append(max((within - one.drawn.mean(axis=1).var()) * runs / (runs - 1), 0.0) / runs)
    moved = (second.drawn.mean(axis=1) - first.drawn.mean(axis=1)).var()
    assert min(chance) > 0
    assert moved > sum(chance)
    parts = [(first.values.var(ddof=1) / 2, 1), (second.values.var(ddof=1) / 4, 3), (moved - sum(chance), 4)]
    reach = math.sqrt(sum(variance * stats.t.ppf(0.975, freedom) ** 2 for variance, freedom in parts))
    tested = difference(first, second, resamples=500)
    middle = second.values.mean() - first.values.mean()
    assert (tested.interval.low, tested.interval.high) == pytest.approx((middle - reach, middle + reach))


def test_no_p_is_below_that_of_all_resamples_and_the_sample():
    one, other = (Replicates(values=middle + np.linspace(0, 1e-9, 40), drawn=None, units=0) for middle in (0.1, 0.9))
    assert difference(one, other, resamples=99).p == pytest.approx(1 / 100, abs=1e-12)


def test_a_tiny_difference_has_a_p_of_nearly_one():
    one, other = (Replicates(values=np.array([0.0, 1.0]) + apart, drawn=None, units=0) for apart in (0.0, 1e-9))
    assert 0.99 < difference(one, other, resamples=99).p <= 1.0


def test_what_is_undefined_is_not_tested():
    """A comparison with nan is false, and halving then ended at the least p."""
    values = [np.array([0.1, 0.2, 0.3]), np.array([0.7, 0.8, 0.9])]
    unknown, known = np.full((100, 3), np.nan), np.tile([0.1, 0.2, 0.3], (100, 1))
    runs = [Replicates(values=one, drawn=unknown, units=9) for one in values]
    found = difference(*runs, resamples=100)
    assert (found.interval, found.p, spread(runs[0]).interval) == (None, None, None)
    gone = Replicates(values=np.full(3, np.nan), drawn=known, units=9)
    found = difference(gone, Replicates(values=values[0], drawn=known, units=9), resamples=100)
    assert (found.interval, found.p) == (None, None)


def test_the_example_of_replicates():
    units = [Units.of("edge", ["a", "b"], Counts({"hit": [1.0, x], "n": [1.0, 1.0]})) for x in (0.0, 1.0)]
    found = replicates(units, [{"p": 0.5}, {"p": 1.0}], lambda sums: {"p": sums["hit"] / sums["n"]}, Resampling())
    assert (found["p"].values.tolist(), found["p"].drawn.shape) == ([0.5, 1.0], (10000, 2))


def test_the_example_of_spread():
    found = spread(Replicates(values=np.array([0.5, 0.7]), drawn=None, units=0))
    assert (round(found.mean, 2), round(found.sd, 3), found.between_units) == (0.6, 0.141, None)


def test_the_example_of_difference():
    one, other = (Replicates(values=np.array(v), drawn=None, units=0) for v in ([0.1, 0.2, 0.3], [0.7, 0.8, 0.9]))
    found = difference(one, other, resamples=10_000)
    assert (round(found.difference, 2), round(found.p, 4)) == (0.6, 0.018)
