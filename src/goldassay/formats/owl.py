"""The syntaxes of OWL, converted to RDF: py-horned-owl parses them and writes RDF/XML, which is then read as usual.

Three things that the parser rejects or misreads are handled before: the four prefixes
that every functional document may use undeclared, relative IRIs (which it appends to the ontology's IRI), and XML
entities.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import urljoin
from xml.etree import ElementTree as ET

from goldassay.core.errors import InputError, convert_errors, require
from goldassay.core.limits import NAMESPACES
from goldassay.core.patterns import pattern_of
from goldassay.formats.documents import FUNCTIONAL, check_nesting
from goldassay.formats.labels import BASE, OWL, RDF, RDFS, XSD
from goldassay.formats.markup import utf8_xml, xml_tree
from goldassay.formats.source import TOO_LONG, Source, check_stretches, text_of

STANDARD_PREFIXES = {"owl": OWL, "rdf": RDF, "rdfs": RDFS, "xsd": XSD}
PREFIX = pattern_of(r"(Prefix\s*\(\s*([^\s:=()<>]*+):\s*=\s*<)([^<>]*+)>")
ONTOLOGY = pattern_of(r"\bOntology\s*\(\s*<([^<>]*+)>")
SCHEME = pattern_of(r"[A-Za-z][A-Za-z0-9+.-]*:")
XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
IRI_ATTRIBUTES = ("IRI", "ontologyIRI", "versionIRI", "datatypeIRI")
CONVERT = "correct it there, or save the ontology as Turtle or RDF/XML, for example: robot convert"
LINE_AND_COLUMN = pattern_of(r"line_col: Pos\(\((\d+), (\d+)\)\)")
BYTE = pattern_of(r"Byte(?:Span|Position)\((\d+)")


def functional_as_rdf(source: Source) -> bytes:
    """Turn OWL functional syntax into RDF/XML."""
    text = text_of(source)
    data = text.encode()
    check_stretches(data, b'"()', TOO_LONG)
    check_nesting(data, FUNCTIONAL, "()")
    ontology = ONTOLOGY.search(text)
    base = ontology[1] if ontology else BASE
    declared = {match[2] for match in PREFIX.finditer(text)}
    _check_prefixes(len(declared))
    absolute = PREFIX.sub(lambda match: f"{match[1]}{_absolute(match[3], base)}>", text)
    missing = "".join(f"Prefix({name}:=<{iri}>)" for name, iri in STANDARD_PREFIXES.items() if name not in declared)
    return _convert(missing + absolute, "ofn")


def xml_as_rdf(source: Source) -> bytes:
    """Turn OWL/XML into RDF/XML."""
    root = xml_tree(utf8_xml(source))
    base = root.get(XML_BASE) or root.get("ontologyIRI") or BASE
    prefixes = {element.get("name", "") for element in root.iter(f"{{{OWL}}}Prefix")}
    _check_prefixes(len(prefixes))
    for element in root.iter():
        _settle(element, base, prefixes | set(STANDARD_PREFIXES))
    missing = [name for name in STANDARD_PREFIXES if name not in prefixes]
    root[:0] = [ET.Element(f"{{{OWL}}}Prefix", name=name, IRI=STANDARD_PREFIXES[name]) for name in missing]
    return _convert(ET.tostring(root, encoding="unicode"), "owx")


def _check_prefixes(number: int) -> None:
    """Limit the prefixes: the parser goes through all of them for each name."""
    NAMESPACES.check(number, "The OWL declares too many prefixes.")


def _settle(element: ET.Element, base: str, prefixes: Collection[str]) -> None:
    """Expand the IRIs of an element, and check the prefix of abbreviated ones."""
    for name in IRI_ATTRIBUTES:
        if name in element.attrib:
            element.set(name, _absolute(element.attrib[name], base))
    text = (element.text or "").strip()
    if element.tag == f"{{{OWL}}}IRI":
        element.text = _absolute(text, base)
    short = text if element.tag == f"{{{OWL}}}AbbreviatedIRI" else element.get("abbreviatedIRI")
    if short is not None and short.partition(":")[0] not in prefixes:
        # The parser would use the abbreviation as the IRI.
        raise InputError(
            "Invalid OWL: undefined prefix.",
            found=short,
            expected=f"one of {', '.join(sorted(prefixes))}",
        )


def _absolute(iri: str, base: str) -> str:
    if SCHEME.match(iri):
        return iri
    # An empty fragment is lost when joined, and matters in a prefix.
    try:
        return urljoin(base, iri) + ("#" if iri.endswith("#") else "")
    except ValueError as error:
        raise InputError(
            "Invalid OWL: invalid relative IRI.",
            found=f"<{iri[:80]}> ({error})",
            expected="an IRI such as <#name>",
            hint="write the full IRI",
        ) from error


def _convert(text: str, serialization: str) -> bytes:
    horned = require("pyhornedowl", extra="owl", purpose="read OWL functional syntax and OWL/XML")
    with convert_errors("py-horned-owl", "The OWL cannot be read.", hint=CONVERT):
        try:
            ontology = horned.open_ontology_from_string(text, serialization)
            rdf: str = ontology.save_to_string("owl")
        except (ValueError, OSError) as error:
            raise _explain_error(str(error), text, has_lines=serialization == "ofn") from error
    return rdf.encode()


def _explain_error(message: str, text: str, *, has_lines: bool) -> InputError:
    line, column = None, None
    if match := LINE_AND_COLUMN.search(message):
        line, column = int(match[1]), int(match[2])
    elif match := BYTE.search(message):
        line = text.encode()[: int(match[1])].count(b"\n") + 1
    standing = next(iter(text.split("\n")[line - 1 : line]), "").strip()[:80] if line else None
    quoted = re.search(r'Error\("([^"]+)"', message)
    reason = quoted[1] if quoted else "syntax error"
    return InputError(
        f"Invalid OWL: {reason}.",
        line=line if has_lines else None,
        column=column if has_lines else None,
        found=standing,
        hint=CONVERT,
    )
