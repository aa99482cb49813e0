"""Tables in the text of an answer: Markdown, CSV and TSV; several with the same header are one."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import NamedTuple

from goldassay.core.text import LISTED, count_of
from goldassay.formats.answer_lines import name_of
from goldassay.formats.answer_means import Meaning
from goldassay.formats.roles import CORRESPONDENCES, bare

RULE = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
CELL = re.compile(r"(?<!\\)\|")
MARKS = re.compile(r"^(?:\*\*|`|_)|(?:\*\*|`|_)$")
LINK = re.compile(r"\[([^\[\]]{1,500})\]\(<?([A-Za-z][\w+.-]*:[^()<>\s]{1,500})>?\)")
TOON = re.compile(r"( *)[\w.-]{0,100}\[#?\d{1,9}([,|\t]?)\]\{([^{}]{1,1000})\}:\s*")
HEADS, HEADS_WITHIN = 20, 1000
"""How many lines are looked at for the names of columns."""


class FoundTable(NamedTuple):
    """A table in a text.

    Attributes:
        rows: The header and the rows; an empty row is a line between two parts of the table.
        taken: The numbers of its lines.
        lines: The lines of the header and of the first row; None if not each row is a line.
    """

    rows: list[list[str]]
    taken: set[int]
    lines: tuple[int, int] | None


def rows_of_table(text: str, separator: str) -> list[list[str]]:
    """Cut a table into its cells; nothing if it is none, such as a text with a cell of a whole book."""
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True))
    except csv.Error:
        return []


def markdown_in(text: str, first: int, meaning: Meaning) -> tuple[list[FoundTable], tuple[str, ...]]:
    """Find the Markdown tables of a text: those of the family, or the first; also a warning of others."""
    lines = text.split("\n") if "|" in text else []
    parts = [(head, size) for head, size in _parts(lines) if size]
    if not parts:
        return [], ()
    groups: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for head, size in parts:
        groups.setdefault(tuple(map(bare, cells_of(lines[head]))), []).append((head, size))
    known = {key: some for key, some in groups.items() if meaning.roles.recognises(cells_of(lines[some[0][0]]))}
    chosen = known or dict(list(groups.items())[:1])
    unread = [some for key, some in groups.items() if key not in chosen]
    # What a link is called is a name; what it leads to is an entity of an ontology.
    part = 2 if meaning.roles is CORRESPONDENCES else 1
    return [_join(lines, some, first, part) for some in chosen.values()], _warn_of_others(lines, unread)


def _parts(lines: Sequence[str]) -> list[tuple[int, int]]:
    """List the lines of headers with a rule below, and how many rows are below each."""
    found, head = [], 0
    while head < len(lines) - 1:
        rule = lines[head + 1].strip()
        size = 0
        if "|" in lines[head] and "-" in rule and RULE.fullmatch(rule):
            size = next((at for at in range(head + 2, len(lines)) if "|" not in lines[at]), len(lines)) - head - 2
            found.append((head, size))
        head += size + 1
    return found


def _join(lines: Sequence[str], parts: Sequence[tuple[int, int]], first: int, part: int) -> FoundTable:
    """Make one table of parts with the same header."""
    (head, _), (last, size) = parts[0], parts[-1]
    rows: list[list[str]] = [[] for _ in range(last + size - head)]
    taken = set[int]()
    for begin, count in parts:
        taken |= {first + at for at in range(begin, begin + 2 + count)}
        for at in range(begin + 2, begin + 2 + count):
            rows[at - head - 2] = [
                link[part] if (link := LINK.fullmatch(cell)) else cell for cell in cells_of(lines[at])
            ]
    return FoundTable([cells_of(lines[head]), *rows], taken, (first + head, first + head + 2))


def _warn_of_others(lines: Sequence[str], groups: Sequence[Sequence[tuple[int, int]]]) -> tuple[str, ...]:
    if not groups:
        return ()
    rows = sum(size for some in groups for _, size in some)
    named = [", ".join(cells_of(lines[some[0][0]])) for some in groups[:LISTED]]
    tables = f"{len(groups):,} tables" if len(groups) != 1 else "1 table"
    return (f"not read: {tables} with {count_of(rows, 'row')} and other columns: {'; '.join(named)}",)


def toon_in(text: str, first: int, meaning: Meaning) -> FoundTable | None:
    """Find a table of TOON: names of columns in braces, and rows below that are deeper."""
    lines = text.split("\n")
    for head, line in enumerate(lines) if "]{" in text else ():
        found = TOON.fullmatch(line)
        if not found:
            continue
        indent, mark, names = found[1], found[2] or ",", found[3]
        deeper = (
            at for at in range(head + 1, len(lines)) if not lines[at].startswith(f"{indent} ") or mark not in lines[at]
        )
        end = next(deeper, len(lines))
        rows = rows_of_table("\n".join([names, *(row.strip(" ") for row in lines[head + 1 : end])]), mark)
        if len(rows) > 1 and meaning.roles.recognises(rows[0]):
            at = (first + head, first + head + 1) if len(rows) == end - head else None
            return FoundTable(rows, set(range(first + head, first + end)), at)
    return None


def delimited_in(text: str, first: int, meaning: Meaning) -> FoundTable | None:
    """Find a table of CSV or TSV, from the line with the names of its columns on; below another such line it goes on."""
    lines = text.split("\n")
    # Names of columns come before rows: a table does not begin after many lines that have separators.
    likely = [at for at, line in enumerate(lines[:HEADS_WITHIN]) if "," in line or "\t" in line or ";" in line]
    for head in likely[:HEADS]:
        line = lines[head]
        # The first column may be numbers of rows, without a name.
        begin = line.lstrip(" \t,;")[:1]
        if not begin.isalnum() and begin not in "\"'*`_#":
            # Names of columns are not behind a bullet or a bracket.
            continue
        separator = next((one for one in ("\t", ",", ";") if one in line), None)
        if separator is None or not meaning.roles.recognises([name_of(cell) for cell in line.split(separator)]):
            continue
        places = _rows_below(lines, head, separator)
        if not places:
            return None
        below = [lines[at] if at in places else "" for at in range(head + 1, max(places) + 1)]
        rows = rows_of_table("\n".join([line, *below]), separator)
        if not rows:
            continue
        heads = {at for at in range(head, max(places)) if lines[at] == line}
        at = (first + head, first + head + 1) if len(rows) == 1 + len(below) else None
        return FoundTable(rows, {first + at for at in places | heads}, at)
    return None


def _rows_below(lines: Sequence[str], head: int, separator: str) -> set[int]:
    """Return the places of the rows below a header, and below the same line further down."""
    found, is_row = set[int](), True
    for at in range(head + 1, len(lines)):
        if lines[at] == lines[head] and not is_row:
            is_row = True
            continue
        is_row = is_row and separator in lines[at]
        if is_row:
            found.add(at)
    return found


def cells_of(line: str) -> list[str]:
    """Cut a line of a Markdown table into its cells."""
    cells = CELL.split(line.strip().removeprefix("|").removesuffix("|"))
    return [MARKS.sub("", cell.strip().replace("\\|", "|")) for cell in cells]
