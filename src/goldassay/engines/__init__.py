"""Engines: what holds tables that are larger than memory, or spread over a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from goldassay.core.errors import UsageError, unknown_choice_error

if TYPE_CHECKING:
    from goldassay.engines.engine import TableEngine

EngineName: TypeAlias = Literal["duckdb", "spark", "spark-tasks"]


def check_place(name: EngineName | None, *, spark_remote: str | None, spark_vectors: str | None) -> None:
    """Refuse what has no effect on an engine."""
    of_spark = {
        "--spark-remote": (spark_remote, ("spark", "spark-tasks")),
        "--spark-vectors": (spark_vectors, ("spark",)),
    }
    for flag, (given, engines) in of_spark.items():
        if given is not None and name not in engines:
            found = f"--engine {name}" if name else "no --engine"
            raise UsageError(f"{flag} needs --engine spark.", found=found, hint="--engine spark")


def engine_of(
    name: EngineName, *, memory: int, spark_remote: str | None = None, spark_vectors: str | None = None
) -> TableEngine:
    """Start an engine that reads tables."""
    if name == "duckdb":
        from goldassay.engines.on_duckdb import DuckDB

        return DuckDB(memory)
    if name == "spark":
        from goldassay.engines.on_spark import Spark

        return Spark(spark_remote, vectors=spark_vectors)
    raise unknown_choice_error("engine", name, get_args(EngineName))
