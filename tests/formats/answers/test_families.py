"""Model output in every family: the same content in every shape, with prose and fences or not, gives the same items."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.formats.answers.test_read import WRITTEN, is_refused
from tests.formats.pages import aligned, pages

import goldassay
from goldassay.core.errors import InputError
from goldassay.formats.answers.batch import is_batch
from goldassay.formats.answers.means import OF_AXIOMS, OF_CORRESPONDENCES, OF_EDGES, OF_LABELS, OF_TRIPLES
from goldassay.formats.answers.read import read_answer
from goldassay.formats.source import Source

MEANINGS = (OF_AXIOMS, OF_CORRESPONDENCES, OF_EDGES, OF_LABELS, OF_TRIPLES)
FACTS = [("Oslo", "capital of", "Norway"), ("Bergen", "located in", "Norway"), ("dog", "is a", "animal")]
AXIOMS = [("Product", "hasBrand", "Brand"), ("Dog", "subClassOf", "Animal"), ("Brand", "locatedIn", "Country")]
LABELS = [("d1", "cat"), ("d1", "small dog"), ("d2", "bird"), ("d3", "cat")]
EQUAL = [("cat", "chat"), ("dog", "chien"), ("big bird", "gros oiseau")]


def lines(form, between="\n"):
    """Write a line or a block for each row: {n} is its number, the others its cells."""
    return lambda rows: between.join(
        form.format(*row, n=n, a=row[0], r=row[-2], b=row[-1]) for n, row in enumerate(rows, start=1)
    )


def markdown(*names):
    return lambda rows: "\n".join(
        f"| {' | '.join(cells)} |"
        for cells in (names, ["---"] * len(names), *([f"**{row[0]}**", *row[1:]] for row in rows))
    )


def objects(*names, wrapped=None):
    def write(rows):
        some = [dict(zip(names, row, strict=True)) for row in rows]
        return json.dumps({wrapped: some} if wrapped else some, indent=1)

    return write


def lists(rows):
    found = {}
    for a, b in rows:
        found.setdefault(a, []).append(b)
    return found


TRIPLE = {
    "tuples": lines("({0}, {1}, {2})"),
    "numbered tuples": lines('{n}. ("{0}", "{1}", "{2}")'),
    "curly quotes": lines("(“{0}”, “{1}”, “{2}”)"),
    "bars": lines("{0} | {1} | {2}"),
    "backticks": lines("- `{0}` | `{1}` | `{2}`"),
    "named arrows": lines("- {0} -[{1}]-> {2}"),
    "bold arrows": lines("* **{0}** -- {1} --> **{2}**"),
    "dashes": lines("{0} —[{1}]→ {2}"),
    "plain dashes": lines("{n}. **{0}** \u2013 {1} \u2013 **{2}**"),
    "tuples and reasons": lines("{n}. ({0}, {1}, {2}) — because the text says so"),
    "chains": lines("{0} → {1} → {2}"),
    "emoji and reasons": lines("✅ {0} → {1} → {2} — because the text says so"),
    "pairs": lambda rows: json.dumps([list(row) for row in rows], indent=1),
    "facts": lambda rows: json.dumps({a: {r: b} for a, r, b in rows}, indent=1),
    "texts": lambda rows: json.dumps([f"({a}, {r}, {b})" for a, r, b in rows]),
    "python": lambda rows: str(list(map(tuple, rows))),
    "outline": lines("- **{0}**\n  - {1}: {2}"),
    "outline of three levels": lines("- {0}\n  - {1}:\n    - {2}"),
    "Mermaid": lambda rows: "graph LR\n" + lines('A{n}["{0}"] -->|{1}| B{n}["{2}"]')(rows),
    "DOT": lambda rows: "digraph {\n" + lines('"{0}" -> "{2}" [label="{1}"];')(rows) + "\n}",
    "CREATE": lines("CREATE (a{n}:City {{name: \"{0}\"}})-[:`{1}`]->(b{n}:Place {{name: '{2}'}})"),
    "MERGE": lines("MERGE (a{n} {{name: \"{0}\"}})\nMERGE (b{n} {{name: '{2}'}})\nMERGE (b{n})<-[:`{1}`]-(a{n});"),
    "DOT with HTML": lambda rows: (
        "digraph {\n"
        + lines("a{n} [label=<<b>{0}</b>>]; b{n} [label=< <i>{2}</i> >]; a{n} -> b{n} [label=<{1}>];")(rows)
        + "\n}"
    ),
    "PlantUML": lambda rows: (
        "@startuml\n"
        + "\n".join(f'"{a}" --|> "{b}"' if r == "is a" else f'"{a}" "1" --> "{b}" : {r}' for a, r, b in rows)
        + "\n@enduml"
    ),
    "PlantUML of classes": lambda rows: (
        "@startuml\n"
        + lines('class "{0}" as a{n} {{\n}}\nclass b{n} as "{2}"\na{n} --> b{n} : {1}')(rows)
        + "\n@enduml"
    ),
    "MERGE with the same variables": lines(
        "MERGE (a:City {{name: \"{0}\"}}) MERGE (b:Place {{name: '{2}'}}) MERGE (a)-[:`{1}`]->(b);"
    ),
    "MATCH and MERGE": lines("MATCH (a {{name: '{0}'}}), (b {{name: '{2}'}})\nMERGE (a)-[:`{1}`]->(b);"),
    "MATCH and CREATE": lines("MATCH (a {{name: '{0}'}}), (b {{name: '{2}'}}) CREATE (a)-[:`{1}`]->(b);"),
    "MATCH and WHERE": lines(
        "MATCH (a:City), (b:Place) WHERE a.name = '{0}' AND b.name = \"{2}\" CREATE (a)-[r:`{1}` {{w: 1}}]->(b);"
    ),
    "one CREATE": lambda rows: (
        "CREATE\n"
        + lines("(a{n}:City {{id: 'a{n}', name: '{0}'}}),\n(b{n}:Place {{\n  name: '{2}', w: 1\n}}),")(rows)
        + lines("(a{n})\n  -[:`{1}`]->\n  (b{n})", ",\n")(rows)
        + ";"
    ),
    "numbers of nodes": lambda rows: (
        lines("CREATE (:City {{id: {n}, name: '{0}'}})\nCREATE (:Place {{id: 1{n}, name: '{2}'}});\n")(rows)
        + lines("MATCH (a {{id: {n}}}), (b {{id: 1{n}}}) CREATE (a)-[:`{1}`]->(b);")(rows)
    ),
}
SHAPES = {
    "triples": {
        **TRIPLE,
        "angles": lines("<{0}, {1}, {2}>"),
        "markdown": markdown("Subject", "Predicate", "Object"),
        **pages("Subject", "Predicate", "Object"),
        "markdown of heads": markdown("Head", "Relation", "Tail"),
        "markdown by place": markdown("Entity A", "Link", "Entity B"),
        "objects": objects("subject", "predicate", "object"),
        "wrapped": objects("head", "relation", "tail", wrapped="triples"),
        "fields": lines("Subject: {0}\nPredicate: {1}\nObject: {2}", "\n\n"),
        "fields of a line": lines("- Subject: {0}, Predicate: {1}, Object: {2}"),
        "CSV": lambda rows: "subject,predicate,object\n" + lines("{0},{1},{2}")(rows),
    },
    "axioms": {
        **TRIPLE,
        "words": lines("{0} {1} {2}"),
        "markdown": markdown("Class", "Property", "Object"),
        **pages("class", "property", "object"),
        "markdown of domains": markdown("Domain", "Property", "Range"),
        "objects": objects("class", "property", "object"),
        "wrapped": objects("class", "property", "object", wrapped="axioms"),
        "fields": lines("Class: {0}\nProperty: {1}\nObject: {2}", "\n\n"),
        "Manchester": lambda rows: "\n".join(
            f"Class: {a}\n  SubClassOf: {b if r == 'subClassOf' else f'{r} some {b}'}" for a, r, b in rows
        ),
        "Manchester of properties": lambda rows: "\n".join(
            f"Class: {a}\n  SubClassOf: {b}"
            if r == "subClassOf"
            else f"ObjectProperty: {r}\n  Domain: {a}\n  Range: {b}"
            for a, r, b in rows
        ),
        "lines of OWL": lambda rows: "\n".join(
            f"{a} SubClassOf {b if r == 'subClassOf' else f'{r} some {b}'}" for a, r, b in rows
        ),
        "properties and subclasses": lambda rows: json.dumps(
            {
                "classes": [a for a, _, _ in rows],
                "object_properties": [{"name": r, "domain": a, "range": [b]} for a, r, b in rows if r != "subClassOf"],
                "subclasses": [{"class": a, "superclass": b} for a, r, b in rows if r == "subClassOf"],
            }
        ),
        "properties and classes": lambda rows: json.dumps(
            {
                "ontology": {
                    "classes": [{"name": a, "parent": b if r == "subClassOf" else None} for a, r, b in rows],
                    "properties": [{"property": r, "domain": a, "range": b} for a, r, b in rows if r != "subClassOf"],
                }
            },
            indent=1,
        ),
        "subset symbols": lambda rows: "\n".join(
            f"{a} ⊑ {b if r == 'subClassOf' else f'∃{r}.{b}'}" for a, r, b in rows
        ),
        "LaTeX": lambda rows: "\n".join(
            rf"${a} \sqsubseteq {b}$" if r == "subClassOf" else rf"${a} \sqsubseteq \exists {r}.{b}$"
            for a, r, b in rows
        ),
        "class diagram": lambda rows: (
            "classDiagram\n"
            + "\n".join(f"{b} <|-- {a}" if r == "subClassOf" else f"{a} --> {b} : {r}" for a, r, b in rows)
        ),
        "classes with members": lambda rows: (
            "classDiagram\n"
            + "\n".join(
                f"{b} <|-- {a}" if r == "subClassOf" else f"class {a} {{\n  +{b} {r}\n  +{r}()\n}}\nclass {b}"
                for a, r, b in rows
            )
        ),
        "members": lambda rows: (
            "classDiagram\n"
            + "\n".join(f"class {a}\n{b} <|-- {a}" if r == "subClassOf" else f"{a} : +{r}: {b}" for a, r, b in rows)
        ),
        "PlantUML of subclasses": lambda rows: (
            "@startuml\n"
            + "\n".join(
                f"class {a} extends {b}" if r == "subClassOf" else f"class {a} {{\n {r} : {b}\n}}" for a, r, b in rows
            )
            + "\n@enduml"
        ),
    },
    "labels": {
        "colons": lines("{a}: {b}"),
        "plain dashes": lines("{n}. **{a}** - {b}"),
        "bold colons": lines("- **{a}**: {b}"),
        "arrows": lines("{n}. {a} -> {b}"),
        "backticks": lines("* `{a}` → `{b}`"),
        "tuples": lines("({a}, {b})"),
        "quoted tuples": lines('("{a}", "{b}")'),
        "sentences": lines("{a} is a {b}."),
        "bars": lines("{a} | {b}"),
        "emoji and reasons": lines("✅ {a} → {b} — because it is"),
        "markdown": markdown("Instance", "Label"),
        **pages("Instance", "Label"),
        "aligned columns with numbers of rows": aligned("Instance", "Label", index=True),
        "markdown of terms": markdown("Term", "Type"),
        "markdown of products": markdown("Product", "Predicted Category"),
        "map": lambda rows: json.dumps(lists(rows), indent=1),
        "maps": lambda rows: json.dumps([{a: b} for a, b in lists(rows).items()], indent=1),
        "objects": objects("id", "label"),
        "objects of lists": lambda rows: json.dumps([{"ID": a, "type": b} for a, b in lists(rows).items()], indent=1),
        "wrapped": objects("id", "label", wrapped="predictions"),
        "pairs": lambda rows: json.dumps([list(row) for row in rows], indent=1),
        "python": lambda rows: str(list(map(tuple, rows))),
        "outline": lambda rows: "\n".join(
            f"- {a}\n" + "\n".join(f"  - {one}" for one in b) for a, b in lists(rows).items()
        ),
        "fields": lines("Instance: {a}\nLabel: {b}", "\n\n"),
        "CSV": lambda rows: "id,label\n" + lines("{a},{b}")(rows),
        "Mermaid": lambda rows: "graph LR\n" + lines('A{n}["{a}"] --> B{n}["{b}"]')(rows),
        "DOT": lambda rows: "digraph {\n" + lines('"{a}" -> "{b}";')(rows) + "\n}",
    },
    "alignment": {
        "equations": lines("{a} = {b}"),
        "equivalences": lines("- {a} ≡ {b}"),
        "arrows": lines("{n}. {a} -> {b}"),
        "both ways": lines("* `{a}` ↔ `{b}`"),
        "tuples": lines("({a}, {b})"),
        "tuples with a relation": lines("({a}, =, {b})"),
        "bars": lines("{a} | {b}"),
        "SKOS": lines("{a} skos:exactMatch {b}"),
        "markdown": markdown("Source", "Target"),
        **pages("source", "target"),
        "aligned columns with numbers of rows": aligned("source", "target", index=True),
        "markdown of entities": markdown("Entity 1", "Entity 2"),
        "map": lambda rows: json.dumps(dict(rows), indent=1),
        "objects": objects("source", "target"),
        "wrapped": objects("entity1", "entity2", wrapped="alignment"),
        "pairs": lambda rows: json.dumps([list(row) for row in rows], indent=1),
        "fields": lines("Source: {a}\nTarget: {b}", "\n\n"),
        "CSV": lambda rows: "source,target\n" + lines("{a},{b}")(rows),
    },
}
# Files of them have readers of their own.
OF_BUILDERS = {
    "GraphRAG": lambda rows: lines('("relationship"<|>{0}<|>{2}<|>{1}<|>7)##')(rows) + "\n<|COMPLETE|>",
    "LightRAG": lambda rows: (
        "entity<|#|>Oslo<|#|>City<|#|>It is one.\n"
        + lines("relation<|#|>{0}<|#|>{2}<|#|>{1}<|#|>It is so.")(rows)
        + "\n<|COMPLETE|>"
    ),
    "REBEL": lines("<triplet> {0} <subj> {2} <obj> {1}", " "),
}
ROWS = {"triples": FACTS, "axioms": AXIOMS, "labels": LABELS, "alignment": EQUAL}
ITEM = {"triples": "1: {} | {} | {}", "axioms": "{} {} {}", "labels": "{}: {}", "alignment": "{} = {}"}
AROUND = {
    "nothing": "{}",
    "prose": "Sure! Here is what I found in the text:\n\n{}\n\nLet me know if you need more!\n",
    "a fence": "Here you go:\n\n```text\n{}\n```\nHope this helps!\n",
    "thoughts": "<think>\nA dog is a cat? No.\n</think>\n\n```\n{}\n```\n",
}


@pytest.fixture(scope="session")
def hierarchy(tmp_path_factory):
    path = tmp_path_factory.mktemp("labels") / "hierarchy.csv"
    path.write_text("child,parent\n" + "".join(f"{label},pet\n" for label in {label for _, label in LABELS}))
    return {"labels": {"hierarchy": str(path)}}


@pytest.mark.parametrize(("kind", "shape"), [(kind, shape) for kind, shapes in SHAPES.items() for shape in shapes])
def test_every_shape_gives_the_same_items(kind, shape, tmp_path, hierarchy):
    text = SHAPES[kind][shape](ROWS[kind])
    for around, form in AROUND.items():
        for suffix in ("", ".txt"):
            path = tmp_path / f"{around}{suffix}"
            path.write_text(form.replace("{}", text), encoding="utf-8")
            model = goldassay.read(path, kind=kind, **hierarchy.get(kind, {}))
            assert sorted(map(model.item, range(len(model)))) == sorted(ITEM[kind].format(*row) for row in ROWS[kind])
            if around != "nothing":
                assert model.format == "model-output"
                left_out = ("lines_of_thoughts", 3) if around == "thoughts" else ("lines_of_prose", 2)
                assert left_out in model.left_out.items()
                assert "lines" in model.notes[0] or "fence" in model.notes[0]


@pytest.mark.parametrize("shape", [*SHAPES["triples"], *OF_BUILDERS])
def test_every_shape_of_triples_is_read_in_a_response_and_in_a_batch(shape, tmp_path):
    written = {**SHAPES["triples"], **OF_BUILDERS}[shape](FACTS)
    texts = [form.replace("{}", written) for form in AROUND.values()]
    batch = [{"id": f"d{n}", "output": text} for n, text in enumerate(texts)]
    (path := tmp_path / "batch.jsonl").write_text("\n".join(map(json.dumps, batch)))
    model = goldassay.read(path, kind="triples")
    expected = [f"d{n}: " + " | ".join(row) for n in range(len(texts)) for row in FACTS]
    assert sorted(map(model.item, range(len(model)))) == sorted(expected)
    for text in texts:
        message = {"role": "assistant", "content": text}
        (path := tmp_path / "a.json").write_text(json.dumps({"choices": [{"index": 0, "message": message}]}))
        model = goldassay.read(path, kind="triples")
        assert sorted(map(model.item, range(len(model)))) == sorted("1: " + " | ".join(row) for row in FACTS)


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
def test_answers_of_one_object_and_of_lists_are_read_next_to_each_other(order, tmp_path):
    one = [{"subject": name, "predicate": "in", "object": "b"} for name in "acd"]
    answers = [one[0], one[1:2], {"facts": {"f1": one[2]}}]
    rows = [{"id": f"d{at}", "output": json.dumps(answers[at])} for at in order]
    (path := tmp_path / "batch.jsonl").write_text("\n".join(map(json.dumps, rows)))
    model = goldassay.read(path, kind="triples")
    assert [*map(model.item, range(3))] == [f"d{at}: {'acd'[at]} | in | b" for at in order]


def test_two_graphs_in_one_answer_are_read(tmp_path):
    graphs = [
        {"nodes": [{"id": f"{at}1", "label": a}, {"id": f"{at}2", "label": b}], "edges": [{"source": f"{at}1", "target": f"{at}2", "label": r}]}
        for at, (a, r, b) in enumerate(FACTS[::2])
    ]  # fmt: skip
    fences = [f"```json\n{json.dumps(one)}\n```" for one in (*graphs, graphs[0], [FACTS[1]])]
    (path := tmp_path / "batch.jsonl").write_text(json.dumps({"id": "d1", "output": "\n".join(fences)}))
    model = goldassay.read(path, kind="triples")
    assert sorted(map(model.item, range(len(model)))) == sorted("d1: " + " | ".join(row) for row in FACTS)


@pytest.mark.parametrize(
    ("text", "items", "unread"),
    [
        ("- Ada\n  - born in: London\n  - was: a countess\n  - had: an idea\n  - knew: B", ["born in | London", "was | a countess", "had | an idea", "knew | B"], 0),
        ("- Ada\n  - born in: London\n  - knew: Charles Babbage\n  - note", ["born in | London", "knew | Charles Babbage"], 1),
        ("won('Ada', '1,000 (in all)').\nfelt('Ada', 'It''s so').\nknew(\"Ada\", \"B, C\").", ["won | 1,000 (in all)", "felt | It's so", "knew | B, C"], 0),
        ('---\n{"triples": [["Ada", "born in", "London"]]}\n---', ["born in | London"], 2),
    ],
)  # fmt: skip
@pytest.mark.parametrize("suffix", ["", ".txt", ".json"])
def test_facts_are_read_or_counted(text, items, unread, suffix, tmp_path):
    (path := tmp_path / f"a{suffix}").write_text(text)
    model = goldassay.read(path, kind="triples")
    assert [*map(model.item, range(len(model)))] == [f"1: Ada | {item}" for item in items]
    assert model.left_out.get("lines_of_prose", 0) == unread


@pytest.mark.parametrize("how", WRITTEN)
@pytest.mark.parametrize(("kind", "shape"), [(kind, shape) for kind, shapes in SHAPES.items() for shape in shapes])
def test_how_lines_end_and_begin_changes_nothing(kind, shape, how, tmp_path):
    text = SHAPES[kind][shape](ROWS[kind])
    for number, written in enumerate((text, f"Sure:\n\n```\n{text}\n```\n")):
        path = tmp_path / f"{number}.txt"
        path.write_bytes(WRITTEN[how](written).encode())
        try:
            model = goldassay.read(path, kind=kind)
        except InputError:
            assert is_refused(text, how)
        else:
            assert sorted(map(model.item, range(len(model)))) == sorted(ITEM[kind].format(*row) for row in ROWS[kind])


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("UNWIND [{a: 'x', b: 'y'}] AS row\nMERGE (a {name: row.a})\nMERGE (b {name: row.b})\nMERGE (a)-[:R]->(b)", 4, "row.a"),
        ("CREATE (a {name: $name})-[:R]->(b {name: 'y'})", 1, "$name"),
        ("MERGE (a {w: 'x'})-[:R]->(b {w: 'y'})\nMERGE (a {w: 'y'})-[:R]->(b {w: 'z'})", 2, "(a {w: 'y'}), after {w: 'x'}"),
        ("CREATE (:City)-[:R]->(b {name: 'y'})", 1, "(:City)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["taxonomy", "triples", "axioms"])
def test_a_node_of_cypher_whose_name_is_not_written_is_refused(text, line, found, kind, tmp_path):
    path = tmp_path / "answer.cypher"
    path.write_text(text)
    with pytest.raises(InputError, match="name of a node") as error:
        goldassay.read(path, kind=kind)
    assert error.value.line == line
    assert found in error.value.found


def test_an_answer_of_a_batch_without_the_name_of_a_node_is_not_read(tmp_path):
    path = tmp_path / "batch.jsonl"
    texts = ["CREATE (:City)-[:R]->(b {name: 'y'})", "(a, r, b)"]
    path.write_text(
        "".join(json.dumps({"id": f"d{n}", "prompt": "Say it.", "output": text}) + "\n" for n, text in enumerate(texts))
    )
    triples = goldassay.read(path, kind="triples")
    assert list(map(triples.item, range(len(triples)))) == ["d1: a | r | b"]
    assert triples.left_out["lines_of_prose"] == 1


def test_members_are_datatype_properties_unless_their_type_is_a_class(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(
        "classDiagram\nclass Shop {\n  <<service>>\n  +string name\n  -price decimal\n  Brand maker\n  unknown\n  +sell() float\n}\n"
        "Shop : int size\nBrand <|-- Label\n"
    )
    axioms = goldassay.read(path, kind="axioms")
    rows = range(len(axioms))
    found = {axioms.item(row): str(axioms.kind_names([row])[0]) for row in rows}
    assert found == {
        "Label subClassOf Brand": "subclass",
        "Shop name string": "datatype",
        "Shop price decimal": "datatype",
        "Shop maker Brand": "object",
        "Shop size int": "datatype",
    }
    assert axioms.left_out["lines_of_prose"] == 1  # a member without a type
    triples = goldassay.read(path, kind="triples")
    assert triples.left_out["lines_of_prose"] == 5
    assert len(triples) == 1


def test_a_subclass_in_plantuml_has_several_parents_and_an_alias(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(
        '@startuml\nabstract class Animal\nclass "Polar bear" as PB extends Animal implements Pet, Wild {\n +name\n}\n@enduml\n'
    )
    graph = goldassay.read(path, kind="taxonomy")
    assert {graph.item(row) for row in range(len(graph))} == {
        "Polar bear -> Animal",
        "Polar bear -> Pet",
        "Polar bear -> Wild",
    }


def test_set_names_a_node_that_has_no_better_name(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(
        "// CREATE (x)-[:R]->(y)\nMERGE (a {id: 1}) SET a.name = 'cat' SET a.id = 7\n"
        "MERGE (b)\nMERGE (a)-[:R]->(b)\nSET b.title = 'pet';\n"
    )
    triples = goldassay.read(path, kind="triples")
    assert list(map(triples.item, range(len(triples)))) == ["1: cat | R | pet"]


RECORDS = {
    "OpenAI": lambda name, text: {
        "custom_id": name,
        "response": {"body": {"choices": [{"message": {"content": text}}]}},
    },
    "Anthropic": lambda name, text: {
        "custom_id": name,
        "result": {"message": {"content": [{"type": "text", "text": text}]}},
    },
    "a record": lambda name, text: {"id": name, "prompt": "Say it.", "output": text},
}


@pytest.mark.parametrize("record", RECORDS)
def test_answers_of_a_batch_are_documents_and_odd_ones_are_counted(record, tmp_path):
    texts = {
        "d1": "(Oslo, capital of, Norway)",
        "d2": 'Sure!\n```json\n{"triples": [{"subject": "a", "relation": "r", "object": "b"}]}\n```',
        "d3": "I do not know.",
        "d4": "| Head | Relation | Tail |\n|---|---|---|\n| c | r | d |",
    }
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps(RECORDS[record](name, text)) + "\n" for name, text in texts.items()))
    triples = goldassay.read(path, kind="triples")
    assert triples.ids.tolist() == ["d1", "d2", "d3", "d4"]
    assert [triples.item(row) for row in range(len(triples))] == [
        "d1: Oslo | capital of | Norway",
        "d2: a | r | b",
        "d4: c | r | d",
    ]
    assert triples.left_out["lines_of_prose"] == 2
    path.write_text(json.dumps([RECORDS[record](name, text) for name, text in texts.items()], indent=1))
    assert goldassay.read(path, kind="triples").ids.tolist() == ["d1", "d2", "d3", "d4"]


@pytest.mark.parametrize("record", RECORDS)
def test_an_answer_to_one_item_is_its_labels(record, tmp_path, hierarchy):
    texts = {
        "d1": '["cat", "small dog"]',
        "d2": "Label: bird",
        "d3": 'Sure!\n```json\n{"types": ["cat"]}\n```',
        "d4": "That is hard to say, since the text does not really mention what it is about.",
    }
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps(RECORDS[record](name, text)) + "\n" for name, text in texts.items()))
    labels = goldassay.read(path, kind="labels", **hierarchy["labels"])
    assert sorted(map(labels.item, range(len(labels)))) == sorted(f"{a}: {b}" for a, b in LABELS)
    assert labels.left_out["lines_of_prose"] == 1


@pytest.mark.parametrize(
    "line",
    [
        "d1: cat (0.9)",
        "(d1, cat, 0.9)",
        "d1 -> cat [confidence: 0.9]",
        "d1: cat, score 90%",
        "d1: cat, 0.9",
        "d1 -> cat 0.9",
        "d1: cat: .9",
    ],
)
def test_scores_behind_labels_are_read(line, tmp_path, hierarchy):
    path = tmp_path / "answer.txt"
    path.write_text(f"{line}\n")
    labels = goldassay.read(path, kind="labels", **hierarchy["labels"])
    assert (labels.item(0), labels.scores.tolist()) == ("d1: cat", [0.9])


def test_a_text_of_mostly_prose_is_model_output(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(
        "Here is what the passage says:\n\nIt is about cities.\n\n1. **Oslo** \u2013 capital of \u2013 **Norway**\n\nNote: that is all.\n"
    )
    triples = goldassay.read(path, kind="triples")
    assert (triples.item(0), triples.left_out["lines_of_prose"]) == ("1: Oslo | capital of | Norway", 3)
    assert "3 of 4 lines were not read" in triples.warnings[0]


def test_articles_inside_of_names_stay(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("A small dog is a dog.\nThe many-a animal is an all-round animal.\n")
    graph = goldassay.read(path, kind="taxonomy")
    assert [graph.item(row) for row in range(len(graph))] == ["small dog -> dog", "many-a animal -> all-round animal"]


def test_an_arrow_without_a_relation_is_no_triple(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("Oslo -[capital of]-> Norway\nOslo -> Norway\n")
    triples = goldassay.read(path, kind="triples")
    assert (len(triples), triples.left_out["lines_of_prose"]) == (1, 1)
    path.write_text("```\nOslo -> Norway\n```\n")
    with pytest.raises(InputError):
        goldassay.read(path, kind="triples")


def test_kinds_of_properties_are_kept(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(
        "DataProperty: name\n  Domain: Dog\n  Range: xsd:string\nObjectProperty: owner\n  Domain: Dog\n  Range: Person\n"
    )
    axioms = goldassay.read(path, kind="axioms")
    assert axioms.kind_names(axioms.rows[:, 0] * 0 + [0, 1]).tolist() == ["datatype", "object"]


PIECES = (
    "a",
    "dog",
    " is a ",
    " -> ",
    "- ",
    "1. ",
    "| ",
    ": ",
    "(",
    ")",
    ", ",
    "{",
    "}",
    '"',
    "[",
    "]",
    "⊑",
    "\n",
    "\n",
    "  ",
    "```\n",
)


@pytest.mark.parametrize("meaning", MEANINGS, ids=lambda one: one.ends[0])
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_every_line_of_a_random_answer_is_taken_or_counted(meaning, pieces):
    text = "".join(pieces)
    data = text.encode()
    try:
        answer = read_answer(Source(path="a.txt", name="a.txt", data=data, size=len(data)), meaning=meaning)
    except InputError:
        return
    stated = re.search(r": ([\d,]+) of ([\d,]+) lines", answer.note)
    if stated:
        taken, total = (int(one.replace(",", "")) for one in stated.groups())
        assert taken + sum(number > 0 for number, _ in answer.prose) == total
        assert total <= sum(bool(line.strip()) for line in text.split("\n"))


@pytest.mark.parametrize("head", ["The labels are:", "Labels:", "**Answer:**"])
def test_a_list_below_a_heading_is_of_the_id_of_its_answer(head, tmp_path):
    answers = {"d1": f"{head}\n1. cat\n2. small dog\n", "d2": f"{head}\n\n- bird\n"}
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps({"custom_id": name, "output": text}) + "\n" for name, text in answers.items()))
    labels = goldassay.read(path, kind="labels")
    assert sorted(labels.item(row) for row in range(len(labels))) == ["d1: cat", "d1: small dog", "d2: bird"]
    several = {"d1": "i1:\n- cat\n\ni2:\n- bird\n"}
    path.write_text("".join(json.dumps({"custom_id": name, "output": text}) + "\n" for name, text in several.items()))
    labels = goldassay.read(path, kind="labels")
    assert sorted(labels.item(row) for row in range(len(labels))) == ["i1: cat", "i2: bird"]


SCORED = {
    "fields": lines("Source: {0}\nTarget: {1}\nScore: {2}", "\n\n"),
    "fields, the score first": lines("Score: {2}\nSource: {0}\nTarget: {1}", "\n\n"),
    "fields of a line": lines("- Source: {0}, Target: {1}, Confidence: {2}"),
    "equations": lines("{0} = {1} ({2})"),
    "equations and words": lines("{n}. {0} = {1} (confidence: {2})"),
    "colons": lines("{0}: {1} ({2})"),
    "arrows": lines("{0} -> {1} [{2}]"),
    "tuples": lines("({0}, {1}, {2})"),
    "bars": lines("{0} | {1} | {2}"),
    "markdown": markdown("Source", "Target", "Score"),
    "objects": objects("source", "target", "score"),
    "wrapped": objects("source", "target", "score", wrapped="mappings"),
    "pairs": lambda rows: json.dumps([[a, b, float(score)] for a, b, score in rows], indent=1),
    "python": lambda rows: str([(a, b, float(score)) for a, b, score in rows]),
}
PERCENTS = {"fields", "fields, the score first", "fields of a line", "equations", "equations and words", "colons"}


@pytest.mark.parametrize("kind", ["alignment", "labels"])
@pytest.mark.parametrize("shape", SCORED)
def test_every_shape_gives_the_same_scores(shape, kind, tmp_path, hierarchy):
    rows = [("d1", "cat", "0.9"), ("d2", "small dog", "0.25"), ("d3", "bird", "1.0")]
    path = tmp_path / "a.txt"
    for percent in (False, True)[: 1 + (shape in PERCENTS)]:
        some = [(a, b, f"{100 * float(score):g}%" if percent else score) for a, b, score in rows]
        text = SCORED[shape](some)
        if kind == "labels":
            for one, other in (("source", "item"), ("target", "label")):
                text = text.replace(one, other).replace(one.capitalize(), other.capitalize())
        path.write_text(text)
        found = goldassay.read(path, kind=kind, **hierarchy.get(kind, {}))
        between = ": " if kind == "labels" else " = "
        assert [found.item(row) for row in range(3)] == [f"{a}{between}{b}" for a, b, _ in rows]
        assert found.scores.tolist() == [0.9, 0.25, 1.0]


@pytest.mark.parametrize("sign", ["=", "->", ":"])
@pytest.mark.parametrize(("before", "behind"), [(" ", ""), (", ", ""), (": ", ""), (" (", ")")])
def test_bare_scores_behind_correspondences_are_read(sign, before, behind, tmp_path):
    lines = [f"http://a/{row} {sign} http://b/{row}{before}0.{row}{behind}" for row in (1, 2)]
    (tmp_path / "a.txt").write_text("\n".join([*lines, f"http://a/3 {sign} http://b/3"]))
    alignment = goldassay.read(tmp_path / "a.txt", kind="alignment")
    assert [alignment.item(row) for row in range(3)] == [f"http://a/{row} = http://b/{row}" for row in (1, 2, 3)]
    assert alignment.scores.tolist() == [0.1, 0.2, 1.0]
    assert any("1 of 3 statements have no score" in line for line in alignment.warnings)


def test_a_number_that_is_part_of_a_name_is_no_score(tmp_path):
    (tmp_path / "a.txt").write_text("cat = version 1.0\ndog = wolf\nfish = shark\n")
    alignment = goldassay.read(tmp_path / "a.txt", kind="alignment")
    assert alignment.item(0) == "cat = version 1.0"
    assert not alignment.warnings


@pytest.mark.parametrize(
    "value", [[["a", "p", "b"]], {"triples": [["a", "p", "b"]]}, [{"subject": "a", "predicate": "p", "object": "b"}]]
)
@pytest.mark.parametrize("prose", ["", "These are the triples:\n\n"])
def test_the_only_record_of_a_batch_keeps_its_id(value, prose, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"id": "d7", "output": prose + json.dumps(value)}) + "\n")
    found = goldassay.read(path, kind="triples")
    assert (list(found.ids), len(found)) == (["d7"], 1)
    assert "a | p | b" in repr(found)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["d1,heart", "d1,lung"], ["d1: heart", "d1: lung"]),
        (["d1,heart", "d2,lung"], ["d1: heart", "d2: lung"]),
        (["d1,heart", "d2,lung", "d2,liver"], ["d1: heart", "d2: lung", "d2: liver"]),
        (["d2,heart", "d1,lung", "d2,liver", "d3,"], ["d2: heart", "d2: liver", "d1: lung"]),
        (["d1,heart;liver"], ["d1: heart", "d1: liver"]),
    ],
)
@pytest.mark.parametrize("names", ["id,concept", "document,concept", "doc,concept"])
@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_table_may_have_a_concept_on_each_row(rows, names, expected, separator, tmp_path):
    path = tmp_path / ("a.csv" if separator == "," else "a.tsv")
    path.write_text("\n".join([names, *rows, ""]).replace(",", separator))
    concepts = goldassay.read(path, kind="concepts")
    assert sorted(concepts.item(row) for row in range(len(concepts))) == sorted(expected)
    assert concepts.format == path.suffix[1:]
    assert not concepts.warnings


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "columns.json", "a.md"])
@pytest.mark.parametrize("names", [("id", "concept"), ("document", "concept"), ("doc_id", "term")])
def test_records_may_have_one_concept_each(name, names, tmp_path):
    rows = [("d1", "heart"), ("d2", "left lung"), ("d1", "liver")]
    records = [dict(zip(names, row, strict=True)) for row in rows]
    text = {
        "a.jsonl": "\n".join(map(json.dumps, records)),
        "a.json": json.dumps(records),
        "columns.json": json.dumps({name: [one[name] for one in records] for name in names}),
        "a.md": f"Sure:\n```json\n{json.dumps(records)}\n```\n",
    }
    path = tmp_path / name
    path.write_text(text[name])
    concepts = goldassay.read(path, kind="concepts")
    assert [concepts.item(row) for row in range(len(concepts))] == ["d1: heart", "d1: liver", "d2: left lung"]
    assert all("Sure" in line for line in concepts.warnings)
    records[1][names[1]] = 7
    path.write_text("\n".join(map(json.dumps, records)))
    with pytest.raises(InputError, match=r"The concepts in .* cannot be read|No column is recognised"):
        goldassay.read(path, kind="concepts", input_format="json-lines")


def test_a_text_below_a_word_of_several_is_no_concept(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": "d1", "concepts": "heart, lung"}\n{"id": "d1", "concepts": "liver"}\n')
    with pytest.raises(InputError, match="The concepts in line 1 cannot be read"):
        goldassay.read(tmp_path / "a.jsonl", kind="concepts")


def test_the_last_row_says_too_that_there_is_a_concept_on_each(tmp_path):
    rows = [f"d{number},a" for number in range(2000)]
    (tmp_path / "a.csv").write_text("\n".join(["id,concept", *rows, "d7,b"]))
    concepts = goldassay.read(tmp_path / "a.csv", kind="concepts")
    assert (len(concepts), len(concepts.ids)) == (2001, 2000)


def test_a_row_that_may_be_one_of_several_concepts_is_no_row_of_a_list(tmp_path):
    (tmp_path / "a.csv").write_text("id,concept\nd1,heart;liver\nd1,lung\n")
    with pytest.raises(InputError, match="The id 'd1' occurs twice"):
        goldassay.read(tmp_path / "a.csv", kind="concepts")


def test_what_only_mentions_an_output_is_no_batch():
    assert not is_batch('The key "output": {"a": 1} is what I mean.')
    assert is_batch('{"id": "d1", "output": "A dog is an animal."}')


NAMES = [
    "Apple Inc.",
    "U.S.",
    "J. Doe Jr.",
    'say "hi"',
    "Star Wars: A New Hope",
    "a -> b",
    "cats (wild)",
    "Smith, Wesson & Co.",
    "a; b",
    "A - B",
]
"""Names with marks that may be around or between names."""
EXACT = {
    "tuples": '("{a}", "is in", "{b}")',
    "arrows": '- "{a}" -[is in]-> "{b}".',
    "plain arrows": '* "{a}" → is in → "{b}"',
    "Cypher": 'CREATE (a:X {{name: "{a}"}})-[:`is in`]->(b:X {{name: "{b}"}})',
    "DOT": 'digraph {{ "{a}" -> "{b}" [label="is in"]; }}',
    "DOT with labels": 'digraph {{ x [label="{a}"]; y [label="{b}"]; x -> y [label="is in"]; }}',
    "objects": '[{{"subject": "{a}", "relation": "is in", "object": "{b}"}}]',
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", EXACT)
def test_what_is_in_quotes_is_the_name(shape, name, tmp_path):
    written = name if "arrows" in shape else name.replace('"', '\\"')
    path = tmp_path / "a.txt"
    for ends, item in (
        ({"a": written, "b": "b"}, f"1: {name} | is in | b"),
        ({"a": "a", "b": written}, f"1: a | is in | {name}"),
    ):
        path.write_text(EXACT[shape].format(**ends))
        model = goldassay.read(path, kind="triples")
        assert list(map(model.item, range(len(model)))) == [item]


CELLS = [
    "({a}, is in, {b})",
    "{a} | is in | {b}",
    "| s | p | o |\n|---|---|---|\n| {a} | is in | {b} |",
    "subject,relation,object\n{a},is in,{b}",
    "{a} -[is in]-> {b}",
]


@pytest.mark.parametrize("form", CELLS)
@pytest.mark.parametrize("name", ["Apple Inc.", "U.S.", "Rosa sp."])
def test_the_point_of_a_cell_or_of_a_short_word_is_its_own(name, form, tmp_path):
    (tmp_path / "a.txt").write_text(form.format(a=name, b=name) + "\n")
    model = goldassay.read(tmp_path / "a.txt", kind="triples")
    assert list(map(model.item, range(len(model)))) == [f"1: {name} | is in | {name}"]


AROUND_NAMES = [
    "„{}“",
    "“{}”",
    "»{}«",
    "«{}»",
    "« {} »",
    "«\xa0{}\xa0»",
    "\u2039{}\u203a",
    "「{}」",
    "『{}』",
    "《{}》",
    "\u201a{}\u2018",
    "\uff02{}\uff02",
    "**{}**",
    "`{}`",
]
BEFORE_LINES = [
    "- ",
    "• ",
    "‣ ",
    "\u2013 ",
    "・",
    "1. ",
    "1) ",
    "(1) ",
    "1\uff09",
    "\uff081\uff09",
    "①",
    "1、",
    "\uff11\uff0e",
    "一、",
    "\u0661. ",
    "□ ",
]
FORMS = {
    "triples": "{a} -[in]-> {b}\n",
    "alignment": "{a} = {b}\n",
    "labels": "{a}: {b}\n",
    "taxonomy": "{b} → {a}\n",
    "concepts": None,
}
READ = {
    "triples": ["1: dog | in | pet"],
    "alignment": ["dog = pet"],
    "labels": ["dog: pet"],
    "taxonomy": ["pet -> dog"],
    "concepts": ["dog: pet"],
}


def items_of(path, text, kind, **options):
    path.write_text(text, encoding="utf-8")
    model = goldassay.read(path, kind=kind, **options)
    return sorted(map(model.item, range(len(model))))


@pytest.mark.parametrize("around", AROUND_NAMES)
def test_marks_around_names_of_every_language_are_no_part_of_them(around, tmp_path):
    a, b = around.format("dog"), around.format("pet")
    for kind, form in FORMS.items():
        options = {"arrows": "child-parent"} if kind == "taxonomy" else {}
        for text in [form.format(a=a, b=b)] if form else [f"{a}:\n- {b}\n"]:
            assert items_of(tmp_path / "a.txt", text, kind, **options) == READ[kind], kind
    assert items_of(tmp_path / "a.txt", f"({a}, in, {b})", "triples") == READ["triples"]
    assert items_of(tmp_path / "a.txt", f"- {a}\n  - {b}\n", "taxonomy") == READ["taxonomy"]


@pytest.mark.parametrize("before", BEFORE_LINES)
def test_bullets_and_numbers_of_every_language_are_no_part_of_names(before, tmp_path):
    for kind, form in FORMS.items():
        options = {"arrows": "child-parent"} if kind == "taxonomy" else {}
        for text in [before + form.format(a="dog", b="pet")] if form else [f"dog:\n{before}pet\n"]:
            assert items_of(tmp_path / "a.txt", text, kind, **options) == READ[kind], kind
    assert items_of(tmp_path / "a.txt", f"{before}dog\n  {before}pet\n", "taxonomy") == READ["taxonomy"]


@pytest.mark.parametrize(
    ("kind", "text", "items"),
    [
        (
            "taxonomy",
            "动物\uff1a狗\uff0c猫\n狗\uff1a贵宾犬、比格犬\n",
            ["比格犬 -> 狗", "狗 -> 动物", "猫 -> 动物", "贵宾犬 -> 狗"],
        ),
        (
            "taxonomy",
            "\\begin{itemize}\n\\item dog\n  \\begin{itemize}\n  \\item pet\n  \\item cat\n  \\item cow\n  \\end{itemize}\n\\end{itemize}\n",
            ["cat -> dog", "cow -> dog", "pet -> dog"],
        ),
        ("taxonomy", "\\item dog $\\sqsubseteq$ pet\n\\item cat $\\sqsubseteq$ pet\n", ["cat -> pet", "dog -> pet"]),
        ("labels", 'd1: "a -- b"\nd2: "c; d->e"\n', ["d1: a -- b", "d2: c; d > e"]),
        ("taxonomy", "- 动物\uff1a活的\n  - 狗。\n", ["狗 -> 动物"]),
        ("taxonomy", "- 动物\uff1a\n  - 狗\n", ["狗 -> 动物"]),
        ("labels", "d1\uff1a狗\nd2\uff1a猫\n", ["d1: 狗", "d2: 猫"]),
        ("alignment", "狗\uff1adog\n猫\uff1acat。\n", ["狗 = dog", "猫 = cat"]),
        ("triples", "\uff08奥斯陆\uff0c首都\uff0c挪威\uff09\n", ["1: 奥斯陆 | 首都 | 挪威"]),
        ("triples", "奥斯陆\uff5c首都\uff5c《挪威》之森\n", ["1: 奥斯陆 | 首都 | 《挪威》之森"]),
        ("triples", "- 奥斯陆\n  - 首都\uff1a挪威\n", ["1: 奥斯陆 | 首都 | 挪威"]),
    ],
)
def test_marks_of_other_languages_are_read_as_the_others(kind, text, items, tmp_path):
    assert items_of(tmp_path / "a.txt", text, kind) == items


INTRODUCTIONS = [
    "Voici la taxonomie :", "Aquí tienes la taxonomía:", "以下是分类\uff1a", "分类如下\uff1a", "以下が分類です\uff1a", "إليك التصنيف:", "**Result**", "**Hier das Ergebnis:**", "Ecco la tassonomia:"
]  # fmt: skip
TREE = "- animal\n  - dog\n    - poodle\n  - cat\n"


@pytest.mark.parametrize(
    "ending", ["", "\nN'hésitez pas si vous avez des questions !\n", "\n如果需要更多信息\uff0c请告诉我。\n"]
)
@pytest.mark.parametrize("head", INTRODUCTIONS)
def test_an_introduction_in_any_language_is_no_root(head, ending, tmp_path):
    items = items_of(tmp_path / "a.txt", f"{head}\n\n{TREE}{ending}", "taxonomy")
    assert items == ["cat -> animal", "dog -> animal", "poodle -> dog"]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("animal:\n- dog\n- cat\n", ["cat -> animal", "dog -> animal"]),
        ("animal:\n\n- dog\n- cat\n", ["cat -> animal", "dog -> animal"]),
        ("animal:\n\n- dog\n  - poodle\n", ["dog -> animal", "poodle -> dog"]),
        ("living thing:\n- dog\n  - poodle\n", ["dog -> living thing", "poodle -> dog"]),
        ("living thing:\n\n- dog\n  - poodle\n- cat\n", ["cat -> living thing", "dog -> living thing", "poodle -> dog"]),
        ("big dog:\n\n- poodle\n\nbig cat:\n\n- lion\n", ["lion -> big cat", "poodle -> big dog"]),
        ("**animal**\n\n- dog\n  - poodle\n", ["dog -> animal", "poodle -> dog"]),
        ("# Living thing\n\n- dog\n  - poodle\n", ["dog -> Living thing", "poodle -> dog"]),
    ],
)  # fmt: skip
def test_a_root_above_its_children_stays(text, items, tmp_path):
    assert items_of(tmp_path / "a.txt", text, "taxonomy") == items


CLOSING_NOTES = [
    "Note: a, b", "Hinweis: Die Liste ist vollständig.", "Remarque : la liste est complète.", "Nota: lista completa.", "ملاحظة: القائمة كاملة", "注\uff1a完整", "Summary: two items.", "Total: 2",
    "Source: Wikipedia", "Model: gpt-4", "**Hinweis:** die Liste", "**Note:** a; b", "*Note: all done*", "**Summary**: all done", "**Note:** The list is complete, I hope.", "> Note: all\n> Source: me",
]  # fmt: skip
BEFORE_NOTES = {
    "labels": ("d1: cat\nd2: dog\n", ["d1: cat", "d2: dog"]),
    "alignment": ("cat = Katze\ndog: Hund\n", ["cat = Katze", "dog = Hund"]),
    "taxonomy": (
        "animal: dog, cat\ndog: poodle, beagle\n",
        ["beagle -> dog", "cat -> animal", "dog -> animal", "poodle -> dog"],
    ),
    "triples": ("(a, r, b)\n(b, r, c)\n", ["1: a | r | b", "1: b | r | c"]),
    "concepts": ("d1:\n- cat\n- dog\n\nd2:\n- bird\n", ["d1: cat", "d1: dog", "d2: bird"]),
}


@pytest.mark.parametrize("note", CLOSING_NOTES)
@pytest.mark.parametrize("kind", BEFORE_NOTES)
def test_a_note_below_a_blank_line_is_no_item(kind, note, tmp_path):
    text, items = BEFORE_NOTES[kind]
    assert items_of(tmp_path / "a.txt", f"{text}\n{note}\n", kind) == items


@pytest.mark.parametrize("kind", ["labels", "alignment"])
def test_items_that_are_called_like_notes_stay(kind, tmp_path):
    text = "d1: cat\nSource: river\nModel: car\n\nd2: dog\n"
    mark = ": " if kind == "labels" else " = "
    items = [f"{a}{mark}{b}" for a, b in (("Model", "car"), ("Source", "river"), ("d1", "cat"), ("d2", "dog"))]
    assert items_of(tmp_path / "a.txt", text, kind) == items
    assert items_of(tmp_path / "a.txt", "d1: cat\n\nd2: dog\n\nTotal: sum\n", kind) == [
        f"Total{mark}sum",
        f"d1{mark}cat",
        f"d2{mark}dog",
    ]


@pytest.mark.parametrize(
    ("kind", "line", "item"),
    [
        ("alignment", "- **cat** → **Katze**: both denote animals", "cat = Katze"),
        ("alignment", "- `cat` = `Katze`: German", "cat = Katze"),
        ("alignment", '"cat" -> "Katze": German', "cat = Katze"),
        ("alignment", "cat → Katze: both denote animals", "cat = Katze"),
        ("alignment", "film → Star Wars: The Last Jedi", "film = Star Wars: The Last Jedi"),
        ("alignment", "film → Alien: Covenant", "film = Alien: Covenant"),
        ("taxonomy", "dog ⊑ animal: because it is", "dog -> animal"),
        ("taxonomy", "dog ⊑ animal: because", "dog -> animal"),
        ("triples", "- **cat** → is → **Katze**: both denote animals", "1: cat | is | Katze"),
        ("triples", "a -[r]-> b: because x", "1: a | r | b"),
        ("labels", "d1 -> **cat**: it says so", "d1: cat"),
    ],
)
def test_an_explanation_behind_a_colon_is_no_part_of_a_name(kind, line, item, tmp_path):
    assert items_of(tmp_path / "a.txt", f"{line}\n", kind) == [item]


MARKUP = "Here it is:\n<div>\n  <p>animal</p>\n  <div>\n    <p>dog</p>\n    <p>cat</p>\n  </div>\n</div>\n"


@pytest.mark.parametrize("kind", ["taxonomy", "axioms", "alignment", "labels", "triples"])
def test_other_html_is_refused_and_its_tags_are_no_names(kind, tmp_path, hierarchy):
    for text in (MARKUP, MARKUP.partition("\n")[2], f"```html\n{MARKUP}```\n"):
        (tmp_path / "answer.txt").write_text(text)
        with pytest.raises(InputError) as caught:
            goldassay.read(tmp_path / "answer.txt", kind=kind, **hierarchy.get(kind, {}))
        assert caught.value.hint or caught.value.expected


@pytest.mark.parametrize("one_line", [False, True])
def test_a_list_of_html_is_the_labels_of_an_answer(one_line, tmp_path, hierarchy):
    answers = {"d1": ["cat", "small dog"], "d2": ["bird"], "d3": ["cat"]}
    between = "" if one_line else "\n"
    rows = (
        {"id": name, "output": between.join(["<ul>", *(f"<li><b>{one}</b></li>" for one in some), "</ul>"])}
        for name, some in answers.items()
    )
    (tmp_path / "batch.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    model = goldassay.read(tmp_path / "batch.jsonl", kind="labels", **hierarchy["labels"])
    assert sorted(map(model.item, range(len(model)))) == sorted(f"{a}: {b}" for a, b in LABELS)
