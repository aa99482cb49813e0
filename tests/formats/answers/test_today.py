"""Model output as models and services write it today: thoughts, responses, streams, tags, XML, YAML, comments, JSON that is cut off."""

from __future__ import annotations

import json

import pytest

import goldassay
from goldassay.graphs import read_graph

KIN = [("dog", "mammal"), ("cat", "mammal"), ("mammal", "animal")]
FACTS = [("Oslo", "capital of", "Norway"), ("Bergen", "located in", "Norway")]
AXIOMS = [("dog", "subClassOf", "mammal"), ("cat", "subClassOf", "mammal"), ("dog", "eats", "meat")]
TYPES = [("aspirin", "drug"), ("fever", "symptom")]
ITEM = {"taxonomy": "{} -> {}", "triples": "1: {} | {} | {}", "axioms": "{} {} {}", "labels": "{}: {}"}
ROWS = {"taxonomy": KIN, "triples": FACTS, "axioms": AXIOMS, "labels": TYPES}
NAMES = {
    "taxonomy": ("child", "parent"),
    "triples": ("subject", "predicate", "object"),
    "axioms": ("class", "property", "object"),
    "labels": ("term", "type"),
}
LINE = {"taxonomy": "- {} is a {}", "triples": "({}, {}, {})", "axioms": "({}, {}, {})", "labels": "{}: {}"}


def lines(kind):
    return "\n".join(LINE[kind].format(*row) for row in ROWS[kind])


def records(kind):
    return [dict(zip(NAMES[kind], row, strict=True)) for row in ROWS[kind]]


def fence(language, text):
    return f"Sure:\n\n```{language}\n{text}\n```\n\nLet me know.\n"


def message(text):
    return {"role": "assistant", "content": text}


def chunks(text, write):
    return "".join(f"data: {json.dumps(write(text[at : at + 7]))}\n\n" for at in range(0, len(text), 7))


def element(kind):
    rows = ("".join(f"<{name}>{cell}</{name}>" for name, cell in one.items()) for one in records(kind))
    return "<items>\n" + "\n".join(f"  <item>{row}</item>" for row in rows) + "\n</items>"


def yaml(kind):
    return "\n".join(
        ("- " if place == 0 else "  ") + f"{name}: {cell}"
        for one in records(kind)
        for place, (name, cell) in enumerate(one.items())
    )


WRITTEN = {
    "thoughts": lambda kind: f"<think>\nIs a bird a plant? A dog is a bird.\n</think>\n\n{lines(kind)}\n",
    "thoughts without a begin": lambda kind: f"A dog is a bird.\n</think>\n{lines(kind)}\n",
    "a tag": lambda kind: f"<answer>\n{lines(kind)}\n</answer>\n",
    "OpenAI": lambda kind: json.dumps(
        {"id": "x", "object": "chat.completion", "choices": [{"index": 0, "message": message(lines(kind))}]}
    ),
    "OpenAI with a fence": lambda kind: json.dumps(
        {"choices": [{"message": message(fence("json", json.dumps(records(kind))))}]}
    ),
    "Anthropic": lambda kind: json.dumps(
        {"id": "x", "type": "message", "role": "assistant", "content": [{"type": "text", "text": lines(kind)}]}
    ),
    "Google": lambda kind: json.dumps(
        {"candidates": [{"content": {"parts": [{"text": lines(kind)}], "role": "model"}, "finishReason": "STOP"}]}
    ),
    "Ollama": lambda kind: json.dumps({"model": "m", "message": message(lines(kind)), "done": True}),
    "a chat": lambda kind: json.dumps(
        {"messages": [{"role": "user", "content": "Is a cow a bird?"}, message(lines(kind))]}
    ),
    "messages": lambda kind: json.dumps([{"role": "user", "content": "Is a cow a bird?"}, message(lines(kind))]),
    "messages, a line each": lambda kind: "".join(
        json.dumps(one) + "\n" for one in ({"role": "user", "content": "Is a cow a bird?"}, message(lines(kind)))
    ),
    "a stream of OpenAI": lambda kind: (
        chunks(lines(kind), lambda text: {"choices": [{"delta": {"content": text}}]}) + "data: [DONE]\n"
    ),
    "a stream of Anthropic": lambda kind: (
        "event: message_start\ndata: "
        + json.dumps({"type": "message_start", "message": {"role": "assistant", "content": []}})
        + "\n\n"
        + chunks(lines(kind), lambda text: {"type": "content_block_delta", "delta": {"text": text}})
    ),
    "a stream of Ollama": lambda kind: "\n".join(
        json.dumps({"model": "m", "message": message(lines(kind)[at : at + 9]), "done": False})
        for at in range(0, len(lines(kind)), 9)
    ),
    "a text of JSON": lambda kind: json.dumps(lines(kind)),
    "XML": lambda kind: fence("xml", element(kind)),
    "XML, no fence": element,
    "YAML": lambda kind: fence("yaml", yaml(kind)),
    "comments": lambda kind: fence(
        "json", "[\n" + ",  // one\n".join(map(json.dumps, records(kind))) + "\n  /* that\n is all */\n]"
    ),
    "a last comma": lambda kind: fence("json", json.dumps(records(kind))[:-1] + ",]"),
    "cut off": lambda kind: f"```json\n{json.dumps([*records(kind), records(kind)[0]], indent=1)[:-20]}",
    "cut off, no fence": lambda kind: json.dumps([*records(kind), records(kind)[0]])[:-5],
    "cut off below a key": lambda kind: json.dumps({"items": [*records(kind), records(kind)[0]]}, indent=1)[:-20],
    "an assignment": lambda kind: fence("python", f"found = {records(kind)!r}"),
}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("form", WRITTEN)
def test_what_is_around_an_answer_changes_nothing(form, kind, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(WRITTEN[form](kind), encoding="utf-8")
    model = goldassay.read(path, kind=kind)
    assert sorted(map(model.item, range(len(model)))) == sorted(ITEM[kind].format(*row) for row in ROWS[kind])
    if form.startswith("cut off"):
        assert any("cut off at line" in line for line in model.warnings)
    assert model.left_out.get("lines_of_thoughts") == {"thoughts": 3, "thoughts without a begin": 2}.get(form)


@pytest.mark.parametrize("kind", ROWS)
def test_a_data_file_that_is_cut_off_is_refused(kind, tmp_path):
    path = tmp_path / "answer.json"
    path.write_text(WRITTEN["cut off, no fence"](kind), encoding="utf-8")
    with pytest.raises(goldassay.InputError) as caught:
        goldassay.read(path, kind=kind)
    assert "let the name end with .txt" in caught.value.hint


LONG = {"OpenAI", "Anthropic", "Google", "Ollama", "a chat", "messages", "messages, a line each"}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("suffix", [".json", ".txt"])
@pytest.mark.parametrize("form", sorted(LONG))
def test_an_answer_of_any_length_is_recognised(form, suffix, indent, tmp_path, monkeypatch):
    # More than what is looked at to recognise a file.
    rows = [(f"dog {number}", f"animal {number % 50}") for number in range(5_000)]
    monkeypatch.setitem(ROWS, "taxonomy", rows)
    text = WRITTEN[form]("taxonomy")
    path = tmp_path / f"answer{suffix}"
    path.write_text(text if form.endswith("each") else json.dumps(json.loads(text), indent=indent), encoding="utf-8")
    model = goldassay.read(path, kind="taxonomy")
    assert (model.format, len(model)) == ("model-output", 5_000)


def test_a_table_with_roles_is_no_chat(tmp_path):
    path = tmp_path / "staff.json"
    path.write_text(
        '[{"child": "Ann", "parent": "Bob", "role": "user"}, {"child": "Cy", "parent": "Bob", "role": ["x"]}]'
    )
    assert len(goldassay.read(path)) == 2


TREES = {
    "XML": "```xml\n<taxonomy><animal><mammal><dog/><cat/></mammal></animal></taxonomy>\n```",
    "XML with names": '<node name="animal"><node name="mammal"><node name="dog"/><node name="cat"/></node></node>',
    "YAML": "```yaml\nanimal:\n  mammal:\n    - dog\n    - cat\n```",
    "YAML with names": "name: animal\nchildren:\n  - name: mammal\n    children:\n      - name: dog\n      - name: cat\n",
    "Python": "```python\ntaxonomy = {'animal': {'mammal': ['dog', 'cat']}}\n```",
    "JSON that is cut off": '```json\n{"animal": {"mammal": ["dog", "cat", "li',
    "dashes": "dog - mammal\ncat - mammal\nmammal - animal\n",
    "dashes of a list": "Here are the pairs (child - parent):\n\n- dog \u2013 mammal\n- cat \u2013 mammal\n- mammal \u2013 animal\n",
    "smaller": "dog < mammal\ncat < mammal\nmammal < animal\n",
    "LaTeX": "".join(rf"\[ \text{{{a}}} \subset \text{{{b}}} \]" + "\n" for a, b in KIN),
    "pairs with reasons": "(dog, mammal) - it has hair (mostly)\n(cat, mammal): it has, too\n(mammal, animal)\n",
    "pairs of a line": "(dog, mammal), (cat, mammal), (mammal, animal)\n",
    "descriptions": "- **animal**: it lives\n  - **mammal** \u2013 it has hair\n    - dog (a pet)\n    - cat: it purrs\n",
    "clauses": "A dog is a mammal that barks. A cat is a mammal, which purrs.\nA mammal is an animal, and it has hair.\n",
    "one line": "dog -> mammal, cat -> mammal; mammal -> animal\n",
    "a sentence for each": "A dog is a mammal and a cat is a mammal; a mammal is an animal, which lives.\n",
    "symbols on a line": "dog \u2291 mammal, cat \u2291 mammal, and mammal \u2291 animal\n",
    "children behind arrows": "mammal -> dog, cat\nanimal -> mammal\n",
    "children before arrows": "dog, and cat -> mammal\nmammal -> animal\n",
    "children behind colons": "**animal**: mammal\n**mammal**: dog, cat\n",
    "brackets": "[dog] --is-a--> [mammal]\n[cat] --is-a--> [mammal]\n[mammal] --is-a--> [animal]\n",
    "numbers in brackets": "".join(f"[{at}] {{{a}}} -> {{{b}}}\n" for at, (a, b) in enumerate(KIN, 1)),
    "scores": "dog -> mammal (0.95)\ncat -> mammal (confidence: 1)\nmammal -> animal [80%]\n",
    "PlantUML": "@startuml\nanimal <|-- mammal\nmammal <|-- dog\nmammal <|-- cat\n@enduml\n",
    "prefixes": "".join(f":{a} rdfs:subClassOf :{b} .\n" for a, b in KIN),
    "objects by name": json.dumps({a: {"parent": b, "legs": 4} for a, b in KIN} | {"animal": {"parent": None}}),
    "letters": "1. animal\n   a. mammal\n      i. dog\n      ii. cat\n",
    "a long list": "".join(f"{place}. {a} -> {b}\n" for place, (a, b) in enumerate(KIN, start=99_999)),
}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("form", TREES)
def test_a_taxonomy_is_read_as_a_person_reads_it(form, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(TREES[form], encoding="utf-8")
    graph = goldassay.read(path)
    assert sorted(map(graph.item, range(len(graph)))) == sorted(f"{a} -> {b}" for a, b in KIN)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        (
            "Anemia, Aplastic -> Anemia\nAnemia, Sickle Cell -> Anemia\n",
            ["Anemia, Aplastic -> Anemia", "Anemia, Sickle Cell -> Anemia"],
        ),
        ("Anemia -> Anemia, Aplastic\n", ["Anemia -> Anemia, Aplastic"]),
        ("Apollo (1) -> rocket\nApollo [rocket] -> name\n", ["Apollo (1) -> rocket", "Apollo [rocket] -> name"]),
    ],
)
def test_commas_and_brackets_of_names_are_kept(text, items, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(text)
    graph = goldassay.read(path, arrows="child-parent")
    assert sorted(map(graph.item, range(len(graph)))) == sorted(items)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("d1: sport, politics\nd2: politics\nd3: sport, economy\n", 5),
        ("d1: ['sport', 'politics']\nd2: [politics]\n", 3),
        ("d1: Arts, Crafts & Sewing\nd2: Clothing, Shoes & Jewelry\nd3: Arts, Crafts & Sewing\n", 3),
    ],
)
def test_labels_with_commas_are_lists_only_where_their_parts_are_labels(text, items, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(text)
    assert len(goldassay.read(path, kind="labels")) == items


PAIRED = [("a:x", "b:x", "="), ("a:y", "b:y", "="), ("a:z", "b:y", "<")]


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(
    "text",
    [
        "".join(f"({a}, {b}, {relation}, 0.9)\n" for a, b, relation in PAIRED),
        "".join(f"{a} | {b} | {relation} | 0.9\n" for a, b, relation in PAIRED),
        "".join(f"{a} -> {b} ({relation})\n" for a, b, relation in PAIRED),
        json.dumps({"mappings": [{"source": a, "target": b, "relation": relation} for a, b, relation in PAIRED]}),
        "a:x is equivalent to b:x.\na:y corresponds to b:y.\na:z is a subclass of b:y.\n",
    ],
)
def test_correspondences_may_have_their_relation_last(text, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(text)
    model = goldassay.read(path, kind="alignment")
    assert sorted(map(model.item, range(len(model)))) == sorted(f"{a} {relation} {b}" for a, b, relation in PAIRED)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(
    "text",
    [
        "".join(f"[{s}] --[{p}]--> [{o}]\n" for s, p, o in FACTS),
        "".join(f"[{s}, {p}, {o}]\n" for s, p, o in FACTS),
        "".join(f"[{at}] {s} | {p} | {o} (0.9)\n" for at, (s, p, o) in enumerate(FACTS, 1)),
        "".join(f"{s}\t{p}\t{o}\n" for s, p, o in FACTS),
        json.dumps({"triples": ["|".join(row) for row in FACTS]}),
        json.dumps({"triples": [f"({s}, {p}, {o})" for s, p, o in FACTS]}),
        json.dumps({s: {p: o} for s, p, o in FACTS}),
    ],
)
def test_triples_of_a_text_are_read(text, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(text)
    triples = goldassay.read(path, kind="triples")
    assert sorted(map(triples.item, range(len(triples)))) == sorted(ITEM["triples"].format(*row) for row in FACTS)


def test_a_text_without_triples_is_refused(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("Oslo :: capital of :: Norway\nI like it there.\n")
    with pytest.raises(goldassay.InputError, match="is not recognised"):
        goldassay.read(path, kind="triples")


@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_numbers_of_rows_are_no_column_of_concepts(separator, tmp_path):
    path = tmp_path / ("pred.tsv" if separator == "\t" else "pred.csv")
    rows = [("", "document", "concept"), ("0", "q1", "aspirin"), ("1", "q1", "fever"), ("2", "q2", "insulin")]
    path.write_text("".join(separator.join(row) + "\n" for row in rows))
    concepts = goldassay.read(path, kind="concepts")
    assert sorted(map(concepts.item, range(len(concepts)))) == ["q1: aspirin", "q1: fever", "q2: insulin"]


def test_json_of_lists_of_concepts_may_be_in_a_text_file(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text('{"q1": ["aspirin", "fever"], "q2": ["insulin"]}')
    concepts = goldassay.read(path, kind="concepts")
    assert sorted(map(concepts.item, range(len(concepts)))) == ["q1: aspirin", "q1: fever", "q2: insulin"]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("A dog is a mammal and a pet.\nA cat is a mammal.\n", ["dog -> mammal", "dog -> pet", "cat -> mammal"]),
        ("A whale is considered a mammal.\nA dog is a mammal.\n", ["whale -> mammal", "dog -> mammal"]),
        (
            "A kind of dog is a kind of kind of thing.\nA cat is a pet.\n",
            ["kind of dog -> kind of thing", "cat -> pet"],
        ),
    ],
)
def test_sentences_keep_their_names_whole(text, items, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(text)
    graph = goldassay.read(path)
    assert sorted(map(graph.item, range(len(graph)))) == sorted(items)


def test_an_answer_with_a_reason_has_one_label(tmp_path):
    path = tmp_path / "batch.jsonl"
    texts = {"aspirin": "<think>Hm.</think>\n\n**drug**", "fever": "Type: symptom\n\nBecause it is a sign of illness."}
    path.write_text("".join(json.dumps({"custom_id": name, "output": text}) + "\n" for name, text in texts.items()))
    labels = goldassay.read(path, kind="labels")
    assert sorted(map(labels.item, range(len(labels)))) == ["aspirin: drug", "fever: symptom"]


@pytest.mark.parametrize(
    "text", ["- dog - barks loudly\n- cat - purrs\n", "- Mammals include dogs and cats\n", "animal: dog, cat\n"]
)
def test_what_is_no_statement_is_refused_with_what_a_model_should_write(text, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(text)
    with pytest.raises(goldassay.InputError, match="A is a B"):
        goldassay.read(path)


@pytest.mark.parametrize(
    "text",
    [
        "<div><p>Hello there.</p><p>A dog.</p></div>",
        "```html\n<div>animal<div>dog</div></div>\n```",
        "```svg\n<svg width='3'><g id='x'><path d='M0'/></g></svg>\n```",
        "<config><host>x</host><port>80</port></config>",
        "I'm sorry, but I cannot help with that request.",
    ],
)
@pytest.mark.parametrize("kind", ["taxonomy", "axioms", "labels"])
def test_pages_settings_and_refusals_are_no_answers(kind, text, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(text)
    with pytest.raises(goldassay.InputError):
        goldassay.read(path, kind=kind)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Oslo, capital of, Norway\nBergen, located in, Norway\n", FACTS),
        ("Oslo; capital of; Norway\nBergen; located in; Norway\n", FACTS),
        ("- Oslo \u2192 capital of \u2192 Norway (stated in sentence 1)\n", FACTS[:1]),
        ('("Washington, D.C.", capital of, USA)\n', [("Washington, D.C.", "capital of", "USA")]),
        ("(Oslo (city), capital of, Norway (kingdom)): it is\n", [("Oslo (city)", "capital of", "Norway (kingdom)")]),
    ],
)
def test_names_of_triples_are_whole(text, items, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(text)
    triples = goldassay.read(path, kind="triples")
    assert sorted(map(triples.item, range(len(triples)))) == sorted(ITEM["triples"].format(*row) for row in items)


def test_a_conjunction_is_several_axioms(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("Dog \u2291 Mammal \u2293 \u2203eats.Meat\n")
    axioms = goldassay.read(path, kind="axioms")
    assert sorted(map(axioms.item, range(len(axioms)))) == ["Dog eats Meat", "Dog subClassOf Mammal"]


def test_axioms_in_functional_syntax_have_restrictions(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(
        "SubClassOf(:dog :mammal)\nSubClassOf(:cat :mammal)\nSubClassOf(:dog ObjectSomeValuesFrom(:eats :meat))\n"
    )
    axioms = goldassay.read(path, kind="axioms")
    assert sorted(map(axioms.item, range(len(axioms)))) == sorted(ITEM["axioms"].format(*row) for row in AXIOMS)


@pytest.mark.parametrize(
    "program",
    [
        "```python\nimport json\nfor line in open('a'):\n    print(line)\n```",
        "```bash\npip install x\npython run.py -> out.txt\n```",
        "```\n$ goldassay example\n```",
        "```js\nconst edges = graph.edges()\nedges -> list\n```",
    ],
)
@pytest.mark.parametrize("above", [False, True])
def test_programs_state_nothing_and_what_is_next_to_them_is_read(tmp_path, program, above):
    tree = "- animal\n  - dog\n  - cat\n"
    text = f"Run it:\n\n{program}\n\nHere is the taxonomy:\n\n{tree}" if above else f"{tree}\nRun it:\n\n{program}\n"
    (tmp_path / "a.md").write_text(text)
    found = read_graph(tmp_path / "a.md")
    assert sorted(found.item(row) for row in range(len(found))) == ["cat -> animal", "dog -> animal"]
    assert found.left_out["lines_of_prose"] >= program.count("\n")
    (tmp_path / "b.md").write_text(f"Run it:\n\n{program}\n")
    with pytest.raises(goldassay.InputError, match=r"contains no statement|not recognised"):
        read_graph(tmp_path / "b.md")


def test_a_fence_of_values_in_a_program_is_read(tmp_path):
    (tmp_path / "a.md").write_text('```python\nedges = [("dog", "animal"), ("cat", "animal")]\n```\n')
    found = read_graph(tmp_path / "a.md")
    assert sorted(found.item(row) for row in range(len(found))) == ["cat -> animal", "dog -> animal"]
