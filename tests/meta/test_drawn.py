"""What the page of a comparison with people draws: each system where its two means are."""

import re
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from goldassay.meta.layouts import HEAD, frame_of
from goldassay.meta.page import _scatter

HUMAN = np.array([[2.0, 4.0], [5.0, np.nan], [np.nan, np.nan], [3.0, 6.0]])
SCORES = np.array([[-0.5, 0.1], [0.4, 0.9], [0.2, 0.3], [0.8, 0.4]])


def scatter(human, scores):
    systems = [f"s{row}" for row in range(len(human))]
    report = SimpleNamespace(ratings=SimpleNamespace(mean=human, systems=systems), matrices={"m": scores})
    drawn = _scatter(report, "m")
    [[wide, high]] = re.findall(r'viewBox="0 0 (\d+) (\d+)"', drawn)
    dots = re.findall(r'<circle cx="([\d.-]+)" cy="([\d.-]+)" r="(\d+)"><title>(\w+)<', drawn)
    return float(wide), float(high), {name: (float(x), float(y), float(r)) for x, y, r, name in dots}


def test_each_system_lies_where_its_means_are():
    wide, high, dots = scatter(HUMAN, SCORES)
    means = {"s0": (3.0, -0.2), "s1": (5.0, 0.4), "s3": (4.5, 0.6)}
    assert dots.keys() == means.keys()
    for name, (across, up) in means.items():
        x, y, radius = dots[name]
        assert radius <= x <= wide - radius
        assert radius <= y <= high - radius
        # The least lies as far from one edge as the greatest from the other.
        assert x == pytest.approx(20 + (across - 3) / 2 * (wide - 40), abs=0.06)
        assert y == pytest.approx(high - 20 - (up + 0.2) / 0.8 * (high - 40), abs=0.06)


def test_systems_that_are_all_alike_lie_on_one_place():
    _, _, dots = scatter(np.ones((3, 2)), np.full((3, 2), 0.5))
    assert len(set(dots.values())) == 1


def test_every_number_of_a_frame_is_one_even_if_none_is_known_or_all_are_whole(monkeypatch):
    rows = [dict(zip(HEAD, ("item", "auc", "m", 1, None, None), strict=True))] * 2
    monkeypatch.setattr("goldassay.meta.layouts.rows_of", lambda report: iter(rows))
    frame = frame_of(None)
    assert dict(frame.schema) == {**dict.fromkeys(HEAD[:3], pl.String), **dict.fromkeys(HEAD[3:], pl.Float64)}
