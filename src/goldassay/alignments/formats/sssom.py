"""SSSOM mapping sets, as TSV and as JSON: prefixes are expanded, and negated mappings are denials."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from goldassay.alignments.formats.records import Stated
from goldassay.core.errors import EmptyInputError, InputError, RecordError
from goldassay.formats import Source, load
from goldassay.formats.documents import json_of
from goldassay.formats.recognise import header_of
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import NONE, SSSOM, Choice
from goldassay.formats.rows import cell_of, read_table
from goldassay.formats.source import text_of
from goldassay.formats.tables import LINE, Table

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
PREFIX = re.compile(r"[\w.\-]*")
UNCLEAN = re.compile(r"""[\s"']""")
NEEDED = ("source", "target", "relation")
METADATA = re.compile(r"[a-z_]+:")
KEPT = frozenset(
    {"subject_id", "predicate_id", "object_id", "confidence", "predicate_modifier", "curie_map", "mappings", "@context"}
)
"""What an alignment keeps of a mapping set, and what is written as denied pairs."""
LITERAL = ("rdfs literal", "rdfs:literal")


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
        elif within:
            prefix, _, iri = (part.strip().strip("\"'") for part in line.partition(":"))
            if iri and PREFIX.fullmatch(prefix) and not UNCLEAN.search(iri):
                prefixes[prefix] = iri
    return prefixes


def read_sssom(source: Source, bad: BadRecords, metadata: str | None) -> Stated:
    r"""Read an SSSOM table.

    Args:
        source: The file.
        bad: Receives rows of the wrong width, and identifiers with an unknown prefix.
        metadata: A file with the prefixes; None looks in the table, then beside it; ``"none"`` keeps identifiers as
            they are.

    Returns:
        The mappings.

    Raises:
        InputError: If the file is not such a table; a :class:`~goldassay.core.errors.RecordError` for one bad row.

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
        raise EmptyInputError(
            "The file has metadata but no table.",
            path=source.path,
            found=f"{len(comments):,} lines of metadata",
            expected="subject_id, predicate_id, ...",
        )
    name = "tsv" if "\t" in header_of(text) else "csv"
    unread = [line.partition(":")[0] for line in _unindented(comments) if METADATA.match(line)]

    def noted(columns: Sequence[str], **known: Any) -> Choice:
        unread.extend(columns)
        return SSSOM.chooser(source.path)(columns, **known)

    table = read_table(body, name, noted, bad, before=len(comments))
    return replace(stated_of(table, prefixes_above(comments), metadata, bad), unread=unread_of(unread))


def unread_of(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of columns and metadata that correspondences do not keep.

    Example:
        >>> unread_of(["curie_map", "license", "subject_id", "comment"])
        ('license', 'comment')
    """
    return tuple(name for name in dict.fromkeys(names) if name not in KEPT)


def prefixes_above(comments: Sequence[str]) -> dict[str, str]:
    """Read the prefix map out of the lines above a table, without their comment signs."""
    return prefixes_of(_unindented(comments))


def _unindented(comments: Sequence[str]) -> list[str]:
    """Take away the blank by which some tables indent their metadata, and the map by more."""
    indent = 1 if comments and all(line.startswith(" ") or not line.strip() for line in comments) else 0
    return [line[indent:] for line in comments]


def read_sssom_json(source: Source, bad: BadRecords, metadata: str | None) -> Stated:
    """Read an SSSOM mapping set in JSON.

    Args:
        source: The file.
        bad: Receives mappings that are not objects.
        metadata: As for `read_sssom`.

    Returns:
        The mappings.

    Raises:
        InputError: If the file is not such a set.
    """
    document = json_of(source)
    mappings = document.get("mappings") if isinstance(document, dict) else document
    if not isinstance(mappings, list):
        raise InputError(
            "The JSON contains no list of mappings.",
            path=source.path,
            found=f"a JSON {type(mappings if isinstance(document, dict) else document).__name__}",
            expected='{"mappings": [{"subject_id": ...}, ...]}',
        )
    if not mappings:
        raise EmptyInputError("The file contains no mapping.", path=source.path, expected="at least one mapping")
    good: list[dict[str, Any]] = []
    places_of_good: list[int] = []
    for number, mapping in enumerate(mappings, start=1):
        if isinstance(mapping, dict):
            good.append(mapping)
            places_of_good.append(number - 1)
        else:
            bad.add(
                RecordError(
                    f"Mapping {number} is not an object.",
                    path=source.path,
                    found=repr(mapping)[:80],
                    expected='{"subject_id": ...}',
                )
            )
    names = list(dict.fromkeys(key for mapping in good for key in mapping))
    columns = {
        role: [cell_of(mapping.get(names[place])) for mapping in good]
        for role, place in SSSOM.chosen(names, path=source.path, always=True).places.items()
    }
    table = Table.of(source.path, columns, rows=places_of_good)
    named = [*names, *(document if isinstance(document, dict) else ())]
    return replace(stated_of(table, _json_prefixes(document), metadata, bad), unread=unread_of(named))


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


def stated_of(table: Table, prefixes: Mapping[str, str], metadata: str | None, bad: BadRecords) -> Stated:
    """Make statements of a table whose columns are roles.

    Args:
        table: The table.
        prefixes: The namespace of each prefix.
        metadata: As for `read_sssom`.
        bad: Receives rows with an unknown prefix, and mappings of literals.
    """
    notes = table.notes
    namespaces = namespaces_of(prefixes, table.path, metadata)
    if namespaces is not None:
        table = _made_whole(table, namespaces, bad)
    table = _of_entities(table, bad)
    columns = table.frame.to_dict()
    modifier = columns.get("modifier")
    denied = None if modifier is None else modifier.str.to_lowercase().str.strip_chars().eq("not").to_numpy()
    scores = columns.get("score")
    if scores is not None:
        blank = scores.str.strip_chars().str.to_lowercase().is_in(["", "nan"])
        if blank.any():
            notes += (f"{int(blank.sum()):,} mappings have no confidence, and get the score 1",)
            scores = scores.set(blank, "1")
    return Stated(
        sources=columns["source"],
        targets=columns["target"],
        relations=columns["relation"],
        scores=scores,
        locate=table.line,
        input_rows=table.input_rows,
        denied=np.asarray(denied) if denied is not None and denied.any() else None,
        justifications=columns.get("justification"),
        open=True,
        prefixes=prefixes if namespaces is None else {**prefixes, **namespaces},
        notes=notes,
    )


def namespaces_of(prefixes: Mapping[str, str], path: str, metadata: str | None) -> dict[str, str] | None:
    """Gather the namespaces of the prefixes of a table: its own, those of its metadata, and those that SSSOM knows.

    Args:
        prefixes: Those of the table itself.
        path: The table.
        metadata: As for `read_sssom`.

    Returns:
        The namespaces by prefix; None if identifiers stay as they are.
    """
    if metadata == NONE:
        return None
    outside = _metadata_beside(path, metadata) if metadata or not prefixes else {}
    return {**BUILT_IN, **prefixes, **outside}


def _of_entities(table: Table, bad: BadRecords) -> Table:
    """Leave out mappings of literals, which are bad records: an alignment is between entities."""
    good = np.ones(len(table.frame), dtype=np.bool_)
    for end in ("source", "target"):
        if f"{end}_type" in table.frame.columns:
            kinds = table.frame[f"{end}_type"].str.to_lowercase().str.strip_chars()
            good &= ~kinds.is_in(LITERAL).to_numpy()
    for row in np.flatnonzero(~good).tolist():
        bad.add(
            RecordError(
                "The mapping is of a literal, and not of an entity.",
                path=table.path,
                line=table.line(row),
                found=" ".join(table.frame[row, role] for role in NEEDED).strip()[:80],
                expected="subject_id and object_id, both of entities",
                hint="alignments are between entities; --on-error skip leaves literal mappings out",
            )
        )
    return replace(table, frame=table.frame.filter(good))


def _metadata_beside(path: str, metadata: str | None) -> dict[str, str]:
    """Read the prefixes from a file of metadata: the one that was named, else one beside the table."""
    beside = [metadata] if metadata else [str(Path(path).with_suffix(end)) for end in (".yml", ".yaml")]
    for file in beside:
        if metadata or Path(file).is_file():
            source = load(file)
            if source.data.lstrip().startswith(b"{"):
                document = json_of(source)
                return _json_prefixes(document) or {key: iri for key, iri in document.items() if isinstance(iri, str)}
            return prefixes_of(re.split(r"\r\n|\n|\r", text_of(source)))
    return {}


def _made_whole(table: Table, prefixes: Mapping[str, str], bad: BadRecords) -> Table:
    """Expand identifiers; a row with an unknown prefix is bad, and skipped."""
    import polars as pl

    frame = table.frame.with_columns(_expanded(table.frame[role], prefixes) for role in ("source", "target"))
    good = frame.select(pl.all_horizontal(pl.col("source", "target").is_not_null())).to_series()
    for row in (~good).arg_true().to_list():
        term = next(table.frame[row, role].strip() for role in ("source", "target") if frame[row, role] is None)
        error = unknown_prefix(
            term, prefixes, found=term if LINE in table.frame.columns else f"mapping {row + 1}: {term}"
        )
        error.path, error.line = table.path, table.line(row)
        bad.add(error)
    return replace(table, frame=frame.filter(good))


def unknown_prefix(term: str, prefixes: Mapping[str, str], *, found: str) -> RecordError:
    """Build the error for an identifier whose prefix is not known."""
    return RecordError(
        f"The prefix {term.partition(':')[0][:40]!r} is unknown.",
        found=found[:200],
        expected=f"one of {', '.join(sorted(prefixes))}"[:200],
        hint="name a file with the curie_map: --metadata FILE; or --metadata none keeps CURIEs as they are",
    )


def expanded(term: str, prefixes: Mapping[str, str]) -> str | None:
    """Put the namespace for the prefix of an identifier; None where the prefix is unknown.

    Example:
        >>> expanded("HP:1", {"HP": "http://hp/"}), expanded("http://hp/1", {}), expanded("XX:1", {})
        ('http://hp/1', 'http://hp/1', None)
    """
    prefix, colon, rest = term.partition(":")
    is_curie = colon and not rest.startswith("//")
    return (prefixes[prefix] + rest if prefix in prefixes else None) if is_curie else term


def _expanded(column: pl.Series, prefixes: Mapping[str, str]) -> pl.Series:
    """Put the namespace for the prefix of each identifier; null where the prefix is unknown."""
    import polars as pl

    terms = column.str.strip_chars()
    whole = {term: expanded(term, prefixes) for term in terms.unique().to_list()}
    return terms.replace_strict(whole, return_dtype=pl.String) if whole else terms
