"""``goldassay measures``: the available measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from goldassay.core.measure import Measure


def measures(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One measure, in full.")] = None,
) -> None:
    """List the measures, or show one with its formula, citation, parameters and conventions."""
    from goldassay.core.errors import unknown_choice
    from goldassay.families import all_measures

    known = all_measures()
    if name is None:
        _print_list(known)
    elif name in known:
        _print_one(known[name])
    else:
        raise unknown_choice("measure", name, known)


def _print_list(known: dict[str, type[Measure[Any, Any]]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="dim")
    table.add_column("measure", no_wrap=True)
    for heading in ("command", "title", "values"):
        table.add_column(heading, overflow="fold")
    for measure in known.values():
        table.add_row(str(measure()), f"goldassay {measure.family}", measure.title, ", ".join(measure().values))
    Console(highlight=False).print(table)


def _print_one(measure: type[Measure[Any, Any]]) -> None:
    from goldassay.core.family import reference
    from goldassay.core.parameters import parameters_of

    typer.echo(f"{measure()}: {measure.title} (goldassay {measure.family})\n")
    typer.echo((measure.__doc__ or "").strip().splitlines()[0])
    typer.echo(f"\nformula\n  {measure.formula}")
    bounds = ", ".join(f"{value} in [{low:g}, {high:g}]" for value, (low, high) in measure().values.items())
    typer.echo(f"\nvalues\n  {bounds}; {'higher' if measure.higher_is_better else 'lower'} is better")
    typer.echo("\nparameters")
    for parameter in parameters_of(measure).values():
        typer.echo(f"  {parameter.name} = {parameter.default}: {parameter.help} ({parameter.expected})")
    if measure.conventions:
        typer.echo("\nconventions")
        for convention in measure.conventions:
            typer.echo(f"  {convention}")
    typer.echo(f"\ncite\n{reference(measure.citation)}")
