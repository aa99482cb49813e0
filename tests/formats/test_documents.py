import pytest

from goldassay.core.errors import InputError
from goldassay.formats.documents import (
    DIGITS,
    holds_all,
    is_deep,
    is_json,
    json_of,
    line_of_value,
    lines_of_members,
    may_be_deep,
    parse_if_json,
    parse_json,
)
from goldassay.formats.source import Source


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"a": 1,\n "b": [NaN]}', 2),
        ('["NaN",\n\n -Infinity]', 3),
        ("[\n1e400]", 2),
        ("[1,\n\n" + "9" * 2000 + "]", 3),
        ('{"a": {"b": 1},\n "c": {"b": 2,\n"b": 3}}', 3),
        ('{"a": 1, "x": [{"a": 1}],\n"a": "a"}', 2),
        ('{"a": "\\"",\n"b": 1,\n"\\u0062": 1}', 3),
        ('{"a":\n"\\ud800"}', 2),
    ],
)
def test_a_value_that_is_not_allowed_has_its_line(text, line):
    with pytest.raises(InputError, match="not allowed") as caught:
        json_of(Source(path="a.json", name="a.json", data=text.encode(), size=len(text)))
    assert caught.value.line == line


@pytest.mark.parametrize("text", ["{ [1]}", "[{ [1]}]", "{[1]: 2}", "{{}: 1}"])
def test_a_key_that_is_no_text_is_broken_json(text):
    with pytest.raises(InputError, match="JSON") as found:
        json_of(Source(path="a.json", name="a.json", data=text.encode(), size=1))
    assert found.value.line == 1


@pytest.mark.parametrize("before", ["[", '[{"a": [1, {}]},\n'])
def test_a_long_text_is_refused_with_its_line(before, monkeypatch):
    monkeypatch.setenv("GOLDASSAY_MAX_LENGTH", "1000")
    data = f'{before}"{"long " * 250}"]'.encode()
    with pytest.raises(InputError, match="too long") as found:
        json_of(Source(path="a.json", name="a.json", data=data, size=1))
    assert found.value.line == 1 + before.count("\n")


@pytest.mark.parametrize("depth", [10, 11, 30])
@pytest.mark.parametrize("text", ["", "]" * 40, '\\"]', "[", "\\\\"])
@pytest.mark.parametrize("others", [0, 100])
def test_brackets_in_texts_hide_no_depth(depth, text, others):
    """A look at the bytes without the values must not take closing brackets in texts for those of lists."""
    data = (f'["{text}",' * (depth - 1) + "[]" + "]" * (depth - 1)).encode()
    data = b"[" * bool(others) + data + b',[["x"]]' * others + b"]" * bool(others)
    assert is_deep(parse_json(data), data, 10) == (depth + bool(others) > 10)


def test_a_record_that_is_deep_is_seen_wherever_it_is():
    deep, flat = b"[" * 40 + b"]" * 40, b'{"a": [1, 2, 3], "b": "some text that is long enough for the others"}'
    assert not may_be_deep(b"\n".join([flat] * 50), len(flat), 20)
    for at in range(50):
        lines = [flat] * 50
        lines[at] = deep
        assert may_be_deep(b"\n".join(lines), len(deep), 20), at


@pytest.mark.parametrize("before", range(0, 70, 7))
def test_a_number_that_is_too_long_is_seen_wherever_it_is(before):
    def number(digits):
        return f'{{"{"x" * before}": {"7" * digits}}}'

    assert parse_json(number(DIGITS.value))
    with pytest.raises(ValueError, match="digits"):
        parse_json(number(DIGITS.value + 1))


def test_example_of_parse_if_json():
    assert parse_if_json("[1]") == [1]
    assert parse_if_json("[1") is None


def test_example_of_is_json():
    assert is_json("null")
    assert not is_json("nil")


def test_example_of_holds_all():
    assert not holds_all({"a": 2}, b'{"a": 1, "a": 2}')
    assert holds_all({"a": ":"}, b'{"a": ":"}')
    assert holds_all([{"a": 1}], b'{"a": 1}')


def test_example_of_is_deep():
    assert not is_deep([[]] * 3, b"[[],[],[]]", 2)
    assert is_deep([[[]]], b"[[[]]]", 2)


def test_example_of_json_of():
    assert json_of(Source(path="a.json", name="a.json", data=b'{"nodes": []}', size=13)) == {"nodes": []}


def test_example_of_lines_of_members():
    page = b'{"nodes": [1,\n {"id": "]"}, \n\n 3]}'
    assert lines_of_members(Source(path="a", name="a", data=page, size=32), "nodes") == [1, 2, 4]


def test_example_of_line_of_value():
    page = b'{"nodes":\n 5}'
    assert line_of_value(Source(path="a", name="a", data=page, size=12), "nodes") == 2
