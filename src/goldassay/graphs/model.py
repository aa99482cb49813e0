"""The model of the graph family: texts on nodes, and unique directed edges between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.content import Content, TextRows
from goldassay.core.intern import Names, as_names
from goldassay.core.items import ColumnModel, list_rows
from goldassay.core.model import InputRows, row_column
from goldassay.graphs.errors import kinds_of
from goldassay.graphs.texts import number_texts
from goldassay.kernels.reach import Order


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Graph(ColumnModel):
    """A taxonomy or knowledge graph: directed edges, child to parent for is-a, between nodes with texts.

    Attributes:
        ids: Node identifiers (an IRI, or the text itself where a format has no identifiers), shape (nodes,), unique.
        texts: What is compared, shape (nodes,).
        edges: Rows of ``ids``: column 0 the source (child), column 1 the target (parent); int64, shape (edges, 2).
        relations: Row of ``relation_names`` for each edge, int64, shape (edges,).
        relation_names: The predicates that made the edges.
        input_rows: The row of the input where each edge first occurs, int64, shape (edges,); None if it has no rows.

    Example:
        >>> graph = Graph.from_edges([("cat", "animal"), ("dog", "animal"), ("cat", "animal")])
        >>> len(graph), graph.left_out["duplicates"], graph.item(0)
        (2, 1, 'cat -> animal')
    """

    columns: ClassVar[tuple[str, ...]] = ("edges", "relations", "input_rows")

    ids: Names
    texts: Names
    edges: NDArray[np.int64]
    relations: NDArray[np.int64]
    relation_names: tuple[str, ...]
    input_rows: InputRows = None
    choices: Mapping[str, str] = field(default_factory=lambda: {"edges": "given", "text": "given"})

    def __post_init__(self) -> None:
        # Who builds a graph by hand has a list, or a numpy column.
        object.__setattr__(self, "ids", as_names(self.ids))
        object.__setattr__(self, "texts", as_names(self.texts))

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[str, str] | tuple[str, str, str]],
        *,
        relation: str = "is-a",
        texts: Mapping[str, str] | None = None,
    ) -> Graph:
        """Build a graph from pairs or triples; duplicates are merged and counted.

        Args:
            edges: Node identifiers: (child, parent), or (subject, predicate, object). Every edge counts, for every predicate.
            relation: The name of the relation of all pairs.
            texts: Text of a node by its identifier; the default is the identifier.

        Returns:
            The graph, with nodes and relations in order of first appearance.

        Raises:
            UsageError: If an edge is neither, or an end has no name.

        Example:
            >>> graph = Graph.from_edges([("Oslo", "capital of", "Norway"), ("Oslo", "in", "Norway")])
            >>> len(graph), graph.relation_names
            (2, ('capital of', 'in'))
        """
        rows: dict[str, int] = {}
        names: dict[str, int] = {}
        unique: dict[tuple[int, int, int], int] = {}
        expected = "(child, parent) or (subject, predicate, object)"
        listed = list_rows(edges, lengths=(2, 3), texts=3, expected=expected, kind="taxonomy")
        for number, edge in enumerate(listed):
            child, predicate, parent = edge if len(edge) == 3 else (edge[0], relation, edge[1])  # noqa: PLR2004
            ends = rows.setdefault(child, len(rows)), rows.setdefault(parent, len(rows))
            unique.setdefault((*ends, names.setdefault(predicate, len(names))), number)
        columns = np.array(list(unique), dtype=np.int64).reshape(-1, 3)
        ids = list(rows)
        return cls(
            ids=Names(ids),
            texts=Names([(texts or {}).get(node, node) for node in ids]),
            edges=np.ascontiguousarray(columns[:, :2]),
            relations=columns[:, 2].copy(),
            relation_names=tuple(names) or (relation,),
            input_rows=np.array(list(unique.values()), dtype=np.int64),
            left_out={"duplicates": len(listed) - len(unique)} if len(listed) > len(unique) else {},
        )

    def __len__(self) -> int:
        return len(self.edges)

    @property
    def content(self) -> Sequence[Content]:
        """The texts at both ends of each edge, and its relation if there are several: formats call a single one differently."""
        ends = [TextRows(self.texts, self.edges[:, end]) for end in (0, 1)]
        if len(self.relation_names) == 1:
            return [ends]
        return [[*ends, TextRows(self.relation_names, self.relations)]]

    def without_lone_nodes(self) -> Graph:
        """Leave out the nodes without edges."""
        nodes, ends = np.unique(self.edges, return_inverse=True)
        ids, texts = self.ids.take(nodes), self.texts.take(nodes)
        return replace(self, ids=ids, texts=texts, edges=ends.reshape(-1, 2).astype(np.int64))

    @cached_property
    def order(self) -> Order:
        """The hierarchy in layers, cycles condensed: made once for all groupings."""
        return Order.of(self.edges, len(self.ids))

    @property
    def words(self) -> list[str]:
        """The texts as a list, made once."""
        return self.texts.listed

    @cached_property
    def alphabet(self) -> tuple[list[str], NDArray[np.int64]]:
        """The distinct texts in order, and the place of the text of each node among them, made once for all groupings."""
        texts, (places,) = number_texts(self.texts)
        return texts.tolist(), places

    @cached_property
    def text_pairs(self) -> list[tuple[str, str]]:
        """The texts at both ends of each edge, made once, for few edges."""
        ends = list(map(self.texts.listed.__getitem__, self.edges.ravel().tolist()))
        return list(zip(ends[::2], ends[1::2], strict=True))

    def item(self, row: int) -> str:
        """Return the display name of one edge: ``child -> parent``, by text."""
        return self.item_names(np.array([row]))[0]

    def item_names(self, rows: NDArray[np.int64]) -> list[str]:
        """Return the display names of some edges.

        Args:
            rows: Which edges, int64, shape (rows,).
        """
        words, (sources, targets) = self.words, self.edges[rows].T.tolist()
        return [f"{words[source]} -> {words[target]}" for source, target in zip(sources, targets, strict=True)]

    def name_errors(self, others: Graph, rows: NDArray[np.int64]) -> list[str]:
        """Name for each of some edges how the other side relates its texts: a kind of `goldassay.graphs.errors`."""
        return kinds_of((self.texts, others.texts), self.edges[rows], others.edges)

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the rows of the input of some edges, if it has rows, the ids of both ends, and the relations."""
        source, target = self.edges[rows].T
        relations = np.array(self.relation_names, dtype=object)[self.relations[rows]]
        return {
            **row_column(self.input_rows, rows),
            "source": self.ids[source].tolist(),
            "target": self.ids[target].tolist(),
            "relation": relations.tolist(),
        }


@dataclass(frozen=True, eq=False)
class NodeItems:
    """The nodes of a graph as the items that are counted."""

    graph: Graph

    def __len__(self) -> int:
        return len(self.graph.texts)

    def item(self, row: int) -> str:
        """Return the display name of one node: its text."""
        return str(self.graph.texts[row])

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the ids of some nodes."""
        return {"id": self.graph.ids[rows].tolist()}
