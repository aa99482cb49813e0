"""The house: no function is longer than a reader can take in. `tests/core/test_imports.py` holds what imports what."""

import ast
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
