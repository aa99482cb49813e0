"""Names of fields are those of columns: a record of fields is read as the row of a table with these names is."""

from __future__ import annotations

import json
from itertools import product

import pytest

import goldassay
from goldassay.formats.answers.fields import ends_of
from goldassay.formats.answers.means import OF_EDGES, OF_TRIPLES

ROWS = [("dog", "animal"), ("cat", "animal"), ("oak tree", "plant")]
ENDS = [
    ("Child", "Parent"), ("Class", "Parent"), ("Name", "Parent"), ("Term", "Hypernym"), ("Instance", "Class"), ("Subclass", "Class"),
    ("Class", "Superclass"), ("Type", "Supertype"), ("Child Class", "Parent Class"), ("Skill", "Parent Skill"), ("Concept", "Is a"),
    ("Specific", "General"), ("Label", "Parent"), ("Class", "Subclass of"), ("Item", "Category"),
]  # fmt: skip
FORMS = {
    "bars": ("{}: {} | {}: {}", "\n"),
    "commas": ("{}: {}, {}: {}", "\n"),
    "semicolons": ("{}: {}; {}: {}", "\n"),
    "dashes": ("- {}: {} - {}: {}", "\n"),
    "long dashes": ("{}: {} \u2014 {}: {}", "\n"),
    "slashes": ("{}: {} / {}: {}", "\n"),
    "arrows": ("{}: {} -> {}: {}", "\n"),
    "equals signs": ("{}={}, {}={}", "\n"),
    "brackets": ("({}: {}, {}: {})", "\n"),
    "bold": ("1. **{}:** {} | **{}:** {}", "\n"),
    "lines": ("{}: {}\n{}: {}", "\n\n"),
    "bold lines": ("**{}:** {}  \n**{}:** {}", "\n\n"),
    "an item each": ("- {}: {}\n  {}: {}", "\n"),
    "bullets": ("- {}: {}\n- {}: {}", "\n"),
    "bullets below numbers": ("1. **{}:** {}\n   - **{}:** {}", "\n"),
}


def edges(path, kind="taxonomy"):
    graph = goldassay.read(path, kind=kind)
    return sorted(map(graph.item, range(len(graph))))


def table_of(names, rows):
    return "\n".join([f"| {' | '.join(cells)} |" for cells in [names, ["---"] * len(names), *rows]])


def written(tmp_path, text, name="answer.md"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("names", ENDS, ids=" and ".join)
def test_fields_are_read_as_columns_of_the_same_names(names, turned, tmp_path):
    table = edges(written(tmp_path, table_of(names, ROWS)))
    assert table == sorted(" -> ".join(row) for row in ROWS)
    for form, (record, between) in FORMS.items():
        pairs = [list(zip(names, row, strict=True)) for row in ROWS]
        ordered = [pair[::-1] if turned else pair for pair in pairs]
        text = between.join(record.format(*one, *other) for one, other in ordered)
        assert edges(written(tmp_path, text)) == table, form


OTHERS = {
    "nodes": (["ID", "Name", "Parent ID"], [("1", "animal", ""), ("2", "dog", "1"), ("3", "cat", "1")]),
    "names": (["Class", "Parent"], [("animal", ""), ("dog", "animal"), ("cat", "animal")]),
    "levels": (["Level 1", "Level 2"], [("animal", "dog"), ("animal", "cat")]),
    "a source": (["Term", "Hypernym", "Source"], [("dog", "animal", "WordNet"), ("cat", "animal", "WordNet")]),
    "opposites": (["Skill", "Parent Skill"], [("dog", "animal"), ("cat", "animal")]),
}


@pytest.mark.parametrize(
    "form", ["table", "batch of tables", "batch of objects", "lines of objects", "fields of a line", "fields"]
)
@pytest.mark.parametrize(("names", "rows"), OTHERS.values(), ids=OTHERS)
def test_all_names_of_columns_are_known_in_every_form(names, rows, form, tmp_path):
    objects = [dict(zip(names, row, strict=True)) for row in rows]
    stated = [[f"{name}: {cell}" for name, cell in one.items() if cell] for one in objects]
    texts = {
        "table": table_of(names, rows),
        "batch of tables": table_of(names, rows),
        "batch of objects": json.dumps(objects),
        "lines of objects": "The taxonomy:\n\n" + "\n".join(map(json.dumps, objects)),
        "fields of a line": "\n".join(map(" | ".join, stated)),
        "fields": "\n\n".join(map("\n".join, stated)),
    }
    path = written(tmp_path, texts[form])
    if form.startswith("batch"):
        path = written(tmp_path, json.dumps({"id": "1", "response": texts[form]}) + "\n", "batch.jsonl")
    assert edges(path) == ["cat -> animal", "dog -> animal"]


@pytest.mark.parametrize(
    "text",
    [
        "Class: animal\n- dog\n- cat\n",
        "- Class: animal\n  - Subclass: dog\n  - Subclass: cat\n",
        "Level 1: animal\nLevel 2: dog\nLevel 2: cat\n",
        "Category: animal\n  Type: dog\n  Type: cat\n",
    ],
)
def test_outlines_with_names_of_columns_are_no_records(text, tmp_path):
    assert edges(written(tmp_path, text)) == ["cat -> animal", "dog -> animal"]


@pytest.mark.parametrize(("names", "mark"), [*product([("Subject", "Object"), ("Head", "Tail")], [", ", "\n", " | "])])
def test_triples_of_fields_need_a_relation(names, mark, tmp_path):
    whole = mark.join([f"{names[0]}: Oslo", "Relation: capital of", f"{names[1]}: Norway"])
    triples = goldassay.read(written(tmp_path, whole), kind="triples")
    assert triples.item(0).endswith("Oslo | capital of | Norway")


def test_one_node_is_an_edge_in_json(tmp_path):
    path = written(tmp_path, '{"name": "dog", "parent": "animal"}', "node.json")
    assert edges(path) == ["dog -> animal"]


@pytest.mark.parametrize("field", ["Correct: {}", "**Valid:** {}", "Holds: {}"])
@pytest.mark.parametrize("mark", [" | ", ", ", "; "])
def test_a_field_that_says_whether_a_record_holds_is_none_of_its_names(field, mark, tmp_path):
    rows = [("dog", "animal", "yes"), ("cat", "plant", "no"), ("oak", "plant", "yes")]
    lines = [mark.join([f"Class: {a}", f"Parent: {b}", field.format(word)]) for a, b, word in rows]
    assert edges(written(tmp_path, "\n".join(lines))) == ["dog -> animal", "oak -> plant"]


HEADS = ["### {}\n", "# Animals\n\n## {}\n", "**{}**\n", "**{}:**\n", "{}:\n", "{}\n", "1. {}\n", "1. **{}**\n", "- {}\n", "## 1. {}\n\nA common name.\n\n"]  # fmt: skip
BELOW = ["- {}: {}", "  - {}: {}", "{}: {}", "  {}: {}", "- **{}:** {}", "   * **{}**: {}"]
UPPER = ["Parent", "Type of", "Subclass of", "Broader", "Hypernym", "Is a", "Parent class", "Broader term", "Kind of", "Superclass"]  # fmt: skip


@pytest.mark.parametrize("field", BELOW)
@pytest.mark.parametrize("head", HEADS)
def test_a_heading_is_the_end_that_the_fields_below_it_lack(head, field, tmp_path):
    table = edges(written(tmp_path, table_of(("Child", "Parent"), ROWS)))
    for name in UPPER:
        text = "\n\n".join(head.format(a) + field.format(name, b) for a, b in ROWS)
        assert edges(written(tmp_path, text)) == table, name
    for name in ["Child", "Subclass", "Hyponym"]:
        text = "\n\n".join(head.format(b) + field.format(name, a) for a, b in ROWS)
        assert edges(written(tmp_path, text)) == table, name


@pytest.mark.parametrize("children", ["- Children: poodle, beagle", "- **Children:**\n  - poodle\n  - beagle"])
@pytest.mark.parametrize("definition", ["", "- Definition: a pet that barks\n"])
def test_a_heading_is_between_what_is_above_and_below_it(children, definition, tmp_path):
    text = f"### dog\n{definition}- Parent: animal\n{children}\n"
    assert edges(written(tmp_path, text)) == ["beagle -> dog", "dog -> animal", "poodle -> dog"]
    whole = f"### animal\n- Parent: None\n- Children: dog\n\n{text}"
    assert edges(written(tmp_path, whole)) == ["beagle -> dog", "dog -> animal", "poodle -> dog"]


@pytest.mark.parametrize(
    "text",
    [
        "# Animals\n\nParent: animal\nChild: dog\n\nParent: animal\nChild: cat\n",
        "### Relation 1\n- Parent: animal\n- Children: dog\n\n### Relation 2\n- Parent: animal\n- Children: cat\n",
        "# Taxonomy\n\nParent: animal\nChildren: dog, cat\n",
        "# Animals\n- dog | Parent: animal\n- cat | Parent: animal\n",
        "# Animals\n- dog (parent: animal)\n- cat (parent: animal)\n",
        "dog - Parent: animal\ncat - Parent: animal\n",
        "animal\n  Child: dog\n  Child: cat\n",
    ],
)
def test_a_title_above_whole_records_is_no_name(text, tmp_path):
    assert edges(written(tmp_path, text)) == ["cat -> animal", "dog -> animal"]


@pytest.mark.parametrize("kind", ["triples", "axioms"])
@pytest.mark.parametrize(
    "text",
    [
        "### Oslo\n- Relation: capital of\n- Object: Norway\n",
        "**Oslo**\n- **Predicate:** capital of\n- **Object:** Norway\n",
        "### capital of\n- Subject: Oslo\n- Object: Norway\n",
        "Oslo | Relation: capital of | Object: Norway\n",
        "Oslo:\n- capital of: Norway\n",
    ],
)
def test_a_heading_is_the_part_of_a_triple_that_the_fields_below_it_lack(text, kind, tmp_path):
    found = goldassay.read(written(tmp_path, text), kind=kind)
    assert all(part in found.item(0) for part in ("Oslo", "capital of", "Norway"))
    assert len(found) == 1


def test_a_relation_below_a_heading_is_that_of_its_edge(tmp_path):
    text = "### Oslo\n- Relation: part of\n- Parent: Norway\n\n### dog\n- Relation: is a\n- Parent: animal\n"
    assert edges(written(tmp_path, text)) == ["dog -> animal"]


def test_names_of_either_end_are_fields_of_facts_only():
    assert ends_of(["from", "parent"], OF_TRIPLES) == {"from": OF_TRIPLES.ends[0]}
    assert ends_of(["from", "parent"], OF_EDGES) == {"parent": OF_EDGES.ends[2]}
