"""Concepts next to plain scripts: a dictionary of many names, and a corpus of many documents, each side by side in one run.

    python benchmarks/concepts.py [--names 100000] [--megabytes 5] [--documents 100000] [--loop-up-to 10000]

Every figure is the median of its runs, in seconds of processor; every contender runs in a process of its own, from the files to the result, and
reports its peak memory. Vectors are drawn at random and given, so that encoding plays no part.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

RUNS = 3
WORDS = 20_000
DISTINCT = 50_000
DIMENSION = 384
A_SIDE = 20


def write_dictionary(folder, names, megabytes):
    """Write an ontology of random names of one to four words, and a text in which about every tenth word belongs to one."""
    rng = np.random.default_rng(0)
    words = ["".join(chr(97 + c) for c in rng.integers(0, 26, size)) for size in rng.integers(4, 10, 2 * WORDS)]
    chosen = {" ".join(words[w] for w in rng.integers(0, WORDS, size)) for size in rng.integers(1, 5, 2 * names)}
    chosen = sorted(chosen)[:names]
    with Path(folder, "names.obo").open("w", encoding="utf-8") as stream:
        stream.writelines(f"[Term]\nid: X:{row}\nname: {name}\n\n" for row, name in enumerate(chosen))
    pieces, size = [], 0
    while size < megabytes * 2**20:
        draws = rng.integers(WORDS, 2 * WORDS, 960)
        added = [words[w] for w in draws] + [chosen[n] + "." for n in rng.integers(0, len(chosen), 40)]
        pieces += added
        size += sum(map(len, added)) + len(added)
    Path(folder, "text.txt").write_text(" ".join(rng.permutation(pieces)), encoding="utf-8")


def scan_with_goldassay(folder):
    from goldassay.concepts import read_dictionary

    start = time.process_time()
    dictionary = read_dictionary(Path(folder, "names.obo"))
    compiled = time.process_time() - start
    text = Path(folder, "text.txt").read_text(encoding="utf-8")
    start = time.process_time()
    found = len(dictionary.find(text))
    return {"compile": compiled, "scan": time.process_time() - start, "found": found}


def scan_with_a_set(folder):
    """What a script does: look every run of up to four words up in a set of lower-case names, the longest first."""
    start = time.process_time()
    lines = Path(folder, "names.obo").read_text(encoding="utf-8").splitlines()
    names = {tuple(line[6:].lower().split()) for line in lines if line.startswith("name: ")}
    compiled = time.process_time() - start
    text = Path(folder, "text.txt").read_text(encoding="utf-8")
    start = time.process_time()
    words = [(match[0].lower(), match.span()) for match in re.finditer(r"\w+|[^\w\s]", text)]
    at, found = 0, 0
    while at < len(words):
        for size in (4, 3, 2, 1):
            if tuple(word for word, _ in words[at : at + size]) in names:
                found += 1
                at += size
                break
        else:
            at += 1
    return {"compile": compiled, "scan": time.process_time() - start, "found": found}


def write_corpus(folder, documents):
    """Write both sides of a corpus: half of the predicted concepts are those of gold."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, DISTINCT, (documents, A_SIDE))
    pred = np.where(rng.random(gold.shape) < 0.5, gold, rng.integers(0, DISTINCT, gold.shape))
    for name, rows in (("gold", gold), ("pred", pred)):
        with Path(folder, f"{name}.jsonl").open("w", encoding="utf-8") as stream:
            for number, row in enumerate(rows.tolist()):
                record = {"id": str(number), "concepts": [f"concept {one}" for one in row]}
                print(json.dumps(record), file=stream)


def known_vectors():
    vectors = np.random.default_rng(1).normal(size=(DISTINCT, DIMENSION)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class Known:
    """An encoder whose vectors are there already."""

    name, fingerprint, dimension = "known", "0" * 64, DIMENSION

    def __init__(self):
        self.vectors = known_vectors()

    def encode(self, texts, *, progress=None):
        del progress
        return self.vectors[[int(text.removeprefix("concept ")) for text in texts]]


def score_with_goldassay(folder):
    import goldassay

    encoder = Known()
    # Imports are paid before, as those of the loop are.
    small = Path(folder, "small.jsonl")
    small.write_text('{"id": "0", "concepts": ["concept 0"]}\n', encoding="utf-8")
    warm = goldassay.read(small, kind="concepts")
    goldassay.concepts.Concept(epsilon=0.6).score(pred=warm, gold=warm, encoder=encoder)
    start = time.process_time()
    gold, pred = (goldassay.read(Path(folder, f"{name}.jsonl"), kind="concepts") for name in ("gold", "pred"))
    read = time.process_time() - start
    score = goldassay.concepts.Concept(epsilon=0.6).score(pred=pred, gold=gold, encoder=encoder)
    return {
        "read": read,
        "score": time.process_time() - start - read,
        "found": [score.precision, score.recall, score.f1],
    }


def score_with_a_loop(folder):
    """What a script does: for each document two small matrices and their product."""
    vectors = known_vectors()
    start = time.process_time()
    sides = {}
    for name in ("gold", "pred"):
        with Path(folder, f"{name}.jsonl").open(encoding="utf-8") as stream:
            records = map(json.loads, stream)
            sides[name] = {record["id"]: sorted(set(record["concepts"])) for record in records}
    read = time.process_time() - start
    values = []
    for number, theirs in sides["gold"].items():
        ours = sides["pred"][number]
        left, right = (
            np.array([vectors[int(one.removeprefix("concept "))] for one in some]) for some in (ours, theirs)
        )
        hits = int(((left @ right.T).max(axis=1) >= 0.6).sum())
        p, r = hits / len(ours), hits / len(theirs)
        values.append((p, r, 2 * p * r / (p + r) if p + r else 0.0))
    means = np.mean(values, axis=0).tolist()
    return {"read": read, "score": time.process_time() - start - read, "found": means}


CONTENDERS = {
    "names in a set": scan_with_a_set,
    "goldassay dictionary": scan_with_goldassay,
    "loop over documents": score_with_a_loop,
    "goldassay concept": score_with_goldassay,
}


def one(contender, folder):
    messages = CONTENDERS[contender](folder)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(json.dumps({**messages, "peak_mb": peak}))


def measured(contender, folder):
    command = [sys.executable, __file__, "--one", contender, str(folder)]
    messages = [json.loads(subprocess.check_output(command)) for _ in range(RUNS)]
    times = {
        name: statistics.median(each[name] for each in messages)
        for name in messages[0]
        if name not in ("found", "peak_mb")
    }
    peak = max(each["peak_mb"] for each in messages)
    shown = "  ".join(f"{name} {seconds:7.2f} s" for name, seconds in times.items())
    print(f"  {contender:<20} {shown}  {peak:6.0f} MB  {messages[0]['found']}", flush=True)


def side_by_side(arguments):
    with tempfile.TemporaryDirectory() as folder:
        write_dictionary(folder, arguments.names, arguments.megabytes)
        print(f"{arguments.names:,} names, {arguments.megabytes} MB of text")
        for contender in ("names in a set", "goldassay dictionary"):
            measured(contender, folder)
        for documents in sorted({min(arguments.documents, arguments.loop_up_to), arguments.documents}):
            write_corpus(folder, documents)
            print(f"{documents:,} documents of {A_SIDE} concepts a side")
            for contender in ("loop over documents", "goldassay concept"):
                if contender == "goldassay concept" or documents <= arguments.loop_up_to:
                    measured(contender, folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", type=int, default=100_000)
    parser.add_argument("--megabytes", type=int, default=5)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--loop-up-to", type=int, default=10_000)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        one(*arguments.one)
    else:
        side_by_side(arguments)
