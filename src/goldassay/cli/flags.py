"""Commands are made of flags: from groups (dataclasses of typer options), readers' options and what a family declares."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_type_hints

import typer

from goldassay.core.errors import UsageError, nearest
from goldassay.core.parameters import Options, Parameter, Used, flag_name, note_used_options, parameters_of

if TYPE_CHECKING:
    from goldassay.core.family import SideOptions

Command = TypeVar("Command", bound=Callable[..., None])
Run = Callable[..., None]


def expand_parameters(command: Command) -> Run:
    """Add every field of a command's dataclass parameters as a parameter of the command."""
    hints = get_type_hints(command, include_extras=True)
    parameters = inspect.signature(command).parameters.values()
    flags = [flag for one in parameters for flag in flags_of(one.name, hints[one.name], one.default)]

    def run(**given: Any) -> None:
        command(**{one.name: value_of(one.name, hints[one.name], given) for one in parameters})

    return as_command(run, flags, name=command.__name__, about=command.__doc__ or "")


def as_command(run: Run, flags: list[inspect.Parameter], *, name: str, about: str) -> Run:
    """Set the signature of a function to its flags on the command line."""
    run.__name__ = name
    run.__doc__ = "\n\n".join(" ".join(paragraph.split()) for paragraph in about.split("\n\n"))
    run.__signature__ = inspect.Signature(flags, return_annotation=None)  # type: ignore[attr-defined]
    run.__annotations__ = {flag.name: flag.annotation for flag in flags} | {"return": None}
    return run


@functools.cache
def hints_of(group: type) -> Mapping[str, Any]:
    """Return the types of the fields of a group."""
    return get_type_hints(group, include_extras=True)


def flags_of(name: str, hint: Any, default: Any = inspect.Parameter.empty) -> Iterator[inspect.Parameter]:
    """Return the flags of one parameter: itself, the fields of a group, or the options of a reader."""
    if not _is_group(hint):
        yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)
    elif issubclass(hint, Options):
        yield from (option_flag(declared) for declared in parameters_of(hint).values())
    else:
        hints = hints_of(hint)
        for field in dataclasses.fields(hint):
            if field.metadata:
                declared = Parameter(name=field.name, kind=hints[field.name], default=field.default, **field.metadata)
                yield option_flag(declared, panel=hint.panel)
                continue
            unset = field.default is dataclasses.MISSING
            yield from flags_of(field.name, hints[field.name], inspect.Parameter.empty if unset else field.default)


def value_of(name: str, hint: Any, given: dict[str, Any]) -> Any:
    """Build the arguments of a command from the values of flags."""
    if not _is_group(hint):
        return given[name]
    if issubclass(hint, Options):
        return hint(**options_given(hint, given))
    hints = hints_of(hint)
    # A flag that has no effect on this family has its default.
    names = [one.name for one in dataclasses.fields(hint) if one.name in given or _is_group(hints[one.name])]
    return hint(**{name: value_of(name, hints[name], given) for name in names})


def options_given(reading: type[Options], given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a reader that the command has, by name."""
    found = {}
    for name, declared in parameters_of(reading).items():
        if name not in given:
            continue
        value = given[name]
        if repeats(declared):
            value = tuple(value) if value else declared.default
        found[name] = value
    return found


def invalid_value(flag: str, hint: Any, given: object, command: str) -> UsageError | None:
    """Build the error for a value that a flag of a command cannot have; None if its type is none of those that are known."""
    # The parser's own words depend on the version of typer, and do not say what was found.
    kind, option, *_ = typing.get_args(hint)
    kinds = (kind, *typing.get_args(kind))
    words = next((typing.get_args(one) for one in kinds if typing.get_origin(one) is Literal), ())
    number = next((text for one, text in ((int, "a whole number"), (float, "a number")) if one in kinds), None)
    if not isinstance(given, str) or not (words or number):
        return None
    low, high = (None if bound is None else f"{bound:.12g}" for bound in (option.min, option.max))
    within = "" if low is None else f" of at least {low}" if high is None else f" from {low} to {high}"
    meant = nearest(given, words)
    return UsageError(
        f"Invalid value of {flag}.",
        found=given or "nothing",
        expected=", ".join(words) or f"{number}{within}",
        hint=f"{flag} {meant}" if meant else f"{command} --help",
    )


BOOLEANS = {"true": True, "yes": True, "false": False, "no": False}


def options_of(given: Iterable[str], reading: type[Options]) -> dict[str, Any]:
    """Return the options of a reader that are written ``NAME=VALUE``; one that takes several values is repeated."""
    known, found = parameters_of(reading), dict[str, Any]()
    for one in given:
        name, _, text = one.partition("=")
        name = name.strip().replace("-", "_")
        if "=" not in one or name not in known:
            raise UsageError("Unknown option of the reader.", found=one, expected=f"NAME=VALUE of {', '.join(known)}")
        kinds = {known[name].kind, *typing.get_args(known[name].kind)}
        try:
            value: Any = BOOLEANS[text.lower()] if bool in kinds else int(text) if int in kinds else text
        except (KeyError, ValueError) as error:
            expected = "true or false" if bool in kinds else "a whole number"
            raise UsageError(f"Invalid value of the option {name}.", found=one, expected=expected) from error
        found[name] = (*found.get(name, ()), value) if repeats(known[name]) else value
    return found


SIDES = ("gold", "pred")
"""What an option of a reader may be given for, if not for both."""


def option_of(side: str, declared: Parameter) -> Parameter:
    """Return an option of a reader for one side: ``--input-format`` is ``--gold-format`` for gold; not given is None."""
    flag = flag_name(declared).removeprefix("--").removeprefix("input-")
    kind = declared.kind if repeats(declared) else declared.kind | None
    return dataclasses.replace(
        declared, name=f"{side}_of_{declared.name}", flag=f"--{side}-{flag}", kind=kind, default=None
    )


def side_options(reading: type[Options]) -> Iterator[Parameter]:
    """Return the options of a reader for each side."""
    return (option_of(side, declared) for side in SIDES for declared in parameters_of(reading).values())


def places_of(declared: Parameter) -> tuple[str, ...]:
    """Name the parameters of a command that set an option of the reader: for both sides, and for each."""
    return (declared.name, *(option_of(side, declared).name for side in SIDES))


def side_given(side: str, reading: type[Options], given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a reader that were given for one side only, by name."""
    found = {}
    for name, declared in parameters_of(reading).items():
        value = given[option_of(side, declared).name]
        if value not in (None, []):
            found[name] = tuple(value) if repeats(declared) else value
    return found


def option_flag(declared: Parameter, *, panel: str | None = "Reading", hidden: bool = False) -> inspect.Parameter:
    """Return the flag of a declared option, with the short one if it has one."""
    kind: Any = declared.kind
    default = declared.default
    if repeats(declared):
        kind, default = list[str] | None, None
    elif declared.choices and not declared.metavar:
        kind = Literal[declared.choices] if default is not None else Literal[declared.choices] | None
    low, high = declared.bounds or (None, None)
    is_number = not {int, float}.isdisjoint([kind, *typing.get_args(kind)])
    option = typer.Option(
        *flag_name(declared).split(),
        metavar=declared.metavar,
        help=sentence(declared.help),
        show_default=default is not None and default is not False,
        rich_help_panel=panel,
        hidden=hidden,
        min=low if is_number else None,
        max=high if is_number and high != math.inf else None,
    )
    return inspect.Parameter(
        declared.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
    )


def repeats(declared: Parameter) -> bool:
    """Return whether an option takes several values, so that its flag may be given several times."""
    kinds = (declared.kind, *typing.get_args(declared.kind))
    return any(typing.get_origin(kind) is tuple for kind in kinds)


def sentence(text: str) -> str:
    """Write a line of help as a sentence."""
    return text if text.endswith(".") else f"{text[0].upper()}{text[1:]}."


_given: ContextVar[dict[str, str]] = ContextVar("given", default={})  # noqa: B039 - replaced, never changed


_used: ContextVar[Used] = ContextVar("used", default=set())  # noqa: B039 - replaced, never changed


def remember_given(context: Any) -> None:
    """Remember the flags on the command line: the name of each parameter, and its flag as help shows it."""
    named = {str(one.name): one for one in context.command.params}
    given = {name: one for name, one in named.items() if _is_given(context.get_parameter_source(name))}
    flags = {
        name: one.opts[0] if one.opts[0].startswith("-") else str(one.metavar or name) for name, one in given.items()
    }
    _given.set(flags)
    _used.set(note_used_options())


def _is_given(source: Any) -> bool:
    return source is not None and source.name == "COMMANDLINE"


def refuse_others(what: str, used: Iterable[str], *, hint: str | None = None) -> None:
    """Refuse flags of the command line that have no effect in this run, so that none is ignored."""
    used = set(used)
    for name, flag in _given.get().items():
        if name not in used:
            raise UsageError(f"{flag} has no effect with {what}.", hint=hint or f"leave out {flag}")


def unread(reading: type[Options], made: SideOptions) -> list[str]:
    """List the flags on the command line of options that no reader looked at, since the files do not have what they are about."""
    found = []
    for name, declared in parameters_of(reading).items():
        gold, pred = ((name, getattr(getattr(made, side), name)) for side in SIDES)
        for place, values in zip(places_of(declared), ({gold, pred}, {gold}, {pred}), strict=True):
            found += given_flags([place]) if _used.get().isdisjoint(values) else []
    return found


def given_flags(names: Iterable[str]) -> list[str]:
    """List the flags on the command line of some parameters."""
    wanted = set(names)
    return [flag for name, flag in _given.get().items() if name in wanted]


def note_unused(names: Iterable[str], why: str) -> None:
    """Note on standard error which of these flags were given and have no effect; ``--quiet`` hides the note."""
    flags = given_flags(names)
    if flags and not given_flags(["quiet"]):
        typer.echo(
            f"goldassay: note: {why}, so {', '.join(flags)} {'have' if flags[1:] else 'has'} no effect", err=True
        )


def names_in(*hints: Any) -> set[str]:
    """Name the flags of groups, or of the options of readers."""
    return {flag.name for hint in hints for flag in flags_of("", hint)}


def _is_group(hint: Any) -> bool:
    return isinstance(hint, type) and dataclasses.is_dataclass(hint)
