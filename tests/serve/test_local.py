"""The local page: what it asks, what it answers, and who may ask."""

import asyncio
import os
import socket
import sys
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from starlette.testclient import TestClient
from tests.report.pages import wait_until

from goldassay.families import families, family
from goldassay.serve.local import QUESTIONS, Chosen, Drop, application, command_of, questions_of
from goldassay.serve.processes import ProcessResult

ROOT = Path(__file__).resolve().parent.parent.parent
ORIGIN = "http://127.0.0.1:8000"
GOLD = b"child,parent\nleukemia,cancer\ncancer,disease\nflu,disease\n"
PRED = b"child,parent\nleukemia,cancer\nflu,disease\n"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "kept"


@pytest.fixture
def client(folder):
    folder.mkdir()
    app = application(folder, "token", megabytes=1)
    with TestClient(app, base_url=f"{ORIGIN}/token", headers={"Origin": ORIGIN}) as opened:
        yield opened


def drop(client, gold=("gold.csv", GOLD), preds=(("pred.csv", PRED),), **fields):
    files = [("gold", gold), *(("pred", one) for one in preds)]
    return client.post("/drops", files=files, data=fields)


def answered(client, page, **asked):
    found = client.post(f"{page.url.path.removeprefix('/token')}/ask", data=asked)
    if "data-wait" not in found.text:
        return found
    path = found.url.path.removeprefix("/token")
    wait_until(lambda: "data-wait" not in client.get(path).text)
    return client.get(path)


def test_an_empty_prediction_scores_zero_and_its_warnings_are_shown_once(client):
    page = drop(client, preds=(("empty.csv", b""), ("pred.csv", PRED)))
    assert 'class="lines bad"' not in page.text
    assert "! the prediction is empty: it contains no edge" in page.text
    assert "What do you want to know?" in drop(client, preds=(("empty.csv", b""),)).text
    found = answered(client, page, measure=["literal"])
    assert found.text.count("empty.csv: literal: precision 0/0, given as 0") == 1
    assert "0.0000" in found.text


def test_files_are_read_asked_about_and_answered_with_the_command_that_was_run(
    client, folder, goldassay_command, monkeypatch, tmp_path
):
    # What strangers call json.py is never imported, also where the server's path of modules has its own folder.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.environ.get("PYTHONPATH", ""), "."]))
    code = f"open({str(folder / 'ran')!r}, 'w')\n1, 2, 3\n".encode()
    page = drop(client, preds=(("pred.csv", PRED), ("json.py", code)))
    assert "gold.csv: taxonomy" in page.text
    assert "  3 edges" in page.text
    assert 'class="lines bad"' in page.text
    assert "Are the edges the same, letter by letter?" in page.text
    found = answered(client, page, measure=["literal"], intervals="on")
    command = "goldassay taxonomy pred.csv json.py --gold gold.csv -m literal --ci --report report.html"
    assert command in found.text
    assert "0.8000" in found.text
    assert "json.py" in found.text.partition("Are the edges")[0], "what could not be read is reported first"
    assert not (folder / "ran").exists()
    path = page.url.path.removeprefix("/token")
    made = client.get(f"{path}/report.html")
    assert made.headers["content-security-policy"].startswith("sandbox")
    assert "attachment" in client.get(f"{path}/report.html?save").headers["content-disposition"]
    assert client.get(f"{path}/report.json").json()["runs"][0]["scores"][0]["values"]["recall"] == pytest.approx(2 / 3)
    assert "Are the edges the same, letter by letter?" in client.get(f"{path}?again").text
    for name, content in {"gold.csv": GOLD, "pred.csv": PRED, "json.py": code}.items():
        Path(name).write_bytes(content)
    goldassay_command(*command.split()[1:])
    pages = [text.partition('id="reproduce"')[0] for text in (made.text, Path("report.html").read_text())]
    assert pages[0] == pages[1]
    assert client.post(f"{path}/remove").url.path == "/token/"
    assert list(folder.iterdir()) == []
    assert client.get(path).status_code == 404


def test_only_readable_files_can_be_scored(client):
    page = drop(client, preds=(("broken.csv", b"child,parent\n\x00,"),))
    assert "must be readable" in page.text
    assert "What do you want to know?" not in page.text


def test_an_error_of_the_command_is_shown_as_it_is(client, monkeypatch):
    async def failing(*_, **__):
        return ProcessResult(2, "", "goldassay: There is no <b>hierarchy</b>.\n  try: --hierarchy FILE\n")

    monkeypatch.setattr("goldassay.serve.local.run_watched", failing)
    found = answered(client, drop(client), measure=["literal"])
    assert "There is no &lt;b&gt;hierarchy&lt;/b&gt;.\n  try: --hierarchy FILE" in found.text
    assert "Open the report page" not in found.text


def test_files_that_are_being_scored_are_not_read_or_scored_again(client, folder, monkeypatch):
    async def endless(*_, **__):
        await asyncio.Event().wait()

    monkeypatch.setattr("goldassay.serve.local.run_watched", endless)
    path = drop(client).url.path.removeprefix("/token")
    assert client.get(f"{path}/state").json()["done"] is True
    asked = [client.post(f"{path}/ask", data={"measure": ["literal"]}) for _ in range(2)]
    again = client.post(f"{path}/read", data={"kind": "axioms"})
    assert [one.status_code for one in (*asked, again)] == [200, 409, 409]
    state = client.get(f"{path}/state").json()
    assert (state["done"], 0 <= state["seconds"] < 600) == (False, True)
    client.post(f"{path}/remove")
    assert list(folder.iterdir()) == []


def test_a_hierarchy_of_labels_is_read_and_given_to_labels_only(client):
    examples = ROOT / "examples" / "labels"
    roles = {"gold": "gold.tsv", "pred": "pred.tsv", "hierarchy": "subjects.csv"}
    files = [(role, (name, (examples / name).read_bytes())) for role, name in roles.items()]
    page = client.post("/drops", files=files, data={"kind": "labels"})
    assert "Are the labels right, and all above them?" in page.text
    assert "must be readable" not in page.text
    dropped = Drop(folder=ROOT, gold="gold.tsv", preds=["pred.tsv"], hierarchy="subjects.csv", kind="labels")
    assert "--hierarchy subjects.csv" in " ".join(
        command_of(dropped, Chosen(["lca"], "minilm", intervals=False, chance=False))
    )
    dropped.kind = "taxonomy"
    assert command_of(dropped, Chosen(["fuzzy"], "hashing", intervals=False, chance=True)) == (
        [
            "goldassay",
            "taxonomy",
            "pred.tsv",
            "--gold",
            "gold.tsv",
            "-m",
            "fuzzy",
            "--encoder",
            "hashing",
            "--chance",
            "--report",
            "report.html",
        ]
    )


def test_files_can_be_read_as_something_else(client):
    page = drop(client)
    again = client.post(f"{page.url.path.removeprefix('/token')}/read", data={"kind": "axioms"})
    assert "goldassay axioms" in again.text


@pytest.mark.parametrize(
    ("asked", "status"),
    [({"measure": []}, 400), ({"measure": ["literal; rm -rf /"]}, 400), ({"measure": ["overlap"]}, 400)],
)
def test_only_the_questions_of_the_page_can_be_asked(client, asked, status):
    page = drop(client)
    assert client.post(f"{page.url.path.removeprefix('/token')}/ask", data=asked).status_code == status


@pytest.mark.parametrize("path", ["/", "/tokem/", "/token2/", "/tok/", "/token%00/", "//token/", "/assets/page.css"])
def test_without_the_token_there_is_nothing(client, path):
    assert client.get(ORIGIN + path).text == "There is no such page."


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "http://127.0.0.1:8001", "https://127.0.0.1:8000"]
)
def test_only_the_page_itself_may_post(client, origin):
    client.headers.pop("origin")
    headers = {} if origin is None else {"Origin": origin}
    assert client.post("/drops", headers=headers).status_code == 403


@pytest.mark.parametrize("host", ["evil.example:8000", "127.0.0.1.evil.example", "", "[::1]:8000"])
def test_a_name_that_someone_else_pointed_here_is_refused(client, host):
    assert client.get("/", headers={"Host": host}).status_code == 400


def test_names_of_files_are_plain_and_apart(client, folder):
    odd = "../../<b>evil</b>.csv"
    page = drop(client, gold=(odd, GOLD), preds=((odd, PRED), ("-o.csv", PRED), ("report.html", PRED)))
    assert "<b>evil" not in page.text
    kept = sorted(path.name for path in folder.rglob("files/*"))
    assert kept == ["2-b_.csv", "b_.csv", "o.csv", "report.html"]
    assert list(folder.parent.rglob("*evil*")) == []


def test_too_many_bytes_are_refused_reported_or_not(client):
    large = ("gold.csv", b"x" * 1_100_000)
    assert "more than 1 MB" in drop(client, gold=large).text
    chunks = (b"x" * 100_000 for _ in range(20))
    kind = {"Content-Type": "multipart/form-data; boundary=b"}
    assert client.post("/drops", content=chunks, headers=kind).status_code == 413


@pytest.mark.parametrize("sent", [{}, {"files": {"gold": ("g.csv", GOLD)}}, {"data": {"gold": "a", "pred": "b"}}])
def test_incomplete_forms_are_reported(client, sent):
    found = client.post("/drops", **sent)
    assert found.status_code == 400
    assert "at least one prediction" in found.text


def test_other_kinds_of_files_are_refused(client):
    path = drop(client).url.path.removeprefix("/token")
    for found in (drop(client, kind="words"), client.post(f"{path}/read", data={"kind": "words"})):
        assert (found.status_code, "no such kind of file" in found.text) == (400, True)


def test_only_the_latest_drops_are_kept(client, folder, monkeypatch):
    monkeypatch.setattr("goldassay.serve.local.MOST_DROPS", 2)
    first = drop(client)
    for _ in range(2):
        drop(client)
    assert len(list(folder.iterdir())) == 2
    assert client.get(first.url.path.removeprefix("/token")).status_code == 404


def test_what_is_unknown_is_not_found(client):
    path = drop(client).url.path.removeprefix("/token")
    for name in ("report.html", "../files/gold.csv", "files/gold.csv", "x"):
        assert client.get(f"{path}/{name}").status_code in {400, 404}
    assert client.get("/assets/web.py").status_code == 404
    assert client.get("/drops").status_code == 405


def test_every_default_measure_has_a_question_that_the_docs_ask_too():
    choosing = (ROOT / "docs" / "choosing.md").read_text()
    for kind, asked in QUESTIONS.items():
        assert [words for words in asked.values() if words not in choosing] == []
        assert {*map(str, family(kind).measures.default)} & {one["spec"] for one in questions_of(kind)}
        assert len(questions_of(kind)) == len(asked)
    assert list(QUESTIONS) == [kind for kind in families() if kind in QUESTIONS]


def test_a_missing_package_is_named_with_the_command_that_installs_it(goldassay_command, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    found = goldassay_command("serve")
    assert found.code == 2
    assert "pip install 'goldassay[serve]'" in found.err


def test_a_port_that_is_taken_is_named(goldassay_command):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        found = goldassay_command("serve", "--no-browser", "--port", port)
    assert found.code == 2
    assert f"127.0.0.1 port {port}" in found.err


def test_a_flag_of_leaderboards_needs_a_challenge(goldassay_command):
    found = goldassay_command("serve", "--add-team", "Alpha")
    assert found.code == 2
    assert "goldassay serve CHALLENGE" in found.err
