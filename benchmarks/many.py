"""Many small predictions against one gold standard, next to a plain script, in one run.

    python benchmarks/many.py GOLD [--vectors FILE] [--sizes 100 500 2000] [--predictions 50]

GOLD is a table of edges, whose first rows of each size are gold. A prediction is gold with a tenth of its edges left out
and another tenth given a new parent. All of them are written as Turtle, and both contenders read these files and the
vectors: ``goldassay taxonomy p/*.ttl --gold g.ttl -m fuzzy``, and a script that compares all sources and all targets of a
prediction with those of gold, a block of edges after the other, without checks, warnings or evidence. Both are also run
on one prediction, from which follows what one more costs.

Every run is a process of its own. Seconds are those of the processor, of all threads together; medians of the runs.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

THRESHOLD = 0.436
BLOCK = 1024
CLASS, LABEL, PARENT = "http://example.org/c", "http://www.w3.org/2000/01/rdf-schema#label", "subClassOf"


def plain(gold: str, vectors: str, predictions: list[str]) -> None:
    """Score with dense products in blocks, and print precision and recall of each prediction."""
    arrays = np.load(vectors)
    known = {text: row for row, text in enumerate(arrays["texts"].tolist())}
    matrix = arrays["vectors"]
    there = matrix[plain_edges(gold, known)]
    for path in predictions:
        here = matrix[plain_edges(path, known)]
        matched = np.zeros(len(there), dtype=np.bool_)
        hits = 0
        for start in range(0, len(here), BLOCK):
            block = here[start : start + BLOCK]
            matches = np.minimum(block[:, 0] @ there[:, 0].T, block[:, 1] @ there[:, 1].T) > THRESHOLD
            hits += int(matches.any(axis=1).sum())
            matched |= matches.any(axis=0)
        print(hits / len(here), matched.sum() / len(there))


def plain_edges(path: str, known: dict[str, int]) -> np.ndarray:
    from pyoxigraph import RdfFormat, parse

    labels, edges = {}, []
    for triple in parse(path=path, format=RdfFormat.TURTLE):
        if triple.predicate.value == LABEL:
            labels[triple.subject.value] = known[triple.object.value]
        else:
            edges.append((triple.subject.value, triple.object.value))
    return np.array([(labels[child], labels[parent]) for child, parent in edges])


def goldassay(gold: str, vectors: str, predictions: list[str]) -> None:
    from goldassay.__main__ import main

    sys.argv = ["goldassay", "taxonomy", *predictions, "--gold", gold, "--encoder", vectors]
    sys.argv += ["-m", "fuzzy", "--format", "json", "--quiet"]
    main()


CONTENDERS = {"plain": plain, "goldassay": goldassay}


def contender(name: str, gold: str, vectors: str, *predictions: str) -> None:
    try:
        CONTENDERS[name](gold, vectors, list(predictions))
    finally:
        taken = os.times()
        print(taken.user + taken.system, peak_mebibytes(), file=sys.stderr)


def peak_mebibytes() -> int:
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text(encoding="ascii").partition("VmHWM:")[2].split()[0]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def contend(name: str, files: list[str]) -> tuple[float, int, str]:
    """Run a contender in a process of its own, and return its seconds of processor, its peak memory and what it printed."""
    command = [sys.executable, __file__, "contender", name, *files]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, peak = done.stderr.splitlines()[-1].split()
    return float(seconds), int(peak), done.stdout


def values_of(name: str, messages: str) -> list[tuple[float, ...]]:
    if name == "plain":
        return [tuple(map(float, line.split())) for line in messages.splitlines()]
    scores = [run["scores"][0]["values"] for run in json.loads(messages)["runs"]]
    return [(one["precision"], one["recall"]) for one in scores]


def write_problem(folder: Path, edges: np.ndarray, texts: list[str], vectors: np.ndarray, predictions: int) -> None:
    rng = np.random.default_rng(0)
    write_turtle(folder / "gold.ttl", edges, texts)
    for number in range(predictions):
        one = edges[rng.random(len(edges)) >= 0.1]
        moved = rng.random(len(one)) < 0.1
        one[moved, 1] = rng.choice(edges[:, 1], int(moved.sum()))
        write_turtle(folder / f"p{number:03}.ttl", np.unique(one, axis=0), texts)
    used = np.unique(edges)
    np.savez(folder / "vectors.npz", texts=np.array([texts[row] for row in used]), vectors=vectors[used])


def write_turtle(path: Path, edges: np.ndarray, texts: list[str]) -> None:
    lines = [f"@prefix rdfs: <{LABEL.removesuffix('label')}> ."]
    lines += [f"<{CLASS}{row}> rdfs:label {json.dumps(texts[row], ensure_ascii=False)} ." for row in np.unique(edges)]
    lines += [f"<{CLASS}{child}> rdfs:subClassOf <{CLASS}{parent}> ." for child, parent in edges]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold")
    parser.add_argument("--vectors", default="minilm", help="an encoder, or an .npz file of vectors")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 500, 2_000])
    parser.add_argument("--predictions", type=int, default=50)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()

    from goldassay.encoders import get_encoder
    from goldassay.graphs import read_graph

    graph = read_graph(arguments.gold)
    used = np.unique(graph.edges[: max(arguments.sizes)])
    encoder = get_encoder(arguments.vectors, cache="default")
    vectors = np.zeros((len(graph.texts), encoder.dimension), dtype=np.float32)
    vectors[used] = encoder.encode(graph.texts[used].tolist())
    for size in arguments.sizes:
        with tempfile.TemporaryDirectory() as folder:
            write_problem(Path(folder), graph.edges[:size], graph.texts.tolist(), vectors, arguments.predictions)
            compare(Path(folder), size, arguments.runs)


def compare(folder: Path, size: int, runs: int) -> None:
    files = [str(folder / "gold.ttl"), str(folder / "vectors.npz"), *sorted(map(str, folder.glob("p*.ttl")))]
    more = len(files) - 3
    taken = {name: [(contend(name, files[:3]), contend(name, files)) for _ in range(runs)] for name in CONTENDERS}
    seconds = {}
    for name, found in taken.items():
        one, every = (statistics.median(run[place][0] for run in found) for place in (0, 1))
        seconds[name] = np.array([every, (every - one) / more])
        print(
            f"{size:>6} edges, {more + 1} predictions  {name:<10}{every:7.2f} s, one more {1000 * seconds[name][1]:6.1f} ms, "
            f"peak {found[0][1][1]} MiB",
            flush=True,
        )
    ratio = seconds["plain"] / seconds["goldassay"]
    ours, theirs = (np.array(values_of(name, taken[name][0][1][2])) for name in ("goldassay", "plain"))
    apart = float(np.abs(ours - theirs).max())
    print(f"{size:>6} edges: {ratio[0]:.1f}x, one more {ratio[1]:.1f}x; values at most {apart:.0e} apart", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["contender"]:
        contender(*sys.argv[2:])
    else:
        main()
