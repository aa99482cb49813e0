"""Run the tutorial notebooks and keep what their cells show: `make notebooks`. The tests run them so, too, and compare.

Cells are run in this process, one after the other, and the value of a last expression is shown by ``_repr_html_`` and ``repr``, as
a kernel does. So neither a kernel nor a package of Jupyter is needed.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "notebooks"


def read(path: Path) -> dict[str, Any]:
    """Read a notebook."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def source_of(cell: dict[str, Any]) -> str:
    """Return the text of a cell."""
    return "".join(cell["source"])


def run(path: Path) -> dict[str, Any]:
    """Run all cells of a notebook in its folder.

    Args:
        path: The notebook.

    Returns:
        The notebook with the outputs of its cells, and without those of before.
    """
    book, names, number = read(path), {"__name__": "__main__"}, 0
    with contextlib.chdir(path.parent), kernel():
        for cell in book["cells"]:
            if cell["cell_type"] == "code":
                number += 1
                cell |= {"execution_count": number, "outputs": list(_outputs(source_of(cell), names, number))}
    return book


@contextlib.contextmanager
def kernel() -> Iterator[list[str]]:
    """Let this process pass for a kernel, and collect what it displays."""
    displayed: list[str] = []

    def display(page: str, **_: Any) -> Any:
        displayed.append(page)
        return SimpleNamespace(update=displayed.append)

    names = {"IPython": {"get_ipython": lambda: SimpleNamespace(kernel=True)}}
    names["IPython.display"] = {"HTML": str, "display": display}
    before = {name: sys.modules.get(name) for name in names}
    for name, content in names.items():
        sys.modules[name] = ModuleType(name)
        vars(sys.modules[name]).update(content)
    try:
        yield displayed
    finally:
        for name, module in before.items():
            del sys.modules[name]
            if module:
                sys.modules[name] = module


def _outputs(source: str, names: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, warned, shown = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(warned), warnings.catch_warnings():
        warnings.simplefilter("always")
        exec(compile(tree, "cell", "exec"), names)  # noqa: S102 - notebooks of our own
        if last is not None:
            shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307
    for name, stream in (("stdout", printed), ("stderr", warned)):
        if text := stream.getvalue():
            yield {"output_type": "stream", "name": name, "text": text.splitlines(keepends=True)}
    if shown is not None:
        data = {"text/plain": repr(shown).splitlines(keepends=True)}
        page = getattr(shown, "_repr_html_", lambda: None)()
        if page is not None:
            data["text/html"] = page.splitlines(keepends=True)
        yield {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}


def written(book: dict[str, Any]) -> str:
    """Write a notebook as the file that is kept."""
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    os.environ.setdefault("POLARS_FMT_TABLE_FORMATTING", "ASCII_MARKDOWN")
    for one in sorted(FOLDER.glob("*.ipynb")):
        one.write_text(written(run(one)), encoding="utf-8")
