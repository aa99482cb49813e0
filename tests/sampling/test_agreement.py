"""Examples of sampling/agreement.py."""

import numpy as np

from goldassay.sampling.agreement import alpha, kappa_of


def test_the_example_of_kappa_of():
    assert round(float(kappa_of(np.array([[15, 5], [10, 20.0]]))), 4) == 0.4


def test_the_example_of_alpha():
    assert round(alpha(np.array([[1, 1], [0, 0], [1, 0], [1, np.nan]])), 4) == 0.4444
