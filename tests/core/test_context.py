import math

import numpy as np
import pytest

from goldassay.core.context import Context
from goldassay.core.errors import EncoderError
from goldassay.core.intern import string_array


class Given:
    """An encoder that gives what it was given."""

    name, fingerprint, dimension = "given", "0" * 64, 2

    def __init__(self, rows):
        self.rows = np.array(rows, dtype=np.float32)

    def encode(self, texts, *, progress=None):
        return self.rows[: len(texts)]


@pytest.mark.parametrize("row", [[1, 2e-2], [0, 0], [np.nan, 1], [np.inf, 0], [3e38, 3e38], [1e-45, 0]])
def test_a_vector_that_is_no_unit_vector_is_refused_by_its_text(row):
    with pytest.raises(EncoderError, match="not of length 1") as caught:
        Context(encoder=Given([[1, 0], row])).vectors(string_array(["cat", "dog"]))
    assert "'dog'" in caught.value.found


def test_a_table_of_another_shape_is_refused():
    with pytest.raises(EncoderError, match="not return a table of vectors"):
        Context(encoder=Given([[1, 0]])).vectors(string_array(["cat", "dog"]))
    with pytest.raises(EncoderError, match="not return a table of vectors"):
        Context(encoder=Given([[1, 0, 0]])).vectors(string_array(["cat"]))


def test_unit_rows_pass():
    vectors, rows = Context(encoder=Given([[1, 0], [0.6, 0.8]])).vectors(string_array(["cat", "dog", "cat"]))
    assert (vectors.shape, rows.tolist()) == ((2, 2), [0, 1, 0])


def test_the_rows_of_a_column_are_looked_up_once_and_stay_while_more_texts_come():
    context = Context(encoder=Given([[1, 0], [0.6, 0.8]]))
    texts = string_array(["cat", "dog", "cat"])
    rows = context.vectors(texts)[1]
    assert context.vectors(texts)[1] is rows
    context.vectors(string_array(["bird"]))
    vectors, again = context.vectors(texts)
    assert (len(vectors), again.tolist()) == (3, [0, 1, 0])


def test_no_texts_at_first_are_no_obstacle_to_later_ones():
    context = Context(encoder=Given([[1, 0]]))
    assert context.vectors(string_array([]))[0].shape == (0, 2)
    vectors, rows = context.vectors(string_array(["cat"]))
    assert (vectors.tolist(), rows.tolist()) == ([[1, 0]], [0])


def test_vectors_stay_while_more_texts_come():
    numbers = {str(one): np.array([math.cos(one), math.sin(one)], dtype=np.float32) for one in range(40)}

    class Circle:
        name, dimension, fingerprint = "circle", 2, "circle"

        def encode(self, texts, progress=None):
            made = np.array([numbers[text] for text in texts], dtype=np.float32).reshape(-1, 2)
            made.flags.writeable = False
            return made

    context, earlier = Context(encoder=Circle()), []
    for last in (3, 5, 6, 7, 40):
        texts = string_array([str(one) for one in range(last)])
        vectors, rows = context.vectors(texts)
        assert vectors.shape == (last, 2)
        earlier.append((vectors, rows, texts))
        for known, places, words in earlier:
            assert (known[places] == [numbers[word] for word in words.tolist()]).all()
