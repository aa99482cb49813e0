"""``goldassay serve``: the local page."""

from __future__ import annotations

import os
import sys
import webbrowser
from typing import Annotated

import typer

from goldassay.cli.flags import expanded
from goldassay.core.errors import require

Port = Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port; 0 for one that is free.")]
Megabytes = Annotated[
    int, typer.Option("--megabytes", metavar="N", min=1, help="The most that can be dropped at once.")
]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")]


@expanded
def serve(port: Port = 0, megabytes: Megabytes = 500, *, browser: Browser = True) -> None:
    """Score files in a browser, on this computer alone: drop them, choose questions, get the report page."""
    for package in ("starlette", "uvicorn", "jinja2", "python_multipart"):
        require(package, extra="serve", purpose="serve pages")
    from goldassay.serve.local import serve_local

    def ready(address: str) -> None:
        typer.echo(f"{address}\nOpen this address in a browser. Ctrl-C ends, and removes all files.")
        sys.stdout.flush()
        if browser and _has_screen():
            webbrowser.open(address)

    serve_local(port=port, megabytes=megabytes, ready=ready)


def _has_screen() -> bool:
    """Return whether a browser would open a window, not take the terminal."""
    return sys.platform in {"darwin", "win32"} or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())
