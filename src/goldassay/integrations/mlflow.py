"""MLflow: a scorer for its evaluations, and reports among its runs."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldassay.core.errors import require
from goldassay.core.patterns import pattern_of
from goldassay.integrations.verdict import Judge

if TYPE_CHECKING:
    from goldassay.report import Report

NOT_IN_NAMES = pattern_of(r"[^\w\-. :/]+")
"""Characters that MLflow allows in no name of a metric."""


def scorer(value: str, *, expected: str = "expected_response", **options: Any) -> Any:
    """Make a scorer for ``mlflow.genai.evaluate``."""
    genai = require("mlflow.genai", extra="mlflow", purpose="score in MLflow")
    entities = require("mlflow.entities", extra="mlflow", purpose="score in MLflow")
    judge = Judge(value=value, **options)

    def score(outputs: Any, expectations: dict[str, Any]) -> Any:
        found = judge(outputs, expectations[expected])
        source = entities.AssessmentSource(source_type="CODE", source_id="goldassay")
        return entities.Feedback(
            value=found.value, rationale=found.reason, source=source, metadata={"signature": found.signature}
        )

    return genai.scorer(score, name=value)


def log_report(report: Report, *, page: bool = False) -> None:
    """Log the values of a report to the active run, and its signatures as tags."""
    mlflow = require("mlflow", extra="mlflow", purpose="log to MLflow")
    mlflow.log_metrics({NOT_IN_NAMES.sub("_", name): value for name, value in report.metrics().items()})
    signatures = (str(score.signature) for run in report for score in run.scores)
    mlflow.set_tags({f"goldassay.signature.{place}": line for place, line in enumerate(signatures, 1)})
    if page:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "goldassay.html")
            report.save(path)
            mlflow.log_artifact(str(path))
