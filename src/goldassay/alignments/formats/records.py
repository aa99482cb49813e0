"""Correspondences as a file states them, before anything is merged: columns of text, and what is wrong with a row."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.relations import RELATIONS, relation_code
from goldassay.core.errors import RecordError
from goldassay.formats.records import BadRecords

if TYPE_CHECKING:
    import polars as pl

UNKNOWN = -1


@dataclass(frozen=True, kw_only=True)
class Stated:
    """The rows of a file.

    Attributes:
        sources: Text or categories.
        targets: The same for the targets.
        relations: Words for relations; None if the file has none.
        scores: Numbers, or text that should be numbers; None if the file has none.
        locate: Returns the line of a row, from 1; None for formats without lines.
        denied: Whether each row denies the correspondence; None if no row does.
        notes: Notes for the user on how the file was read.
    """

    sources: pl.Series
    targets: pl.Series
    relations: pl.Series | None = None
    scores: pl.Series | None = None
    locate: Callable[[int], int | None] = lambda row: None  # noqa: ARG005 - the row has no line
    denied: NDArray[np.bool_] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Sieve:
    """The rows of a file while the bad ones are rejected.

    Attributes:
        stated: The rows.
        path: The file.
        bad: Receives the bad rows.
        good: Which rows are good so far, changed in place.
    """

    stated: Stated
    path: str
    bad: BadRecords
    good: NDArray[np.bool_]

    @classmethod
    def of(cls, stated: Stated, path: str, bad: BadRecords) -> Sieve:
        """Start with every row being good."""
        return cls(stated=stated, path=path, bad=bad, good=np.ones(len(stated.sources), dtype=np.bool_))

    def reject(self, row: int, error: RecordError) -> None:
        """Reject a row.

        Raises:
            RecordError: The error, with its place, unless bad records are skipped.
        """
        self.good[row] = False
        error.path, error.line = self.path, self.stated.locate(row)
        self.bad.add(error)


def located(make: Callable[[], Sequence[int]]) -> Callable[[int], int | None]:
    """Look up lines in a list that is created on first use.

    Args:
        make: Lists the line of every row.
    """
    known = functools.cache(make)
    return lambda row: known()[row] if row < len(known()) else None


def relation_codes(sieve: Sieve) -> NDArray[np.int8] | None:
    """Read the relation of each row; rows whose relation is unknown are bad.

    Args:
        sieve: The rows.

    Returns:
        Rows of ``RELATIONS``, int8; None if the file has no relations.

    Raises:
        RecordError: For the first bad row, unless bad records are skipped.
    """
    import polars as pl

    if sieve.stated.relations is None:
        return None
    words = sieve.stated.relations.cast(pl.String).fill_null("")
    codes = {word: relation_code(word) for word in words.unique().to_list()}
    known = {word: UNKNOWN if code is None else code for word, code in codes.items()}
    column = words.replace_strict(known, return_dtype=pl.Int8) if known else pl.Series([], dtype=pl.Int8)
    numbers = column.to_numpy().astype(np.int8)
    for row in np.flatnonzero((numbers == UNKNOWN) & sieve.good).tolist():
        sieve.reject(row, _unknown_relation(words[row]))
    return numbers


def _unknown_relation(word: str) -> RecordError:
    return RecordError(
        f"The relation {word!r} is unknown." if word else "The relation is empty.",
        found=repr(word),
        expected=f"one of {' '.join(RELATIONS)}, or a mapping predicate such as skos:exactMatch",
        hint="--relation-column none reads every row as an equivalence",
    )


def score_numbers(sieve: Sieve, *, any_number: bool) -> NDArray[np.float64] | None:
    """Read the score of each row; rows whose score is not a finite number, or not in [0, 1], are bad.

    Args:
        sieve: The rows.
        any_number: Whether scores outside of [0, 1] are allowed.

    Returns:
        Scores, float64; None if the file has none.

    Raises:
        RecordError: For the first bad row, unless bad records are skipped.
    """
    import polars as pl

    column = sieve.stated.scores
    if column is None:
        return None
    plain = column.str.strip_chars() if column.dtype == pl.String else column
    scores = plain.cast(pl.Float64, strict=False).fill_null(math.nan).to_numpy()
    wrong = ~np.isfinite(scores)
    if not any_number:
        wrong |= (scores < 0) | (scores > 1)
    for row in np.flatnonzero(wrong & sieve.good).tolist():
        sieve.reject(row, _score_error(column[row]))
    return scores


def _score_error(found: object) -> RecordError:
    try:
        number = float(str(found))
    except ValueError:
        number = math.nan
    if math.isfinite(number):
        return RecordError(
            "The score is not in [0, 1].",
            found=repr(found),
            expected="a number in [0, 1]",
            hint="another column: --score-column NAME; or allow any number: --scores any",
        )
    return RecordError("The score is not a number.", found=repr(found), expected="a number in [0, 1]")


def columns_error(wanted: str, role: str, columns: Sequence[str], path: str) -> RecordError:
    """Build the error for a table without a column for a role; it lists the columns."""
    return RecordError(
        f"The table has no column {wanted!r}." if wanted else f"No column is recognised as the {role}.",
        path=path,
        line=1,
        found=f"the columns {', '.join(columns)}"[:300],
        expected=f"a column for the {role}",
        hint=f"name it: --{role}-column {columns[0] if columns else 'NAME'}",
    )
