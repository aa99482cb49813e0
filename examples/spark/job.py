"""Score predicted correspondences on a cluster, and write what was hit and what was missed.

spark-submit job.py PRED.parquet GOLD.parquet EVIDENCE.parquet
"""

import sys

from pyspark.sql import SparkSession

import goldassay


def main() -> None:
    """Read, score, print the report, and write the evidence."""
    pred, gold, evidence = sys.argv[1:]
    session = SparkSession.builder.appName("goldassay").getOrCreate()
    report = goldassay.evaluate(
        session.read.parquet(pred),
        gold=session.read.parquet(gold),
        kind="alignment",
        measures=["overlap", "hit_at_k(k=1)", "mrr"],
        engine="spark",
    )
    print(report)  # noqa: T201 - a job prints
    report.evidence().write.parquet(evidence)
    session.stop()


if __name__ == "__main__":
    main()
