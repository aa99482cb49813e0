"""Failures of polars as errors of our own, with the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from goldassay.core.errors import GoldassayError, InputError


@contextmanager
def polars_errors(path: str, message: str) -> Iterator[None]:
    """Turn whatever polars raises into an `InputError`, panics of Rust included, which are no `Exception`.

    Args:
        path: The file.
        message: What is wrong then, in one sentence.

    Raises:
        InputError: For every error of polars.
    """
    import polars as pl

    try:
        yield
    except GoldassayError:
        raise
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, OverflowError) as error:
        raise _explained(error, path, message) from error


def _explained(error: BaseException, path: str, message: str) -> InputError:
    found = str(error).partition("\n")[0][:200] or type(error).__name__
    return InputError(message, path=path, found=found, expected="a whole file", hint="copy or write it again")
