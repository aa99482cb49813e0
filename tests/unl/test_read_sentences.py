"""Reading sentences: tables, lines and documents."""

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
    assert read_sentences(write(tmp_path, "a\n\n", "a.txt")).wordings == (("a",), ("",))


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
        ("a.txt", "a\n\n"),
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
