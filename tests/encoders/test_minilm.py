"""The default encoder against sentence-transformers, and against its own promises."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldassay.core.errors import EncoderError, UsageError
from goldassay.encoders.minilm import equal_length_batches

# The first eight components, from sentence-transformers 6.2.0 on torch 2.13.0.
EXPECTED = {
    "": [-0.1188383, 0.0482987, -0.0025481, -0.0110112, 0.0519508, 0.0102917, 0.1154332, 0.0007008],
    "breast neoplasm": [0.0372299, 0.0275646, -0.0661184, 0.0378088, 0.0028726, -0.0630306, 0.0261107, -0.0128858],
    "Computer Science": [-0.0637917, -0.0175681, -0.0601004, -0.0242453, -0.062074, -0.1115355, 0.0659744, 0.0209546],
    "hasAuthor": [-0.0328881, 0.0657407, -0.0653195, -0.0145785, 0.0263726, 0.0194305, 0.0823955, 0.0221994],
    "the genus Felis": [-0.0181673, 0.0230494, -0.0811421, 0.0761959, -0.0062712, -0.0453493, -0.0160155, -0.0427698],
    "naïve café": [0.0084002, -0.0126559, -0.0249084, 0.0239164, 0.0254555, 0.0199945, 0.0748832, -0.0959399],
    "猫 is a cat": [0.0202131, 0.0011667, 0.105483, 0.0413744, -0.1064009, -0.0088491, 0.1125873, -0.0487748],
    "😀": [-0.0415965, -0.0246818, 0.0778931, -0.0061494, 0.0170015, 0.001262, 0.1237396, -0.0019716],
    "gene " * 300: [-0.0421925, -0.0024168, -0.0114259, -0.0624178, -0.1151669, 0.0140036, 0.032196, -0.0019178],
}
LABELS = [f"{kind} {number}" for number in range(40) for kind in ("cell", "cell membrane", "carcinoma in situ of skin")]


def test_rows_agree_with_sentence_transformers(minilm):
    vectors = minilm.encode(list(EXPECTED))
    np.testing.assert_allclose(vectors[:, :8], list(EXPECTED.values()), rtol=0, atol=1e-5)


def test_a_row_depends_on_its_text_only(minilm):
    together = minilm.encode([*LABELS, "word " * 10_000])
    single = np.vstack([minilm.encode([label]) for label in LABELS])
    np.testing.assert_allclose(together[:-1], single, rtol=0, atol=1e-6)


def test_order_moves_nothing(minilm):
    order = np.random.default_rng(0).permutation(len(LABELS))
    shuffled = minilm.encode([LABELS[row] for row in order])
    np.testing.assert_allclose(shuffled, minilm.encode(LABELS)[order], rtol=0, atol=1e-6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(texts=st.lists(st.text(), max_size=8))
def test_any_text_has_a_unit_row(minilm, texts):
    vectors = minilm.encode(texts)
    assert vectors.shape == (len(texts), 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("text", ["", "\0", " \t\n", "😀", "漢字かな", "a" * 5_000, "word " * 10_000])
def test_odd_texts_have_unit_rows(minilm, text):
    assert np.linalg.norm(minilm.encode([text])[0]) == pytest.approx(1, abs=1e-5)


def test_a_row_does_not_depend_on_its_block(minilm, monkeypatch):
    whole = minilm.encode(LABELS)
    monkeypatch.setattr("goldassay.encoders.minilm.BLOCK_TEXTS", 50)
    np.testing.assert_allclose(minilm.encode(LABELS), whole, rtol=0, atol=1e-6)


def test_case_is_folded_and_text_beyond_the_limit_is_cut(minilm):
    upper, lower, at_limit, beyond = minilm.encode(["CAT", "cat", "gene " * 254, "gene " * 255 + "ship"])
    np.testing.assert_allclose(upper, lower, rtol=0, atol=1e-6)
    np.testing.assert_allclose(at_limit, beyond, rtol=0, atol=1e-6)


def test_progress_counts_up_to_the_end(minilm):
    seen = []
    minilm.encode(LABELS, progress=lambda *call: seen.append(call))
    assert {(stage, total) for stage, _, total in seen} == {("encoding", len(LABELS))}
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
    assert seen[-1][1] == len(LABELS)


def test_no_texts_no_rows(minilm):
    assert minilm.encode([]).shape == (0, 384)


@pytest.mark.parametrize("texts", [["cat", None], ["cat", 3], ["half a pair \ud83d"]])
def test_what_is_no_text_is_refused(minilm, texts):
    with pytest.raises(EncoderError, match=r"not a text|not valid Unicode"):
        minilm.encode(texts)


def test_one_string_is_not_a_list_of_texts(minilm):
    with pytest.raises(UsageError, match="list of texts"):
        minilm.encode("cat")


@settings(deadline=None)
@given(tokens=st.lists(st.lists(st.integers(0, 99), min_size=1, max_size=9), max_size=40), budget=st.integers(1, 30))
def test_batches_hold_every_row_once_without_padding(tokens, budget):
    rows = []
    for batch, ids in equal_length_batches(tokens, budget):
        assert ids.tolist() == [tokens[row] for row in batch]
        assert ids.size <= budget or len(ids) == 1
        rows.extend(batch.tolist())
    assert sorted(rows) == list(range(len(tokens)))


def test_an_error_while_running_drops_the_batches_that_wait(minilm, monkeypatch):
    ran = []

    def slow(session, ids, output):
        ran.append(len(ids))
        time.sleep(0.01)
        return np.zeros((len(ids), 384), dtype=np.float32)

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("goldassay.encoders.minilm_graph.run", slow)
    with pytest.raises(KeyboardInterrupt):
        minilm.encode([f"label number {i}" for i in range(15_000)], progress=interrupt)
    assert sum(ran) < 5_000


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
@pytest.mark.usefixtures("minilm")
def test_an_interrupt_stops_the_run_promptly():
    script = (
        # What a shell starts in the background ignores interrupts, and so does what that starts.
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from goldassay.encoders import MiniLMEncoder\n"
        "def say(stage, done, total): print(done, flush=True)\n"
        "MiniLMEncoder().encode([f'label number {i}' for i in range(100_000)], progress=say)"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ) as process:
        process.stdout.readline()
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=300)
    assert b"KeyboardInterrupt" in errors
    # All of it would take two minutes.
    assert time.monotonic() - started < 60


def test_the_example_of_equal_length_batches():
    assert [rows.tolist() for rows, _ in equal_length_batches([[1], [2, 3], [4], [5]], tokens=2)] == [[0, 2], [3], [1]]
