"""Reading side by side with rdflib: seconds (median of five) and peak memory, each contender in a process of its own.

Usage: python benchmarks/reading.py [FILE...]

Without a FILE it reads the files of the reference data that the documentation quotes, or, where there are none, a made-up
ontology; and a made-up table of a million rows.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPEATS = 5
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


def main(files):
    with tempfile.TemporaryDirectory() as folder:
        known = [DATA / name for name in QUOTED if (DATA / name).is_file()] or [made_up_ontology(Path(folder))]
        print(f"{'file':<34}{'goldassay s':>7}{'MB':>7}{'rdflib':>7}{'ratio':>7}{'MB':>7}")
        for file in [Path(name) for name in files] or [*known, made_up_table(Path(folder))]:
            print(row(file), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(*sys.argv[2:4])
    else:
        main(sys.argv[1:])
