"""Twice the items of an alignment, or of axioms, take twice the time, what their shape.

Taxonomies have a test of their own (`tests/graphs/test_growth.py`), as chunks of texts have (`tests/concepts/test_growth.py`).
"""

import time

import pytest
from tests.laws.conftest import MODELLED

import goldassay
from goldassay.encoders import HashingEncoder
from goldassay.families import families, family

SIZE, STEPS = 500, 4
ENCODER = HashingEncoder(16)


def star(size):
    return [(f"n{row}", "n0") for row in range(1, size + 1)]


def turned(size):
    return [(high, low) for low, high in star(size)]


def chain(size):
    return [(f"n{row}", f"n{row + 1}") for row in range(size)]


def cycle(size):
    return [(f"n{row}", f"n{(row + 1) % size}") for row in range(size)]


def clique(size):
    nodes = int((2 * size) ** 0.5)
    return [(f"n{low}", f"n{high}") for high in range(nodes) for low in range(high)]


def loops(size):
    return [(f"n{row}", f"n{row}") for row in range(size)]


SHAPES = {
    "alignment": list,
    "axioms": lambda pairs: [("SubClassOf", low, high) for low, high in pairs],
}
"""What a family makes of pairs."""
MEASURES = [
    (kind, measure.name)
    for kind in families()
    if kind in SHAPES
    for measure in family(kind).measures.classes
    if measure.name not in MODELLED
]


def seconds(kind, measure, shape, size):
    """Take the processor time of a score; the same items, and others, on both sides."""
    taken, make = 0.0, SHAPES[kind]
    gold = goldassay.read(make(shape(size)), kind=kind)
    other = goldassay.read(make([(f"{low}x", f"{high}x") for low, high in shape(size)]), kind=kind)
    for pred in (gold, other):
        start = time.process_time()
        goldassay.evaluate(pred, gold=gold, kind=kind, measures=measure, encoder=ENCODER)
        taken += time.process_time() - start
    return taken


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("kind", "name"), MEASURES)
def test_time_grows_with_items(kind, name):
    for shape in (star, turned, chain, cycle, clique, loops):
        few, many = (seconds(kind, name, shape, size) for size in (SIZE, STEPS * SIZE))
        # In proportion it is 4 times as much, and by the square 16 times.
        assert many < 8 * max(few, 0.02), (shape.__name__, few, many)
