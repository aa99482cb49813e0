import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from tests.report.pages import wait_until

import goldassay

HASHING = ("--encoder", "hashing")


def test_a_table_and_the_signature(goldassay_command, files):
    result = goldassay_command("taxonomy", files / "good.csv", "--gold", files / "gold.csv", "-m", "literal")
    assert (result.code, result.err) == (0, "")
    assert "1.0000  0.6667  0.8000" in " ".join(result.out.split(" ")).replace("     ", "  ").replace("   ", "  ")
    assert f"literal|edges:given|text:label|gold:3|pred:2|goldassay:{goldassay.__version__}" in result.out


def test_several_predictions_make_one_table(goldassay_command, files):
    result = goldassay_command(
        "taxonomy", files / "good.csv", files / "poor.csv", "-g", files / "gold.csv", "-m", "literal", "--format", "csv"
    )
    frame = pl.read_csv(result.out.encode())
    assert frame["precision"].to_list() == [1.0, pytest.approx(1 / 3)]
    assert frame["prediction"].to_list() == [str(files / "good.csv"), str(files / "poor.csv")]


def test_json_has_the_promised_shape(goldassay_command, files):
    result = goldassay_command(
        "taxonomy", files / "good.csv", "--gold", files / "gold.csv", "-m", "fuzzy(threshold=0.5)", *HASHING,
        "--format", "json",
    )  # fmt: skip
    report = json.loads(result.out)
    assert (report["schema"], report["kind"], report["goldassay"]) == (
        "goldassay.report/1",
        "taxonomy",
        goldassay.__version__,
    )
    assert report["gold"]["items"] == 3
    score = report["runs"][0]["scores"][0]
    assert score["measure"] == "fuzzy(threshold=0.5)"
    assert score["values"]["precision"] == 1.0
    assert score["counts"].keys() == {"hit_pred", "hit_gold", "n_pred", "n_gold"}
    assert "encoder:" in score["signature"]


def test_markdown(goldassay_command, files):
    result = goldassay_command(
        "taxonomy", files / "good.csv", "-g", files / "gold.csv", "-m", "literal", "--format", "markdown", "--percent",
        "--places", "1",
    )  # fmt: skip
    assert "| `literal` | 100.0 | 66.7 | 80.0 |" in result.out


@pytest.mark.parametrize("ending", ["tsv", "csv", "parquet", "jsonl"])
def test_explain_says_the_verdict_of_every_edge(goldassay_command, files, ending):
    path = files / f"matches.{ending}"
    result = goldassay_command(
        "taxonomy", files / "good.csv", "-g", files / "gold.csv", "-m", "literal", "-m", "fuzzy", *HASHING,
        "--explain", path,
    )  # fmt: skip
    assert result.code == 0, result.err
    readers = {
        "tsv": lambda: pl.read_csv(path, separator="\t"),
        "csv": lambda: pl.read_csv(path),
        "parquet": lambda: pl.read_parquet(path),
        "jsonl": lambda: pl.read_ndjson(path),
    }
    frame = readers[ending]()
    assert frame.columns[:5] == ["side", "item", "verdict", "similarity", "counterpart"]
    assert len(frame) == 2 * (2 + 3)
    missed = frame.filter((pl.col("verdict") == "missed") & (pl.col("measure") == "literal"))
    assert missed["item"].to_list() == ["cancer -> disease"]


def test_misses_are_shown_with_their_nearest_counterpart(goldassay_command, files):
    result = goldassay_command(
        "taxonomy", files / "good.csv", "-g", files / "gold.csv", "-m", "fuzzy(threshold=0.9)", *HASHING,
        "--misses", "3",
    )  # fmt: skip
    assert "missed    cancer -> disease\n  nearest" in result.out


def test_the_report_goes_to_a_file(goldassay_command, files):
    path = files / "report.json"
    result = goldassay_command(
        "taxonomy", files / "good.csv", "-g", files / "gold.csv", "-m", "literal", "--format", "json", "-o", path
    )
    assert (result.code, result.out) == (0, "")
    assert json.loads(path.read_text())["schema"] == "goldassay.report/1"


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (["-m", "fuzy"], "fuzzy"),
        (["-m", "fuzzy(treshold=1)"], "threshold"),
        (["--edges", "nothing-like-it"], "nothing-like-it"),
        (["--text", "lable"], "label"),
        (["--encoder", "minilmm"], "minilm"),
        (["--input-format", "turtel"], "turtle"),
        (["--explain", "out.xyz"], ".tsv"),
        (["--explain", "no/such/folder/out.tsv"], "mkdir"),
    ],
)
def test_a_wrong_word_is_code_2_and_names_the_right_one(goldassay_command, files, arguments, messages):
    before = sorted(files.rglob("*"))
    result = goldassay_command("taxonomy", files / "good.csv", "-g", files / "gold.csv", *arguments)
    assert result.code == 2
    assert result.out == ""
    assert messages in result.err
    assert "Traceback" not in result.err
    assert sorted(files.rglob("*")) == before


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("missing.ttl", None),
        ("page.owl", b"<!DOCTYPE html><html><body>404</body></html>"),
        ("cut.owl", b'<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Desc'),
        ("picture.owl", b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
        ("broken.ttl", b"@prefix : <http://a/> .\n:a :b"),
        ("edgeless.ttl", b"@prefix : <http://a/> .\n:a :b :c ."),
    ],
)
def test_a_bad_file_is_code_2_with_its_name(goldassay_command, files, name, content):
    if content is not None:
        (files / name).write_bytes(content)
    result = goldassay_command("taxonomy", files / name, "-g", files / "gold.csv", "-m", "literal", "--explain",
                           files / "out.tsv")  # fmt: skip
    assert result.code == 2
    assert name in result.err
    assert "Traceback" not in result.err
    assert not (files / "out.tsv").exists()


def test_quiet_hides_no_warning(goldassay_command, files):
    (files / "other.csv").write_text("child,parent\nx,y\n")
    loud = goldassay_command("taxonomy", files / "other.csv", "-g", files / "gold.csv", "-m", "literal")
    assert "no text in common" in loud.out
    quiet = goldassay_command("taxonomy", files / "other.csv", "-g", files / "gold.csv", "-m", "literal", "--quiet")
    assert "no text in common" in quiet.out
    assert quiet.err == ""


def test_help_names_every_flag_without_a_traceback(goldassay_command):
    result = goldassay_command("taxonomy", "--help")
    assert result.code == 0
    for flag in ("--gold", "--measure", "--explain", "--encoder", "--on-error", "--edges", "--text"):
        assert flag in result.out


def test_ctrl_c_stops_without_a_traceback_and_leaves_nothing(files):
    rows = "\n".join(f"child {i},parent {i % 999}" for i in range(200_000))
    (files / "large.csv").write_text(f"child,parent\n{rows}\n")
    before = sorted(files.rglob("*"))
    process = subprocess.Popen(
        [sys.executable, "-m", "goldassay", "taxonomy", "large.csv", "-g", "large.csv", "-m", "nodes", *HASHING,
         "--no-cache", "--explain", "out.tsv"],
        cwd=files, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    maps = Path(f"/proc/{process.pid}/maps")
    wait_until(lambda: not maps.exists() or "polars" in maps.read_text())
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "interrupted" in err
    assert sorted(files.rglob("*")) == before


def test_a_closed_pipe_is_no_error(files):
    command = f"{sys.executable} -m goldassay measures fuzzy | head -n 1"
    result = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert result.stderr == ""
    assert result.returncode in (0, 128 + signal.SIGPIPE)


def test_a_broken_turtle_is_scored_by_its_whole_statements_or_the_others_are_without_it(goldassay_command, files):
    (files / "broken.ttl").write_text(
        "<a:leukemia> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <a:cancer> .\n<a:flu> a\n"
    )
    command = ("taxonomy", files / "good.csv", files / "broken.ttl", "--gold", files / "gold.csv", "-m", "literal")
    stopped = goldassay_command(*command)
    assert stopped.code == 2
    assert "not scored" in stopped.out
    assert "Invalid turtle. (found: Unexpected end" in stopped.out
    assert "0.8000" in stopped.out
    skipped = goldassay_command(*command, "--on-error", "skip")
    assert skipped.code == 0
    assert "skipped line 2: Invalid statement" in skipped.out
    assert "|skipped:pred=1|" in skipped.out
