"""MD5 sums of many texts against hashlib."""

import hashlib

import numpy as np
import pytest

from goldassay.kernels.md5 import ROOM, TOGETHER, md5_numbers


def plain(texts, salt):
    sums = (hashlib.md5((salt + text).encode(errors="surrogatepass"), usedforsecurity=False).digest() for text in texts)
    return [int.from_bytes(one[:8], "little") for one in sums]


@pytest.mark.parametrize("salt", ["", "0\t", "seed " * 3])
def test_sums_are_those_of_hashlib(salt):
    random = np.random.default_rng(4)
    texts = ["".join(map(chr, random.integers(1, 0x2FFF, random.integers(0, 30)))) for _ in range(500)]
    texts += ["x" * size for size in range(ROOM - 4, 140)] + ["", "\udc80", "\0", "ß" * 27, "ß" * 28]
    assert md5_numbers(texts, salt).tolist() == plain(texts, salt)


def test_more_texts_than_are_summed_together():
    texts = [f"entity {one}" for one in range(2 * TOGETHER + 3)]
    assert md5_numbers(texts, "1").tolist() == plain(texts, "1")
    assert md5_numbers([]).tolist() == []
