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

from goldassay.families import family
from goldassay.sampling.designs import DESIGNS, Draws, Estimate, estimate, interval_of
from goldassay.sampling.intervals import mid_p
from goldassay.sampling.items import Items, Part, evidence_levels, items_of, population_of
from goldassay.sampling.plans import labels_for
from goldassay.sampling.sample import Before, DrawnRows, SampleRequest, Strata, pick, spread_of, strata_of
from goldassay.sampling.special import hypergeometric
from goldassay.triples.model import TripleSet

SIZES = (50, 100, 200, 500, 1000)
NEGLIGIBLE = 1e-12


class Judged:
    """A graph whose facts are all labelled: what `goldassay sample` draws from, and the labels."""

    def __init__(self, folder: Path) -> None:
        facts, labels = (json.loads((folder / f"{name}.json").read_text()) for name in ("kg", "gt"))
        self.labels = np.array([float(label) for label in labels.values()])
        columns = zip(*(facts[name][:2] for name in labels), strict=True)
        parts = {}
        for role, column in zip(("source", "relation"), columns, strict=True):
            names, codes = np.unique(column, return_inverse=True)
            parts[role] = Part(codes, names.tolist())
        parts["target"] = Part(np.arange(len(labels)), list(labels))
        self.found = population_of([Items(parts=parts, words=lambda _: {}, distinct=True)])

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


def estimated(picked: DrawnRows, labels: np.ndarray, *, clustered: bool, finite: bool = True) -> Estimate:
    """Estimate as `goldassay estimate` does, from a draw and the labels of all items."""
    sizes = picked.strata.sizes.astype(float)
    drawn = labels[picked.rows]
    return estimate(
        Draws(
            values=np.array([drawn[list(places)].mean() for _, _, places in picked.draws]),
            labels=np.array([float(len(places)) for _, _, places in picked.draws]),
            strata=np.array([stratum for stratum, _, _ in picked.draws]),
            sizes=sizes if finite else np.full(len(sizes), np.inf),
            weights=sizes / sizes.sum(),
            clustered=clustered,
        )
    )


def simulated(graph: Judged, design: str, size: int, draws: int) -> tuple[float, float]:
    """Draw many samples, and return how often the interval holds the truth, and its mean width."""
    truth, held, width = graph.labels.mean(), 0, 0.0
    kind = "relation" if DESIGNS[design].stratified else None
    strata = strata_of(graph.found, SampleRequest(design=design, strata=kind), None)
    for seed in range(draws):
        picked = pick(graph.found, SampleRequest(design=design, size=size, seed=seed), strata)
        low, high = interval_of(estimated(picked, graph.labels, clustered="clusters" in design))
        held += low <= truth <= high
        width += high - low
    return held / draws, width / draws


def zett(path: Path, draws: int) -> dict[str, dict[str, float]]:
    """Return of strata of evidence, on predicted triples, the share of the labels of a simple sample of equal width, and the coverage.

    The population is taken as infinite, as a simple sample of the same size is. The first 100 labels decide how the next 200 are shared out.
    """
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    # Where nothing was predicted, a mark of the side stands for it: that is no hit.
    sides = [
        TripleSet.from_lists(
            {
                str(at): [[row[f"{side}_{part}"] or side for part in ("head", "rel", "tail")]]
                for at, row in enumerate(rows)
            }
        )
        for side in ("pred", "gold")
    ]
    pred, gold = (items_of(family("triples"), side) for side in sides)
    found = population_of([pred])
    right = np.array([float(row["Label from ZETT"] == "TRUE") for row in rows])
    labels = right[[int(pred.documents[code]) for code in found.parts["document"].codes]]
    strata = Strata.of(*evidence_levels(found, gold))
    shares: dict[str, list[float]] = {"in proportion": [], "after 100 labels": []}
    held = dict.fromkeys(shares, 0)
    for seed in range(draws):
        first = pick(found, SampleRequest(design="strata", size=100, seed=seed), strata)
        spreads, drawn = {}, {}
        for stratum, name in enumerate(strata.names):
            own = labels[first.rows[strata.codes[first.rows] == stratum]]
            spreads[name], drawn[name] = spread_of(own), len(own)
        for name, before in (("in proportion", Before()), ("after 100 labels", Before(drawn, spreads))):
            picked = pick(found, SampleRequest(design="strata", size=300, seed=seed), strata, before)
            one = estimated(picked, labels, clustered=False, finite=False)
            low, high = interval_of(one)
            shares[name].append(len(picked.rows) / labels_for((high - low) / 2, one.value))
            low, high = interval_of(estimated(picked, labels, clustered=False))
            held[name] += low <= labels.mean() <= high
    return {name: {"labels": float(np.mean(some)), "coverage": held[name] / draws} for name, some in shares.items()}


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
