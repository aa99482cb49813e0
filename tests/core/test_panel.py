"""Examples of core/panel.py."""

import numpy as np

from goldassay.core.panel import Lines


def test_the_example_of_lines():
    curve = Lines(title="P and R", axis="cosine", thresholds=np.array([0.0, 1.0]), series={"f1": np.array([1.0, 0.5])})
    assert curve.cut is None
