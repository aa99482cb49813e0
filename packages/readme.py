"""The README as a package index shows it: its links are absolute, since an index has no pages of ours.

They lead to the `Documentation` of `[project.urls]`. As long as that is not declared, links of our own become plain text and pictures
are left out: a dead link would be worse.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[((?:`[^`]*`|[^\]])*)\]\((?![a-z]+:)([^)\s]+)\)")


class Readme(MetadataHookInterface):
    """Fill `readme` of the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the text that an index shows."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        site = metadata["urls"].get("Documentation", "")
        metadata["readme"] = {"content-type": "text/markdown", "text": readme(text, site)}


def readme(text: str, site: str) -> str:
    """Make the links of our own absolute, or plain text without a site."""

    def link(found: re.Match[str]) -> str:
        picture, shown, target = found.groups()
        if not site or not target.endswith((".md", ".webp")):  # the site has no other files of ours
            return "" if picture else shown
        page = re.sub(r"(^|/)README\.md", r"\1index.html", target.removeprefix("docs/")).replace(".md", ".html")
        return f"{picture}[{shown}]({site.rstrip('/')}/{page})"

    return LINK.sub(link, text)
