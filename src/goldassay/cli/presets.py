"""``goldassay presets``: whose numbers can be had, by name."""

from __future__ import annotations

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
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="dim")
    table.add_column("preset", no_wrap=True)
    for heading in ("command", "peer", "versions", "what it does differently"):
        table.add_column(heading, overflow="fold")
    for kind, preset in known.values():
        command = f"goldassay {kind} --as {preset.name}"
        table.add_row(preset.name, command, preset.peer, preset.versions, preset.differs)
    Console(highlight=False).print(table)


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
