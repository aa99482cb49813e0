"""The rows of a leaderboard: of a phase, the submission of each team that counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from goldassay.challenges import Challenge, Phase
from goldassay.serve.feedback import order_of
from goldassay.serve.store import Store, Submission, groups_of

COLUMNS = ("rank", "team", "value", "low", "high", "group", "seconds", "submissions", "received", "submission")


class Row(NamedTuple):
    """A row of the leaderboard: its columns in order."""

    rank: int
    team: str
    value: float | None
    low: float | None
    high: float | None
    group: str
    others: dict[str, float | None]
    seconds: float | None
    submissions: int
    received: str
    submission: str


def rows_of(challenge: Challenge, store: Store, phase: Phase) -> tuple[list[Row], bool]:
    """List the rows of a phase, and whether all of them were tested against each other."""
    ranked = store.rank_teams(phase.name, order_of(challenge))
    climbing = challenge.ladder is not None
    names = [one.best.id for one in ranked]
    groups = groups_of(names, store.tests_of(names)) if challenge.intervals else None
    rows = [
        Row(
            rank=place + 1,
            team=one.team,
            value=one.value,
            low=None if climbing else one.best.low,
            high=None if climbing else one.best.high,
            group=groups[place] if groups else "",
            others={} if climbing else _others(challenge, one.best),
            seconds=one.best.seconds,
            submissions=one.scored,
            received=one.best.received.isoformat(timespec="seconds"),
            submission=one.best.id,
        )
        for place, one in enumerate(ranked)
    ]
    return rows, groups is not None


def _others(challenge: Challenge, one: Submission) -> dict[str, float | None]:
    """List the other values of the measure that ranks: precision and recall next to F1."""
    values = (one.values or {}).get(challenge.rank.measure, {})
    return {name: value for name, value in values.items() if name != challenge.rank.value}


def table_of(rows: Sequence[Row]) -> pl.DataFrame:
    """Lay rows out as a table, with a column for each other value."""
    listed = [row._asdict() for row in rows]
    others = dict.fromkeys(name for row in rows for name in row.others)
    cells = [{name: row.get(name, row["others"].get(name)) for name in (*COLUMNS, *others)} for row in listed]
    return pl.DataFrame(cells, schema=[*COLUMNS, *others], infer_schema_length=None)
