"""Panels: what a family shows of its scores in addition to the values. They are data; the report draws them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.breakdown import break_down
from goldassay.core.counts import FloatArray
from goldassay.core.curve import Curve
from goldassay.core.errors import UsageError
from goldassay.core.groups import Breakdown, Grouping
from goldassay.core.matching import Cells, Matching, SideName, to_plain
from goldassay.core.measure import Score

Column: TypeAlias = Sequence[Any]
Cell: TypeAlias = str | int | float | bool | None
"""What is in one cell of a table."""

SIDES: tuple[SideName, SideName] = ("pred", "gold")
SPLIT = 1_000_000
"""As many items at the most are split without being asked; that takes seconds."""
GROUPS = 100
"""As many groups are shown of a split that was not asked for."""
DRAWN = 400
"""Maximum number of points drawn per curve."""
LAST_PLACE = 2**31 - 1


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreEvidence:
    """A score, and every item of it with its verdict and its best counterpart."""

    score: Score
    # the columns of `Matching.columns`: side, item, verdict, similarity, counterpart, the family's own; first the rows
    # of the prediction, then those of gold
    table: Mapping[str, Cells]

    @property
    def matching(self) -> Matching[Any]:
        """The matching of the score."""
        return self.score.matching

    def of(self, side: SideName, column: str) -> Column:
        """Return one column for the items of one side."""
        cut = len(self.matching.pred.credit)
        whole = self.table[column]
        return to_plain(whole[:cut] if side == "pred" else whole[cut:])

    def look_up(self) -> Matching[Any]:
        """The matching of the score with the similarity of every item to its best counterpart."""
        here, there = self.matching.pred, self.matching.gold
        pred, gold = np.split(np.array(self.table["similarity"], dtype=np.float64), [len(here.credit)])
        return replace(self.matching, pred=replace(here, similarity=pred), gold=replace(there, similarity=gold))


@dataclass(frozen=True, eq=False, kw_only=True)
class Panel:
    """One thing to look at."""

    title: str
    note: str = ""  # how to read it, in one sentence
    # the spec of the measure that it belongs to; None if it belongs to the prediction as a whole
    measure: str | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Lines(Panel):
    """Values over a threshold."""

    axis: str
    thresholds: FloatArray  # where the values were taken, ascending, shape (points,)
    series: Mapping[str, FloatArray]
    cut: float | None = None
    # whether a value holds from its threshold on, as for the limit of a distance; else it holds up to its threshold
    lower_is_stricter: bool = False

    def __post_init__(self) -> None:
        _require(len(self.thresholds) > 0, "a curve without points")
        _require_one_length([self.thresholds, *self.series.values()], "a curve")


@dataclass(frozen=True, eq=False, kw_only=True)
class Histogram(Panel):
    """Distributions of values, by verdict."""

    axis: str
    values: Mapping[str, FloatArray]
    cut: float | None = None

    def __post_init__(self) -> None:
        _require(
            all(np.isfinite(column).all() for column in self.values.values()),
            "a histogram of values that are not finite",
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Bars(Panel):
    """Grouped bars: several series over the same categories."""

    axis: str
    categories: Sequence[str]
    series: Mapping[str, FloatArray]

    def __post_init__(self) -> None:
        _require_one_length([self.categories, *self.series.values()], "bars")


@dataclass(frozen=True, eq=False, kw_only=True)
class Table(Panel):
    """A small table, such as scores group by group."""

    # the columns by name, all of one length: texts, whole numbers, or floats (nan where undefined)
    columns: Mapping[str, Sequence[Cell]]
    shares: tuple[str, ...] = ()  # the columns with values in [0, 1], which may be drawn as bars
    by: str = ""  # the grouping whose groups the rows are; empty if they are none

    def __post_init__(self) -> None:
        _require_one_length(self.columns.values(), "a table")


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeSide:
    """One side of a tree."""

    texts: Sequence[str]  # what is written on each node, shape (nodes,)
    # rows of `texts`, child and parent, int64, shape (edges, 2), in the order of the items of the score. There may be
    # cycles, and several parents
    edges: NDArray[np.int64]
    verdicts: Sequence[str]  # the verdict of each edge, a word, shape (edges,)
    # the place of each node in an order by meaning that both sides share (`goldassay.kernels.places`), int64, shape
    # (nodes,); None if no vectors were compared
    places: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "edges", self.edges.reshape(-1, 2))
        _require(len(self.edges) == len(self.verdicts), "a tree with more or fewer verdicts than edges")
        _require_rows(self.edges, len(self.texts))
        if self.places is not None:
            _require(self.places.shape == (len(self.texts),), "a tree with more or fewer places than nodes")
            _require_rows(self.places, LAST_PLACE)


@dataclass(frozen=True, eq=False, kw_only=True)
class Tree(Panel):
    """Two hierarchies side by side."""

    gold: TreeSide
    pred: TreeSide


class Mark(NamedTuple):
    """A span of text, optionally with a verdict.

    Attributes:
        verdict: A word, such as ``hit``, ``missed`` or ``invented``; empty for text that is not judged.
        item: What the span is called, so that the other text can name it; empty if it has no counterpart there.
        counterpart: What its counterpart in the other text is called; empty if there is none.
    """

    text: str
    verdict: str = ""
    told: str = ""
    item: str = ""
    counterpart: str = ""


class MarkedText(NamedTuple):
    """A text with marked spans.

    Attributes:
        marks: The text of the prediction, span by span.
        gold: The text of gold, shown next to it; None if there is none.
    """

    name: str
    verdict: str
    told: str
    marks: Sequence[Mark]
    gold: Sequence[Mark] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Texts(Panel):
    """Texts with marks in them."""

    entries: Sequence[MarkedText]


class Arrow(NamedTuple):
    """A labelled arrow between two nodes of a diagram."""

    source: int
    target: int
    label: str
    verdict: str


class Diagram(NamedTuple):
    """One graph, small enough to be drawn."""

    nodes: Sequence[tuple[str, str]]
    arrows: Sequence[Arrow]


class DiagramPair(NamedTuple):
    """Two graphs of the same sentence or item."""

    name: str
    verdict: str
    told: str
    gold: Diagram
    pred: Diagram


@dataclass(frozen=True, eq=False, kw_only=True)
class Diagrams(Panel):
    """Pairs of graphs."""

    entries: Sequence[DiagramPair]

    def __post_init__(self) -> None:
        for graph in (graph for pair in self.entries for graph in (pair.gold, pair.pred)):
            ends = [(arrow.source, arrow.target) for arrow in graph.arrows]
            _require_rows(np.array(ends, dtype=np.int64), len(graph.nodes))


def _require(holds: bool, found: str) -> None:
    if not holds:
        raise ValueError(found)


def _require_one_length(columns: Iterable[Sized], of: str) -> None:
    lengths = {len(column) for column in columns}
    _require(len(lengths) <= 1, f"{of} with columns of {len(lengths)} lengths")


def _require_rows(rows: NDArray[np.int64], size: int) -> None:
    _require(bool(((rows >= 0) & (rows < size)).all()), f"a row that is none of the {size}")


def curve_panels(scores: Sequence[ScoreEvidence]) -> Iterator[Lines]:
    """Show the curve of every score that has one, over the thresholds that its matching knows of."""
    for one in scores:
        combined = one.score.combined
        # A curve is of one gold, whose items count alike.
        alike = one.score.matching.gold_weights is None and not (combined and combined.mixed)
        if alike and one.score.measure.cut is not None:
            curve = one.score.measure.curve_of(one.look_up())
            if len(curve) > 1:
                yield curve_lines(one, curve)


def curve_lines(evidenced: ScoreEvidence, curve: Curve) -> Lines:
    """Show a curve, reduced to a number of points that can be drawn."""
    drawn, cut = curve.thin(DRAWN), curve.cut
    order = np.argsort(drawn.thresholds)
    axis = cut.parameter.replace("_", " ")
    return Lines(
        title=f"Every {axis}",
        note=f"What the values would be had another {axis} been chosen.",
        measure=evidenced.score.spec,
        axis=axis,
        thresholds=drawn.thresholds[order],
        series={name: column[order] for name, column in drawn.values.items()},
        cut=cut.value if math.isfinite(cut.value) else None,
        lower_is_stricter=cut.lower_is_stricter,
    )


def build_breakdown_tables(score: Score, groupings: Mapping[str, Grouping]) -> Iterator[Table]:
    """Show a score split into groups, one table per grouping: those requested, and else all with several groups."""
    asked = {found.by for found in score.breakdowns}
    small = score.matching.kept and len(score.matching.pred_items) + len(score.matching.gold_items) <= SPLIT
    # Intervals of these were not requested, and they take time.
    plain = replace(score, resampling=None)
    more = [_break_down(plain, by, groupings) for by in groupings if small and by not in asked]
    for found in (*score.breakdowns, *(one for one in more if one and 1 < len(one) <= GROUPS)):
        columns = {found.by if name == "group" else name: column for name, column in found.columns().items()}
        yield Table(
            title=f"By {found.by}", measure=score.spec, columns=columns, shares=tuple(found.values), by=found.by
        )


def _break_down(score: Score, by: str, groupings: Mapping[str, Grouping]) -> Breakdown | None:
    try:
        return break_down(score, by, groupings)
    except UsageError:
        return None


def worst_first(values: FloatArray, shown: int) -> tuple[list[int], str]:
    """List the rows of so many documents with the lowest F1, and a note where there are more."""
    note = f"The {shown:,} of {len(values):,} documents with the lowest F1." if len(values) > shown else ""
    return np.argsort(values, kind="stable")[:shown].tolist(), note


def verdict_of_share(hits: int, *sizes: int) -> str:
    """Return the verdict on a document or a graph of which so much is hit on both sides."""
    return "hit" if all(hits == size for size in sizes) else "partial" if hits else "missed"


class Panels(Protocol):
    """Makes the panels of one prediction."""

    def __call__(self, scores: Sequence[ScoreEvidence], *, pred: Any, gold: Any) -> Iterable[Panel]:
        """Make the panels."""
        ...


def return_no_panels(scores: Sequence[ScoreEvidence], *, pred: Any, gold: Any) -> Iterable[Panel]:
    """Show no further panels: the default of a family."""
    del scores, pred, gold
    return ()
