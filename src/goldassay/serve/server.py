"""The leaderboard of a challenge: teams upload, all see the scores, gold stays hidden."""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from uuid import uuid4

from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from goldassay.challenges import Challenge, Phase, Tasks
from goldassay.core.errors import UsageError, first_line
from goldassay.core.version import __version__
from goldassay.report.files import write_whole
from goldassay.serve.board import Row, rows_of, table_of
from goldassay.serve.feedback import Feedback, climbed_by, current_phase, feedback_on, hidden_until
from goldassay.serve.joining import Joining
from goldassay.serve.openapi import description
from goldassay.serve.overall import Overall
from goldassay.serve.queue import LOG, Queue
from goldassay.serve.sandbox import Sandbox
from goldassay.serve.sandbox import check as check_sandbox
from goldassay.serve.store import NO_ANSWER, QUEUED, RUNNING, Store, Submission, Team, TooManyError
from goldassay.serve.web import (
    ASSET,
    MEGABYTE,
    Bounded,
    below,
    bound_socket,
    clean_name,
    leaderboard_csv,
    next_to,
    render_page,
    report_page,
    run,
)
from goldassay.serve.worker import PAGE

UPLOAD_SECONDS = 600
AWAY, RETRY_AFTER = "The database does not answer. Try again in a moment.", "5"
A_MINUTE = 20
"""How many uploads a team may begin in a minute."""


class RateLimit:
    """How often something happens in a minute, by who does it."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.clock = clock
        self.times: dict[int, deque[float]] = defaultdict(deque)

    def allows(self, who: int) -> bool:
        """Count one more, if it is not too many."""
        now, times = self.clock(), self.times[who]
        while times and times[0] <= now - 60:
            times.popleft()
        if len(times) >= self.most:
            return False
        times.append(now)
        return True


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


class Around(NamedTuple):
    """The tasks of which a challenge is one."""

    title: str
    path: str


class Leaderboard:
    """The pages and the interface of a challenge."""

    def __init__(
        self, challenge: Challenge, store: Store, clock: Callable[[], datetime], around: Around | None = None
    ) -> None:
        self.challenge = challenge
        self.around = around
        self.store = store
        self.clock = clock
        self.often = RateLimit(A_MINUTE)
        self.most = {phase.name: challenge.most_submissions(phase.name) for phase in challenge.phases}
        # HTML in the text is shown as text, and links run no script.
        self.markdown = MarkdownIt("js-default")

    def routes(self) -> list[Route]:
        """List the pages, and the interface for programs below ``/api``."""
        return [
            ASSET,
            Route("/", self.board, name="board"),
            Route("/submissions/{id}", self.page, name="submission"),
            Route("/submissions/{id}/report", self.report, name="report"),
            Route("/openapi.json", self.openapi, name="openapi"),
            Route("/api/challenge", self.about),
            Route("/api/leaderboard", self.rows_as_json, name="rows"),
            Route("/api/leaderboard.csv", self.rows_as_csv, name="csv"),
            *Joining(self.challenge, self.store).routes(),
            Route("/api/submissions", self.submit, methods=["POST"], name="submit"),
            Route("/api/submissions", self.own, name="own"),
            Route("/api/submissions/{id}", self.state, name="state"),
            Route("/api/submissions/{id}/withdraw", self.withdraw, methods=["POST"], name="withdraw"),
            Route("/api/submissions/{id}/choose", self.choose, methods=["POST"], name="choose"),
        ]

    # -- pages ---------------------------------------------------------------------------------------------------------

    def board(self, request: Request) -> Response:
        """Show the leaderboard of a phase, what to do, and where to upload."""
        phase, now = self._shown_phase(request), self.clock()
        rows, tested = self.rows(phase)
        values = {
            "challenge": self.challenge,
            "around": self.around,
            "about": Markup(self.markdown.render(self.challenge.description)),  # noqa: S704 - HTML is off
            "terms": Markup(self.markdown.render(self.challenge.terms)),  # noqa: S704 - HTML is off
            "of_phase": Markup(self.markdown.render(phase.description)),  # noqa: S704 - HTML is off
            "phase": phase,
            "phases": [(one, _describe_when(one, now)) for one in self.challenge.phases],
            "open": [one.name for one in self.challenge.phases if one.is_open(now)],
            "rows": rows,
            "tested": tested,
            "hidden": hidden_until(self.challenge, phase.name, now),
            "endings": ",".join(self._endings()),
        }
        return render_page(request, "board", values)

    def page(self, request: Request) -> Response:
        """Show a submission."""
        one, team = self._submission(request)
        waiting = self.store.waiting_before(one) if one.state == QUEUED else 0
        shown = self._feedback(one)
        values = {"one": one, "team": team, "challenge": self.challenge, "before": waiting, "shown": shown}
        return render_page(request, "submission", values | {"waits": one.state in {QUEUED, RUNNING}})

    def report(self, request: Request) -> Response:
        """Show the report page of a submission."""
        one, _ = self._submission(request)
        path = self.store.results / str(one.claim) / PAGE
        if not self._feedback(one).report or not path.is_file():
            raise HTTPException(404, "There is no report of this submission.")
        return report_page(path)

    # -- the interface for programs ------------------------------------------------------------------------------------

    def openapi(self, request: Request) -> Response:
        """Describe the interface."""
        return JSONResponse(description(self.challenge.title, str(request.base_url).rstrip("/")))

    def about(self, request: Request) -> Response:
        """Describe the challenge, without its gold."""
        del request
        one, now = self.challenge, self.clock()
        phases = [
            {
                "name": phase.name,
                "start": phase.start and phase.start.isoformat(),
                "end": phase.end and phase.end.isoformat(),
                "open": phase.is_open(now),
                "submissions_a_day": phase.submissions_a_day,
                "submissions": self.most[phase.name],
                "hidden": phase.hidden,
            }
            for phase in one.phases
        ]
        rank = {"measure": one.rank.measure, "value": one.rank.value, "higher_is_better": one.rank.higher_is_better}
        described = {"name": one.name, "title": one.title, "description": one.description, "kind": one.kind}
        return JSONResponse(
            {
                **described,
                "prediction": one.prediction,
                "rank": rank,
                "phases": phases,
                "megabytes": one.limits.megabytes,
            }
        )

    def rows_as_json(self, request: Request) -> Response:
        """Return the leaderboard of a phase."""
        phase = self._shown_phase(request)
        rows, tested = self.rows(phase)
        found = {"phase": phase.name, "tested": tested, "rows": [row._asdict() for row in rows]}
        return JSONResponse({**found, "note": hidden_until(self.challenge, phase.name, self.clock())})

    def rows_as_csv(self, request: Request) -> Response:
        """Return the leaderboard of a phase as CSV."""
        return leaderboard_csv(table_of(self.rows(self._shown_phase(request))[0]))

    async def submit(self, request: Request) -> Response:
        """Take a submission. The answer goes out when nothing can lose it any more."""
        team = await run_in_threadpool(self._team, request)
        if not self.often.allows(team.id):
            raise HTTPException(429, f"Too many uploads: at most {A_MINUTE} per minute.", {"Retry-After": "60"})
        phase, name = self._open_phase(request), self._name(request)
        with self._part() as part:
            await _receive(request, part)
            # The phase may have ended meanwhile.
            phase, now = self._open_phase(request), self.clock()
            try:
                kept = await run_in_threadpool(
                    self.store.keep,
                    team,
                    phase=phase.name,
                    name=name,
                    upload=part,
                    now=now,
                    a_day=phase.submissions_a_day,
                    most=self.most[phase.name],
                )
            except TooManyError as error:
                raise HTTPException(429, str(error)) from None
        page = str(request.url_for("submission", id=kept.id))
        return JSONResponse(self._describe(request, kept, team.name), 201, {"Location": page})

    def state(self, request: Request) -> Response:
        """Return a submission and what came of it."""
        return JSONResponse(self._describe(request, *self._submission(request)))

    def own(self, request: Request) -> Response:
        """List what a team has sent, the latest first."""
        team = self._team(request)
        climbed = climbed_by(self.challenge, self.store, team.id)
        sent = [self._describe(request, one, team.name, climbed) for one in self.store.sent_by(team)]
        return JSONResponse({"team": team.name, "submissions": sent})

    def withdraw(self, request: Request) -> Response:
        """Take a submission of a team off the leaderboard."""
        self.store.withdraw(self._own_submission(request))
        return self.state(request)

    def choose(self, request: Request) -> Response:
        """Let a submission count for its team, as long as its phase is open: who has seen hidden values chooses no more."""
        one = self._own_submission(request)
        if not self._phase(one.phase).is_open(self.clock()):
            raise HTTPException(403, f"The phase {one.phase} is not open.")
        self.store.choose(one)
        return self.state(request)

    # -- what they share -----------------------------------------------------------------------------------------------

    def rows(self, phase: Phase) -> tuple[list[Row], bool]:
        """List the rows of a phase that are shown, and whether all of them were tested against each other."""
        return ([], False) if phase.hides(self.clock()) else rows_of(self.challenge, self.store, phase)

    def _feedback(self, one: Submission, climbed: Mapping[str, float] | None = None) -> Feedback:
        if climbed is None:
            climbed = climbed_by(self.challenge, self.store, one.team_id)
        return feedback_on(self.challenge, one, self.clock(), climbed)

    def _describe(
        self, request: Request, one: Submission, team: str, climbed: Mapping[str, float] | None = None
    ) -> dict[str, Any]:
        shown = self._feedback(one, climbed)
        return {
            "id": one.id,
            "team": team,
            "phase": one.phase,
            "name": one.name,
            "sha256": one.sha256,
            "received": one.received.isoformat(),
            "state": one.state,
            "message": one.message,
            "values": shown.values,
            "note": shown.note,
            "withdrawn": one.withdrawn,
            "chosen": one.chosen,
            "page": str(request.url_for("submission", id=one.id)),
        }

    def _submission(self, request: Request) -> tuple[Submission, str]:
        found = self.store.find(request.path_params["id"])
        if found is None:
            raise HTTPException(404, "There is no such submission.")
        return found

    def _own_submission(self, request: Request) -> Submission:
        """Find a submission of the team that asks; one of another team is none."""
        team, (one, _) = self._team(request), self._submission(request)
        if one.team_id != team.id:
            raise HTTPException(404, "There is no such submission.")
        return one

    def _shown_phase(self, request: Request) -> Phase:
        """Return the phase that is asked for, else the current one."""
        name = request.query_params.get("phase")
        return current_phase(self.challenge, self.clock()) if name is None else self._phase(name)

    def _phase(self, name: str) -> Phase:
        try:
            return self.challenge.phase(name)
        except UsageError:
            raise HTTPException(404, "There is no such phase.") from None

    def _open_phase(self, request: Request) -> Phase:
        """Return the phase that a submission is for."""
        name, now = request.query_params.get("phase"), self.clock()
        if name is not None and not self._phase(name).is_open(now):
            raise HTTPException(403, f"The phase {name} is not open.")
        running = [one for one in self.challenge.phases if one.is_open(now) and name in {None, one.name}]
        if not running:
            phases = "; ".join(f"{one.name}: {_describe_when(one, now)}" for one in self.challenge.phases)
            raise HTTPException(403, f"No phase is open. {phases}.")
        if len(running) > 1:
            raise HTTPException(400, f"Name the phase, one of {', '.join(one.name for one in running)}: ?phase=NAME")
        return running[0]

    def _team(self, request: Request) -> Team:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        is_bearer = scheme.lower() == "bearer"
        team = self.store.team_of(token.strip()) if is_bearer else None
        if team is None:
            why = (
                "Unknown token." if is_bearer else "Send the token of the team in a header: Authorization: Bearer TOKEN"
            )
            raise HTTPException(401, why, {"WWW-Authenticate": "Bearer"})
        return team

    def _name(self, request: Request) -> str:
        if request.headers.get("content-type", "").lower().startswith("multipart/"):
            hint = "curl --data-binary @FILE, or requests.post(URL, data=open(FILE, 'rb'))"
            raise HTTPException(415, f"Send the file itself, and no form: {hint}")
        name = clean_name(request.query_params.get("name", ""))
        if not name.lower().endswith(tuple(self._endings())):
            raise HTTPException(415, f"Name a file that ends with {' or '.join(self._endings())}: ?name=FILE")
        return name

    def _endings(self) -> list[str]:
        suffix = PurePosixPath(self.challenge.prediction).suffix.lower()
        return [*([suffix] if suffix else []), ".zip"]

    @contextmanager
    def _part(self) -> Iterator[Path]:
        part = self.store.uploads / f"part-{uuid4().hex}"
        try:
            yield part
        finally:
            part.unlink(missing_ok=True)


async def _receive(request: Request, part: Path) -> None:
    """Write the body of a request to a file."""
    try:
        with part.open("xb") as stream:
            async with asyncio.timeout(UPLOAD_SECONDS):
                async for piece in request.stream():
                    stream.write(piece)
            size = stream.tell()
    except TimeoutError:
        raise HTTPException(408, f"The upload took more than {UPLOAD_SECONDS} seconds.") from None
    except ClientDisconnect:
        raise HTTPException(400, "The upload ended early.") from None
    if not size:
        raise HTTPException(400, "The upload is empty.")


def _describe_when(phase: Phase, now: datetime) -> str:
    """Return when a phase is open."""
    if phase.start is not None and now < phase.start:
        return f"begins {phase.start.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    if phase.end is None:
        return "open"
    return f"{'open until' if now < phase.end else 'ended'} {phase.end.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def application(
    tasks: Tasks,
    store: Store,
    *,
    hosts: Sequence[str],
    workers: int,
    sandbox: Sandbox | None = None,
    root: str = "",
    clock: Callable[[], datetime] = utc_now,
) -> ASGIApp:
    """Make the application: the leaderboard of a challenge, or of several below the table over all of them."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await run_in_threadpool(store.take_up)
        queue = Queue(tasks.challenges, store, sandbox=sandbox)
        working = [asyncio.create_task(queue.run(workers))] if workers else []
        yield
        for one in working:
            one.cancel()
        await asyncio.gather(*working, return_exceptions=True)

    if tasks.overall:
        around = Around(tasks.title, f"{root}/")
        sites = {
            name: _site(Leaderboard(one, store.only(name), clock, around).routes(), one)
            for name, one in tasks.challenges.items()
        }
        app = next_to(_site(Overall(tasks, store, clock).routes(), tasks, lifespan), sites)
    else:
        (challenge,) = tasks.challenges.values()
        app = _site(Leaderboard(challenge, store.only(""), clock).routes(), challenge, lifespan)
    trusted = TrustedHostMiddleware(app, allowed_hosts=list(hosts), www_redirect=False)
    return below(trusted, root) if root else trusted


def _site(routes: Sequence[Route], about: Challenge | Tasks, lifespan: Any = None) -> ASGIApp:
    """Make the part of an application that is about one challenge, or about all tasks."""

    async def fault(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            status, detail, headers = error.status_code, error.detail, error.headers
        else:
            LOG.warning("the database does not answer: %s", first_line(error))
            status, detail, headers = 503, AWAY, {"Retry-After": RETRY_AFTER}
        if request.url.path.removeprefix(request.scope.get("root_path", "")).startswith("/api/"):
            return JSONResponse({"error": detail}, status, headers)
        return render_page(
            request, "board_fault", {"status": status, "detail": detail, "challenge": about}, status=status
        )

    app = Starlette(
        routes=list(routes), lifespan=lifespan, exception_handlers=dict.fromkeys((HTTPException, *NO_ANSWER), fault)
    )
    megabytes = about.limits.megabytes if isinstance(about, Challenge) else 1
    return Bounded(app, megabytes * MEGABYTE)


def score_changed(tasks: Tasks, store: Store) -> bool:
    """Queue all submissions to a task again if gold, measures, options, limits or the version of goldassay changed."""
    now = json.loads(json.dumps({name: _scored_by(one) for name, one in tasks.challenges.items()}))
    kept = store.folder / "scored-by.json"
    before = now
    if kept.exists():
        try:
            before = json.loads(kept.read_text(encoding="utf-8"))
        except ValueError:  # it is damaged, and says nothing of any task
            before = {}
    changed = [name for name in now if before.get(name) != now[name]]
    for name in changed:
        store.only(name).score_again()
    # Written afterwards: if it fails, all of it is done again.
    write_whole(kept, lambda stream: stream.write(json.dumps(now, indent=1, sort_keys=True).encode()))
    return bool(changed)


def _scored_by(challenge: Challenge) -> dict[str, Any]:
    """Return what the values of a challenge depend on."""
    return {
        "kind": challenge.kind,
        "measures": list(map(str, challenge.measures)),
        "rank": list(challenge.rank),
        "encoder": challenge.encoder,
        "evidence": challenge.evidence,
        "intervals": challenge.intervals,
        "places": challenge.places,
        "limits": asdict(challenge.limits),
        "goldassay": __version__,
        "options": {name: str(value) for name, value in challenge.options.items()},
        "gold": {phase.name: phase.gold_digest().hex() for phase in challenge.phases},
    }


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold a folder, so that no second server works in it."""
    try:
        import fcntl
    except ImportError:
        raise UsageError("A leaderboard needs Linux or macOS.") from None
    with (folder / "lock").open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(
                "The folder is in use by another server.", found=str(folder), hint="end it, or choose another --data"
            ) from None
        yield


def serve_leaderboard(
    tasks: Tasks,
    folder: Path,
    *,
    database: str | None,
    host: str,
    port: int,
    names: Sequence[str],
    workers: int,
    sandbox: Sandbox | None,
    root: str,
    ready: Callable[[str], None],
) -> None:
    """Serve the leaderboard of a challenge, or of several, until a signal ends it."""
    store = Store(folder, database)
    with lock_folder(folder), bound_socket(host, port) as listening:
        if sandbox:
            check_sandbox(sandbox, store.results)
        if score_changed(tasks, store):
            LOG.warning("gold, measures or options have changed: all submissions are scored again")
        place = f"[{host}]" if ":" in host else host
        ready(f"http://{place}:{listening.getsockname()[1]}{root}/")
        app = application(tasks, store, hosts=[place, *names], workers=workers, sandbox=sandbox, root=root)
        run(app, listening)
