"""Files of other tools in the layouts that every reader knows: GML and Cytoscape as node-link JSON, results of SPARQL as records."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.formats.documents import parse_if_json
from goldassay.formats.markup import utf8_xml, xml_tree
from goldassay.formats.source import Source, strip_byte_order_mark, text_of

GML = pattern_of(r"(?:\s|#[^\n]*\n|(?:Creator|Version|Comment)\s[^\n]*\n)*graph\s*\[")
"""How a file of GML begins."""
TOKEN = pattern_of(r'\s*(?:"([^"]*)"|([\[\]])|#[^\n]*|([^\s\[\]"#]+))')
NUMBER = pattern_of(r"[-+]?\d{1,18}")
RESULTS = pattern_of(rb'\s*\{\s*"(?:head|results)"\s*:\s*\{')
ELEMENTS = pattern_of(rb'"elements"\s*:\s*[{\[]')
VARIABLE = pattern_of(r"\?\w{1,200}")
ANGLED = pattern_of(r"<([A-Za-z][\w+.-]*:[^<>\s]*)>")
LITERAL = pattern_of(r'"([^"\\]*(?:\\.[^"\\]*)*)"(?:@[\w-]+|\^\^\S+)?')
SPARQL = "{http://www.w3.org/2005/sparql-results#}"
BEGINNING = 2**12
Pairs = list[tuple[str, Any]]
"""What is between brackets of GML: keys, which may be repeated, and values."""


def as_known(source: Source, *, taxonomy: bool = False) -> Source:
    """Write GML as node-link JSON, and results of SPARQL as records, for a taxonomy Cytoscape's JSON, too; any other file stays."""
    start = source.data[:BEGINNING]
    if b"[" in start and GML.match(start.decode("latin-1")):
        return _written(source, json.dumps(_gml(source), ensure_ascii=False), "json")
    if RESULTS.match(start) or b"sparql-results#" in start:
        rows = list(_rows_of_json(source) if start.lstrip().startswith(b"{") else _rows_of_xml(source))
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        return _written(source, lines, "jsonl") if rows else source
    if start.startswith((b"?", b"\xef\xbb\xbf?")) and (rows := list(_rows_of_tabs(source))):
        return _written(source, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "jsonl")
    if taxonomy and ELEMENTS.search(start) and (graph := _cytoscape(source)):
        return _written(source, json.dumps(graph, ensure_ascii=False), "json")
    return source


def _written(source: Source, text: str, suffix: str) -> Source:
    return replace(source, data=text.encode("utf-8", "surrogatepass"), records=None, name=f"{source.name}.{suffix}")


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
            path=source.path,
            line=1 + text.count("\n", 0, place),
            found=repr(text[place:].strip()[:60]) if text[place:].strip() else "the end of the file",
            expected="keys with values, and brackets that are closed",
            hint="write it again, for example with write_gml of NetworkX",
        )
    return found


def _rows_of_json(source: Source) -> Iterator[dict[str, str]]:
    """List the rows of results of SPARQL in JSON."""
    document = parse_if_json(strip_byte_order_mark(source))
    results = document.get("results") if isinstance(document, dict) else None
    bindings = results.get("bindings") if isinstance(results, dict) else None
    for row in bindings if isinstance(bindings, list) else ():
        if isinstance(row, dict) and all(isinstance(cell, dict) and "value" in cell for cell in row.values()):
            yield {name: str(cell["value"]) for name, cell in row.items()}


def _rows_of_xml(source: Source) -> Iterator[dict[str, str]]:
    """List the rows of results of SPARQL in XML."""
    root = xml_tree(utf8_xml(source), source.path)
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
    document = parse_if_json(strip_byte_order_mark(source))
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
