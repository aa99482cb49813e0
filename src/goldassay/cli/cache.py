"""``goldassay cache``: the embedding cache."""

from __future__ import annotations

import typer

app = typer.Typer(help="Look at the embedding cache, or empty it.", no_args_is_help=True)


@app.command()
def info() -> None:
    """Say where the cache lies, how large it is, and whose vectors it holds."""
    from goldassay.encoders import cache_info

    found = cache_info()
    typer.echo(f"{found.path}: {found.bytes / 1e6:,.1f} MB")
    for held in found.encoders:
        typer.echo(f"  {held.name}@{held.fingerprint[:8]}: {held.entries:,} texts")


@app.command()
def clear() -> None:
    """Forget every vector."""
    from goldassay.encoders import cache_path, clear_cache

    typer.echo(f"{cache_path()}: {clear_cache() / 1e6:,.1f} MB freed")
