"""Flags in groups: a command names a dataclass once, and has each of its fields as a flag."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any, TypeGuard, TypeVar, get_type_hints

Command = TypeVar("Command", bound=Callable[..., None])


def expanded(command: Command) -> Command:
    """Give a command every field of its dataclass parameters as a parameter of its own.

    Args:
        command: A function whose parameters are flags, or dataclasses whose fields are flags.

    Returns:
        The function as the command line sees it: flags alone.

    Example:
        >>> @dataclasses.dataclass(frozen=True)
        ... class Shown:
        ...     places: int = 4
        >>> @expanded
        ... def command(name: str, shown: Shown) -> None:
        ...     print(name, shown)
        >>> inspect.signature(command)
        <Signature (*, name: str, places: int = 4) -> None>
        >>> command(name="cat", places=2)
        cat Shown(places=2)
    """
    hints = get_type_hints(command, include_extras=True)
    parameters = inspect.signature(command).parameters.values()
    flags = [flag for one in parameters for flag in _flags(one.name, hints[one.name], one.default)]

    @functools.wraps(command)
    def run(**given: Any) -> None:
        command(**{one.name: _value(one.name, hints[one.name], given) for one in parameters})

    run.__signature__ = inspect.Signature(flags, return_annotation=None)  # type: ignore[attr-defined]
    run.__annotations__ = {flag.name: flag.annotation for flag in flags} | {"return": None}
    # What stands behind is not what the command line shall see.
    del run.__wrapped__
    return run  # type: ignore[return-value]


def _flags(name: str, hint: Any, default: Any) -> Iterator[inspect.Parameter]:
    if not _is_group(hint):
        yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)
        return
    hints = get_type_hints(hint, include_extras=True)
    for field in dataclasses.fields(hint):
        unset = field.default is dataclasses.MISSING
        yield from _flags(field.name, hints[field.name], inspect.Parameter.empty if unset else field.default)


def _value(name: str, hint: Any, given: dict[str, Any]) -> Any:
    if not _is_group(hint):
        return given[name]
    hints = get_type_hints(hint, include_extras=True)
    return hint(**{field.name: _value(field.name, hints[field.name], given) for field in dataclasses.fields(hint)})


def _is_group(hint: Any) -> TypeGuard[type[Any]]:
    return isinstance(hint, type) and dataclasses.is_dataclass(hint)
