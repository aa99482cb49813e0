"""The graphs of sentences in columns, and the nodes and relations that are made of them when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import numbered
from goldassay.kernels.ragged import ranges, starts_of
from goldassay.kernels.types import Rows

NULL = "00"
CUT_SENSE_KEY = re.compile(r".*%\d(?::\d\d){1,2}", re.DOTALL)
"""A sense key that ends early: its last digits are no identifier."""


class Node(NamedTuple):
    """One argument of a relation, or one node on its own.

    Attributes:
        uw: The universal word, normalised; empty for a reference to a scope.
        id: The node identifier; for a reference to a scope, the scope's. Empty if there is none.
        attributes: Its attributes without ``.@``, in the order of the file.
    """

    uw: str
    id: str
    attributes: tuple[str, ...]

    @property
    def is_scope(self) -> bool:
        """Whether this refers to a scope, and is not a UW."""
        return not self.uw

    def __str__(self) -> str:
        named = f":{self.id}" if self.id else ""
        attributes = "".join(f".@{name}" for name in self.attributes)
        # Right behind such a word an identifier would be read as the end of its sense key.
        last = named and CUT_SENSE_KEY.fullmatch(self.uw + named)
        return self.uw + (attributes + named if last else named + attributes)


class Relation(NamedTuple):
    """One labelled relation between two nodes.

    Attributes:
        label: The relation label, for example ``agt``.
        scope: The scope that the relation belongs to; empty for the whole sentence.
        source: The first argument.
        target: The second argument.
    """

    label: str
    scope: str
    source: Node
    target: Node

    def __str__(self) -> str:
        return f"{self.label}{':' + self.scope if self.scope else ''}({self.source}, {self.target})"


SOURCE, TARGET, ISOLATED = range(3)


class Placed(NamedTuple):
    """Nodes of graphs where they stand: of each relation its source and target, then the isolated ones, sentence by sentence.

    Attributes:
        sentences: The sentence of each, int64, shape (nodes,).
        positions: SOURCE, TARGET or ISOLATED, int64, shape (nodes,).
        nodes: Rows of the vocabulary's nodes, int64, shape (nodes,).
    """

    sentences: Rows
    positions: Rows
    nodes: Rows


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """What graphs are made of, each once.

    Attributes:
        labels: Labels of relations.
        scopes: Scopes of relations; the first is empty, for the whole sentence.
        uws: Universal words; empty for a reference to a scope.
        ids: Identifiers of nodes.
        marks: Attributes of nodes, all that a node has together.
        nodes: Nodes as rows of the three, int64, shape (nodes, 3).
    """

    labels: tuple[str, ...]
    scopes: tuple[str, ...]
    uws: tuple[str, ...]
    ids: tuple[str, ...]
    marks: tuple[tuple[str, ...], ...]
    nodes: Rows

    @cached_property
    def attributes(self) -> tuple[tuple[str, ...], Rows, Rows]:
        """Single attributes, each once; the rows of those of all `marks`, and where those of each begin, int64."""
        names, (rows,) = numbered([name for names in self.marks for name in names])
        return (
            tuple(names),
            rows.astype(np.int64),
            starts_of(np.array([len(names) for names in self.marks], dtype=np.int64)),
        )

    def objects(self) -> list[Node]:
        """Make all nodes."""
        return [Node(self.uws[uw], self.ids[name], self.marks[marks]) for uw, name, marks in self.nodes.tolist()]


@dataclass(frozen=True, eq=False)
class Graphs:
    """The graphs of sentences.

    Attributes:
        vocabulary: What they are made of.
        sizes: How many relations each sentence has, int64, shape (sentences,).
        relations: Label, scope, source and target of each relation as rows of the vocabulary, sentence by sentence, int64,
            shape (relations, 4).
        alone: How many isolated nodes each sentence has, int64, shape (sentences,).
        isolated: These nodes as rows of the vocabulary, int64, shape (isolated,).
        malformed: Whether each graph could not be read, bool, shape (sentences,).

    Example:
        >>> from goldassay.unl.read import document_of
        >>> graphs = document_of("[S:1] agt(a, b) obj(a, c) [/S]").graphs
        >>> graphs.sizes.tolist(), graphs.relations.tolist()
        ([2], [[0, 0, 0, 1], [1, 0, 0, 2]])
    """

    vocabulary: Vocabulary
    sizes: Rows
    relations: Rows
    alone: Rows
    isolated: Rows
    malformed: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.sizes)

    @cached_property
    def sentences(self) -> Rows:
        """The sentence of each relation, int64, shape (relations,)."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def placed(self) -> Placed:
        """Every argument of every relation, then the isolated nodes; a node as often as it stands somewhere."""
        sentences = np.concatenate([np.repeat(self.sentences, 2), np.repeat(np.arange(len(self.alone)), self.alone)])
        positions = np.concatenate(
            [np.tile([SOURCE, TARGET], len(self.relations)), np.full(len(self.isolated), ISOLATED)]
        )
        nodes = np.concatenate([self.relations[:, 2:].ravel(), self.isolated])
        order = np.argsort(sentences, kind="stable")
        return Placed(sentences[order], positions[order], nodes[order])

    def take(self, rows: Rows) -> Self:
        """Choose sentences."""
        relations = ranges(starts_of(self.sizes)[rows], self.sizes[rows])
        isolated = ranges(starts_of(self.alone)[rows], self.alone[rows])
        return type(self)(
            self.vocabulary,
            self.sizes[rows],
            self.relations[relations],
            self.alone[rows],
            self.isolated[isolated],
            self.malformed[rows],
        )

    def objects(self) -> Iterator[tuple[tuple[Relation, ...], tuple[Node, ...]]]:
        """Make the relations and the isolated nodes of each sentence."""
        labels, scopes, nodes = self.vocabulary.labels, self.vocabulary.scopes, self.vocabulary.objects()
        relations = (
            Relation(labels[label], scopes[scope], nodes[source], nodes[target])
            for label, scope, source, target in self.relations.tolist()
        )
        isolated = (nodes[row] for row in self.isolated.tolist())
        for size, alone in zip(self.sizes.tolist(), self.alone.tolist(), strict=True):
            yield tuple(islice(relations, size)), tuple(islice(isolated, alone))
