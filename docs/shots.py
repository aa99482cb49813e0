"""Pages of every family from examples/, and pictures of them: three widths, both themes.

    python docs/shots.py [FOLDER] [--chromium chromium] [--gallery]

Writes FOLDER/NAME.html and FOLDER/NAME-WIDTH-THEME.png (build/shots if not given). Look at them. With ``--gallery``
it writes the pictures of the example gallery instead: docs/images/gallery-NAME.webp and gallery-NAME-items.webp.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import goldassay

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = Path("examples")
IMAGES = ROOT / "docs" / "images"
WIDTHS = (1400, 800, 390)
THEMES = ("light", "dark")
PAGES = {
    "taxonomy": (["taxonomy/learned.ttl", "taxonomy/learned.csv"], "taxonomy/reference.owl", {"chance": True}),
    "axioms": (["axioms/pred.ttl", "axioms/pred.csv"], "axioms/gold.ttl", {"kind": "axioms"}),
    "alignment": (["alignments/pred.sssom.tsv"], "alignments/gold.rdf", {"kind": "alignment"}),
    "concepts": (["concepts/paraphrase.jsonl", "concepts/parrot.jsonl"], "concepts/gold.jsonl", {"kind": "concepts"}),
    "triples": (["triples/pred.jsonl"], "triples/gold.jsonl", {"kind": "triples"}),
    "labels": (
        ["labels/pred.tsv"],
        "labels/gold.tsv",
        {"kind": "labels", "hierarchy": str(EXAMPLES / "labels/subjects.csv")},
    ),
    "unl": (["unl/produced.unl"], "unl/expected.unl", {"kind": "unl"}),
    "sentences": (["unl/produced.tsv"], "unl/expected.tsv", {"kind": "sentences"}),
}
VIEWS = {
    "taxonomy": "trees", "axioms": "items-section", "alignment": "items-section", "concepts": "texts",
    "triples": "texts", "labels": "items-section", "unl": "graphs", "sentences": "texts",
}  # fmt: skip
"""The part of each page that the gallery shows next to the first screen."""
MORE = {"report-charts-dark": ("taxonomy", "charts", "dark"), "report-map": ("taxonomy", "map", "light")}
"""Pictures of docs/report.md: the page, a part of it, and the theme."""
TO_WEBP = """async ([png, height]) => {
    const image = new Image(); image.src = "data:image/png;base64," + png; await image.decode();
    const canvas = document.createElement("canvas"); canvas.width = image.width; canvas.height = Math.min(image.height, height);
    canvas.getContext("2d").drawImage(image, 0, 0); return canvas.toDataURL("image/webp", 0.82).split(",")[1];
}"""


def main() -> None:
    """Make the pages and the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "shots")
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    parser.add_argument("--gallery", action="store_true")
    given = parser.parse_args()
    given.folder = given.folder.resolve()
    given.folder.mkdir(parents=True, exist_ok=True)
    # Pages name their files as they were given.
    with contextlib.chdir(ROOT):
        write_pages(given.folder)
    (draw_gallery if given.gallery else draw)(given.folder, given.chromium)


def write_pages(folder: Path) -> None:
    """Score the examples of each family, and write their pages."""
    for name, (preds, gold, options) in PAGES.items():
        report = goldassay.evaluate(
            [EXAMPLES / pred for pred in preds], gold=EXAMPLES / gold, intervals=True, **options
        )
        report.save(folder / f"{name}.html")


@contextlib.contextmanager
def browser_of(chromium: str | None) -> Iterator[Any]:
    """Start a browser."""
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        yield browser
        browser.close()


def draw_gallery(folder: Path, chromium: str | None) -> None:
    """Take two pictures of each page: its first screen, and the view of its family."""
    with browser_of(chromium) as browser:
        for name, view in VIEWS.items():
            page = browser.new_page(viewport={"width": 1100, "height": 760})
            page.goto((folder / f"{name}.html").as_uri())
            page.wait_for_selector("#items .pane .row")
            first = page.screenshot()
            page.locator(f"#{view}").scroll_into_view_if_needed()
            page.wait_for_timeout(400)
            items = page.locator(f"#{view}").screenshot()
            for ending, png in (("", first), ("-items", items)):
                keep(page, f"gallery-{name}{ending}", png)
            page.close()
        for name, (of, part, theme) in MORE.items():
            page = browser.new_page(color_scheme=theme, viewport={"width": 1100, "height": 760})
            page.goto((folder / f"{of}.html").as_uri())
            page.wait_for_selector("#items .pane .row")
            page.locator(f"#{part}").scroll_into_view_if_needed()
            page.wait_for_timeout(1500)
            keep(page, name, page.locator(f"#{part}").screenshot())
            page.close()


def keep(page: Any, name: str, png: bytes) -> None:
    """Write a picture for the docs."""
    webp = page.evaluate(TO_WEBP, [base64.b64encode(png).decode(), 760])
    (IMAGES / f"{name}.webp").write_bytes(base64.b64decode(webp))


def draw(folder: Path, chromium: str | None) -> None:
    """Open each page in each width and theme, scroll through it, and take its picture."""
    with browser_of(chromium) as browser:
        for name in PAGES:
            for width in WIDTHS:
                for theme in THEMES:
                    page = browser.new_page(color_scheme=theme, viewport={"width": width, "height": 900})
                    page.goto((folder / f"{name}.html").as_uri())
                    page.wait_for_selector("#items .pane .row")
                    # What is far below is drawn when it comes near.
                    for place in range(0, page.evaluate("document.body.scrollHeight"), 700):
                        page.evaluate(f"scrollTo(0, {place})")
                        page.wait_for_timeout(60)
                    page.evaluate("scrollTo(0, 0)")
                    page.screenshot(path=folder / f"{name}-{width}-{theme}.png", full_page=True)
                    page.close()


if __name__ == "__main__":
    main()
