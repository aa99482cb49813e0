"""Statements in the diagrams of an answer: Mermaid, DOT and Cypher."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from goldassay.formats.answer_lines import RawStatement, lines_of_answer, name_of, outline
from goldassay.formats.answer_means import IS_A

MERMAID = re.compile(
    r"\s*(?:%%[^\n]*\n\s*)*(?:graph|flowchart)(?:\s+(TB|TD|BT|RL|LR))?\s*(?:;|\n)|\s*(classDiagram|@startuml)\b|\s*(mindmap)\b"
)
DOT = re.compile(r"\s*(?:(?://|#)[^\n]*\n\s*)*(?:strict\s+)?(?:di)?graph\b[^\n{\[]{0,200}\{", re.IGNORECASE)
NODE = r"([^\s\[\](){}<>|&;\"-]+(?:-[^\s\[\](){}<>|&;\"-]+)*)"
SHAPED = re.compile(
    NODE
    + r"""\s*(?:@\{[^}]*\}|[\[({>]{1,3}[/\\]?\s*(?:"([^"]*)"|([^\[\](){}"|]*?))\s*[/\\]?[\])}]{1,3})?(?::::?\w+)?"""
)
LINK = re.compile(
    r"\s*(?:(?:<?[-=.]{1,3}|--)\s*(?:\"([^\"]*)\"|([^-=.<>|\"]{1,200}?))\s*)?<?(?:[-=.]{2,}>?|~{3}|-\.+->)(?:[ox](?=\s))?\s*(?:\|\s*\"?([^|\"]*)\"?\s*\|)?\s*"
)
CLASSES = re.compile(r"\s*(\S+)\s*(<\|-[-.]?|<\|\.\.|--?\|>|\.\.\|>)\s*(\S+)\s*(?::.*)?")
ASSOCIATIONS = re.compile(
    r"""\s*([\w.-]+)\s*(?:"[^"]*"\s*)?(?:[*o]?(?:--|\.\.)>|[*o]--)\s*(?:"[^"]*"\s*)?([\w.-]+)\s*:\s*(.+)"""
)
"""A relation of a class diagram: its name is behind the colon."""
CYPHER = re.compile(r"^[ \t]*(?:CREATE|MERGE)[ \t]*\(", re.MULTILINE | re.IGNORECASE)
CYPHER_NODE = re.compile(r"\(\s*(\w*)\s*(?::\s*[\w`:|& ]{0,200})?\s*(\{[^{}]*\})?\s*\)")
CYPHER_LINK = re.compile(r"\s*(<?)-\s*\[\s*\w*\s*:\s*`?([^`\]{}]{1,200}?)`?\s*(?:\{[^{}]*\})?\s*\]\s*-(>?)\s*")
CYPHER_NAME = re.compile(
    r"""\b(name|title|label|id)\s*:\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')""", re.IGNORECASE
)
NOT_EDGES = (
    "%%",
    "subgraph",
    "end",
    "style",
    "classDef",
    "class ",
    "linkStyle",
    "click",
    "direction",
    "graph",
    "flowchart",
    "@",
    "skinparam",
)
TOKEN = re.compile(
    r"""\s*(?:(?P<comment>//[^\n]*|\#[^\n]*|/\*.*?\*/)|(?P<text>"(?:[^"\\]|\\.)*+")|(?P<mark>->|--|[{}\[\];=,:])|(?P<word>[^\s"{}\[\];=,:]+?(?=->|--|[\s"{}\[\];=,:]|$)))""",
    re.DOTALL,
)


class Diagram(NamedTuple):
    """The statements of a diagram.

    Attributes:
        down: Whether its layout says that parents are above, and arrows lead down (True) or up (False); None if it does not say.
    """

    statements: list[RawStatement]
    taken: set[int]
    down: bool | None


def read_mermaid(text: str, first: int = 1) -> Diagram:
    r"""Read a flowchart, a class diagram or a mind map of Mermaid, or a class diagram of PlantUML.

    Example:
        >>> read_mermaid('graph TD\nA["animal"] -->|includes| B(dog)\nA --> C').statements[0][1:4]
        ('animal', 'includes', 'dog')
    """
    begin = MERMAID.match(text)
    if begin and begin[3]:
        # The first line is the word mindmap, and (( )) around a name is only its shape.
        plain = re.sub(r"^(\s*)(?:root)?\w*\(\(?([^()]*)\)?\)", r"\1\2", text, flags=re.MULTILINE)
        lines = [line for line in lines_of_answer(plain, first) if line.text != "mindmap"]
        nested, nodes = outline(lines)
        return Diagram(nested, nodes | {first + text.count("\n", 0, begin.start(3))}, down=None)
    named: dict[str, str] = {}
    edges: list[tuple[int, str, str, str, bool]] = []
    taken: set[int] = set()
    for number, line in enumerate(text.split("\n"), start=first):
        for part in line.split(";"):
            body = part.strip()
            if found := CLASSES.fullmatch(body):
                ends = (found[3], found[1]) if found[2].startswith("<") else (found[1], found[3])
                edges.append((number, ends[0], IS_A, ends[1], True))
            elif begin and begin[2] and (found := ASSOCIATIONS.fullmatch(body)):
                edges.append((number, found[1], name_of(found[3]), found[2], True))
            elif body and not body.startswith(NOT_EDGES):
                edges += [(number, a, relation, b, bool(relation)) for a, relation, b in _flow(body, named)]
            if body:
                taken.add(number)
    statements = [
        RawStatement(number, name_of(named.get(a, a)), relation or IS_A, name_of(named.get(b, b)), directed)
        for number, a, relation, b, directed in edges
    ]
    return Diagram(statements, taken, down={"TB": True, "TD": True, "BT": False}.get(begin[1] or "") if begin else None)


def read_cypher(text: str, first: int = 1) -> Diagram:
    """Read the relationships of CREATE and MERGE; a node is called by its name, title, label or id, else by its variable.

    Example:
        >>> read_cypher('CREATE (a:City {name: "Oslo"})-[:IN]->(b {name: "Norway"})').statements[0][1:4]
        ('Oslo', 'IN', 'Norway')
    """
    named: dict[str, str] = {}
    edges: list[tuple[int, str, str, str]] = []
    taken: set[int] = set()
    for number, line in enumerate(text.split("\n"), start=first):
        place, before, link = 0, "", None
        while node := CYPHER_NODE.search(line, place):
            variable = node[1] or f"({number}:{node.start()})"
            title = CYPHER_NAME.search(node[2] or "")
            if text_of_node := title and (title[2] or title[3]):
                named[variable] = text_of_node
            if link and link.end() == node.start() and before:
                ends = (variable, before) if link[1] else (before, variable)
                edges.append((number, ends[0], link[2].strip(), ends[1]))
            taken.add(number)
            before, place = variable, node.end()
            link = CYPHER_LINK.match(line, place)
            place = link.end() if link else place
    statements = [
        RawStatement(number, name_of(named.get(a, a)), relation, name_of(named.get(b, b)))
        for number, a, relation, b in edges
    ]
    return Diagram(statements, taken, down=None)


def _flow(body: str, named: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """List the edges of one statement of a flowchart, and keep the texts of its nodes."""
    before: list[str] = []
    relation, place = "", 0
    while True:
        nodes, place = _nodes(body, place, named)
        if not nodes:
            return
        yield from ((a, relation, b) for a in before for b in nodes)
        link = LINK.match(body, place)
        if link is None or link.end() == place:
            return
        relation = name_of(next((one for one in link.groups() if one), ""))
        before, place = nodes, link.end()


def _nodes(body: str, place: int, named: dict[str, str]) -> tuple[list[str], int]:
    """Read nodes that are joined by &."""
    found: list[str] = []
    while node := SHAPED.match(body, place):
        found.append(node[1])
        if text := next((one for one in node.groups()[1:] if one and one.strip()), None):
            named[node[1]] = text
        place = node.end()
        joined = re.compile(r"\s*&\s*").match(body, place)
        if joined is None:
            break
        place = joined.end()
    return found, place


MOST_IN_BRACES = 1000
"""Of more tokens in braces no arrow is looked for behind them."""


def read_dot(text: str, first: int = 1) -> Diagram:
    """Read a graph in the DOT language.

    Example:
        >>> graph = read_dot('digraph { rankdir=BT; d [label="dog"]; d -> animal [label="is_a"] }')
        >>> graph.statements[0][1:4], graph.down
        (('dog', 'is_a', 'animal'), False)
    """
    tokens = list(_tokens(text, first))
    named: dict[str, str] = {}
    edges: list[tuple[int, str, str, str]] = []
    down: bool | None = None
    place = next((at for at, token in enumerate(tokens) if token[1] == "{"), len(tokens)) + 1
    while place < len(tokens):
        line, mark, word = tokens[place]
        grouped = mark == "{" and _leads_on(tokens, place)
        if (mark and not grouped) or word.lower() in {"subgraph", "node", "edge", "graph"}:
            place = _skip_attributes(tokens, place + 1) if not mark else place + 1
            continue
        nodes, place = _group(tokens, place)
        if place + 1 < len(tokens) and tokens[place][1] == "=":
            if word.lower() == "rankdir":
                down = {"BT": False, "TB": True}.get(tokens[place + 1][2].upper())
            place += 2
            continue
        chain = [nodes]
        while place + 1 < len(tokens) and tokens[place][1] in {"->", "--"}:
            group, place = _group(tokens, place + 1)
            chain.append(group)
        attributes, place = _attributes(tokens, place)
        label = attributes.get("label", "")
        if len(chain) == 1 and label:
            named[word] = label
        for left, right in pairwise(chain):
            edges += [(line, a, label, b) for a in left for b in right]
    statements = [
        RawStatement(line, name_of(named.get(a, a)), name_of(label) or IS_A, name_of(named.get(b, b)), bool(label))
        for line, a, label, b in edges
    ]
    return Diagram(statements, set(range(first, first + text.count("\n") + 1)), down)


def _tokens(text: str, first: int) -> Iterator[tuple[int, str, str]]:
    """List the marks and words of DOT with their lines; a text in quotes is a word."""
    line, before, place = first, 0, 0
    while found := TOKEN.match(text, place):
        kind, place = found.lastgroup, found.end()
        word = found[kind or 0]
        start = place - len(word)
        line += text.count("\n", before, start)
        before = start
        if kind == "text":
            yield line, "", word[1:-1].replace('\\"', '"').replace("\\n", " ")
        elif kind != "comment":
            yield line, *((word, "") if kind == "mark" else ("", word))


def _leads_on(tokens: list[tuple[int, str, str]], place: int) -> bool:
    """Return whether an arrow follows the braces that open here."""
    end = next(
        (at for at in range(place, min(len(tokens), place + MOST_IN_BRACES)) if tokens[at][1] == "}"), len(tokens)
    )
    return end + 1 < len(tokens) and tokens[end + 1][1] in {"->", "--"}


def _group(tokens: list[tuple[int, str, str]], place: int) -> tuple[list[str], int]:
    """Read what an arrow leads to: a node, or several in braces."""
    if tokens[place][1] != "{":
        return [tokens[place][2]], place + 1
    end = next((at for at in range(place, len(tokens)) if tokens[at][1] == "}"), len(tokens) - 1)
    return [word for _, mark, word in tokens[place:end] if not mark], end + 1


def _attributes(tokens: list[tuple[int, str, str]], place: int) -> tuple[dict[str, str], int]:
    end = _skip_attributes(tokens, place)
    if end == place:
        return {}, place
    inner = tokens[place:end]
    keys = [at for at, token in enumerate(inner) if token[1] == "=" and 0 < at < len(inner) - 1]
    return {inner[at - 1][2].lower(): inner[at + 1][2] for at in keys}, end


def _skip_attributes(tokens: list[tuple[int, str, str]], place: int) -> int:
    if place >= len(tokens) or tokens[place][1] != "[":
        return place
    return next((at for at in range(place, len(tokens)) if tokens[at][1] == "]"), len(tokens) - 1) + 1
