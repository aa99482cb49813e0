"""``goldassay unl``: score UNL documents, and show two graphs side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from goldassay.cli import common
from goldassay.cli.flags import expanded

if TYPE_CHECKING:
    from rich.text import Text

    from goldassay.unl import Document

Show = Annotated[
    str | None,
    typer.Option(
        "--show", metavar="S:ID", help="Show one sentence's two graphs, and score nothing.", show_default=False
    ),
]
Labels = Annotated[bool, typer.Option("--labels", help="Show which relation labels fail, and score nothing.")]
Encoding = Annotated[
    str | None,
    typer.Option("--encoding", metavar="NAME", help="Encoding of the files, if not UTF-8.", show_default=False),
]
STYLES = {"-": "red", "+": "green", "~": "yellow"}


@expanded
def unl(
    preds: common.Preds,
    gold: common.Gold,
    measure: common.Measures = None,
    show: Show = None,
    labels: Labels = False,
    encoding: Encoding = None,
    on_error: common.OnErrorOption = "stop",
    *,
    scoring: common.Scoring,
) -> None:
    """Score UNL documents against a gold standard, sentence by sentence (UNLization).

    Reads UNL documents in table and list format, plain or exported as HTML, also gzipped.
    """
    if show or labels:
        from goldassay.unl import DocumentReading, read_document

        reading = DocumentReading(encoding=encoding, on_error=on_error)
        expected = read_document(gold, reading)
        for pred in preds:
            actual = read_document(pred, reading)
            if show:
                print_side_by_side(actual, expected, show)
            if labels:
                print_labels(actual, expected, scoring.output.places)
        return
    common.score(
        "unl",
        preds,
        gold,
        measures=measure,
        scoring=scoring,
        encoding=encoding,
        on_error=on_error,
    )


def print_side_by_side(pred: Document, gold: Document, name: str) -> None:
    """Print one sentence's two graphs, differences marked."""
    from rich.text import Text

    from goldassay.unl import side_by_side

    lines = side_by_side(pred=pred, gold=gold, name=name)
    rows = [[Text(cell, style=STYLES.get(line.mark, "")) for cell in line] for line in lines]
    print_table(["", "gold", pred.path or "prediction"], rows)


def print_labels(pred: Document, gold: Document, places: int) -> None:
    """Print precision, recall and F1 of every relation label."""
    from rich.text import Text

    from goldassay.core.context import Context
    from goldassay.unl import Relations, label_table

    with common.caught_warnings(quiet=True):
        matching = Relations().match(pred=pred, gold=gold, context=Context())
    rows = [
        [
            *(Text(str(cell)) for cell in row[:4]),
            *(Text(f"{number:.{places}f}") for number in (row.precision, row.recall, row.f1)),
        ]
        for row in label_table(matching)
    ]
    print_table(["label", "met", "pred", "gold", "precision", "recall", "f1"], rows)


def print_table(head: list[str], rows: list[list[Text]]) -> None:
    """Print a plain table."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from goldassay.report.render import PLAIN_WIDTH

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    table = Table(*head, box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    for row in rows:
        table.add_row(*row)
    console.print(table, markup=False)
