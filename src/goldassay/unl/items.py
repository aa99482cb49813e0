"""The items of graphs: relations, UWs and attributes, each with its position."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from goldassay.kernels.ragged import ranges
from goldassay.kernels.types import Rows
from goldassay.unl.model import Document, Sentence

SCOPE = ":scope"
SOURCE, TARGET, ISOLATED = POSITIONS = ("source", "target", "isolated")


@dataclass(frozen=True, eq=False)
class SentenceItems:
    """Items of sentences, one per row, sentence by sentence.

    Attributes:
        names: The name of each sentence.
        rows: Which sentence each item is in, int64, shape (items,).
        parts: The parts of each item as rows of their words, int64, shape (items, parts).
        words: The words of each part, each once.
        columns: The names of the parts: ``label``, ``position``, ``attribute``.
    """

    names: tuple[str, ...]
    rows: Rows
    parts: Rows
    words: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def item(self, row: int) -> str:
        """Return the display name of one item: its sentence and its parts."""
        return f"S:{self.owners[row]} {' '.join(self._listed[row])}"

    def column(self, place: int, rows: Rows | slice = slice(None)) -> list[str]:
        """Return one part of some items."""
        words = self.words[place]
        return [words[part] for part in self.parts[rows, place].tolist()]

    def listed(self, rows: Rows | slice = slice(None)) -> list[tuple[str, ...]]:
        """Return the parts of some items."""
        return list(zip(*(self.column(place, rows) for place in range(len(self.words))), strict=True))

    @cached_property
    def owners(self) -> list[str]:
        """The name of the sentence of each item."""
        return [self.names[row] for row in self.rows.tolist()]

    @cached_property
    def _listed(self) -> list[tuple[str, ...]]:
        # Tables ask for items one by one.
        return self.listed()


def all_relations(document: Document) -> SentenceItems:
    """List (label, source UW, target UW) of every relation; all scopes are the same placeholder.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> items = all_relations(document_of("[S]agt:01(a:07.@past, b) mod(c, :01)[/S]"))
        >>> items.item(0), items.item(1)
        ('S:1 agt a b', 'S:1 mod c :scope')
    """
    graphs = document.graphs
    uws = _compared(graphs.vocabulary.uws)
    parts = np.column_stack([graphs.relations[:, 0], graphs.vocabulary.nodes[graphs.relations[:, 2:], 0]])
    words = (graphs.vocabulary.labels, uws, uws)
    return SentenceItems(document.names, graphs.sentences, parts, words, ("label", "source", "target"))


def all_uws(document: Document) -> SentenceItems:
    """List (position, UW) of every argument and of every isolated node; scopes are not UWs."""
    vocabulary, placed = document.graphs.vocabulary, document.graphs.placed
    uws = vocabulary.nodes[placed.nodes, 0]
    # UW 0 is empty: a reference to a scope.
    kept = uws > 0
    parts = np.column_stack([placed.positions[kept], uws[kept]])
    return SentenceItems(
        document.names, placed.sentences[kept], parts, (POSITIONS, vocabulary.uws), ("position", "word")
    )


def all_attributes(document: Document, optional: Collection[str] = ()) -> SentenceItems:
    """List (position, UW, attribute) of every attribute that is not optional."""
    vocabulary, placed = document.graphs.vocabulary, document.graphs.placed
    names, attributes, starts = vocabulary.attributes
    uws, _, marks = vocabulary.nodes[placed.nodes].T
    sizes = np.diff(starts)[marks]
    listed = attributes[ranges(starts[marks], sizes)]
    compared = np.array([name not in optional for name in names], dtype=np.bool_)[listed]
    owners = np.repeat(np.arange(len(marks)), sizes)[compared]
    parts = np.column_stack([placed.positions[owners], uws[owners], listed[compared]])
    words = (POSITIONS, _compared(vocabulary.uws), names)
    return SentenceItems(document.names, placed.sentences[owners], parts, words, ("position", "word", "attribute"))


def _compared(uws: tuple[str, ...]) -> tuple[str, ...]:
    """Let all scopes be the same placeholder."""
    return (SCOPE, *uws[1:])


def relation_items(sentence: Sentence) -> list[tuple[str, ...]]:
    """List what `all_relations` lists, of one sentence.

    Example:
        >>> from goldassay.unl.read import document_of
        >>> relation_items(document_of("[S]agt:01(a:07.@past, b) mod(c, :01)[/S]").sentences[0])
        [('agt', 'a', 'b'), ('mod', 'c', ':scope')]
    """
    return [(one.label, one.source.uw or SCOPE, one.target.uw or SCOPE) for one in sentence.relations]
