"""What annotators write, as records with an id, a text and concepts: BRAT, PubTator, BioC, and the tables of OAK."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from goldassay.core.errors import InputError, RecordError
from goldassay.formats import Source, load
from goldassay.formats.documents import parse_json
from goldassay.formats.markup import utf8_xml, xml_tree
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import lines_of, records_of

Cells = Mapping[str, Any]
Records = Iterator[tuple[int | None, Cells]]
PUBTATOR_TEXT = re.compile(r"([^|\t]+)\|([ta])\|(.*)")
PUBTATOR_WIDTH = 6
RELATION_WIDTHS = (4, 5)
PLACE = re.compile(r"[+-]?\d+(?:\.\d*)?")
BRAT_LINE = re.compile(r"T\d+\t(?P<type>\S+) (?P<spans>\d+ \d+(?:;\d+ \d+)*)\t(?P<text>.*)")
BRAT_REFERENCE = re.compile(r"N\d+\tReference (?P<of>T\d+) (?P<id>\S+)")
BRAT_ATTRIBUTE = re.compile(r"[AM]\d+\t(?P<name>\S+) (?P<of>T\d+)(?: (?P<value>\S+))?")
BIOC = ("passage", "sentence", "annotation", "relation")
OAK = ("object_id", "subject_start", "subject_end")


class Annotations(NamedTuple):
    """A format of annotated documents.

    Attributes:
        begins: Whether a file is of this format, by its path and its first 4,096 characters.
        records: Reads its documents, each with its line.
    """

    begins: Callable[[str, str], bool]
    records: Callable[[Source, BadRecords], Records]


def annotations_in(source: Source) -> str | None:
    r"""Recognise a format of annotated documents; None if it is none of `FORMATS`.

    Example:
        >>> annotations_in(Source(path="a.txt", name="a.txt", data=b"12|t|Asthma\n12|a|\n12\t0\t6\tAsthma\tDisease\tD001249\n", size=40))
        'pubtator'
    """
    start = source.data[:4096].decode("utf-8", errors="replace")
    return next((name for name, one in FORMATS.items() if one.begins(str(source.path), start)), None)


def brat_folder(folder: Path, bad: BadRecords) -> Records:
    """Read a folder of BRAT: each .ann file with the text of its name."""
    paths = sorted(folder.glob("*.ann"))
    if not paths:
        raise InputError(
            "The folder has no annotations of BRAT.",
            path=folder,
            found="no .ann file",
            expected="pairs of .ann and .txt",
        )
    for path in paths:
        yield from _brat(load(path), bad)


def _brat(source: Source, bad: BadRecords) -> Records:
    text = load(Path(source.path).with_suffix(".txt"))
    found: dict[str, dict[str, Any]] = {}
    for number, line in lines_of(source, bad):
        reference, attribute = BRAT_REFERENCE.match(line), BRAT_ATTRIBUTE.match(line)
        said = attribute and BRAT_SAID.get((attribute["value"] or attribute["name"]).lower())
        if reference and reference["of"] in found:
            found[reference["of"]].setdefault("id", reference["id"])
        elif attribute and said and attribute["of"] in found:
            found[attribute["of"]].setdefault("assertion", []).append(said)
        elif entity := BRAT_LINE.fullmatch(line):
            spans = [tuple(map(int, span.split())) for span in entity["spans"].split(";")]
            found[line.partition("\t")[0]] = {
                "text": entity["text"], "type": entity["type"], "start": min(spans)[0], "end": max(span[1] for span in spans),
            }  # fmt: skip
        elif line[:1] in BRAT_OTHERS:
            bad.others[BRAT_OTHERS[line[:1]]] += 1
        elif line.strip():
            bad.add_line(
                line,
                path=source.path,
                number=number,
                message="The line is not an annotation of BRAT.",
                expected="T1, a tab, the type and the offsets, a tab, the text",
            )
    yield 1, {"id": Path(source.path).stem, "text": text.data.decode("utf-8-sig"), "concepts": list(found.values())}


BRAT_OTHERS: Mapping[str, str] = MappingProxyType(
    {
        "R": "relations", "*": "relations", "E": "events", "A": "attributes", "M": "attributes", "N": "references",
        "#": "notes_of_annotators",
    }
)  # fmt: skip
"""What is no concept, by the first letter of its line."""
BRAT_SAID: Mapping[str, str] = MappingProxyType(
    {
        "negation": "negated", "negated": "negated", "absent": "negated", "speculation": "uncertain", "uncertain": "uncertain",
        "possible": "uncertain", "hypothetical": "hypothetical", "associated_with_someone_else": "family", "family": "family",
    }
)  # fmt: skip


def _pubtator(source: Source, bad: BadRecords) -> Records:
    documents: dict[str, tuple[int, list[str], list[dict[str, Any]]]] = {}
    for number, line in lines_of(source, bad):
        text = PUBTATOR_TEXT.fullmatch(line)
        if text:
            documents.setdefault(text[1], (number, [], []))[1].append(text[3])
            continue
        fields = line.split("\t")
        if len(fields) >= PUBTATOR_WIDTH - 1 and fields[1].isdigit() and fields[2].isdigit():
            identifier = fields[5] if len(fields) >= PUBTATOR_WIDTH else ""
            concept = {
                "start": int(fields[1]),
                "end": int(fields[2]),
                "text": fields[3],
                "type": fields[4],
                "id": identifier,
            }
            documents.setdefault(fields[0], (number, [], []))[2].append(concept)
        elif _is_relation(fields):
            bad.others["relations"] += 1
        elif line.strip():
            bad.add(
                RecordError(
                    "This line is neither a text nor an annotation of PubTator.",
                    path=source.path,
                    line=number,
                    found=repr(line[:80]),
                    expected="id|t|text, or id, start, end, text, type and concept between tabs",
                )
            )
    for name, (number, texts, concepts) in documents.items():
        yield number, {"id": name, "text": "\n".join(texts), "concepts": concepts}


def _is_relation(fields: list[str]) -> bool:
    """Return whether a line of PubTator names a relation of two concepts: four fields, or five with a note, and no offsets."""
    return len(fields) in RELATION_WIDTHS and not any(PLACE.fullmatch(field.strip()) for field in fields[1:3])


def _bioc_json(source: Source, bad: BadRecords) -> Records:
    held = parse_json(source.data.decode("utf-8-sig"))
    for document in held.get("documents", []) if isinstance(held, dict) else []:
        yield None, _bioc_document(document, source.path, bad)


def _bioc_xml(source: Source, bad: BadRecords) -> Records:
    for document in xml_tree(utf8_xml(source), source.path).iter("document"):
        yield None, _bioc_document(_as_json(document), source.path, bad)


def _as_json(element: Any) -> dict[str, Any]:
    """Return an element of BioC as its JSON has it."""
    return {
        "id": element.findtext("id") or element.get("id", ""),
        "offset": element.findtext("offset") or 0,
        "text": element.findtext("text") or "",
        "infons": {infon.get("key", ""): infon.text or "" for infon in element.findall("infon")},
        "locations": [dict(place.attrib) for place in element.findall("location")],
        **{f"{name}s": [_as_json(one) for one in element.findall(name)] for name in BIOC},
    }


def _bioc_document(document: Cells, path: str, bad: BadRecords) -> Cells:
    """Collect the texts and annotations of a document, of its passages, and of their sentences."""
    name = str(document.get("id", ""))
    try:
        passages = list(document.get("passages", []))
        parts = [document, *passages, *(one for passage in passages for one in passage.get("sentences", []))]
        texts = [
            (int(one.get("offset", 0)), str(one["text"]))
            for passage in passages
            for one in ([passage] if passage.get("text") else passage.get("sentences", []))
            if one.get("text")
        ]
        concepts = [
            {**one.get("infons", {}), "text": one.get("text", ""), **_location(one.get("locations", []))}
            for part in parts
            for one in part.get("annotations", [])
        ]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            "A document of BioC is malformed.",
            path=path,
            found=f"document {name!r}: {type(error).__name__}: {error}",
            expected="passages and annotations, whose offsets and lengths are whole numbers",
        ) from error
    bad.others["relations"] += sum(len(one.get("relations", ())) for one in parts)
    return _placed(name, texts, concepts)


def _location(locations: list[dict[str, Any]]) -> dict[str, int]:
    if not locations:
        return {}
    start = min(int(one["offset"]) for one in locations)
    return {"start": start, "end": max(int(one["offset"]) + int(one["length"]) for one in locations)}


def _placed(name: str, passages: list[tuple[int, str]], concepts: list[dict[str, Any]]) -> Cells:
    """Join the passages of a document, each at its offset."""
    text = ""
    for offset, passage in sorted(passages):
        text = text.ljust(offset)[:offset] + passage if offset >= len(text) else f"{text}{passage}"
    return {"id": name, "text": text, "concepts": concepts}


def _oak(source: Source, bad: BadRecords) -> Records:
    rows = [
        (str(cells.get("subject_text_id") or "1"), line, cells) for line, cells, _ in records_of(source, "tsv", bad)
    ]
    for name, group in groupby(sorted(rows, key=lambda row: row[0]), key=lambda row: row[0]):
        some = list(group)
        concepts = [
            {"text": row["object_label"] or row.get("match_string") or row["object_id"], "id": row["object_id"]}
            for _, _, row in some
        ]
        yield some[0][1], {"id": name, "concepts": concepts}


FORMATS: Mapping[str, Annotations] = MappingProxyType(
    {
        "brat": Annotations(lambda path, _: path.endswith(".ann"), _brat),
        "pubtator": Annotations(lambda _, start: PUBTATOR_TEXT.match(start) is not None and "|t|" in start, _pubtator),
        "bioc-json": Annotations(
            lambda _, start: start.lstrip().startswith("{") and '"documents"' in start and '"passages"' in start,
            _bioc_json,
        ),
        "bioc": Annotations(lambda _, start: "<collection" in start and "<document>" in start, _bioc_xml),
        "oak": Annotations(lambda _, start: all(name in start.partition("\n")[0].split("\t") for name in OAK), _oak),
    }
)
"""The formats by name, in the order in which they are asked."""
