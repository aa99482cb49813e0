"""Scoring labels in a hierarchy next to a plain loop over sets, on the same random labels, in one run.

    python benchmarks/labels.py [--instances 100000] [--labels 5] [--terms 50000] [--only loop hierarchical]

A hierarchy of random terms, one in ten with a second parent; every instance has as many labels on both sides, of which about
half agree. Every contender runs once on models in memory, and gives the seconds that it took; the last line is the peak memory.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

from goldassay.labels import Hierarchical, Hierarchy, Labels, Lca, Smin, WeightedFmax, WuPalmer


def problem(instances, labels, terms, seed=0):
    """Draw a hierarchy, a prediction with scores and gold."""
    rng = np.random.default_rng(seed)
    first = np.array([rng.integers(max(0, node // 4 - 3), max(1, node // 2)) for node in range(1, terms)])
    some = np.flatnonzero(rng.random(terms - 1) < 0.1)
    edges = np.concatenate(
        [
            np.column_stack([np.arange(1, terms), first]),
            np.column_stack([some + 1, (rng.random(len(some)) * (some + 1)).astype(int)]),
        ]
    )
    hierarchy = Hierarchy.from_rows([f"T{node}" for node in range(terms)], edges)
    gold = rng.integers(terms // 10, terms, (instances, labels))
    pred = np.where(rng.random(gold.shape) < 0.5, gold, rng.integers(terms // 10, terms, gold.shape))
    names = np.repeat([f"i{row}" for row in range(instances)], labels).tolist()
    scores = rng.integers(1, 1000, pred.size) / 1000
    sides = [
        Labels.from_columns(names, [f"T{node}" for node in side.ravel().tolist()], sure, hierarchy=hierarchy)
        for side, sure in ((pred, scores), (gold, np.ones(gold.size)))
    ]
    return hierarchy, *sides


def plain_loop(hierarchy, pred, gold, threshold=0.3):
    """Follow the definition: a set of labels and ancestors for every instance, ancestors remembered."""
    known = {}

    def ancestors(label):
        if label not in known:
            above = {label}
            for parent in hierarchy.parents_of(label).tolist():
                above |= ancestors(parent)
            known[label] = above
        return known[label]

    sides = []
    for side, cut in ((pred, threshold), (gold, 0)):
        sets = {}
        for instance, label, score in zip(
            side.instances.tolist(), side.labels.tolist(), side.scores.tolist(), strict=True
        ):
            if score >= cut:
                sets.setdefault(instance, set()).update(ancestors(label))
        sides.append(sets)
    ours, theirs = sides
    hits = sum(len(some & theirs.get(instance, set())) for instance, some in ours.items())
    return hits / sum(map(len, ours.values())), hits / sum(map(len, theirs.values()))


def main():
    """Time each contender."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--instances", type=int, default=100_000)
    parser.add_argument("--labels", type=int, default=5)
    parser.add_argument("--terms", type=int, default=50_000)
    parser.add_argument(
        "--only", nargs="*", default=["loop", "hierarchical", "wu_palmer", "weighted_fmax", "smin", "lca"]
    )
    asked = parser.parse_args()
    begin = time.perf_counter()
    hierarchy, pred, gold = problem(asked.instances, asked.labels, asked.terms)
    made = time.perf_counter() - begin
    above = hierarchy.closure(np.arange(len(hierarchy)))
    print(
        f"{len(pred):,} labels a side, {len(above.nodes) / len(hierarchy):.1f} nodes at or above one; made in {made:.1f} s"
    )
    measures = (Hierarchical(root="include"), WuPalmer(), WeightedFmax(), Smin(), Lca())
    contenders = {"loop": lambda: plain_loop(hierarchy, pred, gold)}
    contenders |= {measure.name: lambda measure=measure: measure.score(pred=pred, gold=gold) for measure in measures}
    for name in asked.only:
        begin = time.perf_counter()
        found = contenders[name]()
        shown = found if isinstance(found, tuple) else tuple(found.values.values())[:2]
        print(f"{name:<14} {time.perf_counter() - begin:8.2f} s   {shown[0]:.6f} {shown[1]:.6f}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
