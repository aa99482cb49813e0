"""``goldassay inspect``: what a file holds, as goldassay reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from goldassay.cli import common, taxonomy

if TYPE_CHECKING:
    from goldassay.graphs.inspect import Inspection

MOST_PREDICATES = 12


def inspect(
    path: Annotated[str, typer.Argument(metavar="FILE", help="The file to look into.")],
    edges: taxonomy.Edges = None,
    text: taxonomy.Text = "label",
    language: taxonomy.Language = "en",
    blank_nodes: taxonomy.BlankNodesOption = "drop",
    input_format: common.InputFormat = None,
    on_error: common.OnErrorOption = "stop",
    layout: Annotated[Literal["text", "json"], typer.Option("--format", help="How the findings are written.")] = "text",
) -> None:
    """Show what a file holds, as goldassay reads it, and what would be scored of it."""
    from goldassay.graphs import GraphReading
    from goldassay.graphs.inspect import inspect_graph

    reading = GraphReading(
        edges=taxonomy.chosen_edges(edges),
        text=text,
        language=language,
        blank_nodes=blank_nodes,
        input_format=input_format,
        on_error=on_error,
    )
    found = inspect_graph(path, reading)
    if layout == "json":
        typer.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=False))
    else:
        typer.echo("\n".join(_lines(found)))


def _lines(found: Inspection) -> Iterator[str]:
    yield f"{found.path}: {found.format}, {found.bytes:,} bytes, {found.statements:,} statements"
    yield (
        f"  {found.classes:,} classes ({found.deprecated:,} deprecated), {found.properties:,} properties, "
        f"{found.blank_nodes:,} blank nodes"
    )
    yield f"  labels: {_counted({language or 'no language': n for language, n in found.labels.items()}) or 'none'}"
    yield "predicates"
    for name, count in list(found.predicates.items())[:MOST_PREDICATES]:
        yield f"  {count:>9,}  {name}"
    if len(found.predicates) > MOST_PREDICATES:
        yield f"  and {len(found.predicates) - MOST_PREDICATES} more"
    yield "what would be scored"
    yield f"  {found.edges:,} edges between {found.nodes:,} nodes, {found.roots:,} roots"
    yield f"  left out: {_counted(found.left_out) or 'nothing'}"
    yield from (f"  for example {example}" for example in found.examples)
    yield from (f"note: {note}" for note in found.notes)


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {reason.replace('_', ' ')}" for reason, count in counts.items() if count)
