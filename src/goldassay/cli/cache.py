"""``goldassay cache``: the embedding cache."""

from __future__ import annotations

import typer

from goldassay.cli import Command, Group
from goldassay.cli.screen import say

app = typer.Typer(cls=Group, help="Show or delete the embedding cache.", no_args_is_help=True, add_completion=False)


@app.command(cls=Command)
def info() -> None:
    """Show the path and the size of the cache, and the encoders whose vectors it contains."""
    from goldassay.encoders import cache_info

    found = cache_info()
    say(f"{found.path}: {found.bytes / 1e6:,.1f} MB")
    for held in found.encoders:
        say(f"  {held.name}@{held.fingerprint[:8]}: {held.entries:,} texts")


@app.command(cls=Command)
def clear() -> None:
    """Delete all cached vectors."""
    from goldassay.encoders import cache_path, clear_cache

    say(f"{cache_path()}: {clear_cache() / 1e6:,.1f} MB freed")
