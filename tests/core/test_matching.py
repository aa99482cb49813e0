"""Matching: verdicts, the order of misses, and the table of all items."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import copy, deepcopy
from dataclasses import replace

import numpy as np
import pytest

from goldassay.core.matching import Explanation, Matching, Named, Side, find_common, items_named, to_plain
from goldassay.graphs import Graph


def matching():
    return Matching(
        pred=Side(
            credit=np.array([1.0, 0.5, 0.0]),
            counterpart=np.array([0, 1, -1]),
            similarity=np.array([1.0, 0.7, np.nan]),
        ),
        gold=Side(
            credit=np.array([1.0, 0.25, 0.0, 0.0]),
            counterpart=np.array([0, 1, -1, 1]),
            similarity=np.array([1.0, 0.3, np.nan, 0.6]),
        ),
        pred_items=Named(("a", "b", "c")),
        gold_items=Named(("a", "B", "d", "e")),
    )


def test_what_an_item_earned_is_a_word():
    found = matching()
    assert found.verdicts("pred", np.arange(3)) == ["hit", "partial", "invented"]
    assert found.verdicts("gold", np.arange(4)) == ["hit", "partial", "missed", "missed"]


def test_the_nearest_miss_comes_first_and_what_has_no_counterpart_last():
    assert [miss.item for miss in matching().missed()] == ["e", "B", "d"]
    assert [miss.item for miss in matching().missed(1)] == ["e"]
    assert [miss.counterpart for miss in matching().invented()] == ["B", None]


def test_the_table_has_both_sides():
    table = matching().table()
    assert table["side"] == ["pred"] * 3 + ["gold"] * 4
    assert table["counterpart"] == ["a", "B", None, "a", "b", None, "b"]
    assert Matching.kept


def test_the_columns_are_those_of_the_table_with_floats_as_arrays():
    columns, table = matching().columns(), matching().table()
    assert [name for name, column in columns.items() if isinstance(column, np.ndarray)] == [
        "similarity",
        "credit",
        "weight",
    ]
    assert {type(one) for one in table["similarity"]} == {type(matching().missed(1)[0].similarity)} == {float}
    assert list(columns) == list(table)
    assert all(np.array_equal(columns[name], table[name], equal_nan=name == "similarity") for name in table)


def test_hits_only_make_a_side():
    side = Side.of_hits(np.array([True, False]))
    assert (side.credit.tolist(), side.counterpart.tolist()) == ([1.0, 0.0], [-1, -1])
    assert np.isnan(side.similarity).all()


@pytest.mark.parametrize("again", [copy, deepcopy, lambda side: pickle.loads(pickle.dumps(side)), replace])
def test_a_copy_of_a_side_has_the_arrays_that_were_not_made_yet(again):
    counterpart = np.array([4, -1])
    side = again(Side.of_equals(counterpart))
    assert side.credit.tolist() == [1.0, 0.0]
    assert side.counterpart.tolist() == [4, -1]
    np.testing.assert_array_equal(side.similarity, [1.0, np.nan])
    with pytest.raises(AttributeError):
        side.nothing  # noqa: B018


def test_threads_that_look_at_a_side_first_see_the_same_arrays():
    sides = [Side.of_hits(np.arange(size) % 2 == 0) for size in range(200)]
    with ThreadPoolExecutor(8) as threads:
        seen = list(threads.map(lambda side: (side.similarity, side.counterpart), sides * 4))
    for side, (similarity, counterpart) in zip(sides * 4, seen, strict=True):
        np.testing.assert_array_equal(similarity, side.similarity)
        np.testing.assert_array_equal(counterpart, side.counterpart)


def test_it_says_how_many_items_are_matched():
    assert repr(matching()) == "<Matching: 1 of 3 predicted, 1 of 4 gold items matched>"


def test_names_made_together_are_those_made_one_by_one():
    graph = Graph.from_edges([("n1", "n2"), ("n2", "n3"), ("n1", "n3")], texts={"n1": "cat", "n2": "cat -> pet"})
    rows = np.array([2, 0, 2])
    assert (
        items_named(graph, rows) == ["cat -> n3", "cat -> cat -> pet", "cat -> n3"] == [graph.item(row) for row in rows]
    )
    assert items_named(graph, rows[:0]) == items_named(Named(()), rows[:0]) == []


def test_the_table_names_an_item_once_wherever_it_is_matched():
    asked = []

    class Counted(Named):
        def item_names(self, rows):
            asked.append(rows.tolist())
            return super().item_names(rows)

    sides = {name: Counted(getattr(matching(), name).names) for name in ("pred_items", "gold_items")}
    table = replace(matching(), **sides).table()
    assert [table[name] for name in ("item", "counterpart")] == [[*"abcaBde"], ["a", "B", None, "a", "b", None, "b"]]
    assert asked == [[0, 1, 2], [0, 1, 2, 3]]


def test_what_matched_nothing_has_no_name():
    graph = Graph.from_edges([("cat", "pet"), ("dog", "pet")])
    side = Side(credit=np.array([0.0, 1.0]), counterpart=np.array([-1, 0]), similarity=np.array([np.nan, 1.0]))
    table = Matching(pred=side, gold=side, pred_items=graph, gold_items=graph).table()
    assert table["item"] == ["cat -> pet", "dog -> pet"] * 2
    assert table["counterpart"] == [None, "cat -> pet"] * 2


def test_the_example_of_find_common():
    assert find_common(np.array([7, 8]), np.array([9, 7])).tolist() == [True, False]


def test_the_example_of_items_named():
    assert items_named(Named(("a", "b")), np.array([1, 0])) == ["b", "a"]


def test_the_example_of_named():
    assert Named(("a", "b")).item(1) == "b"


def test_the_example_of_explanation():
    assert (
        str(Explanation("gold", "leukemia -> cancer", "missed", 0.41, "AML -> cancer", {"child": 0.41}))
        == "missed    leukemia -> cancer\n  nearest AML -> cancer at 0.4100 (child 0.4100)"
    )


def test_the_example_of_to_plain():
    assert (to_plain(np.array([0.5])), to_plain(["cat"])) == ([0.5], ["cat"])
