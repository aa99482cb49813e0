"""Closures of two random taxonomies next to networkx, and Fowlkes-Mallows on two files, in one run.

    python benchmarks/hierarchies.py [--classes 100000] [--only networkx closure meaning] [--files PRED GOLD]

A taxonomy of random classes of three words, one in ten with a second parent; the prediction has another parent for one edge in
ten. ``meaning`` is closure by meaning, with hashed vectors. Every contender runs once on models in memory, and gives seconds, seconds of processor and values; the last line is the peak memory.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

from goldassay.graphs import AncestorF1, Closure, Edges, FowlkesMallows, Graph, read_graph


def problem(classes, seed=0):
    """Draw gold and a prediction."""
    rng = np.random.default_rng(seed)
    first = np.array([rng.integers(max(0, node // 4 - 3), max(1, node // 2)) for node in range(1, classes)])
    some = np.flatnonzero(rng.random(classes - 1) < 0.1)
    gold = np.concatenate(
        [
            np.column_stack([np.arange(1, classes), first]),
            np.column_stack([some + 1, (rng.random(len(some)) * (some + 1)).astype(int)]),
        ]
    )
    pred = gold.copy()
    moved = rng.random(len(gold)) < 0.1
    pred[moved, 1] = (rng.random(moved.sum()) * pred[moved, 0]).astype(int)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    words = ["".join(rng.choice(letters, size)) for size in rng.integers(4, 11, 8000).tolist()]
    names = [" ".join(words[one] for one in row) for row in rng.integers(0, len(words), (classes, 3)).tolist()]
    return [Graph.from_edges([(names[a], names[b]) for a, b in edges.tolist()]) for edges in (pred, gold)]


def by_networkx(pred, gold):
    """Close both graphs, and intersect the sets of pairs."""
    import networkx as nx

    sides = []
    for graph in (pred, gold):
        texts = graph.texts.tolist()
        made = nx.DiGraph([(texts[a], texts[b]) for a, b in graph.edges.tolist()])
        sides.append({(node, above) for node in made for above in nx.descendants(made, node)})
    hits = len(sides[0] & sides[1])
    return hits / len(sides[0]), hits / len(sides[1])


def main():
    """Time each contender."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--classes", type=int, default=100_000)
    parser.add_argument("--only", nargs="*", default=["networkx", "closure", "ancestor_f1", "fowlkes_mallows", "edges"])
    parser.add_argument("--files", nargs=2, metavar=("PRED", "GOLD"))
    asked = parser.parse_args()
    pred, gold = [read_graph(path) for path in asked.files] if asked.files else problem(asked.classes)
    contenders = {"networkx": lambda: by_networkx(pred, gold)}
    for measure in (Closure(), AncestorF1(), FowlkesMallows(), Edges()):
        contenders[measure.name] = lambda measure=measure: measure.score(pred=pred, gold=gold)
    contenders["meaning"] = lambda: Closure(by="meaning").score(pred=pred, gold=gold, encoder="hashing")
    for name in asked.only:
        begin, spent = time.perf_counter(), time.process_time()
        found = contenders[name]()
        shown = found if isinstance(found, tuple) else tuple(found.values.values())[:2]
        seconds, used = time.perf_counter() - begin, time.process_time() - spent
        print(f"{name:<16} {seconds:8.2f} s {used:8.2f} s   {shown[0]:.6f} {shown[1]:.6f}", flush=True)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
