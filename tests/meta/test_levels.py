"""Which levels there are, and how sure a difference of two measures is, by trying every exchange."""

from itertools import product

import numpy as np
import pytest

from goldassay.meta.evaluation import _permute, levels_of

NAN = np.nan
PEOPLE = np.array([[1.0, 0.0, 0.5], [0.2, 0.9, 0.4]])
SOME, OTHER = np.array([[0.9, 0.1, 0.7], [0.1, 0.8, 0.2]]), np.array([[0.3, 0.2, 0.9], [0.8, 0.1, 0.6]])


@pytest.mark.parametrize(
    ("human", "measure", "levels"),
    [
        (PEOPLE, SOME, {"segment", "system"}),
        (PEOPLE[:1], SOME[:1], {"segment"}),
        (np.array([[1.0, NAN], [NAN, 0.5]]), SOME[:, :2], {"segment"}),
        (np.array([[1.0, NAN], [0.0, 0.5]]), SOME[:, :2], {"segment", "system"}),
    ],
)
def test_systems_are_compared_where_two_have_an_item_in_common(human, measure, levels):
    found = levels_of(human, measure)
    assert set(found) - {"item"} == levels
    if "system" in levels:
        assert found["system"]["items"] == int((~np.isnan(human + measure)).all(axis=0).sum())


def correlation(a, b):
    return float(np.corrcoef(a.ravel(), b.ravel())[0, 1])


@pytest.mark.parametrize(("first", "second"), [(SOME, OTHER), (OTHER, SOME), (PEOPLE, OTHER), (SOME, SOME)])
def test_a_difference_is_as_sure_as_the_share_of_exchanges_that_give_as_much(first, second):
    first, second = ((one - one.mean()) / one.std() for one in (first, second))

    def apart(a, b):
        return correlation(PEOPLE, a) - correlation(PEOPLE, b)

    swaps = [np.array(one).reshape(2, 3) for one in product([False, True], repeat=6)]
    drawn = [apart(np.where(swap, second, first), np.where(swap, first, second)) for swap in swaps]
    exact = np.mean(np.abs(drawn) >= abs(apart(first, second)) - 1e-9)
    seen, p = _permute(PEOPLE, (first, second), "segment", 1500, np.random.default_rng(1))
    assert seen == pytest.approx(apart(first, second))
    assert p == pytest.approx(exact, abs=0.05)
    assert p == 1 or exact < 0.5
