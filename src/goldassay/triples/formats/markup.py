"""XML to documents: the files of the WebNLG challenges, GraphML as LightRAG writes it, and GEXF."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from goldassay.core.errors import InputError
from goldassay.formats import Source
from goldassay.formats.markup import utf8_xml
from goldassay.triples.formats.nodes import nodes_of
from goldassay.triples.formats.raw import SLOTS, RawDocuments
from goldassay.triples.formats.records import types_of
from goldassay.triples.formats.rows import GRAPH
from goldassay.triples.formats.slots import read_document

BAR = " | "
SETS = frozenset({"modifiedtripleset", "generatedtripleset"})
TRIPLES = frozenset({"mtriple", "gtriple"})
WHOLE = frozenset({*TRIPLES, *SETS, "lex", "entry", "data", "node", "edge", "hyperedge"})
"""Elements whose text is read, and those that have them: what they hold is no text of those around them."""
LABELS_OF_YED = frozenset({"NodeLabel", "EdgeLabel"})
"""Elements that yEd writes into GraphML, with what it shows of nodes and edges."""
CHUNKS = "<SEP>"
PREDICATES = ("predicate", "relation", "label", "keywords", "type", "kind", "description")
DIRECTED = "directed"
UNDIRECTED = (
    "the graph is undirected: which end of a triple is its subject is not known, the first that is listed is taken"
)


class _FirstElementSeen(Exception):  # noqa: N818 - no error: it ends a parse that has seen what comes before the first element
    pass


def _refuse_document_type(source: Source) -> None:
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise InputError(
            "Document type declarations are not supported in this XML.",
            line=parser.CurrentLineNumber,
            found="<!DOCTYPE",
            expected="elements only",
            hint="delete the declaration, or write the file again without it",
        )

    def begun(*_: object) -> None:
        raise _FirstElementSeen

    parser.StartDoctypeDeclHandler, parser.StartElementHandler = refuse, begun
    # What else is wrong before the first element, `utf8_xml` has refused, or decoded: it knows encodings that expat refuses.
    with suppress(_FirstElementSeen, expat.ExpatError, LookupError):
        parser.Parse(source.data, True)


@dataclass
class _Walk:
    """A walk over the elements of an XML file, with the line of each."""

    source: Source
    parser: expat.XMLParserType = field(init=False)
    texts: list[list[str]] = field(default_factory=lambda: [[]])

    def run(self) -> None:
        data = utf8_xml(self.source)
        _refuse_document_type(self.source)
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.Parse(data, True)

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self.texts.append([])
        self.begin(name, attributes)

    def _text(self, text: str) -> None:
        self.texts[-1].append(text)

    def _end(self, name: str) -> None:
        text = "".join(self.texts.pop())
        self.finish(name, text)
        if name.rpartition(":")[2] not in WHOLE:
            # The text of a tag within a text is a part of it.
            self.texts[-1].append(text)

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        """Handle the begin of an element."""

    def finish(self, name: str, text: str) -> None:
        """Handle the end of an element."""


@dataclass
class _Entries(_Walk):
    """The entries of a WebNLG file."""

    raw: RawDocuments = field(kw_only=True)
    one: int = 0
    sets: int = 0
    faults: int = 0
    open: bool = False
    inside: bool = False

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "entry":
            number = str(len(self.raw.ids) + 1)
            called = number if self.raw.reading.ids != "file" else attributes.get("eid", number)
            self.one = self.raw.begin(called, self.parser.CurrentLineNumber)
            self.sets, self.faults, self.open = 0, len(self.raw.faults), True
        elif name in SETS and self.open:
            self.one = self.raw.another() if self.sets else self.one
            self.sets += 1
            self.inside = True

    def finish(self, name: str, text: str) -> None:
        if name in TRIPLES and not self.inside:
            line = self.parser.CurrentLineNumber
            self.raw.fault(
                "The triple is not in a set of triples.",
                line=line,
                found=text.strip(),
                expected=f"<{name}> in <...tripleset>",
            )
        elif name in TRIPLES:
            self._triple(text)
        elif name in SETS:
            self.inside = False
        elif name == "lex" and self.open:
            self.raw.texts[-1] = self.raw.texts[-1] or text.strip()
        elif name == "entry":
            self.open = False
            if len(self.raw.faults) > self.faults:
                self.raw.mark_unreadable(self.one)

    def _triple(self, text: str) -> None:
        slots: list[str | None] = list(text.split(BAR))
        line = self.parser.CurrentLineNumber
        if len(slots) > len(SLOTS):
            self.raw.fault(
                f"The triple has {len(slots)} slots.",
                line=line,
                found=text.strip(),
                expected="subject | predicate | object",
            )
            return
        slots += [None] * (len(SLOTS) - len(slots))
        if not all(slot and slot.strip() for slot in slots):
            self.raw.fault(
                "Incomplete triple.",
                line=line,
                found=text.strip() or "nothing",
                expected="subject | predicate | object",
            )
        self.raw.add(self.one, slots)


def read_webnlg(source: Source, raw: RawDocuments) -> None:
    """Read a file of the WebNLG challenges, gold or generated."""
    _Entries(source, raw=raw).run()


@dataclass
class _Graph(_Walk):
    """The nodes and edges of a GraphML or GEXF file."""

    raw: RawDocuments = field(kw_only=True)
    keys: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    edges: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    data: dict[str, str] = field(default_factory=dict)
    key: str = ""
    of: str = ""  # whether attributes of GEXF are of nodes or edges
    directed: bool = True

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        name = name.rpartition(":")[2]
        if name == "graph":
            self.directed = attributes.get("edgedefault", attributes.get("defaultedgetype", DIRECTED)) == DIRECTED
        elif name == "attributes":
            self.of = attributes.get("class", "")
        elif name == "attribute":
            self.keys[f"{self.of} {attributes.get('id')}"] = attributes.get("title", "")
        elif name == "attvalue":
            key = self.keys.get(f"{self.of} {attributes.get('for', attributes.get('id'))}", "")
            self.data[key] = attributes.get("value", "").strip()
        elif name == "key":
            self.keys[attributes.get("id", "")] = attributes.get("attr.name", attributes.get("id", ""))
        elif name == "node":
            self.of, self.data = name, self.nodes.setdefault(attributes.get("id", ""), {})
            self.data.update({"label": attributes["label"]} if "label" in attributes else {})
        elif name == "edge":
            # Of an edge of GEXF the type is its direction.
            self.of, self.data = name, {key: value for key, value in attributes.items() if key != "type"}
            self.edges.append((attributes.get("source", ""), attributes.get("target", ""), self.data))
        elif name == "hyperedge":
            self.data = {}
            self.raw.fault(
                "A hyperedge is not a triple: it has no subject and object.",
                line=self.parser.CurrentLineNumber,
                found=f"<hyperedge id={attributes.get('id', '')!r}>",
                expected="<edge source=... target=...> for each pair of nodes",
            )
        elif name == "data":
            self.key = self.keys.get(attributes.get("key", ""), attributes.get("key", ""))

    def finish(self, name: str, text: str) -> None:
        name = name.rpartition(":")[2]
        if name == "data":
            self.data[self.key] = text.strip()
        elif name in LABELS_OF_YED and text.strip():
            self.data.setdefault("label", " ".join(text.split()))
        elif name in {"node", "edge", "hyperedge"}:
            # What follows belongs to the graph.
            self.data = {}


def plain_graph(source: Source) -> dict[str, Any] | None:
    """Return GraphML or GEXF as a node-link graph, if no edge has a relation or comes from a chunk of text; None otherwise."""
    graph = _Graph(source, raw=RawDocuments(source.path))
    graph.run()
    stated = {*PREDICATES, "source_id"}
    if not graph.edges or any(data.get(name) for *_, data in graph.edges for name in stated):
        return None
    nodes = [_with_rest(_node(identifier, data), data) for identifier, data in graph.nodes.items()]
    edges = [{"source": start, "target": end} for start, end, _ in graph.edges]
    return {"directed": graph.directed, "nodes": nodes, "edges": edges}


def _with_rest(node: dict[str, str], data: Mapping[str, str]) -> dict[str, str]:
    """Add what else is known of a node that has no name: one of it may be its name."""
    return node if "name" in node else {**data, **node}


def read_graphml(source: Source, raw: RawDocuments) -> None:
    """Read GraphML or GEXF; the chunks of text that an edge comes from (``source_id``, as LightRAG has it) are the documents."""
    # What stands for the predicate is the first of predicate, relation, label, keywords, type, description that an edge
    # has.
    graph = _Graph(source, raw=raw)
    graph.run()
    raw.warnings += () if graph.directed or not graph.edges else (UNDIRECTED,)
    nodes = nodes_of([_node(identifier, data) for identifier, data in graph.nodes.items()])
    types = dict(zip(*types_of(nodes), strict=True))
    chunks: dict[str, list[dict[str, str | None]]] = {}
    for start, end, data in graph.edges:
        predicate = next((data[name] for name in PREDICATES if data.get(name)), None)
        triple = {**dict(zip(SLOTS, (start, predicate, end), strict=True)), "weight": data.get("weight")}
        for chunk in (data.get("source_id") or GRAPH).split(CHUNKS):
            chunks.setdefault(chunk.strip() or GRAPH, []).append(triple)
    for name, triples in (chunks or {GRAPH: []}).items():
        mentioned = {nodes.end(triple[end]) for triple in triples for end in (SLOTS[0], SLOTS[-1])}
        known = [one for one in types if one in mentioned]
        read_document(raw, name, [triples], types=(known, list(map(types.__getitem__, known))), nodes=nodes)


def _node(identifier: str, data: Mapping[str, str]) -> dict[str, str]:
    """Take the id, the name and the type of a node."""
    names = (data.get(key) for key in ("entity_id", "name", "label"))
    kind = data.get("entity_type") or data.get("type")
    found = {"id": identifier, "name": next(filter(None, names), None), "type": kind}
    return {key: value for key, value in found.items() if value}
