"""OBO, in stanzas of ``tag: value`` lines as ontologists write them by hand and by script; and OBO Graphs, its JSON form.

The lines are read here and not by a package, since the known packages reject files that are in use (because of a
comment above a stanza, a missing blank line, a comma that is not escaped) without giving the line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import quote

from goldassay.core.errors import InputError
from goldassay.core.libraries import ox
from goldassay.core.patterns import pattern_of
from goldassay.formats.documents import json_of, line_of_value, lines_of_members
from goldassay.formats.labels import OBO, OBO_IN_OWL, OWL, RDF, RDFS, XSD
from goldassay.formats.records import BadRecords
from goldassay.formats.source import Source, check_lines, utf8_of

SHOWN = 80
MEND_RECORD = "correct the record, or skip bad ones: --on-error skip"
TYPES = {"CLASS": f"{OWL}Class", "PROPERTY": f"{OWL}ObjectProperty", "INDIVIDUAL": f"{OWL}NamedIndividual"}
PREDICATES = {
    "is_a": f"{RDFS}subClassOf",
    "subPropertyOf": f"{RDFS}subPropertyOf",
    "inverseOf": f"{OWL}inverseOf",
    "type": f"{RDF}type",
}
NOT_IN_IRIS = pattern_of(r'[\x00-\x20<>"{}|\\^`]')
QUOTED = pattern_of(r'"((?:[^"\\]|\\.)*)"\s*(\w*)')
# A comment or a block of qualifiers ends a value; inside quotes, or behind a backslash, neither does.
PART = pattern_of(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|\\.|(?P<blank>\s++)|[^\s"\\]++|.', re.DOTALL)
END = pattern_of(r"!(?:\s|$)|\{[^{}]*+\}\s*+(?:!|$)")
ESCAPE = pattern_of(r"\\(.)")
ESCAPED = {"n": "\n", "t": "\t", "W": " "}
SYNONYMS = {scope: f"{OBO_IN_OWL}has{scope.capitalize()}Synonym" for scope in ("EXACT", "BROAD", "NARROW", "RELATED")}
OLD_SYNONYMS = {f"{scope.lower()}_synonym": scope for scope in SYNONYMS}
TEXTS = {
    "name": f"{RDFS}label",
    "comment": f"{RDFS}comment",
    "def": f"{OBO}IAO_0000115",
    "namespace": f"{OBO_IN_OWL}hasOBONamespace",
    "alt_id": f"{OBO_IN_OWL}hasAlternativeId",
    "xref": f"{OBO_IN_OWL}hasDbXref",
}
KINDS = {"Term": f"{OWL}Class", "Typedef": f"{OWL}ObjectProperty", "Instance": f"{OWL}NamedIndividual"}
LINKS = {
    ("Term", "is_a"): f"{RDFS}subClassOf",
    ("Typedef", "is_a"): f"{RDFS}subPropertyOf",
    ("Instance", "instance_of"): f"{RDF}type",
    ("Term", "equivalent_to"): f"{OWL}equivalentClass",
    ("Term", "disjoint_from"): f"{OWL}disjointWith",
    ("Typedef", "inverse_of"): f"{OWL}inverseOf",
    ("Typedef", "domain"): f"{RDFS}domain",
    ("Typedef", "range"): f"{RDFS}range",
}
OF_NAMES = frozenset({"relationship", "intersection_of", "union_of", *(tag for _, tag in LINKS)})
"""The tags whose values are identifiers."""
GENUS = f"{OBO_IN_OWL}intersection_of"
"""The genus of a term by its logical definition: a predicate of only this package."""
MEND = "correct the line, or skip bad ones: --on-error skip"


def read_obo_graph(source: Source, bad: BadRecords | None = None, *, genus: bool = False) -> Iterator[ox.Triple]:
    """Read an OBO Graphs file as triples, all its graphs as one.

    Of logical definitions the genus is read if asked for. Other axioms (domains and ranges, property chains) are not read.

    Source:
        https://github.com/geneontology/obographs
    """
    bad = bad or BadRecords()
    document = json_of(source)
    graphs = document.get("graphs") if isinstance(document, dict) else None
    if not isinstance(graphs, list):
        raise InputError(
            "This is not an OBO graph.",
            line=line_of_value(source, *["graphs"][: isinstance(document, dict) and "graphs" in document]),
            found=json.dumps(document, ensure_ascii=False)[:SHOWN],
            expected='{"graphs": [...]}',
        )
    kinds = {"nodes": _node, "edges": _edge, **({"logicalDefinitionAxioms": _genus_of_graph} if genus else {})}
    for row, graph in enumerate(graphs):
        for name, triples_of in kinds.items():
            lines = cache(partial(lines_of_members, source, "graphs", row, name))
            for number, record in enumerate(_list_of(graph, name, row, source)):
                yield from triples_of(record, _Place(f"graphs[{row}].{name}", number, lines, bad))


class _Place(NamedTuple):
    """The place of a record in a list of the document, with the lines of the list, and the receiver of bad records."""

    name: str
    number: int
    lines: Callable[[], list[int]]
    bad: BadRecords

    def complain(self, message: str, found: Any, expected: str) -> None:
        shown = f"{self.name}[{self.number}]: {json.dumps(found, ensure_ascii=False)[:SHOWN]}"
        line = self.lines()[self.number]
        self.bad.refuse(message, line=line, found=shown, expected=expected, hint=MEND_RECORD)


def _list_of(graph: Any, key: str, row: int, source: Source) -> list[Any]:
    entries = graph.get(key) or [] if isinstance(graph, dict) else None
    if not isinstance(entries, list):
        raise InputError(
            f"The {key} of an OBO graph are not a list.",
            line=line_of_value(source, "graphs", row, *([key] if isinstance(graph, dict) else [])),
            found=f"graphs[{row}]: {json.dumps(graph, ensure_ascii=False)[:SHOWN]}",
            expected=f'{{"{key}": [...]}}',
            hint="write the file again, for example: robot convert --input IN --output OUT.json",
        )
    return entries


def _node(node: Any, place: _Place) -> Iterator[ox.Triple]:
    if not isinstance(node, dict) or not isinstance(node.get("id"), str) or not node["id"]:
        place.complain("A node has no id.", node, '{"id": "..."}')
        return
    wrong = _wrong(node)
    if wrong:
        place.complain(f"The {wrong[0]} of a node has the wrong type.", node, wrong[1])
        return
    subject = Namespace().node(node["id"])
    if node.get("type") in TYPES:
        yield ox.Triple(subject, ox.NamedNode(f"{RDF}type"), ox.NamedNode(TYPES[node["type"]]))
    for predicate, text in _texts(node):
        yield ox.Triple(subject, predicate, ox.Literal(text))
    if _meta(node).get("deprecated") is True:
        yield ox.Triple(
            subject, ox.NamedNode(f"{OWL}deprecated"), ox.Literal("true", datatype=ox.NamedNode(f"{XSD}boolean"))
        )


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
        ((name, form) for name, value, kind, form in parts if value is not None and not isinstance(value, kind)), None
    )


def _meta(node: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = node.get("meta")
    return meta if isinstance(meta, dict) else {}


def _texts(node: Mapping[str, Any]) -> Iterator[tuple[ox.NamedNode, str]]:
    meta, named = _meta(node), Namespace().node
    entries = [(named(f"{RDFS}label"), node.get("lbl"))]
    entries.append((named(f"{OBO}IAO_0000115"), (meta.get("definition") or {}).get("val")))
    entries += (
        (named(f"{OBO_IN_OWL}{synonym['pred'].rpartition('#')[2]}"), synonym["val"])
        for synonym in meta.get("synonyms") or []
    )
    return ((predicate, text) for predicate, text in entries if isinstance(text, str))


def _edge(edge: Any, place: _Place) -> Iterator[ox.Triple]:
    ends = [edge.get(key) if isinstance(edge, dict) else None for key in ("sub", "pred", "obj")]
    subject, predicate, target = (end if isinstance(end, str) else "" for end in ends)
    if not (subject and predicate and target):
        place.complain("An edge is incomplete.", edge, '{"sub": "...", "pred": "...", "obj": "..."}')
        return
    known = PREDICATES.get(predicate)
    node = Namespace().node
    yield ox.Triple(node(subject), ox.NamedNode(known) if known else node(predicate), node(target))


def _genus_of_graph(axiom: Any, place: _Place) -> Iterator[ox.Triple]:
    child, parents = (axiom.get(key) if isinstance(axiom, dict) else None for key in ("definedClassId", "genusIds"))
    names: list[Any] = [child, *(parents or [])] if isinstance(parents, list | None) else [None]
    if not all(isinstance(name, str) and name for name in names):
        place.complain("A definition is incomplete.", axiom, '{"definedClassId": "...", "genusIds": ["..."]}')
        return
    node = Namespace().node
    for parent in names[1:]:
        yield ox.Triple(node(names[0]), ox.NamedNode(GENUS), node(parent))


@dataclass
class Stanza:
    """One stanza: its kind, the line it starts on, and its (line, tag, value) clauses."""

    kind: str
    line: int
    clauses: list[tuple[int, str, str]] = field(default_factory=list)

    def first(self, tag: str) -> str | None:
        """Return the first value of a tag, or None."""
        return next((value for _, name, value in self.clauses if name == tag), None)


@dataclass(frozen=True)
class Namespace:
    """How identifiers become IRIs: ``GO:0005634`` is ``http://purl.obolibrary.org/obo/GO_0005634``.

    Attributes:
        shorthands: Relations that abbreviate another identifier, such as ``part_of`` for ``BFO:0000050``.
    """

    ontology: str = ""
    spaces: Mapping[str, str] = field(default_factory=dict)
    shorthands: Mapping[str, str] = field(default_factory=dict)

    def node(self, identifier: str) -> ox.NamedNode:
        """Expand an identifier; characters that are not allowed in an IRI are escaped."""
        iri = NOT_IN_IRIS.sub(lambda match: f"%{ord(match[0]):02X}", self._expand(identifier))
        try:
            return ox.NamedNode(iri)
        except ValueError:
            return ox.NamedNode(OBO + quote(identifier, safe=""))

    def _expand(self, identifier: str) -> str:
        identifier = self.shorthands.get(identifier, identifier)
        prefix, colon, local = identifier.partition(":")
        if "://" in identifier:
            return identifier
        if not colon:
            return f"{OBO}{self.ontology}#{identifier}"
        return self.spaces.get(prefix, f"{OBO}{prefix}_") + local


def read_obo(source: Source, bad: BadRecords | None = None, *, genus: bool = False) -> Iterator[ox.Triple]:
    r"""Read an OBO file as triples.

    Every stanza is kept, obsolete ones too. ``is_a`` becomes rdfs:subClassOf (rdfs:subPropertyOf between relations), a
    ``relationship`` a triple of its own. Of logical definitions (``intersection_of``) the genus is read if asked for.

    Source:
        OBO Flat File Format 1.4, https://owlcollab.github.io/oboformat/doc/obo-syntax.html, section 5.

    Example:
        >>> page = b"[Term]\nid: A:2\nname: cat\nis_a: A:1 ! animal\n"
        >>> for triple in read_obo(Source(path="a.obo", name="a.obo", data=page, size=43)):
        ...     print(triple.predicate.value.rpartition("#")[2], triple.object.value)
        type http://www.w3.org/2002/07/owl#Class
        label cat
        subClassOf http://purl.obolibrary.org/obo/A_1
    """
    bad = bad or BadRecords()
    data = utf8_of(check_lines(source))
    namespace = _namespace(data)
    for stanza in islice(_stanzas(data, bad), 1, None):
        yield from _triples_of(stanza, namespace, bad)
        if genus and stanza.kind == "Term":
            yield from _genus(stanza, namespace)


def _stanzas(data: bytes, bad: BadRecords | None = None) -> Iterator[Stanza]:
    """Read stanzas one by one, the header first, so that no more than one is in memory."""
    current = Stanza("", 1)
    for number, raw in enumerate(BytesIO(data), start=1):
        line = raw.decode().strip()
        if not line or line.startswith("!"):
            continue
        if line.startswith("[") and line.endswith("]"):
            yield current
            current = Stanza(line[1:-1], number)
            continue
        tag, colon, value = line.partition(":")
        if colon:
            current.clauses.append((number, tag.strip(), _bare(value, names=tag.strip() in OF_NAMES)))
        elif bad:
            message, expected = "The line is not a clause.", "tag: value"
            bad.refuse(message, line=number, found=line[:80], expected=expected, hint=MEND)
    yield current


def _bare(value: str, *, names: bool) -> str:
    """Cut off modifiers and a comment, which is behind a blank unless the value is of names only."""
    if " !" not in value and "{" not in value:
        return (value.partition("!")[0] if names else value).strip()
    for part in PART.finditer(value):
        if part["blank"] and END.match(value, part.end()):
            return value[: part.start()].strip()
    return value.strip()


def _namespace(data: bytes) -> Namespace:
    header = next(_stanzas(data))
    spaces = (value.split() for _, tag, value in header.clauses if tag == "idspace")
    shorthands: dict[str, str] = {}
    first = data.find(b"[Typedef]")
    for stanza in _stanzas(data[data.rfind(b"\n", 0, first) + 1 :]) if first >= 0 else ():
        identifier = stanza.first("id")
        if stanza.kind == "Typedef" and identifier and ":" not in identifier:
            meant = next((v for _, tag, v in stanza.clauses if tag == "xref" and v.startswith(("BFO:", "RO:"))), None)
            shorthands |= {identifier: meant} if meant else {}
    return Namespace(
        ontology=header.first("ontology") or "",
        spaces={parts[0]: parts[1] for parts in spaces if len(parts) > 1},
        shorthands=shorthands,
    )


def _triples_of(stanza: Stanza, namespace: Namespace, bad: BadRecords) -> Iterator[ox.Triple]:
    identifier = stanza.first("id")
    if not identifier:
        message = f"The stanza [{stanza.kind}] has no id."
        bad.refuse(message, line=stanza.line, found="no id", expected="id: ...", hint=MEND)
        return
    subject = namespace.node(identifier)
    if stanza.kind in KINDS:
        yield ox.Triple(subject, ox.NamedNode(f"{RDF}type"), ox.NamedNode(KINDS[stanza.kind]))
    for line, tag, value in stanza.clauses:
        if tag in TEXTS or tag == "synonym" or tag in OLD_SYNONYMS:
            yield ox.Triple(subject, *_text(tag, value))
        elif tag == "is_obsolete" and value == "true":
            yield ox.Triple(
                subject, ox.NamedNode(f"{OWL}deprecated"), ox.Literal("true", datatype=ox.NamedNode(f"{XSD}boolean"))
            )
        elif tag == "relationship" or (stanza.kind, tag) in LINKS:
            link = _link(stanza.kind, tag, value, namespace)
            if link:
                yield ox.Triple(subject, *link)
            else:
                bad.refuse(
                    f"The {tag} is incomplete.",
                    line=line,
                    found=f"{tag}: {value[:80]}",
                    expected=f"{tag}: ID" if tag != "relationship" else "relationship: RELATION ID",
                    hint=MEND,
                )


def _genus(stanza: Stanza, namespace: Namespace) -> Iterator[ox.Triple]:
    identifier = stanza.first("id")
    for _, tag, value in stanza.clauses if identifier else ():
        # Two words are a relation and its target.
        if tag == "intersection_of" and len(value.split()) == 1:
            yield ox.Triple(namespace.node(str(identifier)), ox.NamedNode(GENUS), namespace.node(value))


def _text(tag: str, value: str) -> tuple[ox.NamedNode, ox.Literal]:
    quoted = QUOTED.match(value)
    text = quoted[1] if quoted and tag not in {"name", "comment"} else value
    scope = OLD_SYNONYMS.get(tag, quoted[2] if quoted else "")
    predicate = TEXTS.get(tag) or SYNONYMS.get(scope, SYNONYMS["RELATED"])
    return ox.NamedNode(predicate), ox.Literal(ESCAPE.sub(lambda match: ESCAPED.get(match[1], match[1]), text))


def _link(kind: str, tag: str, value: str, namespace: Namespace) -> tuple[ox.NamedNode, ox.NamedNode] | None:
    parts = value.split()
    if tag != "relationship":
        parts.insert(0, "")
    if len(parts) < 2:  # noqa: PLR2004 - a relation and its target
        return None
    known = LINKS.get((kind, tag))
    return ox.NamedNode(known) if known else namespace.node(parts[0]), namespace.node(parts[1])
