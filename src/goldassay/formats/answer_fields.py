"""Blocks of lines with fields: ``Subject: Oslo``, and frames of OWL's Manchester syntax."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from goldassay.core.patterns import pattern_of
from goldassay.formats.answer_lines import Line, RawStatement
from goldassay.formats.answer_means import OF_EDGES, Meaning
from goldassay.formats.answer_names import local_name, name_of, number_of
from goldassay.formats.column_names import bare
from goldassay.formats.roles import AXIOMS

FIELD = pattern_of(r"(?:\*\*|__|[`\"'])?([A-Za-z][\w ]{0,30}?)(?:\*\*|__|[`\"'])?\s*:(?:\*\*|__)?\s*(\S.*)")
FIELDS = pattern_of(r"[,;|]\s*(?=[\"'*`]{0,2}[A-Za-z][\w ]{0,30}[\"'*`]{0,2}\s*:)")
FRAMES = ("Class", "ObjectProperty", "DataProperty", "Individual")
SLOTS = (
    "SubClassOf|EquivalentTo|DisjointWith|Annotations|Domain|Range|Types|Facts|Characteristics|InverseOf|SubPropertyOf"
)
MANCHESTER = pattern_of(rf"({'|'.join(FRAMES)}|{SLOTS})\s*:\s*(.*)")
SLOT_BREAK = pattern_of(rf"(?<=\S)\s(?=(?:{SLOTS})\s*:\s)")
"""Where a slot begins on the line of its frame."""
STATED = ("SubClassOf", "Types", "Facts")
"""Slots each term of which states something."""
_NAME = r"([\w:.<>/#-]+|'[^'\n]+'|\"[^\"\n]+\")"
RESTRICTION = pattern_of(rf"\(?\s*+{_NAME}\s++(?:some|only|value|exactly \d+|min \d+|max \d+)\s++{_NAME}\s*+\)?")
NAME_OF_CLASS, FACT_OF_FRAME = pattern_of(_NAME), pattern_of(rf"{_NAME}\s++(\S.*)")
TERMS = pattern_of(r"(?:'[^'\n]*+'|\"[^\"\n]*+\"|[^,])++")
"""What is between commas outside of quotes."""
LOOKED_AT = 1000
"""Names of fields and frames come before many lines without them."""


def fields(lines: Sequence[Line], meaning: Meaning) -> tuple[list[RawStatement], set[int]]:
    """Read blocks of lines such as ``Subject: Oslo``, where the names of the fields are those of columns."""
    roles = _roles_of_fields(meaning)
    first = (FIELD.fullmatch(line.text.strip()) for line in lines[:LOOKED_AT] if ":" in line.text)
    if not any(part and bare(part[1]) in roles for part in first):
        return [], set()
    blocks: list[tuple[dict[str, str], list[int]]] = [({}, [])]
    for line in lines:
        for part in filter(
            None, () if ":" not in line.text else (FIELD.fullmatch(part.strip()) for part in FIELDS.split(line.text))
        ):
            role = roles.get(bare(part[1]))
            if role is None or (role == "score" and not any(map(str.isdigit, part[2]))):
                continue
            if role in blocks[-1][0]:
                blocks.append(({}, []))
            cells, numbers = blocks[-1]
            cells[role] = number_of(part[2].strip()) if role == "score" else name_of(part[2])
            numbers.append(line.number)
    before, relation, after = meaning.ends
    if meaning.nested == "tree" and len(blocks[-1][0]) == 1 and len({line.depth for line in lines if line.marked}) > 1:
        # A name with several below it is an outline.
        return [], set()
    whole = [
        (cells, numbers)
        for cells, numbers in blocks
        if cells.get(before) and cells.get(after) and (cells.get(relation) or meaning.arrow)
    ]
    found = [
        RawStatement(
            numbers[-1],
            cells[before],
            cells.get(relation) or ("" if meaning.nested == "list" else meaning.is_a),
            cells[after],
            extra=cells.get(meaning.more, ""),
        )
        for cells, numbers in whole
    ]
    return found, {number for _, numbers in whole for number in numbers}


@cache
def _roles_of_fields(meaning: Meaning) -> Mapping[str, str]:
    """Return the role of each name of a field; where a name has several, the first."""
    found: dict[str, str] = {}
    for role in filter(None, (*meaning.ends, meaning.more)):
        for name in (name for words in meaning.roles.names[role] for name in words.names if len(name) > 1):
            found.setdefault(name, role)
    return found


class _Frame(NamedTuple):
    """What a frame of Manchester syntax is about, and the slot that is read."""

    kind: str = ""
    subject: str = ""
    slot: str = ""


def manchester(lines: Sequence[Line], meaning: Meaning = OF_EDGES) -> tuple[list[RawStatement], set[int]]:
    """Read frames of OWL's Manchester syntax: classes, properties and individuals; also the lines that were taken."""
    found: list[RawStatement] = []
    taken, unread = set[int](), set[int]()
    if not any(line.text.startswith(FRAMES) and MANCHESTER.fullmatch(line.text) for line in lines[:LOOKED_AT]):
        return found, taken
    frame, ends = _Frame(), dict[str, list[str]]()
    for line in (whole._replace(text=part) for whole in lines for part in SLOT_BREAK.split(whole.text)):
        head = MANCHESTER.fullmatch(line.text)
        if head and head[1] in FRAMES:
            frame, ends = _Frame(head[1], local_name(head[2])), {}
            taken.add(line.number)
            continue
        if head:
            frame = frame._replace(slot=head[1])
        elif not (frame.slot and frame.subject and line.number - 1 in taken):
            continue
        taken.add(line.number)
        if not frame.subject:
            continue
        rest = head[2] if head else line.text
        terms = [part.strip() for part in TERMS.findall(rest) if part.strip()]
        if frame.slot in ("Domain", "Range"):
            ends.setdefault(frame.slot, []).extend(map(local_name, terms))
            if frame.slot == "Range" or "Range" in ends:
                new = ends["Range"] if frame.slot == "Domain" else list(map(local_name, terms))
                found += [
                    RawStatement(line.number, a, frame.subject, b, extra=frame.kind if meaning.more == "kind" else "")
                    for a in ends.get("Domain", ())
                    for b in new
                    if meaning.nested == "facts"
                ]
            continue
        stated = [list(_parse_slot(line.number, frame, term, meaning)) for term in terms]
        # Of edges only superclasses and types are some.
        related = None if meaning.nested == "facts" else {"SubClassOf", meaning.is_a}
        found += [one for one in chain(*stated) if related is None or one.relation in related]
        if frame.slot in STATED and not all(stated):
            unread.add(line.number)
    return found, taken - unread


def _parse_slot(number: int, frame: _Frame, term: str, meaning: Meaning) -> Iterator[RawStatement]:
    """Read one term behind ``SubClassOf:``, ``Types:`` or ``Facts:``."""
    is_a = meaning.is_a if meaning.roles is AXIOMS else "SubClassOf"
    if frame.slot in ("SubClassOf", "EquivalentTo") and (restriction := RESTRICTION.fullmatch(term)):
        yield RawStatement(number, frame.subject, local_name(restriction[1]), local_name(restriction[2]))
    elif frame.slot in ("SubClassOf", "Types") and NAME_OF_CLASS.fullmatch(term):
        relation = is_a if frame.slot == "SubClassOf" else meaning.is_a
        yield RawStatement(number, frame.subject, relation, local_name(term))
    elif frame.slot == "Facts" and (fact := FACT_OF_FRAME.fullmatch(term)):
        yield RawStatement(number, frame.subject, local_name(fact[1]), local_name(fact[2]))
