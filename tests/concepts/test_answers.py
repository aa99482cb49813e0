"""Model output with concepts: the same lists in every shape give one number, without an option."""

import csv
import json
import random
import warnings
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import goldassay
from goldassay.concepts.read import read_concepts, read_references
from goldassay.concepts.reading import ConceptReading

LISTS = {"q1": ["aspirin", "heart attack", "bleeding"], "q2": ["metformin", "type 2 diabetes"], "q10": ["Größe"]}


def fence(text, language="json", before="Sure! Here they are:\n\n", after="\nLet me know if you need more.\n"):
    return f"{before}```{language}\n{text}\n```{after}"


def bullets(names, mark="- "):
    return "".join(f"{mark}{name}\n" for name in names)


def numbered(names):
    return "The concepts are:\n" + "".join(f"{n}. {name}\n" for n, name in enumerate(names, start=1))


def openai(name, text):
    body = {"choices": [{"index": 0, "message": {"role": "assistant", "content": text}}]}
    return {"id": f"batch_{name}", "custom_id": name, "response": {"status_code": 200, "body": body}, "error": None}


def anthropic(name, text):
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}]
    return {"custom_id": name, "result": {"type": "succeeded", "message": {"content": parts}}}


def output(name, text):
    return {"id": name, "output": text}


ANSWERS = {
    "array": lambda names: json.dumps(names, ensure_ascii=False),
    "object": lambda names: json.dumps({"concepts": names}),
    "objects": lambda names: json.dumps([{"text": name, "type": "x"} for name in names]),
    "fence": lambda names: fence(json.dumps(names)),
    "bullets": bullets,
    "numbers": numbered,
}
LISTED = {
    **ANSWERS,
    "behind a word": lambda names: f"Keywords: {', '.join(names)}",
    "behind bold words": lambda names: f"**Key concepts:** {'; '.join(names)}.",
    "in a sentence": lambda names: f"The key concepts are: {', '.join(names)}.",
    "of a kind": lambda names: f"Diseases: {', '.join(names)}\nDrugs: None",
    "bullets of a kind": lambda names: f"**Diseases:**\n{bullets(names)}\n**Drugs:**\n- None\n",
    "nested": lambda names: f"1. **Diseases**\n{bullets(names, '   - ')}2. **Drugs**\n   - No drugs mentioned\n",
    "described": lambda names: "".join(f"- **{name}**: an illness\n" for name in names),
    "tags": lambda names: f"<concepts>{''.join(f'<concept>{name}</concept>' for name in names)}</concepts>",
    "a table": lambda names: "| Concept | Type |\n|---|---|\n" + "".join(f"| {name} | x |\n" for name in names),
    "CSV in a fence": lambda names: fence("concept,type\n" + "".join(f"{name},x\n" for name in names), "csv"),
    "thoughts": lambda names: f"<think>\n- gout\n</think>\n{bullets(names)}",
}
"""Answers to one document that are lists."""
BATCHES = {"openai": openai, "anthropic": anthropic, "output": output}
TABBED = "\t- "
RECORDS = [{"id": name, "concepts": names} for name, names in LISTS.items()]
SHAPES = {
    "dictionary.json": json.dumps(LISTS, indent=1),
    "dictionary-of-objects.json": json.dumps({name: [{"text": one} for one in names] for name, names in LISTS.items()}),
    "dictionary-of-records.json": json.dumps({name: {"concepts": names} for name, names in LISTS.items()}),
    "wrapped.json": json.dumps({"documents": RECORDS}),
    "fenced-dictionary.md": fence(json.dumps(LISTS, indent=2)),
    "fenced-records.txt": fence(json.dumps(RECORDS)),
    "fenced-lines.md": fence("\n".join(map(json.dumps, RECORDS)), "jsonl"),
    "fenced-table.md": fence("id,concepts\n" + "".join(f"{a},{'|'.join(b)}\n" for a, b in LISTS.items()), "csv"),
    "open-fence.md": f"Hier sind die Begriffe:\n```json\n{json.dumps(LISTS)}\n",
    "two-fences.md": "".join(fence(json.dumps({name: names})) for name, names in LISTS.items()),
    "prose.txt": f"Here are the concepts:\n{json.dumps(LISTS)}\nHope this helps!",
    "headings.md": "".join(f"## {name}\n\n{bullets(names)}\n" for name, names in LISTS.items()),
    "names.txt": "".join(f"{name}:\n{bullets(names, '  * ')}\n" for name, names in LISTS.items()),
    "windows.md": "\ufeff" + "".join(f"**{a}**\r\n{bullets(b)}\r\n" for a, b in LISTS.items()).replace("\n", "\r\n"),
    "thoughts.md": "<think>q1: none?</think>\n" + "".join(f"{a}:\n{bullets(b, TABBED)}" for a, b in LISTS.items()),
    "pairs.txt": "".join(f"{name}: {', '.join(names)}\n" for name, names in LISTS.items()),
    "bold-pairs.md": "".join(f"- **{name}**: {'; '.join(names)}\n" for name, names in LISTS.items()),
    "table.md": "Here:\n\n| id | concepts |\n|---|---|\n" + "".join(f"| {a} | {', '.join(b)} |\n" for a, b in LISTS.items()),
    "long-table.md": "| doc | concept |\n|---|---|\n" + "".join(f"| {a} | {one} |\n" for a, b in LISTS.items() for one in b),
    "long.csv": "id,concept\n" + "".join(f"{a},{one}\n" for a, b in LISTS.items() for one in b),
    "long.tsv": "doc_id\tentity\n" + "".join(f"{a}\t{one}\n" for a, b in LISTS.items() for one in b),
    **{
        f"{kind}-{shape}.jsonl": "".join(json.dumps(record(name, form(names))) + "\n" for name, names in LISTS.items())
        for kind, record in BATCHES.items()
        for shape, form in LISTED.items()
    },
}  # fmt: skip


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_is_the_same_documents(name, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", goldassay.GoldassayWarning)
        report = goldassay.evaluate(
            written(tmp_path, name, SHAPES[name]), gold=RECORDS, kind="concepts", measures="concept_exact"
        )
    pred = report.runs[0].pred
    assert {
        name: sorted(pred.item(row) for row in range(len(pred)) if pred.item(row).startswith(f"{name}: "))
        for name in LISTS
    } == {name: sorted(f"{name}: {one}" for one in names) for name, names in LISTS.items()}
    assert report["concept_exact"].f1 == 1
    table = name.startswith("long.")
    if name.startswith("dictionary-of-records"):
        # Records by id are a table whose index has the ids.
        assert pred.format == "json-lines"
        return
    assert pred.format == (name.removeprefix("long.") if table else "model-output")
    assert table or pred.notes[0].startswith("read ")


def test_there_are_shapes_enough():
    assert len(SHAPES) == 72


def test_answers_that_are_texts_stay_texts(tmp_path):
    texts = {"q1": "Take aspirin after a heart attack.\nWatch for bleeding.", "q2": "Metformin treats type 2 diabetes."}
    for kind, record in (("openai", openai), ("anthropic", anthropic)):
        path = written(tmp_path, f"{kind}.jsonl", "".join(json.dumps(record(*one)) + "\n" for one in texts.items()))
        pred = read_concepts(path)
        assert (list(pred.ids), pred.texts.tolist()) == (["q1", "q2"], list(texts.values()))
        assert "q1: heart attack" in [pred.item(row) for row in range(len(pred))]
    path = written(tmp_path, "own.jsonl", "".join(json.dumps({"qid": a, "answer": b}) + "\n" for a, b in texts.items()))
    assert (list(read_concepts(path).ids), read_concepts(path).format) == (["q1", "q2"], "json-lines")


def test_a_dictionary_is_searched_for_in_the_texts_of_a_batch(tmp_path):
    terms = written(tmp_path, "terms.csv", "id,name\n1,aspirin\n2,bleeding\n")
    path = written(tmp_path, "a.jsonl", SHAPES["openai-bullets.jsonl"])
    pred = read_concepts(path, ConceptReading(dictionary=str(terms)))
    assert sorted(pred.item(row) for row in range(len(pred))) == ["q1: aspirin", "q1: bleeding"]


def test_what_a_service_did_not_answer_is_a_document_without_concepts(tmp_path):
    failed = [
        {"custom_id": "q2", "response": None, "error": {"code": "expired"}},
        {"custom_id": "q3", "result": {"type": "errored"}},
    ]
    rows = [openai("q1", bullets(LISTS["q1"])), *failed]
    pred = read_concepts(written(tmp_path, "a.jsonl", "\n".join(map(json.dumps, rows))))
    assert list(pred.ids) == ["q1", "q2", "q3"]
    assert len(pred) == 3
    assert any("without a concept: q2, q3" in note for note in pred.notes)
    assert pred.left_out["lines_of_prose"] == 2


def test_lists_without_an_id_are_one_document(tmp_path):
    for name, text in (
        ("a.json", '["aspirin", "fever"]'),
        ("a.md", "- aspirin\n- fever\n"),
        ("b.md", "Here are the concepts that I found:\n- aspirin\n- fever\n"),
    ):
        pred = read_concepts(written(tmp_path, name, text))
        assert (list(pred.ids), len(pred)) == (["1"], 2), name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.txt",
            "Take aspirin for heart attacks.\nStep 2: drink water, and rest until the fever is gone and you feel better.\n",
        ),
        ("b.csv", "id,concepts\nq1,aspirin|fever\nq2,insulin\n"),
        ("c.csv", "id,concept\nq1,aspirin\nq2,insulin\n"),
        ("d.jsonl", '{"id": 1, "text": "- aspirin\\n- fever"}\n'),
        ("e.json", '[{"id": 1, "concepts": ["aspirin"]}]'),
        ("f.jsonl", '{"id": 1, "answer": "Take aspirin.", "concepts": ["aspirin"]}\n'),
    ],
)
def test_what_says_itself_what_it_is_is_read_as_before(name, text, tmp_path):
    assert read_concepts(written(tmp_path, name, text)).format != "model-output"


def test_several_answers_of_an_id_stay_apart(tmp_path):
    path = written(tmp_path, "gold.csv", "id,concept\nq1,aspirin\nq1,ASA\n")
    assert [len(one) for one in read_references(path)] == [1, 1]


def test_a_list_in_a_key_of_concepts_is_refused_with_a_hint_that_works(tmp_path):
    records = [{"id": name, "concepts": fence(json.dumps(names))} for name, names in LISTS.items()]
    path = written(tmp_path, "a.jsonl", "".join(json.dumps(one) + "\n" for one in records))
    with pytest.raises(goldassay.InputError, match="call what a model wrote as a text 'output'"):
        read_concepts(path)
    written(tmp_path, "a.jsonl", path.read_text().replace('"concepts":', '"output":'))
    assert len(read_concepts(path)) == 6


def test_the_format_can_be_named(tmp_path):
    path = written(tmp_path, "notes.txt", "Alpha:\n- aspirin\n")
    assert read_concepts(path, ConceptReading(input_format="model-output")).format == "model-output"
    with pytest.raises(goldassay.InputError, match="contains no list of concepts"):
        read_concepts(written(tmp_path, "b.txt", "Once upon a time."), ConceptReading(input_format="model-output"))
    assert read_concepts(path, ConceptReading(input_format="text")).format == "text"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.sampled_from(sorted(SHAPES)), st.integers(0, 10**6), st.integers(1, 6))
def test_damaged_answers_are_read_or_refused(tmp_path, name, seed, times):
    draw = random.Random(seed)  # noqa: S311
    text = list(SHAPES[name])
    for _ in range(times):
        at = draw.randrange(len(text))
        text[at : at + draw.choice((0, 1, 9))] = draw.choice(
            ["", "\n", "```", '"', "{", "]", "- ", "|", ":", "\r\n", "q1"]
        )
    path = written(tmp_path, name, "".join(text))
    with suppress(goldassay.GoldassayError):
        read_concepts(path)


@pytest.mark.parametrize(
    "shape", ["behind a word", "behind bold words", "in a sentence", "of a kind", "described", "a table"]
)
def test_one_answer_in_a_file_is_read_like_that_of_a_record(shape, tmp_path):
    concepts = read_concepts(written(tmp_path, "a.txt", LISTED[shape](LISTS["q1"])))
    assert sorted(concepts.names.tolist()) == sorted(LISTS["q1"])


@pytest.mark.parametrize(
    "text", ['```json\n{"q1": ["aspirin", "fever"], "q2": ["gout", "co', '["aspirin", "fever", "gout", "co']
)
def test_lists_that_are_cut_off_are_warned_of(text, tmp_path):
    for name, written_text in (("a.txt", text), ("b.jsonl", json.dumps({"id": "1", "output": text}) + "\n")):
        concepts = read_concepts(written(tmp_path, name, written_text))
        assert {"aspirin", "fever", "gout"} >= {*concepts.names.tolist()}
        assert any("JSON is cut off at line" in warning for warning in concepts.warnings)


def test_thoughts_before_a_text_are_left_out(tmp_path):
    records = [{"id": 1, "answer": "<think>Is it gout?</think>Fever."}, {"id": 2, "answer": "Gout?\n</think>\nCough."}]
    path = written(tmp_path, "a.jsonl", "".join(json.dumps(one) + "\n" for one in records))
    concepts = read_concepts(path)
    assert [concepts.item(row) for row in range(len(concepts))] == ["1: fever", "2: cough"]
    assert "2 documents have thoughts of a model, which are left out" in concepts.notes


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mixed.yaml", "q1:\n  - aspirin\n  - fever\nq2: [gout, cough]\n"),
        (
            "kinds.json",
            json.dumps({"q1": {"diseases": ["fever"], "drugs": ["aspirin"]}, "q2": {"diseases": ["gout", "cough"]}}),
        ),
        ("keybert.json", json.dumps({"q1": [["aspirin", 0.5], ["fever", 0.4]], "q2": [["gout", 1], ["cough", 0.1]]})),
        ("none.txt", "q1: aspirin, fever\nq2: gout, cough\nq3: none\nq4: No concepts found.\n"),
        ("prose.txt", "Sure!\n\n**q1**: aspirin, fever\n**q2**: gout, cough\n\nHope this helps.\n"),
        ("break.txt", "| Document | Concepts |\n|---|---|\n| q1 | aspirin<br>fever |\n| q2 | gout<br>cough |\n"),
        ("lines.csv", 'id,concepts\nq1,"aspirin\nfever"\nq2,gout<br/>cough\nq3,None\n'),
        ("sets.csv", "id,concepts\nq1,\"{'aspirin', 'fever'}\"\nq2,\"{'gout', 'cough'}\"\n"),
        (
            "titled.md",
            "# Concepts\n\n## q1\n1. **aspirin**: a drug\n2. **fever**: heat\n\n## q2\n1. **gout** - pain\n2. **cough**\n",
        ),
    ],
)
def test_more_shapes_of_several_documents(name, text, tmp_path):
    concepts = read_concepts(written(tmp_path, name, text))
    found = sorted(concepts.item(row) for row in range(len(concepts)))
    assert found == ["q1: aspirin", "q1: fever", "q2: cough", "q2: gout"]


def test_concepts_between_commas_in_a_cell_are_warned_of(tmp_path):
    pred = written(tmp_path, "pred.csv", 'id,concepts\nq1,"aspirin, fever"\nq2,gout\n')
    gold = written(tmp_path, "gold.csv", "id,concepts\nq1,aspirin;fever\nq2,gout\n")
    with pytest.warns(goldassay.SuspectInputWarning, match="lists several names of the other side"):
        goldassay.evaluate(pred, gold=gold, kind="concepts", measures="concept_exact")


NAMED = {"q1": ["aspirin", "high fever", "cough"], "q2": ["type 2 diabetes", "insulin"], "q3": ["asthma"]}
MARKED = {
    "commas": ", ".join,
    "semicolons": "; ".join,
    "bars": " | ".join,
    "lines": "\n".join,
    "code": lambda names: ", ".join(f"`{name}`" for name in names),
    "quotes": lambda names: ", ".join(f'"{name}"' for name in names),
    "quotes of Python": lambda names: ", ".join(f"'{name}'" for name in names),
    "bold": lambda names: ", ".join(f"**{name}**" for name in names),
    "a set": lambda names: str(names).replace("[", "{").replace("]", "}"),
    "a tuple": lambda names: str(tuple(names)),
    "a list": json.dumps,
    "bullets": lambda names: "".join(f"- {name}\n" for name in names),
    "a word before": lambda names: "Concepts: " + ", ".join(names),
    "words before": lambda names: "The key concepts are: " + ", ".join(names),
    "a fence": lambda names: "```\n" + ", ".join(names) + "\n```",
    "and": lambda names: " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])),
    "a comma and and": lambda names: ", and ".join(filter(None, [", ".join(names[:-1]), names[-1]])),
}
MARKED_ON_LINES = (
    "commas",
    "semicolons",
    "bars",
    "code",
    "quotes",
    "bold",
    "a set",
    "a list",
    "a word before",
    "words before",
)


@pytest.mark.parametrize("shape", MARKED)
def test_a_list_of_an_answer_is_read_by_its_marks(shape, tmp_path):
    gold = {**NAMED, "q2": ["type 2 diabetes", "insulin", "head"]} if "and" in shape else NAMED
    answers = {name: MARKED[shape](names) for name, names in gold.items()}
    records = [{"id": name, "output": text} for name, text in answers.items()]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, records)))
    with (tmp_path / "a.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("id", "response"), *answers.items()])
    (tmp_path / "a.json").write_text(json.dumps(answers))
    if shape in MARKED_ON_LINES:
        (tmp_path / "a.txt").write_text("".join(f"{name}: {text}\n" for name, text in answers.items()))
    for path in tmp_path.iterdir():
        model = goldassay.read(path, kind="concepts")
        expected = [f"{name}: {one}" for name, some in gold.items() for one in sorted(some)]
        assert [model.item(at) for at in range(len(model))] == expected, path


@pytest.mark.parametrize(
    "text",
    [
        "Take aspirin, rest, and drink fluids.",
        "Yes, aspirin",
        "Aspirin, which lowers fever, and insulin",
        "Aspirin is for fever; insulin is for diabetes",
        "fever",
        "The patient, aged 60, was given aspirin",
    ],
)
def test_running_text_is_no_list(text):
    model = goldassay.read([{"id": "1", "output": text}, {"id": "2", "output": "asthma, fever"}], kind="concepts")
    assert model.choices["concepts"] == ("chunks-3:5" if text != "fever" else "given")


def test_a_name_with_and_is_split_only_where_each_list_ends_so():
    answers = [{"id": "1", "output": "aspirin, head and neck cancer"}, {"id": "2", "output": "cough, fever"}]
    model = goldassay.read(answers, kind="concepts")
    assert [model.item(at) for at in range(len(model))] == [
        "1: aspirin",
        "1: head and neck cancer",
        "2: cough",
        "2: fever",
    ]


def test_answers_that_are_texts_are_warned_of_next_to_lists():
    gold = [{"id": "1", "concepts": ["aspirin"]}]
    with pytest.warns(goldassay.GoldassayWarning, match="if the answers are lists, let the model write"):
        goldassay.evaluate(
            [{"id": "1", "output": "Take aspirin."}], gold=gold, kind="concepts", measures="concept_exact"
        )
