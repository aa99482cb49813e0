"""Options that the readers of all families have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, get_args

from goldassay.core.parameters import parameter

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
