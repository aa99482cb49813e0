"""Examples of cards.py."""

from goldassay.cards import card_lines
from goldassay.graphs import Literal


def test_the_example_of_card_lines():
    assert list(card_lines(Literal)) == ["unknown"]
