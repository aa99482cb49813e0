"""Shapes of any size, and by how much longer a larger one takes."""

import time

STEPS = 4
"""How many times as large the larger one is: in proportion it takes 4 times as long, and by the square 16 times."""


def star(size):
    return [(f"n{row}", "n0") for row in range(1, size + 1)]


def chain(size):
    return [(f"n{row}", f"n{row + 1}") for row in range(size)]


def cycle(size):
    return [(f"n{row}", f"n{(row + 1) % size}") for row in range(size)]


def clique(size):
    nodes = int((2 * size) ** 0.5)
    return [(f"n{low}", f"n{high}") for high in range(nodes) for low in range(high)]


def loops(size):
    return [(f"n{row}", f"n{row}") for row in range(size)]


def growth(seconds_of, size, unnoticed):
    """Return how many times as long it takes for ``STEPS`` times the items; what takes less than ``unnoticed`` seconds counts as that."""
    many = seconds_of(STEPS * size)
    return many / max(seconds_of(size) if many > STEPS * unnoticed else 0, unnoticed)


def is_linear(seconds_of, size, unnoticed, steps=STEPS):
    """Return whether ``STEPS`` times the items take about ``steps`` times as long; the next power would be ``STEPS`` times that.

    A first look takes a quarter of the size; only what looks longer there is measured at the whole size, with as much room for noise
    on either side. All is measured twice, as an import or a collection of garbage may fall into one run.
    """
    looks = ((size // 4, unnoticed / 8, 1.2 * steps), (size, unnoticed, 2 * steps))
    return any(growth(seconds_of, *look) < most for *look, most in looks for _ in range(2))


def spent(act, *args):
    """Return the seconds of a processor that a call takes."""
    begin = time.process_time()
    act(*args)
    return time.process_time() - begin
