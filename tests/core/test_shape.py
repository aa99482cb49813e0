"""Examples of core/shape.py."""

import math

from goldassay.core.combination import Combination
from goldassay.core.shape import SavedCombination, write_shape


def test_the_example_of_write_shape():
    assert write_shape(Combination(rule="max", sizes=(5, 4), ceiling={"f1": math.nan}), SavedCombination) == {
        "rule": "max",
        "sizes": [5, 4],
        "mixed": False,
        "ceiling": {"f1": None},
    }
