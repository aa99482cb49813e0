"""Fifty teams upload at once to a leaderboard on this computer, whose worker and server are killed in the middle.

    python benchmarks/serve.py [--teams 50] [--each 3] [--database URL]

It prints how long answers took, and what was lost: nothing may be. A team whose upload gets no answer sends it again,
as a client does. It ends with code 1 if a submission that was answered with 201 is missing, has another score than its
file, or counts twice.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import httpx2 as httpx

from goldassay.serve.store import Store

EDGES = [f"pet {n},kind {n % 20}\n" for n in range(400)]
CHALLENGE = """
name = "load"
title = "Load"
kind = "taxonomy"
measures = ["literal"]
rank_by = "literal.recall"
prediction = "prediction.csv"
phases = [{name = "final", gold = "gold.csv"}]
"""


def table(edges):
    return "child,parent\n" + "".join(edges)


def start(folder, database, port):
    command = [sys.executable, "-m", "goldassay", "serve", str(folder / "challenge.toml"), "--port", str(port)]
    server = subprocess.Popen(
        [*command, *(["--database", database] if database else [])], stdout=subprocess.PIPE, text=True
    )
    address = server.stdout.readline().strip()
    if not address:
        sys.exit("the server did not start")
    return server, address


def workers_of(server):
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == server.pid:
            yield int(place.name)


def size_of(team, number):
    return 1 + (team * 7 + number * 131) % len(EDGES)


class Teams:
    """Teams that upload, and what they were reported."""

    def __init__(self, store, count, each):
        self.tokens = [store.add_team(f"team {n}") for n in range(count)]
        self.each = each
        self.kept = []

    async def upload(self, client, address, team, number):
        """Send one submission, again and again until it is answered with 201."""
        headers = {"Authorization": f"Bearer {self.tokens[team]}"}
        size, tries = size_of(team, number), 0
        while True:
            tries += 1
            begun = time.monotonic()
            try:
                answer = await client.post(
                    f"{address}api/submissions?name=prediction.csv", content=table(EDGES[:size]), headers=headers
                )
            except httpx.HTTPError:
                await asyncio.sleep(0.5)
                continue
            if answer.status_code == 201:
                self.kept.append((answer.json()["id"], size / len(EDGES), time.monotonic() - begun, tries))
                return
            if answer.status_code != 429:
                sys.exit(f"{answer.status_code}: {answer.text}")
            await asyncio.sleep(1)

    async def upload_all(self, address, kill):
        async with httpx.AsyncClient(timeout=60, limits=httpx.Limits(max_connections=None)) as client:
            # The first of every team, then the second: all teams at once.
            uploads = [
                self.upload(client, address, team, number)
                for number in range(self.each)
                for team in range(len(self.tokens))
            ]
            await asyncio.gather(kill(), *uploads)

    def best(self):
        teams = range(len(self.tokens))
        return {f"team {team}": max(size_of(team, n) for n in range(self.each)) / len(EDGES) for team in teams}


async def until(holds):
    while not holds():  # noqa: ASYNC110 - it looks at other processes
        await asyncio.sleep(0.01)


def message(address, path):
    with urllib.request.urlopen(f"{address}{path}", timeout=60) as answer:  # noqa: S310 - the address is our own
        return json.load(answer)


def wait_until_scored(address, kept):
    """Wait for every submission, and list those that have another score than their file."""
    waiting, wrong = {name: recall for name, recall, _, _ in kept}, []
    while waiting:
        time.sleep(0.5)
        for name in list(waiting):
            found = message(address, f"api/submissions/{name}")
            if found["state"] in {"scored", "failed"}:
                expected = waiting.pop(name)
                if found["state"] == "failed" or abs(found["values"]["literal"]["recall"] - expected) > 1e-12:
                    wrong.append(found)
    return wrong


def measured(folder, teams, database):
    server, address = start(folder, database, 0)
    running, killed = [server], []

    async def kill():
        """Kill the server in the middle of the uploads, start it again at its port, and kill a worker."""
        await until(lambda: len(teams.kept) >= len(teams.tokens) * teams.each // 3)
        server.kill()
        server.wait()
        killed.append(f"server after {len(teams.kept)} answers")
        again, _ = await asyncio.to_thread(start, folder, database, int(address.rsplit(":", 1)[1].strip("/")))
        running.append(again)
        await until(lambda: [*workers_of(again)])
        os.kill(next(workers_of(again)), signal.SIGKILL)
        killed.append(f"worker after {len(teams.kept)}")

    begun = time.monotonic()
    asyncio.run(teams.upload_all(address, kill))
    answered = time.monotonic()
    wrong = wait_until_scored(address, teams.kept)
    scored = time.monotonic()
    board = message(address, "api/leaderboard")["rows"]
    running[-1].send_signal(signal.SIGTERM)
    running[-1].wait(30)
    times = sorted(seconds for _, _, seconds, _ in teams.kept)
    print(f"load of this computer: {os.getloadavg()[0]:.0f}, {os.cpu_count()} cores")
    print(f"{len(times)} uploads of {len(teams.tokens)} teams answered in {answered - begun:.1f} s, kills included")
    print(f"an answer took {statistics.median(times):.2f} s in the middle, {times[-1]:.2f} s at most")
    print(f"all scored {scored - answered:.1f} s later: {len(times) / (scored - begun):.1f} a second")
    print(f"killed: {', '.join(killed)}")
    return wrong, board


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--teams", type=int, default=50)
    parser.add_argument("--each", type=int, default=3)
    parser.add_argument("--database")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "challenge.toml").write_text(CHALLENGE)
        (folder / "gold.csv").write_text(table(EDGES))
        teams = Teams(Store(folder / "load-data", asked.database), asked.teams, asked.each)
        wrong, board = measured(folder, teams, asked.database)
    # An upload whose answer the kill cut off may be kept, and is then sent again.
    twice = sum(row["submissions"] for row in board) - len(teams.kept)
    sent_again = sum(tries > 1 for _, _, _, tries in teams.kept)
    right = {row["team"]: row["value"] for row in board} == teams.best()
    print(f"lost or wrong: {len(wrong)}; kept without an answer: {twice} of {sent_again} that were sent again")
    print(f"the leaderboard is as expected: {right}")
    sys.exit(1 if wrong or not right or not 0 <= twice <= sent_again else 0)


if __name__ == "__main__":
    main()
