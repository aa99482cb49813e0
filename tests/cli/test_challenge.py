"""``goldassay challenge``: from nothing to a bundle."""

import json
import zipfile

import pytest


@pytest.fixture
def begun(goldassay_command, tmp_path):
    folder = tmp_path / "task"
    made = goldassay_command("challenge", "init", folder)
    assert (made.code, made.err) == (0, "")
    assert f"{folder}/challenge.toml" in made.out.splitlines()
    return folder


def test_from_nothing_to_a_bundle(begun, goldassay_command):
    message = goldassay_command("challenge", "validate", begun / "challenge.toml", begun / "submission")
    assert (message.code, message.out.splitlines()[-1]) == (0, "The submission can be scored.")
    assert "prediction.csv: 4 items, read as csv" in message.out

    page = begun / "page.html"
    scored = goldassay_command(
        "challenge", "score", begun / "challenge.toml", begun / "submission", "--phase", "final", "--report", page
    )
    assert (scored.code, scored.out.splitlines()[-1]) == (0, "ranked by literal f1: 0.250")
    assert "viola" not in scored.out + page.read_text()

    bundle = begun / "bundle.zip"
    made = goldassay_command("challenge", "bundle", begun / "challenge.toml", "-o", bundle, "--image", "our/image:1")
    assert (made.code, made.err) == (0, "")
    assert made.out.splitlines() == zipfile.ZipFile(bundle).namelist()
    assert json.loads(zipfile.ZipFile(bundle).read("competition.yaml"))["docker_image"] == "our/image:1"


def test_a_participant_is_advised_no_option_since_a_challenge_takes_none(begun, goldassay_command):
    table = begun / "prediction.csv"
    table.write_text("document,subject\nd1,optics\n")
    done = goldassay_command("challenge", "validate", begun / "challenge.toml", table)
    assert done.code == 2
    assert "No column is recognised as the parent." in done.err
    assert "--" not in done.err


def test_values_are_written_to_the_places_that_they_are_rounded_to(begun, goldassay_command):
    file, words = begun / "challenge.toml", ("--phase", "development")
    for evidence, digits in (("false", "0.667"), ("true", "0.6667")):
        file.write_text(file.read_text().replace("evidence = false", f"evidence = {evidence}"))
        scored = goldassay_command("challenge", "score", file, begun / "submission", *words)
        assert scored.out.splitlines()[-1] == f"ranked by literal f1: {digits}"


def test_json_of_a_score(begun, goldassay_command):
    words = ("challenge", "score", begun / "challenge.toml", begun / "submission", "--phase", "development")
    assert json.loads(goldassay_command(*words, "--format", "json").out)["runs"][0]["scores"][0]["units"] is None


def test_the_organiser_is_reported_what_is_wrong_with_gold(begun, goldassay_command):
    (begun / "hidden" / "final.csv").write_text("child,parent\nviola\n")
    done = goldassay_command("challenge", "score", begun / "challenge.toml", begun / "submission", "--phase", "final")
    assert (done.code, done.out) == (2, "")
    assert "final.csv:2" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("init", "{task}"), "The folder already exists and is not empty."),
        (("score", "{task}/challenge.toml", "{task}/submission"), "--phase development"),
        (("score", "{task}/challenge.toml", "{task}/submission", "--phase", "last"), "Unknown phase 'last'"),
        (("validate", "{task}/challenge.toml", "{task}/hidden"), "does not contain the file"),
        (("validate", "{task}/none.toml", "{task}/hidden"), "File not found"),
        (("bundle", "{task}/challenge.toml", "-o", "{task}/challenge.toml"), "would overwrite an input"),
        (("score", "{task}/challenge.toml", "{task}/submission", "--phase", "final", "--report", "a.txt"), "HTML"),
    ],
)
def test_what_is_refused(begun, goldassay_command, words, message):
    done = goldassay_command("challenge", *(word.format(task=begun) for word in words))
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize("text", ["", "child,parent\n"])
def test_an_empty_submission_scores_zero(begun, goldassay_command, text):
    (begun / "submission" / "prediction.csv").write_text(text)
    words = (begun / "challenge.toml", begun / "submission")
    message = goldassay_command("challenge", "validate", *words)
    assert (message.code, "the prediction is empty" in message.out) == (0, True)
    scored = goldassay_command("challenge", "score", *words, "--phase", "final")
    assert (scored.code, scored.out.splitlines()[-1]) == (0, "ranked by literal f1: 0.000")


def test_without_a_command_there_is_help(goldassay_command):
    assert "validate" in goldassay_command("challenge").out


def test_a_leaderboard_needs_the_gold_of_every_phase(begun, goldassay_command):
    gold = sorted((begun / "hidden").iterdir())
    gold[-1].unlink()
    result = goldassay_command("serve", begun / "challenge.toml", "--data", begun / "data")
    assert (result.code, "The gold file of a phase is missing" in result.err) == (2, True)
    assert gold[-1].name in result.err
