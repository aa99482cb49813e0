"""Labels and types of the entities of an alignment, from ontologies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from goldassay.alignments.model import TYPES, Alignment
from goldassay.alignments.reading import AlignmentReading
from goldassay.core.errors import InputError
from goldassay.formats import TRIPLES, load, read_triples, recognise
from goldassay.formats.labels import LABELS, best_labels
from goldassay.formats.names import OWL, RDF, RDFS
from goldassay.formats.records import BadRecords

if TYPE_CHECKING:
    from pyoxigraph import Triple

TYPE_OF: Mapping[str, int] = MappingProxyType(
    {
        f"{OWL}Class": TYPES.index("class"),
        f"{RDFS}Class": TYPES.index("class"),
        f"{OWL}ObjectProperty": TYPES.index("object property"),
        f"{OWL}DatatypeProperty": TYPES.index("datatype property"),
        f"{OWL}AnnotationProperty": TYPES.index("annotation property"),
        f"{OWL}NamedIndividual": TYPES.index("individual"),
    }
)


def described(alignment: Alignment, reading: AlignmentReading) -> Alignment:
    """Add the labels and kinds of the entities, if ontologies are given.

    Args:
        alignment: The alignment.
        reading: The options, with the paths of the ontologies.

    Returns:
        The alignment, with a label (or the empty text) and a kind for each term.

    Raises:
        InputError: If an ontology cannot be read.
    """
    import polars as pl

    paths = [path for path in (reading.source_ontology, reading.target_ontology) if path]
    if not paths:
        return alignment
    nodes = {term: row for row, term in enumerate(alignment.terms.to_list())}
    labels = [""] * len(nodes)
    types = np.zeros(len(nodes), dtype=np.int8)
    for path in paths:
        found_labels, found_types = _facts(path, nodes, reading.language)
        for term, label in found_labels.items():
            labels[nodes[term]] = labels[nodes[term]] or label
        for term, kind in found_types.items():
            types[nodes[term]] = types[nodes[term]] or kind
    unknown = int((types == 0).sum())
    note = (f"{unknown:,} of {len(nodes):,} entities are not in the ontologies",) if unknown else ()
    return replace(
        alignment, labels=pl.Series("label", labels, dtype=pl.String), types=types, notes=alignment.notes + note
    )


def _facts(path: str, nodes: Mapping[str, int], language: str) -> tuple[dict[str, str], dict[str, int]]:
    source = load(path)
    name = recognise(source)
    if name not in TRIPLES:
        raise InputError("This is not an ontology.", path=path, found=name, expected="RDF, OWL or OBO")
    statements: dict[str, list[Triple]] = {predicate: [] for predicate in (f"{RDF}type", *LABELS)}
    for triple in read_triples(source, name, BadRecords()):
        kept = statements.get(triple.predicate.value)
        if kept is not None:
            kept.append(triple)
    kinds: dict[str, int] = {}
    for triple in statements[f"{RDF}type"]:
        kind = TYPE_OF.get(getattr(triple.object, "value", ""))
        subject = getattr(triple.subject, "value", "")
        if kind and subject in nodes:
            kinds.setdefault(subject, kind)
    return best_labels(statements, nodes, language), kinds
