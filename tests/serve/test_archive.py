"""What an organiser takes away from a leaderboard: tables to publish, and a backup from which another server goes on."""

import csv
import hashlib
import io
import json
import tarfile
from datetime import UTC, datetime

import pytest

pytest.importorskip("starlette")
pytest.importorskip("sqlalchemy")

from tests.serve.pets import ABOUT, EDGES, table

import goldassay
from goldassay.challenges import load
from goldassay.core.errors import UsageError
from goldassay.serve.archive import _extract, back_up, restore
from goldassay.serve.board import rows_of
from goldassay.serve.store import Store
from goldassay.serve.worker import score_into

NOW = datetime(2027, 1, 10, 12, tzinfo=UTC)
CHALLENGE = ABOUT + 'phases = [{name = "first", gold = "gold.csv"}, {name = "final", gold = "gold.csv"}]\n'
TEAM = '=1+1 "Łódź"'


@pytest.fixture
def challenge(tmp_path):
    (tmp_path / "challenge.toml").write_text(CHALLENGE)
    (tmp_path / "gold.csv").write_text(table(EDGES))
    return load(tmp_path / "challenge.toml")


def send(store, team, content, phase="final"):
    part = store.uploads / "part-x"
    part.write_text(content)
    return store.keep(team, phase=phase, name="prediction.csv", upload=part, now=NOW, a_day=None)


@pytest.fixture
def tokens(challenge, tmp_path):
    """A leaderboard with three submissions that are scored, one that was refused, and one that waits: the tokens of its teams."""
    store = Store(tmp_path / "pets-data")
    tokens = {name: store.add_team(name) for name in (TEAM, "Beta")}
    alpha, beta = (store.team_of(token) for token in tokens.values())
    for team, content in ((alpha, table(EDGES[:20])), (alpha, table(EDGES[:10])), (beta, table(EDGES[:30]))):
        send(store, team, content)
        claimed = store.claim()
        folder = store.results / claimed.claim
        folder.mkdir()
        score_into(challenge, claimed.phase, store.uploads / claimed.id, folder)
        store.finish(claimed, state="scored", **json.loads((folder / "result.json").read_text()))
    send(store, beta, "?")
    store.finish(store.claim(), state="failed", message="It cannot be read.")
    store.choose(store.sent_by(alpha)[0])
    store.add_tests({tuple(one.best.id for one in ranked_of(challenge, store)): 0.25})
    send(store, beta, table(EDGES[:31]))
    return tokens


def ranked_of(challenge, store):
    from goldassay.serve.feedback import order_of

    return store.rank_teams("final", order_of(challenge))


def test_an_export_has_all_that_was_sent_and_no_secret(challenge, tokens, tmp_path, goldassay_command):
    result = goldassay_command("challenge", "export", challenge.path, "-o", tmp_path / "out")
    names = ["leaderboard-1.csv", "leaderboard-2.csv", "submissions.csv", "leaderboard.json", "croissant.json"]
    assert result.out.split() == [str(tmp_path / "out" / name) for name in names]
    texts = {name: (tmp_path / "out" / name).read_text(encoding="utf-8") for name in names}
    for secret in (*tokens.values(), "kind 3"):
        assert not any(secret in text for text in texts.values())
    store = Store(tmp_path / "pets-data")
    rows = list(csv.DictReader(io.StringIO(texts["leaderboard-2.csv"])))
    shown, _ = rows_of(challenge, store, challenge.phase("final"))
    # A spreadsheet runs no name of a team.
    assert [row["team"].removeprefix("'") for row in rows] == [one.team for one in shown]
    assert [float(row["recall"]) for row in rows] == [one.others["recall"] for one in shown]
    sent = list(csv.DictReader(io.StringIO(texts["submissions.csv"])))
    assert sorted((row["state"], row["counts"], row["chosen"]) for row in sent) == [
        ("failed", "false", "false"),
        ("queued", "false", "false"),
        ("scored", "false", "false"),
        ("scored", "true", "false"),
        ("scored", "true", "true"),
    ]
    whole = json.loads(texts["leaderboard.json"])
    assert [row["team"] for row in whole["leaderboard-2"]] == [one.team for one in shown]
    assert whole["leaderboard-1"] == []
    again = goldassay_command("challenge", "export", challenge.path, "-o", tmp_path / "out")
    assert again.code == 2
    assert "not empty" in again.err
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        result = goldassay_command("challenge", "export", challenge.path, "-o", place)
        assert (result.code, str(place) in result.err) == (2, True)


def test_a_croissant_record_describes_the_files_as_they_are(challenge, tokens, tmp_path, goldassay_command):
    out = tmp_path / "not yet" / "there"
    goldassay_command("challenge", "export", challenge.path, "-o", out)
    record = json.loads((out / "croissant.json").read_text(encoding="utf-8"))
    for file in record["distribution"]:
        data = (out / file["contentUrl"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == file["sha256"]
    for records in record["recordSet"]:
        with (out / f"{records['name']}.csv").open(encoding="utf-8", newline="") as stream:
            assert [field["name"] for field in records["field"]] == next(csv.reader(stream))
    kinds = {field["name"]: field["dataType"] for field in record["recordSet"][1]["field"]}
    assert (kinds["rank"], kinds["value"], kinds["team"]) == ("sc:Integer", "sc:Float", "sc:Text")


def test_from_a_backup_another_server_goes_on(challenge, tokens, tmp_path, goldassay_command):
    file = tmp_path / "backup.tar.gz"
    assert goldassay_command("challenge", "backup", challenge.path, "-o", file).out.startswith("5 submissions in ")
    there = tmp_path / "elsewhere"
    result = goldassay_command("challenge", "restore", challenge.path, file, "--data", there)
    assert (result.code, result.out) == (0, "5 submissions restored\n")
    old, new = Store(tmp_path / "pets-data"), Store(there)
    assert rows_of(challenge, new, challenge.phase("final")) == rows_of(challenge, old, challenge.phase("final"))
    assert new.teams() == old.teams()
    assert {new.team_of(token).name for token in tokens.values()} == {TEAM, "Beta"}
    for one, _ in old.all_submissions():
        again, _ = new.find(one.id)
        assert {**vars(again), "_sa_instance_state": 0} == {**vars(one), "_sa_instance_state": 0}
        assert (new.uploads / one.id).read_bytes() == (old.uploads / one.id).read_bytes()
        if one.state == "scored":
            for page in (old.results / one.claim).iterdir():
                assert (new.results / one.claim / page.name).read_bytes() == page.read_bytes()
    # What waited waits there, too.
    assert new.take_up() == 1
    assert {path.name for path in there.iterdir()} - {f"leaderboard.sqlite-{end}" for end in ("shm", "wal")} == {
        "leaderboard.sqlite",
        "lock",
        "results",
        "submissions",
    }
    refused = goldassay_command("challenge", "restore", challenge.path, file, "--data", there)
    assert refused.code == 2
    assert "has teams already" in refused.err


def test_what_came_while_a_backup_was_written_breaks_nothing(challenge, tokens, tmp_path, monkeypatch):
    from goldassay.serve import archive

    store, read = Store(tmp_path / "pets-data"), archive._read_tables

    def slowly(which):
        found = read(which)
        store.remove_team("Beta")
        send(store, store.team_of(tokens[TEAM]), table(EDGES[:3]))
        return found

    monkeypatch.setattr(archive, "_read_tables", slowly)
    assert back_up(store, tmp_path / "b.tar.gz") == 5
    monkeypatch.undo()
    new = Store(tmp_path / "new")
    assert restore(new, tmp_path / "b.tar.gz") == 5
    assert dict(new.teams()) == {TEAM: 2, "Beta": 3}


def tampered(path, name, data):
    with tarfile.open(path, "w:gz") as archive:
        for inner, content in (("tables.json", b'{"teams": [], "submissions": [], "tests": []}'), (name, data)):
            entry = tarfile.TarInfo(inner)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def test_what_is_no_backup_changes_nothing(tmp_path):
    store, file = Store(tmp_path / "data"), tmp_path / "b.tar.gz"
    cases = [lambda: file.write_bytes(b""), lambda: file.write_text("no"), lambda: tampered(file, "../out", b"x")]
    cases += [lambda: tampered(file, "/etc/out", b"x"), lambda: tampered(file, "tables.json", b"[]")]
    row = b'{"teams": [{"id": "x", "name": null, "token": 5}], "submissions": [], "tests": []}'
    cases += [lambda: tampered(file, "tables.json", row), lambda: tampered(file, "submissions/../../out", b"x")]
    cases += [lambda: tampered(file, "tables.json", b'{"teams": [3], "submissions": [], "tests": []}')]
    for make in cases:
        make()
        with pytest.raises(goldassay.InputError, match="cannot be read as a backup"):
            restore(store, file)
        assert store.teams() == []
        assert not (tmp_path / "out").exists()


def test_a_missing_backup_is_reported(tmp_path):
    store = Store(tmp_path / "data")
    with pytest.raises(goldassay.InputError, match="cannot be read as a backup"):
        restore(store, tmp_path / "missing.tar.gz")
    store.add_team("Alpha")
    with pytest.raises(UsageError, match="teams already"):
        restore(store, tmp_path / "missing.tar.gz")


@pytest.mark.parametrize("words", [("restore", "b.tar.gz"), ("invite",)])
def test_a_file_in_the_place_of_the_folder_is_reported(challenge, tmp_path, goldassay_command, words):
    for place in (tmp_path / "taken", tmp_path / "taken" / "below"):
        (tmp_path / "taken").write_text("x")
        result = goldassay_command("challenge", words[0], challenge.path, *words[1:], "--data", place)
        assert (result.code, "cannot be made" in result.err, "--data DIR" in result.err) == (2, True, True)


def test_where_python_has_no_filter_a_path_out_of_the_folder_is_refused(tmp_path, monkeypatch):
    monkeypatch.delattr(tarfile, "data_filter", raising=False)
    (tmp_path / "a.txt").write_text("a")
    for name, kind in (("../b.txt", tarfile.REGTYPE), ("/b.txt", tarfile.REGTYPE), ("b.txt", tarfile.SYMTYPE)):
        with tarfile.open(tmp_path / "a.tar", "w") as archive:
            member = archive.gettarinfo(tmp_path / "a.txt")
            member.name, member.type, member.size, member.linkname = name, kind, 0, "a.txt"
            archive.addfile(member)
        with tarfile.open(tmp_path / "a.tar") as archive, pytest.raises(tarfile.TarError, match="no file below"):
            _extract(archive, tmp_path / "out", list(archive))
