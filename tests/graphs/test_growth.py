"""Twice the edges take twice the time, for any shape of a taxonomy, or four times where each is compared with each."""

import time

import pytest

import goldassay
from goldassay.core.breakdown import groupings_of
from goldassay.encoders import HashingEncoder
from goldassay.families import family
from goldassay.graphs import Graph

SIZE, STEPS, UNNOTICED = 1_000, 4, 0.01
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


def chain(size):
    return [(f"n{row}", f"n{row + 1}") for row in range(size)]


def turned(edges):
    return [(high, low) for low, high in edges]


def star(size):
    return [(f"n{row}", "n0") for row in range(1, size + 1)]


def cycle(size):
    return [(f"n{row}", f"n{(row + 1) % size}") for row in range(size)]


def clique(size):
    nodes = int((2 * size) ** 0.5)
    return [(f"n{low}", f"n{high}") for high in range(nodes) for low in range(high)]


def tree(size):
    return [(f"n{row}", f"n{(row - 1) // 2}") for row in range(1, size + 1)]


def loops(size):
    return [(f"n{row}", f"n{row}") for row in range(size)]


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


def growth(measure, shape, size, unnoticed):
    """Return how many times as long it takes for ``STEPS`` times the edges; what takes less than ``unnoticed`` seconds counts as that."""
    # Processor time; in proportion it is 4 times as much, and by the square 16 times.
    many = seconds(measure, shape, STEPS * size)
    return many / max(seconds(measure, shape, size) if many > STEPS * unnoticed else 0, unnoticed)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("spec", SPECS + VARIANTS)
def test_time_grows_with_edges(spec):
    measure = goldassay.parse(spec)
    size, most = (SIZE // 2, 2.5 * STEPS**2) if measure.name in SQUARE else (SIZE, 2.5 * STEPS)
    looks = ((size // GLANCE, UNNOTICED / 8, 0.42 * most), (size, UNNOTICED, most))
    for shape in SHAPES:
        # Twice, as an import or a collection of garbage may fall into one run.
        tries = (growth(measure, shape, *look) < allowed for *look, allowed in looks for _ in range(2))
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
