"""What the site needs beside the pages of `docs/`: pages that stand in the root of the project, and formulas without a network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
ADDED = {
    "README.md": "index.md",
    **{name: name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md")},
}
WORKER = "https://unpkg.com/iframe-worker/shim"
"""What searches where a page is a file: the theme names it on the network, npm gives it."""
WORKER_HERE = "assets/javascripts/iframe-worker.js"
OUTSIDE = ("benchmarks", "examples", "packages", "tests", "CITATION.cff", "LICENSE")
"""What the site has no page for."""
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(((?:\.\./)*)([^)\s]+)\)")
FORMULA = re.compile(r"^\$\$(.+?)\$\$$|(?<![\\$\w`])\$([^$`\n]+?)\$(?!\w)", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"(^ *```.*?^ *```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
MERMAID = re.compile(r"^```mermaid\n.*?^```\n", re.MULTILINE | re.DOTALL)


def on_files(files: Any, config: Any) -> Any:
    """Add the pages of the root, and the script that searches without a network."""
    script = ROOT / "packages" / "page" / "node_modules" / "iframe-worker" / "shim" / "index.js"
    files.append(File.generated(config, WORKER_HERE, content=script.read_text("utf-8")))
    for name, target in ADDED.items():
        files.append(File.generated(config, target, content=(ROOT / name).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Adapt what GitHub shows from the repository."""
    # The same picture as text stands below a drawing, which would need a script from the network.
    parts = FENCE.split(MERMAID.sub("", markdown))
    parts[::2] = [
        FORMULA.sub(_formula, LINK.sub(lambda found: _link(found, page.file.src_uri), part)) for part in parts[::2]
    ]
    if page.file.src_uri in ADDED.values():
        parts[::2] = [part.replace("](docs/images/", "](images/") for part in parts[::2]]
    return "".join(parts)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Let a page load nothing from the network."""
    return output.replace(WORKER, "../" * page.url.count("/") + WORKER_HERE)


def on_post_template(output: str, **_: Any) -> str:
    """Do the same for the page that says that there is none."""
    return output.replace(WORKER, WORKER_HERE)


def _link(found: re.Match[str], where: str) -> str:
    """Let a link lead where the site has the page, and be plain text where it has none."""
    text, up, target = found.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return found[0]
    if where in ADDED.values():
        target = target.removeprefix("docs/") if target.startswith("docs/") else target
    if target.split("#")[0].startswith(OUTSIDE) or target.split("#")[0] == "src":
        return f"{text} (`{target}` in the repository)"
    # Pages of the root stand beside those of docs.
    inside = where.count("/")
    kept = "../" * min(up.count("../"), inside)
    return f"[{text}]({kept}{target})"


def _formula(found: re.Match[str]) -> str:
    if found[1] is None:
        return convert(found[2], display="inline").replace("\n", " ")
    return f'<div class="formula">{convert(found[1], display="block")}</div>'.replace("\n", " ")
