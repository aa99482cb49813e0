"""An ontology as far as triples are checked against it: its relations, and what they hold between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from goldassay.core.errors import InputError, names_file
from goldassay.core.items import reach
from goldassay.formats import TRIPLES, Source, load, read_triples, recognise
from goldassay.formats.documents import json_of
from goldassay.formats.labels import LABELS, OWL, RDF, RDFS, last_part

PROPERTIES = frozenset({f"{OWL}ObjectProperty", f"{OWL}DatatypeProperty", f"{RDF}Property"})
CLASSES = frozenset({f"{OWL}Class", f"{RDFS}Class"})


@dataclass(frozen=True, kw_only=True)
class Relation:
    """A relation of an ontology."""

    names: frozenset[str]
    domain: frozenset[str] = frozenset()  # names of classes; empty for any
    range: frozenset[str] = frozenset()  # names of classes; empty for any


@dataclass(frozen=True, eq=False, kw_only=True)
class Ontology:
    """Relations by name, and classes."""

    relations: tuple[Relation, ...]
    classes: tuple[str, ...] = ()
    above: Mapping[str, frozenset[str]] = field(
        default_factory=dict
    )  # the classes above a class, itself included, by name

    def by_name(self, normalise: Callable[[str], str]) -> dict[str, Relation]:
        """List the relations by every name they have, as names are compared."""
        return {normalise(name): relation for relation in self.relations for name in relation.names}


@names_file
def read_ontology(path: str) -> Ontology:
    """Read an ontology: OWL or RDF in every syntax, or the JSON of Text2KGBench."""
    source = load(path)
    text2kgbench = source.data.lstrip().startswith(b"{") and source.name.endswith(".json")
    found = _read_json(source) if text2kgbench else _read_statements(source)
    if not found.relations:
        raise InputError("The ontology has no relation.", expected="properties, or a list of relations with labels")
    return found


def _read_json(source: Source) -> Ontology:
    document = json_of(source)
    if not isinstance(document, Mapping) or not all(
        isinstance(document.get(name, []), list) for name in ("relations", "concepts")
    ):
        raise InputError(
            "This JSON is not an ontology in the format of Text2KGBench.",
            expected='{"concepts": [{"qid": ..., "label": ...}], "relations": [{"label": ..., "domain": ..., "range": ...}]}',
        )
    concepts = [one for one in document.get("concepts", ()) if isinstance(one, Mapping) and "label" in one]
    labels = {str(one.get("qid", one["label"])): str(one["label"]) for one in concepts}
    relations = []
    for number, one in enumerate(document.get("relations", ()), start=1):
        if not isinstance(one, Mapping) or not isinstance(one.get("label"), str):
            raise InputError(
                "A relation of the ontology has no label.",
                found=f"relation {number}: {one!r:.60}",
                expected='{"label": ..., "domain": ..., "range": ...}',
            )
        relations.append(
            Relation(
                names=frozenset({one["label"]}),
                domain=_read_labels(one.get("domain"), labels),
                range=_read_labels(one.get("range"), labels),
            )
        )
    # One concept may have several labels.
    classes = tuple(str(one["label"]) for one in concepts)
    return Ontology(relations=tuple(relations), classes=classes, above={name: frozenset({name}) for name in classes})


def _read_labels(identifier: object, labels: Mapping[str, str]) -> frozenset[str]:
    return (
        frozenset({labels.get(identifier, identifier)}) if isinstance(identifier, str) and identifier else frozenset()
    )


def _read_statements(source: Source) -> Ontology:
    kinds: dict[str, set[str]] = {}
    names: dict[str, set[str]] = {}
    ends: dict[str, dict[str, set[str]]] = {f"{RDFS}domain": {}, f"{RDFS}range": {}}
    parents: dict[str, set[str]] = {}
    name = recognise(source)
    if name not in TRIPLES:
        raise InputError(
            "This file is not an ontology.",
            found=name,
            expected="RDF, OWL or OBO, or JSON of Text2KGBench",
        )
    for triple in read_triples(source, name):
        subject = getattr(triple.subject, "value", "")
        predicate, thing = triple.predicate.value, getattr(triple.object, "value", "")
        if predicate == f"{RDF}type":
            kinds.setdefault(subject, set()).add(thing)
        elif predicate in LABELS:
            names.setdefault(subject, set()).add(thing)
        elif predicate in ends:
            ends[predicate].setdefault(subject, set()).add(thing)
        elif predicate == f"{RDFS}subClassOf":
            parents.setdefault(subject, set()).add(thing)

    def called(iri: str) -> frozenset[str]:
        return frozenset({last_part(iri), *names.get(iri, ())})

    def all_called(iris: Iterable[str]) -> frozenset[str]:
        return frozenset(name for iri in iris for name in called(iri))

    properties = [iri for iri, some in kinds.items() if some & PROPERTIES]
    relations = tuple(
        Relation(
            names=called(iri),
            domain=all_called(ends[f"{RDFS}domain"].get(iri, ())),
            range=all_called(ends[f"{RDFS}range"].get(iri, ())),
        )
        for iri in properties
    )
    classes = [iri for iri, some in kinds.items() if some & CLASSES]
    by_name = {name: iri for iri in classes for name in called(iri)}
    above = _Above(by_name, lambda iri: all_called(reach([iri], parents)))
    return Ontology(
        relations=relations, classes=tuple(min(names.get(iri, {last_part(iri)})) for iri in classes), above=above
    )


@dataclass(frozen=True, eq=False)
class _Above(Mapping[str, frozenset[str]]):
    """What is above a class, found when it is asked for: all of it at once would be the square of a deep hierarchy."""

    iris: Mapping[str, str]
    find: Callable[[str], frozenset[str]]

    def __getitem__(self, name: str) -> frozenset[str]:
        return self.find(self.iris[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.iris)

    def __len__(self) -> int:
        return len(self.iris)
