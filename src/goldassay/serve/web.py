"""What the local page and the leaderboard share: templates, safe answers, bounded requests, and a server that ends well."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

import jinja2
import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.templating import Jinja2Templates
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from goldassay.core.errors import UsageError
from goldassay.core.libraries import pl
from goldassay.core.version import __version__
from goldassay.report.files import csv_of

FOLDER = Path(__file__).parent
ASSETS = {
    # The look of the report page, which these pages share.
    "page.css": (FOLDER.parent / "report" / "page" / "page.css", "text/css"),
    "serve.css": (FOLDER / "serve.css", "text/css"),
    "serve.js": (FOLDER / "serve.js", "text/javascript"),
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
REPORT_POLICY = "sandbox allow-scripts allow-downloads allow-modals; frame-ancestors 'none'"
"""A report page brings a policy of its own. Here it also has no origin, so nothing that runs in it can ask this server for anything."""
SAFE = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Without any referrer a browser also hides the origin of a form, which is checked.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
LONGEST_NAME = 100
MEGABYTE = 2**20

templates = Jinja2Templates(
    env=jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
)
templates.env.globals["version"] = __version__


@jinja2.pass_context
def path_for(context: jinja2.runtime.Context, name: str, /, **parameters: Any) -> str:
    """Return the path of a page, without scheme and host: a server in front may change these."""
    return str(context["request"].url_for(name, **parameters).path)


templates.env.globals["path_for"] = path_for


def render_page(request: Request, name: str, values: Mapping[str, Any], *, status: int = 200) -> Response:
    """Answer with a page made from a template."""
    return templates.TemplateResponse(request, f"{name}.html.jinja", dict(values), status_code=status)


def report_page(path: Path, *, name: str | None = None) -> Response:
    """Answer with a report page, to be looked at; or to be saved, if it has a name."""
    saved = {"Content-Disposition": f'attachment; filename="{name}"'} if name else {}
    return Response(
        path.read_bytes(), media_type="text/html", headers={"Content-Security-Policy": REPORT_POLICY} | saved
    )


def leaderboard_csv(table: pl.DataFrame) -> Response:
    """Answer with a leaderboard as CSV, to be saved."""
    saved = {"Content-Disposition": 'attachment; filename="leaderboard.csv"'}
    return Response(csv_of(table), media_type="text/csv", headers=saved)


def asset(request: Request) -> Response:
    """Answer with the style or the script of these pages, and with no other file."""
    name = request.path_params["name"]
    if name not in ASSETS:
        raise HTTPException(404, "There is no such page.")
    path, kind = ASSETS[name]
    return Response(path.read_bytes(), media_type=kind)


ASSET = Route("/assets/{name}", asset, name="asset")


def clean_name(name: str) -> str:
    """Make a name of a file that no folder, no shell and no page can misunderstand."""
    last = re.split(r"[/\\]", name)[-1]
    # The end is kept: it names the format.
    return re.sub(r"[^\w.()+=-]+", "_", last)[-LONGEST_NAME:].strip("._-") or "file"


class Bounded:
    """Middleware that ends a request that is too large, and gives every answer safe headers."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self.app = app
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        seen = 0

        async def bounded() -> Message:
            # Raised here, where the application reads, so that its own page says what is wrong.
            nonlocal seen
            if declared.isdecimal() and int(declared) > self.most:
                raise self.too_large()
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.most:
                raise self.too_large()
            return message

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SAFE.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, bounded, safely)

    def too_large(self) -> HTTPException:
        """Return what is wrong with a large body."""
        return HTTPException(413, f"This is more than {self.most / MEGABYTE:,.0f} MB.")


def bound_socket(host: str, port: int) -> socket.socket:
    """Take an address before it is announced."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise UsageError(
            "The address cannot be used.",
            found=f"{host} port {port}: {error.strerror or error}",
            hint="choose another --port, or 0 for one that is free",
        ) from None


HEADER_SECONDS = 10.0
"""How long a connection may take to send the head of its request."""
MOST_SILENT, MOST_OF_ADDRESS = 100, 100
"""How many connections may be without a request, and how many one address has, except this computer: a server in front is one."""
BURST, BURST_SECONDS = 400, 1.0
"""How many may be without a request for how long: many that come at once are accepted before any request is read."""


class PatientProtocol(H11Protocol):
    """HTTP in which connections that send no request take no place from others: each is closed after a time, and the oldest when there are many."""

    silent: ClassVar[dict[PatientProtocol, asyncio.TimerHandle]] = {}
    of_address: ClassVar[Counter[str]] = Counter()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the head of a request."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self.of_address[self.address] += 1
        if self.of_address[self.address] > MOST_OF_ADDRESS and not _is_local(self.address):
            transport.close()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Read what was sent; wait on if it was only a part of the head."""
        super().data_received(data)
        cycle: Any = self.cycle  # None before the first request
        if cycle and not cycle.response_complete:
            self._wait_no_more()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count no longer."""
        self._wait_no_more()
        self.of_address[self.address] -= 1
        if not self.of_address[self.address]:
            del self.of_address[self.address]
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self in self.silent or self.transport.is_closing():
            return
        self.silent[self] = self.loop.call_later(HEADER_SECONDS, self.transport.close)
        self._make_room(BURST, 0.0)
        if len(self.silent) > MOST_SILENT:
            self.loop.call_later(BURST_SECONDS, self._make_room, MOST_SILENT, BURST_SECONDS)

    def _make_room(self, most: int, seconds: float) -> None:
        """Close the oldest connections that are too many, and have waited for some seconds."""
        while len(self.silent) > most:
            oldest, timer = next(iter(self.silent.items()))
            if timer.when() > self.loop.time() + HEADER_SECONDS - seconds:
                return
            timer.cancel()
            del self.silent[oldest]
            oldest.transport.close()

    def _wait_no_more(self) -> None:
        if timer := self.silent.pop(self, None):
            timer.cancel()


def _is_local(address: str) -> bool:
    """Return whether an address is of this computer, or of a socket in a folder."""
    return not address or ip_address(address.partition("%")[0]).is_loopback


ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def below(app: ASGIApp, root: str) -> ASGIApp:
    """Serve an application below a path, which a server in front may take away or not."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path = scope["path"]
            inside = path == root or path.startswith(f"{root}/")
            scope = {**scope, "root_path": root, "path": path if inside else root + path}
        await app(scope, receive, send)

    return answer


def next_to(app: ASGIApp, others: Mapping[str, ASGIApp]) -> ASGIApp:
    """Serve other applications below their names, and one in all other places."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            root = scope.get("root_path", "")
            name = scope["path"].removeprefix(root)[1:].partition("/")[0]
            if name in others:
                await others[name]({**scope, "root_path": f"{root}/{name}"}, receive, send)
                return
        await app(scope, receive, send)

    return answer


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End at a signal, without raising it again afterwards: to end so is no failure."""

        def end(number: int, frame: FrameType | None) -> None:
            self.handle_exit(number, frame)

        before = {number: signal.signal(number, end) for number in ENDING}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run(app: ASGIApp, listening: socket.socket) -> None:
    """Serve until a signal ends it: Ctrl-C, SIGTERM, or a closed terminal."""
    if hasattr(signal, "SIGPIPE"):
        # Other commands end when the reader of their output does; no client may end a server by going away.
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        log_level="warning",
        access_log=False,  # an address may hold a token
        server_header=False,
        proxy_headers=True,  # of a server in front on this computer: whether people came by TLS
        ws="none",
        timeout_graceful_shutdown=2,
        timeout_keep_alive=15,
        limit_concurrency=500,
    )
    _Server(config).run(sockets=[listening])
