"""Blocks of lines with fields, such as ``Subject: Oslo``; a heading above them is the end that they lack."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cache
from math import inf
from typing import Any, NamedTuple, TypeAlias

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.core.text import singular
from goldassay.formats.answers.lines import NUMBERS, Line, RawStatement
from goldassay.formats.answers.means import Meaning
from goldassay.formats.answers.names import FEW_WORDS, LIST, has_colon, is_prose, name_of, number_of
from goldassay.formats.answers.parsed import Parsed
from goldassay.formats.answers.rows import state_rows
from goldassay.formats.answers.shapes import close_of
from goldassay.formats.column_names import NAMES, RELATIONS, STARTS, STOPS, bare, levels_of_label, words
from goldassay.formats.list_cells import is_plural
from goldassay.formats.literals import names_in_cell
from goldassay.formats.roles import AXIOMS

OF_ARROWS = words(f"{STARTS} {STOPS}").names
AROUND_HEAD = "*_:\uff1a "
FIELD = pattern_of(r"(?:\*\*|__|[`\"'])?([^\W\d_][\w -]{0,30}?)(?:\*\*|__|[`\"'])?\s*[:\uff1a](?:\*\*|__)?\s*(\S.*|)")
HELD_BY = (":", "\uff1a", ":**", ":__")
"""How a field ends that has its names below it."""
BELOW_ALL = Line(0, "", inf, False)
MARK = 0.5
"""A line with a mark is so much deeper than one without."""
COUNTED = pattern_of(
    r"(?:relation(?:ship)?|edge|pair|triple|fact|statement|axiom|mapping|match|record|entry|row|section|part|step|group|set|example) ?[#(]?(?:\d{1,4}|[a-z])\)?",
    re.IGNORECASE,
)
"""A heading that only counts what is below it, such as 'Relation 1'."""
FIELDS = pattern_of(
    r"(?:[,;|]|(?<=\s)[/\u2192\u2013\u2014\u00b7\u2022-]-?>?\s)\s*(?=[\"'*`]{0,2}[A-Za-z][\w ]{0,30}[\"'*`]{0,2}\s*:)"
)
EQUALS = pattern_of(r"(?:^|(?<=[,;|] ))(\w[\w ]{0,30}?) ?= ?")
BEHIND_NAME = pattern_of(r"([^():]{1,100}?)\s?\(([^()]+)\)\.?")
LOOKED_AT = 1000
"""Names of fields come before so many lines without them."""
FIRST, LONGEST, LEAST_EQUALS, LEAST_FIELDS = 5, 1000, 2, 2
"""Fields that are all in brackets are so in the first lines, with so few characters; those with equals signs have two or more, as a record has fields."""


Parted: TypeAlias = tuple[Line, dict[str, str]]
"""A line and its fields."""


def fields(lines: Sequence[Line], meaning: Meaning) -> Parsed | None:
    """Read records of fields such as ``Subject: Oslo``, on one line or on several: their names are those of columns."""
    depths = {line.depth for line in [line for line in lines if line.marked and line.depth >= NUMBERS] or lines}
    if meaning.nested != "tree" or len(depths) == 1:
        # In an outline such fields describe its names.
        lines = [_behind_name(line, meaning) for line in lines]
    if any(_out_of_tuple(line) is not line for line in lines[:FIRST]):
        lines = list(map(_out_of_tuple, lines))
    parted = below_heads([(line, _fields_of(line, meaning)) for line in lines], meaning)
    known = meaning.roles.names_in({name for _, some in parted[:LOOKED_AT] for name in some})
    if len(known) < LEAST_FIELDS:
        return None
    records = _records_in(parted, known, meaning)
    if meaning.nested == "tree" and _are_outline(records, [line for line in lines if line.marked]):
        return None
    names = list(dict.fromkeys(name for one in records for name in one.cells))
    tables = [(names, records)] if _says_all(names, meaning) else _tables_in(records, meaning)
    found, taken = list[RawStatement](), set[int]()
    for names, some in tables:
        rows = [[one.cells.get(name, "") for name in names] for one in some]
        for one, stated in zip(some, state_rows(names, rows, meaning), strict=True):
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


def _records_in(found: Sequence[Parted], known: AbstractSet[str], meaning: Meaning) -> list[_Record]:
    """List the records of fields: one ends where the name of a field recurs."""
    records = [_Record({}, [])]
    cleaned = {name: _cleaner_of(name, meaning) for name in known}
    for line, some in found:
        for name, text in some.items():
            if name not in known:
                continue
            if name in records[-1].cells:
                records.append(_Record({}, []))
            records[-1].cells[name] = cleaned[name](text)
            records[-1].numbers.append(line.number)
    if meaning.roles is AXIOMS:
        for one in records:
            # A domain and a range are of a property.
            if not {"domain", "range"} & one.cells.keys() and not meaning.roles.called(meaning.ends[1], one.cells):
                one.cells[meaning.ends[1]] = meaning.is_a
    return records


def _says_all(names: Sequence[str], meaning: Meaning) -> bool:
    """Return whether names are those of all columns that are needed, one each."""
    with suppress(InputError):
        return meaning.roles.recognises(names) and bool(meaning.roles.chosen(names, always=True).places)
    return False


def _tables_in(records: Sequence[_Record], meaning: Meaning) -> list[tuple[list[str], list[_Record]]]:
    """Group records by their names, without those whose names do not say all."""
    groups: dict[tuple[str, ...], list[_Record]] = {}
    for one in records:
        groups.setdefault(tuple(one.cells), []).append(one)
    return [([*names], some) for names, some in groups.items() if _says_all(names, meaning)]


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


def _cleaner_of(name: str, meaning: Meaning) -> Callable[[str], Any]:
    """Return what strips decoration from the fields of a name: a share is a number, and several names are behind a plural."""
    if meaning.roles.called(meaning.more, [name]):
        return lambda text: number_of(text.strip()) if any(map(str.isdigit, text)) else ""
    if meaning.nested == "tree" and is_plural(name) and singular(name) not in RELATIONS:
        return lambda text: list(map(name_of, LIST.split(text)))
    return name_of


def _out_of_tuple(line: Line) -> Line:
    """Write fields that are all in brackets, or have equals signs, as fields."""
    text = line.text
    if ":" not in text and text.count("=") < LEAST_EQUALS:
        return line
    if len(text) <= LONGEST and text[:1] in ("(", "[", "<") and close_of(text) == len(text) - 1:
        text = text[1:-1].strip()
    text = text if ":" in text else EQUALS.sub(r"\1: ", text)
    return line if text is line.text else line._replace(text=text)


def _behind_name(line: Line, meaning: Meaning) -> Line:
    """Write a name with fields behind it, such as 'dog (parent: animal)' and 'dog | Parent: animal', as fields."""
    if not has_colon(line.text):
        return line
    found = BEHIND_NAME.fullmatch(line.text)
    name, *parts = (found[1], *FIELDS.split(found[2])) if found else FIELDS.split(line.text)
    names = [part[1] if (part := FIELD.fullmatch(one.strip())) else "" for one in parts]
    word = missing_end(names, meaning) if names and all(names) and not has_colon(name) else ""
    return line._replace(text="; ".join([f"{word}: {name_of(name)}", *parts])) if word else line


@cache
def _names_of_ends(meaning: Meaning) -> Mapping[str, frozenset[str]]:
    """Return what fields of each end are called, without names that things have as well; in trees also without those that do not say which end is meant."""
    tree = meaning.nested == "tree"
    every = {end: meaning.roles.names[end] for end in meaning.ends if end}
    if tree:
        every[meaning.ends[2]] += NAMES["nodes"]["target"]
    sure = {end: [one.names for one in some if not (one.weak or (tree and one.vague))] for end, some in every.items()}
    return {end: frozenset[str]().union(*some) for end, some in sure.items()}


def ends_of(names: Iterable[str], meaning: Meaning) -> dict[str, str]:
    """Return the end that each of some names of fields is."""
    sure = _names_of_ends(meaning)
    forms = {name: {bare(name), singular(bare(name))} for name in names}
    return {name: end for name, some in forms.items() for end, words in sure.items() if not some.isdisjoint(words)}


def missing_end(names: Sequence[str], meaning: Meaning) -> str:
    """Return the name of the one end that fields lack; the empty text if they lack none or several."""
    ends = ends_of(names, meaning)
    needed = [end for end in (meaning.ends if meaning.nested == "facts" else meaning.ends[::2]) if end]
    missing = [end for end in needed if end not in ends.values()]
    # What is between two ends of arrows may be in any other field.
    if len(missing) != 1 or (missing[0] == meaning.ends[1] and not OF_ARROWS.isdisjoint(map(bare, ends))):
        return ""
    return meaning.roles.word(missing[0])


class _Section(NamedTuple):
    """A heading, and the fields below it with their lines; of a field with names below it there is one for each."""

    head: Line
    rows: list[tuple[Line, str, str]]


def below_heads(lines: Sequence[Parted], meaning: Meaning) -> Sequence[Parted]:
    """Add headings to the fields of lines where those below each lack exactly one end; an outline stays as it is."""
    sections = _sections_of(lines, meaning) if not all(some for _, some in lines) else None
    written = [list(_completed(one, meaning)) for one in sections or () if one.rows]
    return [row for some in written for row in some] if written and all(written) else lines


def _sections_of(lines: Sequence[Parted], meaning: Meaning) -> list[_Section] | None:
    """List the headings; None if a field has none above it, or names are below a field that has one."""
    ends = ends_of({name for _, some in lines for name in some}, meaning)
    sections: list[_Section] = []
    last, held = BELOW_ALL, ""
    for line, some in lines:
        named = [(line, name, text) for name, text in some.items() if name in ends]
        field = "" if some or not line.text.endswith(HELD_BY) else _held_in(line.text, meaning)
        if named or field:
            if (
                not sections
                or (some and not FIELD.match(line.text))
                or line.depth > last.depth
                or line.depth < sections[-1].head.depth - MARK
            ):
                return None
            sections[-1].rows.extend(named)
            last, held = line, field
        elif sections and line.depth > max(last.depth, sections[-1].head.depth) and (held or not some):
            if not held:
                return None
            sections[-1].rows.append((line, held, json.dumps([line.text])))
        elif not some and _is_head(line):
            sections.append(_Section(line, []))
            last, held = BELOW_ALL, ""
    return sections


def _held_in(text: str, meaning: Meaning) -> str:
    """Return the name of a field that has its names below it, if it is one of an end."""
    name = bare(text.strip(AROUND_HEAD))
    return name if meaning.nested == "tree" and ends_of([name], meaning) else ""


def _is_head(line: Line) -> bool:
    """Return whether a line may be a name above fields."""
    text = line.text.strip(AROUND_HEAD)
    return 0 < len(text.split()) <= FEW_WORDS and not text.endswith(".") and not is_prose(text)


def _completed(section: _Section, meaning: Meaning) -> Iterator[Parted]:
    """Write the fields of a section as records with the heading as the end that they lack; nothing if they lack none."""
    name = name_of(section.head.text.strip(AROUND_HEAD))
    if COUNTED.fullmatch(name) or levels_of_label([name]):
        return
    # What is related in another way is a record of its own.
    if meaning.nested == "tree" and meaning.ends[1] not in ends_of([row[1] for row in section.rows], meaning).values():
        yield from _edges_of(section, name, meaning)
        return
    records: list[dict[str, tuple[Line, str]]] = [{}]
    for line, field, text in section.rows:
        if field in records[-1]:
            records.append({})
        records[-1][field] = (line, text)
    words = [missing_end([*one], meaning) for one in records]
    for word, one in zip(words if all(words) else (), records, strict=False):
        yield section.head, {word: name}
        yield from ((line, {field: text}) for field, (line, text) in one.items())


def _edges_of(section: _Section, name: str, meaning: Meaning) -> Iterator[Parted]:
    """Write an edge for each name above or below the heading of a section; none if its fields are of one edge."""
    child, parent = (meaning.roles.word(end) for end in meaning.ends[::2])
    ends = ends_of({field for _, field, _ in section.rows}, meaning)
    below = {field for _, field, _ in section.rows if ends[field] == meaning.ends[0]}
    above = {field for _, field, _ in section.rows if ends[field] == meaning.ends[2]}
    # What has one name below it is one edge, unless the field may have several.
    if above and any(map(_is_one, below)):
        return
    for line, field, text in section.rows:
        several = names_in_cell(text, plural=not _is_one(field)) or (LIST.split(text) if not _is_one(field) else [text])
        for one in map(name_of, several):
            yield section.head, {child: one if field in below else name}
            yield line, {parent: name if field in below else one}


def _is_one(field: str) -> bool:
    return singular(field) == field
