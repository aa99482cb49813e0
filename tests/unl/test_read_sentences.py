"""Reading sentences: tables, lines and documents."""

import json

import pytest

import goldassay
from goldassay.unl.model import Texts
from goldassay.unl.read_sentences import read_sentences
from goldassay.unl.trust import sentence_warnings

ODD = "\u2028\x85\x0b\x0c"


def write(tmp_path, text, name):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def test_a_line_ends_where_files_end_lines(tmp_path):
    texts = read_sentences(write(tmp_path, f"a{ODD}b\r\n\rc\n", "a.txt"))
    assert texts.wordings == ((f"a{ODD}b",), ("",), ("c",))
    assert read_sentences(write(tmp_path, "a\n\nb\n", "a.txt")).wordings == (("a",), ("",), ("b",))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.jsonl",
            f'{{"id": 1, "text": "a{ODD[:2]}z"}}\n{{"id": 1, "text": "b"}}\n{{"id": 2, "sentence": null, "text": "c"}}\n',
        ),
        ("a.csv", f"id,text\n1,a{ODD[:2]}z\n1,b\n2,c\n"),
        ("a.tsv", f"text\tid\na{ODD[:2]}z\t1\nb\t1\nc\t2\n"),
    ],
)
def test_rows_of_one_id_are_wordings_of_one_sentence(tmp_path, name, text):
    texts = read_sentences(write(tmp_path, text, name))
    assert (texts.ids, texts.wordings) == (("1", "2"), ((f"a{ODD[:2]}z", "b"), ("c",)))


@pytest.mark.parametrize(("repeated", "words"), [(1, "1 predicted sentence has"), (2, "2 predicted sentences have")])
def test_of_several_wordings_of_a_prediction_the_first_counts(repeated, words):
    gold = Texts(ids=("1", "2", "3"), wordings=(("a",), ("b",), ("c",)))
    pred = Texts(ids=gold.ids, wordings=tuple((one, "x")[: 1 + (row < repeated)] for row, one in enumerate("abc")))
    assert list(sentence_warnings(pred, gold)) == [f"{words} several wordings: the first counts"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "id,text\n1,a\n2,\n"),
        ("a.csv", "id,text\n1,a\n2\n"),
        ("a.csv", "id,text\n1,a\n2,\n1,\n2,\n"),
        ("a.tsv", "id\ttext\n1\ta\n2\t \n"),
        ("a.jsonl", '{"id": "1", "text": "a"}\n{"id": "2", "text": ""}\n'),
        ("a.jsonl", '{"id": "1", "text": "a"}\n{"id": "2", "text": null}\n'),
        ("a.txt", "a\n\n\n"),
    ],
)
def test_an_empty_text_is_a_sentence_that_was_not_returned(tmp_path, name, content):
    """In a table as in a text of lines."""
    read = read_sentences(write(tmp_path, content, name))
    assert read.ids == ("1", "2")
    assert read.wordings == (("a",), ("",))
    gold = goldassay.read([("1", "a"), ("2", "b")], kind="sentences")
    report = goldassay.evaluate(read, gold=gold)
    assert (report["levenshtein"].precision, report["levenshtein"].recall) == (1.0, 0.5)
    assert any("does not count as returned: empty (1)" in line for line in report.warnings)


def test_a_table_without_any_text_has_no_sentence(tmp_path):
    with pytest.raises(goldassay.InputError, match="no sentence"):
        read_sentences(write(tmp_path, "id,text\n1,\n2,\n", "a.csv"))


@pytest.mark.parametrize("note", ["Note: I kept the tense.", "**Note:** I kept it.\n\n- the tense\n- the number"])
@pytest.mark.parametrize("form", ["records", "batch", "CSV"])
def test_notes_below_a_blank_line_are_no_part_of_a_sentence(form, note, tmp_path):
    text = f"The dog runs.\n\n{note}"
    body = {"choices": [{"message": {"content": text}}]}
    written = {
        "records": json.dumps({"id": "1", "output": text}),
        "batch": json.dumps({"custom_id": "1", "response": {"body": body}}),
        "CSV": f'id,output\n1,"{text}"',
    }
    path = tmp_path / ("answers.csv" if form == "CSV" else "answers.jsonl")
    path.write_text(f"{written[form]}\n")
    texts = read_sentences(path)
    assert texts.wordings == (("The dog runs.",),)
    assert texts.left_out == {"lines_of_prose": 1 + 2 * ("-" in note)}


def test_an_empty_last_line_is_no_sentence(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("The dog runs.\n\nIt barks.\n\n")
    assert read_sentences(path).wordings == (("The dog runs.",), ("",), ("It barks.",))
