"""SSSOM mapping sets, as TSV, JSON and RDF: prefixes are expanded, and negated mappings are denials."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from os.path import isfile
from pathlib import Path
from types import MappingProxyType
from typing import Any

from goldassay.alignments.rows import RawMappings, Vocabulary
from goldassay.core.errors import EmptyInputError, InputError, RecordError, name_file
from goldassay.core.libraries import ox
from goldassay.core.patterns import pattern_of
from goldassay.formats import Source, load
from goldassay.formats.choose_columns import NONE, Choice
from goldassay.formats.documents import json_of
from goldassay.formats.labels import OWL, SKOS
from goldassay.formats.recognise import header_of
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import SSSOM
from goldassay.formats.rows import cell_of, read_table
from goldassay.formats.source import text_of
from goldassay.formats.tables import Table
from goldassay.formats.triples import read_triples

BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
        "owl": "http://www.w3.org/2002/07/owl#",
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        "semapv": "https://w3id.org/semapv/vocab/",
        "skos": "http://www.w3.org/2004/02/skos/core#",
        "sssom": "https://w3id.org/sssom/",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
        "linkml": "https://w3id.org/linkml/",
    }
)
"""The prefixes that SSSOM knows without a map."""
PREFIX = pattern_of(r"[\w.\-]*")
UNCLEAN = pattern_of(r"""[\s"']""")
NEEDED = ("source", "target", "relation")
METADATA = pattern_of(r"[a-z_]+:")
KEPT = frozenset(
    {"subject_id", "predicate_id", "object_id", "confidence", "predicate_modifier", "curie_map", "mappings", "@context"}
)
"""What an alignment keeps of a mapping set, and what is written as denied pairs."""


def prefixes_of(lines: list[str]) -> dict[str, str]:
    """Read the prefix map out of YAML metadata, without their comment signs."""
    prefixes = []
    within = False
    for line in lines:
        if line.strip() and not line[0].isspace():
            within = line.split(":")[0].strip() == "curie_map"
        elif within:
            prefix, _, iri = (part.strip().strip("\"'") for part in line.partition(":"))
            if PREFIX.fullmatch(prefix):
                prefixes.append((prefix, iri))
    return _only_namespaces(prefixes)


def _only_namespaces(prefixes: Iterable[tuple[str, Any]]) -> dict[str, str]:
    """Keep the prefixes whose namespaces are IRIs without white space: names would begin with it, and lose it when they are written."""
    texts = ((prefix, iri.strip()) for prefix, iri in prefixes if isinstance(iri, str))
    return {prefix: iri for prefix, iri in texts if iri and not prefix.startswith("@") and not UNCLEAN.search(iri)}


def read_sssom(source: Source, name: str, bad: BadRecords, metadata: str | None) -> RawMappings:
    """Read a mapping set; without a file of metadata prefixes are looked for in it, then in the file next to it, and ``"none"`` keeps identifiers."""
    if name != "sssom-json":
        table, prefixes, names = _read_table(source, bad)
    elif b'"@graph"' in source.data:
        return read_sssom_rdf(source, "json-ld", bad)
    else:
        table, prefixes, names = _read_json(source, bad)
    namespaces = namespaces_of(prefixes, table.path, metadata)
    return RawMappings(
        path=table.path,
        table=table,
        vocabulary=Vocabulary(open=True, namespaces=namespaces),
        prefixes={**prefixes, **(namespaces or {})},
        unread=unread_of(names),
    )


def _read_table(source: Source, bad: BadRecords) -> tuple[Table, dict[str, str], list[str]]:
    """Read the table below the metadata, their prefixes, and the names of all that the file has."""
    text = text_of(source)
    head = re.match(r"(?:#[^\n]*+(?:\n|\Z))*+", text)
    # Spreadsheets write separators up to the width of the table.
    comments = [line[1:].rstrip("\r,;\t") for line in head[0].split("\n") if line] if head else []
    body = replace(source, data=text[head.end() if head else 0 :].encode())
    if not body.data.strip():
        raise EmptyInputError(
            "The file has metadata but no table.",
            found=f"{len(comments):,} lines of metadata",
            expected="subject_id, predicate_id, ...",
        )
    names = [line.partition(":")[0] for line in _unindent(comments) if METADATA.match(line)]

    def choose(columns: Sequence[str], **known: Any) -> Choice:
        names.extend(columns)
        return SSSOM.chosen(columns, **known)

    table = read_table(body, "tsv" if "\t" in header_of(text) else "csv", choose, bad, before=len(comments))
    return table, prefixes_above(comments), names


def unread_of(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of columns and metadata that correspondences do not keep."""
    return tuple(name for name in dict.fromkeys(names) if name not in KEPT)


def prefixes_above(comments: Sequence[str]) -> dict[str, str]:
    """Read the prefix map out of the lines above a table, without their comment signs."""
    return prefixes_of(_unindent(comments))


def _unindent(comments: Sequence[str]) -> list[str]:
    """Take away the blank by which some tables indent their metadata, and the map by more."""
    indent = 1 if comments and all(line.startswith(" ") or not line.strip() for line in comments) else 0
    return [line[indent:] for line in comments]


def _read_json(source: Source, bad: BadRecords) -> tuple[Table, dict[str, str], list[str]]:
    """Read the mappings of a document, its prefixes, and the names of all that it has."""
    document = json_of(source)
    mappings = document.get("mappings") if isinstance(document, dict) else document
    if not isinstance(mappings, list):
        raise InputError(
            "The JSON contains no list of mappings.",
            found=f"a JSON {type(mappings if isinstance(document, dict) else document).__name__}",
            expected='{"mappings": [{"subject_id": ...}, ...]}',
        )
    if not mappings:
        raise EmptyInputError("The file contains no mapping.", expected="at least one mapping")
    rows = [row for row, mapping in enumerate(mappings) if isinstance(mapping, dict)]
    for number, mapping in enumerate(mappings, start=1):
        if not isinstance(mapping, dict):
            bad.add(
                RecordError(
                    f"Mapping {number} is not an object.",
                    found=repr(mapping)[:80],
                    expected='{"subject_id": ...}',
                )
            )
    good = [mappings[row] for row in rows]
    names = list(dict.fromkeys(key for mapping in good for key in mapping))
    columns = {
        role: [cell_of(mapping.get(names[place])) for mapping in good]
        for role, place in SSSOM.chosen(names, always=True).places.items()
    }
    known = [*names, *(document if isinstance(document, dict) else ())]
    return Table.of(source.path, columns, rows=rows), _json_prefixes(document), known


def _json_prefixes(document: Any) -> dict[str, str]:
    if not isinstance(document, dict):
        return {}
    maps = (document[key] for key in ("@context", "curie_map") if isinstance(document.get(key), dict))
    entries = chain.from_iterable(entries.items() for entries in maps)
    return _only_namespaces(
        (prefix, entry.get("@id") if isinstance(entry, dict) else entry) for prefix, entry in entries
    )


def namespaces_of(prefixes: Mapping[str, str], path: str, metadata: str | None) -> dict[str, str] | None:
    """Return the namespaces of the prefixes of a table: its own, those of its metadata, and those of SSSOM; None if identifiers stay as they are."""
    if metadata == NONE:
        return None
    outside = _metadata_next_to(path, metadata) if metadata or not prefixes else {}
    return {**BUILT_IN, **prefixes, **outside}


def _metadata_next_to(path: str, metadata: str | None) -> dict[str, str]:
    """Read the prefixes from a file of metadata: the one that was named, else one next to the table."""
    files = [metadata] if metadata else [str(Path(path).with_suffix(end)) for end in (".yml", ".yaml")]
    for file in files:
        if metadata or isfile(file):
            with name_file(file):
                source = load(file)
                if source.data.lstrip().startswith(b"{"):
                    document = json_of(source)
                    return _json_prefixes(document) or _only_namespaces(document.items())
                return prefixes_of(re.split(r"\r\n|\n|\r", text_of(source)))
    return {}


SPACE = BUILT_IN["sssom"]
TYPE = f"{BUILT_IN['rdf']}type"
ROLES: Mapping[str, str] = MappingProxyType(
    {
        f"{OWL}annotatedSource": "source",
        f"{OWL}annotatedProperty": "relation",
        f"{OWL}annotatedTarget": "target",
        f"{SPACE}subject_id": "source",
        f"{SPACE}predicate_id": "relation",
        f"{SPACE}object_id": "target",
        f"{SPACE}confidence": "score",
        f"{SPACE}predicate_modifier": "modifier",
        f"{SPACE}mapping_justification": "justification",
        f"{SPACE}subject_type": "source_type",
        f"{SPACE}object_type": "target_type",
    }
)
"""The role of each predicate of a mapping."""
PLAIN = frozenset(
    [f"{OWL}{name}" for name in ("equivalentClass", "equivalentProperty", "sameAs")]
    + [f"{SKOS}{name}Match" for name in ("exact", "close", "broad", "narrow", "related")]
)
"""Predicates that map without an annotation."""
COLUMNS = tuple(dict.fromkeys(ROLES.values()))


def read_sssom_rdf(source: Source, name: str, bad: BadRecords) -> RawMappings:
    """Read mappings from RDF: those that are annotated, or, if none is, all statements with a mapping predicate."""
    unread: list[str] = []
    annotated: dict[str, dict[str, str]] = {}
    plain: list[dict[str, str]] = []
    empty = True
    for triple in read_triples(source, name, bad):
        empty = False
        predicate, subject = triple.predicate.value, str(triple.subject)
        if predicate in ROLES:
            value = "" if isinstance(triple.object, ox.BlankNode) else getattr(triple.object, "value", "")
            annotated.setdefault(subject, {}).setdefault(ROLES[predicate], value)
        elif predicate in PLAIN:
            ends = (term.value if isinstance(term, ox.NamedNode) else "" for term in (triple.subject, triple.object))
            plain.append({**dict(zip(("source", "target"), ends, strict=True)), "relation": predicate})
        elif predicate != TYPE:
            unread.append(predicate)
    # What has a confidence but no end is something else, such as a set of mappings.
    mappings = [mapping for mapping in annotated.values() if "source" in mapping or "target" in mapping]
    if not mappings and not plain:
        raise (EmptyInputError if empty else InputError)(
            "The file contains no mapping.",
            found=f"{name} without owl:annotatedSource, and without a statement such as skos:exactMatch",
            expected="an SSSOM mapping set",
        )
    good = [mapping for mapping in mappings or plain if _is_whole(mapping, bad, annotated=bool(mappings))]
    columns = {role: [mapping.get(role, "") for mapping in good] for role in COLUMNS}
    if not any(columns["score"]):
        del columns["score"]
    return RawMappings(
        path=source.path, lists=columns, vocabulary=Vocabulary(open=True), unread=unread_of(unread), in_rows=False
    )


def _is_whole(mapping: Mapping[str, str], bad: BadRecords, *, annotated: bool) -> bool:
    missing = [role for role in NEEDED if not mapping.get(role)]
    if missing:
        names = {"source": "subject", "relation": "predicate", "target": "object"}
        bad.add(
            RecordError(
                f"The mapping has no {names[missing[0]]}.",
                found=" ".join(mapping[role] for role in NEEDED if mapping.get(role))[:200],
                expected="owl:annotatedSource, owl:annotatedProperty and owl:annotatedTarget"
                if annotated
                else "a named entity at both ends",
                hint="expressions and texts are not entities; --on-error skip leaves them out",
            )
        )
    return not missing
