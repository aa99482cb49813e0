"""Measures against people: how well scores agree with ratings."""

from goldassay.meta.evaluation import MetaReport, Tracked, meta
from goldassay.meta.tables import Ratings, Scores, read_ratings, read_scores

__all__ = ["MetaReport", "Ratings", "Scores", "Tracked", "meta", "read_ratings", "read_scores"]
