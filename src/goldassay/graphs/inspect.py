"""The content of a file, and what goldassay would score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from os import PathLike
from typing import Any

from goldassay.core.errors import names_file
from goldassay.core.inspection import EXAMPLES, format_counts
from goldassay.core.libraries import ox
from goldassay.core.text import count_of
from goldassay.formats import EDGE_LISTS, Source, load, read_triples, recognise
from goldassay.formats.known import ANSWER, GRAPHS
from goldassay.formats.labels import LABELS, OWL, RDF
from goldassay.formats.records import BadRecords
from goldassay.graphs.from_triples import TYPE, graph_of_triples
from goldassay.graphs.model import Graph
from goldassay.graphs.predicates import shorten
from goldassay.graphs.read import no_edges_error, understand
from goldassay.graphs.reading import AS_USUAL, GraphReading

PROPERTIES = frozenset({f"{RDF}Property", f"{OWL}ObjectProperty", f"{OWL}DatatypeProperty", f"{OWL}AnnotationProperty"})
MOST_PREDICATES = 12
NO_LANGUAGE = "no language"


@dataclass(frozen=True, kw_only=True)
class GraphInspection:
    """The content of a file, and what goldassay would score."""

    path: str
    format: str
    bytes: int
    statements: int  # triples, or rows of a table, duplicates included
    classes: int = 0
    properties: int = 0
    deprecated: int = 0  # distinct entities marked owl:deprecated
    blank_nodes: int = 0
    # how often each predicate or relation occurs, the most frequent first
    predicates: Mapping[str, int] = field(default_factory=dict)
    # how many labels each language has; `""` is the key of labels without a language
    labels: Mapping[str, int] = field(default_factory=dict)
    nodes: int = 0
    edges: int = 0
    roots: int = 0  # nodes that are a parent and have no parent except themselves
    left_out: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as a dictionary of plain values, ready for JSON."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """Format the findings as text."""
        yield f"{self.path}: taxonomy, {self.format}, {self.bytes:,} bytes, {count_of(self.statements, 'statement')}"
        yield (
            f"  {count_of(self.classes, 'class')} ({self.deprecated:,} deprecated), "
            f"{count_of(self.properties, 'property')}, {count_of(self.blank_nodes, 'blank node')}"
        )
        yield f"  labels: {', '.join(f'{n:,} {language or NO_LANGUAGE}' for language, n in self.labels.items()) or 'none'}"
        yield "predicates"
        for name, count in list(self.predicates.items())[:MOST_PREDICATES]:
            yield f"  {count:>9,}  {name}"
        if len(self.predicates) > MOST_PREDICATES:
            yield f"  and {len(self.predicates) - MOST_PREDICATES} more"
        yield "what would be scored"
        yield f"  {count_of(self.edges, 'edge')} between {count_of(self.nodes, 'node')}, {count_of(self.roots, 'root')}"
        yield f"  left out: {format_counts(self.left_out) or 'nothing'}"
        yield from (f"  for example {example}" for example in self.examples)
        yield from (f"! {line}" for line in self.warnings)
        yield from (f"note: {note}" for note in self.notes)


@names_file
def inspect_graph(path: str | PathLike[str], reading: GraphReading = AS_USUAL) -> GraphInspection:
    """Inspect a file, whether or not it has an edge of the chosen kind."""
    source = load(path)
    name = reading.input_format or recognise(source, GRAPHS)
    if name in (*EDGE_LISTS, ANSWER):
        graph, counts = understand(source, reading)
        return _inspection(source, reading, graph, counts)
    bad = BadRecords(on_error=reading.on_error)
    triples = list(read_triples(source, name, bad, genus=reading.is_taxonomy))
    graph, counts = graph_of_triples(triples, source, name, reading, bad)
    return _inspection(source, reading, graph, counts, triples)


def _inspection(
    source: Source, reading: GraphReading, graph: Graph, counts: Mapping[str, int], triples: Iterable[ox.Triple] = ()
) -> GraphInspection:
    held = list(triples)
    nothing = ""
    if not len(graph):
        other = "; if these are triples of texts: --kind triples" if counts and not held else ""
        nothing = f"no edge would be scored: {no_edges_error(graph, counts, reading).hint}{other}"
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return GraphInspection(
        path=source.path,
        format=graph.format,
        bytes=source.size,
        statements=sum(counts.values()),
        classes=graph.facts.get("classes", 0),
        properties=_properties(held),
        deprecated=graph.facts.get("deprecated", 0),
        blank_nodes=_blank_nodes(held),
        predicates={shorten(name): count for name, count in ordered},
        labels=_languages(held),
        nodes=len(graph.ids),
        edges=len(graph),
        roots=_roots(graph),
        left_out=dict(graph.left_out),
        notes=graph.notes,
        warnings=(*graph.warnings, *filter(None, (nothing,))),
        examples=tuple(graph.item(row) for row in range(min(EXAMPLES, len(graph)))),
    )


def _properties(triples: Iterable[ox.Triple]) -> int:
    kinds = {ox.NamedNode(iri) for iri in PROPERTIES}
    is_a = ox.NamedNode(TYPE)
    return len({triple.subject for triple in triples if triple.predicate == is_a and triple.object in kinds})


def _blank_nodes(triples: Iterable[ox.Triple]) -> int:
    return len(
        {term for triple in triples for term in (triple.subject, triple.object) if isinstance(term, ox.BlankNode)}
    )


def _languages(triples: Iterable[ox.Triple]) -> dict[str, int]:
    labels = (triple.object for triple in triples if triple.predicate.value in LABELS)
    tags = Counter(label.language or "" for label in labels if isinstance(label, ox.Literal))
    return dict(sorted(tags.items()))


def _roots(graph: Graph) -> int:
    child, parent = graph.edges[:, 0], graph.edges[:, 1]
    between = child != parent
    return len(set(parent[between].tolist()) - set(child[between].tolist()))
