"""Examples of unl/measures/discrepancy.py."""

from goldassay.unl.measures.discrepancy import problems, text_discrepancy
from goldassay.unl.read import document_of


def test_the_example_of_text_discrepancy():
    pred, gold = document_of("[S] agt(a, b) [/S] [S] agt(a,c)[/S]").sentences
    assert repr(text_discrepancy(pred, gold)) == "Fraction(1, 9)"


def test_the_example_of_problems():
    assert problems(document_of("[S] agt(kill(icl>do), hier) [/S]").graphs, words="strict", known=()) == [
        "natural-language word 'hier'"
    ]
