"""``goldassay presets``: whose numbers can be had, by name."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from goldassay.core.preset import Preset


def presets(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One preset, in full.")] = None,
) -> None:
    """List the presets, or show one with what it does differently and the smallest example."""
    from goldassay.core.errors import unknown_choice
    from goldassay.families import families

    known = {preset.name: (kind, preset) for kind, family in families().items() for preset in family.presets}
    if name is None:
        _print_list(known)
    elif name in known:
        _print_one(*known[name])
    else:
        raise unknown_choice("preset", name, known)


def _print_list(known: dict[str, tuple[str, Preset]]) -> None:
    width = shutil.get_terminal_size().columns
    for kind, preset in known.values():
        example = preset.example
        clean, peer = example.numbers
        typer.echo(f"goldassay {kind} --as {preset.name}")
        for line in (
            f"{preset.peer}: {preset.versions}",
            preset.differs,
            f"example: {example.value} {clean:.4f} by {example.clean}, {peer:.4f} by this preset",
        ):
            typer.echo(textwrap.fill(line, width, initial_indent="  ", subsequent_indent="    "))
        typer.echo()
    typer.echo("goldassay presets NAME shows one with its smallest example.")


def _print_one(kind: str, preset: Preset) -> None:
    needs = f" {preset.needs}" if preset.needs else ""
    typer.echo(f"{preset.name}: {preset.peer}\n\nversions\n  {preset.versions}")
    typer.echo(f"\ncommand\n  goldassay {kind} PRED --gold FILE --as {preset.name}{needs}")
    typer.echo("\nmeasures")
    for spec in preset.measures:
        typer.echo(f"  {spec}")
    for option, value in preset.reading.items():
        typer.echo(f"  --{option.replace('_', '-')} {value}")
    typer.echo(f"\nwhat it does differently\n  {preset.differs}")
    example = preset.example
    typer.echo("\nsmallest example")
    for title, text in (("prediction", example.pred), ("gold", example.gold), *example.files.items()):
        typer.echo(f"  {title}")
        for line in text.splitlines():
            typer.echo(f"    {line}")
    clean, peer = example.numbers
    theirs = f"{example.peer_value} " if example.peer_value else ""
    typer.echo(f"  {example.value}: {clean:.4f} by {example.clean}, {theirs}{peer:.4f} by {example.peer}")
