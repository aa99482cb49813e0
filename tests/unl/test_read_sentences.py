"""Reading sentences: tables, lines and documents."""

import pytest

import goldassay
from goldassay.unl.model import Texts
from goldassay.unl.read_sentences import SentenceReading, read_sentences
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


def test_a_row_without_a_text_is_bad(tmp_path):
    path = write(tmp_path, "id,text\n1,a\n2\n", "a.csv")
    with pytest.raises(goldassay.RecordError, match="The text is empty") as caught:
        read_sentences(path)
    assert caught.value.line == 3
    assert read_sentences(path, SentenceReading(on_error="skip")).ids == ("1",)
