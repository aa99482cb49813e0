"""Limits of `goldassay.formats.several_sets`: from which counts on a column separates sets."""

import pytest

from goldassay.core.errors import InputError
from goldassay.formats.choose_columns import Choice
from goldassay.formats.several_sets import find_sets, key_of, may_separate, sets_in_records, written

IDS = 6


def found(name, *, ids=IDS, rows=2 * IDS, pairs, shared=13, values=("one", "two")):
    """Look at a table of ids and labels with a column of some values, in which there are so many pairs of ids and values."""
    choice = Choice({"id": 0, "label": 1}, called={"id": "id", "label": "label"}, unread={name: 2})
    counts = {("id",): ids, ("id", key_of(2)): pairs, ("label", key_of(2)): shared, ("label",): 10}
    return list(find_sets(choice, rows, lambda *columns: counts[columns], lambda _: values))


@pytest.mark.parametrize(("pairs", "refused"), [(1.5 * IDS, True), (1.5 * IDS - 1, False)])
def test_a_column_called_as_sets_separates_them_from_one_and_a_half_values_of_an_id_on(pairs, refused):
    try:
        assert found("model", pairs=pairs) == []
    except InputError:
        assert refused
    else:
        assert not refused


@pytest.mark.parametrize(
    ("pairs", "shared", "warned"), [(1.6 * IDS, 13, 1), (1.6 * IDS - 1, 13, 0), (1.6 * IDS, 12, 0), (2 * IDS, 20, 1)]
)
def test_a_column_of_another_name_separates_sets_where_nearly_all_ids_have_each_value(pairs, shared, warned):
    assert len(found("kind of it", pairs=pairs, shared=shared)) == warned


def test_ids_that_repeat_enough_are_looked_at():
    assert found("kind of it", rows=1.25 * IDS, pairs=2 * IDS)
    assert not found("kind of it", rows=1.25 * IDS - 1, pairs=2 * IDS)
    assert found("kind of it", ids=3, pairs=6)
    assert not found("kind of it", ids=2, pairs=6)


def test_the_beginnings_of_three_values_are_shown():
    [message] = found("kind of it", pairs=4 * IDS, values=["d", "c", "b", "a" * 41])
    assert f"({'a' * 40!r}, 'b', 'c', ...)" in message
    [message] = found("kind of it", pairs=3 * IDS, values=["c", "b", "a"])
    assert "('a', 'b', 'c')" in message


def test_a_column_with_more_than_fifty_values_separates_no_sets_wherever_they_are():
    """The first hundred rows have fifty of them."""
    some = [{"id": at % 60, "label": "x", "model": f"run {at % 50}"} for at in range(120)]
    roles = {"id": "id", "label": "label"}
    with pytest.raises(InputError, match="50 values of 'model'"):
        sets_in_records(roles, some)
    assert sets_in_records(roles, [*some, {"id": 1, "label": "x", "model": "run 50"}]) == []


def test_a_table_without_answers_has_no_sets():
    choice = Choice({"id": 0, "score": 1}, called={"id": "id"}, unread={"model": 2})
    assert not list(find_sets(choice, 2 * IDS, lambda *columns: IDS * len(columns), lambda _: ["one", "two"]))


def test_a_column_may_separate_sets_by_words_that_are_in_each_cell():
    assert may_separate("model", ["1", "2"])
    assert may_separate("kind of it", ["one", "two"])
    assert not may_separate("kind of it", ["1", "2"])
    assert not may_separate("model", ["one", ""])
    assert may_separate("model", [f"run {at}" for at in range(50)])
    assert not may_separate("model", [f"run {at}" for at in range(51)])


def test_what_is_absent_is_the_empty_text():
    assert [written(cell) for cell in (None, "", 1)] == ["", "", "1"]
