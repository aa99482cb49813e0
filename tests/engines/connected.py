"""Scores by Spark Connect and here, compared; a program of its own, since a process has sessions of one sort."""

import sys
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.engines.cases import agree, drawn
from tests.test_spread import TREE
from tests.test_spread import agree as agree_by_tasks

import goldassay
from goldassay.core.chance import Chance

MEASURES = {
    "taxonomy": ["literal"],
    "alignment": ["overlap"],
    "axioms": ["exact"],
    "triples": ["triples"],
    "concepts": ["concept_exact"],
}
NEAR = {"taxonomy": "fuzzy(threshold=0.6)", "concepts": "concept"}


def main():
    """Compare everything at the address that is given."""
    (remote,) = sys.argv[1:]
    warnings.simplefilter("ignore")
    for kind, measures in MEASURES.items():
        pred, gold = drawn(kind, 5, size=40)
        _, there = agree(pred, gold, kind, measures, engine="spark", spark_remote=remote)
        assert type(there.evidence()).__module__.startswith("pyspark.sql.connect")
        assert there.evidence().limit(1).collect()
    for kind, measure in NEAR.items():
        pred, gold = drawn(kind, 6, size=40)
        agree(pred, gold, kind, measure, engine="spark", spark_remote=remote, encoder="hashing")
    with TemporaryDirectory() as folder:
        asked = {"measures": "fuzzy(threshold=0.6)", "encoder": "hashing", "engine": "spark", "spark_remote": remote}
        values = [
            goldassay.evaluate(TREE[1:], gold=TREE, spark_vectors=f"{folder}/vectors", **asked).metrics()
            for _ in range(2)
        ]
        assert values[0] == values[1]
        assert list(Path(folder, "vectors").glob("*/*.parquet"))
    preds = {"a": TREE[1:], "b": TREE[:2]}
    agree_by_tasks(preds, remote=remote, gold=TREE, measures="literal", intervals=True, chance=Chance(draws=30))
    sys.stdout.write("alike\n")


if __name__ == "__main__":
    main()
