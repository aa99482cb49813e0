"""How a level by chance is written down."""

import math

import pytest

from goldassay.core.chance import MOST_DRAWS, Chance, ChanceLevel
from goldassay.core.errors import UsageError
from goldassay.core.shape import SavedChance, write_shape


def test_a_level_says_how_it_was_found():
    drawn = Chance(null="reversed", draws=5, seed=3)
    assert str(drawn) == str(ChanceLevel(drawn=drawn)) == "reversed(draws=5,seed=3)"
    assert str(ChanceLevel(drawn=drawn, exact=True)) == "reversed(draws=5,seed=3,moments=exact)"


def test_what_is_no_number_is_none_in_json():
    level = ChanceLevel(drawn=Chance(null="reversed"), expected={"f1": 0.25}, sd={"f1": math.nan, "recall": math.inf})
    found = write_shape(level, SavedChance)
    assert (found["null"], found["draws"], found["seed"], found["exact"]) == ("reversed", 100, 0, False)
    assert (found["expected"], found["sd"], found["adjusted"]) == ({"f1": 0.25}, {"f1": None, "recall": None}, {})


@pytest.mark.parametrize("options", [{"draws": 0}, {"draws": MOST_DRAWS + 1}, {"seed": -1}])
def test_a_number_that_cannot_be(options):
    with pytest.raises(UsageError):
        Chance(**options)


def test_the_ends_of_the_numbers_of_draws():
    assert (Chance(draws=1).draws, Chance(draws=MOST_DRAWS).draws, MOST_DRAWS) == (1, 10**6, 10**6)
