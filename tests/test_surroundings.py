"""What must not move a number: threads, memory, locale, hash seed, optimisation, and being killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TAXONOMY = ROOT / "examples" / "taxonomy"
COMMAND = ("taxonomy", TAXONOMY / "learned.ttl", "--gold", TAXONOMY / "reference.owl", "--format", "json", "-m", "literal",
           "-m", "fuzzy", "-m", "fuzzy(assignment=one)", "-m", "nodes", "-m", "continuous", "-m", "graph", "-m", "motif",
           "-m", "taxonomic", "--ci", "--resamples", "100", "--encoder", "hashing")  # fmt: skip


def environment(**more):
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), **more}


def scores(*arguments, python=(), **more):
    done = subprocess.run(
        [sys.executable, *python, "-m", "goldassay", *map(str, COMMAND), *arguments],
        capture_output=True, text=True, env=environment(**more), check=True, cwd=ROOT,
    )  # fmt: skip
    return [
        (score["measure"], score["values"], score["intervals"])
        for score in json.loads(done.stdout)["runs"][0]["scores"]
    ]


@pytest.fixture(scope="module")
def usual():
    return scores(OMP_NUM_THREADS="2", PYTHONHASHSEED="0")


@pytest.mark.parametrize(
    ("arguments", "python", "more"),
    [
        (("--memory", "1"), (), {"OMP_NUM_THREADS": "1", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}),
        ((), ("-O",), {"LC_ALL": "C", "PYTHONHASHSEED": "1"}),
    ],
    ids=["one thread, one megabyte, Turkish locale", "optimised, C locale, other hash seed"],
)
def test_numbers_are_the_same(usual, arguments, python, more):
    assert scores(*arguments, python=python, **more) == usual


def test_killed_while_it_caches_and_writes_it_leaves_no_half_file_and_no_wrong_number(tmp_path):
    words = [f"disease of the {organ} number {number}" for organ in ("heart", "liver", "skin") for number in range(100)]
    (tmp_path / "gold.csv").write_text("child,parent\n" + "".join(f"{word},disease\n" for word in words))
    home = environment(GOLDASSAY_CACHE_DIR=str(tmp_path / "cache"))
    command = [sys.executable, "-m", "goldassay", "taxonomy", "gold.csv", "-g", "gold.csv", "-m", "fuzzy", "--format", "json",
               "-o", "out.json", "--explain", "why.tsv"]  # fmt: skip
    for begun in ("cache/*-journal", ".goldassay.*", "*t.json"):
        process = subprocess.Popen(
            command, cwd=tmp_path, env=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while process.poll() is None and not any(tmp_path.glob(begun)):
            time.sleep(0.0005)
        process.kill()
        process.wait()
        if (tmp_path / "out.json").exists():
            assert json.loads((tmp_path / "out.json").read_text())["runs"]
        if (tmp_path / "why.tsv").exists():
            assert len((tmp_path / "why.tsv").read_text().split("\n")) == 2 * len(words) + 2
    subprocess.run(command, cwd=tmp_path, env=home, check=True)
    [score] = json.loads((tmp_path / "out.json").read_text())["runs"][0]["scores"]
    assert score["values"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


WATCHED = """
import os, sys, goldassay.__main__ as command
sys.argv[0] = "goldassay"
try:
    command._run()
finally:
    links = (os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd"))
    print([link for link in links if "socket" in link], file=sys.stderr)
"""
"""The command in this process, and then the sockets that it has."""


@pytest.mark.parametrize(
    ("arguments", "cached"),
    [
        (("-m", "fuzzy", "--figure", "f.png", "--report", "r.html", "--explain", "e.xlsx"), {"embeddings.sqlite"}),
        (("-m", "literal", "--engine", "duckdb"), set()),
    ],
    ids=["minilm and all that is written", "duckdb"],
)
def test_nothing_is_written_but_what_was_asked_for_and_the_own_cache_and_nothing_is_sent(
    minilm, tmp_path, arguments, cached
):
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    (here / "p.csv").write_text("child,parent\ndog,animal\ncat,pet\n")
    (here / "g.csv").write_text("child,parent\nhound,animal\ncat,pet\n")
    usual = {name: value for name, value in environment().items() if not name.startswith(("XDG_", "GOLDASSAY_CACHE"))}
    # Also where the shell of the user says otherwise.
    around = {**usual, "HOME": str(home), "ORT_DISABLE_TELEMETRY": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", WATCHED, "taxonomy", "p.csv", "--gold", "g.csv", "--quiet", *arguments]
    done = subprocess.run(command, cwd=here, env=around, capture_output=True, text=True, check=False, timeout=120)
    assert done.stderr == "[]\n"
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    asked = {f"here/{name}" for name in ("p.csv", "g.csv", *arguments) if "." in name}
    assert files == asked | {f"home/.cache/goldassay/{name}" for name in cached}


LIMITED = "import resource, signal, os; resource.setrlimit(resource.RLIMIT_AS, (2**34, 2**34)); import goldassay.__main__ as command; "


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("os.abort()", 71),
        ("os.kill(os.getpid(), signal.SIGSEGV)", 71),
        ("5", 5),
        ("os.kill(os.getpid(), signal.SIGKILL)", -9),
    ],
)
def test_an_abort_where_memory_is_limited_is_explained(end, code):
    page = f"{LIMITED}command._run = lambda: {end}; command.main()"
    done = subprocess.run(
        [sys.executable, "-c", page], capture_output=True, text=True, env=environment(), check=False, timeout=60
    )
    assert done.returncode == code
    assert ("too little memory" in done.stderr) == (code == 71)


def test_a_process_with_threads_is_not_forked():
    page = (
        f"{LIMITED}import threading; stop = threading.Event(); threading.Thread(target=stop.wait).start(); before = os.getpid(); "
        "command._run = lambda: print(os.getpid() == before) or stop.set() or 0; command.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", page], capture_output=True, text=True, env=environment(), check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "True\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_reaches_a_run_where_memory_is_limited(number):
    page = f"{LIMITED}import time; command._run = lambda: print('begun', flush=True) or [time.sleep(0.05) for _ in range(1000)]; command.main()"
    process = subprocess.Popen([sys.executable, "-c", page], stdout=subprocess.PIPE, text=True, env=environment())
    assert process.stdout.readline() == "begun\n"
    process.send_signal(number)
    assert process.wait(30) == 128 + number
    process.stdout.close()


def test_a_current_folder_that_no_longer_exists_is_named_as_the_cause(tmp_path):
    (tmp_path / "gone").mkdir()
    page = f"import os; os.rmdir({str(tmp_path / 'gone')!r}); from goldassay.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", page, "taxonomy", "pred.csv", "--gold", "gold.csv"],
        capture_output=True, text=True, env=environment(), check=False, cwd=tmp_path / "gone",
    )  # fmt: skip
    assert done.returncode == 71
    assert "the current folder no longer exists" in done.stderr
    assert "try:      cd to another folder" in done.stderr
