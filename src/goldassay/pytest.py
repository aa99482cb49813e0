"""Scores in tests: ``assert_score`` fails with the nearest misses, and pytest lists every score that was checked.

The functions whose names begin with ``pytest_`` are hooks, which pytest finds by the entry point ``pytest11``.
"""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import pytest

from goldassay.core.errors import UsageError
from goldassay.core.text import separating_digits

if TYPE_CHECKING:
    from goldassay.integrations import Verdict

PROPERTY = "goldassay"
"""The name of a checked score among the properties of a test; JUnit XML has them, too."""
_checked: list[str] = []


def assert_score(
    pred: Any,
    gold: Any,
    value: str,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    misses: int = 3,
    **options: Any,
) -> Verdict:
    """Score a prediction, and fail the test if a value does not reach its bound.

    Example:
        >>> gold = [("cat", "animal"), ("dog", "animal")]
        >>> assert_score([("cat", "animal")], gold, "literal.recall", at_least=0.5).value
        0.5
    """
    from goldassay.core.measure import check_bound
    from goldassay.integrations import judge, parse_name

    if at_least is None and at_most is None:
        raise UsageError("at_least or at_most is required.", expected="at_least=0.8, at_most=0.2 or both")
    measure, name = parse_name(value)
    for bound, of_least in ((at_least, True), (at_most, False)):
        if bound is None:
            continue
        if not math.isfinite(bound):  # nothing reaches nan
            raise UsageError(
                "The bound must be a number.", found=str(bound), expected="at_least=0.8, at_most=0.2 or both"
            )
        check_bound(measure, name or measure.headline, bound, at_least=of_least)
    found = judge(pred, gold, value, **options)
    run = found.report.runs[0]
    _checked.append(f"{run.label}: {found.label} {found.value:.6g}")
    for word, bound, reaches in (("least", at_least, operator.ge), ("most", at_most, operator.le)):
        # Not a number reaches no bound.
        if bound is not None and not reaches(found.value, bound):
            shown = f"{bound:.{separating_digits(found.value, bound)}g}"
            pytest.fail(f"{run.label}: must be at {word} {shown}\n{found.reason(misses)}", pytrace=False)
    return found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """Keep the scores of each test with it, so that they come back from other processes, too."""
    _checked.clear()
    try:
        return (yield)
    finally:
        item.user_properties.extend((PROPERTY, line) for line in _checked)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List the scores that were checked."""
    ended = (one for outcome in ("passed", "failed") for one in terminalreporter.stats.get(outcome, ()))
    lines = [line for one in ended for name, line in one.user_properties if name == PROPERTY and one.when == "call"]
    if lines:
        terminalreporter.section("scores")
        for line in lines:
            terminalreporter.write_line(line)
