"""The exception tree, and the warnings.

::

    GoldassayError
    ├── InputError              a file or a value that cannot be read as what it should be
    │   ├── RecordError         one bad record in an otherwise good file; ``on_error="skip"`` counts it instead
    │   └── EmptyInputError     a file or a value without any item; as a prediction it scores 0
    ├── UsageError              an unknown measure, parameter or option value
    ├── EncoderError            no weights, wrong weights, vectors that are missing or not numbers
    ├── CacheError              the embedding cache cannot be used
    ├── OutputError             a result cannot be written
    └── MissingDependencyError  an optional package is missing; gives the pip command

    GoldassayWarning
    ├── UndefinedWarning        a ratio was 0/0 and the measure's ``undefined`` took its place
    └── SuspectInputWarning     the input is valid, but probably not what was intended

Every error says where it is, what was found, what was expected, and what to do.
"""

from __future__ import annotations

import difflib
import importlib
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from os import PathLike, fsdecode
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

from goldassay.core.patterns import pattern_of
from goldassay.core.text import show_object, visible

PACKAGE = __name__.partition(".")[0]
LONGEST_WORD = 100
LONGEST_PART = 1000
"""Characters of a part of a message: what was found may be a word of a whole file."""
OF_ONE_RUN = pattern_of(r"Id\(\d+\), ")
"""The number of a task in the panic of a parser."""
Given = ParamSpec("Given")
Made = TypeVar("Made")


class GoldassayError(Exception):
    """Base of every error that goldassay raises on purpose.

    Attributes:
        message: What is wrong, in one sentence.
        path: The file it is wrong in, if there is one.
        line: 1-based line in that file.
        column: 1-based column in that line.
        found: What was found there.
        expected: What was expected there.
        hint: What to do about it.

    Example:
        >>> print(GoldassayError("The row is short.", path="a.csv", line=3, found="1 cell", expected="2 cells"))
        a.csv:3: The row is short.
          found:    1 cell
          expected: 2 cells
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | PathLike[str] | None = None,
        line: int | None = None,
        column: int | None = None,
        found: str | None = None,
        expected: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        # A file name that is not UTF-8 contains lone surrogates, which no report can write.
        self.path = None if path is None else visible(fsdecode(path))
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
        self.hint = hint

    def __str__(self) -> str:
        path = None if self.path is None else _shorten(self.path.replace("\n", r"\n"))
        place = ":".join(str(part) for part in (path, self.line, self.column) if part is not None)
        message = _shorten(self.message)
        head = f"{place}: {message}" if place else message
        found = self.found and self.found.replace("\n", r"\n")
        details = (("found", found), ("expected", self.expected), ("try", self.hint))
        return visible("\n".join([head, *(f"  {name + ':':<9} {_shorten(text)}" for name, text in details if text)]))

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only fields would be lost when unpickled from a worker process.
        return (_rebuild, (type(self), self.message, self.__dict__))


def _shorten(text: str) -> str:
    # What is cut out is a plain text, also of an object of another type of text, which may write itself in another way.
    shown = text[:LONGEST_PART]
    return shown if len(text) <= LONGEST_PART else f"{shown} ... ({len(text):,} characters)"


def _rebuild(kind: type[GoldassayError], message: str, state: dict[str, object]) -> GoldassayError:
    error = kind(message)
    error.__dict__.update(state)
    return error


class InputError(GoldassayError, ValueError):
    """A file or a value that cannot be read as what it should be."""


@contextmanager
def name_file(path: str | PathLike[str] | None) -> Iterator[None]:
    """Say in which file a value is that cannot be read."""
    try:
        yield
    except InputError as error:
        if error.path is None and path is not None:
            error.path = visible(fsdecode(path))
        raise


def names_file(read: Callable[Given, Made]) -> Callable[Given, Made]:
    """Decorate what reads its first argument, a path or what has one: an error that names no file names that one.

    This is how errors come to name files: what is called by it has no need to know the file. A generator runs after its call, and is
    exhausted by the function that is decorated.
    """

    @wraps(read)
    def run(*given: Given.args, **more: Given.kwargs) -> Made:
        file = given[0] if given else next(iter(signature(read).bind(**more).arguments.values()))
        path = file if isinstance(file, str | PathLike) else getattr(file, "path", None)
        with name_file(path if isinstance(path, str | PathLike) else None):
            return read(*given, **more)

    return run


class RecordError(InputError):
    """One bad record in an otherwise readable file."""


class EmptyInputError(InputError):
    """A file or a value without any item: as a prediction it scores 0, anywhere else it is an error.

    Attributes:
        model: The model that was read, without items; None if the input does not even say how it would be read.
    """

    model: object = None

    def is_about(self, name: str) -> bool:
        """Return whether the input itself is empty, and not another file that it needs, such as a hierarchy.

        Args:
            name: The input; a column or a table of it may be named after ``#``.
        """
        whole = visible(name)
        return self.path is None or whole == self.path or whole.startswith(f"{self.path}#")


class UsageError(GoldassayError, ValueError):
    """An unknown measure, parameter or option value."""


class EncoderError(GoldassayError):
    """No weights, wrong weights, or vectors that are missing or not numbers."""


class CacheError(GoldassayError):
    """The embedding cache cannot be used."""


class OutputError(GoldassayError, OSError):
    """A result cannot be written."""

    __str__ = GoldassayError.__str__


class MissingDependencyError(GoldassayError, ImportError):
    """An optional package is absent."""

    __str__ = GoldassayError.__str__


class GoldassayWarning(UserWarning):
    """Base of every warning that goldassay gives on purpose."""


class UndefinedWarning(GoldassayWarning):
    """A ratio was 0/0, and the measure's ``undefined`` value took its place."""


class SuspectInputWarning(GoldassayWarning):
    """The input is valid, but probably not what was intended."""


def warn(line: str, kind: type[Warning] = SuspectInputWarning) -> None:
    """Warn where goldassay was called, however deep within it this is."""
    frame, level = sys._getframe(1), 2  # noqa: SLF001 - what warnings themselves look at
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == PACKAGE:
        frame, level = frame.f_back, level + 1
    warnings.warn(line, kind, stacklevel=level)


@contextmanager
def convert_errors(
    parser: str,
    message: str,
    *,
    path: str | PathLike[str] | None = None,
    kind: type[GoldassayError] = InputError,
    hint: str,
) -> Iterator[None]:
    """Convert errors of third-party parsers to errors of goldassay; the caller catches those it can explain better.

    A Rust parser that panics raises an exception that is not an ``Exception``, so that ``except Exception`` misses it.

    Example:
        >>> with convert_errors("int", "This is not a number.", path="a.csv", hint="correct it"):
        ...     int("x")
        Traceback (most recent call last):
        goldassay.core.errors.InputError: a.csv: This is not a number.
          found:    int says: invalid literal for int() with base 10: 'x'
          try:      correct it
    """
    try:
        yield
    except (GoldassayError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        raise kind(message, path=path, found=f"{parser} says: {first_line(error)}", hint=hint) from error


def first_line(error: BaseException) -> str:
    """Return the first line of an error of another package, the same in each run."""
    return OF_ONE_RUN.sub("", str(error).partition("\n")[0])[:200] or type(error).__name__


class explain_errors:  # noqa: N801 - called as a function
    """Name an input in errors that name none, and convert those of other packages; a class, since a generator takes four times as long.

    Example:
        >>> with explain_errors("a.csv", lambda error: InputError("This is not a number.", found=str(error))):
        ...     raise InputError("The table has no row.")
        Traceback (most recent call last):
        goldassay.core.errors.InputError: a.csv: The table has no row.
    """

    __slots__ = ("explanation", "path")

    def __init__(self, path: str | None, explanation: Callable[[BaseException], GoldassayError | None]) -> None:
        self.path, self.explanation = path, explanation

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, InputError):
            error.path = error.path or self.path
        if error is None or isinstance(error, GoldassayError):
            return
        if (isinstance(error, Exception) or is_panic(error)) and (explained := self.explanation(error)) is not None:
            raise explained from error


def is_panic(error: BaseException) -> bool:
    """Return whether an error is a panic of a library in Rust, which is not an `Exception`."""
    return type(error).__name__ == "PanicException"


def require(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import an optional package, or raise an error with the command that installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        package = module.partition(".")[0]
        raise MissingDependencyError(
            f"The package {package!r} is needed to {purpose}, and it is not installed.",
            hint=f"pip install 'goldassay[{extra}]'",
        ) from error


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Find the known word that is closest to ``word``."""
    if len(word) > LONGEST_WORD:
        # Comparing takes more than the square of the length, and no word that is meant is that long.
        return None
    matches = difflib.get_close_matches(word.lower(), list(known), n=1)
    return matches[0] if matches else None


def check_type(given: object, types: type | tuple[type, ...], expected: str) -> None:
    """Refuse an argument of a type that it cannot have.

    Example:
        >>> check_type(3, str, "the name of a measure")
        Traceback (most recent call last):
        goldassay.core.errors.UsageError: This argument has another type.
          found:    3 of the type int
          expected: the name of a measure
    """
    if not isinstance(given, types):
        found = f"{show_object(given)[:60]} of the type {type(given).__name__}"
        raise UsageError("This argument has another type.", found=found, expected=expected)


def path_of(given: Any) -> str:
    """Write the path that an object stands for, which may be one in bytes."""
    try:
        return fsdecode(given)
    except Exception as error:  # an object of another package may raise anything
        raise UsageError(
            "The object does not name a path.",
            found=f"{type(given).__name__}: {first_line(error)}",
            expected="a path, such as 'pred.csv' or pathlib.Path('pred.csv')",
        ) from error


def unknown_choice_error(kind: str, found: object, known: Iterable[str]) -> UsageError:
    """Build the error for a word that is not one of the allowed words."""
    names = list(known)
    hint = nearest(found, names) if isinstance(found, str) else None
    return UsageError(f"Unknown {kind} {show_object(found)}.", expected=", ".join(names), hint=hint)
