"""Look for what keeps people from using the site: axe on five kinds of pages, at two widths and in both themes.

    python docs/site_axe.py [build/site] [--pictures FOLDER]

Ends with 1 if axe finds a violation. Needs Chromium (`make browser`, or its path in GOLDASSAY_CHROMIUM).
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
AXE = ROOT / "packages" / "page" / "node_modules" / "axe-core" / "axe.min.js"
FETCHED = ROOT / ".venv" / "chromium" / "chromium"
PAGES = (
    "index",
    "start",
    "gallery/taxonomy",
    "measures",
    "api/goldassay.evaluate",
    "how-to/build",
    "chance",
    "findings",
)
"""The first page, a tutorial, an example, references of two kinds, a how-to guide, an explanation, an appendix."""
ASK = """axe.run().then(({violations}) => violations.flatMap(({id, nodes}) =>
    nodes.map(node => `${id}: ${node.target.join(" ")}: ${node.failureSummary.split("\\n")[1].trim()}`)))"""


def main() -> int:
    """Open the pages and print what axe finds."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("site", nargs="?", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    chromium = (
        os.environ.get("GOLDASSAY_CHROMIUM")
        or shutil.which("chromium-headless-shell")
        or shutil.which("chromium")
        or str(FETCHED)
    )
    libraries = {"LD_LIBRARY_PATH": str(FETCHED.parent / "lib")} if chromium == str(FETCHED) else {}
    found: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"], env={**os.environ, **libraries}
        )
        for name in PAGES:
            for width in (1400, 390):
                for theme in ("light", "dark"):
                    page = browser.new_page(color_scheme=theme, viewport={"width": width, "height": 900})
                    page.goto((given.site / f"{name}.html").resolve().as_uri())
                    page.wait_for_timeout(200)
                    if given.pictures:
                        given.pictures.mkdir(parents=True, exist_ok=True)
                        page.screenshot(path=given.pictures / f"{name.replace('/', '-')}-{width}-{theme}.png")
                    page.add_script_tag(content=AXE.read_text("utf-8"))
                    found += [f"{name} at {width} px, {theme}: {line}" for line in page.evaluate(ASK)]
                    page.close()
        browser.close()
    print("\n".join([*found, f"{len(PAGES)} pages, {len(found)} violations"]))  # noqa: T201 - a command prints
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
