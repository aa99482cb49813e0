"""``goldassay schema``: the JSON schema of reports."""

from __future__ import annotations

import json

import typer


def schema() -> None:
    """Print the JSON schema of reports (--format json)."""
    from goldassay.report.shape import report_schema

    typer.echo(json.dumps(report_schema(), indent=2))
