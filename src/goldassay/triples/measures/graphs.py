"""The graphs of documents, compared whole: those that are equal, and the edits from one to the other."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context
from goldassay.core.counts import FloatArray
from goldassay.core.documents import DocumentPairs
from goldassay.core.matching import NO_MATCH, Side, SideName
from goldassay.core.parameters import parameter
from goldassay.core.parts import Part
from goldassay.core.text import count_of
from goldassay.triples.match import DocumentMatching
from goldassay.triples.measures.measure import ReferencedMeasure
from goldassay.triples.model import Numbers, TripleSet

Labels: TypeAlias = dict[tuple[int, int], Counter[str]]
TRIED = 20_000
"""So many partial mappings are tried before a distance is given by its bounds."""
SEARCHED = 100
"""Up to so many nodes mappings are searched at all."""


class Distance(NamedTuple):
    """An edit distance."""

    least: int
    most: int  # the same where it is known exactly


@dataclass(frozen=True, kw_only=True)
class SmallGraph:
    """A directed graph with names on its nodes and labels on its edges."""

    names: tuple[str, ...]
    edges: Labels

    @classmethod
    def of(cls, triples: Iterable[Sequence[str]], *, parallel: bool = True) -> SmallGraph:
        """Make the graph of triples."""
        listed = [tuple(triple) for triple in triples]
        # In the order of their names: a search that is cut short finds the same in any order of the triples.
        names = sorted({name for subject, _, thing in listed for name in (subject, thing)})
        rows = {name: row for row, name in enumerate(names)}
        edges: Labels = {}
        for subject, predicate, thing in listed:
            ends = rows[subject], rows[thing]
            if parallel:
                edges.setdefault(ends, Counter())[predicate] = 1
            else:
                edges[ends] = Counter([predicate])
        return cls(names=tuple(names), edges=edges)

    def __len__(self) -> int:
        return len(self.names) + sum(labels.total() for labels in self.edges.values())


def edit_distance(here: SmallGraph, there: SmallGraph, *, named: bool = True, most: int | None = None) -> Distance:
    """Count the fewest edits that make one graph into another: add, remove or rename a node or an edge."""
    # A mapping of nodes decides all edits. Renaming a node never costs more than removing it and adding another, so the
    # smaller graph may be filled up with nodes that are not there, and every mapping is one to one. Mappings are tried
    # depth first, in an order that depends on names and edges only; a part of one is given up when what it costs
    # already, and what is left at the least, is no better than the best: the names and labels that only one side has
    # left.
    search = _Search(here, there, named=named)
    if search.size > SEARCHED:
        return Distance(search.left(0, []), _count_edits_by_name(here, there, named=named))
    if most is not None:
        search.best = min(search.best, most + 1)
    least = search.left(0, [])
    search.descend(0, [])
    return Distance(least if search.steps > TRIED else search.best, search.best)


@dataclass
class _Search:
    """A search over mappings of the nodes of one graph to those of another."""

    here: SmallGraph
    there: SmallGraph
    named: bool
    steps: int = 0
    best: int = field(init=False)

    def __post_init__(self) -> None:
        self.size = max(len(self.here.names), len(self.there.names))
        self.best = len(self.here) + len(self.there) + 1
        # Nodes with many edges come first, as they decide most.
        weight = Counter(end for ends in self.here.edges for end in ends)
        self.order = sorted(range(self.size), key=lambda node: -weight[node])

    def name(self, graph: SmallGraph, node: int) -> str:
        """Name a node for comparison; one that is there never has the name of one that is not."""
        return "" if node >= len(graph.names) else f"+{graph.names[node]}" if self.named else "+"

    def descend(self, cost: int, mapped: list[int]) -> None:
        self.steps += 1
        if len(mapped) == self.size:
            # It is better than the best so far, or the search would not have come here.
            self.best = cost
            return
        if self.steps > TRIED and self.best <= len(self.here) + len(self.there):
            return
        node = self.order[len(mapped)]
        name = self.name(self.here, node)
        free = (one for one in range(self.size) if one not in mapped)
        for other in sorted(free, key=lambda one: self.name(self.there, one) != name):
            spent = cost + self._cost(node, other, mapped)
            following = [*mapped, other]
            if spent + self.left(len(following), following) < self.best:
                self.descend(spent, following)

    def _cost(self, node: int, other: int, mapped: list[int]) -> int:
        cost = int(self.name(self.here, node) != self.name(self.there, other))
        cost += _unlike(self.here.edges.get((node, node)), self.there.edges.get((other, other)))
        for place, image in enumerate(mapped):
            before = self.order[place]
            cost += _unlike(self.here.edges.get((node, before)), self.there.edges.get((other, image)))
            cost += _unlike(self.here.edges.get((before, node)), self.there.edges.get((image, other)))
        return cost

    def left(self, done: int, mapped: list[int]) -> int:
        """Return what the rest costs at the least."""
        before, images = set(self.order[:done]), set(mapped)
        names = [
            Counter(self.name(graph, node) for node in range(self.size) if node not in gone)
            for graph, gone in ((self.here, before), (self.there, images))
        ]
        labels: list[Counter[str]] = []
        for graph, gone in ((self.here, before), (self.there, images)):
            rest: Counter[str] = Counter()
            for (start, end), some in graph.edges.items():
                if start not in gone or end not in gone:
                    rest.update(some)
            labels.append(rest)
        return _unlike(names[0], names[1]) + _unlike(labels[0], labels[1])


def _count_edits_by_name(here: SmallGraph, there: SmallGraph, *, named: bool) -> int:
    """Count the edits when nodes of the same name are mapped to each other, and the others in their order."""
    rows = {name: row for row, name in enumerate(there.names)}
    image = {row: rows[name] for row, name in enumerate(here.names) if name in rows}
    taken = set(image.values())
    free = [row for row in range(len(there.names)) if row not in taken]
    rest = [row for row in range(len(here.names)) if row not in image]
    renamed = max(len(rest), len(free)) if named else abs(len(rest) - len(free))
    # A node too many is mapped to none of the other graph.
    image.update(zip(rest, [*free, *range(len(there.names), len(there.names) + len(rest))], strict=False))
    mapped = {(image[start], image[end]): labels for (start, end), labels in here.edges.items()}
    edges = mapped.keys() | there.edges.keys()
    return renamed + sum(_unlike(mapped.get(ends), there.edges.get(ends)) for ends in edges)


def _unlike(here: Counter[str] | None, there: Counter[str] | None) -> int:
    """Count the edits that make one bag of labels into another."""
    if not here or not there:
        return (here or there or Counter()).total()
    return max(here.total(), there.total()) - sum(min(count, there[label]) for label, count in here.items())


@dataclass(frozen=True, eq=False, kw_only=True)
class Graphs:
    """Documents as items: the graph of each."""

    triples: TripleSet

    def __len__(self) -> int:
        return len(self.triples.ids)

    def item(self, row: int) -> str:
        """Name one graph for a person: its document, and its size."""
        return f"{self.triples.ids[row]}: {count_of(len(self.triples.rows_of(row)), 'triple')}"

    def graph(self, document: int) -> SmallGraph:
        """Return the graph of a document; an empty one of a document that is not there."""
        if document == NO_MATCH:
            return SmallGraph.of([])
        names = self.triples.keys
        rows = self.triples.rows[list(self.triples.rows_of(document))].tolist()
        return SmallGraph.of([[str(names[slot]) for slot in row] for row in rows])


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class GraphMatching(DocumentMatching[Graphs]):
    """What was found of each pair of graphs."""

    values: FloatArray  # of each pair of documents
    limits: FloatArray  # the other end of the range of the exact value

    @property
    def ranges(self) -> tuple[FloatArray, FloatArray]:
        """The least and the most that each exact value can be, float64, each of shape (pairs,)."""
        return np.minimum(self.values, self.limits), np.maximum(self.values, self.limits)

    def details(self, side: SideName, rows: Numbers) -> Mapping[str, NDArray[Any]]:
        """Return the documents, and the range in which the exact value of each is."""
        places = (self.pred_pairs if side == "pred" else self.gold_pairs)[rows]
        least, most = self.ranges
        return {**super().details(side, rows), "at_least": least[places], "at_most": most[places]}


@dataclass(frozen=True, kw_only=True)
class GraphMeasure(ReferencedMeasure[GraphMatching]):
    """The mean over documents of a value of their graphs."""

    symmetry: ClassVar[Literal["swap", "same", "none"]] = "same"
    defined_one_sided: ClassVar[bool] = True

    @abstractmethod
    def compared(self, here: SmallGraph, there: SmallGraph) -> tuple[float, float]:
        """Compare two graphs: the value, and the other end of the range in which the exact one is."""

    def worth(self, matching: GraphMatching) -> FloatArray:
        """Return how good the value of each pair of documents is."""
        return matching.values if self.higher_is_better else -matching.values

    def match_documents(
        self, *, pred: TripleSet, gold: TripleSet, pairs: DocumentPairs, context: Context
    ) -> GraphMatching:
        """Compare the graphs of each document."""
        here, there = Graphs(triples=pred), Graphs(triples=gold)
        found = np.zeros((len(pairs), 2))
        for pair, (one, other) in enumerate(zip(pairs.pred.tolist(), pairs.gold.tolist(), strict=True)):
            found[pair] = self.compared(here.graph(one), there.graph(other))
            context.progress("comparing graphs", pair + 1, len(pairs))
        values, limits = found.T
        credit = values if self.higher_is_better else 1 - values
        return GraphMatching(
            pred=_side(credit, pairs.pred, pairs.gold, len(pred.ids)),
            gold=_side(credit, pairs.gold, pairs.pred, len(gold.ids)),
            pred_items=here,
            gold_items=there,
            pairs=pairs,
            pred_pairs=pairs.of(pairs.pred, len(pred.ids)),
            gold_pairs=pairs.of(pairs.gold, len(gold.ids)),
            values=values,
            limits=limits,
        )

    def parts(self, matching: GraphMatching) -> tuple[Part, ...]:
        """List the documents, each with the value of its graphs."""
        pairs = matching.pairs
        counts = {"sum": matching.values, "documents": np.ones(len(pairs))}
        return (Part(items=pairs, others=pairs, unit_keys=pairs.ids.tolist, counts=counts),)

    def note(self, matching: GraphMatching, values: Mapping[str, Any]) -> str | None:
        """Return how many values are bounds, and the range in which the exact mean is."""
        del values
        bounds = int((matching.values != matching.limits).sum())
        if not bounds:
            return None
        least, most = (float(side.mean()) for side in matching.ranges)
        return (
            f"the graphs of {count_of(bounds, 'document')} were too large to compare exactly: "
            f"{self.headline} is between {least:.4f} and {most:.4f}"
        )


def _side(credit: FloatArray, here: Numbers, there: Numbers, size: int) -> Side:
    known = here != NO_MATCH
    return Side.of_pairs(size, here[known], there[known], credit[known])


@dataclass(frozen=True, kw_only=True)
class GraphMatch(GraphMeasure):
    """The share of documents whose graph is that of gold.

    Attributes:
        nodes: ``names`` asks for the same triples; ``any`` for graphs of the same shape with the same relations, with any
            names of nodes.

    Example:
        >>> from goldassay.triples import TripleSet
        >>> gold = TripleSet.from_lists({"a": [("x", "r", "y")], "b": [("x", "r", "y")]})
        >>> pred = TripleSet.from_lists({"a": [("x", "r", "y")], "b": [("u", "r", "v")]})
        >>> GraphMatch().score(pred=pred, gold=gold).accuracy, GraphMatch(nodes="any").score(pred=pred, gold=gold).accuracy
        (0.5, 1.0)
    """

    name: ClassVar[str] = "graph_match"
    title: ClassVar[str] = "Graph match accuracy"
    formula: ClassVar[str] = r"\frac{|\{d \mid P_d = G_d\}|}{|D|}"
    citation: ClassVar[str] = "han2024pive"
    ratios: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType({"accuracy": ("sum", "documents")})
    headline: ClassVar[str] = "accuracy"
    conventions: ClassVar[tuple[str, ...]] = (
        "the script of PiVe compares only relations and shape, and one of several parallel edges: nodes=any, or pive",
    )

    nodes: str = parameter("names", help="whether the names of nodes must be equal", choices=("names", "any"))

    def compared(self, here: SmallGraph, there: SmallGraph) -> tuple[float, float]:
        """Return 1 where the graphs are the same, and 1 where they may be."""
        if self.nodes == "names":
            same = float(_name_edges(here) == _name_edges(there))
            return same, same
        if len(here.names) != len(there.names) or len(here) != len(there):
            return 0.0, 0.0
        found = edit_distance(here, there, named=False, most=0)
        return float(found.most == 0), float(found.least == 0)


def _name_edges(graph: SmallGraph) -> set[tuple[str, str, str]]:
    return {
        (graph.names[start], label, graph.names[end])
        for (start, end), labels in graph.edges.items()
        for label in labels
    }


@dataclass(frozen=True, kw_only=True)
class Ged(GraphMeasure):
    """The graph edit distance of each document, as a share of the nodes and edges of both graphs; the mean is given.

    An edit adds, removes or renames a node or an edge. 0 is the same graph, 1 has nothing in common with it.

    Example:
        >>> from goldassay.triples import TripleSet
        >>> gold = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway")]})
        >>> pred = TripleSet.from_lists({"d": [("Oslo", "capital of", "Sweden")]})
        >>> Ged().score(pred=pred, gold=gold).format()
        'ged: distance 0.1667'
    """

    name: ClassVar[str] = "ged"
    title: ClassVar[str] = "Graph edit distance"
    formula: ClassVar[str] = (
        r"\frac{1}{|D|} \sum_d \frac{\text{GED}(P_d, G_d)}{|V_{P_d}| + |E_{P_d}| + |V_{G_d}| + |E_{G_d}|}"
    )
    citation: ClassVar[str] = "saha2021explagraphs"
    ratios: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType({"distance": ("sum", "documents")})
    headline: ClassVar[str] = "distance"
    higher_is_better: ClassVar[bool] = False
    conventions: ClassVar[tuple[str, ...]] = (
        "the script of PiVe divides by the nodes and edges of gold and 30: pive",
        "a distance that takes more than 20,000 steps to find, or is of more than 100 nodes, may be an upper bound; both bounds are shown",
    )

    def compared(self, here: SmallGraph, there: SmallGraph) -> tuple[float, float]:
        """Return the distance as a share of both graphs, and the least that it can be."""
        size = len(here) + len(there)
        if not size:
            return 0.0, 0.0
        found = edit_distance(here, there)
        return found.most / size, found.least / size
