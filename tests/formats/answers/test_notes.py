"""Every word of the table of notes says so wherever it may be: as a key of JSON, as a heading, and before a line."""

import json

import pytest

import goldassay
from goldassay.formats.answers.notes import REASONS, REMARKS, SOURCES, SUMMARIES, THINKING, keys_of
from goldassay.formats.answers.sections import NOTE, NOTES, SAYING_MORE, STEMS, WORDS
from goldassay.formats.answers.tree import NOTES as KEYS

EDGES = [["dog", "animal"], ["cat", "animal"]]
READ = ["dog -> animal", "cat -> animal"]


def split(*patterns):
    return [word for pattern in patterns for word in pattern.split("|")]


def items(path, kind):
    found = goldassay.read(path, kind=kind)
    return [found.item(row) for row in range(len(found))]


@pytest.mark.parametrize("word", split(REMARKS, REASONS))
def test_a_key_next_to_what_was_asked_for_is_a_note(word, tmp_path):
    path = tmp_path / "answer.json"
    for noted in ("It says so.", ["It says so.", "Dogs bark."]):
        path.write_text(json.dumps({"is_a_relations": [{"child": a, "parent": b} for a, b in EDGES], word: noted}))
        assert items(path, "taxonomy") == READ
        assert repr(word) in "".join(goldassay.read(path, kind="taxonomy").notes)
    path.write_text(json.dumps({"animal": ["dog", "cat"], word: "It says so."}))
    assert items(path, "taxonomy") == READ


@pytest.mark.parametrize("word", split(REASONS, THINKING))
def test_a_text_below_a_key_is_the_answer_next_to_its_reasons(word, tmp_path):
    records = [{"id": "d1", "output": json.dumps({word: "Dogs bark.", "answer": "(a, r, b)\n(b, r, c)"})}]
    (path := tmp_path / "batch.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    assert items(path, "triples") == ["d1: a | r | b", "d1: b | r | c"]


@pytest.mark.parametrize("word", split(SAYING_MORE))
def test_a_section_that_says_more_has_no_items(word, tmp_path):
    (path := tmp_path / "answer.md").write_text(
        f"- animal\n  - dog\n  - cat\n\n## {word.capitalize()}\n\n- Dogs are animals that bark at night.\n",
        encoding="utf-8",
    )
    assert items(path, "taxonomy") == READ


@pytest.mark.parametrize("word", split(REMARKS, SUMMARIES, SOURCES))
def test_a_line_below_an_answer_that_begins_with_a_word_for_notes_is_no_item(word, tmp_path):
    (path := tmp_path / "answer.txt").write_text(f"d1: cat\nd2: dog\n\n{word.capitalize()}: bird\n", encoding="utf-8")
    assert items(path, "labels") == ["d1: cat", "d2: dog"]


def test_words_are_found_as_they_are_compared():
    assert keys_of(REMARKS, REASONS) <= KEYS
    assert all(NOTES.fullmatch(word) for word in split(SAYING_MORE))
    assert all(NOTE.match(f"{word}: x") for word in split(REMARKS, SUMMARIES, SOURCES))
    assert all(any(stem in word for stem in STEMS) for word in WORDS)
