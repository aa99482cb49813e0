"""``goldassay sentences``: score generated sentences."""

from __future__ import annotations

from typing import Annotated

import typer

from goldassay.cli import common
from goldassay.cli.flags import expanded
from goldassay.cli.unl import Encoding

Language = Annotated[
    str | None,
    typer.Option(
        "--language", metavar="TAG", help="In UNL documents, the section of texts; default: org.", show_default=False
    ),
]


@expanded
def sentences(
    preds: common.Preds,
    gold: common.Gold,
    measure: common.Measures = None,
    language: Language = None,
    encoding: Encoding = None,
    on_error: common.OnErrorOption = "stop",
    *,
    scoring: common.Scoring,
) -> None:
    """Score generated sentences against expected ones (NLization).

    Reads UNL documents, plain text with one sentence a line, CSV, TSV and JSON Lines with text and id, also gzipped.
    """
    common.score(
        "sentences",
        preds,
        gold,
        measures=measure,
        scoring=scoring,
        language=language,
        encoding=encoding,
        on_error=on_error,
    )
