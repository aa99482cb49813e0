"""What people see of a submission that is scored: its values, steps of a ladder, or nothing until the phase ends."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from goldassay.challenges import Challenge, Phase
from goldassay.serve.store import SCORED, Order, Store, Submission


class Feedback(NamedTuple):
    """What is shown of a submission."""

    values: dict[str, dict[str, float | None]] | None  # its values by measure and name; None where none are shown
    low: float | None = None  # the lower end of the interval of the value that ranks; None where it is not shown
    high: float | None = None
    report: bool = False  # whether its report page is shown
    note: str = ""  # why something is not shown; the empty text if all is


def order_of(challenge: Challenge) -> Order:
    """Return how submissions to a challenge are ranked."""
    return Order(challenge.rank.higher_is_better, challenge.ladder)


def current_phase(challenge: Challenge, now: datetime) -> Phase:
    """Return the open phase, the one that was open last, or the first."""
    phases = challenge.phases
    begun = [one for one in phases if one.start is None or one.start <= now]
    return next((one for one in phases if one.is_open(now)), begun[-1] if begun else phases[0])


def hidden_until(challenge: Challenge, phase: str, now: datetime) -> str:
    """Say until when values of a phase are hidden; the empty text if they are shown."""
    found = next((one for one in challenge.phases if one.name == phase), None)
    if found is None or found.end is None or not found.hides(now):
        return ""
    return f"Values are shown when the phase ends: {found.end.astimezone(UTC):%Y-%m-%d %H:%M} UTC."


def climbed_by(challenge: Challenge, store: Store, team: int) -> Mapping[str, float]:
    """Return the value that a ladder shows of each submission of a team; nothing without a ladder."""
    return {} if challenge.ladder is None else store.shown_values(team, order_of(challenge))


def feedback_on(challenge: Challenge, one: Submission, now: datetime, climbed: Mapping[str, float]) -> Feedback:
    """Return what is shown of a submission, given what `climbed_by` returns of its team."""
    if one.state != SCORED:
        return Feedback(None)
    if hidden := hidden_until(challenge, one.phase, now):
        return Feedback(None, note=hidden)
    if challenge.ladder is None:
        return Feedback(one.values, one.low, one.high, report=True)
    rank = challenge.rank
    note = f"This is the best of your team so far, in steps of {challenge.ladder:g}: it changes when a submission is better by more than a step."
    return Feedback({rank.measure: {rank.value: climbed.get(one.id)}}, note=note)
