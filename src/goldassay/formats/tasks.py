"""Tasks of Prodigy, of which only those that were accepted are annotations."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from goldassay.core.errors import EmptyInputError
from goldassay.formats.documents import parse_json
from goldassay.formats.source import Source

DECIDED = re.compile(rb'"answer"\s*+:\s*+"(?:reject|ignore)"')
LEFT_OUT = frozenset({"reject", "ignore"})
DECISIONS = LEFT_OUT | {"accept"}
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
    r"""Leave out the tasks that were rejected or ignored; other lines keep their numbers.

    Example:
        >>> page = b'{"text": "a", "spans": [], "answer": "reject"}\n{"text": "b", "spans": [], "answer": "accept"}\n'
        >>> found = accepted(Source(path="a", name="a", data=page, size=len(page)))
        >>> found.lost, found.source.data
        (1, b'\n{"text": "b", "spans": [], "answer": "accept"}\n')
    """
    if not DECIDED.search(source.data):
        return Accepted(source)
    if source.data.lstrip().startswith(b"["):
        return _in_array(source)
    lines = source.data.split(b"\n")
    lost = {at for at, line in enumerate(lines) if DECIDED.search(line) and _is_rejected(_parse(line))}
    if not lost:
        return Accepted(source)
    records, places = source.records, [at for at, line in enumerate(lines) if line.strip()]
    if records is not None:
        records = [one for at, one in zip(places, records, strict=True) if at not in lost]
    data = b"\n".join(b"" if at in lost else line for at, line in enumerate(lines))
    return _made(source, len(lost), data, records)


def _in_array(source: Source) -> Accepted:
    every = _parse(source.data)
    kept = [one for one in every if not _is_rejected(one)] if isinstance(every, list) else []
    if not isinstance(every, list) or len(kept) == len(every):
        return Accepted(source)
    return _made(source, len(every) - len(kept), json.dumps(kept).encode() if kept else b"", None)


def _made(source: Source, count: int, data: bytes, records: Any) -> Accepted:
    if not data.strip():
        raise EmptyInputError(
            "No task of the file was accepted.",
            path=source.path,
            found=f"{count:,} tasks",
            expected='"answer": "accept"',
        )
    return Accepted(replace(source, data=data, records=records), count)


def _parse(data: bytes) -> Any:
    try:
        return parse_json(data)
    except (ValueError, RecursionError):
        return None


def _is_rejected(record: Any) -> bool:
    return isinstance(record, dict) and record.get("answer") in LEFT_OUT and is_task(record)


def is_task(record: Mapping[str, Any]) -> bool:
    """Return whether the answer of a record is a decision of Prodigy, and no text.

    Example:
        >>> is_task({"text": "a", "label": "sport", "answer": "reject"}), is_task({"id": 1, "answer": "reject"})
        (True, False)
    """
    if record.get("answer") not in DECISIONS:
        return False
    return not OF_TASKS.isdisjoint(record) or record.get("label", "accept") not in DECISIONS
