"""Reports read back from JSON: the numbers, how they were read, and what a comparison needs; the evidence is not kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, NoReturn, TypeAlias

import numpy as np

from goldassay.core.breakdown import Breakdown
from goldassay.core.context import Progress, silent
from goldassay.core.counts import Counts, FloatArray
from goldassay.core.errors import InputError, UsageError
from goldassay.core.matching import Evidence, Explanation, Matching, Side, SideName
from goldassay.core.measure import Measure
from goldassay.core.model import Model, Read
from goldassay.core.score import Score
from goldassay.core.signature import Signature
from goldassay.core.significance import Difference, Interval, Resampling
from goldassay.core.units import Units
from goldassay.families import parse
from goldassay.formats.documents import json_of
from goldassay.formats.source import load as load_source
from goldassay.report.comparison import Comparison
from goldassay.report.report import Report
from goldassay.report.results import SCHEMA, Run

MeasureOf: TypeAlias = Callable[[str], Measure[Any, Any]]


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedModel(Read):
    """What a report keeps of a model: how it was read, and how much it held.

    Attributes:
        items: How many items it held.
    """

    items: int

    def __len__(self) -> int:
        return self.items

    def item(self, row: int) -> str:
        """Refuse: items are not kept.

        Raises:
            UsageError: Always.
        """
        del row
        _refuse()


class NoEvidence(Matching[Any]):
    """The matching of a loaded score: none, and whoever asks for it is told so."""

    kept: ClassVar[bool] = False

    def evidence(self, side: SideName, rows: Any, *, progress: Progress = silent) -> Evidence:
        """Refuse: evidence is not kept.

        Raises:
            UsageError: Always.
        """
        del side, rows, progress
        _refuse()

    def table(self, *, progress: Progress = silent) -> NoReturn:
        """Refuse, likewise."""
        del progress
        _refuse()

    def missed(self, most: int | None = None) -> list[Explanation]:
        """Refuse, likewise."""
        del most
        _refuse()

    invented = missed


def load(path: str | PathLike[str]) -> Report:
    """Read a report back that `Report.save` or ``--format json`` wrote.

    Args:
        path: The file.

    Returns:
        The report. Its scores know their values, counts, signature, intervals and units, but no matching.

    Raises:
        InputError: If the file is no report of goldassay, or one of a later shape.

    Example:
        >>> import goldassay, tempfile, pathlib
        >>> gold = goldassay.Graph.from_edges([("cat", "animal"), ("dog", "animal")])
        >>> file = pathlib.Path(tempfile.mkdtemp(), "report.json")
        >>> goldassay.evaluate(gold, gold=gold, measures="literal").save(file)
        >>> load(file)["literal"].f1
        1.0
    """
    source = load_source(path)
    document = json_of(source)
    found = document.get("schema") if isinstance(document, dict) else None
    if found != SCHEMA:
        raise InputError(
            "The file is no report that this version of goldassay reads.",
            path=path,
            found=f"schema {found!r}" if found else "JSON without a schema",
            expected=SCHEMA,
            hint="write one with: goldassay ... --format json -o report.json",
        )
    try:
        return _report(document, cache(partial(_measure, path)))
    except _UnknownMeasureError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(
            "The report is damaged.", path=path, found=f"{type(error).__name__}: {error}", hint="write it again"
        ) from error


def is_report(path: str | PathLike[str]) -> bool:
    """Say whether a file begins like a report of goldassay."""
    try:
        with Path(path).open("rb") as stream:
            return f'"{SCHEMA}"'.encode() in stream.read(200)
    except OSError:
        return False


def _report(document: Mapping[str, Any], measure_of: MeasureOf) -> Report:
    return Report(
        kind=document["kind"],
        item=document["item"],
        gold=_model(document["gold"]),
        runs=tuple(_run(run, measure_of) for run in document["runs"]),
        comparisons=tuple(_comparison(one) for one in document.get("comparisons", [])),
    )


def _run(run: Mapping[str, Any], measure_of: MeasureOf) -> Run:
    scores = tuple(_score(score, measure_of) for score in run["scores"])
    return Run(pred=_model(run["pred"]), scores=scores, warnings=tuple(run["warnings"]))


def _model(kept: Mapping[str, Any]) -> Model:
    return SavedModel(**{**kept, "notes": tuple(kept["notes"])})


def _score(kept: Mapping[str, Any], measure_of: MeasureOf) -> Score:
    nothing, side = SavedModel(**NOTHING), Side.of_hits(np.zeros(0, dtype=np.bool_))
    resampling = kept.get("resampling")
    return Score(
        measure=measure_of(kept["measure"]),
        # JSON has no word for what is not a number.
        values={name: math.nan if value is None else float(value) for name, value in kept["values"].items()},
        counts=Counts(dict(kept["counts"])),
        matching=NoEvidence(pred=side, gold=side, pred_items=nothing, gold_items=nothing),
        signature=Signature.parse(kept["signature"]),
        undefined=tuple(kept["undefined"]),
        resampling=Resampling(**resampling) if resampling else None,
        units=_units(kept["units"]) if kept.get("units") else None,
        intervals={name: _interval(ends) for name, ends in kept.get("intervals", {}).items()},
        breakdowns=tuple(_breakdown(one) for one in kept.get("breakdowns", [])),
    )


def _breakdown(kept: Mapping[str, Any]) -> Breakdown:
    groups = kept["groups"]

    def columns(word: str) -> dict[str, FloatArray]:
        names = groups[0][word] if groups else {}
        return {
            name: np.array(
                [math.nan if one[word][name] is None else one[word][name] for one in groups], dtype=np.float64
            )
            for name in names
        }

    return Breakdown(
        by=kept["by"],
        groups=tuple(one["group"] for one in groups),
        values=columns("values"),
        counts=columns("counts"),
        intervals=tuple({name: _interval(ends) for name, ends in one["intervals"].items()} for one in groups),
    )


class _UnknownMeasureError(InputError):
    """A report holds a measure that nobody here knows."""


def _measure(path: str | PathLike[str], spec: str) -> Measure[Any, Any]:
    try:
        return parse(spec)
    except UsageError as error:
        raise _UnknownMeasureError(
            "The report has a score of a measure that is not known here.",
            path=path,
            found=spec,
            expected="a measure that `goldassay measures` lists",
            hint="install the package that defines the measure",
        ) from error


def _units(kept: Mapping[str, Any]) -> Units:
    return Units.of(
        kept["name"], kept["keys"], Counts({name: np.array(v, float) for name, v in kept["counts"].items()})
    )


def _interval(ends: list[float | None]) -> Interval:
    low, high = (math.nan if end is None else float(end) for end in ends)
    return Interval(low, high)


def _comparison(kept: Mapping[str, Any]) -> Comparison:
    difference = Difference(
        difference=kept["difference"],
        interval=_interval(kept["interval"]),
        p_randomisation=kept["p_randomisation"],
        p_bootstrap=kept["p_bootstrap"],
    )
    rest = {name: kept[name] for name in ("run", "against", "measure", "value", "p_holm", "p_mcnemar", "p_mcnemar_mid")}
    return Comparison(difference=difference, **rest)


NOTHING: Mapping[str, Any] = {
    "path": None,
    "format": "report",
    "items": 0,
    "left_out": {},
    "facts": {},
    "notes": (),
    "choices": {},
}


def _refuse() -> NoReturn:
    raise UsageError("A loaded report keeps the numbers, not the evidence.", hint="score the files again")
