"""A row of a table that is none is refused by its line, or left out and counted, in every family, wherever it is and however long the table."""

from __future__ import annotations

import pytest

import goldassay
from goldassay.concepts import read_dictionary
from goldassay.meta import read_ratings, read_scores

TABLES = {
    "taxonomy": ("child,parent", "n{0},p{1}"),
    "axioms": ("class,property,object", "n{0},r,o{1}"),
    "alignment": ("source,target,relation,confidence", "http://a/{0},http://b/{1},=,0.5"),
    "labels": ("instance,label", "i{0},l{1}"),
    "concepts": ("id,concepts", "d{0},concept {1}"),
    "concepts, one a row": ("document,concept", "d{1},concept {0}"),
    "sentences": ("id,text", "s{0},text {1}"),
    "triples": ("document,subject,predicate,object", "d{1},s{0},r,o{1}"),
    "triples, one a document": ("id,triples", '{0},"[[""a{0}"", ""b"", ""c""]]"'),
}
SIZES = (6, 400)
"""Rows of a table that is read row by row, and of one that is read column by column."""
PLACES = {"first": lambda _: 0, "middle": lambda size: size // 2, "last": lambda size: size - 1}
WIDE = {"a cell more": ",x", "an empty cell and one more": ",,x"}
ACCEPTED = {"empty cells": ",,", "a blank line": "\n", "white space": "\n \t"}


def write(path, kind, size, at=None, changed=None):
    """Write a table, and return the line of the row that is changed."""
    head, row = TABLES[kind]
    rows = [row.format(number, number % 7) for number in range(size)]
    if at is not None:
        rows[at] = changed(rows[at])
    path.write_text("\n".join([head, *rows, ""]))
    return None if at is None else at + 2


def read(path, kind, **options):
    return goldassay.read(path, kind=kind.partition(",")[0], **options)


def items(model):
    return sorted(model.item(row) for row in range(len(model)))


def items_of_whole(path, kind, size):
    """Write a table without a fault, and list its items."""
    write(path, kind, size)
    whole = items(read(path, kind))
    assert len(whole) == size
    return whole


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", TABLES)
def test_a_row_that_is_too_wide_is_refused_or_left_out_and_counted(kind, place, size, tmp_path):
    path, at = tmp_path / "a.csv", PLACES[place](size)
    whole = items_of_whole(path, kind, size)
    for more in WIDE.values():
        line = write(path, kind, size, at, lambda row, more=more: row + more)
        if kind.startswith("triples"):
            # A document that cannot be read completely counts, and says so.
            rest = read(path, kind)
            assert any(f"line {line}: The row has" in note for note in rest.notes)
        else:
            with pytest.raises(goldassay.InputError, match="cells where the first has") as caught:
                read(path, kind)
            assert caught.value.line == line
            rest = read(path, kind, on_error="skip")
            assert rest.left_out["skipped_records"] == 1
        left = items(rest)
        assert set(left) < set(whole)
        assert len(left) == size - 1


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", TABLES)
def test_what_says_nothing_changes_nothing(kind, place, size, tmp_path):
    path, at = tmp_path / "a.csv", PLACES[place](size)
    whole = items_of_whole(path, kind, size)
    for more in ACCEPTED.values():
        for changed in (lambda row, more=more: row + more, lambda row, more=more: f"{more.strip(',')}{row}"):
            write(path, kind, size, at, changed)
            assert items(read(path, kind)) == whole


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("kind", ["taxonomy", "axioms", "alignment", "labels", "concepts, one a row"])
def test_a_row_of_a_markdown_table_that_is_too_wide_is_refused_by_its_line(kind, tmp_path):
    head, row = TABLES[kind]
    rows = [row.format(1, 1), row.format(2, 2) + ",more", row.format(3, 3)]
    lines = [f"| {line.replace(',', ' | ')} |" for line in (head, *rows)]
    rule = "|---" * (1 + head.count(",")) + "|"
    (tmp_path / "a.md").write_text("\n".join(["Here it is:", "", lines[0], rule, *lines[1:]]))
    with pytest.raises(goldassay.InputError, match=r"cells where the (first|header) has") as caught:
        read(tmp_path / "a.md", kind)
    assert caught.value.line == 6


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", TABLES)
def test_a_repeated_header_is_left_out_with_a_warning(kind, size, tmp_path):
    path = tmp_path / "a.csv"
    whole = items_of_whole(path, kind, size)
    write(path, kind, size, size // 2, lambda row: f"{row}\n{TABLES[kind][0]}")
    model = read(path, kind)
    assert items(model) == whole
    assert any("1 row repeats the names of the columns" in line for line in model.warnings)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("above", ["# {}", "#{}", "# {}\n{}", "# made by hand\n{}", "Table 1\n\n{}", "# {}\n# {}\n{}"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", TABLES)
def test_a_header_that_is_a_comment_or_below_one_is_the_header(kind, size, above, tmp_path):
    path, head = tmp_path / "a.csv", TABLES[kind][0]
    whole = items_of_whole(path, kind, size)
    table = path.read_text()
    path.write_text(table.replace(head, above.format(*[head] * 3), 1))
    assert items(read(path, kind)) == whole


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("above", ["{}", "# {}", "# {}\n{}"])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", TABLES)
def test_a_row_that_ends_after_its_first_cell_is_refused_or_left_out_and_counted(kind, place, above, tmp_path):
    path, at = tmp_path / "a.csv", PLACES[place](SIZES[0])
    whole = items_of_whole(path, kind, SIZES[0])
    write(path, kind, SIZES[0], at, lambda row: row.partition(",")[0])
    path.write_text(path.read_text().replace(TABLES[kind][0], above.format(*[TABLES[kind][0]] * 2), 1))
    if kind.startswith(("triples", "sentences")):
        # A row with an id and nothing else is a document without triples, or a sentence that was not returned.
        rest = read(path, kind)
        assert rest.facts.get("without_text", 1) == 1
    else:
        with pytest.raises(goldassay.InputError) as caught:
            read(path, kind)
        assert caught.value.line == at + 2 + above.count("\n")
        rest = read(path, kind, on_error="skip")
        assert rest.left_out["skipped_records"] == 1
    left = [item for item in items(rest) if item in whole]
    assert len(left) == SIZES[0] - 1
    assert sum(bool(item.partition(" ")[2]) for item in items(rest)) == len(left)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("empty", ["| d2 | |", "| d2 |", "| d2 | "])
@pytest.mark.parametrize("head", ["| document | concept |", "| id | concepts |"])
def test_a_document_whose_cell_is_empty_in_markdown_has_no_concept(head, empty, tmp_path):
    (tmp_path / "a.md").write_text(f"{head}\n|---|---|\n| d1 | lung |\n{empty}\n| d3 | heart |\n")
    model = read(tmp_path / "a.md", "concepts")
    assert items(model) == ["d1: lung", "d3: heart"]
    assert "1 document without a concept: d2" in model.notes


RECORDS = {
    "dictionary.csv": (read_dictionary, "name,id", "lung,1"),
    "ratings.csv": (read_ratings, "item,system,rating", "i1,a,4"),
    "scores.csv": (read_scores, "item,system,exact", "i1,a,0.5"),
    "oak.tsv": (
        lambda path: goldassay.read(path, kind="concepts"),
        "subject_text_id\tsubject_start\tsubject_end\tobject_id\tobject_label\tmatch_string",
        "d1\t4\t9\tMONDO:0004979\tasthma\tasthma",
    ),
}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("name", RECORDS)
def test_a_repeated_header_of_a_table_that_is_read_cell_by_cell_is_refused_by_its_line(name, tmp_path):
    read_it, head, row = RECORDS[name]
    (tmp_path / name).write_text(f"{head}\n{row}\n")
    read_it(tmp_path / name)
    (tmp_path / name).write_text(f"{head}\n{row}\n{head}\n")
    with pytest.raises(goldassay.InputError, match="repeats the names of the columns") as caught:
        read_it(tmp_path / name)
    assert caught.value.line == 3


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
def test_a_repeated_header_of_a_table_of_neo4j_is_no_relationship(tmp_path):
    head = "_id,_labels,name,_start,_end,_type"
    (tmp_path / "a.csv").write_text(f"{head}\n1,:P,Ann,,,\n2,:P,Bob,,,\n,,,1,2,LIKES\n{head}\n")
    model = read(tmp_path / "a.csv", "triples")
    assert items(model) == ["1: Ann | LIKES | Bob"]
    assert any("line 5: The row repeats the names of the columns" in note for note in model.notes)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("above", ["# made by hand\n", "Export of 2026\n", "# a\n\n# b\n"])
@pytest.mark.parametrize(
    "table",
    [
        'source,target,description,text_unit_ids\nAnn,Bob,LIKES,"[""1""]"\n',
        "_id,_labels,name,_start,_end,_type\n1,:P,Ann,,,\n2,:P,Bob,,,\n,,,1,2,LIKES\n",
        'id,triples\n1,"[[""Ann"", ""LIKES"", ""Bob""]]"\n',
    ],
    ids=["GraphRAG", "APOC", "lists"],
)
def test_a_title_above_a_table_of_a_builder_is_left_out_with_a_warning(table, above, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(table)
    whole = items(read(path, "triples"))
    assert len(whole) == 1
    path.write_text(above + table)
    model = read(path, "triples")
    assert items(model) == whole
    assert any("above the header" in line for line in model.warnings)
