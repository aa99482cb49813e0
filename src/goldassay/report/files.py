"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from os import PathLike, fspath
from pathlib import Path
from typing import BinaryIO

from goldassay.core.errors import OutputError


def write_whole(path: str | PathLike[str], write: Callable[[BinaryIO], object]) -> None:
    """Write a file beside its place, then move it there: readers see the old file or the whole new one.

    Args:
        path: Where the file shall stand.
        write: Writes the content to the binary stream that it is given.

    Raises:
        OutputError: If the file cannot be written; what stood there before still stands there.
    """
    target = Path(path)
    try:
        check_writable(target)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        beside = Path(name)
        try:
            with os.fdopen(handle, "wb") as stream:
                write(stream)
                stream.flush()
                os.fsync(stream.fileno())
            beside.chmod(0o666 & ~_umask())  # mkstemp makes the file private
            beside.replace(target)
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(
            f"The file cannot be written: {error.strerror or error}.", path=path, hint="another place, or more room"
        ) from error


def check_writable(path: str | PathLike[str]) -> None:
    """Refuse an output path that can never be written, before hours of work are spent on what goes there.

    Raises:
        OutputError: If the path is a folder, or its folder is missing or closed to writing.
    """
    target = Path(path)
    if target.is_dir():
        raise OutputError("The output is a folder.", path=path, expected="a file name", hint=fspath(target / "out.tsv"))
    if not target.parent.is_dir():
        raise OutputError("The folder of the output does not exist.", path=path, hint=f"mkdir -p {target.parent}")
    if not os.access(target.parent, os.W_OK):
        raise OutputError("The folder of the output cannot be written to.", path=path, hint="another folder")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
