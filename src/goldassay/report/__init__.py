"""What a person gets to see: the report, as text, Markdown, CSV or JSON, and the evidence as a table."""

from goldassay.report.report import Report, Run

__all__ = ["Report", "Run"]
