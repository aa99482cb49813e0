"""Blocks of lines with fields: ``Subject: Oslo``, and frames of OWL's Manchester syntax."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from goldassay.core.patterns import pattern_of
from goldassay.core.text import singular
from goldassay.formats.answers.lines import Line, RawStatement
from goldassay.formats.answers.means import OF_EDGES, Meaning
from goldassay.formats.answers.names import LIST, has_colon, is_prose, local_name, name_of, number_of
from goldassay.formats.answers.shapes import close_of
from goldassay.formats.column_names import bare
from goldassay.formats.list_cells import is_plural
from goldassay.formats.roles import AXIOMS

FIELD = pattern_of(r"(?:\*\*|__|[`\"'])?([^\W\d_][\w -]{0,30}?)(?:\*\*|__|[`\"'])?\s*[:\uff1a](?:\*\*|__)?\s*(\S.*)")
FIELDS = pattern_of(r"[,;|\u2192-](?:(?<=[,;|])|(?<=\s.)-?>?\s)\s*(?=[\"'*`]{0,2}[A-Za-z][\w ]{0,30}[\"'*`]{0,2}\s*:)")
EQUALS = pattern_of(r"(?:^|(?<=[,;|] ))(\w{1,20}) ?= ?")
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
BEHIND_NAME = pattern_of(r"([^():]{1,100}?)\s?\(([^()]+)\)\.?")
ENDS_OF_PROPERTY = ("domain", "range")
"""Fields of a property, whose name may be above them."""
AROUND_HEAD = "*_:\uff1a "
LOOKED_AT = 1000
"""Names of fields and frames come before so many lines without them."""
FIRST, LONGEST, LEAST_EQUALS = 5, 1000, 2
"""Fields that are all in brackets are so in the first lines, with so few characters; those with equals signs have two or more."""


def fields(lines: Sequence[Line], meaning: Meaning) -> tuple[list[RawStatement], set[int]]:
    """Read blocks of lines such as ``Subject: Oslo``, where the names of the fields are those of columns."""
    roles = _roles_of_fields(meaning)
    if meaning.nested != "tree" or len({line.depth for line in lines if line.marked}) == 1:
        # In an outline such fields describe its names.
        lines = [_out_of_brackets(line, roles, meaning) for line in lines]
    if any(_out_of_tuple(line) is not line for line in lines[:FIRST]):
        lines = list(map(_out_of_tuple, lines))
    first = (FIELD.fullmatch(line.text.strip()) for line in lines[:LOOKED_AT] if has_colon(line.text))
    if not any(part and _role_of(part[1], roles, meaning)[0] for part in first):
        return [], set()
    blocks: list[tuple[dict[str, list[str]], list[int]]] = [({}, [])]
    head = ""
    for line in lines:
        parts = [FIELD.fullmatch(part.strip()) for part in FIELDS.split(line.text)] if has_colon(line.text) else []
        head = head if any(parts) else "" if is_prose(line.text) else name_of(line.text.strip(AROUND_HEAD))
        for part in filter(None, parts):
            role, several = _role_of(part[1], roles, meaning)
            if not role or not (part[1][1:] or parts[1:]) or (role == "score" and not any(map(str.isdigit, part[2]))):
                continue
            if role in blocks[-1][0]:
                blocks.append(({}, []))
            cells, numbers = blocks[-1]
            names = LIST.split(part[2]) if several else [part[2]]
            cells[role] = [number_of(part[2].strip()) if role == "score" else name_of(name) for name in names]
            if bare(part[1]) in ENDS_OF_PROPERTY and meaning.roles is AXIOMS:
                cells[""] = [head]
            numbers.append(line.number)
    before, relation, after = meaning.ends
    if meaning.nested == "tree" and len(blocks[-1][0]) == 1 and len({line.depth for line in lines if line.marked}) > 1:
        # A name with several below it is an outline.
        return [], set()
    usual = [meaning.is_a if meaning.nested != "list" else ""] if meaning.arrow else []
    whole = [
        (cells, numbers, stated[0])
        for cells, numbers in blocks
        if (stated := cells.get(relation) or cells.get("") or usual) and cells.get(before) and cells.get(after)
    ]
    found = [
        RawStatement(numbers[-1], a, stated, b, extra=cells.get(meaning.more, [""])[0])
        for cells, numbers, stated in whole
        for a in cells[before]
        for b in cells[after]
        if a and b and (stated or meaning.nested == "list")
    ]
    return found, {number for _, numbers, _ in whole for number in numbers}


def _out_of_tuple(line: Line) -> Line:
    """Write fields that are all in brackets, or have equals signs, as fields."""
    text = line.text
    if ":" not in text and text.count("=") < LEAST_EQUALS:
        return line
    if len(text) <= LONGEST and text[:1] in ("(", "[", "<") and close_of(text) == len(text) - 1:
        text = text[1:-1].strip()
    text = text if ":" in text else EQUALS.sub(r"\1: ", text)
    return line if text is line.text else line._replace(text=text)


def _out_of_brackets(line: Line, roles: Mapping[str, str], meaning: Meaning) -> Line:
    """Write a name with fields in brackets behind it, such as 'dog (parent: animal)', as fields."""
    found = BEHIND_NAME.fullmatch(line.text) if has_colon(line.text) else None
    parts = [FIELD.fullmatch(part.strip()) for part in FIELDS.split(found[2])] if found else []
    given = [_role_of(part[1], roles, meaning)[0] if part else "" for part in parts]
    needed = meaning.ends if meaning.nested == "facts" else meaning.ends[::2]
    missing = [end for end in needed if end not in given]
    if not found or not all(given) or len(missing) != 1:
        return line
    return line._replace(text=f"{missing[0]}: {name_of(found[1])}; {found[2]}")


def _role_of(name: str, roles: Mapping[str, str], meaning: Meaning) -> tuple[str, bool]:
    """Return the role of a field, and whether it has several names: as those of children in a tree."""
    several = meaning.nested == "tree" and bare(name) not in roles and is_plural(name)
    return roles.get(singular(bare(name)) if several else bare(name), ""), several


@cache
def _roles_of_fields(meaning: Meaning) -> Mapping[str, str]:
    """Return the role of each name of a field; where a name has several, the first."""
    found, short = dict[str, str](), meaning.nested == "facts"
    for role in filter(None, (*meaning.ends, meaning.more)):
        for name in (name for words in meaning.roles.names[role] for name in words.names if short or name[1:]):
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
