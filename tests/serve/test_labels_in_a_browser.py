"""Labelling as people use it: two raters in two browsers, by keyboard."""

import csv
import json
import signal

import pytest

pytest.importorskip("starlette")
pytest.importorskip("playwright")

from tests.report.pages import LONGEST, LOOK, judged


@pytest.fixture(scope="module")
def todo(tmp_path_factory):
    path = tmp_path_factory.mktemp("labels") / "todo.csv"
    path.write_text(
        "id,child,parent,text,label,rater,comment\n" + "".join(f"{one},c{one},p,near,,,\n" for one in "123")
    )
    return path


@pytest.fixture(scope="module")
def started(serving, todo):
    return serving("--label", todo, "--no-browser")


@pytest.fixture
def opened(browser, started):
    pages, trouble = [], []

    def page(rater, answered=None, **look):
        one = browser.new_page(**look)
        if answered:
            # Before the page is there: a browser may send what is asked just after this without asking here.
            one.route("**/labels**", answered)
        one.on("console", lambda message: trouble.append(message.text))
        one.on("pageerror", lambda error: trouble.append(str(error)))
        one.set_default_timeout(1000 * LONGEST)
        pages.append(one)
        one.goto(started[1])
        one.fill("#rater", rater)
        with one.expect_response(lambda answer: answer.url.endswith(f"rater={rater}")):
            one.press("#rater", "Enter")
        return one

    yield page
    for one in pages:
        one.close()
    # That the server cannot be reached is what one test does.
    assert [text for text in trouble if "ERR_FAILED" not in text and "503" not in text] == []


def pressed(page, keys):
    for key in keys:
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            page.keyboard.press(key)


def test_two_raters_label_and_see_their_agreement(opened, todo):
    ann = opened("Ann", viewport={"width": 390, "height": 800})
    judged(ann)
    pressed(ann, "yyn")
    ben = opened("Ben", color_scheme="dark")
    assert "0 labelled" in ben.inner_text("#where")
    pressed(ben, "yn")
    ben.locator("#agreement", has_text="kappa").wait_for()
    judged(ben)
    with todo.open(newline="") as stream:
        rows = [(row["id"], row["rater"], row["label"]) for row in csv.DictReader(stream)]
    assert rows == [
        ("1", "Ann", "yes"),
        ("1", "Ben", "yes"),
        ("2", "Ann", "yes"),
        ("2", "Ben", "no"),
        ("3", "Ann", "no"),
    ]
    again = opened("Ann")
    again.locator("#where", has_text="3 labelled").wait_for()


def test_a_label_that_was_not_saved_is_tried_again(opened, todo):
    reachable = []
    page = opened(
        "Eve",
        lambda route: route.continue_() if reachable or route.request.method == "GET" else route.abort(),
    )
    page.keyboard.press("y")
    page.locator("#state", has_text="1 not saved").wait_for()
    reachable.append(True)
    pressed(page, "n")
    page.locator("#state", has_text="Saved.").wait_for()
    with todo.open(newline="") as stream:
        assert [row["label"] for row in csv.DictReader(stream) if row["rater"] == "Eve"] == ["yes", "no"]


def test_the_last_label_of_an_item_is_saved_however_long_one_before_takes(opened, todo):
    held, sent = [], []

    def answered(route):
        if route.request.method == "POST":
            sent.append((route.request.post_data_json["id"], route.request.post_data_json["label"]))
            if not held:
                held.append(route)
                return
        route.continue_()

    page = opened("Lea", answered)
    page.keyboard.press("y")
    while not held:
        page.wait_for_timeout(10)
    for key in ("n", "ArrowLeft", "y"):
        page.keyboard.press(key)
    held[0].continue_()
    page.locator("#state", has_text="Saved.").wait_for()
    assert sent == [("1", "yes"), ("2", "yes")]
    with todo.open(newline="") as stream:
        assert [row["label"] for row in csv.DictReader(stream) if row["rater"] == "Lea"] == ["yes", "yes"]


def test_a_label_is_kept_while_the_table_is_gone(opened, todo):
    page, content = opened("Una"), todo.read_bytes()
    todo.unlink()
    pressed(page, "y")
    page.locator("#state", has_text="File not found").wait_for()
    page.locator("#state", has_text="1 not saved").wait_for()
    page.evaluate("load()")
    todo.write_bytes(content)
    page.keyboard.press("n")
    page.locator("#state", has_text="Saved.").wait_for()
    with todo.open(newline="") as stream:
        assert [row["label"] for row in csv.DictReader(stream) if row["rater"] == "Una"] == ["yes", "no"]


def test_answers_that_load_late_do_not_replace_a_label(opened):
    late = []

    def answered(route):
        if route.request.url.endswith("rater=Zoe") and not late:
            late.append((route, route.fetch()))
        else:
            route.continue_()

    page = opened("Kim", answered)
    page.fill("#rater", "Zoe")
    page.press("#rater", "Enter")
    while not late:
        page.wait_for_timeout(10)
    pressed(page, "y")
    route, answer = late[0]
    with page.expect_response("**/labels?rater=Zoe"):
        route.fulfill(response=answer)
    page.locator("#where", has_text="Item 2 of 3, 1 labelled").wait_for()


def test_a_signal_ends_it_well(started):
    process = started[0]
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=300)[1] == ""
    assert process.returncode == 0


def documents(folder):
    """Write a prediction of two documents, one of which has no item."""
    triples = [{"id": "d1", "text": "A.", "triples": [["a", "is", "b"]]}, {"id": "d2", "text": "None.", "triples": []}]
    (folder / "pred.jsonl").write_text("".join(json.dumps(row) + "\n" for row in triples))
    return folder / "pred.jsonl"


def test_what_was_missed_is_saved_at_once(browser, goldassay_command, serving, tmp_path):
    todo = tmp_path / "todo.csv"
    goldassay_command("sample", documents(tmp_path), "-o", todo, "--design", "documents")
    page = browser.new_page()
    page.goto(serving("--label", todo, "--no-browser")[1])
    while page.inner_text("#parts dd >> nth=0") != "d1":
        page.keyboard.press("ArrowRight")
    page.keyboard.press("m")
    for word in ("=x", "c"):
        for part in ("a", "is"):
            page.keyboard.type(part)
            page.keyboard.press("Tab")
        page.keyboard.type(word)
        # The first answer may come after the second item was typed, and the first item is then sent again.
        with page.expect_response(lambda answer, word=word: f'"{word}"' in (answer.request.post_data or "")):
            page.keyboard.press("Enter")
    page.reload()
    page.locator("#where", has_text="1 of 2").wait_for()
    while page.inner_text("#parts dd >> nth=0") != "d1":
        page.keyboard.press("ArrowRight")
    page.locator("#missed li >> nth=1").wait_for()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.click("text=Remove >> nth=0")
    page.close()
    with todo.open(newline="") as stream:
        assert [row["object"] for row in csv.DictReader(stream) if row["label"] == "missed"] == ["c"]


@pytest.mark.parametrize(("width", "rules"), [(1400, ()), (390, LOOK)])
def test_documents_are_labelled_to_the_end_offline(browser, goldassay_command, tmp_path, monkeypatch, width, rules):
    """From predictions to recall: one item is right, one is added that was missed, and of a document nothing was."""
    monkeypatch.chdir(tmp_path)
    documents(tmp_path)
    for layout in ("csv", "html"):
        code = goldassay_command(
            "sample", "pred.jsonl", "-o", f"todo.{layout}", "--format", layout, "--design", "documents"
        ).code
        assert code == 0
    page = browser.new_page(viewport={"width": width, "height": 800}, accept_downloads=True)
    page.goto((tmp_path / "todo.html").as_uri())
    for _ in range(2):
        judged(page, rules)
        document = page.inner_text("#parts dd >> nth=0")
        if document == "d2":
            assert page.locator("[data-label]:visible").all_inner_texts() == ["Nothing was missed (n)"]
            page.keyboard.press("n")
            continue
        page.keyboard.press("m")
        for word in ("wrong", "c"):
            for part in ("a", "is", word):
                page.keyboard.type(part)
                page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        page.click("text=Remove >> nth=0")
        assert page.inner_text("#missed span") == "a | is | c"
        page.keyboard.press("Escape")
        page.keyboard.press("y")
    with page.expect_download() as saved:
        page.keyboard.press("s")
    saved.value.save_as(tmp_path / "todo.csv")
    page.close()
    code, out, _ = goldassay_command("estimate", "todo.csv", "--format", "json")
    assert (code, json.loads(out)["runs"][0]["scores"][0]["values"]["recall"]) == (0, 0.5)
