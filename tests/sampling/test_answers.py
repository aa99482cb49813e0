"""Where the answer of a rater goes in a table, of however few rows."""

import pytest

import goldassay
from goldassay.sampling.answers import chance_of_split
from goldassay.sampling.todo import put_answer

ITEM = {"id": "i1", "text": "cat -> animal", "label": "", "rater": "", "comment": ""}
OTHER = {**ITEM, "id": "i2", "text": "dog -> animal"}


def answer(item="i1", label="yes", rater="Ann", comment=""):
    return {"id": item, "label": label, "rater": rater, "comment": comment}


@pytest.mark.parametrize("others", [[], [OTHER]], ids=["one row", "two rows"])
@pytest.mark.parametrize("before", [[], [{**OTHER, "id": "i0"}]], ids=["first", "later"])
def test_each_rater_has_a_row_next_to_the_item(before, others):
    rows = put_answer([*before, ITEM, *others], answer())
    assert rows == [*before, {**ITEM, **answer()}, *others]
    again = put_answer(rows, answer(label="no", comment="why"))
    assert again == [*before, {**ITEM, **answer(label="no", comment="why")}, *others]
    both = put_answer(rows, answer(rater="Bob"))
    assert both == [*before, {**ITEM, **answer()}, {**ITEM, **answer(rater="Bob")}, *others]
    # What is taken back leaves a row without an answer, or none next to another rater's.
    assert put_answer(rows, answer(label="")) == [*before, ITEM, *others]
    assert put_answer(both, answer(label="")) == [*before, {**ITEM, **answer(rater="Bob")}, *others]


@pytest.mark.parametrize("rows", [[], [ITEM], [ITEM, OTHER]])
def test_an_item_that_is_not_there_is_refused(rows):
    with pytest.raises(goldassay.UsageError, match="does not contain this item"):
        put_answer(rows, answer("i7"))


def test_the_example_of_chance_of_split():
    assert round(chance_of_split([(0, True, True)] * 3 + [(0, False, False)] * 3), 6) == 0.1
