"""OBO Graphs: the JSON form of an ontology, nodes with their meta data and edges between them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from goldassay.core.errors import InputError, RecordError
from goldassay.formats.documents import json_of, lines_of_members
from goldassay.formats.names import OBO, OBO_IN_OWL, OWL, RDF, RDFS, XSD
from goldassay.formats.obo import GENUS, Namespace
from goldassay.formats.records import BadRecords
from goldassay.formats.source import Source

if TYPE_CHECKING:
    from pyoxigraph import NamedNode, Triple

SHOWN = 80
MEND = "correct the record, or skip bad ones: --on-error skip"
TYPES = {"CLASS": f"{OWL}Class", "PROPERTY": f"{OWL}ObjectProperty", "INDIVIDUAL": f"{OWL}NamedIndividual"}
PREDICATES = {
    "is_a": f"{RDFS}subClassOf",
    "subPropertyOf": f"{RDFS}subPropertyOf",
    "inverseOf": f"{OWL}inverseOf",
    "type": f"{RDF}type",
}


def read_obo_graph(source: Source, bad: BadRecords | None = None, *, genus: bool = False) -> Iterator[Triple]:
    """Read an OBO Graphs file as triples, all its graphs as one.

    Of logical definitions the genus is read if asked for. Other axioms (domains and ranges, property chains) are not read.

    Source:
        https://github.com/geneontology/obographs

    Example:
        >>> page = b'{"graphs": [{"edges": [{"sub": "A:2", "pred": "is_a", "obj": "A:1"}]}]}'
        >>> [triple] = read_obo_graph(Source(path="a.json", name="a.json", data=page, size=71))
        >>> triple.object.value
        'http://purl.obolibrary.org/obo/A_1'
    """
    bad = bad or BadRecords()
    document = json_of(source)
    graphs = document.get("graphs") if isinstance(document, dict) else None
    if not isinstance(graphs, list):
        raise InputError(
            "This is not an OBO graph.",
            path=source.path,
            found=json.dumps(document, ensure_ascii=False)[:SHOWN],
            expected='{"graphs": [...]}',
        )
    kinds = {"nodes": _node, "edges": _edge, **({"logicalDefinitionAxioms": _genus} if genus else {})}
    for row, graph in enumerate(graphs):
        for name, triples_of in kinds.items():
            lines = cache(partial(lines_of_members, source, "graphs", row, name))
            for number, record in enumerate(_list_of(graph, name, row, source)):
                yield from triples_of(record, _Place(f"graphs[{row}].{name}", number, lines, source.path, bad))


class _Place(NamedTuple):
    """The place of a record in a list of the document, with the lines of the list, and the receiver of bad records."""

    name: str
    number: int
    lines: Callable[[], list[int]]
    path: str
    bad: BadRecords

    def complain(self, message: str, found: Any, expected: str) -> None:
        shown = f"{self.name}[{self.number}]: {json.dumps(found, ensure_ascii=False)[:SHOWN]}"
        line = self.lines()[self.number]
        self.bad.add(RecordError(message, path=self.path, line=line, found=shown, expected=expected, hint=MEND))


def _list_of(graph: Any, key: str, row: int, source: Source) -> list[Any]:
    entries = graph.get(key) or [] if isinstance(graph, dict) else None
    if not isinstance(entries, list):
        raise InputError(
            f"The {key} of an OBO graph are not a list.",
            path=source.path,
            line=lines_of_members(source, "graphs")[row],
            found=f"graphs[{row}]: {json.dumps(graph, ensure_ascii=False)[:SHOWN]}",
            expected=f'{{"{key}": [...]}}',
            hint="write the file again, for example: robot convert --input IN --output OUT.json",
        )
    return entries


def _node(node: Any, place: _Place) -> Iterator[Triple]:
    from pyoxigraph import Literal, NamedNode, Triple

    if not isinstance(node, dict) or not isinstance(node.get("id"), str) or not node["id"]:
        place.complain("A node has no id.", node, '{"id": "..."}')
        return
    wrong = _wrong(node)
    if wrong:
        place.complain(f"The {wrong[0]} of a node has the wrong type.", node, wrong[1])
        return
    subject = Namespace().node(node["id"])
    if node.get("type") in TYPES:
        yield Triple(subject, NamedNode(f"{RDF}type"), NamedNode(TYPES[node["type"]]))
    for predicate, text in _texts(node):
        yield Triple(subject, predicate, Literal(text))
    if _meta(node).get("deprecated") is True:
        yield Triple(subject, NamedNode(f"{OWL}deprecated"), Literal("true", datatype=NamedNode(f"{XSD}boolean")))


def _wrong(node: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the first part of a node that has the wrong type, and its expected type; absent and null are allowed."""
    meta = _meta(node)
    parts: list[tuple[str, Any, type | tuple[type, ...], str]] = [
        ("type", node.get("type"), str, '"CLASS", "PROPERTY" or "INDIVIDUAL"'),
        ("label", node.get("lbl"), str, '"lbl": "..."'),
        ("meta", node.get("meta"), dict, '"meta": {...}'),
        ("definition", meta.get("definition"), dict, '"definition": {"val": "..."}'),
        ("synonyms", meta.get("synonyms"), list, '"synonyms": [{"pred": "...", "val": "..."}]'),
    ]
    synonyms = meta.get("synonyms")
    for entry in synonyms if isinstance(synonyms, list) else []:
        whole = isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in ("pred", "val"))
        parts.append(("synonym", entry if whole else 0, dict, '{"pred": "hasExactSynonym", "val": "..."}'))
    return next(
        ((name, said) for name, value, kind, said in parts if value is not None and not isinstance(value, kind)), None
    )


def _meta(node: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = node.get("meta")
    return meta if isinstance(meta, dict) else {}


def _texts(node: Mapping[str, Any]) -> Iterator[tuple[NamedNode, str]]:
    meta, named = _meta(node), Namespace().node
    entries = [(named(f"{RDFS}label"), node.get("lbl"))]
    entries.append((named(f"{OBO}IAO_0000115"), (meta.get("definition") or {}).get("val")))
    entries += (
        (named(f"{OBO_IN_OWL}{synonym['pred'].rpartition('#')[2]}"), synonym["val"])
        for synonym in meta.get("synonyms") or []
    )
    return ((predicate, text) for predicate, text in entries if isinstance(text, str))


def _edge(edge: Any, place: _Place) -> Iterator[Triple]:
    from pyoxigraph import NamedNode, Triple

    ends = [edge.get(key) if isinstance(edge, dict) else None for key in ("sub", "pred", "obj")]
    subject, predicate, target = (end if isinstance(end, str) else "" for end in ends)
    if not (subject and predicate and target):
        place.complain("An edge is incomplete.", edge, '{"sub": "...", "pred": "...", "obj": "..."}')
        return
    known = PREDICATES.get(predicate)
    node = Namespace().node
    yield Triple(node(subject), NamedNode(known) if known else node(predicate), node(target))


def _genus(axiom: Any, place: _Place) -> Iterator[Triple]:
    from pyoxigraph import NamedNode, Triple

    child, parents = (axiom.get(key) if isinstance(axiom, dict) else None for key in ("definedClassId", "genusIds"))
    names: list[Any] = [child, *(parents or [])] if isinstance(parents, list | None) else [None]
    if not all(isinstance(name, str) and name for name in names):
        place.complain("A definition is incomplete.", axiom, '{"definedClassId": "...", "genusIds": ["..."]}')
        return
    node = Namespace().node
    for parent in names[1:]:
        yield Triple(node(names[0]), NamedNode(GENUS), node(parent))
