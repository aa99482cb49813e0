"""``goldassay convert``: write an alignment in another format, and report what is lost."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from goldassay.alignments import AlignmentReading, read_alignment, write_alignment
from goldassay.alignments.formats.write import format_of, swapped
from goldassay.cli.flags import expanded


@expanded
def convert(
    path: Annotated[str, typer.Argument(metavar="IN", help="The alignment to read.")],
    out: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write: .rdf .sssom.tsv .csv .tsv .parquet .jsonl")
    ],
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="FORMAT", help="oaei, sssom, csv, tsv, parquet or json-lines, if the ending is none."
        ),
    ] = None,
    swap: Annotated[bool, typer.Option("--swap", help="Swap sources and targets.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Hide notes.")] = False,
    *,
    reading: AlignmentReading,
) -> None:
    """Convert an alignment to another format, and report what that format cannot hold."""
    from goldassay.report.files import check_writable

    format_of(out, to)
    check_writable(out)
    found = read_alignment(path, reading)
    lost = write_alignment(swapped(found) if swap else found, out, to=to)
    for line in found.warnings:
        sys.stderr.write(f"goldassay: warning: {line}\n")
    if not quiet:
        typer.echo(f"{out}: {len(found):,} correspondences from {path} ({found.format})")
    # What is lost is a warning, which --quiet does not hide.
    for line in (*(() if quiet else found.notes), *(f"lost: {one}" for one in lost)):
        sys.stderr.write(f"goldassay: {line}\n")
