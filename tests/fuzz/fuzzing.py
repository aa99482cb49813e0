"""Hostile input on purpose: files of a small corpus, damaged in every way, given to every reader.

Run by ``make fuzz SECONDS=60 SEED=0``, or ``python -m tests.fuzz``. What an input may do: be read, or be refused with a
`GoldassayError` that names what to do. What it may not: raise anything else, end the process, take longer than `SLOWEST`
seconds, or break what must be true of it (``targets.py``).
An input that does is kept under ``regressions/TARGET/`` and from then on replayed by ``test_regressions.py``.

First the scanners are timed on long inputs (``growth.py``), and the surroundings are changed (``surroundings.py``). Then
each core runs a process that tries all readers in turn. A reader that aborts costs one input: the process starts again.
"""

import argparse
import faulthandler
import hashlib
import multiprocessing
import os
import queue
import random
import re
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

from tests.fuzz import forms, growth, memory, mutators, surroundings, targets
from tests.fuzz.targets import TARGETS, corpus
from tests.fuzz.ways import FAST, Reach, functions, label

from goldassay.core.errors import LONGEST_PART, GoldassayError

REGRESSIONS = targets.HERE / "regressions"
SLOWEST = 30
"""Seconds of processor time; the largest input has some hundred kilobytes, and reads in milliseconds if it takes linear time."""
INPUTS, TRACE = "inputs", "trace"
"""In the folder of a process: where its input is, and where it was when it took too long."""
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of files of our own is made in it
BINARY = (".parquet", ".npz", ".sqlite", ".xlsx")
NOT_OF_FILES = (
    "spec",
    "gate",
    "runs",
    "cache",
    "objects",
    "submission",
    "command",
    "function",
    "kept",
    *(f"{kind} forms" for kind in forms.FORMS),
)
# What is wrong with a whole file is on none of its lines.
WHOLE = re.compile(
    "The (file|page|hierarchy|ontology|dictionary|document|table|folder)( of [a-z]+)? (is (empty|binary|a |no )|contains no|holds no|has no|has metadata)"
    "|The gzip archive|The unpacked|This is not a NumPy|Neither the predictions|A dictionary must be|This JSON (is|holds) no"
)
PLACE = re.compile(r"^(record|mapping|graph|node|edge|relation|row) \d|[\w.]+\[\d+\]|^\w+(\.\w+)*: ")
"""How a refusal says where it is in JSON, which has records and keys."""
SHOWN = 20
DRAWN, DAMAGED = 0.4, 0.7
"""The share of files that a grammar draws, where a target has one, and the share of these that is damaged."""
LONG = 600
"""Seconds from which on the memory of every form is measured, too, which takes minutes."""
ENOUGH = 2_000
"""Inputs of each target that come before the time is shared evenly: a busy machine must not take them from slow targets."""
AT_A_TIME = 10
"""Inputs of one target in a row."""
WATCHED = 19
"""One input in so many is watched: which functions it enters."""


def inputs(target: str, seed: int) -> Iterator[tuple[str, bytes]]:
    """Draw inputs of a target without end: a name and a content; none twice."""
    files, grammars = corpus(target), TARGETS[target].grammars
    draw = random.Random(f"{target} {seed}")
    seen: set[int] = set()
    while True:
        drawn = grammars and draw.random() < DRAWN
        name, data = forms.drawn_file(draw.choice(grammars), draw) if drawn else draw.choice(files)
        if not drawn or draw.random() < DAMAGED:
            data = mutators.mutated(name, data, draw.choice(files)[1], draw)
        key = hash((name, data))
        if key not in seen:
            seen.add(key)
            yield name, data


def tried(target: str, path: Path) -> GoldassayError | str | None:
    """Give one input to its reader; return how it is refused, or what it did that it may not."""
    try:
        TARGETS[target].check(path)
    except GoldassayError as error:
        cause = error.__cause__
        if isinstance(cause, GoldassayError) and cause.message not in error.message:
            return f"{error}\nhides its cause: {cause}"
        return error if error.message and str(error).encode() else "an empty message"
    except KeyboardInterrupt:
        raise
    except BaseException:  # a panic of Rust is no Exception
        return traceback.format_exc(limit=-6)
    return None


def keep(target: str, path: Path) -> Path:
    """Keep an input that failed."""
    data = path.read_bytes()
    kept = REGRESSIONS / target / f"{hashlib.sha256(data).hexdigest()[:12]}-{path.name}"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(data)
    return kept


def lacks(error: GoldassayError, name: str) -> Iterator[str]:
    """Name what a refusal should say and does not."""
    if (
        error.line is None
        and not name.endswith(BINARY)
        and not WHOLE.match(error.message)
        and not PLACE.search((error.found or "")[:LONGEST_PART])
    ):
        yield "line"
    if not error.expected and not error.hint:
        yield "expected or hint"


class Tally:
    """What one process has seen."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.seconds: Counter[str] = Counter()
        self.slowest: dict[str, tuple[float, str]] = {}
        self.lacking: Counter[tuple[str, str, str]] = Counter()
        self.reach = Reach()

    def add(self, target: str, name: str, data: bytes, outcome: object, took: float) -> None:
        self.counts[target, "inputs"] += 1
        self.seconds[target] += took
        self.slowest[target] = max(self.slowest.get(target, (0.0, "")), (took, f"{name}, {len(data):,} bytes"))
        if isinstance(outcome, GoldassayError):
            self.counts[target, "refused"] += 1
            for what in lacks(outcome, name) if target not in NOT_OF_FILES else ():
                self.counts[target, what] += 1
                self.lacking[target, what, outcome.message] += 1

    def merge(self, other: "Tally") -> None:
        self.counts += other.counts
        self.seconds += other.seconds
        self.lacking += other.lacking
        self.reach.merge(other.reach)
        for target, slow in other.slowest.items():
            self.slowest[target] = max(self.slowest.get(target, (0.0, "")), slow)


def work(
    names: list[str],
    seed: int,
    seconds: float,
    folder: str,
    *,
    enough: int,
    beat: Synchronized,
    found: multiprocessing.Queue,
) -> None:
    """Try inputs of all targets for a while, in a process of its own."""
    # A panic prints a trace, and there are thousands of them.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    # An input that takes too long ends the process: the trace says where.
    with Path(folder, TRACE).open("w") as trace:
        faulthandler.register(signal.SIGPROF, file=trace, chain=True)
        try:
            try_inputs(names, seed, seconds, str(Path(folder, INPUTS)), enough=enough, beat=beat, found=found)
        except BaseException:
            found.put(("failed", f"The check itself failed.\n{traceback.format_exc()}"))
            raise


def try_inputs(
    names: list[str],
    seed: int,
    seconds: float,
    folder: str,
    *,
    enough: int,
    beat: Synchronized,
    found: multiprocessing.Queue,
) -> None:
    """Try inputs of all targets for a while: the fewest first until each had enough, then each has the same share of the time."""
    warnings.simplefilter("ignore")
    targets.sampling["share"] = 1.0
    streams = {name: inputs(name, seed) for name in names}
    begun, tally = time.monotonic(), Tally()
    tally.reach.watch()
    while time.monotonic() - begun < seconds:
        fewest = min(names, key=lambda name: tally.counts[name, "inputs"])
        few = tally.counts[fewest, "inputs"] < enough
        target = fewest if few else min(names, key=lambda name: tally.seconds[name])
        for _ in range(AT_A_TIME):
            name, data = next(streams[target])
            path = Path(folder, name)
            path.write_bytes(data)
            # Processor time, which a busy machine does not take away; what only waits is seen by the parent.
            signal.setitimer(signal.ITIMER_PROF, SLOWEST)
            beat.value += 1
            begin = time.process_time()
            with tally.reach.watched() if beat.value % WATCHED == 0 else nullcontext():
                outcome = tried(target, path)
            took = time.process_time() - begin
            if isinstance(outcome, str):
                path.write_bytes(data)
                found.put(("failed", f"{keep(target, path)}\n{outcome}"))
                tally.counts[target, "found"] += 1
            tally.add(target, name, data, outcome, took)
            path.unlink()
    signal.setitimer(signal.ITIMER_PROF, 0)
    found.put(("done", tally))


def fuzz(names: list[str], seed: int, seconds: float, enough: int) -> tuple[Tally, list[str]]:
    """Run one process after another: a new one behind an input that ended one, or that it waits for."""
    context, tally, problems = multiprocessing.get_context("spawn"), Tally(), []
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
            Path(folder, INPUTS).mkdir()
            found, beat = context.Queue(), context.Value("Q", 0, lock=False)
            process = context.Process(
                target=work,
                args=(names, seed, left, folder),
                kwargs={"enough": enough, "beat": beat, "found": found},
            )
            process.start()
            last, since, done = -1, time.monotonic(), False
            while process.is_alive() or not found.empty():
                if beat.value != last:
                    last, since = beat.value, time.monotonic()
                elif time.monotonic() - since > 10 * SLOWEST:
                    process.kill()
                try:
                    kind, what = found.get(timeout=0.5)
                except queue.Empty:
                    continue
                if kind == "failed":
                    problems.append(what)
                else:
                    done = True
                    tally.merge(what)
            process.join()
            if not done:
                trace = Path(folder, TRACE).read_text() if Path(folder, TRACE).exists() else ""
                ended = f"the process ended with {process.exitcode} ({-signal.SIGPROF}: more than {SLOWEST} s)\n{trace}"
                home = "ended"
                problems += [
                    f"{keep(home, path)}\n{ended}" for path in Path(folder, INPUTS).iterdir() if path.is_file()
                ] or [ended]
                if not beat.value:
                    # It did not get as far as the first input, nor would the next one.
                    break
        seed += 1_000_003
    return tally, problems


def show(tally: Tally, *, lacking: bool) -> None:
    """Print one line a target: what it was given, and what its refusals say."""
    head = f"{'target':<18}{'inputs':>10}{'found':>7}{'refused':>9}{'no line':>9}{'no hint':>9}{'ms each':>9}  slowest"
    sys.stdout.write(head + "\n")
    for target in TARGETS:
        number = tally.counts[target, "inputs"]
        if not number:
            continue
        refused = tally.counts[target, "refused"]
        shares = [tally.counts[target, what] / max(refused, 1) for what in ("line", "expected or hint")]
        took, what = tally.slowest[target]
        each = 1000 * tally.seconds[target] / number
        columns = f"{shares[0]:>9.1%}{shares[1]:>9.1%}{each:>9.2f}"
        sys.stdout.write(
            f"{target:<18}{number:>10,}{tally.counts[target, 'found']:>7}{refused / number:>9.1%}{columns}  {took:.2f} s ({what})\n"
        )
    few = [target for target in TARGETS if 0 < tally.counts[target, "inputs"] < ENOUGH]
    sys.stdout.write(f"\nfewer than {ENOUGH:,} inputs: {', '.join(few) or 'no target'}\n")
    if lacking:
        for (target, what, message), number in tally.lacking.most_common(100):
            sys.stdout.write(f"{number:>7} {target} lacks {what}: {message}\n")


def show_reach(reach: Reach) -> None:
    """Print which fast ways answered, and which functions that read files were never entered."""
    sys.stdout.write("\nfast way, answers of calls\n")
    for way in FAST:
        name = label(way)
        answers, others = reach.answers[name, True], reach.answers[name, False]
        sys.stdout.write(f"{name:<60}{answers:>10,} of {answers + others:>10,}{'' if answers else '  NEVER'}\n")
    every = functions()
    missed = sorted(every - reach.entered)
    sys.stdout.write(
        f"\n{len(every) - len(missed):,} of {len(every):,} functions that read files were entered; not entered:\n"
    )
    sys.stdout.writelines(f"  {file} {name}\n" for file, name in missed)


def main() -> int:
    """Run everything; 1 if anything was found."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--target", action="append", choices=TARGETS)
    options.add_argument("--lacking", action="store_true", help="list the refusals without a line or a hint")
    options.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    given = options.parse_args()
    names = given.target or list(TARGETS)
    problems: list[str] = []
    if not given.target:
        problems += growth.problems(given.processes)
        if given.seconds >= LONG:
            problems += memory.problems()
        problems += surroundings.problems(given.seed)
    cores, tally = given.processes, Tally()
    enough = -(-ENOUGH // cores)
    with ThreadPoolExecutor(cores) as pool:
        for one, found in pool.map(
            lambda row: fuzz(names, given.seed + row * 7919, given.seconds, enough), range(cores)
        ):
            tally.merge(one)
            problems += found
    show(tally, lacking=given.lacking)
    show_reach(tally.reach)
    alike: dict[str, str] = {}
    for problem in problems:
        alike.setdefault(problem.strip().rpartition("\n")[2], problem)
    sys.stdout.write("".join(f"\n{problem}\n" for problem in [*alike.values()][:SHOWN]))
    total = sum(number for (_, what), number in tally.counts.items() if what == "inputs")
    sys.stdout.write(f"\n{total:,} inputs, {len(problems)} found\n")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
