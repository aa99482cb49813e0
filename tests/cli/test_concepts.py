import json
import re
from pathlib import Path

import polars as pl
import pytest

import goldassay

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
        first = ["side", "item", "verdict", "similarity", "counterpart", "credit", "weight", "row", "document"]
        assert frame.columns[:9] == first
        assert frame.filter(side="gold", document="q01")["row"].unique().to_list() == [0]
        assert frame.filter(measure="concept_exact", side="gold").height == 69


def test_concepts_are_only_extracted(goldassay_command, tmp_path):
    result = goldassay_command("concepts", GOLD, *DICTIONARY, "--extract-only")
    lines = result.out.splitlines()
    assert lines[0].split("\t") == ["document", "concept", "id", "start", "end", "surface", "assertion", "way"]
    assert lines[1].split("\t") == ["q01", "aspirin", "HEALTH:0001", "0", "7", "Aspirin", "", ""]
    for ending in ("tsv", "csv", "parquet", "jsonl"):
        assert (
            goldassay_command("concepts", GOLD, *DICTIONARY, "--extract-only", "-o", tmp_path / f"a.{ending}").code == 0
        )
    given = goldassay_command("concepts", tmp_path / "a.jsonl", "-g", tmp_path / "a.jsonl", "-m", "concept_exact")
    assert "69 / 69" in given.out
    assert goldassay_command("concepts", GOLD, PARROT, "--extract-only").code == 2
    assert "suffix" in goldassay_command("concepts", GOLD, "--extract-only", "-o", tmp_path / "a.docx").err


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


def test_a_table_of_system_and_reference_notes_as_data_sets_have_it(goldassay_command, tmp_path):
    path = tmp_path / "system.csv"
    path.write_text(
        'Dialogues,Reference Summaries,note,encounter_id\n"[doctor] hi\n[patient] hey",Fever and gout.,"Possible clinical note: HISTORY\n'
        'Fever.",D2N088\n[doctor] hello,No gout.,No gout.,D2N089\n'
    )
    result = goldassay_command("concepts", f"{path}#note", "-g", f"{path}#Reference Summaries", "-m", "concept_exact")
    assert (result.code, "no column of ids" in result.out + result.err) == (0, False)
    assert "2 / 2" in result.out
    assert "2 / 3" in result.out


def test_rouge_and_bleu_are_shown_as_well(goldassay_command):
    pytest.importorskip("rouge_score")
    pytest.importorskip("sacrebleu")
    found = {}
    for system in (PARROT, PARAPHRASE):
        result = goldassay_command("concepts", system, "-g", GOLD, *DICTIONARY, *EXACT, "--also", "rouge,bleu,chrf")
        found[system] = [float(number) for number in re.findall(r"(?:ROUGE-L|BLEU)  .* (\d\.\d{4})", result.out)]
        assert re.findall(r"  (ROUGE-\w+|chrF)  .* 0\.\d{4}", result.out) == [
            "ROUGE-1",
            "ROUGE-2",
            "ROUGE-L",
            "ROUGE-Lsum",
            "chrF",
        ]
    assert found[PARROT] == [0.7541, 0.4699]
    assert found[PARAPHRASE] == [0.1472, 0.0093]


@pytest.mark.parametrize("layout", ["json", "csv", "markdown", "latex", "text"])
def test_other_packages_are_in_every_layout_and_in_files(goldassay_command, layout, tmp_path):
    pytest.importorskip("sacrebleu")
    path = tmp_path / "report.txt"
    command = ("concepts", PARROT, "-g", GOLD, *DICTIONARY, *EXACT, "--also", "bleu,ter", "--format", layout)
    shown = goldassay_command(*command).out
    assert goldassay_command(*command, "-o", path).code == 0
    for text in (shown, path.read_text()):
        assert all(one in text for one in ("BLEU", "TER", "0.469", "0.254"))
    if layout == "json":
        path = tmp_path / "report.json"
        path.write_text(shown)
        [bleu, ter] = goldassay.load(path).runs[0].others
        assert (bleu.name, ter.name, bleu.version[:9]) == ("BLEU", "TER", "sacrebleu")
        assert bleu.value == pytest.approx(0.4699, abs=1e-4)


def test_several_wordings_of_a_sentence_are_references(goldassay_command, tmp_path):
    pytest.importorskip("sacrebleu")
    gold, pred = tmp_path / "gold.csv", tmp_path / "pred.csv"
    gold.write_text("id,text\n1,The cat sat on the mat.\n1,A cat was sitting there.\n2,It rains a lot today.\n")
    pred.write_text("id,text\n1,A cat was sitting there.\n2,It rains a lot today.\n")
    found = goldassay_command("sentences", pred, "-g", gold, "--also", "bleu,chrf,ter,rouge").out
    assert re.findall(r"  (BLEU|chrF|TER|ROUGE-L)  .* (\d\.\d{4})", found) == [
        ("BLEU", "1.0000"),
        ("chrF", "1.0000"),
        ("TER", "0.0000"),
        ("ROUGE-L", "1.0000"),
    ]


def test_assertions_are_on_the_marks(goldassay_command, tmp_path):
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    gold.write_text('{"id": 1, "text": "No fever. Mother has gout."}\n')
    pred.write_text('{"id": 1, "text": "Fever. Mother has gout."}\n')
    page = tmp_path / "page.html"
    result = goldassay_command("concepts", pred, "-g", gold, *EXACT, "--show", "1")
    assert "No [-fever (negated)-]. {+Mother+} has {+gout (family)+}." in result.out
    assert "[-Fever-]. {+Mother+} has {+gout (family)+}." in result.out
    assert goldassay_command("concepts", pred, "-g", gold, *EXACT, "--report", page).code == 0
    assert all(one in page.read_text() for one in ("fever (negated)", "gout (family)"))


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
