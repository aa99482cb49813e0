"""Ontologies in a formal syntax in model output: below prose, in a response, and in the answers of a batch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple
from urllib.parse import quote

from goldassay.core.errors import InputError
from goldassay.core.libraries import ox
from goldassay.core.patterns import pattern_of
from goldassay.formats.answers.json import values_in
from goldassay.formats.answers.lines import Line, RawStatement
from goldassay.formats.answers.means import OF_EDGES, Meaning
from goldassay.formats.answers.names import local_name
from goldassay.formats.answers.shapes import NAME_OF_OWL, RESTRICTION
from goldassay.formats.labels import OWL, RDF, RDFS, SKOS, XSD
from goldassay.formats.roles import AXIOMS
from goldassay.formats.source import Source

BEGINS = pattern_of(
    r"^[ \t]*+(?:(?P<turtle>@(?:prefix|base)\s|PREFIX\s++[\w-]*+:\s*+<|<[a-z]++:[^\s<>]*+>\s++(?:<|a\s|[\w-]++:\w))"
    r"|(?P<owl_functional>(?:Prefix|Ontology)\()|(?P<obo>format-version:|\[Term\])|(?P<rdf_xml>(?:<\?xml[^>\n]*+>\s*+)?<(?:!DOCTYPE\s+)?rdf:RDF\b)"
    r"|(?P<owl_xml>(?:<\?xml[^>\n]*+>\s*+)?<Ontology\s))",
    re.MULTILINE,
)
"""How an ontology begins on a line of its own."""
MARKS = ("://", "Ontology(", "[Term]", " .")
"""One of these is in every such text."""
GOES_ON = {
    "turtle": pattern_of(r"[ \t]*+(?:[@#_\])<\"]|PREFIX\s|(?:a\s++)?[\w-]*+:[\w#])"),
    "obo": pattern_of(r"[ \t]*+(?:\[\w++\]|[a-z][\w-]*+:|!)"),
}
"""How a line of it begins, and one of prose does not."""
LINKED = ("@context", "@graph", "@id")
OF_DOCUMENTS = frozenset({"turtle", "rdf-xml", "json-ld"})
"""What families of documents read."""
ANSWERS = "urn:answer#"
STATED = pattern_of(
    r"^[ \t]*+(?:[A-Za-z][\w-]*+)?:[A-Za-z_][\w-]*+[ \t]++(?:a|(?:[A-Za-z][\w-]*+)?:[A-Za-z]\w*+)[ \t][^\n]*(?<=[.;,])[ \t]*$",
    re.MULTILINE,
)
"""The first line of a statement of Turtle with prefixes; numbers behind them are ids, which are names as they are."""
PREFIX = pattern_of(r"(?<![\w<\"'/:@#-])([A-Za-z][\w-]*+)?:(?=[A-Za-z_])")
DECLARED = pattern_of(r"@?prefix\s++([\w-]*+):", re.IGNORECASE)
NAMESPACES = {"rdf": RDF, "rdfs": RDFS, "owl": OWL, "skos": SKOS, "xsd": XSD}
UNKNOWN = "http://answer.invalid/"
"""How the namespaces of other prefixes begin: names are compared by what is behind them."""
FRAMES = ("Class", "ObjectProperty", "DataProperty", "Individual")
SLOTS = (
    "SubClassOf|EquivalentTo|DisjointWith|Annotations|Domain|Range|Types|Facts|Characteristics|InverseOf|SubPropertyOf"
)
MANCHESTER = pattern_of(rf"({'|'.join(FRAMES)}|{SLOTS})\s*:\s*(.*)")
SLOT_BREAK = pattern_of(rf"(?<=\S)\s(?=(?:{SLOTS})\s*:\s)")
"""Where a slot begins on the line of its frame."""
SLOTS_STATING = ("SubClassOf", "Types", "Facts")
"""Slots each term of which states something."""
NAME_OF_CLASS, FACT_OF_FRAME = pattern_of(NAME_OF_OWL), pattern_of(rf"{NAME_OF_OWL}\s++(\S.*)")
TERMS = pattern_of(r"(?:'[^'\n]*+'|\"[^\"\n]*+\"|[^,])++")
"""What is between commas outside of quotes."""
LOOKED_AT = 1000
"""The first frame comes before so many other lines."""


class Formal(NamedTuple):
    """An ontology in a text: its format, the number of its first line, and what it is."""

    format: str
    first: int
    body: str


def may_be_formal(text: str) -> bool:
    """Return whether a text, or a batch of texts, has what is in every ontology."""
    return any(map(text.__contains__, MARKS))


def with_prefixes(text: str, meaning: Meaning) -> str:
    """Declare the prefixes of Turtle that a model left out, on the line of the first statement; correspondences have names as they are."""
    if meaning.nested == "list" or ":" not in text or (first := STATED.search(text)) is None:
        return text
    missing = dict.fromkeys(PREFIX.findall(text, first.start())).keys() - set(DECLARED.findall(text))
    spaces = ((prefix, NAMESPACES.get(prefix, f"{UNKNOWN}{prefix}#")) for prefix in sorted(missing))
    declared = "".join(f"@prefix {prefix}: <{space}> . " for prefix, space in spaces)
    return f"{text[: first.start()]}{declared}{text[first.start() :]}"


def formal_in(text: str, meaning: Meaning) -> Formal | None:
    """Find the ontology in a text, without the prose above and below it; None if there is none, or the family has none."""
    if meaning.documents == "document":
        return None
    text = with_prefixes(text, meaning)
    if not may_be_formal(text):
        return None
    if '"@' in text and (found := next(values_in(text, 1), None)):
        value, taken, _ = found
        value = value[0] if isinstance(value, list) and value else value
        if isinstance(value, dict) and any(name in value for name in LINKED):
            lines = text.split("\n")
            return Formal("json-ld", min(taken), "\n".join(lines[min(taken) - 1 : max(taken)]))
    if (begin := BEGINS.search(text)) is None:
        return None
    name, body = str(begin.lastgroup).replace("_", "-"), text[begin.start() :]
    return Formal(name, 1 + text.count("\n", 0, begin.start()), body[: _end_of(name, body)])


def _end_of(name: str, body: str) -> int:
    """Return where an ontology ends: with its last bracket, or with its last line that is no prose."""
    if name not in GOES_ON:
        return body.rfind(">" if name.endswith("xml") else ")") + 1
    lines = [0, *(found.end() for found in re.finditer("\n", body)), len(body)]
    return max(end for begin, end in pairwise(lines) if not begin or GOES_ON[name].match(body, begin))


def join_formal(texts: Sequence[tuple[str, Formal]], source: Source, meaning: Meaning) -> Iterator[bytes]:
    """Write the statements of each answer, with its id where the family has documents; nothing for one that is broken or not read."""
    from goldassay.formats.triples import read_triples

    for name, (form, _, body) in texts:
        data = body.encode("utf-8", "surrogatepass")
        inner = Source(path=source.path, name=source.name, data=data, size=len(data))
        try:
            triples = list(read_triples(inner, form)) if form in OF_DOCUMENTS or meaning.documents != "id" else []
        except InputError:
            triples = []
        graph = ox.NamedNode(ANSWERS + quote(name, safe="")) if meaning.documents else ox.DefaultGraph()
        quads = (ox.Quad(one.subject, one.predicate, one.object, graph) for one in triples)
        yield ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""


class _Frame(NamedTuple):
    """What a frame of Manchester syntax is about, and the slot that is read."""

    kind: str = ""
    subject: str = ""
    slot: str = ""


def manchester(lines: Sequence[Line], meaning: Meaning = OF_EDGES) -> tuple[list[RawStatement], set[int]]:
    """Read frames of OWL's Manchester syntax: classes, properties and individuals; also the lines that were taken."""
    found: list[RawStatement] = []
    taken, unread = set[int](), set[int]()
    if not any(line.text.startswith(FRAMES) and MANCHESTER.fullmatch(line.text) for line in lines[:LOOKED_AT]):
        return found, taken
    frame, ends = _Frame(), dict[str, list[str]]()
    for line in (whole._replace(text=part) for whole in lines for part in SLOT_BREAK.split(whole.text)):
        head = MANCHESTER.fullmatch(line.text)
        if head and head[1] in FRAMES:
            frame, ends = _Frame(head[1], local_name(head[2])), {}
            taken.add(line.number)
            continue
        if head:
            frame = frame._replace(slot=head[1])
        elif not (frame.slot and frame.subject and line.number - 1 in taken):
            continue
        taken.add(line.number)
        if not frame.subject:
            continue
        rest = head[2] if head else line.text
        terms = [part.strip() for part in TERMS.findall(rest) if part.strip()]
        if frame.slot in ("Domain", "Range"):
            ends.setdefault(frame.slot, []).extend(map(local_name, terms))
            if frame.slot == "Range" or "Range" in ends:
                new = ends["Range"] if frame.slot == "Domain" else list(map(local_name, terms))
                found += [
                    RawStatement(line.number, a, frame.subject, b, extra=frame.kind if meaning.more == "kind" else "")
                    for a in ends.get("Domain", ())
                    for b in new
                    if meaning.nested == "facts"
                ]
            continue
        stated = [list(_parse_slot(line.number, frame, term, meaning)) for term in terms]
        # Of edges only superclasses and types are some.
        related = None if meaning.nested == "facts" else {"SubClassOf", meaning.is_a}
        found += [one for one in chain(*stated) if related is None or one.relation in related]
        if frame.slot in SLOTS_STATING and not all(stated):
            unread.add(line.number)
    return found, taken - unread


def _parse_slot(number: int, frame: _Frame, term: str, meaning: Meaning) -> Iterator[RawStatement]:
    """Read one term behind ``SubClassOf:``, ``Types:`` or ``Facts:``."""
    is_a = meaning.is_a if meaning.roles is AXIOMS else "SubClassOf"
    if frame.slot in ("SubClassOf", "EquivalentTo") and (restriction := RESTRICTION.fullmatch(term)):
        yield RawStatement(number, frame.subject, local_name(restriction[1]), local_name(restriction[2]))
    elif frame.slot in ("SubClassOf", "Types") and NAME_OF_CLASS.fullmatch(term):
        relation = is_a if frame.slot == "SubClassOf" else meaning.is_a
        yield RawStatement(number, frame.subject, relation, local_name(term))
    elif frame.slot == "Facts" and (fact := FACT_OF_FRAME.fullmatch(term)):
        yield RawStatement(number, frame.subject, local_name(fact[1]), local_name(fact[2]))
