"""What partial gold standards of axioms are about: axioms by their names as they are compared; a scope names classes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.axioms.model import CLASS, FILLER, Axioms
from goldassay.core.model import rows_kept
from goldassay.core.partial import Restriction


def _names(axioms: Axioms, part: int) -> list[str]:
    names: list[str] = axioms.keys[axioms.rows[:, part]].tolist()
    return names


def _taken(axioms: Axioms, mask: NDArray[np.bool_]) -> Axioms:
    return replace(
        axioms,
        rows=axioms.rows[mask],
        spelt=axioms.spelt[mask],
        kinds=axioms.kinds[mask],
        input_rows=rows_kept(axioms.input_rows, mask),
    )


def _within(axioms: Axioms, scope: frozenset[str]) -> Axioms:
    return _taken(axioms, np.array([name in scope for name in _names(axioms, CLASS)], dtype=np.bool_))


RESTRICTION: Restriction[Axioms] = Restriction(
    keys=lambda axioms: ["\t".join(row) for row in axioms.keys[axioms.rows].tolist()],
    take=_taken,
    names=lambda axioms: _names(axioms, CLASS),
    within=_within,
    ends={"source": lambda axioms: _names(axioms, CLASS), "target": lambda axioms: _names(axioms, FILLER)},
)
