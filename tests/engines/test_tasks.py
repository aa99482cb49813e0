"""Predictions that workers of a real cluster score: the same report, also where an executor is killed in the middle."""

import threading

import numpy as np
import pytest
from tests.engines.cases import drawn
from tests.test_spread import PREDS, TREE, agree, example

import goldassay
from goldassay.core.chance import Chance
from goldassay.core.errors import UsageError
from goldassay.engines.on_spark import SparkTasks

pytest.importorskip("pyspark", reason="PySpark is not installed")
pytestmark = [
    pytest.mark.xdist_group("spark"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


def test_predictions_and_draws_are_spread_and_give_the_same_report(cluster, tmp_path):
    del cluster
    (tmp_path / "bad.csv").write_text("child,parent\ncat,\n")
    preds = {"a": TREE[1:], "b": drawn("taxonomy", 1)[0], "bad": str(tmp_path / "bad.csv")}

    def encoder(texts):
        return np.array([[len(text), 1.0, text.count("a")] for text in texts], dtype=np.float32)

    report = agree(
        preds,
        gold=TREE,
        measures=["literal", "fuzzy(threshold=0.9)"],
        encoder=encoder,
        intervals=True,
        chance=Chance(draws=30),
        unreadable="keep",
    )
    assert [one.label for one in report.failures] == [str(tmp_path / "bad.csv")]
    assert report.comparisons


@pytest.mark.release
@pytest.mark.parametrize("name", PREDS)
def test_every_family_is_spread(name, cluster, request, monkeypatch):
    del cluster
    monkeypatch.chdir(request.config.rootpath)
    preds, asked = example(name)
    agree(preds, intervals=True, chance=Chance(draws=45), **asked)


def test_an_executor_that_is_killed_changes_nothing(cluster, monkeypatch):
    preds = {str(seed): drawn("alignment", seed, size=400)[0] for seed in range(3)}
    asked = {"gold": drawn("alignment", 9, size=400)[1], "kind": "alignment", "measures": ["overlap", "mrr"]}
    asked |= {"chance": Chance(draws=60), "intervals": True}
    each, under_way, killed = SparkTasks.each, threading.Event(), []

    def kill():
        killed.append(under_way.is_set())
        cluster.kill_executor()

    def killing(self, *given):
        if not killed:
            threading.Timer(1.0, kill).start()
        under_way.set()
        done = each(self, *given)
        under_way.clear()
        return done

    monkeypatch.setattr(SparkTasks, "each", killing)
    agree(preds, **asked)
    assert killed == [True]


def test_what_fails_in_a_worker_is_reported(cluster):
    del cluster

    def broken(texts):
        raise ValueError(f"no vectors of {len(texts)} texts")

    with pytest.raises(UsageError, match="A task failed on Spark") as caught:
        goldassay.evaluate(TREE, gold=TREE, measures="fuzzy", encoder=broken, engine="spark-tasks")
    assert "no vectors of" in caught.value.found


def test_what_cannot_be_sent_is_reported(cluster, monkeypatch):
    del cluster
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    with pytest.raises(UsageError, match="cannot be sent to workers"):
        goldassay.evaluate(duckdb.sql("select 1 a, 2 b"), gold=TREE, engine="spark-tasks")
    monkeypatch.setattr("goldassay.engines.on_spark.MOST_SENT", 1000)
    with pytest.raises(UsageError, match="too large to send"):
        goldassay.evaluate(TREE, gold=TREE * 100, measures="literal", engine="spark-tasks")
