"""JSON Lines that are all written alike, read from the places of their quotes: nothing is parsed, and everything is checked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.formats.quoted import (
    BEGIN,
    COLON,
    COMMA,
    EMPTY,
    END,
    HEADER,
    NEXT,
    Codes,
    Kinds,
    Vocabulary,
    in_parts,
    quoted_lines,
)
from goldassay.triples.answers import SLOTS, Batch, Numbers
from goldassay.triples.batches import all_named, batch_of

AT_ONCE = 2**20
"""About so many bytes are looked at at once: what is made for them stays in the cache of a processor."""
BETWEEN = {
    COLON: (": ", ":"),
    COMMA: (", ", ","),
    BEGIN: (": [[", ":[["),
    NEXT: ("], [", "],["),
    END: ("]]}\n{",),
    EMPTY: (": []}\n{", ":[]}\n{"),
}
"""What stands between two texts, each in a word of eight bytes."""


def regular_records(data: bytes, names: Vocabulary, *, first: int) -> Batch | None:
    r"""Read lines that are all written as ``json.dumps`` writes ``{"id": ..., "triples": [[...]]}``, without escapes.

    Args:
        data: Whole lines.
        names: The slots of lines before, to which those of these are added.
        first: The number of the first of them.

    Returns:
        The documents; None if any line is of another shape, which says nothing of whether it can be read. Then ``names`` is not to be
        used again.

    Example:
        >>> regular_records(b'{"id": "d", "triples": [["Oslo", "in", "Norway"]]}\n', Vocabulary(), first=1).slots.names
        ['Oslo', 'in', 'Norway']
        >>> regular_records(b'{"id": "d", "triples": [["Oslo", "in", null]]}\n', Vocabulary(), first=1)
    """
    known = len(names.names)
    ids: list[str] = []
    sizes: list[Numbers] = []
    codes: list[Numbers] = []
    for part in in_parts(data, AT_ONCE):
        found = _part(part, names)
        if found is None:
            return None
        ids += found[0]
        sizes.append(found[1])
        codes.append(found[2])
    if not ids or not all_named(names.names[known:]):
        return None
    return batch_of(
        ids=ids,
        texts=[""] * len(ids),
        lines=range(first, first + len(ids)),
        sizes=np.concatenate(sizes),
        slots=Codes(names.names, np.concatenate(codes)),
    )


def _part(data: bytes, names: Vocabulary) -> tuple[list[str], Numbers, Numbers] | None:
    """Read some lines: their ids, how many triples each has, and the numbers of their slots."""
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
    codes = names.codes(texts.only(slots))
    return None if codes is None else (texts.only(header + 1).listed(), sizes // len(SLOTS), codes)


def _are_triples(slots: Kinds) -> bool:
    """Say whether every triple has three slots."""
    triples: NDArray[np.uint8] = slots.reshape(-1, len(SLOTS))
    return bool((triples[:, :2] == COMMA).all() and ((triples[:, 2] == NEXT) | (triples[:, 2] == END)).all())
