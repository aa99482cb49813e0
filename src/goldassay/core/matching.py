"""Matching: which items match, at what similarity, and which have no match. The evidence behind every score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal, Protocol, Self, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Progress, ignore_progress
from goldassay.core.intern import FEW, first_of_each
from goldassay.core.libraries import pl

SideName: TypeAlias = Literal["pred", "gold"]
UNCOUNTED = "uncounted"
"""The verdict on what does not count, such as what is below a threshold."""
FAILURES: Mapping[SideName, str] = MappingProxyType({"pred": "invented", "gold": "missed"})
NO_MATCH = -1
Amounts: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]
"""What each of some items adds to two sums, float64, shape (items,) each."""
Cells: TypeAlias = Sequence[Any] | NDArray[np.float64]
"""What a table says of every item in one column: an array of floats, or a list of anything."""


def equal_counterparts(here: NDArray[np.int64], there: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find for each key of one side the first row of the other side that has the same key.

    Example:
        >>> equal_counterparts(np.array([7, 8]), np.array([9, 7, 7])).tolist()
        [1, -1]
    """
    if len(here) + len(there) <= FEW:
        last = len(there) - 1
        # Of several rows for one key a dictionary keeps the last.
        row_of = dict(zip(there[::-1].tolist(), range(last, -1, -1), strict=True))
        return np.array([row_of.get(key, NO_MATCH) for key in here.tolist()], dtype=np.int64)
    rows = first_of_each(there)
    known, asked = pl.DataFrame({"key": there[rows], "row": rows}), pl.DataFrame({"key": here})
    if len(here) < len(there):
        # The smaller side is hashed; the larger one is only looked up.
        known = known.join(asked.unique(), on="key", how="semi")
    return asked.join(known, on="key", how="left", maintain_order="left")["row"].fill_null(NO_MATCH).to_numpy()


def find_common(here: NDArray[np.integer[Any]], there: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Return which keys of one side the other side has."""
    if len(here) + len(there) <= FEW:
        known = set(there.tolist())
        return np.array([key in known for key in here.tolist()], dtype=np.bool_)
    return pl.Series(here).is_in(pl.Series(there).implode()).to_numpy()


class Items(Protocol):
    """The items of one side of a matching, one per row."""

    def __len__(self) -> int: ...

    def item(self, row: int) -> str:
        """Return the display name of one item."""
        ...


@runtime_checkable
class JointlyNamedItems(Protocol):
    """Items whose display names are made column by column: several times as fast as one by one."""

    def item_names(self, rows: NDArray[np.int64]) -> list[str]:
        """Return the display names of some items."""
        ...


def items_named(items: Items, rows: NDArray[np.int64]) -> list[str]:
    """Return the display names of some items."""
    return (
        items.item_names(rows) if isinstance(items, JointlyNamedItems) else [items.item(row) for row in rows.tolist()]
    )


@runtime_checkable
class IdentifiedItems(Protocol):
    """Items that can be found again in the input."""

    def __len__(self) -> int: ...

    def identifiers(self, rows: NDArray[np.int64]) -> dict[str, list[Any]]:
        """List what the input calls some items, in columns by the names of its tables."""
        ...


@runtime_checkable
class DiagnosedItems(Protocol):
    """Items whose errors have kinds, by how the other side relates what they consist of."""

    def __len__(self) -> int: ...

    def name_errors(self, others: Any, rows: NDArray[np.int64]) -> list[str]:
        """Name the kind of error of some items that have no full credit."""
        ...


@dataclass(frozen=True)
class Named:
    """Items that consist of a name only."""

    names: Sequence[str]

    def __len__(self) -> int:
        return len(self.names)

    def item(self, row: int) -> str:
        """Return the display name of one item."""
        return self.names[row]

    def item_names(self, rows: NDArray[np.int64]) -> list[str]:
        """Return the display names of some items."""
        return list(map(self.names.__getitem__, rows.tolist()))


def first_that_holds(kinds: Iterable[str], holds: Sequence[NDArray[np.bool_]]) -> list[str]:
    """Name for each of some items the first of the kinds that holds: one row of ``holds`` for each kind."""
    names = list(kinds)
    return [names[kind] for kind in np.argmax(np.array(holds), axis=0).tolist()]


AMOUNTS = ("credit", "weight")
"""The columns of evidence that add up to the score: what an item adds to what is right, and to what is counted."""
EVERY = ("side", "item", "verdict", "similarity", "counterpart", *AMOUNTS)
"""What a table of evidence says of every item of every family."""
ERROR = "error"
"""The column of evidence with the kind of error, and what `break_down` splits a score by to count them."""
COUNTED = 100_000
"""Of as many items at the most, errors are counted by kind without being asked."""
RIGHT = "right"
"""The group of the items without an error."""
NOTHING = Named(())
"""No items at all."""
ItemsT_co = TypeVar("ItemsT_co", bound=Items, covariant=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class Side:
    """The matching as seen from one side, one entry per item.

    Attributes:
        credit: The credit of the item, in [0, 1]; 1 is a full hit. float64, shape (items,).
        counterpart: Row of the item of the other side that it matches, -1 if none matches or none was looked up.
            int64, shape (items,).
        similarity: Similarity to that counterpart, nan where none was looked up. float64, shape (items,).
    """

    credit: NDArray[np.float64]
    counterpart: NDArray[np.int64]
    similarity: NDArray[np.float64]

    @classmethod
    def later(cls, make: Callable[[], Mapping[str, Any]], **known: NDArray[Any]) -> Side:
        """Make a side of which some arrays are known; the others are made when one of them is looked at first.

        Example:
            >>> Side.later(lambda: {"counterpart": np.array([4]), "similarity": np.array([0.5])}, credit=np.array([1.0])).similarity.tolist()
            [0.5]
        """
        side = object.__new__(cls)
        side.__dict__.update(known, _make=make)
        return side

    def __getattr__(self, name: str) -> Any:
        # Only reached for what is not made yet, and by look-ups of pickle and copy before there are fields.
        make = self.__dict__.get("_make")
        if make is None or name not in type(self).__dataclass_fields__:
            raise AttributeError(name)
        made = make()
        self.__dict__.update(made)
        return made[name]

    def __getstate__(self) -> dict[str, Any]:
        # What makes an array cannot be pickled.
        return {name: getattr(self, name) for name in type(self).__dataclass_fields__}

    @classmethod
    def of_equals(cls, counterpart: NDArray[np.int64]) -> Side:
        """Make a side from equal counterparts: each matched item has full credit, and similarity 1.

        Example:
            >>> Side.of_equals(np.array([4, -1])).credit.tolist()
            [1.0, 0.0]
        """
        matched = counterpart != NO_MATCH
        return cls.later(
            lambda: {"similarity": np.where(matched, 1.0, np.nan)},
            credit=matched.astype(np.float64),
            counterpart=counterpart,
        )

    @classmethod
    def of_credit(cls, credit: NDArray[np.float64], counterpart: NDArray[np.int64]) -> Side:
        """Make a side in which each matched item is as similar to its counterpart as the credit that it earns."""
        similarity = np.where(counterpart == NO_MATCH, np.nan, credit)
        return cls(credit=credit, counterpart=counterpart, similarity=similarity)

    @classmethod
    def of_pairs(
        cls, size: int, rows: NDArray[np.int64], others: NDArray[np.int64], credit: NDArray[np.float64]
    ) -> Side:
        """Make a side of so many items, of which some match one of the other side each and earn credit, and the rest none.

        Example:
            >>> Side.of_pairs(3, np.array([2]), np.array([7]), np.array([0.5])).counterpart.tolist()
            [-1, -1, 7]
        """
        earned, counterpart = np.zeros(size), np.full(size, NO_MATCH, dtype=np.int64)
        earned[rows], counterpart[rows] = credit, others
        return cls.of_credit(earned, counterpart)

    @classmethod
    def of_hits(
        cls, hits: NDArray[np.bool_] | NDArray[np.float64], counterpart: NDArray[np.int64] | None = None
    ) -> Side:
        """Make a side from verdicts, or from what each item earns, without similarities."""
        size, known = len(hits), {} if counterpart is None else {"counterpart": counterpart}
        return cls.later(
            lambda: {
                "counterpart": np.full(size, NO_MATCH, dtype=np.int64), "similarity": np.full(size, np.nan), **known
            },
            credit=hits.astype(np.float64),
            **known,
        )  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """The evidence for the credit of some items."""

    counterpart: NDArray[np.int64]  # row of the best counterpart of each item, -1 for none. int64, shape (rows,)
    similarity: NDArray[np.float64]  # similarity to it, nan for none. float64, shape (rows,)
    # further columns of the family, by name, each of shape (rows,)
    details: Mapping[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Explanation:
    """One item and its verdict, as readable text."""

    side: SideName
    item: str
    verdict: str
    similarity: float
    counterpart: str | None
    details: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> tuple[str, str]:
        """Return what the item is, and what it matched."""
        matched = (
            "no counterpart" if self.counterpart is None else f"nearest {self.counterpart} at {self.similarity:.4f}"
        )
        known = ((name, value) for name, value in self.details.items() if value is not None)
        details = ", ".join(f"{name} {_describe_item(value)}" for name, value in known)
        return f"{self.verdict:<9} {self.item}", f"  {matched}" + (f" ({details})" if details else "")


def _describe_item(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Matching(Generic[ItemsT_co]):
    """Both sides of a matching, and their items.

    Attributes:
        pred: The matching seen from the prediction.
        gold: The matching seen from the gold standard.
        pred_items: The items that ``pred`` has a row for.
        gold_items: The items that ``gold`` has a row for.
        kept: Whether items and their verdicts are known; false in a loaded report.
        included: Which items of the prediction and of gold count, each of shape (items,): the others are no errors; None for all.
        gold_weights: How much each item of gold counts, float64, shape (items,); None for 1 each.
        note: What a measure remarks on its values, in one sentence; None for nothing.
        added: How the measure adds up the items of a side (`Measure.added`); None before it has counted.
    """

    kept: ClassVar[bool] = True

    pred: Side
    gold: Side
    pred_items: ItemsT_co
    gold_items: ItemsT_co
    included: tuple[NDArray[np.bool_], NDArray[np.bool_]] | None = None
    gold_weights: NDArray[np.float64] | None = None
    note: str | None = None
    added: Callable[[SideName], Amounts] | None = None

    def __repr__(self) -> str:
        sides = (("predicted", self.pred.credit), ("gold", self.gold.credit))
        counts = (f"{np.count_nonzero(credit >= 1):,} of {len(credit):,} {word}" for word, credit in sides)
        return f"<{type(self).__name__}: {', '.join(counts)} items matched>"

    def evidence(self, side: SideName, rows: NDArray[np.int64], *, progress: Progress = ignore_progress) -> Evidence:
        """Look up the best counterpart of some items.

        Measures that decide without looking up every counterpart do so here, on demand.

        Args:
            side: The side of the items.
            rows: Rows of the items, int64, shape (rows,).
            progress: Called while long work runs.
        """
        del progress
        here = self._side(side)
        return Evidence(
            counterpart=here.counterpart[rows], similarity=here.similarity[rows], details=self.details(side, rows)
        )

    def details(self, side: SideName, rows: NDArray[np.int64]) -> Mapping[str, NDArray[Any]]:
        """Return the further columns of evidence on some items, by name; none by default."""
        del side, rows
        return {}

    def missed(self, most: int | None = None) -> list[Explanation]:
        """List gold items without full credit, the nearest misses first."""
        return self._failures("gold", most)

    def invented(self, most: int | None = None) -> list[Explanation]:
        """List predicted items without full credit, the nearest misses first."""
        return self._failures("pred", most)

    def best(self, *, progress: Progress = ignore_progress) -> Self:
        """Return the same matching with the best counterpart of every item looked up, and its similarity."""
        sides = {}
        for name in ("pred", "gold"):
            found = self.evidence(name, np.arange(len(self._items(name))), progress=progress)
            here = self._side(name)
            sides[name] = replace(here, counterpart=found.counterpart, similarity=found.similarity)
        return replace(self, pred=sides["pred"], gold=sides["gold"])

    def table(self, *, progress: Progress = ignore_progress) -> dict[str, Sequence[Any]]:
        """List every item of both sides with its verdict and its best counterpart."""
        return {name: to_plain(column) for name, column in self.columns(progress=progress).items()}

    def columns(self, *, progress: Progress = ignore_progress) -> dict[str, Cells]:
        """List every item as `table` does, with arrays for columns of floats."""
        every = {side: np.arange(len(self._items(side))) for side in FAILURES}
        # An item is named once, for its own row and wherever it is a counterpart.
        named = {side: Named(items_named(self._items(side), rows)) for side, rows in every.items()}
        halves = [
            {**self._columns(side, rows, named, progress), **dict(zip(AMOUNTS, self.amounts(side), strict=True))}
            for side, rows in every.items()
        ]
        return {name: _join_cells(halves[0][name], halves[1][name]) for name in halves[0]}

    def to_frame(self, *, progress: Progress = ignore_progress) -> pl.DataFrame:
        """Return the table of all items as a frame of Polars, whose ``to_pandas`` gives one of pandas.

        After ``counterpart`` come the row of the input, if it has rows, and the identifiers, such as ``source`` and ``target``, so that
        the frame joins back to it. ``row`` is the place of the item in its table or list, from 0, or of the first of equal ones.

        Example:
            >>> from goldassay.graphs import Graph, Literal
            >>> gold = Graph.from_edges([("Q1", "Q2")], texts={"Q1": "cat", "Q2": "animal"})
            >>> Literal().score(pred=gold, gold=gold).matching.to_frame().row(0, named=True)["source"]
            'Q1'
            >>> pred = Graph.from_edges([("cat", "pet"), ("cat", "pet"), ("dog", "pet")])
            >>> Literal().score(pred=pred, gold=gold).matching.to_frame().filter(side="pred")["row"].to_list()
            [0, 2]
        """
        table = self.table(progress=progress)
        first = {name: table.pop(name) for name in EVERY}
        return pl.DataFrame({**first, **self._identifiers(), **table}, strict=False)

    def amounts(self, side: SideName) -> Amounts:
        """Return what each item of a side adds to the sum of what is right, and to that of what is counted."""
        return self.plain_amounts(side) if self.added is None else self.added(side)

    def plain_amounts(self, side: SideName) -> Amounts:
        """Return the credit of each item and 1, both times its weight; nothing for what does not count."""
        weight = self._counts(side).astype(np.float64)
        if side == "gold" and self.gold_weights is not None:
            weight *= self.gold_weights
        return self._side(side).credit * weight, weight

    def _identifiers(self) -> dict[str, list[Any]]:
        sides: tuple[Any, Any] = (self.pred_items, self.gold_items)
        halves = [
            items.identifiers(np.arange(len(items))) if isinstance(items, IdentifiedItems) else {} for items in sides
        ]
        names = dict.fromkeys(name for half in halves for name in half)
        return {
            name: [
                one for half, items in zip(halves, sides, strict=True) for one in half.get(name, [None] * len(items))
            ]
            for name in names
        }

    def verdicts(self, side: SideName, rows: NDArray[np.int64]) -> list[str]:
        """Return the verdict on each item: ``hit``, ``partial``, ``invented`` / ``missed``, or ``uncounted``."""
        credit = self._side(side).credit[rows]
        words = ["hit" if got >= 1 else "partial" if got > 0 else FAILURES[side] for got in credit.tolist()]
        return words if self.included is None else self._of_counted(words, side, rows, UNCOUNTED)

    def errors(self, side: SideName, rows: NDArray[np.int64]) -> list[str | None] | None:
        """Name the kind of error of some items.

        Args:
            side: The side of the items.
            rows: Rows of the items, int64, shape (rows,).
        """
        wrong = np.flatnonzero(self._side(side).credit[rows] < 1)
        kinds = self._kinds(side, rows[wrong])
        if kinds is None:
            return None
        named = np.full(len(rows), None, dtype=object)
        named[wrong] = kinds
        found: list[str | None] = named.tolist()
        return found if self.included is None else self._of_counted(found, side, rows, None)

    def _of_counted(
        self, words: Sequence[Any], side: SideName, rows: NDArray[np.int64], instead: str | None
    ) -> list[Any]:
        """Replace the words on items that do not count."""
        return [
            one if counts else instead for one, counts in zip(words, self._counts(side)[rows].tolist(), strict=True)
        ]

    def _counts(self, side: SideName) -> NDArray[np.bool_]:
        if self.included is None:
            return np.ones(len(self._items(side)), dtype=np.bool_)
        return self.included[side == "gold"]

    def _kinds(self, side: SideName, rows: NDArray[np.int64]) -> Sequence[str] | None:
        """Name the kind of error of some items without full credit; None where errors of such items have no kinds."""
        items: Any = self._items(side)
        others: Any = self._items("gold" if side == "pred" else "pred")
        if not isinstance(items, DiagnosedItems) or not isinstance(others, type(items)):
            return None
        return items.name_errors(others, rows) if len(rows) else ()

    @cached_property
    def error_counts(self) -> Mapping[SideName, Mapping[str, int]]:
        """Count the errors of each side by kind; no side if errors have no kinds, or there are more items than `COUNTED`."""
        small = self.kept and len(self.pred_items) + len(self.gold_items) <= COUNTED
        found = {side: self.errors(side, self.failed(side)) for side in FAILURES if small}
        return {side: Counter(filter(None, kinds)) for side, kinds in found.items() if kinds is not None}

    @property
    def sizes(self) -> tuple[int, int]:
        """How many items of the prediction and of gold were counted."""
        return int(self._counts("pred").sum()), int(self._counts("gold").sum())

    def errors_among(self, items: Any) -> list[str] | None:
        """Name the kind of error of every row of some items that a measure counts, `RIGHT` for a full hit; None if they have no kinds."""
        for side in FAILURES:
            if items is self._items(side) and (found := self.errors(side, np.arange(len(items)))) is not None:
                return [RIGHT if kind is None else kind for kind in found]
        return None

    def _side(self, side: SideName) -> Side:
        return self.pred if side == "pred" else self.gold

    def _items(self, side: SideName) -> ItemsT_co:
        return self.pred_items if side == "pred" else self.gold_items

    def failed(self, side: SideName) -> NDArray[np.int64]:
        """Return the rows of the items without full credit that count, int64, shape (rows,)."""
        wrong = self._side(side).credit < 1
        return np.flatnonzero(wrong if self.included is None else wrong & self._counts(side))

    def _failures(self, side: SideName, most: int | None) -> list[Explanation]:
        rows = self.failed(side)
        found = self.evidence(side, rows)
        nearest_first = np.argsort(-np.nan_to_num(found.similarity, nan=-np.inf), kind="stable")[:most]
        columns = self._columns(side, rows[nearest_first], {name: self._items(name) for name in FAILURES})
        cells = zip(*map(to_plain, columns.values()), strict=True)
        return [_explanation(dict(zip(columns, row, strict=True))) for row in cells]

    def _columns(
        self,
        side: SideName,
        rows: NDArray[np.int64],
        items: Mapping[SideName, Items],
        progress: Progress = ignore_progress,
    ) -> dict[str, Cells]:
        found = self.evidence(side, rows, progress=progress)
        errors = None if ERROR in found.details else self.errors(side, rows)
        return {
            "side": [side] * len(rows),
            "item": items_named(items[side], rows),
            "verdict": self.verdicts(side, rows),
            "similarity": found.similarity,
            "counterpart": _names(items["gold" if side == "pred" else "pred"], found.counterpart),
            **{name: column if column.dtype.kind == "f" else column.tolist() for name, column in found.details.items()},
            **({} if errors is None else {ERROR: errors}),
        }


def is_failure(verdict: str) -> bool:
    """Return whether an item with a verdict is without full credit, and counts."""
    return verdict not in ("hit", UNCOUNTED)


def explain_failures(table: Mapping[str, Sequence[Any]], side: SideName, most: int | None) -> list[Explanation]:
    """List the items of one side of a table without full credit, the nearest misses first."""
    cells = (dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True))
    failed = [row for row in cells if row["side"] == side and is_failure(row["verdict"])]
    failed.sort(key=lambda row: -np.nan_to_num(row["similarity"], nan=-np.inf))
    return list(map(_explanation, failed[:most]))


def _names(items: Items, rows: NDArray[np.int64]) -> list[str | None]:
    found = np.full(len(rows), None, dtype=object)
    matched = rows != NO_MATCH
    found[matched] = items_named(items, rows[matched])
    named: list[str | None] = found.tolist()
    return named


def to_plain(column: Cells) -> Sequence[Any]:
    """Return a column without numpy."""
    return column.tolist() if isinstance(column, np.ndarray) else column


def _join_cells(pred: Cells, gold: Cells) -> Cells:
    if isinstance(pred, np.ndarray) and isinstance(gold, np.ndarray):
        return np.concatenate([pred, gold])
    return [*to_plain(pred), *to_plain(gold)]


def _explanation(row: dict[str, Any]) -> Explanation:
    # What an item adds to the score is for tables, where it is added up.
    known = {name: row.pop(name, None) for name in EVERY}
    return Explanation(**{name: known[name] for name in EVERY if name not in AMOUNTS}, details=row)
