"""Teams upload to a leaderboard of the anatomy task of OAEI on this computer, while readers look at it, or while its processes are killed.

    python benchmarks/serve.py load [--teams 50] [--each 5] [--postgres]
    python benchmarks/serve.py kills [--kills 200] [--teams 50] [--each 5] [--postgres]

`load` prints how long answers took, how fast all was scored, and the memory of the server. `kills` kills the server, workers and
PostgreSQL at random, and starts again only what was killed, as a supervisor does. A team whose upload gets no answer sends it again, as
a client does. Both end with code 1 if a submission that was answered with 201 is missing, has another score than its file, or counts
twice. It needs the reference data.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from contextlib import suppress
from pathlib import Path

import httpx2 as httpx

from goldassay.serve.store import Store

ANATOMY = Path(os.environ.get("GOLDASSAY_REFERENCE_DATA", "../shared/data")) / "alignments" / "anatomy"
CELL = re.compile(r"<map>.*?</map>", re.DOTALL)
ENTITIES = re.compile(r'<entity1 rdf:resource="([^"]*)"/>\s*<entity2 rdf:resource="([^"]*)"')
CHALLENGE = """
name = "anatomy"
title = "Anatomy"
kind = "alignment"
measures = ["overlap"]
rank_by = "overlap.f1"
prediction = "prediction.rdf"
phases = [{name = "final", gold = "reference.xml"}]
"""
READERS_AN_HOUR = 5000


class Submissions:
    """What teams send: parts of the alignment of a system, each of another size; and the recall of each."""

    def __init__(self):
        text = (ANATOMY / "AML.rdf").read_text()
        self.cells = CELL.findall(text)
        self.head, self.foot = text[: text.index("<map>")], text[text.rindex("</map>") + len("</map>") :]
        gold = set(ENTITIES.findall((ANATOMY / "reference.xml").read_text().replace("'", '"')))
        right = [ENTITIES.search(cell).groups() in gold for cell in self.cells]
        self.gold, self.right = len(gold), right

    def size(self, team, number):
        return len(self.cells) - (team * 7 + number * 131) % (len(self.cells) // 2)

    def content(self, team, number):
        return (self.head + "\n".join(self.cells[: self.size(team, number)]) + self.foot).encode()

    def recall(self, team, number):
        return round(sum(self.right[: self.size(team, number)]) / self.gold, 3)


class Server:
    """A process that is started again whenever it ends, until this is closed."""

    def __init__(self, command):
        self.command, self.starts, self.process = command, 0, None
        self.closed, self.errors = threading.Event(), ""
        self.up = threading.Event()
        self.thread = threading.Thread(target=self.supervise, daemon=True)
        self.thread.start()

    def supervise(self):
        while not self.closed.is_set():
            with tempfile.TemporaryFile("w+") as errors:
                self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=errors, text=True)
                self.starts += 1
                if self.process.stdout.readline():
                    self.up.set()
                self.process.wait()
                errors.seek(0)
                self.errors += errors.read()
            self.closed.wait(0.2)

    def close(self):
        self.closed.set()
        self.process.send_signal(signal.SIGTERM)
        self.thread.join(60)


class Postgres:
    """A server of PostgreSQL in a folder, on a socket."""

    def __init__(self, folder):
        bins = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
        folder.mkdir()
        user = []
        if os.geteuid() == 0:  # as whom it refuses to run
            shutil.chown(folder, "postgres")
            user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
        made = [*user, bins[0] / "initdb", "-D", folder / "data", "-A", "trust", "-U", "test"]
        subprocess.run(made, check=True, capture_output=True, cwd="/")
        self.address = f"postgresql://test@/postgres?host={folder}"
        options = ["-k", folder, "-c", "listen_addresses=", "-c", "max_connections=50"]
        self.server = Server([*user, bins[0] / "postgres", "-D", folder / "data", *options])
        while True:
            with suppress(Exception):
                import psycopg

                psycopg.connect(f"{self.address}&connect_timeout=2").close()
                return
            time.sleep(0.2)


def workers_of(server):
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == server and b"goldassay.serve.worker" in (place / "cmdline").read_bytes():
                yield int(place.name)


def most_memory(process):
    """Return the most megabytes that a process has held so far."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


class Teams:
    """Teams that upload, and what they were answered."""

    def __init__(self, tokens, each):
        self.tokens, self.each = tokens, each
        self.submissions = Submissions()
        self.kept, self.read, self.unread = [], [], Counter()
        self.done = asyncio.Event()

    async def upload(self, client, address, team, number):
        """Send one submission, again and again until it is answered with 201."""
        headers = {"Authorization": f"Bearer {self.tokens[team]}"}
        content, tries = self.submissions.content(team, number), 0
        while True:
            tries += 1
            begun = time.monotonic()
            try:
                asked = f"{address}api/submissions?name=prediction.rdf"
                answer = await client.post(asked, content=content, headers=headers)
            except httpx.HTTPError:
                await asyncio.sleep(0.5)
                continue
            if answer.status_code == 201:
                recall = self.submissions.recall(team, number)
                self.kept.append((answer.json()["id"], recall, time.monotonic() - begun, tries))
                return
            if answer.status_code not in {429, 503}:
                sys.exit(f"{answer.status_code}: {answer.text}")
            await asyncio.sleep(1)

    async def reader(self, client, address):
        """Look at the page as 5,000 readers an hour do, until all is scored."""
        draw = random.Random(0)  # noqa: S311
        asking = set()

        async def look():
            begun = time.monotonic()
            try:
                answer = await client.get(address)
            except httpx.HTTPError as error:
                self.unread[type(error).__name__] += 1
            else:
                self.read.append(time.monotonic() - begun)
                self.unread[answer.status_code] += answer.status_code != 200

        while not self.done.is_set():
            await asyncio.sleep(draw.expovariate(READERS_AN_HOUR / 3600))
            asking.add(asyncio.create_task(look()))
        await asyncio.gather(*asking)

    async def upload_all(self, client, address):
        """Let all teams send at once, each one submission after the other."""

        async def of_team(team):
            for number in range(self.each):
                await self.upload(client, address, team, number)

        await asyncio.gather(*map(of_team, range(len(self.tokens))))

    async def wait_until_scored(self, client, address):
        """Wait for every submission, and list those that have another score than their file."""
        waiting, wrong = {name: recall for name, recall, _, _ in self.kept}, []
        while waiting:
            await asyncio.sleep(1)
            for name in list(waiting):
                with suppress(httpx.HTTPError):
                    answer = await client.get(f"{address}api/submissions/{name}")
                    found = answer.json()
                    if answer.status_code == 404:
                        waiting.pop(name)
                        wrong.append(f"lost: {name}")
                    elif answer.status_code == 200 and found["state"] in {"scored", "failed"}:
                        expected = waiting.pop(name)
                        if found["state"] == "failed" or found["values"]["overlap"]["recall"] != expected:
                            wrong.append(found)
                    elif found.get("state") == "queued":
                        break  # what came later waits, too
        return wrong


async def kill_at_random(kills, board, database, scored):
    """Kill workers, the server and the database at random times until all is scored; a worker once there is one."""
    draw, killed = random.Random(1), Counter()  # noqa: S311
    while killed.total() < kills and not scored.is_set():
        await asyncio.sleep(draw.expovariate(1.5))
        what = draw.choice(["worker", "worker", "server", "database" if database else "worker"])
        target = (board if what == "server" else database.server).process.pid if what != "worker" else None
        while not target and not scored.is_set():
            target = next(workers_of(board.process.pid), None)
            await asyncio.sleep(0.02)
        with suppress(ProcessLookupError):
            if target:
                os.kill(target, signal.SIGKILL)
                killed[what] += 1
                if killed.total() % 20 == 0:
                    print(f"{killed.total()} killed: {dict(killed)}", flush=True)
    return killed


async def measured(board, address, teams, kills, database):
    async with httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=None)) as client:
        begun, scored = time.monotonic(), asyncio.Event()
        reading = asyncio.create_task(teams.reader(client, address))
        killing = asyncio.create_task(kill_at_random(kills, board, database, scored))
        await teams.upload_all(client, address)
        answered = time.monotonic()
        wrong = await teams.wait_until_scored(client, address)
        ended = time.monotonic()
        scored.set()
        teams.done.set()
        killed = await killing
        await reading
        while True:
            with suppress(httpx.HTTPError, LookupError, ValueError):
                rows = (await client.get(f"{address}api/leaderboard")).json()["rows"]
                return wrong, rows, killed, answered - begun, ended - begun
            await asyncio.sleep(0.5)


def percentile(times, part):
    return sorted(times)[min(len(times) - 1, int(part * len(times)))] if times else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["load", "kills"])
    parser.add_argument("--teams", type=int, default=50)
    parser.add_argument("--each", type=int, default=5)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--postgres", action="store_true")
    asked = parser.parse_args()
    # Not below a folder that is closed to the user of PostgreSQL.
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)
        database = Postgres(folder / "postgres") if asked.postgres else None
        place = folder / "challenge.toml"
        place.write_text(CHALLENGE)
        shutil.copy(ANATOMY / "reference.xml", folder)
        store = Store(folder / "anatomy-data", database and database.address)
        tokens = [store.add_team(f"team {n}") for n in range(asked.teams)]
        store.engine.dispose()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        options = ["--port", str(port), *(["--database", database.address] if database else [])]
        board = Server([sys.executable, "-m", "goldassay", "serve", str(place), *options])
        if not board.up.wait(60):
            sys.exit(f"the server did not start: {board.errors}")
        address = f"http://127.0.0.1:{port}/"
        while True:
            with suppress(urllib.error.URLError):
                urllib.request.urlopen(address, timeout=60).close()
                break
        teams = Teams(tokens, asked.each)
        kills = asked.kills if asked.what == "kills" else 0
        before = os.getloadavg()[0]
        wrong, rows, killed, answering, scoring = asyncio.run(measured(board, address, teams, kills, database))
        memory = most_memory(board.process.pid)
        board.close()
        if database:
            database.server.close()
    facts = {
        "killed": killed,
        "answering": answering,
        "scoring": scoring,
        "memory": memory,
        "before": before,
        "board": board,
    }
    sys.exit(summary(teams, asked, wrong, rows, **facts))


def summary(teams, asked, wrong, rows, *, killed, answering, scoring, memory, before, board):
    """Print what was measured, and return the exit code."""
    times = [seconds for _, _, seconds, _ in teams.kept]
    print(
        f"load of this computer before: {before:.1f}, {os.cpu_count()} cores; {'PostgreSQL' if asked.postgres else 'SQLite'}"
    )
    print(f"{len(times)} uploads of {asked.teams} teams answered in {answering:.1f} s")
    print(
        f"POST: {percentile(times, 0.5):.2f} s in the middle, {percentile(times, 0.95):.2f} s p95, {max(times):.2f} s at most"
    )
    print(
        f"GET of {len(teams.read)} readers: {percentile(teams.read, 0.5):.3f} s in the middle, {percentile(teams.read, 0.95):.3f} s p95, {max(teams.read):.2f} s at most; without an answer or with another status: {dict(+teams.unread)}"
    )
    print(f"all scored after {scoring:.1f} s: {len(times) / scoring:.2f} a second")
    each = [row["seconds"] for row in rows]
    print(f"scoring one takes {sum(each) / len(each):.2f} s of processor time")
    print(f"the server held {memory:.0f} MB at most")
    print(f"killed: {dict(killed)}, {killed.total()} in all; the server was started {board.starts} times")
    # An upload whose answer a kill cut off may be kept, and is then sent again.
    twice = sum(row["submissions"] for row in rows) - len(times)
    sent_again = sum(tries - 1 for _, _, _, tries in teams.kept)
    print(
        f"lost or wrong: {len(wrong)} {json.dumps(wrong[:2])}; kept without an answer: {twice} of {sent_again} that were sent again"
    )
    if wrong:
        print(board.errors[-3000:])
    ids = {name for name, _, _, _ in teams.kept}
    complete = len(ids) == len(times) and len(rows) == asked.teams
    return 1 if wrong or not complete or not 0 <= twice <= sent_again else 0


if __name__ == "__main__":
    main()
