"""``goldassay serve``: the local page, a table to label, or the leaderboard of a challenge."""

from __future__ import annotations

import math
import os
import re
import sys
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from os.path import exists
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from goldassay.cli.flags import expand_parameters, names_in, refuse_others
from goldassay.cli.groups import DATA, DATABASE
from goldassay.cli.screen import say
from goldassay.core.errors import UsageError, require, unknown_choice_error
from goldassay.core.parameters import parameter

if TYPE_CHECKING:
    from goldassay.challenges import Tasks
    from goldassay.serve.sandbox import Sandbox

PAGE, LABELS, LEADERBOARD = "Local page", "Labels", "Leaderboard"
LOOPBACK = ("127.0.0.1", "::1", "localhost")
PACKAGES = ("starlette", "uvicorn", "jinja2", "python_multipart", "markdown_it", "sqlalchemy", "alembic")
ChallengeFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="CHALLENGE", help="The file of a challenge, or of several tasks, for its leaderboard; without it, the local page.",
        show_default=False,
    ),
]  # fmt: skip
Port = Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port; 0 chooses a free one.")]


@dataclass(frozen=True, kw_only=True)
class PageOptions:
    """The flags of the local page."""

    panel: ClassVar[str] = PAGE

    megabytes: int = parameter(500, metavar="N", bounds=(1, math.inf), help="Maximum size of an upload.")
    browser: bool = parameter(True, flag="--browser/--no-browser", help="Open the page in a browser.")


@dataclass(frozen=True, kw_only=True)
class LabelOptions:
    """The flags of labelling."""

    panel: ClassVar[str] = LABELS

    label: Path | None = parameter(None, metavar="TODO", help="Label the items of a table written by goldassay sample.")


@dataclass(frozen=True, kw_only=True)
class LeaderboardOptions:
    """The flags of a leaderboard."""

    panel: ClassVar[str] = LEADERBOARD

    host: str = parameter("127.0.0.1", metavar="ADDRESS", help="The address to listen on.")
    name: list[str] | None = parameter(
        None,
        metavar="NAME",
        help="Host name of the server, such as leaderboard.example.org; repeatable.",
    )
    root_path: str = parameter(
        "", metavar="PATH", help="Path of the leaderboard behind a reverse proxy, such as /board."
    )
    database: str | None = parameter(None, **DATABASE)
    data: Path | None = parameter(None, **DATA)
    workers: int = parameter(2, metavar="N", bounds=(1, math.inf), help="Number of submissions scored at a time.")
    sandbox: str | None = parameter(
        None,
        metavar="PROGRAM",
        help="Run each worker in a sandbox, by bubblewrap, podman or docker: no network, and no file but those that scoring needs.",
    )
    image: str | None = parameter(
        None, metavar="IMAGE", help="Image of podman or docker, with this version of goldassay. Default: goldassay."
    )
    add_team: str | None = parameter(None, metavar="NAME", help="Add a team, print its token, and exit.")


@expand_parameters
def serve(
    challenge: ChallengeFile = None,
    port: Port = 0,
    *,
    page: PageOptions,
    labels: LabelOptions,
    board: LeaderboardOptions,
) -> None:
    """Score files in a browser on this computer, label items (--label), or serve the leaderboard of a challenge.

    The local page takes files and questions, and shows the report page. On a leaderboard teams upload with tokens, and everybody sees the scores.
    """
    require_packages()
    if challenge is not None:
        board_flags = {"challenge", "port", *names_in(LeaderboardOptions)}
        refuse_others("a leaderboard", board_flags, hint="goldassay serve, without a challenge")
        if board.add_team is not None:
            refuse_others("--add-team", {"challenge", "add_team", "data", "database"})
        _leaderboard(challenge, board, port=port)
    elif labels.label is not None:
        from goldassay.serve.labels import serve_labels

        refuse_others("--label", {"label", "port", "browser"}, hint="goldassay serve, without --label")
        serve_labels(
            labels.label,
            port=port,
            ready=_opening(page, f"Each label is saved to {labels.label} at once. Ctrl-C ends."),
        )
    else:
        from goldassay.serve.local import serve_local

        refuse_others("the local page", {"port", *names_in(PageOptions)}, hint="goldassay serve CHALLENGE ...")
        serve_local(port=port, megabytes=page.megabytes, ready=_opening(page, "Ctrl-C ends, and removes all files."))


def require_packages() -> None:
    """Raise an error if what serves pages is not installed."""
    for package in PACKAGES:
        require(package, extra="serve", purpose="serve pages")


def data_folder(tasks: Tasks, data: Path | None) -> Path:
    """Return the folder of a leaderboard."""
    return (data or tasks.path.parent / f"{tasks.name}-data").resolve()


def _opening(page: PageOptions, ending: str) -> Callable[[str], None]:
    def ready(address: str) -> None:
        _say(f"{address}\nOpen this address in a browser. {ending}")
        if page.browser and _has_screen():
            webbrowser.open(address)

    return ready


def _leaderboard(path: Path, of: LeaderboardOptions, *, port: int) -> None:
    from goldassay.challenges import load_tasks
    from goldassay.serve.server import serve_leaderboard
    from goldassay.serve.store import Store

    # Workers have folders of their own, so that no path may depend on this one.
    tasks = load_tasks(path.resolve())
    folder = data_folder(tasks, of.data)
    if of.add_team is not None:
        _say(Store(folder, of.database).add_team(of.add_team))
        return
    phases = [phase for challenge in tasks.challenges.values() for phase in challenge.phases]
    missing = [file for phase in phases for file in phase.gold if not exists(file)]
    if missing:
        raise UsageError("The gold file of a phase is missing.", found=str(missing[0]), hint="correct the challenge")
    names = of.name or []
    odd = [name for name in names if not re.fullmatch(r"[A-Za-z0-9.-]+", name)]
    if odd:
        raise UsageError("Invalid server name.", found=odd[0], expected="a name without port or path")
    root = of.root_path.rstrip("/")
    if root and not re.fullmatch(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+", root):
        raise UsageError("Invalid root path.", found=of.root_path, expected="a path such as /board")
    if of.host not in LOOPBACK and not names:
        hint = "--name leaderboard.example.org"
        raise UsageError("A server that others can reach needs its host name.", found=of.host, hint=hint)
    serve_leaderboard(
        tasks,
        folder,
        database=of.database,
        host=of.host,
        port=port,
        names=[*names, *LOOPBACK],
        workers=of.workers,
        sandbox=_sandbox(of),
        root=root,
        ready=lambda address: _say(f"{address}\nTeams are added with --add-team NAME. Ctrl-C ends; nothing is lost."),
    )


def _sandbox(of: LeaderboardOptions) -> Sandbox | None:
    from goldassay.serve.sandbox import IMAGE, PROGRAMS, Sandbox

    if of.sandbox is not None and of.sandbox not in PROGRAMS:
        raise unknown_choice_error("sandbox", of.sandbox, PROGRAMS)
    if of.image is not None and of.sandbox not in {"podman", "docker"}:
        raise UsageError("--image needs a container.", hint="--sandbox podman")
    return Sandbox(of.sandbox, of.image or IMAGE) if of.sandbox else None


def _say(text: str) -> None:
    say(text)
    sys.stdout.flush()


def _has_screen() -> bool:
    """Return whether a browser would open a window, not take the terminal."""
    return sys.platform in {"darwin", "win32"} or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())
