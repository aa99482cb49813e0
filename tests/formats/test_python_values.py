"""Examples of `goldassay.formats.python_values`: what its functions give."""

from goldassay.formats.python_values import parse_python


def test_example_of_parse_python():
    assert parse_python("[('a', 0.5), ('b',)]") == [["a", 0.5], ["b"]]
