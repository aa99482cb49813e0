"""Reading sentences: tables, lines and documents."""

import pytest

import goldassay
from goldassay.unl.read_sentences import SentenceReading, read_sentences

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


def test_a_row_without_a_text_is_bad(tmp_path):
    path = write(tmp_path, "id,text\n1,a\n2\n", "a.csv")
    with pytest.raises(goldassay.RecordError, match="The text is empty") as caught:
        read_sentences(path)
    assert caught.value.line == 3
    assert read_sentences(path, SentenceReading(on_error="skip")).ids == ("1",)
