"""The model of the UNL family: sentences, each a graph of universal words (UWs), in columns; nodes and relations are made of them on demand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from goldassay.core.content import Content, TextRows
from goldassay.core.intern import number_columns
from goldassay.core.items import ColumnModel
from goldassay.core.model import InputRows, row_column
from goldassay.core.patterns import pattern_of
from goldassay.kernels.ragged import ranges, starts_of
from goldassay.kernels.types import Rows

SHOWN = 60
NULL = "00"
CUT_SENSE_KEY = pattern_of(r".*%\d(?::\d\d){1,2}", re.DOTALL)
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
    """Occurrences of nodes: the source and target of each relation, then the isolated nodes, sentence by sentence; int64, shape (nodes,)."""

    sentences: Rows
    positions: Rows
    nodes: Rows


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """What graphs are made of, each once."""

    labels: tuple[str, ...]  # labels of relations
    scopes: tuple[str, ...]  # scopes of relations; the first is empty, for the whole sentence
    uws: tuple[str, ...]  # universal words; empty for a reference to a scope
    ids: tuple[str, ...]  # identifiers of nodes
    marks: tuple[tuple[str, ...], ...]  # attributes of nodes, all that a node has together
    nodes: Rows  # nodes as rows of the three, int64, shape (nodes, 3)

    @cached_property
    def attributes(self) -> tuple[tuple[str, ...], Rows, Rows]:
        """Single attributes, each once; the rows of those of all `marks`, and where those of each begin, int64."""
        names, (rows,) = number_columns([name for names in self.marks for name in names])
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
    """The graphs of sentences."""

    vocabulary: Vocabulary  # what they are made of
    sizes: Rows  # how many relations each sentence has, int64, shape (sentences,)
    # rows of the vocabulary, int64, shape (relations, 4): label, scope, source and target of each relation, by sentence
    relations: Rows
    isolated_sizes: Rows  # how many isolated nodes each sentence has, int64, shape (sentences,)
    isolated: Rows  # these nodes as rows of the vocabulary, int64, shape (isolated,)
    malformed: NDArray[np.bool_]  # whether each graph could not be read, bool, shape (sentences,)

    def __len__(self) -> int:
        return len(self.sizes)

    @cached_property
    def sentences(self) -> Rows:
        """The sentence of each relation, int64, shape (relations,)."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def placed(self) -> Placed:
        """Every argument of every relation, then the isolated nodes; a node as often as it occurs."""
        sentences = np.concatenate(
            [np.repeat(self.sentences, 2), np.repeat(np.arange(len(self.isolated_sizes)), self.isolated_sizes)]
        )
        positions = np.concatenate(
            [np.tile([SOURCE, TARGET], len(self.relations)), np.full(len(self.isolated), ISOLATED)]
        )
        nodes = np.concatenate([self.relations[:, 2:].ravel(), self.isolated])
        order = np.argsort(sentences, kind="stable")
        return Placed(sentences[order], positions[order], nodes[order])

    def take(self, rows: Rows) -> Self:
        """Choose sentences."""
        relations = ranges(starts_of(self.sizes)[rows], self.sizes[rows])
        isolated = ranges(starts_of(self.isolated_sizes)[rows], self.isolated_sizes[rows])
        return type(self)(
            self.vocabulary,
            self.sizes[rows],
            self.relations[relations],
            self.isolated_sizes[rows],
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
        for size, count in zip(self.sizes.tolist(), self.isolated_sizes.tolist(), strict=True):
            yield tuple(islice(relations, size)), tuple(islice(isolated, count))


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One sentence: its graph and its texts.

    Attributes:
        id: The id after ``[S:``; empty if there is none.
        line: 1-based line of the file where it starts.
        relations: The relations, in the order of the file.
        isolated: Nodes that take part in no relation.
        original: The text of ``{org}``; empty if there is none.
        texts: Further texts as pairs of language and text, in the order of the file.
        malformed: Whether the graph could not be read.
    """

    id: str = ""
    line: int = 1
    relations: tuple[Relation, ...] = ()
    isolated: tuple[Node, ...] = ()
    original: str = ""
    texts: tuple[tuple[str, str], ...] = ()
    malformed: bool = False

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Every argument of every relation, then the isolated nodes; a node as often as it occurs."""
        return (*(node for one in self.relations for node in (one.source, one.target)), *self.isolated)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Document(ColumnModel):
    """A UNL document: sentences in the order of the file, whose graphs are columns.

    Attributes:
        ids: The ids of the sentences; empty where there is none.
        lines: 1-based lines of the file where they start, int64, shape (sentences,).
        originals: The texts of ``{org}``; empty where there is none.
        texts: Further texts of each as pairs of language and text, in the order of the file.
        graphs: Their graphs.
        chosen: Whether they were chosen by their ids from a file, so that their order pairs them with nothing.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> document = document_of("[S:1]{unl}agt(kill(icl>do).@past, Peter(iof>person)){/unl}[/S]")
        >>> len(document), document.item(0), str(document.sentences[0].relations[0])
        (1, 'S:1', 'agt(kill(icl>do).@past, Peter(iof>person))')
    """

    columns: ClassVar[tuple[str, ...]] = ("ids", "lines", "originals", "texts", "graphs")

    ids: tuple[str, ...]
    lines: NDArray[np.int64]
    originals: tuple[str, ...]
    texts: tuple[tuple[tuple[str, str], ...], ...]
    graphs: Graphs
    chosen: bool = False

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def content(self) -> Sequence[Content]:
        """The sentences with their texts, the relations of each, and its isolated nodes."""
        graphs, known = self.graphs, self.graphs.vocabulary
        nodes = list(map(str, known.objects()))
        words = zip((known.labels, known.scopes, nodes, nodes), graphs.relations.T, strict=True)
        apart = np.repeat(np.arange(len(graphs.isolated_sizes)), graphs.isolated_sizes)
        return [
            [self.names, self.originals, list(map(str, self.texts))],
            [TextRows(self.names, graphs.sentences), *(TextRows(texts, column) for texts, column in words)],
            [TextRows(self.names, apart), TextRows(nodes, graphs.isolated)],
        ]

    def item(self, row: int) -> str:
        """Return the display name of one sentence: ``S:`` and its id or position, and the start of its text."""
        name = f"S:{self.ids[row]}" if self.ids[row] else f"sentence {row + 1}"
        return f"{name} {self.originals[row][:SHOWN]}".rstrip()

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the lines of some sentences, and their ids."""
        return {"line": self.lines[rows].tolist(), "id": [self.ids[row] for row in rows.tolist()]}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The ids of the sentences, or their positions where they have none."""
        return tuple(name or str(row + 1) for row, name in enumerate(self.ids))

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences as objects, made of the columns when they are first asked for."""
        columns = (self.ids, self.lines.tolist(), self.originals, self.texts, self.graphs.malformed.tolist())
        return tuple(
            Sentence(
                id=name,
                line=line,
                relations=relations,
                isolated=isolated,
                original=original,
                texts=texts,
                malformed=malformed,
            )
            for name, line, original, texts, malformed, (relations, isolated) in zip(
                *columns, self.graphs.objects(), strict=True
            )
        )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Texts(ColumnModel):
    """Natural-language sentences, each with its acceptable wordings.

    Attributes:
        ids: The id of each sentence.
        wordings: The wordings of each sentence, at least one each; only the first wording of a prediction is compared.
        chosen: Whether they were chosen by their ids from a file, so that their order pairs them with nothing.
        input_rows: The row or line of the input where each sentence first occurs, int64, shape (sentences,); None if it has none.

    Example:
        >>> Texts(ids=("1",), wordings=(("The cat sleeps.",),)).item(0)
        '1 The cat sleeps.'
    """

    columns: ClassVar[tuple[str, ...]] = ("ids", "wordings", "input_rows")

    ids: tuple[str, ...]
    wordings: tuple[tuple[str, ...], ...]
    chosen: bool = False
    input_rows: InputRows = None

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def content(self) -> Sequence[Content]:
        """The wordings of each sentence."""
        sizes = list(map(len, self.wordings))
        rows = np.repeat(np.arange(len(sizes)), sizes)
        return [[TextRows(self.ids, rows), list(chain.from_iterable(self.wordings))]]

    def item(self, row: int) -> str:
        """Return the display name of one sentence: its id and the start of its first wording."""
        return f"{self.ids[row]} {self.wordings[row][0][:SHOWN]}".rstrip()

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[str]]:
        """List the rows of the input of some sentences, if it has rows, and their ids."""
        return {**row_column(self.input_rows, rows), "id": [self.ids[row] for row in rows.tolist()]}
