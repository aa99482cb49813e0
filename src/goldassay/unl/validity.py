"""Validity of graphs: connected, and made of universal words only."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from goldassay.unl.model import NULL, Sentence

Words: TypeAlias = Literal["strict", "expected", "lenient"]
SURE = re.compile(r'\d+|".*"|uc[ln]:.*|.*%\d:\d\d:\d\d:[^:]*:(?:\d\d)?|[^(]*\([^<>]*[<>].*\)', re.DOTALL)
BRACKETED = re.compile(r"\[.*\]", re.DOTALL)


def not_returned(sentence: Sentence, *, words: Words, known: Collection[str]) -> str | None:
    """Return why a graph is not valid; None if it is.

    Args:
        sentence: The graph.
        words: Which words are UWs. ``strict``: numeric, quoted, null, URI, sense key or restricted; ``expected``: also
            what is in ``known``; ``lenient``: all but ``[word]``.
        known: UWs of the expected document.

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
