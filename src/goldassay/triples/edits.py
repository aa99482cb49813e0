"""How many edits make one graph of triples into another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

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
        """Make the graph of triples.

        Example:
            >>> graph = SmallGraph.of([("a", "r", "b"), ("a", "q", "b")], parallel=False)
            >>> graph.names, graph.edges
            (('a', 'b'), {(0, 1): Counter({'q': 1})})
        """
        listed = [tuple(triple) for triple in triples]
        # In the order of their names: a search that is cut short finds the same whatever the order of the triples.
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
    """Count the fewest edits that make one graph into another: add, remove or rename a node or an edge.

    A mapping of nodes decides all edits. Renaming a node never costs more than removing it and adding another, so the
    smaller graph may be filled up with nodes that are not there, and every mapping is one to one. Mappings are tried
    depth first, in an order that depends on names and edges only; a part of one is given up when what it costs already, and what is left at the least, is no better than
    the best: the names and labels that only one side has left.

    Example:
        >>> a, b = SmallGraph.of([("rome", "in", "italy")]), SmallGraph.of([("oslo", "in", "norway")])
        >>> edit_distance(a, b).most, edit_distance(a, b, named=False).most
        (2, 0)
    """
    search = _Search(here, there, named=named)
    if search.size > SEARCHED:
        return Distance(search.left(0, []), _by_name(here, there, named=named))
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
            # It is better than the best, or nobody would have come here.
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
        """Say what the rest costs at the least."""
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


def _by_name(here: SmallGraph, there: SmallGraph, *, named: bool) -> int:
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
