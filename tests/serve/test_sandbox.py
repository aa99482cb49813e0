"""A worker in a sandbox scores as one outside of it, and sees nothing else."""

import asyncio
import json
import shutil
import socket
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("starlette")
pytest.importorskip("sqlalchemy")

import httpx2 as httpx
from tests.report.pages import LONGEST, wait_until
from tests.serve.pets import ABOUT, EDGES, table

from goldassay.core.errors import UsageError
from goldassay.serve import sandbox
from goldassay.serve.processes import run_watched
from goldassay.serve.sandbox import Access, check
from goldassay.serve.store import Store

CHALLENGE = ABOUT + 'phases = [{name = "final", gold = "../secret/gold.csv"}]\n'
PROBE = """
import json, os, socket, sys
found = {}
def attempt(name, work):
    try:
        found[name] = work()
    except OSError as error:
        found[name] = type(error).__name__
attempt("own", lambda: open(os.path.join(os.getcwd(), "own.txt"), "w").write("x"))
attempt("readable", lambda: open(READABLE).read())
attempt("change", lambda: open(READABLE, "a").write("x"))
attempt("other", lambda: open(OTHER).read())
attempt("etc", lambda: open("/etc/passwd").read())
attempt("logs", lambda: os.listdir("/var/log"))
attempt("network", lambda: socket.create_connection(("127.0.0.1", PORT), 3) and "reached")
attempt("processes", lambda: len([p for p in os.listdir("/proc") if p.isdigit()]) < 5)
found["secret"] = os.environ.get("PGPASSWORD")
json.dump(found, open("found.json", "w"))
"""


@pytest.fixture(scope="module")
def bubblewrap(tmp_path_factory):
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    try:
        check(tmp_path_factory.mktemp("tried"))
    except UsageError as error:
        pytest.skip(f"no sandbox on this machine: {error.found}")


def watched(arguments, **more):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, run_watched(arguments, environment={}, **more)).result()


@pytest.mark.usefixtures("bubblewrap")
def test_a_sandbox_has_its_files_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", "hidden")
    mine, readable, other = tmp_path / "mine", tmp_path / "readable.txt", tmp_path / "other.txt"
    mine.mkdir()
    readable.write_text("gold")
    other.write_text("of another team")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        values = f"READABLE, OTHER, PORT = {str(readable)!r}, {str(other)!r}, {port}"
        statement = f"exec({values + PROBE!r}, {{}})"
        found = watched(["timeit", "-n", "1", "-r", "1", statement], folder=mine, access=Access([readable], [mine]))
    assert (found.code, found.over) == (0, ""), found.stderr
    assert json.loads((mine / "found.json").read_text()) == {
        "own": 1,
        "readable": "gold",
        "change": "OSError",
        "other": "FileNotFoundError",
        "etc": "FileNotFoundError",
        "logs": "FileNotFoundError",
        "network": "ConnectionRefusedError",
        "processes": True,
        "secret": None,
    }
    assert readable.read_text() == "gold"


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize(
    ("statement", "limits", "ended"),
    [
        ("while True: pass", {"seconds": 1}, (-9, "time")),
        ("x = b'x' * (200 * 2**20); import time; time.sleep(600)", {"megabytes": 100, "seconds": 300}, (-9, "memory")),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", {}, (-11, "")),
        ("import os; os._exit(3)", {}, (3, "")),
    ],
)
def test_limits_and_codes_are_those_without_a_sandbox(tmp_path, statement, limits, ended):
    found = watched(
        ["timeit", "-n", "1", "-r", "1", statement], folder=tmp_path, access=Access([], [tmp_path]), **limits
    )
    assert (found.code, found.over) == ended


@pytest.mark.usefixtures("bubblewrap")
def test_submissions_are_scored_and_tested_in_sandboxes(serving, tmp_path):
    for name in ("challenge", "secret"):
        (tmp_path / name).mkdir()
    (tmp_path / "challenge" / "challenge.toml").write_text(CHALLENGE)
    (tmp_path / "secret" / "gold.csv").write_text(table(EDGES))
    store = Store(tmp_path / "data")
    tokens = [store.add_team(name) for name in ("Alpha", "Beta")]
    _, address, _ = serving(tmp_path / "challenge" / "challenge.toml", "--sandbox", "--data", tmp_path / "data")
    for token, size in zip(tokens, (30, 12), strict=True):
        sent = httpx.post(
            f"{address}api/submissions?name=prediction.csv",
            content=table(EDGES[:size]),
            headers={"Authorization": f"Bearer {token}"},
            timeout=LONGEST,
        )
        assert sent.status_code == 201
    board = {}

    def tested():
        board.update(httpx.get(f"{address}api/leaderboard", timeout=LONGEST).json())
        return board["tested"] and len(board["rows"]) == 2

    wait_until(tested)
    assert [(row["team"], row["others"]["recall"]) for row in board["rows"]] == [("Alpha", 0.75), ("Beta", 0.3)]


def test_what_does_not_work_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "COMMAND", "no-such-program")
    with pytest.raises(UsageError, match=r"(?s)sandbox does not work.*apt-get install bubblewrap"):
        check(tmp_path)
    broken = tmp_path / "bwrap"
    broken.write_text(f"#!{sys.executable}\nraise SystemExit('No permissions to create new namespace')\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sandbox, "COMMAND", str(broken))
    with pytest.raises(UsageError, match=r"(?s)No permissions to create new namespace.*user namespaces"):
        check(tmp_path)
