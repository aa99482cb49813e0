"""Labels and types of the entities of an alignment, and the hierarchies above them, from ontologies."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from goldassay.alignments.hierarchy import Hierarchy, Ontologies
from goldassay.alignments.model import TYPES, Alignment
from goldassay.alignments.reading import AlignmentReading
from goldassay.core.errors import InputError, names_file
from goldassay.core.libraries import ox, pl
from goldassay.formats import TRIPLES, load, read_triples, recognise
from goldassay.formats.edges import read_edge_list
from goldassay.formats.known import EDGE_LISTS
from goldassay.formats.labels import NAMES, OWL, RDF, RDFS, SKOS, choose_labels
from goldassay.formats.records import BadRecords

TYPE_OF: Mapping[str, int] = MappingProxyType(
    {
        f"{OWL}Class": TYPES.index("class"),
        f"{RDFS}Class": TYPES.index("class"),
        f"{OWL}ObjectProperty": TYPES.index("object property"),
        f"{OWL}DatatypeProperty": TYPES.index("datatype property"),
        f"{OWL}AnnotationProperty": TYPES.index("annotation property"),
        f"{OWL}NamedIndividual": TYPES.index("individual"),
        f"{SKOS}Concept": TYPES.index("class"),
    }
)


IS_A = (f"{RDFS}subClassOf", f"{SKOS}broader")
SUB_PROPERTY = f"{RDFS}subPropertyOf"
USE_IN_ALIGNMENT = "http://oaei.ontologymatching.org/bio-ml/ann/use_in_alignment"
INDIVIDUAL = TYPES.index("individual")


@dataclass(frozen=True, kw_only=True)
class _Facts:
    """Labels and types of the entities of an alignment in one ontology, and its hierarchy."""

    labels: Mapping[str, str]
    types: Mapping[str, int]
    unused: frozenset[str]
    hierarchy: Hierarchy
    digest: str


def add_ontologies(alignment: Alignment, reading: AlignmentReading) -> Alignment:
    """Add the labels and kinds of the entities and the hierarchies, if ontologies are given."""
    asked = {"source": reading.source_ontology, "target": reading.target_ontology}
    found = {end: (path,) for end, path in asked.items() if path}
    return next(add_found_ontologies([alignment], found, reading.language)) if found else alignment


def add_found_ontologies(
    alignments: Sequence[Alignment], found: Mapping[str, Sequence[str]], language: str
) -> Iterator[Alignment]:
    """Add what ontologies say of the entities of several alignments; each file is read once."""
    terms = dict.fromkeys((term for one in alignments for term in one.terms.listed), 0)
    known = {end: _join([_facts(path, terms, language) for path in paths]) for end, paths in found.items()}
    made = Ontologies(
        **{end: facts.hierarchy for end, facts in known.items()},
        digest="+".join(facts.digest for facts in known.values()),
        language=language,
        files=tuple(path for paths in found.values() for path in paths),
    )
    inside = {end for facts in known.values() for end in (*facts.hierarchy.children, *facts.hierarchy.parents)}
    yield from (_with_facts(alignment, known, made, inside) for alignment in alignments)


def _with_facts(
    alignment: Alignment, known: Mapping[str, _Facts], ontologies: Ontologies, inside: Collection[str]
) -> Alignment:
    nodes = {term: row for row, term in enumerate(alignment.terms.listed)}
    labels = [""] * len(nodes)
    types = np.zeros(len(nodes), dtype=np.int8)
    for facts in known.values():
        for term in nodes.keys() & facts.labels.keys():
            labels[nodes[term]] = labels[nodes[term]] or facts.labels[term]
        for term in nodes.keys() & facts.types.keys():
            types[nodes[term]] = types[nodes[term]] or facts.types[term]
    alignment = _drop_excluded(
        alignment, [nodes[term] for facts in known.values() for term in facts.unused & nodes.keys()]
    )
    unknown = sum(kind == 0 and term not in inside for term, kind in zip(nodes, types.tolist(), strict=True))
    warning = (f"{unknown:,} of {len(nodes):,} entities are not in the ontologies",) if unknown else ()
    return replace(
        alignment,
        labels=pl.Series("label", labels, dtype=pl.String),
        types=types,
        ontologies=ontologies,
        warnings=alignment.warnings + warning,
    )


def _join(parts: Sequence[_Facts]) -> _Facts:
    """Merge the facts of several ontologies; those of an earlier one win."""
    if len(parts) == 1:
        return parts[0]
    return _Facts(
        labels={term: label for part in reversed(parts) for term, label in part.labels.items()},
        types={term: kind for part in reversed(parts) for term, kind in part.types.items()},
        unused=frozenset().union(*(part.unused for part in parts)),
        hierarchy=Hierarchy.join([part.hierarchy for part in parts]),
        digest="+".join(part.digest for part in parts),
    )


def _drop_excluded(alignment: Alignment, unused: Sequence[int]) -> Alignment:
    """Leave out correspondences of entities that the ontologies exclude from alignments."""
    out = np.isin(alignment.sources, unused) | np.isin(alignment.targets, unused)
    if not out.any():
        return alignment
    count = int(out.sum())
    return replace(
        alignment.take(~out),
        left_out={**alignment.left_out, "not_for_alignment": count},
        choices={**alignment.choices, "not_for_alignment": str(count)},
        notes=(
            *alignment.notes,
            f"correspondences of entities with use_in_alignment false, which are left out: {count:,}",
        ),
    )


@names_file
def _facts(path: str, nodes: Mapping[str, int], language: str) -> _Facts:
    source = load(path)
    name = recognise(source)
    if name in EDGE_LISTS:
        edges = Hierarchy.from_edges(read_edge_list(source, name).edges.select("source", "target").iter_rows())
        return _Facts(labels={}, types={}, unused=frozenset(), hierarchy=edges, digest=source.digest)
    if name not in TRIPLES:
        raise InputError("The file is not an ontology.", found=name, expected="RDF, OWL, OBO or a table of edges")
    wanted = (f"{RDF}type", *NAMES, *IS_A, SUB_PROPERTY, USE_IN_ALIGNMENT)
    statements: dict[str, list[ox.Triple]] = {predicate: [] for predicate in wanted}
    for triple in read_triples(source, name, BadRecords()):
        kept = statements.get(triple.predicate.value)
        if kept is not None:
            kept.append(triple)
    kinds: dict[str, int] = {}
    for triple in statements[f"{RDF}type"]:
        kind = getattr(triple.object, "value", "")
        subject = getattr(triple.subject, "value", "")
        if subject in nodes:
            # An instance of a class that is not OWL's is an individual, unless it is declared as something else.
            number = TYPE_OF.get(kind, 0 if kind.startswith((OWL, RDF, RDFS)) else INDIVIDUAL)
            known = kinds.get(subject, 0)
            kinds[subject] = known if known not in {0, INDIVIDUAL} or number == 0 else number
    unused = (
        getattr(triple.subject, "value", "")
        for triple in statements[USE_IN_ALIGNMENT]
        if getattr(triple.object, "value", "").strip().lower() in {"false", "0"}
    )
    return _Facts(
        labels=choose_labels(statements, nodes, language),
        types=kinds,
        unused=frozenset(term for term in unused if term in nodes),
        hierarchy=Hierarchy.from_edges(
            (edge for predicate in IS_A for edge in _named_edges(statements[predicate])),
            _named_edges(statements[SUB_PROPERTY]),
        ),
        digest=source.digest,
    )


def _named_edges(statements: list[ox.Triple]) -> Iterator[tuple[str, str]]:
    """List the edges between named entities."""
    for triple in statements:
        if isinstance(triple.subject, ox.NamedNode) and isinstance(triple.object, ox.NamedNode):
            yield triple.subject.value, triple.object.value
