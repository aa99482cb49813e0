"""Processes are ended when they take too much, and with whoever started them."""

import asyncio
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("starlette")

from tests.report.pages import wait_until

from goldassay.serve.processes import run_watched
from goldassay.serve.queue import WORKER

SLEEP = "import time; time.sleep(600)"


def in_a_loop(work):
    # A thread of its own, since a browser of another test holds the loop of this one.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def run(tmp_path, statement, **limits):
    arguments = ["timeit", "-n", "1", "-r", "1", statement]
    return in_a_loop(run_watched(arguments, folder=tmp_path, environment={"SEEN": "yes"}, **limits))


BUSY = "while True: pass"


@pytest.mark.parametrize(
    "statement", [BUSY, f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BUSY!r}])"]
)
def test_what_takes_too_much_of_the_processor_is_killed(tmp_path, statement):
    found = run(tmp_path, statement, seconds=0.5)
    assert (found.code, found.over) == (-9, "time")


def test_a_busy_machine_is_waited_for_and_not_without_end(tmp_path):
    found = run(tmp_path, SLEEP, seconds=0.1)
    assert (found.code, found.over) == (-9, "clock")
    assert run(tmp_path, "import time; time.sleep(1)", seconds=0.5).over == ""


def test_what_takes_too_much_memory_is_killed(tmp_path):
    found = run(tmp_path, f"x = b'x' * (200 * 2**20); {SLEEP}", megabytes=100, seconds=300)
    assert (found.code, found.over) == (-9, "memory")


def test_the_memory_of_all_that_it_starts_counts(tmp_path):
    child = f"x = b'x' * (80 * 2**20); {SLEEP}"
    statement = f"import subprocess, sys; [subprocess.Popen([sys.executable, '-c', {child!r}]) for _ in '12']; {SLEEP}"
    found = run(tmp_path, statement, megabytes=150, seconds=300)
    assert (found.code, found.over) == (-9, "memory")


def test_the_end_of_what_is_reported_is_kept(tmp_path):
    found = run(tmp_path, "import os; os.write(2, b'x' * 100_000 + os.environb[b'SEEN']); os._exit(3)")
    assert found.code == 3
    assert found.over == ""
    assert len(found.stderr) <= 16_000
    assert found.stderr.endswith("yes")


def test_nothing_in_its_folder_is_imported(tmp_path):
    (tmp_path / "json.py").write_text("raise SystemExit(7)")
    (tmp_path / "file").write_text("{}")
    assert in_a_loop(run_watched(["json.tool", "file"], folder=tmp_path, environment={})).code == 0


def test_what_is_cancelled_is_killed_with_all_that_it_started(tmp_path):
    messages = tmp_path / "child"
    statement = f"import os, subprocess, sys; open('child', 'w').write(str(subprocess.Popen(['sleep', '300'], stderr=-3).pid)); {SLEEP}"

    async def cancel():
        task = asyncio.ensure_future(
            run_watched(["timeit", "-n", "1", "-r", "1", statement], folder=tmp_path, environment={})
        )
        await asyncio.to_thread(wait_until, lambda: messages.exists() and messages.read_text())
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    in_a_loop(cancel())
    wait_until(lambda: not alive(int(messages.read_text())))


def alive(pid):
    """Say whether a process runs; one that no one has waited for does not."""
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat") as stream:  # noqa: PTH123
            return stream.read().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_a_worker_that_fails_says_why_and_does_not_abort(tmp_path):
    command = [sys.executable, "-m", WORKER, "score", "nothing.toml", "final", "prediction.csv", str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        # Its standard input stays open meanwhile, as a server holds it.
        messages = process.stderr.read()
        assert (process.wait(), "nothing.toml" in messages) == (1, True)
