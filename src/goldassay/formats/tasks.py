"""Tasks of Prodigy, of which only those that were accepted are annotations, and of Label Studio."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from goldassay.core.errors import EmptyInputError
from goldassay.core.patterns import pattern_of
from goldassay.formats.documents import parse_if_json
from goldassay.formats.records import BETWEEN
from goldassay.formats.source import Source

ANSWER = b'"answer"'
DECIDED = pattern_of(rb'"answer"\s*+:\s*+"(?:reject|ignore)"')
LEFT_OUT = frozenset({"reject", "ignore"})
DECISIONS = LEFT_OUT | {"accept"}
SEVERAL = "tasks have annotations of several people: the first of each task are read"
OF_TASKS = frozenset({"_input_hash", "_task_hash", "options", "accept", "spans", "relations", "tokens"})
"""Keys that only tasks have next to such an answer; a label that is no decision is one, too."""


class Accepted(NamedTuple):
    """A file without the tasks that were not accepted.

    Attributes:
        lost: How many were left out.
    """

    source: Source
    lost: int = 0

    def left_out(self, model: Any) -> dict[str, Any]:
        """Return what the model of the file says of them, before its own."""
        if not self.lost:
            return {}
        several = "tasks that were" if self.lost > 1 else "task that was"
        return {
            "left_out": {**model.left_out, "rejected_tasks": self.lost},
            "warnings": (f"{self.lost:,} {several} rejected or ignored in Prodigy: left out", *model.warnings),
        }


def accepted(source: Source) -> Accepted:
    """Leave out the tasks that were rejected or ignored; other lines keep their numbers."""
    if ANSWER not in source.data:
        return Accepted(source)
    made, lost = rewrite(source, DECIDED, lambda record: None if _is_rejected(record) else record)
    if not made.data.strip() and lost:
        raise EmptyInputError(
            "No task of the file was accepted.",
            found=f"{lost:,} tasks",
            expected='"answer": "accept"',
        )
    return Accepted(made, lost)


def rewrite(source: Source, marks: re.Pattern[bytes], change: Callable[[Any], Any]) -> tuple[Source, int]:
    """Change the records of JSON that have some marks, and leave out those that become None; also how many these are.

    Lines keep their numbers, and records that are not changed stay as they are written.
    """
    if not marks.search(source.data):
        return source, 0
    if source.data.lstrip().startswith(b"["):
        return _rewrite_array(source, change)
    lines = source.data.split(b"\n")
    values = {at: parse_if_json(line) for at, line in enumerate(lines) if marks.search(line)}
    changed = {at: new for at, one in values.items() if one is not None and (new := change(one)) is not one}
    for at, new in changed.items():
        lines[at] = b"" if new is None else json.dumps(new).encode()
    return replace(source, data=b"\n".join(lines)), sum(one is None for one in changed.values())


def _rewrite_array(source: Source, change: Callable[[Any], Any]) -> tuple[Source, int]:
    every = parse_if_json(source.data) if source.records is None else source.records
    if not isinstance(every, list):
        return source, 0
    new = [change(one) for one in every]
    kept = [one for one in new if one is not None]
    if kept == every:
        return source, 0
    data = b"[%b]" % BETWEEN.join(json.dumps(one).encode() for one in kept) if kept else b""
    return replace(source, data=data, records=None), len(every) - len(kept)


def results_of(record: Mapping[str, Any]) -> list[list[Any]]:
    """List what each annotator of a task of Label Studio marked, but for what was cancelled; else what each model predicted."""
    every = (record.get(name) for name in ("annotations", "predictions"))
    done = [
        [one for one in some if isinstance(one, dict) and not one.get("was_cancelled")]
        for some in every
        if isinstance(some, list)
    ]
    found = [[one["result"] for one in some if isinstance(one.get("result"), list)] for some in done]
    return next(filter(None, found), [])


def value_of(result: Any) -> Mapping[str, Any]:
    """Return what one result of Label Studio marks."""
    value = result.get("value") if isinstance(result, dict) else None
    return value if isinstance(value, dict) else {}


def _is_rejected(record: Any) -> bool:
    return isinstance(record, dict) and record.get("answer") in LEFT_OUT and is_task(record)


def is_task(record: Mapping[str, Any]) -> bool:
    """Return whether the answer of a record is a decision of Prodigy, and no text."""
    if record.get("answer") not in DECISIONS:
        return False
    return not OF_TASKS.isdisjoint(record) or record.get("label", "accept") not in DECISIONS
