"""Graphs compared one by one, over objects: the readable twin of what `goldassay.unl` does over columns."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from goldassay.unl.match import ISOLATED, SCOPE, SOURCE, TARGET, relation_items
from goldassay.unl.measures.discrepancy import NO_PARTNER, NOTHING, UNREADABLE, _is_uw, _share, text_discrepancy


class Difference(NamedTuple):
    """How two multisets differ."""

    exceeding: Counter[tuple[str, ...]]
    missing: Counter[tuple[str, ...]]
    size: int
    total: int

    @classmethod
    def between(cls, pred, gold):
        """Compare two lists of items as multisets."""
        here, there = Counter(pred), Counter(gold)
        exceeding, missing = here - there, there - here
        return cls(exceeding, missing, exceeding.total() + missing.total(), len(pred) + len(gold))

    @property
    def discrepancy(self):
        """The share of exceeding and missing items; 0 if there are no items."""
        return _share(self.size, self.total)


class Comparison(NamedTuple):
    """Two graphs, compared."""

    relations: Difference
    uws: Difference
    attributes: Difference
    overall: Fraction
    why: str
    returned: bool


def compare(measure, *, pred, gold, known=frozenset()):
    """Compare one graph with the expected one, as `match` compares all of them."""
    there = gold or NOTHING
    relations = Difference.between(relation_items(pred), relation_items(there))
    uws = Difference.between(uw_items(pred), uw_items(there))
    attributes = Difference.between(attribute_items(pred, measure.optional), attribute_items(there, measure.optional))
    if measure.profile == "2012":
        overall = text_discrepancy(pred, there)
    else:
        overall = measure._weight((one.size, one.total) for one in (relations, uws, attributes))
    problem = not_returned(pred, words=measure.words, known=known)
    exceeded = measure._find_exceeded(relations.discrepancy, uws.discrepancy, overall)
    why = ", ".join(exceeded.values())
    if gold is None:
        why = NO_PARTNER
    elif gold.malformed:
        why = UNREADABLE
    return Comparison(relations, uws, attributes, overall, problem or why, problem is None)


def not_returned(sentence, *, words, known):
    """Return why a graph is not valid; None if it is."""
    if sentence.malformed:
        return "malformed"
    if not sentence.nodes:
        return "empty graph"
    for node in sentence.nodes:
        if node.uw and not _is_uw(node.uw, words, known):
            return f"natural-language word {node.uw!r}"
    return None if is_connected(sentence) else "disconnected graph"


def is_connected(sentence):
    """Return whether all nodes are connected; a scope is linked to every node of its relations."""
    parents = {}

    def root(key):
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


def uw_items(sentence):
    """List (position, UW) of every argument and of every isolated node; scopes are not UWs."""
    return [(position, node.uw) for position, node in _placed(sentence) if node.uw]


def attribute_items(sentence, optional=()):
    """List (position, UW, attribute) of every attribute that is not optional."""
    return [
        (position, node.uw or SCOPE, attribute)
        for position, node in _placed(sentence)
        for attribute in node.attributes
        if attribute not in optional
    ]


def _placed(sentence):
    for relation in sentence.relations:
        yield SOURCE, relation.source
        yield TARGET, relation.target
    for node in sentence.isolated:
        yield ISOLATED, node
