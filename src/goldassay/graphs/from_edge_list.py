"""Bare edges to a graph, column by column."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import FEW, Names, first_of_each, numbered
from goldassay.core.model import InputRows
from goldassay.formats import EdgeList
from goldassay.formats.labels import SIMPLE_IRI, opened_each
from goldassay.formats.records import BadRecords
from goldassay.graphs.from_triples import IS_A, TOP
from goldassay.graphs.model import Graph
from goldassay.graphs.predicates import chooser, direction
from goldassay.graphs.reading import GraphReading
from goldassay.graphs.texts import NAMED, UNLABELLED, composed, opened, shared_names

TOPS = (TOP, "owl:Thing")
IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")


class _Relations(NamedTuple):
    """What the relations of edges say.

    Attributes:
        makers: Those that make edges.
        chosen: Which edges have one of these; None for all.
        turned: Which edges lead from parent to child; None for none.
        names: What the relations of the graph are called; those of a taxonomy become one.
        codes: The relation of each edge as a place among them; None where there is one.
    """

    counts: Mapping[str, int]
    makers: Sequence[str]
    chosen: NDArray[np.bool_] | None = None
    turned: NDArray[np.bool_] | None = None
    names: Sequence[str] = (IS_A,)
    codes: NDArray[np.int32] | None = None


class _Ends(NamedTuple):
    """Edges as numbers."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    relation: NDArray[np.int32] | None
    rows: InputRows

    def take(self, kept: NDArray[np.bool_] | NDArray[np.int64]) -> _Ends:
        return _Ends(*(None if column is None else column[kept] for column in self))  # type: ignore[arg-type]


def graph_of_edges(
    given: EdgeList, reading: GraphReading, bad: BadRecords, *, path: str | None, form: str
) -> tuple[Graph, Mapping[str, int]]:
    """Convert bare edges to a graph, even if no edge is of the chosen kind, and count each relation: rows that name none count as ``is-a``."""
    edges = {name: Names(given.edges[name]) for name in ("source", "target", "relation") if name in given.edges}
    rows, count = np.asarray(given.edges["row"]) if "row" in given.edges else None, len(given.edges["source"])
    given.edges = ()
    said = _relations(edges, reading)
    alone = [node for node in given.nodes if node not in TOPS]
    names, ends, left_out = _ends(edges, rows, said, alone if reading.nodes == "declared" else [], reading)
    edges.clear()
    unlinked = len(set(alone).difference(names)) if alone else 0
    relations: Sequence[str] = said.names if len(ends.source) else ()
    if ends.relation is not None:
        relations, (codes,) = numbered([said.names[code] for code in ends.relation.tolist()])
        ends = ends._replace(relation=codes)
    texts, normalised = _texts(names, given.texts, reading)
    columns = np.empty((len(ends.source), 2), dtype=np.int64)
    columns[:, 0], columns[:, 1] = ends.source, ends.target
    left_out = {**left_out, "classes_without_edges": unlinked}
    graph = Graph(
        ids=names,
        texts=texts,
        edges=columns,
        relations=np.zeros(len(columns), dtype=np.int64) if ends.relation is None else ends.relation.astype(np.int64),
        relation_names=tuple(relations),
        input_rows=ends.rows,
        path=path,
        format=form,
        left_out={reason: count for reason, count in left_out.items() if count} | bad.left_out(),
        facts={
            "rows": count,
            "labels": len(given.texts),
            "self_loops": int(np.count_nonzero(ends.source == ends.target)),
            **({"normalised_texts": normalised} if normalised else {}),
        },
        notes=bad.notes(),
        warnings=given.warnings + (shared_names(names.tolist(), reading.text) if reading.text == "name" else ()),
        choices=reading.choices(said.makers),
    )
    return graph, said.counts


def _relations(edges: Mapping[str, Names], reading: GraphReading) -> _Relations:
    """Find which relations make edges, and which way these lead; rows without a relation are edges of a taxonomy."""
    size = len(edges["source"])
    is_edge = direction if reading.is_taxonomy else chooser(reading.edges)
    if "relation" not in edges:
        chosen = None if is_edge(IS_A) else np.zeros(size, dtype=np.bool_)
        return _Relations({IS_A: size} if size else {}, ("given",), chosen)
    words, (codes,) = numbered(edges["relation"])
    words = list(words)
    counts = dict(sorted(zip(words, np.bincount(codes, minlength=len(words)).tolist(), strict=True)))
    makers = [name for name in counts if is_edge(name)]
    ways = np.array([is_edge(word) for word in words], dtype=np.int8)[codes]
    chosen = None if ways.all() else ways != 0
    if not reading.is_taxonomy:
        return _Relations(counts, makers, chosen, names=words, codes=codes)
    turned = ways < 0
    return _Relations(counts, makers, chosen, turned if turned.any() else None)


def _ends(
    edges: Mapping[str, Names], rows: InputRows, said: _Relations, listed: list[str], reading: GraphReading
) -> tuple[Names, _Ends, dict[str, int]]:
    """Number the nodes in order of first appearance, those listed first, and keep each chosen edge once."""
    found, (own, source, target) = numbered(listed, edges["source"], edges["target"])
    names = Names(found).written_anew()
    if said.turned is not None:
        source, target = np.where(said.turned, target, source), np.where(said.turned, source, target)
    ends = _Ends(source, target, said.codes, rows)
    if said.chosen is not None:
        ends = ends.take(said.chosen)
    others = len(source) - len(ends.source)
    tops = names.places_of(TOPS) if reading.is_taxonomy else []
    if tops:
        ends = ends.take(~np.isin(ends.target, tops))
    below = len(ends.source)
    keys = ends.source.astype(np.int64) * len(names) + ends.target
    if ends.relation is not None:
        keys = keys * len(said.names) + ends.relation
    first = first_of_each(keys)
    if len(first) < below:
        ends = ends.take(first)
    if others or tops or said.turned is not None:
        names, (_, source, target) = names.used(own, ends.source, ends.target)
        ends = ends._replace(source=source, target=target)
    left_out = {
        "other_relations": others,
        "edges_to_owl_thing": len(edges["source"]) - others - below,
        "duplicates": below - len(first),
    }
    return names, ends, left_out


def _texts(names: Names, given: Mapping[str, str], reading: GraphReading) -> tuple[Names, int]:
    """Give each node its text, and count those that the composed form of Unicode changes."""
    if len(names) > FEW and not given:
        return _text_column(names, reading)
    every = "".join(names)
    # A name in ASCII without a colon is its own text, whatever is asked for.
    if not given and every.isascii() and ":" not in every:
        return names, 0
    texts, changed = composed(text_of(node, given, reading) for node in names)
    return Names(texts), changed


def _text_column(names: Names, reading: GraphReading) -> tuple[Names, int]:
    """Do the same for many names: only those are looked at one by one that no expression can name."""
    column = names.series
    odd = column.str.contains(r"[:\x80-\x{10FFFF}]")
    if not odd.any():
        return names, 0
    if NAMED[reading.text] is opened:
        simple = column.str.contains(SIMPLE_IRI)
        column = opened_each(column).zip_with(simple, column)
        odd &= ~simple
    rows = odd.arg_true()
    texts, changed = composed(text_of(node, {}, reading) for node in names.series.gather(rows))
    return Names(column.scatter(rows, texts) if texts else column), changed


def text_of(node: str, texts: Mapping[str, str], reading: GraphReading) -> str:
    """Give the text of a node: its own where the file gives one, else one made of its identifier."""
    named = NAMED[reading.text]
    if reading.text in UNLABELLED:
        return named(node)
    return texts.get(node) or (named(node) if "://" in node and IRI.fullmatch(node) else node)
