"""SSSOM mapping sets as RDF: mappings are annotated axioms, or plain statements with a mapping predicate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from goldassay.alignments.formats.sssom import BUILT_IN, NEEDED, stated_of
from goldassay.alignments.statements import Stated
from goldassay.core.errors import EmptyInputError, InputError, RecordError
from goldassay.formats import Source
from goldassay.formats.labels import OWL, SKOS
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import NONE
from goldassay.formats.tables import Table
from goldassay.formats.triples import read_triples

SSSOM = BUILT_IN["sssom"]
TYPE = f"{BUILT_IN['rdf']}type"
ROLES: Mapping[str, str] = MappingProxyType(
    {
        f"{OWL}annotatedSource": "source",
        f"{OWL}annotatedProperty": "relation",
        f"{OWL}annotatedTarget": "target",
        f"{SSSOM}subject_id": "source",
        f"{SSSOM}predicate_id": "relation",
        f"{SSSOM}object_id": "target",
        f"{SSSOM}confidence": "score",
        f"{SSSOM}predicate_modifier": "modifier",
        f"{SSSOM}mapping_justification": "justification",
        f"{SSSOM}subject_type": "source_type",
        f"{SSSOM}object_type": "target_type",
    }
)
"""What a statement says of a mapping."""
PLAIN = frozenset(
    [f"{OWL}{name}" for name in ("equivalentClass", "equivalentProperty", "sameAs")]
    + [f"{SKOS}{name}Match" for name in ("exact", "close", "broad", "narrow", "related")]
)
"""Predicates that map without an annotation."""
COLUMNS = tuple(dict.fromkeys(ROLES.values()))


def read_sssom_rdf(source: Source, name: str, bad: BadRecords) -> Stated:
    """Read mappings from RDF: those that are annotated, or, if none is, all statements with a mapping predicate.

    Example:
        >>> page = (
        ...     b"@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix s: <https://w3id.org/sssom/> ."
        ...     b"[] owl:annotatedSource <http://a/1> ; owl:annotatedProperty owl:equivalentClass ;"
        ...     b"   owl:annotatedTarget <http://b/2> ; s:confidence 0.5 ."
        ... )
        >>> stated = read_sssom_rdf(Source(path="a", name="a", data=page, size=1), "turtle", BadRecords())
        >>> [stated.table.frame[0, role] for role in ("source", "target", "score")]
        ['http://a/1', 'http://b/2', '0.5']
    """
    unread: list[str] = []
    annotated: dict[str, dict[str, str]] = {}
    plain: list[dict[str, str]] = []
    empty = True
    for triple in read_triples(source, name, bad):
        empty = False
        predicate, value = triple.predicate.value, getattr(triple.object, "value", "")
        subject = str(triple.subject)
        if predicate in ROLES:
            annotated.setdefault(subject, {}).setdefault(ROLES[predicate], value)
        elif predicate in PLAIN:
            ends = getattr(triple.subject, "value", subject), predicate, value
            plain.append(dict(zip(("source", "relation", "target"), ends, strict=True)))
        elif predicate != TYPE:
            unread.append(predicate)
    # What has a confidence but no end is something else, such as a set of mappings.
    mappings = [mapping for mapping in annotated.values() if "source" in mapping or "target" in mapping]
    if not mappings and not plain:
        raise (EmptyInputError if empty else InputError)(
            "The file contains no mapping.",
            path=source.path,
            found=f"{name} without owl:annotatedSource, and without a statement such as skos:exactMatch",
            expected="an SSSOM mapping set",
        )
    good = [mapping for mapping in mappings or plain if _is_whole(mapping, source, bad)]
    columns = {role: [mapping.get(role, "") for mapping in good] for role in COLUMNS}
    if not any(columns["score"]):
        del columns["score"]
    table = Table.of(source.path, columns)
    return replace(stated_of(table, {}, NONE, unread), in_rows=False)


def _is_whole(mapping: Mapping[str, str], source: Source, bad: BadRecords) -> bool:
    missing = [role for role in NEEDED if not mapping.get(role)]
    if missing:
        names = {"source": "subject", "relation": "predicate", "target": "object"}
        bad.add(
            RecordError(
                f"The mapping has no {names[missing[0]]}.",
                path=source.path,
                found=" ".join(mapping.get(role, "") for role in NEEDED).strip()[:200],
                expected="owl:annotatedSource, owl:annotatedProperty and owl:annotatedTarget",
            )
        )
    return not missing
