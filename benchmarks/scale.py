"""What engines cost: correspondences in Parquet to precision, recall, F1, Hit@1, Hit@5, Hit@10 and MRR, with a limit of memory.

    python benchmarks/scale.py make FOLDER --pred 10000000 --gold 1000000
    python benchmarks/scale.py run FOLDER --engine duckdb --memory 4096
    python benchmarks/scale.py near PRED GOLD       one block of edges by meaning, and what a cluster takes for many
    python benchmarks/scale.py spread PRED GOLD --master spark://HOST:PORT    many predictions and many draws on one core of a cluster, and on two

The prediction has ten candidates a source, and one row in seventy is stated twice; one reference in thirty is among them.
"""

import argparse
import json
import resource
import shutil
import time
from pathlib import Path

BLOCK = 1_000_000
BYTES = 2 * 384 * 4
"""Of the vectors of an edge."""
MEASURES = ["overlap", "hit_at_k(k=1)", "hit_at_k(k=5)", "hit_at_k(k=10)", "mrr"]


def make(folder: Path, pred: int, gold: int) -> None:
    """Write both sides block by block, as one Parquet file each."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    random = np.random.default_rng(0)
    folder.mkdir(parents=True, exist_ok=True)
    sources = max(pred // 10, 1)

    def column(prefix: str, numbers) -> "pa.Array":
        import polars as pl

        return pl.select(pl.lit(prefix) + pl.Series(numbers).cast(pl.String).str.zfill(10)).to_series().to_arrow()

    for name, rows in (("pred", pred), ("gold", gold)):
        writer = None
        for start in range(0, rows, BLOCK):
            count = min(BLOCK, rows - start)
            source = random.integers(0, sources, count) if name == "gold" else np.arange(start, start + count) % sources
            # The targets of a source lie near its number, so that some references are among its candidates.
            target = source * 7 + random.integers(0, 300 if name == "pred" else 30, count)
            columns = {
                "source": column("http://purl.example.org/obo/LEFT_", source),
                "target": column("http://purl.example.org/obo/RIGHT_", target),
            }
            if name == "pred":
                columns["score"] = pa.array(np.round(random.random(count), 3))
            table = pa.table(columns)
            writer = writer or pq.ParquetWriter(folder / f"{name}.parquet", table.schema, compression="zstd")
            writer.write_table(table)
        writer.close()


def run(folder: Path, engine: str, memory: int) -> None:
    """Score, and print seconds, peak memory and the values."""
    import goldassay

    start = time.perf_counter()
    report = goldassay.evaluate(
        str(folder / "pred.parquet"),
        gold=str(folder / "gold.parquet"),
        kind="alignment",
        measures=MEASURES,
        engine=None if engine == "default" else engine,
        memory=memory * 2**20,
    )
    messages = {
        "engine": engine,
        "seconds": round(time.perf_counter() - start, 1),
        "cpu_seconds": round(time.process_time(), 1),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "stages": {name: round(seconds, 1) for name, seconds in report.timings.items()},
        "values": report.metrics(),
        "counts": {score.spec: dict(score.counts) for score in report.runs[0].scores},
    }
    print(json.dumps(messages, indent=2))


def near(pred: Path, gold: Path) -> None:
    """Measure what edges by meaning cost a worker, in seconds of one core, and compute from that what more of them cost."""
    from math import isqrt

    import numpy as np

    from goldassay.core.context import Context
    from goldassay.encoders import get_encoder
    from goldassay.graphs import lazy_near
    from goldassay.graphs.match import encode_edges
    from goldassay.graphs.read import read_graph
    from goldassay.graphs.reading import GraphReading
    from goldassay.kernels.edges.join import edge_join

    reading = GraphReading()
    sides = {name: read_graph(path, reading) for name, path in (("pred", pred), ("gold", gold))}
    *edges, vectors = encode_edges(**sides, context=Context(encoder=get_encoder("minilm")))
    random = np.random.default_rng(0)
    edges = [side[random.permutation(len(side))] for side in edges]

    def seconds(here, there):
        start = time.process_time()
        found = edge_join(vectors, here, there, threshold=0.436)
        return time.process_time() - start, found

    cells = isqrt(min(map(len, edges))) // 2
    pivots = vectors[random.choice(len(vectors), cells, replace=False)]
    cell = [(vectors[side[:, 0]] @ pivots.T).argmax(axis=1) for side in edges]
    first, left = 0.0, []
    for number in range(cells):
        here, there = (side[place == number] for side, place in zip(edges, cell, strict=True))
        took, found = seconds(here, there)
        first += took
        left.append(here[~found.hit_pred])
    rest = np.concatenate(left)
    asked, shown = rest[: lazy_near.TOGETHER], edges[1][: lazy_near.TARGETS]
    second, found = seconds(asked, shown)
    held = lazy_near.TOGETHER // 2
    part, _ = seconds(edges[0][:held], edges[1][:held])
    share, block = len(rest) / len(edges[0]), second / (len(asked) * len(shown))
    print(f"first wave: {first:.1f} s for {sum(map(len, edges)):,} edges in {cells} cells; {share:.1%} are left")
    print(f"a cell of {held:,} edges a side: {part:.1f} s")
    print(f"second wave: {second:.2f} s for {len(asked):,} edges that are left against a block of {len(shown):,}")
    for size in (1_000_000, 10_000_000, 100_000_000):
        many = size / min(isqrt(size) // 2, lazy_near.MOST_CELLS)
        within = 2 * size / lazy_near.TOGETHER * part * min(1.0, many / held)
        among = 2 * share * size * size * block
        sent = {"shuffled": 2 * size * BYTES, "to each machine": 2 * size * BYTES}
        hours = ", ".join(f"{cores:,} cores {(within + among) / cores / 3600:.3g} h" for cores in (2, 64, 1024))
        print(f"computed, {size:,} x {size:,}: {within:,.0f} s within cells, {among:,.0f} s among all; {hours}")
        print(
            f"   {2 * size // lazy_near.TARGETS:,} blocks; "
            + ", ".join(f"{name} {many / 1e9:,.0f} GB" for name, many in sent.items())
        )


def spread(pred: Path, gold: Path, master: str) -> None:
    """Time eight predictions, and the draws of chance of one, on one core of a cluster and on two."""
    from pyspark.sql import SparkSession

    import goldassay
    from goldassay.core.chance import Chance

    source = str(Path(goldassay.__file__).parents[1])
    given = {"gold": str(gold), "kind": "taxonomy", "measures": ["fuzzy"], "engine": "spark-tasks"}
    eight = {f"run {number}": str(pred) for number in range(8)}
    jobs = {"8 predictions": (eight, {}), "200 draws of chance of one": (str(pred), {"chance": Chance(draws=200)})}
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    values: dict[str, list[object]] = {name: [] for name in jobs}
    for cores in (1, 2):
        builder = SparkSession.builder.master(master).config("spark.ui.showConsoleProgress", "false")
        builder = builder.config("spark.executorEnv.PYTHONPATH", source).config("spark.cores.max", cores)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        # The first evaluation starts the processes of the workers.
        goldassay.evaluate(eight, **given | {"measures": ["literal"]})
        for name, (predictions, options) in jobs.items():
            start = time.perf_counter()
            report = goldassay.evaluate(predictions, **given, **options)
            seconds[name].append(round(time.perf_counter() - start, 1))
            values[name].append(report.metrics())
        session.stop()
    for name, (one, two) in seconds.items():
        same = values[name][0] == values[name][1]
        print(
            f"{name}: one core {one} s, two {two} s, {one / two:.2f}x; {'the same values' if same else 'OTHER VALUES'}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    made = commands.add_parser("make")
    made.add_argument("folder", type=Path)
    made.add_argument("--pred", type=int, default=10_000_000)
    made.add_argument("--gold", type=int, default=1_000_000)
    ran = commands.add_parser("run")
    ran.add_argument("folder", type=Path)
    ran.add_argument("--engine", default="duckdb", choices=("default", "duckdb", "spark"))
    ran.add_argument("--memory", type=int, default=4096)
    block = commands.add_parser("near")
    block.add_argument("pred", type=Path)
    block.add_argument("gold", type=Path)
    shared = commands.add_parser("spread")
    shared.add_argument("pred", type=Path)
    shared.add_argument("gold", type=Path)
    shared.add_argument("--master", required=True)
    given = parser.parse_args()
    if given.command == "spread":
        spread(given.pred, given.gold, given.master)
        return
    if given.command == "near":
        near(given.pred, given.gold)
        return
    if given.command == "make":
        make(given.folder, given.pred, given.gold)
        size = {one.name: one.stat().st_size for one in given.folder.iterdir()}
        print(size, "free", shutil.disk_usage(given.folder).free)
        return
    run(given.folder, given.engine, given.memory)


if __name__ == "__main__":
    main()
