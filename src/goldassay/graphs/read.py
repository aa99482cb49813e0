"""Files to graphs: RDF in every syntax, OWL, OBO, node-link JSON and tables of edges."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike

import numpy as np

from goldassay.core.errors import EmptyInputError, InputError, names_file
from goldassay.core.model import Provenance
from goldassay.core.patterns import pattern_of
from goldassay.core.text import count_of
from goldassay.formats import EDGE_LISTS, EdgeList, Source, load, read_edge_list, read_triples, recognise
from goldassay.formats.answers.cells import as_batch
from goldassay.formats.builders import BEGINNING, is_of_builder
from goldassay.formats.graph_files import as_known
from goldassay.formats.known import ANSWER, GRAPHS, MEMORY
from goldassay.formats.labels import OWL, RDF, RDFS
from goldassay.formats.memory import Columns
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import EDGES
from goldassay.formats.rows import OBJECTS, TABLES
from goldassay.graphs.from_edge_list import graph_of_edges
from goldassay.graphs.from_triples import graph_of_triples
from goldassay.graphs.model import Graph
from goldassay.graphs.predicates import list_predicates, shorten
from goldassay.graphs.reading import AS_USUAL, GraphReading

NAMING = frozenset(
    {f"{RDF}type", f"{RDFS}label", f"{RDFS}comment", f"{OWL}imports", f"{OWL}versionIRI", f"{OWL}versionInfo"}
)
"""Predicates that are no edges under any choice: they say what there is, and what it is called."""
__all__ = ["GraphReading", "graph_of_columns", "read_graph", "understand"]

PAIR = 2
BY_PLACE = f"as {', '.join(map(EDGES.word, EDGES.orders[-1]))}"
"""What a warning says where a table without names has columns for a child, a relation and a parent."""
NO_HEADER = "if the columns are others, name them in a first row, such as child,parent,score or level1,level2,level3"
GRAPH_XML = pattern_of(rb"<(?:\w+:)?(?:graphml|gexf)\b")


def read_graph(path: str | PathLike[str], reading: GraphReading = AS_USUAL) -> Graph:
    r"""Read a graph from a file.

    Nothing is dropped silently: ``left_out`` counts what was not used, by reason (``class_expressions``: superclasses
    that are not named classes; ``blank_nodes`` and ``literal_objects``: chosen statements about such; ``duplicates``;
    ``other_relations``: rows of a table whose relation is not chosen; ``without_parent``: rows whose parent is a word for
    nothing, such as None; ``skipped_records``), ``facts`` counts what the file
    holds. ``facts["triples"]`` counts statements, duplicates included.

    Args:
        path: The file, gzipped or not.
        reading: The options of the reader.

    Returns:
        The graph: each edge once, nodes in order of first appearance.

    Raises:
        InputError: If the file cannot be read, or contains no edge of the chosen kind (the message lists its content).
        MissingDependencyError: If the format needs a package that is not installed.

    Example:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "pets.tsv")
        >>> _ = file.write_text("child\tparent\ncat\tpet\ndog\tpet\n")
        >>> graph = read_graph(file)
        >>> graph.format, [graph.item(row) for row in range(len(graph))]
        ('tsv', ['cat -> pet', 'dog -> pet'])
    """
    graph, counts = understand(path, reading)
    if not len(graph):
        raise no_edges_error(graph, counts, reading)
    return graph


def graph_of_columns(columns: Columns, reading: GraphReading = AS_USUAL) -> Graph:
    """Make a graph of a list of tuples."""
    ends = list(columns.cells.values())
    related = {"relation": ends[1]} if len(ends) > PAIR else {}
    edges = EdgeList(edges={"source": ends[0], "target": ends[-1], "row": columns.rows, **related})
    graph, counts = graph_of_edges(edges, reading, BadRecords(), path=columns.name, form=MEMORY)
    if not len(graph):
        raise no_edges_error(replace(graph, path=columns.path), counts, reading)
    return graph


@names_file
def understand(path: str | PathLike[str], reading: GraphReading) -> tuple[Graph, Mapping[str, int]]:
    """Convert a file to a graph, even if it has no edge."""
    source, bad = as_batch(load(path), reading), BadRecords(on_error=reading.on_error)
    source = as_known(source, taxonomy=True) if reading.input_format is None else source
    columns = (reading.child_column, reading.parent_column, reading.relation_column, reading.header)
    if reading.input_format is None and not any(columns) and is_of_builder(source):
        plain = _plain_graph(source)
        if plain is None:
            return _read_builder(source, reading)
        source = plain
    name = reading.input_format or recognise(source, GRAPHS)
    if name == ANSWER:
        return _read_answer(source, reading)
    if name in EDGE_LISTS:
        bare, called = [read_edge_list(source, name, bad, reading.chooser())], source.path
        # Neither the bytes of a large file nor its cells are held while the graph is made.
        del source
        return graph_of_edges(bare.pop(), reading, bad, path=called, form=name)
    return graph_of_triples(read_triples(source, name, bad, genus=reading.is_taxonomy), source, name, reading, bad)


def _plain_graph(source: Source) -> Source | None:
    """Write GraphML or GEXF whose edges have no relation as node-link JSON: a taxonomy needs none."""
    from goldassay.triples.formats.markup import plain_graph

    graph = plain_graph(source) if GRAPH_XML.search(source.data, 0, BEGINNING) else None
    return None if graph is None else source.rewritten(json.dumps(graph, ensure_ascii=False), "json")


def _read_builder(source: Source, reading: GraphReading) -> tuple[Graph, Mapping[str, int]]:
    """Convert what a graph builder writes: its triples are edges, whose relation is their predicate."""
    from goldassay.triples.read import read_triples_of_documents
    from goldassay.triples.reading import TriplesReading

    bad = BadRecords(on_error=reading.on_error)
    triples = read_triples_of_documents(source, TriplesReading(unit="corpus", on_error=reading.on_error))
    whole = (
        np.flatnonzero((triples.rows != triples.nameless).all(axis=1)) if triples.faults else np.arange(len(triples))
    )
    slots = dict(zip(("source", "relation", "target"), triples.keys[triples.rows[whole]].T.tolist(), strict=True))
    edges = EdgeList(edges=slots | {"row": whole}, warnings=triples.warnings)
    graph, counts = graph_of_edges(edges, reading, bad, path=source.path, form=str(triples.format))
    left_out = {**graph.left_out, **{name: n for name, n in triples.left_out.items() if name != "duplicates"}}
    if halves := len(triples) - len(whole):
        left_out["skipped_records"] = left_out.get("skipped_records", 0) + halves
    return replace(graph, left_out=left_out, notes=(*triples.notes, *graph.notes)), counts


def _read_answer(source: Source, reading: GraphReading) -> tuple[Graph, Mapping[str, int]]:
    """Convert model output to a graph: what is in it is read as a file of its own."""
    from goldassay.formats.answers.read import read_answer

    answer = read_answer(source, reading.arrows)
    graph, counts = understand(answer.source, replace(reading, input_format=answer.format))
    return replace(graph, format=ANSWER, **answer.provenance(source.path, graph)), counts


def no_edges_error(graph: Provenance, counts: Mapping[str, int], reading: GraphReading) -> InputError:
    """Build the error for a file without an edge of the chosen kind."""
    chosen = reading.edges if isinstance(reading.edges, str) else ", ".join(reading.edges)
    expressions = graph.left_out.get("class_expressions", 0)
    found = [f"the predicates {list_predicates(counts)}" if counts else "no statement"]
    if expressions:
        found.insert(
            0, f"{count_of(expressions, 'superclass')}, all class expressions (restrictions), none a named class"
        )
    choose = "--edges all"
    if defined := graph.left_out.get("definition_edges", 0):
        found.insert(0, f"{count_of(defined, 'edge')} from definitions")
        choose = "--edges definitions"
    only_names = (
        counts.keys() <= NAMING and not expressions and not defined and not graph.left_out.get("skipped_records")
    )
    hint = (
        "keep the edges of obsolete classes: --obsolete keep"
        if graph.left_out.get("obsolete_edges")
        else f"choose which statements are edges: {choose}{_example(counts)}"
        if counts
        else "check that writing the file has finished"
    )
    if (
        counts
        and graph.format in {*TABLES, *OBJECTS, "parquet"}
        and not reading.relation_column
        and reading.is_taxonomy
    ):
        by_place = any(BY_PLACE in warning for warning in graph.warnings)
        hint = (
            f"{NO_HEADER}; if the second one has relations: --edges all, or one of them"
            if by_place
            else f"{hint}; if that column has no relations: --relation-column none"
        )
    error = (EmptyInputError if only_names else InputError)(
        f"The file contains no edge of the kind {chosen!r}.",
        path=graph.path,
        found="; ".join(found),
        expected="at least one edge",
        hint=hint,
    )
    if isinstance(error, EmptyInputError):
        # A prediction may have nodes, which some measures count.
        error.model = graph
    return error


def _example(counts: Mapping[str, int]) -> str:
    """Name the most frequent predicate that may make edges, if there is one."""
    own = sorted(name for name in counts if not name.startswith((RDF, RDFS, OWL)))
    return f", or a predicate: --edges {shorten(max(own, key=lambda name: counts[name]))}" if own else ""
