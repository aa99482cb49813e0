"""Formats of annotation tools, read as records with an id, a text and concepts: BRAT, PubTator, BioC, and the tables of OAK."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from goldassay.core.errors import InputError, name_file
from goldassay.core.limits import LENGTH
from goldassay.core.patterns import pattern_of
from goldassay.formats import Source, load
from goldassay.formats.documents import json_of
from goldassay.formats.markup import utf8_xml, xml_tree
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import lines_of, records_of
from goldassay.formats.source import WIDE, text_of, utf8_of

Cells = Mapping[str, Any]
Records = Iterator[tuple[int | None, Cells]]
PUBTATOR_TEXT = pattern_of(r"([^|\t]+)\|([ta])\|(.*)")
PUBTATOR_START = pattern_of(r"""\s*[^|\s,;{}\[\]"']+\|[ta]\|""")
"""How a file begins; in JSON and in tables a cell may contain `|t|`."""
PUBTATOR_WIDTH = 6
RELATION_WIDTHS = (4, 5)
BEGINNING = 2**20
"""How much of a file is searched for what names its format: a collection of BioC may begin with long notes."""
PLACE = pattern_of(r"[+-]?\d+(?:\.\d*)?")
WHOLE = pattern_of(r"[0-9]{1,18}")
BRAT_LINE = pattern_of(
    r"T\d+\t(?P<type>\S+) (?P<spans>[0-9]{1,18} [0-9]{1,18}(?:;[0-9]{1,18} [0-9]{1,18})*)\t(?P<text>.*)"
)
BRAT_REFERENCE = pattern_of(r"N\d+\tReference (?P<of>T\d+) (?P<id>\S+)")
BRAT_ATTRIBUTE = pattern_of(r"[AM]\d+\t(?P<name>\S+) (?P<of>T\d+)(?: (?P<value>\S+))?")
BIOC: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "document": ("passage", "annotation", "relation"),
        "passage": ("sentence", "annotation", "relation"),
        "sentence": ("annotation", "relation"),
    }
)
"""What is in an element of BioC."""
NO_INFONS = frozenset(
    {"start", "end", "start_char", "end_char", "begin", "stop", "subject_start", "subject_end", "span", "spans"}
)
"""Infons of BioC that are ignored: places are its locations."""
OAK = ("object_id", "subject_start", "subject_end")


class Annotations(NamedTuple):
    """A format of annotated documents."""

    begins: Callable[[str, str], bool]
    records: Callable[[Source, BadRecords], Records]


def annotations_in(source: Source) -> str | None:
    """Recognise a format of annotated documents; None if it is none of `FORMATS`."""
    data = utf8_of(source) if source.data.startswith(WIDE) else source.data
    start = data[:BEGINNING].decode("utf-8-sig", errors="replace")
    return next((name for name, one in FORMATS.items() if one.begins(str(source.path), start)), None)


def brat_folder(folder: Path, bad: BadRecords) -> Records:
    """Read a folder of BRAT: each .ann file with the text of its name."""
    paths = sorted(folder.glob("*.ann"))
    if not paths:
        raise InputError(
            "The folder contains no BRAT annotations.",
            path=folder,
            found="no .ann file",
            expected="pairs of .ann and .txt",
        )
    for path in paths:
        with name_file(path):
            yield from _brat(load(path), bad)


def _brat(source: Source, bad: BadRecords) -> Records:
    words = Path(source.path).with_suffix(".txt")
    with name_file(words):
        text = text_of(load(words))
    found: dict[str, dict[str, Any]] = {}
    for number, line in lines_of(source, bad):
        reference, attribute = BRAT_REFERENCE.match(line), BRAT_ATTRIBUTE.match(line)
        assertion = attribute and BRAT_ASSERTIONS.get((attribute["value"] or attribute["name"]).lower())
        if reference and reference["of"] in found:
            found[reference["of"]].setdefault("id", reference["id"])
        elif attribute and assertion and attribute["of"] in found:
            found[attribute["of"]].setdefault("assertion", []).append(assertion)
        elif entity := BRAT_LINE.fullmatch(line):
            spans = [tuple(map(int, span.split())) for span in entity["spans"].split(";")]
            name = line.partition("\t")[0]
            if name in found:
                bad.add_line(
                    line,
                    number=number,
                    message=f"The annotation {name} occurs twice.",
                    expected="a name of its own for each annotation",
                )
                continue
            found[name] = {
                "text": entity["text"], "type": entity["type"], "start": min(spans)[0], "end": max(span[1] for span in spans),
            }  # fmt: skip
        elif line[:1] in BRAT_OTHERS:
            bad.others[BRAT_OTHERS[line[:1]]] += 1
        elif line.strip():
            bad.add_line(
                line,
                number=number,
                message="The line is not an annotation of BRAT.",
                expected="T1, a tab, the type and the offsets, a tab, the text",
            )
    yield 1, {"id": Path(source.path).stem, "text": text, "concepts": list(found.values())}


BRAT_OTHERS: Mapping[str, str] = MappingProxyType(
    {
        "R": "relations", "*": "relations", "E": "events", "A": "attributes", "M": "attributes", "N": "references",
        "#": "notes_of_annotators",
    }
)  # fmt: skip
"""Lines that are not concepts, by their first letter."""
BRAT_ASSERTIONS: Mapping[str, str] = MappingProxyType(
    {
        "negation": "negated", "negated": "negated", "absent": "negated", "speculation": "uncertain", "uncertain": "uncertain",
        "possible": "uncertain", "hypothetical": "hypothetical", "associated_with_someone_else": "family", "family": "family",
    }
)  # fmt: skip


def _pubtator(source: Source, bad: BadRecords) -> Records:
    documents: dict[str, tuple[int, dict[str, str], list[dict[str, Any]]]] = {}
    for number, line in lines_of(source, bad):
        text = PUBTATOR_TEXT.fullmatch(line)
        fields = line.split("\t")
        if text:
            parts = documents.setdefault(text[1], (number, {}, []))[1]
            if text[2] in parts:
                bad.add_line(
                    line,
                    number=number,
                    message=f"The document {text[1]!r} has two {'titles' if text[2] == 't' else 'abstracts'}.",
                    expected="one title and one abstract per document",
                )
            parts.setdefault(text[2], text[3])
        elif len(fields) >= PUBTATOR_WIDTH - 1 and WHOLE.fullmatch(fields[1]) and WHOLE.fullmatch(fields[2]):
            start, end = map(int, fields[1:3])
            concept = {"start": start, "end": end, "text": fields[3], "type": fields[4], "id": "".join(fields[5:6])}
            documents.setdefault(fields[0], (number, {}, []))[2].append(concept)
        elif _is_relation(fields):
            bad.others["relations"] += 1
        elif line.strip():
            bad.add_line(
                line,
                number=number,
                message="This line is neither a text nor an annotation of PubTator.",
                expected="id|t|text, or id, start, end, text, type and concept between tabs",
            )
    for name, (number, parts, concepts) in documents.items():
        yield number, {"id": name, "text": "\n".join(parts.values()), "concepts": concepts}


def _is_relation(fields: list[str]) -> bool:
    """Return whether a line of PubTator names a relation of two concepts: four fields, or five with a note, and no offsets."""
    return len(fields) in RELATION_WIDTHS and not any(PLACE.fullmatch(field.strip()) for field in fields[1:3])


def _bioc_json(source: Source, bad: BadRecords) -> Records:
    held = json_of(source)
    documents = held.get("documents") if isinstance(held, dict) else None
    if not isinstance(documents, list):
        raise InputError(
            "The BioC collection contains no documents.",
            found=f"{held!r:.80}",
            expected='an object with a list of "documents"',
        )
    return _bioc(documents, bad)


def _bioc_xml(source: Source, bad: BadRecords) -> Records:
    elements = xml_tree(utf8_xml(source)).iter("document")
    return _bioc((_as_json(one) for one in elements), bad)


def _as_json(element: Any) -> dict[str, Any]:
    """Return an element of BioC as its JSON has it."""
    return {
        "id": element.findtext("id") or element.get("id", ""),
        "offset": element.findtext("offset") or 0,
        "text": element.findtext("text") or "",
        "infons": {infon.get("key", ""): infon.text or "" for infon in element.findall("infon")},
        "locations": [dict(place.attrib) for place in element.findall("location")],
        **{f"{name}s": list(map(_as_json, element.findall(name))) for name in BIOC.get(element.tag, ())},
    }


def _bioc(documents: Iterable[Any], bad: BadRecords) -> Records:
    """Read documents; those that are malformed are bad records."""
    blanks = 0
    for number, document in enumerate(documents, start=1):
        name = document.get("id", "") if isinstance(document, dict) else f"number {number}"
        try:
            texts, concepts, relations = _bioc_document(document)
        except ValueError as error:
            bad.refuse(
                "Malformed BioC document.",
                found=f"document {name!r:.80}: {error}",
                expected="passages and annotations, whose offsets and lengths are whole numbers",
            )
            continue
        bad.others["relations"] += relations
        blanks += _gaps(texts)
        LENGTH.check(blanks, "The passages of BioC are too far from each other.")
        yield None, {"id": name, "text": _join_passages(texts), "concepts": concepts}


def _bioc_document(document: Any) -> tuple[list[tuple[int, str]], list[dict[str, Any]], int]:
    """Collect the texts and annotations of a document, of its passages, and of their sentences, and count its relations."""
    if not isinstance(document, dict):
        raise ValueError(f"{document!r:.60}, where an object is expected")  # noqa: TRY004 - every fault is one of a value
    passages = _members(document, "passages")
    sentences = [_members(passage, "sentences") for passage in passages]
    parts = [document, *passages, *chain.from_iterable(sentences)]
    texts = [
        (_parse_whole(one, "offset", 0), _text(one))
        for passage, some in zip(passages, sentences, strict=True)
        for one in ([passage] if _text(passage) else some)
        if _text(one)
    ]
    concepts = [
        {**_infons(one), "text": _text(one), **_location(_members(one, "locations"))}
        for part in parts
        for one in _members(part, "annotations")
    ]
    return sorted(texts), concepts, sum(len(_members(part, "relations")) for part in parts)


def _members(one: Cells, name: str) -> list[dict[str, Any]]:
    found = one.get(name, [])
    if not isinstance(found, list) or not all(isinstance(member, dict) for member in found):
        raise ValueError(f"{name} {found!r:.60}, where a list of objects is expected")
    return found


def _parse_whole(one: Cells, name: str, absent: int | None = None) -> int:
    value = one.get(name, absent)
    written = str(value).strip() if isinstance(value, str | int) else ""
    if not WHOLE.fullmatch(written):
        raise ValueError(f"{name} {value!r:.60}, where a whole number of up to 18 digits is expected")
    return int(written)


def _text(one: Cells) -> str:
    text = one.get("text") or ""
    if not isinstance(text, str):
        raise ValueError(f"text {text!r:.60}, where a text is expected")  # noqa: TRY004 - every fault is one of a value
    return text


def _infons(one: Cells) -> dict[str, Any]:
    infons = one.get("infons") or {}
    if not isinstance(infons, dict):
        raise ValueError(f"infons {infons!r:.60}, where an object is expected")  # noqa: TRY004 - every fault is one of a value
    return {name: value for name, value in infons.items() if name not in NO_INFONS}


def _location(locations: list[dict[str, Any]]) -> dict[str, int]:
    places = [(_parse_whole(one, "offset"), _parse_whole(one, "length")) for one in locations]
    if not places:
        return {}
    return {"start": min(places)[0], "end": max(offset + length for offset, length in places)}


def _gaps(passages: list[tuple[int, str]]) -> int:
    """Count the blanks between passages."""
    gaps = end = 0
    for offset, passage in passages:
        gaps += max(0, offset - end)
        end = max(offset, end) + len(passage)
    return gaps


def _join_passages(passages: list[tuple[int, str]]) -> str:
    """Join the passages of a document, each at its offset."""
    parts, end = [], 0
    for offset, passage in passages:
        parts += [" " * max(0, offset - end), passage]
        end = max(offset, end) + len(passage)
    return "".join(parts)


def _oak(source: Source, bad: BadRecords) -> Records:
    documents: dict[str, tuple[int | None, list[dict[str, str]]]] = {}
    for line, row, _ in records_of(source, "tsv", bad):
        identifier, name = row["object_id"] or "", row.get("object_label") or row.get("match_string") or ""
        if not (identifier + name).strip():
            bad.refuse(
                "The row has no concept.",
                line=line,
                found=f"{list(row.values())!r:.80}",
                expected="an object_id or an object_label",
            )
            continue
        _, concepts = documents.setdefault(row.get("subject_text_id") or "1", (line, []))
        concepts.append({"text": name or identifier, "id": identifier})
    for name in sorted(documents):
        line, concepts = documents[name]
        yield line, {"id": name, "concepts": concepts}


FORMATS: Mapping[str, Annotations] = {
    "brat": Annotations(lambda path, _: path.endswith(".ann"), _brat),
    "pubtator": Annotations(lambda _, start: PUBTATOR_START.match(start) is not None and "|t|" in start, _pubtator),
    "bioc-json": Annotations(
        lambda _, start: start.lstrip().startswith("{") and '"documents"' in start and '"passages"' in start,
        _bioc_json,
    ),
    "bioc": Annotations(lambda _, start: "<collection" in start and "<document>" in start, _bioc_xml),
    "oak": Annotations(lambda _, start: all(name in start.partition("\n")[0].split("\t") for name in OAK), _oak),
}
"""The formats by name, in the order in which they are asked."""
