"""Engines: what holds tables that are larger than memory, or spread over a cluster."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from goldassay.core.errors import UsageError, unknown_choice
from goldassay.engines.engine import TableEngine

EngineName: TypeAlias = Literal["duckdb", "spark", "spark-tasks"]


def engine_of(name: EngineName, *, memory: int, spark_remote: str | None = None) -> TableEngine:
    """Start an engine that reads tables.

    Args:
        name: Its name; ``spark-tasks`` reads none.
        memory: Bytes that DuckDB may use.
        spark_remote: Where Spark Connect is; None for the current session.

    Raises:
        UsageError: If there is no such engine, or Spark has no session.
        MissingDependencyError: If its package is not installed.
    """
    if name not in get_args(EngineName):
        raise unknown_choice("engine", name, get_args(EngineName))
    if name == "spark":
        from goldassay.engines.on_spark import Spark

        return Spark(spark_remote)
    if spark_remote is not None:
        raise UsageError("--spark-remote is for the engine spark.", found=f"--engine {name}", hint="--engine spark")
    from goldassay.engines.on_duckdb import DuckDB

    return DuckDB(memory)
