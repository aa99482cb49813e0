"""Examples of `goldassay.triples.match`: what its functions give."""

import numpy as np

from goldassay.triples.match import equal_sides, pair_documents, sides_of_keys
from goldassay.triples.model import TripleSet


def test_example_of_pair_documents():
    pred = TripleSet.from_lists({"b": [], "c": [("x", "r", "y")], "d": []})
    pairs = pair_documents(pred=pred, gold=TripleSet.from_lists({"a": [], "b": []}))
    assert pairs.ids.tolist() == ["a", "b", "c"]
    assert pairs.pred.tolist() == [-1, 0, 1]
    assert pairs.gold.tolist() == [0, 1, -1]


def test_example_of_equal_sides():
    sides = equal_sides(pred=np.array([[0, 1, 2, 3], [1, 1, 2, 3]]).T, gold=np.array([[1, 1, 2, 3]]).T)
    assert sides[0].counterpart.tolist() == [-1, 0]
    assert sides[1].counterpart.tolist() == [1]


def test_example_of_sides_of_keys():
    assert sides_of_keys(np.array([7, 8]), np.array([9, 7]))[1].counterpart.tolist() == [-1, 0]
