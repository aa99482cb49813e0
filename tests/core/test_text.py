"""Short texts of messages."""

import math

import pytest

from goldassay.core.text import (
    contrast_names,
    count,
    count_of,
    encodable,
    ends,
    json_text,
    list_first,
    number,
    separating_digits,
    to_one_line,
)


@pytest.mark.parametrize(("count", "more"), [(0, ""), (1, ""), (5, ""), (6, " and 1 more"), (1_005, " and 1,000 more")])
def test_five_names_are_listed(count, more):
    names = [f"n{number}" for number in range(count)]
    assert list_first(names) == ", ".join(names[:5]) + more


def test_the_example_of_json_text():
    assert str(json_text({"a": "one\u2028 \x7f \xe9"})) == '{"a": "one\\u2028 \\u007f é"}'


def test_the_example_of_encodable():
    assert encodable("a\udcff") == r"a\udcff"


def test_the_example_of_to_one_line():
    assert str(to_one_line("two\nlines \x1b[31m")) == "two lines \\x1b[31m"


def test_the_example_of_count_of():
    assert (count_of(1, "edge"), count_of(2000, "edge"), count_of(2, "class"), count_of(0, "property")) == (
        "1 edge",
        "2,000 edges",
        "2 classes",
        "0 properties",
    )


def test_the_example_of_separating_digits():
    assert (separating_digits(0.7, 0.8), separating_digits(0.7, 0.70000001)) == (6, 8)


def test_the_example_of_contrast_names():
    assert (
        contrast_names(["ugoa1_en_ucl", "x"], ["ugoa1_en_ucn"]) == "for example 'ugoa1_en_ucl' against 'ugoa1_en_ucn'"
    )


def test_the_example_of_number():
    assert (number(0.5), number(0.5, places=1, percent=True), number(math.nan)) == ("0.5000", "50.0", "-")


def test_the_example_of_ends():
    assert (ends(0.25, 0.75, places=2), ends(math.nan, math.nan)) == (" [0.25, 0.75]", "")


def test_the_example_of_count():
    assert (count(1234), count(9.196581197), count(9.196581197, places=2)) == ("1,234", "9.1966", "9.20")


def test_the_example_of_list_first():
    assert (list_first(["a", "b"]), list_first(["a", "b", "c", "d", "e", "f"])) == ("a, b", "a, b, c, d, e and 1 more")
