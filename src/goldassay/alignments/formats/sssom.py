"""SSSOM mapping sets, as TSV and as JSON: identifiers made whole by their prefixes, and mappings that say "not"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from goldassay.alignments.formats.records import Stated, columns_error
from goldassay.alignments.formats.tables import PLACEHOLDER, json_cell, read_delimited
from goldassay.core.errors import InputError, RecordError
from goldassay.formats import Source, load
from goldassay.formats.documents import json_of
from goldassay.formats.records import BadRecords
from goldassay.formats.source import text_of

if TYPE_CHECKING:
    import polars as pl

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
NO_TERM = "https://w3id.org/sssom/NoTermFound"
ENTRY = re.compile(r"""^\s+["']?([\w.\-]*)["']?\s*:\s*["']?([^\s"']+)["']?\s*$""")
COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "source": "subject_id",
        "target": "object_id",
        "relation": "predicate_id",
        "score": "confidence",
        "modifier": "predicate_modifier",
    }
)
NEEDED = ("source", "target", "relation")


def is_sssom(header: str) -> bool:
    """Say whether the first row of a table is that of an SSSOM mapping set."""
    return {"subject_id", "object_id", "predicate_id"} <= set(re.split(r"[\t,]", header.strip()))


def header_of(text: str) -> str:
    """Find the first line of a table that is no comment."""
    place = 0
    while text.startswith("#", place):
        place = text.find("\n", place) + 1
        if not place:
            return ""
    return text[place:].partition("\n")[0]


def prefixes_of(lines: list[str]) -> dict[str, str]:
    """Read the prefix map out of YAML metadata, without their comment signs.

    Example:
        >>> prefixes_of(["license: x", "curie_map:", "  HP: http://purl.obolibrary.org/obo/HP_", "comment: y"])
        {'HP': 'http://purl.obolibrary.org/obo/HP_'}
    """
    prefixes: dict[str, str] = {}
    within = False
    for line in lines:
        if line.strip() and not line[0].isspace():
            within = line.split(":")[0].strip() == "curie_map"
        elif within and (entry := ENTRY.match(line)):
            prefixes[entry[1]] = entry[2]
    return prefixes


class Rows(NamedTuple):
    """The rows of a file.

    Attributes:
        path: The file.
        locate: Says on which line a row stands.
        bad: Receives the bad ones.
    """

    path: str
    locate: Callable[[int], int | None]
    bad: BadRecords


def read_sssom(source: Source, bad: BadRecords, metadata: str | None) -> Stated:
    r"""Read an SSSOM table.

    Args:
        source: The file.
        bad: Receives rows of the wrong width, and identifiers with an unknown prefix.
        metadata: A file with the prefixes; None looks in the table, then beside it; ``"none"`` leaves identifiers as
            they stand.

    Returns:
        The mappings.

    Raises:
        InputError: If the file is no such table; a :class:`~goldassay.core.errors.RecordError` for one bad row.

    Example:
        >>> table = b"#curie_map:\n#  a: http://a/\nsubject_id\tpredicate_id\tobject_id\na:1\tskos:exactMatch\ta:2\n"
        >>> read_sssom(Source(path="a", name="a.tsv", data=table, size=1), BadRecords(), None).targets.to_list()
        ['http://a/2']
    """
    text = text_of(source)
    comments: list[str] = []
    place = 0
    while text.startswith("#", place):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        comments.append(text[place + 1 : end].rstrip("\r"))
        place = end + 1
    body = replace(source, data=text[place:].encode())
    if not body.data.strip():
        raise InputError(
            "The file has metadata and no table.", path=source.path, expected="subject_id, predicate_id, ..."
        )
    name = "tsv" if "\t" in header_of(text) else "csv"
    frame, columns, locate = read_delimited(body, name, bad, before=len(comments))
    places = {role: columns.index(column) for role, column in COLUMNS.items() if column in columns}
    for role in NEEDED:
        if role not in places:
            raise columns_error(COLUMNS[role], role, columns, source.path)
    # Some tables indent their metadata by "# ", and the map by more.
    indent = 1 if comments and all(line.startswith(" ") or not line.strip() for line in comments) else 0

    prefixes = prefixes_of([line[indent:] for line in comments])
    stated = {role: frame.to_series(at) for role, at in places.items()}
    return _stated(stated, prefixes, metadata, Rows(source.path, locate, bad))


def read_sssom_json(source: Source, bad: BadRecords, metadata: str | None) -> Stated:
    """Read an SSSOM mapping set in JSON.

    Args:
        source: The file.
        bad: Receives mappings that are no objects.
        metadata: As for `read_sssom`.

    Returns:
        The mappings.

    Raises:
        InputError: If the file is no such set.
    """
    import polars as pl

    document = json_of(source)
    mappings = document.get("mappings") if isinstance(document, dict) else document
    if not isinstance(mappings, list):
        raise InputError(
            "The JSON holds no list of mappings.", path=source.path, expected='{"mappings": [{"subject_id": ...}, ...]}'
        )
    good: list[dict[str, Any]] = []
    for number, mapping in enumerate(mappings, start=1):
        if isinstance(mapping, dict):
            good.append(mapping)
        else:
            bad.add(RecordError(f"Mapping {number} is no object.", path=source.path, found=repr(mapping)[:80]))
    used = {role: column for role, column in COLUMNS.items() if any(column in mapping for mapping in good)}
    for role in NEEDED:
        if role not in used:
            raise columns_error(COLUMNS[role], role, list(dict.fromkeys(key for m in good for key in m)), source.path)
    columns = {
        role: pl.Series(role, [json_cell(mapping.get(column)) for mapping in good], dtype=pl.String)
        for role, column in used.items()
    }
    rows = Rows(source.path, lambda row: None, bad)  # noqa: ARG005 - JSON has no lines
    return _stated(columns, _json_prefixes(document), metadata, rows)


def _json_prefixes(document: Any) -> dict[str, str]:
    if not isinstance(document, dict):
        return {}
    prefixes: dict[str, str] = {}
    for key in ("@context", "curie_map"):
        entries = document.get(key)
        for prefix, entry in entries.items() if isinstance(entries, dict) else ():
            iri = entry.get("@id") if isinstance(entry, dict) else entry
            if isinstance(iri, str) and not prefix.startswith("@"):
                prefixes[prefix] = iri
    return prefixes


def _stated(
    columns: Mapping[str, pl.Series],
    prefixes: Mapping[str, str],
    metadata: str | None,
    rows: Rows,
) -> Stated:
    notes: tuple[str, ...] = ()
    if metadata != PLACEHOLDER:
        outside = _metadata_beside(rows.path, metadata) if metadata or not prefixes else {}
        known = {**BUILT_IN, **prefixes, **outside}
        columns, rows = _made_whole(columns, known, rows)
    modifier = columns.get("modifier")
    denied = None if modifier is None else modifier.str.to_lowercase().str.strip_chars().eq("not").to_numpy()
    scores = columns.get("score")
    if scores is not None:
        blank = scores.str.strip_chars() == ""
        if blank.any():
            notes = (f"{int(blank.sum()):,} mappings have no confidence, and count as certain (1)",)
            scores = scores.set(blank, "1")
    return Stated(
        sources=columns["source"],
        targets=columns["target"],
        relations=columns["relation"],
        scores=scores,
        locate=rows.locate,
        denied=np.asarray(denied) if denied is not None and denied.any() else None,
        notes=notes,
    )


def _metadata_beside(path: str, metadata: str | None) -> dict[str, str]:
    """Read the prefixes from a file of metadata: the one that was named, else one beside the table."""
    beside = [metadata] if metadata else [str(Path(path).with_suffix(end)) for end in (".yml", ".yaml")]
    for file in beside:
        if metadata or Path(file).is_file():
            source = load(file)
            if source.data.lstrip().startswith(b"{"):
                document = json_of(source)
                return _json_prefixes(document) or {key: iri for key, iri in document.items() if isinstance(iri, str)}
            return prefixes_of(text_of(source).splitlines())
    return {}


def _made_whole(
    columns: Mapping[str, pl.Series], prefixes: Mapping[str, str], rows: Rows
) -> tuple[dict[str, pl.Series], Rows]:
    """Make identifiers whole; a row with an unknown prefix is bad, and left out."""
    whole = {role: _expanded(columns[role], prefixes) for role in ("source", "target")}
    good = whole["source"].is_not_null() & whole["target"].is_not_null()
    for row in (~good).arg_true().to_list():
        term = next(columns[role][row].strip() for role in whole if whole[role][row] is None)
        rows.bad.add(
            RecordError(
                f"The prefix {term.partition(':')[0]!r} is unknown.",
                path=rows.path,
                line=rows.locate(row),
                found=term,
                expected=f"one of {', '.join(sorted(prefixes))}"[:200],
                hint="name a file with the curie_map: --metadata FILE; or --metadata none keeps CURIEs as they stand",
            )
        )
    kept = good.arg_true().to_list()
    columns = {role: column.filter(good) for role, column in {**columns, **whole}.items()}
    return columns, rows._replace(locate=lambda row: rows.locate(kept[row]))


def _expanded(column: pl.Series, prefixes: Mapping[str, str]) -> pl.Series:
    """Put the namespace for the prefix of each identifier; null where the prefix is unknown."""
    import polars as pl

    terms = column.str.strip_chars()
    whole: dict[str, str | None] = {}
    for term in terms.unique().to_list():
        prefix, colon, rest = term.partition(":")
        is_curie = colon and not rest.startswith("//")
        whole[term] = (prefixes[prefix] + rest if prefix in prefixes else None) if is_curie else term
    return terms.replace_strict(whole, return_dtype=pl.String) if whole else terms
