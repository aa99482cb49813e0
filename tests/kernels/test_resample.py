"""Both ways to draw a resample take every unit alike, and each unit as often as it is there."""

import numpy as np
import pytest

from goldassay.kernels import resample
from goldassay.kernels.resample import bootstrap_sums, distinct_rows, sum_swapped


@pytest.mark.parametrize("nanoseconds", [0, 10**9])
@pytest.mark.parametrize("frequency", [[1, 1, 1, 1], [1, 2, 3, 4]])
def test_each_row_is_drawn_as_often_as_its_frequency_says(nanoseconds, frequency, monkeypatch):
    """A time of a binomial draw that is very short, or very long, chooses the way to draw."""
    monkeypatch.setattr(resample, "BINOMIAL", nanoseconds)
    frequency = np.array(frequency)
    units = frequency.sum()
    drawn = bootstrap_sums(np.eye(4), frequency, resamples=4000, seed=0)
    assert set(drawn.sum(axis=1)) == {units}
    # The number of draws of a row is binomial; a mean over 4000 is within 5 standard errors but once in a million times.
    spread = frequency * (1 - frequency / units)
    assert (np.abs(drawn.mean(axis=0) - frequency) < 5 * np.sqrt(spread / 4000)).all()
    assert drawn.var(axis=0) == pytest.approx(spread, rel=0.15)


def test_each_unit_is_swapped_half_of_the_time():
    rows, frequency = np.array([[1.0], [10.0], [1000.0]]), np.array([5, 1, 2])
    sums = sum_swapped(rows, frequency, resamples=4000, seed=0)[:, 0]
    assert set(sums) == {one + ten + thousand for one in range(6) for ten in (0, 10) for thousand in (0, 1000, 2000)}
    assert (sums // 1000).mean() == pytest.approx(1.0, abs=0.06)
    assert (sums % 1000 >= 10).mean() == pytest.approx(0.5, abs=0.04)
    assert (sums % 10).mean() == pytest.approx(2.5, abs=0.09)


@pytest.mark.parametrize("block", [1, 100, resample.BLOCK])
def test_every_unit_is_swapped_and_how_many_are_drawn_at_once_changes_nothing(block, monkeypatch):
    """Coins come in words of 32: one unit more needs another word."""
    expected = sum_swapped(np.eye(33), np.ones(33, dtype=np.int64), resamples=4000, seed=0)
    assert expected.mean(axis=0) == pytest.approx(0.5, abs=5 * 0.5 / 4000**0.5)
    monkeypatch.setattr(resample, "BLOCK", block)
    assert (sum_swapped(np.eye(33), np.ones(33, dtype=np.int64), resamples=4000, seed=0) == expected).all()


@pytest.mark.parametrize("resamples", [1, 250, 251, 700])
@pytest.mark.parametrize("sums", [bootstrap_sums, sum_swapped])
def test_there_are_as_many_sums_as_resamples(sums, resamples):
    assert sums(np.eye(2), np.array([1, 2]), resamples=resamples, seed=0).shape == (resamples, 2)


def test_the_example_of_distinct_rows():
    rows, frequency = distinct_rows(np.array([[1.0, 1.0], [0.0, 1.0], [1.0, 1.0]]))
    assert (rows.tolist(), frequency.tolist()) == ([[0.0, 1.0], [1.0, 1.0]], [1, 2])


def test_the_example_of_bootstrap_sums():
    assert bootstrap_sums(np.array([[2.0]]), np.array([5]), resamples=3, seed=0).ravel().tolist() == [10.0, 10.0, 10.0]


def test_the_example_of_sum_swapped():
    sums = sum_swapped(np.array([[1.0]]), np.array([4]), resamples=1000, seed=0)
    assert (float(sums.min()), float(sums.max())) == (0.0, 4.0)
