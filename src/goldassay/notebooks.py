"""Evaluation in a notebook: a bar while it works, and warnings only in the report, which shows them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from html import escape
from time import monotonic
from typing import Any, ParamSpec, TypeVar

from goldassay.core.context import Progress
from goldassay.core.errors import SuspectInputWarning, UndefinedWarning
from goldassay.core.timing import time_block

Given = ParamSpec("Given")
Made = TypeVar("Made")
PATIENCE, BETWEEN = 0.5, 0.1
"""Seconds before a bar is shown, and between two looks of it."""


def time_call(work: Callable[Given, Made]) -> Callable[Given, Made]:
    """Time a function; in a notebook it shows a bar, and warnings are only in what it returns."""

    @wraps(work)
    def run(*given: Given.args, **named: Given.kwargs) -> Made:
        with time_block():
            if not is_notebook():
                return work(*given, **named)
            with warnings.catch_warnings(), bar() as progress:
                for kind in (UndefinedWarning, SuspectInputWarning):
                    warnings.simplefilter("ignore", kind)
                named.setdefault("progress", progress)
                return work(*given, **named)

    return run


def is_notebook() -> bool:
    """Return whether this process is the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


@contextmanager
def bar() -> Iterator[Progress]:
    """Show how far long work is, in the cell that does it; it goes when the work is done."""
    from IPython.display import HTML, display  # type: ignore[import-not-found, unused-ignore]

    begun: dict[str, float] = {}
    handle: Any = None
    looked = monotonic()

    def report(stage: str, done: int, total: int) -> None:
        nonlocal handle, looked
        now = monotonic()
        start = begun.setdefault(stage, now)
        if now - looked < (BETWEEN if handle else PATIENCE):
            return
        looked = now
        shown = HTML(bar_of(stage, done, total, now - start))
        if handle is None:
            handle = display(shown, display_id=True)
        else:
            handle.update(shown)

    try:
        yield report
    finally:
        if handle is not None:
            handle.update(HTML(""))


def bar_of(stage: str, done: int, total: int, seconds: float) -> str:
    """Write a bar with what is done, how much a second, and the seconds that are left, as HTML."""
    if not total:
        return f"<progress></progress> {escape(stage)}"
    rate = done / seconds if seconds else 0.0
    pace = f", {rate:,.0f}/s, {(total - done) / rate:,.0f} s left" if rate else ""
    return f'<progress max="{total}" value="{done}"></progress> {escape(stage)}: {done:,} of {total:,}{pace}'
