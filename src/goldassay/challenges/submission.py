"""A submission: a zip, a file or a folder that somebody else made, and the prediction in it."""

from __future__ import annotations

import stat
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from os import fspath
from pathlib import Path, PurePosixPath
from typing import IO

from goldassay.challenges.challenge import Challenge
from goldassay.core.errors import GoldassayError, InputError, borrowed
from goldassay.core.text import first_few
from goldassay.formats.source import check_regular

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
"""How a zip begins, and an empty one."""
MEGABYTE = 2**20
OF_A_MAC = "__MACOSX"
"""The folder that a Mac adds to a zip."""
HINT = "zip the file again"


@contextmanager
def opened(challenge: Challenge, submission: Path) -> Iterator[Path]:
    """Find the prediction of a submission, and unpack it if it is in a zip.

    Nothing is written but files of names that the challenge gives, or of the last parts of names in a zip, into a new folder
    that is deleted afterwards; no link is made or followed.
    """
    if submission.is_dir():
        yield _in_folder(challenge, submission)
        return
    is_zip = _is_zip(challenge, submission)
    with tempfile.TemporaryDirectory() as folder:
        try:
            yield _found(challenge, submission, Path(folder), is_zip=is_zip)
        except GoldassayError as error:
            if error.path and error.path.startswith(folder):
                error.path = submission.name + (error.path.removeprefix(folder) if is_zip else "")
            raise


def _is_zip(challenge: Challenge, submission: Path) -> bool:
    try:
        size = check_regular(submission)
        with submission.open("rb") as stream:
            is_zip = stream.read(4).startswith(ZIP)
    except OSError as error:
        raise InputError("The submission cannot be opened.", path=submission.name, found=str(error.strerror)) from error
    _check_size(challenge, size, submission.name)
    return is_zip


def _found(challenge: Challenge, submission: Path, folder: Path, *, is_zip: bool) -> Path:
    if is_zip:
        with borrowed("zipfile", "The zip cannot be read.", path=submission.name, hint=HINT):
            return _unpacked(challenge, submission, folder)
    if challenge.prediction.endswith("/"):
        raise _lacking(challenge, submission, [submission.name])
    # Its format is told by its name, too, and a server may have called the upload anything.
    target = folder / challenge.prediction
    with submission.open("rb") as given:
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


def _in_folder(challenge: Challenge, submission: Path) -> Path:
    """Find the prediction in a folder, which somebody unpacked: at its top, or within one folder more."""
    name = challenge.prediction.removesuffix("/")
    found = [one for one in (submission / name, *sorted(submission.glob(f"*/{name}"))) if OF_A_MAC not in one.parts]
    kept = next((one for one in found if (one.is_dir() if name != challenge.prediction else one.is_file())), None)
    if kept is None:
        raise _lacking(challenge, submission, sorted(one.name for one in submission.iterdir()))
    files = sorted(kept.rglob("*")) if kept.is_dir() else [kept]
    for one in (*files, kept, kept.parent):
        if one.is_symlink():
            raise InputError("The submission holds a link.", path=submission.name, found=one.name, hint=HINT)
        if not one.is_dir():
            check_regular(one)
    _check_size(challenge, sum(one.stat().st_size for one in files if one.is_file()), submission.name)
    return kept


def _unpacked(challenge: Challenge, submission: Path, folder: Path) -> Path:
    """Unpack the prediction, counting what is written: sizes that a zip declares may be false."""
    target = folder / challenge.prediction
    several = challenge.prediction.endswith("/")
    if several:
        target.mkdir()
    with zipfile.ZipFile(submission) as archive:
        files = [one for one in archive.infolist() if not one.is_dir() and OF_A_MAC not in one.filename]
        chosen = [one for one in files if _is_of(_path(one), challenge.prediction)]
        names = [_path(one).name for one in chosen]
        if not chosen:
            raise _lacking(challenge, submission, [one.filename for one in files])
        if len(set(names)) < len(names):
            raise InputError(
                "The zip has two files of one name.",
                path=submission.name,
                found=first_few([one.filename for one in chosen]),
                expected=f"one {challenge.prediction}",
            )
        left = challenge.limits.megabytes * MEGABYTE
        for one, name in zip(chosen, names, strict=True):
            if stat.S_ISLNK(one.external_attr >> 16):
                raise InputError("The zip holds a link.", path=submission.name, found=one.filename, hint=HINT)
            with archive.open(one) as packed:
                left = _copy(challenge, submission.name, packed, target / name if several else target, left)
    return target


def _path(file: zipfile.ZipInfo) -> PurePosixPath:
    """Give the path of a file in a zip; some programs write backslashes."""
    return PurePosixPath(file.filename.replace("\\", "/"))


def _is_of(name: PurePosixPath, prediction: str) -> bool:
    """Say whether a file in a zip is the prediction, or lies right in its folder; folders around it are common."""
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
        f"The submission has no {what} of the name that the challenge asks for.",
        path=fspath(submission.name),
        found=first_few(found) or "nothing",
        expected=challenge.prediction,
        hint=f"zip {challenge.prediction} itself, and upload the zip",
    )
