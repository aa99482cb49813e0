"""Tables of ratings and of scores: read into matrices of systems and items."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike

import numpy as np

from goldassay.core.errors import InputError, names_file
from goldassay.formats import load, recognise
from goldassay.formats.column_names import bare
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import TABLES, records_of
from goldassay.meta.statistics import DIGITS, Matrix, mean_along

ROLES = ITEM, SYSTEM, RATER, RATING = "item", "system", "rater", "rating"
WHOLE = "all"
"""The item of tables without a column of items: they are of systems as a whole."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Ratings:
    """The ratings by people of the output of systems on items.

    Attributes:
        items: The items, in order of first appearance.
        systems: The systems, likewise.
        raters: The ratings of each rater, float64, shape (systems, items) each; nan where there is none.
    """

    items: tuple[str, ...]
    systems: tuple[str, ...]
    raters: Mapping[str, Matrix]
    path: str | None = None

    @classmethod
    def of(cls, rows: Iterable[tuple[str, str, str, float]], *, path: str | None = None) -> Ratings:
        """Collect rows of item, system, rater and rating.

        Raises:
            InputError: If a rater rates an output twice, or there is no row.

        Example:
            >>> ratings = Ratings.of([("i1", "a", "ann", 3.0), ("i1", "b", "ann", 1.0)])
            >>> ratings.systems, ratings.mean.tolist()
            (('a', 'b'), [[3.0], [1.0]])
        """
        given = list(rows)
        if not given:
            raise InputError("The table contains no rating.", expected="rows of item, system, rater and rating")
        items, systems, raters = (list(dict.fromkeys(str(row[place]) for row in given)) for place in (0, 1, 2))
        found = {rater: np.full((len(systems), len(items)), np.nan) for rater in raters}
        column, line = ({name: place for place, name in enumerate(names)} for names in (items, systems))
        for item, system, rater, rating in given:
            cell = line[system], column[item]
            if not math.isnan(found[rater][cell]):
                raise InputError(
                    "An output is rated twice by one rater.",
                    found=f"item {item!r}, system {system!r}, rater {rater!r}",
                    expected="one row each",
                )
            found[rater][cell] = rating
        return cls(items=tuple(items), systems=tuple(systems), raters=found, path=path)

    def ordered(self) -> Ratings:
        """Order items, systems and raters by their names, so that no draw depends on the order of rows.

        Example:
            >>> Ratings.of([("i1", "b", "ann", 3.0), ("i1", "a", "ann", 1.0)]).ordered().raters["ann"].tolist()
            [[1.0], [3.0]]
        """
        lines, columns = (sorted(range(len(names)), key=names.__getitem__) for names in (self.systems, self.items))
        return Ratings(
            items=tuple(self.items[place] for place in columns),
            systems=tuple(self.systems[place] for place in lines),
            raters={name: self.raters[name][np.ix_(lines, columns)] for name in sorted(self.raters)},
            path=self.path,
        )

    @property
    def mean(self) -> Matrix:
        """The mean rating of each output, float64, shape (systems, items); nan where there is none."""
        return mean_of(list(self.raters.values()))


def mean_of(matrices: Sequence[Matrix]) -> Matrix:
    """Average matrices, cell by cell, over what is not nan."""
    # Means of these means are rounded again, and would differ by what was lost if both were rounded alike.
    return mean_along(np.stack(matrices), 0, DIGITS + 2)


@dataclass(frozen=True, eq=False, kw_only=True)
class Scores:
    """Scores of measures for the outputs of systems on items.

    Attributes:
        values: The score of each output (item, system) by each measure.
    """

    values: Mapping[str, Mapping[tuple[str, str], float]] = field(default_factory=dict)
    path: str | None = None

    def matrix(self, measure: str, ratings: Ratings) -> Matrix:
        """Arrange the scores of a measure like the ratings; nan for a missing one."""
        values = self.values[measure]
        return np.array(
            [[values.get((item, system), math.nan) for item in ratings.items] for system in ratings.systems],
            dtype=np.float64,
        )


@names_file
def read_ratings(path: str | PathLike[str]) -> Ratings:
    """Read a table of ratings: columns item, system, rating, and perhaps rater; without items, of systems as a whole.

    Raises:
        InputError: If a column is missing, a rating is not a number, or a rater rates an output twice.
    """
    rows = _rows(path, needed=(ITEM, SYSTEM, RATING))
    called = str(path)
    return Ratings.of(
        ((row[ITEM], row[SYSTEM], row.get(RATER, "people"), _number(row[RATING], line, RATING)) for line, row in rows),
        path=called,
    )


@names_file
def read_scores(path: str | PathLike[str]) -> Scores:
    """Read a table of scores: columns item and system, and a column for each measure; an empty cell is no score.

    Without a column of items the scores are of systems as a whole.

    Raises:
        InputError: If a column is missing, a score is not a number, or an output has two rows.
    """
    called = str(path)
    found: dict[str, dict[tuple[str, str], float]] = {}
    seen: set[tuple[str, str]] = set()
    for line, row in _rows(path, needed=(ITEM, SYSTEM)):
        key = row.pop(ITEM), row.pop(SYSTEM)
        if key in seen:
            raise InputError("An output is scored twice.", line=line, found=f"item {key[0]!r}, system {key[1]!r}")
        seen.add(key)
        for name, cell in row.items():
            scores = found.setdefault(name, {})
            if cell.strip():
                scores[key] = _number(cell, line, name)
    if not found:
        raise InputError("The table has no column of scores.", expected="a column for each measure")
    return Scores(values=found, path=called)


def _rows(path: str | PathLike[str], *, needed: Sequence[str]) -> Iterator[tuple[int | None, dict[str, str]]]:
    """Read a table with a header, record by record, with its lines."""
    source = load(path)
    name = recognise(source)
    if name not in TABLES:
        raise InputError("Not a table.", found=name, expected=", ".join(TABLES))
    for line, cells, _ in records_of(source, name, BadRecords()):
        row = {
            bare(column) if bare(column) in ROLES else column: "" if cell is None else str(cell)
            for column, cell in cells.items()
        }
        row.setdefault(ITEM, WHOLE)
        missing = [column for column in needed if column not in row]
        if missing:
            raise InputError(
                f"The table has no column {missing[0]!r}.",
                found=", ".join(map(str, cells)),
                expected=", ".join(needed),
            )
        yield line, row


def _number(text: str, line: int | None, column: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"The {column} is not a number.", line=line, found=repr(text), expected="a finite number")
    return value
