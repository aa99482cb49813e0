"""Processes that are forked after Polars had started: an error, and no wait without end; and all that needs no Polars works."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from goldassay.families import kinds

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = {"alignment": "alignments"}
PAGE = """
import multiprocessing, os, signal, sys
import goldassay

def score(path):
    return goldassay.evaluate(path, gold="gold.csv", kind="taxonomy", measures="literal")["literal"].f1

def outcome(path):
    signal.alarm(30)
    try:
        return score(path)
    except goldassay.GoldassayError as error:
        return type(error).__name__ + ": " + error.hint

if __name__ == "__main__":
    {}
"""
"""A program that scores in workers; a worker that waits is killed, and the program with it."""


def printed(folder, *lines):
    (folder / "gold.csv").write_text("child,parent\ncat,pet\ndog,pet\n")
    (folder / "pred.csv").write_text("child,parent\ncat,pet\nmouse,pet\n")
    (folder / "page.py").write_text(PAGE.replace("{}", "\n    ".join(lines)))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "page.py"],
        cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


# One worker shows it; each that is spawned starts Python anew.
POOL = "with multiprocessing.get_context('{}').Pool(1) as pool: print(pool.map(outcome, {}))"
FILES = "['pred.csv', 'gold.csv']"


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are listed on Linux")
def test_a_worker_that_is_forked_after_a_table_was_read_says_what_to_do(tmp_path):
    lines = printed(tmp_path, "score('pred.csv')", POOL.format("fork", FILES))
    assert lines.count('UsageError: multiprocessing.get_context("spawn")') == 2


def test_what_the_hint_says_works(tmp_path):
    lines = printed(
        tmp_path,
        "with multiprocessing.get_context('fork').Pool(1) as pool: score('pred.csv'); print(pool.map(outcome, ['pred.csv']))",
        POOL.format("spawn", FILES),
        "from concurrent.futures import ProcessPoolExecutor",
        f"with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context('spawn')) as pool: print([*pool.map(outcome, {FILES})])",
    )
    assert lines == "[0.5]\n[0.5, 1.0]\n[0.5, 1.0]\n"


def test_a_worker_that_is_forked_after_a_mere_import_works(tmp_path):
    frames = "import polars; polars.DataFrame({'a': [1]})"
    assert printed(tmp_path, frames, POOL.format("fork", FILES)) == "[0.5, 1.0]\n"


def test_a_forked_worker_that_needs_no_table_works(tmp_path):
    lines = printed(
        tmp_path,
        "score('pred.csv')",
        "gold = goldassay.Graph.from_edges([('cat', 'pet'), ('dog', 'pet')])",
        "score = lambda pred: goldassay.evaluate([('cat', 'pet')], gold=gold, measures=['literal', 'fuzzy'], encoder='hashing')['literal'].f1",
        POOL.format("fork", "[1, 2]"),
    )
    assert lines == "[0.6666666666666666, 0.6666666666666666]\n"


EVERY = """
def use(kind, path):
    report = goldassay.evaluate(path, gold=path, kind=kind, encoder="hashing", selfcheck=False)
    report.to_frame(), report.evidence()
for kind, path in {files!r}:
    for turn in range(2):
        child = os.fork() if turn else 0
        if turn and child:
            print(kind, path, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            break
        signal.alarm(60)
        code = 0
        try:
            use(kind, path)
        except goldassay.UsageError as error:
            code = 3
        except goldassay.GoldassayError:
            code = 2
        if turn:
            os._exit(code)
"""
"""Each file is scored in this process, then in a forked one: 3 if that is refused, a negative number if it waits."""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are listed on Linux")
def test_no_file_of_the_examples_makes_a_forked_process_wait(tmp_path):
    files = [
        (kind, str(path))
        for kind in kinds()
        for path in sorted((ROOT / "examples" / EXAMPLES.get(kind, "unl" if kind == "sentences" else kind)).iterdir())
        if path.is_file()
    ]
    lines = EVERY.replace("{files!r}", repr(files)).strip().splitlines()
    codes = [line.rsplit(" ", 1) for line in printed(tmp_path, *lines).splitlines()]
    assert len(codes) == len(files)
    assert {code for _, code in codes} == {"2", "3"}, codes
