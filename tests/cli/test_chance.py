"""``--chance``, ``--null``, ``--hubs``, ``--quiet`` and ``calibrate --against-chance`` on the command line."""

import csv
import io
import json

import pytest

HASHING = ("--encoder", "hashing")
WORDS = ["violin", "cello", "flute", "oboe", "horn", "tuba", "drum", "harp"]


@pytest.fixture
def files(tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text("child,parent\n" + "".join(f"{word} {i},{word}\n" for word in WORDS for i in range(4)))
    pred = tmp_path / "pred.csv"
    pred.write_text("child,parent\n" + "".join(f"{word} {i},{word}\n" for word in WORDS for i in range(3)))
    loop = tmp_path / "loop.csv"
    loop.write_text("child,parent\nviolin,violin\n")
    return pred, gold, loop


def test_json_has_the_level_of_chance(goldassay_command, files):
    done = goldassay_command(
        "taxonomy",
        files[0],
        "--gold",
        files[1],
        "-m",
        "literal",
        "--chance",
        "--draws",
        "9",
        "--seed",
        "4",
        "--format",
        "json",
    )
    level = json.loads(done.out)["runs"][0]["scores"][0]["chance"]
    assert (level["null"], level["draws"], level["seed"]) == ("shuffle-texts", 9, 4)


def test_a_null_model_implies_chance(goldassay_command, files):
    done = goldassay_command(
        "taxonomy", files[0], "--gold", files[1], "-m", "literal", "--null", "random-edges", "--format", "csv"
    )
    (row,) = csv.DictReader(io.StringIO(done.out))
    assert "chance:random-edges(draws=100,seed=0,moments=exact)" in row["signature"]
    assert float(row["f1_adjusted"]) < float(row["f1"])


def test_an_unknown_null_model_is_one_message(goldassay_command, files):
    done = goldassay_command("taxonomy", files[0], "--gold", files[1], "--null", "rewired")
    assert done.code == 2
    assert "Unknown null model of taxonomy 'rewired'" in done.err
    assert "rewire" in done.err


def test_quiet_hides_no_warning(goldassay_command, files):
    gold = files[1]
    gold.write_text("child,parent\n" + "".join(f"violin {i},violin\n" for i in range(40)))
    done = goldassay_command("taxonomy", files[2], "--gold", gold, "-m", "fuzzy(threshold=0.3)", *HASHING, "--quiet")
    assert "one predicted edge is the best counterpart of 100% of gold: violin -> violin" in done.out


def test_hubs_are_listed(goldassay_command, files):
    done = goldassay_command("taxonomy", files[0], "--gold", files[1], "-m", "literal", "--hubs", "2")
    lines = done.out.splitlines()
    place = lines.index("literal: predicted items that match the most gold items")
    assert lines[place + 1].startswith("1 (3.1% of gold)  ")
    assert len(lines) == place + 3


def test_calibrate_against_chance(goldassay_command, files):
    done = goldassay_command(
        "calibrate",
        files[0],
        "--gold",
        files[1],
        "--against-chance",
        "0.05",
        "--encoder",
        "hashing",
        "--format",
        "json",
    )
    found = json.loads(done.out)
    assert found["share_above"] <= 0.05
    assert found["texts"] == {"pred": 32, "gold": 40}
    wrong = goldassay_command("calibrate", files[0], "--against-chance", "0.05")
    assert wrong.code == 2
    assert "two vocabularies" in wrong.err
    wrong = goldassay_command(
        "calibrate", files[0], "--gold", files[1], "--against-chance", "2", "--encoder", "hashing"
    )
    assert wrong.code == 2
    assert "between 0 and 1" in wrong.err


def test_what_draws_nothing_says_so(goldassay_command, files, tmp_path):
    pred, gold, _ = files
    for flags in (["--chance"], ["--null", "rewire"], ["--hubs", "2"]):
        swept = goldassay_command("taxonomy", pred, "--gold", gold, "-m", "fuzzy", *HASHING, "--sweep", *flags)
        assert swept.code == 2
        assert "has no effect" in swept.err
    saved = tmp_path / "saved.json"
    goldassay_command("taxonomy", pred, "--gold", gold, "-m", "literal", "--ci", "--format", "json", "-o", saved)
    for flags in (["--chance"], ["--hubs", "2"]):
        compared = goldassay_command("compare", saved, saved, *flags)
        assert compared.code == 2
        assert "has no effect with saved reports" in compared.err


def test_compare_draws_for_every_prediction(goldassay_command, files):
    pred, gold, loop = files
    done = goldassay_command(
        "compare", gold, pred, loop, "-m", "literal", "--chance", "--draws", "3", "--format", "json"
    )
    scores = [run["scores"][0] for run in json.loads(done.out)["runs"]]
    # The texts of one node cannot be shuffled.
    assert [score.get("chance", {}).get("draws") for score in scores] == [3, None]


def test_the_flag_may_name_the_null_model(goldassay_command, files):
    pred, gold, _ = files
    plain = ("taxonomy", pred, "-g", gold, "-m", "literal", "--format", "json")
    named = [goldassay_command(*plain, *flags) for flags in (["--chance", "reversed"], ["--chance=reversed"])]
    spelt = goldassay_command(*plain, "--chance", "--null", "reversed")
    assert {one.out for one in named} == {spelt.out}
    assert '"null": "reversed"' in spelt.out
    first = goldassay_command("taxonomy", "--chance", pred, "-g", gold, "-m", "literal")
    assert (first.code, "shuffle-texts" in first.out) == (0, True)
    assert "Unknown" in goldassay_command(*plain, "--chance=reverse").err


def test_what_would_be_ignored_in_silence_is_refused(goldassay_command, files):
    pred, gold, loop = files
    plain = ("taxonomy", pred, "-g", gold, "-m", "literal")
    for flags, messages in (
        (["--draws", "5"], "--draws has no effect"),
        (["--null", ""], "--null needs the name of a null model"),
        (["--chance", "rewire", "--null", "reversed"], "is given twice"),
        (["--ignore", loop, "--ignore", gold], "is given twice"),
        (["--max-drop", "0.1"], "--max-drop needs --baseline"),
        (["--level", "0.9"], "--level has no effect"),
        (["--ci-method", "percentile"], "--ci-method has no effect"),
        (["--against", "best"], "--against has no effect"),
    ):
        done = goldassay_command(*plain, *flags)
        assert (done.code, done.out) == (2, ""), flags
        assert messages in done.err, flags
    assert goldassay_command(*plain, "--chance", "--chance", "-q", "-q", "-m", "exact").code == 2  # exact is of axioms
    assert goldassay_command(*plain, "--chance", "--chance", "-q", "-q", "-m", "motif").code == 0
