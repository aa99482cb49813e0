"""``goldassay schema``: the JSON schema of reports."""

from __future__ import annotations

from importlib.resources import files

import typer


def schema() -> None:
    """Print the JSON schema of reports (--format json)."""
    typer.echo(files("goldassay.report").joinpath("schema.json").read_text(encoding="utf-8").rstrip())
