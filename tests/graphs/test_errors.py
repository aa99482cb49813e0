"""Examples of graphs/errors.py."""

import numpy as np

from goldassay.core.intern import Names
from goldassay.graphs.errors import kinds_of


def test_the_example_of_kinds_of():
    pets, seen = Names(["cat", "dog", "pet", "animal"]), Names(["cat", "pet", "animal", "dog", "thing"])
    asked = np.array([[1, 0], [0, 2], [0, 3], [0, 4]])
    assert kinds_of((seen, pets), asked, np.array([[0, 2], [1, 2], [2, 3]])) == [
        "reversed",
        "skips a level",
        "sibling instead of parent",
        "parent unknown",
    ]
