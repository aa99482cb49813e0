"""Inspect: a scorer for its tasks."""

from __future__ import annotations

from typing import Any

from goldassay.core.errors import require
from goldassay.integrations.verdict import Judge


def scorer(value: str, **options: Any) -> Any:
    """Make a scorer of Inspect, which judges the completion by the target."""
    package: Any = require("inspect_ai.scorer", extra="inspect", purpose="score in Inspect")
    judge = Judge(value=value, **options)

    @package.scorer(metrics=[package.mean(), package.stderr()], name=f"goldassay/{value}")  # type: ignore[untyped-decorator]
    def made() -> Any:
        async def score(state: Any, target: Any) -> Any:
            found = judge(state.output.completion, target.text)
            return package.Score(
                value=found.value,
                answer=state.output.completion,
                explanation=found.reason,
                metadata={"signature": found.signature, "items": found.rows},
            )

        return score

    return made()
