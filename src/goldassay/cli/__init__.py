"""The command line: one file a command, and no logic."""

from __future__ import annotations

import signal
import sys

import typer

from goldassay.cli import (
    alignment,
    axioms,
    cache,
    calibrate,
    compare,
    concepts,
    convert,
    inspect,
    measures,
    schema,
    sentences,
    taxonomy,
    unl,
)
from goldassay.core.version import __version__

INTERRUPTED = 130

app = typer.Typer(
    name="goldassay",
    help="Say how much gold is in a predicted knowledge structure.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("taxonomy")(taxonomy.taxonomy)
app.command("axioms")(axioms.axioms)
app.command("alignment")(alignment.alignment)
app.command("concepts")(concepts.concepts)
app.command("unl")(unl.unl)
app.command("sentences")(sentences.sentences)
app.command("compare")(compare.compare)
app.command("convert")(convert.convert)
app.command("measures")(measures.measures)
app.command("calibrate")(calibrate.calibrate)
app.command("inspect")(inspect.inspect)
app.command("schema")(schema.schema)
app.add_typer(cache.app, name="cache")


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"goldassay {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    """Say how much gold is in a predicted knowledge structure."""


def main() -> None:
    """Run the command line and leave with its exit code: 0 fine, 1 a gate was not met, 2 bad input or usage."""
    from goldassay.core.errors import GoldassayError

    if hasattr(signal, "SIGPIPE"):
        # When the reader of a pipe (head, less) has seen enough, end as every Unix tool does.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        app()
    except GoldassayError as error:
        sys.stderr.write(f"goldassay: {error}\n")
        sys.exit(2)
    except SystemExit as stop:
        if stop.code == INTERRUPTED:
            sys.stderr.write("goldassay: interrupted; no output file was touched, and encoded texts are kept\n")
        raise
