"""Scoring on an engine: a side is a lazy frame, joins and group-bys count it, and the measure divides as ever.

An engine (DuckDB, Spark) holds what is larger than memory. What comes back from it is small: sums, or units that are alike with
how many there are of each, such as references of the same rank. What one such unit is worth is asked of the measure itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Generic, NoReturn, Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from goldassay.core.context import Context, Encoder, Progress, ignore_progress
from goldassay.core.counts import Counts, format_sum
from goldassay.core.errors import UsageError
from goldassay.core.libraries import nw
from goldassay.core.matching import Evidence, Explanation, Matching, Side, SideName
from goldassay.core.model import Provenance
from goldassay.core.text import count_of

Frame: TypeAlias = "nw.LazyFrame[Any]"
"""A lazy frame of Narwhals, of any engine."""
Worker: TypeAlias = Callable[[Iterator[Any]], Iterator[Any]]
"""What workers run: a function from record batches of PyArrow to record batches."""
SideType = TypeVar("SideType", bound="LazyItems")


class Engine(Protocol):
    """What holds lazy frames, and computes them.

    Attributes:
        name: Its name, for messages.
    """

    @property
    def name(self) -> str: ...  # noqa: D102 - described in the class

    def materialize(self, frame: Frame) -> Frame:
        """Compute a frame now, and give it back where it is read again instead of computed again."""
        ...

    def map_rows(self, frame: Frame, column: str, into: str, function: Callable[[str], str | None]) -> Frame:
        """Add a column of texts that a function of Python makes of another, row by row."""
        ...

    def rows(self, frame: Frame) -> list[dict[str, Any]]:
        """Compute a small frame, and list its rows."""
        ...


class Cluster(Engine, Protocol):
    """An engine whose workers run functions of Python on their rows, as Arrow tables."""

    def through(
        self, frame: Frame, function: Worker, columns: Mapping[str, str], *, together: Sequence[str] = ()
    ) -> Frame:
        """Return what a function makes of the rows in workers, batch by batch."""
        ...

    def encode_texts(self, texts: Frame, encoder: Encoder) -> Frame:
        """Return texts, each once, with their vectors: the columns text and vector."""
        ...

    def arrow(self, frame: Frame) -> Any:
        """Compute a frame, and fetch it as a table of PyArrow."""
        ...


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LazyItems(Provenance):
    """A prediction or a gold standard on an engine."""

    frame: Frame
    size: int

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {count_of(self.size, 'item')} in a lazy frame>"

    def __len__(self) -> int:
        return self.size

    def compared(self, measure: Any, engine: Engine) -> Self:
        """Return what a measure with keys compares and shows: the items."""
        del measure, engine
        return self

    def item(self, row: int) -> str:
        """Always raises: items of an engine have no row numbers."""
        del row
        refuse_rows()

    def make_empty(self, path: str) -> Self:
        """Make an empty prediction: no items, read as this is."""
        return replace(
            self,
            frame=self.frame.head(0),
            size=0,
            path=path,
            format="empty",
            left_out={},
            facts={},
            notes=(),
            warnings=(),
        )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LazyDocuments(LazyItems):
    """Items of documents on an engine, each once a document."""

    documents: Frame  # the ids of all documents, those without items too

    @property
    def predicted(self) -> Frame:
        """The documents that count if this is a prediction, also those that gold does not have: an empty one of these states nothing."""
        return self.frame.select("id")

    def make_empty(self, path: str) -> Self:
        """Make an empty prediction: no documents, read as this is."""
        return replace(super().make_empty(path), documents=self.documents.head(0))


@dataclass(frozen=True, eq=False, kw_only=True)
class EngineCounts:
    """What an engine found of one prediction by one measure."""

    counts: Counts
    # makes a frame of every item of both sides with its verdict: the columns `side` and `verdict`, and those of the
    # family; to plan its joins takes as long as to count a small table, and few ask for it
    evidence: Callable[[], Frame]
    note: str | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class EngineScoring(Generic[SideType]):
    """How a family is scored on an engine."""

    # makes a side of a table (`goldassay.formats.lazy.LazyTable`) and the options of the family's reader
    read: Callable[[Any, Any, Engine], SideType]
    # what counts each measure that is counted so, and not only by its keys: given the measure, prediction, gold,
    # engine, and what measures share
    count: Mapping[type, Callable[[Any, SideType, SideType, Engine, Context], EngineCounts]] = field(
        default_factory=dict
    )
    # the same for measures by meaning, which need an engine whose workers run Python
    count_near: Mapping[type, Callable[[Any, SideType, SideType, Cluster, Context], EngineCounts]] = field(
        default_factory=dict
    )
    # leaves out of a prediction what gold cannot judge, by a word of `goldassay.core.partial.COMPLETENESS`: given
    # prediction, gold, the word and the engine; None where engines do not know of it
    judged: Callable[[SideType, SideType, Any, Engine], SideType] | None = None
    idle: tuple[str, ...] = ()  # the options of the family's reader that have no effect on an engine


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LazyMatching(Matching[Any]):
    """The matching of a score that an engine counted: a lazy frame, of which no row has a number."""

    kept: ClassVar[bool] = False

    pred: Side = field(default_factory=lambda: Side.of_hits(np.zeros(0, dtype=np.bool_)))
    gold: Side = field(default_factory=lambda: Side.of_hits(np.zeros(0, dtype=np.bool_)))
    counted: EngineCounts

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of a lazy frame>"

    @property
    def frame(self) -> Frame:
        """Every item of both sides with its verdict."""
        return self.counted.evidence()

    def evidence(self, side: SideName, rows: Any, *, progress: Progress = ignore_progress) -> Evidence:
        """Refuse rows by number."""
        del side, rows, progress
        refuse_rows()

    def table(self, *, progress: Progress = ignore_progress) -> NoReturn:
        """Refuse to list all items."""
        del progress
        refuse_rows()

    def missed(self, most: int | None = None) -> list[Explanation]:
        """Refuse to list items."""
        del most
        refuse_rows()

    invented = missed


def refuse_rows() -> NoReturn:
    """Return where the items of an engine are."""
    raise UsageError(
        "This score was computed on an engine; its items are in report.evidence().", hint="report.evidence()"
    )


def sum_of(values: Sequence[float], times: Sequence[int]) -> int | float:
    """Add up values that occur so many times each, rounded once: to the last bit what adding them one by one without rounding gives."""
    return format_sum(
        float(sum((Fraction(value) * count for value, count in zip(values, times, strict=True)), Fraction()))
    )


def sums_of(columns: Mapping[str, NDArray[np.float64]], times: NDArray[np.float64]) -> dict[str, int | float]:
    """Add up what units add to each sum, where units that are alike are one row."""
    many = [int(one) for one in times.tolist()]
    return {name: sum_of(column.tolist(), many) for name, column in columns.items()}
