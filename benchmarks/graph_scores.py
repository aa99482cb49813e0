"""Continuous, graph, motif and taxonomic scores and the sweep, next to the dense computation, in one run.

    python benchmarks/graph_scores.py PRED GOLD [--vectors FILE] [--sizes 2000 5000 10000] [--whole]

The dense contender is a plain version of what people run today: two matrices of cosines, their minimum, and scipy's
assignment. Every contender runs in a process of its own, and reports its seconds of processor and its peak memory.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np


def run_dense(pred, gold, context):
    from scipy.optimize import linear_sum_assignment

    from goldassay.graphs.match import encode_edges

    here, there, vectors = encode_edges(pred=pred, gold=gold, context=context)
    start = time.process_time()
    sources = vectors[here[:, 0]] @ vectors[there[:, 0]].T
    targets = vectors[here[:, 1]] @ vectors[there[:, 1]].T
    similarity = np.minimum(sources, targets)
    total = similarity[linear_sum_assignment(similarity, maximize=True)].sum()
    return start, {"sum": round(float(total), 3)}


def run_measure(spec):
    def run(pred, gold, context):
        import goldassay

        measure = goldassay.parse(spec)
        context.vectors(np.concatenate([pred.texts, gold.texts]))
        start = time.process_time()
        score = measure.evaluate(pred=pred, gold=gold, context=context)
        message = {name: round(value, 5) for name, value in score.values.items()}
        if "slack" in score.counts:
            few = min(score.counts["n_pred"], score.counts["n_gold"])
            message |= {"sum": round(score.counts["hit_pred"], 3), "proven gap": f"{score.counts['slack'] / few:.1e}"}
        return start, message

    return run


def run_sweep(pred, gold, context):
    from goldassay.core.sweep import Sweep
    from goldassay.graphs import Fuzzy

    context.vectors(np.concatenate([pred.texts, gold.texts]))
    start = time.process_time()
    found = Sweep.of(Fuzzy(), pred=pred, gold=gold, context=context)
    return start, {"points": len(found.curve), "area": round(found.curve.area, 4)}


CONTENDERS = {
    "dense": run_dense,
    "sweep": run_sweep,
    **{name: run_measure(name) for name in ("continuous", "graph", "motif", "taxonomic")},
}


def peak_mebibytes() -> int:
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text(encoding="ascii").partition("VmHWM:")[2].split()[0]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def contender(name: str, pred: str, gold: str, encoder: str, size: int) -> None:
    from goldassay.core.context import Context
    from goldassay.encoders import get_encoder
    from goldassay.graphs import read_graph

    graphs = [read_graph(path) for path in (pred, gold)]
    if size:
        graphs = [graph.take(np.arange(min(size, len(graph)))) for graph in graphs]
    context = Context(encoder=get_encoder(encoder, cache="default"))
    # A first run over a few edges imports what each needs.
    CONTENDERS[name](*(graph.take(np.arange(50)) for graph in graphs), context)
    start, message = CONTENDERS[name](*graphs, context)
    print(json.dumps({"seconds": time.process_time() - start, **message, "peak MiB": peak_mebibytes()}))


def show(name: str, size: int, arguments: argparse.Namespace) -> float:
    command = [
        sys.executable,
        __file__,
        "contender",
        name,
        arguments.pred,
        arguments.gold,
        arguments.vectors,
        str(size),
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        print(f"{name:<11} {size or 'all':>6}  failed: {done.stderr.strip().splitlines()[-1]}")
        return math.nan
    message = json.loads(done.stdout)
    seconds = message.pop("seconds")
    print(
        f"{name:<11} {size or 'all':>6} {seconds:9.2f} s   " + ", ".join(f"{k} {v}" for k, v in message.items()),
        flush=True,
    )
    return seconds


def growth(name: str, sizes: list[int], seconds: list[float]) -> None:
    """Print by which power of the size the time grows."""
    if len(sizes) > 1:
        power = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
        print(f"{name}: time grows with the {power:.1f}th power of the size")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pred")
    parser.add_argument("gold")
    parser.add_argument("--vectors", default="minilm", help="an encoder, or an .npz file of vectors")
    parser.add_argument("--sizes", type=int, nargs="*", default=[2_000, 5_000, 10_000])
    parser.add_argument("--whole", action="store_true", help="the whole files, without the dense contender")
    arguments = parser.parse_args()
    if not arguments.whole:
        for name in ("dense", "continuous", "sweep"):
            growth(name, arguments.sizes, [show(name, size, arguments) for size in arguments.sizes])
    for name in ("sweep", "continuous", "graph", "motif", "taxonomic"):
        show(name, 0, arguments)


if __name__ == "__main__":
    if sys.argv[1:2] == ["contender"]:
        contender(*sys.argv[2:6], int(sys.argv[6]))
    else:
        main()
