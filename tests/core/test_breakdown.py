"""Groups of a score: the rows of each, divided by the measure, with intervals inside the group."""

import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import goldassay
from goldassay.core.breakdown import _number_labels, break_down, groupings_of
from goldassay.core.groups import Breakdown, group_of_items
from goldassay.core.significance import Interval, Resampling, intervals
from goldassay.core.units import Units
from goldassay.graphs import FAMILY, Graph, Literal, Motif
from goldassay.labels import Flat

EDGES = [("cat", "pet"), ("dog", "pet"), ("pet", "animal"), ("oak", "tree"), ("elm", "tree"), ("ash", "tree")]
GOLD = Graph.from_edges(EDGES)
PRED = Graph.from_edges([*EDGES[:2], EDGES[3], ("elm", "plant"), ("fir", "tree")])
GROUPS = {
    "ten": lambda items, _: ["10" if "tree" in items.item(row) else "9" for row in range(len(items))],
    "lost": lambda items, _: pl.Series([None if "tree" in items.item(row) else "b" for row in range(len(items))]),
    "none": lambda items, _: None,
    "nodes": group_of_items((dict,), lambda items: items),
}


def score(resampling=None):
    report = goldassay.evaluate(PRED, gold=GOLD, measures="literal", intervals=resampling or False)
    return report["literal"]


def test_groups_are_sorted_as_numbers_and_add_up():
    found = break_down(score(), "ten", GROUPS)
    assert found.groups == ("9", "10")
    assert found.counts["n_gold"].tolist() == [3, 3]
    assert found.counts["hit_gold"].tolist() == [2, 1]
    assert found.values["recall"].tolist() == [2 / 3, 1 / 3]
    assert len(found) == 2


def test_rows_without_a_group_are_a_group_without_a_name():
    found = break_down(score(), "lost", GROUPS)
    assert found.groups == ("", "b")
    assert sum(found.counts["n_pred"]) == len(PRED)


def test_a_grouping_may_give_lists_or_series():
    assert (
        break_down(score(), "ten", GROUPS).groups
        == break_down(score(), "ten", {"ten": lambda items, other: pl.Series(GROUPS["ten"](items, other))}).groups
    )


def test_what_there_is_to_group_by():
    assert groupings_of(score(), GROUPS) == ["ten", "lost"]
    with pytest.raises(goldassay.UsageError, match=r"cannot be grouped by none") as caught:
        break_down(score(), "none", GROUPS)
    assert caught.value.expected == "ten, lost"
    with pytest.raises(goldassay.UsageError, match="cannot be grouped by height"):
        break_down(score(), "height", GROUPS)


def test_the_unit_is_a_grouping_too():
    found = break_down(score(), "edge", {})
    assert len(found) == len({*EDGES, ("elm", "plant"), ("fir", "tree")})


def test_intervals_resample_the_units_of_a_group_only():
    resampling = Resampling(resamples=200)
    whole = score(resampling)
    found = break_down(whole, "ten", GROUPS)
    parts = Literal().parts(whole.matching)
    keys = [key for part in parts for key in part.unit_keys()]
    tree = [row for row, key in enumerate(keys) if "tree" in key]
    rows = {
        name: np.concatenate([np.asarray(part.counts.get(name, np.zeros(len(part))), float) for part in parts])[tree]
        for name in ("hit_pred", "hit_gold", "n_pred", "n_gold")
    }
    units = Units.of("edge", [keys[row] for row in tree], goldassay.core.counts.Counts(rows))
    expected = intervals(units, Literal().divide_drawn, resampling)
    assert found.intervals[1] == expected
    assert found.intervals[0] != expected


def test_a_group_of_which_nothing_is_predicted_has_an_f1_of_0_and_no_precision():
    gold = {"d1": "art", "d2": "art", "d3": "law"}
    found = Flat().score(pred={"d1": "art", "d2": "sport", "d3": "art"}, gold=gold)
    lawless = goldassay.breakdown(found, by="label").row(by_predicate=pl.col("group") == "law", named=True)
    assert lawless["recall"] == lawless["f1"] == 0
    assert lawless["precision"] is None


def test_without_intervals_groups_have_none():
    assert break_down(score(), "ten", GROUPS).intervals == ({}, {})


def test_columns_hold_what_each_group_has():
    found = Breakdown(
        by="depth",
        groups=("1", "2"),
        values={"f1": np.array([0.5, math.nan])},
        counts={"n": np.array([1.0, 2.5])},
        intervals=({"f1": Interval(0.25, 0.75)}, {}),
    )
    assert found.columns() == {
        "group": ["1", "2"], "f1": [0.5, None], "f1_low": [0.25, None], "f1_high": [0.75, None], "n": [1, 2.5],
    }  # fmt: skip
    first, second = found.rows()
    assert first == {"group": "1", "values": {"f1": 0.5}, "counts": {"n": 1}, "intervals": {"f1": Interval(0.25, 0.75)}}
    assert second["intervals"] == {}


def test_a_measure_without_rows_says_so():
    motif = Motif().score(pred=PRED, gold=GOLD)
    with pytest.raises(goldassay.UsageError):
        break_down(motif, "depth", {})


def test_a_loaded_report_has_nothing_to_split(tmp_path):
    goldassay.evaluate(PRED, gold=GOLD, measures="literal").save(tmp_path / "report.json")
    loaded = goldassay.load(tmp_path / "report.json")["literal"]
    with pytest.raises(goldassay.UsageError, match="contains values"):
        break_down(loaded, "depth", FAMILY.views.groupings)


def test_groups_that_are_numbers_come_first_and_by_size():
    names, places = _number_labels([pl.Series(["b", "10", None]), pl.Series(["9", "a", "10"])])
    assert names == ["9", "10", "", "a", "b"]
    assert [names[place] for place in places] == ["b", "10", "", "9", "a", "10"]


def refused(items, others):
    del items, others
    raise goldassay.UsageError("This prediction has no such groups.")


def test_a_grouping_that_refuses_these_items_is_not_offered():
    assert groupings_of(score(), {"ten": GROUPS["ten"], "refused": refused}) == ["ten"]


def test_a_score_that_has_no_units_has_no_intervals_in_its_groups():
    whole = replace(score(Resampling(resamples=100)), units=None)
    assert break_down(whole, "ten", GROUPS).intervals == ({}, {})


def test_each_of_several_groups_has_its_interval():
    third = {"third": lambda items, _: [str(row % 3) for row in range(len(items))]}
    found = break_down(score(Resampling(resamples=100)), "third", third)
    assert [sorted(some) for some in found.intervals] == [["f1", "precision", "recall"]] * 3
