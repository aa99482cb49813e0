"""What a leaderboard keeps, on SQLite and on PostgreSQL: tables, claims, and what a stop leaves."""

import asyncio
import os
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Barrier, Event, Thread
from types import SimpleNamespace

import pytest

pytest.importorskip("sqlalchemy")

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import delete
from sqlalchemy.exc import DataError, DBAPIError, OperationalError

from goldassay.core.errors import UsageError
from goldassay.serve.archive import back_up, restore
from goldassay.serve.processes import ProcessResult
from goldassay.serve.queue import Queue, _until_written
from goldassay.serve.store import MOST_TRIES, Base, Order, Store, TooManyError, climb, groups_of

pytestmark = pytest.mark.xdist_group("postgres")
NOW = datetime(2027, 1, 10, 12, tzinfo=UTC)
PLACES = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]


@contextmanager
def running_postgres():
    """A server of PostgreSQL on a socket in a folder: its address, and what starts and stops it."""
    found = shutil.which("initdb") or next((str(place / "initdb") for place in PLACES), None)
    if found is None:
        pytest.skip("no PostgreSQL on this machine")
    control, run = Path(found).with_name("pg_ctl"), partial(subprocess.run, check=True, capture_output=True, cwd="/")
    # Not a folder of pytest: its parents are closed to the other user.
    with tempfile.TemporaryDirectory() as folder:
        user = []
        if os.geteuid() == 0:  # as whom it refuses to run
            shutil.chown(folder, "postgres")
            user = ["runuser", "-u", "postgres", "--"]
        data, options = f"{folder}/data", f"-k {folder} -c listen_addresses='' -c fsync=off"
        run([*user, found, "-D", data, "-A", "trust", "-U", "test", "--no-sync"])
        start = partial(run, [*user, control, "-D", data, "-o", options, "-l", f"{folder}/log", "-w", "start"])
        stop = partial(run, [*user, control, "-D", data, "-m", "immediate", "stop"])
        start()
        yield f"postgresql://test@/postgres?host={folder}", start, stop
        stop()


@pytest.fixture(scope="session")
def postgres():
    """A server of PostgreSQL for these tests only."""
    with running_postgres() as (address, *_):
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    if request.param == "sqlite":
        yield Store(tmp_path)
        return
    made = Store(tmp_path, request.getfixturevalue("postgres"))
    yield made
    with made.engine.begin() as connection:
        Base.metadata.drop_all(connection)
        connection.exec_driver_sql("DROP TABLE alembic_version")
    made.engine.dispose()


@pytest.fixture
def team(store):
    return store.team_of(store.add_team("Alpha"))


def keep(store, team, *, now=NOW, a_day=None):
    upload = store.uploads / f"part-{os.urandom(4).hex()}"
    upload.write_bytes(b"content")
    return store.keep(team, phase="final", name="p.csv", upload=upload, now=now, a_day=a_day)


def test_the_migrations_make_the_tables_that_the_code_uses_and_run_again_without_harm(store):
    store._migrate(None)
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_each_submission_is_claimed_once_the_oldest_first(store, team):
    kept = [keep(store, team, now=NOW + timedelta(seconds=n)) for n in range(3)]
    claims = [store.claim() for _ in range(4)]
    assert [one and one.id for one in claims] == [*(one.id for one in kept), None]
    assert store.find(kept[0].id)[0].received == NOW
    assert store.waiting_before(kept[2]) == 0


def test_a_result_is_written_once(store, team):
    keep(store, team)
    first = store.claim()
    store.take_up()
    second = store.claim()
    assert second.id == first.id
    assert not store.finish(first, state="scored", value=0.9)
    assert store.finish(second, state="scored", value=0.5)
    assert not store.finish(second, state="scored", value=0.7)
    (row,) = store.rank_teams("final", Order(higher_is_better=True))
    assert (row.best.value, row.scored) == (0.5, 1)


def test_a_claim_that_nothing_renews_ends(store, team):
    keep(store, team)
    short, first = timedelta(seconds=-1), store.claim(timedelta(seconds=-1))
    second = store.claim(short)
    assert (second.id, second.tries) == (first.id, 2)
    assert second.claim != first.claim
    store.renew(second)
    assert store.claim() is None
    store.renew(first, short)
    assert store.claim() is None
    assert not store.finish(first, state="scored", value=0.9)
    assert store.finish(second, state="scored", value=0.5)
    assert store.find(second.id)[0].leased is None


def test_claims_that_end_again_and_again_are_given_up(store, team):
    kept = keep(store, team)
    for _ in range(MOST_TRIES):
        assert store.claim(timedelta(seconds=-1)) is not None
    assert store.claim() is None
    assert store.find(kept.id)[0].state == "failed"


@pytest.mark.parametrize("name", ["\x00", "0" * 31, "x" * 32, "\ud800" * 32, "' or 1=1"])
def test_what_is_no_name_of_a_submission_is_not_asked_for(store, name):
    assert store.find(name) is None


def test_what_ends_its_worker_again_and_again_is_given_up(store, team):
    kept = keep(store, team)
    for _ in range(MOST_TRIES):
        store.give_back(store.claim())
    found = store.find(kept.id)[0]
    assert found.state == "failed"
    assert "ended from outside" in found.message
    assert store.claim() is None


def test_what_ends_its_server_again_and_again_is_given_up(store, team):
    kept = keep(store, team)
    for _ in range(MOST_TRIES):
        assert store.claim() is not None
        store.take_up()
    assert store.find(kept.id)[0].state == "failed"


def test_what_was_ended_waits_behind_the_others(store, team):
    kept = [keep(store, team, now=NOW + timedelta(seconds=n)) for n in range(3)]
    store.give_back(store.claim())
    first, *others = (store.find(one.id)[0] for one in kept)
    assert [store.waiting_before(one) for one in (*others, first)] == [0, 1, 2]
    assert [store.claim().id for _ in kept] == [one.id for one in (*others, first)]


def test_uploads_that_were_never_accepted_are_removed(store, team):
    assert store.take_up() == 0
    kept = keep(store, team)
    (store.uploads / "part-1").write_bytes(b"x")
    assert store.take_up() == 1
    assert [path.name for path in store.uploads.iterdir()] == [kept.id]


def test_two_uploads_at_once_are_no_way_around_the_number_a_day(store, team):
    start, answers = Barrier(4), []

    def send():
        start.wait()
        try:
            answers.append(keep(store, team, a_day=2).state)
        except TooManyError:
            answers.append("refused")

    threads = [Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["queued", "queued", "refused", "refused"]


@pytest.mark.parametrize(("higher", "best"), [(True, 0.9), (False, 0.2)])
def test_the_best_is_the_highest_or_the_lowest_and_of_two_alike_the_earlier(store, team, higher, best):
    kept = [keep(store, team, now=NOW + timedelta(seconds=n)) for n in range(5)]
    for one, value in zip(kept, (0.5, 0.9, 0.2, 0.9, 0.2), strict=True):
        claimed = store.claim()
        assert claimed.id == one.id
        store.finish(claimed, state="scored", value=value, values={"m": {"v": value}})
    (row,) = store.rank_teams("final", Order(higher_is_better=higher))
    assert row.best.value == best
    assert row.best.id == kept[1 if higher else 2].id


def test_p_values_are_found_by_their_pair(store, team):
    first, second = keep(store, team), keep(store, team)
    store.add_tests({(first.id, second.id): 0.04})
    store.add_tests({(second.id, first.id): 0.03})
    assert store.tests_of([first.id, second.id]) == {frozenset((first.id, second.id)): 0.03}
    assert store.tests_of([first.id]) == {}


def test_a_database_that_is_killed_while_it_is_used_strands_nothing(tmp_path, monkeypatch):
    """What was claimed when the database went is scored when it is back, without a restart of the server."""
    monkeypatch.setattr("goldassay.serve.queue.AWAY", 0.05)
    monkeypatch.setattr("goldassay.serve.queue.PAUSE", 0.05)
    with running_postgres() as (address, start, stop):
        store = Store(tmp_path, address)
        team = store.team_of(store.add_team("Alpha"))
        kept = [keep(store, team).id for _ in range(3)]
        limits = SimpleNamespace(seconds=60, memory_megabytes=1000)
        about = {"path": tmp_path, "limits": limits, "intervals": False, "phases": (), "options": {}, "encoder": ""}
        queue = Queue({"": SimpleNamespace(**about)}, store)
        killed = Event()

        async def worker(arguments, folder, **_):
            (folder / "result.json").write_text('{"value": 0.5}')
            if not killed.is_set():
                killed.set()
                await asyncio.to_thread(stop)
                asyncio.get_running_loop().call_later(0.5, lambda: asyncio.ensure_future(asyncio.to_thread(start)))
            return ProcessResult(0, "", "")

        async def work():
            running = asyncio.create_task(queue.run(2))
            while not (killed.is_set() and await asyncio.to_thread(states) == ["scored"] * 3):  # noqa: ASYNC110 - what is waited for is in the database
                await asyncio.sleep(0.05)
            running.cancel()

        def states():
            with suppress(DBAPIError):
                return [store.find(name)[0].state for name in kept]

        monkeypatch.setattr(queue, "_worker", worker)
        # A thread of its own, since a browser of another test holds the loop of this one.
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, asyncio.wait_for(work(), 300)).result()
        store.engine.dispose()


def test_names_of_teams_differ_in_more_than_case(store):
    store.add_team("Straße")
    for name in ("straße", "STRASSE", "Straße"):
        with pytest.raises(UsageError, match=r"(?s)taken.*Straße"):
            store.add_team(name)


def test_a_team_has_another_token(store, team):
    token = store.new_token("Alpha")
    assert store.team_of(token).id == team.id
    again = store.new_token("Alpha")
    assert store.team_of(token) is None
    assert store.team_of(again).id == team.id
    with pytest.raises(UsageError, match=r"(?s)Unknown team 'Beta'.*Alpha"):
        store.new_token("Beta")


def test_a_team_is_removed_with_all_that_it_sent(store, team):
    other = store.team_of(store.add_team("Beta"))
    first, second, third = (keep(store, one) for one in (team, other, team))
    for _ in range(3):
        claimed = store.claim()
        (store.results / claimed.claim).mkdir()
        store.finish(claimed, state="scored", value=0.5)
    store.add_tests({(first.id, second.id): 0.5, (first.id, third.id): 0.4})
    assert store.teams() == [("Alpha", 2), ("Beta", 1)]
    assert store.remove_team("Alpha") == 2
    assert store.teams() == [("Beta", 1)]
    assert [path.name for path in store.uploads.iterdir()] == [second.id]
    assert [path.name for path in store.results.iterdir()] == [store.find(second.id)[0].claim]
    assert store.tests_of([first.id, second.id, third.id]) == {}
    assert store.find(first.id) is None


def test_an_error_that_comes_again_is_not_waited_for(monkeypatch):
    """Only a database that is away is tried again: what it refuses would be refused for ever."""
    monkeypatch.setattr("goldassay.serve.queue.AWAY", 0.0)
    tried = []

    def write():
        tried.append(1)
        raise (OperationalError if len(tried) < 3 else DataError)("UPDATE", {}, Exception("refused"))

    async def work():
        with pytest.raises(DataError):
            await _until_written(write)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work()).result()
    assert len(tried) == 3


def test_a_backup_of_one_database_is_restored_in_another(store, tmp_path):
    token = store.add_team("Alpha")
    keep(store, store.team_of(token))
    assert back_up(store, tmp_path / "b.tar.gz") == 1
    with store.engine.begin() as connection:
        for table in reversed(Base.metadata.sorted_tables):
            connection.execute(delete(table))
    for again in (store, Store(tmp_path / "other")):
        assert restore(again, tmp_path / "b.tar.gz") == 1
        assert again.team_of(token).name == "Alpha"
        # The numbers of teams go on behind those that were restored.
        assert again.team_of(again.add_team("Beta")).name == "Beta"
        assert [team for _, team in again.all_submissions()] == ["Alpha"]


def test_the_example_of_groups_of():
    pairs = {("x", "y"): 0.4, ("y", "z"): 0.3, ("x", "z"): 0.001}
    assert groups_of("xyz", {frozenset(pair): p for pair, p in pairs.items()}) == ["a", "ab", "b"]
    assert groups_of("xyz", {}) is None


def test_the_example_of_climb():
    assert climb([0.512, 0.519, 0.497, 0.534], Order(higher_is_better=True, step=0.01)) == [0.51, 0.51, 0.51, 0.53]
