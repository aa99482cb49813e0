"""Submissions of strangers: read or refused, and scored without a word of gold."""

import dataclasses
import json
import os
import zipfile
from pathlib import Path

import pytest

import goldassay
from goldassay.challenges import Limits, check, score
from goldassay.challenges.scoring import hide_gold, open_submission
from goldassay.core.errors import InputError, UsageError
from goldassay.graphs import Literal

from .conftest import GOLD, PRED

SECRETS = ("secretleaf", "secretroot", "dog", "vault", "dev.csv")


def packed(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize(
    "files",
    [
        {"prediction.csv": PRED},
        {"mine/prediction.csv": PRED, "mine/README.md": "hello"},
        {"prediction.csv": PRED, "__MACOSX/prediction.csv": "\0"},
        {"../../prediction.csv": PRED},
        {"mine\\prediction.csv": PRED},
    ],
)
def test_a_zip_is_read(challenge, folder, files):
    model = check(challenge, packed(folder / "s.zip", files))
    assert (len(model), model.path, model.format) == (2, "prediction.csv", "csv")
    assert not (folder.parent / "prediction.csv").exists()


def test_a_bare_file_and_a_folder_are_read(challenge, folder):
    (folder / "upload-17").write_text(PRED)
    assert len(check(challenge, folder / "upload-17")) == 2
    assert len(check(challenge, folder)) == 2
    inner = folder / "outer" / "inner"
    inner.mkdir(parents=True)
    (inner / "prediction.csv").write_text(PRED)
    assert len(check(challenge, folder / "outer")) == 2
    # The name is no pattern.
    (inner / "[a]*.csv").write_text(PRED)
    assert len(check(dataclasses.replace(challenge, prediction="[a]*.csv"), folder / "outer")) == 2


def test_a_prediction_that_is_a_folder(folder, reference_data):
    conference = reference_data / "alignments" / "conference"
    (folder / "challenge.toml").write_text(f"""
name = "oaei"
title = "OAEI"
kind = "alignment"
measures = ["overlap(relation=exact)"]
rank_by = "overlap(relation=exact).f1"
prediction = "cases/"
phases = [{{name = "all", gold = "{conference / "reference"}"}}]
""")
    challenge = goldassay.challenges.load(folder / "challenge.toml")
    files = {f"mine/cases/{path.name}": path.read_text() for path in (conference / "AML").iterdir()}
    report = score(challenge, "all", packed(folder / "s.zip", {**files, "mine/cases/.DS_Store": "x"}), units=True)
    assert report["overlap(relation=exact)"].counts["hit_pred"] == 201
    with pytest.raises(InputError, match="does not contain the folder"):
        check(challenge, folder / "prediction.csv")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"pred.csv": PRED}, ["does not contain the file", "found:    pred.csv", "expected: prediction.csv"]),
        ({}, ["does not contain the file", "found:    nothing"]),
        ({"a/prediction.csv": PRED, "b/prediction.csv": PRED}, ["two files with the same name"]),
        ({"prediction.csv": "child,parent\n" + "a,b\n" * 300_000}, ["too large", "at most 1 MB"]),
        ({"prediction.csv": "child,parent\ncat\n" + "x" * 10}, []),
    ],
)
def test_a_zip_that_is_refused(challenge, folder, files, message):
    challenge = dataclasses.replace(challenge, options={})
    with pytest.raises(InputError) as error:
        check(challenge, packed(folder / "s.zip", files))
    for part in message:
        assert part in str(error.value)
    assert str(error.value).startswith(("s.zip: ", "s.zip/prediction.csv:"))


def test_damaged_zips(challenge, folder):
    path = packed(folder / "s.zip", {"prediction.csv": PRED * 50})
    whole = path.read_bytes()
    for damaged in (whole[:40], whole[:-10], whole[:35] + b"\xff\xff" + whole[37:], b"PK\x03\x04"):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"s\.zip: The zip cannot be read"):
            check(challenge, path)


def test_a_link_in_a_zip_or_a_folder_is_refused(challenge, folder):
    link = zipfile.ZipInfo("prediction.csv")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(folder / "s.zip", "w") as archive:
        archive.writestr(link, "vault/dev.csv")
    with pytest.raises(InputError, match="The zip contains a link"):
        check(challenge, folder / "s.zip")
    inner = folder / "inner"
    inner.mkdir()
    (inner / "prediction.csv").symlink_to(folder / "vault" / "dev.csv")
    with pytest.raises(InputError, match="The submission contains a link"):
        check(challenge, inner)


def test_a_submission_that_is_too_large(challenge, folder):
    (folder / "big.csv").write_text("x" * (2**20 + 1))
    with pytest.raises(InputError, match=r"big\.csv: The submission is too large"):
        check(challenge, folder / "big.csv")
    allowed = dataclasses.replace(challenge, limits=Limits(megabytes=2))
    with pytest.raises(InputError, match=r"^big\.csv:1: "):
        check(allowed, folder / "big.csv")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_device_or_a_pipe_is_refused_before_it_is_copied(challenge, folder):
    os.mkfifo(folder / "pipe")
    (folder / "packed").mkdir()
    os.mkfifo(folder / "packed" / "prediction.csv")
    for submission, found in ((Path(os.devnull), "a device"), (folder / "pipe", "a pipe"), (folder / "packed", "")):
        with pytest.raises(InputError) as error, open_submission(challenge, submission):
            pass
        assert error.value.found is None or found in error.value.found


def test_a_file_that_grows_while_it_is_copied_is_refused(challenge, folder, monkeypatch):
    monkeypatch.setattr("goldassay.challenges.scoring.check_regular", lambda _: 10)
    (folder / "grown.csv").write_text("a,b\n" * 300_000)
    with pytest.raises(InputError, match="too large"), open_submission(challenge, folder / "grown.csv"):
        pass


def test_an_empty_prediction_has_no_items_and_scores_0(challenge, folder):
    (folder / "prediction.csv").write_text("")
    assert len(check(challenge, folder)) == 0
    assert score(challenge, "final", folder)["literal"].values["f1"] == 0


def test_no_submission(challenge, folder):
    with pytest.raises(InputError, match="not found"):
        check(challenge, folder / "none.zip")


@pytest.mark.parametrize("phase", ["development", "final"])
@pytest.mark.parametrize("units", [False, True])
def test_a_report_shows_nothing_of_gold(challenge, folder, phase, units):
    report = score(challenge, phase, folder / "prediction.csv", units=units)
    plain = goldassay.evaluate(folder / "prediction.csv", gold=challenge.phase(phase).gold[-1], measures="literal")
    if phase == "development":
        assert report["literal"].values == {"precision": 0.5, "recall": 0.333, "f1": 0.4}
        assert plain["literal"].recall == 1 / 3
    assert bool(report["literal"].counts) is units
    ends = [end for one in report["literal"].intervals.values() for end in (one.low, one.high)]
    assert [round(end, 3) for end in ends] == ends
    for layout in ("json", "html", "text", "markdown", "csv", "latex"):
        written = report.format(layout)
        assert not [word for word in SECRETS if word in written], layout
        assert "cow" not in written
    with pytest.raises(UsageError):
        report["literal"].matching.missed()
    assert (report["literal"].units is not None) is units
    assert set(report["literal"].intervals) == {"precision", "recall", "f1"}


def test_units_have_the_same_pseudonyms_in_every_submission(challenge, folder):
    (folder / "other.csv").write_text(GOLD)
    one, other = (
        score(challenge, "development", folder / name, units=True)["literal"].units
        for name in ("prediction.csv", "other.csv")
    )
    assert sorted(one.keys) == one.keys.tolist()
    assert {len(key) for key in one.keys} == {20}
    assert len(set(one.keys) & set(other.keys)) == 3
    assert sum(one.counts["hit_pred"]) == 1
    compared = goldassay.compare(
        [score(challenge, "development", folder / name, units=True) for name in ("prediction.csv", "other.csv")]
    )
    plain = goldassay.evaluate(
        [folder / "prediction.csv", folder / "other.csv"],
        gold=folder / "vault" / "dev.csv",
        measures=[Literal()],
        intervals=True,
    )
    [here] = [one for one in compared.comparisons if (one.measure, one.value) == ("literal", "recall")]
    [there] = [one for one in plain.comparisons if one.value == "recall"]
    assert here.difference.difference == there.difference.difference


def test_other_gold_gives_other_pseudonyms(challenge, folder):
    before = score(challenge, "development", folder / "prediction.csv", units=True)["literal"].units
    (folder / "vault" / "dev.csv").write_text(GOLD + "\n")
    after = score(challenge, "development", folder / "prediction.csv", units=True)["literal"].units
    assert not set(before.keys) & set(after.keys)


def test_what_does_not_fit_gold_is_not_quoted(folder):
    path = folder / "challenge.toml"
    text = (
        path.read_text().replace('kind = "taxonomy"', 'kind = "concepts"').replace("prediction.csv", "prediction.jsonl")
    )
    text = text.replace('["literal", "fuzzy(threshold=0.9)"]', '["concept_exact"]').replace(
        "literal.f1", "concept_exact.f1"
    )
    path.write_text(
        text.replace('on-error = "skip"', 'on-unpaired = "error"').replace("vault/dev.csv", "vault/gold.jsonl")
    )
    (folder / "vault" / "gold.jsonl").write_text('{"id": "secretleaf", "concepts": ["cat"]}\n')
    (folder / "mine.jsonl").write_text('{"id": "mine", "concepts": ["cat"]}\n')
    with pytest.raises(InputError) as error:
        score(goldassay.challenges.load(path), "development", folder / "mine.jsonl")
    message = "mine.jsonl: The submission does not fit the gold of this phase.\n  try:      ask the organiser"
    assert str(error.value) == message
    assert str(error.value.__cause__).startswith("mine.jsonl: ")
    assert "secretleaf" in str(error.value.__cause__)


def test_evidence_is_shown_where_the_challenge_says_so(challenge, folder):
    report = score(dataclasses.replace(challenge, evidence=True), "development", folder / "prediction.csv")
    assert "secretleaf" in report.format("html")
    assert report["literal"].matching.missed()


def test_gold_that_cannot_be_read_is_not_quoted(challenge, folder):
    (folder / "vault" / "dev.csv").write_text("child,parent\nsecretleaf\n")
    challenge = dataclasses.replace(challenge, options={})
    with pytest.raises(UsageError) as error:
        score(challenge, "development", folder / "prediction.csv")
    assert str(error.value) == "The gold of the phase 'development' cannot be read.\n  try:      ask the organiser"
    assert isinstance(error.value.__cause__, InputError)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_what_is_undefined_is_reported():
    gold, nothing = goldassay.Graph.from_edges([("cat", "animal")]), goldassay.Graph.from_edges([])
    report = hide_gold(goldassay.evaluate(nothing, gold=gold, measures="literal"), places=3)
    assert report.warnings == ["literal: precision 0/0, given as 0"]
    json.loads(report.format("json"))


def test_an_organiser_says_to_how_many_places_values_are_shown(challenge, folder):
    for places, recall in ((1, 0.3), (6, 0.333333)):
        finer = dataclasses.replace(challenge, places=places)
        report = score(finer, "development", folder / "prediction.csv")
        assert report["literal"].recall == recall
        report.save(folder / "report.json")
        assert goldassay.load(folder / "report.json")["literal"].recall == recall
        assert "1 / 3" not in report.format("text") + report.format("html")
    evident = dataclasses.replace(challenge, evidence=True)
    assert score(evident, "development", folder / "prediction.csv")["literal"].recall == 1 / 3
