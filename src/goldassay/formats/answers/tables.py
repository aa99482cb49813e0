"""Tables in the text of an answer: Markdown, HTML, aligned columns, CSV and TSV; several with the same header are one."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import chain, pairwise, repeat, zip_longest
from typing import NamedTuple

from goldassay.core.patterns import pattern_of
from goldassay.core.text import LISTED, count_of
from goldassay.formats.answers.means import Meaning
from goldassay.formats.answers.names import name_of
from goldassay.formats.answers.parsed import Parsed
from goldassay.formats.column_names import bare
from goldassay.formats.roles import CORRESPONDENCES

BEGINS = pattern_of(r"^[ \t]*+(?:\||:?-++:?[ \t]*+\|)", re.MULTILINE)
"""How a row or a rule of a Markdown table begins."""
RULE = pattern_of(r"\|?\s*:?-+:?\s*(?:[|+]\s*:?-+:?\s*)*\|?")
CELL = pattern_of(r"(?<!\\)\|")
MARKS = pattern_of(r"^(?:\*\*|`|_)|(?:\*\*|`|_)$")
SLANTED = pattern_of(r"(?:^|(?<=[,;] )|(?<=<br>))\*([^*]+)\*(?=$|[,;] |<br)")
DITTO = frozenset({'"', "''", "\u3003", "\u201d", "\u2033", "\u2191"})
ARROWS = frozenset("\u2190\u2192\u2193\u2194")
"""What says in a cell that it is as the one above, and what an arrow that does not is next to."""
LINK = pattern_of(
    r"\[([^\[\]]{1,500})\]\(<?([A-Za-z][\w+.-]*:[^()<>\s]{1,500}(?:\([^()<>\s]{0,100}\)[^()<>\s]{0,100})?)>?\)"
)
TOON = pattern_of(r"( *)[\w.-]{0,100}\[#?\d{1,9}([,|\t]?)\]\{([^{}]{1,1000})\}:\s*")
TAG = pattern_of(r"<(/?)(table|thead|t[rhd])\b([^<>]{0,500})>", re.IGNORECASE)
"""What the cells of an HTML table are between."""
INLINE = pattern_of(r"<(?!br\s*/?>)[/!A-Za-z][^<>]{0,500}>", re.IGNORECASE)
UPRIGHT = "|│┆┃║"
BORDERS = ("+-", "+=", "──", "━━", "══")
TO_BARS = str.maketrans(dict.fromkeys(UPRIGHT, "|"))
TO_RULE = str.maketrans("\u2500\u2501\u2550\u253c\u256a\u254b\u253f\u2574\u2576\u2578\u257a", "---++++    ")
"""A rule of a table that is drawn without borders, as one of Markdown."""
DRAWN = pattern_of(rf"[{UPRIGHT}].*[{UPRIGHT}]|[+┌├└╞╒╘┏┡┗╔╠╚╭╰┣╟][-=+:\u2500-\u257f]{{2,}}[+┐┤┘╡╕╛┓┩┛╗╣╝╮╯┫╢]")
"""A line of a drawn table: a row, or a rule."""
TABULAR, END_OF_TABULAR = (
    pattern_of(rf"\\{end}\{{(?:tabular|longtable|tabularx|array)\*?\}}") for end in ("begin", "end")
)
LATEX_ROW = pattern_of(r"^[ \t]*+((?:[^\n&\\]|\\[^\n\\])*+&[^\n]*?)\\\\", re.MULTILINE)
"""A row of LaTeX, on a line of its own."""
LATEX_CELL = pattern_of(r"(?<!\\)&")
LATEX = pattern_of(r"\\(?:text(?:bf|it|tt|rm)|emph)\{((?:[^{}\\]|\\.){0,500})\}")
LATEX_SIGN = pattern_of(r"\\(?=[&%_#$])")
SPAN = pattern_of(r"(row|col)span\s*=\s*[\"']?(\d{1,4})", re.IGNORECASE)
BLANKS = str.maketrans("\u00a0\u3000", "  ")
PRINTED = pattern_of(r"[ \u00a0\u3000]*+[\w.]{1,100}+(?:[ \u00a0\u3000]++[\w.]{1,100}+){1,50}")
"""Names of columns above which pandas prints what is in them."""
BLANK = pattern_of(r"[ \u00a0\u3000]++")
ALIGNED_RULE = pattern_of(r"[ \t]*+[-=\u2500\u2501\u2550]{2}[-=\u2500\u2501\u2550 ]*+")
"""A rule below the names of aligned columns, or below all rows."""
WIDEST = 50
"""Columns that a cell of an HTML table may take, and that may have cells over several rows."""
HEADS, HEADS_WITHIN = 20, 1000
"""How many lines are looked at for the names of columns."""


class _Part(NamedTuple):
    """A table, or a part of one: the places of its first line and behind its last, of its header, the names, and each row with its place."""

    shape: str
    begin: int
    end: int
    head: int
    names: list[str]
    rows: list[tuple[int, list[str]]]


def rows_of_table(text: str, separator: str) -> list[list[str]]:
    """Cut a table into its cells; nothing if it is none, such as a text with a cell of a whole book."""
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True))
    except csv.Error:
        return []


def tables_in(text: str, first: int, meaning: Meaning) -> Parsed | None:
    """Find the tables of a text that are in Markdown, HTML or aligned columns: those of the family, or the first, with a warning of others."""
    lines = text.split("\n")
    parts = [
        *(_markdown_parts(lines) if any(map(text.__contains__, UPRIGHT)) else ()),
        *_html_parts(text),
        *(_drawn_parts(lines) if any(map(text.__contains__, BORDERS)) else ()),
        *_latex_parts(text),
    ]
    parts = [part for part in parts if part.rows] or list(_aligned_part(lines, meaning))
    if not parts:
        return None
    groups: dict[tuple[str, ...], list[_Part]] = {}
    for part in sorted(parts, key=lambda part: part.begin):
        groups.setdefault(tuple(map(bare, part.names)), []).append(part)
    known = {key: some for key, some in groups.items() if meaning.roles.recognises(some[0].names)}
    chosen = known or dict(list(groups.items())[:1])
    unread = [some for key, some in groups.items() if key not in chosen]
    # What a link is called is a name; what it leads to is an entity of an ontology.
    of_link = 2 if meaning.roles is CORRESPONDENCES else 1
    found, *more = (_join(some, first, of_link) for some in chosen.values())
    return found._replace(more=tuple(more), warnings=_warn_of_others(unread))


def _markdown_parts(lines: Sequence[str]) -> Iterator[_Part]:
    """Find headers with a rule below, and the rows below that."""
    head = 0
    # With borders a table is drawn, and has a rule of other signs.
    lines = [line if line.strip()[:1] in UPRIGHT[1:] else line.translate(TO_BARS) for line in lines]
    while head < len(lines) - 1:
        rule = lines[head + 1].translate(TO_RULE).strip()
        size = 0
        if "|" in lines[head] and "-" in rule and RULE.fullmatch(rule):
            size = next((at for at in range(head + 2, len(lines)) if "|" not in lines[at]), len(lines)) - head - 2
            rows = [(at, cells_of(lines[at])) for at in range(head + 2, head + 2 + size)]
            yield _Part("a Markdown table", head, head + 2 + size, head, cells_of(lines[head]), rows)
        head += size + 1


def _drawn_parts(lines: Sequence[str]) -> Iterator[_Part]:
    """Find tables whose lines are drawn, as pandas, Polars and rich print them."""
    at = 0
    while at < len(lines):
        end = next((to for to in range(at, len(lines)) if not DRAWN.fullmatch(lines[to].strip())), len(lines))
        groups: list[list[tuple[int, list[str]]]] = [[]]
        for place in range(at, end):
            line = lines[place].strip()
            if line[0] in UPRIGHT:
                groups[-1].append((place, cells_of(line.translate(TO_BARS))))
            elif groups[-1]:
                groups.append([])
        groups = [group for group in groups if group]
        if len(groups) > 1 and end - at > sum(map(len, groups)) + 1:
            rows = groups[1] if len(groups) == 2 else [(group[0][0], _joined(group)) for group in groups[1:]]  # noqa: PLR2004
            yield _Part("a drawn table", at, end, groups[0][0][0], groups[0][0][1], rows)
        at = end + 1


def _joined(group: Sequence[tuple[int, list[str]]]) -> list[str]:
    """Write a row over several lines as one."""
    width = max(len(cells) for _, cells in group)
    return [" ".join(cells[at] for _, cells in group if len(cells) > at and cells[at]) for at in range(width)]


def _latex_parts(text: str) -> Iterator[_Part]:
    """Find the tables of LaTeX."""
    line = place = 0
    for opened in TABULAR.finditer(text) if "\\begin{" in text else ():
        if opened.start() < place:  # in a cell
            continue
        # Of a long file, or an answer that is cut off, only the beginning is there.
        closed = END_OF_TABULAR.search(text, opened.end())
        inner, end = closed.span() if closed else (len(text), len(text))
        begin = line = line + text.count("\n", place, opened.start())
        place, rows = opened.start(), list[tuple[int, list[str]]]()
        for row in LATEX_ROW.finditer(text, opened.end(), inner):
            line, place = line + text.count("\n", place, row.start(1)), row.start(1)
            cells = (LATEX_SIGN.sub("", LATEX.sub(r"\1", cell)) for cell in LATEX_CELL.split(row[1]))
            rows.append((line, [cell.strip() for cell in cells]))
        line, place = line + text.count("\n", place, end), end
        if len(rows) > 1:
            yield _Part("a table of LaTeX", begin, line + 1, rows[0][0], rows[0][1], rows[1:])


def _html_parts(text: str) -> Iterator[_Part]:
    """Find the tables of HTML; of one in another the outer one is read."""
    depth = place = line = begin = 0
    rows: list[_Row] = []
    cell: tuple[str, int] | None = None
    in_head = False
    for tag in TAG.finditer(text) if "<table" in text or "<TABLE" in text else ():
        line += text.count("\n", place, tag.start())
        place, opens, name = tag.start(), not tag[1], tag[2].lower()
        if name == "table":
            depth += 1 if opens else -1
            if opens and depth == 1:
                rows, begin, in_head = [], line, False
        if depth > 1 or (depth == 1 and name == "table" and not opens):
            continue
        if cell and rows:
            rows[-1].cells.append((cell[0], _text_of(text[cell[1] : tag.start()])))
        cell = (tag[3], tag.end()) if opens and name in ("td", "th") else None
        if name == "thead":
            in_head = opens
        elif name == "tr" and opens and depth == 1:
            rows.append(_Row(line, [], in_head))
        elif name == "table" and not opens and depth == 0:
            yield from _table_of(rows, begin, line + 1)
    if depth > 0:
        yield from _table_of(rows, begin, line + 1)


class _Row(NamedTuple):
    """A row of an HTML table: its place, the attributes and the text of each cell, and whether it is of the header."""

    place: int
    cells: list[tuple[str, str]]
    in_head: bool


def _text_of(inner: str) -> str:
    """Return the text of a cell without tags; a break of lines may separate names."""
    return " ".join(unescape(INLINE.sub("", inner)).split())


def _table_of(rows: Sequence[_Row], begin: int, end: int) -> Iterator[_Part]:
    """Make a table of the rows of HTML: a cell goes on in the rows below that it spans, and several rows of a header are one."""
    above: dict[int, tuple[int, str]] = {}
    written: list[tuple[int, list[str]]] = []
    for row in rows:
        cells: list[str] = []
        for attributes, text in chain(row.cells, [("", None)]):
            while left := above.get(len(cells)):
                above[len(cells)] = (left[0] - 1, left[1])
                if left[0] == 1:
                    del above[len(cells)]
                cells.append(left[1])
            if text is None:
                break
            spans = {found[1].lower(): int(found[2]) for found in SPAN.finditer(attributes)}
            if spans.get("row", 1) > 1 and len(cells) < WIDEST:
                above[len(cells)] = (spans["row"] - 1, text)
            cells += [text, *[""] * (min(spans.get("col", 1), WIDEST) - 1)]
        written.append((row.place, cells))
    size = sum(row.in_head for row in rows) or 1
    heads, below = written[:size], [one for one in written[size:] if any(one[1])]
    names = [" ".join(filter(None, column)) for column in zip_longest(*(cells for _, cells in heads), fillvalue="")]
    if any(names):
        yield _Part("an HTML table", begin, end, heads[-1][0], names, below)


def _aligned_part(lines: Sequence[str], meaning: Meaning) -> Iterator[_Part]:
    """Find a table whose columns are aligned, as pandas prints one, or tabulate: with each line as long as the first, a rule, or wide gaps between names."""
    for head, (written, after) in enumerate(pairwise(map(str.rstrip, lines[: HEADS + 1]))):
        names = written.split()
        if not (PRINTED.fullmatch(written) and meaning.roles.recognises(names)):
            continue
        if 2 * len({*names} & {*after.split()}) > len(names):
            # A sentence, and another one.
            continue
        # Most lines are as long as no other, and of the others most have a bracket.
        flush, ruled = len(written) == len(after), ALIGNED_RULE.fullmatch(after)
        if not (flush or ruled or all(len(gap) > 1 for gap in BLANK.findall(written.strip()))):
            continue
        end = next((at for at in range(head + 1, len(lines)) if not lines[at].strip()), len(lines))
        places = [at for at in range(head + 1, end) if not ALIGNED_RULE.fullmatch(lines[at])]
        below = [lines[at].translate(BLANKS).rstrip() for at in places]
        cuts = _cuts(written.translate(BLANKS), below)
        if cuts:
            cells = [[row[start:stop].strip() for start, stop in pairwise([*cuts, None])] for row in below]
            yield _Part("aligned columns", head, end, head, names, list(zip(places, cells, strict=True)))
            return


def _cuts(line: str, below: Sequence[str]) -> list[int]:
    """Return where the columns of aligned lines begin: behind the names, or else before them; nothing if cells are neither."""
    names = [found.span() for found in re.finditer(r"\S+", line)]
    # pandas and tabulate write the numbers of rows, in a column without a name.
    numbered = line.startswith(" ") and all(
        row.split(" ", 1)[0] == str(at) for at, row in enumerate(map(str.lstrip, below))
    )
    first = max((len(row) - len(row.lstrip()) + len(str(at)) for at, row in enumerate(below)), default=0) * numbered
    if not below:
        return []
    right, left = [end for _, end in names[:-1]], [start for start, _ in names[1:]]
    if all(len(row) == len(line) and all(row[at] == " " for at in right) for row in below):
        return [first, *right]
    return [first, *left] if all(row[at - 1 : at].isspace() for row in below for at in left) else []


def _join(parts: Sequence[_Part], first: int, of_link: int) -> Parsed:
    """Make one table of parts with the same header, on their lines where each row has one."""
    rows = [row for part in parts for row in part.rows]
    if any(not DITTO.isdisjoint(cells) for _, cells in rows):
        # What is in the first row is a name, which it may be further down, too.
        ditto = DITTO.difference(rows[0][1], *("\u2191" for _, cells in rows if not ARROWS.isdisjoint(cells)))
        for (_, top), (_, cells) in pairwise(rows):
            cells[:] = [up if cell in ditto else cell for cell, up in zip(cells, chain(top, repeat("")), strict=False)]
    for _, cells in rows:
        for place, cell in enumerate(cells):
            if cell[:1] == "[" and (link := LINK.fullmatch(cell)):
                cells[place] = link[of_link]
    head, places = parts[0].head, [at for at, _ in rows]
    taken = {first + at for part in parts for at in range(part.begin, part.end)}
    if head >= places[0] or places != sorted(set(places)):
        return Parsed(parts[0].shape, (), taken, table=[parts[0].names, *(cells for _, cells in rows)])
    spread: list[list[str]] = [[] for _ in range(places[-1] - places[0] + 1)]
    for at, cells in rows:
        spread[at - places[0]] = cells
    lines = (first + head, first + places[0])
    return Parsed(parts[0].shape, (), taken, table=[parts[0].names, *spread], rows=lines)


def _warn_of_others(groups: Sequence[Sequence[_Part]]) -> tuple[str, ...]:
    if not groups:
        return ()
    rows = sum(len(part.rows) for some in groups for part in some)
    named = [", ".join(some[0].names) for some in groups[:LISTED]]
    tables = count_of(len(groups), "table")
    return (f"not read: {tables} with {count_of(rows, 'row')} and other columns: {'; '.join(named)}",)


def toon_in(text: str, first: int, meaning: Meaning) -> Parsed | None:
    """Find a table of TOON: names of columns in braces, and rows below that are deeper."""
    if "]{" not in text:
        return None
    lines = text.split("\n")
    for head, line in enumerate(lines):
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
            return Parsed("TOON", (), set(range(first + head, first + end)), table=rows, rows=at)
    return None


def delimited_in(text: str, first: int, meaning: Meaning) -> Parsed | None:
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
        return Parsed("a table", (), {first + at for at in places | heads}, table=rows, rows=at)
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
    texts = [MARKS.sub("", cell.strip().replace("\\|", "|")) for cell in cells]
    if "*" in line and "*" in "".join(texts):
        texts = [SLANTED.sub(r"\1", text) for text in texts]
    return list(map(unescape, texts)) if "&" in line else texts
