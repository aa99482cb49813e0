"""What the checks of the house look at in each file of the package, which is parsed once for all of them (`xdist_group("house")`)."""

import ast
import gc
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import NamedTuple

import goldassay

PACKAGE = Path(goldassay.__file__).parent
LAZY = {"msgspec", "narwhals.stable.v2", "polars", "pyoxigraph"}
"""What `core/libraries.py` imports at its first use, so that functions need not."""


class File(NamedTuple):
    """What is looked at in a file.

    No tree is kept: all nodes of the package at once take the collector of garbage longer than parsing them takes.
    """

    text: str
    lengths: list
    """Its functions with their lines, without those of docstrings."""
    calls: list
    """What it calls, with lines."""
    notes: list
    """The words of the texts that it yields or warns of, with lines."""
    modules: set
    """The full names of what it imports, and of what it imports from."""
    lazy: list
    """What its functions import although `core/libraries.py` has it."""
    compiles: bool
    """Whether an import of it compiles a pattern."""
    attributes: set
    named: list
    """What it names outside functions, in classes with the name of the class."""


def look_at(text):
    """Parse a file and look at it."""
    tree = ast.parse(text)
    kinds = defaultdict(list)
    for node in ast.walk(tree):
        kinds[type(node)].append(node)
    at_import = [*outside_functions(tree)]
    return File(
        text,
        [*lengths(kinds[ast.FunctionDef] + kinds[ast.AsyncFunctionDef])],
        [(dotted(node.func), node.lineno) for node in kinds[ast.Call]],
        [*lines_of_notes(kinds[ast.Yield] + kinds[ast.Call])],
        {*modules_imported_by(kinds[ast.Import] + kinds[ast.ImportFrom] + kinds[ast.Call])},
        [*lazy_imports({*kinds[ast.Import], *kinds[ast.ImportFrom]} - {*at_import})],
        any(isinstance(node, ast.Call) and dotted(node.func) == "re.compile" for node in at_import),
        {node.attr for node in kinds[ast.Attribute]},
        [*names_of(tree, "")],
    )


@cache
def files():
    """Look at all files of the package, by their names."""
    paths = sorted(PACKAGE.rglob("*.py"))
    gc.disable()
    try:
        return {path.relative_to(PACKAGE).as_posix(): look_at(path.read_text(encoding="utf-8")) for path in paths}
    finally:
        gc.enable()


def outside_functions(tree):
    """Give the nodes that run when a module is imported."""
    open_ = [tree]
    while open_:
        node = open_.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            open_ += ast.iter_child_nodes(node)


def lengths(functions):
    """Yield each function with its lines, without its docstring."""
    for node in functions:
        first, size = node.body[0], node.end_lineno - node.lineno + 1
        documented = ast.get_docstring(node) is not None
        yield node.name, size - (first.end_lineno - first.lineno + 1 if documented else 0)


def dotted(node):
    """Name what is called: what is no name, but a value, is an empty one."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def last_name(function):
    """Give the last name of what is called; none of what is called by no name."""
    return dotted(function).rpartition(".")[2]


def threes(text):
    words = re.findall(r"[A-Za-z'-]+", text)
    return set(zip(words, words[1:], words[2:], strict=False))


def lines_of_notes(nodes):
    """Yield the constant parts, with their line, of each text that is yielded or warned of, if one has three words."""
    for node in nodes:
        text = node.value if isinstance(node, ast.Yield) else None
        if isinstance(node, ast.Call) and last_name(node.func) == "warn":
            text = node.args[0]
        if isinstance(text, ast.Constant | ast.JoinedStr | ast.BinOp):
            parts = [
                one.value for one in ast.walk(text) if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
            if found := [three for part in parts if "<" not in part for three in threes(part)]:
                yield node.lineno, found


def modules_imported_by(nodes):
    """Yield the full name of what is imported, and the module it is from: that itself for `import`, none for a call."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((f"{node.module}.{one.name}", node.module) for one in node.names)
        elif isinstance(node, ast.Import):
            yield from ((one.name, one.name) for one in node.names)
        elif isinstance(node, ast.Call) and last_name(node.func) == "import_module":
            yield from ((one.value, "") for one in node.args if isinstance(one, ast.Constant))


def lazy_imports(nodes):
    """Yield the libraries among imports that `core/libraries.py` has."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from LAZY & {one.name for one in node.names}
        elif node.module == "pyoxigraph":
            yield node.module


def names_of(tree, home):
    """Yield the names that a module gives outside its functions."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from (f"{home}{target.id}" for target in node.targets if isinstance(target, ast.Name))
        else:
            yield f"{home}{getattr(node, 'name', '')}"
        if isinstance(node, ast.ClassDef):
            yield from names_of(node, f"{node.name}.")
