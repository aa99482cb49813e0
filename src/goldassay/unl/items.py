"""The items of a graph: relations, UWs and attributes, each with its position."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from goldassay.unl.model import Node, Sentence

SCOPE = ":scope"
SOURCE, TARGET, ISOLATED = "source", "target", "isolated"


def relation_items(sentence: Sentence) -> list[tuple[str, ...]]:
    """List (label, source UW, target UW) of every relation; all scopes are the same placeholder.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> relation_items(document_of("[S]agt:01(a:07.@past, b) mod(c, :01)[/S]").sentences[0])
        [('agt', 'a', 'b'), ('mod', 'c', ':scope')]
    """
    return [(one.label, one.source.uw or SCOPE, one.target.uw or SCOPE) for one in sentence.relations]


def uw_items(sentence: Sentence) -> list[tuple[str, ...]]:
    """List (position, UW) of every argument and of every isolated node; scopes are not UWs."""
    return [(position, node.uw) for position, node in _placed(sentence) if node.uw]


def attribute_items(sentence: Sentence, optional: Collection[str] = ()) -> list[tuple[str, ...]]:
    """List (position, UW, attribute) of every attribute that is not optional."""
    return [
        (position, node.uw or SCOPE, attribute)
        for position, node in _placed(sentence)
        for attribute in node.attributes
        if attribute not in optional
    ]


def _placed(sentence: Sentence) -> Iterator[tuple[str, Node]]:
    for relation in sentence.relations:
        yield SOURCE, relation.source
        yield TARGET, relation.target
    for node in sentence.isolated:
        yield ISOLATED, node
