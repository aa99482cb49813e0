"""Statements to a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from goldassay.core.intern import Names
from goldassay.formats import Source
from goldassay.formats.labels import OWL, RDF, RDFS, SKOS
from goldassay.formats.records import BadRecords
from goldassay.graphs.blank_nodes import canonical
from goldassay.graphs.definitions import DEFINING, defined
from goldassay.graphs.model import Graph
from goldassay.graphs.predicates import DOWN, UP, chooser
from goldassay.graphs.reading import GraphReading
from goldassay.graphs.texts import LABELS, NAMED, UNLABELLED, best_labels, composed, shared_names

if TYPE_CHECKING:
    from pyoxigraph import Triple

TYPE, DEPRECATED, SUBCLASS = f"{RDF}type", f"{OWL}deprecated", f"{RDFS}subClassOf"
CLASSES = frozenset({f"{OWL}Class", f"{RDFS}Class", f"{SKOS}Concept"})
DESCRIBING = frozenset({TYPE, DEPRECATED, *LABELS})
IS_A = "is-a"
TOP = f"{OWL}Thing"
"""The class that every class is below, whether or not a file says so: no node of a taxonomy."""


@dataclass
class _Edges:
    """Collects edges: (source, relation, target) by identifier, those of definitions alone, and counts of skipped statements."""

    rows: list[tuple[str, str, str]] = field(default_factory=list)
    defined: list[tuple[str, str, str]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)

    def leave_out(self, reason: str, count: int = 1) -> None:
        if count:
            self.left_out[reason] = self.left_out.get(reason, 0) + count

    def define(self, pairs: Iterable[tuple[str, str]], *, used: bool) -> None:
        """Find the edges that definitions alone give, and use them if asked for."""
        found = dict.fromkeys((child, IS_A, parent) for child, parent in pairs if parent != TOP)
        asserted = set(self.rows)
        self.defined = [row for row in found if row not in asserted]
        self.rows += self.defined if used else []

    def drop(self, obsolete: set[str], classes: set[str]) -> None:
        """Leave out the edges of obsolete classes, and count these classes."""
        kept, self.defined = (
            [row for row in rows if not (row[0] in obsolete or row[2] in obsolete)]
            for rows in (self.rows, self.defined)
        )
        ends = {end for source, _, target in self.rows for end in (source, target)}
        self.leave_out("obsolete_classes", len(obsolete & (classes | ends)))
        self.leave_out("obsolete_edges", len(self.rows) - len(kept))
        self.rows = kept


def graph_of_triples(
    triples: Iterable[Triple], source: Source, name: str, reading: GraphReading, bad: BadRecords
) -> tuple[Graph, Mapping[str, int]]:
    """Convert statements to a graph, even if it has no edge."""
    if reading.blank_nodes == "keep":
        triples = canonical(triples, source.path)
    is_edge = chooser(reading.edges)
    describing = DESCRIBING | DEFINING if reading.is_taxonomy else DESCRIBING
    counts, statements = _sift(triples, lambda predicate: predicate in describing or is_edge(predicate))
    edges = _taxonomy(statements) if reading.is_taxonomy else _statements(statements, reading)
    used = reading.edges == "definitions"
    if reading.is_taxonomy:
        edges.define(defined(statements, source.path), used=used)
    classes, deprecated = _declared(statements)
    nodes = classes - {TOP}
    # Every statement is an edge there, also those that declare a class obsolete.
    if reading.obsolete == "drop" and reading.edges != "all":
        edges.drop(deprecated, classes)
        nodes -= deprecated
    edges.leave_out("definition_edges", 0 if used else len(edges.defined))
    unique = list(dict.fromkeys(edges.rows))
    edges.leave_out("duplicates", len(edges.rows) - len(unique))
    rows: dict[str, int] = {}
    relations: dict[str, int] = {}
    pairs = [(rows.setdefault(s, len(rows)), rows.setdefault(t, len(rows))) for s, _, t in unique]
    if reading.nodes == "declared":
        for node in sorted(nodes):
            rows.setdefault(node, len(rows))
    else:
        edges.leave_out("classes_without_edges", len(nodes - rows.keys()))
    kinds = [relations.setdefault(relation, len(relations)) for _, relation, _ in unique]
    labels = {} if reading.text in UNLABELLED else best_labels(statements, rows, reading.language)
    fallback = NAMED[reading.text]
    texts, normalised = composed(edges.texts.get(node) or labels.get(node) or fallback(node) for node in rows)
    graph = Graph(
        ids=Names(list(rows)),
        texts=Names(texts),
        edges=np.array(pairs, dtype=np.int64).reshape(-1, 2),
        relations=np.array(kinds, dtype=np.int64),
        relation_names=tuple(relations),
        path=source.path,
        format=name,
        left_out=edges.left_out | bad.left_out(),
        facts={
            "triples": sum(counts.values()),
            "classes": len(classes),
            "deprecated": len(deprecated),
            "labels": len(labels),
            "self_loops": sum(s == t for s, t in pairs),
            **({"definition_edges": len(edges.defined)} if used else {}),
            **({"normalised_texts": normalised} if normalised else {}),
        },
        notes=(*bad.notes(), *_told(len(edges.defined), used=used)),
        warnings=shared_names(list(rows), reading.text),
        choices=reading.choices(filter(is_edge, counts)),
    )
    return graph, counts


def _told(definitions: int, *, used: bool) -> Iterator[str]:
    """Say how many edges definitions alone give, and how to use them."""
    if definitions:
        edges = "1 edge from definitions is" if definitions == 1 else f"{definitions:,} edges from definitions are"
        yield (
            f"{edges} used"
            if used
            else f"{edges} not used: --edges definitions uses {'it' if definitions == 1 else 'them'}"
        )


def _sift(triples: Iterable[Triple], is_kept: Callable[[str], bool]) -> tuple[dict[str, int], dict[str, list[Triple]]]:
    """Count every predicate, and keep the statements that make edges or describe nodes."""
    counts: dict[str, int] = {}
    kept: dict[str, list[Triple]] = {}
    for triple in triples:
        predicate = triple.predicate.value
        if predicate not in counts:
            counts[predicate] = 0
            if is_kept(predicate):
                kept[predicate] = []
        counts[predicate] += 1
        if predicate in kept:
            kept[predicate].append(triple)
    return counts, kept


def _taxonomy(statements: Mapping[str, list[Triple]]) -> _Edges:
    from pyoxigraph import NamedNode

    edges = _Edges()
    for predicate in (*sorted(UP), *sorted(DOWN)):
        for triple in statements.get(predicate, ()):
            subject, target = triple.subject, triple.object
            if not (isinstance(subject, NamedNode) and isinstance(target, NamedNode)):
                edges.leave_out(_why_no_class(subject, target, predicate))
                continue
            child, parent = (subject, target) if predicate in UP else (target, subject)
            if parent.value == TOP:
                edges.leave_out("edges_to_owl_thing")
            else:
                edges.rows.append((child.value, IS_A, parent.value))
    return edges


def _why_no_class(subject: object, target: object, predicate: str) -> str:
    from pyoxigraph import BlankNode, Literal

    if isinstance(target, Literal):
        return "literal_objects"
    if isinstance(subject, BlankNode) or isinstance(target, BlankNode):
        return "class_expressions" if predicate == SUBCLASS else "blank_nodes"
    return "triple_terms"


def _statements(statements: Mapping[str, list[Triple]], reading: GraphReading) -> _Edges:
    from pyoxigraph import BlankNode, Literal, NamedNode

    edges = _Edges()
    is_edge, drop = chooser(reading.edges), reading.blank_nodes == "drop"
    for predicate in filter(is_edge, statements):
        for triple in statements[predicate]:
            subject, target = triple.subject, triple.object
            if drop and (isinstance(subject, BlankNode) or isinstance(target, BlankNode)):
                edges.leave_out("blank_nodes")
            elif not (
                isinstance(subject, NamedNode | BlankNode) and isinstance(target, NamedNode | BlankNode | Literal)
            ):
                edges.leave_out("triple_terms")
            else:
                identifiers = [term.value if isinstance(term, NamedNode) else str(term) for term in (subject, target)]
                edges.rows.append((identifiers[0], predicate, identifiers[1]))
                if isinstance(target, Literal):
                    edges.texts[identifiers[1]] = target.value
    return edges


def _declared(statements: Mapping[str, list[Triple]]) -> tuple[set[str], set[str]]:
    """Return the named classes and concepts that are declared, and what is marked as deprecated."""
    from pyoxigraph import Literal, NamedNode

    classes = {
        triple.subject.value
        for triple in statements.get(TYPE, ())
        if isinstance(triple.object, NamedNode)
        and triple.object.value in CLASSES
        and isinstance(triple.subject, NamedNode)
    }
    deprecated = {
        triple.subject.value
        for triple in statements.get(DEPRECATED, ())
        if isinstance(triple.object, Literal)
        and triple.object.value in {"true", "1"}
        and isinstance(triple.subject, NamedNode)
    }
    return classes, deprecated
