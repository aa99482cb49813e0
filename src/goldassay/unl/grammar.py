"""The grammar of one graph: table format, list format and mixed dialects."""

from __future__ import annotations

import re
import unicodedata
from sys import intern
from typing import TypeAlias

from goldassay.core.patterns import pattern_of
from goldassay.unl.model import CUT_SENSE_KEY, NULL, Node

COMMENT = pattern_of(r"^[ \t]*;.*$|<-[^\n]*$", re.MULTILINE)
BETWEEN = pattern_of(r"[\s,;.]*")
# Repetitions are possessive, so that any text takes linear time.
OPENING = pattern_of(r"([a-z]{2,3})\s*+(?::\s*+([0-9A-Z]{2})\s*+)?\(")
# Between two marks, with texts in quotation marks; in brackets; in brackets of brackets; in an argument.
INNERMOST = r'[^"()]*+(?:"[^"]*+"[^"()]*+)*+'
INNER = rf"{INNERMOST}(?:\({INNERMOST}\){INNERMOST})*+"
OUTER = r'[^"(),;]*+(?:"[^"]*+"[^"(),;]*+)*+'
WORD = rf"{OUTER}(?:\({INNER}\){OUTER})*+"
PLAIN = pattern_of(rf"{OPENING.pattern}\s*+({WORD})[,;]\s*+({WORD})\){BETWEEN.pattern}|(?s:.+)")
"""A relation with brackets in at most two levels, which most are, or all that is left."""
MARK = pattern_of(r'["(),;]')
ATTRIBUTE = pattern_of(r"[^\s.@:()<>,]+")
"""Without brackets and commas: blanks next to them are left out of a word, so that it would end differently when written."""
ID_LENGTH = len(":01")
# Atomic: a possessive group with groups in it is wrong before Python 3.11.5.
PLAIN_NODE = pattern_of(r'([^\s%".:@\x80-\U0010ffff]++)(?>(?::([0-9A-Z]{2}))?)((?>(?:\.@[^\s.@:()<>,]++)*))')
"""A node whose word stands for itself, with no colon but that of its identifier: what most are."""
IDENTIFIED = pattern_of(r"(?P<uw>.*):(?P<id>[0-9A-Z]{2})", re.DOTALL)
SENSE_KEY = pattern_of(r"(?P<uw>.*%\d:\d\d:\d\d:[^:]*:(?:\d\d)?)(?::(?P<id>[0-9A-Z]{2}))?", re.DOTALL)
BLOCK = pattern_of(r"\[([WR])\](.*?)(\[/\1\]|\Z)", re.DOTALL)
BLOCK_MARK = pattern_of(r"\[/?[WR]\]")
LIST_RELATION = pattern_of(
    r"\s*+(?:([a-z]{2,3})\s*+(?::([0-9A-Z]{2}))?\s*+\(\s*+:?([0-9A-Z]{2})\s*+[,;]\s*+:?([0-9A-Z]{2})\s*+\)"
    r"|:?([0-9A-Z]{2})\s*+([a-z]{2,3})\s*+(?::([0-9A-Z]{2}))?\s*+:?([0-9A-Z]{2}))[ \t]*+[,;.]*+\s*+"
)
NUMBERED = pattern_of(r"\s*([0-9A-Z]{2}):\s+(.*)", re.DOTALL)
ARGUMENTS = 2
Written: TypeAlias = str | Node
"""A node, or the text of one."""
Row: TypeAlias = tuple[str, str, Written, Written]
"""Label, scope, source and target of a relation."""
Graph: TypeAlias = tuple[list[Row], list[Node]]
"""Relations, and the nodes that take part in none."""


class GraphError(Exception):
    """A syntax error in a graph."""

    def __init__(self, message: str, offset: int, expected: str) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.expected = expected


def parse_graph(text: str) -> Graph:
    """Parse the body of one ``{unl}`` section."""
    if ";" in text or "<-" in text:
        text = _blank_out(COMMENT, text)
    if "[" not in text:
        return _table_relations(text), []
    for match in BLOCK.finditer(text):
        if not match[3]:
            raise _not_closed_error(match[0][:3], match.start())
    blocks = {match[1]: (match.start(2), match[2]) for match in BLOCK.finditer(text)}
    rest = _blank_out(BLOCK, text)
    stray = BLOCK_MARK.search(rest)
    if stray:
        raise _not_closed_error(stray[0], stray.start())
    declared = _declarations(*blocks["W"]) if "W" in blocks else []
    listed, isolated = _list_relations(*blocks.get("R", (0, "")), declared)
    return [*listed, *_table_relations(rest)], isolated


def _not_closed_error(mark: str, place: int) -> GraphError:
    return GraphError(f"The section {mark} is not closed.", place, "[W]...[/W] [R]...[/R]")


def parse_node(text: str) -> Node:
    """Parse one node: a universal word, its identifier and its attributes."""
    text = text.strip()
    plain = PLAIN_NODE.fullmatch(text)
    if plain:
        uw, identifier, marks = plain.groups()
        return Node(uw, identifier or "", tuple(marks[2:].split(".@")) if marks else ())
    return _parse_node_carefully(text)


def _parse_node_carefully(text: str) -> Node:
    body, identifier = text, ""
    last = IDENTIFIED.fullmatch(text[-ID_LENGTH:])
    if last:
        body, identifier = text[:-ID_LENGTH], last["id"]
    uw, attributes = _attributes(body)
    if identifier and not attributes and "%" in text:
        # The colons of a sense key are not those of a node identifier.
        uw, identifier = text, ""
    if not identifier:
        inner = SENSE_KEY.fullmatch(uw) if "%" in uw else None
        if inner is None and not CUT_SENSE_KEY.fullmatch(uw):
            inner = IDENTIFIED.fullmatch(uw)
        if inner:
            uw, identifier = inner["uw"], inner["id"] or ""
    return Node(normalise_uw(uw) or NULL, identifier, attributes)


def _attributes(text: str) -> tuple[str, tuple[str, ...]]:
    """Cut the attributes off the end of a node, from the last to the first."""
    found: list[str] = []
    end = len(text.rstrip())
    while (start := text.rfind(".@", 0, end)) >= 0 and ATTRIBUTE.fullmatch(text, start + 2, end):
        found.append(text[start + 2 : end])
        end = start
        while end and text[end - 1].isspace():
            end -= 1
    return text[:end], tuple(reversed(found))


def normalise_uw(uw: str) -> str:
    """Normalise a universal word: NFC, single spaces, none around brackets."""
    folded = uw if uw.isascii() else unicodedata.normalize("NFC", uw)
    words = folded.split()
    spaced = " ".join(words)
    if len(words) <= 1 or (folded.startswith('"') and folded.endswith('"')):
        return spaced
    return re.sub(r"\s*([()<>,])\s*", r"\1", spaced)


def _blank_out(pattern: re.Pattern[str], text: str) -> str:
    # Offsets in the text and ends of lines must not change.
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def _table_relations(text: str) -> list[Row]:
    found = _parse_at_once(text)
    return _parse_one_by_one(text) if found is None else found


def _parse_at_once(text: str) -> list[Row] | None:
    """Read relations that are plain; None if one is not."""
    rows: list[Row] = PLAIN.findall(text, _skip(BETWEEN, text, 0))
    return None if rows and not rows[-1][0] else rows


def _parse_one_by_one(text: str) -> list[Row]:
    relations: list[Row] = []
    place = _skip(BETWEEN, text, 0)
    while place < len(text):
        opening = OPENING.match(text, place)
        if not opening:
            raise GraphError("Invalid relation.", place, "a relation such as agt(kill, Peter)")
        arguments, end = _arguments(text, opening.end())
        if len(arguments) != ARGUMENTS:
            several = "1 argument" if len(arguments) == 1 else f"{len(arguments)} arguments"
            raise GraphError(
                f"The relation {opening[1]} has {several}.", place, "two arguments, as in agt(kill, Peter)"
            )
        relations.append((opening[1], opening[2] or "", arguments[0], arguments[1]))
        place = _skip(BETWEEN, text, end)
    return relations


def _skip(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place


def _arguments(text: str, start: int) -> tuple[list[str], int]:
    """Split the text between the bracket before ``start`` and its closing bracket."""
    arguments: list[str] = []
    depth, begin, place = 1, start, start
    while mark := MARK.search(text, place):
        place, sign = mark.end(), mark[0]
        if sign == '"':
            place = text.find('"', place) + 1
            if not place:
                raise GraphError("The quotation mark is not closed.", mark.start(), 'a second "')
        elif sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
            if not depth:
                return [*arguments, text[begin : mark.start()]], place
        elif depth == 1:
            arguments.append(text[begin : mark.start()])
            begin = place
    raise GraphError("The bracket of the relation is not closed.", start - 1, "a closing bracket )")


def _declarations(start: int, text: str) -> list[Node]:
    nodes = []
    for line in text.split("\n"):
        if line.count('"') % 2:
            # A relation would end elsewhere, if it were written with this word.
            raise GraphError("The quotes of the node are not closed.", start, 'a second "')
        if line.strip():
            numbered = NUMBERED.fullmatch(line)
            node = parse_node(numbered[2] if numbered else line)
            nodes.append(node._replace(id=numbered[1]) if numbered else node)
        start += len(line) + 1
    return nodes


def _list_relations(start: int, text: str, declared: list[Node]) -> Graph:
    nodes = {node.id: node for node in declared if node.id}
    ids, scopes, undeclared = list(nodes), set(), dict[str, int]()
    relations: list[Row] = []
    used = set()
    place = _skip(BETWEEN, text, 0)
    while place < len(text):
        match = LIST_RELATION.match(text, place)
        if not match:
            raise GraphError("Invalid relation in list format.", start + place, "agt(01, 02) or 01agt02")
        label, scope, *ends = match.group(1, 2, 3, 4) if match[1] else match.group(6, 7, 5, 8)
        for end in ends:
            if end not in nodes:
                # It may be a scope, of a relation that comes later.
                nodes[end], undeclared[end] = Node(NULL, end, ()), place
        # A sentence may have many relations of few labels and nodes.
        relations.append((intern(label), scope or "", nodes[ends[0]], nodes[ends[1]]))
        scopes.add(scope)
        used.update(ends)
        place = match.end()
    for end, place in undeclared.items():
        if end not in scopes:
            raise GraphError(f"The node {end} is not declared in [W].", start + place, f"one of {', '.join(ids)}")
    return relations, [node for node in declared if node.id not in used]
