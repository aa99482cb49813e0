"""The kinds of errors of correspondences: what the other side has of their two entities."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldassay.core.matching import SideName
from goldassay.kernels.kin import Neighbours, have_common
from goldassay.kernels.ragged import ranges
from goldassay.kernels.types import Rows

if TYPE_CHECKING:
    from goldassay.alignments.hierarchy import Hierarchy
    from goldassay.alignments.match import AlignmentMatching

ERRORS: Mapping[str, str] = MappingProxyType({
    "denied": "gold states that the two are not related",
    "wrong relation": "the other side relates the two, but otherwise, or the pair is matched already",
    "reversed": "the other side has the pair with source and target exchanged",
    "near miss (1 step)": "the other side relates one of the two to a parent or a child of the other",
    "near miss (2 steps)": "the other side relates one of the two to a sibling, grandparent or grandchild of the other",
    "source and target unknown": "the other side relates neither of the two to anything",
    "source unknown": "the other side does not relate the source to anything",
    "target unknown": "the other side does not relate the target to anything",
    "wrong pair": "the other side relates both, but to others",
})  # fmt: skip
"""What each kind of error means, in the order in which they are tried. Steps are known where an ontology is given."""
MOST = 64
"""An entity that the other side relates to more others has no near misses of two steps."""


def kinds_of(matching: AlignmentMatching, side: SideName, rows: Rows) -> list[str]:
    """Name for each of some correspondences what the other side has of it: the first of `ERRORS` that holds."""
    numbering, size = matching.numbering, len(matching.numbering.terms)
    sides = (matching.pred_items, False), (matching.gold_items, True)
    (here, of_gold), (there, other_gold) = sides if side == "pred" else sides[::-1]
    case, source, target = (column[rows] for column in numbering.entities(here, gold=of_gold))
    cases, sources, targets = numbering.entities(there, gold=other_gold)
    own, others = (case * size + source, case * size + target), (cases * size + sources, cases * size + targets)
    unknown = [~np.isin(mine, theirs) for mine, theirs in zip(own, others, strict=True)]
    denied = numbering.pair_keys(matching.gold_items.denied, gold=True) if side == "pred" else []
    holds = [
        np.isin(own[0] * size + target, denied),
        np.isin(own[0] * size + target, others[0] * size + targets),
        np.isin(own[1] * size + source, others[0] * size + targets),
        *_near(matching, np.column_stack([*own, source, target]), np.column_stack([*others, sources, targets])),
        unknown[0] & unknown[1],
        *unknown,
        np.ones(len(rows), dtype=np.bool_),
    ]
    return [list(ERRORS)[kind] for kind in np.argmax(np.array(holds), axis=0).tolist()]


def _near(matching: AlignmentMatching, own: Rows, others: Rows) -> NDArray[np.bool_]:
    """Find which correspondences have one end in common with one of the other side, whose other ends are one or two steps apart.

    Columns of both are the keys of source and target within their test case, and the entities.
    """
    near = np.zeros((2, len(own)), dtype=np.bool_)
    ontologies = matching.pred_items.ontologies or matching.gold_items.ontologies
    if ontologies is None or ontologies.flat:
        return near
    for end, hierarchy in ((0, ontologies.target), (1, ontologies.source)):
        order = np.argsort(others[:, end], kind="stable")
        first, last = (np.searchsorted(others[order, end], own[:, end], side=which) for which in ("left", "right"))
        sizes = np.where(last - first <= MOST, last - first, 0)
        owner = np.repeat(np.arange(len(own)), sizes)
        ends = np.column_stack([own[owner, 3 - end], others[order[ranges(first, sizes)], 3 - end]])
        for step, found in enumerate(_apart(hierarchy, matching, ends)):
            near[step, owner[found]] = True
    return near


def _apart(
    hierarchy: Hierarchy, matching: AlignmentMatching, pairs: Rows
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which pairs of entities are a parent and its child, and which have a neighbour in common."""
    edges, size = hierarchy.numbered(matching.numbering.terms)
    both = Neighbours.of(np.concatenate([edges, edges[:, ::-1]]), size)
    return np.isin(pairs[:, 0] * size + pairs[:, 1], both.keys), have_common(both, both, pairs)
