"""Bare edges to a graph, column by column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from goldassay.core.context import string_array
from goldassay.formats import EdgeList, Source
from goldassay.formats.records import BadRecords
from goldassay.graphs.from_triples import IS_A, TOP
from goldassay.graphs.model import Graph
from goldassay.graphs.predicates import chooser, direction
from goldassay.graphs.reading import GraphReading
from goldassay.graphs.texts import NAMED, UNLABELLED, composed, shared_names

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from polars import DataFrame, Series

TOPS = (TOP, "owl:Thing")
IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")


def graph_of_edge_list(
    edge_list: EdgeList, source: Source, name: str, reading: GraphReading, bad: BadRecords
) -> tuple[Graph, Mapping[str, int]]:
    """Convert bare edges to a graph, even if no edge is of the chosen kind.

    Args:
        edge_list: The edges.
        source: The file they came from.
        name: Its format.
        reading: The options of the reader.
        bad: The records of the file that were skipped.

    Returns:
        The graph, and how often each relation occurs; rows that name no relation count as ``is-a``.
    """
    import polars as pl

    counts = _relation_counts(edge_list.edges)
    chosen = _chosen(edge_list.edges, counts, reading)
    others = len(edge_list.edges) - len(chosen)
    if reading.is_taxonomy:
        chosen = chosen.filter(~pl.col("target").is_in(TOPS))
    unique = chosen.unique(["source", "target", "relation"], keep="first", maintain_order=True)
    linked = pl.concat([unique["source"], unique["target"]])
    alone = [node for node in edge_list.nodes if node not in TOPS]
    listed = alone if reading.nodes == "declared" else ()
    names = pl.concat([pl.Series(listed, dtype=pl.String), linked])
    nodes = names.unique(maintain_order=True)
    relations = unique["relation"].unique(maintain_order=True)
    ids = nodes.to_list()
    ends = np.stack([_rows_in(nodes, unique["source"]), _rows_in(nodes, unique["target"])], axis=1)
    left_out = {
        "other_relations": others,
        "edges_to_owl_thing": len(edge_list.edges) - others - len(chosen),
        "duplicates": len(chosen) - len(unique),
        "classes_without_edges": len(set(alone) - set(ids)),
    }
    texts, normalised = composed(text_of(node, edge_list.texts, reading) for node in ids)
    graph = Graph(
        ids=string_array(ids),
        texts=string_array(texts),
        edges=ends,
        relations=_rows_in(relations, unique["relation"]),
        relation_names=tuple(relations.to_list()),
        input_rows=unique["row"].to_numpy() if "row" in unique.columns else None,
        path=source.path,
        format=name,
        left_out={reason: count for reason, count in left_out.items() if count} | bad.left_out(),
        facts={
            "rows": len(edge_list.edges),
            "labels": len(edge_list.texts),
            "self_loops": int((ends[:, 0] == ends[:, 1]).sum()),
            **({"normalised_texts": normalised} if normalised else {}),
        },
        notes=edge_list.notes + bad.notes() + shared_names(ids, reading.text),
        choices=reading.choices(_makers(edge_list.edges, counts, reading)),
    )
    return graph, counts


def _relation_counts(edges: DataFrame) -> dict[str, int]:
    if "relation" not in edges.columns:
        return {IS_A: len(edges)} if len(edges) else {}
    return dict(edges["relation"].value_counts().sort("relation").iter_rows())


def _makers(edges: DataFrame, counts: Mapping[str, int], reading: GraphReading) -> list[str]:
    """Return the relations that make edges; rows without a relation are edges."""
    if "relation" not in edges.columns:
        return ["given"]
    is_edge = direction if reading.is_taxonomy else chooser(reading.edges)
    return [name for name in counts if is_edge(name)]


def _chosen(edges: DataFrame, counts: Mapping[str, int], reading: GraphReading) -> DataFrame:
    """Keep the chosen rows, child first; taxonomic relations become one relation."""
    import polars as pl

    if "relation" not in edges.columns:
        edges = edges.with_columns(pl.lit(IS_A).alias("relation"))
    if not reading.is_taxonomy:
        is_edge = chooser(reading.edges)
        return edges.filter(pl.col("relation").is_in([name for name in counts if is_edge(name)]))
    up, down = ([name for name in counts if direction(name) == way] for way in (1, -1))
    turned = pl.col("relation").is_in(down)
    return edges.filter(pl.col("relation").is_in(up) | turned).select(
        pl.when(turned).then("target").otherwise("source").alias("source"),
        pl.when(turned).then("source").otherwise("target").alias("target"),
        pl.lit(IS_A).alias("relation"),
        # Only tables have it.
        pl.col("^row$"),
    )


def _rows_in(nodes: Series, column: Series) -> NDArray[np.int64]:
    """Find the row of each cell in a column of unique names."""
    import polars as pl

    index = nodes.alias("name").to_frame().with_row_index("row")
    rows = column.alias("name").to_frame().join(index, on="name", how="left", maintain_order="left")["row"]
    return rows.cast(pl.Int64).to_numpy()


def text_of(node: str, texts: Mapping[str, str], reading: GraphReading) -> str:
    """Give the text of a node: its own where the file gives one, else one made of its identifier.

    Args:
        node: Its identifier.
        texts: The texts that the file gives.
        reading: Which text is compared.
    """
    named = NAMED[reading.text]
    if reading.text in UNLABELLED:
        return named(node)
    return texts.get(node) or (named(node) if "://" in node and IRI.fullmatch(node) else node)
