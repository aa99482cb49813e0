"""How often intervals of `goldassay estimate` hold the truth, on graphs that people labelled whole.

Simple samples exactly: every count, its probability, and whether its interval holds the truth. Other designs over many draws.

    python benchmarks/coverage.py DATA [--draws 2000] [--graphs nell yago dbpedia]
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path

import numpy as np

from goldassay.sampling.designs import Draws, allocate, estimate, interval_of
from goldassay.sampling.intervals import mid_p
from goldassay.sampling.plans import labels_for
from goldassay.sampling.special import hypergeometric

SIZES = (50, 100, 200, 500, 1000)
MOST = 3
NEGLIGIBLE = 1e-12
RELATIONS = 4


class Judged:
    """A graph whose facts are all labelled: the labels, the cluster (subject) and the stratum (relation) of each."""

    def __init__(self, folder: Path) -> None:
        facts, labels = (json.loads((folder / f"{name}.json").read_text()) for name in ("kg", "gt"))
        names = list(labels)
        self.labels = np.array([float(labels[name]) for name in names])
        self.clusters = np.unique([facts[name][0] for name in names], return_inverse=True)[1]
        relations = np.unique([facts[name][1] for name in names], return_inverse=True)[1]
        most = np.argsort(-np.bincount(relations), kind="stable")[:RELATIONS]
        codes = np.full(relations.max() + 1, len(most))
        codes[most] = np.arange(len(most))
        self.strata = np.unique(codes[relations], return_inverse=True)[1]

    def __len__(self) -> int:
        return len(self.labels)


def exactly(graph: Judged, size: int) -> tuple[float, float]:
    """Compute how often mid-p holds the truth, and its mean width."""
    population, right = len(graph), int(graph.labels.sum())
    first, probabilities = hypergeometric(right, population, size)
    held = width = 0.0
    for place in np.flatnonzero(probabilities > NEGLIGIBLE).tolist():
        low, high = mid_p(first + place, size, population)
        held += probabilities[place] * (low <= right / population <= high)
        width += probabilities[place] * (high - low)
    return held, width


def strata_draw(graph: Judged, shares: np.ndarray, random: np.random.Generator, members: list[np.ndarray]) -> Draws:
    """Draw items within strata, in proportion to their sizes."""
    sizes = np.array([len(one) for one in members])
    rows = np.concatenate(
        [random.choice(one, share, replace=False) for one, share in zip(members, shares, strict=True)]
    )
    return Draws(
        values=graph.labels[rows],
        labels=np.ones(len(rows)),
        strata=graph.strata[rows],
        sizes=sizes.astype(float),
        weights=sizes / sizes.sum(),
    )


def cluster_draw(graph: Judged, shares: np.ndarray, random: np.random.Generator, members: list[np.ndarray]) -> Draws:
    """Draw clusters by their size within each stratum, and at most three items of each."""
    sizes = np.array([len(one) for one in members])
    values, labels, strata = [], [], []
    for stratum, (rows, share) in enumerate(zip(members, shares.tolist(), strict=True)):
        # Rows are sorted by their clusters, so that those of one are next to each other.
        owner = graph.clusters[rows]
        starts, ends = (np.searchsorted(owner, owner, side=side).tolist() for side in ("left", "right"))
        seen: set[int] = set()
        while len(seen) < share:
            place = int(random.integers(len(rows)))
            inside = rows[starts[place] : ends[place]]
            some = random.permutation(inside)[:MOST] if len(inside) > MOST else inside
            seen.update(some.tolist())
            values.append(graph.labels[some].mean())
            labels.append(len(some))
            strata.append(stratum)
    return Draws(
        values=np.array(values),
        labels=np.array(labels, dtype=float),
        strata=np.array(strata),
        sizes=sizes.astype(float),
        weights=sizes / sizes.sum(),
        clustered=True,
    )


def simulated(graph: Judged, design: str, size: int, draws: int) -> tuple[float, float]:
    """Draw many samples, and return how often the interval holds the truth, and its mean width."""
    split = graph.strata if design.startswith("strat") else np.zeros(len(graph), dtype=int)
    members = [np.flatnonzero(split == one) for one in range(split.max() + 1)]
    members = [one[np.argsort(graph.clusters[one], kind="stable")] for one in members]
    shares = allocate(size, [len(one) for one in members])
    draw = strata_draw if design == "strata" else cluster_draw
    truth, held, width = graph.labels.mean(), 0, 0.0
    for seed in range(draws):
        low, high = interval_of(estimate(draw(graph, shares, np.random.default_rng(seed), members)))
        held += low <= truth <= high
        width += high - low
    return held / draws, width / draws


def zett(path: Path, draws: int) -> dict[str, float]:
    """Return the share of the labels of a simple sample that strata of evidence need at equal width, on predicted triples."""
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    labels = np.array([float(row["Label from ZETT"] == "TRUE") for row in rows])
    same = [[row[f"gold_{part}"] == row[f"pred_{part}"] for part in ("head", "rel", "tail")] for row in rows]
    levels = np.array([0 if all(one) else 1 if one[1] else 2 if one[0] or one[2] else 3 for one in same])
    sizes = np.bincount(levels)
    members = [np.flatnonzero(levels == one) for one in range(len(sizes))]
    found: dict[str, list[float]] = {"proportional": [], "neyman after 100": []}
    for seed in range(draws):
        random = np.random.default_rng(seed)
        orders = [random.permutation(one) for one in members]
        first = [order[:share] for order, share in zip(orders, allocate(100, sizes), strict=True)]
        nearly = np.array([(labels[one].sum() + 0.5) / (len(one) + 1) for one in first])
        for name, spreads in (("proportional", None), ("neyman after 100", np.sqrt(nearly * (1 - nearly)))):
            shares = np.maximum(allocate(300, sizes, spreads), [len(one) for one in first])
            drawn = np.concatenate([order[:share] for order, share in zip(orders, shares, strict=True)])
            one = estimate(
                Draws(
                    values=labels[drawn],
                    labels=np.ones(len(drawn)),
                    strata=levels[drawn],
                    sizes=np.full(len(sizes), np.inf),
                    weights=sizes / sizes.sum(),
                )
            )
            low, high = interval_of(one)
            found[name].append(len(drawn) / labels_for((high - low) / 2, one.value))
    return {name: float(np.mean(shares)) for name, shares in found.items()}


def main() -> None:
    """Print the tables of docs/sampling.md."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--graphs", nargs="*", default=["nell", "yago", "dbpedia"])
    given = parser.parse_args()
    print("| graph | design | n = 50 | 100 | 200 | 500 | 1,000 |\n|---|---|---:|---:|---:|---:|---:|")
    for name in given.graphs:
        graph = Judged(given.data / name)
        for design in ("simple", "strata", "clusters", "stratified-clusters"):
            cells = [
                exactly(graph, size) if design == "simple" else simulated(graph, design, size, given.draws)
                for size in SIZES
            ]
            print(
                f"| {name} | {design} | {' | '.join(f'{held:.3f} ({width:.3f})' for held, width in cells)} |",
                flush=True,
            )
    if (given.data / "zett/zett.tsv").exists():
        print(zett(given.data / "zett/zett.tsv", min(given.draws, 500)))


if __name__ == "__main__":
    main()
