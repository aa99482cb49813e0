"""Correspondences as a file states them, before anything is merged: columns of text, and what is wrong with a row."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from karat.alignments.relations import RELATIONS, relation_code
from karat.core.errors import RecordError
from karat.formats.records import BadRecords

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, kw_only=True)
class Stated:
    """The rows of a file.

    Attributes:
        sources: Text or categories.
        targets: Likewise.
        relations: Words for relations; None if the file has none.
        scores: Numbers, or text that should be numbers; None if the file has none.
        locate: Says on which line a row stands, from 1; None where there are no lines.
        denied: Whether each row denies the correspondence; None if no row does.
        notes: What a person should know about how the file was understood.
    """

    sources: pl.Series
    targets: pl.Series
    relations: pl.Series | None = None
    scores: pl.Series | None = None
    locate: Callable[[int], int | None] = lambda row: None  # noqa: ARG005 - the row has no line
    denied: NDArray[np.bool_] | None = None
    notes: tuple[str, ...] = ()


def relation_codes(
    stated: Stated, good: NDArray[np.bool_], path: str, bad: BadRecords
) -> NDArray[np.int8] | None:
    """Read the relation of each row; rows whose relation is unknown are bad.

    Args:
        stated: The rows.
        good: Which rows are good, changed in place.
        path: The file.
        bad: Receives the bad rows.

    Returns:
        Rows of ``RELATIONS``, int8; None if the file has no relations.

    Raises:
        RecordError: For the first bad row, unless bad records are skipped.
    """
    import polars as pl

    if stated.relations is None:
        return None
    words = stated.relations.cast(pl.String).fill_null("")
    known = {word: relation_code(word) for word in words.unique().to_list()}
    unknown = [word for word, code in known.items() if code is None]
    codes = {word: -1 if code is None else code for word, code in known.items()}
    column = words.replace_strict(codes, return_dtype=pl.Int8) if codes else pl.Series([], dtype=pl.Int8)
    if unknown:
        for row in (column == -1).arg_true().to_list():
            if good[row]:
                good[row] = False
                bad.add(_unknown_relation(words[row], path, stated.locate(row)))
    return column.to_numpy().astype(np.int8)


def _unknown_relation(word: str, path: str, line: int | None) -> RecordError:
    return RecordError(
        "The relation is empty." if not word else f"The relation {word!r} is unknown.",
        path=path,
        line=line,
        found=repr(word),
        expected=f"one of {' '.join(RELATIONS)}, or a mapping predicate such as skos:exactMatch",
        hint="--relation-column none takes every row for an equivalence",
    )


def score_numbers(
    stated: Stated, good: NDArray[np.bool_], path: str, bad: BadRecords, *, any_number: bool
) -> NDArray[np.float64] | None:
    """Read the score of each row; rows whose score is no finite number, or not in [0, 1], are bad.

    Args:
        stated: The rows.
        good: Which rows are good, changed in place.
        path: The file.
        bad: Receives the bad rows.
        any_number: Whether scores outside of [0, 1] are allowed.

    Returns:
        Scores, float64; None if the file has none.

    Raises:
        RecordError: For the first bad row, unless bad records are skipped.
    """
    import polars as pl

    if stated.scores is None:
        return None
    column = stated.scores
    numbers = column.str.strip_chars().cast(pl.Float64, strict=False) if column.dtype == pl.String else column.cast(pl.Float64, strict=False)
    scores = numbers.fill_null(math.nan).to_numpy()
    wrong = ~np.isfinite(scores)
    if not any_number:
        wrong |= (scores < 0) | (scores > 1)
    for row in np.flatnonzero(wrong & good).tolist():
        good[row] = False
        bad.add(score_error(column[row], path, stated.locate(row)))
    return scores


def score_error(found: object, path: str, line: int | None) -> RecordError:
    """Say that something is no score."""
    try:
        number = float(str(found))
    except ValueError:
        number = math.nan
    if math.isfinite(number):
        return RecordError(
            "The score is not in [0, 1].",
            path=path,
            line=line,
            found=repr(found),
            expected="a number in [0, 1]",
            hint="another column: --score-column NAME; or allow any number: --scores any",
        )
    return RecordError("The score is no number.", path=path, line=line, found=repr(found), expected="a number in [0, 1]")


def columns_error(wanted: str, role: str, columns: Sequence[str], path: str) -> RecordError:
    """Say that a table has no column for a role, and which columns it has."""
    return RecordError(
        f"The table has no column {wanted!r}." if wanted else f"No column is recognised as the {role}.",
        path=path,
        line=1,
        found=f"the columns {', '.join(columns)}"[:300],
        expected=f"a column for the {role}",
        hint=f"name it: --{role}-column {columns[0] if columns else 'NAME'}",
    )


def merged_notes(notes: Mapping[str, int]) -> tuple[str, ...]:
    """Write counted remarks as notes."""
    return tuple(f"{count:,} {remark}" for remark, count in notes.items() if count)
