"""How often the two-level interval of repeated runs holds the true mean, on simulated runs.

    python benchmarks/two_level.py [--trials 1000] [--resamples 1000]

A run hits item i with probability logistic(a + run + item + interaction), all three normal. The true value is the mean of that
probability over many runs and items. The interval shall hold it in 92 to 97% of the trials; next to it is the interval of
one run only, which knows nothing of the other runs.
"""

from __future__ import annotations

import argparse

import numpy as np

from goldassay.core.counts import Counts
from goldassay.core.replication import part, replicates, spread
from goldassay.core.significance import Resampling, intervals
from goldassay.core.units import Units

CASES = {
    "between runs mostly": {"runs": 5, "items": 400, "run": 0.4, "item": 0.3},
    "between items mostly": {"runs": 5, "items": 100, "run": 0.05, "item": 2.0},
    "both": {"runs": 5, "items": 200, "run": 0.25, "item": 1.0},
    "three runs": {"runs": 3, "items": 200, "run": 0.25, "item": 1.0},
    "ten runs": {"runs": 10, "items": 200, "run": 0.25, "item": 1.0},
}
LEVEL = 0.3


def share(sums):
    return {"p": sums["hit"] / sums["n"]}


def logistic(x):
    return 1 / (1 + np.exp(-x))


def hits(random, *, runs, items, run, item):
    ability = (
        random.normal(0, run, (runs, 1)) + random.normal(0, item, (1, items)) + random.normal(0, 0.5, (runs, items))
    )
    return random.random((runs, items)) < logistic(LEVEL + ability)


def truth(run, item):
    return logistic(np.random.default_rng(0).normal(LEVEL, np.sqrt(run**2 + item**2 + 0.25), 4_000_000)).mean()


def units_of(row):
    return Units.of("item", map(str, range(len(row))), Counts({"hit": row.astype(float), "n": np.ones(len(row))}))


def coverage(case, trials, resamples):
    random, true = np.random.default_rng(1), truth(case["run"], case["item"])
    both = single = 0
    for trial in range(trials):
        found = hits(random, **case)
        runs = [units_of(row) for row in found]
        how = Resampling(resamples=resamples, seed=trial)
        drawn = replicates(runs, [{"p": row.mean()} for row in found], share, how)["p"]
        both += true in spread(part(drawn, range(len(runs)))).interval
        single += true in intervals(runs[0], share, Resampling(resamples=resamples, seed=trial))["p"]
    return both / trials, single / trials


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--resamples", type=int, default=1000)
    asked = parser.parse_args()
    print("| simulated | two-level | one run only |\n|---|---:|---:|")
    for name, case in CASES.items():
        both, single = coverage(case, asked.trials, asked.resamples)
        print(f"| {name}: {case['runs']} runs, {case['items']} items | {both:.1%} | {single:.1%} |", flush=True)


if __name__ == "__main__":
    main()
