"""Examples of `goldassay.concepts.trust`: what its functions give."""

import numpy as np

from goldassay.concepts.model import Concepts
from goldassay.concepts.trust import disjoint, find_warnings, merge_concepts, opposite_concepts


def test_example_of_find_warnings():
    a, b = Concepts.from_lists([("1", ["x"])]), Concepts.from_lists([("q1", ["x"])])
    assert list(find_warnings(a, b)) == [
        "no document of the prediction has the id of a gold document (for example '1' against 'q1'): no match is possible"
    ]


def test_example_of_disjoint():
    a, b = (Concepts.from_lists({"1": [("Fever", code)]}) for code in ("D1", "D2"))
    assert list(disjoint(a, b, None)) == [
        "prediction and gold have no concept in common, for example 'D1' against 'D2'"
    ]


def test_example_of_opposite_concepts():
    assert (
        opposite_concepts(Concepts.from_lists([("d1", ["fever"])]), 1.0, np.random.default_rng(0)).item(0)
        == "d1: fever (negated)"
    )


def test_example_of_merge_concepts():
    gold_standards = [Concepts.from_lists([("q1", ["aspirin", "fever"])]), Concepts.from_lists([("q1", ["aspirin"])])]
    assert len(merge_concepts(gold_standards, 1)) == 2
    assert len(merge_concepts(gold_standards, 2)) == 1
