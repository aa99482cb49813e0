import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "axioms"


def test_a_table_against_a_page(goldassay_command):
    result = goldassay_command(
        "axioms", EXAMPLES / "pred.csv", "--gold", EXAMPLES / "gold.md", "--strip-key", "--format", "json"
    )
    assert (result.code, result.err) == (0, "")
    weighted, coverage, exact = json.loads(result.out)["runs"][0]["scores"]
    assert (weighted["counts"]["hit_pred"], exact["counts"]["hit_pred"]) == (3.5, 3)
    assert coverage["counts"] == {
        "covered_classes": 3, "gold_classes": 3, "extra_classes": 1,
        "covered_relations": 1, "gold_relations": 2, "extra_relations": 2,
        "covered_datatypes": 2, "gold_datatypes": 3, "extra_datatypes": 0,
    }  # fmt: skip


def test_two_ontologies(goldassay_command):
    result = goldassay_command(
        "axioms", EXAMPLES / "pred.ttl", "-g", EXAMPLES / "gold.ttl", "--misses", "2", "--by", "kind"
    )
    assert result.code == 0
    assert "4.5 / 5" in result.out
    # Long lines are wrapped, depending on the paths in them.
    assert "properties without domain" in " ".join(result.out.split())
    assert "Book hasAuthor Author" in result.out
    assert "by kind" in result.out


def test_groups_are_in_json(goldassay_command):
    result = goldassay_command(
        "axioms", EXAMPLES / "pred.ttl", "-g", EXAMPLES / "gold.ttl", "--by", "kind", "--format", "json"
    )
    assert result.code == 0
    for score in json.loads(result.out)["runs"][0]["scores"]:
        [found] = score["breakdowns"]
        assert found["by"] == "kind"
        for name, total in score["counts"].items():
            assert sum(group["counts"][name] for group in found["groups"]) == total


def test_declared_files_reach_the_measures(goldassay_command, tmp_path):
    (tmp_path / "same.csv").write_text("pred,gold\nhasAuthor,writtenBy\n")
    result = goldassay_command(
        "axioms", EXAMPLES / "pred.ttl", "-g", EXAMPLES / "gold.ttl", "--equivalences", tmp_path / "same.csv"
    )
    assert "5 / 5" in result.out
    assert "equivalences:sha256-" in result.out


def test_a_bad_alignment_is_code_2(goldassay_command, tmp_path):
    (tmp_path / "hand.csv").write_text('pred,gold,score\n"Book, wrote, Author","Book, writtenBy, Author",1\n')
    result = goldassay_command(
        "axioms", EXAMPLES / "pred.ttl", "-g", EXAMPLES / "gold.ttl", "--alignment", tmp_path / "hand.csv"
    )
    assert result.code == 2
    assert "hand.csv:2: The prediction has no such axiom." in result.err


@pytest.mark.parametrize("ending", ["tsv", "csv", "parquet", "jsonl"])
def test_explain(goldassay_command, tmp_path, ending):
    path = tmp_path / f"why.{ending}"
    result = goldassay_command("axioms", EXAMPLES / "pred.ttl", "-g", EXAMPLES / "gold.ttl", "--explain", path)
    assert result.code == 0
    assert path.stat().st_size > 0
