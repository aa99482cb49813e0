"""Examples of alignments/measures/ranks.py."""

from goldassay.alignments.measures.ranks import places_of_first


def test_the_example_of_places_of_first():
    assert places_of_first(4, 2).round(4).tolist() == [0.5, 0.3333, 0.1667, 0.0]
