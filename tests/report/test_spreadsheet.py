"""No text in CSV runs as a formula in a spreadsheet, whichever command writes it."""

import csv
import io

import pytest
from typer.testing import CliRunner

import goldassay
from goldassay.cli import app

NAMES = ("=1+1", "+1", "-1", "@SUM(A1)", "cat")
GUARDED = ("'=1+1", "'+1", "'-1", "'@SUM(A1)", "cat")
ROWS = [("cat", "animal"), ("dog", "animal")]


def cells(text):
    return {cell for row in csv.reader(io.StringIO(text)) for cell in row}


def report():
    gold = goldassay.Graph.from_edges(ROWS)
    return goldassay.evaluate(dict.fromkeys(NAMES, gold), gold=gold, measures="literal")


def test_a_report_as_csv_guards_names():
    assert cells(report().format("csv")) >= set(GUARDED)
    assert cells(report().format("csv")).isdisjoint(set(NAMES) - {"cat"})


def test_a_report_as_csv_can_be_had_unchanged():
    assert cells(report().format("csv", formulas=True)) >= set(NAMES)


def test_a_saved_report_guards_names(tmp_path):
    report().save(tmp_path / "report.csv")
    assert cells((tmp_path / "report.csv").read_text()) >= set(GUARDED)


def test_repeated_runs_guard_names():
    gold = goldassay.Graph.from_edges(ROWS)
    found = goldassay.evaluate({"=1+1": [gold, gold], "cat": [gold, gold]}, gold=gold, measures="literal")
    assert "=1+1" not in cells(found.format("csv"))
    assert "'=1+1" in cells(found.format("csv"))


@pytest.mark.parametrize(
    "more", [["--format", "csv"], ["--sweep", "--format", "csv"], ["--explain", "out.csv"]], ids=lambda more: more[0]
)
@pytest.mark.parametrize("formulas", [False, True])
def test_every_command_has_the_one_rule(tmp_path, monkeypatch, more, formulas):
    monkeypatch.chdir(tmp_path)
    for name in ("=1+1.csv", "gold.csv"):
        (tmp_path / name).write_text("source,target,score\n=1+1,b,0.5\nc,d,0.7\n")
    line = ["alignment", "=1+1.csv", "--gold", "gold.csv", "-m", "overlap", *more, *(["--formulas"] * formulas)]
    made = CliRunner().invoke(app, line)
    assert made.exit_code == 0, made.output
    written = (tmp_path / "out.csv").read_text() if "--explain" in more else made.stdout
    found = {cell for cell in cells(written) if "=1+1" in cell}
    assert found
    assert all(cell.startswith("=" if formulas else "'=") for cell in found), found
