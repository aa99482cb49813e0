"""Examples of triples/measures/scripts.py."""

import numpy as np

from goldassay.triples.match import pair_documents
from goldassay.triples.measures.scripts import find_best_order, find_dropped, prepare_triple
from goldassay.triples.model import TripleSet


def test_the_example_of_prepare_triple():
    assert prepare_triple(("ALCO_RS-3", "overallLength", "17068.8 (millimetres)")) == (
        "alco rs-3",
        "overall length",
        "17068.8",
    )


def test_the_example_of_find_best_order():
    assert find_best_order(np.array([[0.0, 1.0], [0.0, 1.0]])).tolist() == [0, 1]


def test_the_example_of_find_dropped():
    gold = TripleSet.from_lists({"a": [("x", "r", "y")], "b": []})
    pred = TripleSet.from_lists({"a": [], "b": []})
    assert list(find_dropped(pred, gold, pair_documents(pred=pred, gold=gold), max_length_diff=0)) == [0]
