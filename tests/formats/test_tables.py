import csv
import io

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldassay.core.errors import InputError, RecordError
from goldassay.formats import Source, read_edge_list
from goldassay.formats.records import BadRecords
from goldassay.formats.tables import _at_once, _row_by_row

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8).filter(
    lambda text: text.strip() == text
)


def source(data: str | bytes, name: str = "a.csv") -> Source:
    data = data if isinstance(data, bytes) else data.encode()
    return Source(path=name, name=name, data=data, size=len(data))


def rows(data: str | bytes, name: str = "csv", bad: BadRecords | None = None) -> list[tuple[str, ...]]:
    edges = read_edge_list(source(data), name, bad).edges
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
def test_a_table_reads_whatever_its_header(text, expected):
    assert rows(text) == expected


@pytest.mark.parametrize("data", [b"\xff\xfe", b"\xfe\xff", " \n ,\n".encode("utf-16"), b",\n,"])
def test_a_table_without_a_word_is_refused(data):
    with pytest.raises(InputError, match="no row"):
        rows(data)


def test_quotes_in_tsv_are_characters():
    assert rows('\'hood\t"x\ny"\tz, a\n', "tsv") == [("'hood", '"x'), ('y"', "z, a")]


def test_reading_by_order_is_said():
    assert "columns are read by their order" in read_edge_list(source("a,b\nc,d"), "csv").notes[0]
    assert read_edge_list(source("child,parent\nc,d"), "csv").notes == ()


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
    with pytest.raises(InputError, match="no header says") as caught:
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
    with pytest.raises(RecordError, match="row 2"):
        rows(data, "parquet")
    bad = BadRecords(on_error="skip")
    assert rows(data, "parquet", bad) == [("a", "b")]
    with pytest.raises(InputError, match="holds lists"):
        rows(parquet(pl.DataFrame({"child": [["a"]], "parent": ["b"]})), "parquet")
    with pytest.raises(InputError, match="Parquet file is broken"):
        rows(b"PAR1" + data[40:90], "parquet")


@settings(max_examples=150)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5), st.sampled_from(["csv", "tsv"]))
def test_reading_at_once_and_row_by_row_agree(edges, name):
    buffer = io.StringIO()
    quoting = csv.QUOTE_MINIMAL if name == "csv" else csv.QUOTE_NONE
    separator = "," if name == "csv" else "\t"
    writer = csv.writer(
        buffer, delimiter=separator, quoting=quoting, quotechar='"' if name == "csv" else None, lineterminator="\n"
    )
    writer.writerows([("source", "target"), *edges])
    file, places = source(buffer.getvalue()), {"source": 0, "target": 1}
    slow = _row_by_row(file, name, places, width=2, header=True, bad=BadRecords())
    fast = _at_once(file, name, places, header=True)
    assert slow.rows() == edges
    assert fast is None or fast.rows() == edges
    assert fast is not None or any('"' in cell for edge in edges for cell in edge)
