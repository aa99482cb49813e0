"""Names of files: what their endings say, and which table of a page is meant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from os import PathLike, fspath
from types import MappingProxyType

PAGE = re.compile(r"(.+\.(?:md|markdown)(?:\.gz)?)#(\d+)", re.IGNORECASE)
SUFFIXES: Mapping[str, str] = MappingProxyType(
    {".jsonl": "json-lines", ".ndjson": "json-lines", ".md": "markdown", ".markdown": "markdown"}
)


def split_page(path: str | PathLike[str]) -> tuple[str, int | None]:
    """Split ``page.md#2`` into the page and the number of the table.

    Example:
        >>> split_page("page.md#2"), split_page("gold.csv")
        (('page.md', 2), ('gold.csv', None))
    """
    page = PAGE.fullmatch(fspath(path))
    return (page[1], int(page[2])) if page else (fspath(path), None)
