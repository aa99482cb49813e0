"""What partial gold standards of labels are about: labels of instances; a scope names instances."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.core.model import rows_kept
from goldassay.core.partial import Restriction
from goldassay.labels.model import Labels


def _instances(labels: Labels) -> list[str]:
    names: list[str] = labels.ids[labels.instances].tolist()
    return names


def _labels(labels: Labels) -> list[str]:
    names: list[str] = labels.hierarchy.names[labels.labels].tolist()
    return names


def _taken(labels: Labels, mask: NDArray[np.bool_]) -> Labels:
    """Keep some labels, and all instances."""
    return replace(
        labels,
        instances=labels.instances[mask],
        labels=labels.labels[mask],
        scores=labels.scores[mask],
        input_rows=rows_kept(labels.input_rows, mask),
    )


def _within(labels: Labels, scope: frozenset[str]) -> Labels:
    """Keep some instances with their labels."""
    inside = np.array([name in scope for name in labels.ids.tolist()], dtype=np.bool_)
    kept = _taken(labels, inside[labels.instances])
    place = (np.cumsum(inside) - 1).astype(np.int32)
    return replace(kept, ids=kept.ids[inside], instances=place[kept.instances])


RESTRICTION: Restriction[Labels] = Restriction(
    keys=lambda labels: ["\t".join(pair) for pair in zip(_instances(labels), _labels(labels), strict=True)],
    take=_taken,
    names=lambda labels: labels.ids.tolist(),
    within=_within,
    units=_instances,
    ends={"source": _instances, "target": _labels},
)
