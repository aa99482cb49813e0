"""Submissions of a challenge: unpacked, read without gold, and scored so that nothing of gold is revealed."""

from __future__ import annotations

import hmac
import stat
import tempfile
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from os import fspath
from os.path import isdir, isfile
from pathlib import Path, PurePosixPath
from typing import IO, Any

import numpy as np

from goldassay.challenges.challenge import Challenge
from goldassay.core.counts import Counts
from goldassay.core.errors import (
    EmptyInputError,
    GoldassayError,
    GoldassayWarning,
    InputError,
    UsageError,
    convert_errors,
)
from goldassay.core.measure import Score
from goldassay.core.model import Model
from goldassay.core.partial import empty_model
from goldassay.core.patterns import pattern_of
from goldassay.core.text import list_first
from goldassay.core.units import Units
from goldassay.evaluation import evaluate, read
from goldassay.families import family
from goldassay.formats.source import check_regular, open_file
from goldassay.report import Report, Run
from goldassay.saved import SavedModel, keep_model, make_no_evidence

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
"""How a zip begins, and an empty one."""
MEGABYTE = 2**20
OF_A_MAC = "__MACOSX"
"""The folder that a Mac adds to a zip."""
HINT = "zip the file again"
FLAG = pattern_of(r"--[a-z]|\bgoldassay ")
"""What advice for an organiser has: an option, or a command."""


@contextmanager
def open_submission(challenge: Challenge, submission: Path) -> Iterator[Path]:
    """Find the prediction of a submission, and unpack it if it is in a zip."""
    # Nothing is written but files of names that the challenge gives, or of the last parts of names in a zip, into a new
    # folder that is deleted afterwards; no link is made or followed.
    if isdir(submission):
        yield _find_in_folder(challenge, submission)
        return
    is_zip = _is_zip(challenge, submission)
    with tempfile.TemporaryDirectory() as folder:
        try:
            yield _find_prediction(challenge, submission, Path(folder), is_zip=is_zip)
        except GoldassayError as error:
            if error.path and error.path.startswith(folder):
                error.path = submission.name + (error.path.removeprefix(folder) if is_zip else "")
            raise


def _is_zip(challenge: Challenge, submission: Path) -> bool:
    _check_size(challenge, check_regular(submission), submission.name)
    with open_file(submission) as stream:
        return stream.read(4).startswith(ZIP)


def _find_prediction(challenge: Challenge, submission: Path, folder: Path, *, is_zip: bool) -> Path:
    if is_zip:
        with convert_errors("zipfile", "The zip cannot be read.", path=submission.name, hint=HINT):
            return _unpack(challenge, submission, folder)
    if challenge.prediction.endswith("/"):
        raise _lacking(challenge, submission, [submission.name])
    # Its name also shows its format, and a server may have called the upload anything.
    target = folder / challenge.prediction
    with open_file(submission) as given:
        _copy(challenge, submission.name, given, target, challenge.limits.megabytes * MEGABYTE)
    return target


def _copy(challenge: Challenge, name: str, given: IO[bytes], target: Path, left: int) -> int:
    """Copy a stream to a file, counting what is written; return how many bytes may still be written."""
    with target.open("wb") as copy:
        while piece := given.read(min(left + 1, MEGABYTE)):
            left -= len(piece)
            _check_size(challenge, challenge.limits.megabytes * MEGABYTE - left, name)
            copy.write(piece)
    return left


def _find_in_folder(challenge: Challenge, submission: Path) -> Path:
    """Find the prediction in an unpacked folder: at its top, or within one folder more."""
    name = challenge.prediction.removesuffix("/")
    found = [one / name for one in (submission, *sorted(submission.iterdir())) if one.name != OF_A_MAC]
    kept = next((one for one in found if (isdir(one) if name != challenge.prediction else isfile(one))), None)
    if kept is None:
        raise _lacking(challenge, submission, sorted(one.name for one in submission.iterdir()))
    files = sorted(kept.rglob("*")) if isdir(kept) else [kept]
    for one in (*files, kept, kept.parent):
        if one.is_symlink():
            raise InputError("The submission contains a link.", path=submission.name, found=one.name, hint=HINT)
        if not isdir(one):
            check_regular(one)
    _check_size(challenge, sum(one.stat().st_size for one in files if isfile(one)), submission.name)
    return kept


def _unpack(challenge: Challenge, submission: Path, folder: Path) -> Path:
    """Unpack the prediction, counting what is written: sizes that a zip declares may be false."""
    target = folder / challenge.prediction
    several = challenge.prediction.endswith("/")
    if several:
        target.mkdir()
    with zipfile.ZipFile(submission) as archive:
        files = [member for member in archive.infolist() if not member.is_dir() and OF_A_MAC not in member.filename]
        chosen = [one for one in files if _is_of(_path(one), challenge.prediction)]
        names = [_path(one).name for one in chosen]
        if not chosen:
            raise _lacking(challenge, submission, [one.filename for one in files])
        if len(set(names)) < len(names):
            raise InputError(
                "The zip contains two files with the same name.",
                path=submission.name,
                found=list_first([one.filename for one in chosen]),
                expected=f"one {challenge.prediction}",
            )
        left = challenge.limits.megabytes * MEGABYTE
        for one, name in zip(chosen, names, strict=True):
            if stat.S_ISLNK(one.external_attr >> 16):
                raise InputError("The zip contains a link.", path=submission.name, found=one.filename, hint=HINT)
            with archive.open(one) as packed:
                left = _copy(challenge, submission.name, packed, target / name if several else target, left)
    return target


def _path(file: zipfile.ZipInfo) -> PurePosixPath:
    """Return the path of a file in a zip; some programs write backslashes."""
    return PurePosixPath(file.filename.replace("\\", "/"))


def _is_of(name: PurePosixPath, prediction: str) -> bool:
    """Return whether a file in a zip is the prediction, or lies right in its folder; folders around it are common."""
    if prediction.endswith("/"):
        return name.parent.name == prediction.removesuffix("/") and not name.name.startswith(".")
    return name.name == prediction


def _check_size(challenge: Challenge, size: int, name: str) -> None:
    most = challenge.limits.megabytes
    if size > most * MEGABYTE:
        found = f"{size / MEGABYTE:,.1f} MB or more"
        raise InputError("The submission is too large.", path=name, found=found, expected=f"at most {most} MB")


def _lacking(challenge: Challenge, submission: Path, found: list[str]) -> InputError:
    what = "folder" if challenge.prediction.endswith("/") else "file"
    return InputError(
        f"The submission does not contain the {what} that the challenge asks for.",
        path=fspath(submission.name),
        found=list_first(found) or "nothing",
        expected=challenge.prediction,
        hint=f"zip {challenge.prediction} itself, and upload the zip",
    )


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
    try:
        with open_submission(challenge, submission) as path, warnings.catch_warnings():
            warnings.simplefilter("ignore", GoldassayWarning)
            model: Any = _read(challenge, path)
    except GoldassayError as error:
        # A team can change its file, and no options.
        error.hint = None if FLAG.search(error.hint or "") else error.hint
        raise
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

    Without ``evidence`` in the challenge the report has only numbers: its items, notes and warnings about gold are left out of
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
            gold is only in the cause.
        UsageError: If there is no such phase, or its gold cannot be read; what is wrong with it is only in the cause.
    """
    chosen = challenge.phase(phase)
    pred = check(challenge, submission)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GoldassayWarning)
        try:
            gold_standards = challenge.gold_standards(phase)
        except InputError as error:
            raise UsageError(f"The gold of the phase {phase!r} cannot be read.", hint="ask the organiser") from error
        restriction = family(challenge.kind).trust.restriction
        if isinstance(pred, SavedModel) and restriction is not None:
            pred = replace(empty_model(restriction, gold_standards[0]), path=pred.path)
        try:
            report = evaluate(
                pred,
                gold=gold_standards,
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
    # Exact counts are for the organiser. Pseudonyms are keyed by the bytes of gold: who has them has nothing to learn from pseudonyms.
    return hide_gold(report, places=challenge.places, key=chosen.gold_digest() if units else None)


def hide_gold(report: Report, *, places: int, key: bytes | None = None) -> Report:
    """Leave out of a report everything that may reveal gold: items, notes, warnings, names of units, counts, and the places of values that reveal single items."""
    return Report(
        kind=report.kind,
        item=report.item,
        gold=_size(report.gold),
        gold_standards=tuple(map(_size, report.gold_standards)),
        runs=tuple(
            Run(
                pred=keep_model(run.pred),
                scores=tuple(_drop_items(one, places, key) for one in run.scores),
                warnings=tuple(_remarks(run.scores)),
            )
            for run in report.runs
        ),
    )


def _size(gold: Model) -> SavedModel:
    """Keep of gold how it was read, and its size."""
    return SavedModel(format=gold.format, choices=gold.choices, items=len(gold))


def _drop_items(found: Score, places: int, key: bytes | None) -> Score:
    return replace(
        found,
        values={name: round(value, places) for name, value in found.values.items()},
        intervals={
            name: replace(one, low=round(one.low, places), high=round(one.high, places))
            for name, one in found.intervals.items()
        },
        counts=Counts({}) if key is None else found.counts,
        matching=make_no_evidence(),
        units=_pseudonyms(found.units, key) if key is not None and found.units is not None else None,
        note=None,
        breakdowns=(),
    )


def _remarks(scores: Iterable[Score]) -> Iterable[str]:
    """Return what is undefined or has no interval; notes on items are left out."""
    for one in scores:
        yield from filter(None, (replace(one, note=None).warning, one.no_interval, one.undefined_resamples))


def _pseudonyms(units: Units, key: bytes) -> Units:
    """Name units by keyed digests, and sort them by these, so that neither names nor order reveal the items."""
    names = [hmac.digest(key, str(name).encode(errors="surrogatepass"), "sha256").hex()[:20] for name in units.keys]
    order = np.argsort(names)
    counts = replace(units.counts, sums={name: np.asarray(column)[order] for name, column in units.counts.items()})
    return Units(name=units.name, keys=np.array(names, dtype=np.object_)[order], counts=counts)
