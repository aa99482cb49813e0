"""`goldassay compare`, and the flags of confidence and gates that every command has."""

import functools
import json
from pathlib import Path

import pytest
from tests.cli.pairs import SECONDS, called
from tests.cli.samples import CASES, PLACES, sample

import goldassay.cli


@pytest.fixture
def files(tmp_path):
    for name, stop in (("gold", 40), ("a", 30), ("b", 12)):
        rows = "".join(f"child {n},parent\n" for n in range(stop))
        (tmp_path / f"{name}.csv").write_text(f"child,parent\n{rows}")
    return [str(tmp_path / f"{name}.csv") for name in ("gold", "a", "b")]


LITERAL = ("-m", "literal", "--resamples", "200")


def test_predictions_are_in_one_table_with_intervals_and_marks(goldassay_command, files):
    result = goldassay_command("compare", *files, *LITERAL)
    assert result.code == 0
    assert "b.csv        literal" in " ".join(result.out.split("\n")) or "b.csv" in result.out
    assert "0.3000 [0.1" in result.out
    assert "* differs from a.csv" in result.out


def test_the_familys_own_command_gives_the_same_table(goldassay_command, files):
    gold, *preds = files
    own = goldassay_command("taxonomy", *preds, "--gold", gold, "--ci", *LITERAL)
    assert own.out == goldassay_command("compare", *files, *LITERAL).out


def test_saved_reports_compare_without_their_files(goldassay_command, files, tmp_path):
    gold, *preds = files
    saved = []
    for pred in preds:
        saved.append(f"{pred}.json")
        assert (
            goldassay_command("taxonomy", pred, "-g", gold, "--ci", *LITERAL, "--format", "json", "-o", saved[-1]).code
            == 0
        )
    (tmp_path / "a.csv").unlink()
    result = goldassay_command("compare", *saved, "--resamples", "200")
    assert "* differs from a.csv" in result.out
    assert goldassay_command("compare", *saved, "--misses", "3").code == 2


@pytest.mark.parametrize("layout", ["markdown", "latex", "csv", "json"])
def test_every_layout_writes_the_comparison(goldassay_command, files, layout):
    result = goldassay_command("compare", *files, *LITERAL, "--format", layout)
    assert result.code == 0
    assert "0.3" in result.out


def test_signatures_that_predictions_share_are_printed_once(goldassay_command, files, tmp_path):
    gold, pred, _ = files
    same = tmp_path / Path(pred).name.replace(".", "-2.")
    same.write_bytes(Path(pred).read_bytes().replace(b"child 1,", b"child 1001,"))
    printed = goldassay_command("taxonomy", pred, same, "-g", gold, "-m", "literal", "--quiet").out
    assert printed.count("literal|") == 1


def test_a_saved_report_next_to_what_is_none_is_refused(goldassay_command, files, tmp_path):
    gold, pred, _ = files
    saved = str(tmp_path / "saved.json")
    goldassay_command("taxonomy", pred, "-g", gold, "--ci", *LITERAL, "--format", "json", "-o", saved)
    result = goldassay_command("compare", gold, saved)
    assert result.code == 2
    assert "compared with saved reports" in result.err
    assert f"{saved} and {gold}, which is not a saved report" in result.err


def test_one_file_only_is_nothing_to_compare(goldassay_command, files):
    result = goldassay_command("compare", files[0])
    assert result.code == 2
    assert "Nothing to compare" in result.err


def test_a_seed_that_is_no_number_is_refused(goldassay_command, files):
    assert goldassay_command("compare", *files, "--seed", "luck").code == 2
    assert goldassay_command("compare", *files, "--seed", "-1").code == 2
    assert goldassay_command("compare", *files, "--level", "95").code == 2


def test_a_gate_that_is_not_reached_leaves_with_1_after_the_report(goldassay_command, files):
    gold, pred, _ = files
    result = goldassay_command("taxonomy", pred, "-g", gold, "-m", "literal", "--fail-under", "literal.recall=0.8")
    assert result.code == 1
    assert "0.7500" in result.out
    assert "check failed" in result.err
    assert goldassay_command("taxonomy", pred, "-g", gold, "-m", "literal", "--fail-under", "recall=0.75").code == 0


def test_a_gate_of_no_form_is_refused_before_anything_is_read(goldassay_command):
    result = goldassay_command("taxonomy", "missing.ttl", "-g", "missing.ttl", "--fail-under", "f1")
    assert result.code == 2
    assert "gate" in result.err


def test_a_drop_below_the_baseline_leaves_with_1(goldassay_command, files, tmp_path):
    gold, pred, worse = files
    before = str(tmp_path / "before.json")
    assert goldassay_command("taxonomy", pred, "-g", gold, "-m", "literal", "--format", "json", "-o", before).code == 0
    assert goldassay_command("taxonomy", pred, "-g", gold, "-m", "literal", "--baseline", before).code == 0
    dropped = goldassay_command(
        "taxonomy", worse, "-g", gold, "-m", "literal", "--baseline", before, "--max-drop", "0.01"
    )
    assert dropped.code == 1
    assert "worse by 0.45" in dropped.err
    assert (
        goldassay_command(
            "taxonomy", worse, "-g", gold, "-m", "literal", "--baseline", before, "--max-drop", "0.5"
        ).code
        == 0
    )


def test_a_baseline_that_is_no_report_is_refused(goldassay_command, files):
    gold, pred, _ = files
    assert goldassay_command("taxonomy", pred, "-g", gold, "-m", "literal", "--baseline", gold).code == 2


def test_json_holds_intervals_and_units_when_asked(goldassay_command, files):
    gold, pred, _ = files
    plain = json.loads(goldassay_command("taxonomy", pred, "-g", gold, "-m", "literal", "--format", "json").out)
    assert "intervals" not in plain["runs"][0]["scores"][0]
    sure = json.loads(goldassay_command("taxonomy", pred, "-g", gold, *LITERAL, "--ci", "--format", "json").out)
    score = sure["runs"][0]["scores"][0]
    low, high = score["intervals"]["recall"]
    assert low < 0.75 < high
    assert len(score["units"]["keys"]) == 40


def test_a_saved_report_of_repeated_runs_keeps_its_systems(goldassay_command, files, tmp_path):
    gold, first, second = files
    asked = ("taxonomy", "--runs", f"one={first}", "--runs", f"two={second}", "--gold", gold, *LITERAL)
    scored = goldassay_command(*asked)
    goldassay_command(*asked, "--format", "json", "-o", tmp_path / "runs.json")
    shown = goldassay_command("compare", tmp_path / "runs.json")
    assert shown.out.count("one run only") == 2
    assert shown == scored


@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("--level", "0.9"),
        ("--seed", "5"),
        ("--resamples", "300"),
        ("--ci-method", "percentile"),
        ("--against", "best"),
        ("--against", "all"),
    ],
)
def test_a_saved_report_has_the_tests_that_it_was_saved_with(goldassay_command, files, tmp_path, flags):
    gold, *preds = files
    line, saved = ("taxonomy", *preds, gold, "-g", gold, *LITERAL[:2], "--ci", *flags), tmp_path / "saved.json"
    fresh = goldassay_command(*line, "--quiet", "--no-selfcheck")
    assert goldassay_command(*line, "--no-selfcheck", "--format", "json", "-o", saved).code == 0
    assert goldassay_command("compare", saved, "--quiet").out == fresh.out
    written = json.loads(goldassay_command("compare", saved, "--format", "json").out)
    assert written["comparisons"] == json.loads(saved.read_text())["comparisons"]


def test_several_saved_reports_are_tested_as_the_first_was_scored(goldassay_command, files, tmp_path):
    gold, *preds = files
    saved = [tmp_path / "a.json", tmp_path / "b.json"]
    asked = ("-g", gold, *LITERAL, "--ci", "--level", "0.9", "--seed", "5", "--format", "json")
    fresh = json.loads(goldassay_command("taxonomy", *preds, *asked).out)
    for pred, path in zip(preds, saved, strict=True):
        assert goldassay_command("taxonomy", pred, *asked, "-o", path).code == 0
    assert (
        json.loads(goldassay_command("compare", *saved, "--format", "json").out)["comparisons"] == fresh["comparisons"]
    )
    assert (
        goldassay_command("taxonomy", preds[1], *(word.replace("0.9", "0.99") for word in asked), "-o", saved[1]).code
        == 0
    )
    refused = goldassay_command("compare", *saved)
    assert refused.code == 2
    assert "different levels" in refused.err
    assert "0.9 and 0.99" in refused.err


@pytest.mark.parametrize("flags", [("--against", "best"), ("--ci",), ("--seed", "3")])
def test_one_saved_report_where_nothing_is_tested_takes_no_flag_of_tests(goldassay_command, files, tmp_path, flags):
    gold, pred, _ = files
    saved = tmp_path / "saved.json"
    assert goldassay_command("taxonomy", pred, "-g", gold, *LITERAL[:2], "--format", "json", "-o", saved).code == 0
    assert goldassay_command("compare", saved).code == 0
    refused = goldassay_command("compare", saved, *flags)
    assert refused.code == 2
    assert f"{flags[0]} has no effect with one saved report where nothing is tested" in refused.err


def test_every_flag_has_an_effect_on_saved_reports_or_is_refused(files, tmp_path, monkeypatch):
    monkeypatch.setattr(goldassay.cli, "make_command", functools.cache(goldassay.cli.make_command))
    gold, pred, worse = map(Path, files)
    as_before = worse.read_text()
    worse.write_text(gold.read_text())
    saving = ("-g", files[0], "--ci", *LITERAL, "--format", "json", "-o")
    assert called(("taxonomy", files[2], *saving, "better.json"), tmp_path)[0] == 0
    worse.write_text(as_before)
    for file in (pred, worse):
        assert called(("taxonomy", str(file), *saving, f"{file}.json"), tmp_path)[0] == 0
    samples = CASES["compare"].samples | {
        "baseline": sample("--baseline", "better.json"),
        "max_drop": sample("--max-drop", "0.99", baseline=("--baseline", "better.json")),
        # Intervals of differences are in JSON only.
        **{name: sample(f"--{name}", "150", layout=("--format", "json")) for name in ("resamples", "seed")},
        "level": sample("--level", "0.5", layout=("--format", "json")),
    }
    # The second is the better one.
    usual = ("compare", f"{worse}.json", f"{pred}.json")

    @functools.cache
    def outcome(*given):
        for file in tmp_path.glob("out*"):
            file.unlink()
        code, out, err = called((*usual, *given), tmp_path)
        return code, out, SECONDS.sub("", err), [file.read_bytes() for file in tmp_path.glob("out*")]

    for name, one in samples.items():
        needs = [word for need, words in one.needs.items() if need not in PLACES for word in words]
        without, given = outcome(*needs), outcome(*needs, *one.words)
        assert given[0] == 2 or without != given, name


def test_predictions_of_one_name_are_named_by_their_reports(goldassay_command, files, tmp_path):
    gold, *preds = files
    saved = []
    for name, pred in zip(("monday", "tuesday"), preds, strict=True):
        saved.append(str(tmp_path / f"{name}.json"))
        line = ("taxonomy", f"learned.csv={pred}", "-g", gold, *LITERAL, "--ci", "--format", "json", "-o", saved[-1])
        assert goldassay_command(*line).code == 0
    usual = goldassay_command("compare", *saved, "--format", "json", "--against", "tuesday")
    assert [run["pred"]["path"] for run in json.loads(usual.out)["runs"]] == ["monday", "tuesday"]
    for given, names in (
        ([f"mon={saved[0]}", f"tue={saved[1]}"], ["mon", "tue"]),
        ([f"a={saved[0]}", saved[1]], ["a", "tuesday"]),
    ):
        table = goldassay_command("compare", *given, "--format", "csv").out.splitlines()
        assert [line.partition(",")[0] for line in table] == ["prediction", *names]
