"""Memory in proportion to the file: reading twice as much may raise the peak by a bounded number of bytes per byte.

``python -m tests.fuzz.memory [KIND|FORM]`` measures the forms of a family, a form, or all. Each is written at n and 2n bytes, and both are read by a process of its own, one
after the other: what the first leaves free the second takes again, so that the difference of the peaks is what n bytes cost.
"""

import json
import random
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.fuzz import forms

SIZE = 1_000_000
"""Bytes of the smaller file."""
MOST = 30
"""Bytes of memory per byte of a file."""
MORE = {
    ("taxonomy", "owl-functional"): 75,
    ("taxonomy", "obo"): 40,
    ("axioms", "markdown"): 35,
    ("labels", "cafa"): 45,
    ("annotated", "csv"): 50,
    ("annotated", "tsv"): 50,
    ("annotated", "hemkit"): 300,
    ("built", "LlamaIndex, graph_dict"): 70,
    ("built", "Neo4j, APOC CSV"): 45,
    ("built", "Neo4j, browser CSV"): 45,
    ("built", "REBEL"): 45,
    ("built", "mREBEL"): 45,
}
"""Forms that may take more: the parser of OWL keeps a tree of the whole file, and a row of two to twelve bytes is a name, a code and an entry of a table of names."""
NOT_MEASURED = ("brat", "model-output")
"""A folder, and the answers of language models, which are not that long."""


def edges(count: int) -> forms.Rows:
    return [(f"node number {row}", f"node number {row // 2}") for row in range(1, count)]


def documents(count: int) -> forms.Rows:
    return [(str(row // 5 + 1), f"subject {row}", f"relation {row % 9}", f"object {row}") for row in range(count)]


def meanings(count: int) -> forms.Rows:
    words = [("02", "cat"), ("03", "fish.@pl")]
    return [
        (str(row + 1), [(label, ("01", f"eat{row}"), word) for label, word in zip(("agt", "obj"), words, strict=True)])
        for row in range(count)
    ]


ROWS: dict[str, Callable[[int], forms.Rows]] = {
    "taxonomy": edges,
    "alignment": lambda count: [(f"http://a/{row}", f"http://b/x{row}", 0.5) for row in range(count)],
    "mappings": lambda count: [(f"http://a/{row}", f"http://b/x{row}") for row in range(count)],
    "triples": documents,
    "graphs": documents,
    "message": documents,
    "built": lambda count: [(f"cat {row}", "IS_A", f"pet {row // 2}") for row in range(count)],
    "axioms": lambda count: [(f"class {row}", f"property {row % 9}", f"object {row}") for row in range(count)],
    "concepts": lambda count: [(f"d{row}", [f"concept {row}", f"concept {row + 1}"]) for row in range(count)],
    "annotations": lambda count: [(f"{row}1", ["asthma", f"knee pain {row}", "fever"]) for row in range(count)],
    "labels": lambda count: [(f"i{row}", f"GO:{row % 6}", "0.50") for row in range(count)],
    "annotated": lambda count: [(str(row + 1), str(row % 5 + 1)) for row in range(count)],
    "unl": meanings,
    "sentences": lambda count: [(str(row + 1), f"the cat number {row} eats fish.") for row in range(count)],
}
"""Many rows of a model, all of them short and few of them alike, which is what takes most memory."""
FORMS = [(kind, form) for kind in forms.FORMS for form in forms.FORMS[kind][1] if form not in NOT_MEASURED]


def written(kind: str, form: str, size: int) -> bytes:
    """Write a model in a form, as large as asked for."""
    write = forms.FORMS[kind][1][form]
    count = 500
    found = write(ROWS[kind](count), random.Random(1))
    return write(ROWS[kind](count * size // len(found)), random.Random(1))


def peak() -> int:
    """Return the most memory that this process has had, in bytes."""
    status = Path("/proc/self/status").read_text()
    return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])


def read(kind: str, files: list[str]) -> list[int]:
    """Read files, and return the peak after each."""
    import goldassay

    peaks = []
    for file in files:
        goldassay.read(file, kind=forms.KINDS.get(kind, kind), **forms.OPTIONS.get(kind, {}))
        peaks.append(peak())
    return peaks


def cost(kind: str, form: str, folder: Path, size: int = SIZE) -> float:
    """Measure the bytes of memory per byte of a file."""
    files = []
    for name, bytes_ in (("few", size // 20), ("one", size), ("two", 2 * size)):
        path = forms.named(kind, form, folder, f"{form}-{name}")
        path.write_bytes(written(kind, form, bytes_))
        files.append(path)
    command = [sys.executable, "-m", "tests.fuzz.memory", kind, json.dumps(list(map(str, files)))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(done.stderr[-2000:])
    _, one, two = json.loads(done.stdout)
    return (two - one) / (files[2].stat().st_size - files[1].stat().st_size)


def problems() -> Iterator[str]:
    """Measure every form."""
    for kind, form in FORMS:
        with tempfile.TemporaryDirectory() as folder:
            found = cost(kind, form, Path(folder))
        most = MORE.get((kind, form), MOST)
        if found > most:
            yield f"{kind} as {form}: {found:.1f} bytes of memory per byte, where {most} are allowed"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if len(sys.argv) > 2:
        sys.stdout.write(json.dumps(read(sys.argv[1], json.loads(sys.argv[2]))))
    else:
        for kind, form in FORMS:
            if len(sys.argv) > 1 and sys.argv[1] not in {form, kind}:
                continue
            with tempfile.TemporaryDirectory() as folder:
                sys.stdout.write(f"{kind:<12}{form:<28}{cost(kind, form, Path(folder)):>6.1f}\n")
                sys.stdout.flush()
