"""10,000 resamples next to scipy's bootstrap of the same figure, in one run.

    python benchmarks/resampling.py [--sizes 1000 100000 1000000] [--resamples 10000] [--scipy-up-to 100000]

Two kinds of units: edges that are hits or not, and units with a credit of their own, no two alike. Every contender runs in
a process of its own and reports its peak memory; times are medians of three, of scipy's (which is slow) a single run.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time

import numpy as np

RUNS = 3


def made(kind, size):
    random = np.random.default_rng(1)
    return (random.random(size) < 0.4).astype(float) if kind == "hits" else random.random(size)


def goldassay_intervals(values, resamples):
    from goldassay.core.counts import Counts
    from goldassay.core.significance import Resampling, intervals
    from goldassay.core.units import Units

    units = Units.of("edge", map(str, range(len(values))), Counts({"hit": values, "n": np.ones(len(values))}))
    begin = time.perf_counter()
    found = intervals(units, lambda sums: {"p": sums["hit"] / sums["n"]}, Resampling(resamples=resamples))["p"]
    return time.perf_counter() - begin, (found.low, found.high)


def goldassay_compare(values, resamples):
    from goldassay.core.counts import Counts
    from goldassay.core.significance import Resampling, compare
    from goldassay.core.units import Units

    keys = list(map(str, range(len(values))))
    first, second = (Units.of("edge", keys, Counts({"hit": v, "n": np.ones(len(v))})) for v in (values, values[::-1]))
    begin = time.perf_counter()
    found = compare(first, second, lambda sums: {"p": sums["hit"] / sums["n"]}, Resampling(resamples=resamples))["p"]
    return time.perf_counter() - begin, (found.p_randomisation, found.p_bootstrap)


def scipy_bootstrap(values, resamples):
    from scipy.stats import bootstrap

    begin = time.perf_counter()
    found = bootstrap((values,), np.mean, n_resamples=resamples, batch=50, method="BCa", rng=1).confidence_interval
    return time.perf_counter() - begin, (float(found.low), float(found.high))


CONTENDERS = {
    "goldassay interval": goldassay_intervals,
    "goldassay test": goldassay_compare,
    "scipy interval": scipy_bootstrap,
}


def one(name, kind, size, resamples):
    seconds, figures = CONTENDERS[name](made(kind, size), resamples)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return json.dumps({"seconds": seconds, "figures": figures, "peak": peak})


def run(name, kind, size, resamples):
    command = [sys.executable, __file__, "--one", name, kind, str(size), str(resamples)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 100_000, 1_000_000])
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--scipy-up-to", type=int, default=100_000)
    parser.add_argument("--one", nargs=4)
    options = parser.parse_args()
    if options.one:
        name, kind, *numbers = options.one
        print(one(name, kind, *map(int, numbers)))
        return
    for kind in ("hits", "credits"):
        for size in options.sizes:
            for name in CONTENDERS:
                slow = name.startswith("scipy")
                if (slow and size > options.scipy_up_to) or (kind == "credits" and size > 100_000):
                    continue
                runs = [run(name, kind, size, options.resamples) for _ in range(1 if slow else RUNS)]
                seconds = statistics.median(found["seconds"] for found in runs)
                figures = ", ".join(f"{value:.4f}" for value in runs[0]["figures"])
                print(
                    f"{kind:8} {size:>9,}  {name:15} {seconds:8.3f} s {runs[0]['peak']:6.0f} MiB   {figures}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
