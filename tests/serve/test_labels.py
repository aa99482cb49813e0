"""Labelling in a browser: several raters, whose answers are saved at once and do not see each other."""

import csv
import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from goldassay.sampling.drawing import draw
from goldassay.sampling.results import estimate_file
from goldassay.sampling.sample import SampleRequest
from goldassay.sampling.todo import design_path, save_design, save_table
from goldassay.serve.labels import application

ORIGIN = "http://127.0.0.1:8000"
TABLE = "id,child,parent,text,label,rater,comment\n1,cat,pet,</script><b>,,,\n2,=A1,pet,,,,\n3,ox,pet,,yes,Ann,\n"


@pytest.fixture
def todo(tmp_path):
    path = tmp_path / "todo.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def client(todo):
    return TestClient(application(todo, "token"), base_url=f"{ORIGIN}/token", headers={"Origin": ORIGIN})


def rows(path):
    return [
        (row["id"], row["label"], row["rater"], row["comment"])
        for row in csv.DictReader(path.read_text().splitlines(keepends=True))
    ]


def answer(client, item, label="yes", rater="Ann", comment=""):
    return client.post("/labels", json={"id": item, "label": label, "rater": rater, "comment": comment})


def test_each_rater_has_a_row_and_sees_no_other_answers(client, todo):
    assert answer(client, "1").json() == {"agreement": ""}
    assert answer(client, "1", "no", "Ben", "a, b\nc").status_code == 200
    answer(client, "3", "unsure", "Ben")
    answer(client, "1", "unsure")
    assert rows(todo) == [
        ("1", "unsure", "Ann", ""), ("1", "no", "Ben", "a, b\nc"), ("2", "", "", ""), ("3", "yes", "Ann", ""), ("3", "unsure", "Ben", ""),
    ]  # fmt: skip
    assert {row["child"] for row in csv.DictReader(todo.read_text().splitlines(keepends=True))} == {"cat", "'=A1", "ox"}
    assert [row["id"] for row in client.get("/labels?rater=Ben").json()["answers"]] == ["1", "3"]
    assert client.get("/labels?rater=Eve").json()["answers"] == []
    data = json.loads(re.search(r'id="data">(.*?)</script>', client.get("/").text).group(1))
    assert [(row["id"], row["label"], row["rater"]) for row in data["rows"]] == [(one, "", "") for one in "123"]
    assert data["rows"][0]["text"] == "</script><b>"


def test_an_answer_is_taken_back(client, todo):
    answer(client, "3", "", "Ann")
    answer(client, "1", "yes", "Ann")
    answer(client, "1", "no", "Ben")
    answer(client, "1", "", "Ann")
    assert rows(todo) == [("1", "no", "Ben", ""), ("2", "", "", ""), ("3", "", "", "")]


def test_agreement_is_that_of_all_labels_so_far(client):
    for item, labels in {"1": ("yes", "yes"), "2": ("no", "no"), "3": ("yes", "no")}.items():
        for rater, label in zip(("Ann", "Ben"), labels, strict=True):
            messages = answer(client, item, label, rater).json()["agreement"]
    assert messages == client.get("/labels").json()["agreement"]
    # Of six answers three are yes: 2/6 of the pairs differ, 18/30 would by chance.
    assert f"alpha {1 - (2 / 6) / (18 / 30):.3f}, 3 items rated by all" in messages
    assert "Ann and Ben: kappa 0.400" in messages


def test_a_table_that_changed_meanwhile_keeps_its_changes(client, todo):
    client.get("/")
    todo.write_text(TABLE.replace("2,=A1,pet,,,,", "2,=A1,pet,,no,Zoe,"))
    answer(client, "1")
    assert ("2", "no", "Zoe", "") in rows(todo)


def test_answers_at_the_same_time_are_all_saved(tmp_path):
    path = tmp_path / "todo.csv"
    path.write_text("id,child,label,rater,comment\n" + "".join(f"{one},x,,,\n" for one in range(40)))
    with (
        TestClient(application(path, "token"), base_url=f"{ORIGIN}/token", headers={"Origin": ORIGIN}) as client,
        ThreadPoolExecutor(8) as pool,
    ):
        list(pool.map(lambda one: answer(client, str(one % 40), rater=f"r{one % 2}"), range(40)))
    assert sorted(int(row[0]) for row in rows(path) if row[1]) == list(range(40))


@pytest.mark.parametrize(
    "body",
    [
        {}, [], "x", {"id": "9", "label": "yes", "rater": "", "comment": ""}, {"id": "1", "label": "maybe", "rater": "", "comment": ""},
        {"id": "1", "label": "yes", "rater": "x" * 101, "comment": ""}, {"id": "1", "label": "yes"},
        {"id": "1", "label": "yes", "rater": 1e999, "comment": None}, {"id": "1", "label": "yes", "rater": "\ud800", "comment": ""},
        {"id": "1", "label": "missed", "rater": "", "comment": ""}, {"id": "", "label": "missed", "rater": "", "comment": "", "child": "x"},
    ],
)  # fmt: skip
def test_what_is_no_label_is_refused_and_nothing_is_written(client, todo, body):
    found = client.post("/labels", content=json.dumps(body))
    assert found.status_code == 400
    assert found.json()["error"]
    assert todo.read_text() == TABLE


def test_only_who_has_the_token_and_only_the_page_itself(client, todo):
    assert client.get(f"{ORIGIN}/").status_code == 404
    assert client.get(f"{ORIGIN}/other/labels").status_code == 404
    assert client.post("/labels", json={}, headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
    assert client.post("/labels", content=b" " * 1_100_000).status_code == 413
    assert todo.read_text() == TABLE


def test_the_page_runs_its_own_script_only(client):
    first, second = (client.get("/") for _ in range(2))
    [nonce, other] = (
        one.headers["content-security-policy"].split("'nonce-")[1].split("'")[0] for one in (first, second)
    )
    assert nonce != other
    assert first.text.count(f'nonce="{nonce}"') == 2
    assert "unsafe" not in first.headers["content-security-policy"]


def test_a_file_that_is_no_table_is_refused_before_anything_is_served(goldassay_command, tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    found = goldassay_command("serve", "--label", tmp_path / "x.csv")
    assert (found.code, "goldassay sample PRED" in found.err) == (2, True)
    found = goldassay_command("serve", "--label", tmp_path / "x.csv", "--megabytes", "5")
    assert (found.code, "--megabytes" in found.err) == (2, True)


def test_an_answer_that_cannot_be_written_now_is_asked_for_again(client, todo, monkeypatch):
    todo.unlink()
    assert answer(client, "1").json()["again"]
    todo.write_text(TABLE)
    with monkeypatch.context() as patch:
        patch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        found = answer(client, "1")
    assert (found.status_code, found.json()["again"], "No space" in found.json()["error"]) == (503, True, True)
    assert todo.read_text() == TABLE
    assert answer(client, "1").status_code == 200


def test_an_answer_is_saved_next_to_an_invalid_label(client, todo):
    todo.write_text(TABLE.replace("2,=A1,pet,,,,", "2,=A1,pet,,maybe,,"))
    assert "Invalid label" in answer(client, "1").json()["agreement"]
    assert ("1", "yes", "Ann", "") in rows(todo)


@pytest.fixture
def documents(tmp_path):
    """A table of two drawn documents, one of which has no predicted item."""
    triples = [
        {"id": "d1", "text": "A is B.", "triples": [["a", "is", "b"]]},
        {"id": "d2", "text": "None.", "triples": []},
    ]
    (tmp_path / "pred.jsonl").write_text("".join(json.dumps(row) + "\n" for row in triples))
    made = draw([tmp_path / "pred.jsonl"], kind="triples", asked=SampleRequest(design="documents"))
    save_table(made.rows, tmp_path / "todo.csv")
    save_design(made.sample, design_path(tmp_path / "todo.csv"))
    return tmp_path / "todo.csv"


def test_what_was_missed_is_added_and_removed(documents):
    client = TestClient(application(documents, "token"), base_url=f"{ORIGIN}/token", headers={"Origin": ORIGIN})

    def missed(label="missed", document="d1", rater="Ann", **parts):
        words = {"document": document, "subject": "=x", "predicate": "p", "object": "y", **parts}
        body = {"id": "", "label": label, "rater": rater, "comment": ""}
        return client.post("/labels", json=body | words).status_code

    bare = {"subject": "", "predicate": "", "object": ""}
    [item] = [row["id"] for row in csv.DictReader(documents.read_text().splitlines()) if row["id"]]
    assert answer(client, item).status_code == 200
    assert [missed(), missed(object="z"), missed(), missed(rater="Ben"), missed(label="no", document="d2", **bare)] == [
        200
    ] * 5
    # Two people have missed the same item, and one of them another one.
    assert estimate_file(documents).runs[0].scores[0].recall == 1 / 3
    assert missed(label="", object="z") == 200
    assert estimate_file(documents).runs[0].scores[0].recall == 1 / 2
    kept = documents.read_text()
    assert [
        missed(document="d3"),
        missed(label="yes"),
        missed(label="yes", document="d2", **bare),
        missed(label="missed", document="d2", **bare),
    ] == [400] * 4
    assert documents.read_text() == kept
    answers = client.get("/labels?rater=Ann").json()["answers"]
    assert sorted((row["document"], row["label"]) for row in answers) == [("d1", "missed"), ("d1", "yes"), ("d2", "no")]
    assert len(json.loads(re.search(r'id="data">(.*?)</script>', client.get("/").text).group(1))["rows"]) == 2
