"""The formats by name, and the file names and IRIs that belong to them."""

from __future__ import annotations

from types import MappingProxyType

from goldassay.core.errors import unknown_choice

TRIPLES = (
    "rdf-xml",
    "turtle",
    "n-triples",
    "n-quads",
    "trig",
    "n3",
    "json-ld",
    "owl-functional",
    "owl-xml",
    "obo",
    "obo-graph",
)
"""Formats that hold statements: :func:`~goldassay.formats.triples.read_triples` reads them."""

EDGE_LISTS = ("node-link", "csv", "tsv", "parquet")
"""Formats that hold bare edges: :func:`~goldassay.formats.edge_list.read_edge_list` reads them."""

FORMATS = TRIPLES + EDGE_LISTS

SUFFIXES = MappingProxyType(
    {
        ".csv": "csv",
        ".json": "node-link",
        ".jsonld": "json-ld",
        ".n3": "n3",
        ".nq": "n-quads",
        ".nt": "n-triples",
        ".obo": "obo",
        ".ofn": "owl-functional",
        ".owx": "owl-xml",
        ".parquet": "parquet",
        ".rdf": "rdf-xml",
        ".tab": "tsv",
        ".trig": "trig",
        ".tsv": "tsv",
        ".ttl": "turtle",
    }
)

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
OBO = "http://purl.obolibrary.org/obo/"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"

BASE = "file:///"
"""What relative IRIs are resolved against where a file names no base: the same for every file, so that what a thing is
called does not depend on where the file lies."""


def check_format(name: str) -> str:
    """Return the name if it is a format's, or say which one was probably meant.

    Raises:
        UsageError: If no format has this name.

    Example:
        >>> check_format("turtle")
        'turtle'
    """
    if name not in FORMATS:
        raise unknown_choice("input_format", name, FORMATS)
    return name
