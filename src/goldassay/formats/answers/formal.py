"""Ontologies in a formal syntax in model output: below prose, in a response, and in the answers of a batch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import quote

from goldassay.core.errors import InputError
from goldassay.core.libraries import ox
from goldassay.core.patterns import pattern_of
from goldassay.formats.answers.json import values_in
from goldassay.formats.answers.means import Meaning
from goldassay.formats.labels import OWL, RDF, RDFS, SKOS, XSD
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
