"""Tasks on a cluster of Spark: each is one row, which Spark gives to a worker, and again if the worker is lost."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from uuid import uuid4

from goldassay.core.errors import UsageError, require
from goldassay.engines.on_spark import of_spark, said, session_of
from goldassay.engines.pickling import pickled

MOST_SENT = 64 * 2**20
"""Bytes of what is in memory that are sent to workers; Spark Connect takes messages of twice as many."""


class SparkTasks:
    """Workers of Spark that do tasks. Spark schedules them and repeats what was lost; nothing here does.

    Args:
        remote: Where Spark Connect is, for example ``sc://host``; None for the current session.

    Raises:
        MissingDependencyError: If PySpark is not installed.
        UsageError: If there is no session.
    """

    def __init__(self, remote: str | None = None) -> None:
        require("pyspark", extra="spark", purpose="score on the engine spark-tasks")
        self.session = session_of(remote)

    def each(self, work: Callable[[bytes, bytes], Any], shared: Any, tasks: Sequence[Any]) -> list[Any]:
        """Do every task in a worker."""
        common, sent = pickled(shared), [pickled(task) for task in tasks]
        size = len(common) + sum(map(len, sent))
        if size > MOST_SENT:
            raise UsageError(
                "What is in memory is too large to be sent to workers.",
                found=f"{size / 2**20:,.0f} MiB",
                expected=f"at most {MOST_SENT // 2**20} MiB",
                hint="write it to files that the workers see",
            )

        def do(batches: Iterator[Any]) -> Iterator[Any]:
            import pyarrow as pa

            for batch in batches:
                for number in batch.column(0).to_pylist():
                    done = pickle.dumps(work(common, sent[number]))
                    yield pa.RecordBatch.from_pydict(
                        {"number": pa.array([number], pa.int64()), "done": pa.array([done], pa.binary())}
                    )

        # One task a partition, so that Spark gives each to whichever worker is free.
        frame = self.session.range(0, len(sent), 1, len(sent)).mapInArrow(do, "number bigint, done binary")
        self.session.addTag(tag := f"goldassay-{uuid4().hex}")
        try:
            rows = frame.collect()
        except Exception as error:
            if not of_spark(error):
                raise
            raise UsageError(
                "A task failed on Spark.",
                found=said(error),
                expected="the same version of goldassay, and what the task reads, where the workers are",
            ) from error
        except BaseException:
            # Ctrl-C, or another signal: what nobody waits for is not to go on.
            self.session.interruptTag(tag)
            raise
        finally:
            self.session.removeTag(tag)
        return [pickle.loads(row["done"]) for row in sorted(rows, key=lambda row: row["number"])]  # noqa: S301 - from our own workers
