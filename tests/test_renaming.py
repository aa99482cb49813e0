"""Warnings of names that the other side has in another form."""

import warnings

import pytest

import goldassay
from goldassay.renaming import LOOKED_AT

END = "each belongs in a row of its own, or in a JSON list"


def warned(pred, gold):
    some = (goldassay.Graph.from_edges(edges) for edges in (pred, gold))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        goldassay.evaluate(next(some), gold=next(some), measures="literal")
    return [str(one.message) for one in caught if END in str(one.message)]


SINGLE = [("cat", "pet"), ("dog", "pet"), ("cat", "animal"), ("a;b", "pet")]


@pytest.mark.parametrize(
    ("lists", "text"),
    [
        (
            [("cat", "pet, animal")],
            "1 name of the {} lists several names of the other side, for example 'pet, animal': ",
        ),
        (
            [("cat", "pet, animal"), ("dog;cat", "pet"), ("cat|dog", "pet")],
            "3 names of the {} list several names of the other side, for example 'cat|dog': ",
        ),
        # Not all of what they list is a name there, or they are names of the other side themselves.
        ([("cat", "pet, vehicle"), ("a;b", "pet"), (";", "pet")], None),
    ],
)
def test_names_that_list_names_of_the_other_side(lists, text):
    for what, found in (("prediction", warned(lists, SINGLE)), ("gold", warned(SINGLE, lists))):
        assert found == ([] if text is None else [text.format(what) + END])


@pytest.mark.parametrize("more", [0, 1])
def test_models_with_many_items_are_not_looked_through(more, monkeypatch):
    assert LOOKED_AT == 100_000
    monkeypatch.setattr("goldassay.renaming.LOOKED_AT", len(SINGLE) + 1 - more)
    assert bool(warned([("cat", "pet, animal")], SINGLE)) == (not more)
