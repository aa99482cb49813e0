"""The results of an evaluation as data: predictions, scores and comparisons. All layouts read them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self

from goldassay.core.errors import GoldassayError, UsageError, require, unknown_choice
from goldassay.core.groups import Grouping
from goldassay.core.measure import Score
from goldassay.core.model import Model
from goldassay.core.panel import Panels, no_panels
from goldassay.report.benchmark import Benchmark
from goldassay.report.comparison import Comparison
from goldassay.report.systems import System

if TYPE_CHECKING:
    from goldassay.report.view import View

ENDS = ("low", "high")
CHANCE_COLUMNS = ("expected", "sd", "percentile", "adjusted")
LIBRARIES = ("polars", "pandas")
KEYS = ("system", "prediction", "measure", "by", "group")
BESIDE = (*ENDS, "sd", *CHANCE_COLUMNS, "ceiling", "if_wrong", "if_right", "between_runs", "between_units")
"""What stands beside a value, in columns whose names begin with its name."""


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


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Run:
    """One prediction and its scores.

    Attributes:
        pred: The prediction as goldassay read it.
        scores: One score per measure, in the order requested.
        warnings: Warnings on suspicious input, undefined values and scores near chance, one sentence each. Some are found when
            they are looked at first.
        view: What the page shows of it, if it was looked up already; a loaded report has it if it was saved.
    """

    pred: Model
    scores: tuple[Score, ...]
    warnings: _Lines = _Lines()
    view: View | None = None

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
        for score in self.scores:
            if name in (score.spec, score.name):
                return score
        raise unknown_choice("score", name, [score.spec for score in self.scores])


@dataclass(frozen=True)
class Failure:
    """A prediction that could not be read."""

    label: str
    error: str

    @classmethod
    def of(cls, error: GoldassayError) -> Self:
        """Keep what an error says."""
        return cls(str(error.path or "prediction"), str(error))

    def told(self) -> str:
        r"""Write the message as one line.

        Example:
            >>> Failure("a.csv", "a.csv:1: A triple is not a list.\n  found:    'x'\n  expected: a list").told()
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
        golds: The golds as read, where there are several; ``gold`` is then what they were merged to, or the first.
        systems: The systems whose repeated runs these are; empty if every run stands for itself.
        task: The named task that gold is of; None if it is of none.
        comparisons: Comparisons of the predictions with one of them; empty if not requested.
        groupings: The groupings of the scores.
        panels: The panels of the family, for the page and for figures.
        timings: Seconds that each stage took; empty if not measured.
        checks: What the report is held against (`goldassay.report.gates.Checks`), for layouts that tell it; None for nothing.
        engine: What holds the evidence, if it is a lazy frame; None for one machine.
    """

    kind: str
    item: str
    gold: Model
    runs: tuple[Run, ...]
    failures: tuple[Failure, ...] = ()
    golds: tuple[Model, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    systems: tuple[System, ...] = ()
    task: Benchmark | None = None
    panels: Panels = no_panels
    groupings: Mapping[str, Grouping] = field(default_factory=dict)
    timings: Mapping[str, float] = field(default_factory=dict)
    engine: Any = None
    checks: Any = None

    def __repr__(self) -> str:
        specs = dict.fromkeys(score.spec for run in self.runs for score in run.scores)
        return f"<{type(self).__name__}: {', '.join(run.label for run in self.runs)} by {', '.join(specs)}>"

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
    def references(self) -> tuple[Model, ...]:
        """Every gold as goldassay read it, one or several."""
        return self.golds or (self.gold,)

    @property
    def signatures(self) -> list[str]:
        """The signature of every row of the table of scores."""
        rows = [score for system in self.systems for score in system.scores]
        return [str(score.signature) for score in rows or (score for run in self.runs for score in run.scores)]

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
        return [f"not scored: {one.told()}" for one in self.failures]

    @property
    def about_gold(self) -> str:
        """What the gold standards are: reports on the same ones can be compared."""
        told = []
        for gold in self.references:
            choices = ", ".join(f"{name}: {choice}" for name, choice in gold.choices.items())
            told.append(f"{len(gold)} {self.item}s ({choices})")
        rules = dict.fromkeys(str(score.golds) for run in self.runs for score in run.scores if score.golds)
        return " + ".join(sorted(told)) + "".join(f", {rule}" for rule in rules)

    def metrics(self) -> dict[str, float]:
        """Give every value by its name, as loggers of experiments take them."""
        return {
            f"{f'{label}/' if label else ''}{score.spec}.{name}": value
            for label, run in zip(self._names(), self.runs, strict=True)
            for score in run.scores
            for name, value in score.values.items()
        }

    def _names(self) -> list[str]:
        """Name the predictions, each once; one that is alone has no name. What could not be read is one, too."""
        if len(self.runs) + len(self.failures) == 1:
            return [""]
        names = [run.label for run in self.runs]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise UsageError(
                "Several predictions have one name.",
                found=twice,
                hint="name them: evaluate({NAME: ..., NAME: ...}), or take report.runs[0]",
            )
        return names

    def comparisons_of(self, row: int, score: Score) -> list[Comparison]:
        """Find the comparisons of one score of one prediction with the prediction that it was tested against."""
        return [one for one in self.comparisons if one.run == row and one.measure == score.spec]

    def _lines(self, row: int, run: Run, score: Score) -> Iterator[dict[str, Any]]:
        """List one score: the whole, then its groups."""
        named = {"prediction": run.label, "measure": score.spec}
        signature = {"signature": str(score.signature)}
        split = any(one.breakdowns for other in self.runs for one in other.scores)
        yield {
            **named,
            **({"by": None, "group": None} if split else {}),
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
            **{f"p_{found.value}": found.p_holm for found in self.comparisons_of(row, score)},
            **score.counts,
            **signature,
        }
        for found in score.breakdowns:
            columns = found.columns()
            for cells in zip(*columns.values(), strict=True):
                yield {**named, "by": found.by, **dict(zip(columns, cells, strict=True)), **signature}

    def to_frame(self, library: Literal["polars", "pandas"] = "polars", *, wide: bool = False) -> Any:
        """Return the report as a table: one row per prediction, measure and value; then one per group and value.

        Of repeated runs there is one row a system, measure and value.
        """
        import polars as pl

        if library not in LIBRARIES:
            raise unknown_choice("library", library, LIBRARIES)
        rows = [line for system in self.systems for line in system.lines()] or [
            line for row, run in enumerate(self.runs) for score in run.scores for line in self._lines(row, run, score)
        ]
        rows = rows if wide else [line for row in rows for line in self._tidy(row)]
        rows += [{"prediction": one.label, "error": one.error, "signature": None} for one in self.failures]
        frame = pl.DataFrame(rows, infer_schema_length=None)
        frame = frame.select(*(name for name in frame.columns if name != "signature"), "signature")
        if library == "polars":
            return frame
        pandas = require("pandas", extra="pandas", purpose="make frames of pandas")
        return pandas.DataFrame(frame.to_dict(as_series=False))

    def _tidy(self, row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Make of a wide row one row a value."""
        named = {name: row[name] for name in (*KEYS, "runs") if name in row}
        values = dict.fromkeys(name for run in self.runs for score in run.scores for name in score.values)
        for value in values:
            if value in row:
                beside = {name: row[f"{value}_{name}"] for name in BESIDE if f"{value}_{name}" in row}
                tested = {"p": row[f"p_{value}"]} if f"p_{value}" in row else {}
                yield {**named, "value": value, "score": row[value], **beside, **tested, "signature": row["signature"]}


def _chance_columns(score: Score) -> dict[str, Any]:
    if score.chance is None:
        return {}
    found = {f"{value}_{name}": getattr(score.chance, name)[value] for value in score.values for name in CHANCE_COLUMNS}
    return {name: None if math.isnan(one) else one for name, one in found.items()}


def _ceiling_columns(score: Score) -> dict[str, float]:
    return {f"{value}_ceiling": one for value, one in score.golds.ceiling.items()} if score.golds else {}
