"""``karat convert``: write an alignment in another format, and say what is lost."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from karat.cli import alignment, common


def convert(
    path: Annotated[str, typer.Argument(metavar="IN", help="The alignment to read.")],
    out: Annotated[
        str, typer.Argument(metavar="OUT", help="Where to write it: .rdf .sssom.tsv .csv .tsv .parquet .jsonl")
    ],
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="FORMAT", help="oaei, sssom, csv, tsv, parquet or json-lines, if the ending is none."
        ),
    ] = None,
    swap: Annotated[bool, typer.Option("--swap", help="Let source and target change places.")] = False,
    source_column: alignment.SourceColumn = None,
    target_column: alignment.TargetColumn = None,
    relation_column: alignment.RelationColumn = None,
    score_column: alignment.ScoreColumn = None,
    relations: alignment.Relations = None,
    scores: alignment.Scores = "unit",
    metadata: alignment.Metadata = None,
    input_format: common.InputFormat = None,
    on_error: common.OnErrorOption = "stop",
    quiet: common.Quiet = False,
) -> None:
    """Write an alignment in another format; what that format has no place for is said."""
    from karat.alignments import AlignmentReading, read_alignment, write_alignment
    from karat.alignments.write import format_of, swapped
    from karat.report.files import check_writable

    format_of(out, to)
    check_writable(out)
    reading = AlignmentReading(
        source_column=source_column,
        target_column=target_column,
        relation_column=relation_column,
        score_column=score_column,
        relations=tuple(relations) if relations else None,
        scores=scores,
        metadata=metadata,
        input_format=input_format,
        on_error=on_error,
    )
    found = read_alignment(path, reading)
    lost = write_alignment(swapped(found) if swap else found, out, to=to)
    if not quiet:
        typer.echo(f"{out}: {len(found):,} correspondences from {path} ({found.format})")
        for line in (*found.notes, *(f"lost: {one}" for one in lost)):
            sys.stderr.write(f"karat: {line}\n")
