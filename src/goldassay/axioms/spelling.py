"""How names of classes, properties and objects are written before they are compared."""

from __future__ import annotations

import re
from dataclasses import dataclass

from goldassay.core.intern import TextColumn, as_names
from goldassay.core.patterns import pattern_of
from goldassay.formats.labels import last_part

IRI = pattern_of(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")
XSD = pattern_of(r"^xsd?:(?=\w)")
"""The prefix of the datatypes of XML Schema."""
SUBCLASS_OF = "subClassOf"
SUBCLASS_WORDS = frozenset({"subclassof", "rdfs:subclassof", "http://www.w3.org/2000/01/rdf-schema#subclassof"})


@dataclass(frozen=True, kw_only=True)
class Spelling:
    """How spellings are normalised."""

    iris: bool = False  # stay whole; else their last part is the name
    fold_case: bool = False
    strip_key: bool = False  # a key in brackets at the end is removed

    def name(self, text: str) -> str:
        """Cut a name down to its readable part."""
        if text[-10:].lower() == "subclassof" and text.lower() in SUBCLASS_WORDS:
            return SUBCLASS_OF
        name = text
        if not self.iris:
            name = last_part(text) if "://" in text and IRI.fullmatch(text) else XSD.sub("", text)
        return cut_key(name) if self.strip_key else name

    def names(self, texts: TextColumn) -> list[str]:
        """Cut distinct names down to their readable parts: the same list if that changes none of a few."""
        column = as_names(texts)
        # All other names stay as they are.
        odd = r"://|(?i:subclassof)$|^xsd?:" + (r"|\)" if self.strip_key else "")
        if column.is_large():
            rows = column.series.str.contains(odd).arg_true().to_list()
        else:
            every = "".join(column.listed).lower()
            may_be_odd = "://" in every or "subclassof" in every or ")" in every or "xs" in every
            rows = [row for row, text in enumerate(column.listed) if re.search(odd, text)] if may_be_odd else []
        if not rows:
            return column.listed
        names = column.tolist()
        for row in rows:
            names[row] = self.name(names[row])
        return names

    def key(self, text: str) -> str:
        """Normalise a name, so that equivalent spellings are equal."""
        return self.fold(self.name(text))

    def fold(self, name: str) -> str:
        """Fold the case of a name, if case is ignored."""
        return name.casefold() if self.fold_case else name


def cut_key(name: str) -> str:
    """Cut a key in brackets off the end of a name."""
    end = name.rstrip()
    start = end.rfind("(")
    if start < 0 or not end.endswith(")") or ")" in end[start:-1]:
        return name
    return end[:start].rstrip() or name


EXACT = Spelling()
"""The default options."""
