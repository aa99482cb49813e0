"""Groupings."""

from goldassay.core.groups import group_of_items
from goldassay.core.matching import Named


def test_a_grouping_of_other_items_knows_no_groups():
    grouping = group_of_items((Named,), lambda items: [name[0] for name in items.names])
    assert grouping(Named(["ab", "cd"]), Named([])) == ["a", "c"]
    assert grouping(range(2), Named([])) is None
