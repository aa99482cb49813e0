"""The texts of nodes: labels, or else their names, split into words or not."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import ne
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from goldassay.core.intern import FEW, Names, StringArray, number_columns
from goldassay.core.patterns import pattern_of
from goldassay.formats.labels import OBO, SIMPLE_IRI, last_part, split_local_name, split_local_names, split_plain_names
from goldassay.kernels.ragged import places_of

IDENTIFIER = pattern_of(r"[A-Za-z][\w+.-]*:\S+")
"""An IRI or a CURIE; any other name is its own local name."""
WHOLE_IRI = pattern_of(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")
CURIE = pattern_of(r"[A-Za-z_][\w.-]*:(\S+)")
OBO_NAME = pattern_of(r"[A-Za-z][A-Za-z0-9.-]*_(\w+)")


def title(iri: str) -> str:
    """Return the last part of an IRI with spaces for underscores, otherwise unchanged: OLLM's titles."""
    return last_part(iri).replace("_", " ")


def local_name(identifier: str) -> str:
    """Return the local name of an identifier: the last part of an IRI, and of a CURIE the part after its prefix."""
    # An IRI of the OBO Foundry is a CURIE (`obo/GO_0005634` is `GO:0005634`), and so is a last part with a colon.
    if not IDENTIFIER.fullmatch(identifier):
        return identifier
    name = last_part(identifier)
    curie = (OBO_NAME if identifier.startswith(OBO) else CURIE).fullmatch(name)
    return curie[1] if curie else name


def warn_of_shared_names(identifiers: Sequence[str], text: str) -> tuple[str, ...]:
    """Warn how many identifiers have a local name that another one has too; nothing unless local names are compared."""
    if text != "name":
        return ()
    counts = Counter(map(local_name, identifiers))
    shared = sum(count for count in counts.values() if count > 1)
    return (
        (f"{shared:,} nodes share their local name with another one; --text iri distinguishes them",) if shared else ()
    )


def compose_texts(texts: Iterable[str]) -> tuple[list[str], int]:
    """Write texts in Unicode's composed form (NFC), and count those that this changes."""
    given = list(texts)
    normal = [text if text.isascii() else unicodedata.normalize("NFC", text) for text in given]
    return normal, sum(map(ne, given, normal))


def number_texts(*columns: Names | StringArray) -> tuple[StringArray, list[NDArray[np.int64]]]:
    """Sort the texts of some columns, each text once, and return the position of each cell in that order."""
    found, places = number_columns(*columns)
    texts = Names(found).tolist()
    order = np.array(sorted(range(len(texts)), key=texts.__getitem__), dtype=np.int64)
    rank = places_of(order, len(order))
    return Names(texts).take(order).array, [rank[one] for one in places]


NAMED: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {"label": split_local_name, "title": title, "name": local_name, "iri": str}
)
"""How each choice of text names a node that has no label."""
UNLABELLED = frozenset({"name", "iri"})
"""Choices of text that do not use labels."""


def node_texts(names: Names, given: Mapping[str, str], text: str) -> tuple[Names, int]:
    """Return the text of each node by a choice of text, and count those that the composed form of Unicode changes."""
    if len(names) > FEW and not given:
        return _read_many_texts(names, text)
    every = "".join(names)
    # A name in ASCII without a colon is its own text, for every choice of text.
    if not given and every.isascii() and ":" not in every:
        return names, 0
    texts, changed = compose_texts(text_of(node, given, text) for node in names)
    return Names(texts), changed


def _read_many_texts(names: Names, text: str) -> tuple[Names, int]:
    """Do the same for many names: only those are looked at one by one that no expression can name."""
    column = names.series
    odd = column.str.contains(r"[:\x80-\x{10FFFF}]")
    if not odd.any():
        return names, 0
    if NAMED[text] is split_local_name:
        plain = split_plain_names(column)
        if plain is not None:
            return Names(plain), 0
        simple = column.str.contains(SIMPLE_IRI)
        column = split_local_names(column).zip_with(simple, column)
        odd &= ~simple
    rows = odd.arg_true()
    texts, changed = compose_texts(text_of(node, {}, text) for node in names.series.gather(rows))
    return Names(column.scatter(rows, texts) if texts else column), changed


def text_of(node: str, given: Mapping[str, str], text: str) -> str:
    """Return the text of a node: its own where the file gives one, else one made of its identifier."""
    named = NAMED[text]
    if text in UNLABELLED:
        return named(node)
    return given.get(node) or (named(node) if "://" in node and WHOLE_IRI.fullmatch(node) else node)
