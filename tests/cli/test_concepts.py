import json
import re
from pathlib import Path

import polars as pl
import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "concepts"
GOLD, PARROT, PARAPHRASE = (EXAMPLES / f"{name}.jsonl" for name in ("gold", "parrot", "paraphrase"))
DICTIONARY = ("--dictionary", EXAMPLES / "health.obo")
EXACT = ("-m", "concept_exact")


def test_words_and_concepts_part_two_systems(goldassay_command):
    result = goldassay_command("concepts", PARROT, PARAPHRASE, "-g", GOLD, *DICTIONARY, *EXACT, "--format", "json")
    assert (result.code, result.err) == (0, "")
    parrot, paraphrase = (run["scores"][0] for run in json.loads(result.out)["runs"])
    assert parrot["values"]["f1"] < 0.45
    assert paraphrase["values"]["f1"] > 0.9
    plain = goldassay_command(
        "concepts", PARAPHRASE, "-g", GOLD, *DICTIONARY, "-m", "concept_exact(assertions=ignore)", "--format", "json"
    )
    [paraphrase] = json.loads(plain.out)["runs"][0]["scores"]
    assert round(paraphrase["values"]["f1"], 4) == 0.9729
    assert paraphrase["counts"]["hit_pred"] == paraphrase["counts"]["n_pred"]
    assert "dictionary:sha256-" in parrot["signature"]


def test_by_meaning(goldassay_command):
    result = goldassay_command(
        "concepts", PARAPHRASE, "-g", GOLD, *DICTIONARY, "-m", "concept(epsilon=0.5)", "--encoder", "hashing"
    )
    assert result.code == 0
    assert "concept(epsilon=0.5)|concepts:dictionary" in result.out
    assert "encoder:hashing-256" in result.out


def test_a_document_in_full(goldassay_command):
    result = goldassay_command("concepts", PARROT, "-g", GOLD, *DICTIONARY, *EXACT, "--show", "q05", "--misses", "1")
    assert "A {+stroke+} is caused by a pulled muscle or by {+bleeding+} in the [-knee-]." in result.out
    assert "missed    gold  brain" in result.out
    assert "concept_exact missed 43, the nearest first" in result.out
    wrong = goldassay_command("concepts", PARROT, "-g", GOLD, *DICTIONARY, *EXACT, "--show", "q5")
    assert (wrong.code, "There is no document 'q5'" in wrong.err) == (2, True)


@pytest.mark.parametrize("ending", ["tsv", "csv", "parquet", "jsonl"])
def test_explain(goldassay_command, tmp_path, ending):
    path = tmp_path / f"why.{ending}"
    result = goldassay_command("concepts", PARROT, "-g", GOLD, *DICTIONARY, "--encoder", "hashing", "--explain", path)
    assert result.code == 0
    if ending == "parquet":
        frame = pl.read_parquet(path)
        assert frame.columns[:7] == ["side", "item", "verdict", "similarity", "counterpart", "row", "document"]
        assert frame.filter(side="gold", document="q01")["row"].unique().to_list() == [0]
        assert frame.filter(measure="concept_exact", side="gold").height == 69


def test_concepts_are_only_extracted(goldassay_command, tmp_path):
    result = goldassay_command("concepts", GOLD, *DICTIONARY, "--extract-only")
    lines = result.out.splitlines()
    assert lines[0].split("\t") == ["document", "concept", "id", "start", "end", "surface", "assertion"]
    assert lines[1].split("\t") == ["q01", "aspirin", "HEALTH:0001", "0", "7", "Aspirin", '""']
    for ending in ("tsv", "csv", "parquet", "jsonl"):
        assert (
            goldassay_command("concepts", GOLD, *DICTIONARY, "--extract-only", "-o", tmp_path / f"a.{ending}").code == 0
        )
    given = goldassay_command("concepts", tmp_path / "a.jsonl", "-g", tmp_path / "a.jsonl", "-m", "concept_exact")
    assert "69 / 69" in given.out
    assert goldassay_command("concepts", GOLD, PARROT, "--extract-only").code == 2
    assert "suffix" in goldassay_command("concepts", GOLD, "--extract-only", "-o", tmp_path / "a.xlsx").err


def test_one_file_with_both_sides(goldassay_command, tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("id,prediction,reference\nq1,Take aspirin.,Take aspirin for fever.\n")
    result = goldassay_command("concepts", f"{path}#prediction", "-g", f"{path}#reference", *EXACT)
    assert "1 / 1" in result.out
    assert "1 / 2" in result.out
    assert "noun phrases found by rules" in result.out


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        ((), "No gold standard"),
        (("-g", GOLD, "--also", "meteor"), "Unknown score of another package 'meteor'"),
        (("-g", GOLD, "--show", "q01", "--format", "json"), "only the text format"),
        (("-g", GOLD, "-m", "concept(epsilon=2)"), "epsilon"),
        (("-g", GOLD, "-m", "concept_exact(ids=required)"), "have no id"),
        (("-g", GOLD, "--dictionary", EXAMPLES / "gold.jsonl"), "gold.jsonl"),
        (("-g", GOLD, "--text-column", "anwser"), "answer"),
    ],
)
def test_what_is_refused(goldassay_command, arguments, messages):
    result = goldassay_command("concepts", PARROT, *arguments)
    assert result.code == 2
    assert messages in result.err
    assert "Traceback" not in result.err


def test_rouge_and_bleu_are_shown_as_well(goldassay_command):
    pytest.importorskip("rouge_score")
    pytest.importorskip("sacrebleu")
    found = {}
    for system in (PARROT, PARAPHRASE):
        result = goldassay_command("concepts", system, "-g", GOLD, *DICTIONARY, *EXACT, "--also", "rouge,bleu,chrf")
        found[system] = [float(number) for number in re.findall(r"(?:ROUGE-L|BLEU) (\d\.\d{4})", result.out)]
        assert re.findall(r"(ROUGE-\w+|chrF) 0\.\d{4} ", result.out) == [
            "ROUGE-1",
            "ROUGE-2",
            "ROUGE-L",
            "ROUGE-Lsum",
            "chrF",
        ]
    assert found[PARROT] == [0.7541, 0.4699]
    assert found[PARAPHRASE] == [0.1472, 0.0093]


def test_bertscore_is_asked_for_by_name(goldassay_command, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "bert_score", None)
    result = goldassay_command("concepts", PARROT, "-g", GOLD, "--also", "bertscore")
    assert "pip install 'goldassay[bertscore]'" in result.err


def test_rouge_that_is_not_installed(goldassay_command, monkeypatch):
    for name in ("rouge_score", "rouge_score.rouge_scorer"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    result = goldassay_command("concepts", PARROT, "-g", GOLD, "--also", "rouge")
    assert result.code == 2
    assert "pip install 'goldassay[overlap]'" in result.err


@pytest.mark.parametrize(
    ("layout", "messages"),
    [
        ("text", "concept_exact: values are means over documents (macro); hits and items are counted over all documents together"),
        ("markdown", "concept_exact: values are means over documents (macro)"),
        ("latex", r"concept\_exact: values are means over documents (macro)"),
        ("csv", "prediction,measure,means_over,"),
    ],
)  # fmt: skip
def test_means_next_to_counts_are_reported(goldassay_command, tmp_path, layout, messages):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "concepts": ["x"]}\n{"id": 2, "concepts": ["y", "z"]}\n')
    command = ("concepts", path, "-g", path, "--format", layout, "-m")
    assert messages in goldassay_command(*command, "concept_exact", "-m", "concept_exact(average=micro)").out
    assert messages not in goldassay_command(*command, "concept_exact(average=micro)").out


@pytest.mark.parametrize("flag", ["--on-unpaired", "--pred-on-unpaired", "--gold-text-column"])
def test_what_is_about_two_files_has_no_effect_on_concepts_of_one(goldassay_command, tmp_path, flag):
    (tmp_path / "a.csv").write_text("id,text\n1,A black cat sleeps.\n")
    result = goldassay_command("concepts", tmp_path / "a.csv", "--extract-only", flag, "error")
    assert result.code == 2
    assert f"{flag} has no effect with --extract-only" in result.err
