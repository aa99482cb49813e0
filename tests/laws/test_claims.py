"""Which family says that a file is its own: by the format, or by the columns of a table."""

import pytest

from goldassay.families import families

TABLES = ("csv", "tsv", "json", "json-lines", "json-table", "parquet", "xlsx")
# A list of triples is in a cell of these only; elsewhere such a column is of another table.
LISTS = ("json-lines", "json-table", "parquet")
COLUMNS = [
    (["child", "parent"], (), []),
    (["subject", "predicate", "object"], (), []),
    (["source", "target", "label"], (), []),
    (["SrcEntity", "TgtEntity", "Score"], TABLES, ["alignment"]),
    (["class", "property", "object"], TABLES, ["axioms"]),
    (["instance", "label"], TABLES, ["labels"]),
    (["id", "answer"], TABLES, ["concepts"]),
    (["document", "concept"], TABLES, ["concepts", "labels"]),
    (["id", "triples"], LISTS, ["triples"]),
    (["id", "text", "triplets"], LISTS, ["triples"]),
]
WHOLE = {
    "text": "concepts",
    "gaf": "labels",
    "cafa": "labels",
    "hemkit": "labels",
    "markdown": "axioms",
    "sssom": "alignment",
    "oaei": "alignment",
    "unl": "unl",
}


def claimed(name, columns):
    return [kind for kind, family in families().items() if family.reading.claims(name, columns)]


@pytest.mark.parametrize(("columns", "formats", "kinds"), COLUMNS)
def test_a_table_belongs_to_the_families_of_its_columns(columns, formats, kinds):
    found = {name: claimed(name, columns) for name in TABLES}
    assert found == {name: kinds if name in formats else [] for name in TABLES}


def test_a_format_of_one_family_needs_no_columns():
    assert {name: claimed(name, []) for name in WHOLE} == {name: [kind] for name, kind in WHOLE.items()}
    assert {name: claimed(name, []) for name in (*TABLES, "turtle", "obo")} == {
        name: [] for name in (*TABLES, "turtle", "obo")
    }
