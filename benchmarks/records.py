"""Records of JSON in every spelling: from the file to the model, CPU time on one thread next to a plain loop with the same checks.

Usage: python benchmarks/records.py [SPELLING...]
       python benchmarks/records.py builders [BUILDER...]

With ``builders`` it reads 20,000 triples as graph builders write them, next to a loop for that builder.

A ratio of 2 means half the time of the plain loop. The loop is what a careful person would write: the json module, an id once, three
slots of a triple, none of them blank. ``bare`` is the ratio to a loop without these checks. Times and ratios are the medians of five rounds.
"""

import csv
import json
import os
import re
import statistics
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

os.environ["POLARS_MAX_THREADS"] = "1"

DOCUMENTS = 20_000
TRIPLES = 5
REPEATS = 5
SLOTS = ("subject", "predicate", "object")
CYPHER = re.compile(r'\(:(\w[^{]*?) \{name: "([^"]*)"\}\)')
sys.path.append(str(Path(__file__).resolve().parent.parent))  # the shapes of builders are those of the tests


def names(document, row):
    number = document * TRIPLES + row
    return [f"thing {number % 9_973}", f"relation {number % 97}", f"other thing {number * 7 % 15_013}"]


def plain(document):
    return {"id": f"d{document}", "triples": [names(document, row) for row in range(TRIPLES)]}


def with_text(document):
    return {**plain(document), "text": "A sentence, about as long as others are, with some words. " * 4}


def accents(document):
    triples = plain(document)["triples"]
    return {"id": f"d{document}", "triples": [[s, p, f"{o} café"] for s, p, o in triples]}


def with_objects(document):
    return {**plain(document), "triples": [dict(zip(SLOTS, some, strict=True)) for some in plain(document)["triples"]]}


def weighted(document):
    found = with_objects(document)
    return {**found, "triples": [{**triple, "weight": 0.5} for triple in found["triples"]]}


def with_entities(document):
    found = plain(document)
    ends = dict.fromkeys(end for s, _, o in found["triples"] for end in (s, o))
    return {**found, "entities": [{"name": end, "type": f"type {len(end)}"} for end in ends]}


def typed(document):
    return {
        "id": f"d{document}",
        "triples": [
            [s, p, [o, document, document / 8][row % 3]] for row, (s, p, o) in enumerate(plain(document)["triples"])
        ],
    }


def lines(records, **how):
    return "".join(json.dumps(record, **how) + "\n" for record in records)


SPELLINGS = {
    "plain": (plain, lines),
    "texts": (with_text, lines),
    "accents, escaped": (accents, lines),
    "accents": (accents, lambda records: lines(records, ensure_ascii=False)),
    "numeric ids": (lambda document: {**plain(document), "id": document}, lines),
    "other keys": (
        lambda document: {"extra": [1], "relations": plain(document)["triples"], "docid": f"d{document}"},
        lines,
    ),
    "objects": (with_objects, lines),
    "weights": (weighted, lines),
    "entities": (with_entities, lines),
    "typed values": (typed, lines),
    "CRLF": (plain, lambda records: lines(records).replace("\n", "\r\n")),
    "array on a line": (plain, lambda records: json.dumps(list(records))),
    "array, indented": (plain, lambda records: json.dumps(list(records), indent=2)),
    "array of objects": (with_objects, lambda records: json.dumps(list(records), indent=1)),
    "by id": (plain, lambda records: json.dumps({record["id"]: record for record in records})),
}


def file_of(folder, spelling, written):
    """Write a file whose name says what it is."""
    suffix = "json" if written.startswith(("[", '{"d0"')) else "jsonl"
    file = Path(folder, f"{spelling}.{suffix}")
    file.write_text(written, encoding="utf-8", newline="")
    return file


def records_of(file):
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".jsonl":
        yield from map(json.loads, text.splitlines())
    else:
        every = json.loads(text)
        yield from every if isinstance(every, list) else every.values()


def slots_of(triple):
    return tuple(map(triple.__getitem__, SLOTS)) if isinstance(triple, dict) else tuple(triple)


def bare(file):
    found = {}
    for record in records_of(file):
        triples = record["triples"] if "triples" in record else record["relations"]
        found[record["id"] if "id" in record else record["docid"]] = set(map(slots_of, triples))
    return found


def careful(file):
    found, types = {}, {}
    for record in records_of(file):
        name = str(record["id"] if "id" in record else record["docid"]).strip()
        if not name or name in found:
            raise ValueError(name)
        triples = found[name] = {}
        for triple in record["triples"] if "triples" in record else record["relations"]:
            slots = slots_of(triple)
            if len(slots) != len(SLOTS):
                raise ValueError(triple)
            subject, predicate, thing = (slot.strip() if isinstance(slot, str) else slot for slot in slots)
            if subject == "" or predicate == "" or thing == "":
                raise ValueError(triple)
            triples[subject, predicate, thing] = float(triple.get("weight", 1)) if isinstance(triple, dict) else 1.0
        for entity in record.get("entities", ()):
            types[name, entity["name"]] = entity["type"]
    return found


def langchain(file, id_key="doc_id"):
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        found = [(edge["source"]["id"], edge["type"], edge["target"]["id"]) for edge in record["relationships"]]
        yield record["source"]["metadata"][id_key], found, {node["id"]: node["type"] for node in record["nodes"]}


def cognee(file):
    graph = json.loads(file.read_text(encoding="utf-8"))
    names = {node["id"]: node["name"] for node in graph["nodes"]}
    ends = [(edge["source_node_id"], edge["relationship_name"], edge["target_node_id"]) for edge in graph["edges"]]
    types = {node["name"]: node["type"] for node in graph["nodes"]}
    yield "1", [(names[source], relation, names[target]) for source, relation, target in ends], types


def apoc(file):
    names, types, ends = {}, {}, []
    for record in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        if record["type"] == "node":
            names[record["id"]] = record["properties"]["name"]
            types[record["properties"]["name"]] = record["labels"][0]
        else:
            ends.append((record["start"]["id"], record["label"], record["end"]["id"]))
    yield "1", [(names[source], relation, names[target]) for source, relation, target in ends], types


def kggen(file):
    yield "1", json.loads(file.read_text(encoding="utf-8"))["relations"], {}


def graph_dict(file):
    graph = json.loads(file.read_text(encoding="utf-8"))["graph_dict"]
    yield "1", [(subject, *pair) for subject, pairs in graph.items() for pair in pairs], {}


def graphrag(file):
    types, triples = {}, []
    for record in file.read_text(encoding="utf-8").split("##"):
        kind, *fields = record.strip().strip("()").split("<|>")
        if kind == '"entity"':
            types[fields[0]] = fields[1]
        elif kind == '"relationship"':
            float(fields[3])
            triples.append((fields[0], fields[2], fields[1]))
    yield "1", triples, types


def cypher(file):
    types, triples = {}, []
    with file.open(newline="", encoding="utf-8") as rows:
        for one, relation, other in islice(csv.reader(rows), 1, None):
            ends = [CYPHER.fullmatch(cell) for cell in (one, other)]
            types.update((end[2], end[1]) for end in ends)
            triples.append((ends[0][2], relation.strip("[:]"), ends[1][2]))
    yield "1", triples, types


def with_properties(graph, **source):
    found = graph.langchain(**source)
    return {**found, "nodes": [{**node, "properties": {"seen": 1}} for node in found["nodes"]]}


def many(shape):
    return lambda _, graphs: lines(shape(graph, metadata={"doc_id": f"d{at}"}) for at, graph in enumerate(graphs))


BUILDERS = {
    "LangChain": ("jsonl", many(lambda graph, **source: graph.langchain(**source)), langchain),
    "LangChain, properties": ("jsonl", many(with_properties), langchain),
    "LlamaIndex": ("json", lambda whole, _: json.dumps(whole.llama_graph_dict()), graph_dict),
    "KGGen": ("json", lambda whole, _: json.dumps(whole.kggen()), kggen),
    "GraphRAG": ("txt", lambda whole, _: whole.graphrag_raw(), graphrag),
    "Cognee": ("json", lambda whole, _: json.dumps(whole.cognee()), cognee),
    "Neo4j, APOC": ("jsonl", lambda whole, _: lines(whole.apoc_lines()), apoc),
    "Neo4j, browser": ("csv", lambda whole, _: whole.browser_csv(), cypher),
}


def checked(found):
    """Make the same checks of what a loop for a builder finds."""
    documents, types = {}, {}
    for name, triples, kinds in found:
        if not name.strip() or name in documents:
            raise ValueError(name)
        documents[name] = {tuple(map(str.strip, triple)): 1.0 for triple in triples}
        if not all(all(triple) and len(triple) == len(SLOTS) for triple in documents[name]):
            raise ValueError(name)
        types.update(((name, one), kind) for one, kind in kinds.items())
    return documents


def built(folder, builder, count):
    """Write so many triples as a graph builder does; give the file, and a loop for it."""
    from tests.triples.formats.shapes_of_builders import Graph

    triples = [tuple(names(0, row)) for row in range(count)]
    types = {end: f"type {len(end)}" for s, _, o in triples for end in (s, o)}

    def graph(some):
        return Graph(some, {end: types[end] for s, _, o in some for end in (s, o)})

    suffix, write, loop = BUILDERS[builder]
    file = Path(folder, f"graph.{suffix}")
    parts = [graph(triples[at : at + TRIPLES]) for at in range(0, count, TRIPLES)]
    file.write_text(write(graph(triples), parts), encoding="utf-8", newline="")
    return file, loop


def builders(chosen):
    from goldassay.triples.read import read_triples_of_documents

    worst = float("inf")
    with tempfile.TemporaryDirectory() as folder:
        for builder in chosen or BUILDERS:
            file, loop = built(folder, builder, DOCUMENTS)
            took = []
            for _ in range(REPEATS):
                ours, model = seconds(lambda file=file: read_triples_of_documents(file))
                theirs, found = seconds(lambda file=file, loop=loop: checked(loop(file)))
                assert len(model) == sum(map(len, found.values())), builder  # noqa: S101
                took.append((ours, theirs / ours))
            ours, ratio = map(statistics.median, zip(*took, strict=True))
            worst = min(worst, ratio)
            print(f"{builder:<24}{ours:>9.3f}{ratio:>8.2f}", flush=True)
    print(f"{'worst':<24}{'':>9}{worst:>8.2f}")
    return worst


def seconds(read):
    start = time.process_time()
    found = read()
    return time.process_time() - start, found


def main(chosen):
    from goldassay.triples.read import read_triples_of_documents

    worst = float("inf")
    print(f"{'':<20}{'seconds':>9}{'ratio':>8}{'bare':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for spelling, (record, write) in SPELLINGS.items():
            if chosen and spelling not in chosen:
                continue
            file = file_of(folder, spelling, write(map(record, range(DOCUMENTS))))
            took = []
            for _ in range(REPEATS):
                # One after the other, so that what else the machine does slows all of them.
                ours, model = seconds(lambda file=file: read_triples_of_documents(file))
                theirs, found = seconds(lambda file=file: careful(file))
                least, _ = seconds(lambda file=file: bare(file))
                assert len(model.ids) == len(found), spelling  # noqa: S101
                took.append((ours, theirs / ours, least / ours))
            ours, ratio, to_bare = map(statistics.median, zip(*took, strict=True))
            worst = min(worst, ratio)
            print(f"{spelling:<20}{ours:>9.3f}{ratio:>8.2f}{to_bare:>8.2f}", flush=True)
    print(f"{'worst':<20}{'':>9}{worst:>8.2f}")
    return worst


if __name__ == "__main__":
    builders(sys.argv[2:]) if sys.argv[1:2] == ["builders"] else main(sys.argv[1:])
