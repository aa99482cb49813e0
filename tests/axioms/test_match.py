"""Examples of axioms/match.py."""

import numpy as np

from goldassay.axioms.match import find_first_alike, number_names
from goldassay.axioms.model import Axioms


def test_the_example_of_number_names():
    a, b = Axioms.from_rows([("A", "p", "B")]), Axioms.from_rows([("A", "q", "B")])
    names = number_names(pred=a, gold=b)
    assert (names.pred.tolist(), names.gold.tolist()) == ([[0, 3, 2]], [[0, 1, 2]])


def test_the_example_of_find_first_alike():
    assert find_first_alike(np.array([[1, 2, 3], [1, 5, 4]]), np.array([[1, 9, 3]]), (0, 2)).tolist() == [0, -1]
