"""A grammar of each format: one drawn model, written in every form that its family reads, in any order and layout.

All forms of a model must be read as the same items, and be scored the same: from files, on DuckDB, by the command and by Python.
"""

import contextlib
import io
import json
import random
import shutil
import warnings
from collections.abc import Callable
from html import escape
from pathlib import Path

import polars as pl
from tests.registry import LAYOUTS
from tests.triples.formats.shapes_of_builders import SHAPES, Graph

import goldassay
from goldassay.cli import app
from goldassay.encoders import HashingEncoder

WORDS = (
    "cat", "dog", "Pet", "a,b", "a;b", 'say "x"', "it's", "x|y", "<b>", "a&b", "caf\u00e9", "\u7cd6\u5c3f", "\U0001f600", "#h", "{z}", "[k]",
    "a\\b", "@x", "!n", "50%", "=1+1", "-", "(c)", "a/b", "\u0130", "e.g.", "'", '"', "1e5", "true", "null", "NaN", "0", "007", "<!--", "]]>", "$a$",
    "\u202ex", "a: b", "x ! y", "&amp;", "%41", "~", "`k`", "__", "* b", "\u0905\u0902", "\u0627\u0628",
)  # fmt: skip
PLAIN = ("cat", "dog", "Pet", "caf\u00e9", "\u7cd6\u5c3f", "a&b", "it's", "x_y", "50%", "e.g.", "\U0001f600", "A-B")
"""Words without a mark of any format of text."""
ONLY_WITH_OTHERS = {
    "LlamaIndex, triplets",
    "Neo4j, admin import",
    "LightRAG, GraphML",
    "DocRED",
    "Stanford OpenIE, ReVerb",
}
"""Builders that write several files, or the documents of triples."""
BUILT = {"GEXF": "gexf", "GraphRAG, raw": "tuples", "OpenIE 6": "openie"}
"""Builders that stand for a format."""
SUB, LABEL = "http://www.w3.org/2000/01/rdf-schema#subClassOf", "http://www.w3.org/2000/01/rdf-schema#label"
OWL, RDF = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
ALIGNMENTS = "http://knowledgeweb.semanticweb.org/heterogeneity/alignment"
SKOS = "http://www.w3.org/2004/02/skos/core#exactMatch"
Rows = list[tuple]
Writer = Callable[[Rows, random.Random], bytes]


def names(draw: random.Random, count: int) -> list[str]:
    """Draw distinct names, none of which is only marks or a number."""
    found = {f"n{draw.randrange(9)} " + " ".join(draw.choices(WORDS, k=draw.randrange(3))) for _ in range(count)}
    return sorted(name.strip() for name in found)


def pairs(draw: random.Random) -> Rows:
    """Draw edges of a taxonomy."""
    some = names(draw, 6)
    drawn = {(draw.choice(some), draw.choice(some)) for _ in range(draw.randint(1, 8))}
    return sorted(pair for pair in drawn if pair[0] != pair[1]) or [("cat", "pet")]


def iris(draw: random.Random) -> Rows:
    """Draw correspondences with their scores."""
    drawn = {(f"http://a/{draw.randrange(9)}", f"http://b/x{draw.randrange(9)}") for _ in range(draw.randint(1, 8))}
    return [(*pair, draw.choice((0.5, 0.25, 1.0, 0.9))) for pair in sorted(drawn)]


def facts(draw: random.Random) -> Rows:
    """Draw triples of documents."""
    some = names(draw, 6)
    return sorted({(f"d{draw.randrange(4)}", *draw.choices(some, k=3)) for _ in range(draw.randint(1, 8))})


def classes(draw: random.Random) -> Rows:
    """Draw axioms: names that are written in cells."""
    some = [name for name in names(draw, 6) if not {"|", "\\", "`", "*", "_"} & set(name)] or ["cat", "pet"]
    return sorted({tuple(draw.choices(some, k=3)) for _ in range(draw.randint(1, 8))})


def lists(draw: random.Random) -> Rows:
    """Draw the concepts or labels of documents."""
    some = names(draw, 6)
    return [(f"d{row}", draw.sample(some, draw.randint(1, min(3, len(some))))) for row in range(draw.randint(1, 5))]


def given(draw: random.Random) -> Rows:
    """Draw annotated documents: a text of words, and which of the words are concepts."""
    count, words = draw.randint(1, 4), ("asthma", "knee pain", "caf\u00e9", "a&b", "<i>", "\U0001f600 x", "fever")
    return [(f"{row}1", draw.choices(words, k=draw.randint(1, 4))) for row in range(count)]


def scored(draw: random.Random) -> Rows:
    """Draw labels of instances with scores."""
    return sorted({(f"i{draw.randrange(4)}", f"GO:{draw.randrange(6)}", "0.50") for _ in range(draw.randint(1, 8))})


def numbered(draw: random.Random) -> Rows:
    """Draw labels that are whole numbers, of instances that are called by their places."""
    return [
        (str(row), str(label))
        for row in range(1, draw.randint(2, 5))
        for label in sorted(draw.sample(range(1, 6), draw.randint(1, 3)))
    ]


def meanings(draw: random.Random) -> Rows:
    """Draw sentences of UNL: relations of words, each word with its number."""
    words = ("cat", "eat(icl>do)", "caf\u00e9", "fish.@pl", '"a b"', "102870092%1:03:00::", "go(icl>move, agt>thing)")
    some = []
    for row in range(draw.randint(1, 4)):
        every = [(f"{number:02}", draw.choice(words)) for number in range(1, 5)]
        relations = sorted(
            {(draw.choice(("agt", "obj", "mod")), *draw.sample(every, 2)) for _ in range(draw.randint(1, 4))}
        )
        some.append((str(row + 1), relations))
    return some


def spoken(draw: random.Random) -> Rows:
    """Draw sentences: words without marks, since a document of UNL has its own."""
    words = ("cat", "eats", "caf\u00e9", "\u7cd6", "fish.", "it's", "No,", "a-b")
    return [(str(row + 1), " ".join(draw.choices(words, k=draw.randint(1, 5)))) for row in range(draw.randint(1, 5))]


# Tables.


def cell(text: object, draw: random.Random, separator: str) -> str:
    """Write a cell of CSV, in quotes where it needs them or a user likes them."""
    text = str(text)
    needs = any(mark in text for mark in f'{separator}"\n\r') or draw.random() < 0.1
    return '"' + text.replace('"', '""') + '"' if needs else text


def csv(*header: str) -> Writer:
    def write(rows: Rows, draw: random.Random) -> bytes:
        separator, end = draw.choice(",;"), draw.choice(("\n", "\r\n"))
        lines = [separator.join(cell(value, draw, separator) for value in row) for row in [header, *rows]]
        if draw.random() < 0.2:
            lines.insert(1, "")
        mark = b"\xef\xbb\xbf" if draw.random() < 0.1 else b""
        return mark + (end.join(lines) + end * draw.choice((0, 1))).encode()

    return write


def tsv(*header: str) -> Writer:
    return lambda rows, draw: "\n".join("\t".join(map(str, row)) for row in [header, *rows]).encode()


def parquet(*header: str) -> Writer:
    def write(rows: Rows, draw: random.Random) -> bytes:
        to = io.BytesIO()
        frame = pl.DataFrame(rows, schema=list(header), orient="row")
        frame.write_parquet(to, compression=draw.choice(("zstd", "snappy", "uncompressed")), row_group_size=3)
        return to.getvalue()

    return write


def dumped(value: object, draw: random.Random) -> str:
    return json.dumps(value, ensure_ascii=draw.random() < 0.5, indent=draw.choice((None, None, 1)))


def lines(*header: str) -> Writer:
    """Write JSON Lines or an array of records, of which each has its keys in its own order."""

    def write(rows: Rows, draw: random.Random) -> bytes:
        records = [dict(draw.sample(one := list(zip(header, row, strict=True)), len(one))) for row in rows]
        if draw.random() < 0.3:
            return dumped(records, draw).encode()
        ascii_only = draw.random() < 0.5
        return "\n".join(json.dumps(record, ensure_ascii=ascii_only) for record in records).encode()

    return write


def json_table(*header: str) -> Writer:
    """Write a table in one JSON object, in a layout of pandas."""

    def write(rows: Rows, draw: random.Random) -> bytes:
        layout = draw.choice([*LAYOUTS.values()])
        cells = {name: [row[at] for row in rows] for at, name in enumerate(header)}
        return dumped(layout(pl.DataFrame(cells, strict=False)), draw).encode()

    return write


def table_forms(*header: str) -> dict[str, Writer]:
    return {
        "csv": csv(*header),
        "tsv": tsv(*header),
        "parquet": parquet(*header),
        "json-lines": lines(*header),
        "json-table": json_table(*header),
    }


# Statements.


def graph(rows: Rows, draw: random.Random) -> tuple[dict[str, str], Rows]:
    """Number the names of edges as IRIs."""
    every = sorted({name for row in rows for name in row})
    draw.shuffle(every)
    return {name: f"http://x/{number}" for number, name in enumerate(every)}, rows


def literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def statements(end: str = " .") -> Writer:
    """Write N-Triples, or N-Quads with a graph behind each statement."""

    def write(rows: Rows, draw: random.Random) -> bytes:
        nodes, rows = graph(rows, draw)
        messages = [f"<{nodes[a]}> <{SUB}> <{nodes[b]}>{end}" for a, b in rows]
        messages += [f"<{iri}> <{LABEL}> {literal(name)}{end}" for name, iri in nodes.items()]
        draw.shuffle(messages)
        return "\n".join([*messages, ""]).encode()

    return write


def turtle(before: str = "", after: str = "") -> Writer:
    def write(rows: Rows, draw: random.Random) -> bytes:
        nodes, rows = graph(rows, draw)
        messages = [f"<{nodes[a]}> rdfs:subClassOf <{nodes[b]}> ." for a, b in rows]
        messages += [
            f"<{iri}> a owl:Class ; rdfs:label {literal(name)}{draw.choice(('@en', ''))} ."
            for name, iri in nodes.items()
        ]
        draw.shuffle(messages)
        head = f"@prefix rdfs: <{SUB[:-10]}> . @prefix owl: <{OWL}> .\n"
        return (head + before + draw.choice(" \n").join(messages) + after).encode()

    return write


def rdf_xml(rows: Rows, draw: random.Random) -> bytes:
    nodes, rows = graph(rows, draw)
    messages = [
        f'<rdf:Description rdf:about="{nodes[a]}"><rdfs:subClassOf rdf:resource="{nodes[b]}"/></rdf:Description>'
        for a, b in rows
    ]
    messages += [
        f'<owl:Class rdf:about="{iri}"><rdfs:label>{escape(name)}</rdfs:label></owl:Class>'
        for name, iri in nodes.items()
    ]
    draw.shuffle(messages)
    head = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:rdfs="{SUB[:-10]}" xmlns:owl="{OWL}">'
    return (draw.choice(('<?xml version="1.0"?>\n', "")) + head + "\n".join(messages) + "</rdf:RDF>").encode()


def json_ld(rows: Rows, draw: random.Random) -> bytes:
    nodes, rows = graph(rows, draw)
    some = [{"@id": nodes[a], SUB: [{"@id": nodes[b]}]} for a, b in rows]
    some += [{"@id": iri, LABEL: draw.choice(([{"@value": name}], name))} for name, iri in nodes.items()]
    draw.shuffle(some)
    return dumped(draw.choice((some, {"@graph": some})), draw).encode()


def functional(rows: Rows, draw: random.Random) -> bytes:
    nodes, rows = graph(rows, draw)
    messages = [f"SubClassOf(<{nodes[a]}> <{nodes[b]}>)" for a, b in rows]
    quoted = {name: '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"' for name in nodes}
    messages += [f"AnnotationAssertion(rdfs:label <{iri}> {quoted[name]})" for name, iri in nodes.items()]
    draw.shuffle(messages)
    return f"Prefix(rdfs:=<{SUB[:-10]}>)\nOntology(<http://x>\n{chr(10).join(messages)}\n)".encode()


def owl_xml(rows: Rows, draw: random.Random) -> bytes:
    nodes, rows = graph(rows, draw)
    messages = [f'<SubClassOf><Class IRI="{nodes[a]}"/><Class IRI="{nodes[b]}"/></SubClassOf>' for a, b in rows]
    messages += [
        f'<AnnotationAssertion><AnnotationProperty IRI="{LABEL}"/><IRI>{iri}</IRI><Literal>{escape(name)}</Literal></AnnotationAssertion>'
        for name, iri in nodes.items()
    ]
    draw.shuffle(messages)
    return f'<Ontology xmlns="{OWL}" ontologyIRI="http://x">{"".join(messages)}</Ontology>'.encode()


def obo(rows: Rows, draw: random.Random) -> bytes:
    nodes, rows = graph(rows, draw)
    above: dict[str, list[str]] = {}
    for a, b in rows:
        above.setdefault(a, []).append(f"is_a: X:{nodes[b].rpartition('/')[2]}")
    stanzas = []
    for name, iri in nodes.items():
        written = "".join("\\" + letter if letter in '\\!{}"' else letter for letter in name)
        head = ["[Term]", f"id: X:{iri.rpartition('/')[2]}", f"name: {written}"]
        stanzas.append("\n".join([*head, *above.get(name, [])]))
    draw.shuffle(stanzas)
    return "\n\n".join(["format-version: 1.2", *stanzas, ""]).encode()


def obo_graph(rows: Rows, draw: random.Random) -> bytes:
    nodes, rows = graph(rows, draw)
    some = [{"id": iri, "lbl": name, "type": "CLASS"} for name, iri in nodes.items()]
    return dumped(
        {"graphs": [{"nodes": some, "edges": [{"sub": nodes[a], "pred": "is_a", "obj": nodes[b]} for a, b in rows]}]},
        draw,
    ).encode()


def nodes_with_parents(rows: Rows, draw: random.Random) -> list[dict[str, object]]:
    """Write each node once, with the ids or the names of its parents; of a root they are absent in one of four ways."""
    ids, _ = graph(rows, draw)
    found = []
    for name, number in ids.items():
        above = [draw.choice((ids[parent], parent)) for child, parent in rows if child == name]
        record: dict[str, object] = {"id": number, "name": name}
        if above or draw.random() < 0.5:
            record["parents"] = above if len(above) > 1 else draw.choice((above, *(above or ("", None))))
        found.append(record)
    return found


def records_of_nodes(rows: Rows, draw: random.Random) -> bytes:
    if draw.random() < 0.7:
        return lines("child", "parent")(rows, draw)
    found = nodes_with_parents(rows, draw)
    return (dumped(found, draw) if draw.random() < 0.5 else "\n".join(json.dumps(one) for one in found)).encode()


def node_link(rows: Rows, draw: random.Random) -> bytes:
    if draw.random() < 0.3:
        return dumped({"nodes": nodes_with_parents(rows, draw)}, draw).encode()
    every = sorted({name for row in rows for name in row})
    key = draw.choice(("links", "edges"))
    return dumped(
        {"nodes": [{"id": name} for name in every], key: [{"source": a, "target": b} for a, b in rows]}, draw
    ).encode()


def taxo(rows: Rows, _: random.Random) -> bytes:
    return "\n".join(f"{number}\t{a}\t{b}" for number, (a, b) in enumerate(rows)).encode()


# Mappings.


def oaei(rows: Rows, draw: random.Random) -> bytes:
    """Write cells alike, or each in its own layout."""

    def one(a: str, b: str, score: float, *, plain: bool) -> str:
        parts = [f'<entity1 rdf:resource="{a}"/>', f'<entity2 rdf:resource="{b}"/>', "<relation>=</relation>"]
        parts.append(f'<measure rdf:datatype="xsd:float">{score}</measure>')
        if not plain:
            draw.shuffle(parts)
        return f"<map><Cell>{draw.choice(chr(10) + ' ') if not plain else ''}{''.join(parts)}</Cell></map>"

    plain = draw.random() < 0.5
    cells = "\n".join(one(*row, plain=plain) for row in rows)
    return f'<rdf:RDF xmlns="{ALIGNMENTS}" xmlns:rdf="{RDF}"><Alignment><xml>yes</xml>{cells}</Alignment></rdf:RDF>'.encode()


def sssom(rows: Rows, draw: random.Random) -> bytes:
    head = draw.choice(("", "#license: x\n#curie_map:\n#  a: http://a/\n"))
    named = [("subject_id", "predicate_id", "object_id", "mapping_justification", "confidence")]
    some = named + [(a, SKOS, b, "semapv:LexicalMatching", score) for a, b, score in rows]
    return (head + "\n".join("\t".join(map(str, row)) for row in some)).encode()


def sssom_json(rows: Rows, draw: random.Random) -> bytes:
    some = [
        {"subject_id": a, "predicate_id": SKOS, "object_id": b, "confidence": score, "mapping_justification": "x:y"}
        for a, b, score in rows
    ]
    return dumped({"mapping_set_id": "x", "mappings": some}, draw).encode()


def mapped(form: str) -> Writer:
    """Write plain statements that map one entity to another."""

    def write(rows: Rows, draw: random.Random) -> bytes:
        if form == "json-ld":
            return dumped([{"@id": a, SKOS: [{"@id": b}]} for a, b in rows], draw).encode()
        if form == "rdf-xml":
            some = "".join(
                f'<rdf:Description rdf:about="{a}"><s:exactMatch rdf:resource="{b}"/></rdf:Description>'
                for a, b in rows
            )
            return f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:s="{SKOS[:-10]}">{some}</rdf:RDF>'.encode()
        return "".join(f"<{a}> <{SKOS}> <{b}> .\n" for a, b in rows).encode()

    return write


def ends(draw: random.Random) -> Rows:
    return [row[:2] for row in iris(draw)]


# Documents.


def quads(rows: Rows, draw: random.Random, *, trig: bool = False) -> bytes:
    """Write triples of documents as literals of statements."""
    iri = {name: f"http://x/{number}" for number, name in enumerate(sorted({name for row in rows for name in row[1:]}))}
    messages = [f"<{iri[s]}> <{iri[p]}> <{iri[o]}>" for _, s, p, o in rows]
    if trig:
        return "\n".join(f"<http://g/{row[0]}> {{ {one} . }}" for row, one in zip(rows, messages, strict=True)).encode()
    return "\n".join(f"{one} <http://g/{row[0]}> ." for row, one in zip(rows, messages, strict=True)).encode()


def described(draw: random.Random) -> Rows:
    """Draw triples of one document."""
    return sorted({("default", *row[1:]) for row in facts(draw)})


def descriptions(rows: Rows, draw: random.Random, *, xml: bool = False) -> bytes:
    """Write triples as statements in no graph."""
    called = {name: f"n{number}" for number, name in enumerate(sorted({name for row in rows for name in row[1:]}))}
    messages = [[called[name] for name in row[1:]] for row in rows]
    if not xml:
        return "".join(f"<http://x/{s}> <http://x/{p}> <http://x/{o}> .\n" for s, p, o in messages).encode()
    inside = (
        f'  <rdf:Description rdf:about="http://x/{s}">\n    <x:{p} rdf:resource="http://x/{o}"/>\n  </rdf:Description>\n'
        for s, p, o in messages
    )
    return f'<rdf:RDF xmlns:rdf="{RDF}"\n    xmlns:x="http://x/">\n{"".join(inside)}</rdf:RDF>\n'.encode()


def in_xml(rows: Rows, draw: random.Random) -> bytes:
    return descriptions(rows, draw, xml=True)


def trig(rows: Rows, draw: random.Random) -> bytes:
    return quads(rows, draw, trig=True)


def by_document(rows: Rows, draw: random.Random) -> bytes:
    """Write one record a document, whose triples are lists or objects."""
    documents: dict[str, list] = {}
    for name, *triple in rows:
        documents.setdefault(name, []).append(
            draw.choice((triple, dict(zip(("subject", "predicate", "object"), triple, strict=True))))
        )
    return lines("id", "triples")(list(documents.items()), draw)


def answered_documents(rows: Rows, draw: random.Random) -> bytes:
    """Write a batch file: the answer of a language model on each document."""
    documents: dict[str, list] = {}
    for name, *triple in rows:
        documents.setdefault(name, []).append(triple)
    fence = "Sure!\n```json\n{}\n```\nDone." if draw.random() < 0.5 else "{}"
    records = [{"id": name, "output": fence.replace("{}", json.dumps(some))} for name, some in documents.items()]
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def message(draw: random.Random) -> Rows:
    """Draw triples of documents that are called by their places."""
    some = ["cat", "dog", "caf\u00e9", "\u7cd6", "two words", "it's", "a-b", "7"]
    count = draw.randint(1, 4)
    return [(str(row), *draw.sample(some, 3)) for row in range(1, count + 1) for _ in range(draw.randint(1, 3))]


def documents_of(rows: Rows) -> list[list[tuple[str, str, str]]]:
    """Give the triples of each document, in the order of documents."""
    found: dict[str, set[tuple[str, str, str]]] = {}
    for name, *triple in rows:
        found.setdefault(name, set()).add(tuple(triple))
    return [sorted(found[name]) for name in sorted(found, key=int)]


def python_lists(rows: Rows, draw: random.Random) -> bytes:
    write = draw.choice((repr, lambda some: json.dumps(some, ensure_ascii=False)))
    return "\n".join(write([list(triple) for triple in some]) for some in documents_of(rows)).encode()


def rebel(rows: Rows, draw: random.Random) -> bytes:
    before, after = draw.choice((("", ""), ("<s>", "</s>")))
    lines = ["".join(f"<triplet> {s} <subj> {o} <obj> {p} " for s, p, o in some) for some in documents_of(rows)]
    return "\n".join(f"{before}{line}{after}" for line in lines).encode()


def webnlg(rows: Rows, _: random.Random) -> bytes:
    entries = []
    for number, some in enumerate(documents_of(rows), start=1):
        triples = "".join(f"<mtriple>{' | '.join(triple)}</mtriple>" for triple in some)
        entries.append(f'<entry eid="Id{number}" category="x"><modifiedtripleset>{triples}</modifiedtripleset></entry>')
    return f"<benchmark><entries>{''.join(entries)}</entries></benchmark>".encode()


def graphml(rows: Rows, _: random.Random) -> bytes:
    every = sorted({name for row in rows for name in (row[1], row[3])})
    nodes = "".join(f'<node id="{escape(name)}"/>' for name in every)
    edges = "".join(
        f'<edge source="{escape(s)}" target="{escape(o)}"><data key="d1">{p}</data><data key="d2">{number}</data></edge>'
        for number, some in enumerate(documents_of(rows), start=1)
        for s, p, o in some
    )
    keys = '<key id="d1" for="edge" attr.name="keywords"/><key id="d2" for="edge" attr.name="source_id"/>'
    return (
        f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{keys}<graph>{nodes}{edges}</graph></graphml>'.encode()
    )


def array(rows: Rows, draw: random.Random) -> bytes:
    some = [
        {"id": str(number), "triples": [list(one) for one in some]} for number, some in enumerate(documents_of(rows), 1)
    ]
    return dumped(some, draw).encode()


def by_rows(rows: Rows, draw: random.Random) -> bytes:
    rows = [(str(number), *one) for number, some in enumerate(documents_of(rows), 1) for one in some]
    return lines("id", "subject", "predicate", "object")(rows, draw)


def sent(text: str, draw: random.Random) -> bytes:
    """Write what a model wrote as it is, behind its thoughts, or as a service sends it."""
    shape = draw.choice(("text", "thoughts", "response", "message", "stream"))
    if shape == "thoughts":
        return f"<think>\nIs a cat a dog? No.\n</think>\n\n{text}".encode()
    if shape == "response":
        text = json.dumps({"id": "r", "choices": [{"message": {"role": "assistant", "content": text}}]})
    elif shape == "message":
        text = json.dumps({"id": "m", "role": "assistant", "content": [{"type": "text", "text": text}]})
    elif shape == "stream":
        parts = [text[at : at + 9] for at in range(0, len(text), 9)]
        text = "".join(f"data: {json.dumps({'choices': [{'delta': {'content': part}}]})}\n\n" for part in parts)
    return text.encode()


def answered(rows: Rows, draw: random.Random) -> bytes:
    """Write edges as a language model does: JSON in prose or a fence; names of letters only also in lines and diagrams."""
    values = draw.choice(([list(row) for row in rows], {"edges": [{"child": a, "parent": b} for a, b in rows]}))
    body, word = json.dumps(values, ensure_ascii=draw.random() < 0.5, indent=draw.choice((None, 2))), "json"
    if all(name.replace(" ", "").isalnum() and name.isascii() for row in rows for name in row):
        ways = (
            "{a} --[is a]--> {b}",
            "- A {a} is a kind of {b}.",
            "({a}, is a, {b})",
            "{a} \u2291 {b}",
            '"{a}" -> "{b}" [label="is a"];',
        )
        way = draw.choice(ways)
        body, word = "\n".join(way.format(a=a, b=b) for a, b in rows), ""
        body = f"digraph {{\n{body}\n}}" if way.startswith('"') else body
    before, after = draw.choice(("", "Sure! Here it is:\n\n")), draw.choice(("", "\nI hope this helps!\n"))
    return sent(f"{before}```{word}\n{body}\n```\n{after}", draw)


def answered_rows(*header: str) -> Writer:
    """Write rows as a language model does: as lists or objects in a fence, with prose around them or not."""

    def write(rows: Rows, draw: random.Random) -> bytes:
        listed = draw.choice((True, False))
        some = [list(row) if listed else dict(zip(header, row, strict=True)) for row in rows]
        body = json.dumps(some, ensure_ascii=draw.random() < 0.5, indent=draw.choice((None, 2)))
        before, after = draw.choice(("", "Sure! Here it is:\n\n")), draw.choice(("", "\nI hope this helps!\n"))
        word = "json"
        if draw.random() < 0.3:
            cells = (
                "".join(f"<{name}>{escape(str(one))}</{name}>" for name, one in zip(header, row, strict=True))
                for row in rows
            )
            body, word = f"<rows>\n{''.join(f'<row>{one}</row>' for one in cells)}\n</rows>", "xml"
        elif draw.random() < 0.3:
            body = body.replace("[", "[  // the rows\n", 1)
        return sent(f"{before}```{word}\n{body}\n```\n{after}", draw)

    return write


def answered_lists(rows: Rows, draw: random.Random) -> bytes:
    """Write the concepts of documents as a language model does: as a dictionary or as records in a fence, or as the answers of a batch."""
    shape = draw.choice(("dictionary", "records", "batch"))
    if shape == "batch":
        answers = [
            {"custom_id": name, "response": {"body": {"choices": [{"message": {"content": json.dumps(found)}}]}}}
            for name, found in rows
        ]
        return "".join(f"{json.dumps(one)}\n" for one in answers).encode()
    some = dict(rows) if shape == "dictionary" else [{"id": name, "concepts": found} for name, found in rows]
    before, after = draw.choice(("", "Sure! Here it is:\n\n")), draw.choice(("", "\nI hope this helps!\n"))
    return f"{before}```json\n{json.dumps(some, indent=draw.choice((None, 2)))}\n```\n{after}".encode()


def markdown(rows: Rows, draw: random.Random) -> bytes:
    rule = draw.choice(("|---|:-:|--:|", "| --- | --- | --- |"))
    return "\n".join(["| class | property | object |", rule, *(f"| {' | '.join(row)} |" for row in rows)]).encode()


def text_of(words: list[str]) -> tuple[str, list[tuple[int, int, str]]]:
    """Join the concepts of a text, each with its place."""
    text, places = "Noted", []
    for word in words:
        places.append((len(text) + 1, len(text) + 1 + len(word), word))
        text += f" {word}"
    return text, places


def code(word: str) -> str:
    return f"X:{word.replace(' ', '_')}"


def bioc_json(rows: Rows, draw: random.Random) -> bytes:
    documents = []
    for name, words in rows:
        text, places = text_of(words)
        some = [
            {
                "id": str(at),
                "infons": {"identifier": code(word)},
                "text": word,
                "locations": [{"offset": start, "length": end - start}],
            }
            for at, (start, end, word) in enumerate(places)
        ]
        documents.append({"id": name, "passages": [{"offset": 0, "text": text, "annotations": some}]})
    return dumped({"source": "x", "documents": documents}, draw).encode()


def bioc_xml(rows: Rows, _: random.Random) -> bytes:
    documents = []
    for name, words in rows:
        text, places = text_of(words)
        some = "".join(
            f'<annotation id="{at}"><infon key="identifier">{escape(code(word))}</infon><location offset="{start}" length="{end - start}"/>'
            f"<text>{escape(word)}</text></annotation>"
            for at, (start, end, word) in enumerate(places)
        )
        documents.append(
            f"<document><id>{name}</id><passage><offset>0</offset><text>{escape(text)}</text>{some}</passage></document>"
        )
    return f"<collection><source>x</source>{''.join(documents)}</collection>".encode()


def pubtator(rows: Rows, _: random.Random) -> bytes:
    blocks = []
    for name, words in rows:
        text, places = text_of(words)
        some = [f"{name}\t{start}\t{end}\t{word}\tDisease\t{code(word)}" for start, end, word in places]
        blocks.append("\n".join([f"{name}|t|{text}", f"{name}|a|", *some]))
    return "\n\n".join([*blocks, ""]).encode()


def oak(rows: Rows, _: random.Random) -> bytes:
    head = "subject_text_id\tsubject_start\tsubject_end\tobject_id\tobject_label\tmatch_string"
    some = [
        f"{name}\t{a}\t{b}\t{code(word)}\t{word}\t{word}" for name, words in rows for a, b, word in text_of(words)[1]
    ]
    return "\n".join([head, *some]).encode()


def brat(rows: Rows, _: random.Random) -> bytes:
    """Write the annotations of one document; those of several are reported by their files."""
    return "\n".join(brat_lines(rows[0][1])).encode()


def brat_lines(words: list[str]) -> list[str]:
    some = []
    for at, (start, end, word) in enumerate(text_of(words)[1], start=1):
        some += [f"T{at}\tDisease {start} {end}\t{word}", f"N{at}\tReference T{at} {code(word)}\t{word}"]
    return some


def write_brat(rows: Rows, folder: Path) -> None:
    """Write a folder of documents as BRAT has them: texts, and annotations of the same name."""
    folder.mkdir()
    for name, words in rows:
        (folder / f"{name}.txt").write_text(text_of(words)[0], encoding="utf-8")
        (folder / f"{name}.ann").write_text("\n".join(brat_lines(words)), encoding="utf-8")


def gaf(rows: Rows, _: random.Random) -> bytes:
    some = [
        [
            "DB",
            one,
            one,
            "involved_in",
            label,
            "PMID:1",
            "IEA",
            "",
            "P",
            "",
            "",
            "protein",
            "taxon:1",
            "20200101",
            "X",
            "",
            "",
        ]
        for one, label in rows
    ]
    return "\n".join(["!gaf-version: 2.2", *map("\t".join, some), ""]).encode()


def cafa(rows: Rows, _: random.Random) -> bytes:
    return "\n".join(["AUTHOR x", "MODEL 1", "KEYWORDS none.", *map("\t".join, rows), "END"]).encode()


def hemkit(rows: Rows, _: random.Random) -> bytes:
    """Write labels as numbers, an instance a line, in the order of instances."""
    instances: dict[str, list[str]] = {}
    for one, label in sorted(rows):
        instances.setdefault(one, []).append(label)
    return "\n".join([*map(" ".join, instances.values()), ""]).encode()


def wide(rows: Rows, draw: random.Random) -> bytes:
    """Write a column for each label, and one for a label that no instance has."""
    every = sorted({label for _, label, _ in rows})
    labels = [*draw.sample(every, len(every)), "GO:9"]
    scores = {(one, label): score for one, label, score in rows}
    lines = [
        [one, *(scores.get((one, label), "0") for label in labels)] for one in dict.fromkeys(one for one, *_ in rows)
    ]
    return "\n".join(map(",".join, [["id", *labels], *lines, []])).encode()


def plain(rows: Rows, _: random.Random) -> bytes:
    return "".join(f"{text}\n" for _name, text in rows).encode()


def unl_text(rows: Rows, draw: random.Random) -> bytes:
    language = draw.choice(("org", "org:en"))
    closing = language.partition(":")[0]
    return "\n".join(
        f"[S:{name}]{{{language}}}{text}{{/{closing}}}{{unl}}agt(a, b){{/unl}}[/S]" for name, text in rows
    ).encode()


def node(one: tuple[str, str], draw: random.Random) -> str:
    """Write a node in table format: its number is before its attributes."""
    number, word = one
    word, dot, attribute = word.partition(".@")
    gap = draw.choice(("", "", " "))
    return f"{gap}{word}:{number}{dot}{attribute}"


def unl_table(rows: Rows, draw: random.Random) -> bytes:
    some = []
    for name, relations in rows:
        messages = [f"{label}({node(a, draw)}{draw.choice(',;')}{node(b, draw)})" for label, a, b in relations]
        some.append(f"[S:{name}]\n{{unl}}\n{draw.choice((chr(10), ' ', '; ')).join(messages)}\n{{/unl}}\n[/S]")
    return draw.choice(("\n", "", "\n; a comment\n")).join(some).encode()


def unl_list(rows: Rows, draw: random.Random) -> bytes:
    some = []
    for name, relations in rows:
        nodes = sorted({one for _, *ends in relations for one in ends})
        messages = "\n".join(f"{a[0]}{label}{b[0]}" for label, a, b in relations)
        written = "\n".join(node(one, draw) for one in nodes)
        some.append(f"[S:{name}]{{unl}}[W]\n{written}\n[/W][R]\n{messages}\n[/R]{{/unl}}[/S]")
    return "\n".join(some).encode()


def unl_page(rows: Rows, draw: random.Random) -> bytes:
    """Write a web page of a document: entities for marks, and tags for line ends."""
    text = unl_table(rows, draw).decode()
    return f"<html><body>{escape(text, quote=False).replace(chr(10), '<br/>' + chr(10))}</body></html>".encode()


def built(draw: random.Random) -> Rows:
    """Draw the triples of one graph, in names that every builder can write."""
    some = sorted({" ".join(draw.sample(PLAIN, draw.randint(1, 2))) for _ in range(6)})
    drawn = {
        (draw.choice(some), draw.choice(("IN", "IS_A", "HAS")), draw.choice(some)) for _ in range(draw.randint(1, 8))
    }
    return sorted(drawn)


def by_builder(name: str) -> Writer:
    """Write a graph in the shape of a builder."""

    def write(rows: Rows, _: random.Random) -> bytes:
        graph = Graph(rows, text=" . ".join(" ".join(row) for row in rows))
        return SHAPES[name][1](graph).encode()

    return write


SUFFIX = {
    "rdf-xml": ".rdf", "turtle": ".ttl", "n-triples": ".nt", "n-quads": ".nq", "trig": ".trig", "n3": ".n3", "json-ld": ".jsonld", "owl-functional": ".ofn",
    "owl-xml": ".owx", "obo": ".obo", "obo-graph": ".json", "node-link": ".json", "taxo": ".taxo", "csv": ".csv", "tsv": ".tsv", "parquet": ".parquet",
    "json-lines": ".jsonl", "json-table": ".json", "markdown": ".md", "oaei": ".xml", "sssom": ".sssom.tsv", "sssom-json": ".json", "text": ".txt", "gaf": ".gaf", "cafa": ".txt",
    "hemkit": ".txt", "unl": ".unl", "bioc-json": ".json", "bioc": ".xml", "pubtator": ".txt", "oak": ".tsv", "list": ".unl", "brat": ".ann", "json": ".json", "lists": ".txt", "rebel": ".txt", "webnlg": ".xml", "graphml": ".graphml", "page": ".html",
    "gexf": ".gexf", "wide": ".csv", "tuples": ".txt", "openie": ".txt", **{name: Path(file).suffix for name, (file, _) in SHAPES.items()},
}  # fmt: skip
GRAPHS: dict[str, Writer] = {
    "rdf-xml": rdf_xml, "turtle": turtle(), "n-triples": statements(), "n-quads": statements(" <http://g> ."), "trig": turtle("<http://g> { ", " }"),
    "n3": turtle(), "json-ld": json_ld, "owl-functional": functional, "owl-xml": owl_xml, "obo": obo, "obo-graph": obo_graph, "node-link": node_link,
    "taxo": taxo, "model-output": answered, **table_forms("child", "parent"), "json-lines": records_of_nodes,
}  # fmt: skip
FORMS: dict[str, tuple[Callable[[random.Random], Rows], dict[str, Writer]]] = {
    "taxonomy": (pairs, GRAPHS),
    "alignment": (
        iris,
        {
            **table_forms("source", "target", "score"),
            "oaei": oaei,
            "sssom": sssom,
            "sssom-json": sssom_json,
            "model-output": answered_rows("source", "target", "score"),
        },
    ),
    "mappings": (
        ends,
        {
            **table_forms("source", "target"),
            **{name: mapped(name) for name in ("turtle", "n-triples", "json-ld", "rdf-xml")},
        },
    ),
    "triples": (
        facts,
        {
            **table_forms("id", "subject", "predicate", "object"),
            "records": by_document,
            "model-output": answered_documents,
        },
    ),
    "graphs": (facts, {"n-quads": quads, "trig": trig}),
    "described": (described, {"n-triples": descriptions, "rdf-xml": in_xml}),
    "message": (
        message,
        {
            "json-lines": by_rows,
            "json": array,
            "lists": python_lists,
            "rebel": rebel,
            "webnlg": webnlg,
            "graphml": graphml,
        },
    ),
    "built": (built, {BUILT.get(name, name): by_builder(name) for name in SHAPES if name not in ONLY_WITH_OTHERS}),
    "axioms": (
        classes,
        {
            **table_forms("class", "property", "object"),
            "markdown": markdown,
            "model-output": answered_rows("class", "property", "object"),
        },
    ),
    "concepts": (
        lists,
        {
            **{name: table_forms("id", "concepts")[name] for name in ("parquet", "json-lines", "json-table")},
            "model-output": answered_lists,
        },
    ),
    "annotations": (given, {"bioc-json": bioc_json, "bioc": bioc_xml, "pubtator": pubtator, "oak": oak, "brat": brat}),
    "labels": (
        scored,
        {
            **table_forms("instance", "label", "score"),
            "cafa": cafa,
            "wide": wide,
            "model-output": answered_rows("instance", "label", "score"),
        },
    ),
    "annotated": (numbered, {**table_forms("instance", "label"), "gaf": gaf, "hemkit": hemkit}),
    "unl": (meanings, {"unl": unl_table, "list": unl_list, "page": unl_page}),
    "sentences": (spoken, {**table_forms("id", "text"), "text": plain, "unl": unl_text}),
}
"""How a model is drawn, and what writes it in each form; all forms say the same."""
HIERARCHY = Path(__file__).resolve().parent / "corpus" / "hierarchy" / "go.csv"
OPTIONS = {"labels": {"hierarchy": str(HIERARCHY), "keep": "all"}, "annotated": {"hierarchy": str(HIERARCHY)}}
UNRECOGNISED = {"n3", "taxo", "text", "cafa", "brat"}
"""Forms that their names only show, or an option."""
KINDS = {
    "built": "triples",
    "message": "triples",
    "mappings": "alignment",
    "graphs": "triples",
    "described": "triples",
    "annotations": "concepts",
    "annotated": "labels",
}
MEASURES = {
    "taxonomy": "literal", "alignment": "overlap", "mappings": "overlap", "triples": "triples", "graphs": "triples", "described": "triples", "message": "triples", "built": "triples", "axioms": "exact", "concepts": "concept_exact", "annotations": "concept_exact",
    "labels": "hierarchical", "annotated": "hierarchical", "sentences": "levenshtein", "unl": "discrepancy",
}  # fmt: skip
ENGINES = {"csv", "tsv", "parquet", "sssom"}
"""Forms that DuckDB reads."""
TOGETHER = 4
"""Forms of one input that are compared; all are compared over many inputs."""
NO_ENGINE = {"graphs", "described", "message", "built", "labels", "annotated", "sentences", "annotations"}


def messages(model) -> list[str]:
    """Say the items of a model, in any order; of UNL its relations, too."""
    graphs = [str(sentence.relations) for sentence in model.sentences] if hasattr(model, "sentences") else []
    return sorted([model.item(row) for row in range(len(model))] + graphs)


def named(kind: str, name: str, folder: Path, stem: str) -> Path:
    return folder / f"{stem}{SUFFIX.get(name, '.jsonl')}"


def drawn_file(kind: str, draw: random.Random) -> tuple[str, bytes]:
    """Draw a model, and write it in one form."""
    rows, writers = FORMS[kind]
    name = draw.choice(list(writers))
    return f"drawn{SUFFIX.get(name, '.jsonl')}", writers[name](rows(draw), draw)


def in_all_forms(kind: str, data: bytes, folder: Path, *, often: int = 200) -> None:
    """Draw a model, write it in some forms, and read them; once in so many times write it in all, and score them."""
    draw = random.Random(data)
    drawn, writers = FORMS[kind]
    rows, scored = drawn(draw), draw.randrange(often) == 0
    shuffled = draw.sample(rows, len(rows)) if kind not in {"sentences", "unl"} else rows
    first, files = None, {}
    for name in writers if scored else draw.sample(list(writers), min(TOGETHER, len(writers))):
        path = named(kind, name, folder, f"{name}-pred")
        if name == "brat":
            path = path.with_suffix("")
            write_brat(shuffled, path)
        else:
            path.write_bytes(writers[name](shuffled, draw))
        files[name] = path
        found = messages(goldassay.read(path, kind=KINDS.get(kind, kind), **OPTIONS.get(kind, {})))
        assert first is None or found == first, (kind, name, found, first)
        first = found
    if scored:
        alike(kind, files, folder, draw)
    for path in files.values():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def numbers(kind: str, pred: Path, gold: Path, **options: object) -> dict[str, str]:
    """Score by Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = goldassay.evaluate(
            pred,
            gold=gold,
            kind=KINDS.get(kind, kind),
            measures=MEASURES[kind],
            encoder=HashingEncoder(8),
            **options,
            **OPTIONS.get(kind, {}),
        )
    [score] = report.runs[0].scores
    return {name: repr(value) for name, value in score.values.items()}


def by_command(kind: str, pred: Path, gold: Path) -> dict[str, str]:
    """Score by the command."""
    flags = [f"--{name}={value}" for name, value in OPTIONS.get(kind, {}).items()]
    arguments = [
        KINDS.get(kind, kind),
        str(pred),
        "--gold",
        str(gold),
        "-m",
        MEASURES[kind],
        "--format",
        "json",
        *flags,
    ]
    with (
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        app(arguments, standalone_mode=False)
    [score] = json.loads(out.getvalue())["runs"][0]["scores"]
    return {name: repr(float("nan") if value is None else value) for name, value in score["values"].items()}


def alike(kind: str, files: dict[str, Path], folder: Path, draw: random.Random) -> None:
    """Score two forms against gold in a third: all ways give the same."""
    drawn, writers = FORMS[kind]
    name = draw.choice([one for one in writers if one not in UNRECOGNISED])
    gold = named(kind, name, folder, "gold")
    gold.write_bytes(writers[name](drawn(draw), draw))
    expected = None
    for name in draw.sample(sorted(set(files) - UNRECOGNISED), 2):
        found = numbers(kind, files[name], gold)
        assert expected is None or found == expected, (kind, name, found, expected)
        expected = found
    assert by_command(kind, files[name], gold) == expected, "command"
    here = sorted(ENGINES & set(files))
    if kind not in NO_ENGINE and here:
        gold = files[draw.choice(here)]
        name = draw.choice(here)
        pair = files[name], gold
        assert numbers(kind, *pair, engine="duckdb") == numbers(kind, *pair), (kind, name, "duckdb")
