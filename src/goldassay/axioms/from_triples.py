"""An ontology to axioms: domains and ranges, named superclasses, and some/all restrictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from goldassay.axioms.model import DATATYPE, OBJECT, SUBCLASS, Axioms
from goldassay.axioms.reading import AxiomReading
from goldassay.axioms.spelling import SUBCLASS_OF
from goldassay.core.libraries import ox
from goldassay.formats import Source
from goldassay.formats.labels import NAMES, OWL, RDF, RDFS, XSD, choose_labels, last_part
from goldassay.formats.records import BadRecords

if TYPE_CHECKING:
    Statements = dict[str, list[ox.Triple]]

SCHEMA = ("http://schema.org/", "https://schema.org/")
DOMAINS = (f"{RDFS}domain", *(f"{base}domainIncludes" for base in SCHEMA))
RANGES = (f"{RDFS}range", *(f"{base}rangeIncludes" for base in SCHEMA))
TYPE, SUBCLASS_IRI, EQUIVALENT = f"{RDF}type", f"{RDFS}subClassOf", f"{OWL}equivalentClass"
ON_PROPERTY, UNION, FIRST, REST = f"{OWL}onProperty", f"{OWL}unionOf", f"{RDF}first", f"{RDF}rest"
TOP = f"{OWL}Thing"
FILLERS = (f"{OWL}someValuesFrom", f"{OWL}allValuesFrom")
WANTED = frozenset(
    {*DOMAINS, *RANGES, TYPE, SUBCLASS_IRI, EQUIVALENT, ON_PROPERTY, UNION, FIRST, REST, *FILLERS, *NAMES}
)
PROPERTY_TYPES = frozenset(
    {f"{OWL}ObjectProperty", f"{OWL}DatatypeProperty", f"{RDF}Property", f"{OWL}FunctionalProperty"}
)
DATATYPE_CLASSES = frozenset({f"{RDFS}Datatype", *(f"{base}DataType" for base in SCHEMA)})
LITERALS = frozenset({f"{RDFS}Literal", f"{RDF}PlainLiteral", f"{RDF}langString"})


@dataclass
class _Ontology:
    """The statements that axioms are made of, looked up by their subject."""

    statements: Statements
    types: dict[str, set[str]] = field(default_factory=dict)
    objects: dict[str, dict[str, list[object]]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        for predicate, triples in self.statements.items():
            if predicate in NAMES:
                continue
            by_subject = self.objects.setdefault(predicate, {})
            for triple in triples:
                by_subject.setdefault(str(triple.subject), []).append(triple.object)
        for subject, objects in self.objects.get(TYPE, {}).items():
            self.types[subject] = {getattr(each, "value", "") for each in objects}

    def leave_out(self, reason: str, count: int = 1) -> None:
        self.left_out[reason] += count

    def of(self, predicates: Iterable[str], subject: object) -> list[object]:
        return [each for name in predicates for each in self.objects.get(name, {}).get(str(subject), ())]

    def named(self, term: object) -> list[str] | None:
        """Return the classes of an expression: one, or those of a union; None for any other."""
        if isinstance(term, ox.NamedNode):
            return [term.value]
        unions = self.of([UNION], term)
        if len(unions) != 1:
            return None
        members = [self.named(member) for member in self._listed(unions[0])]
        return None if None in members else [name for member in members for name in member or ()]

    def _listed(self, head: object) -> Iterator[object]:
        seen: set[str] = set()
        while str(head) not in seen and (first := self.of([FIRST], head)):
            seen.add(str(head))
            yield first[0]
            head = next(iter(self.of([REST], head)), None)

    def is_datatype(self, iri: str) -> bool:
        return iri.startswith(XSD) or iri in LITERALS or bool(self.types.get(f"<{iri}>", set()) & DATATYPE_CLASSES)

    def kind(self, property_: str, filler: str) -> int:
        declared = self.types.get(f"<{property_}>", set())
        says_datatype = f"{OWL}DatatypeProperty" in declared and f"{OWL}ObjectProperty" not in declared
        return DATATYPE if says_datatype or self.is_datatype(filler) else OBJECT


def axioms_of_triples(
    triples: Iterable[ox.Triple], source: Source, name: str, reading: AxiomReading, bad: BadRecords
) -> Axioms:
    """Convert statements to axioms; there may be none."""
    ontology = _Ontology(_sift(triples))
    everything = [*_property_axioms(ontology), *_superclass_axioms(ontology)]
    # Everything is an owl:Thing, so that an axiom on it speaks of no class.
    rows = [row for row in everything if row[0] != TOP]
    if len(rows) < len(everything):
        ontology.leave_out("axioms_of_owl_thing", len(everything) - len(rows))
    iris = [row[:3] for row in rows]
    labels = _labels(ontology.statements, iris, reading)
    columns = [[labels.get(iri, iri) for iri in column] for column in zip(*iris, strict=True)] or [[], [], []]
    return Axioms.from_columns(
        columns,
        np.array([row[3] for row in rows], dtype=np.int8),
        spelling=reading.spelling,
        left_out={**ontology.left_out, **bad.left_out()},
        path=source.path,
        format=name,
        notes=(*bad.notes(), *_notes(ontology)),
        warnings=tuple(_merged_name_lines({iri for row in iris for iri in row}, reading)),
        choices=reading.choices,
    )


def _sift(triples: Iterable[ox.Triple]) -> Statements:
    kept: Statements = {}
    for triple in triples:
        predicate = triple.predicate.value
        if predicate in WANTED:
            kept.setdefault(predicate, []).append(triple)
    return kept


def _property_axioms(ontology: _Ontology) -> Iterator[tuple[str, str, str, int]]:
    for property_ in _properties(ontology):
        classes = _expand(ontology, ontology.of(DOMAINS, f"<{property_}>"))
        fillers = _expand(ontology, ontology.of(RANGES, f"<{property_}>"))
        if not classes:
            ontology.leave_out("properties_without_domain")
        elif not fillers:
            ontology.leave_out("properties_without_range")
        for class_ in classes:
            for filler in fillers:
                yield class_, property_, filler, ontology.kind(property_, filler)


def _properties(ontology: _Ontology) -> list[str]:
    """List the properties that are declared, or have a domain or range, without annotations."""
    found: dict[str, None] = {}
    for predicate in (TYPE, *DOMAINS, *RANGES):
        for triple in ontology.statements.get(predicate, ()):
            declared = predicate != TYPE or getattr(triple.object, "value", None) in PROPERTY_TYPES
            if isinstance(triple.subject, ox.NamedNode) and declared:
                found[triple.subject.value] = None
    annotations = [each for each in found if f"{OWL}AnnotationProperty" in ontology.types.get(f"<{each}>", ())]
    if annotations:
        ontology.leave_out("annotation_properties", len(annotations))
    return [each for each in found if each not in set(annotations)]


def _expand(ontology: _Ontology, terms: Iterable[object]) -> list[str]:
    classes: dict[str, None] = {}
    for term in terms:
        names = ontology.named(term)
        if names is None:
            ontology.leave_out("class_expressions")
        else:
            classes.update(dict.fromkeys(names))
    return list(classes)


def _superclass_axioms(ontology: _Ontology) -> Iterator[tuple[str, str, str, int]]:
    for triple in ontology.statements.get(SUBCLASS_IRI, ()):
        subject, above = triple.subject, triple.object
        if not isinstance(subject, ox.NamedNode):
            ontology.leave_out("class_expressions")
        elif isinstance(above, ox.NamedNode):
            yield subject.value, SUBCLASS_OF, above.value, SUBCLASS
        else:
            yield from _expression_axioms(ontology, subject.value, above)
    equivalents = len(ontology.statements.get(EQUIVALENT, ()))
    if equivalents:
        ontology.leave_out("equivalent_classes", equivalents)


def _expression_axioms(ontology: _Ontology, class_: str, above: object) -> Iterator[tuple[str, str, str, int]]:
    fillers = ontology.of(FILLERS, above)
    names = ontology.named(fillers[0]) if len(fillers) == 1 else None
    properties = [each.value for each in ontology.of([ON_PROPERTY], above) if isinstance(each, ox.NamedNode)]
    if names is None or len(properties) != 1:
        ontology.leave_out("class_expressions")
        return
    for filler in names:
        yield class_, properties[0], filler, ontology.kind(properties[0], filler)


def _labels(statements: Statements, iris: Iterable[tuple[str, str, str]], reading: AxiomReading) -> Mapping[str, str]:
    if reading.text != "label":
        return {}
    return choose_labels(statements, {iri for row in iris for iri in row}, reading.language)


def _notes(ontology: _Ontology) -> Iterator[str]:
    both = {f"{OWL}ObjectProperty", f"{OWL}DatatypeProperty"}
    puns = sorted(subject for subject, types in ontology.types.items() if both <= types)
    if puns:
        yield f"{len(puns):,} declared as object property and as datatype property: {', '.join(puns[:5])}"


def _merged_name_lines(iris: set[str], reading: AxiomReading) -> Iterator[str]:
    merged = len(iris) - len({last_part(iri) for iri in iris})
    if merged and reading.text == "name":
        yield f"{merged:,} IRIs share their local name with another one; --text iri distinguishes them"
