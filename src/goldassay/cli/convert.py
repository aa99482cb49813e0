"""``goldassay convert``: write an alignment in another format, and report what is lost."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from goldassay.alignments import AlignmentReading, read_alignment, write_alignment
from goldassay.alignments.formats.write import format_of, swap_sides
from goldassay.cli.flags import as_command, flags_of, options_given
from goldassay.formats.options import check_read

UNWRITTEN = {"scores", "source_ontology", "target_ontology", "language"}
"""Options of the reader that change nothing that a file of correspondences holds."""
In = Annotated[str, typer.Argument(metavar="IN", help="The alignment to read.")]
Out = Annotated[str, typer.Argument(metavar="OUT", help="The file to write: .rdf .sssom.tsv .csv .tsv .parquet .jsonl")]
To = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="Format of OUT, if its ending does not show it: oaei, sssom, csv, tsv, parquet or json-lines.",
        show_default=False,
    ),
]
Swap = Annotated[bool, typer.Option("--swap", help="Swap sources and targets.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Hide notes, but no warning.")]


def _run(path: str, out: str, to: str | None, *, swap: bool, quiet: bool, **given: Any) -> None:
    from goldassay.report.files import check_writable

    format_of(out, to)
    check_writable(out)
    reading = AlignmentReading(**options_given(AlignmentReading, given))
    found = read_alignment(path, reading)
    check_read((reading, [found.format]))
    lost = write_alignment(swap_sides(found) if swap else found, out, to=to)
    for line in found.warnings:
        sys.stderr.write(f"goldassay: warning: {line}\n")
    if not quiet:
        typer.echo(f"{out}: {len(found):,} correspondences from {path} ({found.format})")
    # What is lost is a warning, which --quiet does not hide.
    for line in (*(() if quiet else found.notes), *(f"lost: {one}" for one in lost)):
        sys.stderr.write(f"goldassay: {line}\n")


convert = as_command(
    _run,
    [
        *flags_of("path", In),
        *flags_of("out", Out),
        *flags_of("to", To, None),
        *flags_of("swap", Swap, default=False),
        *flags_of("quiet", Quiet, default=False),
        *(flag for flag in flags_of("reading", AlignmentReading) if flag.name not in UNWRITTEN),
    ],
    name="convert",
    about="Convert an alignment to another format, and report what that format cannot hold.",
)
