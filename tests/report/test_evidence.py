"""What is looked up for the page: the group of each item, asked for once."""

from dataclasses import replace

import numpy as np
import pytest

import goldassay
from goldassay.report.evidence import _group_once, view_of

pytestmark = pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
PRED = goldassay.Graph.from_edges([("cat", "pet"), ("dog", "pet"), ("pet", "animal"), ("x", "y")])
GOLD = goldassay.Graph.from_edges([("cat", "pet"), ("pet", "animal"), ("oak", "tree")])


def test_each_item_has_the_group_in_which_it_is_counted():
    report = goldassay.evaluate(PRED, gold=GOLD, measures=["literal", "nodes", "motif"], by="depth", encoder="hashing")
    view = view_of(report, report.runs[0])
    assert "depth" in view.items["literal"].groups
    listed = view.items["literal"]
    [found] = report["literal"].breakdowns
    for row in found.rows():
        for side in ("pred", "gold"):
            of_side = [one == side for one in listed.columns["side"]]
            counted = sum(
                group == row["group"] and here for group, here in zip(listed.groups["depth"], of_side, strict=True)
            )
            assert counted == row["counts"][f"n_{side}"], row


def test_what_an_engine_or_a_saved_report_brings_is_not_looked_up_again():
    report = goldassay.evaluate(PRED, gold=GOLD, measures="literal")
    view = view_of(report, report.runs[0])
    assert view_of(report, replace(report.runs[0], view=view)) is view


def test_items_are_grouped_once_a_pair_of_sides():
    asked = []

    def grouping(items, others):
        asked.append((items, others))
        return np.array([len(asked)])

    one, other, third = [PRED, GOLD, goldassay.Graph.from_edges([])]
    remembered = _group_once(grouping)
    pairs = [(one, other), (one, third), (other, one), (one, other), (one, third)]
    assert [remembered(*pair).tolist() for pair in pairs] == [[1], [2], [3], [1], [2]]
    assert len(asked) == 3
