"""Examples of unl/measures/sentences.py."""

from fractions import Fraction

from goldassay.unl.measures.sentences import tight_limit


def test_the_example_of_tight_limit():
    assert (
        tight_limit(Fraction(3, 10)),
        tight_limit(Fraction(5, 6)) < 5 / 6,
        Fraction("0.8333333333333334") > Fraction(5, 6),
    ) == (0.3, True, True)
