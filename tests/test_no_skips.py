"""Where nothing may be skipped, a skipped test is a failed one."""

from types import SimpleNamespace

import pytest
from tests import conftest


def skipped(reason, **more):
    return SimpleNamespace(skipped=True, outcome="skipped", longrepr=("a.py", 3, f"Skipped: {reason}"), **more)


@pytest.mark.parametrize(
    ("report", "set_to", "outcome"),
    [
        (skipped("no browser"), True, "failed"),
        (skipped("no browser"), False, "skipped"),
        (skipped("OntoAligner is not installed"), True, "skipped"),
        (skipped("known to fail", wasxfail="known"), True, "skipped"),
        (SimpleNamespace(skipped=False, outcome="passed"), True, "passed"),
    ],
)
def test_a_skip_is_a_failure_where_nothing_may_be_skipped(report, set_to, outcome, monkeypatch):
    monkeypatch.setattr(conftest, "NO_SKIPS", set_to)
    assert conftest.without_skip(report).outcome == outcome
