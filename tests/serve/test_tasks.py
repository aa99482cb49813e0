"""Several tasks in one server: each has its leaderboard, and one table ranks teams over all of them."""

import csv
import io
import json
from datetime import UTC, datetime

import pytest

pytest.importorskip("starlette")
pytest.importorskip("sqlalchemy")

from openapi_spec_validator import validate
from starlette.testclient import TestClient
from tests.serve.pets import ABOUT, EDGES, table

from goldassay.challenges import load_tasks
from goldassay.core.errors import InputError
from goldassay.serve.archive import back_up, restore
from goldassay.serve.server import application, score_changed
from goldassay.serve.store import Store
from goldassay.serve.worker import score_into

NOW = datetime(2027, 1, 10, 12, tzinfo=UTC)
PHASES = """
[[phases]]
name = "first"
gold = "gold.csv"
end = 2027-02-01T00:00:00Z
submissions_a_day = 2
[[phases]]
name = "final"
gold = "gold.csv"
start = 2027-02-01T00:00:00Z
"""
CHALLENGE = ABOUT.replace("intervals = true\n", "") + PHASES
FILE = 'name = "pets"\ntitle = "Pets"\noverall = "{overall}"\ntasks = ["cats.toml", "dogs.toml"]\n'


def write(folder, overall="mean_value", **changes):
    """Write two tasks and the file that lists them; `changes` replaces words of one of them."""
    (folder / "gold.csv").write_text(table(EDGES))
    for name in ("cats", "dogs"):
        text = CHALLENGE.replace('"pets"', f'"{name}"').replace("Pets 2027", name.title())
        for old, new in changes.get(name, {}).items():
            assert old in text
            text = text.replace(old, new)
        (folder / f"{name}.toml").write_text(text)
    (folder / "pets.toml").write_text(FILE.format(overall=overall))
    return folder / "pets.toml"


class Board:
    """A server of two tasks, and what teams do there."""

    def __init__(self, file, store, root=""):
        self.tasks, self.store, self.tokens, self.now = load_tasks(file), store, {}, NOW
        self.app = application(self.tasks, store, hosts=["board.example"], workers=0, root=root, clock=lambda: self.now)

    def send(self, client, team, task, size, **asked):
        self.tokens.setdefault(team, None)
        self.tokens[team] = self.tokens[team] or self.store.add_team(team)
        return client.post(
            f"/{task}/api/submissions",
            content=table(EDGES[:size]),
            params={"name": "prediction.csv", **asked},
            headers={"Authorization": f"Bearer {self.tokens[team]}"},
        )

    def score(self):
        while (claimed := self.store.claim(tasks=self.tasks.challenges)) is not None:
            folder = self.store.results / claimed.claim
            folder.mkdir()
            score_into(self.tasks.challenges[claimed.task], claimed.phase, self.store.uploads / claimed.id, folder)
            self.store.finish(claimed, state="scored", **json.loads((folder / "result.json").read_text()))


SENT = {"Alpha": {"cats": 40, "dogs": 10}, "Beta": {"cats": 30, "dogs": 30}, "Gamma": {"cats": 36}}
"""How many of the 40 edges of gold each team sends: f1 is 1 and 0.4; 0.857 twice; 0.947."""


def filled(folder, overall, root=""):
    board = Board(write(folder, overall), Store(folder / "data"), root)
    with TestClient(board.app, base_url="http://board.example") as client:
        for team, sizes in SENT.items():
            for task, size in sizes.items():
                assert board.send(client, team, task, size).status_code == 201
    board.score()
    return board


@pytest.mark.parametrize(
    ("overall", "expected", "stated"),
    [
        ("mean_value", [(1, "Beta", 0.857), (2, "Alpha", 0.7), (3, "Gamma", 0.4735)], "0 in cats, 0 in dogs"),
        ("mean_rank", [(1, "Alpha", 1.5), (2, "Beta", 2.0), (3, "Gamma", 2.5)], "the number of teams in this table"),
    ],
)
def test_one_table_ranks_over_all_tasks_and_a_missing_task_is_the_worst(tmp_path, overall, expected, stated):
    board = filled(tmp_path, overall)
    with TestClient(board.app, base_url="http://board.example") as client:
        found = client.get("/api/leaderboard").json()
        page = client.get("/").text
        [heads, *cells] = csv.reader(io.StringIO(client.get("/api/leaderboard.csv").text))
    assert found["phase"] == "first"
    assert [(row["rank"], row["team"], row["points"]) for row in found["rows"]] == expected
    rows = {row["team"]: row["tasks"] for row in found["rows"]}
    assert rows["Alpha"] == {"cats": {"rank": 1, "value": 1.0}, "dogs": {"rank": 2, "value": 0.4}}
    assert rows["Gamma"]["dogs"] is None
    assert heads == ["rank", "team", "points", "cats value", "cats rank", "dogs value", "dogs rank"]
    assert {row[1]: row[5:] for row in cells}["Gamma"] == ["", ""]
    assert stated in page
    assert [page.index(team) for _, team, _ in expected] == sorted(page.index(team) for _, team, _ in expected)


def test_equal_points_share_a_rank(tmp_path):
    board = Board(write(tmp_path, "mean_rank"), Store(tmp_path / "data"))
    with TestClient(board.app, base_url="http://board.example") as client:
        for team, task, size in (
            ("B", "cats", 40),
            ("A", "cats", 20),
            ("B", "dogs", 20),
            ("A", "dogs", 40),
            ("C", "cats", 1),
        ):
            board.send(client, team, task, size)
        board.score()
        found = client.get("/api/leaderboard").json()["rows"]
    assert [(row["rank"], row["team"], row["points"]) for row in found] == [(1, "A", 1.5), (1, "B", 1.5), (3, "C", 3.0)]


@pytest.mark.parametrize("root", ["", "/lb"])
def test_each_task_has_its_own_leaderboard_phases_and_limits(tmp_path, root):
    board = filled(tmp_path, "mean_value", root)
    with TestClient(board.app, base_url="http://board.example") as client:
        assert board.send(client, "Alpha", "cats", 5).status_code == 201
        assert board.send(client, "Alpha", "cats", 6).status_code == 429, "two a day in each task"
        sent = board.send(client, "Alpha", "dogs", 7)
        assert sent.json()["page"] == f"http://board.example{root}/dogs/submissions/{sent.json()['id']}"
        board.score()
        own = client.get("/dogs/api/submissions", headers={"Authorization": f"Bearer {board.tokens['Alpha']}"}).json()
        assert len(own["submissions"]) == 2
        rows = client.get("/dogs/api/leaderboard").json()["rows"]
        assert [row["team"] for row in rows] == ["Beta", "Alpha"]
        # A submission belongs to its task.
        place = f"submissions/{rows[0]['submission']}"
        assert [client.get(f"/{path}{place}").status_code for path in ("dogs/", "dogs/api/", "cats/", "cats/api/")] == [
            200,
            200,
            404,
            404,
        ]
        assert f'<a href="{root}/">Pets</a>' in client.get("/dogs/").text
        assert f'href="{root}/cats/' in client.get("/").text
        for path, status in (
            ("/birds/", 404),
            ("/catsx", 404),
            ("/cats", 307),
            (root or "/", 307 if root else 200),
        ):
            assert client.get(path, follow_redirects=False).status_code == status
        assert client.get("/api/none").json() == {"error": "Not Found"}
        assert client.get("/cats/api/none").json() == {"error": "Not Found"}
        assert "final" in client.get("/", params={"phase": "final"}).text
        assert client.get("/api/leaderboard", params={"phase": "last"}).status_code == 404
        assert client.get("/api/submissions").status_code == 404, "a submission names its task"


def test_a_choice_in_one_task_leaves_that_in_the_other(tmp_path):
    board = filled(tmp_path, "mean_value")
    with TestClient(board.app, base_url="http://board.example") as client:
        for task in ("cats", "dogs"):
            kept = board.send(client, "Alpha", task, 3).json()["id"]
            chosen = client.post(
                f"/{task}/api/submissions/{kept}/choose", headers={"Authorization": f"Bearer {board.tokens['Alpha']}"}
            )
            assert chosen.json()["chosen"]
        board.score()
        rows = client.get("/api/leaderboard").json()["rows"]
    places = next(row["tasks"] for row in rows if row["team"] == "Alpha")
    assert {place["value"] for place in places.values()} == {0.14}


def test_the_interface_is_described_and_lists_the_tasks(tmp_path):
    board = Board(write(tmp_path), Store(tmp_path / "data"))
    with TestClient(board.app, base_url="http://board.example") as client:
        about = client.get("/openapi.json").json()
        validate(about)
        for path in about["paths"]:
            assert client.get(path).status_code in {200, 405}
        found = client.get("/api/tasks").json()
        assert [client.get(task["page"]).status_code for task in found["tasks"]] == [200, 200]
        assert found["overall"] == "mean_value"
        code = board.store.invite(1)
        joined = client.post("/api/teams", json={"code": code, "name": "Delta"}).json()["token"]
        assert board.store.team_of(joined).name == "Delta"
        assert client.get("/join").status_code == 200


def test_values_that_one_task_hides_are_hidden_in_the_table_over_all(tmp_path):
    file = write(tmp_path, dogs={"submissions_a_day = 2": "hidden = true"})
    board = Board(file, Store(tmp_path / "data"))
    with TestClient(board.app, base_url="http://board.example") as client:
        board.send(client, "Alpha", "cats", 40)
        board.score()
        found = client.get("/api/leaderboard").json()
        assert (found["rows"], "2027-02-01" in found["note"]) == ([], True)
        assert len(client.get("/cats/api/leaderboard").json()["rows"]) == 1
        board.now = datetime(2027, 2, 2, tzinfo=UTC)
        assert len(client.get("/api/leaderboard", params={"phase": "first"}).json()["rows"]) == 1
        assert client.get("/api/leaderboard").json()["phase"] == "final"


def test_only_the_task_that_changed_is_scored_again(tmp_path):
    board = filled(tmp_path, "mean_value")
    assert not score_changed(board.tasks, board.store)
    write(tmp_path, dogs={'rank_by = "literal.f1"': 'rank_by = "literal.recall"'})
    tasks = load_tasks(tmp_path / "pets.toml")
    assert score_changed(tasks, board.store)
    states = {(one.task, one.state) for one, _ in board.store.all_submissions()}
    assert states == {("cats", "scored"), ("dogs", "queued")}


def test_a_task_that_is_no_longer_listed_is_left_out(tmp_path):
    board = filled(tmp_path, "mean_value")
    with TestClient(board.app, base_url="http://board.example") as client:
        board.send(client, "Beta", "dogs", 40)
    assert board.store.claim(tasks=["cats"]) is None
    assert board.store.claim(tasks=["dogs"]).task == "dogs"


def test_an_export_and_a_backup_have_all_tasks(tmp_path, goldassay_command):
    board = filled(tmp_path, "mean_value")
    made = goldassay_command(
        "challenge", "export", tmp_path / "pets.toml", "--data", tmp_path / "data", "-o", tmp_path / "out"
    )
    assert (made.code, made.err) == (0, "")
    tables = {
        path.stem: list(csv.DictReader(path.read_text().splitlines())) for path in (tmp_path / "out").glob("*.csv")
    }
    assert {name: len(rows) for name, rows in tables.items()} == {
        "leaderboard-1": 3,
        "leaderboard-2": 0,
        "cats-leaderboard-1": 3,
        "cats-leaderboard-2": 0,
        "dogs-leaderboard-1": 2,
        "dogs-leaderboard-2": 0,
        "submissions": 5,
    }
    assert tables["leaderboard-1"][0]["team"] == "Beta"
    assert {row["task"] for row in tables["submissions"]} == {"cats", "dogs"}
    assert all(float(row["seconds"]) > 0 for row in tables["submissions"])
    back_up(board.store, tmp_path / "backup.tar.gz")
    restored = Store(tmp_path / "elsewhere")
    restore(restored, tmp_path / "backup.tar.gz")
    again = Board(tmp_path / "pets.toml", restored)
    with (
        TestClient(again.app, base_url="http://board.example") as new,
        TestClient(board.app, base_url="http://board.example") as old,
    ):
        assert new.get("/api/leaderboard").json() == old.get("/api/leaderboard").json()


@pytest.mark.parametrize(
    ("overall", "changes", "message"),
    [
        ("mean_value", {"dogs": {'name = "dogs"': 'name = "Cats"'}}, "Two tasks have the same name"),
        ("mean_value", {"dogs": {'name = "dogs"': 'name = "API"'}}, "No task can have this name"),
        ("mean_value", {"dogs": {'name = "final"': 'name = "last"'}}, "phases of the task dogs have other names"),
        (
            "mean_value",
            {"dogs": {'["literal"]': '["motif"]', '"literal.f1"': '"motif.distance"'}},
            "no mean with others",
        ),
        ("median", {}, "mean_value"),
    ],
)
def test_tasks_that_do_not_fit_together_are_refused(tmp_path, overall, changes, message):
    with pytest.raises(InputError, match=message) as found:
        load_tasks(write(tmp_path, overall, **changes))
    assert str(found.value).startswith(str(tmp_path / "pets.toml"))


def test_the_file_of_several_tasks_is_served_and_no_challenge(tmp_path, goldassay_command):
    file = write(tmp_path)
    assert goldassay_command("serve", file, "--add-team", "Alpha").code == 0
    assert (tmp_path / "pets-data").is_dir()
    assert goldassay_command("challenge", "teams", file).out == "Alpha\t0\n"
    refused = goldassay_command("challenge", "validate", file, tmp_path / "gold.csv")
    assert (refused.code, "pets.toml" in refused.err) == (2, True)
    (tmp_path / "gold.csv").unlink()
    assert "gold file of a phase is missing" in goldassay_command("serve", file).err
