"""Options that the readers of all families have."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Literal, TypeAlias, get_args

from goldassay.core.errors import UsageError
from goldassay.core.parameters import Options, flag_name, parameter, parameters_of
from goldassay.formats.choose_columns import Header
from goldassay.formats.known import formats_of

OnError: TypeAlias = Literal["stop", "skip"]
WITHOUT_COLUMNS = frozenset(formats_of("statements", "mappings", "labels", "sentences"))
"""Formats where it is settled what is what."""
WITHOUT_HEADER = WITHOUT_COLUMNS | frozenset(formats_of("rows")) - {"csv", "tsv"}


def on_error_option() -> Any:
    """Declare how to treat bad records: ``stop`` raises the first error, ``skip`` skips, counts and lists them."""
    return parameter(
        "stop", help="Whether to stop at a bad record, or to skip and count it.", choices=get_args(OnError)
    )


def format_option(known: Iterable[str]) -> Any:
    """Declare the format of the files, which is detected if None."""
    return parameter(None, help="Override format detection.", choices=tuple(known), metavar="FORMAT")


def header_option() -> Any:
    """Declare whether the first row of CSV and TSV names the columns; None recognises it."""
    return parameter(
        None,
        help="Whether the first row of CSV and TSV has the column names; detected by default.",
        choices=get_args(Header),
    )


def column_option(what: str) -> Any:
    """Declare the name of a column of tables, which is recognised by its name if None."""
    return parameter(None, help=f"Name of the column of {what}.", metavar="NAME")


def check_read(*read: tuple[Options, Iterable[str | None]]) -> None:
    """Refuse names of columns, or that there is a header, where no file that is read so is a table that could have them."""
    if not any(options.changed for options, _ in read):
        return
    kind: type = type(read[0][0])
    for name, flag in _table_options(kind):
        without = WITHOUT_HEADER if name == "header" else WITHOUT_COLUMNS
        found = {one for options, formats in read if name in options.changed for one in formats}
        if found and found <= without:
            raise UsageError(
                f"{name} has no effect: no file is a table with {'a header' if name == 'header' else 'this column'}.",
                found=", ".join(sorted(map(str, found))),
                hint=f"leave out {flag} (Python: {name})",
            )


@cache
def _table_options(reading: type) -> list[tuple[str, str]]:
    """List the options that only tables have, with their flags."""
    every = [(name, flag_name(declared)) for name, declared in parameters_of(reading).items()]
    return [(name, flag) for name, flag in every if name == "header" or flag.endswith("-column")]
