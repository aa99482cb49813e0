"""CSV that opens in a spreadsheet: no text in it runs as a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

FORMULA = r"^[=+\-@\t\r]"
"""The first characters of formulas in spreadsheets. Source: OWASP, CSV Injection."""


def csv_of(frame: pl.DataFrame, *, formulas: bool = False) -> str:
    r"""Write a table as CSV, with an apostrophe before every text that a spreadsheet would read as a formula.

    Example:
        >>> import polars as pl
        >>> csv_of(pl.DataFrame({"item": ["=1+1", "cat"], "similarity": [-0.5, 1.0]}))
        "item,similarity\n'=1+1,-0.5\ncat,1.0\n"
    """
    import polars as pl

    return (frame if formulas else frame.with_columns(pl.col(pl.String).str.replace(FORMULA, "'${0}"))).write_csv()
