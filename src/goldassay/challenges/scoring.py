"""Submissions of a challenge: read without gold, and scored so that nothing of gold is told."""

from __future__ import annotations

import hmac
import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from goldassay.challenges.challenge import Challenge
from goldassay.challenges.submission import opened
from goldassay.core.errors import EmptyInputError, GoldassayWarning, InputError, UsageError
from goldassay.core.measure import Score
from goldassay.core.model import Model
from goldassay.core.partial import emptied
from goldassay.core.units import Units
from goldassay.evaluation import evaluate, read
from goldassay.families import family
from goldassay.report import Report, Run
from goldassay.saved import SavedModel, no_evidence, saved_model


def check(challenge: Challenge, submission: Path) -> Model:
    """Read a submission without gold, as participants may before they send it.

    Args:
        challenge: The challenge; the files of gold need not be there.
        submission: A zip, a folder, or the prediction itself.

    Returns:
        The prediction as it was read: its size, its format, what was left out, notes. Its path is its name in the challenge.
        One without items scores 0; if nothing says how it would be read, it is a `SavedModel`.

    Raises:
        InputError: If there is no prediction in it, it is too large, or it cannot be read.
    """
    with opened(challenge, submission) as path, warnings.catch_warnings():
        warnings.simplefilter("ignore", GoldassayWarning)
        model: Any = _read(challenge, path)
    return replace(model, path=challenge.prediction)  # type: ignore[no-any-return]


def _read(challenge: Challenge, path: Path) -> Any:
    try:
        return read(path, kind=challenge.kind, **challenge.options)
    except EmptyInputError as error:
        if not error.is_about(str(path)):
            raise
        return error.model or SavedModel(format="empty", items=0)


def score(challenge: Challenge, phase: str, submission: Path, *, units: bool = False) -> Report:
    """Score a submission in a phase.

    Without ``evidence`` in the challenge the report holds numbers alone: its items, notes and warnings about gold are left out of
    JSON and page alike, as nothing of gold is kept in it.

    Args:
        challenge: The challenge.
        phase: The name of the phase.
        submission: A zip, a folder, or the prediction itself.
        units: Whether to keep the counts of each unit, under pseudonyms that are the same for all submissions, for paired tests.
            Such a report is for the organiser: who compares the units of many submissions learns which items are right.

    Returns:
        The report of one prediction.

    Raises:
        InputError: If the submission cannot be read, or does not fit gold, such as a document that is missing; what may quote
            gold is in the cause alone.
        UsageError: If there is no such phase, or its gold cannot be read; what is wrong with it is in the cause alone.
    """
    chosen = challenge.phase(phase)
    pred = check(challenge, submission)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GoldassayWarning)
        try:
            golds = challenge.golds(phase)
        except InputError as error:
            raise UsageError(f"The gold of the phase {phase!r} cannot be read.", hint="ask the organiser") from error
        restriction = family(challenge.kind).restriction
        if isinstance(pred, SavedModel) and restriction is not None:
            pred = replace(emptied(restriction, golds[0]), path=pred.path)
        try:
            report = evaluate(
                pred,
                gold=golds,
                kind=challenge.kind,
                measures=challenge.measures,
                encoder=challenge.encoder,
                intervals=challenge.intervals,
            )
        except (InputError, UsageError) as error:
            if error.path == challenge.prediction:
                error.path = submission.name
            message = "The submission does not fit the gold of this phase."
            raise InputError(message, path=submission.name, hint="ask the organiser") from error
    if challenge.evidence:
        return report
    # Pseudonyms are keyed by the bytes of gold: who has them has nothing to learn from pseudonyms.
    return without_gold(report, key=chosen.gold_digest() if units else None)


def without_gold(report: Report, *, key: bytes | None = None) -> Report:
    """Leave out of a report everything that may tell what gold holds: items, notes, warnings, names of units."""
    return Report(
        kind=report.kind,
        item=report.item,
        gold=_size(report.gold),
        golds=tuple(map(_size, report.golds)),
        runs=tuple(
            Run(
                pred=saved_model(run.pred),
                scores=tuple(_without_items(one, key) for one in run.scores),
                warnings=tuple(_remarks(run.scores)),
            )
            for run in report.runs
        ),
    )


def _size(gold: Model) -> SavedModel:
    """Keep of gold how it was read, and its size."""
    return SavedModel(format=gold.format, choices=gold.choices, items=len(gold))


def _without_items(found: Score, key: bytes | None) -> Score:
    return replace(
        found,
        matching=no_evidence(),
        units=_pseudonyms(found.units, key) if key is not None and found.units is not None else None,
        remark=None,
        breakdowns=(),
    )


def _remarks(scores: Iterable[Score]) -> Iterable[str]:
    """Say what is undefined or has no interval; what measures remark on items is left out."""
    for one in scores:
        yield from filter(None, (replace(one, remark=None).caveat, one.unsure))


def _pseudonyms(units: Units, key: bytes) -> Units:
    """Name units by keyed digests, and sort them by these, so that neither names nor order tell the items."""
    names = [hmac.digest(key, str(name).encode(errors="surrogatepass"), "sha256").hex()[:20] for name in units.keys]
    order = np.argsort(names)
    counts = replace(units.counts, sums={name: np.asarray(column)[order] for name, column in units.counts.items()})
    return Units(name=units.name, keys=np.array(names, dtype=np.object_)[order], counts=counts)
