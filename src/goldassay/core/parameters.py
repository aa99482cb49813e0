"""Parameters of measures and options of readers: declared with the field, checked once, read by help, docs and commands."""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, cached_property, wraps
from typing import Any, Literal, ParamSpec, TypeVar

from goldassay.core.errors import UsageError, unknown_choice_error
from goldassay.core.text import show_object

Bounds = tuple[float, float]
MOST_EXACT = 2.0**53
"""A bound as high as this is none that a description names: floats have all whole numbers up to it."""
Given = ParamSpec("Given")
Made = TypeVar("Made")


def parameter(
    default: Any,
    *,
    help: str,  # noqa: A002 - the usual word of command lines
    always: bool = False,
    choices: tuple[Any, ...] = (),
    bounds: Bounds | None = None,
    encoder: str | None = None,
    metavar: str | None = None,
    flag: str | None = None,
    filled: bool = False,
) -> Any:
    """Declare one parameter of a measure, or one option of a reader."""
    metadata = {
        "help": help, "always": always, "choices": choices, "bounds": bounds, "encoder": encoder, "metavar": metavar,
        "flag": flag, "filled": filled,
    }  # fmt: skip
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Parameter:
    """One declared parameter."""

    name: str
    kind: Any
    default: Any
    help: str
    always: bool  # whether specs show it even at its default
    choices: tuple[Any, ...]
    bounds: Bounds | None
    encoder: str | None  # the encoder that the default is calibrated for; None if there is none
    metavar: str | None  # the name of its value in the help of commands; None for the default
    flag: str | None  # its flag on the command line; None if that is its name
    filled: bool  # whether an empty text is refused

    @property
    def expected(self) -> str:
        """A description of the allowed values."""
        if self.choices:
            return ", ".join(f"{choice:g}" if isinstance(choice, float) else str(choice) for choice in self.choices)
        kind = self.kind.__name__ if isinstance(self.kind, type) else str(self.kind)
        kind, none = kind.removesuffix(" | None"), ", or none" if kind.endswith(" | None") else ""
        low, high = self.bounds or (-math.inf, math.inf)
        if high < MOST_EXACT:
            return f"{kind} in [{low:g}, {high:g}]{none}"
        return kind + (f", at least {low:g}" if low > -MOST_EXACT else "") + none

    def check(self, value: Any, *, owner: str) -> Any:
        """Return the value in its canonical form."""
        if self.kind in (float, float | None) and isinstance(value, int) and not isinstance(value, bool):
            value = _float(value, self, owner)
        if self.kind is str and self.choices and isinstance(value, int) and not isinstance(value, bool):
            # A name that is a number, such as a year, needs no quotes in a spec.
            value = show_object(value)
        if value is None and "none" in self.choices:
            # In a spec the word without quotes is also the value.
            return "none"
        if value is None and self.default is None:
            return None
        for choice in self.choices:
            if equal_values(value, choice):
                return choice
        if self.filled and value == "":
            raise UsageError(f"{owner}: the {self.name} is empty.", found="''", expected="at least one character")
        if self.choices or not _is_of(value, self.kind) or not self._within(value):
            raise UsageError(
                f"{owner}: the parameter {self.name!r} cannot be {(found := show_object(value))}.",
                found=found,
                expected=self.expected,
            )
        return value

    def is_default(self, value: Any) -> bool:
        """Return whether a value is the default."""
        return equal_values(value, self.default)

    def _within(self, value: Any) -> bool:
        return self.bounds is None or value is None or self.bounds[0] <= value <= self.bounds[1]


def parameters_of(owner: type) -> dict[str, Parameter]:
    """List the parameters of a measure, or the options of a reader, by name, in order of display."""
    return _parameters_of(owner)


@cache
def _parameters_of(owner: type) -> dict[str, Parameter]:
    kinds = typing.get_type_hints(owner)
    declared = {
        field.name: Parameter(
            name=field.name, kind=_to_plain(kinds[field.name]), default=field.default, **field.metadata
        )
        for field in dataclasses.fields(owner)
    }
    # `undefined` comes first by inheritance, but is the least important.
    return {name: declared[name] for name in sorted(declared, key=lambda name: name == "undefined")}


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of a reader: a frozen dataclass whose fields are declared by `parameter`, each checked when it is made.

    The command of a family has a flag for each of them.

    Example:
        >>> @dataclass(frozen=True, kw_only=True)
        ... class Reading(Options):
        ...     text: str = parameter("label", help="What is compared.", choices=("label", "iri"))
        >>> Reading(text="labels")
        Traceback (most recent call last):
        goldassay.core.errors.UsageError: Unknown text 'labels'.
          expected: label, iri
          try:      label
    """

    def __post_init__(self) -> None:
        for name, declared in parameters_of(type(self)).items():
            value = getattr(self, name)
            if declared.choices and isinstance(value, str) and value not in declared.choices:
                raise unknown_choice_error(name, value, declared.choices)
            object.__setattr__(self, name, declared.check(value, owner="reading"))
        for names, why in self.idle():
            for name in names:
                if not parameters_of(type(self))[name].is_default(getattr(self, name)):
                    hint = f"leave out {flag_name(parameters_of(type(self))[name])} (Python: {name})"
                    raise UsageError(f"{name} has no effect {why}.", hint=hint)

    @cached_property
    def changed(self) -> frozenset[str]:
        """The options that are not at their default."""
        known = parameters_of(type(self))
        return frozenset(name for name, declared in known.items() if not declared.is_default(getattr(self, name)))

    @cached_property
    def names_columns(self) -> bool:
        """Whether a column or a format is named, which the reader of tables checks."""
        return any(value is not None and name.endswith(("_column", "_format")) for name, value in vars(self).items())

    def idle(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Name the options that have no effect with the others, and say why: it is an error to set one."""
        yield from ()


def flag_name(declared: Parameter) -> str:
    """Name the flag of a declared option."""
    return declared.flag or f"--{declared.name.replace('_', '-')}"


Used = set[tuple[str, Any]]
"""Options that a reader looked at, with their values."""
_noted: ContextVar[Used | None] = ContextVar("noted", default=None)
_used: ContextVar[Used | None] = ContextVar("used", default=None)


def note_used_options() -> Used:
    """Note from here on which options readers look at, for the command: a look then takes ten times as long."""
    used: Used = set()
    _noted.set(used)
    Options.__getattribute__ = _noting  # type: ignore[method-assign, assignment]
    return used


def _noting(options: Options, name: str) -> Any:
    """Return an attribute of options, and note it where a reader looks at an option."""
    value = object.__getattribute__(options, name)
    used = _used.get()
    if used is not None and name in type(options).__dataclass_fields__:
        used.add((name, value))
    return value


def note_reads() -> AbstractContextManager[None]:
    """Record in the enclosed code which options a reader uses."""
    noted = _noted.get()
    return nullcontext() if noted is None else _looking(noted)


@contextmanager
def _looking(noted: Used) -> Iterator[None]:
    token = _used.set(noted)
    try:
        yield
    finally:
        _used.reset(token)


def showing(choices: Callable[Given, Made]) -> Callable[Given, Made]:
    """Decorate a function that only shows options, so that their use is not recorded."""

    @wraps(choices)
    def shown(*given: Given.args, **named: Given.kwargs) -> Made:
        if _used.get() is None:
            return choices(*given, **named)
        token = _used.set(None)
        try:
            return choices(*given, **named)
        finally:
            _used.reset(token)

    return shown


def equal_values(left: Any, right: Any) -> bool:
    """Compare two values, with nan equal to nan and True different from 1."""
    if isinstance(left, float) and isinstance(right, float) and math.isnan(left) and math.isnan(right):
        return True
    try:
        return bool(left == right) and isinstance(left, bool) == isinstance(right, bool)
    except Exception:  # noqa: BLE001 - a table, or another object that compares in its own way, is no value
        return False


def _float(value: int, declared: Parameter, owner: str) -> float:
    try:
        return float(value)
    except OverflowError as error:
        found = f"a whole number of {value.bit_length():,} bits"
        raise UsageError(
            f"{owner}: the parameter {declared.name!r} is beyond the range of a number.",
            found=found,
            expected=declared.expected,
        ) from error


def _to_plain(kind: Any) -> Any:
    return type(typing.get_args(kind)[0]) if typing.get_origin(kind) is Literal else kind


def _is_of(value: Any, kind: Any) -> bool:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return any(_is_of(value, option) for option in typing.get_args(kind))
    if origin is tuple:
        return isinstance(value, tuple) and all(_is_of(element, typing.get_args(kind)[0]) for element in value)
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, kind)
