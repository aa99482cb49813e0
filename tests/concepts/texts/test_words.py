"""Examples of `goldassay.concepts.texts.words`: what its functions give."""

from goldassay.concepts.texts.words import is_general, is_measured


def test_example_of_is_general():
    assert [
        word
        for word in ("plan", "visits", "45-year-old", "well-known", "renal", "x-ray", "acute")
        if not is_general(word)
    ] == ["renal", "x-ray"]


def test_example_of_is_measured():
    assert [
        is_measured(name)
        for name in ("left foot", "range of motion", "foot pain", "high blood pressure", "colonoscopies")
    ] == [True, True, False, False, True]
