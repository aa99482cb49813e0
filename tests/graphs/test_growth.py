"""Twice the edges take twice the time, for any shape of a taxonomy, or four times where each is compared with each."""

from functools import partial

import pytest
from tests.growing import STEPS, chain, clique, cycle, is_linear, loops, spent, star

import goldassay
from goldassay.core.breakdown import groupings_of
from goldassay.encoders import HashingEncoder
from goldassay.families import family
from goldassay.graphs import Graph

SIZE, UNNOTICED = 1_000, 0.01
SPECS = [measure.name for measure in family("taxonomy").measures.classes]
ENCODER = HashingEncoder(16)
SQUARE = ("continuous", "graph")
"""An assignment one to one compares each item of one side with each of the other: four times the items have sixteen times the pairs."""
VARIANTS = [
    "closure(pairs=asserted)",
    "closure(pairs=reduced)",
    "closure(concepts=common)",
]


def turned(edges):
    return [(high, low) for low, high in edges]


def tree(size):
    return [(f"n{row}", f"n{(row - 1) // 2}") for row in range(1, size + 1)]


def elsewhere(edges):
    return [(f"{low}x", f"{high}x") for low, high in edges]


def itself(edges):
    return edges


SHAPES = {
    "the same chain": (chain, itself),
    "a chain and its reverse": (chain, turned),
    "two chains": (chain, elsewhere),
    "a star": (star, itself),
    "a fan": (lambda size: turned(star(size)), itself),
    "a cycle": (cycle, itself),
    "a cycle and a chain": (cycle, lambda edges: edges[1:]),
    "a clique": (clique, itself),
    "a tree": (tree, itself),
    "loops": (loops, itself),
}


def seconds(measure, shape, size):
    made, changed = SHAPES[shape]
    gold = made(size)
    sides = {"pred": Graph.from_edges(changed(gold)), "gold": Graph.from_edges(gold)}
    return spent(partial(measure.score, **sides, encoder=ENCODER))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("spec", SPECS + VARIANTS)
def test_time_grows_with_edges(spec):
    measure = goldassay.parse(spec)
    size, steps = (SIZE // 2, STEPS**2) if measure.name in SQUARE else (SIZE, STEPS)
    for shape in SHAPES:
        assert is_linear(partial(seconds, measure, shape), size, UNNOTICED, steps), shape


def seconds_of_groups(by, size):
    edges = tree(size)
    result = goldassay.parse("literal").score(pred=Graph.from_edges(edges), gold=Graph.from_edges(edges[::2]))
    return spent(partial(goldassay.breakdown, result, by=by))


def test_time_of_groups_grows_with_edges():
    edge = Graph.from_edges([("cat", "pet")])
    groupings = groupings_of(goldassay.parse("literal").score(pred=edge, gold=edge), family("taxonomy").views.groupings)
    assert len(groupings) > 3
    for by in groupings:
        assert is_linear(partial(seconds_of_groups, by), 5_000, 0.1), by
