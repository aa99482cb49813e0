"""Shapes of any size, and by how much longer a larger one takes."""

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
