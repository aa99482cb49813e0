"""How the memory of a search is shared out."""

import pytest

from goldassay.kernels.search import tile_shape, tiles


@pytest.mark.parametrize(
    ("memory", "dimension", "shape"),
    [
        # 32 bytes for each number of a gathered query and its block of 128; 8 for a product; 32 for a gathered target.
        (2**20, 384, (2**20 // (32 * 512), 2**20 // (32 * 385))),
        (2**24, 2, (2**24 // (32 * 130), 2**24 // (8 * 4032))),
        (2**40, 384, (8192, 2**40 // (8 * 8192))),
        (1, 384, (1, 1)),
    ],
)
def test_a_tile_takes_no_more_than_its_share(memory, dimension, shape):
    assert tile_shape(memory, dimension) == shape


@pytest.mark.parametrize(("length", "step", "cuts"), [(0, 3, []), (3, 3, [(0, 3)]), (4, 3, [(0, 3), (3, 4)])])
def test_tiles_cover_a_range_once(length, step, cuts):
    assert [(one.start, one.stop) for one in tiles(length, step)] == cuts
