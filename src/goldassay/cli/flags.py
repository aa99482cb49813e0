"""Commands are made of flags: from groups (dataclasses of typer options), readers' options and what a family declares."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, TypeVar, get_type_hints

import typer

from goldassay.core.parameters import Options, Parameter, parameters_of

Command = TypeVar("Command", bound=Callable[..., None])
Run = Callable[..., None]


def expanded(command: Command) -> Run:
    """Add every field of a command's dataclass parameters as a parameter of the command.

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
    flags = [flag for one in parameters for flag in flags_of(one.name, hints[one.name], one.default)]

    def run(**given: Any) -> None:
        command(**{one.name: value_of(one.name, hints[one.name], given) for one in parameters})

    return as_command(run, flags, name=command.__name__, about=command.__doc__ or "")


def as_command(run: Run, flags: list[inspect.Parameter], *, name: str, about: str) -> Run:
    """Set the signature of a function to its flags on the command line.

    Args:
        run: Called with the value of each flag by its name.
        flags: The flags.
        name: The name of the command.
        about: Its help.
    """
    run.__name__ = name
    run.__doc__ = "\n\n".join(" ".join(paragraph.split()) for paragraph in about.split("\n\n"))
    run.__signature__ = inspect.Signature(flags, return_annotation=None)  # type: ignore[attr-defined]
    run.__annotations__ = {flag.name: flag.annotation for flag in flags} | {"return": None}
    return run


def flags_of(name: str, hint: Any, default: Any = inspect.Parameter.empty) -> Iterator[inspect.Parameter]:
    """Return the flags of one parameter: itself, the fields of a group, or the options of a reader."""
    if not _is_group(hint):
        yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)
    elif issubclass(hint, Options):
        yield from (option_flag(declared) for declared in parameters_of(hint).values())
    else:
        hints = get_type_hints(hint, include_extras=True)
        for field in dataclasses.fields(hint):
            unset = field.default is dataclasses.MISSING
            yield from flags_of(field.name, hints[field.name], inspect.Parameter.empty if unset else field.default)


def value_of(name: str, hint: Any, given: dict[str, Any]) -> Any:
    """Build the arguments of a command from the values of flags."""
    if not _is_group(hint):
        return given[name]
    if issubclass(hint, Options):
        return hint(**options_given(hint, given))
    hints = get_type_hints(hint, include_extras=True)
    return hint(**{field.name: value_of(field.name, hints[field.name], given) for field in dataclasses.fields(hint)})


def options_given(reading: type[Options], given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a reader that were set, by name."""
    found = {}
    for name, declared in parameters_of(reading).items():
        value = given[name]
        if repeats(declared):
            value = tuple(value) if value else declared.default
        found[name] = value
    return found


def option_flag(declared: Parameter) -> inspect.Parameter:
    """Return the flag of a declared option."""
    kind: Any = declared.kind
    default = declared.default
    if repeats(declared):
        kind, default = list[str] | None, None
    elif declared.choices and not declared.metavar:
        kind = Literal[declared.choices] if default is not None else Literal[declared.choices] | None
    whole = declared.bounds is not None and declared.kind is int
    option = typer.Option(
        flag_name(declared),
        metavar=declared.metavar,
        help=sentence(declared.help),
        show_default=default not in (None, False),
        rich_help_panel="Reading",
        min=declared.bounds[0] if declared.bounds and whole else None,
        max=declared.bounds[1] if declared.bounds and whole else None,
    )
    return inspect.Parameter(
        declared.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
    )


def flag_name(declared: Parameter) -> str:
    """Name the flag of a declared option."""
    return declared.flag or f"--{declared.name.replace('_', '-')}"


def repeats(declared: Parameter) -> bool:
    """Return whether an option takes several values, so that its flag may be given several times."""
    kinds = (declared.kind, *typing.get_args(declared.kind))
    return any(typing.get_origin(kind) is tuple for kind in kinds)


def sentence(text: str) -> str:
    """Write a line of help as a sentence.

    Example:
        >>> sentence("an alignment whose pairs are ignored")
        'An alignment whose pairs are ignored.'
    """
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."


def _is_group(hint: Any) -> bool:
    return isinstance(hint, type) and dataclasses.is_dataclass(hint)
