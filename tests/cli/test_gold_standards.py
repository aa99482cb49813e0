"""``--gold A --gold B --combine RULE`` on the command line."""

import csv
import io
import json

import pytest

TTL = """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix : <http://example.org/> .
:1 rdfs:label "cat" . :2 rdfs:label "pet" . :3 rdfs:label "hen" . :4 rdfs:label "farm" .
:1 rdfs:subClassOf :2 . :3 rdfs:subClassOf :4 .
"""


@pytest.fixture
def gold_standards(tmp_path):
    (tmp_path / "a.csv").write_text("child,parent\ncat,pet\ndog,pet\ncow,farm\n")
    (tmp_path / "b.ttl").write_text(TTL)
    (tmp_path / "pred.csv").write_text("child,parent\ncat,pet\nhen,farm\nx,y\n")
    return tmp_path


def run(command, folder, *arguments, kind="taxonomy"):
    return command(kind, folder / "pred.csv", *arguments, "-m", "literal")


def test_two_golds_in_two_formats(goldassay_command, gold_standards):
    done = run(
        goldassay_command,
        gold_standards,
        "-g",
        gold_standards / "a.csv",
        "-g",
        gold_standards / "b.ttl",
        "--combine",
        "union",
        "--format",
        "csv",
    )
    (row,) = csv.DictReader(io.StringIO(done.out))
    assert (row["n_gold"], row["hit_gold"]) == ("4", "2")
    assert float(row["f1_ceiling"]) == pytest.approx(0.4)
    assert "|gold:3+2|" in row["signature"]
    assert "|combine:union(2)|" in row["signature"]


def test_without_a_rule_the_best_is_taken(goldassay_command, gold_standards):
    done = run(goldassay_command, gold_standards, "-g", gold_standards / "a.csv", "-g", gold_standards / "b.ttl")
    assert "b.ttl is the best of the gold standards" in done.out
    assert "combine:max(2)" in done.out
    assert "human ceiling" in done.out


def test_one_gold_that_cannot_be_read_is_named(goldassay_command, gold_standards):
    done = run(goldassay_command, gold_standards, "-g", gold_standards / "a.csv", "-g", gold_standards / "none.ttl")
    assert done.code == 2
    assert "none.ttl" in done.err


def test_a_rule_for_one_gold_is_one_message(goldassay_command, gold_standards):
    done = run(goldassay_command, gold_standards, "-g", gold_standards / "a.csv", "--combine", "votes")
    assert done.code == 2
    assert done.err.count("at least two") == 1
    assert "Traceback" not in done.err


def test_what_shows_one_gold_refuses_several(goldassay_command, gold_standards):
    done = run(
        goldassay_command, gold_standards, "-g", gold_standards / "a.csv", "-g", gold_standards / "b.ttl", "--sweep"
    )
    assert done.code == 2
    assert "--sweep supports one gold standard only" in done.err


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_several_gold_answers_of_one_id(goldassay_command, tmp_path):
    pred, gold, lists = tmp_path / "pred.jsonl", tmp_path / "gold.jsonl", tmp_path / "lists.jsonl"
    pred.write_text('{"id": "q", "concepts": ["cat", "hen", "ant"]}\n')
    answers = [["cat", "dog", "cow"], ["cat", "hen"]]
    gold.write_text("".join(json.dumps({"id": "q", "concepts": one}) + "\n" for one in answers))
    lists.write_text(json.dumps({"id": "q", "concepts": answers}))
    for file in (gold, lists):
        done = goldassay_command(
            "concepts", pred, "-g", file, "--combine", "max", "-m", "concept_exact", "--format", "json"
        )
        report = json.loads(done.out)
        assert report["runs"][0]["scores"][0]["values"]["f1"] == pytest.approx(0.8)
        assert [one["items"] for one in report["gold_standards"]] == [3, 2]
    single = goldassay_command("concepts", pred, "-g", gold, "-m", "concept_exact")
    assert single.code == 2
    assert "--combine max" in single.err


def test_every_layout_is_written(goldassay_command, gold_standards, tmp_path):
    page = tmp_path / "page.html"
    for rule in ("max", "union", "mean", "votes"):
        done = run(
            goldassay_command, gold_standards, "-g", gold_standards / "a.csv", "-g", gold_standards / "b.ttl", "--combine", rule, "--report", page,
            "--explain", tmp_path / "items.tsv",
        )  # fmt: skip
        assert done.code == 0, done.err
        text = page.read_text("utf-8")
        assert "a.csv and b.ttl" in text
        assert "ceiling" in text


def test_a_gold_or_a_prediction_that_is_given_twice_is_one_message(goldassay_command, gold_standards):
    done = run(goldassay_command, gold_standards, "-g", gold_standards / "a.csv", "-g", gold_standards / "a.csv")
    assert (done.code, done.err.count("The same gold standard is given twice")) == (2, 1)
    done = run(
        goldassay_command,
        gold_standards,
        gold_standards / "*.csv",
        gold_standards / "pred.csv",
        "-g",
        gold_standards / "b.ttl",
    )
    assert (done.code, done.err.count("The same prediction is given twice")) == (2, 1)
    runs = ("--runs", f"x={gold_standards / 'a.csv'}", "--runs", f"y={gold_standards / '*.csv'}")
    done = goldassay_command("taxonomy", *runs, "-g", gold_standards / "b.ttl", "-m", "literal")
    assert (done.code, done.err.count("A file is listed as a run twice")) == (2, 1)
