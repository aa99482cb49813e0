"""A worker in a sandbox scores as one outside of it, and sees nothing else."""

import asyncio
import json
import os
import shutil
import signal
import socket
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("starlette")
pytest.importorskip("sqlalchemy")

import itertools

from tests.report.pages import wait_until
from tests.serve.asking import OFTEN, client
from tests.serve.pets import ABOUT, EDGES, table

import goldassay
from goldassay.core.errors import UsageError
from goldassay.serve.processes import run_watched
from goldassay.serve.sandbox import PROGRAMS, Access, Sandbox, check, wrap
from goldassay.serve.store import Store

BUBBLEWRAP = Sandbox("bubblewrap")
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
        check(BUBBLEWRAP, tmp_path_factory.mktemp("tried"))
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
        found = watched(
            ["timeit", "-n", "1", "-r", "1", statement], folder=mine, access=Access(BUBBLEWRAP, [readable], [mine])
        )
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
        ("while True: pass", {"seconds": 0.5}, (-9, "time")),
        ("x = b'x' * (200 * 2**20); import time; time.sleep(600)", {"megabytes": 100, "seconds": 300}, (-9, "memory")),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", {}, (-11, "")),
        ("import os; os._exit(3)", {}, (3, "")),
    ],
)
def test_limits_and_codes_are_those_without_a_sandbox(tmp_path, statement, limits, ended):
    found = watched(
        ["timeit", "-n", "1", "-r", "1", statement],
        folder=tmp_path,
        access=Access(BUBBLEWRAP, [], [tmp_path]),
        **limits,
    )
    assert (found.code, found.over) == ended


FAKE = f"""#!{sys.executable}
import json, os, sys
words = sys.argv[1:]
with open(os.path.join(os.path.dirname(__file__), "asked.jsonl"), "a") as log:
    log.write(json.dumps(words) + chr(10))
if words[words.index("python") + 1] != "our/image:1":
    sys.exit("no such image")
options, inner = words[: words.index("our/image:1")], words[words.index("our/image:1") + 1 :]
given = [(flag, value) for flag, value in zip(options, options[1:])]
kept = {{**os.environ, **dict(value.split("=", 1) for flag, value in given if flag == "--env")}}
os.chdir(dict(given)["--workdir"])
os.execve({sys.executable!r}, [{sys.executable!r}, *inner], kept)
"""
"""A program in the place of a container's: it runs the command without one."""


@pytest.fixture(params=["podman", "docker"])
def container(request, tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / request.param).write_text(FAKE)
    (tmp_path / "bin" / request.param).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    return request.param


def asked_of(folder):
    return [json.loads(line) for line in (folder / "bin" / "asked.jsonl").read_text().splitlines()]


@pytest.mark.usefixtures("bubblewrap")
def test_submissions_are_scored_and_tested_in_sandboxes(serving, tmp_path):
    score_two(serving, tmp_path, "bubblewrap")


@pytest.mark.parametrize("container", ["docker"], indirect=True)
def test_submissions_are_scored_and_tested_in_containers(serving, tmp_path, container):
    score_two(serving, tmp_path, container, "--image", "our/image:1")
    *tried, _, last = asked_of(tmp_path)
    assert len(tried) >= 2
    pairs = list(itertools.pairwise(last))
    for pair in (
        ("--network", "none"),
        ("--cap-drop", "all"),
        ("--security-opt", "no-new-privileges"),
        ("--pull", "never"),
        ("--pids-limit", "256"),
        ("--memory", "2048m"),
        ("--memory-swap", "2048m"),
        ("--user", f"{os.geteuid()}:{os.getegid()}"),
        ("--mount", f"type=bind,source={tmp_path}/secret/gold.csv,target={tmp_path}/secret/gold.csv,readonly"),
    ):
        assert pair in pairs
    assert "--read-only" in last
    [folder] = {value for flag, value in pairs if flag == "--workdir"}
    changed = {value for flag, value in pairs if flag == "--mount" and not value.endswith(",readonly")}
    assert changed == {f"type=bind,source={one},target={one}" for one in (folder, f"{tmp_path}/data/cache")}
    assert ("--ulimit", "cpu=300:305") in [pair for one in asked_of(tmp_path) for pair in itertools.pairwise(one)]


def test_a_container_ends_what_takes_too_much(tmp_path, container, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", "hidden")
    monkeypatch.setenv("GOLDASSAY_X", "{a}=b c")
    access = Access(Sandbox(container, "our/image:1"), [], [tmp_path])
    words = wrap(["python", "-c", ""], access, {}, seconds=1.5, megabytes=10)
    assert words[0] == container
    assert not [word for word in words if "hidden" in word or word.startswith("PYTHONPATH")]
    assert "GOLDASSAY_X={a}=b c" in words
    assert words[words.index("--ulimit") + 1] == "cpu=2:7"
    # A shell says so that the limit of processor time was reached; the fake says it without a shell.
    statement = f"import os; os._exit(128 + {int(signal.SIGXCPU)})"
    found = watched(["timeit", "-n", "1", "-r", "1", statement], folder=tmp_path, access=access)
    assert (found.code, found.over) == (-signal.SIGXCPU, "time")


def test_a_container_is_of_the_user_who_serves(tmp_path, monkeypatch):
    for user, namespace in ((0, "host"), (1, "keep-id"), (1000, "keep-id")):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        words = list(itertools.pairwise(wrap(["python"], Access(Sandbox("podman"), [], [tmp_path]), {})))
        assert ("--userns", namespace) in words
        assert ("--user", f"{user}:{os.getegid()}") in words


def score_two(serving, tmp_path, *sandbox):
    for name in ("challenge", "secret"):
        (tmp_path / name).mkdir()
    (tmp_path / "challenge" / "challenge.toml").write_text(CHALLENGE)
    (tmp_path / "secret" / "gold.csv").write_text(table(EDGES))
    store = Store(tmp_path / "data")
    tokens = [store.add_team(name) for name in ("Alpha", "Beta")]
    where = ("--data", tmp_path / "data", "--sandbox", *sandbox)
    _, address, _ = serving(tmp_path / "challenge" / "challenge.toml", *where)
    for token, size in zip(tokens, (30, 12), strict=True):
        sent = client.post(
            f"{address}api/submissions?name=prediction.csv",
            content=table(EDGES[:size]),
            headers={"Authorization": f"Bearer {token}"},
        )
        assert sent.status_code == 201
    board = {}

    def tested():
        board.update(client.get(f"{address}api/leaderboard").json())
        return board["tested"] and len(board["rows"]) == 2

    wait_until(tested, OFTEN)
    assert [(row["team"], row["others"]["recall"]) for row in board["rows"]] == [("Alpha", 0.75), ("Beta", 0.3)]


@pytest.mark.parametrize("kind", [*PROGRAMS])
def test_what_does_not_work_is_reported(tmp_path, monkeypatch, kind):
    """It is not there, it refuses, or it has another version of goldassay."""
    monkeypatch.setenv("PATH", str(tmp_path))
    program = tmp_path / PROGRAMS[kind].begin[0]
    for text, found in (
        (None, program.name),
        ("raise SystemExit('No permissions to create new namespace')", "No permissions to create new namespace"),
        ("print('0.0.1')", r"0\.0\.1"),
    ):
        if text:
            program.write_text(f"#!{sys.executable}\n{text}\n")
            program.chmod(0o755)
        with pytest.raises(
            UsageError, match=rf"(?s)sandbox does not work.*{found}.*{goldassay.__version__}.*(goldassay|bubblewrap)"
        ):
            check(Sandbox(kind), tmp_path)


def test_an_image_without_a_container_is_refused(tmp_path, goldassay_command):
    (tmp_path / "challenge.toml").write_text(ABOUT + 'phases = [{name = "final", gold = "gold.csv"}]\n')
    (tmp_path / "gold.csv").write_text(table(EDGES))
    for words, message in (
        (("--image", "x"), "--image needs a container"),
        (("--sandbox", "bubblewrap", "--image", "x"), "--image needs a container"),
        (("--sandbox", "lxc"), "podman"),
    ):
        found = goldassay_command("serve", tmp_path / "challenge.toml", *words)
        assert (found.code, message in found.err) == (2, True)
