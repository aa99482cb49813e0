"""How long drawing 500 triples takes beyond reading them, in this process and on an engine, in seconds of processor time.

python benchmarks/drawing.py [--triples 10000000] [--size 500] [--engine duckdb] [--design clusters] [--master spark://HOST:PORT]

Of Spark the time is by the clock, since its workers are other processes, which must be idle otherwise.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import goldassay
from goldassay.engines import engine_of
from goldassay.families import family
from goldassay.inputs import File, model_of
from goldassay.sampling.drawing import draw
from goldassay.sampling.sample import SampleRequest, digest_of


def made(folder: Path, triples: int) -> Path:
    """Write a graph of random triples: an entity for every three of them, and 200 predicates."""
    random = np.random.default_rng(0)
    ends = random.zipf(1.4, size=(triples, 2)) % (triples // 3)
    spread = random.integers(0, triples // 3, triples)
    frame = pl.DataFrame({"subject": spread, "predicate": random.integers(0, 200, triples), "object": ends[:, 1]})
    path = folder / "graph.parquet"
    frame.select(
        pl.format("entity {}", "subject").alias("subject"),
        pl.format("predicate {}", "predicate").alias("predicate"),
        pl.format("entity {}", "object").alias("object"),
    ).write_parquet(path)
    return path


def read_here(path: Path) -> int:
    """Read in this process."""
    chosen = family("triples")
    return len(model_of(chosen, File(str(path)), chosen.reading.options()))


def read_there(path: Path, engine: Any) -> int:
    """Read on an engine: count the distinct triples, as scores do."""
    chosen = family("triples")
    table, lazily = engine.table(str(path), chosen, asked=None), chosen.reading.lazily
    assert lazily is not None  # noqa: S101 - triples are read on engines
    return len(lazily.read(table, chosen.reading.options(), engine))


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--triples", type=int, default=10_000_000)
    parser.add_argument("--size", type=int, default=500)
    parser.add_argument("--engine", choices=["none", "duckdb", "spark"], default="none")
    parser.add_argument("--design", choices=["simple", "strata", "clusters", "stratified-clusters"], default="simple")
    parser.add_argument("--master", default="local[2]", help="of Spark, such as spark://HOST:PORT")
    parser.add_argument("--memory", type=int, default=512, help="megabytes, as the command has them")
    given = parser.parse_args()
    clock = time.perf_counter if given.engine == "spark" else time.process_time
    if given.engine == "spark":
        from pyspark.sql import SparkSession

        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        few = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "4",
            "spark.executorEnv.PYTHONPATH": str(Path(goldassay.__file__).parent.parent),
        }
        SparkSession.builder.master(given.master).config(map=few).getOrCreate()

    def engine() -> Any:
        # A new one each time, which remembers nothing.
        return None if given.engine == "none" else engine_of(given.engine, memory=given.memory * 2**20)

    asked = SampleRequest(size=given.size, design=given.design)
    with tempfile.TemporaryDirectory() as folder:
        path = made(Path(folder), given.triples)
        times = [clock()]
        items = read_here(path) if given.engine == "none" else read_there(path, engine())
        times.append(clock())
        digest_of(path)
        times.append(clock())
        draw([path], kind="triples", asked=asked, engine=engine())
        reading, digest, both = np.diff([*times, clock()]).tolist()
    print(
        f"{items:,} triples, {given.engine}, {given.design}: reading {reading:.1f} s, drawing {both - reading:+.1f} s, "
        f"of which the digest of the file is {digest:.1f} s"
    )


if __name__ == "__main__":
    main()
