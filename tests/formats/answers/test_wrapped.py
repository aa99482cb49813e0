"""What is around the content of an answer is none of it: keys above records, notes next to them, and fields that every answer of a batch has."""

import csv
import io
import json

import polars as pl
import pytest

import goldassay

NOTES = (
    {},
    {"reasoning": "Dogs bark."},
    {"notes": ["a", "b"]},
    {"metadata": {"model": "gpt", "tokens": 12}},
    {"confidence": 0.9},
    {"model": "gpt", "usage": {"tokens": 3}},
)
EDGES = [{"child": "dog", "parent": "animal"}, {"child": "cat", "parent": "animal"}]
PROPERTIES = [{"domain": "Dog", "property": "hasOwner", "range": "Person"}]
LABELS = [{"id": "d1", "label": "sport"}, {"id": "d2", "label": "art"}]
PAIRS = [{"source": "cat", "target": "Katze"}, {"source": "dog", "target": "Hund"}]
READ = {
    "taxonomy": ["dog -> animal", "cat -> animal"],
    "axioms": ["Dog hasOwner Person"],
    "labels": ["d1: sport", "d2: art"],
    "alignment": ["cat = Katze", "dog = Hund"],
}
WRAPPED = [
    *(("taxonomy", {key: EDGES}) for key in ("is_a_relations", "hypernym_pairs", "edges", "answer")),
    *(("taxonomy", {key: {"animal": ["dog", "cat"]}}) for key in ("taxonomy", "hierarchy")),
    *(("axioms", {key: PROPERTIES}) for key in ("object_property_axioms", "object_properties", "found", "axioms")),
    ("axioms", {"ontology": {"object_properties": PROPERTIES}}),
    *(("labels", {key: LABELS}) for key in ("document_labels", "labels", "results")),
    ("labels", {"document_labels": {"d1": "sport", "d2": ["art"]}}),
    *(("alignment", {key: PAIRS}) for key in ("matched_pairs", "mappings")),
    ("alignment", {"mappings": {"cat": "Katze", "dog": ["Hund"]}}),
]


def items(path, kind):
    found = goldassay.read(path, kind=kind)
    return [found.item(row) for row in range(len(found))]


@pytest.mark.parametrize("fence", ["{}", "Sure!\n```json\n{}\n```\n"])
@pytest.mark.parametrize("notes", NOTES, ids=str)
@pytest.mark.parametrize(("kind", "value"), WRAPPED, ids=str)
def test_keys_and_notes_around_the_content_are_none_of_it(kind, value, notes, fence, tmp_path):
    path = tmp_path / ("answer.json" if fence == "{}" else "answer.md")
    for shown in ({**notes, **value}, {**value, **notes}):
        path.write_text(fence.format(json.dumps(shown)))
        assert items(path, kind) == READ[kind]
    assert all(repr(key) in "".join(goldassay.read(path, kind=kind).notes) for key in notes)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("taxonomy", {"data": ["table"], "metadata": ["title"]}, ["table -> data", "title -> metadata"]),
        ("taxonomy", {"data": {"kinds": ["table"]}, "model": ["tree"]}, ["kinds -> data", "table -> kinds", "tree -> model"]),
        ("taxonomy", {"notes": [{"name": "dog", "children": ["poodle"]}]}, ["dog -> notes", "poodle -> dog"]),
        ("labels", {"note": "noun", "dog": "noun"}, ["note: noun", "dog: noun"]),
        ("labels", {"d1": [{"id": "Q1", "label": "sport"}], "d2": [{"id": "Q2", "label": "art"}]}, READ["labels"]),
        ("alignment", {"notes": "remarks", "id": "key"}, ["notes = remarks", "id = key"]),
    ],
    ids=str,
)  # fmt: skip
def test_names_that_are_words_for_notes_stay_names(kind, value, expected, tmp_path):
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(value))
    assert items(path, kind) == expected


NAMES = (
    "Label", "Sentiment", "Verdict", "Diagnosis", "Document class", "ICD-10 code", "Kategorie", "\u00c9tiquette", "R\u00e9ponse", "\u30e9\u30d9\u30eb",
)  # fmt: skip
STATED = (
    *(f"{name}{mark}{{}}" for name in NAMES for mark in (": ", " -> ", " = ")),
    *(f"**{name}:** {{}}\n\n**Reasoning:** It says so." for name in NAMES),
    *(f'{{{{"{name}": "{{}}"}}}}' for name in NAMES),
    '```json\n{{"sentiment": "{}", "reasoning": "because"}}\n```',
    '{{"result": {{"label": "{}"}}}}',
    '{{"primary": "{}", "secondary": null}}',
    "<labels><label>{}</label></labels>",
    "<sentiment>{}</sentiment>",
)


@pytest.mark.parametrize("stated", STATED)
def test_what_every_answer_of_a_batch_names_is_a_field(stated, tmp_path):
    path = tmp_path / "answers.jsonl"
    labels = ("positive", "negative", "positive")
    records = [{"id": f"d{at}", "output": stated.format(label)} for at, label in enumerate(labels)]
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    assert items(path, "labels") == ["d0: positive", "d1: negative", "d2: positive"]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (['{"a": "x", "b": "y"}', '{"c": "x", "a": "z"}'], ["a: x", "b: y", "c: x", "a: z"]),
        (['{"a": "x"}', '{"b": "y"}'], ["a: x", "b: y"]),
        (["d1: x", "d1: y"], ["d1: x", "d1: y"]),
        ([json.dumps({f"e{n}": "x" for n in range(9)})] * 2, [f"e{n}: x" for n in range(9)]),
    ],
)
def test_answers_with_several_instances_are_read(answers, expected, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps({"id": f"d{n}", "output": one}) + "\n" for n, one in enumerate(answers, 1)))
    assert sorted(items(path, "labels")) == sorted(expected)


INSIDE = (
    "{} - {}",
    "{}: {}",
    "{} -> {}",
    "{} | {}",
    "{} = {}",
    "({}, {})",
    "{} \u2192 {}",
    "{}\uff1a{}",
    "- {} - {}",
    "{}; {}",
    "{}, {}",
    "{} / {}",
)


@pytest.mark.parametrize("names", [("Sport", "Politics", "Art"), ("Sport", "Sport", "Art"), ("A01", "B02", "C03")])
@pytest.mark.parametrize("inside", INSIDE)
def test_an_answer_with_one_statement_is_a_label_of_the_id_of_its_record(inside, names, tmp_path):
    labels = [
        inside.format(name, below) for name, below in zip(names, ("Football", "Elections", "Painting"), strict=True)
    ]
    gold, rotated, plain = (tmp_path / f"{name}.jsonl" for name in ("gold", "rotated", "plain"))
    for path, answers in ((gold, labels), (rotated, labels[1:] + labels[:1]), (plain, [*labels, "law", "war", "art"])):
        path.write_text("".join(json.dumps({"id": f"d{n}", "output": one}) + "\n" for n, one in enumerate(answers)))
    for path in (gold, rotated, plain):
        assert {one.partition(":")[0] for one in items(path, "labels")} <= {f"d{n}" for n in range(6)}
    assert items(gold, "labels") != items(rotated, "labels")


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["e1: x\ne2: y", "e3: z"], ["e1: x", "e2: y", "e3: z"]),
        (["e1: x\ne2: y", "e3: z", "x", "y"], ["d2: e3: z", "d3: x", "d4: y", "e1: x", "e2: y"]),
        (["Tone: good", "Tone: bad", "Tone: bad"], ["d1: good", "d2: bad", "d3: bad"]),
    ],
)
def test_pairs_next_to_answers_about_several_items_are_their_own(answers, expected, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps({"id": f"d{n}", "output": one}) + "\n" for n, one in enumerate(answers, 1)))
    assert sorted(items(path, "labels")) == expected


def test_a_label_behind_the_id_of_an_item_may_have_an_arrow(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("d1: Sport -> Football\nd2: Art -> Painting\nAlien: Covenant -> film\n")
    assert items(path, "labels") == ["d1: Sport > Football", "d2: Art > Painting", "Alien: Covenant: film"]


TREE = ["dog -> animal", "poodle -> dog", "cat -> animal"]
OF_XML = {
    "taxonomy": (
        ("<taxonomy><concept><name>animal</name><child>dog</child><child>cat</child></concept>"
        "<concept><name>dog</name><child>poodle</child></concept></taxonomy>"),
        ("<list><concept><name>dog</name><parent>animal</parent></concept><concept><name>poodle</name><parent>dog</parent>"
        "</concept><concept><name>cat</name><parent>animal</parent></concept></list>"),
        ("<concept><name>animal</name><description>It lives.</description><children><concept><name>dog</name><children>"
        "<child>poodle</child></children></concept><concept><name>cat</name></concept></children></concept>"),
        ("<concept><name>animal</name><concept><name>dog</name><concept><name>poodle</name></concept></concept>"
        "<concept><name>cat</name></concept></concept>"),
        '<concept name="animal"><concept name="dog"><concept name="poodle"/></concept><concept name="cat"/></concept>',
        '<concept name="animal"><child>dog</child><child>cat</child></concept><concept name="dog"><child>poodle</child></concept>',
        "<animal><dog><poodle/></dog><cat/></animal>",
    ),
    "labels": (
        "<results><item><id>d1</id><label>sport</label><label>art</label></item><item><id>d2</id><label>law</label></item></results>",
        ("<results><item><id>d1</id><labels><label>sport</label><label>art</label></labels></item><item><id>d2</id><labels>"
        "<label>law</label></labels></item></results>"),
        '<results><item id="d1"><label>sport</label><label>art</label></item><item id="d2"><label>law</label></item></results>',
        '<results><item id="d1" label="sport"/><item id="d1" label="art"/><item id="d2" label="law"/></results>',
        "<item><id>d1</id><label>sport</label><label>art</label><note>x</note></item><item><id>d2</id><label>law</label></item>",
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", ["{}", "Sure!\n```xml\n{}\n```\n", "<answer>{}</answer>"])
@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, some in OF_XML.items() for text in some])
def test_elements_of_xml_that_recur_are_all_read(kind, text, form, tmp_path):
    path = tmp_path / "answer.txt"
    expected = TREE if kind == "taxonomy" else ["d1: sport", "d1: art", "d2: law"]
    for written in (text, text.replace("><", ">\n<")):
        path.write_text(form.format(written))
        assert sorted(items(path, kind)) == sorted(expected)


@pytest.mark.parametrize(
    "stated",
    [
        "<labels><label>sport</label><label>art</label></labels>",
        "<label>sport</label><label>art</label>",
        "<result><label>sport</label><label>art</label><confidence>0.9</confidence></result>",
        "<answer><labels><label>sport</label><label>art</label></labels></answer>",
        '{"result": {"labels": ["sport", "art"]}}',
        '{"label": [{"name": "sport"}, {"name": "art"}], "reasoning": "It says so."}',
    ],
)
def test_the_labels_of_one_item_may_be_several_elements(stated, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"id": "d1", "output": stated}))
    assert items(path, "labels") == ["d1: sport", "d1: art"]


MIXED = {
    "labels": ("d1:\n  - sport\n  - art\nd2: law\n", "d1: [sport, art]\nd2: law\n", "labels:\n  d1: [sport, art]\n  d2: law\n"),
    "concepts": ("d1:\n  - sport\n  - art\nd2: law\n",),
    "alignment": ("d1:\n  - sport\n  - art\nd2: law\n",),
    "taxonomy": (
        "animal:\n  dog:\n    - poodle\nliving: animal\nzoo:\n  - cat\n",
        "living: animal\nanimal:\n  dog: poodle\nzoo: [cat]\nreasoning: Dogs bark.\n",
    ),
    "axioms": ("Dog:\n  subClassOf: Animal\n  eats:\n    - Meat\n    - Bone\n",),
}  # fmt: skip
OF_MIXED = {
    "labels": ["d1: sport", "d1: art", "d2: law"],
    "concepts": ["d1: art", "d1: sport", "d2: law"],
    "alignment": ["d1 = sport", "d1 = art", "d2 = law"],
    "taxonomy": ["dog -> animal", "poodle -> dog", "animal -> living", "cat -> zoo"],
    "axioms": ["Dog subClassOf Animal", "Dog eats Meat", "Dog eats Bone"],
}


@pytest.mark.parametrize("form", ["{}", "Sure!\n```yaml\n{}```\n"])
@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, some in MIXED.items() for text in some])
def test_a_name_next_to_lists_of_names_is_read(kind, text, form, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(form.format(text))
    assert sorted(items(path, kind)) == sorted(OF_MIXED[kind])


@pytest.mark.parametrize(
    "text",
    [
        "Topic: Animals\nMammals:\n  - dog\n  - cat\n",
        "Mammals:\n  - dog\n  - cat\nBirds: they have feathers, and most of them fly.\n",
    ],
)
def test_a_heading_or_a_description_next_to_lists_is_no_name(text, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text(text)
    assert items(path, "taxonomy") == ["dog -> Mammals", "cat -> Mammals"]
    assert goldassay.read(path, kind="taxonomy").left_out["lines_of_prose"] == 1


def as_csv(records):
    text = io.StringIO()
    writer = csv.DictWriter(text, list(records[0]))
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()


AS = {
    "json": ("answers.json", json.dumps),
    "jsonl": ("answers.jsonl", lambda records: "".join(json.dumps(one) + "\n" for one in records)),
    "csv": ("answers.csv", as_csv),
    "list": (None, list),
    "frame": (None, pl.DataFrame),
}
AROUND = (
    '```json\n{{"label": "{}"}}\n```',
    'Sure!\n```json\n{{"labels": ["{}"]}}\n```',
    "<think>It may be law.</think>\n{}",
    "Answer: {}",
    "**Category:** {}\n\n**Reasoning:** It says so.",
    "The document belongs to the category **{}**.",
    "- {}",
)  # fmt: skip


def given(records, form, folder):
    name, write = AS[form]
    if name is None:
        return write(records)
    (folder / name).write_text(write(records))
    return folder / name


KEYS = ("output", "response", "prediction", "result", "raw", "text_output")


@pytest.mark.parametrize(
    ("around", "key", "form"),
    [
        (around, key, form)
        for around in AROUND
        for key in KEYS
        for form in AS
        # In CSV a column that is called neither as labels nor as answers are is refused, with the flag that names it.
        if form != "csv" or key not in ("result", "raw")
    ],
)
def test_answers_are_their_labels_in_every_format(around, key, form, tmp_path):
    records = [{"id": f"d{at}", key: around.format(label)} for at, label in enumerate(("sport", "rock & roll"))]
    assert items(given(records, form, tmp_path), "labels") == ["d0: sport", "d1: rock & roll"]


@pytest.mark.parametrize("form", AS)
@pytest.mark.parametrize("key", ["label", "prediction"])
def test_plain_labels_stay_what_they_are(key, form, tmp_path):
    labels = (
        "a: b",
        "1. FC K\u00f6ln",
        "rock & roll.",
        "(unknown)",
        "other diseases of the upper tract, not elsewhere classified in this list",
    )
    records = [{"id": f"d{at}", key: label} for at, label in enumerate((*labels, "- none"))]
    assert items(given(records, form, tmp_path), "labels")[:5] == [f"d{at}: {one}" for at, one in enumerate(labels)]


@pytest.mark.parametrize("form", AS)
@pytest.mark.parametrize("around", ['["{}"]', 'Sure!\n```json\n{{"concepts": ["{}"]}}\n```', "Here they are:\n- {}\n"])
def test_answers_are_their_concepts_in_every_format(around, form, tmp_path):
    records = [{"id": f"d{at}", "output": around.format(name)} for at, name in enumerate(("heart attack", "fever"))]
    assert items(given(records, form, tmp_path), "concepts") == ["d0: heart attack", "d1: fever"]


OF_JSON5 = {
    "taxonomy": ("[{child: 'dog', parent: \"animal\"}, {child: 'cat', parent: 'animal'},]", "{animal: ['dog', \"cat\"], // all\n}"),
    "labels": ("[{id: 'd1', label: 'sport'}, {id: 'd2', label: 'art'}]", "{d1: 'sport', /* and */ d2: 'art'}"),
    "alignment": ("{cat: 'Katze', dog: 'Hund'}",),
}  # fmt: skip


@pytest.mark.parametrize("form", ["{}", "Sure!\n```json5\n{}\n```\n"])
@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, some in OF_JSON5.items() for text in some])
def test_keys_without_quotes_are_read(kind, text, form, tmp_path):
    path = tmp_path / ("answer.json" if form == "{}" else "answer.md")
    path.write_text(form.format(text))
    assert items(path, kind) == READ[kind]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("taxonomy", {"animal": ["dog", "cat"]}),
        ("labels", {"d1": "sport", "d2": "art"}),
        ("labels", LABELS),
        ("alignment", {"cat": "Katze", "dog": "Hund"}),
        ("alignment", PAIRS),
    ],
)
def test_json_in_utf_16_is_read(kind, value, tmp_path):
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(value, indent=1), encoding="utf-16")
    assert items(path, kind) == READ[kind]


@pytest.mark.parametrize("form", AS)
@pytest.mark.parametrize("label", ["[y]", "['y'", "[not a list]"])
def test_a_label_in_brackets_is_a_name_in_every_format(label, form, tmp_path):
    records = [{"id": "d1", "label": label}, {"id": "d2", "label": "x"}]
    assert items(given(records, form, tmp_path), "labels") == [f"d1: {label}", "d2: x"]
