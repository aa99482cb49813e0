"""Files of other tools in the layouts that every reader knows: GML, Cytoscape, JSON Graph Format and draw.io as node-link JSON, results of SPARQL as records."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.formats.documents import json_in
from goldassay.formats.markup import utf8_xml, xml_tree
from goldassay.formats.source import Source, text_of

GML = pattern_of(r"(?:\s|#[^\n]*\n|(?:Creator|Version|Comment)\s[^\n]*\n)*graph\s*\[")
"""How a file of GML begins."""
TOKEN = pattern_of(r'\s*(?:"([^"]*)"|([\[\]])|#[^\n]*|([^\s\[\]"#]+))')
NUMBER = pattern_of(r"[-+]?\d{1,18}")
RESULTS = pattern_of(rb'\s*\{\s*"(?:head|results)"\s*:\s*\{')
ELEMENTS = pattern_of(rb'"elements"\s*:\s*[{\[]')
WRAPPED = pattern_of(rb'\s*\{\s*"graph"\s*:\s*\{')
"""How JSON Graph Format begins; in other files the graph is further below, and has attributes."""
DRAWN = pattern_of(rb"(?:<\?[^>]*>\s*|<!--.*?-->\s*)*<(?:mxfile|mxGraphModel)\b", re.DOTALL)
TAG = pattern_of(r"<[^<>]*>")
VARIABLE = pattern_of(r"\?\w{1,200}")
ANGLED = pattern_of(r"<([A-Za-z][\w+.-]*:[^<>\s]*)>")
LITERAL = pattern_of(r'"([^"\\]*(?:\\.[^"\\]*)*)"(?:@[\w-]+|\^\^\S+)?')
SPARQL = "{http://www.w3.org/2005/sparql-results#}"
BEGINNING = 2**12
Pairs = list[tuple[str, Any]]
"""What is between brackets of GML: keys, which may be repeated, and values."""


def as_known(source: Source, *, taxonomy: bool = False) -> Source:
    """Write GML as node-link JSON, and results of SPARQL as records, for a taxonomy what draws graphs, too; any other file stays."""
    start = source.data[:BEGINNING]
    if b"[" in start and GML.match(start.decode("latin-1")):
        return source.rewritten(json.dumps(_gml(source), ensure_ascii=False), "json")
    if RESULTS.match(start) or b"sparql-results#" in start:
        rows = list(_rows_of_json(source) if start.lstrip().startswith(b"{") else _rows_of_xml(source))
        return source.of_records(rows) if rows else source
    if start.startswith((b"?", b"\xef\xbb\xbf?")) and (rows := list(_rows_of_tabs(source))):
        return source.of_records(rows)
    if taxonomy and (graph := _drawn(source, start)):
        return source.rewritten(json.dumps(graph, ensure_ascii=False), "json")
    return source


def _drawn(source: Source, start: bytes) -> dict[str, Any] | None:
    """Read what draws graphs: Cytoscape, JSON Graph Format, draw.io; None for any other file."""
    if ELEMENTS.search(start) and (graph := _cytoscape(source)):
        return graph
    if WRAPPED.match(start):
        return _json_graph(source)
    return _diagram(source) if DRAWN.match(start.removeprefix(b"\xef\xbb\xbf").lstrip()) else None


def _gml(source: Source) -> dict[str, Any]:
    """Parse GML: the nodes and edges of its graph."""
    graph = dict(_pairs(source)).get("graph")
    pairs: Pairs = graph if isinstance(graph, list) else []
    lists = {kind: [dict(inner) for key, inner in pairs if key == kind] for kind in ("node", "edge")}
    directed = ("directed", 1) in pairs
    return {"directed": directed, "nodes": lists["node"], "edges": lists["edge"]}


def _pairs(source: Source) -> Pairs:
    """Parse keys and values, of which some are between brackets."""
    text, place, key = text_of(source), 0, ""
    found: Pairs = []
    above: list[tuple[Pairs, str]] = []
    while part := TOKEN.match(text, place):
        place = part.end()
        quoted, bracket, word = part.groups()
        if bracket == "[" and key:
            above.append((found, key))
            found, key = [], ""
        elif bracket == "]" and above and not key:
            inner = found
            found, name = above.pop()
            found.append((name, inner))
        elif bracket:
            break
        elif key:
            value = html.unescape(quoted) if quoted is not None else int(word) if NUMBER.fullmatch(word) else word
            found.append((key, value))
            key = ""
        elif word is not None:
            key = word
        elif quoted is not None:
            break
    if above or key or text[place:].strip():
        raise InputError(
            "Invalid GML.",
            line=1 + text.count("\n", 0, place),
            found=repr(text[place:].strip()[:60]) if text[place:].strip() else "the end of the file",
            expected="keys with values, and brackets that are closed",
            hint="write it again, for example with write_gml of NetworkX",
        )
    return found


def _rows_of_json(source: Source) -> Iterator[dict[str, str]]:
    """List the rows of results of SPARQL in JSON."""
    document = json_in(source)
    results = document.get("results") if isinstance(document, dict) else None
    bindings = results.get("bindings") if isinstance(results, dict) else None
    for row in bindings if isinstance(bindings, list) else ():
        if isinstance(row, dict) and all(isinstance(cell, dict) and "value" in cell for cell in row.values()):
            yield {name: str(cell["value"]) for name, cell in row.items()}


def _rows_of_xml(source: Source) -> Iterator[dict[str, str]]:
    """List the rows of results of SPARQL in XML."""
    root = xml_tree(utf8_xml(source))
    for row in root.iter(f"{SPARQL}result"):
        yield {
            str(binding.get("name")): "".join(binding.itertext()).strip() for binding in row.iter(f"{SPARQL}binding")
        }


def _rows_of_tabs(source: Source) -> Iterator[dict[str, str]]:
    """List the rows of results of SPARQL in TSV, whose variables are the header and whose cells are terms."""
    head, *lines = text_of(source).split("\n")
    names = [name.strip() for name in head.split("\t")]
    if not all(VARIABLE.fullmatch(name) for name in names):
        return
    for line in lines:
        if cells := line.rstrip("\r").split("\t") if line.strip() else []:
            yield {name[1:]: _term(cell.strip()) for name, cell in zip(names, cells, strict=False)}


def _term(cell: str) -> str:
    """Take an IRI or a literal out of its marks."""
    if found := ANGLED.fullmatch(cell):
        return found[1]
    if not (found := LITERAL.fullmatch(cell)):
        return cell
    with suppress(ValueError):
        return str(json.loads(f'"{found[1]}"'))
    return found[1]


def _cytoscape(source: Source) -> dict[str, Any] | None:
    """Take the nodes and edges out of what Cytoscape wraps them in; None if it is no such file."""
    document = json_in(source)
    elements = document.get("elements") if isinstance(document, dict) else None
    if isinstance(elements, list):
        every = [one for one in elements if isinstance(one, dict)]
        elements = {
            "nodes": [one for one in every if not _is_edge(one)],
            "edges": [one for one in every if _is_edge(one)],
        }
    if not isinstance(elements, dict) or not {"nodes", "edges"} <= elements.keys():
        return None
    return {kind: _inner(elements[kind]) for kind in ("nodes", "edges")}


def _is_edge(one: Mapping[str, Any]) -> bool:
    inner = one.get("data")
    return one.get("group") == "edges" or (isinstance(inner, dict) and {"source", "target"} <= inner.keys())


def _inner(some: Sequence[Any]) -> list[Any]:
    return [one["data"] if isinstance(one, dict) and isinstance(one.get("data"), dict) else one for one in some]


def _json_graph(source: Source) -> dict[str, Any] | None:
    """Take the nodes, by their ids, and the edges out of JSON Graph Format; None if it is no such file."""
    document = json_in(source)
    graph = document.get("graph") if isinstance(document, dict) else None
    if not isinstance(graph, dict) or not isinstance(graph.get("edges"), list):
        return None
    nodes = graph.get("nodes")
    if isinstance(nodes, dict) and all(isinstance(node, dict) for node in nodes.values()):
        nodes = [{**node, "id": identifier} for identifier, node in nodes.items()]
    if not isinstance(nodes, list):
        return None
    return {"directed": graph.get("directed", True), "nodes": nodes, "edges": graph["edges"]}


def _diagram(source: Source) -> dict[str, Any]:
    """Read the boxes of draw.io as nodes, and the arrows between them as edges."""
    root = xml_tree(utf8_xml(source))
    if root.tag == "mxfile" and root.find("diagram/mxGraphModel") is None:
        raise InputError(
            "The diagram is compressed.",
            expected="<mxGraphModel> in <diagram>",
            hint="save it without compression: in draw.io under File, Properties",
        )
    nodes: dict[str, str] = {}
    edges = []
    for outer in root.iter():
        cell = outer if outer.tag == "mxCell" else outer.find("mxCell")
        if cell is None or outer.get("id") is None:
            continue
        text = html.unescape(" ".join(TAG.sub(" ", outer.get("label") or outer.get("value") or "").split()))
        ends = {end: str(cell.get(end)) for end in ("source", "target") if cell.get(end)}
        if cell.get("edge") == "1" and len(ends) > 1:
            edges.append(ends | ({"label": text} if text else {}))
        elif cell.get("vertex") == "1":
            nodes[str(outer.get("id"))] = text
    linked = {end for edge in edges for end in (edge["source"], edge["target"])}
    shown = {node: text for node, text in nodes.items() if node in linked}
    return {"nodes": [{"id": node, "label": text} for node, text in shown.items()], "edges": edges}
