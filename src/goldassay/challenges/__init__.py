"""Shared tasks: a challenge in one TOML file, its submissions, and their scores without anything of gold."""

from goldassay.challenges.challenge import Challenge, Limits, Phase, Rank, load
from goldassay.challenges.scoring import check, score

__all__ = ["Challenge", "Limits", "Phase", "Rank", "check", "load", "score"]
