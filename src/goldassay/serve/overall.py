"""The table over all tasks of a server: who is best in all of them together."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from statistics import fmean
from typing import Any, NamedTuple

import polars as pl
from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from goldassay.challenges import Tasks
from goldassay.challenges.tasks import MEAN_VALUE
from goldassay.serve.feedback import current_phase, hidden_until, order_of
from goldassay.serve.joining import Joining
from goldassay.serve.openapi import describe_tasks
from goldassay.serve.store import Store
from goldassay.serve.web import ASSET, leaderboard_csv, render_page


class Place(NamedTuple):
    """The place of a team in one task."""

    rank: int
    value: float


class OverallRow(NamedTuple):
    """A row of the table over all tasks: its columns in order."""

    rank: int
    team: str
    points: float
    tasks: dict[str, Place | None]


def overall_rows(tasks: Tasks, store: Store, phase: str) -> list[OverallRow]:
    """Rank the teams of a phase over all tasks; of a task without a submission a team has the worst points."""
    places: dict[str, dict[str, Place]] = {
        name: {
            ranked.team: Place(number, ranked.value)
            for number, ranked in enumerate(store.only(name).rank_teams(phase, order_of(one)), start=1)
        }
        for name, one in tasks.challenges.items()
    }
    teams = sorted({team for own in places.values() for team in own})
    by_value = tasks.overall == MEAN_VALUE

    def points(team: str) -> float:
        found = ((one, places[name].get(team)) for name, one in tasks.challenges.items())
        if by_value:
            return round(fmean(place.value if place else one.worst() for one, place in found), 12)
        return round(fmean(place.rank if place else len(teams) for _, place in found), 12)

    every = {team: points(team) for team in teams}
    sign = -1 if by_value else 1
    ordered = sorted(teams, key=lambda team: (sign * every[team], team))
    better = [sign * value for value in every.values()]
    return [
        OverallRow(
            rank=1 + sum(other < sign * every[team] for other in better),
            team=team,
            points=every[team],
            tasks={name: own.get(team) for name, own in places.items()},
        )
        for team in ordered
    ]


def overall_table(tasks: Tasks, rows: list[OverallRow]) -> pl.DataFrame:
    """Lay rows out as a table, with two columns for each task."""
    cells: list[dict[str, Any]] = []
    for row in rows:
        named: dict[str, Any] = {"rank": row.rank, "team": row.team, "points": row.points}
        for name, place in row.tasks.items():
            named[f"{name} value"] = place and place.value
            named[f"{name} rank"] = place and place.rank
        cells.append(named)
    columns = [f"{name} {what}" for name in tasks.challenges for what in ("value", "rank")]
    return pl.DataFrame(cells, schema=["rank", "team", "points", *columns], infer_schema_length=None)


def describe_points(tasks: Tasks) -> str:
    """Say what the points are, and what a task without a submission counts."""
    if tasks.overall == MEAN_VALUE:
        worst = ", ".join(f"{one.worst():g} in {name}" for name, one in tasks.challenges.items())
        return f"Points are the mean of the values of all tasks, higher is better. A task without a score counts as its worst value: {worst}."
    return (
        "Points are the mean of the ranks in all tasks, lower is better. A task without a score counts as the last rank: "
        "the number of teams in this table."
    )


class Overall:
    """The pages and the interface over all tasks."""

    def __init__(self, tasks: Tasks, store: Store, clock: Callable[[], datetime]) -> None:
        self.tasks = tasks
        self.store = store
        self.clock = clock

    def routes(self) -> list[Route]:
        """List the pages, and the interface for programs below ``/api``."""
        return [
            ASSET,
            Route("/", self.board, name="board"),
            Route("/openapi.json", self.openapi, name="openapi"),
            Route("/api/tasks", self.about),
            Route("/api/leaderboard", self.rows_as_json),
            Route("/api/leaderboard.csv", self.rows_as_csv, name="csv"),
            *Joining(self.tasks, self.store).routes(),
        ]

    def board(self, request: Request) -> Response:
        """Show the table of a phase, and lead to the tasks."""
        phase, rows, hidden = self._found(request)
        values = {
            "challenge": self.tasks,
            # HTML in the text is shown as text, and links run no script.
            "about": Markup(MarkdownIt("js-default").render(self.tasks.description)),  # noqa: S704 - HTML is off
            "phase": phase,
            "phases": self.tasks.phases(),
            "rows": rows,
            "hidden": hidden,
            "points": describe_points(self.tasks),
        }
        return render_page(request, "overall", values)

    def openapi(self, request: Request) -> Response:
        """Describe the interface."""
        return JSONResponse(describe_tasks(self.tasks.title, str(request.base_url).rstrip("/")))

    def about(self, request: Request) -> Response:
        """List the tasks, and where each is."""
        base = str(request.base_url).rstrip("/")
        tasks = [
            {"name": name, "title": one.title, "page": f"{base}/{name}/"} for name, one in self.tasks.challenges.items()
        ]
        described = {"name": self.tasks.name, "title": self.tasks.title, "description": self.tasks.description}
        return JSONResponse({**described, "overall": self.tasks.overall, "phases": self.tasks.phases(), "tasks": tasks})

    def rows_as_json(self, request: Request) -> Response:
        """Return the table of a phase."""
        phase, rows, hidden = self._found(request)
        listed = [
            row._asdict() | {"tasks": {name: place and place._asdict() for name, place in row.tasks.items()}}
            for row in rows
        ]
        return JSONResponse({"phase": phase, "rows": listed, "note": hidden})

    def rows_as_csv(self, request: Request) -> Response:
        """Return the table of a phase as CSV."""
        return leaderboard_csv(overall_table(self.tasks, self._found(request)[1]))

    def _found(self, request: Request) -> tuple[str, list[OverallRow], str]:
        """Find the phase that is asked for, its rows, and until when its values are hidden in any task."""
        now, challenges = self.clock(), [*self.tasks.challenges.values()]
        phase = request.query_params.get("phase") or current_phase(challenges[0], now).name
        if phase not in self.tasks.phases():
            raise HTTPException(404, "There is no such phase.")
        hidden = max(hidden_until(one, phase, now) for one in challenges)
        return phase, [] if hidden else overall_rows(self.tasks, self.store, phase), hidden
