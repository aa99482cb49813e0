"""The encoder without weights: the same everywhere, and near for near spelling."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldassay.core.context import Encoder
from goldassay.core.errors import EncoderError, UsageError
from goldassay.encoders import HashingEncoder


@given(texts=st.lists(st.text(max_size=30), max_size=6), dimension=st.integers(1, 300))
def test_any_text_has_a_unit_row(texts, dimension):
    vectors = HashingEncoder(dimension).encode(texts)
    assert vectors.shape == (len(texts), dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


@given(texts=st.lists(st.text(max_size=30), min_size=2, max_size=6))
def test_order_and_neighbours_move_nothing(texts):
    encoder = HashingEncoder()
    np.testing.assert_array_equal(encoder.encode(texts)[::-1], encoder.encode(texts[::-1]))
    np.testing.assert_array_equal(encoder.encode(texts)[0], encoder.encode(texts[:1])[0])


def test_vectors_are_the_same_on_every_platform():
    vector = HashingEncoder(8).encode(["taxonomy"])[0]
    counts = np.rint(vector / np.abs(vector[vector != 0]).min()).astype(int)
    assert counts.tolist() == [-2, -2, -4, 2, 0, 4, -3, -1]


def test_a_text_whose_signs_cancel_has_the_direction_of_its_first_gram():
    assert HashingEncoder(2).encode(["bn", "bq", "ci", "gb"]).tolist() == [[1, 0], [1, 0], [0, -1], [-1, 0]]


def test_near_spelling_is_near_and_case_is_folded():
    upper, lower, plural, other = HashingEncoder().encode(["Carcinoma", "carcinoma", "carcinomas", "vehicle"])
    assert upper @ lower == pytest.approx(1)
    assert lower @ plural > 0.8
    assert lower @ other < 0.3


def test_it_is_an_encoder_whose_fingerprint_shows_dimensions_apart():
    assert isinstance(HashingEncoder(), Encoder)
    assert HashingEncoder(8).fingerprint == HashingEncoder(8).fingerprint != HashingEncoder(9).fingerprint


def test_progress_ends_at_the_total():
    seen = []
    HashingEncoder(4).encode(["a"] * 2050, progress=lambda *call: seen.append(call))
    assert seen == [("encoding", done, 2050) for done in (1024, 2048, 2050)]


@pytest.mark.parametrize("dimension", [0, -1])
def test_a_vector_needs_a_component(dimension):
    with pytest.raises(UsageError, match="at least one component"):
        HashingEncoder(dimension)


def test_what_is_no_text_is_refused():
    with pytest.raises(EncoderError, match="not a text"):
        HashingEncoder().encode(["cat", None])
