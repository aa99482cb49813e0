"""Rows as a service or a driver wraps them, in JSON: pages of the dataset viewer of Hugging Face, and records of Neo4j's driver."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of

BEGINS = pattern_of(rb"(?:\xef\xbb\xbf)?\s*+[\[{]")
MARK = pattern_of(rb"\"row_idx\"\s*+:\s*+\d|\[\s*+\{[^{}]*+\}\s*+,\s*+\"[^\"\\]*+\"\s*+,\s*+\{")
"""The number of a row, or a relationship between two nodes."""
LOOKED_AT = 2**16
ROW = frozenset({"row_idx", "row"})
NAMES = ("name", "title", "label", "id")
"""The properties that a node is called by, the better ones first."""


def unwrapped(data: bytes) -> bytes:
    r"""Write wrapped rows as an array of JSON, and relationships as triples; anything else stays.

    Source:
        https://huggingface.co/docs/dataset-viewer/rows
        https://neo4j.com/docs/api/python-driver/current/api.html#neo4j.Record.data

    Example:
        >>> unwrapped(b'[{"r": [{"name": "dog"}, "IS_A", {"name": "animal"}]}]')
        b'[{"subject": "dog", "predicate": "IS_A", "object": "animal"}]'
    """
    if not BEGINS.match(data) or not MARK.search(data, 0, LOOKED_AT):
        return data
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return data
    rows = value.get("rows") if isinstance(value, dict) else value
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return data
    made = list(_rows_of_page(rows) if all(map(ROW.issubset, rows)) else _relationships(rows))
    return b"[%b]" % b",\n".join(json.dumps(one).encode() for one in made) if all(made) else data


def _rows_of_page(rows: Sequence[Mapping[str, Any]]) -> Iterator[Any]:
    for row in rows:
        if row.get("truncated_cells"):
            raise InputError(
                "Cells are cut off by the dataset viewer.",
                found=f"row {row['row_idx']}: {', '.join(map(str, row['truncated_cells']))}",
                expected="whole cells",
                hint="save the data set itself: datasets.load_dataset(NAME, split=SPLIT).to_json('rows.jsonl')",
            )
        yield row["row"]


def _relationships(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any] | None]:
    """List the relationships of records; None for a record that has anything else but nodes, or a node without a name."""
    for row in rows:
        found = [one for one in row.values() if isinstance(one, list)]
        if not found or not all(isinstance(one, list | dict | None) for one in row.values()):
            yield None
        for one in found:
            match one:
                case [dict() as source, str() as kind, dict() as target]:
                    ends = _name(source), _name(target)
                    yield {"subject": ends[0], "predicate": kind, "object": ends[1]} if all(ends) else None
                case _:
                    yield None


def _name(node: Mapping[str, Any]) -> Any:
    return next(filter(None, map(node.get, NAMES)), None)
