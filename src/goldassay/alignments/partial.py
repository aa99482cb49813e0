"""What partial gold standards of alignments are about: pairs of entities, in whatever test case and by whatever relation."""

from __future__ import annotations

import numpy as np

from goldassay.alignments.lookup import Rows
from goldassay.alignments.model import NO_PAIRS, Alignment, Pairs
from goldassay.core.partial import Restriction


def _terms(alignment: Alignment, rows: Rows) -> list[str]:
    names: list[str] = alignment.terms.gather(rows).to_list()
    return names


def _pairs(alignment: Alignment, of: Alignment | Pairs) -> list[tuple[str, ...]]:
    return list(zip(_terms(alignment, of.sources), _terms(alignment, of.targets), strict=True))


def _keys(alignment: Alignment, of: Alignment | Pairs) -> list[str]:
    return ["\t".join(pair) for pair in _pairs(alignment, of)]


def _cases(alignment: Alignment) -> list[str]:
    return [alignment.case_names[case] for case in alignment.cases.tolist()]


def _ends(alignment: Alignment, rows: Rows) -> list[str]:
    """Name one end of each correspondence in its test case: gold may know an entity in one case and not in another."""
    return ["\t".join(pair) for pair in zip(_cases(alignment), _terms(alignment, rows), strict=True)]


def _within(alignment: Alignment, scope: frozenset[str]) -> Alignment:
    return alignment.take(np.array([scope.issuperset(pair) for pair in _pairs(alignment, alignment)], dtype=np.bool_))


RESTRICTION: Restriction[Alignment] = Restriction(
    keys=lambda alignment: _keys(alignment, alignment),
    take=Alignment.take,
    names=lambda alignment: alignment.terms.to_list(),
    within=_within,
    units=_cases,
    ends={
        "source": lambda alignment: _ends(alignment, alignment.sources),
        "target": lambda alignment: _ends(alignment, alignment.targets),
    },
    others={"denied": NO_PAIRS, "nulls": NO_PAIRS, "candidates": None, "stated": 0, "beyond_unit": None},
    listed=lambda alignment: alignment.candidates is None,
    denied=lambda alignment: _keys(alignment, alignment.denied),
)
