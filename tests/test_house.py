"""The house: no function is longer than a reader can take in, and files are opened in one place. `tests/core/test_imports.py` holds what imports what."""

import ast
import re
from pathlib import Path

import pytest

import goldassay

PACKAGE = Path(goldassay.__file__).parent
LONGEST = 60
"""Lines of a function without its docstring."""


def lengths(tree):
    """Yield each function with its lines, without its docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first, size = node.body[0], node.end_lineno - node.lineno + 1
            documented = ast.get_docstring(node) is not None
            yield node.name, size - (first.end_lineno - first.lineno + 1 if documented else 0)


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_function_is_too_long(path):
    found = {name: size for name, size in lengths(ast.parse(path.read_text(encoding="utf-8"))) if size > LONGEST}
    assert found == {}


def test_a_long_function_is_found():
    tree = ast.parse('def f():\n    """Say\n\n    more."""\n' + "    x = 1\n" * LONGEST)
    assert list(lengths(tree)) == [("f", LONGEST + 1)]


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_whether_a_file_exists_is_asked_without_an_error(path):
    # Path.exists and its like raise where a name is too long for any file; those of os.path return False.
    asked = [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"exists", "is_dir", "is_file"}
        and getattr(node.func.value, "id", "") != "member"  # of an archive
    ]
    assert asked == [] or path.parent.name == "serve", "from os.path import exists, isdir, isfile"


OPENED = {
    "formats/source.py": "the one place",
    "saved.py": "a look at what may be a report, behind isfile",
    "challenges/challenge.py": "gold, behind isfile",
    "challenges/codabench.py": "gold and what a bundle needs, behind isfile",
    "challenges/scoring.py": "behind check_regular",
    "core/preset.py": "a file of the package",
    "encoders/cache.py": "the cache",
    "encoders/static.py": "weights",
    "encoders/weights.py": "weights, behind isfile",
    "triples/measures/sentences.py": "weights",
}
"""The modules that open files to read bytes, and why they may: a pipe or a device would block or never end."""


def test_files_are_opened_where_pipes_and_devices_are_refused():
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if re.search(r"""\bopen\(\s*"rb"|read_bytes\(""", re.sub(r">>> .*", "", path.read_text(encoding="utf-8")))
    }
    assert {name for name in found if not name.startswith("serve/")} == {*OPENED}, (
        "from goldassay.formats.source import opened"
    )
