"""What the pages of a challenge and of several tasks share: teams with an invitation add themselves."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from goldassay.challenges import Challenge, Tasks
from goldassay.core.errors import UsageError
from goldassay.serve.store import LONGEST_TEAM, Store
from goldassay.serve.web import render_page


class Joining:
    """The page and the interface to join with."""

    def __init__(self, challenge: Challenge | Tasks, store: Store) -> None:
        self.store = store
        self.about_page = {"challenge": challenge, "longest": LONGEST_TEAM}

    def routes(self) -> list[Route]:
        """List both."""
        return [
            Route("/join", self.join_page, name="join"),
            Route("/api/teams", self.join, methods=["POST"], name="teams"),
        ]

    def join_page(self, request: Request) -> Response:
        """Let a team with an invitation add itself; the code is behind #, which no browser sends."""
        return render_page(request, "join", self.about_page)

    async def join(self, request: Request) -> Response:
        """Add a team that has an invitation."""
        try:
            asked = await request.json()
            code, name = asked["code"], asked["name"]
            token = await run_in_threadpool(self.store.join, str(code), str(name))
        except UsageError as error:
            raise HTTPException(409, error.message) from None
        except (ValueError, TypeError, LookupError):
            raise HTTPException(400, 'Send JSON: {"code": ..., "name": ...}') from None
        if token is None:
            raise HTTPException(401, "This invitation is unknown, or used up.")
        return JSONResponse({"team": name, "token": token}, 201)
