"""The script of the page is what its sources in packages/page give, with the licences of the libraries in it."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = ROOT / "packages" / "page"
BUNDLE = ROOT / "src" / "goldassay" / "report" / "page" / "page.js"


def test_the_bundle_is_made_from_its_sources(tmp_path):
    if shutil.which("node") is None or not (SOURCES / "node_modules" / "esbuild").exists():
        pytest.skip("node or esbuild is not installed: make page")
    made = tmp_path / "page.js"
    subprocess.run(["node", "build.mjs", str(made)], cwd=SOURCES, check=True, capture_output=True)
    assert made.read_text() == BUNDLE.read_text(), "make page, and commit what it wrote"


def test_the_bundle_names_its_libraries_and_their_licences():
    head = BUNDLE.read_text().partition("*/")[0]
    locked = json.loads((SOURCES / "package-lock.json").read_text())["packages"]
    versions = {name.removeprefix("node_modules/"): found["version"] for name, found in locked.items() if name}
    for name in json.loads((SOURCES / "package.json").read_text())["dependencies"]:
        assert re.search(rf"\b{re.escape(name)} {re.escape(versions[name])}\b", head), name
    assert "Copyright" in head
    assert "Permission to use, copy, modify" in head


def test_our_part_of_the_script_makes_no_markup_and_no_code_of_texts():
    sources = "".join(path.read_text() for path in sorted((SOURCES / "src").glob("*.js")))
    assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|import)\(", sources)
    assert not re.search(r"\b(eval|Function)\(|document\.write|innerHTML|outerHTML|insertAdjacentHTML", sources)


def test_the_script_and_the_style_are_small():
    assert sum(len(BUNDLE.with_name(name).read_bytes()) for name in ("page.js", "page.css")) < 250_000
