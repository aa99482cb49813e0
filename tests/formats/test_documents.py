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
