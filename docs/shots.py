"""Pages of every family from examples/, and pictures of them: three widths, both themes.

    python docs/shots.py [FOLDER] [--chromium chromium]

Writes FOLDER/NAME.html and FOLDER/NAME-WIDTH-THEME.png (build/shots if not given). They are to be looked at.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import goldassay

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
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


def main() -> None:
    """Make the pages and the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "shots")
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name, (preds, gold, options) in PAGES.items():
        report = goldassay.evaluate(
            [EXAMPLES / pred for pred in preds], gold=EXAMPLES / gold, intervals=True, **options
        )
        report.save(given.folder / f"{name}.html")
    draw(given.folder, given.chromium)


def draw(folder: Path, chromium: str | None) -> None:
    """Open each page in each width and theme, scroll through it, and take its picture."""
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
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
        browser.close()


if __name__ == "__main__":
    main()
