"""``goldassay unl`` and ``goldassay sentences``, as a person uses them."""

import json
from pathlib import Path

import pytest

from goldassay.cli.screen import colour_edits

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "unl"
EXPECTED, PRODUCED = EXAMPLES / "expected.unl", EXAMPLES / "produced.unl"


def test_the_example(goldassay_command):
    result = goldassay_command("unl", PRODUCED, "--gold", EXPECTED, "--format", "json")
    assert result.code == 0
    counts = json.loads(result.out)["runs"][0]["scores"][0]["counts"]
    assert counts == {"hit_pred": 2, "hit_gold": 2, "n_pred": 2, "n_gold": 3}


def test_two_graphs_side_by_side(goldassay_command):
    result = goldassay_command("unl", PRODUCED, "--gold", EXPECTED, "--show", "S:2")
    head, *lines = result.out.splitlines()
    assert head.split()[0] == "gold"
    assert [line[0] for line in lines[1:]] == ["=", "~", "~", "-", "+"]
    wrong = goldassay_command("unl", PRODUCED, "--gold", EXPECTED, "--show", "S:9")
    assert (wrong.code, wrong.out) == (2, "")
    assert "Unknown sentence 'S:9'" in wrong.err


def test_the_table_of_labels(goldassay_command):
    result = goldassay_command("unl", PRODUCED, "--gold", EXPECTED, "-m", "unl_relations", "--by", "label")
    assert any(
        line.split() == ["agt", "1.0000", "1.0000", "1.0000", "3", "/", "3", "3", "/", "3"]
        for line in result.out.splitlines()
    )


def test_a_bad_document(goldassay_command, tmp_path):
    bad = tmp_path / "bad.unl"
    bad.write_text("[S:1]\n{unl}\nagt(a)\n{/unl}\n[/S]\n")
    stopped = goldassay_command("unl", bad, "--gold", EXPECTED)
    assert (stopped.code, stopped.out) == (2, "")
    assert f"{bad}:3:1: The relation agt has 1 argument (sentence 1)." in stopped.err
    skipped = goldassay_command("unl", bad, "--gold", EXPECTED, "--on-error", "skip")
    assert skipped.code == 0
    assert "skipped line 3" in skipped.out


@pytest.mark.parametrize("name", ["texts.tsv", "texts.csv", "texts.jsonl", "texts.txt"])
def test_sentences_of_every_format(goldassay_command, tmp_path, name):
    written = {
        "texts.tsv": "id\ttext\n1\tA cat.\n2\tA dog.\n",
        "texts.csv": "id,text\n1,A cat.\n2,A dog.\n",
        "texts.jsonl": '{"id": 1, "text": "A cat."}\n{"id": 2, "text": "A dog."}\n',
        "texts.txt": "A cat.\nA dog.\n",
    }
    file, gold = tmp_path / name, tmp_path / "gold.txt"
    file.write_text(written[name])
    gold.write_text("A cat.\nSomething else.\n")
    result = goldassay_command("sentences", file, "--gold", gold, "--format", "json", "--explain", tmp_path / "why.tsv")
    assert json.loads(result.out)["runs"][0]["scores"][0]["counts"]["hit_pred"] == 1
    assert "[-" in (tmp_path / "why.tsv").read_text()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", '{"id": 1}\n', "No column is recognised as the text"),
        ("a.csv", "id,words\n1,x\n", "try:      name it: --gold-text-column words"),
        ("a.unl", "[S:1] agt(a, b) [/S]", "The document has no text in {org}."),
    ],
)
def test_bad_sentences(goldassay_command, tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    result = goldassay_command("sentences", tmp_path / name, "--gold", tmp_path / name)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_texts_of_a_language(goldassay_command):
    result = goldassay_command("sentences", EXPECTED, "--gold", EXPECTED, "--language", "en")
    assert "3 / 3" in result.out


def test_edits_are_coloured():
    line = colour_edits("missed S:1 [-A-]{+The+} cat [sic]")
    assert line.plain == "missed S:1 [-A-]{+The+} cat [sic]"
    assert [(line.plain[span.start : span.end], span.style) for span in line.spans] == [
        ("[-A-]", "red"),
        ("{+The+}", "green"),
    ]


def test_duplicate_relations_are_reported(goldassay_command, tmp_path):
    file = tmp_path / "twice.unl"
    file.write_text("[S:7] agt(a, b) agt(a, b) agt(a.@past, b) [/S]\n[S:8] agt(a, b) [/S]\n")
    result = goldassay_command("unl", file, "--gold", EXPECTED)
    assert "1 duplicate relation, each counted, in 1 sentence, first in sentence 7" in result.out
