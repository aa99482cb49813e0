"""What scores of graphs are grouped by and warned of, several gold standards and partial ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.core.combination import sources_of
from goldassay.core.groups import ByError, Grouping, GroupNames, group_of_items, names_at
from goldassay.core.intern import FEW, Names, number_columns
from goldassay.core.items import find_in_scope, make_keys, reach
from goldassay.core.matching import ERROR
from goldassay.core.partial import Restriction
from goldassay.core.patterns import pattern_of
from goldassay.core.text import contrast_names, count_of
from goldassay.core.unseen import disjoint_at, warn_of_unseen
from goldassay.graphs.errors import ERRORS
from goldassay.graphs.measures.motif import component_names
from goldassay.graphs.measures.taxonomic import Concepts
from goldassay.graphs.model import Graph, NodeItems
from goldassay.graphs.texts import number_texts
from goldassay.kernels.ragged import distinct, find_keys, mark

if TYPE_CHECKING:
    from goldassay.core.measure import Measure


NAMESPACE = pattern_of(r"^(\w+://.*[/#])[^/#]*$|^(\w+:)[^/]")
HALF = 32
"""Bits of a number of texts within a number of pairs."""


def find_warnings(pred: Graph, gold: Graph) -> Iterator[str]:
    """Return warnings about a pair of graphs, one sentence each."""
    yield from warn_of_unseen(pred.texts, gold.texts)
    if pred.choices.get("edges") == "all" and pred.choices.get("text") == "iri":
        yield (
            "every triple is an edge and IRIs are compared as text: such scores are inflated, "
            "since any two triples of one predicate nearly match; --edges taxonomy --text label compares taxonomies"
        )
    if pred.texts.is_disjoint(gold.texts):
        yield (
            "prediction and gold have no text in common, so no literal match is possible"
            + (f", {contrast_names(pred.texts, gold.texts)}" if len(pred.texts) and len(gold.texts) else "")
            + _explain_case(pred, gold)
            + _namespaces(pred, gold)
        )
    elif reading := _warn_of_reversed(pred, gold):
        yield reading


def _warn_of_reversed(pred: Graph, gold: Graph) -> str | None:
    """Warn that edges are those of gold reversed, if none is one of gold as it is."""
    if len(pred) + len(gold) <= FEW and not set(pred.text_pairs).isdisjoint(gold.text_pairs):
        return None
    # Most predictions that share edges with gold share some of the first ones, which few nodes of gold have.
    some = set(_pairs(pred, pred.edges[:FEW]))
    known = mark(gold.texts.places_of(set(chain.from_iterable(some))), len(gold.texts))
    if not some.isdisjoint(_pairs(gold, gold.edges[known[gold.edges].all(axis=1)])):
        return None
    shared, turned = _count_shared(pred, gold)
    if shared or not turned:
        return None
    return f"no edge is one of gold, and {count_of(turned, 'edge is', 'edges are')} so the other way round: check which column is the child"


def _pairs(graph: Graph, edges: NDArray[np.int64]) -> Iterator[tuple[str, str]]:
    """Return the two texts of each of some edges."""
    return zip(*(graph.texts.take(ends).listed for ends in edges.T), strict=True)


def _count_shared(pred: Graph, gold: Graph) -> tuple[int, int]:
    """Count the pairs of texts that both sides have as edges, and those that gold has the other way round."""
    used = [side.texts.used(*side.edges.T) for side in (pred, gold)]
    _, numbers = number_columns(*(texts for texts, _ in used))
    (child, parent), (gold_child, gold_parent) = (
        [number[end].astype(np.int64) for end in ends] for number, (_, ends) in zip(numbers, used, strict=True)
    )
    there = distinct(gold_child << HALF | gold_parent)
    return int(find_keys(child << HALF | parent, there).sum()), int(
        find_keys(distinct(parent << HALF | child), there).sum()
    )


def _explain_case(pred: Graph, gold: Graph) -> str:
    common = {text.casefold() for text in pred.texts} & {text.casefold() for text in gold.texts}
    return f"; without regard to upper and lower case they share {len(common):,}" if common else ""


def _namespaces(pred: Graph, gold: Graph) -> str:
    """Describe the namespaces of both sides if they share none, the usual reason for no matches."""
    here, there = _count_namespaces(pred), _count_namespaces(gold)
    if not here or not there or here.keys() & there.keys():
        return ""
    return f"; their namespaces differ: {here.most_common(1)[0][0]} and {there.most_common(1)[0][0]}"


def _count_namespaces(graph: Graph) -> Counter[str]:
    found = (NAMESPACE.match(node) for node in graph.ids.tolist())
    return Counter(match[1] or match[2] for match in found if match)


KNOWN = ("neither text known", "one text known", "both texts known")
"""How many ends of an edge have a text that occurs on the other side."""


def relations(graph: Graph) -> GroupNames:
    """Return the relation of each edge."""
    return names_at(graph.relation_names, graph.relations)


def subjects(graph: Graph) -> GroupNames:
    """Return the child of each edge."""
    return names_at(graph.words, graph.edges[:, 0])


def depths(items: Graph | NodeItems | Concepts) -> GroupNames:
    """Count the longest way from each node, or the child of each edge, up to a root, cycles condensed."""
    # A concept is all nodes of its text, and is as deep as the deepest of them.
    order = _graph(items).order
    depths = -_least(items, -order.depths[order.group])
    return names_at(map(str, range(int(depths.max(initial=0)) + 1)), depths)


def branches(items: Graph | NodeItems | Concepts) -> list[str]:
    """Return the branch of each node, or the child of each edge: the ancestor below the root, cycles condensed."""
    # Where there are several roots, each of them is a branch. Of several branches a node, or a concept, is in the
    # alphabetically first.
    graph = _graph(items)
    order = graph.order
    texts, places = graph.alphabet
    branch = np.full(order.size, len(texts), dtype=np.int64)
    np.minimum.at(branch, order.group, places)
    own = branch.copy()
    edges = order.edges
    roots = np.setdiff1d(edges[:, 1], edges[:, 0])
    root = int(roots[0]) if len(roots) == 1 else None
    for layer in order.layers:
        lower, start = np.unique(layer[:, 0], return_index=True)
        above = np.where(layer[:, 1] == root, own[layer[:, 0]], branch[layer[:, 1]])
        branch[lower] = np.minimum.reduceat(above, start)
    return list(map(texts.__getitem__, _least(items, branch[order.group]).tolist()))


def components(items: Graph | NodeItems) -> list[str]:
    """Return the weakly connected component of each node or edge: the alphabetically first of its roots."""
    names = component_names(_graph(items))
    return list(map(names.__getitem__, _nodes(items).tolist()))


def _graph(items: Graph | NodeItems | Concepts) -> Graph:
    return items if isinstance(items, Graph) else items.graph


def _nodes(items: Graph | NodeItems) -> NDArray[np.int64]:
    return items.edges[:, 0] if isinstance(items, Graph) else np.arange(len(items))


def _least(items: Graph | NodeItems | Concepts, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of the node of each item, of a concept the least of those of its nodes."""
    if not isinstance(items, Concepts):
        return numbers[_nodes(items)]
    texts, (nodes, concepts) = number_texts(items.graph.texts, items.texts)
    least = np.full(len(texts), np.iinfo(np.int64).max)
    np.minimum.at(least, nodes, numbers)
    return least[concepts]


def lexical(items: Any, others: Any) -> list[str] | None:
    """Return whether the text of each item occurs on the other side, or for how many of its ends."""
    here, there = _words(items), _words(others)
    if here is None or there is None:
        return None
    known = np.fromiter(map(set(there).__contains__, here), dtype=np.bool_, count=len(here))
    if isinstance(items, Graph):
        return list(map(KNOWN.__getitem__, known[items.edges].sum(axis=1).tolist()))
    return ["text known" if one else "text unknown" for one in known.tolist()]


def _words(items: Any) -> list[str] | None:
    match items:
        case Graph():
            return items.words
        case NodeItems():
            return items.graph.words
        case Concepts():
            words: list[str] = items.texts.tolist()
            return words
    return None


GROUPINGS: Mapping[str, Grouping] = MappingProxyType(
    {
        ERROR: ByError(ERRORS),
        "relation": group_of_items((Graph,), relations),
        "subject": group_of_items((Graph,), subjects),
        "depth": group_of_items((Graph, NodeItems, Concepts), depths),
        "branch": group_of_items((Graph, NodeItems, Concepts), branches),
        "component": group_of_items((Graph, NodeItems), components),
        "lexical": lexical,
    }
)


NO_EDGES = np.zeros((0, 2), dtype=np.int64)


class Node(NamedTuple):
    """What makes a node of two graphs one: its text, and the how many-th node of this text it is, by id."""

    text: str
    place: int

    @property
    def id(self) -> str:
        """An id that is unique in a graph."""
        return f"{self.text}\0{self.place}" if self.place else self.text


def merge_graphs(graphs: Sequence[Graph], least: int) -> Graph:
    """Make one graph of the edges that at least so many graphs have."""
    # Two edges are one if the texts of their ends are the same, and their relations where any graph has several. So
    # graphs of different formats, whose ids differ, have edges in common.
    several = any(len(np.unique(graph.relations)) > 1 for graph in graphs)
    names = sorted({graph.relation_names[row] for graph in graphs for row in np.unique(graph.relations).tolist()})
    named = [_name_nodes(graph) for graph in graphs]
    nodes = sorted({node for some in named for node in some})
    number = {node: row for row, node in enumerate(nodes)}
    rows = [np.array([number[node] for node in some], dtype=np.int64) for some in named]
    kept = np.bincount(np.concatenate(rows), minlength=len(nodes)) >= least
    ways = len(names) if several else 1
    keys = [_keys(graph, ends, len(nodes), names if several else []) for graph, ends in zip(graphs, rows, strict=True)]
    distinct, votes = np.unique(np.concatenate(keys), return_counts=True)
    pairs, relations = np.divmod(distinct[votes >= least], max(ways, 1))
    place = np.cumsum(kept) - 1
    chosen = [node for node, is_kept in zip(nodes, kept.tolist(), strict=True) if is_kept]
    return Graph(
        ids=Names([node.id for node in chosen]),
        texts=Names([node.text for node in chosen]),
        edges=place[np.column_stack(np.divmod(pairs, max(len(nodes), 1)))] if len(pairs) else NO_EDGES,
        relations=relations,
        relation_names=tuple(names) if several else tuple(names[:1]) or ("is-a",),
        **sources_of(graphs),
    )


def _keys(graph: Graph, rows: NDArray[np.int64], nodes: int, names: list[str]) -> NDArray[np.int64]:
    """Return for each edge of a graph a number that is the same in every graph, each once."""
    numbers = np.array([names.index(name) if name in names else 0 for name in graph.relation_names], dtype=np.int64)
    ends = rows[graph.edges]
    return np.unique((ends[:, 0] * nodes + ends[:, 1]) * max(len(names), 1) + numbers[graph.relations])


def _name_nodes(graph: Graph) -> list[Node]:
    seen: Counter[str] = Counter()
    nodes = [Node("", 0)] * len(graph.ids)
    texts = graph.texts.tolist()
    for row in np.argsort(graph.ids, kind="stable").tolist():
        nodes[row] = Node(texts[row], seen[texts[row]])
        seen[texts[row]] += 1
    return nodes


def _texts(graph: Graph, end: int) -> list[str]:
    return graph.texts.list_at(graph.edges[:, end])


def _take_edges(graph: Graph, mask: NDArray[np.bool_]) -> Graph:
    """Keep some edges, and the nodes that have one of them or never had any: other nodes are unknown."""
    nodes = np.ones(len(graph.ids), dtype=np.bool_)
    nodes[graph.edges[~mask]] = False
    nodes[graph.edges[mask]] = True
    return _graph_of_nodes(graph.take(np.flatnonzero(mask)), nodes)


def _graph_of_nodes(graph: Graph, nodes: NDArray[np.bool_]) -> Graph:
    place = np.cumsum(nodes) - 1
    return replace(
        graph,
        ids=graph.ids.take(np.flatnonzero(nodes)),
        texts=graph.texts.take(np.flatnonzero(nodes)),
        edges=place[graph.edges],
    )


def _keep_scope(graph: Graph, scope: frozenset[str]) -> Graph:
    """Keep the nodes that lie in a scope, and the edges between them."""
    inside = find_in_scope(graph.texts, scope)
    return _graph_of_nodes(graph.take(np.flatnonzero(inside[graph.edges].all(axis=1))), inside)


def _branch(graph: Graph, name: str) -> frozenset[str]:
    """Return the texts of the nodes from which edges lead to a text."""
    children: dict[str, list[str]] = {}
    for child, parent in zip(_texts(graph, 0), _texts(graph, 1), strict=True):
        children.setdefault(parent, []).append(child)
    return reach([name], children) if name in graph.texts.tolist() else frozenset()


RESTRICTION: Restriction[Graph] = Restriction(
    keys=lambda graph: make_keys(_texts(graph, 0), _texts(graph, 1)),
    take=_take_edges,
    names=lambda graph: graph.texts.tolist(),
    branch=_branch,
    within=_keep_scope,
    texts=lambda graph: (graph.texts,),
    ends={"source": lambda graph: _texts(graph, 0), "target": lambda graph: _texts(graph, 1)},
)


_DISJOINT = disjoint_at({"child": RESTRICTION.ends["source"], "parent": RESTRICTION.ends["target"]})


def disjoint(pred: Graph, gold: Graph, measure: Measure[Graph, Any]) -> Iterator[str]:
    """Warn that no child, or no parent, is common, where no other warning says why nothing matches."""
    if not pred.texts.is_disjoint(gold.texts) and not _warn_of_reversed(pred, gold):
        yield from _DISJOINT(pred, gold, measure)
