"""JSON Lines that are all written alike, read from the places of their quotes: nothing is parsed, and everything is checked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.formats.quoted import BEGIN, COLON, COMMA, EMPTY, END, HEADER, NEXT, Kinds, quoted_lines
from goldassay.triples.answers import SLOTS, Batch
from goldassay.triples.batches import batch_of

BETWEEN = {
    COLON: (": ", ":"),
    COMMA: (", ", ","),
    BEGIN: (": [[", ":[["),
    NEXT: ("], [", "],["),
    END: ("]]}\n{",),
    EMPTY: (": []}\n{", ":[]}\n{"),
}
"""What stands between two texts, each in a word of eight bytes."""


def regular_records(data: bytes, *, first: int) -> Batch | None:
    r"""Read lines that are all written as ``json.dumps`` writes ``{"id": ..., "triples": [[...]]}``, without escapes.

    Args:
        data: Whole lines.
        first: The number of the first of them.

    Returns:
        The documents; None if any line is of another shape, which says nothing of whether it can be read.

    Example:
        >>> regular_records(b'{"id": "d", "triples": [["Oslo", "in", "Norway"]]}\n', first=1).slots.names
        ['Oslo', 'in', 'Norway']
        >>> regular_records(b'{"id": "d", "triples": [["Oslo", "in", null]]}\n', first=1)
    """
    found = quoted_lines(data, BETWEEN, (END, EMPTY))
    if found is None:
        return None
    slots = found.listed()
    if slots is None or not found.are_records("id", "triples"):
        return None
    texts, kinds, header, _ = found
    sizes = found.sizes - HEADER
    if (sizes % len(SLOTS)).any() or not _are_triples(kinds[slots]):
        return None
    numbered = texts.only(slots).codes()
    if numbered is None:
        return None
    return batch_of(
        ids=texts.only(header + 1).listed(),
        texts=[""] * len(header),
        lines=range(first, first + len(header)),
        sizes=sizes // len(SLOTS),
        slots=numbered,
    )


def _are_triples(slots: Kinds) -> bool:
    """Say whether every triple has three slots."""
    triples: NDArray[np.uint8] = slots.reshape(-1, len(SLOTS))
    return bool((triples[:, :2] == COMMA).all() and ((triples[:, 2] == NEXT) | (triples[:, 2] == END)).all())
