"""Limits of input: each with its default, its unit and the environment variable that sets it.

The limits protect against damaged or hostile files, which could use up all memory or time.
The defaults allow an ontology of two gigabytes. A variable is read each time the limit is used.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from types import MappingProxyType

from goldassay.core.errors import InputError, UsageError, unknown_choice_error

PREFIX = "GOLDASSAY_MAX_"


@dataclass(frozen=True, kw_only=True)
class Limit:
    """One limit."""

    name: str  # what it bounds, in one word; `GOLDASSAY_MAX_` and this word in capitals is its environment variable
    default: int
    unit: str
    help: str

    @cached_property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return PREFIX + self.name.upper()

    @property
    def value(self) -> int:
        """The current limit."""
        text = os.environ.get(self.variable, "").strip()
        if not text:
            return self.default
        # No sensible limit has more than eighteen digits.
        if not (text.isascii() and text.isdigit() and len(text) <= 18 and int(text) > 0):  # noqa: PLR2004
            raise UsageError(
                f"The environment variable {self.variable} is not a valid limit.",
                found=repr(text[:40]),
                expected=f"a whole number of {self.unit}, at least 1",
                hint=f"unset it for the default of {self.default:,}",
            )
        return int(text)

    @property
    def hint(self) -> str:
        """How to raise the limit."""
        return f"if you trust the file, raise the limit: --limit {self.name}=N or {self.variable}=N ({self.unit}, now {self.value:,})"

    def check(
        self, found: int, message: str, *, path: str | PathLike[str] | None = None, line: int | None = None
    ) -> None:
        """Raise an error for what is over the limit.

        Example:
            >>> COLUMNS.check(20_000, "The table is too wide.", path="a.csv", line=1)
            Traceback (most recent call last):
            goldassay.core.errors.InputError: a.csv:1: The table is too wide.
              found:    20,000 columns
              expected: at most 10,000 columns
              try:      if you trust the file, raise the limit: --limit columns=N or GOLDASSAY_MAX_COLUMNS=N (columns, now 10,000)
        """
        if found > self.value:
            raise self.error(message, found=f"{found:,} {self.unit}", path=path, line=line)

    def error(
        self, message: str, *, found: str, path: str | PathLike[str] | None = None, line: int | None = None
    ) -> InputError:
        """Build the error for what is over the limit, with a description of what was found."""
        return InputError(
            message, path=path, line=line, found=found, expected=f"at most {self.value:,} {self.unit}", hint=self.hint
        )


BYTES = Limit(name="bytes", default=4 * 2**30, unit="bytes", help="size of a file, unpacked")
RATIO = Limit(
    name="ratio",
    default=250,
    unit="times the packed size",
    help="compression ratio of an archive, beyond its first 16 MiB",
)
DEPTH = Limit(name="depth", default=500, unit="levels", help="nesting of elements, brackets and expressions")
LENGTH = Limit(name="length", default=2**24, unit="characters", help="length of one record, line or cell")
COLUMNS = Limit(name="columns", default=10_000, unit="columns", help="columns of a table")
LIST = Limit(name="list", default=1_000_000, unit="entries", help="entries of one list in a record, such as candidates")
NAMESPACES = Limit(
    name="namespaces", default=1000, unit="namespaces", help="namespaces in force at one place of an XML or OWL file"
)
ANCESTORS = Limit(
    name="ancestors", default=100_000_000, unit="pairs", help="pairs of a label of an instance and a label above it"
)
MEMBERS = Limit(name="members", default=20_000_000, unit="members", help="members of the definitions of all classes")
DIGITS = Limit(name="digits", default=1000, unit="digits", help="digits of one number")
SENTENCE = Limit(name="sentence", default=50_000, unit="characters", help="length of a sentence compared by characters")
NAME = Limit(name="name", default=10_000, unit="characters", help="length of a name in a dictionary of concepts")
PAIRS = Limit(name="pairs", default=3_000_000, unit="pairs", help="pairs of synonyms, or of nested names in a text")
FILES = Limit(name="files", default=200_000, unit="entries of folders", help="files that a pattern looks at")
RESAMPLES = Limit(name="resamples", default=1_000_000, unit="resamples", help="draws of an interval or a test")
SECONDS = Limit(name="seconds", default=3600, unit="seconds", help="time of one run of a reasoner")
MEMORY = Limit(name="memory", default=4096, unit="MiB", help="memory of a reasoner")

LIMITS = MappingProxyType({one.name: one for one in [*globals().values()] if isinstance(one, Limit)})
"""Every limit by its name."""


def set_limit(text: str) -> None:
    """Move a limit for this process and those that it starts."""
    name, _, number = text.partition("=")
    if name not in LIMITS:
        raise unknown_choice_error("limit", name, LIMITS)
    before = os.environ.get(LIMITS[name].variable)
    os.environ[LIMITS[name].variable] = number or "nothing"
    try:
        LIMITS[name].value  # noqa: B018 - it is checked when it is read
    except UsageError as error:
        if before is None:
            del os.environ[LIMITS[name].variable]
        else:
            os.environ[LIMITS[name].variable] = before
        raise UsageError(f"Invalid limit {text[:80]!r}.", expected=error.expected, hint=f"--limit {name}=N") from error


SMALL = 2**24
"""Size allowed for an archive regardless of its ratio: harmless tables of repeated rows compress well."""


def check_unpacked(unpacked: int, packed: int) -> None:
    """Reject an archive that unpacks to an excessive size; call it while unpacking, or with the declared sizes.

    Example:
        >>> check_unpacked(2**30, 1400)
        Traceback (most recent call last):
        goldassay.core.errors.InputError: The unpacked file is too large.
          found:    1,073,741,824 bytes from a file of 1,400
          expected: at most 250 times the packed size
          try:      if you trust the file, raise the limit: --limit ratio=N or GOLDASSAY_MAX_RATIO=N (times the packed size, now 250)
    """
    message, found = "The unpacked file is too large.", f"{unpacked:,} bytes from a file of {packed:,}"
    if unpacked > BYTES.value:
        raise BYTES.error(message, found=found)
    if unpacked > SMALL and unpacked > packed * RATIO.value:
        raise RATIO.error(message, found=found)
