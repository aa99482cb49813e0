"""The results of an evaluation as data: predictions, scores and comparisons. All layouts read them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Self, overload

import numpy as np
from numpy.typing import NDArray

from goldassay.core.chance import ChanceLevel
from goldassay.core.counts import format_sum
from goldassay.core.errors import GoldassayError, UsageError, check_type, require, unknown_choice_error
from goldassay.core.groups import Breakdown, Grouping
from goldassay.core.libraries import pl
from goldassay.core.matching import Cells, SideName
from goldassay.core.measure import Measure, Score
from goldassay.core.model import Model, digest_of
from goldassay.core.panel import Column, Panel, Panels, return_no_panels
from goldassay.core.replication import MeanDifference, Spread
from goldassay.core.signature import Signature
from goldassay.core.significance import Difference, Interval, Resampling, holm, letters
from goldassay.core.text import count_of

ENDS = ("low", "high")
CHANCE_COLUMNS = ("expected", "sd", "percentile", "adjusted")
COUNTED_IN_ALL = 1_000_000
"""Of as many items of all predictions at the most, errors are counted by kind without being asked."""
DIGITS = 8
"""So much of a digest is shown."""
LIBRARIES = ("polars", "pandas")
KEYS = ("system", "prediction", "measure", "by", "group")
COLUMNS_OF_VALUE = (
    *ENDS,
    "difference",
    "expected_sd",
    *CHANCE_COLUMNS,
    "ceiling",
    "if_wrong",
    "if_right",
    "between_runs",
    "between_units",
)
"""Columns about a value; their names begin with the name of the value."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One value of one prediction, tested against the same value of another.

    Attributes:
        run: Row of the prediction in the report.
        against: Row of the prediction that it is tested against.
        difference: The prediction minus the other prediction, with its interval and its p values.
        p_holm: The p of approximate randomisation, adjusted for the number of predictions tested.
        p_mcnemar: Exact p of McNemar's test: of a recall on the items of gold, of a headline such as F1 on wrong predictions
            too. None for other values, and if items are not simply right or wrong.
        p_mcnemar_mid: Its mid-p.
        resampling: How the test was drawn; None where nothing was drawn.
    """

    run: int
    against: int
    measure: str
    value: str
    difference: Difference
    p_holm: float
    p_mcnemar: float | None = None
    p_mcnemar_mid: float | None = None
    resampling: Resampling | None = None

    def differs(self, score: Score) -> bool:
        """Return whether the difference is significant, at the level of its test, or else of the score's intervals."""
        drawn = self.resampling or score.resampling
        return self.p_holm <= 1 - (drawn.level if drawn else 0.95) + 1e-12


@dataclass(frozen=True, kw_only=True)
class Ties:
    """Which rows of a report one measure does not separate by its headline: all pairs are tested, with Holm's correction.

    Attributes:
        letters: A text for each run, or for each system: two that share a letter do not differ significantly, all others do. Empty
            for what has no value.
        best: The row of the best.
        second: The row of the second.
        p_holm: The p of the best against the second.
    """

    measure: str
    letters: tuple[str, ...]
    best: int
    second: int
    p_holm: float

    @property
    def pairs(self) -> int:
        """How many pairs were tested."""
        return math.comb(sum(map(bool, self.letters)), 2)

    @property
    def leads(self) -> bool:
        """Whether the best differs from the second by more than chance."""
        first, second = ({*re.findall(r"[a-z]\d*", self.letters[row])} for row in (self.best, self.second))
        return first.isdisjoint(second)

    @classmethod
    def of(
        cls, measure: str, ranked: Sequence[int], p: Mapping[frozenset[int], float], *, rows: int, level: float
    ) -> Self:
        """Assign letters to ranked rows by the p of every pair of them."""
        adjusted = dict(zip(p, holm(list(p.values())), strict=True))
        place = {row: number for number, row in enumerate(ranked)}
        differ = {frozenset(map(place.__getitem__, pair)) for pair, one in adjusted.items() if one <= 1 - level + 1e-12}
        found = dict(zip(ranked, letters(len(ranked), differ), strict=True))
        best, second = ranked[:2]
        named = tuple(found.get(row, "") for row in range(rows))
        return cls(measure=measure, letters=named, best=best, second=second, p_holm=adjusted[frozenset((best, second))])


class ScoredRow(NamedTuple):
    """A row of the table of scores: a system, or a prediction where there are no systems."""

    name: str
    runs: tuple[int, ...]  # the rows of its predictions in the report
    scores: tuple[Score | SystemScore, ...]


class HeadlineTest(NamedTuple):
    """How the headline of a row of the table of scores differs from that of the row that it was tested against."""

    label: str  # the row that it was tested against
    difference: float
    p: float | None
    differs: bool
    interval: Interval | None = None
    effect: float = math.nan  # nan of systems, and where no unit adds more than another
    row: int = 0


class KindOfError(NamedTuple):
    """How often one kind of error is made on one side."""

    side: SideName  # the side of the items: what was predicted, or gold
    kind: str
    # the count of each row of the table of scores, of a system the mean over its runs, float64, shape (rows,)
    counts: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class ErrorChange:
    """How many errors of one kind a prediction or system makes more than the one that it is compared with."""

    name: str  # the prediction or system
    against: str  # the one that it is compared with
    measure: str
    side: SideName
    kind: str
    count: float  # how many it makes; of a system the mean over its runs
    before: float  # how many the other one makes

    @property
    def difference(self) -> float:
        """How many errors are gained; below zero, lost."""
        return self.count - self.before


@dataclass(frozen=True, kw_only=True)
class Published:
    """What was published of one system.

    Attributes:
        system: The system.
        source: Where it was published.
        values: The values of each measure, by the measure as its spec or its name.
    """

    system: str
    source: str
    values: Mapping[str, Mapping[str, float]]

    def of(self, score: Score) -> Mapping[str, float]:
        """Return the values of the measure of a score; nothing if none were published."""
        return self.values.get(score.spec) or self.values.get(score.name) or {}


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """A named task.

    Attributes:
        name: Its name, such as ``oaei:anatomy``.
        title: Its title.
        page: Where it is described.
        licence: The licence of its gold.
        published: What was published on it.
    """

    name: str
    title: str
    page: str
    licence: str
    published: tuple[Published, ...]

    def published_values(self, score: Score) -> Iterator[tuple[Published, Mapping[str, float]]]:
        """List the systems that have published values of the measure of a score, with these values."""
        for one in self.published:
            if values := one.of(score):
                yield one, values

    def lines(self) -> Iterator[str]:
        """Return what the task is, whose its gold is, and where the published values are from."""
        yield f"task {self.name}: {self.title} ({self.page})"
        yield f"licence of gold: {self.licence}"
        for source in dict.fromkeys(one.source for one in self.published):
            yield f"published: {source}"


@dataclass(frozen=True, eq=False, kw_only=True)
class SystemScore:
    """One measure over the runs of one system.

    Attributes:
        values: The spread of each value over the runs.
        signature: All that can move the numbers: what the signatures of the runs share, and how units were drawn.
        against: The system that this one was tested against; None for that system itself.
        differences: How the means differ from those of that system; empty for that system itself.
        p_holm: The p of each difference, adjusted for the number of systems tested.
        chance: What chance gives its runs, on average; None if it was not asked for.
        breakdowns: Its groups, each value the mean over the runs that have it, the counts means over all runs.
    """

    measure: Measure[Any, Any]
    values: Mapping[str, Spread]
    signature: Signature
    resampling: Resampling
    unit: str | None
    against: str | None = None
    differences: Mapping[str, MeanDifference] = field(default_factory=dict)
    p_holm: Mapping[str, float] = field(default_factory=dict)
    chance: ChanceLevel | None = None
    breakdowns: tuple[Breakdown, ...] = ()

    @property
    def spec(self) -> str:
        """The measure as its spec."""
        return str(self.measure)

    @property
    def headline(self) -> str:
        """The main value of the measure."""
        return self.measure.headline

    def merit(self, value: str) -> float:
        """Return what to sort one of the values by: the greater, the better."""
        return self.measure.merit(self.values[value].mean)

    def differs(self, value: str) -> bool:
        """Return whether a value differs by more than chance, at the level of the intervals."""
        return self.p_holm.get(value, 1.0) <= 1 - self.resampling.level + 1e-12

    def text(self) -> str:
        """Return how much of the variance of the headline is between runs, and how much between units."""
        found, name = self.values[self.headline], self.headline
        unit = f"{self.unit}s"
        if found.between_runs is None:
            only = f"the interval is of {unit} only" if found.interval else "there is no interval"
            return f"{self.spec}: one run only, so that nothing is known of the variance between runs; {only}"
        if found.between_units is None:
            return f"{self.spec}: no units to draw, so the interval is of runs only"
        if found.share_of_runs is None:
            return f"{self.spec}: {name} varies neither between runs nor between {unit}"
        runs = found.share_of_runs
        return f"{self.spec}: of the variance of {name}, {runs:.0%} is between runs and {1 - runs:.0%} between {unit}"

    def fields_of(self, name: str) -> dict[str, Any]:
        """Return what is known of one value: its spread, and its difference if it was tested."""
        found = dict(vars(self.values[name]))
        if name in self.differences:
            one = self.differences[name]
            found |= {"difference": one.difference, "difference_interval": one.interval, "p": one.p}
            found["p_holm"] = self.p_holm.get(name)
        return found


@dataclass(frozen=True, eq=False, kw_only=True)
class System:
    """One system and its runs."""

    name: str
    rows: tuple[int, ...]
    scores: tuple[SystemScore, ...]

    def __getitem__(self, name: str) -> SystemScore:
        found: SystemScore = _find_score(self.scores, name)
        return found

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of the spread, a sentence a measure."""
        return tuple(f"{self.name}: {score.text()}" for score in self.scores)


@dataclass(frozen=True, eq=False, kw_only=True)
class Listed:
    """Every item of one score."""

    # the columns of `Matching.columns`: first the rows of the prediction, then those of gold
    columns: Mapping[str, Cells]
    groups: Mapping[str, Column]


@dataclass(frozen=True, eq=False, kw_only=True)
class View:
    """What there is to show of one prediction."""

    items: Mapping[str, Listed]
    panels: Sequence[Panel]


def value_of(score: Score | SystemScore, name: str) -> float:
    """Return a value of a score; of repeated runs their mean."""
    return score.values[name] if isinstance(score, Score) else score.values[name].mean


def interval_of(score: Score | SystemScore, name: str) -> Interval | None:
    """Return the interval of a value; None if it has none."""
    return score.intervals.get(name) if isinstance(score, Score) else score.values[name].interval


def _find_score(scores: Sequence[Any], name: str) -> Any:
    """Find a score by its spec, which may be the name of another one too, or else the first by its name."""
    found = [one for one in scores if one.spec == name] or [one for one in scores if one.measure.name == name]
    if not found:
        raise unknown_choice_error("score", name, [one.spec for one in scores])
    return found[0]


class _Lines:
    """A field of lines, which a function may give when they are first looked at."""

    def __get__(self, run: Any, owner: type | None = None) -> tuple[str, ...]:
        if run is None:
            return ()
        found = run.__dict__["warnings"]
        if callable(found):
            found = run.__dict__["warnings"] = found()
        return found  # type: ignore[no-any-return]

    def __set__(self, run: Any, lines: tuple[str, ...] | Callable[[], tuple[str, ...]]) -> None:
        run.__dict__["warnings"] = lines


class OtherScore(NamedTuple):
    """A score of texts by another package, and how it was computed."""

    name: str
    value: float
    version: str


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Run:
    """One prediction and its scores.

    Attributes:
        pred: The prediction as goldassay read it.
        scores: One score per measure, in the order requested.
        warnings: Warnings on suspicious input, undefined values and scores near chance, one sentence each. Some are found when
            they are looked at first.
        view: What the page shows of it, if it was looked up already; a loaded report has it if it was saved.
        others: Scores of its texts by other packages.
    """

    pred: Model
    scores: tuple[Score, ...]
    warnings: _Lines = _Lines()
    view: View | None = None
    others: tuple[OtherScore, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        # What finds warnings cannot be pickled, and holds more than a run has.
        return {**self.__dict__, "warnings": self.warnings}

    @property
    def label(self) -> str:
        """The name of the prediction in tables."""
        return self.pred.path or "prediction"

    def __repr__(self) -> str:
        return f"<Run of {self.label}: {', '.join(map(str, self.scores))}>"

    def __contains__(self, name: object) -> bool:
        """Return whether there is a score of this name or spec."""
        return any(name in (score.spec, score.name) for score in self.scores)

    def __getitem__(self, name: str) -> Score:
        check_type(name, str, "the name of a measure, or its spec")
        found: Score = _find_score(self.scores, name)
        return found


@dataclass(frozen=True)
class Failure:
    """A prediction that could not be read.

    Attributes:
        label: The name of the prediction in tables.
        error: The message, whole.
    """

    label: str
    error: str

    @classmethod
    def of(cls, error: GoldassayError) -> Self:
        """Keep what an error says."""
        return cls(str(error.path or "prediction"), str(error))

    def text(self) -> str:
        r"""Write the message as one line.

        Example:
            >>> Failure("a.csv", "a.csv:1: A triple is not a list.\n  found:    'x'\n  expected: a list").text()
            "a.csv:1: A triple is not a list. (found: 'x'; expected: a list)"
        """
        first, *rest = (" ".join(line.split()) for line in self.error.splitlines())
        return f"{first} ({'; '.join(rest)})" if rest else first


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Results:
    """The scores of one or several predictions against one gold standard.

    Attributes:
        kind: The family.
        item: What is counted.
        gold: The gold standard as goldassay read it.
        runs: One run per prediction, in the order given.
        failures: The predictions that could not be read, where the others were to be scored all the same.
        gold_standards: The gold standards as read, where there are several; ``gold`` is then what they were merged to, or the first.
        systems: The systems whose repeated runs these are; empty if every run stands for itself.
        task: The named task that gold is of; None if it is of none.
        comparisons: Comparisons of the predictions with one or several of them; empty if not requested.
        ties: For each measure, which predictions or systems it does not separate; empty if not tested.
        groupings: The groupings of the scores.
        panels: The panels of the family, for the page and for figures.
        timings: Seconds that each stage took; empty if not measured.
        checks: What the report is checked against (`goldassay.report.gates.Checks`), for layouts that show it; None for nothing.
        engine: What holds the evidence, if it is a lazy frame; None for one machine.
    """

    kind: str
    item: str
    gold: Model
    runs: tuple[Run, ...]
    failures: tuple[Failure, ...] = ()
    gold_standards: tuple[Model, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    ties: tuple[Ties, ...] = ()
    systems: tuple[System, ...] = ()
    task: Benchmark | None = None
    panels: Panels = return_no_panels
    groupings: Mapping[str, Grouping] = field(default_factory=dict)
    timings: Mapping[str, float] = field(default_factory=dict)
    engine: Any = None
    checks: Any = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(run.label for run in self.runs)} by {', '.join(self.measures)}>"

    def __getstate__(self) -> dict[str, Any]:
        # A view of a dictionary cannot be pickled, nor copied.
        return {**self.__dict__, "groupings": dict(self.groupings)}

    def __contains__(self, name: object) -> bool:
        """Return whether there is such a run, or a score of this name or spec."""
        return name in self.runs or any(name in run for run in self.runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    @property
    def gold_models(self) -> tuple[Model, ...]:
        """Every gold as goldassay read it, one or several."""
        return self.gold_standards or (self.gold,)

    @property
    def scores(self) -> list[Score]:
        """The scores of all predictions, one prediction after the other."""
        return [score for run in self.runs for score in run.scores]

    @property
    def measures(self) -> dict[str, Measure[Any, Any]]:
        """The measures by their specs, in the order requested."""
        return {score.spec: score.measure for score in self.scores}

    @property
    def rows(self) -> list[ScoredRow]:
        """The rows of the table of scores: the systems if there are some, else the predictions."""
        systems = [ScoredRow(one.name, one.rows, one.scores) for one in self.systems]
        return systems or [ScoredRow(run.label, (row,), run.scores) for row, run in enumerate(self.runs)]

    @property
    def row_word(self) -> str:
        """What a row of the table of scores is, in one word."""
        return "system" if self.systems else "prediction"

    @property
    def signatures(self) -> list[str]:
        """The signatures of the table of scores, each once: predictions of one size share theirs."""
        return list(dict.fromkeys(str(score.signature) for row in self.rows for score in row.scores))

    @property
    def warnings(self) -> list[str]:
        """What is suspicious or undefined, each once: with the name of the run, if it is not so of all runs and has no name yet."""
        of_all = set.intersection(*(set(run.warnings) for run in self.runs)) if self.runs else set()
        lines = ((run, line) for run in self.runs for line in run.warnings)
        named = (
            line if line in of_all or line.startswith(run.label) else f"{run.label}: {line}" for run, line in lines
        )
        return list(dict.fromkeys([*named, *self.unscored]))

    @property
    def unscored(self) -> list[str]:
        """Why predictions could not be read, a line each."""
        return [f"not scored: {one.text()}" for one in self.failures]

    @property
    def knows_gold(self) -> bool:
        """Whether there is a digest of what gold holds: not on an engine, nor in a report of an earlier version."""
        return all(map(digest_of, self.gold_models))

    def differing_gold(self, other: Results) -> tuple[str, str] | None:
        """Return what gold is here and in another report if they differ, so that nothing can be compared."""
        content = self.knows_gold and other.knows_gold
        here, there = (one.about_gold(content=content) for one in (self, other))
        return None if here == there else (here, there)

    def about_gold(self, *, content: bool) -> str:
        """Say what the gold standards are, with the digests of what they hold or without."""
        texts = []
        for gold in self.gold_models:
            choices = ", ".join(f"{name}: {choice}" for name, choice in gold.choices.items())
            held = f", content {digest_of(gold)[:DIGITS]}" if content else ""
            texts.append(f"{count_of(len(gold), self.item)} ({choices}{held})")
        rules = dict.fromkeys(str(score.combined) for score in self.scores if score.combined)
        return " + ".join(sorted(texts)) + "".join(f", {rule}" for rule in rules)

    def metrics(self) -> dict[str, float]:
        """Return every value by its name, as loggers of experiments take them."""
        return {
            f"{f'{label}/' if label else ''}{score.spec}.{name}": value
            for label, run in zip(self._names(), self.runs, strict=True)
            for score in run.scores
            for name, value in score.values.items()
        }

    def _names(self) -> list[str]:
        """Name the predictions, each once; a single one has no name. What could not be read is one, too."""
        if len(self.runs) + len(self.failures) == 1:
            return [""]
        names = [run.label for run in self.runs]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise UsageError(
                "Several predictions have the same name.",
                found=twice,
                hint="name them: evaluate({NAME: ..., NAME: ...}), or take report.runs[0]",
            )
        return names

    def comparisons_of(self, row: int, score: Score) -> list[Comparison]:
        """Find the comparisons of one score of one prediction with the predictions that it was tested against."""
        return [one for one in self.comparisons if one.run == row and one.measure == score.spec]

    def headline_tests(self, spec: str, labels: Sequence[str]) -> Iterator[HeadlineTest]:
        """List the tests of the headline of one measure between rows of the table of scores, which have these labels."""
        name = self.measures[spec].headline
        for row, system in enumerate(self.systems):
            score = system[spec]
            if of := score.differences.get(name):
                p, differs = score.p_holm.get(name), score.differs(name)
                yield HeadlineTest(score.against or "", of.difference, p, differs, of.interval, row=row)
        for one in () if self.systems else self.comparisons:
            if (one.measure, one.value) == (spec, name):
                label, found, differs = labels[one.against], one.difference, one.differs(self.runs[one.run][spec])
                yield HeadlineTest(label, found.difference, one.p_holm, differs, found.interval, found.effect, one.run)

    def ties_of(self, spec: str) -> Ties | None:
        """Find which rows a measure does not separate; None if that was not tested."""
        return next((one for one in self.ties if one.measure == spec), None)

    def tie_letters(self, row: int, spec: str) -> str:
        """Return the letters of one row of the table of scores; empty if its ties were not tested."""
        ties = self.ties_of(spec)
        return ties.letters[row] if ties else ""

    def errors_of(self, spec: str) -> list[KindOfError]:
        """Count the errors of each row by kind, the most frequent first; nothing if errors have no kinds or there are too many items."""
        if sum(len(run.pred) + len(self.gold) for run in self.runs) > COUNTED_IN_ALL:
            return []
        found = [
            [score.matching.error_counts for score in run.scores if score.spec == spec and score.matching.error_counts]
            for run in self.runs
        ]
        rows = [row.runs for row in self.rows]
        if not all(found[run] for row in rows for run in row):
            return []
        kinds = dict.fromkeys((side, kind) for [counts] in found for side in counts for kind in counts[side])
        made = [
            KindOfError(
                side,
                kind,
                np.array([np.mean([found[run][0].get(side, {}).get(kind, 0) for run in row]) for row in rows]),
            )
            for side, kind in kinds
        ]
        return sorted(made, key=lambda one: (one.side != "pred", -one.counts.sum(), one.kind))

    def bases_of(self, spec: str) -> dict[int, list[int]]:
        """Find the rows that others are compared with by one measure: those of tests, else the first."""
        if self.systems:
            names = [one.name for one in self.systems]
            pairs = [(names.index(one[spec].against or names[0]), row) for row, one in enumerate(self.systems)]
        else:
            tested = [(one.against, one.run) for one in self.comparisons if one.measure == spec]
            pairs = tested or [(0, row) for row in range(len(self.runs))]
        found: dict[int, list[int]] = {}
        for base, row in dict.fromkeys(pairs):
            found.setdefault(base, []).extend([row] if row != base else [])
        return {base: rows for base, rows in found.items() if rows}

    @property
    def error_changes(self) -> list[ErrorChange]:
        """List which kinds of errors each prediction or system gained or lost against the one that it is compared with, where intervals were asked for."""
        names = [row.name for row in self.rows]
        asked = any(score.resampling for score in self.scores)
        return [
            ErrorChange(
                name=names[row],
                against=names[base],
                measure=spec,
                side=one.side,
                kind=one.kind,
                count=format_sum(one.counts[row]),
                before=format_sum(one.counts[base]),
            )
            for spec in (self.measures if asked else ())
            for kinds in [self.errors_of(spec)]
            for base, rows in self.bases_of(spec).items()
            for row in rows
            for one in kinds
        ]

    @property
    def against_several(self) -> bool:
        """Whether a measure was tested against more than one prediction."""
        return len({(one.measure, one.against) for one in self.comparisons}) > len(
            {one.measure for one in self.comparisons}
        )

    def _lines(self, place: int, row: ScoredRow, score: Score | SystemScore) -> Iterator[dict[str, Any]]:
        """List one score: the whole, then its groups."""
        named = {self.row_word: row.name, "measure": score.spec}
        signature = {"signature": str(score.signature)}
        split = any(one.breakdowns for other in self.rows for one in other.scores)
        if isinstance(score, SystemScore):
            columns = _spread_columns(score, len(row.runs))
        else:
            columns = self._columns(place, score)
        yield {**named, **({"by": None, "group": None} if split else {}), **columns, **signature}
        for found in score.breakdowns:
            groups = found.columns()
            for cells in zip(*groups.values(), strict=True):
                yield {**named, "by": found.by, **dict(zip(groups, cells, strict=True)), **signature}

    def _columns(self, row: int, score: Score) -> dict[str, Any]:
        """List what is known of one score of a prediction."""
        return {
            **({"means_over": f"{score.measure.unit}s"} if score.measure.averaged else {}),
            **score.values,
            **{f"{name}_{end}": getattr(found, end) for name, found in score.intervals.items() for end in ENDS},
            **_chance_columns(score),
            **_ceiling_columns(score),
            **{
                f"{name}_if_{end}": value
                for name, found in score.bounds.items()
                for end, value in (("wrong", found.low), ("right", found.high))
            },
            **dict(self._tested(row, score)),
            **score.counts,
            **{one.name: one.value for one in self.runs[row].others},
        }

    def _tested(self, row: int, score: Score) -> Iterator[tuple[str, Any]]:
        """List what tests found of one score, by the names of columns: with the prediction that it was tested against, if these are several."""
        for found in self.comparisons_of(row, score):
            other = f" against {self.runs[found.against].label}" if self.against_several else ""
            yield f"p_{found.value}{other}", found.p_holm
            yield (
                f"effect_{found.value}{other}",
                None if math.isnan(found.difference.effect) else found.difference.effect,
            )
        if self.ties_of(score.spec):
            yield "ties", self.tie_letters(row, score.spec)

    @overload
    def to_frame(self, library: Literal["polars"] = "polars", *, wide: bool = False) -> pl.DataFrame: ...
    @overload
    def to_frame(self, library: Literal["pandas"], *, wide: bool = False) -> Any: ...
    def to_frame(self, library: Literal["polars", "pandas"] = "polars", *, wide: bool = False) -> Any:
        """Return the report as a table: one row per prediction, measure and value; then one per group and value.

        Of repeated runs there is one row a system, measure and value.
        """
        if library not in LIBRARIES:
            raise unknown_choice_error("library", library, LIBRARIES)
        scores = [(place, row, score) for place, row in enumerate(self.rows) for score in row.scores]
        rows = [line for one in scores for line in self._lines(*one)]
        if wide:
            self._add_errors(rows)
        rows = rows if wide else [line for row in rows for line in self._tidy(row)]
        rows += [{"prediction": one.label, "error": one.error, "signature": None} for one in self.failures]
        frame = pl.DataFrame(rows, infer_schema_length=None)
        frame = frame.select(*(name for name in frame.columns if name != "signature"), "signature")
        if library == "polars":
            return frame
        pandas = require("pandas", extra="pandas", purpose="make frames of pandas")
        return pandas.DataFrame(frame.to_dict(as_series=False))

    def _add_errors(self, rows: Sequence[dict[str, Any]]) -> None:
        """Add how many errors of each kind a prediction makes to its row, and how many these are more than those of the one it was tested against."""
        whole = {(row.get("system", row.get("prediction")), row["measure"]): row for row in rows if not row.get("by")}
        for one in self.error_changes:
            column = f"errors_{one.side}: {one.kind}"
            other = f" against {one.against}" if self.against_several else ""
            whole[one.name, one.measure] |= {column: one.count, f"{column} (change{other})": one.difference}
            whole[one.against, one.measure].setdefault(column, one.before)

    def _tidy(self, row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Make of a wide row one row a value."""
        named = {name: row[name] for name in (*KEYS, "runs") if name in row}
        values = dict.fromkeys(name for score in self.scores for name in score.values)
        for value in values:
            if value in row:
                columns = {name: row[f"{value}_{name}"] for name in COLUMNS_OF_VALUE if f"{value}_{name}" in row}
                tested = {
                    name.replace(f"_{value}", "", 1): found
                    for name, found in row.items()
                    if name.partition(" ")[0] in (f"p_{value}", f"effect_{value}")
                }
                yield {**named, "value": value, "score": row[value], **columns, **tested, "signature": row["signature"]}


def _spread_columns(score: SystemScore, runs: int) -> dict[str, Any]:
    """List what is known of one score of repeated runs."""
    columns: dict[str, Any] = {"runs": runs}
    for name, found in score.values.items():
        ends = found.interval
        columns |= {
            name: found.mean,
            f"{name}_sd": found.sd,
            f"{name}_low": ends and ends.low,
            f"{name}_high": ends and ends.high,
            f"{name}_between_runs": found.between_runs,
            f"{name}_between_units": found.between_units,
            f"p_{name}": score.p_holm.get(name),
        }
        if name in score.differences:
            columns[f"{name}_difference"] = score.differences[name].difference
    return columns | _chance_columns(score, sd="expected_sd")


def _chance_columns(score: Score | SystemScore, *, sd: str = "sd") -> dict[str, Any]:
    """List what chance gives; of repeated runs ``_sd`` is of the runs, so that of the draws has another name."""
    if score.chance is None:
        return {}
    names = {name: sd if name == "sd" else name for name in CHANCE_COLUMNS}
    found = {
        f"{value}_{title}": getattr(score.chance, name)[value]
        for value in score.values
        for name, title in names.items()
    }
    return {name: None if math.isnan(one) else one for name, one in found.items()}


def _ceiling_columns(score: Score) -> dict[str, float]:
    return {f"{value}_ceiling": one for value, one in score.combined.ceiling.items()} if score.combined else {}
