"""Where nothing more can be written, every command ends with one line that shows it, and leaves no half file."""

import resource
from contextlib import contextmanager

import pytest

LIMIT = 512
"""Bytes of a file, as on a full disk."""
SCORED = ("taxonomy", "p.csv", "--gold", "g.csv", "-m", "literal", "-q")
LINES = "".join(f"child {number * 7919 % 6007} of {number},parent {number % 97}\n" for number in range(2000))
WRITERS = {
    **{f"--explain {end}": (*SCORED, "--explain", f"out.{end}") for end in ("tsv", "csv", "parquet", "jsonl", "xlsx")},
    **{f"convert {end}": ("convert", "p.csv", f"out.{end}") for end in ("tsv", "csv", "parquet", "jsonl")},
    "-o": (*SCORED, "-o", "out.json", "--evidence"),
    "--report": (*SCORED, "--report", "out.html"),
    "--figure png": (*SCORED, "--figure", "out.png"),
    "--figure svg": (*SCORED, "--figure", "out.svg"),
    "sample": ("sample", "p.csv", "-o", "out.csv", "--size", "100"),
    "sample page": ("sample", "p.csv", "-o", "out.html", "--size", "100"),
    "diff": ("diff", "p.csv", "g.csv", "-o", "out.parquet"),
    "example": ("example", "out"),
    "challenge": ("challenge", "init", "out"),
}


@contextmanager
def limited():
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)
def test_a_full_disk_is_shown_in_one_way(goldassay_command, tmp_path, monkeypatch, command):
    if "out.png" in command:
        pytest.importorskip("vl_convert")
    (tmp_path / "p.csv").write_text("child,parent\n" + LINES)
    (tmp_path / "g.csv").write_text("child,parent\n" + LINES.replace("parent 3", "parent 4"))
    monkeypatch.chdir(tmp_path)
    with limited():
        done = goldassay_command(*command)
    *_, failed, hint = (line for line in done.err.splitlines() if "warning: " not in line)
    assert failed.startswith("goldassay: out"), done.err
    assert failed.endswith("cannot be written: File too large."), done.err
    assert hint == "  try:      choose another path, or free disk space"
    assert "Traceback" not in done.err
    assert done.code == 2
    assert {path.name for path in tmp_path.iterdir()} <= {"p.csv", "g.csv", "out", "out.design.json", "cache"}
