"""Proposed synonyms: written from the command line, corrected by hand, and passed back."""

import pytest
from typer.testing import CliRunner

import goldassay
from goldassay.cli import app
from goldassay.triples.extras import proposals
from goldassay.triples.model import TripleSet

GOLD = '{"id": "d", "triples": [["Oslo", "capital of", "Norway"], ["Oslo", "lies at", "fjord"]]}\n'
PRED = '{"id": "d", "triples": [["Oslo", "isCapitalOf", "Norway"], ["Oslo", "touches", "fjord"]]}\n'


@pytest.fixture
def files(tmp_path):
    for name, content in (("gold", GOLD), ("pred", PRED)):
        (tmp_path / f"{name}.jsonl").write_text(content, encoding="utf-8")
    return [str(tmp_path / "pred.jsonl"), "--gold", str(tmp_path / "gold.jsonl"), "--encoder", "hashing"]


def run(*arguments):
    return CliRunner().invoke(app, ["triples", *arguments])


def test_the_table_is_corrected_and_passed_back(files, tmp_path):
    table = tmp_path / "synonyms.tsv"
    found = run(*files, "--propose-synonyms", "0.5", "-o", str(table))
    assert found.exit_code == 0, found.output
    line = f"{table}: 1 of 2 predicates assigned; correct it, then use --synonyms {table}"
    assert line.replace(" ", "") in "".join(found.output.split())
    lines = table.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "predicate\tsynonym\tsimilarity"
    assert [line.split("\t")[:2] for line in lines[1:]] == [["capital of", "isCapitalOf"], ["", "touches"]]
    score = run(*files, "-m", "triples", "--synonyms", str(table), "--format", "csv")
    assert ",0.5," in score.output, score.output
    table.write_text("\n".join(lines).replace("\ttouches", "lies at\ttouches"), encoding="utf-8")
    assert ",1.0," in run(*files, "-m", "triples", "--synonyms", str(table), "--format", "csv").output


def test_without_an_output_the_table_is_printed(files):
    found = run(*files, "--propose-synonyms", "0.5")
    assert found.output.startswith("predicate\tsynonym\tsimilarity\ncapital of\tisCapitalOf\t")


@pytest.mark.parametrize("value", ["much", "2", "nan"])
def test_what_is_no_cosine_is_refused(files, value):
    found = run(*files, "--propose-synonyms", value)
    assert isinstance(found.exception, goldassay.UsageError)


def test_it_is_about_one_prediction(files):
    assert isinstance(run(files[0], *files, "--propose-synonyms", "0.5").exception, goldassay.UsageError)


def test_example_of_proposals():
    from goldassay.encoders import HashingEncoder

    gold = TripleSet.from_lists({"d": [("Oslo", "capital of", "Norway")]})
    pred = TripleSet.from_lists({"d": [("Oslo", "isCapitalOf", "Norway"), ("Oslo", "smells of", "sea")]})
    assert [one[:2] for one in proposals(pred, gold, HashingEncoder(), threshold=0.5)] == [
        ("capital of", "isCapitalOf"),
        ("", "smells of"),
    ]
