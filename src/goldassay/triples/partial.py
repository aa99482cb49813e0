"""What partial gold standards of triples are about: triples of documents; a scope names documents."""

from __future__ import annotations

import numpy as np

from goldassay.core.partial import Restriction
from goldassay.triples.model import OBJECT, SUBJECT, Triples


def _documents(triples: Triples) -> list[str]:
    ids: list[str] = triples.ids[triples.documents].tolist()
    return ids


def _named(triples: Triples, *slots: int) -> list[str]:
    """Name each triple by its document and some of its slots, as they are compared."""
    columns = [
        _documents(triples),
        *(triples.keys[triples.rows[:, slot]].tolist() for slot in slots),
    ]
    return ["\t".join(row) for row in zip(*columns, strict=True)]


def _within(triples: Triples, scope: frozenset[str]) -> Triples:
    return triples.of_documents(np.array([name in scope for name in triples.ids.tolist()], dtype=np.bool_))


RESTRICTION: Restriction[Triples] = Restriction(
    keys=lambda triples: _named(triples, *range(triples.rows.shape[1])),
    take=Triples.take,
    names=lambda triples: triples.ids.tolist(),
    within=_within,
    units=_documents,
    ends={"source": lambda triples: _named(triples, SUBJECT), "target": lambda triples: _named(triples, OBJECT)},
)
