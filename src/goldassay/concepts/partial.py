"""What partial gold standards of concepts are about: concepts of documents; a scope names documents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.concepts.model import Concepts, Mentions
from goldassay.core.model import rows_kept
from goldassay.core.partial import Restriction


def _documents(concepts: Concepts) -> list[str]:
    ids: list[str] = concepts.ids[concepts.documents()].tolist()
    return ids


def _keys(concepts: Concepts) -> list[str]:
    columns = (concepts.keys, concepts.said, concepts.values)
    stated = ["\t".join(filter(None, row)) for row in zip(*(column.tolist() for column in columns), strict=True)]
    return [f"{name}\t{stated[word]}" for name, word in zip(_documents(concepts), concepts.words.tolist(), strict=True)]


def taken(concepts: Concepts, mask: NDArray[np.bool_]) -> Concepts:
    """Keep some concepts, and all documents.

    Example:
        >>> kept = taken(Concepts.from_lists([("a", ["x", "y"])]), np.array([False, True]))
        >>> [kept.item(row) for row in range(len(kept))]
        ['a: y']
    """
    place = np.cumsum(mask) - 1
    stay = mask[concepts.mentions.items]
    return replace(
        concepts,
        words=concepts.words[mask],
        starts=np.concatenate([[0], np.cumsum(mask)])[concepts.starts],
        mentions=Mentions(items=place[concepts.mentions.items[stay]], spans=concepts.mentions.spans[stay]),
    )


def _within(concepts: Concepts, scope: frozenset[str]) -> Concepts:
    """Keep some documents with their concepts."""
    inside = np.array([name in scope for name in concepts.ids.tolist()], dtype=np.bool_)
    kept = taken(concepts, inside[concepts.documents()])
    return replace(
        kept,
        ids=kept.ids[inside],
        texts=kept.texts[inside],
        input_rows=rows_kept(kept.input_rows, inside),
        starts=np.concatenate([[0], np.cumsum(np.diff(kept.starts)[inside])]).astype(np.int64),
    )


RESTRICTION: Restriction[Concepts] = Restriction(
    keys=_keys,
    take=taken,
    names=lambda concepts: concepts.ids.tolist(),
    within=_within,
    units=_documents,
)
