"""Twice the edges take twice the time, for any shape of a taxonomy, or four times where each is compared with each."""

import time
from functools import partial

import pytest
from tests.growing import STEPS, chain, clique, cycle, growth, loops, star

import goldassay
from goldassay.core.breakdown import groupings_of
from goldassay.encoders import HashingEncoder
from goldassay.families import family
from goldassay.graphs import Graph

SIZE, UNNOTICED = 1_000, 0.01
GLANCE = 4
"""A first look takes a part of the size, where what grows too fast does so by a smaller factor; so it asks for little more than the line or the square."""
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
    start = time.process_time()
    measure.score(**sides, encoder=ENCODER)
    return time.process_time() - start


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("spec", SPECS + VARIANTS)
def test_time_grows_with_edges(spec):
    measure = goldassay.parse(spec)
    size, most = (SIZE // 2, 2.5 * STEPS**2) if measure.name in SQUARE else (SIZE, 2.5 * STEPS)
    looks = ((size // GLANCE, UNNOTICED / 8, 0.42 * most), (size, UNNOTICED, most))
    for shape in SHAPES:
        # Twice, as an import or a collection of garbage may fall into one run.
        tries = (
            growth(partial(seconds, measure, shape), *look) < allowed for *look, allowed in looks for _ in range(2)
        )
        assert any(tries), shape


def seconds_of_groups(by, size):
    edges = tree(size)
    result = goldassay.parse("literal").score(pred=Graph.from_edges(edges), gold=Graph.from_edges(edges[::2]))
    start = time.process_time()
    assert len(goldassay.breakdown(result, by=by))
    return time.process_time() - start


def test_time_of_groups_grows_with_edges():
    edge = Graph.from_edges([("cat", "pet")])
    groupings = groupings_of(goldassay.parse("literal").score(pred=edge, gold=edge), family("taxonomy").views.groupings)
    assert len(groupings) > 3
    for by in groupings:
        many = seconds_of_groups(by, 20_000)
        assert many < 0.4 or many < 8 * seconds_of_groups(by, 5_000), by
