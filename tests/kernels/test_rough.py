"""A rough look at cosines is wrong by no more than its band, and changes no answer."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from goldassay.kernels import rough as kernel
from goldassay.kernels import search
from goldassay.kernels.cosine import error_band
from goldassay.kernels.edges import layout
from goldassay.kernels.edges.assignment import assign
from goldassay.kernels.edges.best import find_best
from goldassay.kernels.edges.join import edge_join
from goldassay.kernels.edges.one_to_one import match_one_to_one
from goldassay.kernels.rough import LARGEST, OFFSET, Rough, _band, _round

pytest.importorskip("onnxruntime")
BAND = error_band(384, np.ones(1))


def multiplied(left, right, step):
    """Multiply codes exactly, as a processor with products of 8 bits does."""
    return ((left.astype(np.int64) - OFFSET) @ right.astype(np.int64).T * np.float64(step) ** 2).astype(np.float32)


@pytest.fixture
def own_product():
    """Ask for what this machine multiplies codes with, be it nothing."""


@pytest.fixture(autouse=True)
def _codes_are_multiplied(request, monkeypatch):
    """Round on machines whose processor adds in 16 bits, too."""
    if "own_product" not in request.fixturenames and kernel._product() is None:
        monkeypatch.setattr(kernel, "_product", lambda: multiplied)


def units(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def shrunk(count, largest=0.25, multiple=25):
    """Vectors that codes make as short as can be: nearly all their numbers lie just below the middle of two codes."""
    number = (multiple + 0.499) * largest / LARGEST
    numbers = int((1.0 - largest**2) / number**2)
    rest = np.sqrt(1.0 - largest**2 - numbers * number**2)
    return np.tile([largest, rest] + [number] * numbers, (count, 1)).astype(np.float32)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("dimension", [1, 7, 384, 1024])
def test_a_rough_cosine_is_within_its_band(dimension, seed):
    rng = np.random.default_rng(seed)
    outliers = rng.standard_normal(dimension) ** 4
    vectors = units(rng.standard_normal((150, dimension)) + seed * outliers)
    left, right = np.split(rng.permutation(150), [60])
    rough = Rough.of(vectors, np.arange(150), BAND)
    assert np.abs(rough.cosines(left, right) - vectors[left] @ vectors[right].T).max() <= rough.band


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 48])
def test_any_number_of_rows_is_compared(count):
    vectors = units(np.random.default_rng(0).standard_normal((50, 24)))
    rough = Rough.of(vectors, np.arange(50), BAND)
    right = np.arange(count)
    assert rough.cosines(np.array([49, 48]), right).shape == (2, count)
    assert (
        np.abs(rough.cosines(np.array([49, 48]), right) - vectors[[49, 48]] @ vectors[right].T).max(initial=0)
        <= rough.band
    )


@pytest.mark.parametrize(("count", "made"), [(0, 0), (1, 16), (16, 16), (17, 32)])
def test_products_have_a_multiple_of_sixteen_columns(count, made):
    vectors = np.eye(40, dtype=np.float32)
    rough = Rough.of(vectors, np.arange(40), BAND)
    shapes = []
    noting = replace(
        rough, multiply=lambda left, right, step: shapes.append(right.shape) or rough.multiply(left, right, step)
    )
    assert noting.cosines(np.array([3]), np.arange(count)).tolist() == [[float(row == 3) for row in range(count)]]
    assert shapes == [(made, 40)]


@pytest.mark.parametrize("dimension", [1, 64, 4096])
@pytest.mark.parametrize("step", [2.0**-20, 2.0**-9])
def test_what_codes_leave_out_is_bounded_with_the_errors_of_float32(dimension, step):
    # Multiples of a quarter of the step: the distances are exact in float32.
    multiples = np.random.default_rng(0).integers(-8, 8, (5, dimension)) / 4
    vectors, codes = (multiples * step).astype(np.float32), np.zeros((5, dimension), dtype=np.int8)
    bound = _round(vectors, codes, np.arange(5), np.float32(step))
    distance = np.linalg.norm(vectors - step * codes.astype(np.float64), axis=1).max()
    assert np.abs(codes - multiples).max() <= 0.5
    assert bound == pytest.approx(distance * (1.0 + dimension * 2.0**-23) + 2.0**-22, rel=1e-6, abs=0.0)


def test_the_band_has_room_for_two_roundings():
    assert _band(0.0, 0.0) == np.float32(2.0**-21)


def test_the_band_is_hardly_wider_than_the_largest_error():
    vectors = shrunk(2)
    rough = Rough.of(vectors, np.arange(2), BAND)
    error = 1.0 - rough.cosines(np.array([0]), np.array([1])).item()
    assert 0.94 * rough.band < error <= rough.band


@pytest.mark.parametrize("error", [0.01, 0.1, 0.5])
def test_the_band_holds_two_vectors_that_are_both_as_wrong_as_can_be(error):
    # Both codes stand for something longer than the vector, by the error.
    assert (1.0 + error) ** 2 - 1.0 <= _band(error, 0.0) <= (1.0 + error) ** 2 - 1.0 + 3e-4 * error + 1e-6


def test_the_band_holds_the_error_of_float32():
    exact = np.eye(4, dtype=np.float32)
    assert Rough.of(exact, np.arange(4), 0.125).band == pytest.approx(0.125, abs=1e-6)


@pytest.mark.parametrize("largest", [0.25, 0.3])
def test_a_pair_at_the_threshold_is_found_though_it_looks_less_similar(largest, monkeypatch):
    monkeypatch.setattr(layout, "PAIRS_WORTH_ROUNDING", 0)
    vectors = shrunk(2, largest=largest)
    # A hair apart, so that they are no equal vectors, which need no look.
    vectors[1, 5] = np.nextafter(vectors[1, 5], np.float32(0.0))
    assert edge_join(vectors, np.array([0]), np.array([1]), threshold=0.9999).hit_pred.tolist() == [True]
    best = find_best(vectors, np.array([[0, 0]]), np.array([[1, 1]]))
    assert best.counterpart.tolist() == [0]


def clustered(seed, texts=500, edges=900, dimension=48):
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((25, dimension))
    vectors = units(centres[rng.integers(0, 25, texts)] + 0.7 * rng.standard_normal((texts, dimension)))
    return vectors, *(rng.integers(0, texts, (size, 2)) for size in (edges, edges + 100))


def answers(vectors, left, right):
    """What each kernel finds, as far as it is the same for every order of the search."""
    pairs_matched = edge_join(vectors, left, right, threshold=0.5)
    best = find_best(vectors, left, right)
    assigned = assign(vectors, left, right, gap=1e-3, memory=2**20)
    matched = match_one_to_one(vectors, left, right, threshold=0.5)
    found = [pairs_matched.hit_pred, pairs_matched.hit_gold, best.counterpart, best.similarity]
    return [part.tolist() for part in found] + [matched.size, matched.upper], assigned


@pytest.mark.parametrize("seed", range(3))
def test_no_answer_depends_on_a_rough_look(seed, monkeypatch):
    problem = clustered(seed)
    monkeypatch.setattr(layout, "EDGES_WORTH_CELLS", 200)
    plain, assigned = answers(*problem)
    monkeypatch.setattr(layout, "PAIRS_WORTH_ROUNDING", 0)
    looked, roughly = answers(*problem)
    assert looked == plain
    assert roughly.total <= assigned.upper
    assert assigned.total <= roughly.upper


def test_an_assignment_looks_at_no_pair_roughly(monkeypatch):
    monkeypatch.setattr(layout, "PAIRS_WORTH_ROUNDING", 0)
    monkeypatch.setattr(Rough, "of", None)
    assert assign(*clustered(0), gap=1e-2, memory=2**20).total > 0


class Shown:
    """A ledger that notes which pairs it is shown, and wants those above one floor."""

    def __init__(self, floor):
        self.least, self.pairs = np.float32(floor), set()

    def floor(self, queries):
        return np.full(len(queries), self.least)

    def learn(self, queries, targets, anchors, others):
        assert anchors.shape == others.shape == (len(targets), len(queries))
        self.pairs |= {(query, target) for query in queries.tolist() for target in targets.tolist()}


def test_only_what_may_be_near_is_multiplied_in_float32(monkeypatch):
    monkeypatch.setattr(search, "ROUGH_BLOCK", 1)
    vectors = clustered(0)[0]
    rows = np.arange(300)
    side = search.Side(rows, rows, rows[::-1], np.zeros(300, dtype=np.int64))
    rough = Rough.of(vectors, np.arange(len(vectors)), BAND)
    shown = Shown(0.5)
    search.search(vectors, side, side, shown, memory=2**24, answered=lambda _: None, parallel=False, rough=rough)
    anchors = vectors[rows] @ vectors[rows].T
    cosines = np.minimum(anchors, anchors[::-1, ::-1])
    least, most = (set(map(tuple, np.argwhere(cosines >= 0.5 + by).tolist())) for by in (0.0, -2.0 * rough.band))
    assert least <= shown.pairs <= most
    assert 0 < len(most) < 0.2 * cosines.size


@pytest.mark.usefixtures("own_product")
@pytest.mark.parametrize("absent", ["onnx", "onnxruntime"])
def test_without_a_package_nothing_is_rounded(absent, monkeypatch):
    kernel._product.cache_clear()
    monkeypatch.setitem(sys.modules, absent, None)
    assert Rough.of(np.eye(2, dtype=np.float32), np.arange(2), BAND) is None
    kernel._product.cache_clear()


@pytest.mark.usefixtures("own_product")
def test_a_version_without_the_product_is_done_without(monkeypatch):
    import onnxruntime

    def refused(*_, **__):
        raise RuntimeError("QGemm is not a registered function")

    kernel._product.cache_clear()
    monkeypatch.setattr(onnxruntime, "InferenceSession", refused)
    assert kernel._product() is None
    kernel._product.cache_clear()


def test_a_processor_that_adds_in_16_bits_is_noticed():
    def product(left, right, step, most=2**15 - 1):
        # Two products are added and cut, as by vpmaddubsw; the offset is taken away afterwards.
        pairs = (left[:, None].astype(int) * right[None].astype(int)).reshape(len(left), len(right), -1, 2).sum(axis=3)
        offset = OFFSET * right.astype(int).sum(axis=1)
        return ((np.clip(pairs, -most - 1, most).sum(axis=2) - offset) * step).astype(np.float32)

    assert not kernel._is_exact(product)
    assert kernel._is_exact(lambda *codes: product(*codes, most=2**31))


def test_the_example_of_rough_of():
    vectors = np.array([[1, 0], [0.8, 0.6]], dtype=np.float32)
    rough = Rough.of(vectors, np.array([0, 1]), 1e-6)
    assert rough is None or abs(rough.cosines(np.array([0]), np.array([1])).item() - 0.8) < float(rough.band)
