"""Hostile input on purpose: files of a small corpus, damaged in every way, given to every reader.

Run by ``make fuzz SECONDS=60 SEED=0``. What an input may do: be read, or be refused with a `GoldassayError` that names what to do.
What it may not: raise anything else, end the process, take longer than `SLOWEST` seconds, or move a number that it should not.
An input that does is kept under ``regressions/TARGET/`` and from then on replayed by ``test_regressions.py``.

Each target runs in processes of its own, so that a parser that aborts costs one input and not the run.
"""

import argparse
import faulthandler
import hashlib
import json
import multiprocessing
import os
import queue
import random
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import goldassay
from goldassay.core.errors import GoldassayError
from goldassay.encoders import PrecomputedEncoder
from goldassay.families import parse
from goldassay.saved import load
from goldassay.unl import DocumentReading, document_of, document_text

HERE = Path(__file__).resolve().parent
CORPUS, REGRESSIONS = HERE / "corpus", HERE / "regressions"
SLOWEST = 30
"""Seconds of processor time; the largest input has some hundred kilobytes, and reads in milliseconds if it takes linear time."""
LARGEST = 300_000
TOKENS = [
    *(bytes([code]) for code in b"\"'<>{}[]()|,;:\t\n\r\\#&%@!*.-0\x00\x1b\x7f"),
    *(
        text.encode()
        for text in ("\ufeff", "\u2028", "\x85", "e\u0301", "\u202e", "\U0001f600", "&a;", "&#0;", "&#xd800;")
    ),
    *(b"\xff", b"\xc3", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?", b"?>"),
    *(
        b"1e400",
        b"-1",
        b"NaN",
        b"9" * 30,
        b"9" * 5000,
        b"null",
        b"true",
        b"[]",
        b"{}",
        b'""',
        b"'''",
        b'"""',
        b"<<(",
        b")>>",
    ),
    *(
        b"[S:",
        b"{unl}",
        b"[W]",
        b"[/W]",
        b".@",
        b"[Term]",
        b"is_a:",
        b"id:",
        b"//[",
        b"x:y",
        b"<a:b>",
        b"{a=b}",
        b" ! ",
    ),
    *(b"<!DOCTYPE a [<!ENTITY a 'b'>]>", b'encoding="utf-7"', b"||", b"|---|", b"_:b", b"@context", b"@id"),
]


def models(kind: str, **reading: object) -> Callable[[Path], None]:
    """Read a file as a model; what is read meets itself, whether bad records stop or are left out."""

    def check(path: Path) -> None:
        for on_error in ("stop", "skip"):
            try:
                model = goldassay.read(path, kind=kind, on_error=on_error, **reading)
            except GoldassayError as error:
                if not (error.message and str(error).encode()):
                    raise AssertionError("an error without a message") from error
                continue
            items = [model.item(row) for row in range(min(len(model), 5))]
            assert all(isinstance(item, str) and item.encode() for item in items)
            if kind == "taxonomy" and len(model):
                assert goldassay.graphs.Literal().score(pred=model, gold=model).f1 == 1

    return check


def unl(path: Path) -> None:
    """What is written reads back the same."""
    models("unl")(path)
    text = path.read_bytes().decode("utf-8", "ignore")
    document = document_of(text, reading=DocumentReading(on_error="skip"))
    if not any(sentence.malformed for sentence in document.sentences):
        again = document_of(document_text(document))
        assert [sentence.relations for sentence in again.sentences] == [s.relations for s in document.sentences]


def report(path: Path) -> None:
    """A report that loads can be shown, and saves to one that says the same."""
    found = load(path)
    found.format("text")
    assert json.loads(found.format("json"))["runs"] == found.to_dict()["runs"]


def vectors(path: Path) -> None:
    """Vectors that load are unit vectors."""
    encoder = PrecomputedEncoder(path)
    texts = list(encoder._rows)[:5]
    assert np.allclose(np.linalg.norm(encoder.encode(texts).astype(float), axis=1), 1, atol=1e-4)


def spec(path: Path) -> None:
    """A spec that parses says itself."""
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    measure = parse(text)
    assert parse(str(measure)) == measure or "nan" in str(measure)


TARGETS: dict[str, Callable[[Path], None]] = {
    "taxonomy": models("taxonomy"),
    "statements": models("taxonomy", edges="all", blank_nodes="keep"),
    "axioms": models("axioms"),
    "alignment": models("alignment"),
    "concepts": models("concepts"),
    "unl": unl,
    "sentences": models("sentences"),
    "triples": models("triples"),
    "report": report,
    "vectors": vectors,
    "spec": spec,
}
SHARED = {"statements": "taxonomy"}


def corpus(target: str) -> list[tuple[str, bytes]]:
    """Return the files of a target by name; those that are binary are made here."""
    home = CORPUS / SHARED.get(target, target)
    files = [(file.name, file.read_bytes()) for file in sorted(home.glob("*"))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if target == "vectors":
            import polars as pl

            rows = [[3.0, 4.0], [0.0, -2.0]]
            np.savez(folder / "v.npz", texts=np.array(["cat", "dog"]), vectors=np.array(rows))
            np.savez_compressed(
                folder / "c.npz", texts=np.array(["cat", "dog"]), vectors=np.array(rows, dtype=np.float32)
            )
            pl.DataFrame({"text": ["cat", "dog"], "vector": rows}).write_parquet(folder / "v.parquet")
        elif target == "report":
            gold = goldassay.Graph.from_edges([("cat", "pet"), ("dog", "pet")])
            pred = goldassay.Graph.from_edges([("cat", "pet"), ("oak", "tree")])
            goldassay.evaluate([pred, gold], gold=gold, measures="literal", intervals=True).save(folder / "r.json")
        elif target == "taxonomy":
            import polars as pl

            pl.DataFrame({"child": ["cat", "dog"], "parent": ["pet", "pet"]}).write_parquet(folder / "t.parquet")
        return files + [(file.name, file.read_bytes()) for file in sorted(folder.iterdir())]


def mutated(data: bytes, other: bytes, draw: random.Random) -> bytes:
    """Damage a file in one to four ways."""
    for _ in range(draw.randint(1, 4)):
        place = draw.randrange(len(data) + 1)
        end = min(len(data), place + draw.choice((1, 2, 8, 40, 400)))
        piece, ways = data[place:end], draw.randrange(10)
        if ways == 0 and piece:
            data = data[:place] + bytes([piece[0] ^ 1 << draw.randrange(8)]) + data[place + 1 :]
        elif ways == 1:
            data = data[:place] + data[end:]
        elif ways in {2, 3}:
            data = data[:place] + draw.choice(TOKENS) + data[place:]
        elif ways == 4:
            data = data[:place] + draw.choice(TOKENS) + data[end:]
        elif ways == 5:
            data = data[:place] + piece * draw.choice((2, 3, 50)) + data[end:]
        elif ways == 6:
            data = data[:place]
        elif ways == 7:
            start = draw.randrange(len(other) + 1)
            data = data[:place] + other[start : start + draw.choice((8, 80, 800))] + data[place:]
        elif ways == 8 and draw.random() < 0.02:
            part = draw.choice((piece, draw.choice(TOKENS))) or b"a"
            data = data[:place] + part * (LARGEST // 2 // len(part)) + data[place:]
        else:
            data = data[:place] + draw.randbytes(draw.randint(1, 4)) + data[end:]
    return data[:LARGEST]


def inputs(target: str, seed: int) -> Iterator[tuple[str, bytes]]:
    """Draw inputs of a target without end: a name and a content."""
    files = corpus(target)
    draw = random.Random(f"{target} {seed}")
    while True:
        name, data = draw.choice(files)
        yield name, mutated(data, draw.choice(files)[1], draw)


def tried(target: str, path: Path) -> str | None:
    """Return one input to its reader; tell what it did that it may not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            TARGETS[target](path)
    except GoldassayError as error:
        return None if str(error).encode() else "an empty message"
    except KeyboardInterrupt:
        raise
    except BaseException:  # a panic of Rust is no Exception
        return traceback.format_exc(limit=-6)
    return None


def keep(target: str, path: Path) -> Path:
    """Keep an input that failed."""
    data = path.read_bytes()
    kept = REGRESSIONS / target / f"{hashlib.sha256(data).hexdigest()[:12]}-{path.name}"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(data)
    return kept


def work(target: str, seed: int, seconds: float, folder: str, found: multiprocessing.Queue) -> None:
    """Try inputs of one target for a while, in a process of its own."""
    # A panic prints a trace, and there are thousands of them.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    end, number, slowest = time.monotonic() + seconds, 0, (0.0, "")
    for name, data in inputs(target, seed):
        path = Path(folder, name)
        path.write_bytes(data)
        # Processor time, which a busy machine does not take away; and ten times that by the clock, for what only waits.
        signal.setitimer(signal.ITIMER_PROF, SLOWEST)
        faulthandler.dump_traceback_later(10 * SLOWEST, exit=True)
        begin = time.process_time()
        problem = tried(target, path)
        took = time.process_time() - begin
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_PROF, 0)
        number += 1
        if problem:
            found.put(("failed", f"{keep(target, path)}\n{problem}"))
        if took > slowest[0]:
            slowest = (took, f"{name}, {len(data):,} bytes")
        path.unlink()
        if time.monotonic() > end:
            break
    found.put(("done", (number, slowest)))


def fuzz(target: str, seed: int, seconds: float) -> tuple[int, tuple[float, str], list[str]]:
    """Run one target; start it again behind an input that ended the process."""
    context, total, slowest, problems = multiprocessing.get_context("spawn"), 0, (0.0, ""), []
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        with tempfile.TemporaryDirectory() as folder:
            found = context.Queue()
            process = context.Process(target=work, args=(target, seed, left, folder, found))
            process.start()
            done = False
            while process.is_alive() or not found.empty():
                try:
                    kind, said = found.get(timeout=0.5)
                except queue.Empty:
                    continue
                if kind == "failed":
                    problems.append(said)
                else:
                    done, total, slowest = True, total + said[0], max(slowest, said[1])
            process.join()
            ended = f"the process ended with {process.exitcode} ({-signal.SIGPROF}: more than {SLOWEST} s)"
            left_behind = [] if done else list(Path(folder).iterdir())
            problems += [f"{keep(target, path)}\n{ended}" for path in left_behind]
        seed += 1_000_003
    return total, slowest, problems or ([] if total else [f"{target}: no input was tried"])


def main() -> int:
    """Run all targets for their share of the time; 1 if anything was found."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--target", action="append", choices=TARGETS)
    chosen = options.parse_args()
    names, every = chosen.target or list(TARGETS), []
    count = 0
    cores = min(os.cpu_count() or 1, len(names))
    with ThreadPoolExecutor(cores) as pool:
        share = chosen.seconds * cores / len(names)
        found = pool.map(lambda name: fuzz(name, chosen.seed, share), names)
    for name, (number, (took, what), problems) in zip(names, found, strict=True):
        count += number
        every += problems
        sys.stdout.write(f"{name:<12}{number:>10,} inputs, slowest {took:.2f} s ({what}), {len(problems)} found\n")
    sys.stdout.write("".join(f"\n{problem}\n" for problem in every[:20]))
    sys.stdout.write(f"\n{count:,} inputs, {len(every)} found\n")
    return int(bool(every))


if __name__ == "__main__":
    sys.exit(main())
