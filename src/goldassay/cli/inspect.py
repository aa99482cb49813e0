"""``goldassay inspect``: what a file contains, as goldassay reads it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, Literal

import typer

from goldassay.cli.flags import as_command, flags_of, option_flag, repeats, sentence
from goldassay.cli.screen import say
from goldassay.core.errors import InputError, UsageError
from goldassay.core.family import Family
from goldassay.core.parameters import Parameter, flag_name, parameters_of
from goldassay.core.text import json_text, to_one_line
from goldassay.families import families, family, kind_of
from goldassay.formats.options import check_read

File = Annotated[str, typer.Argument(metavar="FILE", help="The file to inspect.", show_default=False)]
Kind = Annotated[
    str | None,
    typer.Option("--kind", metavar="KIND", help="Family to read the file as, if not detected.", show_default=False),
]
Layout = Annotated[Literal["text", "json"], typer.Option("--format", help="Format of the findings.")]


@cache
def reading_options() -> dict[str, Parameter]:
    """List the options of all readers by flag, none of them set; one flag of several families has the choices of all."""
    found: dict[str, Parameter] = {}
    for chosen in families().values():
        for flag, declared in _options_of(chosen).items():
            choices = (*(found[flag].choices if flag in found else ()), *declared.choices)
            switch = declared.kind is bool
            found[flag] = replace(
                declared,
                name=flag.removeprefix("--").replace("-", "_"),
                help=_help(flag),
                kind=declared.kind if switch or repeats(declared) else str | None,
                default=False if switch else None,
                choices=tuple(dict.fromkeys(choices)),
                bounds=None,
            )
    return found


def _options_of(chosen: Family[Any]) -> dict[str, Parameter]:
    """List the options of a family's reader that have an effect on one file, by flag."""
    declared = parameters_of(chosen.reading.options)
    return {flag_name(one): one for name, one in declared.items() if name not in chosen.reading.pairing}


def _help(flag: str) -> str:
    """Return what an option does in each family that has it."""
    of: dict[str, list[str]] = {}
    for kind, chosen in families().items():
        if flag in _options_of(chosen):
            of.setdefault(_options_of(chosen)[flag].help, []).append(kind)
    if list(of.values()) == [list(families())]:
        return next(iter(of))
    return " ".join(f"{sentence(about).removesuffix('.')} ({', '.join(kinds)})." for about, kinds in of.items())


def reading_of(chosen: Family[Any], given: dict[str, Any]) -> Any:
    """Make the options of a family's reader from the flags that were given."""
    named = _options_of(chosen)
    options = {}
    for flag, option in reading_options().items():
        value: Any = given.get(option.name)
        if not value:
            continue
        if flag not in named:
            raise UsageError(f"{flag} is not an option of {chosen.kind}.", hint=f"goldassay {chosen.kind} --help")
        declared = named[flag]
        if declared.kind in {int, int | None}:
            # What is no number is refused by the options, as on the other commands.
            with suppress(ValueError):
                value = int(value)
        options[declared.name] = tuple(value) if repeats(declared) else value
    return chosen.reading.options(**options)


@contextmanager
def naming_family(chosen: Family[Any], kind: str | None) -> Iterator[None]:
    """Add to an error what a file was taken for, if no family was named."""
    try:
        yield
    except (InputError, UsageError) as error:
        if kind is None:
            error.hint = f"{error.hint}; " if error.hint else ""
            error.hint += f"it was taken for {chosen.kind}: --kind names another family"
        raise


def _run(**given: Any) -> None:
    path = given["path"]
    chosen = family(given["kind"] or kind_of(path))
    reading = reading_of(chosen, given)
    with naming_family(chosen, given["kind"]):
        found = chosen.inspect(path, reading)
    check_read((reading, [found.to_dict()["format"]]))
    if given["layout"] == "json":
        say(json_text({"kind": chosen.kind, **found.to_dict()}, indent=2))
    else:
        say(*map(to_one_line, found.lines()))


inspect = as_command(
    _run,
    [
        *flags_of("path", File),
        *flags_of("kind", Kind, None),
        *map(option_flag, reading_options().values()),
        *flags_of("layout", Layout, "text"),
    ],
    name="inspect",
    about="Show what a file contains, and what would be scored.",
)
