"""The null model of axioms: their properties and objects, permuted within their kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from goldassay.axioms.coverage import Coverage
from goldassay.axioms.model import FILLER, PROPERTY, Axioms
from goldassay.core.measure import Measure
from goldassay.core.null import Noise, Null, chosen
from goldassay.kernels.swaps import swapped


def permuted(pred: Axioms, gold: Axioms, rng: np.random.Generator, *, share: float = 1.0) -> Axioms:
    """Swap properties, and then objects, between axioms of one kind; no axiom comes twice.

    Example:
        >>> pred = Axioms.from_rows([("Cat", "eats", "Fish", "object"), ("Cow", "likes", "Grass", "object")])
        >>> drawn = permuted(pred, pred, np.random.default_rng(0))
        >>> sorted(drawn.rows[:, 2].tolist()) == sorted(pred.rows[:, 2].tolist())
        True
    """
    del gold
    rows, spelt, kinds = pred.rows.copy(), pred.spelt.copy(), pred.kinds.astype(np.int64)
    some = chosen(len(pred), share, rng)
    for part in (PROPERTY, FILLER):
        origin = swapped(rows, part, rng=rng, groups=kinds, some=some)
        rows[:, part], spelt[:, part] = rows[origin, part], spelt[origin, part]
    return replace(pred, rows=rows, spelt=spelt)


def _is_of_axioms(measure: Measure[Any, Any]) -> bool:
    # Which names there are stays the same, whatever they are put together with.
    return not isinstance(measure, Coverage)


NULLS: Mapping[str, Null[Axioms]] = MappingProxyType(
    {
        "permute-parts": Null(
            title="properties and objects permuted within their kind",
            answers="What do the right names in the right numbers earn, put together at random?",
            citation="gionis2007swap",
            draw=permuted,
            fits=_is_of_axioms,
        )
    }
)
NOISES: Mapping[str, Noise[Axioms]] = MappingProxyType(
    {"permute-parts": lambda axioms, share, rng: permuted(axioms, axioms, rng, share=share)}
)
