"""What a package index shows: the addresses of `[tool.goldassay]`, and the README, whose links lead to the documentation.

As long as the owner of the repository is not written there, links of our own become plain text and pictures are left out: a dead link
would be worse.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[((?:`[^`]*`|[^\]])*)\]\((?![a-z]+:)([^)\s]+)\)")


class Readme(MetadataHookInterface):
    """Fill `urls` and `readme` of the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the addresses and the text that an index shows."""
        root = Path(self.root)
        known = tomllib.loads(root.joinpath("pyproject.toml").read_text(encoding="utf-8"))["tool"]["goldassay"]
        metadata["urls"] = urls_of(known)
        text = root.joinpath("README.md").read_text(encoding="utf-8")
        site = metadata["urls"].get("Documentation", "")
        metadata["readme"] = {"content-type": "text/markdown", "text": readme(text, site)}


def urls_of(known: dict[str, str]) -> dict[str, str]:
    """Name the addresses as an index does; without an owner only its own page is one."""
    repository, site = known["repository"], known["documentation"]
    if "OWNER" in repository + site:
        return {"Homepage": "https://pypi.org/project/goldassay/"}
    pages = {"Issues": f"{repository}/issues", "Changelog": f"{site}/CHANGELOG.html"}
    return {"Documentation": site, "Repository": repository, **pages}


def readme(text: str, site: str) -> str:
    """Make the links of our own absolute, or plain text without a site."""

    def link(found: re.Match[str]) -> str:
        picture, shown, target = found.groups()
        if not site or not target.endswith((".md", ".webp")):  # the site has no other files of ours
            return "" if picture else shown
        page = re.sub(r"(^|/)README\.md", r"\1index.html", target.removeprefix("docs/")).replace(".md", ".html")
        return f"{picture}[{shown}]({site.rstrip('/')}/{page})"

    return LINK.sub(link, text)
