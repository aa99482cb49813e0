"""Memory in proportion to the file: reading twice as much may raise the peak by a bounded number of bytes per byte.

``python -m tests.fuzz.memory [KIND|FORM]`` measures the forms of a family, a form, or all. Each is written at n and 2n bytes, and both are read by a process of its own, one
after the other: what the first leaves free the second takes again, so that the difference of the peaks is what n bytes cost.
"""

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.fuzz import forms

from goldassay.families import families

SIZES = (50_000, 1_000_000, 2_000_000)
"""Bytes of the files; the first is there for what is loaded once."""
MOST = 30
"""Bytes of memory per byte of a file."""
ONE_LINE = "one line"
MORE = {
    ("taxonomy", "owl-functional"): 65,
    ("annotated", "csv"): 45,
    ("annotated", "tsv"): 45,
    ("annotated", "hemkit"): 220,
    ("built", "Neo4j, APOC CSV"): 45,
    ("built", "Neo4j, browser CSV"): 40,
    ("built", "LangChain"): 35,
    ("built", "LangChain, lines"): 35,
    ("concepts", ONE_LINE): 160,
    ("alignment", ONE_LINE): 40,
    ("labels", ONE_LINE): 45,
    ("triples", ONE_LINE): 45,
    ("unl", "one sentence, list"): 40,
    ("taxonomy", "answer, outline"): 40,
    ("taxonomy", "answer, sentences"): 40,
    ("labels", "answer, table"): 35,
}
"""Forms that may take more.

The parser of OWL keeps a tree of the whole file, and writes it as RDF/XML of three times the size. A row of HEMKit of two bytes is a name, a code
and a score, in 169 to 204 bytes for each byte; a row of two cells of seven bytes as well. Neo4j's tables refer to nodes by numbers of few digits. A text of
concepts without a mark is one run of words, each an object. A sentence of UNL in a list is cut into its relations.
Files of one line are read one after the other by one process, whose free memory is in pieces: each in a process of its own, none of labels
takes more than 28, none of triples more than 22, and none of alignments more than 21. Objects of LangChain take 30 to 31.5.
A line of an outline, or a row of short cells, of an answer is an object for each of its names.
"""


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
    "described": documents,
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
ONE_SENTENCE = {"one sentence": forms.unl_table, "one sentence, list": forms.unl_list}


def fenced(rows: forms.Rows, _: random.Random) -> bytes:
    return f"Sure!\n\n```json\n{json.dumps(rows)}\n```\nDone.".encode()


def in_table(*head: str) -> forms.Writer:
    """Write a table in the Markdown of an answer."""
    return lambda rows, _: "\n".join(
        [
            "Here it is:\n",
            *(f"| {' | '.join(map(str, row))} |" for row in (head, ["---"] * len(head), *rows)),
            "\nDone.",
        ]
    ).encode()


def by_line(line: str) -> forms.Writer:
    return lambda rows, _: ("Here it is:\n\n" + "".join(line.format(*row) for row in rows)).encode()


ANSWERS: dict[tuple[str, str], forms.Writer] = {
    **{
        (kind, f"answer, {form}"): writer
        for kind, head in {
            "taxonomy": ("child", "parent"),
            "alignment": ("source", "target", "score"),
            "triples": ("id", "subject", "predicate", "object"),
            "axioms": ("class", "property", "object"),
            "labels": ("instance", "label", "score"),
        }.items()
        for form, writer in (("JSON", fenced), ("table", in_table(*head)))
    },
    ("concepts", "answer, JSON"): lambda rows, draw: fenced(
        [{"id": name, "concepts": found} for name, found in rows], draw
    ),
    ("taxonomy", "answer, outline"): by_line("- {1}\n  - {0}\n"),
    ("taxonomy", "answer, sentences"): by_line("A {0} is a {1}.\n"),
    ("taxonomy", "answer, arrows"): by_line("{0} -> {1}\n"),
    ("triples", "answer, tuples"): by_line("({1}, {2}, {3})\n"),
}
"""What language models write; they choose one way, and the forms of the fuzzer any."""
FORMS = [
    *((kind, form) for kind in forms.FORMS for form in forms.FORMS[kind][1] if form != "model-output"),
    *(("unl", form) for form in ONE_SENTENCE),
    *ANSWERS,
]


def written(kind: str, form: str, size: int, path: Path) -> int:
    """Write a model in a form, as large as asked for; return how many bytes were written."""
    count = 500
    with tempfile.TemporaryDirectory() as folder:
        few = _write(kind, form, count, Path(folder, path.name))
    return _write(kind, form, count * size // few, path)


def _write(kind: str, form: str, count: int, path: Path) -> int:
    rows, draw = ROWS[kind](count), random.Random(1)
    if form == "brat":
        forms.write_brat(rows, path)
        return sum(file.stat().st_size for file in path.iterdir())
    if form in ONE_SENTENCE:
        rows = [("1", list(dict.fromkeys(relation for _, relations in rows for relation in relations)))]
    write = ANSWERS.get((kind, form)) or (ONE_SENTENCE | forms.FORMS[kind][1])[form]
    path.write_bytes(write(rows, draw))
    return path.stat().st_size


def cost(kind: str, form: str, folder: Path) -> float:
    """Measure the bytes of memory per byte of a file; of files of one line the most that any of them takes."""
    if form == ONE_LINE:
        return _growth(list(SIZES), kind, str(folder), list(SIZES))
    files, sizes = [], []
    for name, size in zip(("few", "one", "two"), SIZES, strict=True):
        path = forms.named(kind, form, folder, f"{form}-{name}")
        path = path.with_suffix(".txt") if (kind, form) in ANSWERS else path
        files.append(str(path if form != "brat" else path.with_suffix("")))
        sizes.append(written(kind, form, size, Path(files[-1])))
    return _growth(sizes, forms.KINDS.get(kind, kind), files, forms.OPTIONS.get(kind, {}))


def _growth(sizes: list[int], kind: str, *given: object) -> float:
    """Read files of growing sizes in a process of its own; return the bytes of memory for each byte that the last has more."""
    command = [sys.executable, "-m", "tests.fuzz.peaks", kind, *map(json.dumps, given)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(done.stderr[-2000:])
    peaks = json.loads(done.stdout)
    return (peaks[2] - peaks[1]) / (sizes[2] - sizes[1])


def problems() -> Iterator[str]:
    """Measure every form, and files of one line."""
    for kind, form in [*FORMS, *((kind, ONE_LINE) for kind in families())]:
        with tempfile.TemporaryDirectory() as folder:
            found = cost(kind, form, Path(folder))
        most = MORE.get((kind, form), MOST)
        if found > most:
            yield f"{kind} as {form}: {found:.1f} bytes of memory per byte, where {most} are allowed"


if __name__ == "__main__":
    for kind, form in [*FORMS, *((kind, ONE_LINE) for kind in families())]:
        if len(sys.argv) > 1 and sys.argv[1] not in {form, kind}:
            continue
        with tempfile.TemporaryDirectory() as folder:
            measured = cost(kind, form, Path(folder))
            sys.stdout.write(f"{kind:<12}{form:<28}{measured:>6.1f}\n")
            sys.stdout.flush()
