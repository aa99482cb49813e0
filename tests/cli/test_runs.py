import json
import math
import time
from pathlib import Path

import polars as pl
import pytest

from goldassay.cli.runs import split_name, systems_of
from goldassay.core.errors import InputError
from goldassay.sampling.plans import RunTest, needed_for


@pytest.fixture
def runs(tmp_path):
    (tmp_path / "gold.csv").write_text("child,parent\na,x\nb,x\nc,x\nd,x\n")
    for name, edges in (("gpt-1", "a,x\nb,x\n"), ("gpt-2", "a,x\nb,x\nc,x\n"), ("llama-1", "a,x\n")):
        (tmp_path / f"{name}.csv").write_text(f"child,parent\n{edges}")
    return tmp_path


def score(goldassay_command, runs, *args):
    return goldassay_command("taxonomy", *args, "--gold", runs / "gold.csv", "-m", "literal", "--format", "csv")


def read(result):
    return pl.read_csv(result.out.encode())


def test_one_row_a_system(goldassay_command, runs):
    result = score(goldassay_command, runs, "--runs", f"gpt={runs}/gpt-*.csv", "--runs", f"llama={runs}/llama-1.csv")
    frame = read(result)
    assert frame.select("system", "runs", "recall").rows() == [("gpt", 2, 0.625), ("llama", 1, 0.25)]
    assert frame["recall_sd"].to_list() == [pytest.approx(0.125 * 2**0.5), None]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--runs", "gpt=none-*.csv"], "none-*.csv: No file matches."),
        (["--runs", "gpt"], "--runs needs a name and a pattern."),
        (["--runs", "=a"], "--runs needs a name and a pattern."),
        (["--runs", "gpt={runs}/gpt-1.csv", "--runs", "gpt={runs}/gpt-*.csv"], "is listed as a run twice"),
        (["{runs}/gpt-1.csv", "--runs", "gpt={runs}/gpt-*.csv"], "cannot be given together"),
        (["--runs", "gpt={runs}/gpt-*.csv", "--sweep", "--by", "depth"], "leave out --sweep"),
        (["--runs", "gpt={runs}/gpt-*.csv", "-o", "{runs}/gpt-1.csv"], "gpt-1.csv"),
    ],
)
def test_bad_input_is_reported(goldassay_command, runs, args, message):
    result = score(goldassay_command, runs, *(one.replace("{runs}", str(runs)) for one in args))
    assert (result.code, result.out) == (2, "")
    assert message in result.err


@pytest.mark.parametrize("pattern", ["x" * 5000, "x/" * 3000, "[", "\udcff"])
def test_a_name_that_no_file_can_have_is_none(goldassay_command, runs, pattern):
    result = score(goldassay_command, runs, "--runs", f"a={pattern}")
    assert result.code == 2
    assert "No file matches." in result.err
    assert "Traceback" not in result.err
    assert score(goldassay_command, runs, pattern).code == 2


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("**/a-*.csv", {"a-1.csv", "in/a-2.csv", "in/deep/a-3.csv"}),
        ("**/**/**/a-*.csv", {"a-1.csv", "in/a-2.csv", "in/deep/a-3.csv"}),
        ("i*/**", {"in/a-2.csv", "in/deep", "in/deep/a-3.csv", "in/deep/loop"}),
        ("**/deep/**/a-?.csv", {"in/deep/a-3.csv"}),
        ("in/**x/a-2.csv", set()),
    ],
)
def test_folders_at_any_depth_are_walked_once_and_links_are_not_followed(tmp_path, monkeypatch, pattern, found):
    monkeypatch.chdir(tmp_path)
    for name in ("a-1.csv", "in/a-2.csv", "in/deep/a-3.csv", ".hidden/a-4.csv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("a,b\n")
    (tmp_path / "in" / "deep" / "loop").symlink_to(tmp_path / "in")
    if found:
        assert set(systems_of([f"x={pattern}"], [])["x"]) == found
        assert {
            str(Path(name).relative_to(tmp_path)) for name in systems_of([f"x={tmp_path}/{pattern}"], [])["x"]
        } == found
    else:
        with pytest.raises(InputError):
            systems_of([f"x={pattern}"], [])


def test_folders_that_several_patterns_reach_in_many_ways_are_searched_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    deep = Path(*"abcdefghijklmnopqrstuvwxyz0123456789")
    deep.mkdir(parents=True)
    (deep / "run.csv").write_text("a,b\n")
    begin = time.process_time()
    # Five patterns share 36 folders in 377,000 ways.
    assert set(systems_of([f"x={'**/*/' * 5}**/*.csv"], [])["x"]) == {str(deep / "run.csv")}
    assert time.process_time() - begin < 5


@pytest.mark.parametrize("pattern", ["**/*/**/x", "*/*", "**"])
def test_a_pattern_looks_at_a_bounded_number_of_files(goldassay_command, tmp_path, monkeypatch, pattern):
    monkeypatch.setenv("GOLDASSAY_MAX_FILES", "30")
    for number in range(6):
        (tmp_path / f"{number}").mkdir()
        for row in range(6):
            (tmp_path / f"{number}" / f"{row}.csv").write_text("a,b\n")
    result = goldassay_command("taxonomy", "--runs", f"a={tmp_path}/{pattern}", "--gold", "x.csv")
    assert result.code == 2
    assert f"{tmp_path}/{pattern}: The pattern looks at too many files." in result.err
    assert "--limit files=N" in result.err
    assert len(systems_of([f"a={tmp_path}/3/*"], [])["a"]) == 6


def test_runs_have_groups_curves_and_chance(goldassay_command, runs):
    systems = ("--runs", f"gpt={runs}/gpt-*.csv", "--runs", f"llama={runs}/llama-1.csv")
    groups = read(score(goldassay_command, runs, *systems, "--by", "depth"))
    assert groups.filter(pl.col("by") == "depth").select("system").to_series().to_list() == ["gpt", "llama"]
    chance = read(score(goldassay_command, runs, *systems, "--chance", "--draws", "3"))
    assert chance["f1_expected"].null_count() == 0
    asked = ("taxonomy", *systems, "--gold", runs / "gold.csv", "-m", "fuzzy", "--encoder", "hashing", "--sweep")
    curves = read(goldassay_command(*asked, "--format", "csv"))
    assert curves["system"].unique(maintain_order=True).to_list() == ["gpt", "llama"]
    assert curves.filter(pl.col("system") == "llama")["f1_sd"].null_count() > 0
    text, markdown = (goldassay_command(*asked, "--format", layout).out for layout in ("text", "markdown"))
    assert "gpt   fuzzy(threshold=0.436)   2 runs" in text
    assert " ± " in text
    assert markdown.startswith("| system | measure |")


def named(result):
    return pl.read_csv(result.out.encode()).select("prediction", "recall").rows()


def test_predictions_have_the_names_that_they_are_given(goldassay_command, runs, monkeypatch):
    monkeypatch.chdir(runs)
    (runs / "lr=0.1.csv").write_text("child,parent\nd,x\nc,x\nb,x\na,x\n")
    (runs / "lr=0.2").mkdir()
    (runs / "lr=0.2" / "one.csv").write_text("child,parent\nd,x\n")
    assert named(score(goldassay_command, runs, "mine=gpt-2.csv", "meta/llama 1=llama-1.csv", "gpt-1.csv")) == [
        ("mine", 0.75),
        ("meta/llama 1", 0.25),
        ("gpt-1.csv", 0.5),
    ]
    # What exists is a path, also with an equals sign.
    assert named(score(goldassay_command, runs, "lr=0.1.csv", "lr=0.2/one.csv")) == [
        ("lr=0.1.csv", 1),
        ("lr=0.2/one.csv", 0.25),
    ]
    assert named(score(goldassay_command, runs, "lr=*.csv")) == [("lr=0.1.csv", 1)]
    assert named(score(goldassay_command, runs, "best=lr=0.1.csv")) == [("best", 1)]
    assert named(score(goldassay_command, runs, "only=llama-*.csv")) == [("only", 0.25)]


def test_compared_predictions_and_curves_have_names(goldassay_command, runs):
    args = [
        runs / "gold.csv",
        f"mine={runs}/gpt-1.csv",
        f"other={runs}/llama-1.csv",
        "-m",
        "literal",
        "--format",
        "csv",
    ]
    assert named(goldassay_command("compare", *args))[:2] == [("mine", 0.5), ("other", 0.25)]
    curves = goldassay_command(
        "taxonomy",
        f"mine={runs}/gpt-1.csv",
        "--gold",
        runs / "gold.csv",
        "--sweep",
        "-m",
        "fuzzy",
        "--encoder",
        "hashing",
    )
    assert curves.out.startswith("mine ")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["mine=gpt-1.csv", "mine=gpt-2.csv"], "The same name is given twice."),
        (["mine=gpt-1.csv", "gpt-1.csv"], "The same prediction is given twice."),
        (["mine=gpt-*.csv"], "--runs mine=gpt-*.csv"),
        (["mine=gpt-3.csv"], "gpt-3.csv: File not found."),
        (["=gpt-1.csv"], "=gpt-1.csv: File not found."),
        (["mine="], "mine=: File not found."),
    ],
)
def test_a_bad_name_is_reported(goldassay_command, runs, monkeypatch, args, message):
    monkeypatch.chdir(runs)
    result = score(goldassay_command, runs, *args)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_a_folder_of_runs_has_files_that_are_not_hidden(goldassay_command, runs):
    folder = runs / "folder"
    folder.mkdir()
    for name in (".hidden.csv", "seen.csv"):
        (folder / name).write_text("child,parent\na,x\n")
    assert read(score(goldassay_command, runs, folder))["prediction"].to_list() == [str(folder / "seen.csv")]


def test_how_intervals_are_made_has_no_effect_on_repeated_runs(goldassay_command, runs):
    asked = ("--runs", f"gpt={runs}/gpt-*.csv", "--ci")
    assert score(goldassay_command, runs, *asked).code == 0
    result = score(goldassay_command, runs, *asked, "--ci-method", "percentile")
    assert (result.code, "--ci-method has no effect on intervals of repeated runs" in result.err) == (2, True)


def test_a_plan_of_runs_allows_for_how_much_those_of_a_pilot_vary(goldassay_command, tmp_path):
    """Recall of 0.5, 0.6 and 0.7 in one system, and of 0.2 and 0.4 in the other."""
    edges = [f"c{one},p" for one in range(10)]
    for name, right in {"a1": 5, "a2": 6, "a3": 7, "b1": 2, "b2": 4, "gold": 10}.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(["child,parent", *edges[:right], ""]))
    systems = (word for name in "ab" for word in ("--runs", f"{name}={tmp_path}/{name}*.csv"))
    files = ("taxonomy", *systems, "--gold", tmp_path / "gold.csv", "-m", "literal")
    assert goldassay_command(*files, "--format", "json", "-o", tmp_path / "pilot.json").code == 0
    wanted = ("--difference", "0.8", "--value", "recall", "--format", "json")
    planned = json.loads(goldassay_command("plan", tmp_path / "pilot.json", *wanted).out)
    deviation = math.sqrt((0.1**2 + 0.02) / 2)
    [row] = planned["table"]
    assert row["sd of a run"] == pytest.approx(deviation, abs=1e-6)
    # Ten edges are few: two runs would do if they were many.
    assert needed_for(RunTest(deviation=deviation), 0.8) <= row["needed"] == 3
    assert planned["notes"] == ["of other runs on the same units"]
    too_little = goldassay_command("plan", tmp_path / "pilot.json", "--difference", "0.1", "--value", "recall")
    assert (too_little.code, "which the units of gold may be off by" in too_little.err) == (2, True)
    refused = goldassay_command("plan", tmp_path / "pilot.json", *wanted, "--simulate")
    assert (refused.code, "repeated runs" in refused.err) == (2, True)


def test_the_example_of_split_name():
    assert (split_name("mine=learned.ttl"), split_name("runs/lr=0.1.ttl")) == (
        ("mine", "learned.ttl"),
        (None, "runs/lr=0.1.ttl"),
    )
