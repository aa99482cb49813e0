"""Correspondences as a file states them, before anything is merged: columns of text, and what is wrong with a row."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.alignments.model import Texts, column_of, few_texts
from goldassay.alignments.relations import OTHER, RELATIONS, relation_code
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
        input_rows: The place of each row in the table, from 0, int64; None if the file is no table.
        denied: Whether each row denies the correspondence; None if no row does.
        justifications: How each row was found, as text; None if the file does not say.
        open: Whether relations may be any word: what is unknown is another relation, and no bad record.
        scale: Whether scores may be any number, as in files of the OAEI.
        unanswered: Whether the file has no targets, but lists of candidates alone; ``targets`` is then of no meaning.
        prefixes: The namespaces of the prefixes that the file declares.
        unread: Names of columns, tags or metadata that correspondences do not keep.
        unscored: How many rows have no score of their own, where there is a column of scores.
        warnings: What changes what a number means.
    """

    sources: Texts
    targets: Texts
    relations: Texts | None = None
    scores: pl.Series | list[float] | None = None
    locate: Callable[[int], int | None] = lambda row: None  # noqa: ARG005 - the row has no line
    input_rows: NDArray[np.int64] | None = None
    denied: NDArray[np.bool_] | None = None
    justifications: pl.Series | None = None
    open: bool = False
    scale: bool = False
    unanswered: bool = False
    prefixes: Mapping[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    unscored: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Sieve:
    """The rows of a file while the bad ones are rejected.

    Attributes:
        stated: The rows.
        path: The file.
        bad: Receives the bad rows.
        rejected: The rows that are bad, as far as they are known.
    """

    stated: Stated
    path: str
    bad: BadRecords
    rejected: set[int] = field(default_factory=set)

    def good(self) -> NDArray[np.bool_]:
        """Say which rows are good so far, shape (rows,)."""
        good = np.ones(len(self.stated.sources), dtype=np.bool_)
        good[list(self.rejected)] = False
        return good

    def among_good(self, rows: NDArray[np.bool_]) -> list[int]:
        """List the rows of a mask that are good so far."""
        return [row for row in np.flatnonzero(rows).tolist() if row not in self.rejected]

    def reject(self, row: int, error: RecordError) -> None:
        """Reject a row.

        Raises:
            RecordError: The error, with its place, unless bad records are skipped.
        """
        self.rejected.add(row)
        self.bad.add(self.placed(row, error))

    def placed(self, row: int, error: RecordError) -> RecordError:
        """Give an error its place."""
        error.path, error.line = self.path, self.stated.locate(row)
        if error.line is None:
            error.found = f"row {row + 1}" + (f": {error.found}" if error.found else "")
        return error


def located(make: Callable[[], Sequence[int]]) -> Callable[[int], int | None]:
    """Look up lines in a list that is created on first use.

    Args:
        make: Lists the line of every row.
    """
    known: list[Sequence[int]] = []

    def line(row: int) -> int | None:
        if not known:
            known.append(make())
        return known[0][row] if row < len(known[0]) else None

    return line


def relation_codes(sieve: Sieve) -> NDArray[np.int8] | None:
    """Read the relation of each row; rows whose relation is unknown are bad.

    Args:
        sieve: The rows.

    Returns:
        Rows of ``RELATIONS``, int8; None if the file has no relations.

    Raises:
        RecordError: For the first bad row, unless bad records are skipped.
    """
    if sieve.stated.relations is None:
        return None
    words = _without_gaps(sieve.stated.relations)
    nameless = OTHER if sieve.stated.open else UNKNOWN
    known = {word: _known(word, nameless) for word in (set(words) if isinstance(words, list) else words.unique())}
    if len(known) <= 1:
        numbers = np.full(len(words), next(iter(known.values()), UNKNOWN), dtype=np.int8)
    elif isinstance(words, list):
        numbers = np.array([known[word] for word in words], dtype=np.int8)
    else:
        import polars as pl

        numbers = words.replace_strict(known, return_dtype=pl.Int8).to_numpy().astype(np.int8)
    if UNKNOWN in known.values():
        for row in sieve.among_good(numbers == UNKNOWN):
            sieve.reject(row, unknown_relation(words[row]))
    return numbers


def _known(word: str, nameless: int) -> int:
    """Give the code of a word, or of words without one."""
    code = relation_code(word)
    if code is None:
        return nameless if word.strip() else UNKNOWN
    return code


def _without_gaps(words: Texts) -> Texts:
    """List few words, and make a column of many; what is missing is empty."""
    if not isinstance(words, list):
        import polars as pl

        words = words if words.dtype == pl.String else words.cast(pl.String)
        words = words.fill_null("") if words.null_count() else words
    few = few_texts([words])
    return column_of(words) if few is None else few[0]


def unknown_relation(word: str) -> RecordError:
    """Build the error for a word that is no relation."""
    return RecordError(
        f"The relation {word!r} is unknown." if word else "The relation is empty.",
        found=repr(word),
        expected=f"one of {' '.join(RELATIONS)}, or a mapping predicate such as skos:exactMatch",
        hint="--relation-column none reads every row as an equivalence",
    )


class Scores(NamedTuple):
    """The scores of a file.

    Attributes:
        numbers: The score of each row, float64; None if the file has none.
        beyond: How many of the good ones are outside of [0, 1].
        error: The error of the first of these, for measures that use scores; None if any number is allowed.
    """

    numbers: NDArray[np.float64] | None = None
    beyond: int = 0
    error: RecordError | None = None


def scores_of(sieve: Sieve, *, any_number: bool) -> Scores:
    """Read the score of each row; rows whose score is not a finite number are bad.

    A score outside of [0, 1] is one that nobody may need, so that it is bad only if bad records are skipped.

    Args:
        sieve: The rows.
        any_number: Whether scores outside of [0, 1] are allowed.

    Raises:
        RecordError: For the first bad row, unless bad records are skipped.
    """
    column = sieve.stated.scores
    if column is None:
        return Scores()
    scores = np.array(column, dtype=np.float64) if isinstance(column, list) else _numbers(column)
    inside = (scores >= 0) & (scores <= 1)
    if np.count_nonzero(inside) == len(scores):
        return Scores(numbers=scores)
    finite = np.isfinite(scores)
    beyond = finite & ~inside
    allowed = any_number or sieve.stated.scale
    wrong = ~finite | (beyond & (not allowed and sieve.bad.on_error == "skip"))
    for row in sieve.among_good(wrong):
        sieve.reject(row, score_error(column[row]))
    outside = sieve.among_good(beyond)
    error = None if allowed or not outside else sieve.placed(outside[0], score_error(column[outside[0]]))
    return Scores(numbers=scores, beyond=len(outside), error=error)


def _numbers(column: pl.Series) -> NDArray[np.float64]:
    """Read texts or numbers as numbers; what is none is nan."""
    import polars as pl

    plain = column.str.strip_chars() if column.dtype == pl.String else column
    numbers = plain.cast(pl.Float64, strict=False)
    return (numbers.fill_null(math.nan) if numbers.null_count() else numbers).to_numpy()


def score_error(found: object) -> RecordError:
    """Build the error for a score that is no number, or not in [0, 1]."""
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
