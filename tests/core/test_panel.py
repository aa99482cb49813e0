"""Examples of core/panel.py."""

import numpy as np

from goldassay.core.panel import Lines, verdict_of_share, worst_first


def test_the_example_of_lines():
    curve = Lines(title="P and R", axis="cosine", thresholds=np.array([0.0, 1.0]), series={"f1": np.array([1.0, 0.5])})
    assert curve.cut is None


def test_the_documents_with_the_lowest_values_come_first():
    assert worst_first(np.array([0.5, 0.0, 0.5]), 3) == ([1, 0, 2], "")
    assert worst_first(np.array([0.5, 0.0, 0.5]), 1) == ([1], "The 1 of 3 documents with the lowest F1.")


def test_what_is_hit_on_both_sides_is_a_hit():
    assert [
        verdict_of_share(2, 2, 2),
        verdict_of_share(2, 2, 3),
        verdict_of_share(0, 1, 0),
        verdict_of_share(0, 0, 0),
    ] == [
        "hit",
        "partial",
        "missed",
        "hit",
    ]
