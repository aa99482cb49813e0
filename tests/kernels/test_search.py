"""How a search shares out its memory and its threads, and what it passes on."""

import threading

import numpy as np
import pytest

from goldassay.kernels import search as kernel
from goldassay.kernels import threads
from goldassay.kernels.edges.best import find_best
from goldassay.kernels.search import BLOCK, Counter, Side, search, tile_shape, tiles


@pytest.mark.parametrize(
    ("memory", "dimension", "shape"),
    [
        # 32 bytes for each number of a gathered query and its block of 128; 8 for a product; 32 for a gathered target.
        (2**20, 384, (2**20 // (32 * 512), 2**20 // (32 * 385))),
        (2**22, 384, (256, 340)),
        (2**24, 2, (2**24 // (32 * 130), 2**24 // (8 * 4032))),
        (2**40, 384, (16384, 2**40 // (8 * 16384))),
        (1, 384, (1, 1)),
    ],
)
def test_a_tile_takes_no_more_than_its_share(memory, dimension, shape):
    assert tile_shape(memory, dimension, 128) == shape


@pytest.mark.parametrize(("length", "step", "cuts"), [(0, 3, []), (3, 3, [(0, 3)]), (4, 3, [(0, 3), (3, 4)])])
def test_tiles_cover_a_range_once(length, step, cuts):
    assert [(one.start, one.stop) for one in tiles(length, step)] == cuts


class Ledger:
    """Notes what it is shown; nothing is answered, or all of it from the start."""

    def __init__(self, floor):
        self.least, self.shown = floor, []

    def floor(self, queries):
        return np.full(len(queries), self.least, dtype=np.float32)

    def learn(self, queries, targets, anchors, others):
        self.shown += [(query, target) for query in queries.tolist() for target in targets.tolist()]


def side(count, row=0):
    rows = np.full(count, row, dtype=np.int64)
    return Side(np.arange(count), rows, rows, np.zeros(count, dtype=np.int64))


def test_what_is_done_adds_up():
    message = []
    counter = Counter(lambda *messages: message.append(messages), "searching", 9)
    for number in (2, 0, 7):
        counter.add(number)
    assert message == [("searching", 2, 9), ("searching", 2, 9), ("searching", 9, 9)]
    Counter(None, "searching", 9).add(1)


@pytest.mark.parametrize(("floor", "shown"), [(0.5, [(0, 0)]), (np.nextafter(np.float32(0.5), np.float32(1)), [])])
def test_an_anchor_at_the_floor_is_passed_on(floor, shown):
    halves = np.array([[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, -0.5]], dtype=np.float32)
    ledger = Ledger(floor)
    search(halves, side(1), side(1, row=1), ledger, memory=2**20, answered=lambda _: None)
    assert ledger.shown == shown


class OneTarget(Ledger):
    """Answers a query with the first target that it is shown."""

    def floor(self, queries):
        answered = [query for query, _ in self.shown]
        return np.where(np.isin(queries, answered), np.inf, self.least).astype(np.float32)


def test_a_query_that_a_block_answered_is_not_shown_to_the_next(monkeypatch):
    monkeypatch.setattr(kernel, "BLOCK", 1)
    ledger = OneTarget(0.0)
    search(np.ones((1, 1), dtype=np.float32), side(2), side(3), ledger, memory=2**20, answered=lambda _: None)
    assert ledger.shown == [(0, 0), (1, 0)]


@pytest.mark.parametrize(
    ("queries", "sizes"), [(1500, [1024, 476]), (10_001, [2501, 2501, 2501, 2498]), (10_000, [2500] * 4)]
)
@pytest.mark.parametrize("parallel", [None, True, False])
def test_each_thread_has_its_share_of_the_queries_and_of_the_memory(queries, sizes, parallel, monkeypatch):
    seen = []
    monkeypatch.setattr(threads, "workers", lambda: 4)
    monkeypatch.setattr(kernel, "tile_shape", lambda memory, dimension, block: (memory, dimension))
    monkeypatch.setattr(
        kernel, "_search_strip",
        lambda vectors, query, target, ledger, step: seen.append((len(query), threading.get_ident())),
    )  # fmt: skip
    answered = []
    given = {} if parallel is None else {"parallel": parallel}
    vectors = np.ones((1, 1), dtype=np.float32)
    search(vectors, side(queries), side(1), Ledger(0.0), memory=40_000, answered=answered.append, **given)
    assert sorted(size for size, _ in seen) == sorted(sizes)
    assert answered == sizes
    assert {thread == threading.get_ident() for _, thread in seen} == {parallel is False}
    seen.clear()
    search(vectors, side(40), side(1), Ledger(0.0), memory=80, answered=answered.append, **given)
    assert [size for size, _ in seen] == [20, 20]
    # A ninth strip would have three threads wait for one.
    seen.clear()
    search(vectors, side(8200), side(1), Ledger(0.0), memory=8000, answered=answered.append, **given)
    assert sorted(size for size, _ in seen) == [1025] * 8


def test_what_is_decided_before_the_search_is_counted_once():
    message = []
    rows = np.arange(3)
    find_best(np.eye(3, dtype=np.float32), rows, rows[:2], progress=lambda *messages: message.append(messages[1:]))
    assert message == [(2, 3), (3, 3)]


def test_the_example_of_tile_shape():
    assert tile_shape(512 * 2**20, 384, BLOCK) == (16384, 4096)


def test_the_example_of_tiles():
    assert repr(list(tiles(5, 2))) == "[slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]"
