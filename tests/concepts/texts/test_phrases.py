"""Sequences of words against a naive search."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts.texts.phrases import Phrases

WORDS = [1, 7, 2**62, 2**63 - 1]


def naive(known, text):
    at, found = 0, []
    while at < len(text):
        fits = [(len(one), -row) for row, one in enumerate(known) if text[at : at + len(one)] == one]
        size, row = max(fits, default=(0, 0))
        if size:
            found.append((at, at + size - 1, -row))
        at += size or 1
    return found


@given(
    known=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), min_size=1, max_size=8),
    text=st.lists(st.sampled_from([*WORDS, 3]), max_size=20),
)
def test_against_a_naive_search(known, text):
    words, lengths = (
        np.array([word for one in known for word in one], dtype=np.int64),
        np.array([len(one) for one in known], dtype=np.int64),
    )
    phrases = Phrases.of(words, lengths)
    assert list(
        zip(*(column.tolist() for column in phrases.longest(np.array(text, dtype=np.int64))), strict=True)
    ) == naive(known, text)
    assert phrases.owners(words, lengths).tolist() == [known.index(one) for one in known]


def test_many_sequences():
    rng = np.random.default_rng(0)
    words = rng.integers(0, 2**63, 100_000)
    phrases = Phrases.of(words, np.full(50_000, 2))
    first, last, rows = phrases.longest(words)
    assert rows.tolist() == list(range(50_000))
    assert (last - first == 1).all()
    assert not len(phrases.longest(rng.integers(0, 2**63, 1000))[0])


def test_too_much_to_follow(monkeypatch):
    monkeypatch.setenv("GOLDASSAY_MAX_PAIRS", "10000")
    lengths = np.arange(1, 400)
    with pytest.raises(goldassay.InputError, match="nested too often"):
        Phrases.of(np.ones(lengths.sum(), dtype=np.int64), lengths).longest(np.ones(2000, dtype=np.int64))


def test_the_limit_is_of_texts_with_more_than_eight_beginnings_a_word(monkeypatch):
    monkeypatch.setenv("GOLDASSAY_MAX_PAIRS", "100")
    text = np.ones(2000, dtype=np.int64)
    row, _ = nested(7).longest_at(text)
    assert row[0] == 6
    with pytest.raises(goldassay.InputError, match="nested too often"):
        nested(8).longest(text)


def nested(count):
    """Sequences of one word, from once to so many times."""
    lengths = np.arange(1, count + 1)
    return Phrases.of(np.ones(lengths.sum(), dtype=np.int64), lengths)


def test_example_of_phrases():
    phrases = Phrases.of(np.array([5, 5, 7]), np.array([1, 2]))
    assert [found.tolist() for found in phrases.longest(np.array([5, 7, 5, 9]))] == [[0, 2], [1, 2], [1, 0]]
