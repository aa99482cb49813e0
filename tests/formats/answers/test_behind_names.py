"""What models write behind, above and around names, in several languages: it is no part of a name, and says what a field is."""

import json

import pytest

import goldassay


def items(path, text, kind):
    path.write_text(text, encoding="utf-8")
    model = goldassay.read(path, kind=kind)
    return sorted(model.item(row) for row in range(len(model)))


ENDS = {
    "alignment": (("cat", "chat"), ("dog", "chien"), "{} = {}"),
    "labels": (("d1", "sport"), ("d2", "art"), "{}: {}"),
}
BEHIND = (
    "", " (exact match)", " (confidence: high)", " (0.9)", ": 95%", " - 95%", " \u2013 95 %", ", 0.9",
    "\uff08\u7f6e\u4fe1\u5ea6\uff1a0.9\uff09", " (Konfidenz: 0.9)", " (mentions it)",
)  # fmt: skip


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("form", ["- **{}** \u2192 **{}**{{}}", "1. {} -> **{}**{{}}", "- {}: **{}**{{}}"])
@pytest.mark.parametrize("kind", ENDS)
def test_what_is_behind_a_name_in_bold_is_no_part_of_it(kind, form, behind, tmp_path):
    *pairs, written = ENDS[kind]
    text = "\n".join(form.format(*pair).format(behind) for pair in pairs)
    assert items(tmp_path / "answer.txt", text, kind) == sorted(written.format(*pair) for pair in pairs)


@pytest.mark.parametrize("head", ["**Exact matches:**", "### Exact matches", "**Exact matches**", "Exact matches:"])
def test_pairs_below_headings_are_no_list_of_the_heading(head, tmp_path):
    text = f"{head}\n- cat \u2192 chat\n- dog \u2194 chien\n\n**No match:**\n- fox\n- ox\n"
    assert items(tmp_path / "answer.txt", text, "alignment") == ["cat = chat", "dog = chien"]


STATED = (
    "Die Kategorie ist **art**.", "Kategorie: art\n\nBegr\u00fcndung: Es geht um Bilder.", "Thema: art", "La cat\u00e9gorie est **art**.",
    "Cat\u00e9gorie : art\n\nExplication : il parle de tableaux.", "Categor\u00eda: art", "La categor\u00eda es **art**.", "\u7c7b\u522b\uff1aart",
    "\u8be5\u6587\u6863\u5c5e\u4e8e**art**\u7c7b\u522b\u3002", "\u30ab\u30c6\u30b4\u30ea\uff1aart", "Das Dokument geh\u00f6rt zu **art**.",
)  # fmt: skip


@pytest.mark.parametrize("stated", STATED)
def test_a_label_is_stated_in_any_language(stated, tmp_path):
    rows = [{"id": "d1", "output": "sport"}, {"id": "d2", "output": stated}, {"id": "d3", "output": "law"}]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    assert items(tmp_path / "batch.jsonl", text, "labels") == ["d1: sport", "d2: art", "d3: law"]


def test_labels_of_a_batch_are_split_at_commas_if_others_have_them(tmp_path):
    def read(*labels):
        rows = [json.dumps({"id": f"d{at}", "output": label}) for at, label in enumerate(labels, start=1)]
        return items(tmp_path / "batch.jsonl", "\n".join(rows), "labels")

    assert read("sport, art", "art", "sport") == ["d1: art", "d1: sport", "d2: art", "d3: sport"]
    assert read("Arts, Crafts", "law", "sport") == ["d1: Arts, Crafts", "d2: law", "d3: sport"]


EDGES = ["animal -> thing", "cat -> animal", "dog -> animal"]


@pytest.mark.parametrize(
    ("name", "below"),
    [("name", "kinder"), ("bezeichnung", "Unterbegriffe"), ("nom", "sous-cat\u00e9gories"), ("nombre", "hijos"), ("\u540d\u79f0", "\u5b50\u7c7b")],
)  # fmt: skip
def test_children_are_called_so_in_any_language(name, below, tmp_path):
    tree = {name: "thing", below: [{name: "animal", below: [{name: "cat"}, {name: "dog"}]}]}
    assert items(tmp_path / "answer.json", json.dumps(tree), "taxonomy") == EDGES


@pytest.mark.parametrize("below", ["branches", "members", "\u67dd"])
def test_a_key_inside_of_itself_is_a_field(below, tmp_path):
    tree = {"name": "thing", below: [{"name": "animal", below: [{"name": "cat"}, {"name": "dog"}]}]}
    with pytest.raises(goldassay.InputError) as error:
        items(tmp_path / "answer.json", json.dumps(tree), "taxonomy")
    assert below in str(error.value)
    assert "children" in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "* thing\n** animal\n*** cat\n*** dog\n",
        "- thing\n-- animal\n--- cat\n--- dog\n",
        "thing\n-animal\n--cat\n--dog\n",
        "# thing\n\nAll there is.\n\n## animal\n\nAnything alive.\n\n- cat: a pet\n- dog: a pet\n",
        "- thing (kind: root)\n  - animal (Latin: animalia)\n    - cat\n    - dog\n",
        "Parent: thing\nChildren: animal\n\nParent: animal\nChildren: cat, dog\n",
        "- animal (parent: thing)\n- cat (parent: animal)\n- dog (hypernym: animal)\n- thing (root)\n",
        "- thing (children: animal)\n- animal (children: cat, dog)\n",
    ],
)
def test_each_writing_of_a_tree_is_read(text, tmp_path):
    assert items(tmp_path / "answer.txt", text, "taxonomy") == EDGES


@pytest.mark.parametrize(
    "text",
    [
        "1. **hasOwner**\n   - Domain: Dog\n   - Range: Person\n2. **hasAge**\n   - Domain: Dog\n   - Range: integer\n",
        "- hasOwner (domain: Dog, range: Person)\n- hasAge (domain: Dog; range: integer)\n",
        "hasOwner:\nDomain: Dog\nRange: Person\n\nhasAge:\nDomain: Dog\nRange: integer\n",
        "**hasOwner**:\n- Domain: Dog\n- Range: Person\n\n**hasAge**:\n- Domain: Dog\n- Range: integer\n",
    ],
)
def test_a_property_above_its_domain_and_range_is_none_of_a_subclass(text, tmp_path):
    assert items(tmp_path / "answer.txt", text, "axioms") == ["Dog hasAge integer", "Dog hasOwner Person"]


def test_a_domain_and_a_range_without_a_property_are_no_axiom(tmp_path):
    with pytest.raises(goldassay.InputError):
        items(tmp_path / "answer.txt", "Here are the axioms:\nDomain: Dog\nRange: Person\n", "axioms")


def test_a_statement_in_bold_is_read_without_what_explains_it(tmp_path):
    text = "1. **Dog subClassOf Animal**: dogs are animals.\n2. **Cat SubClassOf Animal**: cats are animals.\n"
    assert items(tmp_path / "answer.txt", text, "axioms") == ["Cat subClassOf Animal", "Dog subClassOf Animal"]


@pytest.mark.parametrize("form", ["{}\n{}\n", "```\n{}\n{}\n```\n", "{},\n{}\n", "Here they are:\n{}\n{}\n"])
@pytest.mark.parametrize("write", [json.dumps, repr])
def test_a_list_of_three_names_on_each_line_is_a_triple(write, form, tmp_path):
    text = form.format(write(["Oslo", "capital of", "Norway"]), write(["Nile", "flows through", "Egypt"]))
    assert items(tmp_path / "answer.txt", text, "triples") == [
        "1: Nile | flows through | Egypt",
        "1: Oslo | capital of | Norway",
    ]


def read_batch(path, *outputs):
    rows = [json.dumps({"id": f"d{at}", "output": output}) for at, output in enumerate(outputs, start=1)]
    return items(path / "batch.jsonl", "\n".join(rows), "labels")


def test_the_numbers_of_a_list_of_labels_are_no_items_in_a_batch(tmp_path):
    assert read_batch(tmp_path, "1. sport\n2. art", "1. art") == ["d1: art", "d1: sport", "d2: art"]


def test_each_label_of_a_batch_has_its_own_score(tmp_path):
    assert read_batch(tmp_path, "sport (0.9), art (0.6)", "art (0.8)") == ["d1: art", "d1: sport", "d2: art"]
    model = goldassay.read(tmp_path / "batch.jsonl", kind="labels")
    assert sorted(model.scores.tolist()) == [0.6, 0.8, 0.9]


LEVELS = (("Level 1", "Level 2"), ("Category", "Subcategory"), ("Main category", "Sub-category"), ("topic", "subtopic"))


@pytest.mark.parametrize(
    "form", ["{}: news\n{}: sport", "- **{}:** news\n- **{}:** sport", '{{"{}": "news", "{}": "sport"}}']
)
@pytest.mark.parametrize("names", LEVELS)
def test_fields_of_levels_are_one_path(names, form, tmp_path):
    assert read_batch(tmp_path, form.format(*names), form.format(*names)) == ["d1: news > sport", "d2: news > sport"]


@pytest.mark.parametrize("nothing", ["None", "N/A", "(none)", "(empty)"])
def test_nothing_below_a_name_of_an_outline_is_no_child(nothing, tmp_path):
    text = f"- thing\n  - animal\n    - cat\n    - dog\n    - {nothing}\n"
    assert items(tmp_path / "answer.txt", text, "taxonomy") == EDGES


def test_short_descriptions_in_json_are_no_children(tmp_path):
    tree = {"thing": {"animal": {"cat": "a pet", "dog": "a pet"}}}
    assert items(tmp_path / "answer.json", json.dumps(tree), "taxonomy") == EDGES


@pytest.mark.parametrize(
    "lead", ["Konzepte:", "Begriffe:", "Mots-cl\u00e9s :", "Conceptos:", "**Concepts** :", "Keywords:"]
)
def test_what_was_asked_for_is_no_concept_in_any_language(lead, tmp_path):
    assert items(tmp_path / "answer.txt", f"{lead} aspirin, fever\n", "concepts") == ["1: aspirin", "1: fever"]
