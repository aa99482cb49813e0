import pytest

from goldassay.core.errors import InputError
from goldassay.formats.documents import json_of
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
