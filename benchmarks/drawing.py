"""How long drawing 500 triples takes beyond reading them, in this process and on DuckDB, in seconds of processor time.

python benchmarks/drawing.py [--triples 10000000] [--size 500] [--engine duckdb]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

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


def here(path: Path, size: int) -> None:
    """Measure in this process: reading, then reading and drawing."""
    chosen = family("triples")
    start = time.process_time()
    model = model_of(chosen, File(str(path)), chosen.reading.options())
    reading = time.process_time() - start
    items = len(model)
    del model
    start = time.process_time()
    draw([path], kind="triples", asked=SampleRequest(size=size))
    both = time.process_time() - start
    print(f"{items:,} triples: reading {reading:.1f} s, drawing {both - reading:+.1f} s", flush=True)
    start = time.process_time()
    digest_of(path)
    print(f"of which the digest of the file is {time.process_time() - start:.1f} s")


def there(path: Path, size: int) -> None:
    """Measure on DuckDB: reading is counting the distinct triples, as scores do."""
    from goldassay.engines import engine_of
    from goldassay.sampling.engine import draw_on_engine

    chosen = family("triples")
    tables = engine_of("duckdb", memory=2**33)
    start = time.process_time()
    table = tables.table(str(path), chosen, asked=None)
    lazily = chosen.reading.lazily
    assert lazily is not None  # noqa: S101 - triples are read on engines
    items = lazily.read(table, chosen.reading.options(), tables)
    count = len(items)
    reading = time.process_time() - start
    start = time.process_time()
    draw_on_engine(path, items, asked=SampleRequest(size=size))
    print(
        f"{count:,} triples on duckdb: reading {reading:.1f} s, drawing {time.process_time() - start:.1f} s", flush=True
    )


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--triples", type=int, default=10_000_000)
    parser.add_argument("--size", type=int, default=500)
    parser.add_argument("--engine", choices=["none", "duckdb"], default="none")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = made(Path(folder), given.triples)
        (there if given.engine == "duckdb" else here)(path, given.size)


if __name__ == "__main__":
    main()
