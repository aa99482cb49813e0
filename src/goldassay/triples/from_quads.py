"""RDF with named graphs to answers: a graph is a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from goldassay.formats import Source, read_triples
from goldassay.formats.labels import last_part
from goldassay.formats.names import XSD
from goldassay.triples.answers import Answer, Statement

DEFAULT_GRAPH = "default"
PLAIN = f"{XSD}string"


def read_quads(source: Source, name: str, *, whole_iris: bool, left_out: dict[str, int]) -> Iterator[Answer]:
    """Read N-Quads or TriG; statements in no graph are the document ``default``."""
    from pyoxigraph import BlankNode, DefaultGraph

    documents: dict[str, list[Statement]] = {}
    for quad in read_triples(source, name):
        graph = getattr(quad, "graph_name", None)
        document = DEFAULT_GRAPH if graph is None or isinstance(graph, DefaultGraph) else _name(graph, whole_iris)
        some = documents.setdefault(document, [])
        if isinstance(quad.subject, BlankNode) or isinstance(quad.object, BlankNode):
            left_out["blank_nodes"] = left_out.get("blank_nodes", 0) + 1
            continue
        slots = [_name(term, whole_iris) for term in (quad.subject, quad.predicate, quad.object)]
        some.append(Statement(slots[0], slots[1], slots[2], _datatype(quad.object)))
    yield from (Answer(document, [some]) for document, some in documents.items())


def _name(term: Any, whole_iris: bool) -> str:
    value: str = getattr(term, "value", None) or str(term)
    if hasattr(term, "datatype") or whole_iris:
        return value
    return unquote(last_part(value))


def _datatype(term: Any) -> str:
    datatype = getattr(term, "datatype", None)
    return "" if datatype is None or datatype.value == PLAIN or term.language else str(datatype.value)
