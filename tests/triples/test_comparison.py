"""Examples of `goldassay.triples.comparison`: what its functions give."""

import numpy as np

from goldassay.triples.comparison import Comparison, number_names
from goldassay.triples.model import TripleSet


def test_example_of_number_names():
    a, b = TripleSet.from_lists({"d": [("x", "r", "y")]}), TripleSet.from_lists({"d": [("y", "r", "z")]})
    assert number_names(pred=a, gold=b).gold.tolist() == [2, 1, 4, 3]


def test_example_of_comparison():
    gold = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway")]})
    pred = TripleSet.from_lists({"d": [("Norway", "capital of", "Oslo")]})
    first = np.array([0])
    found = Comparison.of_names(pred=pred, gold=gold).slots(first, first)
    assert found.same.tolist() == [[False, True, False]]
    assert found.swapped.tolist() == [True]
