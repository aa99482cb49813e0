"""Output files: written atomically, and never over an input; in CSV no text runs as a formula."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from os.path import exists, isdir
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import BinaryIO

from goldassay.core.errors import GoldassayError, OutputError
from goldassay.core.libraries import pl
from goldassay.core.patterns import pattern_of

FORMULA = r"(?s)^[=+\-@\t\r]."
"""The first characters of formulas in spreadsheets. A sign without anything after it, such as the relation ``=``, is no formula. Source: OWASP, CSV Injection."""
FIGURES = (".svg", ".png")
"""How the names of pictures end."""
OF_SYSTEM = pattern_of(r"(?:\[Errno |\(os error )(\d{1,3})[\])]")
"""How Python and Rust write the number of an error of the system."""
SUFFIXES = {".json": "json", ".csv": "csv", ".html": "html", ".md": "markdown", ".tex": "latex", ".txt": "text"}
"""The layout of a report that the name of a file asks for."""
OTHERS = frozenset(
    [
        ".tsv",
        ".jsonl",
        ".ndjson",
        ".parquet",
        ".arrow",
        ".feather",
        ".xls",
        ".xlsx",
        ".ods",
        ".yaml",
        ".yml",
        ".toml",
        ".xml",
        ".doc",
        ".docx",
        ".odt",
        ".pdf",
    ]
)
"""How the names of files end that no report is."""
SPECIAL = ("/dev/", "/proc/")
"""Folders of streams of a process and of devices."""


def ending_of(path: str | PathLike[str], known: Iterable[str], message: str, *, hint: str | None = None) -> str:
    """Return how the name of a file ends, in lower case; an error if that is none of the known endings."""
    suffix, endings = PurePath(path).suffix, list(known)
    if suffix.lower() not in endings:
        raise OutputError(message, path=path, found=suffix or "no suffix", expected=", ".join(endings), hint=hint)
    return suffix.lower()


def layout_for(
    given: str | None, path: PurePath | None, layouts: Sequence[str], flags: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return the layout that was given, or that the name of an output asks for, or the first; an error if the name is of something else."""
    suffix = path.suffix.lower() if path else ""
    if given:
        return given
    asked = layouts[0] if suffix == ".txt" else SUFFIXES.get(suffix, layouts[0])
    if suffix in flags or suffix in OTHERS or asked not in layouts:
        other = f"{flags[suffix]} {path}" if suffix in flags else f"--output {path.with_suffix('.csv')}"  # type: ignore[union-attr]
        hint = f"{other}, or --format {layouts[0]}"
        raise OutputError(f"--output writes no {suffix} file.", path=path, expected=", ".join(layouts), hint=hint)
    return asked


def csv_of(frame: pl.DataFrame, *, formulas: bool = False) -> str:
    """Write a table as CSV, with an apostrophe before every text that a spreadsheet would read as a formula."""
    return separated(frame if formulas else frame.with_columns(pl.col(pl.String).str.replace(FORMULA, "'${0}")), ",")


def separated(frame: pl.DataFrame, separator: str) -> str:
    """Write a table as text with separated columns; an empty text is an empty cell, without quotes."""
    return frame.with_columns(pl.col(pl.String).replace("", None)).write_csv(separator=separator)


TABLES: Mapping[str, Callable[[pl.DataFrame, BinaryIO], object]] = MappingProxyType(
    {
        "csv": lambda frame, stream: stream.write(separated(frame, ",").encode()),
        "tsv": lambda frame, stream: stream.write(separated(frame, "\t").encode()),
        "parquet": lambda frame, stream: frame.write_parquet(stream),
        "json-lines": lambda frame, stream: frame.write_ndjson(stream),
    }
)
"""How a table is written that goldassay reads again: texts stay as they are."""
BREAKS_TSV = "\t\r\n"


def refuse_characters(texts: pl.Series, characters: str, name: str) -> None:
    """Reject texts with characters that a format cannot represent."""
    wrong = texts.filter(texts.str.contains("[" + re.escape(characters) + "]"))
    if len(wrong):
        raise OutputError(
            f"An identifier contains a character that {name} cannot represent.",
            found=repr(wrong[0])[:80],
            hint="another format",
        )


def write_whole(path: str | PathLike[str], write: Callable[[BinaryIO], object]) -> None:
    """Write a temporary file in the same folder, then rename it: readers see the old file or the complete new one."""
    # A symbolic link is kept, and its target is replaced. A replaced file keeps its mode. Devices and FIFOs are written
    # to directly.
    with explain_system(path):
        check_writable(path)
        if _is_stream(path):
            with open(path, "wb") as stream:  # noqa: PTH123 - a path such as /dev/fd/3 is no file
                write(stream)
        else:
            _replace(Path(os.path.realpath(path)), write)


@contextmanager
def explain_system(path: str | PathLike[str], what: str = "file") -> Iterator[None]:
    """Convert errors of the system, whichever library reports them, to one of what is written."""
    try:
        yield
    except GoldassayError:
        raise
    except Exception as error:
        number = OF_SYSTEM.search(str(error))
        if not number and not isinstance(error, OSError):
            raise
        reason = os.strerror(int(number[1])) if number else error
        hint = "choose another path, or free disk space"
        raise OutputError(f"The {what} cannot be written: {reason}.", path=path, hint=hint) from error


def write_then_move(path: str | PathLike[str], write: Callable[[str], object]) -> None:
    """Write a file or a folder under a temporary name, then rename it."""
    check_writable(path)
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".goldassay.{os.getpid()}")
    try:
        with explain_system(path):
            write(fspath(temporary))
            temporary.replace(target)
    finally:
        if isdir(temporary):
            shutil.rmtree(temporary)
        else:
            temporary.unlink(missing_ok=True)


def _replace(target: Path, write: Callable[[BinaryIO], object]) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".goldassay.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(_mode(target))  # mkstemp makes the file private
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def check_writable(path: str | PathLike[str]) -> None:
    """Reject an output path that can never be written, before any work is done."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass
    except (OSError, ValueError) as error:
        found = error.strerror if isinstance(error, OSError) else str(error)
        raise OutputError("Invalid file name.", path=path, found=found, hint="choose another name") from error
    target = Path(path)
    if fspath(path) == "-":
        raise OutputError(
            "'-' is not supported as an output file.",
            path=path,
            expected="a file name",
            hint="/dev/stdout is the screen",
        )
    if isdir(target):
        raise OutputError("The output is a folder.", path=path, expected="a file name", hint=fspath(target / "out.csv"))
    if _is_stream(path):
        return
    target = Path(os.path.realpath(path))
    if not isdir(target.parent):
        raise OutputError("The folder of the output does not exist.", path=path, hint=f"mkdir -p {target.parent}")
    if not os.access(target.parent, os.W_OK) or (exists(target) and not os.access(target, os.W_OK)):
        raise OutputError("The output is read-only.", path=path, hint="choose another file or folder")


def check_folder(folder: Path) -> None:
    """Reject a folder to write to that is a file, or has files already."""
    if exists(folder) and (not isdir(folder) or any(folder.iterdir())):
        raise OutputError(
            "The folder already exists and is not empty.", path=folder, expected="a new or an empty folder"
        )


def check_outputs(outputs: Mapping[str, str | PathLike[str] | None], inputs: Iterable[str | PathLike[str]]) -> None:
    """Reject outputs that would overwrite an input or one another, before any work is done."""
    read = [os.path.realpath(one) for one in inputs if os.path.lexists(one)]
    flags: dict[str, str] = {}
    for flag, path in outputs.items():
        if path is None:
            continue
        check_writable(path)
        if _is_stream(path):
            continue
        real = os.path.realpath(path)
        if any(_is_same(real, one) for one in read):
            raise OutputError(f"{flag} would overwrite an input.", path=path, hint="choose another file")
        if real in flags:
            raise OutputError(f"{flags[real]} and {flag} name the same file.", path=path, hint="choose two files")
        flags[real] = flag


def _is_same(output: str, read: str) -> bool:
    if not exists(output):
        return False
    return Path(read) in Path(output).parents or Path(output).samefile(read)


def _is_stream(path: str | PathLike[str]) -> bool:
    """Return whether a path is a device, a FIFO or a stream of a process, which cannot be replaced."""
    if fspath(path).startswith(SPECIAL):
        return True
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 - a path such as /dev/fd/3 is no file
    except OSError:
        return False


def _mode(target: Path) -> int:
    """Return the mode of the file that is replaced, or that of a new file."""
    if exists(target):
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
