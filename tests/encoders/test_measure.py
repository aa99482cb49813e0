"""When a threshold is so low that random pairs of texts match."""

import numpy as np
import pytest

from goldassay.encoders.measure import lenient_threshold
from goldassay.graphs import Fuzzy, Graph

LENIENT = "the threshold accepts {} of random pairs of these texts"


@pytest.mark.parametrize(
    ("here", "there", "threshold", "inclusive", "share"),
    [
        (20, 20, -0.5, False, "100%"),
        (19, 20, -0.5, False, None),
        (20, 19, -0.5, False, None),
        (20, 25, 0.0, True, "100%"),
        # Only a text and itself: one pair in 25.
        (25, 20, 0.0, False, None),
    ],
)
def test_what_random_pairs_say_of_a_threshold(here, there, threshold, inclusive, share):
    vectors = np.eye(25, dtype=np.float32)
    rows = np.arange(here), np.arange(there)
    found = lenient_threshold(vectors, *rows, threshold=threshold, inclusive=inclusive)
    assert found == (share and LENIENT.format(share))


def test_texts_are_of_their_own_side():
    """Of two directions, one side has both and the other one: about half of the pairs are alike."""
    vectors = np.repeat(np.eye(2, dtype=np.float32), 30, axis=0)
    sides = np.arange(60), np.arange(30)
    assert lenient_threshold(vectors, *sides, threshold=0.5, inclusive=False) == LENIENT.format("49%")
    apart = np.arange(30), np.arange(30, 60)
    assert lenient_threshold(vectors, *apart, threshold=0.5, inclusive=False) is None


def test_the_example_of_lenient_threshold():
    assert (
        lenient_threshold(np.eye(25, dtype=np.float32), np.arange(25), np.arange(25), threshold=-0.5, inclusive=False)
        == "the threshold accepts 100% of random pairs of these texts"
    )


def test_the_example_of_meaningmeasure_curve():
    gold = Graph.from_edges([("leukemia", "cancer"), ("cancer", "disease")])
    pred = Graph.from_edges([("leukemia", "cancer")])
    assert Fuzzy().curve(pred=pred, gold=gold, encoder="hashing").at(0.999).recall == 0.5
