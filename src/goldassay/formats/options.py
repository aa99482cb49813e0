"""Options that the readers of all families have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, get_args

from goldassay.core.parameters import parameter
from goldassay.formats.roles import Header

OnError: TypeAlias = Literal["stop", "skip"]


def on_error_option() -> Any:
    """Declare how to treat bad records: ``stop`` raises the first error, ``skip`` skips, counts and lists them."""
    return parameter(
        "stop", help="Whether to stop at a bad record, or to skip and count it.", choices=get_args(OnError)
    )


def format_option(known: Iterable[str]) -> Any:
    """Declare the format of the files, which is detected if None.

    Args:
        known: The allowed formats.
    """
    return parameter(None, help="Override format detection.", choices=tuple(known), metavar="FORMAT")


def header_option() -> Any:
    """Declare whether the first row of CSV and TSV names the columns; None recognises it."""
    return parameter(
        None,
        help="Whether the first row of CSV and TSV has the names of the columns; recognised if not given.",
        choices=get_args(Header),
    )


def column_option(what: str) -> Any:
    """Declare the name of a column of tables, which is recognised by its name if None.

    Args:
        what: What it holds.
    """
    return parameter(None, help=f"Name of the column of {what}.", metavar="NAME")
