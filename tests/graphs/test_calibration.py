"""Calibration: pairs read from tables and ontologies, and what an encoder makes of them."""

import contextlib

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from tests.draws import times

import goldassay
from goldassay.core.errors import InputError
from goldassay.graphs import Graph
from goldassay.graphs.calibration import (
    SynonymPairs,
    calibrate,
    read_pairs,
    synonym_pairs,
    threshold_against_hierarchy,
)
from goldassay.kernels.cosine import pair_cosines

OBO = """format-version: 1.2

[Term]
id: X:1
name: leukemia
synonym: "leukaemia" EXACT []
synonym: "blood cancer" EXACT []
synonym: "cancer" BROAD []

[Term]
id: X:2
name: flu
"""
TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<urn:a> skos:prefLabel "car"@en, "Auto"@de ; skos:altLabel "automobile"@en, "motorcar" , <urn:b> .
"""


def pairs_of(found):
    return set(zip(found.left.tolist(), found.right.tolist(), strict=True))


@pytest.mark.parametrize(
    ("name", "text", "guesses"),
    [
        ("a.tsv", "a\tb\ncar\tauto\nauto\tcar\nx\tx\n", 0),
        ("a.csv", "term,synonym,source\ncar,auto,me\nx,x,me\n", 0),
        ("a.csv", "car,auto\ncar,auto\n", 1),
    ],
)
def test_tables(tmp_path, name, text, guesses):
    (tmp_path / name).write_text(text)
    found = read_pairs(tmp_path / name)
    assert pairs_of(found) == {("auto", "car")}
    assert sum(found.left_out.values()) == text.count("\n") - 1 - (1 - guesses)
    assert len(found.warnings) == guesses


def test_parquet(tmp_path):
    pl.DataFrame({"x": ["car"], "y": ["auto"]}).write_parquet(tmp_path / "a.parquet")
    assert pairs_of(read_pairs(tmp_path / "a.parquet")) == {("auto", "car")}


def test_ontologies(tmp_path):
    (tmp_path / "a.obo").write_text(OBO)
    (tmp_path / "a.ttl").write_text(TURTLE)
    assert pairs_of(synonym_pairs(tmp_path / "a.obo")) == {
        ("blood cancer", "leukaemia"),
        ("blood cancer", "leukemia"),
        ("leukaemia", "leukemia"),
    }
    assert pairs_of(synonym_pairs(tmp_path / "a.ttl")) == {
        ("automobile", "car"),
        ("automobile", "motorcar"),
        ("car", "motorcar"),
    }
    with pytest.raises(goldassay.InputError, match="two texts of the same meaning"):
        synonym_pairs(tmp_path / "a.ttl", language=["fr", "CH"][0] + "x")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.tsv", "a\tb\ncar\n", "The b is empty"),
        ("a.tsv", "a\tb\ncar\t\n", "empty"),
        ("a.csv", "car\nauto\n", "1 column"),
        ("a.ttl", "<urn:a> <urn:b> <urn:c> .\n", "Not a table of pairs"),
        ("a.tsv", "", "empty"),
    ],
)
def test_bad_tables(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(goldassay.InputError, match=message):
        read_pairs(tmp_path / name)


def test_bad_rows_can_be_skipped(tmp_path):
    (tmp_path / "a.tsv").write_text("a\tb\ncar\nbus\tcoach\n")
    found = read_pairs(tmp_path / "a.tsv", on_error="skip")
    assert (pairs_of(found), found.left_out) == ({("bus", "coach")}, {"skipped_records": 1})
    assert "skipped line 2" in found.notes[1]


def test_no_pair_is_no_calibration():
    with pytest.raises(goldassay.InputError, match="no pair"):
        calibrate(SynonymPairs.of([("a", "a")]), encoder="hashing")


@given(st.lists(st.tuples(st.text(min_size=1), st.text(min_size=1)), min_size=1, max_size=8))
def test_the_figures_are_those_of_the_cosines(some):
    pairs = SynonymPairs.of(some)
    assert len(pairs) + sum(pairs.left_out.values()) == len(some)
    if not len(pairs):
        return
    found = calibrate(pairs, encoder="hashing")
    assert found.mean == pytest.approx(np.mean(found.cosines))
    assert found.median == pytest.approx(found.quantiles()[0.5])
    low, high = found.interval(resamples=50)
    assert found.cosines.min() - 1e-12 <= low <= high <= found.cosines.max() + 1e-12  # a mean rounds in its last bits
    assert found.histogram()[0].sum() == len(pairs)
    assert goldassay.parse(found.spec).threshold == pytest.approx(found.mean, abs=5e-4)


def test_the_interval_leaves_out_as_many_resamples_at_either_end(monkeypatch):
    found = calibrate(SynonymPairs.of([("car", "auto"), ("cat", "pet")]), encoder="hashing")
    means = np.arange(101) / 100
    monkeypatch.setattr("goldassay.graphs.calibration.bootstrap_sums", lambda *_, **__: 2 * means[:, None])
    assert found.interval(level=0.8) == pytest.approx((0.1, 0.9))


@times(3, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.binary(max_size=60), st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe"]), st.sampled_from(["stop", "skip"]))
def test_any_bytes_are_read_or_refused(tmp_path, data, mark, on_error):
    for ending in ("tsv", "csv", "obo", "ttl"):
        path = tmp_path / f"fuzz.{ending}"
        path.write_bytes(mark + data)
        for reader in (lambda p: read_pairs(p, on_error=on_error), synonym_pairs):
            with contextlib.suppress(goldassay.GoldassayError):
                reader(path)


def test_thousands_of_synonyms_of_one_class_are_refused_before_they_are_paired(tmp_path):
    file = tmp_path / "a.nt"
    file.write_text("".join(f'<a:a> <http://www.w3.org/2004/02/skos/core#altLabel> "{n}" .\n' for n in range(6000)))
    with pytest.raises(InputError, match="too many pairs") as caught:
        synonym_pairs(file)
    assert caught.value.found == "17,997,000 pairs"
    assert "GOLDASSAY_MAX_PAIRS" in caught.value.hint


@given(st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg")), min_size=1, max_size=12))
def test_related_pairs_are_parents_with_children_and_siblings(edges):
    gold = Graph.from_edges(edges)
    related = {(a, b) for a, b in edges if a != b}
    siblings = {tuple(sorted((a, b))) for a, p in related for b, q in related if p == q and a != b}
    if not related:
        with pytest.raises(InputError, match="no edge between different texts"):
            threshold_against_hierarchy(gold, encoder="hashing")
        return
    found = threshold_against_hierarchy(gold, encoder="hashing")
    assert dict(found.kinds) == {"parent_child": len(related), "sibling": len(siblings)}
    vectors = goldassay.get_encoder("hashing").encode(list("abcdefg"))
    pairs = np.array([["abcdefg".index(text) for text in pair] for pair in [*related, *siblings]])
    np.testing.assert_allclose(found.cosines, np.sort(pair_cosines(vectors, pairs[:, 0], pairs[:, 1])))
    assert found.accepted(found.threshold) <= 0.05


def test_siblings_beyond_a_limit_are_drawn(monkeypatch):
    from goldassay.graphs import calibration

    monkeypatch.setattr(calibration, "ALL_PAIRS", 50)
    gold = Graph.from_edges([(f"child {row}", f"parent {row % 2}") for row in range(60)])
    found = threshold_against_hierarchy(gold, encoder="hashing")
    assert found.sampled
    assert 0 < found.kinds["sibling"] <= 50


def test_the_threshold_of_related_texts_on_the_command_line(goldassay_command, tmp_path):
    gold = tmp_path / "gold.obo"
    terms = [("1", "cat", ["cats"]), ("2", "animal", []), ("3", "dog", ["dogs", "hound"])]
    gold.write_text(
        "format-version: 1.2\n\n"
        + "\n".join(
            f"[Term]\nid: T:{row}\nname: {name}\n"
            + "".join(f'synonym: "{one}" EXACT []\n' for one in synonyms)
            + ("is_a: T:2\n" if row != "2" else "")
            for row, name, synonyms in terms
        )
    )
    messages = goldassay_command("calibrate", str(gold), "--negatives", "hierarchy", "--encoder", "hashing").out
    assert "2 parent-child and 1 sibling pairs of gold; 4 pairs of synonyms" in messages
    assert "-m 'anchored(threshold=" in messages
    table = tmp_path / "gold.csv"
    table.write_text("child,parent\ncat,animal\ndog,animal\n")
    messages = goldassay_command("calibrate", str(table), "--negatives", "hierarchy", "--encoder", "hashing").out
    assert "no synonyms" in messages
    assert "unknown share of synonyms" in messages
    refused = goldassay_command("calibrate", str(table), "--negatives", "hierarchy", "--against-chance", "0.1")
    assert refused.code == 2


def test_the_example_of_synonympairs_of():
    pairs = SynonymPairs.of([("car", "auto"), ("auto", "car"), ("car", "car")])
    assert (len(pairs), pairs.left_out) == (1, {"equal_texts": 1, "duplicates": 1})
