"""Texts as numbers: equal texts have one number. Texts are numbered here and nowhere else."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate, count, pairwise
from operator import ne
from typing import Any, TypeAlias, cast, overload

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import InputError
from goldassay.core.libraries import pl
from goldassay.kernels.keys import firsts

StringArray: TypeAlias = NDArray[Any]
"""A numpy column of ``np.dtypes.StringDType``, shape (n,)."""
Places: TypeAlias = NDArray[np.int32]
FEW = 2_000
"""Up to so many cells a dictionary is faster than polars and numpy."""
PART = 2**16
"""So many texts of a growing column become a column of polars, which holds them in less memory than a list."""


def string_array(texts: Sequence[str]) -> StringArray:
    """Put texts into one numpy string column."""
    try:
        return np.array(list(texts), dtype=np.dtypes.StringDType())
    except UnicodeEncodeError as error:
        found = f"the lone surrogate {error.object[error.start]!a} of a pair"
        raise InputError("A text cannot be stored.", found=found, expected="text in Unicode") from error


class Names:
    """A column of texts, kept as what it was made of; the other forms are made when they are asked for."""

    __slots__ = ("_array", "_list", "_series")

    def __init__(self, texts: TextColumn) -> None:
        self._list: list[str] | None = None
        self._array: StringArray | None = None
        self._series: pl.Series | None = None
        if isinstance(texts, Names):
            self._list, self._array, self._series = texts._list, texts._array, texts._series  # noqa: SLF001
        elif isinstance(texts, np.ndarray):
            self._array = texts
        elif isinstance(texts, list):
            self._list = texts
        elif isinstance(texts, tuple):
            self._list = list(texts)
        else:
            self._series = cast("pl.Series", texts)

    @property
    def listed(self) -> list[str]:
        """The texts as a list, made once; it is not to be changed."""
        if self._list is None:
            self._list = self._series.to_list() if self._array is None else self._array.tolist()  # type: ignore[union-attr]
        return self._list

    def tolist(self) -> list[str]:
        """Return the texts as a new list."""
        return list(self.listed)

    @property
    def array(self) -> StringArray:
        """The texts as a numpy column, made once."""
        if self._array is None:
            self._array = string_array(self.listed)
        return self._array

    @property
    def series(self) -> pl.Series:
        """The texts as a column of polars, made once."""
        if self._series is None:
            self._series = pl.Series(self.listed, dtype=pl.String)
        return self._series

    def is_large(self) -> bool:
        """Return whether polars numbers the texts sooner than a dictionary: there are many, or they are categories."""
        if self._series is None:
            return len(self) > FEW
        return len(self._series) > FEW or self._series.dtype == pl.Categorical

    def take(self, rows: NDArray[np.integer[Any]]) -> Names:
        """Keep some texts, in the order of the rows."""
        if self._series is not None:
            return Names(self._series.gather(rows))
        if self._list is not None:
            return Names(list(map(self._list.__getitem__, rows.tolist())))
        return Names(self.array[rows])

    def list_at(self, rows: NDArray[np.integer[Any]]) -> list[str]:
        """List the texts of some rows; of fewer texts than rows each becomes an object once.

        Example:
            >>> Names(["cat", "dog"]).list_at(np.array([1, 0, 1]))
            ['dog', 'cat', 'dog']
        """
        if self._series is None and len(self) <= len(rows):
            return list(map(self.listed.__getitem__, rows.tolist()))
        return self.take(rows).listed

    def append(self, text: str) -> Names:
        """Return the texts with one more."""
        if self._series is None:
            return Names([*self.listed, text])
        return Names(pl.concat([self._series, pl.Series([text], dtype=self._series.dtype)], rechunk=True))

    def rewrite(self) -> Names:
        """Copy the texts, so that the memory of the cells that they were taken from, and of those around them, is free."""
        return self if self._series is None else Names(self._series + "")

    def changes(self) -> NDArray[np.bool_]:
        """Return whether each text differs from the one before it; the first does."""
        if self._series is not None:
            return (self._series != self._series.shift()).fill_null(value=True).to_numpy()
        texts = self.listed
        return np.array([True, *map(ne, texts[1:], texts)][: len(texts)], dtype=np.bool_)

    def places_of(self, wanted: Collection[str]) -> list[int]:
        """List the places of some texts."""
        if self._list is None and self._series is not None:
            places: list[int] = self._series.is_in(list(wanted)).arg_true().to_list()
            return places
        return [place for place, text in enumerate(self.listed) if text in wanted]

    def is_disjoint(self, other: Names) -> bool:
        """Return whether another column has none of the texts."""
        if len(self) + len(other) <= FEW:
            return set(self.listed).isdisjoint(other.listed)
        # Most columns that share texts share some of the first ones.
        some = self.series.head(FEW)
        return not (other.series.is_in(some.implode()).any() or self.series.is_in(other.series.implode()).any())

    def used(self, *columns: Places) -> tuple[Names, list[Places]]:
        """Keep the texts that some columns of places name, in order of first appearance, and give the new places."""
        every = np.concatenate(columns)
        kept = every[first_of_each(every)]
        place = np.zeros(len(self), dtype=np.int32)
        place[kept] = np.arange(len(kept), dtype=np.int32)
        return self.take(kept), [place[column] for column in columns]

    def __len__(self) -> int:
        if self._list is not None:
            return len(self._list)
        return len(self._series) if self._array is None else len(self._array)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[str]:
        return iter(self.listed)

    @overload
    def __getitem__(self, rows: int | np.integer[Any]) -> str: ...
    @overload
    def __getitem__(self, rows: NDArray[Any] | slice | list[int]) -> StringArray: ...
    def __getitem__(self, rows: Any) -> Any:
        if isinstance(rows, int | np.integer) and self._array is None:
            return self._series[int(rows)] if self._list is None else self._list[rows]  # type: ignore[index]
        return self.array[rows]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> StringArray:
        found = self.array if dtype is None else self.array.astype(dtype)
        return found.copy() if copy and found is self._array else found


TextColumn: TypeAlias = "Names | Sequence[str] | StringArray | pl.Series"


def as_names(column: TextColumn) -> Names:
    """Return a column of texts in the form that gives all others."""
    return column if isinstance(column, Names) else Names(column)


def texts_with(column: TextColumn, pattern: re.Pattern[str]) -> list[str]:
    """List the texts in which a pattern is found, one that Polars reads as Python does.

    Example:
        >>> texts_with(["cat", "cat; dog"], re.compile(";"))
        ['cat; dog']
    """
    names = as_names(column)
    if names.is_large():
        series = names.series.cast(pl.String)
        return series.filter(series.str.contains(pattern.pattern)).to_list()
    return [name for name in names.listed if pattern.search(name)] if has_text_with(names, pattern) else []


def has_text_with(column: TextColumn, pattern: re.Pattern[str]) -> bool:
    """Return whether a pattern, one that Polars reads as Python does, is found in one of the texts."""
    names = as_names(column)
    if names.is_large():
        return bool(names.series.cast(pl.String).str.contains(pattern.pattern).any())
    # Most texts have nothing of it, and one search through all takes less time than one for each.
    return pattern.search("\0".join(names.listed)) is not None


class Texts:
    """A growing column of texts: a list, whose parts become columns of Polars when there are many."""

    def __init__(self) -> None:
        self._parts: list[pl.Series] = []
        self._last: list[str | None] = []

    def extend(self, texts: Iterable[str | None]) -> None:
        """Append texts; None is a missing one."""
        self._last.extend(texts)
        if len(self._last) >= PART:
            self._close()

    def add_column(self, texts: pl.Series) -> None:
        """Append a column of texts."""
        self._close()
        self._parts.append(texts)

    def _close(self) -> None:
        try:
            self._parts.append(pl.Series(self._last, dtype=pl.String))
        except UnicodeEncodeError:
            # This names the text.
            string_array([text or "" for text in self._last])
            raise
        self._last = []

    def all(self) -> list[Any] | pl.Series:
        """Return all texts; few of them as a list."""
        if not self._parts and len(self._last) <= FEW:
            return self._last
        self._close()
        return pl.concat(self._parts, rechunk=True)


class Numbering:
    """Numbers of things that come piece by piece: equal things have one, from 0 in the order of their first appearance."""

    def __init__(self, things: Collection[Hashable] = ()) -> None:
        # Counting in the look-up is what makes this fast: no line of Python runs for a thing.
        self._known: defaultdict[Hashable, int] = defaultdict(count().__next__)
        self.number(things)

    def number(self, things: Collection[Hashable]) -> list[int]:
        """List the number of each thing; what is new gets the next one."""
        return list(map(self._known.__getitem__, things))

    def codes(self, things: Collection[Hashable]) -> Places:
        """Return the number of each thing as a column."""
        return np.fromiter(map(self._known.__getitem__, things), dtype=np.int32, count=len(things))

    def isdisjoint(self, things: Collection[Hashable]) -> bool:
        """Return whether none of some things has a number."""
        return self._known.keys().isdisjoint(things)

    def __len__(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._known)


def number_columns(*columns: Names | Sequence[Hashable] | StringArray | pl.Series) -> tuple[Any, list[Places]]:
    """List what is distinct in some columns, in order of first appearance, and give the place of each cell in that list."""
    some = [column if isinstance(column, list | tuple) else as_names(cast("TextColumn", column)) for column in columns]
    if any(isinstance(column, Names) and column.is_large() for column in some):
        return _number_by_hash([as_names(column).series for column in some])
    known = Numbering()
    places = [known.codes(column.listed if isinstance(column, Names) else column) for column in some]
    return list(known), places


def _number_by_hash(columns: Sequence[pl.Series]) -> tuple[pl.Series, list[Places]]:
    """Number texts by their hashes, and look whether two texts have one hash: then by their order."""
    every = pl.concat([column.alias("text") for column in columns], rechunk=True)
    coded = every.dtype == pl.Categorical
    first = firsts((every.to_physical() if coded else every.hash()).to_numpy())
    is_first = first == np.arange(len(first))
    again = np.flatnonzero(~is_first)
    if not coded and not (every.gather(first[again]) == every.gather(again)).all():
        first = firsts(every.rank("dense").to_numpy())
        is_first = first == np.arange(len(first))
    places = (np.cumsum(is_first, dtype=np.int32) - 1)[first]
    ends = [0, *accumulate(map(len, columns))]
    texts = every.filter(pl.Series(is_first)).cast(pl.String)
    return texts, [places[start:end] for start, end in pairwise(ends)]


def places_among(texts: TextColumn, known: TextColumn) -> Places:
    """Find texts among distinct others."""
    here, there = as_names(texts), as_names(known)
    if len(here) + len(there) <= FEW:
        place = {text: number for number, text in enumerate(there)}
        return np.array([place.get(text, -1) for text in here], dtype=np.int32)
    index = there.series.alias("text").to_frame().with_row_index("row")
    found = here.series.alias("text").to_frame().join(index, on="text", how="left", maintain_order="left")
    return found["row"].cast(pl.Int32).fill_null(-1).to_numpy()


def first_of_each(keys: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """List the rows in which each key stands for the first time."""
    if len(keys) <= FEW:
        if len(set(keys.tolist())) == len(keys):
            return np.arange(len(keys))
        last = len(keys) - 1
        # Of several values for one key a dictionary keeps the last.
        rows = dict(zip(keys[::-1].tolist(), range(last, -1, -1), strict=True))
        return np.array(sorted(rows.values()), dtype=np.int64)
    column = pl.Series(keys)
    # Most keys have no equal, and to count them takes a third of the time of looking for the first of each.
    is_once = column.n_unique() == len(column)
    return np.arange(len(keys)) if is_once else np.flatnonzero(column.is_first_distinct().to_numpy())


def sort_rows(*columns: Names | Sequence[str]) -> NDArray[np.int64]:
    """List rows in the alphabetical order of their texts."""
    if len(columns[0]) <= FEW:
        rows = list(zip(*columns, strict=True))
        return np.array(sorted(range(len(rows)), key=rows.__getitem__), dtype=np.int64)
    frame = pl.DataFrame([as_names(column).series.alias(str(at)) for at, column in enumerate(columns)])
    return frame.select(pl.arg_sort_by(frame.columns)).to_series().to_numpy().astype(np.int64)
