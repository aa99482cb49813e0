"""Matches declared by the user: equivalent names, and whole alignments made by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import fspath
from typing import ClassVar

import numpy as np

from goldassay.axioms.markdown import read_columns, split_page
from goldassay.axioms.match import Names, number_names
from goldassay.axioms.model import PARTS, Axioms
from goldassay.axioms.reading import TABLES
from goldassay.core.context import Context
from goldassay.core.counts import Counts
from goldassay.core.errors import RecordError, name_file, names_file
from goldassay.core.matching import NO_MATCH, Side
from goldassay.core.measure import MatchingType, Measure
from goldassay.core.parameters import parameter
from goldassay.core.signature import Signature
from goldassay.formats import load, recognise
from goldassay.formats.choose_columns import Roles
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import EQUIVALENCES, MATCHES
from goldassay.formats.tables import Table


def read_declared(path: str, roles: Roles, *, blank: frozenset[str] = frozenset()) -> Table:
    """Read a table of declared matches; ``page.md#3`` is the third such table of a Markdown page."""
    file, number = split_page(path)
    with name_file(file):
        source = load(file)
        bad = BadRecords()
        table = read_columns(source, recognise(source, TABLES), bad, roles, choose=roles.chooser(), number=number)
        return table.fill(bad, blank=blank)


@names_file
def read_equivalences(path: str, *, pred: Axioms, gold: Axioms) -> list[tuple[str, str]]:
    """Read which names of the prediction are equivalent to which names of gold, as pairs of keys."""
    # A name that the prediction does not use has no effect: one file can be used for several predictions.
    declared = read_declared(path, EQUIVALENCES)
    known = set(gold.keys.tolist())
    pairs = []
    for row, (predicted_name, gold_name) in enumerate(declared.frame.select("pred", "gold").iter_rows()):
        key = gold.spelling.key(gold_name)
        if key not in known:
            raise RecordError(
                f"Gold has no class, property or object {gold_name!r}.",
                line=declared.line(row),
                found=f"{predicted_name}, {gold_name}",
                expected="a name of the prediction, then the equivalent name of gold",
                hint="the first column is for the prediction, the second for gold",
            )
        pairs.append((pred.spelling.key(predicted_name), key))
    return pairs


@names_file
def read_alignment(path: str, *, pred: Axioms, gold: Axioms) -> tuple[Side, Side]:
    """Read an alignment made by hand, which replaces the search: the columns pred, gold and score."""
    # An axiom is ``class, property, object`` in one cell, and its credit is the best of its scores. A row of score 0
    # states that an axiom has no match; the other cell may then be empty.
    declared = read_declared(path, MATCHES, blank=frozenset({"pred", "gold"}))
    predicted, reference = _Axioms.of("prediction", pred), _Axioms.of("gold", gold)
    pairs = []
    for row, (predicted_name, gold_name, written) in enumerate(
        declared.frame.select("pred", "gold", "score").iter_rows()
    ):
        line = declared.line(row)
        score = _score(written, line)
        if score:
            pairs.append((predicted.row(predicted_name, line), reference.row(gold_name, line), score))
    turned = [(there, here, score) for here, there, score in pairs]
    return _side(len(pred), pairs), _side(len(gold), turned)


@dataclass(frozen=True)
class _Axioms:
    """The axioms of one side, looked up by their names."""

    side: str
    axioms: Axioms
    rows: Mapping[tuple[str, ...], int]

    @classmethod
    def of(cls, side: str, axioms: Axioms) -> _Axioms:
        keys = axioms.keys.tolist()
        return cls(side, axioms, {tuple(keys[name] for name in names): row for row, names in enumerate(axioms.rows)})

    def row(self, text: str, line: int | None) -> int:
        parts = [part.strip() for part in text.split(",")]
        if len(parts) != len(PARTS):
            raise RecordError("Invalid axiom.", line=line, found=repr(text), expected="class, property, object")
        row = self.rows.get(tuple(self.axioms.spelling.key(part) for part in parts))
        if row is None:
            raise RecordError(
                f"The {self.side} has no such axiom.",
                line=line,
                found=text,
                expected=f"one of the {len(self.axioms):,} axioms of {self.axioms.path or 'the ' + self.side}",
                hint="check the spelling; --fold-case and --strip-key also apply to the alignment",
            )
        return row


def _score(written: str, line: int | None) -> float:
    try:
        score = float(written)
    except ValueError:
        score = math.nan
    if not 0 <= score <= 1:
        raise RecordError("Invalid score.", line=line, found=repr(written), expected="a number in [0, 1]")
    return score


def _side(count: int, pairs: Sequence[tuple[int, int, float]]) -> Side:
    credit = np.zeros(count)
    counterpart = np.full(count, NO_MATCH, dtype=np.int64)
    for here, there, score in sorted(pairs):
        if score > credit[here]:
            credit[here], counterpart[here] = score, there
    return Side.of_credit(credit, counterpart)


@dataclass(frozen=True, kw_only=True)
class DeclaredMeasure(Measure[Axioms, MatchingType]):
    """A measure of axioms for which names may be declared equivalent."""

    family: ClassVar[str] = "axioms"

    equivalences: str | None = parameter(None, help="a table (pred, gold) of equivalent names", metavar="FILE")

    def numbers(self, *, pred: Axioms, gold: Axioms, context: Context) -> Names:
        """Number the names of both sides alike."""
        del context
        declared = read_equivalences(self.equivalences, pred=pred, gold=gold) if self.equivalences else ()
        return number_names(pred=pred, gold=gold, equivalences=declared)

    @property
    def files(self) -> tuple[str, ...]:
        """The files of declared matches, of which one may be a table of a page."""
        return tuple(fspath(split_page(path)[0]) for path in super().files)

    def sign(self, *, pred: Axioms, gold: Axioms, counts: Counts, context: Context) -> Signature:
        """Build the signature, which begins with the digests of the declared files."""
        signature = super().sign(pred=pred, gold=gold, counts=counts, context=context)
        return replace(
            signature, fields={**{name: signature.fields[name] for name in self.named_files}, **signature.fields}
        )
