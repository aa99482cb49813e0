"""Examples of alignments/hierarchy.py."""

import numpy as np
import polars as pl

from goldassay.alignments.hierarchy import Hierarchy, mark_reachable, steps_between


def test_the_example_of_steps_between():
    pets = Hierarchy.from_edges([("cat", "pet"), ("pet", "animal")])
    found = steps_between(pets, pl.Series(["cat", "pet", "animal"]), np.array([2]), np.array([0, 1, 2]))
    assert (found.there.tolist(), found.steps.tolist()) == ([0, 1, 2], [2, 1, 0])


def test_the_example_of_mark_reachable():
    assert mark_reachable(np.array([[0, 1], [1, 2]]), 3, np.array([0, 2]), np.array([2, 0])).tolist() == [True, False]
