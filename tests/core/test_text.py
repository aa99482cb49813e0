"""Short texts of messages."""

import math

import pytest

from goldassay.core.significance import Interval
from goldassay.core.text import (
    USUAL,
    NumberFormat,
    contrast_names,
    count_of,
    encodable,
    json_text,
    list_first,
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
    assert [count_of(count, "row has", "rows have") for count in (1, 2000)] == ["1 row has", "2,000 rows have"]


def test_the_example_of_separating_digits():
    assert (separating_digits(0.7, 0.8), separating_digits(0.7, 0.70000001)) == (6, 8)


def test_the_example_of_contrast_names():
    assert (
        contrast_names(["ugoa1_en_ucl", "x"], ["ugoa1_en_ucn"]) == "for example 'ugoa1_en_ucl' against 'ugoa1_en_ucn'"
    )


def test_the_example_of_value():
    assert (USUAL.value(0.5), NumberFormat(1, percent=True).value(0.5), USUAL.value(math.nan)) == (
        "0.5000",
        "50.0",
        "-",
    )


def test_the_example_of_within():
    style, found = NumberFormat(2), Interval(0.25, 0.75)
    assert (style.within(0.5, found), style.within(0.5, found, 0.1)) == (
        "0.50 [0.25, 0.75]",
        "0.50 \u00b1 0.10 [0.25, 0.75]",
    )
    assert (style.within(0.5, None, 0.1), style.within(math.nan, found, 0.1)) == ("0.50 \u00b1 0.10", "-")
    assert {style.within(0.5, Interval(*ends)) for ends in ((math.nan, 1.0), (0.0, math.nan))} == {"0.50"}


def test_the_example_of_a_count():
    assert (USUAL.count(1234), USUAL.count(9.196581197), NumberFormat(2).count(9.196581197)) == (
        "1,234",
        "9.1966",
        "9.20",
    )
    assert USUAL.count(math.nan) == "-"


def test_what_was_published_has_no_digit_more():
    percent = NumberFormat(2, percent=True)
    shown = [(USUAL.stated(value), percent.stated(value)) for value in (0.538, 0.5384615, 0.5, 1e-05, 1)]
    assert shown == [("0.538", "53.8"), ("0.5385", "53.85"), ("0.5", "50"), ("0.0000", "0.00"), ("1", "100")]
    assert USUAL.stated(math.nan) == "-"


def test_the_example_of_list_first():
    assert (list_first(["a", "b"]), list_first(["a", "b", "c", "d", "e", "f"])) == ("a, b", "a, b, c, d, e and 1 more")
