"""Matching: verdicts, the order of misses, and the table of all items."""

import numpy as np

from goldassay.core.matching import Matching, Named, Side


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


def test_hits_alone_make_a_side():
    side = Side.of_hits(np.array([True, False]))
    assert (side.credit.tolist(), side.counterpart.tolist()) == ([1.0, 0.0], [-1, -1])
    assert np.isnan(side.similarity).all()


def test_it_says_how_many_items_are_met():
    assert repr(matching()) == "<Matching: 1 of 3 predicted, 1 of 4 gold items met>"
