"""Vectors from a file: found exactly, refused where they are none."""

import io
import pickle
import random
import zipfile

import numpy as np
import polars as pl
import pytest

from goldassay.core.errors import EncoderError, GoldassayError, InputError, UsageError
from goldassay.encoders import PrecomputedEncoder

TEXTS = ["cat", "dog", "", "naïve 😀"]
VECTORS = np.array([[3.0, 4.0], [0.0, -2.0], [1.0, 0.0], [1.0, 1.0]])
UNIT = VECTORS / np.linalg.norm(VECTORS, axis=1, keepdims=True)


def npz(path, texts=TEXTS, vectors=VECTORS):
    np.savez(path, texts=np.array(texts, dtype=str), vectors=np.asarray(vectors))
    return path


@pytest.fixture(params=["npz", "list", "array"])
def vector_file(request, tmp_path):
    if request.param == "npz":
        return npz(tmp_path / "vectors.npz")
    kind = pl.List(pl.Float32) if request.param == "list" else pl.Array(pl.Float64, 2)
    path = tmp_path / "vectors.parquet"
    pl.DataFrame({"text": TEXTS, "vector": VECTORS.tolist()}, schema={"text": pl.String, "vector": kind}).write_parquet(
        path
    )
    return path


def test_vectors_are_found_by_text_and_scaled(vector_file):
    encoder = PrecomputedEncoder(vector_file)
    vectors = encoder.encode(["", "cat", "naïve 😀", "cat"])
    assert encoder.dimension == 2
    assert encoder.name == f"precomputed:{vector_file.name}"
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, UNIT[[2, 0, 3, 0]], atol=1e-6)
    assert encoder.encode([]).shape == (0, 2)


def test_the_fingerprint_is_of_the_content_not_its_order(tmp_path):
    one = PrecomputedEncoder(npz(tmp_path / "one.npz")).fingerprint
    assert PrecomputedEncoder(npz(tmp_path / "two.npz", TEXTS[::-1], VECTORS[::-1])).fingerprint == one
    assert PrecomputedEncoder(npz(tmp_path / "three.npz", [*TEXTS[:3], "other"])).fingerprint != one
    assert PrecomputedEncoder(npz(tmp_path / "four.npz", TEXTS, VECTORS[::-1])).fingerprint != one


def test_missing_texts_are_counted_and_named(vector_file):
    with pytest.raises(EncoderError, match="7 of 8 texts") as caught:
        PrecomputedEncoder(vector_file).encode(["cat", *(f"text {i}" for i in range(7))])
    assert caught.value.found == "'text 0', 'text 1', 'text 2', 'text 3', 'text 4', ..."
    with pytest.raises(EncoderError, match="5 of 6 texts") as caught:
        PrecomputedEncoder(vector_file).encode(["cat", *(f"text {i}" for i in range(5))])
    assert caught.value.found == "'text 0', 'text 1', 'text 2', 'text 3', 'text 4'"


@pytest.mark.parametrize(
    "bad", [[0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0], [1e300, 1.0], [3e38, 3e38], [1e-45, 0.0], [1e-30, 0.0]]
)
def test_a_vector_without_direction_is_named(tmp_path, bad):
    with pytest.raises(EncoderError, match="without a direction for 1 of 4 texts") as caught:
        PrecomputedEncoder(npz(tmp_path / "v.npz", vectors=[*VECTORS[:3], bad]))
    assert "naïve 😀" in caught.value.found


def test_one_text_with_two_vectors_is_refused_and_with_one_twice_is_fine(tmp_path):
    twice = npz(tmp_path / "twice.npz", ["cat", "cat"], [[1, 2], [1, 2]])
    np.testing.assert_allclose(np.linalg.norm(PrecomputedEncoder(twice).encode(["cat"])), 1, atol=1e-6)
    with pytest.raises(EncoderError, match="two vectors"):
        PrecomputedEncoder(npz(tmp_path / "differ.npz", ["cat", "cat"], [[1, 2], [2, 1]]))


def write_pickled(path):
    np.savez(path, texts=np.array(["cat"], dtype=object), vectors=np.ones((1, 2)))


def write_arrays(**arrays):
    return lambda path: np.savez(path, **arrays)


@pytest.mark.parametrize(
    ("write", "says"),
    [
        (lambda path: path.write_bytes(b"not a zip"), "cannot|can be read safely"),
        (lambda path: path.write_bytes(b""), "can be read safely"),
        (write_pickled, "can be read safely"),
        (lambda path: np.save(path.open("wb"), np.ones(3)), "can be read safely"),
        (write_arrays(words=np.array(["a"]), vectors=np.ones((1, 2))), "array 'texts' is missing"),
        (write_arrays(texts=np.array([1, 2]), vectors=np.ones((2, 2))), "not strings"),
        (write_arrays(texts=np.array([["a"]]), vectors=np.ones((1, 2))), "not strings"),
        (write_arrays(texts=np.array(["a"]), vectors=np.ones(2)), "table of numbers"),
        (write_arrays(texts=np.array(["a"]), vectors=np.array([["x"]])), "table of numbers"),
        (write_arrays(texts=np.array(["a"]), vectors=np.ones((1, 0))), "table of numbers"),
        (write_arrays(texts=np.array(["a"]), vectors=np.ones((2, 2))), "numbers of texts and vectors differ"),
    ],
)
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_bad_npz_is_refused(tmp_path, write, says):
    path = tmp_path / "v.npz"
    write(path)
    with pytest.raises(EncoderError, match=says) as caught:
        PrecomputedEncoder(path)
    assert caught.value.path == str(path)


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"word": ["a"], "vector": [[1.0]]}, "no columns of vectors"),
        ({"text": [1], "vector": [[1.0]]}, "no columns of vectors"),
        ({"text": ["a"], "vector": [1.0]}, "no columns of vectors"),
        ({"text": ["a", "b"], "vector": [[1.0], [1.0, 2.0]]}, "another length"),
        ({"text": ["a", "b"], "vector": [[1.0], None]}, "no vector"),
        ({"text": ["a", None], "vector": [[1.0], [2.0]]}, "no text"),
        ({"text": ["a"], "vector": [[1.0, None]]}, "without a direction"),
        ({"text": ["a"], "vector": [["x"]]}, "table of numbers"),
    ],
)
def test_a_bad_parquet_is_refused(tmp_path, columns, says):
    path = tmp_path / "v.parquet"
    pl.DataFrame(columns).write_parquet(path)
    with pytest.raises(EncoderError, match=says):
        PrecomputedEncoder(path)


def test_what_is_no_parquet_is_refused(tmp_path):
    path = tmp_path / "v.parquet"
    path.write_text("text,vector")
    with pytest.raises(EncoderError, match="Parquet"):
        PrecomputedEncoder(path)


def test_an_absent_file_and_an_unknown_kind_are_refused(tmp_path):
    with pytest.raises(EncoderError, match="not found"):
        PrecomputedEncoder(tmp_path / "absent.npz")
    with pytest.raises(UsageError, match=r"vector file '\.csv'"):
        PrecomputedEncoder(tmp_path / "v.csv")


def raw_npz(path, texts: bytes, vectors: bytes, **options):
    with zipfile.ZipFile(path, "w", **options) as archive:
        archive.writestr("texts.npy", texts)
        archive.writestr("vectors.npy", vectors)
    return path


def array(values) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asarray(values))
    return stream.getvalue()


def test_an_array_that_claims_more_than_it_holds_is_refused_before_there_is_room_made(tmp_path):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (10**12, 384)})
    path = raw_npz(tmp_path / "v.npz", array(["cat"]), header.getvalue())
    with pytest.raises(EncoderError, match="declared size of an array is wrong") as caught:
        PrecomputedEncoder(path)
    assert "vectors.npy" in caught.value.found


def test_an_archive_that_unpacks_beyond_all_measure_is_refused(tmp_path):
    path = raw_npz(tmp_path / "v.npz", array(["cat"]), b"\0" * 2**27, compression=zipfile.ZIP_DEFLATED)
    with pytest.raises(InputError, match="too large"):
        PrecomputedEncoder(path)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("seed", range(300))
def test_a_damaged_archive_is_an_error_or_the_same_vectors(tmp_path, seed):
    whole = npz(tmp_path / "v.npz")
    data = bytearray(whole.read_bytes())
    fingerprint = PrecomputedEncoder(whole).fingerprint
    draw = random.Random(seed)  # noqa: S311 - a test
    for _ in range(draw.randint(1, 3)):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    whole.write_bytes(data)
    try:
        found = PrecomputedEncoder(whole).fingerprint
    except GoldassayError:
        return
    # The checksums of the archive see every bit of an array; what no array reads may differ.
    assert found == fingerprint


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_brackets_in_a_name_are_no_pattern(tmp_path, suffix):
    def write(name, vectors):
        if suffix == "npz":
            return npz(tmp_path / name, vectors=vectors)
        pl.DataFrame({"text": TEXTS, "vector": np.asarray(vectors).tolist()}).write_parquet(tmp_path / name)
        return tmp_path / name

    neighbour = write(f"v1.{suffix}", VECTORS)
    (tmp_path / f"v[1].{suffix}").unlink(missing_ok=True)
    with pytest.raises(EncoderError, match="not found"):
        PrecomputedEncoder(tmp_path / f"v[1].{suffix}")
    named = write(f"tmp.{suffix}", VECTORS[::-1]).rename(tmp_path / f"v[1].{suffix}")
    assert PrecomputedEncoder(named).fingerprint != PrecomputedEncoder(neighbour).fingerprint
    np.testing.assert_allclose(PrecomputedEncoder(named).encode(TEXTS), UNIT[::-1], atol=1e-6)


def test_another_process_reads_the_file_from_any_folder(tmp_path, monkeypatch):
    np.savez(tmp_path / "vectors.npz", texts=np.array(["cat"]), vectors=np.array([[3.0, 4.0]]))
    monkeypatch.chdir(tmp_path)
    encoder = PrecomputedEncoder("vectors.npz")
    sent = pickle.dumps(encoder)
    assert len(sent) < 1000
    monkeypatch.chdir("/")
    again = pickle.loads(sent)
    assert (again.name, again.fingerprint) == (encoder.name, encoder.fingerprint)
