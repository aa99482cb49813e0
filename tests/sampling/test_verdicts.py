"""Examples of sampling/verdicts.py."""

from goldassay.sampling.verdicts import _value_of


def test_the_example_of_value_of():
    assert [
        _value_of(text) for text in ("Yes, because it is.", "**No**", '{"verdict": "yes"}', "unsure", "Cannot say")
    ] == [1.0, 0.0, 1.0, None, None]
