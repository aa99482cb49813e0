"""Examples of sampling/special.py."""

from goldassay.sampling.special import beta_quantile, beta_share, t_quantile


def test_the_example_of_beta_share():
    assert round(beta_share(0.5, 2.0, 3.0), 12) == 0.6875


def test_the_example_of_beta_quantile():
    assert round(beta_quantile(0.6875, 2.0, 3.0), 12) == 0.5


def test_the_example_of_t_quantile():
    assert round(t_quantile(0.975, 10), 6) == 2.228139
