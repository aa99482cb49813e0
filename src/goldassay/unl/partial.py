"""What partial gold standards of sentences are about: whole sentences by their ids, which a scope names too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import UsageError
from goldassay.core.model import rows_kept
from goldassay.core.partial import Restriction
from goldassay.unl.model import Document, Texts


def _ids(model: Document | Texts) -> Sequence[str]:
    """List the ids of sentences."""
    if len(set(model.ids)) < len(model):
        raise UsageError(
            "Partial gold goes by the ids of sentences, which do not tell them apart here.",
            path=model.path,
            found=f"{len(set(model.ids)):,} ids of {len(model):,} sentences",
            expected="an id of its own for each sentence",
        )
    return model.ids


def _some_graphs(document: Document, mask: NDArray[np.bool_]) -> Document:
    kept = mask.tolist()
    return replace(
        document,
        ids=tuple(compress(document.ids, kept)),
        lines=document.lines[mask],
        originals=tuple(compress(document.originals, kept)),
        texts=tuple(compress(document.texts, kept)),
        graphs=document.graphs.take(np.flatnonzero(mask)),
        chosen=True,
    )


def _some_texts(texts: Texts, mask: NDArray[np.bool_]) -> Texts:
    kept = mask.tolist()
    return replace(
        texts,
        ids=tuple(compress(texts.ids, kept)),
        wordings=tuple(compress(texts.wordings, kept)),
        input_rows=rows_kept(texts.input_rows, mask),
        chosen=True,
    )


def _inside(model: Document | Texts, scope: frozenset[str]) -> NDArray[np.bool_]:
    return np.array([name in scope for name in _ids(model)], dtype=np.bool_)


RESTRICTION: Restriction[Document] = Restriction(
    keys=_ids,
    take=_some_graphs,
    names=_ids,
    within=lambda document, scope: _some_graphs(document, _inside(document, scope)),
    units=lambda document: [document.names[row] for row in document.graphs.sentences.tolist()],
)
TEXT_RESTRICTION: Restriction[Texts] = Restriction(
    keys=_ids,
    take=_some_texts,
    names=_ids,
    within=lambda texts, scope: _some_texts(texts, _inside(texts, scope)),
)
