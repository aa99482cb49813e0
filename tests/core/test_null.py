"""Examples of core/null.py."""

from dataclasses import replace

import numpy as np

from goldassay.core.null import choose_rows, permutation, permute_answers
from goldassay.unl.model import Texts


def test_the_example_of_choose_rows():
    assert sorted(choose_rows(4, 0.5, np.random.default_rng(0)).tolist()) == [0, 2]


def test_the_example_of_permutation():
    assert permutation(4, 0.0, np.random.default_rng(0)).tolist() == [0, 1, 2, 3]


def test_the_example_of_permute_answers():
    def order(texts, rows):
        return replace(texts, wordings=tuple(texts.wordings[row] for row in rows))

    _, noises = permute_answers("permute", title="", answers="", reordered=order)
    texts = Texts(ids=("1", "2"), wordings=(("The cat sleeps.",), ("It rains.",)))
    assert noises["permute"](texts, 0.0, np.random.default_rng(0)).wordings == texts.wordings
