"""``karat sentences``: score generated sentences."""

from __future__ import annotations

from typing import Annotated

import typer

from karat.cli import common
from karat.cli.unl import Encoding

Language = Annotated[
    str | None,
    typer.Option(
        "--language", metavar="TAG", help="In UNL documents, the section of texts; default: org.", show_default=False
    ),
]


def sentences(
    preds: common.Preds,
    gold: common.Gold,
    measure: common.Measures = None,
    language: Language = None,
    encoding: Encoding = None,
    explain: common.ExplainPath = None,
    misses: common.Misses = 0,
    layout: common.LayoutOption = "text",
    output: common.OutputPath = None,
    places: common.Places = 4,
    percent: common.Percent = False,
    on_error: common.OnErrorOption = "stop",
    quiet: common.Quiet = False,
) -> None:
    """Score generated sentences against expected ones (NLization).

    Reads UNL documents, plain text with one sentence a line, CSV, TSV and JSON Lines with text and id, also gzipped.
    """
    common.score(
        "sentences",
        preds,
        gold,
        measures=measure,
        encoder=common.EncoderChoice(spec="hashing", model_path=None, download=False, cached=False),
        memory=512,
        output=common.Output(
            layout=layout, path=output, explain=explain, misses=misses, places=places, percent=percent, quiet=quiet
        ),
        language=language,
        encoding=encoding,
        on_error=on_error,
    )
