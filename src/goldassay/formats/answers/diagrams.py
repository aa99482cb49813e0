"""Statements in the diagrams of an answer: Mermaid and DOT."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from itertools import pairwise
from operator import itemgetter

from goldassay.core.patterns import pattern_of
from goldassay.formats.answers.lines import RawStatement, lines_of_answer
from goldassay.formats.answers.means import IS_A
from goldassay.formats.answers.names import cell_of
from goldassay.formats.answers.outline import outline
from goldassay.formats.answers.parsed import Parsed, Unclear
from goldassay.formats.column_names import words

MERMAID = pattern_of(
    r"\s*(?:%%[^\n]*\n\s*)*(?:graph|flowchart)(?:\s+(TB|TD|BT|RL|LR))?\s*(?:;|\n)|\s*(classDiagram|@startuml)\b|\s*(mindmap|@startmindmap|@startwbs)\b"
)
DOT = pattern_of(r"\s*(?:(?://|#)[^\n]*\n\s*)*(?:strict\s+)?(?:di)?graph\b[^\n{\[]{0,200}\{", re.IGNORECASE)
PART = pattern_of(r"""(?:"[^"]*"|[#&]\w{1,9};|\[[^\[\]"]*\]|[^;"]|")++""")
"""A statement before a semicolon that is in no text, and ends no entity such as #quot;."""
STYLED = r"(?:\s*+:::\w++)?+"
_ID = r"(?:[^\s\[\](){}<>|&;\"@:=-]|@(?!\{)|:(?!::)|=(?![=>]))"
ID = pattern_of(rf"""\s*+("[^"]*"|{_ID}+(?:-(?!\.){_ID}+)*)\s*+{STYLED}""")
"""The id of a node."""
BEHIND_NODE = r"\s*+(?:$|--|==|-\.|~~~|[<ox](?:--|==|-\.)|&|:::|\w{1,20}@[-=<])"
SHAPES = (
    (r"\(\(\(", r"\)\)\)"), (r"\(\(", r"\)\)"), (r"\(\[", r"\]\)"), (r"\(", r"\)"), (r"\[\[", r"\]\]"), (r"\[\(", r"\)\]"),
    (r"\[[/\\]", r"[/\\]\]"), (r"\[", r"\]"), (r"\{\{", r"\}\}"), (r"\{", r"\}"), (">", r"\]")
)  # fmt: skip
"""What is around the text of a node, the longer first."""
_TEXT = rf"\s*+\"[^\"]*\"\s*+|(?:[^\])}}=-]|-(?!-[->])|=(?!=>)|[\])}}](?!{BEHIND_NODE}))*?"
SHAPED = pattern_of(f"(?:{'|'.join(f'{opens}({_TEXT}){closes}(?={BEHIND_NODE})' for opens, closes in SHAPES)}){STYLED}")
"""The text of a node; a bracket in it is not followed by an arrow."""
ARROWED = pattern_of(r"--|==|-\.|~~~|->")
ATTRIBUTES = pattern_of(r"""@\{((?:[^{}"]|"[^"]*")*+)\}""" + STYLED)
LABEL = pattern_of(r"""\blabel\s*:\s*("[^"]*"|[^,"]*)""")
AND = pattern_of(r"\s*&\s*")
TAGS = pattern_of(r"</?[A-Za-z][^<>]*>|\bfa[blrs]?:fa-[\w-]+")
"""How a text looks, and an icon in it."""
CODE = pattern_of(r"#(\d{1,7}|[a-z]{2,8});", re.IGNORECASE)
"""A character in a text of Mermaid."""
LINK = pattern_of(
    r"\s*(?:\w{1,20}@)?(?:[ox](?=[-=]))?(?:(?:<?[-=.]{1,3}|--)\s*(?:\"([^\"]*)\"|((?:[^-=.<>|\"]|(?<=\w)[-.](?=\w)){1,200}?))\s*)?<?(?:[-=.]{2,}>?|~{3}|-\.+->)(?:[ox](?=\s))?\s*(?:\|(\s*+\"[^\"]*\"\s*+|[^|]*)\|)?\s*"
)
MINDMAP_NODE = pattern_of(
    r"^([^\S\n]*)[\w.-]*(?:\(\((.+)\)\)|\((.+)\)|\[(.+)\]|\{\{(.+)\}\}|\)\)(.+)\(\(|\)(.+)\()[^\S\n]*$", re.MULTILINE
)
"""A node of a mind map whose name is in a shape."""
PYTHON_CLASS = pattern_of(r"^[ \t]*+class[ \t]++(\w++)\([ \t]*+([\w., \t]++)\):", re.MULTILINE)
OF_CLASSES = pattern_of(
    r"^[ \t]*+(?:class[ \t]++\w++\(|pass\b|\.{3}[ \t]*+$|import[ \t]|from[ \t]|with[ \t])", re.MULTILINE
)
"""Lines of classes that say no more than what these are below."""
TOPS_OF_PYTHON = frozenset({"", "Thing", "owl.Thing", "object", "BaseModel", "Enum", "Exception"})
OF_PLANTUML = pattern_of(r"^[^\S\n]*([*+\-#]{1,50})[_<>]?(?:\[[^\[\]\n]{1,100}\])?[_<>]?[^\S\n]+(?=\S)", re.MULTILINE)
"""What is before a name in a mind map of PlantUML: as many marks as it is deep."""
DECORATION = pattern_of(r"^[^\S\n]*(?:::|%%).*$|:::[\w ]*$", re.MULTILINE)
"""An icon, a style or a comment of a mind map."""
NAMED = r"""("[^"]*"|`[^`]*`|[^\s"`{\[<:,]+)"""
CLASS = pattern_of(rf"""(?:abstract\s+)?(?:class|interface|enum|entity|abstract)\s+{NAMED}\s*(?:\["([^"]*)"\])?(.*)""")
"""How a class is declared in Mermaid and PlantUML: its name, its text, and what else."""
ALIAS, ABOVE = pattern_of(rf"\s*as\s+{NAMED}"), pattern_of(r"\b(?:extends|implements)\s+([^{<]+)")
MEMBER = pattern_of(r"([\w.-]+|`[^`]*`)\s*:\s*(\S.*)")
DATATYPES = words(
    "string str text char int integer long short float double decimal number numeric bool boolean date time "
    "datetime timestamp uri url anyuri"
).names
"""What a member is before or behind the name of which."""
CLASSES = pattern_of(r"""\s*("[^"]*"|\S+)\s*(<\|-[-.]?|<\|\.\.|--?\|>|\.\.\|>)\s*("[^"]*"|\S+)\s*(?::.*)?""")
ASSOCIATIONS = pattern_of(
    r"""\s*("[^"]*"|[\w.-]+)\s*(?:"[^"]*"\s*)?(?:[*o]?(?:--|\.\.)>|[*o]--)\s*(?:"[^"]*"\s*)?("[^"]*"|[\w.-]+)\s*:\s*(.+)"""
)
"""A relation of a class diagram: its name is behind the colon."""
NOT_EDGES = pattern_of(
    r"%%|@|(?:class|subgraph|end|style|classDef|linkStyle|click|direction|graph|flowchart|skinparam)(?![\w-])"
)
COMMENT = pattern_of(r"\s%%.*")
WAY = pattern_of(r"(?<=[\s|<]-)(?:up|down|left|right|[udlr])(?=->|-\s|-\|>)")
"""Which way an arrow of PlantUML is drawn."""
TOKEN = pattern_of(
    r"""\s*(?:(?P<comment>//[^\n]*|\#[^\n]*|/\*.*?\*/)|(?P<text>"(?:[^"\\]|\\.)*+")|(?P<html><(?:[^<>]|<[^<>]*>)*>)|(?P<mark>->|--|[{}\[\];=,:])|(?P<word>[^\s"{}\[\];=,:]+?(?=->|--|[\s"{}\[\];=,:]|$)))""",
    re.DOTALL,
)


ESCAPE = pattern_of(r"\\(.)")
TAG = pattern_of(r"<[^<>]*>")
BREAK = pattern_of(r"<br ?/?>", re.IGNORECASE)
"""Where the name of a node of Mermaid goes on in the next line."""
OTHERS = pattern_of(
    r"^[ \t]*(erDiagram|stateDiagram(?:-v2)?|sequenceDiagram|gitGraph|requirementDiagram|quadrantChart|C4Context)[ \t]*$"
    r"|^[ \t]*(\\begin\{(?:forest|tikzpicture)\}|\\Tree\b)",
    re.MULTILINE,
)
"""Kinds of diagrams of Mermaid and LaTeX that are not read."""


DIAGRAM = "a diagram"


def read_mermaid(text: str, first: int = 1) -> Parsed:
    """Read a flowchart, a class diagram or a mind map of Mermaid, or a class diagram of PlantUML."""
    text = BREAK.sub(" ", text)
    begin = MERMAID.match(text)
    if begin and begin[3]:
        return _read_mindmap(text, first)
    named: dict[str, str] = {}
    edges: list[tuple[int, str, str, str, bool]] = []
    classes = _Classes(named)
    taken: set[int] = set()
    unread: dict[int, str] = {}
    for number, line in enumerate(text.split("\n"), start=first):
        for part in PART.findall(line) if ";" in line else (line,):
            body = (COMMENT.sub("", part) if "%%" in part else part).strip()
            body = WAY.sub("", body) if begin and begin[2] else body
            if begin and begin[2] and classes.takes(number, body):
                pass
            elif found := CLASSES.fullmatch(body):
                ends = (found[3], found[1]) if found[2].startswith("<") else (found[1], found[3])
                edges.append((number, ends[0], IS_A, ends[1], True))
            elif begin and begin[2] and (found := ASSOCIATIONS.fullmatch(body)):
                edges.append((number, found[1], cell_of(found[3]), found[2], True))
            elif body and not NOT_EDGES.match(body):
                flow, whole = _flow(body, named)
                edges += [(number, a, relation, b, bool(relation)) for a, relation, b in flow]
                if not whole:
                    unread[number] = body
            if body:
                taken.add(number)
    edges += [(number, child, IS_A, parent, True) for number, child, parent in classes.above]
    unread.update((number, f"{a} -> {b}") for number, a, _, b, _ in edges if "" in (named.get(a, a), named.get(b, b)))
    shown = {end: cell_of(named.get(end, end)) for _, a, _, b, _ in edges for end in (a, b)}
    statements = [
        RawStatement(number, shown[a], relation or IS_A, shown[b], directed)
        for number, a, relation, b, directed in sorted(edges, key=itemgetter(0))
        if number not in unread
    ]
    down = {"TB": True, "TD": True, "BT": False}.get(begin[1] or "") if begin else None
    members = classes.members(shown)
    unclear = Unclear(*next(iter(unread.items()))) if unread and not statements and not members else None
    return Parsed(DIAGRAM, statements, taken - unread.keys(), down=down, unclear=unclear, members=members)


class _Classes:
    """The declarations of a class diagram: classes, what is above them, and their members."""

    def __init__(self, named: dict[str, str]) -> None:
        self.named = named
        self.above: list[tuple[int, str, str]] = []
        self.found: list[tuple[int, str, str]] = []
        self.inside = ""

    def takes(self, number: int, body: str) -> bool:
        """Take a line that is a declaration, a member, or the end of a class."""
        if self.inside:
            if body.startswith("}"):
                self.inside = ""
            else:
                self.found.append((number, self.inside, body))
        elif declared := CLASS.fullmatch(body):
            self._declare(number, *declared.groups())
        elif member := MEMBER.fullmatch(body):
            self.found.append((number, member[1], member[2]))
        else:
            return False
        return True

    def _declare(self, number: int, name: str, text: str | None, rest: str) -> None:
        alias = ALIAS.match(rest)
        if alias:
            short, text = (alias[1], name) if name.startswith('"') else (name, alias[1])
            name = short
        self.named[name] = text or self.named.get(name, name)
        for above in ABOVE.finditer(rest):
            self.above += [(number, name, one.strip()) for one in above[1].replace(" implements ", ",").split(",")]
        self.inside = name if "{" in rest and "}" not in rest else ""

    def members(self, related: Mapping[str, str]) -> list[RawStatement]:
        """List the members that are no methods: their class, their name and their type, which may be empty."""
        classes = {name for _, name, _ in self.found} | self.named.keys() | related.keys()
        made = []
        for number, name, text in self.found:
            member = text.lstrip("+-#~ ").rstrip("$* ")
            if not member or "(" in member or member.startswith(("<<", "--", "..", "==")):
                continue
            called, kind = _typed(member)
            extra = "object" if kind in classes else "datatype"
            made.append(
                RawStatement(
                    number,
                    cell_of(self.named.get(name, name)),
                    called,
                    cell_of(self.named.get(kind, kind)),
                    extra=extra,
                )
            )
        return made


def _typed(member: str) -> tuple[str, str]:
    """Split a member into its name and its type, in whichever order they are."""
    before, colon, behind = member.partition(":")
    if colon:
        return cell_of(before), cell_of(behind)
    first, _, last = member.partition(" ")
    if not last:
        return cell_of(first), ""
    turned = last.lower() in DATATYPES and first.lower() not in DATATYPES
    return (cell_of(first), cell_of(last)) if turned else (cell_of(last), cell_of(first))


def read_python(text: str, first: int = 1) -> Parsed | None:
    """Read the classes of Python, as owlready2 has them, and what each is below; None if most lines say other things."""
    if "class " not in text or 2 * sum(1 for _ in OF_CLASSES.finditer(text)) < sum(
        map(bool, map(str.strip, text.split("\n")))
    ):
        return None
    rows, taken = list[RawStatement](), set[int]()
    line = place = 0
    for found in PYTHON_CLASS.finditer(text):
        line, place = line + text.count("\n", place, found.start(1)), found.start(1)
        taken.add(first + line)
        bases = (base.strip() for base in found[2].split(","))
        rows += [RawStatement(first + line, found[1], IS_A, base) for base in bases if base not in TOPS_OF_PYTHON]
    return Parsed(DIAGRAM, rows, taken) if rows else None


def _read_mindmap(text: str, first: int) -> Parsed:
    """Read the nested lines of a mind map; what is around a name is only its shape."""
    of_plantuml = text.lstrip().startswith("@")
    if of_plantuml:
        plain = OF_PLANTUML.sub(lambda marks: f"{' ' * len(marks[1])}- ", text)
    else:
        plain = MINDMAP_NODE.sub(lambda node: node[1] + _text_of(node[node.lastindex or 0]), DECORATION.sub("", text))
    lines = [
        line for line in lines_of_answer(plain, first) if line.marked or (not of_plantuml and line.text != "mindmap")
    ]
    nested, nodes = outline(lines)
    every = set(range(first, first + text.count("\n") + 1))
    return Parsed(DIAGRAM, nested, every - {line.number for line in lines} | nodes)


def _flow(body: str, named: dict[str, str]) -> tuple[list[tuple[str, str, str]], bool]:
    """List the edges of one statement of a flowchart, and say whether all of it was read; keep the texts of its nodes."""
    edges: list[tuple[str, str, str]] = []
    before: list[str] = []
    relation, place = "", 0
    while True:
        nodes, place = _nodes(body, place, named)
        edges += [(a, relation, b) for a in before for b in nodes]
        link = LINK.match(body, place) if nodes else None
        if link is None:
            whole = place == len(body) or ARROWED.search(body, place) is None
            return edges, whole and bool(nodes or not before) and "" not in map(named.get, nodes)
        relation = cell_of(_text_of(link[link.lastindex])) if link.lastindex else ""
        before, place = nodes, link.end()


def _nodes(body: str, place: int, named: dict[str, str]) -> tuple[list[str], int]:
    """Read nodes that are joined by &; the text of a node that cannot be read is empty."""
    found: list[str] = []
    while node := ID.match(body, place):
        found.append(node[1])
        place = node.end()
        shaped = SHAPED.match(body, place)
        shape = shaped or ATTRIBUTES.match(body, place)
        if shape:
            place = shape.end()
            label = shaped or LABEL.search(shape[1])
            text = _text_of(label[label.lastindex or 0]) if label else ""
            if text:
                named[node[1]] = text
        elif body.startswith(("@{", *"[({>"), place):
            named.setdefault(node[1], "")
        joined = AND.match(body, place)
        if joined is None:
            break
        place = joined.end()
    return found, place


def _text_of(label: str) -> str:
    """Write a text of Mermaid as what it shows: without quotes, tags and icons, and with its characters."""
    text = label.strip()
    if text[:1] == text[-1:] == '"':
        text = text[1:-1]
    if text.isalnum():
        return text
    if "<" in text or ":fa-" in text:
        text = " ".join(TAGS.sub(" ", text).split())
    if "#" in text or "&" in text:
        text = unescape(CODE.sub(_character, text))
    return text.replace("\\n", " ").strip("` ")


def _character(found: re.Match[str]) -> str:
    return f"&{'#' * found[1].isdecimal()}{found[1]};"


def read_dot(text: str, first: int = 1) -> Parsed:
    """Read a graph in the DOT language."""
    tokens = list(_tokens(text, first))
    named: dict[str, str] = {}
    edges: list[tuple[int, str, str, str]] = []
    down: bool | None = None
    closing = _closing(tokens)
    place = next((at for at, token in enumerate(tokens) if token[1] == "{"), len(tokens)) + 1
    while place < len(tokens):
        line, mark, word = tokens[place]
        grouped = mark == "{" and _leads_on(tokens, closing[place])
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
        label = attributes.get("label") or attributes.get("xlabel", "")
        if len(chain) == 1 and label:
            named[word] = label
        for left, right in pairwise(chain):
            edges += [(line, a, label, b) for a in left for b in right]
    statements = [
        RawStatement(line, named.get(a, a).strip(), label.strip() or IS_A, named.get(b, b).strip(), bool(label))
        for line, a, label, b in edges
    ]
    return Parsed(DIAGRAM, statements, set(range(first, first + text.count("\n") + 1)), down=down)


def _tokens(text: str, first: int) -> Iterator[tuple[int, str, str]]:
    """List the marks and words of DOT with their lines; a text in quotes is a word."""
    line, before, place = first, 0, 0
    while found := TOKEN.match(text, place):
        kind, place = found.lastgroup, found.end()
        word = found[kind or 0]
        start = place - len(word)
        line += text.count("\n", before, start)
        before = start
        if kind == "html":
            # Tags are how a name looks.
            yield line, "", unescape(" ".join(TAG.sub(" ", word[1:-1]).split()))
        elif kind == "text":
            yield line, "", unescape(ESCAPE.sub(_unescaped, word[1:-1]))
        elif kind != "comment":
            yield line, *((word, "") if kind == "mark" else ("", word))


def _unescaped(found: re.Match[str]) -> str:
    return " " if found[1] in "nlr" else found[1] if found[1] in '"\\' else found[0]


def _closing(tokens: list[tuple[int, str, str]]) -> list[int]:
    """List for each token where the next brace closes."""
    closing, end = [0] * len(tokens), len(tokens)
    for at in reversed(range(len(tokens))):
        end = at if tokens[at][1] == "}" else end
        closing[at] = end
    return closing


def _leads_on(tokens: list[tuple[int, str, str]], end: int) -> bool:
    """Return whether an arrow follows the braces that close here."""
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
