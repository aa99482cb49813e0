import numpy as np
import pytest

import goldassay
from goldassay.encoders import FunctionEncoder, get_encoder

UNIT = {"cat": [1.0, 0.0], "pet": [0.6, 0.8]}


def known(texts):
    return [UNIT[text] for text in texts]


def test_rows_of_length_one_stay_as_they_are():
    encoder = FunctionEncoder(known)
    assert (
        encoder.encode(["pet", "cat", "pet"]).tolist() == np.float32([UNIT["pet"], UNIT["cat"], UNIT["pet"]]).tolist()
    )
    assert encoder.name == "known"
    assert encoder.dimension == 2


def test_other_rows_are_normalised_and_the_signature_says_so():
    encoder = FunctionEncoder(lambda texts: np.array([[3.0, 4.0]] * len(texts)))
    np.testing.assert_allclose(encoder.encode(["a"]), [[0.6, 0.8]], rtol=1e-6)
    score = goldassay.graphs.Fuzzy().score(pred=[("a", "b")], gold=[("a", "b")], encoder=encoder)
    assert score.signature.fields["encoder"].startswith("<lambda>+normalised@")


def test_the_fingerprint_follows_the_vectors():
    one, same, other = (FunctionEncoder(lambda texts, by=by: [[by, 1.0] for _ in texts]) for by in (0.5, 0.5, 0.7))
    assert one.fingerprint == same.fingerprint != other.fingerprint


def test_a_negative_zero_is_a_zero():
    below, above = (FunctionEncoder(lambda texts, zero=zero: [[zero, 1.0] for _ in texts]) for zero in (-0.0, 0.0))
    assert below.fingerprint == above.fingerprint


@pytest.mark.parametrize("bad", [np.nan, 0.0, np.inf, 1e39])
def test_a_row_without_a_direction_is_named(bad):
    def encode(texts):
        return [[bad, 0.0] if text == "dog" else [1.0, 0.0] for text in texts]

    with pytest.raises(goldassay.EncoderError, match="'dog'"):
        FunctionEncoder(encode).encode(["cat", "dog"])


@pytest.mark.parametrize(
    "returned", [None, [[1.0]], [1.0, 2.0], "cat", [["a", "b"], ["c", "d"]], np.zeros((2, 0)), np.zeros((2, 1, 1))]
)
def test_another_shape_is_refused(returned):
    with pytest.raises(goldassay.EncoderError, match="one row of numbers for each text"):
        FunctionEncoder(lambda texts: returned).encode(["cat", "dog"])


class Gradients:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")


def test_rows_that_pytorch_does_not_give_away_are_refused_in_its_words():
    with pytest.raises(goldassay.EncoderError, match=r"Gradients: .*tensor\.detach\(\)"):
        FunctionEncoder(lambda texts: Gradients()).encode(["cat", "dog"])


def test_get_encoder_takes_a_function():
    assert isinstance(get_encoder(known), FunctionEncoder)
    with pytest.raises(goldassay.UsageError, match="Not an encoder"):
        get_encoder(FunctionEncoder)


def test_no_text_is_encoded_as_nothing():
    assert FunctionEncoder(known).encode([]).shape == (0, 0)
