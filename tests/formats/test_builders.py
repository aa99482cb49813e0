"""Examples of `goldassay.formats.builders`: what its functions give."""

from goldassay.formats.builders import are_extractions, are_tuples, is_of_builder
from goldassay.formats.source import Source


def test_example_of_is_of_builder():
    assert is_of_builder(Source(path="a", name="a", data=b'{"graph_dict": {}}', size=18))
    assert not is_of_builder(Source(path="a", name="a", data=b'{"nodes": [], "links": []}', size=26))


def test_example_of_are_tuples():
    assert are_tuples('("entity"<|>Oslo<|>City<|>A city.)')
    assert not are_tuples("entity,Oslo")


def test_example_of_are_extractions():
    assert are_extractions("0.98: (Oslo; is in; Norway)")
    assert not are_extractions("Oslo is in Norway.")
