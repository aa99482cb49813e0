"""Runs the tests of each change in a process that is forked for it, until one fails.

What goldassay and its tests import is imported once, and tests are collected once. They first run without a change, to
learn which places each of them runs, by a probe at each. A change inside a function is then made by giving the living function other code,
and is shown to the tests that run its place. Changes of what is run on import (defaults, constants, fields), and those
that survive though their place is run on import too, are imported anew.
"""

from __future__ import annotations

import ast
import builtins
import gc
import importlib.abc
import importlib.util
import os
import pickle
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from tests.mutants.mutate import PROBE, Mutant, changed, probed
from tests.mutants.targets import LONG, ROOT, SOURCE, is_lawful, is_near, tests

WORKERS = 2
# Seconds of tests, as measured without a change, that a change is shown to: the likeliest to see it come first.
BUDGET = 6
# A test that a change makes endless is stopped: after these seconds of a processor and five times what it takes else.
PATIENCE, MEMORY = 5, 16 * 2**30
LONGEST, ASSUMED = 1200, 5.0
KILLED, SURVIVED, SLOW = "killed", "survived", "timeout"
LOUD = os.dup(2)
Places = set[tuple[str, int]]


class Measured(NamedTuple):
    """What the tests do without a change.

    Attributes:
        seconds: How long each test takes.
        places: Which places it runs, by file and number.
    """

    seconds: dict[str, float]
    places: dict[str, Places]


class Outcome(NamedTuple):
    """What became of a change: which test failed, if one did."""

    mutant: Mutant
    outcome: str
    test: str = ""


class Order:
    """Which tests a change is shown to, and in which order.

    Args:
        measured: What the tests run.
        known: For changes by their keys, a test that killed them once: it comes first, then those of the file.
    """

    def __init__(self, measured: Measured, known: Mapping[str, str] | None = None) -> None:
        self.measured, self.known = measured, known
        self.kills: Counter[tuple[str, str]] = Counter()
        self.reached: defaultdict[tuple[str, int | None], set[str]] = defaultdict(set)
        for test, places in measured.places.items():
            for path, number in places:
                self.reached[path, number].add(test)
                self.reached[path, None].add(test)

    def of(self, mutant: Mutant) -> list[str]:
        """Choose short tests that killed changes of this file before, then those of this file, then others."""
        if self.known is not None:
            first = [test for test in [self.known.get(mutant.key)] if test in self.measured.seconds]
            near = (test for test in self.measured.seconds if is_near(test, mutant.path))
            return [*first, *sorted(near, key=lambda test: not test.startswith("src/"))]
        # What is run on import may be seen by all that runs the file.
        found = {*self.reached[mutant.path, mutant.place if mutant.function else None]}
        if not mutant.function:
            found |= {one for one in self.measured.seconds if is_near(one, mutant.path)}
        taken, spent = [], 0.0
        for test in sorted(found, key=lambda test: (self._cost(test, mutant.path), test)):
            spent += self.measured.seconds[test]
            # Importing anew takes seconds anyway.
            if spent < (BUDGET if mutant.function else 3 * BUDGET) or not taken:
                taken.append(test)
        return taken

    def _cost(self, test: str, path: str) -> float:
        seconds = self.measured.seconds[test] + 0.01
        return seconds / (1 + self.kills[test, path]) / (10 if is_near(test, path) else 1)


class Changed(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Imports one module of goldassay as another syntax tree, that ``make`` makes of its source."""

    def __init__(self, path: str, make: Callable[[str], ast.Module]) -> None:
        self.path, self.make = SOURCE / path, make
        parts = ("goldassay", *Path(path).with_suffix("").parts)
        self.name = ".".join(parts).removesuffix(".__init__")

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """Speak for that module only."""
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_filename(self, name: str) -> str:
        """Return where the source lies."""
        return str(self.path)

    def get_data(self, path: str) -> bytes:
        """Read the source."""
        return Path(path).read_bytes()

    def source_to_code(self, data: bytes, path: str, **_: object) -> object:
        """Compile the other tree."""
        return compile(self.make(data.decode()), path, "exec", dont_inherit=True)


class Living:
    """The functions of goldassay in this process, by file, name and first line."""

    def __init__(self) -> None:
        self.found: defaultdict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(str(SOURCE)):
                code = one.__code__
                self.found[code.co_filename, code.co_qualname, code.co_firstlineno].append(one)

    def of(self, mutant: Mutant) -> list[FunctionType]:
        """Find the function that a change lies in; none if it is run on import only."""
        return self.found.get((str(SOURCE / mutant.path), *mutant.function), []) if mutant.function else []

    def change(self, mutant: Mutant) -> None:
        """Give a function its changed code."""
        path = SOURCE / mutant.path
        code = compile(changed(path.read_text("utf-8"), mutant.place), path, "exec", dont_inherit=True)
        (new,) = (one for one in _functions(code) if (one.co_qualname, one.co_firstlineno) == mutant.function)
        for function in self.of(mutant):
            function.__code__ = new


def _functions(code: CodeType) -> Iterator[CodeType]:
    """Walk over the code of all functions of a module."""
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _functions(one)


class Session:
    """Collects tests, and gives them to ``work`` instead of running them all; ``result`` is what that returns."""

    def __init__(self, names: list[str], work: Callable[[Session, dict[str, Any]], Any]) -> None:
        self.names, self.work, self.result, self.failed = names, work, None, ""

    def collect(self, paths: list[str]) -> Any:
        """Collect the tests at these paths that concern the files."""
        import pytest

        chosen = " and ".join(f"not {part}" for part in LONG)
        # Not captured, since a child writes into nothing; the rest is what every run of pytest has.
        quiet = ["-q", "-s", "--assert=plain", "-p", "no:cacheprovider", "-k", chosen]
        code = pytest.main([*quiet, *paths], plugins=[self])
        if code not in (0, 5):
            self.failed = self.failed or f"collecting: pytest ended with {code}"
        return self.result

    def pytest_runtestloop(self, session: Any) -> bool:
        """Do the work; pytest calls it."""
        if session.testsfailed:
            self.failed = "collecting"
        else:
            items = [item for item in session.items if is_lawful(item, self.names)]
            self.result = self.work(self, {item.nodeid: item for item in items})
        return True

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a failure; pytest calls it."""
        if report.failed:
            self.failed = report.nodeid

    def run(self, items: Iterable[Any], limits: dict[str, float] | None = None) -> Iterator[tuple[str, float]]:
        """Run tests until one fails, and yield how long each took; one that takes far longer than its limit ends all."""
        items = list(items)
        for item, following in zip_longest(items, items[1:]):
            if limits is not None:
                signal.setitimer(signal.ITIMER_PROF, PATIENCE + 5 * limits[item.nodeid])
                # What waits for itself takes no time of a processor.
                signal.alarm(100 + int(50 * limits[item.nodeid]))
            start = time.process_time()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            yield item.nodeid, time.process_time() - start
            if self.failed:
                return


def pool(jobs: Iterable[tuple[Any, Callable[[], Any]]]) -> Iterator[tuple[Any, Any, float]]:
    """Run each job in a process of its own, a few at a time.

    Yields:
        What the job is about, what it returned (SLOW if it did not end), and its seconds.
    """
    waiting, running = iter(jobs), {}
    with tempfile.TemporaryDirectory() as folder:
        while True:
            while len(running) < WORKERS and (job := next(waiting, None)):
                process = os.fork()
                if not process:
                    _child(job[1], Path(folder))
                running[process] = (job[0], time.monotonic())
            if not running:
                return
            process, status = os.wait()
            about, start = running.pop(process)
            answer = Path(folder) / str(process)
            if not answer.exists() and os.WIFEXITED(status):
                raise RuntimeError(f"a process ended by itself: {about}")
            yield about, pickle.loads(answer.read_bytes()) if answer.exists() else SLOW, time.monotonic() - start


def _child(job: Callable[[], Any], folder: Path) -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nothing, stream)
    # What draws charts reserves addresses by the terabyte, and writes to few.
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    try:
        unready = folder / f"{os.getpid()}.part"
        unready.write_bytes(pickle.dumps(job()))
        unready.rename(folder / str(os.getpid()))
    except BaseException:
        os.write(LOUD, traceback.format_exc().encode())
        raise
    finally:
        os._exit(0)


def _measure(session: Session, items: list[Any], hit: Places) -> Measured | str:
    """Run tests without a change; the name of one that fails, if one does."""
    measured = Measured({}, {})
    # A copy of a process whose threads hold a lock waits for ever.
    signal.alarm(LONGEST)
    for test, took in session.run(items):
        measured.seconds[test], measured.places[test] = took, set(hit)
        hit.clear()
    return session.failed or measured


def _attempt(session: Session, items: list[Any], seconds: dict[str, float]) -> str:
    """Run the tests of a change; the name of the one that fails, or nothing."""

    for _ in session.run(items, seconds):
        pass
    return session.failed


def _living(mutant: Mutant, session: Session, items: list[Any], seconds: dict[str, float], living: Living) -> str:
    """Make a change in a copy of this process; the name of the test that fails, or nothing."""
    living.change(mutant)
    return _attempt(session, items, seconds)


def _imported(mutant: Mutant, chosen: list[str], seconds: dict[str, float]) -> str:
    """Import goldassay with a change; the name of the test that fails, or nothing."""

    def work(session: Session, items: dict[str, Any]) -> str:
        return _attempt(session, [items[test] for test in chosen if test in items], seconds)

    signal.setitimer(signal.ITIMER_PROF, 12 * PATIENCE)
    sys.meta_path.insert(0, Changed(mutant.path, partial(changed, place=mutant.place)))
    session = Session([mutant.path], work)
    session.collect(list(dict.fromkeys(test.partition("::")[0] for test in chosen)))
    return session.failed


def run(mutants: list[Mutant], record: Callable[[Outcome], None], known: Mapping[str, str] | None = None) -> None:
    """Record what becomes of each change.

    Args:
        mutants: The changes.
        record: What is called with each outcome, in one process at a time.
        known: As for `Order`: tests are then not run without a change first.

    Raises:
        RuntimeError: If a test fails without any change.
    """
    if not mutants:
        return
    ((_, answer, _),) = pool([(None, partial(_together, mutants, record, known))])
    if isinstance(answer, str):
        raise RuntimeError(f"without any change: {answer}")  # noqa: TRY004 - it is the name of the test that failed
    order, rest = answer
    _judge(((one, partial(_imported, one, order.of(one), order.measured.seconds)) for one in rest), order, record)


def _together(mutants: list[Mutant], record: Callable[[Outcome], None], known: Mapping[str, str] | None) -> Any:
    """Collect and measure tests, and make all changes that a copy of this process can show; return the others."""
    hit: Places = set()
    setattr(builtins, PROBE, hit.add)
    names = list(dict.fromkeys(one.path for one in mutants))
    sys.meta_path[:0] = [Changed(name, partial(probed, name)) for name in names]

    def work(session: Session, items: dict[str, Any]) -> Any:
        if any(task.read_text().startswith("polars") for task in Path("/proc/self/task").glob("*/comm")):
            return "a module of tests starts the threads of polars while it is collected, and a copy of them waits for ever"
        imported = set(hit)
        hit.clear()
        living = Living()
        gc.freeze()
        parts = [list(items.values())[start::WORKERS] for start in range(WORKERS if known is None else 0)]
        measured = Measured(dict.fromkeys(items, ASSUMED), {})
        for _, answer, _ in pool((None, partial(_measure, session, part, hit)) for part in parts):
            if isinstance(answer, str):
                return answer
            measured.seconds.update(answer.seconds)
            measured.places.update(answer.places)
        if known is None:
            os.write(LOUD, f"{len(items)} tests take {sum(measured.seconds.values()):.0f} s of a processor\n".encode())
        order = Order(measured, known)

        def jobs() -> Iterator[tuple[Mutant, Callable[[], str]]]:
            for one in mutants:
                if one not in here:
                    continue
                chosen = [items[test] for test in order.of(one)]
                yield one, partial(_living, one, session, chosen, measured.seconds, living)

        here = {one for one in mutants if living.of(one)}
        again = {one for one in here if (one.path, one.place) in imported}
        survived = _judge(jobs(), order, record, again)
        return order, [one for one in mutants if one not in here or one in survived]

    session = Session(names, work)
    return session.collect(_paths(mutants, names, known)) or session.failed


def _paths(mutants: list[Mutant], names: list[str], known: Mapping[str, str] | None) -> list[str]:
    """List the files of tests to collect: if killers are known, only theirs, and those near to the changes."""
    if known is None:
        return tests(names)
    killers = {known[one.key].partition("::")[0] for one in mutants if one.key in known}
    nearby = (
        path for path in tests(names) if any(is_near(path if "::" in path else f"{path}::", name) for name in names)
    )
    return sorted(
        {*nearby, *(path for path in killers if (ROOT / path).exists())}, key=lambda path: path.startswith("src/")
    )


def _judge(
    jobs: Iterable[tuple[Mutant, Callable[[], str]]],
    order: Order,
    record: Callable[[Outcome], None],
    again: Collection[Mutant] = (),
) -> set[Mutant]:
    """Record what becomes of changes, but for those that survive and are tried again: return these."""
    left = set()
    for mutant, test, _ in pool(jobs):
        if not test and mutant in again:
            left.add(mutant)
            continue
        order.kills[test, mutant.path] += 1
        record(Outcome(mutant, SURVIVED if not test else SLOW if test == SLOW else KILLED, test))
    return left
