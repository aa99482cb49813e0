"""Graphs as they were read, laid out in columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from goldassay.core.intern import Numbering, places_among
from goldassay.kernels.keys import packed
from goldassay.kernels.ragged import among, distinct
from goldassay.kernels.types import Rows
from goldassay.unl.columns import NULL, Graphs, Node, Vocabulary
from goldassay.unl.grammar import Graph, Row, parse_node

AT_ONCE = 2**13
"""Relations and nodes that are objects at the same time, about: more of them keep the collector of garbage busy."""
WHOLE = ""
"""The scope of a relation of the whole sentence."""


@dataclass(eq=False)
class Layout:
    """Columns while graphs are laid out; the text of a node is parsed once, however often it stands there."""

    labels: Numbering = field(default_factory=Numbering)
    scopes: Numbering = field(default_factory=lambda: Numbering([WHOLE]))
    written: Numbering = field(default_factory=Numbering)
    rows: list[Row] = field(default_factory=list)
    blocks: list[Rows] = field(default_factory=list)
    sections: list[int] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    isolated: list[Node] = field(default_factory=list)
    alone: list[int] = field(default_factory=list)
    malformed: list[bool] = field(default_factory=list)

    def add(self, graphs: Iterable[Graph], *, malformed: bool) -> None:
        """Add a sentence."""
        sentence = len(self.malformed)
        self.malformed.append(malformed)
        for rows, isolated in graphs:
            self.owners.append(sentence)
            self.sections.append(len(rows))
            self.rows += rows
            self.isolated += isolated
            self.alone += [sentence] * len(isolated)
        if len(self.rows) >= AT_ONCE:
            self._lay_out()

    def graphs(self) -> Graphs:
        """Finish, and give the columns."""
        self._lay_out()
        relations = np.concatenate(self.blocks)
        isolated = self.written.codes(self.isolated)
        uws, ids, marks = map(Numbering, (("", NULL), ("",), ()))
        parsed = self._parsed(uws, ids, marks)
        _, first, node_of = np.unique(packed(*parsed.T), return_index=True, return_inverse=True)
        relations[:, 2:] = node_of[relations[:, 2:]]
        nodes = self._with_scopes(relations, parsed[first], ids)
        sizes = np.zeros(len(self.malformed), dtype=np.int64)
        np.add.at(sizes, self.owners, self.sections)
        return Graphs(
            Vocabulary(tuple(self.labels), tuple(self.scopes), tuple(uws), tuple(ids), tuple(marks), nodes),
            sizes,
            relations,
            np.bincount(np.array(self.alone, dtype=np.int64), minlength=len(sizes)),
            node_of[isolated],
            np.array(self.malformed, dtype=np.bool_),
        )

    def _lay_out(self) -> None:
        tables = (self.labels, self.scopes, self.written, self.written)
        self.blocks.append(_numbers(self.rows, tables))
        self.rows.clear()

    def _parsed(self, *tables: Numbering) -> Rows:
        """Parse every node as it was written, and number its parts, int64, shape (written, 3)."""
        nodes = (one if isinstance(one, Node) else parse_node(one) for one in self.written)
        blocks = [_numbers([], tables)]
        while some := list(islice(nodes, AT_ONCE)):
            blocks.append(_numbers(some, tables))
        return np.concatenate(blocks)

    def _with_scopes(self, relations: Rows, nodes: Rows, ids: Numbering) -> Rows:
        """Let nodes refer to scopes: `:3F` alone is a null UW, and a scope only if a relation of its section has this label."""
        named = np.zeros(len(ids), dtype=np.int64)
        places = places_among(list(self.scopes), list(ids))
        named[places[places >= 0]] = np.flatnonzero(places >= 0)
        named_by = np.where(nodes[:, 0] == 1, named[nodes[:, 1]], 0)
        able = np.flatnonzero(named_by)
        place = np.zeros(len(nodes), dtype=np.int64)
        place[able] = np.arange(len(nodes), len(nodes) + len(able))
        # Number 0 is the whole sentence, and no scope.
        keys = np.repeat(np.arange(len(self.sections)), self.sections) * len(self.scopes)
        known = distinct((keys + relations[:, 1])[relations[:, 1] > 0])
        ends = relations[:, 2:]
        refers = among(keys[:, None] + named_by[ends], known)
        ends[refers] = place[ends[refers]]
        scopes = nodes[able]
        scopes[:, 0] = 0
        return np.concatenate([nodes, scopes])


def _numbers(rows: Sequence[tuple[Any, ...]], tables: Sequence[Numbering]) -> Rows:
    """Number the entries of each column by its table, int64, shape (rows, tables)."""
    columns = zip(*rows, strict=True) if rows else [()] * len(tables)
    return np.column_stack(
        [table.codes(column).astype(np.int64) for table, column in zip(tables, columns, strict=True)]
    )
