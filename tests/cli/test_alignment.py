import json
from pathlib import Path

import polars as pl
import pytest

import goldassay

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "alignments"
PRED, GOLD, POOLS = EXAMPLES / "pred.sssom.tsv", EXAMPLES / "gold.rdf", EXAMPLES / "candidates.tsv"


def test_sssom_against_oaei(goldassay_command):
    result = goldassay_command("alignment", PRED, "--gold", GOLD, "--format", "json")
    assert (result.code, result.err) == (0, "")
    (score,) = json.loads(result.out)["runs"][0]["scores"]
    assert score["counts"] == {"hit_pred": 5, "hit_gold": 5, "n_pred": 7, "n_gold": 7}


def test_candidates(goldassay_command):
    result = goldassay_command("alignment", POOLS, "-g", POOLS, "-m", "mrr", "-m", "rejection_rate", "--format", "json")
    mrr, rejected = json.loads(result.out)["runs"][0]["scores"]
    assert (mrr["values"], rejected["values"]) == ({"mrr": 0.75}, {"rejection_rate": 0.0})


def test_a_rank_has_no_percentage(goldassay_command, tmp_path):
    words = ("alignment", POOLS, "-g", POOLS, "--percent", "--quiet", "-m", "mrr")
    assert "75.0000" in goldassay_command(*words).out
    refused = goldassay_command(*words, "-m", "mean_rank")
    assert (refused.code, refused.out) == (2, "")
    assert "mean_rank is no share" in refused.err
    report = goldassay.evaluate(POOLS, gold=POOLS, kind="alignment", measures=["mrr", "mean_rank"])
    report.save(tmp_path / "saved.json")
    saved = goldassay_command("compare", tmp_path / "saved.json", "--percent")
    assert (saved.code, saved.out) == (2, "")
    for written in (report, report["mean_rank"]):
        with pytest.raises(goldassay.UsageError, match="mean_rank is no share"):
            written.format(percent=True)
    assert "75.0000" in report["mrr"].format(percent=True)


def test_candidates_are_no_correspondences(goldassay_command):
    result = goldassay_command("alignment", POOLS, "-g", GOLD)
    assert result.code == 2
    assert "-m mrr" in result.err


@pytest.mark.parametrize("by", ["relation", "namespace", "type", "case"])
def test_groups(goldassay_command, by):
    ontologies = ("--source-ontology", EXAMPLES / "zoo.ttl", "--target-ontology", EXAMPLES / "tiere.ttl")
    result = goldassay_command("alignment", PRED, "-g", GOLD, "--by", by, *ontologies)
    assert result.code == 0
    assert f"overlap by {by}" in result.out
    rows = [line.split() for line in result.out.splitlines()]
    # One gold correspondence of an object property, which no one predicted: precision is 0/0, recall and F1 are 0.
    assert by != "type" or ["object", "property", "-", "0.0000", "0.0000", "0", "/", "0", "0", "/", "1"] in rows


def test_kinds_need_ontologies(goldassay_command):
    result = goldassay_command("alignment", PRED, "-g", GOLD, "--by", "type")
    assert (result.code, "--source-ontology" in result.err) == (2, True)


def test_explain_has_the_best_wrong_candidate(goldassay_command, tmp_path):
    goldassay_command("alignment", PRED, "-g", GOLD, "--explain", tmp_path / "why.tsv")
    table = pl.read_csv(tmp_path / "why.tsv", separator="\t")
    assert table.columns[:5] == ["side", "item", "verdict", "similarity", "counterpart"]
    missed = table.filter(pl.col("item").str.contains("Keeper"), side="gold").row(0, named=True)
    assert (missed["verdict"], missed["best_wrong"]) == ("missed", "http://example.org/tiere#Kaefig")


def test_a_sweep_needs_a_threshold(goldassay_command, tmp_path):
    result = goldassay_command("alignment", PRED, "-g", GOLD, "-m", "mrr", "--sweep", "-o", tmp_path / "a.txt")
    assert (result.code, "no threshold to sweep" in result.err, (tmp_path / "a.txt").exists()) == (2, True, False)


def test_ignored_and_baseline_files_reach_the_measures(goldassay_command, tmp_path):
    (tmp_path / "known.csv").write_text("source,target\nhttp://example.org/zoo#Tiger,http://example.org/tiere#Tiger\n")
    result = goldassay_command(
        "alignment", PRED, "-g", GOLD, "-m", "overlap", "-m", f"residual(baseline='{tmp_path / 'known.csv'}')",
        "--format", "json", "--ignore", tmp_path / "known.csv",
    )  # fmt: skip
    for score in json.loads(result.out)["runs"][0]["scores"]:
        assert score["counts"] == {"hit_pred": 4, "hit_gold": 4, "n_pred": 6, "n_gold": 6}
        assert "ignore:sha256-" in score["signature"]
        assert ("baseline:sha256-" in score["signature"]) == (score["name"] == "residual")


def cases(tmp_path):
    for system in ("reference", "one", "two"):
        (tmp_path / system).mkdir()
        for case in ("a-b", "C-d"):
            (tmp_path / system / f"{case}.csv").write_text(f"source,target\n{case}1,x\n{case}{len(system)},y\n")
    return tmp_path


def test_a_folder_of_systems(goldassay_command, tmp_path):
    result = goldassay_command("alignment", "--cases", cases(tmp_path), "--by", "case", "--quiet")
    assert result.code == 0
    assert result.out.count("macro_overlap|") == 1  # of both systems, which have as many items
    rows = [line.split() for line in result.out.splitlines()]
    # Two systems, by overlap and by its mean over cases.
    assert len([row for row in rows if row[:4] == ["a-b", "0.5000", "0.5000", "0.5000"]]) == 4


def test_two_folders(goldassay_command, tmp_path):
    cases(tmp_path)
    result = goldassay_command("alignment", tmp_path / "one", "-g", tmp_path / "reference", "--format", "csv")
    assert len(result.out.strip().splitlines()) == 3


def test_a_manifest(goldassay_command, tmp_path):
    cases(tmp_path)
    (tmp_path / "m.tsv").write_text("case\tpred\tgold\nc\tone/a-b.csv\treference/a-b.csv\n")
    result = goldassay_command("alignment", "--cases", tmp_path / "m.tsv", "--format", "json")
    assert json.loads(result.out)["runs"][0]["scores"][0]["counts"]["hit_pred"] == 1


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        ((PRED,), "No gold standard"),
        (("-g", GOLD), "No prediction"),
        ((PRED, "--cases", EXAMPLES), "remove PRED"),
        (("--cases", EXAMPLES), "No gold standard"),
        ((PRED, "-g", GOLD, "-m", "hit_at_k(k=many)"), "'k'"),
        ((PRED, "-g", "absent.rdf"), "File not found"),
        ((PRED, "-g", GOLD, "--relations", "eats"), "Unknown relation"),
        ((PRED, "-g", GOLD, "--score-column", "sim", "--input-format", "tsv"), "no column 'sim'"),
        ((PRED, "-g", GOLD, "--sweep", "--format", "latex"), "does not support --format latex"),
        ((PRED, "-g", GOLD, "--by", "relations"), "relation"),
    ],
)
def test_mistakes_are_code_2_and_say_what_to_do(goldassay_command, arguments, messages):
    result = goldassay_command("alignment", *arguments)
    assert result.code == 2
    assert messages.lower() in result.err.lower()
    assert "Traceback" not in result.err


def test_a_negative_k_finds_nothing(goldassay_command):
    result = goldassay_command("alignment", PRED, "-g", GOLD, "-m", "hit_at_k(k=-3)", "--format", "json")
    assert json.loads(result.out)["runs"][0]["scores"][0]["values"] == {"hit": 0.0}


@pytest.mark.parametrize("ending", ["rdf", "sssom.tsv", "csv", "tsv", "parquet", "jsonl"])
def test_convert_there_and_back(goldassay_command, tmp_path, ending):
    there = tmp_path / f"a.{ending}"
    assert goldassay_command("convert", PRED, there).out == f"{there}: 7 correspondences from {PRED} (sssom)\n"
    result = goldassay_command("alignment", there, "-g", GOLD, "--format", "json")
    assert json.loads(result.out)["runs"][0]["scores"][0]["counts"]["hit_pred"] == 5


def test_convert_swaps_and_says_what_is_lost(goldassay_command, tmp_path):
    result = goldassay_command("convert", POOLS, tmp_path / "a.csv", "--swap")
    assert result.code == 0
    assert (tmp_path / "a.csv").read_text().splitlines()[1].startswith("http://example.org/tiere#Papagei,")
    assert "sources are left out" not in result.err
    assert "sources without a counterpart: 1" in result.err
    hint = goldassay_command("alignment", tmp_path / "a.csv", "-g", GOLD)
    assert "goldassay convert --swap" in hint.out
    assert goldassay_command("convert", PRED, tmp_path / "a.owl").code == 2
    assert goldassay_command("convert", PRED, tmp_path / "none" / "a.csv").code == 2


def test_evidence_as_a_mapping_set(goldassay_command, tmp_path):
    path = tmp_path / "diff.sssom.tsv"
    assert goldassay_command("alignment", PRED, "--gold", GOLD, "--explain", path).code == 0
    diff = goldassay.read(path, kind="alignment")
    text = path.read_text()
    assert text.count("overlap: hit") == 5
    assert (text.count("overlap: invented"), text.count("\tgold\toverlap: missed")) == (2, 2)
    pred, gold = (goldassay.read(file, kind="alignment") for file in (PRED, GOLD))
    sides = [{tuple(side.item(row).split()[::2]) for row in range(len(side))} for side in (diff, pred, gold)]
    assert sides[0] == sides[1] | sides[2]


def test_a_sweep_leaves_out_what_a_score_leaves_out(goldassay_command, tmp_path):
    rows = {"pred": "cat,chat,1\ncow,chat,1\ndog,chien,0.5\noak,x,0.4\n", "gold": "cat,chat,1\ndog,chien,1\n"}
    for name, text in rows.items():
        (tmp_path / f"{name}.csv").write_text(f"source,target,score\n{text}")
    (tmp_path / "ignore.csv").write_text("source,target\ncat,chat\nno,no\n")
    given = ("alignment", tmp_path / "pred.csv", "-g", tmp_path / "gold.csv", "-m", "overlap", "--sweep")
    flags = ("--ignore", tmp_path / "ignore.csv", "--completeness", "target")
    done = goldassay_command(*given, *flags, "--format", "json")
    (found,) = json.loads(done.out)["sweeps"]
    assert found["left_out"] == {"pred": {"ignored": 1, "unjudged": 2}, "gold": {"ignored": 1}}
    assert (found["points"]["threshold"], found["points"]["precision"]) == ([0.5], [1.0])
    assert "--ignore: 1 of 2 items is in no prediction and not in gold" in " ".join(done.err.split())
    assert (
        "left out  1 ignored of the prediction, 2 unjudged of the prediction, 1 ignored of gold"
        in goldassay_command(*given, *flags).out
    )


def test_a_column_that_one_prediction_leaves_empty_is_explained(goldassay_command, tmp_path):
    # The best wrong candidates of one prediction are texts, the other has none.
    for name, row in (("gold", "a,x"), ("right", "a,x"), ("wrong", "a,y")):
        (tmp_path / f"{name}.csv").write_text(f"source,target\n{row}\n")
    files = (tmp_path / "right.csv", tmp_path / "wrong.csv", "--gold", tmp_path / "gold.csv")
    result = goldassay_command("alignment", *files, "-m", "overlap", "--explain", tmp_path / "out.csv")
    assert result.code == 0
    assert "best_wrong" in (tmp_path / "out.csv").read_text()


@pytest.mark.parametrize("layout", ["text", "markdown", "json"])
def test_a_sweep_shows_its_signature(goldassay_command, tmp_path, layout):
    file = tmp_path / "a.csv"
    file.write_text("source,target,score\na,x,0.5\n")
    result = goldassay_command("alignment", file, "--gold", file, "--sweep", "--format", layout, "--relations", "=")
    assert "overlap|relations:=|gold:1|pred:1|goldassay:" in result.out


@pytest.mark.parametrize("flag", ["--source-ontology", "--target-ontology", "--language", "--scores"])
def test_convert_has_no_flag_that_changes_nothing_it_writes(goldassay_command, tmp_path, flag):
    (tmp_path / "a.csv").write_text("source,target\na,b\n")
    result = goldassay_command("convert", tmp_path / "a.csv", tmp_path / "b.csv", "--kind", "alignment", flag, "any")
    assert result.code == 2
    refused = (f"No such option: {flag}", f"No such option '{flag}'")  # as typer writes it, by its version
    assert any(words in result.err for words in refused) or f"{flag.strip('-')} has no effect" in result.err
    assert not (tmp_path / "b.csv").exists()


def test_columns_are_not_named_where_a_file_has_none(goldassay_command, tmp_path):
    (tmp_path / "a.sssom.tsv").write_text("subject_id\tpredicate_id\tobject_id\nskos:a\tskos:exactMatch\tskos:b\n")
    result = goldassay_command("convert", tmp_path / "a.sssom.tsv", tmp_path / "b.csv", "--target-column", "c")
    assert result.code == 2
    assert "target_column has no effect: no file is a table with this column" in result.err
    assert "leave out --target-column" in result.err
    assert not (tmp_path / "b.csv").exists()
