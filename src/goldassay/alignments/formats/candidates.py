"""Pools of candidates, as Bio-ML writes them: one query per row, a list of candidates in one cell."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.core.errors import RecordError
from goldassay.core.libraries import pl
from goldassay.core.limits import LIST
from goldassay.formats.literals import parse_if_literal
from goldassay.formats.records import BadRecords
from goldassay.formats.tables import Table, locate_error

LARGEST = sys.float_info.max
LONGEST = 3
"""A candidate is an entity, optionally with its score and whether it was accepted."""


class Pools(NamedTuple):
    """The candidates of all queries, and how many bad lists are left out; the source and the target of the row stay."""

    rows: list[tuple[int, str, float, int]]
    skipped: int


def with_scores(table: Table) -> Table:
    """Write the scores of candidates, which OntoAligner lists apart, next to the candidates."""
    if not {"candidates", "candidate_scores"} <= {*table.roles}:
        return table
    cells = zip(table.frame["candidates"], table.frame["candidate_scores"], strict=True)
    paired = pl.Series("candidates", [_paired(*map(_listed, lists)) for lists in cells], dtype=pl.String)
    return replace(table, frame=table.frame.drop("candidate_scores").with_columns(paired))


def _paired(names: Any, scores: Any) -> str:
    """Write two lists as one of pairs; what are no two lists of one length is no list of candidates."""
    if not isinstance(names, list) or not isinstance(scores, list) or len(names) != len(scores):
        return f"{names!r:.40} with the scores {scores!r:.40}"
    return json.dumps(list(zip(names, scores, strict=True)))


def _listed(cell: Any) -> Any:
    """Return a cell as what it holds."""
    if isinstance(cell, str):
        return parse_if_literal(cell)
    return cell.to_list() if isinstance(cell, pl.Series) else cell


def read_pools(rows: pl.DataFrame, table: Table, bad: BadRecords, *, nulls: NDArray[np.bool_]) -> Pools:
    """Read the pool of each row; a bad one is not a list of candidates, or does not contain the expected target."""
    found: list[tuple[int, str, float, int]] = []
    skipped, scored = 0, None
    for number, row in enumerate(rows.iter_rows(named=True)):
        cell = row["candidates"]
        entries = _entries(cell)
        problem = _problem(entries, None if nulls[number] else row["target"], scored)
        if problem is not None:
            expected = "['IRI', ...] or [('IRI', score), ...], the target among them"
            # The target is still wanted: a prediction that lost its list has not found it.
            error = RecordError(problem, found=str(cell)[:80], expected=expected)
            bad.add(locate_error(error, row, line_of=table.line_of))
            skipped += 1
            entries = []
        # The first list decides whether candidates have scores.
        scored = not math.isnan(entries[0][1]) if entries and scored is None else scored
        found += [(number, *entry) for entry in entries or ()]
    return Pools(found, skipped)


def _entries(cell: Any) -> list[tuple[str, float, int]] | None:
    """Read one cell; None if it is not a list of candidates."""
    listed = _listed(cell)
    if not isinstance(listed, list | tuple) or len(listed) > LIST.value:
        return None
    entries = [_entry(element) for element in listed]
    return None if None in entries else [entry for entry in entries if entry is not None]


def _entry(element: Any) -> tuple[str, float, int] | None:
    parts = list(element) if isinstance(element, list | tuple) else [element]
    if not 1 <= len(parts) <= LONGEST or not isinstance(parts[0], str) or not parts[0].strip():
        return None
    score = parts[1] if len(parts) > 1 else math.nan
    accepted = parts[2] if len(parts) == LONGEST else None
    if isinstance(score, bool) or not isinstance(score, int | float) or accepted not in (None, True, False):
        return None
    # A whole number may be beyond the range of a float.
    if len(parts) > 1 and not -LARGEST <= score <= LARGEST:
        return None
    return parts[0].strip(), float(score), -1 if accepted is None else int(accepted)


def _problem(entries: list[tuple[str, float, int]] | None, target: str | None, scored: bool | None) -> str | None:
    if entries is None:
        return "The cell is not a list of candidates."
    entities = [entity for entity, _, _ in entries]
    if len(set(entities)) < len(entities):
        return "A candidate occurs twice in the list."
    kinds = {not math.isnan(score) for _, score, _ in entries} | ({scored} if entries and scored is not None else set())
    if len(kinds) > 1:
        return "Some candidates have a score, and others have none."
    if target is not None and target not in entities:
        return f"The target {target!r} is not among the candidates."
    return None
