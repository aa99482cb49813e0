"""Goldassay in other people's programs: a value, the reason for it, and a row for each item."""

from goldassay.integrations.verdict import Judge, Judgement, Verdict, judge, parse_name

__all__ = ["Judge", "Judgement", "Verdict", "judge", "parse_name"]
