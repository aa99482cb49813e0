"""OBO Graphs: the JSON form of an ontology, nodes with their meta data and edges between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from goldassay.core.errors import InputError, RecordError
from goldassay.formats.documents import json_of
from goldassay.formats.names import OBO, OBO_IN_OWL, OWL, RDF, RDFS, XSD
from goldassay.formats.obo import Namespace
from goldassay.formats.records import BadRecords
from goldassay.formats.source import Source

if TYPE_CHECKING:
    from pyoxigraph import Triple

TYPES = {"CLASS": f"{OWL}Class", "PROPERTY": f"{OWL}ObjectProperty", "INDIVIDUAL": f"{OWL}NamedIndividual"}
PREDICATES = {
    "is_a": f"{RDFS}subClassOf",
    "subPropertyOf": f"{RDFS}subPropertyOf",
    "inverseOf": f"{OWL}inverseOf",
    "type": f"{RDF}type",
}


def read_obo_graph(source: Source, bad: BadRecords | None = None) -> Iterator[Triple]:
    """Read an OBO Graphs file as triples, all its graphs as one.

    Axioms beside the edges (logical definitions, domains and ranges, property chains) are not read.

    Args:
        source: The file.
        bad: Receives nodes and edges that cannot be read; without it the first one is raised.

    Yields:
        Triples of pyoxigraph's terms.

    Raises:
        InputError: If the file is no JSON of this shape; a :class:`~goldassay.core.errors.RecordError` for one node or edge.

    Source:
        https://github.com/geneontology/obographs

    Example:
        >>> page = b'{"graphs": [{"edges": [{"sub": "A:2", "pred": "is_a", "obj": "A:1"}]}]}'
        >>> [triple] = read_obo_graph(Source(path="a.json", name="a.json", data=page, size=71))
        >>> triple.object.value
        'http://purl.obolibrary.org/obo/A_1'
    """
    bad = bad or BadRecords()
    document = json_of(source)
    graphs = document.get("graphs") if isinstance(document, dict) else None
    if not isinstance(graphs, list):
        raise InputError("This is no OBO graph.", path=source.path, expected='{"graphs": [...]}')
    for graph in graphs:
        for node in _list_of(graph, "nodes", source.path):
            yield from _node(node, source.path, bad)
        for edge in _list_of(graph, "edges", source.path):
            yield from _edge(edge, source.path, bad)


def _list_of(graph: Any, key: str, path: str) -> list[Any]:
    entries = graph.get(key) or [] if isinstance(graph, dict) else None
    if not isinstance(entries, list):
        raise InputError(f"An OBO graph's {key} are no list.", path=path, expected=f'{{"{key}": [...]}}')
    return entries


def _node(node: Any, path: str, bad: BadRecords) -> Iterator[Triple]:
    from pyoxigraph import Literal, NamedNode, Triple

    if not isinstance(node, dict) or not isinstance(node.get("id"), str):
        bad.add(RecordError("A node has no id.", path=path, found=str(node)[:80], expected='{"id": "..."}'))
        return
    subject = Namespace().node(node["id"])
    if node.get("type") in TYPES:
        yield Triple(subject, NamedNode(f"{RDF}type"), NamedNode(TYPES[node["type"]]))
    for predicate, text in _texts(node):
        yield Triple(subject, NamedNode(predicate), Literal(text))
    if _meta(node).get("deprecated") is True:
        yield Triple(subject, NamedNode(f"{OWL}deprecated"), Literal("true", datatype=NamedNode(f"{XSD}boolean")))


def _meta(node: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = node.get("meta")
    return meta if isinstance(meta, dict) else {}


def _texts(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    meta = _meta(node)
    entries = [(f"{RDFS}label", node.get("lbl"))]
    definition = meta.get("definition")
    entries += [(f"{OBO}IAO_0000115", definition.get("val"))] if isinstance(definition, dict) else []
    for synonym in meta.get("synonyms") or []:
        if isinstance(synonym, dict) and isinstance(synonym.get("pred"), str):
            entries.append((f"{OBO_IN_OWL}{synonym['pred'].rpartition('#')[2]}", synonym.get("val")))
    return ((predicate, text) for predicate, text in entries if isinstance(text, str))


def _edge(edge: Any, path: str, bad: BadRecords) -> Iterator[Triple]:
    from pyoxigraph import NamedNode, Triple

    ends = [edge.get(key) if isinstance(edge, dict) else None for key in ("sub", "pred", "obj")]
    subject, predicate, target = (end if isinstance(end, str) else "" for end in ends)
    if not (subject and predicate and target):
        bad.add(
            RecordError("An edge is incomplete.", path=path, found=str(edge)[:80], expected='"sub", "pred" and "obj"')
        )
        return
    known = PREDICATES.get(predicate)
    node = Namespace().node
    yield Triple(node(subject), NamedNode(known) if known else node(predicate), node(target))
