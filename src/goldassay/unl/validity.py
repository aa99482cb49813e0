"""Validity of graphs: connected, and made of universal words only."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import numbered
from goldassay.kernels.keys import components, packed
from goldassay.unl.columns import NULL, Graphs
from goldassay.unl.model import Sentence

Words: TypeAlias = Literal["strict", "expected", "lenient"]
SURE = re.compile(r'\d+|".*"|uc[ln]:.*|.*%\d:\d\d:\d\d:[^:]*:(?:\d\d)?|[^(]*\([^<>]*[<>].*\)', re.DOTALL)
BRACKETED = re.compile(r"\[.*\]", re.DOTALL)


def not_returned(sentence: Sentence, *, words: Words, known: Collection[str]) -> str | None:
    """Return why a graph is not valid; None if it is.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> graph = document_of("[S] agt(kill(icl>do), hier) [/S]").sentences[0]
        >>> not_returned(graph, words="strict", known=())
        "natural-language word 'hier'"
    """
    if sentence.malformed:
        return "malformed"
    if not sentence.nodes:
        return "empty graph"
    for node in sentence.nodes:
        if node.uw and not _is_uw(node.uw, words, known):
            return f"natural-language word {node.uw!r}"
    return None if is_connected(sentence) else "disconnected graph"


def problems(graphs: Graphs, *, words: Words, known: Collection[str]) -> list[str | None]:
    """Return what `not_returned` does, for each of many graphs."""
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
    """Return what `is_connected` does, for each of many graphs, bool, shape (sentences,)."""
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
    root = components(len(first), np.concatenate([source, target[scoped]]), np.concatenate([target, scope]))
    roots = owners[first[root == np.arange(len(root))]]
    return np.asarray(np.bincount(roots, minlength=len(graphs)) + graphs.alone <= 1)


def _is_uw(uw: str, words: Words, known: Collection[str]) -> bool:
    if words == "lenient":
        return BRACKETED.fullmatch(uw) is None
    return _is_sure(uw) or (words == "expected" and uw in known)


@lru_cache(maxsize=2**16)
def _is_sure(uw: str) -> bool:
    return uw == NULL or SURE.fullmatch(uw) is not None


def is_connected(sentence: Sentence) -> bool:
    """Return whether all nodes are connected; a scope is linked to every node of its relations.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> is_connected(document_of("[S] agt(a, b) obj(c, d) [/S]").sentences[0])
        False
    """
    parents: dict[tuple[str, str], tuple[str, str]] = {}

    def root(key: tuple[str, str]) -> tuple[str, str]:
        above = parents.setdefault(key, key)
        while above != key:
            parents[key] = key = parents[above]
            above = parents[key]
        return key

    apart = len(sentence.isolated)
    for _, scope, source, target in sentence.relations:
        ends = [source[:2], target[:2], ("", scope)] if scope else [source[:2], target[:2]]
        for one, another in pairwise(ends):
            parents[root(one)] = root(another)
    return apart + sum(key == above for key, above in parents.items()) <= 1
