"""Groupings."""

import numpy as np

from goldassay.core.groups import group_of_items, names_at
from goldassay.core.matching import Named


def test_a_grouping_of_other_items_knows_no_groups():
    grouping = group_of_items((Named,), lambda items: [name[0] for name in items.names])
    assert grouping(Named(["ab", "cd"]), Named([])) == ["a", "c"]
    assert grouping(range(2), Named([])) is None


def test_groups_are_named_by_rows():
    assert names_at(("a", "b"), np.array([1, 0, 1], dtype=np.int8)).to_list() == ["b", "a", "b"]
    assert names_at((), np.zeros(0, dtype=np.int64)).to_list() == []
