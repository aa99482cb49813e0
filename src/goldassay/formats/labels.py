"""The IRIs that formats use, and names of entities: the label in the preferred language, else the last part of the IRI."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from urllib.parse import unquote

from goldassay.core.libraries import ox, pl
from goldassay.core.patterns import pattern_of

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
OBO = "http://purl.obolibrary.org/obo/"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"

BASE = "file:///"
"""Base of relative IRIs in files without a base: the same for every file, so that the name of an entity
does not depend on the path of the file."""


LABELS = (f"{RDFS}label", f"{SKOS}prefLabel")
XL_LABEL, XL_FORM = (f"http://www.w3.org/2008/05/skos-xl#{name}" for name in ("prefLabel", "literalForm"))
"""How SKOS-XL names a concept: by a label that is a thing of its own, and has a text."""
TITLES = (
    "http://schema.org/name",
    "https://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/elements/1.1/title",
)
"""What names an entity that has no label."""
NAMES = (*LABELS, XL_LABEL, XL_FORM, *TITLES)
"""Predicates of what `choose_labels` reads."""
SIMPLE_IRI = r"""^[A-Za-z][A-Za-z0-9+.-]*://[!-$&-~]*[!"$&-.0-~]$"""
"""An IRI in ASCII without escapes that does not end in a separator, for expressions."""
PLAIN = "^{0}(?:[_-]{0})*$".format("(?:[A-Z]?[a-z0-9]+|[A-Z]+)")
"""A name without a border of words but ``_`` and ``-``, for expressions."""
WORD_BORDER = pattern_of(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def last_part(iri: str) -> str:
    """Return the part of an IRI after its last ``#`` or ``/``; an IRI that ends in one keeps the part before."""
    body = iri.rstrip("#/")
    cut = max(body.rfind("#"), body.rfind("/"))
    return body[(cut if cut >= 0 else body.rfind(":")) + 1 :] or iri


def split_local_name(iri: str) -> str:
    """Split the last part of an IRI into words: ``%`` escapes, underscores, hyphens and camelCase."""
    name = last_part(iri)
    words = WORD_BORDER.sub(" ", re.sub(r"[_-]+", " ", unquote(name)))
    return " ".join(words.split()) or name


def split_plain_names(iris: pl.Series) -> pl.Series | None:
    """Do the same as `split_local_name` for IRIs of one namespace whose names need only blanks for ``_`` and ``-``, in a third of the time of `split_local_names`; None for others."""
    first = str(iris[0]) if len(iris) else ""
    namespace = first[: max(first.rfind("#"), first.rfind("/")) + 1]
    names = iris.str.strip_prefix(namespace)
    if not (re.match(SIMPLE_IRI, first) and iris.str.starts_with(namespace).all() and names.str.contains(PLAIN).all()):
        return None
    words = names.str.replace_all("_", " ", literal=True)
    return words.str.replace_all("-", " ", literal=True) if words.str.contains("-", literal=True).any() else words


def split_local_names(iris: pl.Series) -> pl.Series:
    """Do the same as `split_local_name` for a column of simple IRIs at once; any other text gives anything."""
    # Most names of a file begin with one namespace, and to cut it off takes a quarter of the time of an expression.
    first = str(iris[0]) if len(iris) else ""
    names = iris.str.strip_prefix(first[: max(first.rfind("#"), first.rfind("/")) + 1])
    if names.str.contains("[#/]").any():
        names = names.str.replace(r"^.*[#/]", "")
    words = names.str.replace_all("_", " ", literal=True).str.replace_all("-", " ", literal=True)
    if words.str.contains("^ |  | $").any():
        words = words.str.replace_all(" +", " ").str.strip_chars(" ")
    # Expressions have no look-behind; no two borders share the letters that are looked at.
    borders = (r"([a-z0-9])([A-Z])", r"([A-Z])([A-Z][a-z])")
    if words.str.contains("|".join(borders)).any():
        for border in borders:
            words = words.str.replace_all(border, "$1 $2")
    return words.zip_with(words != "", names) if (words == "").any() else words


def choose_labels(
    statements: Mapping[str, Iterable[ox.Triple]], nodes: Collection[str], language: str
) -> dict[str, str]:
    """Choose the label of each node, independent of the order of labels.

    The preferred language comes first, then its regional variants, then labels without a language, then any other; within
    one of these rdfs:label before skos:prefLabel, then the alphabet. A title names what has no label.
    """
    best: dict[str, tuple[int, int, int, str, str]] = {}
    forms: dict[object, object] = {triple.subject: triple.object for triple in statements.get(XL_FORM, ())}
    for order, predicate in enumerate(NAMES):
        is_title = int(predicate in TITLES)
        for triple in statements.get(predicate, ()):
            node = triple.subject
            identifier = node.value if isinstance(node, ox.NamedNode) else str(node)
            if identifier not in nodes:
                continue
            label = forms.get(triple.object) if predicate == XL_LABEL else triple.object
            if not isinstance(label, ox.Literal) or not (text := label.value.strip()):
                continue
            tag = label.language or ""
            candidate = (is_title, _rank(tag, language), order, tag, text)
            best[identifier] = min(candidate, best.get(identifier, candidate))
    return {node: label for node, (*_, label) in best.items()}


@lru_cache
def _rank(tag: str, preferred: str) -> int:
    if tag.lower() == preferred.lower():
        return 0
    if tag.lower().startswith(f"{preferred.lower()}-"):
        return 1
    return 3 if tag else 2
