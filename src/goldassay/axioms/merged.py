"""Several sets of axioms made one: the axioms that at least so many of them have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from goldassay.axioms.model import KINDS, PARTS, Axioms
from goldassay.core.golds import sources_of
from goldassay.core.intern import Names

Row: TypeAlias = tuple[str, ...]


def merged(golds: Sequence[Axioms], least: int) -> Axioms:
    """Make one set of the axioms that at least so many sets have.

    Two axioms are one if class, property and object are compared alike. Of several spellings, the alphabetically first
    stands for them.

    Example:
        >>> golds = [Axioms.from_rows([("Cat", "eats", "Fish")]), Axioms.from_rows([("Cat", "eats", "Fish"), ("Cow", "eats", "Hay")])]
        >>> len(merged(golds, 1)), len(merged(golds, 2))
        (2, 1)
    """
    found: dict[Row, list[tuple[Row, int]]] = {}
    for axioms in golds:
        keys, spelt = axioms.keys[axioms.rows].tolist(), axioms.spellings[axioms.spelt].tolist()
        for key, shown, kind in zip(keys, spelt, axioms.kinds.tolist(), strict=True):
            found.setdefault(tuple(key), []).append((tuple(shown), kind))
    kept = [(key, *min(stated)) for key, stated in sorted(found.items()) if len(stated) >= least]
    names, rows = _numbered([key for key, _, _ in kept])
    spellings, spelt_rows = _numbered([shown for _, shown, _ in kept])
    kinds = np.array([kind for _, _, kind in kept], dtype=np.int8)
    counts = np.bincount(kinds, minlength=len(KINDS)).tolist()
    return Axioms(
        keys=Names(names),
        rows=rows,
        spellings=Names(spellings),
        spelt=spelt_rows,
        kinds=kinds,
        spelling=golds[0].spelling,
        facts={"names": len(names), **dict(zip(KINDS, counts, strict=True))},
        **sources_of(golds),
    )


def _numbered(rows: Sequence[Row]) -> tuple[list[str], np.ndarray[tuple[int, int], np.dtype[np.int64]]]:
    """List the distinct names, and give the row of each cell in the list."""
    names = sorted({name for row in rows for name in row})
    place = {name: number for number, name in enumerate(names)}
    numbers = np.array([[place[name] for name in row] for row in rows], dtype=np.int64)
    return names, numbers.reshape(-1, len(PARTS))
