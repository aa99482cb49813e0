"""Examples of meta/layouts.py."""

from goldassay.meta.evaluation import Tracked
from goldassay.meta.layouts import places_of_chance


def test_the_example_of_places_of_chance():
    one = Tracked(measure="m", levels={}, chance={}, left_out={}, chance_error={"system": {"spa": 0.002}}, draws=20)
    assert (places_of_chance(one, "system", "spa"), places_of_chance(one, "system", "pearson")) == (2, 4)
