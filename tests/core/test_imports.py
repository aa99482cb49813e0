"""Imports run only along the straight line, and `import goldassay` is light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import goldassay

PACKAGE = Path(goldassay.__file__).parent
# What each part may import besides itself; nothing looks up, and families do not know each other.
CORE = {"kernels"}
SHARED = {"core", "kernels"}
FAMILY = SHARED | {"formats", "encoders", "report"}
ALLOWED = {
    "kernels": set(),
    "core": CORE,
    "report": SHARED,
    "formats": SHARED,
    "encoders": SHARED,
    "graphs": FAMILY,
    "axioms": FAMILY,
    "alignments": FAMILY,
    "compat": FAMILY | {"alignments"},
    "concepts": FAMILY | {"graphs"},
    "unl": FAMILY,
    "families": FAMILY | {"alignments", "axioms", "concepts", "graphs", "unl"},
    "comparison": SHARED | {"families", "report"},
    "saved": SHARED | {"formats", "report"},
    "evaluation": FAMILY | {"comparison", "families"},
    "cli": FAMILY
    | {
        "alignments",
        "axioms",
        "concepts",
        "graphs",
        "unl",
        "comparison",
        "evaluation",
        "families",
        "goldassay",
        "saved",
    },
    "__main__": {"cli", "core"},
    "__init__": FAMILY
    | {"alignments", "axioms", "compat", "concepts", "graphs", "comparison", "evaluation", "families", "saved", "unl"},
}


def parts_imported_by(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [
                f"{node.module}.{alias.name}" if node.module == "goldassay" else node.module for alias in node.names
            ]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            root, _, rest = name.partition(".")
            if root == "goldassay":
                first = rest.partition(".")[0] or "goldassay"
                yield first if first in ALLOWED else "goldassay"


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_along_the_line(path):
    part = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert part in ALLOWED, f"{part} has no place on the line yet"
    assert set(parts_imported_by(path)) - {part} <= ALLOWED[part]


HEAVY = {
    "altair",
    "jinja2",
    "polars",
    "pyoxigraph",
    "scipy",
    "onnxruntime",
    "rich",
    "typer",
    "obonet",
    "tokenizers",
    "networkx",
    "numba",
    "ahocorasick",
    "spacy",
    "joblib",
}


def test_import_brings_in_nothing_heavy():
    code = f"import sys, goldassay; print([name for name in {sorted(HEAVY)!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
