import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.core.errors import UsageError
from goldassay.core.spec import format_spec, parse_spec
from goldassay.families import parse
from goldassay.graphs import Fuzzy

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=5,
)
names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)


@given(names, st.dictionaries(names, values, max_size=4))
def test_what_is_written_reads_back(name, parameters):
    assert parse_spec(format_spec(name, parameters)) == (name, parameters)


def test_nan_reads_back():
    assert math.isnan(parse_spec("a(b=nan)")[1]["b"])


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("m", {}),
        ("m()", {}),
        (" m ( a = 1 , b = -2.5e3 ) ", {"a": 1, "b": -2500.0}),
        ("m(a=true, b=False, c=none)", {"a": True, "b": False, "c": None}),
        ("m(a=source-complete, b=rdfs:label)", {"a": "source-complete", "b": "rdfs:label"}),
        ("m(a='it\\'s', b=\"x, y\")", {"a": "it's", "b": "x, y"}),
        ("m(a=[def, indef], b=[])", {"a": ("def", "indef"), "b": ()}),
        ("m(a='1', b='true')", {"a": "1", "b": "true"}),
    ],
)
def test_grammar(text, parameters):
    assert parse_spec(text) == ("m", parameters)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(",
        "m(",
        "m(a)",
        "m(a=)",
        "m(a=1",
        "m(a=1))",
        "m(a=1 b=2)",
        "m(a=1, a=2)",
        "1m",
        "m(a='x)",
        "m x",
        "m(a=[1)",
        "m(a=" + "[" * 5000 + ")",
        "__import__('os').system('true')",
        "m(a=1;b=2)",
    ],
)
def test_what_is_not_a_spec_is_refused_with_an_example(text):
    with pytest.raises(UsageError) as caught:
        parse_spec(text)
    assert "fuzzy(threshold=0.5)" in str(caught.value)


@given(st.text(max_size=40))
def test_no_text_gives_a_foreign_error(text):
    try:
        name, parameters = parse_spec(text)
    except UsageError:
        return
    assert parse_spec(format_spec(name, parameters))[0] == name


@pytest.mark.parametrize("number", [10**5000, -(10**400), 10**41], ids=["5000", "400", "41"])
def test_a_number_of_thousands_of_digits_is_refused(number):
    with pytest.raises(UsageError):
        parse("fuzzy(threshold=1" + "0" * 5000 + ")")
    with pytest.raises(UsageError, match="threshold"):
        Fuzzy(threshold=number)


@pytest.mark.parametrize("part", ["'", '"', "\\'", "[", "(", "a=", ",", "1", "-", "1e", " ", "a=[1,", "#"])
def test_a_mark_that_is_repeated_takes_linear_time(part):
    with pytest.raises(UsageError):
        parse_spec("a(b=" + part * 100_000)


@pytest.mark.parametrize(
    "text", ["true", "None", "NaN", "inf", "-inf", "5", "-1", "1e3", "", "it's", "a\\b", "a, b", "x.y"]
)
def test_a_text_that_looks_like_something_else_reads_back(text):
    assert parse_spec(format_spec("m", {"a": text})) == ("m", {"a": text})


def test_infinity_has_a_sign():
    assert parse_spec("m(a=-inf, b=inf)")[1] == {"a": -math.inf, "b": math.inf}


def test_lists_are_eight_deep_and_no_deeper():
    assert parse_spec("m(a=" + "[" * 8 + "1" + "]" * 8 + ")")[1]["a"] == ((((((((1,),),),),),),),)
    with pytest.raises(UsageError):
        parse_spec("m(a=" + "[" * 9 + "1" + "]" * 9 + ")")


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("m(a=1", "the end", "','"),
        ("m(a=1 b=2)", " b=2)", "','"),
        ("m(a:" + "b" * 30, "a:" + "b" * 30, "name or name(parameter=value, ...)"),
        ("m(a=1;" + "b" * 30, ";" + "b" * 19, "','"),
        ("1m", "1m", "name or name(parameter=value, ...)"),
        ("", "the end", "name or name(parameter=value, ...)"),
        ("m(a=1))abcdefghijklmnopqrstuvwxyz", ")abcdefghijklmnopqrs", "name or name(parameter=value, ...)"),
        ("m(a=1, a=2)", "'a' given twice", "name or name(parameter=value, ...)"),
    ],
)
def test_an_error_says_what_was_found_and_expected(text, found, expected):
    with pytest.raises(UsageError) as caught:
        parse_spec(text)
    assert (caught.value.found, caught.value.expected) == (found, expected)


def test_long_numbers_take_linear_time():
    # Quadratic time would take minutes here.
    word = "9" * 200_000 + "x"
    assert parse_spec(f"discrepancy(optional=[{word}])")[1] == {"optional": (word,)}


def test_a_number_has_forty_characters_at_most():
    assert parse_spec(f"fuzzy(threshold=0.{'1' * 38})")[1] == {"threshold": float(f"0.{'1' * 38}")}
    with pytest.raises(UsageError, match="too long"):
        parse_spec(f"fuzzy(threshold=0.{'1' * 39})")


def test_a_long_spec_and_a_long_number_are_cut_in_messages():
    with pytest.raises(UsageError) as caught:
        parse_spec("x" * 79 + "yz(")
    assert f"{'x' * 79}y' is not" in str(caught.value)
    with pytest.raises(UsageError) as caught:
        parse_spec("a(b=" + "1" * 19 + "2" * 300 + ")")
    assert f"{'1' * 19}2... (319 characters)" in str(caught.value)


def test_the_example_of_format_spec():
    assert (
        format_spec("fuzzy", {"threshold": 0.5, "inclusive": True, "relation": "exact"})
        == "fuzzy(threshold=0.5, inclusive=true, relation=exact)"
    )
    assert format_spec("literal", {}) == "literal"


def test_the_example_of_parse_spec():
    assert parse_spec("fuzzy(threshold=0.5, relation='exact')") == ("fuzzy", {"threshold": 0.5, "relation": "exact"})
    assert parse_spec("discrepancy(optional=[def, indef])") == ("discrepancy", {"optional": ("def", "indef")})
