"""Shared tasks: a challenge in one TOML file, its submissions, and their scores without anything of gold."""

from goldassay.challenges.challenge import Challenge, Limits, Phase, Rank, load
from goldassay.challenges.scoring import check, score
from goldassay.challenges.tasks import Tasks, load_tasks

__all__ = ["Challenge", "Limits", "Phase", "Rank", "Tasks", "check", "load", "load_tasks", "score"]
