"""Change the code bit by bit, and list the changes that no test sees: ``python -m tests.mutants [--sample N] [FILE ...]``.

Each change is made in memory, in a process that is forked from this one before goldassay is imported, and is gone with
it. The tests of its file run until one fails. See docs/testing.md.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.util
import os
import signal
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.mutants.mutate import Mutant, changed, mutants
from tests.mutants.targets import ROOT, SOURCE, targets

WORKERS = 2
# A test that a change makes endless is stopped: after this and thrice what it takes without a change.
PATIENCE = 20
LONGEST = 600
# A sample is for CI, where the whole suite has just passed: these tests alone show that nothing fails by itself.
QUICK = ("tests/core/test_counts.py",)
ASSUMED = 20
CACHE = ".pytest_cache/mutants"
# Tests of seconds, about the whole of a method; what they would see, shorter ones see too.
LONG = "not 93_to_97 and not under_the_null and not exact_test_where and not whatever_the_threads"
# The share of changes that must be seen, or be listed: to be raised as tests are added.
BAR = 0.7
KILLED, SURVIVED, SLOW = "killed", "survived", "timeout"
OUTCOMES = {0: SURVIVED, 1: KILLED, 2: KILLED, -signal.SIGALRM: SLOW}
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
OPEN = Path(__file__).with_name("open.txt")
# Imported once, so that each process need not; none of them starts a thread by being imported.
SHARED = ("hypothesis.strategies", "networkx", "numpy", "pandas", "polars", "pyoxigraph", "pytest", "rapidfuzz", "rich",
          "scipy.optimize", "scipy.sparse.csgraph", "scipy.stats", "typer")  # fmt: skip


class Changed(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Imports one module of goldassay with a change."""

    def __init__(self, mutant: Mutant) -> None:
        self.path = SOURCE / mutant.path
        parts = ("goldassay", *Path(mutant.path).with_suffix("").parts)
        self.name = ".".join(parts).removesuffix(".__init__")
        self.place = mutant.place

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """Speak for that module alone."""
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_filename(self, name: str) -> str:
        """Tell where the source lies."""
        return str(self.path)

    def get_data(self, path: str) -> bytes:
        """Read the source."""
        return Path(path).read_bytes()

    def source_to_code(self, data: bytes, path: str, **_: object) -> object:
        """Compile the source with the change."""
        return compile(changed(data.decode(), self.place), path, "exec")


def fork(mutant: Mutant | None, tests: list[str], alarm: int) -> int:
    """Run tests in a process of their own."""
    process = os.fork()
    if process:
        return process
    signal.alarm(alarm)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    import pytest

    if mutant:
        sys.meta_path.insert(0, Changed(mutant))
    code = pytest.main(["-x", "-q", "--assert=plain", "-o", f"cache_dir={CACHE}", "-k", LONG, *tests])
    os._exit(int(code))


def run(jobs: list[tuple[Mutant | None, list[str], int]]) -> Iterator[tuple[Mutant | None, list[str], str, float]]:
    """Run all, a few at a time.

    Yields:
        The change, its tests, what became of it, and the seconds it took.

    Raises:
        RuntimeError: If pytest did not run the tests at all.
    """
    waiting, running = list(reversed(jobs)), {}
    while waiting or running:
        while waiting and len(running) < WORKERS:
            mutant, tests, alarm = waiting.pop()
            running[fork(mutant, tests, alarm)] = (mutant, tests, time.monotonic())
        process, status = os.wait()
        mutant, tests, start = running.pop(process)
        code = os.waitstatus_to_exitcode(status)
        if code not in OUTCOMES and code >= 0:
            raise RuntimeError(f"pytest {' '.join(tests)} ended with {code}")
        yield mutant, tests, OUTCOMES.get(code, KILLED), time.monotonic() - start


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, help="run a fixed sample of this size")
    parser.add_argument("--list", action="store_true", help="list the changes, and run none")
    parser.add_argument("only", nargs="*", help="files or folders from src/goldassay; default: all")
    options = parser.parse_args()
    known = targets()
    chosen = {name: tests for name, tests in known.items() if not options.only or name.startswith(tuple(options.only))}
    found = [one for name in chosen for one in mutants(name, (SOURCE / name).read_text("utf-8"))]
    if options.sample:
        found = sorted(
            sorted(found, key=lambda one: one.order)[: options.sample], key=lambda one: (one.path, one.place)
        )
    if options.list:
        print(*(one.key for one in found), sep="\n")
        return 0
    os.chdir(ROOT)
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    os.environ["PYTHONPATH"] = os.pathsep.join([str(SOURCE.parent), os.environ.get("PYTHONPATH", "")])
    sys.path.insert(0, str(SOURCE.parent))
    for name in SHARED:
        importlib.import_module(name)
    return report(found, chosen, {QUICK} if options.sample else {shared(chosen[one.path]) for one in found})


def shared(tests: list[str]) -> tuple[str, ...]:
    """Return the tests of a file without the examples in it, which files of one folder share."""
    return tuple(one for one in tests if not Path(one).is_relative_to(SOURCE)) or tuple(tests)


def report(found: list[Mutant], chosen: dict[str, list[str]], tried: set[tuple[str, ...]]) -> int:
    """Run the changes and say what became of them; 1 if more than a few survived that neither list names.

    Args:
        found: The changes.
        chosen: The tests of each file.
        tried: Tests that are run first without a change, which they must pass.
    """
    equivalent = tomllib.loads(EQUIVALENT.read_text("utf-8"))
    known = set(OPEN.read_text("utf-8").splitlines())
    alarms = {}
    for _, tests, outcome, seconds in run([(None, list(tests), LONGEST) for tests in sorted(tried)]):
        if outcome != SURVIVED:
            print(f"without any change, {outcome}: {' '.join(tests)}")
            return 2
        alarms[tuple(tests)] = int(3 * seconds)
    jobs = [(one, chosen[one.path], PATIENCE + alarms.get(shared(chosen[one.path]), ASSUMED)) for one in found]
    tally: dict[str, Counter[str]] = {}
    unexplained = []
    for mutant, _, outcome, seconds in run(jobs):
        explained = outcome == SURVIVED and mutant.key in equivalent
        tally.setdefault(mutant.path.partition("/")[0], Counter())["equivalent" if explained else outcome] += 1
        if outcome == SURVIVED and not explained:
            unexplained += [mutant.key] if mutant.key not in known else []
            print(
                f"{'open' if mutant.key in known else 'survived'}  {SOURCE / mutant.path}:{mutant.line}\n  {mutant.key}  ({seconds:.1f} s)",
                flush=True,
            )
    for folder, counts in tally.items():
        judged = counts.total() - counts["equivalent"]
        share = (counts[KILLED] + counts[SLOW]) / judged if judged else 1.0
        print(f"{folder:12} {share:7.1%} killed of {judged}, and {counts['equivalent']} equivalent")
    return int(len(unexplained) > (1 - BAR) * len(found))


if __name__ == "__main__":
    sys.exit(main())
