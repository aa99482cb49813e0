"""The description of the leaderboard's interface for programs, as OpenAPI has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.core.version import __version__

TEXT = {"type": "string"}
BOOLEAN = {"type": "boolean"}
NUMBER = {"type": ["number", "null"]}
MOMENT = {"type": ["string", "null"], "format": "date-time"}
NOTE = {"type": "string", "description": "Why values are not shown, or only in steps; empty if all are shown."}
PHASE = {"name": "phase", "in": "query", "schema": TEXT, "description": "The phase; the open one if left out."}
ID = {"name": "id", "in": "path", "required": True, "schema": TEXT, "description": "The id of a submission."}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": [*properties], "properties": properties}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _answer(about: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": about, "content": {"application/json": {"schema": schema}}}


def _errors(*statuses: int) -> dict[str, Any]:
    return {str(status): _answer(ERRORS[status], _ref("Error")) for status in statuses}


ERRORS = {
    400: "The request is empty or invalid, or the phase must be named.",
    401: "Unknown token or invitation.",
    403: "The phase is not open.",
    404: "There is no such phase or submission.",
    408: "The upload took too long.",
    413: "The upload is too large.",
    409: "The name of the team is invalid or taken.",
    415: "The name has another ending than the challenge asks for, or a form is sent instead of the file.",
    429: "The team has sent as much as it may.",
}
SCHEMAS = {
    "Error": _object(error=TEXT),
    "Phase": _object(
        name=TEXT,
        start=MOMENT,
        end=MOMENT,
        open=BOOLEAN,
        submissions_a_day={"type": ["integer", "null"]},
        submissions={"type": ["integer", "null"], "description": "How many a team may send in all."},
        hidden={**BOOLEAN, "description": "Whether values are hidden until it ends."},
    ),
    "Challenge": _object(
        name=TEXT,
        title=TEXT,
        description=TEXT,
        kind=TEXT,
        prediction=TEXT,
        rank=_object(measure=TEXT, value=TEXT, higher_is_better={"type": "boolean"}),
        phases={"type": "array", "items": _ref("Phase")},
        megabytes={"type": "integer"},
    ),
    "Row": _object(
        rank={"type": "integer"},
        team=TEXT,
        value=NUMBER,
        low=NUMBER,
        high=NUMBER,
        group={"type": "string", "description": "Letters: two teams that share one do not differ significantly."},
        others={
            "type": "object",
            "description": "The other values of the measure that ranks, by name.",
            "additionalProperties": NUMBER,
        },
        seconds={**NUMBER, "description": "The processor time of scoring."},
        submissions={"type": "integer"},
        received={"type": "string", "format": "date-time"},
        submission=TEXT,
    ),
    "Leaderboard": _object(
        phase=TEXT, tested={"type": "boolean"}, rows={"type": "array", "items": _ref("Row")}, note=NOTE
    ),
    "Joined": _object(team=TEXT, token={"type": "string", "description": "It is shown only once."}),
    "Sent": _object(team=TEXT, submissions={"type": "array", "items": _ref("Submission")}),
    "Submission": _object(
        id=TEXT,
        team=TEXT,
        phase=TEXT,
        name=TEXT,
        sha256=TEXT,
        received={"type": "string", "format": "date-time"},
        state={"type": "string", "enum": ["queued", "running", "scored", "failed"]},
        message={"type": ["string", "null"], "description": "Why it failed."},
        values={
            "type": ["object", "null"],
            "description": "The values by measure and name.",
            "additionalProperties": {"type": "object", "additionalProperties": NUMBER},
        },
        note=NOTE,
        withdrawn=BOOLEAN,
        chosen={**BOOLEAN, "description": "Whether it counts for its team, instead of the best."},
        page={"type": "string", "format": "uri"},
    ),
}


def description(title: str, address: str) -> dict[str, Any]:
    """Describe the interface."""
    csv = {"description": "The rows.", "content": {"text/csv": {"schema": TEXT}}}
    submit = {
        "summary": "Submit a prediction.",
        "description": "The body is the file itself. 201 is answered when nothing can lose it any more.",
        "security": [{"token": []}],
        "parameters": [
            {"name": "name", "in": "query", "required": True, "schema": TEXT, "description": "The name of the file."},
            PHASE,
        ],
        "requestBody": {"required": True, "content": {"application/octet-stream": {}}},
        "responses": {
            "201": _answer("It was kept, and waits.", _ref("Submission")),
            **_errors(400, 401, 403, 404, 408, 413, 415, 429),
        },
    }
    board = {"parameters": [PHASE]}
    join = {
        "summary": "Add a team that has an invitation.",
        "requestBody": {"required": True, "content": {"application/json": {"schema": _object(code=TEXT, name=TEXT)}}},
        "responses": {"201": _answer("The team was added.", _ref("Joined")), **_errors(400, 401, 409)},
    }
    of_team: dict[str, Any] = {"security": [{"token": []}]}
    own = {"summary": "What the team has sent, the latest first.", **of_team}
    change = {"parameters": [ID], **of_team}
    changed = {"200": _answer("The submission.", _ref("Submission"))}
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": __version__},
        "servers": [{"url": address}],
        "paths": {
            "/api/challenge": {"get": {"summary": "What to do.", "responses": {"200": _answer("The challenge.", _ref("Challenge"))}}},
            "/api/leaderboard": {"get": {"summary": "The best of each team.", **board, "responses": {"200": _answer("The rows.", _ref("Leaderboard")), **_errors(404)}}},
            "/api/leaderboard.csv": {"get": {"summary": "The same as CSV.", **board, "responses": {"200": csv, **_errors(404)}}},
            "/api/teams": {"post": join},
            "/api/submissions": {"get": {**own, "responses": {"200": _answer("The submissions.", _ref("Sent")), **_errors(401)}}, "post": submit},
            "/api/submissions/{id}": {"get": {"summary": "What came of a submission.", "parameters": [ID], "responses": {"200": _answer("The submission.", _ref("Submission")), **_errors(404)}}},
            "/api/submissions/{id}/withdraw": {"post": {"summary": "Take a submission off the leaderboard.", **change, "responses": {**changed, **_errors(401, 404)}}},
            "/api/submissions/{id}/choose": {"post": {"summary": "Let a submission count for the team, while its phase is open.", **change, "responses": {**changed, **_errors(401, 403, 404)}}},
        },
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }  # fmt: skip


def describe_tasks(title: str, address: str) -> dict[str, Any]:
    """Describe the interface over all tasks; that of each task is below its name."""
    found = description(title, address)
    place = {"type": ["object", "null"], "properties": {"rank": {"type": "integer"}, "value": NUMBER}}
    row = _object(
        rank={"type": "integer"},
        team=TEXT,
        points={"type": "number"},
        tasks={"type": "object", "additionalProperties": place},
    )
    task = _object(name=TEXT, title=TEXT, page={"type": "string", "format": "uri"})
    about = _object(
        name=TEXT,
        title=TEXT,
        description=TEXT,
        overall={"type": "string", "enum": ["mean_value", "mean_rank"]},
        phases={"type": "array", "items": TEXT},
        tasks={"type": "array", "items": task},
    )
    board = _object(phase=TEXT, rows={"type": "array", "items": row}, note=NOTE)
    kept = ("/api/leaderboard", "/api/leaderboard.csv", "/api/teams")
    found["paths"] = {name: found["paths"][name] for name in kept}
    found["paths"]["/api/leaderboard"]["get"]["summary"] = "The teams over all tasks."
    found["paths"]["/api/leaderboard"]["get"]["responses"]["200"] = _answer("The rows.", board)
    found["paths"]["/api/tasks"] = {
        "get": {
            "summary": "The tasks; each has an /openapi.json below its page.",
            "responses": {"200": _answer("The tasks.", about)},
        }
    }
    found["components"]["schemas"] = {name: SCHEMAS[name] for name in ("Error", "Joined")}
    return found
