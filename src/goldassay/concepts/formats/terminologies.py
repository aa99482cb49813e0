"""The names of concepts in terminologies: UMLS, SNOMED CT and MeSH, each in the files that it is given out in.

Files of lines are read piece by piece, since those of the UMLS have many millions of names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from os import PathLike, fspath
from os.path import exists, isdir
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from goldassay.concepts.texts.names import Names
from goldassay.core.errors import RecordError, name_file, unknown_choice_error
from goldassay.core.patterns import pattern_of
from goldassay.formats import load
from goldassay.formats.markup import utf8_xml, xml_elements
from goldassay.formats.rows import decode_lines
from goldassay.formats.source import beginning_of, read_whole_lines

UMLS_LANGUAGES: Mapping[str, str] = MappingProxyType(
    {
        "cs": "CZE", "da": "DAN", "de": "GER", "el": "GRE", "en": "ENG", "es": "SPA", "et": "EST", "fi": "FIN", "fr": "FRE", "he": "HEB",
        "hr": "SCR", "hu": "HUN", "it": "ITA", "ja": "JPN", "ko": "KOR", "lv": "LAV", "nl": "DUT", "no": "NOR", "pl": "POL", "pt": "POR",
        "ru": "RUS", "sv": "SWE", "tr": "TUR", "uk": "UKR", "zh": "CHI",
    }
)  # fmt: skip
"""Languages as MRCONSO.RRF calls them."""

MRCONSO = ("CUI", "LAT", "TS", "LUI", "STT", "SUI", "ISPREF", "AUI", "SAUI", "SCUI", "SDUI", "SAB", "TTY", "CODE", "STR", "SRL", "SUPPRESS", "CVF")  # fmt: skip
SYNONYM, FULL_NAME = "900000000000013009", "900000000000003001"
TAG = pattern_of(r" \([^()]+\)$")
"""The semantic tag of a fully specified name of SNOMED CT: Asthma (disorder)."""
RECORDS = ("DescriptorRecord", "SupplementalRecord")
"""The records of MeSH in XML."""


class NameFilter(NamedTuple):
    """Which names are wanted."""

    language: str = "en"
    vocabularies: frozenset[str] = frozenset()
    suppressed: bool = False


def terminology(path: str | PathLike[str], wanted: NameFilter, gathered: Names) -> bool:
    """Read a terminology in a format of its own."""
    reader = _reader_of(path)
    if reader is not None:
        reader(path, wanted, gathered)
    return reader is not None


def is_terminology(path: str | PathLike[str]) -> bool:
    """Return whether a file, or a folder, is a terminology in a format of its own."""
    return isdir(path) or _reader_of(path) is not None


def _reader_of(path: str | PathLike[str]) -> Reader | None:
    beginning = beginning_of(path).removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
    return next((reader for pattern, reader in READERS.items() if re.match(pattern, beginning)), None)


def _lines(path: str | PathLike[str], gathered: Names) -> Iterator[tuple[int, str]]:
    number = 1
    for piece in read_whole_lines(path):
        lines = piece if number > 1 else piece.removeprefix(b"\xef\xbb\xbf")
        yield from decode_lines(lines, gathered.bad, first=number)
        number += len(piece.splitlines()) if b"\r" in piece else piece.count(b"\n")


def _fields(path: str | PathLike[str], separator: str, width: int, gathered: Names) -> Iterator[tuple[int, list[str]]]:
    """Split lines; one with too few fields is a bad record."""
    with name_file(path):
        for number, line in _lines(path, gathered):
            fields = line.split(separator)
            if len(fields) < width:
                message, found, expected = "This line has too few fields.", f"{len(fields)}", f"{width}"
                gathered.bad.refuse(message, line=number, found=found, expected=expected)
            else:
                yield number, fields


def _umls(path: str | PathLike[str], wanted: NameFilter, gathered: Names) -> None:
    language = UMLS_LANGUAGES.get(wanted.language[:2].lower(), wanted.language.upper())
    taken = {"N", ""} | ({"O", "E", "Y"} if wanted.suppressed else set())
    seen: set[str] = set()
    for line, row in _fields(path, "|", len(MRCONSO), gathered):
        if row[1] != language:
            gathered.leave_out("names_in_other_languages")
        elif row[16] not in taken:
            gathered.leave_out("suppressed_names")
        elif wanted.vocabularies and row[11] not in wanted.vocabularies:
            gathered.leave_out("names_of_other_vocabularies")
            seen.add(row[11])
        else:
            seen.add(row[11])
            preferred = row[2] == "P" and row[4] == "PF" and row[6] == "Y"
            gathered.add(0 if preferred else 1, row[0], row[14], line=line)
    for name in wanted.vocabularies - seen:
        raise unknown_choice_error(f"vocabulary of {fspath(path)} in the language {language}", name, sorted(seen))
    types = Path(path).with_name("MRSTY.RRF")
    if exists(types):
        for _, row in _fields(types, "|", 2, gathered):
            gathered.add_kind(row[0], row[1])


def _read_snomed(path: str | PathLike[str], wanted: NameFilter, gathered: Names) -> None:
    for number, row in _fields(path, "\t", 8, gathered):
        if number == 1:
            continue
        _, _, active, _, concept, spoken, kind, term, *_ = row
        if active != "1":
            gathered.leave_out("inactive_names")
        elif spoken != wanted.language[:2].lower():
            gathered.leave_out("names_in_other_languages")
        elif kind == FULL_NAME:
            gathered.add(0, concept, TAG.sub("", term), line=number)
        elif kind == SYNONYM:
            gathered.add(1, concept, term, line=number)
        else:
            gathered.leave_out("definitions")


def _mesh(path: str | PathLike[str], wanted: NameFilter, gathered: Names) -> None:
    """Read MeSH in ASCII: MH or NM is the heading, ENTRY and SY its other names, ST its types, MN its places in the tree, UI its id, which comes last."""
    del wanted
    names, kinds, numbers = list[tuple[int, str, int]](), list[str](), list[str]()
    for line, text in _lines(path, gathered):
        element, _, value = text.partition(" = ")
        if element == "*NEWRECORD":
            names, kinds, numbers = [], [], []
        elif element in {"MH", "NM"}:
            names.append((0, value.strip(), line))
        elif element in {"ENTRY", "PRINT ENTRY", "SY"}:
            names.append((1, value.partition("|")[0].strip(), line))
        elif element == "ST":
            kinds.append(value.strip())
        elif element == "MN":
            numbers.append(value.strip())
        elif element == "UI":
            for rank, name, place in names:
                gathered.add(rank, value.strip(), name, line=place)
            gathered.describe(value.strip(), kinds, numbers)


def _mesh_xml(path: str | PathLike[str], wanted: NameFilter, gathered: Names) -> None:
    """Read MeSH in XML: descriptors and supplementary records, each with its name and the terms of its concepts."""
    del wanted
    source = load(path)
    for record in xml_elements(utf8_xml(source)):
        if record.tag not in RECORDS:
            continue
        prefix = record.tag.removesuffix("Record") if record.tag == RECORDS[0] else record.tag
        concept = record.findtext(f"{prefix}UI", "").strip()
        label = record.findtext(f"{prefix}Name/String", "").strip()
        if concept and label:
            gathered.add(0, concept, label)
            terms = (term.text or "" for term in record.iterfind("ConceptList/Concept/TermList/Term/String"))
            for term in dict.fromkeys(term.strip() for term in terms):
                if term not in {"", label}:
                    gathered.add(1, concept, term)
            kinds, numbers = (record.iter("SemanticTypeUI"), record.iterfind("TreeNumberList/TreeNumber"))
            gathered.describe(concept, *([(one.text or "").strip() for one in some] for some in (kinds, numbers)))
        else:
            gathered.bad.add(
                RecordError(
                    "A record of MeSH has no id or no name.",
                    found=repr(concept or label),
                    expected=f"{prefix}UI and {prefix}Name",
                )
            )
        record.clear()


Reader = Callable[[str | PathLike[str], NameFilter, Names], None]
READERS: Mapping[str, Reader] = MappingProxyType(
    {
        rf"C\d{{7}}\|[A-Z]{{3}}\|(?:[^|\n]*\|){{{len(MRCONSO) - 2}}}": _umls,
        r"id\teffectiveTime\tactive\tmoduleId\tconceptId\tlanguageCode\ttypeId\tterm": _read_snomed,
        r"\*NEWRECORD": _mesh,
        r"\s*(?:<[?!](?s:.)*?)?<(?:Descriptor|Supplemental)RecordSet\b": _mesh_xml,
    }
)
"""The readers of terminologies by how their files begin."""
