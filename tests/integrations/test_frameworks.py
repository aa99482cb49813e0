"""Goldassay in the real packages; run by `make frameworks`, where they are installed."""

import asyncio
import json

import pytest

from goldassay import InputError, UsageError, evaluate
from goldassay.integrations import deepeval as in_deepeval
from goldassay.integrations import inspect_ai as in_inspect
from goldassay.integrations import mlflow as in_mlflow
from goldassay.integrations import sklearn as in_sklearn

pytestmark = pytest.mark.filterwarnings("ignore")
GOLD = json.dumps({"id": "1", "triples": [["a", "p", "b"], ["c", "q", "d"]]})
HALF = json.dumps({"id": "1", "triples": [["a", "p", "b"]]})


def test_mlflow_scores_and_says_why(tmp_path):
    import mlflow

    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/m.db")
    score = in_mlflow.scorer("triples.recall")
    found = score(outputs=HALF, expectations={"expected_response": GOLD})
    assert found.value == 0.5
    assert "missed 1 of 2" in found.rationale
    assert found.metadata["signature"].startswith("triples|")
    result = mlflow.genai.evaluate(
        data=[
            {"inputs": {"q": "x"}, "outputs": one, "expectations": {"expected_response": GOLD}} for one in (HALF, GOLD)
        ],
        scorers=[score],
    )
    assert result.metrics["triples.recall/mean"] == 0.75


def test_mlflow_logs_a_report(tmp_path):
    import mlflow

    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/m.db")
    mlflow.set_experiment(experiment_id=mlflow.create_experiment("e", artifact_location=str(tmp_path / "artifacts")))
    report = evaluate([("cat", "animal")], gold=[("cat", "animal")], measures=["literal", "fuzzy"], encoder="hashing")
    with mlflow.start_run() as run:
        in_mlflow.log_report(report, page=True)
    logged = mlflow.get_run(run.info.run_id).data
    assert logged.metrics["literal.f1"] == 1.0
    assert logged.metrics["fuzzy_threshold_0.436_.f1"] == 1.0
    assert logged.tags["goldassay.signature.1"].startswith("literal|")
    assert mlflow.MlflowClient().list_artifacts(run.info.run_id)[0].path == "goldassay.html"


@pytest.mark.parametrize(("answer", "passes"), [(HALF, False), (GOLD, True), ("no json", False)])
def test_deepeval_passes_what_reaches_the_threshold(answer, passes):
    from deepeval.test_case import LLMTestCase

    metric = in_deepeval.metric("triples.recall", threshold=0.6, unreadable=0.0)
    value = metric.measure(LLMTestCase(input="x", actual_output=answer, expected_output=GOLD))
    assert metric.is_successful() is passes
    assert value == metric.score
    assert metric.reason
    assert metric.__name__ == "triples.recall"


@pytest.mark.parametrize(
    ("answer", "value", "shown_messages"), [(HALF, 0.5, "missed 1 of 2"), (GOLD, 1.0, "triples recall is 1")]
)
def test_inspect_scores_a_completion(answer, value, shown_messages):
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    output = ModelOutput.from_content("mockllm/model", answer)
    state = TaskState(model="mockllm/model", sample_id=1, epoch=1, input="x", messages=[], output=output)
    found = asyncio.run(in_inspect.scorer("triples.recall")(state, Target(GOLD)))
    assert found.value == value
    assert shown_messages in found.explanation
    assert found.metadata["items"][0]["verdict"] == "hit"


def test_scikit_learn_searches_a_grid():
    import numpy as np
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.model_selection import GridSearchCV

    class ByLength(ClassifierMixin, BaseEstimator):
        """Says that a short name is below a long one, if the difference is great enough."""

        def __init__(self, least=0):
            self.least = least

        def fit(self, features, truth):
            self.classes_ = np.unique(truth)
            return self

        def predict(self, features):
            return np.array([len(parent) - len(child) >= self.least for child, parent in features])

    pairs = np.array([["cat", "animal"], ["animal", "cat"], ["dog", "beast"], ["ox", "cow"]] * 2)
    truth = np.array([True, False, True, False] * 2)
    score = in_sklearn.scorer(
        "literal.precision",
        items=lambda features, shown_messages: [
            tuple(pair) for pair, yes in zip(features, shown_messages, strict=True) if yes
        ],
    )
    search = GridSearchCV(ByLength(), {"least": [-9, 1, 2]}, scoring=score, cv=2).fit(pairs, truth)
    assert search.best_params_ == {"least": 2}
    assert search.best_score_ == 1.0


@pytest.mark.parametrize(
    "make", [in_mlflow.scorer, in_inspect.scorer, lambda value: in_deepeval.metric(value, threshold=1)]
)
def test_an_unknown_value_is_refused_at_once(make):
    with pytest.raises(UsageError):
        make("triples.f7")


def test_an_answer_that_cannot_be_read_is_an_error_unless_it_has_a_value():
    with pytest.raises(InputError):
        in_mlflow.scorer("triples.recall")(outputs="no json", expectations={"expected_response": GOLD})
