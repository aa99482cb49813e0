"""Validity of graphs: connected, and made of universal words only."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import numbered
from goldassay.kernels.components import roots
from goldassay.kernels.keys import packed
from goldassay.unl.columns import NULL, Graphs

Words: TypeAlias = Literal["strict", "expected", "lenient"]
SURE = re.compile(r'\d+|".*"|uc[ln]:.*|.*%\d:\d\d:\d\d:[^:]*:(?:\d\d)?|[^(]*\([^<>]*[<>].*\)', re.DOTALL)
BRACKETED = re.compile(r"\[.*\]", re.DOTALL)


def problems(graphs: Graphs, *, words: Words, known: Collection[str]) -> list[str | None]:
    """Return for each graph why it is not valid; None if it is.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> problems(document_of("[S] agt(kill(icl>do), hier) [/S]").graphs, words="strict", known=())
        ["natural-language word 'hier'"]
    """
    uws, placed = graphs.vocabulary.uws, graphs.placed
    is_bad = np.array([bool(uw) and not _is_uw(uw, words, known) for uw in uws], dtype=np.bool_)
    found: list[str | None] = [None if one else "disconnected graph" for one in are_connected(graphs).tolist()]
    placed_uws = graphs.vocabulary.nodes[placed.nodes, 0]
    bad = np.flatnonzero(is_bad[placed_uws])
    # The first of a sentence is written last.
    for row, uw in zip(placed.sentences[bad[::-1]].tolist(), placed_uws[bad[::-1]].tolist(), strict=True):
        found[row] = f"natural-language word {uws[uw]!r}"
    for row in np.flatnonzero(graphs.sizes + graphs.alone == 0).tolist():
        found[row] = "malformed" if graphs.malformed[row] else "empty graph"
    return found


def are_connected(graphs: Graphs) -> NDArray[np.bool_]:
    """Return whether all nodes of each graph are connected, bool, shape (sentences,); a scope is linked to every node of its relations."""
    vocabulary, count = graphs.vocabulary, len(graphs.relations)
    scoped = np.flatnonzero(graphs.relations[:, 1])
    # The nodes of relations, and the scopes of some, each by what tells it from others of its sentence: UW and identifier.
    _, identifiers = numbered(vocabulary.ids, vocabulary.scopes)
    uw, name = vocabulary.nodes[graphs.relations[:, 2:].T.ravel(), :2].T
    uws = np.concatenate([uw, np.zeros(len(scoped), dtype=np.int64)])
    names = np.concatenate([identifiers[0][name], identifiers[1][graphs.relations[scoped, 1]]])
    owners = np.concatenate([graphs.sentences, graphs.sentences, graphs.sentences[scoped]])
    _, first, node = np.unique(packed(owners, uws, names), return_index=True, return_inverse=True)
    source, target, scope = node[:count], node[count : 2 * count], node[2 * count :]
    edges = np.column_stack([np.concatenate([source, target[scoped]]), np.concatenate([target, scope])])
    root = roots(edges, len(first))
    owner = owners[first[root == np.arange(len(root))]]
    return np.asarray(np.bincount(owner, minlength=len(graphs)) + graphs.alone <= 1)


def _is_uw(uw: str, words: Words, known: Collection[str]) -> bool:
    if words == "lenient":
        return BRACKETED.fullmatch(uw) is None
    return _is_sure(uw) or (words == "expected" and uw in known)


@lru_cache(maxsize=2**16)
def _is_sure(uw: str) -> bool:
    return uw == NULL or SURE.fullmatch(uw) is not None
