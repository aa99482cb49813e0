"""Alignments to files: OAEI RDF/XML, SSSOM and tables, with a list of what is lost; and the verdicts on mappings, as SSSOM."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from os import PathLike
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from goldassay.alignments.formats.sssom import BUILT_IN
from goldassay.alignments.match import AlignmentMatching
from goldassay.alignments.model import NO_PAIRS, NONE, Alignment, flip_predicates
from goldassay.alignments.relations import INVERSE, PREDICATES, RELATIONS
from goldassay.core.errors import OutputError, UsageError, unknown_choice_error
from goldassay.core.libraries import pl
from goldassay.core.matching import SideName
from goldassay.formats.delimited import tsv_row
from goldassay.formats.known import SUFFIXES
from goldassay.formats.recognise import ALIGNMENTS
from goldassay.report.files import BREAKS_TSV, TABLES, ending_of, refuse_characters, write_whole
from goldassay.report.results import Results

ENDINGS: Mapping[str, str] = MappingProxyType(
    {".rdf": "oaei", ".xml": "oaei", **{suffix: name for suffix, name in SUFFIXES.items() if name in TABLES}}
)
FORMATS = ("oaei", "sssom", *TABLES)
SHOWN = 10
"""How many names a message lists."""
LOCAL_PART = string.ascii_letters + string.digits + ".-"


def format_of(path: str | PathLike[str], asked: str | None = None) -> str:
    """Return the format to write a file in: the one requested, else by its suffix."""
    if asked is not None:
        if asked not in FORMATS:
            raise unknown_choice_error("format", asked, FORMATS)
        return asked
    name = PurePath(path).name.lower()
    if name.endswith(".sssom.tsv"):
        return "sssom"
    message, hint = "The suffix of the file is not an alignment format.", "--to " + "|".join(FORMATS)
    return ENDINGS[ending_of(path, [*ENDINGS, ".sssom.tsv"], message, hint=hint)]


def write_alignment(alignment: Alignment, path: str | PathLike[str], *, to: str | None = None) -> tuple[str, ...]:
    """Write an alignment to a file, atomically.

    Args:
        alignment: The alignment.
        path: The file.
        to: The format; chosen by the suffix if None.

    Returns:
        What the format cannot express, one sentence each.

    Raises:
        UsageError: If there is no such format, or the alignment holds several test cases.
        OutputError: If the file cannot be written.

    Example:
        >>> import tempfile, pathlib
        >>> file = pathlib.Path(tempfile.mkdtemp(), "a.csv")
        >>> write_alignment(Alignment.from_rows([("cat", "chat", "=", 0.9)]), file), file.read_text().splitlines()
        ((), ['source,target,relation,score', 'cat,chat,=,0.9'])
    """
    if len(alignment.case_names) > 1:
        raise UsageError("Several test cases do not fit into one file.", hint="convert them one by one")
    name = format_of(path, to)
    write, lost = WRITERS[name](alignment)
    write_whole(Path(path), write)
    return (*lost, *_find_lost_statements(alignment, name))


def swap_sides(alignment: Alignment) -> Alignment:
    """Swap source and target, and invert the relations."""
    return replace(
        alignment,
        sources=alignment.targets,
        targets=alignment.sources,
        relations=INVERSE[alignment.relations],
        predicates=flip_predicates(alignment, np.ones(len(alignment), dtype=np.bool_)),
        denied=replace(alignment.denied, sources=alignment.denied.targets, targets=alignment.denied.sources),
        nulls=NO_PAIRS,
        candidates=None,
    )


Writer = tuple[Callable[[BinaryIO], object], tuple[str, ...]]


def _find_lost_statements(alignment: Alignment, name: str) -> tuple[str, ...]:
    counted = {
        "denied pairs are not written": len(alignment.denied),
        "sources without a counterpart are not written": len(alignment.nulls),
        "candidates are not written": 0 if alignment.candidates is None else len(alignment.candidates),
        "duplicates are written once, with the highest score": alignment.left_out.get("duplicates", 0),
        "predicates are written as the relations that they mean": 0
        if name == "sssom"
        else len(_special_predicates(alignment)),
    }
    lost = [f"{name}: {number:,} {what}" for what, number in counted.items() if number]
    unread = alignment.origin.unread
    shown = ", ".join(unread[:SHOWN]) + (", ..." if len(unread) > SHOWN else "")
    return (*lost, f"{name}: not written: {shown}") if unread else tuple(lost)


def _special_predicates(alignment: Alignment) -> list[str]:
    """List the predicates of the file that are more specific than a relation."""
    usual, prefixes = {*PREDICATES.values()}, {space: prefix for prefix, space in BUILT_IN.items()}
    return [word for word in alignment.origin.predicates if _curie(word, prefixes, BUILT_IN) not in usual]


def _frame(alignment: Alignment) -> pl.DataFrame:
    return pl.DataFrame(
        [
            alignment.terms.series.gather(alignment.sources).alias("source"),
            alignment.terms.series.gather(alignment.targets).alias("target"),
            pl.Series("relation", list(RELATIONS)).gather(alignment.relations.astype("int64")),
            pl.Series("score", alignment.scores),
        ]
    )


def _table(write: Callable[[pl.DataFrame, BinaryIO], object], refused: str = "") -> Callable[[Alignment], Writer]:
    def writer(alignment: Alignment) -> Writer:
        if refused:
            refuse(alignment, refused, "tsv")
        return (lambda stream: write(_frame(alignment), stream)), ()

    return writer


def _oaei(alignment: Alignment) -> Writer:
    refuse(alignment, "".join(map(chr, [*range(0x20), 0xFFFE, 0xFFFF])), "oaei")
    return (lambda stream: _write_oaei(alignment, stream)), ()


def _write_oaei(alignment: Alignment, stream: BinaryIO) -> None:
    head = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<rdf:RDF xmlns="{ALIGNMENTS}" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:xsd="http://www.w3.org/2001/XMLSchema#">\n'
        "<Alignment>\n<xml>yes</xml>\n<level>0</level>\n<type>??</type>\n"
    )
    stream.write(head.encode())
    for source, target, relation, score in _frame(alignment).iter_rows():
        cell = (
            "<map>\n\t<Cell>\n"
            f"\t\t<entity1 rdf:resource={quoteattr(source)}/>\n\t\t<entity2 rdf:resource={quoteattr(target)}/>\n"
            f'\t\t<measure rdf:datatype="xsd:float">{score!r}</measure>\n\t\t<relation>{escape(relation)}</relation>\n'
            "\t</Cell>\n</map>\n"
        )
        stream.write(cell.encode())
    stream.write(b"</Alignment>\n</rdf:RDF>\n")


def _sssom(alignment: Alignment) -> Writer:
    refuse(alignment, "\t\r\n", "sssom")
    # A namespace without a prefix gets one.
    named = {**BUILT_IN, **alignment.origin.prefixes}
    prefixes = {space: prefix for prefix, space in named.items()}
    words = [_curie(word, prefixes, named) for word in alignment.origin.predicates]
    own = [NONE] * len(alignment) if alignment.predicates is None else alignment.predicates.tolist()
    predicates = [
        PREDICATES.get(relation) if row == NONE else words[row]
        for row, relation in zip(own, alignment.relations.tolist(), strict=True)
    ]
    kept = alignment.take(np.array([word is not None for word in predicates], dtype=np.bool_))
    terms = sssom_terms(kept, prefixes)
    made = {prefix: space for space, prefix in prefixes.items() if prefix not in named}
    counted = {
        "correspondences whose relation has no predicate are not written": len(alignment) - len(kept),
        "namespaces have no prefix in the file and get one: " + ", ".join([*made][:SHOWN]): len(made),
    }
    lost = tuple(f"sssom: {number:,} {what}" for what, number in counted.items() if number)
    written = [word for word in predicates if word is not None]
    declared = {prefix: space for prefix, space in named.items() if BUILT_IN.get(prefix) != space}
    return (lambda stream: _write_sssom(kept, written, terms, {**declared, **made}, stream)), lost


def _write_sssom(
    alignment: Alignment, predicates: list[str], terms: list[str], prefixes: Mapping[str, str], stream: BinaryIO
) -> None:
    head = sssom_head(prefixes)
    head.append("subject_id\tpredicate_id\tobject_id\tmapping_justification\tconfidence")
    stream.write(("\n".join(head) + "\n").encode())
    for source, predicate, target, score in zip(
        alignment.sources.tolist(), predicates, alignment.targets.tolist(), alignment.scores.tolist(), strict=True
    ):
        row = (terms[source], predicate, terms[target], "semapv:UnspecifiedMatching", repr(score))
        stream.write((tsv_row(row) + "\n").encode())


def sssom_terms(alignment: Alignment, prefixes: dict[str, str]) -> list[str]:
    """Shorten all entities to CURIEs, and note their prefixes."""
    declared = {prefix: space for space, prefix in prefixes.items()}
    return [_curie(term, prefixes, declared) for term in alignment.terms]


def sssom_head(prefixes: Mapping[str, str]) -> list[str]:
    """Write the metadata of a mapping set, with the prefix of each namespace."""
    return [
        "#mapping_set_id: https://w3id.org/sssom/mappings/converted",
        "#license: https://w3id.org/sssom/license/unspecified",
        "#curie_map:",
        *(f'#  {prefix}: "{space}"' for prefix, space in prefixes.items()),
    ]


def _curie(term: str, prefixes: dict[str, str], declared: Mapping[str, str]) -> str:
    """Shorten an identifier by the longest declared namespace, or by its own, which gets the next prefix; others stay as they are."""
    known = max((space for space in declared.values() if term.startswith(space)), key=len, default="")
    if known and not term.startswith("//", len(known)):
        return f"{prefixes[known]}:{term[len(known) :]}"
    space = term.rstrip(LOCAL_PART)
    local = term[len(space) :]
    if "://" not in space or re.search(r"[\s\"']", space):
        return term
    if space not in prefixes:
        taken = {*prefixes.values(), *declared}
        prefixes[space] = next(name for number in count(1) if (name := f"ns{number}") not in taken)
    return f"{prefixes[space]}:{local}"


def refuse(alignment: Alignment, characters: str, name: str) -> None:
    """Reject identifiers with characters that the format cannot represent."""
    refuse_characters(alignment.terms.series, characters, name)


WRITERS: Mapping[str, Callable[[Alignment], Writer]] = MappingProxyType(
    {
        "oaei": _oaei,
        "sssom": _sssom,
        **{name: _table(write, BREAKS_TSV if name == "tsv" else "") for name, write in TABLES.items()},
    }
)


COLUMNS = ("subject_id", "predicate_id", "object_id", "mapping_justification", "confidence", "mapping_tool", "comment")


def sssom_diff(report: Results) -> Callable[[BinaryIO], object]:
    """Prepare a mapping set of the mappings of each prediction and those that it misses, with the measure and its verdict as comment."""
    found = [
        (run.label, score.spec, score.matching)
        for run in report.runs
        for score in run.scores
        if isinstance(score.matching, AlignmentMatching)
    ]
    if not found:
        raise OutputError(
            "No score has correspondences to write.",
            expected="a measure such as overlap",
            hint="another suffix of --explain",
        )
    prefixes: dict[str, str] = {}
    rows = [
        row
        for label, spec, matching in found
        for side in ("pred", "gold")
        for row in _rows(label, spec, matching, side, prefixes)
    ]
    text = "\n".join(
        [
            *sssom_head({prefix: space for space, prefix in prefixes.items()}),
            "\t".join(COLUMNS),
            *map(tsv_row, rows),
            "",
        ]
    )
    return lambda stream: stream.write(text.encode())


def _rows(
    label: str, spec: str, matching: AlignmentMatching, side: SideName, prefixes: dict[str, str]
) -> Iterator[tuple[str, ...]]:
    """List what the prediction has, and what it misses of gold."""
    items: Alignment = matching.pred_items if side == "pred" else matching.gold_items
    refuse(items, "\t\r\n", "sssom")
    verdicts = matching.verdicts(side, np.arange(len(items)))
    terms = sssom_terms(items, prefixes)
    tool = " ".join(label.split()) if side == "pred" else "gold"
    for row, verdict in enumerate(verdicts):
        if side == "gold" and verdict != "missed":
            continue
        predicate = PREDICATES.get(int(items.relations[row]), "sssom:other")
        score = float(items.scores[row])
        # In SSSOM confidences are from 0 to 1.
        confidence = repr(score) if 0.0 <= score <= 1.0 else ""
        ends = terms[items.sources[row]], predicate, terms[items.targets[row]]
        yield (*ends, "semapv:UnspecifiedMatching", confidence, tool, f"{spec}: {verdict}")
