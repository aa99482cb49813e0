"""The kinds of errors of correspondences: what the other side has of their two entities."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.hierarchy import Ontologies
from goldassay.core.intern import Names
from goldassay.core.matching import first_that_holds
from goldassay.kernels.kin import Neighbours, have_common
from goldassay.kernels.ragged import find_equal, ranges
from goldassay.kernels.types import Rows

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
    "ranked lower": "in a ranking, the pair is among the candidates, and others are above it",
})  # fmt: skip
"""What each kind of error means, in the order in which they are tried. Steps are known where an ontology is given."""
MOST = 64
"""An entity that the other side relates to more others has no near misses of two steps."""


class Claims(NamedTuple):
    """Case, source and target of each correspondence of one side, numbered as those of the other, int64, shape (correspondences,)."""

    cases: Rows
    sources: Rows
    targets: Rows

    def ends(self, size: int) -> tuple[Rows, Rows]:
        """Return a number for case and source of each, and one for case and target, given how many entities there are."""
        return self.cases * size + self.sources, self.cases * size + self.targets


def kinds_of(asked: Claims, there: Claims, denied: Rows, terms: Names, ontologies: Ontologies | None) -> list[str]:
    """Name for each of some correspondences what the other side has of it: the first of `ERRORS` that holds."""
    size = len(terms)
    own, others = asked.ends(size), there.ends(size)
    pairs, known = own[0] * size + asked.targets, others[0] * size + there.targets
    unknown = [~np.isin(mine, theirs) for mine, theirs in zip(own, others, strict=True)]
    holds = [
        np.isin(pairs, denied),
        np.isin(pairs, known),
        np.isin(own[1] * size + asked.sources, known),
        *_near(asked, there, terms, ontologies),
        unknown[0] & unknown[1],
        *unknown,
        np.ones(len(pairs), dtype=np.bool_),
    ]
    return first_that_holds(ERRORS, holds)


def _near(asked: Claims, there: Claims, terms: Names, ontologies: Ontologies | None) -> NDArray[np.bool_]:
    """Find which correspondences have one end in common with one of the other side, whose other ends are one or two steps apart."""
    near = np.zeros((2, len(asked.cases)), dtype=np.bool_)
    if ontologies is None or ontologies.flat:
        return near
    size = len(terms)
    for end, other, hierarchy in ((0, "targets", ontologies.target), (1, "sources", ontologies.source)):
        mine, theirs = asked.ends(size)[end], there.ends(size)[end]
        order, first, counts = find_equal(mine, theirs)
        sizes = np.where(counts <= MOST, counts, 0)
        owner = np.repeat(np.arange(len(mine)), sizes)
        pairs = np.column_stack([getattr(asked, other)[owner], getattr(there, other)[order[ranges(first, sizes)]]])
        edges, nodes = hierarchy.number_terms(terms)
        both = Neighbours.of(np.concatenate([edges, edges[:, ::-1]]), nodes)
        near[0, owner[np.isin(pairs[:, 0] * nodes + pairs[:, 1], both.keys)]] = True
        near[1, owner[have_common(both, both, pairs)]] = True
    return near
