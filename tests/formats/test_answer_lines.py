"""What is around statements in the lines of an answer is not read as one: sections, titles, notes, labels, marks and comments."""

from __future__ import annotations

import csv
import io

import pytest

from goldassay.core.errors import InputError
from goldassay.formats.answer import read_answer
from goldassay.formats.answer_means import OF_AXIOMS, OF_EDGES, OF_TRIPLES
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
