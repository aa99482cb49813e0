"""The base of models: columns that are kept together, and what several models state."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from goldassay.core.intern import Names
from goldassay.core.items import (
    ColumnModel,
    find_in_scope,
    is_iterable,
    list_documents,
    list_rows,
    make_keys,
    score_of,
    vote,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Pets(ColumnModel):
    columns: ClassVar[tuple[str, ...]] = ("names", "ages", "owners", "rows")

    names: Names
    ages: np.ndarray
    owners: tuple[str, ...]
    rows: np.ndarray | None = None
    homes: tuple[str, ...] = ("Oslo",)


@pytest.mark.parametrize("rows", [np.array([2, 0]), np.array([True, False, True])])
def test_every_column_is_taken_and_nothing_else(rows):
    pets = Pets(names=Names(["cat", "dog", "cow"]), ages=np.array([3, 5, 7]), owners=("Ann", "Bob", "Cem"))
    kept = pets.take(rows)
    order = slice(None, None, -1) if rows.dtype == np.int64 else slice(None)
    assert kept.names.tolist()[order] == ["cat", "cow"]
    assert (kept.ages.tolist()[order], kept.owners[order]) == ([3, 7], ("Ann", "Cem"))
    assert (kept.rows, kept.homes) == (None, ("Oslo",))


def test_votes_are_counted_and_sorted_by_what_is_voted_for():
    models = [[("b", 1), ("a", 2)], [("a", 3)], [("c", 4), ("a", 5)]]
    assert vote(models, 1) == {"a": [2, 3, 5], "b": [1], "c": [4]}
    assert list(vote(models, 1)) == ["a", "b", "c"]
    assert vote(models, 3) == {"a": [2, 3, 5]}
    assert vote([], 1) == {}


def test_no_items_have_no_keys():
    assert make_keys([], []) == make_keys() == []
    assert find_in_scope([], frozenset({"a"})).dtype == np.bool_


def test_the_example_of_list_rows():
    assert list_rows(
        [["a", 1], ("b", "c", 0.5)], lengths=(2, 3), texts=2, expected="(source, target)", kind="alignment"
    ) == [("a", "1"), ("b", "c", 0.5)]


def test_the_example_of_list_documents():
    assert list_documents({"d": ["fever"]}, kind="concepts") == [("d", ["fever"])]


def test_the_example_of_is_iterable():
    assert (is_iterable(["a"]), is_iterable(np.array("a"))) == (True, False)


def test_the_example_of_score_of():
    assert score_of("0.5", 1) == 0.5


def test_the_example_of_make_keys():
    assert make_keys(["cat", "dog"], ["pet", "pet"]) == ["cat\tpet", "dog\tpet"]


def test_the_example_of_find_in_scope():
    assert find_in_scope(["cat", "dog"], frozenset({"dog"})).tolist() == [False, True]


def test_the_example_of_vote():
    assert vote([[("cat", 0.9), ("dog", 0.4)], [("cat", 0.7)]], 2) == {"cat": [0.9, 0.7]}


@pytest.mark.parametrize("make", [list, tuple, np.array, iter])
def test_all_that_has_an_order_is_a_row(make):
    options = {"lengths": (2,), "texts": 2, "expected": "a pair", "kind": "taxonomy"}
    assert list_rows(make([make(["cat", "pet"]), make(["dog", "pet"])]), **options) == [("cat", "pet"), ("dog", "pet")]
