"""``karat taxonomy``: score taxonomies and knowledge graphs."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from karat.cli import common

Edges = Annotated[
    list[str] | None,
    typer.Option(
        "--edges",
        metavar="WHICH",
        help="What makes an edge: taxonomy (default), all, or a predicate; repeatable.",
        show_default=False,
    ),
]
Text = Annotated[Literal["label", "title", "iri"], typer.Option("--text", help="What is compared of a node.")]
Language = Annotated[str, typer.Option("--language", metavar="TAG", help="Preferred language of labels.")]
BlankNodesOption = Annotated[
    Literal["drop", "keep"], typer.Option("--blank-nodes", help="What becomes of blank nodes.")
]


def taxonomy(
    preds: common.Preds,
    gold: common.Gold,
    measure: common.Measures = None,
    edges: Edges = None,
    text: Text = "label",
    language: Language = "en",
    blank_nodes: BlankNodesOption = "drop",
    input_format: common.InputFormat = None,
    encoder: common.EncoderOption = "minilm",
    model_path: common.ModelPath = None,
    download: common.Download = False,
    no_cache: common.NoCache = False,
    memory: common.Memory = 512,
    explain: common.ExplainPath = None,
    misses: common.Misses = 0,
    layout: common.LayoutOption = "text",
    output: common.OutputPath = None,
    places: common.Places = 4,
    percent: common.Percent = False,
    on_error: common.OnErrorOption = "stop",
    quiet: common.Quiet = False,
) -> None:
    """Score taxonomies and knowledge graphs against a gold standard, edge by edge.

    Reads RDF in every syntax, OBO, OWL, node-link JSON and edge lists (CSV, TSV, Parquet), also gzipped.
    """
    common.score(
        "taxonomy",
        preds,
        gold,
        measures=measure,
        encoder=common.EncoderChoice(spec=encoder, model_path=model_path, download=download, cached=not no_cache),
        memory=memory,
        output=common.Output(
            layout=layout, path=output, explain=explain, misses=misses, places=places, percent=percent, quiet=quiet
        ),
        edges=chosen_edges(edges),
        text=text,
        language=language,
        blank_nodes=blank_nodes,
        input_format=input_format,
        on_error=on_error,
    )


def chosen_edges(asked: list[str] | None) -> str | tuple[str, ...]:
    """Turn what `--edges` was given into the option of the reader."""
    match asked:
        case None | []:
            return "taxonomy"
        case ["taxonomy" | "all" as word]:
            return word
        case _:
            return tuple(asked)
