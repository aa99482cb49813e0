"""Spark Connect: a real server, to which programs and the command line connect."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed")
ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.xdist_group("spark")


def ran(*words, cwd=ROOT):
    """Run Python in a process of its own."""
    surroundings = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SPARK", "PYSPARK")) and not name.lower().endswith("_proxy")
    }
    surroundings |= {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}", "COLUMNS": "200"}
    return subprocess.run(
        [sys.executable, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env=surroundings,
        cwd=cwd,
        timeout=400,
    )


@pytest.fixture
def tables(tmp_path):
    pl.DataFrame({"source": ["a", "b"], "target": ["x", "w"]}).write_csv(tmp_path / "p.csv")
    pl.DataFrame({"source": ["a"], "target": ["x"]}).write_csv(tmp_path / "g.csv")
    return tmp_path


def asked(engine, remote, *more):
    files = ("p.csv", *more, "--gold", "g.csv", "-m", "overlap")
    return ("-m", "goldassay", "alignment", *files, "--engine", engine, "--spark-remote", remote)


@pytest.mark.release
def test_every_number_is_that_of_one_machine(connect):
    done = ran("-m", "tests.engines.connected", connect)
    assert done.stdout.endswith("alike\n"), done.stderr[-3000:]


@pytest.mark.release
def test_the_command_line_counts_there_and_writes_evidence(connect, tables):
    done = ran(*asked("spark", connect), "--explain", tables / "e.parquet", cwd=tables)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "overlap|relations:all|gold:1|pred:2" in done.stdout
    assert sorted(pl.read_parquet(tables / "e.parquet" / "*.parquet")["verdict"]) == ["hit", "hit", "invented"]


@pytest.mark.release
def test_the_command_line_spreads_predictions(connect, tables):
    (tables / "bad.csv").write_text("source,target\na,\n")
    done = ran(
        *asked("spark-tasks", connect, "bad.csv", "g.csv"),
        "--ci",
        "--chance",
        "-o",
        "r.json",
        "--format",
        "json",
        cwd=tables,
    )
    assert done.returncode == 2, done.stderr[-2000:]
    here = ran(
        *asked("spark-tasks", connect, "bad.csv", "g.csv")[:-4], "--ci", "--chance", "--format", "json", cwd=tables
    )
    assert here.stdout == (tables / "r.json").read_text()
    assert "bad.csv:2" in here.stdout


@pytest.mark.release
def test_a_bad_table_is_refused_as_elsewhere(connect, tables):
    (tables / "p.csv").write_text("source,target\na,\n")
    done = ran(*asked("spark", connect), "-o", "r.txt", cwd=tables)
    assert done.returncode == 2
    assert "p.csv: " in done.stderr
    assert "The target is empty." in done.stderr
    assert not (tables / "r.txt").exists()


def test_a_server_that_does_not_answer_is_reported_at_once(tables):
    pytest.importorskip("grpc", reason="grpcio is not installed, which Spark Connect needs")
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # it does not listen
        done = ran(*asked("spark-tasks", f"sc://127.0.0.1:{held.getsockname()[1]}"), cwd=tables)
    assert done.returncode == 2
    assert "Spark Connect cannot be reached." in done.stderr
    assert "refused" in done.stderr


def test_what_is_no_address_is_reported(tables):
    pytest.importorskip("grpc", reason="grpcio is not installed, which Spark Connect needs")
    done = ran(*asked("spark", "http://127.0.0.1"), cwd=tables)
    assert done.returncode == 2
    assert "expected: sc://HOST:PORT" in done.stderr
