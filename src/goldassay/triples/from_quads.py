"""RDF with named graphs: a graph is a document."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from goldassay.formats import Source, read_triples
from goldassay.formats.labels import XSD, last_part
from goldassay.triples.statements import Reader

DEFAULT_GRAPH = "default"
PLAIN = f"{XSD}string"


def read_quads(source: Source, name: str, reader: Reader, *, whole_iris: bool) -> None:
    """Read N-Quads or TriG; statements in no graph are the document ``default``."""
    from pyoxigraph import BlankNode, DefaultGraph

    documents, blank = reader.documents, 0
    for quad in read_triples(source, name):
        graph = getattr(quad, "graph_name", None)
        name = DEFAULT_GRAPH if graph is None or isinstance(graph, DefaultGraph) else _name(graph, whole_iris)
        document = documents.called(name)
        if isinstance(quad.subject, BlankNode) or isinstance(quad.object, BlankNode):
            blank += 1
            continue
        slots = [_name(term, whole_iris) for term in (quad.subject, quad.predicate, quad.object)]
        documents.add(document, slots, datatype=_datatype(quad.object))
    if blank:
        reader.left_out["blank_nodes"] = blank


def _name(term: Any, whole_iris: bool) -> str:
    value: str = getattr(term, "value", None) or str(term)
    if hasattr(term, "datatype") or whole_iris:
        return value
    return unquote(last_part(value))


def _datatype(term: Any) -> str:
    datatype = getattr(term, "datatype", None)
    return "" if datatype is None or datatype.value == PLAIN or term.language else str(datatype.value)
