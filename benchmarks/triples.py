"""Scoring triples per document: the data of WebNLG by its rules, and very many documents.

    python benchmarks/triples.py webnlg PRED.xml GOLD.xml [--script Evaluation_script_json.py]
    python benchmarks/triples.py many [--documents 1000000] [--names strict fuzzy]

Every program runs in a process of its own, from the files to the score, and reports its time and its peak memory. The script of the
challenge is run where its path is given, with the interpreter that runs this. ``many`` makes documents of five triples a side,
of which about half match, as JSON Lines; for fuzzy names the vectors are random and ready.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

RUNS = 3
TRIPLES = 5
NAMES = 200_000
PREDICATES = 300


def measured(code, *arguments):
    """Run code in a process of its own; show its seconds, those of the processor, and its peak memory."""
    seconds, used, memory = [], [], 0
    for _ in range(RUNS):
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)], check=True, capture_output=True, text=True
        )
        seconds.append(time.perf_counter() - start)
        found = done.stdout.split()
        used.append(float(found[-2]))
        memory = max(memory, int(found[-1]))
    return f"{statistics.median(seconds):.2f} s ({statistics.median(used):.2f} s of processor), {memory:,} MB"


USED = """
import resource
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, used.ru_maxrss // 1024)
"""


OURS = (
    """
import sys, warnings
import goldassay
warnings.simplefilter("ignore")
pred, gold, *measures = sys.argv[1:]
scores = goldassay.evaluate(pred, gold=gold, kind="triples", measures=measures).runs[0].scores
print(*(score.format() for score in scores), sep="\\n", file=sys.stderr)
"""
    + USED
)

PLAIN = (
    """
import json, sys
answers = {}
with open(sys.argv[1], encoding="utf-8") as stream:
    for line in stream:
        record = json.loads(line)
        answers[record["id"]] = {tuple(triple) for triple in record["triples"]}
hits = expected = 0
with open(sys.argv[2], encoding="utf-8") as stream:
    for line in stream:
        record = json.loads(line)
        triples = {tuple(triple) for triple in record["triples"]}
        hits += len(triples & answers.get(record["id"], set()))
        expected += len(triples)
predicted = sum(map(len, answers.values()))
print(hits / predicted, hits / expected, file=sys.stderr)
"""
    + USED
)


def webnlg(arguments):
    modes = ["strict", "exact", "partial", "ent_type"]
    print(
        "goldassay, four modes:",
        measured(OURS, arguments.pred, arguments.gold, *(f"webnlg(mode={mode})" for mode in modes)),
    )
    if arguments.script:
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            subprocess.run(
                [sys.executable, arguments.script, arguments.gold, arguments.pred, str(Path(folder, "out.json"))],
                check=True,
            )
            seconds = time.perf_counter() - start
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        print(f"the script of the challenge: {seconds:.2f} s, {memory} MB")


def write_documents(path, documents, seed):
    """Write random documents: a triple keeps or changes its object from one seed to the other."""
    fixed, own = np.random.default_rng(1), np.random.default_rng(seed)
    with path.open("w", encoding="utf-8") as stream:
        for first in range(0, documents, 10_000):
            shape = (min(10_000, documents - first), TRIPLES)
            subjects, predicates, things = (fixed.integers(0, most, shape) for most in (NAMES, PREDICATES, NAMES))
            things = np.where(own.random(shape) < 0.7, things, own.integers(0, NAMES, shape))
            for row in range(shape[0]):
                triples = [
                    [f"thing {s}", f"relation {p}", f"thing {o}"]
                    for s, p, o in zip(subjects[row], predicates[row], things[row], strict=True)
                ]
                stream.write(json.dumps({"id": f"d{first + row}", "triples": triples}) + "\n")


FUZZY = (
    """
import sys, warnings
import numpy as np
from goldassay.core.context import Context
from goldassay.triples import TripleF1, read_triples_of_documents
warnings.simplefilter("ignore")

class Ready:
    name, fingerprint, dimension = "random", "0" * 8, 384
    def encode(self, texts, *, progress=None):
        found = np.random.default_rng(0).standard_normal((len(texts), 384), dtype=np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)

pred, gold = (read_triples_of_documents(path) for path in sys.argv[1:3])
score = TripleF1(names="fuzzy").evaluate(pred=pred, gold=gold, context=Context(encoder=Ready()))
print(score.format(), file=sys.stderr)
"""
    + USED
)


def many(arguments):
    global RUNS  # noqa: PLW0603 - one run is enough of what takes minutes
    RUNS = 1
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{name}.jsonl") for name in ("pred", "gold")]
        for seed, path in enumerate(paths, start=2):
            write_documents(path, arguments.documents, seed)
        for names in arguments.names:
            code, extra = (FUZZY, []) if names == "fuzzy" else (OURS, [f"triples(names={names})"])
            message = f"{arguments.documents:,} documents of {TRIPLES} triples a side, {names}:"
            print(message, measured(code, *paths, *extra), flush=True)
            if names == "strict":
                print("a plain script with sets of tuples:", measured(PLAIN, *paths), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    first = commands.add_parser("webnlg")
    first.add_argument("pred")
    first.add_argument("gold")
    first.add_argument("--script")
    first.set_defaults(run=webnlg)
    second = commands.add_parser("many")
    second.add_argument("--documents", type=int, default=1_000_000)
    second.add_argument("--names", nargs="+", default=["strict", "fuzzy"])
    second.set_defaults(run=many)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
