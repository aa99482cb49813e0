"""Change the code bit by bit, and list the changes that no test sees: ``python -m tests.mutants [--sample N] [FILE ...]``.

Each change is made in memory, in a process that is forked for it, and is gone with it. The tests that run its line are
run until one fails. See docs/testing.md.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import tempfile
import tomllib
from collections import Counter
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from tests.mutants import runner
from tests.mutants.mutate import Mutant, mutants
from tests.mutants.runner import KILLED, SLOW, SURVIVED, Outcome, run
from tests.mutants.targets import ROOT, SOURCE, folder_of, targets

# The share of changes that must be seen, or be listed.
BAR = 0.95
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
OPEN = Path(__file__).with_name("open.txt")
# For each change of the sample, the test that killed it when it was last written.
KILLERS = Path(__file__).with_name("killers.tsv")
# Imported once, so that each process need not; none of them starts a thread by being imported.
SHARED = ("hypothesis.strategies", "networkx", "numpy", "pandas", "polars", "pyoxigraph", "pytest", "rapidfuzz", "rich",
          "scipy.optimize", "scipy.sparse.csgraph", "scipy.stats", "typer")  # fmt: skip


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, help="run a fixed sample of this size")
    parser.add_argument("--seed", default="", help="draw another sample than that of CI")
    parser.add_argument("--list", action="store_true", help="list the changes, and run none")
    parser.add_argument("--record", type=Path, help="write what became of each change here, and skip what was killed")
    parser.add_argument(
        "--remember",
        action="store_true",
        help="find a test for each change of the sample that has none, and write them to killers.tsv",
    )
    parser.add_argument("--workers", type=int, default=runner.WORKERS, help="how many processes run tests")
    parser.add_argument("only", nargs="*", help="files or folders from src/goldassay; default: all")
    options = parser.parse_args()
    runner.WORKERS = options.workers
    chosen = [name for name in targets() if not options.only or name.startswith(tuple(options.only))]
    found = [one for name in chosen for one in mutants(name, (SOURCE / name).read_text("utf-8"))]
    there = {one.key for one in found}
    if options.sample:
        found = sampled(found, options.sample, options.seed)
    if options.list:
        print(*(one.key for one in found), sep="\n")
        return 0
    os.chdir(ROOT)
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    # Other runs of tests clear away old folders of the usual place while these run.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.mkdtemp(prefix="mutants-"))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(SOURCE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    sys.path.insert(0, str(SOURCE.parent))
    for name in SHARED:
        importlib.import_module(name)
    record = options.record or ROOT / "build" / "mutants.jsonl"
    if not options.record:
        record.unlink(missing_ok=True)
    record.parent.mkdir(exist_ok=True)
    killers = dict(line.split("\t") for line in KILLERS.read_text("utf-8").splitlines())
    tried = found
    if options.sample and not options.only:
        # What a list names is counted, and not run again; the others are shown to the test that killed them, and to those nearby.
        tried = [one for one in found if one.key not in equivalent() | still_open()]
        run(undecided(tried, record), lambda one: write(one, record), killers)
    if options.remember or not options.sample or options.only:
        # The tests of one folder first run without a change.
        for part in by_folder(undecided(tried, record)):
            run(part, lambda one: write(one, record))
    ended = outcomes(record)
    if options.remember:
        tests = {key: test for key, test in killers.items() if key in there or options.only}
        tests |= {one.key: ended[one.key].test for one in tried if ended[one.key].outcome == KILLED}
        KILLERS.write_text("".join(f"{key}\t{test}\n" for key, test in sorted(tests.items())), "utf-8")
    return report(found, ended)


def undecided(found: list[Mutant], record: Path) -> list[Mutant]:
    """List the changes that no test is known to see."""
    ended = outcomes(record)
    return [one for one in found if ended.get(one.key, Ended("", "")).outcome not in (KILLED, SLOW)]


def equivalent() -> set[str]:
    """List the changes that no test can see."""
    return {key for same in tomllib.loads(EQUIVALENT.read_text("utf-8"))["same"] for key in same["changes"]}


def still_open() -> set[str]:
    """List the changes for which a test is missing."""
    return set(OPEN.read_text("utf-8").splitlines())


def by_folder(found: list[Mutant]) -> list[list[Mutant]]:
    """Divide changes by their folders."""
    folders: dict[str, list[Mutant]] = {}
    for one in found:
        folders.setdefault(folder_of(one.path), []).append(one)
    return list(folders.values())


def sampled(found: list[Mutant], size: int, seed: str = "") -> list[Mutant]:
    """Take as many changes of each folder, as far as it has them."""
    turns = zip_longest(*(sorted(part, key=lambda one: one.order(seed)) for part in by_folder(found)))
    drawn = [one for turn in turns for one in turn if one is not None]
    return sorted(drawn[:size], key=lambda one: (one.path, one.place))


class Ended(NamedTuple):
    """What became of a change."""

    outcome: str
    test: str


def outcomes(record: Path) -> dict[str, Ended]:
    """Read what became of changes, by their keys."""
    lines = record.read_text("utf-8").splitlines() if record.exists() else []
    return {one["change"]: Ended(one["outcome"], one["test"]) for one in map(json.loads, lines)}


def write(one: Outcome, record: Path) -> None:
    """Note what became of a change; processes do so in turn."""
    with record.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"change": one.mutant.key, "outcome": one.outcome, "test": one.test}) + "\n")


def report(found: list[Mutant], ended: dict[str, Ended]) -> int:
    """Say what became of the changes; 1 if more than a few of those that are not equivalent survived."""
    same, known = equivalent(), still_open()
    tally: dict[str, Counter[str]] = {}
    for one in found:
        outcome = ended.get(one.key, Ended(SURVIVED, "")).outcome
        explained = outcome == SURVIVED and one.key in same
        tally.setdefault(folder_of(one.path), Counter())["equivalent" if explained else outcome] += 1
        if one.key in same | known and outcome != SURVIVED:
            print(f"{outcome}, and should leave its list  {one.key}")
        if outcome == SURVIVED and not explained:
            print(f"{'open' if one.key in known else 'survived'}  {SOURCE / one.path}:{one.line}\n  {one.key}")
    total = sum(tally.values(), Counter())
    for folder, counts in [*tally.items(), ("all", total)]:
        judged = counts.total() - counts["equivalent"]
        share = (counts[KILLED] + counts[SLOW]) / judged if judged else 1.0
        print(f"{folder:12} {share:7.1%} killed of {judged}, and {counts['equivalent']} equivalent")
    return int(total[SURVIVED] > (1 - BAR) * (total.total() - total["equivalent"]))


if __name__ == "__main__":
    sys.exit(main())
