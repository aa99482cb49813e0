"""What is around statements in the lines of an answer is not read as one: sections, titles, notes, labels, marks and comments."""

from __future__ import annotations

import csv
import io

import pytest

from goldassay.core.errors import InputError
from goldassay.formats.answers.fields import fields
from goldassay.formats.answers.formal import manchester
from goldassay.formats.answers.lines import lines_of_answer
from goldassay.formats.answers.means import OF_AXIOMS, OF_EDGES, OF_TRIPLES
from goldassay.formats.answers.names import end_of, is_prose, name_of
from goldassay.formats.answers.outline import node_of, outline
from goldassay.formats.answers.read import read_answer
from goldassay.formats.answers.shapes import is_relation, side_of, two_names
from goldassay.formats.answers.statements import (
    lists_at_colons,
    pairs_at_dashes,
    read_lines,
    rows_at_commas,
    spread_lists,
)
from goldassay.formats.source import Source

MEANINGS = {"edges": OF_EDGES, "triples": OF_TRIPLES, "axioms": OF_AXIOMS}
FACT, OTHER = ("Oslo", "capital of", "Norway"), ("Paris", "capital of", "France")
TREE = {("fish", "animal"), ("salmon", "fish"), ("trout", "fish")}
OUTLINE = "- animal\n  - fish\n    - salmon\n    - trout\n"


def read(text, family):
    """Return the names of each statement, and the answer."""
    data = text.encode()
    source = Source(path="answer.txt", name="answer.txt", data=data, size=len(data))
    answer = read_answer(source, "child-parent" if family == "edges" else None, meaning=MEANINGS[family])
    rows = list(csv.reader(io.StringIO(answer.source.data.decode())))[1:]
    return {tuple(row) for row in rows}, answer


def ends(rows):
    return {(row[0], row[-1]) for row in rows}


SECTIONS = {
    "bold": "**Entities:**\n1. Oslo - City\n2. Norway - Country\n\n**Relationships:**\n1. Oslo - capital of - Norway\n2. Paris - capital of - France",
    "colons": "Entities:\n- Oslo (City)\n- Norway (Country)\n\nRelations:\n- (Oslo, capital of, Norway)\n- (Paris, capital of, France)",
    "headings": "# Knowledge Graph of Europe\n## Nodes (4)\n- Oslo\n- Norway\n\n## Edges\n- Oslo -[capital of]-> Norway\n- Paris -[capital of]-> France",
    "subjects": "**Oslo**\n- capital of → Norway\n\n**Paris**\n- capital of → France",
    "relation": "capital of:\n- Oslo → Norway\n- Paris → France",
    "relation and tuples": "**capital of**\n- (Oslo, Norway)\n- (Paris, France)",
    "relation on the line": "capital of: Oslo -> Norway\ncapital of: Paris -> France",
}


@pytest.mark.parametrize("shape", SECTIONS)
def test_sections_of_triples_are_no_items(shape):
    assert read(SECTIONS[shape], "triples")[0] == {FACT, OTHER}


@pytest.mark.parametrize(
    "text",
    [
        "Entities:\n- Oslo\n- Norway",
        "- Norway\n  - Oslo\n  - Bergen",
        "salmon\n- eats → krill",
        "# Cities\n## Oslo\n## Paris",
    ],
)
def test_an_outline_of_names_is_no_triple(text):
    with pytest.raises(InputError, match="no statement"):
        read(text, "triples")


def test_sections_of_axioms_are_no_classes():
    text = "**Classes**\n- Book\n- Author\n\n**Object properties**\n- hasAuthor (Book → Author)\n\n**Subclasses**\n- Novel ⊑ Book"
    assert read(text, "axioms")[0] == {("Book", "hasAuthor", "Author"), ("Novel", "subClassOf", "Book")}
    with pytest.raises(InputError, match="no statement"):
        read("Classes:\n- Book\n- Novel\n\nObject Properties:\n- hasAuthor", "axioms")


def test_a_label_is_a_relation_of_an_axiom_only_if_it_looks_like_one():
    rows, _ = read("hasAuthor: Book -> Author\ntitle: Book -> string\nNovel -> Book", "axioms")
    assert {row[:3] for row in rows} == {
        ("Book", "hasAuthor", "Author"),
        ("Book", "title", "string"),
        ("Novel", "subClassOf", "Book"),
    }


@pytest.mark.parametrize(
    "text",
    [
        f"# Taxonomy of Animals\n\n{OUTLINE}",
        f"**Animal taxonomy:**\n{OUTLINE}",
        f"## Proposed Taxonomy\n\n{OUTLINE}\n## Notes\n\n- This taxonomy is based on the biology of animals.\n- It may be extended.",
        f"{OUTLINE}\n**Explanation:**\nFish are animals that live in water.",
    ],
)
def test_titles_and_notes_are_no_items(text):
    rows, answer = read(text, "edges")
    assert ends(rows) == TREE
    assert answer.prose


def test_words_of_sections_stay_concepts_inside_an_outline():
    rows, _ = read("- document\n  - notes\n    - footnote\n  - references\n  - classes", "edges")
    assert ends(rows) == {
        ("notes", "document"),
        ("footnote", "notes"),
        ("references", "document"),
        ("classes", "document"),
    }
    assert ends(read("# Document\n## Notes\n## References", "edges")[0]) == {
        ("Notes", "Document"),
        ("References", "Document"),
    }


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("(Curie, born on, November 7, 1867)", "November 7, 1867"),
        ("(Curie, born on, November 7, 1867, 0.9)", "November 7, 1867"),
        ("(Curie, population, 709,037)", "709,037"),
        ("(Curie, population, 1,709,037)", "1,709,037"),
        ('("Curie", "population", 709,037)', "709,037"),
        ("(Curie, population, 709037)", "709037"),
        ("(Curie, won, Nobel Prize, 0.95)", "Nobel Prize"),
        ("(Curie, won, Nobel Prize, 95%)", "Nobel Prize"),
    ],
)
def test_only_a_score_is_taken_off_the_object_of_a_tuple(line, end):
    rows, _ = read(f"{line}\n(Oslo, capital of, Norway)", "triples")
    assert {row[2] for row in rows if row[0] == "Curie"} == {end}


@pytest.mark.parametrize(
    "text",
    [
        "## 1. animal\n### 1.1 fish\n- salmon\n- trout",
        "## 1. animal\n### 1.1. fish\n#### 1.1.1. salmon\n#### 1.1.2. trout",
        "## 1) animal\n### a) fish\n- salmon\n- trout",
        "### **animal**\n\n**1. fish**\n  * salmon\n  * trout",
        "### **animal**\n\n**1.** fish\n  * salmon\n  * trout",
        "1 animal\n1.1 fish\n1.1.1 salmon\n1.1.2 trout",
        "- animal\n  - fish: salmon, trout",
        "Root: animal\n  - fish\n    - salmon\n    - trout",
        "Level 1: animal\n  Level 2: fish\n    Level 3: salmon\n    Level 3: trout",
        "Class: animal\n  Order: fish\n    Species: salmon\n    Species: trout",
        "animal\n└── fish   # aquatic\n    ├── salmon  # pink\n    └── trout",
        "salmon -> fish, 0.95\ntrout -> fish | 0.9\nfish -> animal : 0.8",
        "salmon -> fish  # sure\ntrout -> fish // sure\nfish -> animal",
        "is_a: salmon -> fish\nis_a: trout -> fish\nis_a: fish -> animal",
        "Edge: salmon -> fish\nEdge 2: trout -> fish\nE3: fish -> animal",
        "**(salmon, fish)**\n🔹 (trout, fish)\n`(fish, animal)`",
        "1、(salmon, fish)\n2、(trout, fish) [confidence: 0.9]\n*(fish, animal)*: it lives",
        "salmon — a kind of fish\ntrout: a kind of fish\nfish, a type of animal",
        "- **salmon** \u2013 a type of fish\n- **trout** \u2013 a kind of fish\n- fish - is a - animal",
        "salmon is a fish (it's pink).\ntrout is a fish (it swims).\nfish is an animal.",
        "(salmon)-[:IS_A]->(fish)\n(trout)-[is_a]->(fish)\n(fish) -[is a]-> (animal)",
        "(salmon) -> (fish)\n(trout) -> (fish)\n(fish) -> (animal)",
        '(:Fish {name: "salmon"})-[:IS_A]->(f:Class {name: "fish"})\n("trout")-[:IS_A]->("fish")\n(fish)-[:IS_A]->(animal)',
    ],
)
def test_what_is_around_a_name_is_none_of_it(text):
    assert ends(read(text, "edges")[0]) == TREE


@pytest.mark.parametrize(
    "line",
    [
        "**(Oslo, capital of, Norway)**",
        "*(Oslo, capital of, Norway)*",
        "1. `(Oslo, capital of, Norway)`",
        "✅ (Oslo, capital of, Norway)",
        "**(Oslo, capital of, Norway)**: the text says so.",
        "(Oslo, capital of, Norway) [confidence: 0.9]",
        "Triple 1: (Oslo, capital of, Norway)",
        "T1: Oslo | capital of | Norway",
        "(Oslo)-[capital of]->(Norway)",
        "(Oslo:City)-[capital of]->(Norway:Country)",
    ],
)
def test_marks_around_a_triple_are_none_of_it(line):
    rows, _ = read(f"{line}\n(Paris, capital of, France)\n❌ (Rome, capital of, Spain)", "triples")
    assert {row[:3] for row in rows} == {FACT, OTHER}


def test_descriptions_are_no_children_and_are_counted():
    rows, answer = read("- animal\n  - fish: a vertebrate, cold-blooded\n  - dog: it barks", "edges")
    assert ends(rows) == {("fish", "animal"), ("dog", "animal")}
    assert "'descriptions' (2)" in answer.note


def test_names_keep_what_looks_like_a_label_a_number_or_a_comment():
    rows, _ = read("Star Wars: A New Hope -> film\nC# -> language\n7 Up -> drink\nE. coli K-12 -> bacteria", "edges")
    assert {row[0] for row in rows} >= {"Star Wars: A New Hope", "C#", "7 Up"}


def test_a_line_break_in_a_diagram_is_a_blank():
    rows, _ = read('graph TD\nA["animal<br/>(kingdom)"] --> B["cold<br>fish"]', "edges")
    assert {frozenset(row) for row in ends(rows)} == {frozenset({"animal (kingdom)", "cold fish"})}


@pytest.mark.parametrize("fence", ["{}", "```mermaid\n{}\n```"])
@pytest.mark.parametrize("kind", ["erDiagram", "stateDiagram-v2"])
def test_other_diagrams_are_refused_by_name(kind, fence):
    with pytest.raises(InputError, match="kind of diagram is not supported"):
        read(fence.format(f"{kind}\n  animal --> fish\n  fish --> salmon"), "edges")


def test_example_of_lines_of_answer():
    assert [(line.text, line.depth) for line in lines_of_answer("- animal\n  - dog")] == [
        ("animal", 30.5),
        ("dog", 32.5),
    ]


def test_example_of_name_of():
    assert name_of("**Golden retriever**.") == "Golden retriever"
    assert name_of("`cat`,") == "cat"
    assert name_of("🐶 Dog") == "Dog"
    assert name_of("[dog]") == "dog"


def test_example_of_end_of():
    assert end_of("animal — because it breathes") == "animal"
    assert end_of("drug (it relieves pain)") == "drug"
    assert end_of("Paris (Texas)") == "Paris (Texas)"


def test_example_of_is_prose():
    assert is_prose("Here are the edges:")
    assert not is_prose("dog -> animal")


def test_example_of_read_lines():
    found = read_lines(lines_of_answer("A dog is a kind of animal."))
    assert found.rows[0][1:4] == ("dog", "is a", "animal")
    assert found.taken == [1]
    assert list(found.shapes) == ["sentences"]
    assert read_lines(lines_of_answer("(Oslo, capital of, Norway)")).rows[0][1:4] == ("Oslo", "capital of", "Norway")


def test_example_of_two_names():
    assert two_names("Oslo → Norway") == ("Oslo", "Norway")
    assert two_names("(Oslo, Norway)") == ("Oslo", "Norway")
    assert two_names("Oslo -[in]-> Norway") is None


def test_example_of_side_of():
    from goldassay.formats.answers.means import OF_TRIPLES

    assert side_of("capital of", ["Oslo"], OF_TRIPLES) == "relation"
    assert side_of("Oslo", ["capital of"], OF_TRIPLES) == "subject"
    assert side_of("salmon", ["eats"], OF_TRIPLES) == ""


def test_example_of_pairs_at_dashes():
    pairs = pairs_at_dashes(lines_of_answer("dog - animal\ncat - animal"), OF_EDGES)
    assert [(one.subject, one.object) for one in pairs] == [("dog", "animal"), ("cat", "animal")]
    assert pairs_at_dashes(lines_of_answer("dog - barks"), OF_EDGES) == []


def test_example_of_spread_lists():
    assert [one[1:4] for one in spread_lists(read_lines(lines_of_answer("animal -> dog, cat")))] == [
        ("animal", "is a", "dog"),
        ("animal", "is a", "cat"),
    ]
    assert spread_lists(read_lines(lines_of_answer("Anemia, Aplastic -> Anemia")))[0][1:4] == (
        "Anemia, Aplastic",
        "is a",
        "Anemia",
    )


def test_example_of_lists_at_colons():
    found = lists_at_colons(lines_of_answer("thing: animal\nanimal: dog, cat"), OF_EDGES)
    assert [(one.subject, one.object) for one in found] == [("animal", "thing"), ("dog", "animal"), ("cat", "animal")]


def test_example_of_rows_at_commas():
    from goldassay.formats.answers.means import OF_TRIPLES

    assert [one[1:4] for one in rows_at_commas(lines_of_answer("Oslo, capital of, Norway"), OF_TRIPLES)] == [
        ("Oslo", "capital of", "Norway")
    ]


def test_example_of_is_relation():
    assert is_relation("is a")
    assert is_relation("subclass of")
    assert not is_relation("dog")


def test_example_of_fields():
    found = fields(lines_of_answer("Child: dog\nParent: animal"), OF_EDGES)
    assert [(one.subject, one.object) for one in found.statements] == [("dog", "animal")]
    assert found.taken == {1, 2}


def test_example_of_manchester():
    found, taken = manchester(list(lines_of_answer("Class: dog\n  SubClassOf: animal, pet")))
    assert [(one.subject, one.object) for one in found] == [("dog", "animal"), ("dog", "pet")]
    assert taken == {1, 2}


def test_example_of_outline():
    found, _nodes = outline(list(lines_of_answer("animal\n  dog\n    poodle\n  cat")))
    assert [(one.subject, one.object) for one in found] == [("dog", "animal"), ("poodle", "dog"), ("cat", "animal")]


def test_example_of_node_of():
    assert node_of("**Dog**: a domesticated animal") == "Dog"
    assert node_of("Dog - barks") == "Dog"
    assert node_of("dog:") == "dog"
