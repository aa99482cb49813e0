"""Numbers of texts against plain arithmetic, and that they look random."""

import numpy as np
import polars as pl
import pytest

from goldassay.kernels.keys import GOLDEN
from goldassay.kernels.stirring import ODD, TOGETHER, text_numbers

WHOLE = 2**64


def stir(number):
    for _ in range(2):
        number = (number ^ number >> 32) * int(ODD) % WHOLE
    return number ^ number >> 32


def plain(text, seed):
    data = text.encode()
    number = (stir(seed) + int(GOLDEN)) % WHOLE ^ len(data)
    for start in range(0, max(len(data), 1), 8):
        number = stir(number ^ int.from_bytes(data[start : start + 8], "little"))
    return number


@pytest.mark.parametrize("seed", [0, 7, 2**63 + 1])
def test_numbers_are_those_of_plain_arithmetic(seed):
    random = np.random.default_rng(4)
    texts = ["".join(map(chr, random.integers(1, 0x2FFF, random.integers(0, 30)))) for _ in range(300)]
    texts += ["x" * size for size in range(70)] + ["\0", "ß" * 27, "ß" * 28, "😀"]
    assert text_numbers(pl.Series(texts), seed).tolist() == [plain(text, seed) for text in texts]


def test_more_texts_than_are_stirred_together():
    texts = [f"entity {one}" for one in range(TOGETHER + 3)]
    assert text_numbers(pl.Series(texts), 1)[-5:].tolist() == [plain(text, 1) for text in texts[-5:]]
    assert text_numbers(pl.Series([], dtype=pl.String), 1).tolist() == []


@pytest.mark.parametrize("seed", range(3))
def test_numbers_of_names_that_count_look_random(seed):
    found = text_numbers(pl.Series([f"s{one}" for one in range(200_000)]), seed)
    shares = np.sort(found) / WHOLE
    assert len(np.unique(found)) == len(found)
    assert np.abs(shares - (np.arange(len(found)) + 0.5) / len(found)).max() < 2 / np.sqrt(len(found))
    assert abs(np.corrcoef(found[1:] / WHOLE, found[:-1] / WHOLE)[0, 1]) < 5 / np.sqrt(len(found))
    bits = [(found >> np.uint64(bit) & np.uint64(1)).mean() for bit in range(64)]
    assert max(abs(share - 0.5) for share in bits) < 2.5 / np.sqrt(len(found))


def test_the_example_of_text_numbers():
    assert text_numbers(pl.Series(["cat", "cat", "dog"]), 0).tolist() == [
        9720927923377103392,
        9720927923377103392,
        9635506002518457242,
    ]
