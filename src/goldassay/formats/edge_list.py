"""Bare edges, from whatever lists them: a table, a node-link graph, a TExEval taxonomy, or a list of tuples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(kw_only=True)
class EdgeList:
    """Bare edges.

    Attributes:
        edges: A frame of polars, or a list by name: the texts ``source`` and ``target``, and ``relation`` where there is one. A table also has
            ``row``, the row of the file, from 0. Who makes a graph of them takes them away, since they may be large.
        texts: Text of a node by its identifier, where the file gives one.
        nodes: Identifiers of the nodes that the file lists, with or without an edge; empty for a table.
        warnings: What changes what a number means.
    """

    edges: Any
    texts: Mapping[str, str] = field(default_factory=dict)
    nodes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
