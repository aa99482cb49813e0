"""``goldassay taxonomy``: score taxonomies and knowledge graphs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from goldassay.cli import common
from goldassay.cli import sweep as sweeping
from goldassay.cli.flags import expanded
from goldassay.core.errors import UsageError

if TYPE_CHECKING:
    pass

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
SweepFlag = Annotated[
    bool, typer.Option("--sweep", help="Show precision, recall and F1 at every threshold, instead of one.")
]
By = Annotated[
    Literal["relation", "depth"] | None,
    typer.Option("--by", help="Also split precision, recall and F1 (text layout).", show_default=False),
]


@expanded
def taxonomy(
    preds: common.Preds,
    gold: common.Gold,
    measure: common.Measures = None,
    sweep: SweepFlag = False,
    by: By = None,
    edges: Edges = None,
    text: Text = "label",
    language: Language = "en",
    blank_nodes: BlankNodesOption = "drop",
    input_format: common.InputFormat = None,
    on_error: common.OnErrorOption = "stop",
    *,
    vectors: common.Vectors,
    scoring: common.Scoring,
) -> None:
    """Score taxonomies and knowledge graphs against a gold standard, edge by edge.

    Reads RDF in every syntax, OBO, OWL, node-link JSON and edge lists (CSV, TSV, Parquet), also gzipped.
    """
    if by and sweep:
        raise UsageError("A sweep has no groups, so --by has no effect.", hint="leave out --sweep")
    work = sweeping.sweep if sweep else partial(common.score, "taxonomy", by=by or ())
    work(
        preds,
        gold,
        measures=measure,
        vectors=vectors,
        scoring=scoring,
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
