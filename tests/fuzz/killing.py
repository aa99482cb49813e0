"""Kill a run at random moments while it encodes, caches and writes; look at what it leaves: ``python -m tests.fuzz.killing 200``.

Nothing may be left that is half a file, that cannot be read, or that moves a number: after each kill the outputs are
whole or absent, the cache is sound, and in the end a run gives the scores of a run that no one killed.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from goldassay.encoders import cache_info
from goldassay.encoders.cache import _open

WORDS = [
    f"disease of the {organ} number {number}" for organ in ("heart", "liver", "skin", "eye") for number in range(400)
]
EVERY = 20
"""Kills after which the cache is deleted, so that there is something to encode again."""


ARGUMENTS = ("taxonomy", "gold.csv", "-g", "gold.csv", "-m", "fuzzy", "--format", "json", "-o", "out.json",
             "--explain", "why.tsv", "--report", "page.html")  # fmt: skip
"""A run that writes every kind of output."""


def wrong(folder: Path, expected: object) -> list[str]:
    """Say what is wrong with what a run left."""
    found = []
    out, why, page = (folder / name for name in ("out.json", "why.tsv", "page.html"))
    if out.exists():
        try:
            scores = json.loads(out.read_text())["runs"][0]["scores"][0]["values"]
            found += [] if scores == expected else [f"another number: {scores}"]
        except ValueError:
            found.append("half a report")
    if why.exists() and len(why.read_text().split("\n")) != 2 * len(WORDS) + 2:
        found.append("half an explanation")
    if page.exists() and not page.read_text().rstrip().endswith("</html>"):
        found.append("half a page")
    cache = folder / "cache" / "embeddings.sqlite"
    if cache.exists():
        try:
            cache_info(cache)
            with closing(_open(cache)) as connection:
                found += (
                    [] if connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)] else ["a damaged cache"]
                )
        except Exception as error:
            found.append(f"the cache cannot be opened: {error}")
    return found


def main() -> int:
    """Kill as many runs as the first argument says; 1 if anything was wrong."""
    kills, seed = int(sys.argv[1]) if len(sys.argv) > 1 else 200, 0
    draw = random.Random(seed)
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "gold.csv").write_text("child,parent\n" + "".join(f"{word},disease\n" for word in WORDS))
        command = [sys.executable, "-m", "goldassay", *ARGUMENTS]
        environment = {**os.environ, "GOLDASSAY_CACHE_DIR": str(folder / "cache")}

        def clear() -> None:
            for path in (
                *folder.glob("cache/*"),
                *folder.glob("*.json"),
                *folder.glob("*.tsv"),
                *folder.glob("*.html"),
            ):
                path.unlink()

        def run() -> float:
            begin = time.monotonic()
            subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
            return time.monotonic() - begin

        whole = run()
        expected = json.loads((folder / "out.json").read_text())["runs"][0]["scores"][0]["values"]
        killed = ended = 0
        while killed < kills:
            if (killed + ended) % EVERY == 0:
                clear()
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            time.sleep(draw.uniform(0.1, 1) * whole)
            process.send_signal(signal.SIGKILL)
            hit = process.wait() == -signal.SIGKILL
            killed, ended = killed + hit, ended + (not hit)
            problems += [f"kill {killed}: {one}" for one in wrong(folder, expected)]
        run()
        problems += [f"afterwards: {one}" for one in wrong(folder, expected)]
        next_to = [path.name for path in folder.iterdir() if path.name.startswith(".")]
    sys.stdout.write("".join(f"{problem}\n" for problem in problems))
    sys.stdout.write(
        f"{killed} kills, {len(problems)} problems, {len(next_to)} temporary files; {ended} runs had ended before\n"
    )
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
