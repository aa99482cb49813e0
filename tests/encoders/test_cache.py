"""The embedding cache: shared, killed, damaged, full; and never a wrong number."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, nullcontext
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from goldassay.core.errors import CacheError, GoldassayWarning
from goldassay.encoders import CachedEncoder, HashingEncoder, cache, cache_info, cache_path, clear_cache
from goldassay.encoders.texts import is_unit
from goldassay.kernels.cosine import compute_squared_lengths

TEXTS = ["cat", "dog", "", "nul \0 inside", "naïve 😀", "cat"]


class Counting:
    """The hashing encoder, which counts what it is asked for."""

    def __init__(self, dimension=16):
        self._inner = HashingEncoder(dimension)
        self.name, self.fingerprint, self.dimension = "counting", self._inner.fingerprint, dimension
        self.asked = []

    def encode(self, texts, *, progress=lambda *_: None):
        self.asked.extend(texts)
        return self._inner.encode(texts, progress=progress)


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "cache" / "embeddings.sqlite"


def change(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(statement, values).fetchall()


def test_a_text_is_encoded_once(path):
    first, second = Counting(), Counting()
    vectors = CachedEncoder(first, path).encode(TEXTS)
    again = CachedEncoder(second, path).encode(TEXTS[::-1])
    assert first.asked == TEXTS[:5]
    assert second.asked == []
    np.testing.assert_array_equal(vectors, HashingEncoder(16).encode(TEXTS))
    np.testing.assert_array_equal(again, vectors[::-1])


def test_only_what_is_missing_is_encoded(path):
    CachedEncoder(Counting(), path).encode(TEXTS)
    encoder = Counting()
    vectors = CachedEncoder(encoder, path).encode(["new", *TEXTS, "newer"])
    assert encoder.asked == ["new", "newer"]
    np.testing.assert_array_equal(vectors, HashingEncoder(16).encode(["new", *TEXTS, "newer"]))


def test_encoders_do_not_mix(path):
    CachedEncoder(Counting(16), path).encode(TEXTS)
    other = Counting(8)
    assert CachedEncoder(other, path).encode(TEXTS).shape == (6, 8)
    assert len(other.asked) == 5
    assert sorted((held.dimension, held.entries) for held in cache_info(path).encoders) == [(8, 5), (16, 5)]


def test_no_texts_make_no_file(path):
    assert CachedEncoder(Counting(), path).encode([]).shape == (0, 16)
    assert not path.exists()


def test_progress_starts_with_what_is_known(path, monkeypatch):
    monkeypatch.setattr(cache, "CHUNK", 2)
    CachedEncoder(Counting(), path).encode(["a", "b", "c"])
    seen = []
    CachedEncoder(Counting(), path).encode(list("abcdefgh"), progress=lambda *call: seen.append(call))
    assert seen == [("encoding", done, 8) for done in (3, 5, 7, 8)]


def encode_numbers(path, numbers):
    return CachedEncoder(HashingEncoder(16), path).encode([f"label {n}" for n in numbers])


def test_processes_share_one_file(path):
    runs = [range(6000), range(3000, 9000), range(0, 9000, 3), range(9000, 0, -2)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        results = list(pool.map(encode_numbers, [path] * 4, runs))
    for numbers, vectors in zip(runs, results, strict=True):
        np.testing.assert_array_equal(vectors, HashingEncoder(16).encode([f"label {n}" for n in numbers]))
    assert cache_info(path).encoders[0].entries == len(set().union(*runs))


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_a_killed_run_goes_on_where_it_stopped(path):
    script = (
        "import sys, time\n"
        "from goldassay.encoders import CachedEncoder, HashingEncoder, cache\n"
        "cache.CHUNK = 50\n"
        "def say(stage, done, total): print(done, flush=True); time.sleep(0.01)\n"
        "CachedEncoder(HashingEncoder(16), sys.argv[1]).encode([f'label {n}' for n in range(10**5)], progress=say)"
    )
    with subprocess.Popen([sys.executable, "-c", script, path], stdout=subprocess.PIPE, env=os.environ) as process:
        while int(process.stdout.readline()) < 500:
            time.sleep(0)
        process.send_signal(signal.SIGKILL)
    encoder = Counting()
    texts = [f"label {n}" for n in range(450)]
    vectors = CachedEncoder(encoder, path).encode(texts)
    assert encoder.asked == []
    np.testing.assert_array_equal(vectors, HashingEncoder(16).encode(texts))


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        np.zeros(16, dtype="<f4").tobytes(),
        np.full(16, np.nan, dtype="<f4").tobytes(),
        np.ones(15, dtype="<f4").tobytes(),
        np.ones(17, dtype="<f4").tobytes(),
        b"x",
    ],
)
def test_a_damaged_vector_is_made_anew(path, damage):
    CachedEncoder(Counting(), path).encode(TEXTS)
    change(path, "UPDATE vectors SET vector = ? WHERE rowid = 2", damage)
    encoder = Counting()
    vectors = CachedEncoder(encoder, path).encode(TEXTS)
    assert encoder.asked == ["dog"]
    np.testing.assert_array_equal(vectors, HashingEncoder(16).encode(TEXTS))
    healed = Counting()
    CachedEncoder(healed, path).encode(TEXTS)
    assert healed.asked == []


def test_a_vector_with_its_checksum_that_no_encoder_returned_is_made_anew(path):
    encoder = Counting()
    CachedEncoder(encoder, path).encode(TEXTS)
    with closing(cache._Store(path, encoder)) as store:
        store.write([cache._key("dog")], np.full((1, 16), 2, dtype=np.float32))
    encoder.asked.clear()
    np.testing.assert_array_equal(CachedEncoder(encoder, path).encode(TEXTS), HashingEncoder(16).encode(TEXTS))
    assert encoder.asked == ["dog"]


def test_more_texts_than_are_read_together_are_found(path, monkeypatch):
    monkeypatch.setattr(cache, "READ_TOGETHER", 2)
    CachedEncoder(Counting(), path).encode(TEXTS[1:])
    encoder = Counting()
    texts = ["new", *TEXTS, "newer"]
    np.testing.assert_array_equal(CachedEncoder(encoder, path).encode(texts), HashingEncoder(16).encode(texts))
    assert encoder.asked == ["new", "newer"]


def test_a_file_that_is_no_database_is_refused_and_not_changed(path):
    path.parent.mkdir()
    path.write_text("These are the notes of a year. " * 100)
    for use in (CachedEncoder(Counting(), path).encode, lambda _: cache_info(path)):
        with pytest.raises(CacheError, match="damaged") as caught:
            use(TEXTS)
        assert "goldassay cache clear" in caught.value.hint
        assert "--no-cache" in caught.value.hint
    with pytest.raises(CacheError, match="is not deleted"):
        clear_cache(path)
    assert path.read_text().startswith("These are the notes")


def test_the_database_of_another_program_is_refused_and_not_changed(path):
    path.parent.mkdir()
    change(path, "CREATE TABLE bookmarks (url TEXT)")
    with pytest.raises(CacheError, match="damaged"):
        CachedEncoder(Counting(), path).encode(TEXTS)
    with pytest.raises(CacheError, match="is not deleted"):
        clear_cache(path)
    assert change(path, "SELECT name FROM sqlite_schema") == [("bookmarks",)]


def test_a_later_schema_is_refused(path):
    CachedEncoder(Counting(), path).encode(TEXTS)
    change(path, "PRAGMA user_version = 99")
    with pytest.raises(CacheError, match="version 99"):
        CachedEncoder(Counting(), path).encode(TEXTS)


def test_a_cache_with_overwritten_pages_is_refused(path):
    CachedEncoder(Counting(), path).encode([f"label {n}" for n in range(3000)])
    content = bytearray(path.read_bytes())
    content[cache.PAGE_BYTES :] = os.urandom(len(content) - cache.PAGE_BYTES)
    path.write_bytes(content)
    with pytest.raises(CacheError, match="damaged"):
        CachedEncoder(Counting(), path).encode(TEXTS)
    assert clear_cache(path) > 0


def test_a_full_disk_costs_one_warning_and_no_vector(path, monkeypatch):
    original = cache._open

    def small(path):
        connection = original(path)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 20}")
        return connection

    monkeypatch.setattr(cache, "_open", small)
    monkeypatch.setattr(cache, "CHUNK", 500)
    texts = [f"label {n}" for n in range(5000)]
    encoder = Counting()
    with pytest.warns(GoldassayWarning, match="full") as caught:
        vectors = CachedEncoder(encoder, path).encode(texts)
    assert len(caught) == 1
    assert len(encoder.asked) == 5000
    np.testing.assert_array_equal(vectors, HashingEncoder(16).encode(texts))
    monkeypatch.undo()
    assert 0 < cache_info(path).encoders[0].entries < 5000


def test_a_folder_that_cannot_be_made_costs_one_warning(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.warns(GoldassayWarning, match="cannot be used") as caught:
        vectors = CachedEncoder(Counting(), tmp_path / "file" / "cache.sqlite").encode(TEXTS)
    assert len(caught) == 1
    np.testing.assert_array_equal(vectors, HashingEncoder(16).encode(TEXTS))


def test_a_locked_cache_costs_one_warning(path, monkeypatch):
    CachedEncoder(Counting(), path).encode(TEXTS)
    monkeypatch.setattr(cache, "BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.warns(GoldassayWarning, match="locked") as caught:
            vectors = CachedEncoder(Counting(), path).encode([*TEXTS, "new"])
    assert len(caught) == 1
    np.testing.assert_array_equal(vectors, HashingEncoder(16).encode([*TEXTS, "new"]))


def test_the_cache_lies_where_the_variable_says(monkeypatch, tmp_path):
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(tmp_path))
    assert cache_path() == tmp_path / "embeddings.sqlite"
    CachedEncoder(Counting()).encode(TEXTS)
    assert cache_info().bytes > 0
    assert clear_cache() > 0
    assert list(tmp_path.iterdir()) == []
    assert cache_info().encoders == ()


def test_a_damaged_cache_at_the_usual_place_can_be_cleared(monkeypatch, tmp_path):
    monkeypatch.setenv("GOLDASSAY_CACHE_DIR", str(tmp_path))
    cache_path().write_text("damaged beyond recognition")
    assert clear_cache() == 26
    assert not cache_path().exists()


def test_an_error_of_the_encoder_keeps_what_was_done(path, monkeypatch):
    monkeypatch.setattr(cache, "CHUNK", 2)

    class Failing(Counting):
        def encode(self, texts, *, progress=lambda *_: None):
            if "e" in texts:
                raise KeyboardInterrupt
            return super().encode(texts, progress=progress)

    with pytest.raises(KeyboardInterrupt):
        CachedEncoder(Failing(), path).encode(list("abcdef"))
    assert cache_info(path).encoders[0].entries == 4


def test_every_flipped_bit_of_a_vector_is_seen_and_mended(path):
    texts = [f"text {number}" for number in range(64)]
    sound = CachedEncoder(Counting(), path).encode(texts)
    draw = random.Random(0)  # noqa: S311 - a test
    damaged = 0
    with closing(sqlite3.connect(path)) as connection, connection:
        for row, vector in connection.execute("SELECT rowid, vector FROM vectors").fetchall():
            flipped = bytearray(vector)
            flipped[draw.randrange(len(flipped))] ^= 1 << draw.randrange(8)
            connection.execute("UPDATE vectors SET vector = ? WHERE rowid = ?", (bytes(flipped), row))
            damaged += 1
    encoder = Counting()
    np.testing.assert_array_equal(CachedEncoder(encoder, path).encode(texts), sound)
    assert len(encoder.asked) == damaged == 64
    again = Counting()
    np.testing.assert_array_equal(CachedEncoder(again, path).encode(texts), sound)
    assert again.asked == []


def test_a_vector_of_another_text_or_kind_is_not_taken(path):
    sound = CachedEncoder(Counting(), path).encode(["cat", "dog"])
    (cat, vector), (dog, other) = change(path, "SELECT text, vector FROM vectors")
    change(path, "UPDATE vectors SET vector = ? WHERE text = ?", other, cat)
    change(path, "UPDATE vectors SET vector = ? WHERE text = ?", "x" * len(vector), dog)
    encoder = Counting()
    np.testing.assert_array_equal(CachedEncoder(encoder, path).encode(["cat", "dog"]), sound)
    assert encoder.asked == ["cat", "dog"]


def test_a_file_of_version_1_is_brought_up_to_date_and_its_vectors_are_made_anew(path):
    sound = CachedEncoder(Counting(), path).encode(TEXTS)
    change(path, "ALTER TABLE vectors DROP COLUMN checksum")
    change(path, "PRAGMA user_version = 1")
    assert cache_info(path).encoders[0].entries == 5
    encoder = Counting()
    np.testing.assert_array_equal(CachedEncoder(encoder, path).encode(TEXTS), sound)
    assert len(encoder.asked) == 5
    again = Counting()
    CachedEncoder(again, path).encode(TEXTS)
    assert again.asked == []


def test_cache_and_kernels_agree_on_what_a_unit_row_is():
    rows = np.eye(3, dtype=np.float32)[[0, 1, 2, 0]] * np.float32([[1.0], [1 + 4e-5], [1 + 6e-5], [1 - 6e-5]])
    for row, is_one in zip(rows, is_unit(rows), strict=True):
        with nullcontext() if is_one else pytest.raises(ValueError, match="unit"):
            compute_squared_lengths(row[None, :], np.array([0]))
    assert is_unit(rows).tolist() == [True, True, False, False]


def test_a_schema_whose_bytes_are_no_text_is_a_damaged_cache(tmp_path):
    path = tmp_path / "embeddings.sqlite"
    CachedEncoder(HashingEncoder(8), path).encode(["cat"])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    # SQLite quotes the statement that it cannot parse, and Python cannot decode the quotation.
    path.write_bytes(path.read_bytes().replace(b"encoder INTEGER NOT NULL", b"\xe5\xe5coder INTEGER NOT N("))
    for touch in (lambda: CachedEncoder(HashingEncoder(8), path).encode(["cat"]), lambda: cache_info(path)):
        with pytest.raises(CacheError, match="damaged"):
            touch()
