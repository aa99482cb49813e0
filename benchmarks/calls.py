"""Ten thousand small calls next to a plain script, and exact edges of a large table next to polars and DuckDB.

    python benchmarks/calls.py                    10,000 calls of 20 rows, each family that takes tuples
    python benchmarks/calls.py tables 1000000     edges a side in two CSV files, a process for each contender

Seconds are those of the processor, of all threads together, by the lowest of five runs for calls; memory is the peak of the process.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROWS, KEPT = 20, 0.7
IRI = "http://example.org/onto#Class_"


def plain(pred: list[tuple[str, ...]], gold: list[tuple[str, ...]]) -> float:
    """Return F1 as a script of two lines gives it, without any check."""
    here, there = set(pred), set(gold)
    hits = len(here & there)
    return 2 * hits / (len(here) + len(there))


def calls(count: int) -> None:
    """Print how many calls a second each way makes."""
    import goldassay

    warnings.simplefilter("ignore")
    rng = random.Random(0)  # noqa: S311
    terms = [f"term {number}" for number in range(60)]

    def rows(*columns: str) -> list[tuple[str, ...]]:
        return [(terms[row], *columns, terms[(row * 7 + (rng.random() > KEPT)) % 60]) for row in range(ROWS)]

    folder = tempfile.TemporaryDirectory()
    hierarchy = Path(folder.name, "hierarchy.csv")
    hierarchy.write_text("child,parent\n" + "".join(f"term {row},term {row // 3}\n" for row in range(1, 60)))
    shapes = {
        "taxonomy": ("literal", ()),
        "alignment": ("overlap", ()),
        "axioms": ("exact", ("has",)),
        "triples": ("triples", ("has",)),
        "labels": ("hierarchical", ()),
        "concepts": ("concept_exact", ()),
    }
    for kind, (spec, columns) in shapes.items():
        gold, preds = rows(*columns), [rows(*columns) for _ in range(100)]
        options = {"hierarchy": str(hierarchy)} if kind == "labels" else {}
        if kind == "concepts":
            gold, preds = _documents(gold), list(map(_documents, preds))
        measure, kept = goldassay.parse(spec), goldassay.read(gold, kind=kind, **options)
        ways: dict[str, Callable[[list[tuple[str, ...]]], object]] = {
            "a plain script": lambda pred, gold=gold: plain(_tuples(pred), _tuples(gold)),
            f"{spec}.score, gold as a list": lambda pred, gold=gold, measure=measure, options=options: measure.score(
                pred=pred, gold=gold, **options
            ),
            f"{spec}.score, gold read once": lambda pred, gold=kept, measure=measure, options=options: measure.score(
                pred=pred, gold=gold, **options
            ),
            "evaluate, gold as a list": lambda pred, gold=gold, kind=kind, spec=spec, options=options: (
                goldassay.evaluate(pred, gold=gold, kind=kind, measures=[spec], **options)
            ),
            "evaluate, gold read once": lambda pred, gold=kept, kind=kind, spec=spec, options=options: (
                goldassay.evaluate(pred, gold=gold, kind=kind, measures=[spec], **options)
            ),
        }
        for name, way in ways.items():
            seconds = min(_timed(way, preds, count // 5) for _ in range(5))
            print(f"{kind:<10} {name:<34} {1 / seconds:>10,.0f} a second")


def _documents(rows: list[tuple[str, ...]]) -> list[dict[str, object]]:
    """Make a document with one concept of each row."""
    return [{"id": f"d{number}", "concepts": [row[-1]]} for number, row in enumerate(rows)]


def _tuples(rows: list[Any]) -> list[tuple[str, ...]]:
    return [(row["id"], *row["concepts"]) if isinstance(row, dict) else row for row in rows]


def _timed(way: Callable[[list[tuple[str, ...]]], object], preds: list[list[tuple[str, ...]]], count: int) -> float:
    start = time.process_time()
    for number in range(count):
        way(preds[number % len(preds)])
    return (time.process_time() - start) / count


def by_goldassay(pred: str, gold: str) -> int:
    import goldassay

    return int(goldassay.evaluate(pred, gold=gold, measures=["literal"])["literal"].counts["hit_pred"])


def by_polars(pred: str, gold: str) -> int:
    import polars as pl

    here, there = (pl.read_csv(file).unique() for file in (pred, gold))
    return len(here.join(there, on=["child", "parent"], how="semi"))


def by_duckdb(pred: str, gold: str) -> int:
    import duckdb

    both = duckdb.read_csv(pred).intersect(duckdb.read_csv(gold))
    return int(both.distinct().count("*").fetchall()[0][0])


CONTENDERS = {"goldassay": by_goldassay, "polars": by_polars, "duckdb": by_duckdb}


def tables(count: int) -> None:
    """Write two tables of edges, and count what they share: each contender in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{side}.csv") for side in ("pred", "gold")]
        rng = random.Random(0)  # noqa: S311
        for file in files:
            with file.open("w") as stream:
                stream.write("child,parent\n")
                for row in range(count):
                    parent = row * 7 // 10 if file is files[1] or rng.random() < KEPT else rng.randrange(count)
                    stream.write(f"{IRI}{row},{IRI}{parent}\n")
        for name in CONTENDERS:
            done = subprocess.run(
                [sys.executable, __file__, "one", name, *map(str, files)], capture_output=True, text=True, check=True
            )
            print(name, done.stdout.strip())


def one(name: str, pred: str, gold: str) -> None:
    """Run one contender, and print what it took."""
    start, wall = time.process_time(), time.perf_counter()
    hits = CONTENDERS[name](pred, gold)
    took = {"seconds": round(time.process_time() - start, 2), "wall": round(time.perf_counter() - wall, 2)}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"hits": hits, **took, "MB": peak}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="calls", choices=["calls", "tables", "one"])
    parser.add_argument("more", nargs="*")
    given = parser.parse_args()
    if given.what == "calls":
        calls(int(given.more[0]) if given.more else 10_000)
    elif given.what == "tables":
        tables(int(given.more[0]) if given.more else 1_000_000)
    else:
        one(*given.more)


if __name__ == "__main__":
    main()
