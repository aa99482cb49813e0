"""Reading side by side with rdflib: seconds (median of five) and peak memory, each contender in a process of its own.

Usage: python benchmarks/reading.py [FILE...]
       python benchmarks/reading.py --spellings [concepts [DOCUMENTS] | triples | tables]

Without a FILE it reads the files of the reference data that the documentation quotes, or, where there are none, a made-up
ontology; and a made-up table of a million rows.

With ``--spellings`` it writes each format in many spellings, reads each next to a loop over ``json`` or ``csv`` that makes the same checks, and prints
ratios of processor time, at the end the worst of all: ``concepts`` are documents with lists of concepts (20,000), ``triples`` documents with lists
of triples (`records.py`), ``tables`` the tables and the records of one item of all families (`tables.py`). For concepts there is also a bare loop,
which puts what it finds into sets without a look: that ids are texts or whole numbers and occur once, that concepts are not empty, without blanks around them,
and, where they have offsets in a text, whether a phrase before them negates them or makes them uncertain.
"""

import ast
import csv
import gc
import io
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

REPEATS = 5
PHRASES = re.compile(
    r"\b(?:no|not|without|denie[sd]|negative for|free of|absence of|ruled out|possibl[ey]|probabl[ey]|likely|history of|if)\b",
    re.IGNORECASE,
)
ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("GOLDASSAY_REFERENCE_DATA", ROOT.parent / "shared" / "data"))
QUOTED = ("graphs/breast_neoplasm_taxonomy.owl", "ontologies/schemaorg-30.0.ttl", "alignments/anatomy/target.xml")
RDFLIB = {
    "rdf-xml": "xml",
    "turtle": "turtle",
    "n-triples": "nt",
    "n-quads": "nquads",
    "trig": "trig",
    "json-ld": "json-ld",
}


def read_with_goldassay(file):
    from goldassay.graphs.read import read_graph

    return len(read_graph(file))


def read_with_rdflib(file):
    import rdflib

    from goldassay.formats import load, recognise

    return len(rdflib.Graph().parse(file, format=RDFLIB[recognise(load(file))]))


CONTENDERS = {"goldassay": read_with_goldassay, "rdflib": read_with_rdflib}


def measure(name, file):
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        CONTENDERS[name](file)
        seconds.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([statistics.median(seconds), peak]))


def measured(name, file):
    command = [sys.executable, __file__, "--one", name, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def made_up_ontology(folder):
    file = folder / "made_up_20k_classes.ttl"
    head = "@prefix : <http://a/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    lines = (f":c{i} rdfs:subClassOf :c{i // 3} ; rdfs:label 'class {i}'@en .\n" for i in range(1, 20_000))
    file.write_text(head + "".join(lines))
    return file


def made_up_table(folder):
    file = folder / "made_up_1M_rows.tsv"
    # Line by line: a child process starts out with its parent's peak memory as its own.
    with file.open("w") as table:
        table.write("child\tparent\n")
        table.writelines(f"word {i}\tword {i // 7}\n" for i in range(1, 1_000_001))
    return file


def row(file):
    goldassay, rdflib = measured("goldassay", file), measured("rdflib", file)
    if goldassay is None:
        return f"{file.name:<34} goldassay cannot read this file"
    theirs = (
        "      -      -      -"
        if rdflib is None
        else f"{rdflib[0]:>7.3f}{rdflib[0] / goldassay[0]:>6.1f}x{rdflib[1]:>7.0f}"
    )
    return f"{file.name:<34}{goldassay[0]:>7.3f}{goldassay[1]:>7.0f}{theirs}"


def documents(count):
    """Make up documents of eight concepts each."""
    draws = random.Random(0)  # noqa: S311 - no secret
    return [
        {"id": f"d{row}", "concepts": [f"concept number {draws.randrange(5000)}" for _ in range(8)]}
        for row in range(count)
    ]


def lines(records, end="\n", **options):
    return end.join(json.dumps(record, **options) for record in records) + end


def table(records, write, end="\n", **more):
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator=end)
    writer.writerow([*more, "id", "concepts"])
    writer.writerows([*more.values(), record["id"], write(record["concepts"])] for record in records)
    return stream.getvalue()


def spellings_of_concepts(records):
    """Write documents in every spelling, each with how its lists of concepts are written in a cell."""
    accent = [*records[:-1], {"id": "last", "concepts": ["caf\u00e9"]}]
    accents = [
        {**one, "concepts": [name.replace("number", "caf\u00e9") for name in one["concepts"]]} for one in records
    ]
    objects = [
        {**one, "concepts": [{"text": name, "id": f"C{name[15:]}"} for name in one["concepts"]]} for one in records
    ]
    asserted = [
        {
            **one,
            "concepts": [
                {"text": name, "assertion": "negated"} if at % 4 == 0 else {"text": name}
                for at, name in enumerate(one["concepts"])
            ],
        }
        for one in records
    ]
    placed = list(map(placed_in_a_text, records))
    mixed = [
        {
            **one,
            "concepts": [
                {"text": name, "score": at / 8} if at % 2 else name for at, name in enumerate(one["concepts"])
            ],
        }
        for one in records
    ]
    return {
        "plain.jsonl": lines(records),
        "an escaped accent.jsonl": lines(accent),
        "an accent.jsonl": lines(accent, ensure_ascii=False),
        "accents.jsonl": lines(accents, ensure_ascii=False),
        "numeric ids.jsonl": lines({**one, "id": row} for row, one in enumerate(records)),
        "objects.jsonl": lines(objects),
        "objects and texts.jsonl": lines(mixed),
        "assertions.jsonl": lines(asserted),
        "offsets in texts.jsonl": lines(placed),
        "offsets in texts.json": json.dumps(placed),
        "more keys.jsonl": lines({"id": one["id"], "model": "m", "more": {"a": [1]}, **one} for one in records),
        "texts.jsonl": lines({**one, "text": ", ".join(one["concepts"])} for one in records),
        "another order.jsonl": lines({"concepts": one["concepts"], "id": one["id"]} for one in records),
        "CRLF.jsonl": lines(records, end="\r\n"),
        "array.json": json.dumps(records),
        "pretty array.json": json.dumps(records, indent=2),
        "bars.csv": table(records, "|".join),
        "JSON.csv": table(records, json.dumps),
        "Python.csv": table(records, str),
        "quotes, breaks, CRLF.csv": table(records, "|".join, end="\r\n", note='two\nlines, and "quotes"'),
    }


def in_memory(records):
    """Give documents as programs hold them, each kind with a loop over its records."""
    import pandas as pd
    import polars as pl

    objects = [{**one, "concepts": [{"text": name} for name in one["concepts"]]} for one in records]
    bars = [{**one, "concepts": "|".join(one["concepts"])} for one in records]
    return {
        "list of dictionaries": records,
        "dictionaries with objects": objects,
        "Polars, lists": pl.DataFrame(records),
        "Polars, bars": pl.DataFrame(bars),
        "pandas, lists": pd.DataFrame(records),
        "pandas, bars": pd.DataFrame(bars),
    }


def placed_in_a_text(record):
    """Write the concepts of a document as a text, one in ten negated, and each with its offsets."""
    text, concepts = "", []
    for name in record["concepts"]:
        before, after = ("There is no ", ". ") if name.endswith("0") else ("We found ", ", and more. ")
        start = len(text) + len(before)
        concepts.append({"text": name, "start": start, "end": start + len(name)})
        text += f"{before}{name}{after}"
    return {"id": record["id"], "text": text, "concepts": concepts}


def read_with_a_loop(given, look):
    """Read documents into sets; ``look`` says whether to look at what is read."""
    if not isinstance(given, Path):
        records = (
            given
            if isinstance(given, list)
            else given.iter_rows(named=True)
            if hasattr(given, "iter_rows")
            else given.to_dict("records")
        )
        return sets_of(({**row, "concepts": listed(row["concepts"])} for row in records), look)
    with given.open(newline="", encoding="utf-8") as stream:
        if given.suffix == ".csv":
            parsed = {"JSON": json.loads, "Python": ast.literal_eval}.get(given.stem, listed)
            return sets_of(({**row, "concepts": parsed(row["concepts"])} for row in csv.DictReader(stream)), look)
        return sets_of(json.load(stream) if given.suffix == ".json" else map(json.loads, stream), look)


def listed(cell):
    return cell.split("|") if isinstance(cell, str) else cell


def sets_of(records, look):
    seen, sets = {}, []
    for number, record in enumerate(records):
        name, concepts = record["id"], record["concepts"]
        if look:
            if type(name) not in {str, int} or not str(name).strip() or str(name).strip() in seen:
                raise ValueError(f"record {number}: the id {name!r}")
            name, concepts = str(name).strip(), [looked_at(one, number, record) for one in concepts]
            if any(isinstance(one, dict) and "start" in one for one in record["concepts"]):
                concepts = asserted(record["text"], concepts)
        elif concepts and isinstance(concepts[-1], dict):
            concepts = [one if isinstance(one, str) else one.get("id") or one["text"] for one in concepts]
        seen[name] = number
        sets.append(set(concepts))
    return sets


def asserted(text, concepts):
    """Say of each concept whether a phrase before it in its sentence negates it or makes it uncertain."""
    scopes = [(phrase.end(), text.find(".", phrase.end())) for phrase in PHRASES.finditer(text)]
    return [(*one, any(begin <= one[3] < end for begin, end in scopes)) for one in concepts]


def looked_at(one, number, record):
    if isinstance(one, str):
        found = " ".join(one.split())
        if not found:
            raise ValueError(f"record {number}: a concept without a text")
        return found
    identifier, assertion = one.get("id", ""), one.get("assertion", "")
    if not (isinstance(one["text"], str) and isinstance(identifier, str) and isinstance(assertion, str)):
        raise TypeError(f"record {number}: {one}")
    found = " ".join(one["text"].split())
    if not found:
        raise ValueError(f"record {number}: a concept without a text")
    if "start" in one and not 0 <= one["start"] < one["end"] <= len(record["text"]):
        raise ValueError(f"record {number}: {one}")
    return identifier.strip() or found, found, assertion, one.get("start"), one.get("end")


def processor_time(*contenders):
    """Return the median time of each contender; they take turns, so that a busy machine is busy for all."""
    taken = [[] for _ in contenders]
    for _ in range(REPEATS):
        for contender, times in zip(contenders, taken, strict=True):
            gc.collect()
            start = time.process_time()
            found = contender()
            times.append(time.process_time() - start)
            del found
    return list(map(statistics.median, taken))


def spellings(count):
    import goldassay
    from goldassay.concepts import read_concepts

    worst = {}
    records = documents(count)
    print(f"{'spelling':<26}{'goldassay s':>11}{'bare loop':>11}{'ratio':>7}{'loop that looks':>17}{'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        cases = {}
        for name, text in spellings_of_concepts(records).items():
            cases[name] = Path(folder, name), read_concepts
            cases[name][0].write_bytes(text.encode())
        cases |= {
            name: (held, lambda held: goldassay.read(held, kind="concepts"))
            for name, held in in_memory(records).items()
        }
        for name, (given, read) in cases.items():
            ours, bare, looking = processor_time(
                partial(read, given), *(partial(read_with_a_loop, given, look) for look in (False, True))
            )
            worst[name] = bare / ours, looking / ours
            print(
                f"{name:<26}{ours:>11.3f}{bare:>11.3f}{bare / ours:>6.2f}x{looking:>17.3f}{looking / ours:>6.2f}x",
                flush=True,
            )
    for at, loop in enumerate(("bare loop", "loop that looks")):
        name = min(worst, key=lambda name: worst[name][at])
        print(f"worst against the {loop}: {worst[name][at]:.2f}x ({name})")
    return min(looking for _, looking in worst.values())


def all_spellings(asked):
    """Print the ratios of every spelling of what is asked for, or of everything, and the worst."""
    # They set the threads of polars before it is loaded.
    import records
    import tables

    count = next((int(one) for one in asked if one.isdigit()), 20_000)
    every = {
        "concepts": lambda: spellings(count),
        "triples": lambda: records.main(()),
        "tables": lambda: tables.main(()),
    }
    chosen = [name for name in every if name in asked] or list(every)
    worst = {name: every[name]() for name in chosen}
    name = min(worst, key=worst.get)
    print(f"worst of all spellings: {worst[name]:.2f}x ({name})")


def main(files):
    with tempfile.TemporaryDirectory() as folder:
        known = [DATA / name for name in QUOTED if (DATA / name).is_file()] or [made_up_ontology(Path(folder))]
        print(f"{'file':<34}{'goldassay s':>7}{'MB':>7}{'rdflib':>7}{'ratio':>7}{'MB':>7}")
        for file in [Path(name) for name in files] or [*known, made_up_table(Path(folder))]:
            print(row(file), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(*sys.argv[2:4])
    elif sys.argv[1:2] == ["--spellings"]:
        all_spellings(sys.argv[2:])
    else:
        main(sys.argv[1:])
