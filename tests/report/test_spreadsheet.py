"""No text in CSV runs as a formula in a spreadsheet, whichever command writes it."""

import csv
import io
import zipfile
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

import goldassay
from goldassay.cli import app
from goldassay.report.explain import write_explain

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


def sheet(path):
    """The rows of a file of Excel, as texts; formulas begin with an equals sign."""
    with zipfile.ZipFile(path) as packed:
        space = {"x": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
        shared = [
            "".join(part.text or "" for part in one.iterfind(".//x:t", space))
            for one in ET.fromstring(packed.read("xl/sharedStrings.xml")).iterfind("x:si", space)  # noqa: S314 - our own
        ]
        found = ET.fromstring(packed.read("xl/worksheets/sheet1.xml"))  # noqa: S314 - our own
        assert found.find(".//x:f", space) is None
        assert found.find(".//x:pane", space).get("ySplit") == "1"
        return [
            [
                shared[int(cell.find("x:v", space).text)] if cell.get("t") == "s" else cell.findtext("x:v", "", space)
                for cell in row
            ]
            for row in found.iterfind(".//x:row", space)
        ]


def test_evidence_is_a_sheet_to_check(tmp_path, goldassay_command):
    pytest.importorskip("xlsxwriter")
    (tmp_path / "pred.csv").write_text("child,parent\n=1+1,a.example\n0012,pet\n" + "x" * 40_000 + ",pet\n")
    (tmp_path / "gold.csv").write_text("child,parent\n0012,pet\n")
    done = goldassay_command(
        *("taxonomy", tmp_path / "pred.csv", "--gold", tmp_path / "gold.csv", "-m", "literal"),
        *("--explain", tmp_path / "checked.xlsx"),
    )
    assert done.code == 0
    head, *rows = sheet(tmp_path / "checked.xlsx")
    assert head[-2:] == ["checked", "comment"]
    items = [dict(zip(head, row, strict=False)) for row in rows]
    assert len(items) == 4
    assert {"=1+1 -> a.example", "0012 -> pet"} <= {one["item"] for one in items}
    assert max(len(one["item"]) for one in items) == 32_767


def test_more_rows_than_a_sheet_holds_are_refused(tmp_path, monkeypatch):
    pytest.importorskip("xlsxwriter")
    monkeypatch.setattr("goldassay.report.explain.MOST_ROWS", 3)
    gold = goldassay.Graph.from_edges(ROWS)
    with pytest.raises(goldassay.OutputError, match=r"(?s)too many rows.*4.*FILE\.csv"):
        write_explain(goldassay.evaluate(gold, gold=gold, measures="literal"), tmp_path / "a.xlsx")
    assert not [*tmp_path.iterdir()]
