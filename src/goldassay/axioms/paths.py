"""Paths with the number of a table on a page."""

from __future__ import annotations

import re
from os import PathLike, fspath

PAGE = re.compile(r"(.+\.(?:md|markdown)(?:\.gz)?)#(\d+)", re.IGNORECASE)


def split_page(path: str | PathLike[str]) -> tuple[str | PathLike[str], int | None]:
    """Split ``page.md#2`` into the page and the number of the table.

    Example:
        >>> split_page("page.md#2"), split_page("gold.csv")
        (('page.md', 2), ('gold.csv', None))
    """
    page = PAGE.fullmatch(fspath(path))
    return (page[1], int(page[2])) if page else (path, None)
