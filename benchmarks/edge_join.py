"""The edge join next to what people run today, on the same edges and the same vectors, in one run.

    python benchmarks/edge_join.py pair PRED GOLD [--loop-sample 20 | --full]    the notebook's loop against the kernel
    python benchmarks/edge_join.py dense PRED GOLD                                two dense matrices against the kernel
    python benchmarks/edge_join.py only PRED GOLD [--copies 12]                  the kernels only, for large pairs

Every figure is the median of its runs; every contender runs in a process of its own, and reports its peak memory.
Vectors come from the default encoder, or from ``--vectors FILE`` (an .npz with ``texts`` and ``vectors``).
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

THRESHOLD = 0.436
DENSE_SIZES = (2_000, 5_000, 10_000)


def median_seconds(work: Callable[[], object], runs: int) -> dict[str, float]:
    """Time the work by the clock, and by what its threads together take of the processors: that is less noisy."""
    clock, processor = [], []
    for _ in range(runs):
        start, before = time.perf_counter(), time.process_time()
        work()
        clock.append(time.perf_counter() - start)
        processor.append(time.process_time() - before)
    return {"seconds": statistics.median(clock), "processor": round(statistics.median(processor), 3)}


def notebook_loop(vectors, asking, answering, sample):
    """Look for a counterpart of each sampled edge as the notebook does: pair by pair, until one matches."""
    from scipy.spatial.distance import cosine

    hits = 0
    for u, v in asking[sample]:
        for x, y in answering:
            if 1 - cosine(vectors[x], vectors[u]) > THRESHOLD and 1 - cosine(vectors[y], vectors[v]) > THRESHOLD:
                hits += 1
                break
    return hits


def run_loop(vectors, pred, gold, size):
    """Time the loop over evenly spaced edges of both sides, and scale it up to all of them."""
    seconds, hits = 0.0, []
    for asking, answering in ((pred, gold), (gold, pred)):
        sample = np.unique(np.linspace(0, len(asking) - 1, size or len(asking)).astype(int))
        start = time.perf_counter()
        hits.append(notebook_loop(vectors, asking, answering, sample))
        seconds += (time.perf_counter() - start) * len(asking) / len(sample)
    return {"seconds": seconds, "sampled": size or "all", "hits in the sample": hits}


def run_dense(vectors, pred, gold, runs):
    """Compare all sources with all sources and all targets with all targets, as OLLM's code does."""

    def work():
        sources = vectors[pred[:, 0]] @ vectors[gold[:, 0]].T
        targets = vectors[pred[:, 1]] @ vectors[gold[:, 1]].T
        matches = np.minimum(sources, targets) > THRESHOLD
        return [int(matches.any(axis=1).sum()), int(matches.any(axis=0).sum())]

    return median_seconds(work, runs) | {"hits": work()}


def run_join(vectors, pred, gold, runs):
    from goldassay.kernels.edges.join import edge_join

    hits = []

    def work():
        join = edge_join(vectors, pred, gold, threshold=THRESHOLD)
        hits[:] = int(join.hit_pred.sum()), int(join.hit_gold.sum())

    return median_seconds(work, runs) | {"hits": hits}


def run_best(vectors, pred, gold, runs):
    from goldassay.kernels.edges.best import find_best

    def work():
        return find_best(vectors, pred, gold), find_best(vectors, gold, pred)

    hits = [int((best.similarity > THRESHOLD).sum()) for best in work()]
    return median_seconds(work, runs) | {"hits": hits}


CONTENDERS = {"loop": run_loop, "dense": run_dense, "join": run_join, "best": run_best}


def peak_mebibytes() -> int:
    """Read the peak of this process only: on Linux, ``ru_maxrss`` still counts what the parent held."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text(encoding="ascii").partition("VmHWM:")[2].split()[0]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def contend(name: str, problem: Path, argument: int) -> dict[str, object]:
    """Run one contender in a process of its own."""
    command = [sys.executable, __file__, "contender", name, str(problem), str(argument)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def contender(name: str, problem: str, argument: str) -> None:
    arrays = np.load(problem)
    outcome = CONTENDERS[name](arrays["vectors"], arrays["pred"], arrays["gold"], int(argument))
    outcome["peak MiB"] = peak_mebibytes()
    print(json.dumps(outcome))


def load_problem(arguments: argparse.Namespace) -> dict[str, np.ndarray]:
    """Read both files, and give their edges as rows of one matrix of vectors."""
    from goldassay.core.context import Context
    from goldassay.encoders import get_encoder
    from goldassay.graphs.match import encode_edges
    from goldassay.graphs.read import read_graph
    from goldassay.graphs.reading import GraphReading

    reading = GraphReading(edges=arguments.edges, text=arguments.text)
    context = Context(encoder=get_encoder(arguments.vectors or "minilm"))
    graphs = {side: read_graph(path, reading) for side, path in (("pred", arguments.pred), ("gold", arguments.gold))}
    pred, gold, vectors = encode_edges(**graphs, context=context)
    return {"pred": pred, "gold": gold, "vectors": vectors}


def copied(problem: dict[str, np.ndarray], copies: int) -> dict[str, np.ndarray]:
    """Repeat both sides; every text of a further copy has a vector of its own, at a cosine of about 0.9 from the given one."""
    vectors, random = problem["vectors"], np.random.default_rng(0)
    noise = np.float32(0.5 / np.sqrt(vectors.shape[1]))
    every = [vectors]
    for _ in range(copies - 1):
        moved = vectors + noise * random.standard_normal(vectors.shape, dtype=np.float32)
        every.append(moved / np.linalg.norm(moved, axis=1, keepdims=True))
    rows = np.arange(copies) * len(vectors)
    edges = {side: np.concatenate([problem[side] + first for first in rows]) for side in ("pred", "gold")}
    return {"vectors": np.concatenate(every), **edges}


def show(title: str, outcome: dict[str, object]) -> None:
    seconds = outcome.pop("seconds")
    print(f"{title:<28} {seconds:10.4f} s   " + ", ".join(f"{name} {value}" for name, value in outcome.items()))


def compare(arguments: argparse.Namespace, folder: Path) -> None:
    problem = copied(load_problem(arguments), arguments.copies)
    path = folder / "problem.npz"
    np.savez(path, **problem)
    print(f"{len(problem['pred']):,} x {len(problem['gold']):,} edges, {len(problem['vectors']):,} texts")
    if arguments.what == "pair":
        show("notebook loop", contend("loop", path, 0 if arguments.full else arguments.loop_sample))
        show("goldassay edge_join", contend("join", path, arguments.runs))
    if arguments.what == "kernels":
        show("goldassay edge_join", contend("join", path, arguments.runs))
        if arguments.copies == 1:
            show("goldassay best, both ways", contend("best", path, 1))
    if arguments.what == "dense":
        for size in DENSE_SIZES:
            np.savez(path, **problem | {side: problem[side][:size] for side in ("pred", "gold")})
            show(f"dense numpy, {size:,} edges", contend("dense", path, arguments.runs))
            show(f"goldassay edge_join, {size:,} edges", contend("join", path, arguments.runs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["pair", "dense", "kernels"])
    parser.add_argument("pred")
    parser.add_argument("gold")
    parser.add_argument("--edges", default="all", help="what makes an edge (default: all, as in the notebook)")
    parser.add_argument("--text", default="iri", help="what is compared of a node (default: iri, as in the notebook)")
    parser.add_argument("--vectors", help="an .npz file of vectors, in place of the default encoder")
    parser.add_argument("--copies", type=int, default=1, help="how often both sides are repeated, with other vectors")
    parser.add_argument("--loop-sample", type=int, default=20, help="edges of each side to time the loop on")
    parser.add_argument("--full", action="store_true", help="time the loop on all edges: minutes")
    parser.add_argument("--runs", type=int, default=5, help="runs whose median is taken")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compare(arguments, Path(folder))


if __name__ == "__main__":
    if sys.argv[1:2] == ["contender"]:
        contender(*sys.argv[2:])
    else:
        main()
