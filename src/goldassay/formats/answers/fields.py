"""Blocks of lines with fields: ``Subject: Oslo``, and frames of OWL's Manchester syntax."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.core.text import singular
from goldassay.formats.answers.lines import Line, RawStatement
from goldassay.formats.answers.means import OF_EDGES, Meaning
from goldassay.formats.answers.names import LIST, has_colon, is_prose, local_name, name_of, number_of
from goldassay.formats.answers.parsed import Parsed
from goldassay.formats.answers.rows import state_rows
from goldassay.formats.answers.shapes import close_of
from goldassay.formats.column_names import RELATIONS, bare, levels_of_label
from goldassay.formats.list_cells import is_plural
from goldassay.formats.roles import AXIOMS

FIELD = pattern_of(r"(?:\*\*|__|[`\"'])?([^\W\d_][\w -]{0,30}?)(?:\*\*|__|[`\"'])?\s*[:\uff1a](?:\*\*|__)?\s*(\S.*|)")
FIELDS = pattern_of(
    r"(?:[,;|]|(?<=\s)[/\u2192\u2013\u2014\u00b7\u2022-]-?>?\s)\s*(?=[\"'*`]{0,2}[A-Za-z][\w ]{0,30}[\"'*`]{0,2}\s*:)"
)
EQUALS = pattern_of(r"(?:^|(?<=[,;|] ))(\w[\w ]{0,30}?) ?= ?")
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
FIRST, LONGEST, LEAST_EQUALS, LEAST_FIELDS = 5, 1000, 2, 2
"""Fields that are all in brackets are so in the first lines, with so few characters; those with equals signs have two or more, as a record has fields."""


def fields(lines: Sequence[Line], meaning: Meaning) -> Parsed | None:
    """Read records of fields such as ``Subject: Oslo``, on one line or on several: their names are those of columns."""
    if meaning.nested != "tree" or len({line.depth for line in lines if line.marked}) == 1:
        # In an outline such fields describe its names.
        lines = [_out_of_brackets(line, meaning) for line in lines]
    if any(_out_of_tuple(line) is not line for line in lines[:FIRST]):
        lines = list(map(_out_of_tuple, lines))
    first = (name for line in lines[:LOOKED_AT] for name in _fields_of(line, meaning))
    known = meaning.roles.names_in(set(first))
    if len(known) < LEAST_FIELDS:
        return None
    records = _records_in(lines, known, meaning)
    if meaning.nested == "tree" and _are_outline(records, [line for line in lines if line.marked]):
        return None
    names = list(dict.fromkeys(name for one in records for name in one.cells))
    tables = [(names, records)] if _says_all(names, meaning) else _alike(records)
    found, taken = list[RawStatement](), set[int]()
    for names, some in tables:
        rows = [[one.cells.get(name, "") for name in names] for one in some] if _says_all(names, meaning) else []
        for one, stated in zip(some, state_rows(names, rows, meaning) if rows else (), strict=False):
            kept = [row._replace(line=one.numbers[-1]) for row in stated if row.relation or meaning.roles is not AXIOMS]
            found += kept
            # A root has no parent.
            is_root = meaning.nested == "tree" and len(one.cells) >= LEAST_FIELDS
            taken.update(one.numbers if kept or is_root else ())
    return Parsed("fields", found, taken) if found else None


class _Record(NamedTuple):
    """Fields by their names, and the numbers of their lines."""

    cells: dict[str, Any]
    numbers: list[int]


def _records_in(lines: Sequence[Line], known: AbstractSet[str], meaning: Meaning) -> list[_Record]:
    """List the records of fields: one ends where the name of a field recurs."""
    records, head = [_Record({}, [])], ""
    for line in lines:
        some = _fields_of(line, meaning)
        head = head if some else "" if is_prose(line.text) else name_of(line.text.strip(AROUND_HEAD))
        for name, text in some.items():
            if name not in known:
                continue
            if name in records[-1].cells:
                records.append(_Record({}, []))
            records[-1].cells[name] = _cell_of(name, text, meaning)
            records[-1].numbers.append(line.number)
            if name in ENDS_OF_PROPERTY and meaning.roles is AXIOMS:
                records[-1].cells.setdefault(meaning.ends[1], head)
    if meaning.roles is AXIOMS:
        for one in records:
            if not meaning.roles.called(meaning.ends[1], one.cells):
                one.cells[meaning.ends[1]] = meaning.is_a
    return records


def _says_all(names: Sequence[str], meaning: Meaning) -> bool:
    """Return whether names are those of all columns that are needed, one each."""
    with suppress(InputError):
        return meaning.roles.recognises(names) and bool(meaning.roles.chosen(names, always=True).places)
    return False


def _alike(records: Sequence[_Record]) -> Iterable[tuple[list[str], list[_Record]]]:
    """Group records by their names."""
    groups: dict[tuple[str, ...], list[_Record]] = {}
    for one in records:
        groups.setdefault(tuple(one.cells), []).append(one)
    return ((list(names), some) for names, some in groups.items())


def _are_outline(records: Sequence[_Record], marked: Sequence[Line]) -> bool:
    """Return whether fields are names of an outline: the last one is by itself and some are deeper, or they are levels with other lines below."""
    if len(records[-1].cells) == 1 and len({line.depth for line in marked}) > 1:
        return True
    taken = {number for one in records for number in one.numbers}
    alike = len({tuple(one.cells) for one in records}) == 1 and taken.issuperset(line.number for line in marked)
    return not alike and any(one.numbers[0] != one.numbers[-1] and levels_of_label([*one.cells]) for one in records)


def _fields_of(line: Line, meaning: Meaning) -> dict[str, str]:
    """Return the fields of a line by their names, as `bare` writes them; of one letter they are only in facts, next to others."""
    found = [FIELD.fullmatch(part.strip()) for part in FIELDS.split(line.text)] if has_colon(line.text) else []
    short = meaning.nested == "facts" and len(found) > 1
    return {bare(part[1]): part[2] for part in found if part and (short or part[1][1:]) and (part[2] or found[1:])}


def _cell_of(name: str, text: str, meaning: Meaning) -> Any:
    """Strip decoration from a field: a share is a number, and several names are behind a plural."""
    if meaning.roles.called(meaning.more, [name]):
        return number_of(text.strip()) if any(map(str.isdigit, text)) else ""
    several = meaning.nested == "tree" and is_plural(name) and singular(name) not in RELATIONS
    return list(map(name_of, LIST.split(text))) if several else name_of(text)


def _out_of_tuple(line: Line) -> Line:
    """Write fields that are all in brackets, or have equals signs, as fields."""
    text = line.text
    if ":" not in text and text.count("=") < LEAST_EQUALS:
        return line
    if len(text) <= LONGEST and text[:1] in ("(", "[", "<") and close_of(text) == len(text) - 1:
        text = text[1:-1].strip()
    text = text if ":" in text else EQUALS.sub(r"\1: ", text)
    return line if text is line.text else line._replace(text=text)


def _out_of_brackets(line: Line, meaning: Meaning) -> Line:
    """Write a name with fields in brackets behind it, such as 'dog (parent: animal)', as fields."""
    found = BEHIND_NAME.fullmatch(line.text) if has_colon(line.text) else None
    if not found:
        return line
    names = [part[1] if (part := FIELD.fullmatch(one.strip())) else "" for one in FIELDS.split(found[2])]
    needed = meaning.ends if meaning.nested == "facts" else meaning.ends[::2]
    given = {end: meaning.roles.called(end, names) for end in (*needed, meaning.more)}
    missing = [end for end in needed if not given[end]]
    if len(missing) != 1 or not {*names}.issubset(chain.from_iterable(given.values())):
        return line
    return line._replace(text=f"{meaning.roles.word(missing[0])}: {name_of(found[1])}; {found[2]}")


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
