"""Bare edges to a graph, column by column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import FEW, Names, Numbering, first_of_each, number_columns
from goldassay.core.model import InputRows, rows_kept
from goldassay.formats import EdgeList
from goldassay.formats.edge_tables import NOTHING, TOPS, warn_of_nothing
from goldassay.formats.records import BadRecords
from goldassay.graphs.from_triples import IS_A
from goldassay.graphs.model import Graph
from goldassay.graphs.predicates import chosen_way
from goldassay.graphs.reading import GraphReading
from goldassay.graphs.texts import node_texts, warn_of_shared_names

NO_PARENTS = frozenset((*TOPS, *NOTHING))


class _Relations(NamedTuple):
    """Which relations make edges."""

    counts: Mapping[str, int]
    makers: Sequence[str]  # the relations that make edges
    chosen: NDArray[np.bool_] | None = None  # which edges have one of these; None for all
    reversed: NDArray[np.bool_] | None = None  # which edges lead from parent to child; None for none
    names: Sequence[str] = (IS_A,)  # the names of the relations of the graph; those of a taxonomy become one
    codes: NDArray[np.int32] | None = None  # the relation of each edge as a row of `names`; None where there is one

    @property
    def are_all_up(self) -> bool:
        """Whether every edge is chosen, and leads from child to parent."""
        return self.chosen is None and self.reversed is None and self.codes is None


class _Unique(NamedTuple):
    """Nodes, and each chosen edge once, as rows of them, with its relation and the row of the file where it first occurs."""

    names: Names
    edges: NDArray[np.int64]
    rows: InputRows
    left_out: Mapping[str, int]
    relation: NDArray[np.int32] | None = None
    pairs: list[tuple[str, str]] | None = None
    nothing: tuple[str, ...] = ()
    """The two names of each edge, where they are at hand."""


def graph_of_edges(
    given: EdgeList, reading: GraphReading, bad: BadRecords, *, path: str | None, form: str
) -> tuple[Graph, Mapping[str, int]]:
    """Convert bare edges to a graph, even if no edge is of the chosen kind, and count each relation: rows that name none count as ``is-a``."""
    cells = {name: Names(given.edges[name]) for name in ("source", "target", "relation") if name in given.edges}
    rows, size = np.asarray(given.edges["row"]) if "row" in given.edges else None, len(cells["source"])
    given.edges = ()
    relations = _relations(cells, reading)
    nodes = [node for node in given.nodes if node not in TOPS]
    listed = nodes if reading.nodes == "declared" else []
    unique = _number_few(cells, rows, relations, listed) or _number_many(cells, rows, relations, listed, reading)
    cells.clear()
    names, edges = unique.names, unique.edges
    unlinked = len(set(nodes).difference(names)) if nodes else 0
    left_out = {**unique.left_out, "classes_without_edges": unlinked}
    relation_names, kinds = relations.names if len(edges) else (), np.zeros(len(edges), dtype=np.int64)
    if unique.relation is not None:
        relation_names, (codes,) = number_columns([relations.names[code] for code in unique.relation.tolist()])
        kinds = codes.astype(np.int64)
    texts, normalised = node_texts(names, given.texts, reading.text)
    graph = Graph(
        ids=names,
        texts=texts,
        edges=edges,
        relations=kinds,
        relation_names=tuple(relation_names),
        input_rows=unique.rows,
        path=path,
        format=form,
        left_out={reason: count for reason, count in left_out.items() if count} | bad.left_out(),
        facts={
            "rows": size,
            "labels": len(given.texts),
            "self_loops": int(np.count_nonzero(edges[:, 0] == edges[:, 1])),
            **({"normalised_texts": normalised} if normalised else {}),
        },
        notes=bad.notes(),
        warnings=given.warnings
        + warn_of_nothing(left_out.get("without_parent", 0), unique.nothing)
        + (warn_of_shared_names(names.tolist(), reading.text) if reading.text == "name" else ()),
        choices=reading.choices(relations.makers),
    )
    if unique.pairs and texts is names:
        # They are the same, and made already.
        vars(graph)["text_pairs"] = unique.pairs
    return graph, relations.counts


def _relations(cells: Mapping[str, Names], reading: GraphReading) -> _Relations:
    """Find which relations make edges, and in which direction; rows without a relation are edges of a taxonomy."""
    size = len(cells["source"])
    is_edge = chosen_way(reading.edges)
    if "relation" not in cells:
        chosen = None if is_edge(IS_A) else np.zeros(size, dtype=np.bool_)
        return _Relations({IS_A: size} if size else {}, ("given",), chosen)
    words, (codes,) = number_columns(cells["relation"])
    words = list(words)
    counts = dict(sorted(zip(words, np.bincount(codes, minlength=len(words)).tolist(), strict=True)))
    makers = [name for name in counts if is_edge(name)]
    ways = np.array([is_edge(word) for word in words], dtype=np.int8)[codes]
    chosen = None if ways.all() else ways != 0
    down = ways < 0 if (ways < 0).any() else None
    if not reading.is_taxonomy:
        return _Relations(counts, makers, chosen, down, names=words, codes=codes)
    return _Relations(counts, makers, chosen, down)


def _number_few(
    cells: Mapping[str, Names], rows: InputRows, relations: _Relations, listed: list[str]
) -> _Unique | None:
    """Do the same as `_number_many` for a few edges that are all chosen, in a third of the time; None for others."""
    if len(cells["source"]) > FEW or not relations.are_all_up:
        return None
    sources, targets = cells["source"].listed, cells["target"].listed
    known, pairs = Numbering(listed), list(zip(sources, targets, strict=True))
    # All children are numbered before the first parent.
    source, target = known.number(sources), known.number(targets)
    if not known.isdisjoint(NO_PARENTS):
        return None
    edges, unique = np.empty((len(pairs), 2), dtype=np.int64), dict.fromkeys(pairs)
    edges[:, 0], edges[:, 1] = source, target
    if len(unique) < len(pairs):
        # Of several values for one key a dictionary keeps the last.
        first = dict(zip(reversed(pairs), range(len(pairs) - 1, -1, -1), strict=True))
        kept = [first[pair] for pair in unique]
        edges, rows = edges[kept], rows_kept(rows, np.array(kept))
    left_out = {"duplicates": len(pairs) - len(unique)}
    return _Unique(Names(list(known)), edges, rows, left_out, pairs=list(unique))


def _number_many(
    cells: Mapping[str, Names], rows: InputRows, relations: _Relations, listed: list[str], reading: GraphReading
) -> _Unique:
    """Number the nodes in order of first appearance, those listed first, and keep each chosen edge once."""
    found, (own, source, target) = number_columns(listed, cells["source"], cells["target"])
    names, relation = Names(found).rewrite(), relations.codes
    if relations.reversed is not None:
        source, target = np.where(relations.reversed, [target, source], [source, target])
    size = len(source)
    if relations.chosen is not None:
        source, target, relation, rows = _take_columns(relations.chosen, source, target, relation, rows)
    chosen = len(source)
    tops, nothing = _no_parents(names, source) if reading.is_taxonomy else ([], [])
    if tops:
        source, target, relation, rows = _take_columns(~np.isin(target, tops), source, target, relation, rows)
    below = len(source)
    if nothing:
        source, target, relation, rows = _take_columns(~np.isin(target, nothing), source, target, relation, rows)
    proper = len(source)
    words = tuple(names.listed[place] for place in nothing) if nothing else ()
    keys = source.astype(np.int64) * len(names) + target
    if relation is not None:
        keys = keys * len(relations.names) + relation
    first = first_of_each(keys)
    if len(first) < proper:
        source, target, relation, rows = _take_columns(first, source, target, relation, rows)
    if chosen < size or tops or nothing or relations.reversed is not None:
        names, (_, source, target) = names.used(own, source, target)
    edges = np.empty((len(first), 2), dtype=np.int64)
    edges[:, 0], edges[:, 1] = source, target
    left_out = {
        "other_relations": size - chosen,
        "edges_to_owl_thing": chosen - below,
        "without_parent": below - proper,
        "duplicates": proper - len(first),
    }
    return _Unique(names, edges, rows, left_out, relation, nothing=words)


def _no_parents(names: Names, source: NDArray[Any]) -> tuple[list[int], list[int]]:
    """Find what is no parent: the top of every taxonomy, and words for nothing that no child is called."""
    found = names.places_of(NO_PARENTS)
    tops = names.places_of(TOPS) if found else []
    return tops, sorted({*found}.difference(tops, source[np.isin(source, found)].tolist())) if found else []


def _take_columns(kept: NDArray[Any], *columns: Any) -> tuple[Any, ...]:
    return tuple(None if column is None else column[kept] for column in columns)
