"""A family of one's own: flat lists of terms, one per line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from typing import ClassVar

import numpy as np

from goldassay.core.context import Context
from goldassay.core.errors import InputError
from goldassay.core.family import Family, Measures, Reading, Trust
from goldassay.core.matching import Matching, Side
from goldassay.core.measure import PrecisionRecallMeasure
from goldassay.core.model import Provenance
from goldassay.core.parameters import Options, parameter
from goldassay.formats import load
from goldassay.formats.source import text_of


@dataclass(frozen=True, eq=False, kw_only=True)
class Terms(Provenance):
    """Unique terms.

    Attributes:
        terms: The terms, in the order of the file.
    """

    terms: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.terms)

    def item(self, row: int) -> str:
        """Name one term."""
        return self.terms[row]


@dataclass(frozen=True, kw_only=True)
class TermReading(Options):
    """Options for reading a file as terms.

    Attributes:
        fold_case: Whether case is ignored.
    """

    fold_case: bool = parameter(False, help="Ignore case.")


def read_terms(path: str | PathLike[str], reading: TermReading) -> Terms:
    """Read the terms of a file; a term that is there twice counts once.

    Raises:
        InputError: If the file has no term.
    """
    lines = [line.strip() for line in text_of(load(path)).split("\n")]
    terms = [line.casefold() if reading.fold_case else line for line in lines if line]
    if not terms:
        raise InputError("The file has no term.", path=fspath(path), expected="one term per line")
    unique = tuple(dict.fromkeys(terms))
    return Terms(path=fspath(path), format="terms", terms=unique, left_out={"duplicates": len(terms) - len(unique)})


@dataclass(frozen=True, kw_only=True)
class TermF1(PrecisionRecallMeasure[Terms, Matching[Terms]]):
    """Precision, recall and F1 of terms that both sides have."""

    name: ClassVar[str] = "term_f1"
    title: ClassVar[str] = "Term F1"
    family: ClassVar[str] = "terms"
    unit: ClassVar[str] = "term"
    formula: ClassVar[str] = r"P = \frac{|T' \cap T|}{|T'|},\quad R = \frac{|T' \cap T|}{|T|}"
    citation: ClassVar[str] = "dellschaft2006gold"

    def match(self, *, pred: Terms, gold: Terms, context: Context) -> Matching[Terms]:
        """Find the terms that the other side has too."""
        del context
        return Matching(
            pred=Side.of_hits(np.isin(pred.terms, gold.terms)),
            gold=Side.of_hits(np.isin(gold.terms, pred.terms)),
            pred_items=pred,
            gold_items=gold,
        )


def find_warnings(pred: Terms, gold: Terms) -> Iterator[str]:
    """Return whether prediction and gold have nothing in common."""
    if set(pred.terms).isdisjoint(gold.terms):
        yield "prediction and gold have no term in common"


FAMILY = Family(
    kind="terms",
    title="Lists of terms",
    item="term",
    about="Score lists of terms against a gold standard.\n\nReads text files with one term per line, also gzipped.",
    reading=Reading(
        options=TermReading,
        read=read_terms,
    ),
    measures=Measures(
        classes=(TermF1,),
        default=(TermF1(),),
    ),
    trust=Trust(
        warnings=find_warnings,
    ),
)
