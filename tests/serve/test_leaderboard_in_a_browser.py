"""The leaderboard as teams use it, in a real browser; and what a kill of its processes loses: nothing."""

import os
import signal
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("starlette")
pytest.importorskip("sqlalchemy")
pytest.importorskip("playwright")

from tests.report.pages import LONGEST, LOOK, judged, wait_until
from tests.serve.asking import OFTEN, client
from tests.serve.pets import ABOUT, EDGES, table

from goldassay.serve.store import Store

CHALLENGE = ABOUT + 'phases = [{name = "final", gold = "gold.csv"}]\n'


def fill(folder):
    """Write a challenge into a folder."""
    (folder / "challenge.toml").write_text(CHALLENGE)
    (folder / "gold.csv").write_text(table(EDGES))
    return folder


@pytest.fixture
def folder(tmp_path):
    return fill(tmp_path)


@pytest.fixture
def tokens(folder):
    store = Store(folder / "pets-data")
    return {name: store.add_team(name) for name in ("Alpha", "Beta")}


class Board(NamedTuple):
    """A leaderboard of one server for several tests, each with teams of its own: a server with its worker takes seconds to start."""

    address: str
    store: Store
    tokens: dict


@pytest.fixture(scope="module")
def board(serving, tmp_path_factory):
    folder = fill(tmp_path_factory.mktemp("board"))
    # By a relative path, as people name it.
    _, address, _ = serving("challenge.toml", cwd=folder)
    store = Store(folder / "pets-data")
    return Board(address, store, {name: store.add_team(name) for name in ("Alpha", "Beta", "Gamma", "Delta")})


of_the_board = pytest.mark.xdist_group("a leaderboard in a browser")
SCREENS = {"desk": ("light", 1400), "phone": ("dark", 390)}
RULES = {"desk": (), "phone": LOOK}
"""By what a page is judged that is judged on both screens."""


@contextmanager
def opened(browser, screen):
    """Open a page on a screen; no script of it may fail."""
    scheme, width = SCREENS[screen]
    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    trouble = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.set_default_timeout(1000 * LONGEST)
    yield page
    assert trouble == []
    page.close()


def post(address, token, edges):
    headers = {"Authorization": f"Bearer {token}"}
    return client.post(f"{address}api/submissions?name=prediction.csv", content=table(edges), headers=headers)


def wait_for(address, name, state="scored"):
    def asked():
        return client.get(f"{address}api/submissions/{name}").json()

    wait_until(lambda: asked()["state"] == state, OFTEN)
    return asked()


def wait_for_tests(address):
    """Wait until the best submissions are tested against each other."""
    wait_until(lambda: client.get(f"{address}api/leaderboard").json()["tested"], OFTEN)


def worker_of(server):
    """Find the worker that a server has started."""
    found = []
    wait_until(lambda: found.extend(workers_of(server)) or found)
    return found[0]


def workers_of(server):
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            command = (place / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == server and b"goldassay.serve.worker" in command:
            yield int(place.name)


def test_a_kill_of_worker_and_server_loses_no_submission(serving, folder, tokens):
    first, address, _ = serving(folder / "challenge.toml", "--workers", 1)
    ignored = int(
        next(
            line for line in Path(f"/proc/{first.pid}/status").read_text().splitlines() if line.startswith("SigIgn")
        ).split()[1],
        16,
    )
    assert ignored >> (signal.SIGPIPE - 1) & 1, "a client that goes away ends the server"
    kept = post(address, tokens["Beta"], EDGES[:10]).json()["id"]
    os.kill(worker_of(first.pid), signal.SIGKILL)
    second = post(address, tokens["Beta"], EDGES[:12]).json()["id"]
    worker = worker_of(first.pid)
    first.kill()
    first.wait()
    again, address, _ = serving(folder / "challenge.toml")
    assert wait_for(address, kept)["values"]["literal"]["recall"] == 0.25
    assert wait_for(address, second)["values"]["literal"]["recall"] == 0.3
    (row,) = client.get(f"{address}api/leaderboard").json()["rows"]
    assert (row["submissions"], row["submission"]) == (2, second)
    # A worker ends with its server.
    wait_until(lambda: not Path(f"/proc/{worker}").exists())
    again.send_signal(signal.SIGTERM)
    assert again.wait(LONGEST) == 0


@of_the_board
def test_a_team_submits_in_a_browser_and_sees_its_place(board, tmp_path, browser):
    address, _, tokens = board
    wait_for(address, post(address, tokens["Beta"], EDGES[:12]).json()["id"])
    prediction = tmp_path / "prediction.csv"
    # Each team is better than those before it, and than those of other tests.
    for screen, team, size in (("desk", "Alpha", 34), ("phone", "Gamma", 38)):
        prediction.write_text(table(EDGES[:size]))
        with opened(browser, screen) as page:
            page.goto(address)
            assert not page.inner_text("tbody tr >> nth=0").startswith(f"1\t{team}")
            page.set_input_files("#file", prediction)
            page.fill("#token", "wrong")
            page.focus("#token")
            page.keyboard.press("Enter")
            page.wait_for_selector("text=Unknown token")
            judged(page, RULES[screen])
            page.fill("#token", tokens[team])
            page.keyboard.press("Enter")
            page.wait_for_selector("text=Open the report page")
            judged(page, RULES[screen])
            page.click("text=Open the report page")
            page.wait_for_selector(".forest")
            assert "kind 3" not in page.content()
            if screen == "phone":
                # The page on the desk is there before its groups, and renews itself after seconds.
                wait_for_tests(address)
            page.goto(address)
            page.wait_for_selector("text=share a letter")
            assert page.inner_text("tbody tr >> nth=0").startswith(f"1\t{team}")
            judged(page, RULES[screen])


def submission_of(team, address):
    """Give the submission that counts for a team."""
    rows = client.get(f"{address}api/leaderboard").json()["rows"]
    [row] = [row for row in rows if row["team"] == team]
    return row["submission"]


@of_the_board
def test_a_team_chooses_and_withdraws_in_a_browser(board, browser):
    address, _, tokens = board
    good, poor = (post(address, tokens["Delta"], EDGES[:size]).json()["id"] for size in (30, 12))
    for name in (good, poor):
        wait_for(address, name)
    for screen, word, action, counts in (("desk", "chosen", "Choose", poor), ("phone", "withdrawn", "Withdraw", good)):
        with opened(browser, screen) as page:
            page.goto(address)
            page.fill("#own-token", "wrong")
            page.keyboard.press("Enter")
            page.wait_for_selector("[data-own] >> text=Unknown token")
            page.fill("#own-token", tokens["Delta"])
            page.keyboard.press("Enter")
            rows = page.locator("[data-own] tbody tr")
            rows.nth(1).wait_for()
            assert [rows.nth(row).locator("a").get_attribute("href")[-32:] for row in (0, 1)] == [poor, good]
            rows.nth(0).get_by_text(action).click()
            page.wait_for_selector(f"[data-own] td >> text={word}")
            judged(page, RULES[screen])
            assert submission_of("Delta", address) == counts


@of_the_board
def test_a_team_joins_by_a_link_in_a_browser(board, browser):
    address, store, _ = board
    code = store.invite(1)
    with opened(browser, "phone") as page:
        page.goto(f"{address}join#{code}")
        judged(page)
        page.fill("#team", "Theta")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=shown only once")
        judged(page)
        assert post(address, page.inner_text("#made-token").strip(), EDGES[:5]).status_code == 201
        page.goto(f"{address}join#wrong")
        page.reload()
        page.fill("#team", "Iota")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=unknown, or used up")


def test_the_table_over_all_tasks_leads_to_each_in_a_browser(serving, folder, browser):
    for name in ("cats", "dogs"):
        (folder / f"{name}.toml").write_text(CHALLENGE.replace('"pets"', f'"{name}"').replace("Pets", name.title()))
    (folder / "pets.toml").write_text(
        'name = "pets"\ntitle = "Pets"\noverall = "mean_rank"\ntasks = ["cats.toml", "dogs.toml"]\n'
    )
    token = Store(folder / "pets-data").add_team("Alpha")
    _, address, _ = serving(folder / "pets.toml")
    sent = {}
    for task, size in (("cats", 10), ("dogs", 12)):
        sent[task] = post(f"{address}{task}/", token, EDGES[:size]).json()["id"]
    for task, name in sent.items():
        wait_for(f"{address}{task}/", name)
    for screen in SCREENS:
        with opened(browser, screen) as page:
            page.goto(address)
            judged(page, RULES[screen])
            assert page.inner_text("tbody tr").split() == ["1", "Alpha", "1.00", "0.400", "1", "0.462", "1"]
            page.click("li >> text=Dogs 2027")
            page.wait_for_selector("text=Token of the team")
            judged(page, RULES[screen])
            assert page.inner_text("#board tbody td >> nth=1") == "0.462"
            page.click("header >> text=Pets")
            page.wait_for_selector("text=rank in it")
