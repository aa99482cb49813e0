"""Statements in the Cypher of an answer: the relationships of CREATE and MERGE."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from goldassay.core.patterns import pattern_of
from goldassay.formats.answers.diagrams import DIAGRAM
from goldassay.formats.answers.lines import RawStatement
from goldassay.formats.answers.names import unescaped
from goldassay.formats.answers.parsed import Parsed, Unclear

CYPHER = pattern_of(
    r"^[ \t]*+(?:(?:OPTIONAL[ \t]+)?MATCH\b[^\n]*?\b)?(?:CREATE|MERGE)\s*+\(", re.MULTILINE | re.IGNORECASE
)
CLAUSE = pattern_of(r"[ \t]*+(?:OPTIONAL[ \t]+)?(?:CREATE|MERGE|MATCH)[ \t]*+(?:\(|$)", re.IGNORECASE)
COMMENT = pattern_of(r"^[ \t]*//[^\n]*", re.MULTILINE)
NODE = pattern_of(r"\(\s*+(\w*)\s*+(?::\s*[\w`:|& ]{0,200})?\s*+(\{[^{}]*\})?\s*+\)")
LINK = pattern_of(r"\s*(<?)-\s*\[\s*\w*\s*:\s*`?([^`\]{}]{1,200}?)`?\s*(?:\{[^{}]*\})?\s*\]\s*-(>?)\s*")
NAMES = ("name", "title", "label", "id")
"""The properties that a node is called by, the better ones first."""
VALUE = r"""(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(-?\d[\d.]*)|([$\w][\w.]*))"""
PROPERTY = pattern_of(rf"\b({'|'.join(NAMES)})\s*:\s*{VALUE}", re.IGNORECASE)
ASSIGNED = pattern_of(rf"\b(?:(WHERE|AND)\s+)?(\w+)\.({'|'.join(NAMES)})\s*=\s*{VALUE}", re.IGNORECASE)
"""What WHERE and SET say of a node."""
EXPECTED = (
    "a node with its name in quotes, such as (a {name: 'dog'}) or a[\"dog\"], before the relationships that it is in"
)
HINT = "write the names, not expressions such as row.name; or write the rows as a table"


@dataclass
class _Nodes:
    """What the variables stand for, each from where it is bound until it is bound anew.

    Attributes:
        named: The name of a variable, and how good the property is that it is from.
        by_id: The names of nodes that have an id, too.
        bound: The properties that a variable without a name is bound to.
        unclear: What is written instead of the name of a variable.
    """

    named: dict[str, tuple[int, str]] = field(default_factory=dict)
    by_id: dict[str, str] = field(default_factory=dict)
    bound: dict[str, str] = field(default_factory=dict)
    unclear: dict[str, str] = field(default_factory=dict)

    def bind(self, node: re.Match[str]) -> tuple[str, str]:
        """Bind a variable to a node, and return it with the name that it has from here on, if that is known."""
        variable, properties = node[1] or f"({node.start()})", node[2] or ""
        values = {found[1].lower(): found.groups()[1:] for found in PROPERTY.finditer(properties)}
        if values:
            self.call(variable, values)
        elif properties and self.bound.setdefault(variable, properties) != properties:
            self.unclear[variable] = f"{node[0]}, after {self.bound[variable]}"
        elif not node[1]:
            self.unclear[variable] = node[0]
        return variable, self.named.get(variable, (0, ""))[1]

    def name(self, variable: str, name: str) -> str:
        """Return the name of a node; what is named only behind its relationship has that name, too."""
        return (name or self.named.get(variable, (0, variable))[1]).strip()

    def call(self, variable: str, values: Mapping[str, tuple[str | None, ...]]) -> None:
        """Name a variable by the best of some properties."""
        rank, key = min((NAMES.index(key), key) for key in values)
        *_, expression = values[key]
        text = unescaped(next((one for one in values[key] if one), ""))
        self.unclear.pop(variable, None)
        if expression:
            self.unclear[variable] = f"{key}: {expression}"
        elif text:
            if key != "id" and "id" in values:
                self.by_id[next(filter(None, values["id"]), "")] = text
            self.named[variable] = (rank, self.by_id.get(text, text) if key == "id" else text)

    def assign(self, text: str) -> None:
        """Name variables by what WHERE and SET say; SET does not replace a better name."""
        for found in ASSIGNED.finditer(text):
            variable, key = found[2], found[3].lower()
            if found[1] or NAMES.index(key) <= self.named.get(variable, (len(NAMES), ""))[0]:
                self.call(variable, {key: found.groups()[3:]})


def read_cypher(text: str, first: int = 1) -> Parsed:
    """Read the relationships of CREATE and MERGE; a node is called by its name, title, label or id, else by its variable."""
    text, nodes = COMMENT.sub("", text), _Nodes()
    edges: list[tuple[int, tuple[str, str], str, tuple[str, str]]] = []
    unclear: list[Unclear] = []
    taken = {number for number, row in enumerate(text.split("\n"), start=first) if CLAUSE.match(row)}
    line, place, link, before = first, 0, None, ("", "")
    while node := NODE.search(text, place):
        nodes.assign(text[place : node.start()])
        line += text.count("\n", place, node.start())
        here = nodes.bind(node)
        if link and link.end() == node.start():
            edges.append((line, here, link[2].strip(), before) if link[1] else (line, before, link[2].strip(), here))
            unclear += [Unclear(line, nodes.unclear[one]) for one, _ in (before, here) if one in nodes.unclear]
        link = LINK.match(text, node.end())
        place, before = link.end() if link else node.end(), here
        within = text.count("\n", node.start(), place)
        taken.update(range(line, line + within + 1))
        line += within
    nodes.assign(text[place:])
    statements = [
        RawStatement(line, nodes.name(*one), relation, nodes.name(*other)) for line, one, relation, other in edges
    ]
    return Parsed(DIAGRAM, statements, taken, unclear=unclear[0] if unclear else None)
