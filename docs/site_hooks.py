"""What the site needs next to the pages of `docs/`: pages of the root, a page per public object, formulas without a network."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
ADDED = {name: name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md")}
MODULES = (
    "goldassay", "goldassay.graphs", "goldassay.axioms", "goldassay.alignments", "goldassay.concepts", "goldassay.triples",
    "goldassay.labels", "goldassay.unl", "goldassay.report", "goldassay.integrations",
)  # fmt: skip
"""The modules whose `__all__` is public."""
OTHERS = (
    "goldassay.core.measure.Measure", "goldassay.core.family.Family", "goldassay.core.matching.Matching",
    "goldassay.pytest.assert_score",
)  # fmt: skip
"""Public objects that users import from where they are."""
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
    for name, text in api_pages().items():
        files.append(File.generated(config, f"api/{name}.md", content=text))
    for name, target in ADDED.items():
        files.append(File.generated(config, target, content=(ROOT / name).read_text("utf-8")))
    return files


def api_pages() -> dict[str, str]:
    """Write a page for each public object, under the name that users write, and a list of all."""
    pages, lists = (
        {},
        ["# Public objects\n\nWhat is listed here is public. Everything else may change without notice.\n"],
    )
    for module in (*MODULES, ""):
        names = [f"{module}.{name}" for name in public(module)] if module else OTHERS
        pages |= {name: f"::: {name}\n" for name in names}
        links = "".join(f"- [`{name}`]({name}.md)\n" for name in names)
        lists.append(f"## {f'`{module}`' if module else 'For measures and programs of your own'}\n\n{links}")
    return {"index": "\n".join(lists), **pages}


def public(module: str) -> list[str]:
    """Read the public names of a module from its text, functions first and errors last; modules have pages of their own."""
    path = ROOT / "src" / Path(*module.split(".")) / "__init__.py"
    assigned = [node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.Assign)]
    [names] = [ast.literal_eval(one.value) for one in assigned if ast.unparse(one.targets[0]) == "__all__"]
    return [name for name in names if name not in ("FAMILY", "__version__") and not path.parent.joinpath(name).is_dir()]


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Adapt what GitHub shows from the repository."""
    # The same picture as text is below a drawing, which would need a script from the network.
    parts = FENCE.split(MERMAID.sub("", markdown))
    parts[::2] = [
        FORMULA.sub(_formula, LINK.sub(lambda found: _link(found, page.file.src_uri), part)) for part in parts[::2]
    ]
    return "".join(parts)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Let a page load nothing from the network, and let a screen reader name the search."""
    return _named(output).replace(WORKER, "../" * page.url.count("/") + WORKER_HERE)


def on_post_template(output: str, **_: Any) -> str:
    """Do the same for the page that says that there is none."""
    return _named(output).replace(WORKER, WORKER_HERE)


def _named(output: str) -> str:
    return output.replace(
        'data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"'
    )


def _link(found: re.Match[str], where: str) -> str:
    """Let a link lead where the site has the page, and be plain text where it has none."""
    text, up, target = found.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return found[0]
    if where in ADDED.values():
        target = target.removeprefix("docs/") if target.startswith("docs/") else target
    if target.split("#")[0].startswith(OUTSIDE) or target.split("#")[0] == "src":
        return f"{text} (`{target}` in the repository)"
    # Pages of the root are next to those of docs.
    inside = where.count("/")
    kept = "../" * min(up.count("../"), inside)
    return f"[{text}]({kept}{target})"


def _formula(found: re.Match[str]) -> str:
    if found[1] is None:
        return convert(found[2], display="inline").replace("\n", " ")
    return f'<div class="formula" tabindex="0">{convert(found[1], display="block")}</div>'.replace("\n", " ")
