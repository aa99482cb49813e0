"""Texts within bytes are numbered as a dictionary numbers them."""

from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from goldassay.formats import quoted
from goldassay.formats.quoted import Spans, Vocabulary

TEXTS = st.lists(
    st.text("ab\u00e9", max_size=20) | st.sampled_from(["", "same word", "same wore", "same words"]), max_size=12
)


def spans(texts):
    written = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, written)])
    return Spans(b"".join(written) + bytes(8), ends[:-1], np.diff(ends))


@given(st.lists(TEXTS, max_size=4), st.sampled_from([1, 3, 2**15]))
def test_texts_are_numbered_in_the_order_in_which_they_come(parts, strip):
    known = {}
    words = Vocabulary()
    with patch.object(quoted, "STRIP", strip):
        for part in parts:
            assert words.codes(spans(part)).tolist() == [known.setdefault(text, len(known)) for text in part]
            assert words.names == list(known)


def test_many_texts_are_told_apart():
    """More than the first tables have places for, many of which are asked for twice."""
    texts = [f"text {row % 3000}" for row in range(5000)]
    assert Vocabulary().codes(spans(texts)).tolist() == [row % 3000 for row in range(5000)]


def test_texts_of_one_key_are_not_taken_for_each_other():
    with patch.object(quoted, "MIXING", np.uint64(0)):
        words = Vocabulary()
        assert words.codes(spans(["one"])).tolist() == [0]
        assert words.codes(spans(["two"])) is None


def test_keys_that_begin_alike_have_places_of_their_own():
    """The upper bits of a key are its place in the table; what is taken already has the next one."""
    words = Vocabulary()
    keys = np.array([5, 6, 7], dtype=np.uint64)
    words._add(spans(["a", "b", "c"]), keys)
    assert words._looked_up(keys).tolist() == [0, 1, 2]
    assert words._looked_up(np.array([8, 5], dtype=np.uint64)).tolist() == [-1, 0]
