"""Items to label in a browser: several raters, each with their own answers, which are saved to the table at once."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from functools import partial
from os.path import exists
from pathlib import Path
from threading import Lock
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from goldassay.core.errors import GoldassayError, UsageError
from goldassay.sampling.estimates import agreement_lines, raters_of
from goldassay.sampling.todo import (
    ANSWER,
    FIRST,
    MISSED,
    design_path,
    load_design,
    page_of,
    put_answer,
    read_labels,
    save_table,
    table_rows,
)
from goldassay.serve.local import gated, serve_gated

LABELS = ("", "yes", "no", "unsure", MISSED)
LONGEST, LONGEST_NAME = 10_000, 100


class Labelling:
    """The page of one table, and what raters answer there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.exhaustive = exists(design_path(path)) and load_design(path).asked.design == "documents"
        self.one_at_a_time = Lock()

    def rows(self) -> list[dict[str, str]]:
        """Read the table, which a spreadsheet may have changed meanwhile."""
        return [row for _, row in table_rows(self.path)]

    def page(self, request: Request) -> Response:
        """Show the items without anybody's answers."""
        del request
        nonce = secrets.token_urlsafe(16)
        # What was missed is of one rater, and loaded as the answers are.
        rows = [row for row in self.rows() if row[FIRST] or row["label"].lower() != MISSED]
        items = {(row[FIRST], row.get("document")): {**row, **dict.fromkeys(ANSWER, "")} for row in rows}
        shown = page_of(
            list(items.values()),
            title=f"{len({name for name, _ in items} - {''}):,} items to label",
            name=self.path.name,
            save="labels",
            nonce=nonce,
            exhaustive=self.exhaustive,
        )
        policy = f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
        return HTMLResponse(shown, headers={"Content-Security-Policy": policy})

    def answers(self, request: Request) -> Response:
        """Return the answers of one rater, and how far all agree."""
        rater = request.query_params.get("rater", "")
        own = [row for row in self.rows() if row.get("rater", "") == rater and (row["label"] or row.get("comment"))]
        answers = [{name: cell for name, cell in row.items() if name != "text"} for row in own]
        return JSONResponse({"answers": answers, "agreement": self.agreement()})

    async def save(self, request: Request) -> Response:
        """Save an answer."""
        try:
            given = json.loads(await request.body())
            answer = {name: str.strip(cell) for name, cell in given.items()}
            # Half of a surrogate pair is no text that a file can have.
            "".join([*answer.values(), *(answer[name] for name in (FIRST, *ANSWER))]).encode()
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise HTTPException(400, "This is not a label.") from None
        if answer["label"] not in LABELS:
            raise HTTPException(400, "A label is yes, no or unsure.")
        if len(answer["rater"]) > LONGEST_NAME or any(len(cell) > LONGEST for cell in answer.values()):
            raise HTTPException(400, "The name or a text is too long.")
        return JSONResponse(await run_in_threadpool(self.saved, answer))

    def saved(self, answer: dict[str, str]) -> dict[str, Any]:
        """Write an answer into the table."""
        with self.one_at_a_time:
            save_table(put_answer(self.rows(), answer, exhaustive=self.exhaustive), self.path)
        return {"agreement": self.agreement()}

    def agreement(self) -> str:
        """Return how far raters agree so far."""
        try:
            return "; ".join(agreement_lines(raters_of(read_labels(self.path).given)))
        except GoldassayError as error:
            # A spreadsheet may have written this: answers are saved all the same.
            return str(error)


def application(path: Path, token: str) -> ASGIApp:
    """Make the application."""
    labelling = Labelling(path)
    routes = [
        Route("/", labelling.page),
        Route("/labels", labelling.answers, methods=["GET"]),
        Route("/labels", labelling.save, methods=["POST"]),
    ]

    async def fault(request: Request, error: Exception) -> Response:
        del request
        if isinstance(error, HTTPException):
            return JSONResponse({"error": error.detail}, error.status_code)
        # A file that cannot be read or written now may be soon, so that the page keeps the answer.
        again = not isinstance(error, UsageError)
        return JSONResponse({"error": str(error), "again": again}, 503 if again else 400)

    app = Starlette(
        routes=[Mount(f"/{token}", routes=routes)], exception_handlers={HTTPException: fault, GoldassayError: fault}
    )
    return gated(app, token, 1)


def serve_labels(path: Path, *, port: int, ready: Callable[[str], None]) -> None:
    """Serve the items of a table until a signal ends it."""
    read_labels(path)
    serve_gated(partial(application, path), port=port, ready=ready)
