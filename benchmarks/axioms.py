"""Scoring axioms next to the plain double loop, on the same random axioms, in one run.

    python benchmarks/axioms.py [--sizes 1000 3000 1000000] [--loop-up-to 3000]

Every figure is the median of its runs; every contender runs in a process of its own, from the CSV files to the score,
and reports its peak memory.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

RUNS = 3


def write_axioms(path, size, seed):
    """Write random axioms: about 10 an object a class, so that whole, partial and no matches all occur."""
    rng = np.random.default_rng(seed)
    classes, objects = rng.integers(0, size // 10 + 1, size), rng.integers(0, 20, size)
    properties = rng.integers(0, 50, size)
    with path.open("w", encoding="utf-8") as stream:
        stream.write("class,property,object,kind\n")
        stream.writelines(
            f"Class{c},hasProperty{p},Object{c + o},object\n"
            for c, p, o in zip(classes.tolist(), properties.tolist(), objects.tolist(), strict=True)
        )


def double_loop(pred, gold):
    """Follow the definition: for every axiom of one side, look at every axiom of the other."""

    def rows(path):
        with Path(path).open(encoding="utf-8") as stream:
            return list(dict.fromkeys(tuple(row[:3]) for row in csv.reader(stream)))[1:]

    def total(here, there):
        return sum(max(1.0 if a == b else 0.5 if (a[0], a[2]) == (b[0], b[2]) else 0.0 for b in there) for a in here)

    ours, theirs = rows(pred), rows(gold)
    return total(ours, theirs) / len(ours), total(theirs, ours) / len(theirs)


def goldassay_weighted(pred, gold):
    import goldassay

    score = goldassay.evaluate(pred, gold=gold, kind="axioms", measures="weighted")["weighted"]
    return score.precision, score.recall


CONTENDERS = {"double loop": double_loop, "goldassay": goldassay_weighted}


def one(contender, pred, gold):
    start = time.perf_counter()
    values = CONTENDERS[contender](pred, gold)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(json.dumps({"seconds": seconds, "peak_mb": peak, "values": values}))


def side_by_side(sizes, loop_up_to):
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            files = [Path(folder, f"{side}{size}.csv") for side in ("pred", "gold")]
            for seed, path in enumerate(files):
                write_axioms(path, size, seed)
            for contender in CONTENDERS:
                if contender == "double loop" and size > loop_up_to:
                    continue
                command = [sys.executable, __file__, "--one", contender, *map(str, files)]
                messages = [json.loads(subprocess.check_output(command)) for _ in range(RUNS)]
                seconds = statistics.median(each["seconds"] for each in messages)
                peak = max(each["peak_mb"] for each in messages)
                print(f"{size:>9,} a side  {contender:<12} {seconds:9.3f} s  {peak:7.0f} MB  {messages[0]['values']}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 3_000, 1_000_000])
    parser.add_argument("--loop-up-to", type=int, default=3_000)
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        one(*arguments.one)
    else:
        side_by_side(arguments.sizes, arguments.loop_up_to)
