"""What Python prints of objects, as JSON: the responses of services, and what a model was asked to fill."""

from __future__ import annotations

import json
import re
from typing import Any

from goldassay.core.patterns import pattern_of
from goldassay.formats.python_values import WORDS, parse_python

BEGINS = pattern_of(
    rb"\s*+(?:[\[{]\s*+)?+(?:[A-Za-z_][\w.]{0,60}\(\s*+[a-z_]\w{0,60}=[^=]|content=['\"]|[a-z_]\w{0,60}=\[[A-Z]\w{0,60}\()"
)
"""How an object with named fields begins, or what pydantic prints of one: its fields."""
VALUE = pattern_of(
    rb"\s*+(?:[A-Za-z_]\w{0,60}\((?:<class |[][(){}])|[\[({][\[({\s]{0,60}+(?:['\w]|(?<=[{(])\"(?:[^\"\\\n]|\\.)*+\"\s*+[,})]))"
)
"""How any other value begins, perhaps with the name of its collection; JSON begins otherwise."""
NOT_JSON = pattern_of(
    rb"\{\s*+(?:\(|(?:'(?:[^'\\\n]|\\.)*+'|\"(?:[^\"\\\n]|\\.)*+\")\s*+[,}])|\b[A-Za-z_]\w{0,60}\((?:<class |[\[({)])"
)
"""A set, or a collection by its name."""
TOKEN = pattern_of(
    r"(?P<text>'(?:[^'\\\n]|\\.)*+'|\"(?:[^\"\\\n]|\\.)*+\")|(?P<object>[A-Za-z_][\w.]*+\((?=\s*+[A-Za-z_]\w*+=)|[A-Z][\w.]*+\((?=\s*+\)))"
    r"|(?P<left><class '[\w.]+'>,\s*|, dtype=(?:'[^'\n]*'|\w+))|(?P<call>[A-Za-z_][\w.]*+\()|(?P<key>[A-Za-z_]\w*+)=|<[\w.]++: (?P<member>'[^'\n]*+'|\d++)>"
    r"|(?P<word>[A-Za-z_][\w.]*+)|(?P<open>[\[({])|(?P<close>[\])}])"
)
EDGE = pattern_of(
    rb"(?:#[^\n]*+\n)*+(?!(?:strict|(?:di|sub)?graph)\b)[^\n{\"]++(?<=[\t ,;|])\{(?:\}|'[^\n]*\})[ \r]*+(?:\n|\Z)",
    re.IGNORECASE,
)
"""How a list of edges with attributes begins."""
ADJACENT = ".adjlist"
LISTS_OF_EDGES = (".edgelist", ".edges", ADJACENT)
CLOSING = {"[": "]", "(": ")", "{": "}"}
NO_VALUES = frozenset({"nan", "inf", "Ellipsis", "NotGiven", "NOT_GIVEN", "Unset", "UNSET"})
"""Words without a point that stand for no value; any other is a name without quotes, which Python does not print."""


def json_of_printed(data: bytes) -> bytes:
    r"""Write what Python prints of objects as JSON, one value or one on each line; anything else as it is.

    Example:
        >>> json_of_printed(b"Edge(child='dog', parent='animal')")
        b'{"child": "dog", "parent": "animal"}'
    """
    if not BEGINS.match(data) and not (VALUE.match(data) and NOT_JSON.search(data)):
        return data
    text = data.decode(errors="surrogateescape").strip()
    for parts in ([text], text.split("\n")):
        try:
            values = [parse_python(_literal_of(part)) for part in parts if part.strip()]
            return "\n".join(json.dumps(value, ensure_ascii=False) for value in values).encode()
        except (ValueError, IndexError):
            pass
    return data


def _literal_of(text: str) -> str:
    """Write objects as dictionaries, members of enumerations as their values, and names with a point as None."""
    fields = text.partition("=")[0].isidentifier()
    closing: list[tuple[str, bool]] = []
    keys = 0

    def is_call() -> bool:
        return bool(closing) and closing[-1][1]

    def write(found: re.Match[str]) -> str:
        nonlocal keys
        kind, token = str(found.lastgroup), found[0]
        if kind in ("object", "call", "open"):
            opened = {"object": "{", "call": "("}.get(kind, token)
            closing.append((CLOSING[opened], kind == "call"))
            return opened
        if kind == "close":
            return closing.pop()[0]
        if kind == "left":
            return ""
        if kind == "key":
            keys += not closing
            between = ", " if not closing and keys > 1 else ""
            # A call such as datetime(2026, 1, 1, tzinfo=UTC) is a list.
            return "" if is_call() else f"{between}'{found['key']}': "
        if kind == "word" and "." not in token and token not in NO_VALUES | {*WORDS} and not is_call():
            raise ValueError(token)
        return found["member"] or (token if kind == "text" or token in WORDS else "None")

    written = TOKEN.sub(write, text)
    return f"{{{written}}}" if fields else written


def edges_of_networkx(data: bytes, name: str) -> bytes:
    r"""Write edges as `networkx.write_edgelist` does, with their attributes, or with the suffix of a list of edges, as a record on each line; anything else as it is.

    Example:
        >>> edges_of_networkx(b"dog animal {'weight': 3}", "a.txt")
        b'{"weight": 3, "source": "dog", "target": "animal"}'
    """
    suffix = next(filter(name.endswith, LISTS_OF_EDGES), "")
    if not (suffix or EDGE.match(data)):
        return data
    # A comment keeps its line.
    lines = data.decode(errors="surrogateescape").replace("\r\n", "\n").split("\n")
    try:
        edges = [_edges_of(line, suffix) if line.strip() and not line.startswith("#") else () for line in lines]
    except ValueError:
        return data
    written = ("\n".join(json.dumps(edge, ensure_ascii=False) for edge in some) for some in edges)
    return "\n".join(written).encode(errors="surrogateescape")


def _edges_of(line: str, suffix: str) -> list[dict[str, Any]]:
    """Read a line: two nodes and their attributes or a number, or a node and its neighbours; a ValueError if it is neither."""
    head, brace, fields = line.rstrip().partition("{")
    parts = head.split(head[-1:]) if brace else line.split("\t" if "\t" in line else None)
    if suffix == ADJACENT and not brace:
        source, *targets = parts
        return [{"source": source, "target": target} for target in targets]
    source, target, *more = map(str.strip, parts)
    if len(more) > 1 or not target:
        raise ValueError(line)
    if more and not brace:
        float(more[0])
    return [{**(parse_python(brace + fields) if brace else {}), "source": source, "target": target}]
