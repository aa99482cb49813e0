"""Bytes to triples and edge lists: all file formats, independent of families.

A file takes three steps, each a function of the one before: :func:`load` brings its bytes, :func:`recognise` says which
format they are in, and :func:`read_triples` (RDF, OWL, OBO) or :func:`read_edge_list` (tables, node-link JSON) reads it.
"""

from goldassay.formats.edge_tables import EdgeList
from goldassay.formats.edges import read_edge_list
from goldassay.formats.known import EDGE_LISTS, FORMATS, TRIPLES
from goldassay.formats.recognise import recognise
from goldassay.formats.rows import read_table
from goldassay.formats.source import Source, load
from goldassay.formats.triples import read_triples

__all__ = [
    "EDGE_LISTS",
    "FORMATS",
    "TRIPLES",
    "EdgeList",
    "Source",
    "load",
    "read_edge_list",
    "read_table",
    "read_triples",
    "recognise",
]
