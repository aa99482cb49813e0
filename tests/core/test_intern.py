"""Numbers of texts: a dictionary and categories of polars give the same, what holds the texts."""

import pickle

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.core import intern
from goldassay.core.intern import Names, Numbering, first_of_each, number_columns, places_among, sort_rows, string_array
from goldassay.core.matching import equal_counterparts, find_common

TEXTS = st.lists(st.text(max_size=2), max_size=12)
KEYS = st.lists(st.integers(-3, 3), max_size=12).map(lambda keys: np.array(keys, dtype=np.int64))
FORMS = {
    "list": list,
    "tuple": tuple,
    "array": string_array,
    "series": lambda texts: pl.Series(texts, dtype=pl.String),
    "category": lambda texts: pl.Series(texts, dtype=pl.String).cast(pl.Categorical),
    "names": Names,
}


@pytest.fixture(params=[0, intern.FEW], ids=["many", "few"])
def limit(request, monkeypatch):
    """Let few texts take the way of many, too."""
    for module in ("goldassay.core.intern", "goldassay.core.matching"):
        monkeypatch.setattr(f"{module}.FEW", request.param)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.usefixtures("limit")
def test_texts_are_numbered_in_order_of_first_appearance(form):
    columns = [FORMS[form](texts) for texts in (["b", "a", "b"], [], ["c", "a", ""])]
    texts, places = number_columns(*columns)
    assert list(texts) == ["b", "a", "c", ""]
    assert [rows.tolist() for rows in places] == [[0, 1, 0], [], [2, 1, 3]]


def check_numbered(columns, form):
    texts, places = number_columns(*map(FORMS[form], columns))
    known = list(texts)
    assert known == list(dict.fromkeys(text for column in columns for text in column))
    assert [[known[row] for row in rows.tolist()] for rows in places] == columns


@given(columns=st.lists(TEXTS, min_size=1, max_size=3), form=st.sampled_from(sorted(FORMS)))
def test_every_form_and_both_ways_number_alike(columns, form):
    check_numbered(columns, form)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intern, "FEW", 0)
        check_numbered(columns, form)


@given(here=TEXTS, there=TEXTS.map(lambda texts: list(dict.fromkeys(texts))))
def test_texts_are_found_among_others(here, there):
    expected = [there.index(text) if text in there else -1 for text in here]
    disjoint = set(here).isdisjoint(there)
    for few in (0, intern.FEW):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(intern, "FEW", few)
            assert places_among(here, there).tolist() == expected
            assert Names(here).is_disjoint(Names(there)) == disjoint


@given(here=KEYS, there=KEYS)
def test_keys_are_found_among_others(here, there):
    rows = there.tolist()
    counterparts = [rows.index(key) if key in rows else -1 for key in here.tolist()]
    for few in (0, intern.FEW):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("goldassay.core.matching.FEW", few)
            patch.setattr(intern, "FEW", few)
            assert equal_counterparts(here, there).tolist() == counterparts
            assert find_common(here, there).tolist() == [found >= 0 for found in counterparts]
            assert first_of_each(there).tolist() == [at for at, key in enumerate(rows) if key not in rows[:at]]


@pytest.mark.parametrize("form", sorted(set(FORMS) - {"category"}))
def test_a_column_of_texts_gives_every_form(form):
    names = Names(FORMS[form](["cat", "dog", "cat"]))
    assert (len(names), names[1], list(names), names.tolist()) == (
        3,
        "dog",
        ["cat", "dog", "cat"],
        ["cat", "dog", "cat"],
    )
    assert names[np.array([1, 0])].tolist() == ["dog", "cat"]
    assert names.take(np.array([2, 1])).tolist() == ["cat", "dog"]
    assert names.series.to_list() == np.asarray(names).tolist() == names.tolist()
    assert np.asarray(names) is names.array
    assert np.array(names) is not names.array
    assert names.places_of({"dog"}) == [1]
    assert pickle.loads(pickle.dumps(names)).tolist() == names.tolist()


def test_texts_with_one_hash_are_reported_apart(monkeypatch):
    monkeypatch.setattr(pl.Series, "hash", lambda series: pl.Series([7] * len(series), dtype=pl.UInt64))
    monkeypatch.setattr(intern, "FEW", 0)
    check_numbered([["b", "a", "b"], ["c", "a"]], "series")


TEXTS_TO_SORT = st.text("aB\u00e9\U00010000\ufb01 ", max_size=3)


@given(st.lists(st.tuples(TEXTS_TO_SORT, TEXTS_TO_SORT), max_size=6))
def test_few_and_many_rows_are_sorted_alike(rows):
    columns = [[row[at] for row in rows] for at in (0, 1)]
    few = sort_rows(*columns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intern, "FEW", -1)
        many = sort_rows(*columns)
    assert [rows[at] for at in few.tolist()] == [rows[at] for at in many.tolist()] == sorted(rows)
    assert sorted(many.tolist()) == list(range(len(rows)))


def test_the_example_of_string_array():
    assert string_array(["a", "b"]).tolist() == ["a", "b"]


def test_the_example_of_names():
    names = Names(["cat", "dog"])
    assert (len(names), names[1], names[np.array([1, 0])].tolist(), names.tolist()) == (
        2,
        "dog",
        ["dog", "cat"],
        ["cat", "dog"],
    )


def test_the_example_of_names_changes():
    assert Names(["a", "a", "b"]).changes().tolist() == [True, False, True]


def test_the_example_of_names_used():
    names, (places,) = Names(["a", "b", "c"]).used(np.array([2, 0, 2]))
    assert (names.tolist(), places.tolist()) == (["c", "a"], [0, 1, 0])


def test_the_example_of_numbering():
    names = Numbering(["cat"])
    assert (names.codes(["dog", "cat"]).tolist(), list(names)) == ([1, 0], ["cat", "dog"])


def test_the_example_of_number_columns():
    assert (
        repr(number_columns(["a", "b"], ["b", "c"]))
        == "(['a', 'b', 'c'], [array([0, 1], dtype=int32), array([1, 2], dtype=int32)])"
    )


def test_the_example_of_places_among():
    assert places_among(["b", "c"], ["a", "b"]).tolist() == [1, -1]


def test_the_example_of_first_of_each():
    assert first_of_each(np.array([7, 7, 5])).tolist() == [0, 2]


def test_the_example_of_sort_rows():
    assert sort_rows(["b", "a", "b"], ["y", "z", "x"]).tolist() == [1, 2, 0]
