import ast
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.core.text import BULLETS
from goldassay.formats.literals import names_in_cell, parse_literal, parse_literals, parse_written

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=8,
)


def as_lists(value):
    if isinstance(value, list | tuple):
        return [as_lists(one) for one in value]
    return {key: as_lists(one) for key, one in value.items()} if isinstance(value, dict) else value


@given(st.lists(VALUES, max_size=3))
def test_what_python_and_json_write_is_read(value):
    try:
        repr(value).encode()
    except UnicodeEncodeError:
        return
    assert parse_literal(repr(value)) == value
    assert parse_literal(json.dumps(value, ensure_ascii=False)) == value


LISTS = st.lists(VALUES | st.sampled_from(["it's", 'the "a"', "a" * 1200]), max_size=3)
CELLS = st.one_of(LISTS.map(repr), LISTS.map(json.dumps), st.sampled_from(["[1", "['a' 'b']", "[" * 1100 + "]" * 1100]))


@given(st.lists(CELLS, max_size=3))
def test_lists_of_many_cells_are_those_of_each(cells):
    try:
        wanted = list(map(parse_literal, cells))
    except ValueError as error:
        with pytest.raises(ValueError, match=re.escape(str(error))):
            parse_literals(cells)
    else:
        assert parse_literals(cells) == wanted


@given(st.text("[](){},:'\"\\ab1.-e nT", max_size=12))
def test_what_python_refuses_is_refused_and_the_rest_means_the_same(text):
    try:
        found = parse_literal(text)
    except ValueError:
        return
    try:
        wanted = json.loads(text)
    except ValueError:
        wanted = ast.literal_eval(text.strip())
    assert found == as_lists(wanted)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "['a'",
        "['a' 'b']",
        "['a', 'b']]",
        "__import__('os').getcwd()",
        "[f'{1}']",
        r"['\ud800']",
        r"['\U00110000']",
        r"['\q']",
        "[1e, 2]",
        "[" * 100_000,
        "('a', " * 100_000,
        "'" + "\\'" * 250_000,
        "[" + "9" * 500_000 + "]",
        "[{" * 100_000,
    ],
)
def test_everything_else_is_refused_at_once(text):
    with pytest.raises(ValueError, match=r"."):
        parse_literal(text)


def test_example_of_parse_written():
    assert parse_written('[["dog", "animal"], // a pet\n ["cat", "ani') == ([["dog", "animal"]], 18, True)


def test_example_of_parse_literals():
    assert parse_literals(["['a', 'b']", "[]"]) == [["a", "b"], []]
    assert parse_literals(['["it\'s"]', "['a']"]) == [["it's"], ["a"]]


def test_example_of_names_in_cell():
    assert names_in_cell("['mammal', 'pet']", plural=False) == ["mammal", "pet"]
    assert names_in_cell("mammal; pet", plural=True) == ["mammal", "pet"]
    assert names_in_cell("{'mammal', 'pet'}", plural=False) == ["mammal", "pet"]
    assert names_in_cell("['mammal' 'pet']", plural=False) == ["mammal", "pet"]
    assert names_in_cell("mammal; pet", plural=False) is None
    assert names_in_cell("[4]annulene", plural=True) is None
    assert names_in_cell("[3]", plural=True) is None
    assert names_in_cell("[]", plural=False) == []


@pytest.mark.parametrize(("cell", "names"), [("+ strand", None), ("+ strand; - strand", ["+ strand", "- strand"])])
def test_a_sign_is_a_part_of_a_name(cell, names):
    assert names_in_cell(cell, plural=True) == names


@pytest.mark.parametrize("bullet", BULLETS)
def test_marks_of_a_list_are_no_part_of_its_names(bullet):
    for between in ("\n", "\r\n", "<br>", "; ", "|"):
        cell = between.join(f"{bullet} {name}" for name in ("T - cell", "gene 2. x"))
        assert names_in_cell(cell, plural=True) == ["T - cell", "gene 2. x"]
    assert names_in_cell(f"{bullet} a; b", plural=True) == ["a", "b"]
    assert names_in_cell(f"{bullet}a; {bullet}b", plural=True) == [f"{bullet}a", f"{bullet}b"]


def test_numbers_are_marks_where_all_names_or_lines_have_one():
    assert names_in_cell("1. a; b\n2. c; d", plural=True) == ["a", "b", "c", "d"]
    assert names_in_cell("1. FC; b", plural=True) == ["1. FC", "b"]
    assert names_in_cell("1. FC", plural=True) is None


@pytest.mark.parametrize("cell", ["{}", "()", "[a]", "(a; b)", '{"a": 1}', "{'a', 1}", "", "  "])
def test_brackets_without_quotes_are_no_list(cell):
    assert names_in_cell(cell, plural=False) is None


def test_brackets_of_python_may_have_escapes():
    assert names_in_cell(r"{'it\'s', 'b'}", plural=False) == ["it's", "b"]
    assert names_in_cell(r"('it\'s',)", plural=False) == ["it's"]
