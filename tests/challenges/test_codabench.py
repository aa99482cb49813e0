"""The bundle has what Codabench reads, gold is where no one else sees it, and the scoring program runs as it does there."""

import dataclasses
import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

import goldassay
from goldassay.challenges import load
from goldassay.challenges.codabench import LONGEST, _evaluation, columns_of, main, write_bundle
from goldassay.core.errors import InputError, OutputError, UsageError

SCRATCH = "/tmp"  # noqa: S108 - of the sandbox
SECRETS = ("secretleaf", "vault", "dev.csv")


@pytest.fixture
def bundle(challenge, folder):
    """The unpacked bundle."""
    path = folder / "bundle.zip"
    names = write_bundle(challenge, path)
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == names
        archive.extractall(folder / "bundle")
    return folder / "bundle"


def competition(bundle):
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((bundle / "competition.yaml").read_text())


def test_the_competition_is_one_of_codabench(bundle, challenge):
    found = competition(bundle)
    assert (found["version"], found["title"]) == (2, "Pets 2027")
    for name in (found["image"], found["terms"], *(page["file"] for page in found["pages"])):
        assert (bundle / name).stat().st_size
    assert (bundle / found["image"]).read_bytes().startswith(b"\x89PNG")
    for task in found["tasks"]:
        assert (bundle / task["scoring_program"] / "metadata.yaml").is_file()
        assert (bundle / task["reference_data"]).is_dir()
    assert [phase["tasks"] for phase in found["phases"]] == [[task["index"]] for task in found["tasks"]] == [[0], [1]]
    development, final = found["phases"]
    assert (development["start"], development["end"]) == ("2027-01-01 00:00:00", "2027-03-01 00:00:00")
    assert datetime.fromisoformat(development["end"]) <= datetime.fromisoformat(final["start"])
    assert "end" not in final
    assert (development["max_submissions_per_day"], development["execution_time_limit"]) == (5, 900)
    assert (bundle / development["starting_kit"]).is_dir()
    [leaderboard] = found["leaderboards"]
    columns = leaderboard["columns"]
    assert [column["index"] for column in columns] == list(range(6))
    assert (columns[0]["key"], columns[0]["sorting"]) == ("literal_f1", "desc")
    assert {column["precision"] for column in columns} == {challenge.places}
    assert found["make_programs_available"] is found["make_input_data_available"] is False
    assert found["enable_detailed_results"] is True
    command = json.loads((bundle / "scoring_program" / "metadata.yaml").read_text())["command"]
    assert command.split()[:2] == ["python3", "/app/program/scoring.py"]


FILE, TEXT, BOOL, WHOLE, ROWS = "file", str, bool, int, list
RULES = {
    "": (
        {
            "version": WHOLE,
            "title": TEXT,
            "image": FILE,
            "terms": FILE,
            "pages": ROWS,
            "phases": ROWS,
            "tasks": ROWS,
            "leaderboards": ROWS,
        },
        {
            "description": TEXT,
            "docker_image": TEXT,
            **dict.fromkeys(
                ("registration_auto_approve", "make_programs_available", "make_input_data_available"), BOOL
            ),
            **dict.fromkeys(("enable_detailed_results", "auto_run_submissions", "forum_enabled"), BOOL),
            **dict.fromkeys(
                ("show_detailed_results_in_submission_panel", "show_detailed_results_in_leaderboard"), BOOL
            ),
        },
    ),
    "pages": ({"title": TEXT, "file": FILE}, {}),
    "phases": (
        {"name": TEXT, "start": TEXT, "tasks": ROWS},
        {
            "index": WHOLE,
            "description": TEXT,
            "end": TEXT,
            **dict.fromkeys(("max_submissions", "max_submissions_per_day", "execution_time_limit"), WHOLE),
            "accepts_only_result_submissions": BOOL,
            "starting_kit": FILE,
        },
    ),
    "tasks": (
        {"index": WHOLE, "name": TEXT, "scoring_program": FILE},
        {"description": TEXT, "reference_data": FILE, "input_data": FILE},
    ),
    "leaderboards": ({"title": TEXT, "key": TEXT, "columns": ROWS}, {"submission_rule": TEXT, "hidden": BOOL}),
    "columns": ({"title": TEXT, "key": TEXT, "index": WHOLE}, {"sorting": TEXT, "precision": WHOLE, "hidden": BOOL}),
}
"""What each part of competition.yaml must have, and may have, by Codabench's documentation of version 2 and what it reads of it."""


def misfits(part, written, bundle):
    """List what Codabench would refuse, or not read, in a part of a competition and in the parts of it."""
    needed, more = RULES[part]
    yield from (f"{part}: no {key}" for key in needed if key not in written)
    for key, value in written.items():
        kind = {**needed, **more}.get(key)
        if kind is None:
            yield f"{part}: it does not read {key}"
        elif kind is FILE:
            path = bundle / value
            if not (any(path.iterdir()) if path.is_dir() else path.is_file() and path.stat().st_size):
                yield f"{part}: {key} is no file, or empty"
        elif type(value) is not kind:
            yield f"{part}: {key} must be {kind.__name__}"
        elif kind is ROWS and key in RULES:
            for row in value if isinstance(value[0], dict) else ():
                yield from misfits(key, row, bundle)


@pytest.mark.parametrize("submissions", [None, 7, "auto"])
def test_codabench_reads_all_of_a_competition(challenge, folder, submissions):
    phases = tuple(dataclasses.replace(phase, submissions=submissions) for phase in challenge.phases)
    challenge = dataclasses.replace(challenge, phases=phases)
    write_bundle(challenge, folder / "b.zip", image="example.org/goldassay:1")
    with zipfile.ZipFile(folder / "b.zip") as archive:
        archive.extractall(folder / "bundle")
    found = competition(folder / "bundle")
    assert list(misfits("", found, folder / "bundle")) == []
    known = {"Add", "Add_And_Delete", "Add_And_Delete_Multiple", "Force_Last", "Force_Latest_Multiple", "Force_Best"}
    [leaderboard] = found["leaderboards"]
    assert leaderboard["submission_rule"] in known
    keys = [column["key"] for column in leaderboard["columns"]]
    assert len(set(keys)) == len(keys)
    assert {column["sorting"] for column in leaderboard["columns"]} <= {"asc", "desc"}
    for phase in found["phases"]:
        assert phase.get("max_submissions") == {None: None, 7: 7, "auto": 1}[submissions]
        # An image of one's own has goldassay already.
        assert phase["execution_time_limit"] == 300
        for moment in {"start", "end"} & phase.keys():
            datetime.strptime(phase[moment], "%Y-%m-%d %H:%M:%S").astimezone()
    assert list(misfits("pages", {"title": "x", "fle": "y"}, folder)) == [
        "pages: no file",
        "pages: it does not read fle",
    ]


@pytest.mark.parametrize("hiding", [{"ladder": 0.1}, {"phases": "hidden"}])
def test_what_codabench_cannot_hide_is_refused(challenge, folder, hiding):
    if "phases" in hiding:
        hiding = {"phases": tuple(dataclasses.replace(phase, hidden=True) for phase in challenge.phases)}
    with pytest.raises(UsageError, match=r"(?s)Codabench shows every value at once.*goldassay serve"):
        write_bundle(dataclasses.replace(challenge, **hiding), folder / "b.zip")
    assert not (folder / "b.zip").exists()


def test_the_program_runs_in_the_folders_of_codabench(bundle, folder):
    """As its worker lays them out: the program, gold and the submission are only there to be read."""
    if (
        shutil.which("bwrap") is None
        or subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], check=False).returncode
    ):
        pytest.skip("no sandbox on this machine")
    run(bundle, folder, 0, (folder / "prediction.csv").read_text())
    app, output = folder / "app", folder / "written"
    output.mkdir()
    shutil.copytree(bundle / "scoring_program", folder / "program")
    yaml = pytest.importorskip("yaml")
    asked = yaml.safe_load((folder / "program" / "metadata.yaml").read_text())["command"].split()
    assert asked[0] == "python3"
    paths = [sys.prefix, sys.base_prefix, *filter(None, sys.path), "/usr", "/lib", "/lib64", "/bin"]
    mounts = [word for path in paths if Path(path).exists() for word in ("--ro-bind", str(path), str(path))]
    inside = {
        "/app/program": folder / "program",
        "/app/input/res": app / "input" / "res",
        "/app/input/ref": app / "input" / "ref",
    }
    mounts += [word for place, path in inside.items() for word in ("--ro-bind", str(path), place)]
    source = str(Path(__file__).parents[2] / "src")
    done = subprocess.run(
        ["bwrap", "--unshare-all", "--tmpfs", SCRATCH, "--proc", "/proc", "--dev", "/dev", *mounts, "--ro-bind", source, source,
         "--bind", str(output), "/app/output", "--setenv", "PYTHONPATH", source, "--setenv", "HOME", SCRATCH, "--chdir", "/app/program",
         "--", sys.executable, *asked[1:]],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((output / "scores.json").read_text())["literal_f1"] == 0.4
    assert sorted(path.name for path in output.iterdir()) == ["detailed_results.html", "scores.json"]


def test_gold_is_in_the_reference_data_only(bundle):
    holding = {
        path.relative_to(bundle).parts[0]
        for path in bundle.rglob("*")
        if path.is_file() and any(word.encode() in path.read_bytes() for word in SECRETS)
    }
    assert holding == {"reference_data"}


def test_the_copy_of_participants_reads_and_does_not_score(bundle, folder):
    copy = load(bundle / "starting_kit" / "challenge.toml")
    original = load(folder / "challenge.toml")
    same = ("name", "title", "description", "kind", "measures", "rank", "prediction", "options", "limits", "encoder")
    assert [getattr(copy, name) for name in same] == [getattr(original, name) for name in same]
    assert [(one.name, one.start, one.end, one.gold) for one in copy.phases] == [
        (one.name, one.start, one.end, ()) for one in original.phases
    ]
    with pytest.raises(UsageError, match="has no gold in this file"):
        copy.gold_standards("final")
    with pytest.raises(UsageError, match="has no gold in this file"):
        write_bundle(copy, folder / "again.zip")


def run(bundle, folder, phase, text):
    """Lay a submission out as Codabench does, and call the program as it does."""
    for name in ("input/res", "output"):
        (folder / "app" / name).mkdir(parents=True, exist_ok=True)
    (folder / "app" / "input" / "res" / "prediction.csv").write_text(text)
    (folder / "app" / "input" / "ref").symlink_to(bundle / "reference_data" / str(phase))
    return [str(folder / "app" / name) for name in ("input/res", "input/ref", "output")]


def test_the_program_runs_as_a_program(bundle, folder):
    arguments = run(bundle, folder, 0, (folder / "prediction.csv").read_text())
    done = subprocess.run(
        [sys.executable, bundle / "scoring_program" / "scoring.py", *arguments],
        capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(Path(__file__).parents[2] / "src"), "GOLDASSAY_CACHE_DIR": str(folder / "cache")},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    scores = json.loads((folder / "app" / "output" / "scores.json").read_text())
    keys = {column["key"] for column in competition(bundle)["leaderboards"][0]["columns"]}
    assert set(scores) == keys
    assert (scores["literal_precision"], scores["literal_recall"], scores["literal_f1"]) == (0.5, 0.333, 0.4)
    page = (folder / "app" / "output" / "detailed_results.html").read_text()
    assert "0.400" in page
    assert not [word for word in ("secretleaf", "dog", "vault", "dev.csv") if word in page]


def test_a_submission_that_cannot_be_read(bundle, folder, capsys, monkeypatch):
    arguments = run(bundle, folder, 1, "child\n")
    assert main(*arguments) == 2
    assert "prediction.csv" in capsys.readouterr().err
    assert not list((folder / "app" / "output").iterdir())
    # A bug must not print what it was about.
    monkeypatch.setattr("goldassay.challenges.codabench.score", lambda *_: 1 / 0)
    assert main(*arguments) == 70
    assert capsys.readouterr().err == "The submission could not be scored: ZeroDivisionError. Contact the organiser.\n"


def test_files_of_options_go_where_they_are_needed(folder):
    (folder / "challenge.toml").write_text("""
name = "triples"
title = "Triples"
kind = "triples"
measures = ["triples"]
rank_by = "triples.f1"
prediction = "prediction.jsonl"
phases = [{name = "all", gold = "vault/gold.jsonl", start = 2027-01-01T00:00:00Z}]
[options]
synonyms = "secret-synonyms.tsv"
normalise = "case"
""")
    (folder / "secret-synonyms.tsv").write_text("a\tsecretleaf\n")
    (folder / "vault" / "gold.jsonl").write_text('{"id": "1", "triples": [["a", "b", "c"]]}\n')
    names = write_bundle(load(folder / "challenge.toml"), folder / "bundle.zip")
    assert [name for name in names if "synonyms" in name] == ["reference_data/0/files/0-secret-synonyms.tsv"]
    with zipfile.ZipFile(folder / "bundle.zip") as archive:
        assert b"synonyms" not in archive.read("starting_kit/challenge.toml")
        assert b'synonyms = "files/0-secret-synonyms.tsv"' in archive.read("reference_data/0/challenge.toml")


@pytest.mark.parametrize(("prediction", "what"), [("cases/", "folder"), ("p.csv", "file")])
def test_the_page_of_evaluation_asks_for_what_is_predicted(challenge, prediction, what):
    text = "".join(_evaluation(dataclasses.replace(challenge, prediction=prediction)))
    assert f"A submission is a zip with the {what} `{prediction}`, of at most 1 MB" in text


def test_columns_have_short_names_that_differ(challenge):
    measures = [type(challenge.measures[1])(threshold=one / 1000, assignment="one") for one in range(436, 440)]
    columns = columns_of(dataclasses.replace(challenge, measures=(challenge.measures[0], *measures)))
    assert len({one.key for one in columns}) == len({one.title for one in columns}) == len(columns)
    assert max(len(text) for one in columns for text in (one.key, one.title)) <= LONGEST
    long = goldassay.measure(lambda pred, gold: {"a": 0, "b": 1}, name="x" * 40, values=["a", "b"])
    [first, second] = columns_of(dataclasses.replace(challenge, measures=(long,)))
    assert (first.key, second.key) == ("x" * 36, "x" * 32 + "_1")
    assert (first.title, second.title) == ("x" * 36, "x" * 32 + " 1")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("start = 2027-01-01T00:00:00Z\n", "", "a start"),
        ("end = 2027-03-01T01:00:00+01:00\n", "", "an end"),
        ("end = 2027-03-01T01:00:00+01:00", "end = 2027-03-02T00:00:00Z", "one after the other"),
    ],
)
def test_phases_that_codabench_does_not_have(folder, old, new, message):
    path = folder / "challenge.toml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(UsageError, match=message):
        write_bundle(load(path), folder / "bundle.zip")
    assert not (folder / "bundle.zip").exists()


def test_a_bundle_is_written_whole_or_not_at_all(challenge, folder):
    (folder / "vault" / "more.csv").unlink()
    with pytest.raises(InputError, match=r"more\.csv"):
        write_bundle(challenge, folder / "bundle.zip")
    assert not (folder / "bundle.zip").exists()
    with pytest.raises(OutputError):
        write_bundle(challenge, folder / "none" / "bundle.zip")


def test_what_is_no_file_is_refused_before_it_is_copied(challenge, folder):
    gold = folder / "vault" / "more.csv"
    gold.unlink()
    os.mkfifo(gold)
    for path in (gold, Path("/dev/zero")):
        final = dataclasses.replace(challenge.phases[1], gold=(path,))
        with pytest.raises(InputError, match="not a regular file"):
            write_bundle(dataclasses.replace(challenge, phases=(challenge.phases[0], final)), folder / "bundle.zip")
    assert not (folder / "bundle.zip").exists()


def test_what_yaml_cannot_hold_is_escaped(challenge, folder):
    yaml = pytest.importorskip("yaml")
    write_bundle(dataclasses.replace(challenge, title='"A": \x7f\u2028 é 😀'), folder / "bundle.zip")
    with zipfile.ZipFile(folder / "bundle.zip") as archive:
        read = yaml.safe_load(io.BytesIO(archive.read("competition.yaml")))
    assert read["title"].startswith('"A": ')
    assert read["title"].endswith("é 😀")
