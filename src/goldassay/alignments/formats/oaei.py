"""The RDF/XML format of the Alignment API, as used by the OAEI: read by a pattern if all cells are written alike, else by an XML parser."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from xml.parsers import expat

from goldassay.alignments.relations import relation_code
from goldassay.alignments.rows import RawMappings, Vocabulary
from goldassay.core.errors import InputError, RecordError
from goldassay.core.patterns import pattern_of
from goldassay.formats import Source
from goldassay.formats.markup import utf8_xml
from goldassay.formats.records import BadRecords

# The values of cells, in the order and with the quotes of the first one: entities of XML, comments, control characters and nested
# elements take the slow way.
WHITE = r"[ \t\r\n]*+"
NAMED = r"""[^"'<&\s\x00-\x20]++"""
VALUES = {
    "entity1": rf"<entity1[ \t\r\n]++rdf:resource={{entity1}}({NAMED}){{entity1}}{WHITE}/>",
    "entity2": rf"<entity2[ \t\r\n]++rdf:resource={{entity2}}({NAMED}){{entity2}}{WHITE}/>",
    "relation": r"<relation>([^<&\s\x00-\x20]++|&[lg]t;)</relation>",
    "measure": r"<measure{measure}>(-?[0-9]++(?:\.[0-9]++)?(?:[eE][-+]?[0-9]+)?)</measure>",
}
CELL = rf"<map>~<Cell(?:[ \t\r\n]+cid={{cell}}{NAMED}{{cell}}~)?>~{{values}}~</Cell>~</map>~".replace("~", WHITE)
DECLARED_UTF8 = pattern_of(
    rb"""\A(?:\xef\xbb\xbf)?\s*(?:<\?xml(?![^>]*encoding)[^>]*>|<\?xml[^>]*encoding\s*=\s*["'][uU][tT][fF]-?8["'][^>]*>|<[A-Za-z])"""
)

ROLES = {"entity1": "source", "entity2": "target", "relation": "relation", "measure": "score"}
ENTITIES = ("entity1", "entity2")
NAMES = frozenset({"resource", "about"})
"""Attributes that name an entity."""
KEPT = frozenset(
    {b"RDF", b"Alignment", b"xml", b"level", b"type", b"map", b"Cell", b"entity1", b"entity2", b"relation", b"measure"}
)
MOST_AROUND = 2**14
"""Characters around the cells of a regular file; more are checked for depth and namespaces."""


def read_oaei(source: Source, bad: BadRecords) -> RawMappings:
    """Read the cells of an alignment."""
    lists, line_of = columns_at_once(source), None
    if lists is None:
        cells = _Cells(bad)
        try:
            cells.parser.Parse(utf8_xml(source), True)
        except expat.ExpatError as error:  # pragma: no cover - utf8_xml has parsed the same bytes
            raise InputError("Invalid XML.", line=error.lineno, found=str(error)) from error
        lists, line_of = (
            {role: [row[at] for row in cells.rows] for at, role in enumerate(ROLES.values())},
            cells.lines.__getitem__,
        )
    return RawMappings(
        path=source.path,
        lists=lists,
        line_of=line_of,
        vocabulary=Vocabulary(any_score=True),
        unread=unread_in(source),
        in_rows=False,
    )


def unread_in(source: Source) -> tuple[str, ...]:
    """List the tags around the cells and in the first one that correspondences do not keep."""
    data = source.data
    end, last = data.find(b"</map>"), data.rfind(b"</map>")
    around = data[:end] + data[last:] if end >= 0 else data[:MOST_AROUND]
    names = re.findall(rb"<(?:\w+:)?(\w+)", around)
    return tuple(name.decode() for name in dict.fromkeys(names) if name not in KEPT)


def columns_at_once(source: Source) -> dict[str, list[Any]] | None:
    """Read a file whose cells differ only in their values; None if the file is not regular."""
    text = _regular_text(source)
    columns = None if text is None else _values(text)
    if columns is None:
        return None
    try:
        scores = list(map(float, columns["score"]))
    except ValueError:
        return None
    # What cannot be read is read again cell by cell, where each has its line.
    known = all(map(math.isfinite, scores)) and None not in map(relation_code, set(columns["relation"]))
    return {**columns, "score": scores} if known else None


def _regular_text(source: Source) -> str | None:
    """Decode a file without comments, sections, the last characters of its plane and other encodings; None if it has any."""
    # One rare letter is looked for in a tenth of the time that several take.
    data = source.data
    special = (b"!" in data and b"<!" in data) or (b"]" in data and b"]]>" in data) or b"\xef\xbf" in data
    if special or not DECLARED_UTF8.match(data):
        return None
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        return None


def _values(text: str) -> dict[str, list[str]] | None:
    """Return the four values of every cell, if all of the file is the same but for them."""
    first, last = text.find("<map>"), text.rfind("</map>") + len("</map>")
    if first < 0 or last < first:
        return None
    cell = text[first : text.find("</map>", first) + len("</map>")]
    order = [name for name in re.findall(r"<(\w+)", cell) if name in ROLES]
    if sorted(order) != sorted(ROLES) or not _is_whole(text[:first], cell, text[last:]):
        return None
    quotes = tuple(cell.partition(f"<{tag}")[2].partition("=")[2][:1] for tag in ("Cell", *ENTITIES))
    pattern = _pattern(tuple(order), quotes, cell.partition("<measure")[2].partition(">")[0])
    # Where a piece is empty one map follows the other; together they are all of the text if every piece is.
    pieces = pattern.split(text[first:last])
    if any(pieces[:: len(order) + 1]):
        return None
    return {ROLES[name]: pieces[place :: len(order) + 1] for place, name in enumerate(order, start=1)}


# One system writes all of its files alike.
@lru_cache(maxsize=64)
def _pattern(order: tuple[str, ...], quotes: tuple[str, ...], measure: str) -> re.Pattern[str]:
    """Make a pattern of a map and the white space after it: groups for its four values, in their order."""
    names = dict(zip(("cell", *ENTITIES), map(re.escape, quotes), strict=True))
    values = WHITE.join(VALUES[name] for name in order)
    return re.compile(CELL.format(values=values.format(measure=re.escape(measure), **names), **names))


def _is_whole(head: str, cell: str, tail: str) -> bool:
    """Return whether the first cell and the little text around all cells are well-formed XML, and no other cell is among it."""
    rest = head + tail
    if "&" in rest or "<Cell" in rest or len(rest) > MOST_AROUND:
        return False
    try:
        expat.ParserCreate().Parse((head + cell + tail).lstrip(), True)
    except expat.ExpatError:
        return False
    return True


class _Cells:
    """Collects the cells that an XML parser reports."""

    def __init__(self, bad: BadRecords) -> None:
        self.bad = bad
        self.rows: list[tuple[str, str, str, str]] = []
        self.lines: list[int] = []
        self.cell: dict[str, str] | None = None
        self.line = 0
        self.in_map: int | None = None
        self.text: list[str] = []
        self.within: str | None = None
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler, self.parser.EndElementHandler = self.start, self.end

    def start(self, name: str, attributes: dict[str, str]) -> None:
        local, cell = name.rpartition(":")[2], self.cell
        if local == "map":
            self.in_map = self.parser.CurrentLineNumber
        elif local == "Cell":
            self.in_map, self.line, self.cell = None, self.parser.CurrentLineNumber, {}
        elif cell is not None and local in ROLES:
            if local in cell:
                cell["twice"] = local
            if about := _subject_of(attributes):
                cell.setdefault(local, about)
            # Of all the text of a file only that of these elements is wanted.
            self.text, self.within = [], local
            self.parser.CharacterDataHandler = self.text.append
        elif cell is not None and self.within in ENTITIES:
            # An entity may be wrapped into an element that names it, but not be an expression over several.
            cell[self.within] = "" if self.within in cell else _subject_of(attributes)

    def end(self, name: str) -> None:
        local = name.rpartition(":")[2]
        if self.cell is not None and local == self.within:
            self.cell.setdefault(local, "".join(self.text).strip())
            self.within = self.parser.CharacterDataHandler = None
        elif local == "Cell" and self.cell is not None:
            self._finish(self.cell)
            self.cell = None
        elif local == "map" and self.in_map is not None:
            self._complain(
                "The map has no cell.",
                line=self.in_map,
                found="nothing between <map> and </map>",
                expected="<Cell> with two entities",
                hint="mend the cell, or leave bad ones out: --on-error skip",
            )
            self.in_map = None

    def _complain(self, message: str, **more: Any) -> None:
        self.bad.add(RecordError(message, **{"line": self.line, **more}))

    def _finish(self, cell: dict[str, str]) -> None:
        entity = next((entity for entity in ENTITIES if not cell.get(entity)), None)
        if entity is not None:
            self._complain(
                f"The cell has no {entity} with a single named entity.",
                found="an expression, or nothing" if entity in cell else "nothing",
                expected=f'<{entity} rdf:resource="IRI"/>',
                hint="complex correspondences (EDOAL) are not scored; --on-error skip leaves them out",
            )
            return
        if "twice" in cell:
            self._complain(
                f"The cell has several {cell['twice']} elements.", found=cell["twice"], expected="one of each"
            )
            return
        self.rows.append((cell["entity1"], cell["entity2"], cell.get("relation") or "=", cell.get("measure", "1.0")))
        self.lines.append(self.line)


def _subject_of(attributes: Mapping[str, str]) -> str:
    """Find what an element is about; empty if it does not say so."""
    for name, value in attributes.items():
        if name.rpartition(":")[2] in NAMES:
            return value.strip()
    return ""
