"""A dictionary as large as the UMLS: compiled once, opened, and searched for in a text; the names are drawn at random.

    python benchmarks/dictionary.py [--names 10000000] [--megabytes 50] [--folder FOLDER]

Every step runs in a process of its own, and reports its peak memory. FOLDER keeps the files between runs; they have 120 bytes a name.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

WORDS = 500_000
AT_ONCE = 1_000_000
NAMES_OF_A_CONCEPT = 4
LONGEST = 6


def vocabulary(rng):
    """Words of three to twelve letters; of the first, which are the most frequent, many names are made."""
    letters = rng.choice(np.frombuffer(b"eeeaaiioontrslcdpmhugbfyvk", dtype=np.uint8), (WORDS, 12))
    return pl.Series(
        [row[:size].tobytes().decode() for row, size in zip(letters, rng.integers(3, 13, WORDS), strict=True)]
    )


def drawn(rng, size):
    """Draw words by Zipf's law, as texts have them."""
    return np.minimum((rng.pareto(0.6, size) * 100).astype(np.int64), WORDS - 1)


def names_of(words, rng, rows):
    lengths = rng.integers(1, LONGEST + 1, rows)
    columns = [pl.when(pl.Series(lengths > place)).then(words.gather(drawn(rng, rows))) for place in range(LONGEST)]
    return pl.select(pl.concat_str(columns, separator=" ", ignore_nulls=True).alias("STR"))["STR"]


def write(folder, names, megabytes):
    """Write MRCONSO.RRF, MRSTY.RRF and a text of which about every eighth word belongs to a name."""
    rng = np.random.default_rng(0)
    words, others = vocabulary(rng), vocabulary(rng)
    messages = []
    with Path(folder, "MRCONSO.RRF").open("wb") as stream:
        for start in range(0, names, AT_ONCE):
            rows = min(AT_ONCE, names - start)
            strings = names_of(words, rng, rows)
            messages.append(strings.head(20_000))
            number = pl.int_range(start, start + rows, eager=True)
            first = (number % NAMES_OF_A_CONCEPT == 0).alias("first")
            cui = pl.format("C{}", (number // NAMES_OF_A_CONCEPT).cast(pl.String).str.zfill(7))
            kind = pl.when(first).then(pl.lit("P|L0000000|PF|S0000000|Y")).otherwise(pl.lit("S|L0000000|VO|S0000000|N"))
            line = pl.format("{}|ENG|{}|A{}||||SNOMEDCT_US|PT|{}|{}|9|N|256|", cui, kind, number, number, strings)
            stream.write(pl.select(line).to_series().str.join("\n").item().encode() + b"\n")
    with Path(folder, "MRSTY.RRF").open("w", encoding="utf-8") as stream:
        stream.writelines(
            f"C{row:07}|T047|B2.2.1.2.1|Disease or Syndrome|AT{row}|256|\n"
            for row in range(names // NAMES_OF_A_CONCEPT)
        )
    known, text, size = pl.concat(messages), [], 0
    while size < megabytes * 10**6:
        parts = [*others.gather(drawn(rng, 9600)).to_list(), *known.gather(rng.integers(0, len(known), 400)).to_list()]
        text += [parts[row] + (". " if row % 10 == 0 else " ") for row in rng.permutation(len(parts)).tolist()]
        size += sum(map(len, parts)) + len(parts)
    Path(folder, "text.txt").write_text("".join(text), encoding="utf-8")


def step(name, folder):
    import goldassay.concepts

    start = time.perf_counter()
    dictionary = goldassay.concepts.read_dictionary(folder)
    messages = {"step": name, "read": time.perf_counter() - start, "processor": time.process_time()}
    if name == "scan":
        text = Path(folder, "text.txt").read_text(encoding="utf-8")
        dictionary.find(text[: 10**5])
        start, before = time.perf_counter(), time.process_time()
        found = len(dictionary.find(text))
        messages |= {"megabytes a second": len(text) / 1e6 / (time.perf_counter() - start)}
        messages |= {"of processor time": len(text) / 1e6 / (time.process_time() - before), "found": found}
        notes = [text[at : at + 1000] for at in range(0, 5 * 10**6, 1000)]
        start, before = time.perf_counter(), time.process_time()
        found = sum(map(len, dictionary.find_all(notes)))
        messages |= {"as notes of 1,000 characters": 5 / (time.perf_counter() - start)}
        messages |= {"notes, of processor time": 5 / (time.process_time() - before)}
    messages["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(json.dumps(messages))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", type=int, default=10_000_000)
    parser.add_argument("--megabytes", type=int, default=50)
    parser.add_argument("--folder")
    parser.add_argument("--step", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        step(arguments.step, arguments.folder)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments.folder or temporary)
        folder.mkdir(exist_ok=True)
        if not (folder / "text.txt").exists():
            write(folder, arguments.names, arguments.megabytes)
        print(f"{(folder / 'MRCONSO.RRF').stat().st_size / 1e6:,.0f} MB", flush=True)
        environment = {**os.environ, "GOLDASSAY_CACHE_DIR": temporary}
        for name in ("build", "open", "scan"):
            command = [sys.executable, __file__, "--folder", str(folder), "--step", name]
            subprocess.run(command, env=environment, check=True)


if __name__ == "__main__":
    main()
