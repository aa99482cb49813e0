"""The local page: drop files, see how they are read, and get the report and the command that makes it, without a terminal."""

from __future__ import annotations

import asyncio
import secrets
import shlex
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from goldassay.core.errors import EmptyInputError, GoldassayError
from goldassay.core.parameters import parameters_of
from goldassay.core.text import to_one_line
from goldassay.families import families, family, kind_of
from goldassay.report.forest import forests
from goldassay.saved import load
from goldassay.serve.processes import ProcessResult, run_watched
from goldassay.serve.web import ASSET, MEGABYTE, Bounded, bound_socket, clean_name, render_page, report_page, run

QUESTIONS: Mapping[str, Mapping[str, str]] = {
    "taxonomy": {
        "literal": "Are the edges the same, letter by letter?",
        "fuzzy": "Do both ends mean the same?",
        "continuous": "How near is the best pairing, without a threshold?",
        "nodes": "Are the terms right, without regard to edges?",
        "closure": "Is everything that follows right, too (ancestors)?",
        "taxonomic": "Is the position of shared terms right?",
        "fowlkes_mallows": "Do the same things fall together, level by level?",
        "motif": "Is the shape alike (chains, stars, triangles)?",
    },
    "axioms": {
        "exact": "Which axioms are right as a whole?",
        "weighted": "Which axioms are right, in part or as a whole?",
        "coverage": "Which vocabulary was found?",
    },
    "alignment": {
        "overlap": "Are the correspondences right?",
        "mrr": "Does the right candidate come early in a list?",
        "jaccard": "How much of both alignments is shared?",
    },
    "concepts": {
        "concept": "Are the concepts of the gold answer there, by meaning?",
        "concept_exact": "Are they there by their identifiers?",
    },
    "triples": {
        "triples": "Are the triples right?",
        "triples(names=partial)": "Are they right if names may differ a little?",
        "entities": "Are the right entities mentioned?",
        "relations": "Are the right relations mentioned?",
    },
    "labels": {
        "hierarchical": "Are the labels right, and all above them?",
        "lca": "Is a label near the right one in the hierarchy?",
        "wu_palmer": "How near is it, by depth?",
    },
    "unl": {
        "discrepancy": "Are the graphs near enough?",
        "unl_relations": "Which relations are right?",
        "unl_uws": "Which words are right?",
        "unl_attributes": "Which attributes are right?",
    },
    "sentences": {"levenshtein": "Are the sentences near enough?"},
}
"""For each family its questions, in the order in which they are asked, by the spec of the measure that answers."""


HOST = "127.0.0.1"
PAGE, NUMBERS = "report.html", "report.json"
MOST_FILES, MOST_DROPS = 50, 10
HIERARCHY = "hierarchy"
"""The one reader option that is a file of its own, in addition to gold and predictions."""


class Reading(NamedTuple):
    """How a file was read."""

    role: str
    lines: list[str]
    bad: bool


class Chosen(NamedTuple):
    """A question of the user."""

    specs: Sequence[str]
    encoder: str
    intervals: bool
    chance: bool


@dataclass(kw_only=True)
class Drop:
    """Files that were dropped together, and what has come of them."""

    folder: Path
    gold: str
    preds: list[str]
    hierarchy: str = ""
    kind: str = ""
    readings: list[Reading] = field(default_factory=list)
    chosen: Chosen | None = None  # what was asked; None before that
    command: list[str] = field(default_factory=list)  # the command that answers it
    task: asyncio.Task[ProcessResult] | None = None
    started: float = 0.0

    @property
    def files(self) -> Path:
        """The folder of the files."""
        return self.folder / "files"

    @property
    def made(self) -> Path:
        """The folder of what was made of them."""
        return self.folder / "made"

    async def end(self) -> None:
        """End what runs, and remove everything."""
        if self.task is not None:
            self.task.cancel()
            with suppress(asyncio.CancelledError):
                await self.task
        await run_in_threadpool(shutil.rmtree, self.folder, ignore_errors=True)


def read_as(drop: Drop, kind: str) -> None:
    """Read the files of a drop, as ``goldassay inspect`` does."""
    gold = str(drop.files / drop.gold)
    if not kind:
        try:
            kind = kind_of(gold)
        except GoldassayError:
            kind = "taxonomy"
    drop.kind = kind
    drop.readings = [_reading(drop, role, name) for role, name in roles_of(drop)]


def roles_of(drop: Drop) -> list[tuple[str, str]]:
    """Name what each file is for."""
    return [("Gold standard", drop.gold), *(("Prediction", name) for name in drop.preds)]


def _reading(drop: Drop, role: str, name: str) -> Reading:
    chosen = family(drop.kind)
    options = {HIERARCHY: str(drop.files / drop.hierarchy)} if takes_hierarchy(drop) else {}
    try:
        found = chosen.inspect(str(drop.files / name), chosen.reading.options(**options))
        lines, bad = list(found.lines()), False
    except GoldassayError as error:
        # An empty prediction scores 0, as it does in a terminal.
        bad = not (isinstance(error, EmptyInputError) and name in drop.preds)
        lines = [*str(error).splitlines(), *([] if bad else [f"! {chosen.empty_prediction}"])]
    # People know the names of their files, not where they lie now.
    return Reading(role, [line.replace(f"{drop.files}/", "") for line in lines], bad)


def takes_hierarchy(drop: Drop) -> bool:
    """Return whether there is a hierarchy of labels, and labels to use it."""
    return bool(drop.hierarchy) and HIERARCHY in parameters_of(family(drop.kind).reading.options)


def command_of(drop: Drop, chosen: Chosen) -> list[str]:
    """Write the command that answers what was asked; it runs here, and gives the same page again anywhere."""
    measures = [word for spec in chosen.specs for word in ("-m", spec)]
    hierarchy = ["--hierarchy", drop.hierarchy] if takes_hierarchy(drop) else []
    encoder = ["--encoder", chosen.encoder] if family(drop.kind).measures.encode and chosen.encoder != "minilm" else []
    asked = [flag for flag, wanted in (("--ci", chosen.intervals), ("--chance", chosen.chance)) if wanted]
    files = [*drop.preds, "--gold", drop.gold]
    return ["goldassay", drop.kind, *files, *hierarchy, *measures, *encoder, *asked, "--report", PAGE]


def questions_of(kind: str) -> list[dict[str, str]]:
    """List what can be asked of a family, in words; the measures of a family of another package have no words yet."""
    chosen = family(kind)
    known = QUESTIONS.get(kind) or {str(measure): measure.title for measure in chosen.measures.default}
    asked = {str(chosen.measures.parse(spec)): words for spec, words in known.items()}
    return [{"spec": spec, "words": words, "title": chosen.measures.parse(spec).title} for spec, words in asked.items()]


class Gate:
    """Middleware that knows who may ask: whoever has the token in the address, from this page itself."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app = app
        self.token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "http":
            first = scope["path"].removeprefix("/").partition("/")[0]
            headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
            own = f"http://{headers.get(b'host', '')}"
            if not secrets.compare_digest(first.encode(errors="replace"), self.token):
                await PlainTextResponse("There is no such page.", 404)(scope, receive, send)
                return
            if scope["method"] not in {"GET", "HEAD"} and headers.get(b"origin") != own:
                await PlainTextResponse("This comes from another page.", 403)(scope, receive, send)
                return
        await self.app(scope, receive, send)


class Local:
    """The pages, and the drops that they show."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.drops: dict[str, Drop] = {}
        self.one_at_a_time = asyncio.Semaphore(1)

    def routes(self) -> list[Route]:
        """List the pages."""
        return [
            ASSET,
            Route("/", self.start, name="start"),
            Route("/drops", self.receive, methods=["POST"], name="drops"),
            Route("/drops/{drop}", self.look, name="drop"),
            Route("/drops/{drop}/read", self.read_again, methods=["POST"], name="read"),
            Route("/drops/{drop}/ask", self.ask, methods=["POST"], name="ask"),
            Route("/drops/{drop}/state", self.state, name="state"),
            Route("/drops/{drop}/remove", self.remove, methods=["POST"], name="remove"),
            Route("/drops/{drop}/{made:path}", self.result, name="result"),
        ]

    async def start(self, request: Request) -> Response:
        """Show where files are dropped."""
        kinds = {kind: chosen.title for kind, chosen in families().items()}
        return render_page(request, "start", {"kinds": kinds, "megabytes": request.app.state.megabytes})

    async def receive(self, request: Request) -> Response:
        """Take files, and read them."""
        async with request.form(max_files=MOST_FILES + 2, max_fields=5) as form:
            kind = str(form.get("kind", ""))
            if kind and kind not in families():
                raise HTTPException(400, "There is no such kind of file.")
            drop = await run_in_threadpool(self._kept, form)
        await run_in_threadpool(read_as, drop, kind)
        name = secrets.token_urlsafe(8)
        self.drops[name] = drop
        while len(self.drops) > MOST_DROPS:
            await self.drops.pop(next(iter(self.drops))).end()
        return self._to(request, name)

    def _kept(self, form: FormData) -> Drop:
        files = {role: _files(form, role) for role in ("gold", "pred", HIERARCHY)}
        if len(files["gold"]) != 1 or not files["pred"]:
            raise HTTPException(400, "One gold standard and at least one prediction are needed.")
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        (folder / "files").mkdir()
        (folder / "made").mkdir()
        taken: set[str] = set()
        names = {role: [_write(folder / "files", one, taken) for one in uploads] for role, uploads in files.items()}
        hierarchy = names[HIERARCHY][0] if names[HIERARCHY] else ""
        return Drop(folder=folder, gold=names["gold"][0], preds=names["pred"], hierarchy=hierarchy)

    async def look(self, request: Request) -> Response:
        """Show how the files were read, and what can be asked; or what was answered."""
        drop = self._drop(request)
        values = {"drop": drop, "name": request.path_params["drop"], "command": shlex.join(drop.command)}
        if drop.task is not None and not drop.task.done():
            return render_page(request, "running", values)
        if drop.task is not None and "again" not in request.query_params:
            return render_page(request, "answer", values | await run_in_threadpool(_answer, drop, drop.task.result()))
        kinds = {kind: chosen.title for kind, chosen in families().items()}
        usual = {*(drop.chosen.specs if drop.chosen else map(str, family(drop.kind).measures.default))}
        questions = [{**one, "asked": one["spec"] in usual} for one in questions_of(drop.kind)]
        readable = sum(not one.bad for one in drop.readings[1:]) and not drop.readings[0].bad
        more = {"encodes": family(drop.kind).measures.encode, "readable": readable}
        return render_page(request, "ask", values | {"kinds": kinds, "questions": questions} | more)

    async def read_again(self, request: Request) -> Response:
        """Read the files as another family."""
        drop = self._drop(request)
        async with request.form(max_files=0) as form:
            kind = str(form.get("kind", ""))
        if kind not in families():
            raise HTTPException(400, "There is no such kind of file.")
        self._refuse_running(drop)
        await run_in_threadpool(read_as, drop, kind)
        drop.task = None
        return self._to(request)

    async def ask(self, request: Request) -> Response:
        """Score what was asked."""
        drop = self._drop(request)
        async with request.form(max_files=0) as form:
            specs = [str(spec) for spec in form.getlist("measure")]
            encoder = "hashing" if form.get("encoder") == "hashing" else "minilm"
            chosen = Chosen(specs, encoder, "intervals" in form, "chance" in form)
        if not specs or not {*specs} <= {one["spec"] for one in questions_of(drop.kind)}:
            raise HTTPException(400, "Choose one question at least.")
        self._refuse_running(drop)
        drop.chosen, drop.command, drop.started = chosen, command_of(drop, chosen), time.monotonic()
        drop.task = asyncio.create_task(self._score(drop))
        return self._to(request)

    async def _score(self, drop: Drop) -> ProcessResult:
        async with self.one_at_a_time:
            for path in drop.made.iterdir():
                path.unlink()
            made = ["--report", str(drop.made / PAGE), "--format", "json", "-o", str(drop.made / NUMBERS), "--quiet"]
            # Vectors of texts are not kept beyond the drop either.
            cache = {"GOLDASSAY_CACHE_DIR": str(drop.folder / "cache")}
            return await run_watched([*drop.command[:-2], *made], folder=drop.files, environment=cache)

    async def state(self, request: Request) -> Response:
        """Return to the script of a page whether there is an answer."""
        drop = self._drop(request)
        done = drop.task is None or drop.task.done()
        return JSONResponse({"done": done, "seconds": round(time.monotonic() - drop.started)})

    async def result(self, request: Request) -> Response:
        """Return the report page or the numbers; to be saved, with ``?save``."""
        drop, name = self._drop(request), request.path_params["made"]
        path = drop.made / name
        if name not in {PAGE, NUMBERS} or not path.is_file():
            raise HTTPException(404, "There is no such page.")
        if name == NUMBERS:
            return FileResponse(path, filename=NUMBERS)
        return await run_in_threadpool(report_page, path, name=PAGE if "save" in request.query_params else None)

    async def remove(self, request: Request) -> Response:
        """Remove files and all that was made of them."""
        self._drop(request)
        await self.drops.pop(request.path_params["drop"]).end()
        return RedirectResponse(request.url_for("start"), 303)

    async def end(self) -> None:
        """End all that runs."""
        while self.drops:
            await self.drops.popitem()[1].end()

    def _drop(self, request: Request) -> Drop:
        try:
            return self.drops[request.path_params["drop"]]
        except KeyError:
            raise HTTPException(404, "These files were removed.") from None

    @staticmethod
    def _refuse_running(drop: Drop) -> None:
        if drop.task is not None and not drop.task.done():
            raise HTTPException(409, "These files are being scored.")

    @staticmethod
    def _to(request: Request, name: str | None = None) -> Response:
        return RedirectResponse(request.url_for("drop", drop=name or request.path_params["drop"]), 303)


def _files(form: FormData, role: str) -> list[UploadFile]:
    # A browser sends an empty file where none was chosen.
    return [one for one in form.getlist(role) if isinstance(one, UploadFile) and one.filename]


def _write(folder: Path, upload: UploadFile, taken: set[str]) -> str:
    """Keep a file under a plain name that no other one has, and return the name."""
    plain = Path(clean_name(upload.filename or ""))
    names = (plain.name if n == 1 else f"{n}-{plain.name}" for n in range(1, MOST_FILES + 3))
    name = next(one for one in names if one.casefold() not in taken)
    taken.add(name.casefold())
    with (folder / name).open("xb") as stream:
        shutil.copyfileobj(upload.file, stream)
    return name


def _answer(drop: Drop, ended: ProcessResult) -> dict[str, Any]:
    """Return what came of a run: the scores in words, or the error."""
    numbers = drop.made / NUMBERS
    message = ended.stderr.replace(f"{drop.files}/", "").replace("goldassay: ", "").strip()
    if not numbers.is_file() or not (drop.made / PAGE).is_file():
        return {"plots": [], "message": message or "The run ended without an answer.", "warnings": []}
    report = load(numbers)
    known = {f"warning: {to_one_line(line)}" for line in report.warnings}
    message = "\n".join(line for line in message.splitlines() if line not in known)
    words = {one["spec"]: one["words"] for one in questions_of(drop.kind)}
    plots = [{**plot, "words": words.get(plot["measure"], plot["measure"])} for plot in forests(report)]
    return {"plots": plots, "message": message, "warnings": report.warnings}


def application(folder: Path, token: str, *, megabytes: int) -> ASGIApp:
    """Make the application."""
    local = Local(folder)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await local.end()

    async def fault(request: Request, error: Exception) -> Response:
        status, detail = (error.status_code, error.detail) if isinstance(error, HTTPException) else (500, str(error))
        return render_page(request, "fault", {"status": status, "detail": detail}, status=status)

    app = Starlette(
        routes=[Mount(f"/{token}", routes=local.routes())],
        lifespan=lifespan,
        exception_handlers={HTTPException: fault},
    )
    app.state.megabytes = megabytes
    return gated(app, token, megabytes)


def gated(app: ASGIApp, token: str, megabytes: int) -> ASGIApp:
    """Let only this computer, and who has the token, ask an application."""
    bounded = Gate(Bounded(app, megabytes * MEGABYTE), token)
    return TrustedHostMiddleware(bounded, allowed_hosts=[HOST, "localhost"], www_redirect=False)


def serve_gated(make: Callable[[str], ASGIApp], *, port: int, ready: Callable[[str], None]) -> None:
    """Serve an application that is made with a token, until a signal ends it."""
    listening, token = bound_socket(HOST, port), secrets.token_urlsafe(24)
    with listening:
        ready(f"http://{HOST}:{listening.getsockname()[1]}/{token}/")
        run(make(token), listening)


def serve_local(*, port: int, megabytes: int, ready: Callable[[str], None]) -> None:
    """Serve the local page until a signal ends it; then nothing is left."""
    with tempfile.TemporaryDirectory(prefix="goldassay-", ignore_cleanup_errors=True) as folder:
        serve_gated(partial(application, Path(folder), megabytes=megabytes), port=port, ready=ready)
