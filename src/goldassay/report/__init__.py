"""Output for the user: the report, as text, Markdown, CSV or JSON, and the evidence as a table."""

from goldassay.report.report import Report
from goldassay.report.results import Run

__all__ = ["Report", "Run"]
