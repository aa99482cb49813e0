import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from goldassay.kernels import assigned
from goldassay.kernels.assigned import assign_rows, assign_without_scipy


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("most", [True, False])
def test_the_choice_among_equal_sums_is_that_of_scipy(seed, most):
    rng = np.random.default_rng(seed)
    shape, levels = rng.integers(0, 9, 2), int(rng.integers(1, 6))
    for worth in (rng.integers(0, levels + 1, shape).astype(float), rng.random(shape)):
        for ours, theirs in zip(
            assign_without_scipy(worth, most=most), linear_sum_assignment(worth, most), strict=True
        ):
            assert ours.tolist() == theirs.tolist()


def test_scipy_is_imported_where_there_is_much_to_assign_only(monkeypatch):
    asked = []
    monkeypatch.setattr("scipy.optimize.linear_sum_assignment", lambda *given, **_: asked.append(given) or ([0], [0]))
    monkeypatch.setattr(assigned, "_pairs_left", [13])
    for _ in range(3):
        assign_rows(np.ones((2, 3)))
    assert len(asked) == 1


def test_the_example_of_assign_rows():
    assert [side.tolist() for side in assign_rows(np.array([[1.0, 0.9], [0.8, 0.1]]))] == [[0, 1], [1, 0]]


def test_the_example_of_assign_without_scipy():
    assert [side.tolist() for side in assign_without_scipy(np.array([[1.0], [2.0]]))] == [[1], [0]]
