"""Every file format: its name, what it holds, its suffixes, and how Recognition, choices and docs come from here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

Holds: TypeAlias = Literal[
    "statements", "edges", "rows", "answer", "page", "mappings", "text", "sentences", "labels", "hierarchy", "documents"
]
MEMORY = "memory"
"""The format of a table or a list that a program gives."""


class Format(NamedTuple):
    """One file format.

    Attributes:
        holds: Its kind of content, which determines the readers.
        known_by: How it is recognised by content; empty if it is recognised only by suffix.
    """

    name: str
    title: str
    holds: Holds
    suffixes: tuple[str, ...] = ()
    known_by: str = ""


FORMATS = (
    Format("rdf-xml", "RDF/XML", "statements", (".rdf",), "XML with the RDF namespace"),
    Format("turtle", "Turtle", "statements", (".ttl",), "`@prefix`, or a statement that begins with `<` or `_:`"),
    Format("n-triples", "N-Triples", "statements", (".nt",), ""),
    Format("n-quads", "N-Quads", "statements", (".nq",), "a line of four terms"),
    Format("trig", "TriG", "statements", (".trig",), ""),
    Format("n3", "Notation3", "statements", (".n3",), ""),
    Format("json-ld", "JSON-LD", "statements", (".jsonld",), "JSON with `@context`, `@id` or `@graph`"),
    Format("owl-functional", "OWL functional syntax", "statements", (".ofn",), "`Prefix(` or `Ontology(`"),
    Format("owl-xml", "OWL/XML", "statements", (".owx",), "XML with the root `Ontology` of OWL"),
    Format("obo", "OBO", "statements", (".obo",), "`format-version:` or `[Term]`"),
    Format("obo-graph", "OBO graph", "statements", (), "JSON with `graphs`"),
    Format(
        "node-link", "node-link JSON", "edges", (), "JSON with `nodes`, and `links`, `edges` or a parent in each node"
    ),
    Format("taxo", "TExEval taxonomy", "edges", (".taxo",), ""),
    Format("csv", "CSV", "rows", (".csv",), "a first line with `,` or `;`, or with `|` between cells"),
    Format("tsv", "TSV", "rows", (".tsv", ".tab"), "a first line with a tab"),
    Format("parquet", "Parquet", "rows", (".parquet",), "the bytes `PAR1`"),
    Format(
        "json-lines", "JSON Lines", "rows", (".jsonl", ".ndjson"), "a JSON object on the first line, and more below"
    ),
    Format(
        "json-table", "JSON table", "rows", (), "one JSON object of columns, or of numbered rows, as pandas writes it"
    ),
    Format(
        "model-output",
        "model output",
        "answer",
        (),
        "a code fence, thoughts, a response of a service, Mermaid, PlantUML, DOT, Cypher, nested JSON, YAML, TOON, XML of names, records with an answer, or "
        "lines most of which are an outline, arrows, tuples or sentences",
    ),
    Format("markdown", "Markdown tables", "page", (".md", ".markdown"), ""),
    Format("oaei", "Alignment API (OAEI)", "mappings", (), "XML with the namespace of alignments"),
    Format("sssom", "SSSOM table", "mappings", (), "columns `subject_id`, `predicate_id` and `object_id`"),
    Format("sssom-json", "SSSOM JSON", "mappings", (), "JSON with `mappings`"),
    Format("text", "plain text", "text", (".txt", ".text"), ""),
    Format("gaf", "GAF annotations", "labels", (".gaf",), "`!gaf-version:` at the beginning"),
    Format("cafa", "CAFA prediction", "labels", (), "`AUTHOR` at the beginning"),
    Format("mesh", "MeSH XML", "hierarchy", (), "XML with the root `DescriptorRecordSet`"),
    Format("hemkit", "HEMKit's integers", "labels", (), "a first line of whole numbers and blanks"),
    Format(
        "unl",
        "UNL document",
        "sentences",
        (".unl",),
        "`[S:`, `[D]`, `[P]` or `{unl}` at the beginning, or in a web page",
    ),
    Format("json", "JSON of documents", "documents", (), "one object, or an array"),
    Format("lists", "lists of triples", "documents", (), "an array of arrays on each line"),
    Format("rebel", "linearised triples (REBEL)", "documents", (), "`<triplet>` at the beginning of a line"),
    Format("webnlg", "WebNLG XML", "documents", (), "XML with the root `benchmark`"),
    Format("graphml", "GraphML", "documents", (), "XML with the root `graphml`"),
    Format("gexf", "GEXF", "documents", (".gexf",), "XML with the root `gexf`"),
    Format("tuples", "tuples of GraphRAG and LightRAG", "documents", (), 'a line that begins with `("entity"<|>`'),
    Format("openie", "Open IE extractions", "documents", (), "lines such as `0.98: (s; r; o)`"),
)
TITLES: Mapping[str, str] = MappingProxyType({known.name: known.title for known in FORMATS})
SUFFIXES: Mapping[str, str] = MappingProxyType({suffix: known.name for known in FORMATS for suffix in known.suffixes})


def formats_of(*holds: Holds) -> tuple[str, ...]:
    """Name the formats that hold one of some kinds of content."""
    return tuple(known.name for known in FORMATS if known.holds in holds)


TRIPLES = formats_of("statements")
"""Formats that hold statements: :func:`~goldassay.formats.triples.read_triples` reads them."""
EDGE_LISTS = formats_of("edges", "rows")
"""Formats that hold bare edges: :func:`~goldassay.formats.edges.read_edge_list` reads them."""
ANSWER = "model-output"
"""The format of what a language model writes: :func:`~goldassay.formats.answers.read.read_answer` reads it."""
GRAPHS = (*TRIPLES, *EDGE_LISTS, ANSWER)
"""Formats that hold a graph."""
