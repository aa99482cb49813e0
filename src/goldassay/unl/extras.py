"""The flag of UNL documents alone: two graphs side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from goldassay.core.family import Extra, Job
from goldassay.unl.read import read_document
from goldassay.unl.show import side_by_side

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

STYLES = {"-": "red", "+": "green", "~": "yellow"}


def graphs(job: Job, sentence: str) -> Iterator[Table]:
    """Return the two graphs of a sentence for each prediction, with differences marked."""
    from rich.text import Text

    gold = read_document(job.gold, job.reading.gold)
    for path in job.preds:
        pred = read_document(path, job.reading.pred)
        lines = side_by_side(pred=pred, gold=gold, name=sentence)
        rows = ([Text(cell, style=STYLES.get(line.mark, "")) for cell in line] for line in lines)
        yield _table(["", "gold", pred.path or "prediction"], rows)


def _table(head: list[str], rows: Iterable[list[Text]]) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(*head, box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim")
    for row in rows:
        table.add_row(*row)
    return table


EXTRAS = (
    Extra(
        name="show",
        help="Show the two graphs of one sentence; score nothing.",
        metavar="S:ID",
        instead=graphs,
        uses=("gold",),
    ),
)
