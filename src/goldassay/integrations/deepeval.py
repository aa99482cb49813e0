"""DeepEval: a metric for its test cases."""

from __future__ import annotations

from typing import Any

from goldassay.core.errors import require
from goldassay.core.measure import check_bound
from goldassay.integrations.verdict import Judge, parse_name


def metric(value: str, *, threshold: float, **options: Any) -> Any:
    """Make a metric of DeepEval, which judges ``actual_output`` by ``expected_output``."""
    base: Any = require("deepeval.metrics", extra="deepeval", purpose="score in DeepEval").BaseMetric
    judge = Judge(value=value, **options)

    measure, name = parse_name(value)
    check_bound(measure, name or measure.headline, threshold, at_least=measure.higher_is_better)

    class Metric(base):  # type: ignore[misc]
        """One value of goldassay."""

        def __init__(self) -> None:
            self.threshold = threshold
            self.include_reason = True
            self.async_mode = False

        @property
        def __name__(self) -> str:
            return value

        def measure(self, test_case: Any, *_: Any, **__: Any) -> float:
            found = judge(test_case.actual_output, test_case.expected_output)
            self.score, self.reason = found.value, found.reason
            self.score_breakdown = {"signature": found.signature}
            self.success = self.is_successful()
            return found.value

        async def a_measure(self, test_case: Any, *_: Any, **__: Any) -> float:
            return self.measure(test_case)

        def is_successful(self) -> bool:
            return bool(self.score >= threshold if judge.higher_is_better else self.score <= threshold)

    return Metric()
