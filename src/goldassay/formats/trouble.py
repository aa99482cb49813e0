"""Errors of polars, converted to errors of goldassay with the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from goldassay.core.errors import GoldassayError, InputError, first_line


@contextmanager
def polars_errors(path: str, message: str) -> Iterator[None]:
    """Convert all errors of polars to `InputError`, including panics of Rust, which are not an `Exception`."""
    import polars as pl

    try:
        yield
    except GoldassayError:
        raise
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, OverflowError) as error:
        raise _explained(error, path, message) from error


def _explained(error: BaseException, path: str, message: str) -> InputError:
    return InputError(
        message, path=path, found=first_line(error), expected="a whole file", hint="copy or write it again"
    )
