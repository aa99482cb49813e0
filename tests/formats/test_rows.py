import csv
import io
import json

import polars as pl
import pytest

import goldassay
from goldassay.core.errors import InputError, RecordError, SuspectInputWarning
from goldassay.formats import Source, read_edge_list, records
from goldassay.formats import rows as reader
from goldassay.formats.choose_columns import Choice
from goldassay.formats.records import BadRecords
from goldassay.formats.roles import EDGES
from goldassay.formats.rows import (
    announces,
    cell_of,
    is_title,
    lines_of,
    name_cell,
    names_in,
    objects_of,
    read_table,
    records_of,
    warn_of_repeated_heads,
)


def source(data: str | bytes, name: str = "a.csv") -> Source:
    data = data if isinstance(data, bytes) else data.encode()
    return Source(path=name, name=name, data=data, size=len(data))


def rows(data: str | bytes, name: str = "csv", bad: BadRecords | None = None) -> list[tuple[str, ...]]:
    edges = read_edge_list(source(data), name, bad).edges.drop("row", "line", strict=False)
    return edges.select(sorted(edges.columns, key=["source", "relation", "target"].index)).rows()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("child,parent\ncat,animal\n", [("cat", "animal")]),
        ("parent,child\nanimal,cat\n", [("cat", "animal")]),
        ("Parent ID,weight,Child_ID\nanimal,1,cat\n", [("cat", "animal")]),
        ("hyponym;hypernym\ncat, wild;animal\n", [("cat, wild", "animal")]),
        ("head,relation,tail\ncat,is_a,animal\n", [("cat", "is_a", "animal")]),
        ("subject,predicate,object\ncat,is_a,animal\n", [("cat", "is_a", "animal")]),
        ("cat,animal\ndog,animal", [("cat", "animal"), ("dog", "animal")]),
        ("cat,is_a,animal", [("cat", "is_a", "animal")]),
        (
            '\ufeffchild,parent\n"cat, wild","the ""animal"""\n\n dog ,animal\n',
            [("cat, wild", 'the "animal"'), ("dog", "animal")],
        ),
        ("\n  \n,\nchild,parent\ncat,animal\n", [("cat", "animal")]),
        ("child,parent\r\ncat,animal\r\n", [("cat", "animal")]),
        ('child,parent\n"two\nlines",animal\n', [("two\nlines", "animal")]),
    ],
)
def test_a_table_reads_any_its_header(text, expected):
    assert rows(text) == expected


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\xfe\xff", " \n ,\n".encode("utf-16"), b",\n,"])
def test_a_table_without_a_word_is_refused(data):
    with pytest.raises(InputError, match="no row"):
        rows(data)


def test_quotes_in_tsv_are_characters():
    assert rows('\'hood\t"x\ny"\tz, a\n', "tsv") == [("'hood", '"x'), ('y"', "z, a")]


def test_reading_by_order_is_reported():
    assert "columns are read by position" in read_edge_list(source("a,b\nc,d"), "csv").warnings[0]
    assert read_edge_list(source("child,parent\nc,d"), "csv").warnings == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("child,parent\ncat,animal\ndog\n", 3),
        ("child,parent\ncat,animal\ndog,animal,pet\n", 3),
        ("child,parent\ncat,animal\n,animal\n", 3),
        ('child,parent\ncat,animal\n"  ",animal\n', 3),
        ('child,parent\ncat,animal\n"dog"gy,animal\n', 3),
        ("child,parent\ncat,animal\n\n\ndog,\n", 5),
        ('child,parent\n"c\nat",animal\ndog,\n', 4),
        ('child,parent\ncat,animal\n"dog,animal\n', 3),
    ],
)
def test_a_bad_row_names_its_line_or_is_skipped_and_listed(text, line):
    with pytest.raises(RecordError) as caught:
        rows(text)
    assert caught.value.line == line
    bad = BadRecords(on_error="skip")
    assert len(rows(text, bad=bad)) == 1
    assert bad.left_out() == {"skipped_records": 1}
    assert f"line {line}" in bad.notes()[1]


@pytest.mark.parametrize("text", ["cat\ndog\n", "a,b,c,d\n"])
def test_a_table_of_no_edges_is_refused(text):
    with pytest.raises(InputError, match="no header that names") as caught:
        rows(text)
    assert caught.value.line == 1


def parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def test_parquet_reads_by_name_or_by_order():
    assert rows(parquet(pl.DataFrame({"parent": [1, 2], "child": ["a", "b"]})), "parquet") == [("a", "1"), ("b", "2")]
    assert rows(parquet(pl.DataFrame({"x": ["a"], "y": ["b"]})), "parquet") == [("a", "b")]


def test_parquet_with_gaps_or_lists_or_damage_is_refused():
    data = parquet(pl.DataFrame({"child": ["a", None], "parent": ["b", "c"]}))
    with pytest.raises(RecordError, match="The child is empty"):
        rows(data, "parquet")
    bad = BadRecords(on_error="skip")
    assert rows(data, "parquet", bad) == [("a", "b")]
    lists = pl.DataFrame({"child": [["a", "b"], [], None], "parent": ["c", "d", "e"]})
    with pytest.raises(RecordError, match="The child is empty"):
        rows(parquet(lists), "parquet")
    assert rows(parquet(lists), "parquet", BadRecords(on_error="skip")) == [("a", "c"), ("b", "c")]
    with pytest.raises(InputError, match="contains lists"):
        rows(parquet(pl.DataFrame({"source": ["a"], "relation": [["a"]], "target": ["b"]})), "parquet")
    with pytest.raises(InputError, match="Invalid Parquet file"):
        rows(b"PAR1" + data[40:90], "parquet")


def test_a_damaged_parquet_file_costs_a_message_and_not_the_process():
    data = parquet(pl.DataFrame({"child": ["a"] * 90, "parent": ["b", "c", None] * 30}))
    for place in range(len(data)):
        damaged = data[:place] + bytes([(0, 127, 255)[place % 3]]) + data[place + 1 :]
        try:
            rows(damaged, "parquet", BadRecords(on_error="skip"))
        except InputError as error:
            assert error.message  # noqa: PT017 - both ends are right


def test_a_small_parquet_file_does_not_fill_the_memory():
    data = parquet(
        pl.select(child=pl.lit("a").repeat_by(2), parent=pl.lit("b").repeat_by(2)).explode("child", "parent")
    )
    assert rows(data, "parquet") == [("a", "b")] * 2
    many = parquet(pl.select(child=pl.repeat("a", 5_000_000), parent=pl.repeat("b", 5_000_000)))
    assert len(many) < 100_000
    with pytest.raises(InputError, match="unpacked file is too large"):
        rows(many, "parquet")


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([1, 2], dtype=pl.Duration),
        pl.Series([b"\xff", b"a"]),
    ],
)
def test_columns_without_a_text_are_refused(values):
    with pytest.raises(InputError, match="The source column contains") as caught:
        rows(parquet(pl.DataFrame({"child": values, "parent": ["b", "c"]})), "parquet")
    assert caught.value.found.startswith("'child': ")


@pytest.mark.parametrize("values", [[{"a": 1}, {"a": 2}], [[1.5], [2.5]], [[["a"]], [["b"]]]])
@pytest.mark.parametrize("role", ["child", "parent"])
def test_ends_that_are_no_names_nor_lists_of_them_are_refused(values, role):
    other = {"child": "parent", "parent": "child"}[role]
    with pytest.raises(InputError, match=f"The column '{role}' has values of the type"):
        rows(parquet(pl.DataFrame({role: values, other: ["b", "c"]})), "parquet")


@pytest.mark.parametrize("records", [[(["a", "b"], "c"), ("x", ["d"])], [(["a", "b"], ["c"]), ("x", "d")]])
def test_lists_of_json_may_be_children_and_parents(records):
    text = json.dumps([{"child": child, "parent": parent} for child, parent in records])
    assert sorted(rows(text, "json-lines")) == [("a", "c"), ("b", "c"), ("x", "d")]


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        (pl.Series(["x", "y"], dtype=pl.Categorical), ("x", "y")),
        (pl.Series([1, 2**63 + 1], dtype=pl.UInt64), ("1", "9223372036854775809")),
        (pl.Series([True, False]), ("true", "false")),
        (pl.Series(["a\0b", "c"]), ("a\0b", "c")),
    ],
)
def test_columns_with_a_text_are_read_as_it(values, texts):
    found = rows(parquet(pl.DataFrame({"child": values, "parent": ["b", "c"]})), "parquet")
    assert tuple(child for child, _ in found) == texts


@pytest.mark.parametrize("bad", ['"x,y', 'x,"y', '"x""y', '"x" z,y'])
def test_an_unbalanced_quote_costs_its_own_row_only(bad):
    lines = ["child,parent", *(f"c{number},p" for number in range(1000))]
    lines[3] = bad
    kept = BadRecords(on_error="skip")
    found = rows("\n".join(lines), bad=kept)
    assert len(found) == 999
    assert [error.line for error in kept.errors] == [4]
    assert repr(bad) in kept.notes()[1]


def test_a_quote_that_a_later_one_closes_says_how_many_lines_it_took():
    text = "child,parent\n" + '"a,b\n' + "c,d\n" * 50 + 'e",f,g\nh,i\n'
    bad = BadRecords(on_error="skip")
    assert rows(text, bad=bad) == [("h", "i")]
    assert "lines 2 to 53" in bad.notes()[1]
    edges = read_edge_list(source('child,parent\n"a,b\nc,d\ne",f\n'), "csv")
    assert edges.warnings == ("1 row with a line break in a cell, first on line 2",)


@pytest.mark.parametrize(("rows", "line"), [('cat,"pet\nor not"\n', 2), ('dog,pet\ncat,"pet\nor not"\n', 3)])
def test_a_line_break_in_the_last_row_is_a_warning(rows, line):
    assert edges_of(rows).warnings == (f"1 row with a line break in a cell, first on line {line}",)


@pytest.mark.parametrize("few", [True, False])
def test_few_rows_are_stripped_and_refused_as_many_are(few, monkeypatch):
    if not few:
        monkeypatch.setattr("goldassay.formats.tables.FEW", 0)
    assert edges_of("cat,\u00a0pet\n").edges["target"].to_list() == ["pet"]
    with pytest.raises(RecordError, match=r"3: The parent is empty"):
        edges_of("cat,pet\ndog, \n")


def edges_of(rows):
    return read_edge_list(source(f"child,parent\n{rows}"), "csv")


def test_a_line_ends_where_files_end_lines_and_nowhere_else():
    odd = "\u2028\x85\x0b\x0c"
    assert rows(f"child,parent\na{odd}b,c\nd,e\n") == [(f"a{odd}b", "c"), ("d", "e")]
    assert rows("child,parent\rcat,animal\r\ndog,animal\n") == [("cat", "animal"), ("dog", "animal")]
    file = source(f'{{"id": "a{odd[:2]}b"}}\r{{"id": 2}}\r\n{{"id": 3}}', "a.jsonl")
    assert [line for line, _, _ in objects_of(file, BadRecords())] == [1, 2, 3]
    assert [text for _, text in lines_of(source(f"a{odd}\rb"), BadRecords())] == [f"a{odd}", "b"]


def test_two_columns_of_one_name_are_refused_but_not_two_equal_cells():
    with pytest.raises(InputError, match="Two columns have the same name"):
        rows("child,parent,child\na,b,c\n")
    assert rows("a,a\nb,c\n") == [("a", "a"), ("b", "c")]


def test_cells_absent_at_the_end_are_empty_and_bad_only_where_they_are_needed():
    assert rows("child,parent,note\na,b\nc,d,e\n") == [("a", "b"), ("c", "d")]
    with pytest.raises(RecordError, match="The parent is empty") as caught:
        rows("child,parent,note\na,b\nc\n")
    assert caught.value.line == 3


@pytest.mark.parametrize(
    "text",
    [
        '{"child": "a",\n "parent": "b"}\n',
        '[\n{"child": "a", "parent": "b"}\n]',
        '[{"child": "a", "parent": "b"}]',
    ],
)
def test_an_array_of_records_and_one_record_over_several_lines_are_read(text):
    assert rows(text, "json-lines") == [("a", "b")]


@pytest.mark.parametrize(
    "line",
    [
        '{"child": NaN, "parent": "b"}',
        '{"child": -Infinity, "parent": "b"}',
        '{"child": 1e999, "parent": "b"}',
        '{"child": "\\ud800", "parent": "b"}',
        '{"child": "a", "child": "b", "parent": "c"}',
        '{"child": ' + "9" * 5000 + ', "parent": "b"}',
        '{"child": ' + "[" * 50_000 + ', "parent": "b"}',
        '"child"',
        "{",
    ],
)
def test_a_line_that_is_no_record_is_bad_and_says_why(line):
    good = '{"child": 10000000000000000000000, "parent": "b"}'
    bad = BadRecords(on_error="skip")
    assert rows(f"{good}\n{line}\n{good}\n", "json-lines", bad) == [("10000000000000000000000", "b")] * 2
    assert [error.line for error in bad.errors] == [2]


@pytest.mark.parametrize("name", ["a*.csv", "v[1].parquet", "?.jsonl"])
def test_a_file_name_is_no_pattern(tmp_path, name):
    from goldassay.formats import load, recognise

    frame = pl.DataFrame({"child": ["right"], "parent": ["p"]})
    other = frame.with_columns(child=pl.lit("wrong"))
    write = {"csv": "write_csv", "parquet": "write_parquet", "jsonl": "write_ndjson"}[name.rpartition(".")[2]]
    for neighbour in ("ab.csv", "v1.parquet", "x.jsonl"):
        if neighbour.rpartition(".")[2] == name.rpartition(".")[2]:
            getattr(other, write)(tmp_path / neighbour)
    with (tmp_path / name).open("wb") as stream:
        getattr(frame, write)(stream)
    file = load(tmp_path / name)
    assert read_edge_list(file, recognise(file)).edges["source"].to_list() == ["right"]


def test_rows_of_a_table_keep_their_lines_when_some_are_left_out():
    bad = BadRecords(on_error="skip")
    places = Choice({"child": 0, "parent": 1})
    table = read_table(source("child,parent\na,b\n,c\nd,e\n"), "csv", lambda _, **__: places, bad).fill(bad)
    assert [table.line(row) for row in range(len(table.frame))] == [2, 4]


@pytest.mark.parametrize("compact", [1, 3, 2**16])
def test_records_are_joined_in_any_number_of_pieces(compact, monkeypatch):
    monkeypatch.setattr(reader, "COMPACT", compact)
    monkeypatch.setattr(records, "AT_ONCE", 1)
    cells = [("cat", "pet"), ("dog", 7), ("eel", None), ("fox", "x"), ("gnu", True), ("hen", "y"), ("owl", "z")]
    some = [{"child": child, "parent": parent} for child, parent in cells]
    some[3] = {"parent": "x", "child": "fox", "weight": 1}
    data = json.dumps([*some[:2], 5, *some[2:]], indent=1).encode()
    bad = BadRecords(on_error="skip")
    table = read_table(Source(path="a", name="a", data=data, size=1), "json-lines", EDGES.chooser(), bad)
    assert table.frame.rows() == [
        (child, {None: "", True: "true"}.get(parent, str(parent)), at + (at > 1))
        for at, (child, parent) in enumerate(cells)
    ]
    assert [error.line for error in bad.errors] == [10]
    assert table.line(6) == 28


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_a_header_that_is_repeated_is_no_row(engine, tmp_path):
    path = tmp_path / "joined.csv"
    path.write_text("child,parent\ncat,pet\nchild,parent\ndog,pet\nchild,pet\n")
    with pytest.warns(SuspectInputWarning, match="1 row repeats the names of the columns"):
        report = goldassay.evaluate(path, gold=path, kind="taxonomy", measures="literal", engine=engine)
    assert report["literal"].counts["n_pred"] == 3


def test_several_headers_that_are_repeated_are_counted():
    assert warn_of_repeated_heads(1) == "1 row repeats the names of the columns, and is left out"
    assert warn_of_repeated_heads(2) == "2 rows repeat the names of the columns, and are left out"


@pytest.mark.parametrize("above", ["", "\n\n"])
def test_records_have_the_line_and_the_place_of_their_row(above):
    """Blank lines above a header and between rows count as lines, and are no rows."""
    lines = above.count("\n")
    named = source(f"{above}child,parent\ncat,pet\n\ndog\n")
    assert list(records_of(named, "csv", BadRecords())) == [
        (lines + 2, {"child": "cat", "parent": "pet"}, 0),
        (lines + 4, {"child": "dog", "parent": None}, 1),
    ]


@pytest.mark.parametrize("name", ["{dog", "[x] y", "dog}", '["', "[3]"])
def test_names_with_brackets_next_to_lists_are_names(name):
    text = csv_of([("child", "parents"), (name, '["a", "b"]'), ("k", name)])
    assert rows(text) == [(name, "a"), (name, "b"), ("k", name)]
    text = csv_of([("children", "parent"), ('["a", "b"]', name), (name, "k")])
    assert rows(text) == [("a", name), ("b", name), (name, "k")]


def csv_of(table):
    buffer = io.StringIO()
    csv.writer(buffer).writerows(table)
    return buffer.getvalue()


def test_example_of_names_in():
    from goldassay.formats.source import Source

    assert names_in(Source(path="a.csv", name="a.csv", data=b"child,parent\ncat,pet", size=20), "csv") == [
        "child",
        "parent",
    ]


def test_example_of_read_table():
    from goldassay.formats.roles import EDGES
    from goldassay.formats.source import Source

    source = Source(path="a", name="a", data=b"child,parent\ncat,animal\ndog,animal\n", size=22)
    table = read_table(source, "csv", EDGES.chooser(), BadRecords())
    assert table.frame["source"].to_list() == ["cat", "dog"]
    assert table.line(1) == 3


def test_example_of_records_of():
    from goldassay.formats.source import Source

    assert list(records_of(Source(path="a", name="a", data=b"id,text\n1,cat\n", size=14), "csv", BadRecords())) == [
        (2, {"id": "1", "text": "cat"}, 0)
    ]


def test_example_of_lines_of():
    from goldassay.formats.source import Source

    assert list(lines_of(Source(path="a", name="a", data=b"a\r\n\xe2\x80\xa8b\n", size=9), BadRecords())) == [
        (1, "a"),
        (2, "\u2028b"),
    ]


def test_example_of_objects_of():
    from goldassay.formats.source import Source

    assert list(objects_of(Source(path="a", name="a", data=b'{"id": 1}\n\n{"id": 2}', size=20), BadRecords())) == [
        (1, {"id": 1}, 0),
        (3, {"id": 2}, 1),
    ]


def test_example_of_announces():
    assert announces(["# columns: id", " text"], ["id", "text"])
    assert not announces(["# id", "text"], ["s1", "text 1"])


def test_example_of_is_title():
    assert is_title(["Table 1", ""])
    assert is_title(["# by a", " b"])
    assert not is_title(["dog", "pet"])


def test_example_of_name_cell():
    assert name_cell("cat") == "cat"
    assert name_cell("[3]") == '["[3]"]'
    assert name_cell([3]) == "[3]"


def test_example_of_cell_of():
    assert cell_of("cat") == "cat"
    assert cell_of(7.0) == "7"
    assert cell_of(None) == ""
    assert cell_of(True) == "true"
    assert cell_of(["a"]) == '["a"]'
