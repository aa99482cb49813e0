import csv
import io
import itertools
from collections import Counter
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.draws import times
from tests.growing import is_linear, spent

from goldassay.core.errors import RecordError
from goldassay.formats import Source, delimited
from goldassay.formats.delimited import (
    WHITE,
    TextTable,
    rows_of,
    separator_of,
    usual_width,
    with_quotes,
    without_blanks,
)
from goldassay.formats.records import BadRecords


def source(data: str | bytes) -> Source:
    data = data if isinstance(data, bytes) else data.encode()
    return Source(path="a.csv", name="a.csv", data=data, size=len(data))


def by_hand(text: str, name: str) -> tuple[list[tuple[int, list[str], int]], list[int]]:
    """The readable twin: line by line, and by the csv module only where a line has a quote; the rows, and the lines of bad ones."""
    separator = separator_of(source(text), name)
    file, quoted, _ = with_quotes(source(text), name)
    text = file.data.decode()
    stream = io.StringIO(text.removeprefix("\ufeff"), newline="")
    rows, bad, number, width, place = [], [], 1, 0, 0
    while line := stream.readline():
        begin, number = number, number + 1
        if not line.strip(WHITE + separator):
            place += bool(width) and separator in line
            continue
        at, place = place, place + 1
        if not quoted or '"' not in line:
            row = line.rstrip("\r\n").split(separator)
        else:
            after = stream.tell()
            reader = csv.reader(itertools.chain((line,), stream), delimiter=separator, strict=True)
            try:
                row = next(reader)
            except csv.Error:
                stream.seek(after)
                if not width:
                    raise
                bad.append(begin)
                continue
            number += reader.line_num - 1
        width = width or len(row)
        while len(row) > width and not row[-1]:
            row.pop()
        if len(row) > width:
            bad.append(begin)
        else:
            rows.append((begin, row, at))
    return rows, bad


CELLS = st.sampled_from(
    ["a", "b c", '"d"', '"e,f"', '"g;h"', '"i""j"', 'k"l', '5" disk', '"m\nn"', '"o\r\np"', '""', "", " ", "\u2028", "\x1c", "é", "猫", "#", "NA", "'"]
)  # fmt: skip
PIECES = st.lists(
    st.sampled_from([*'ab,;\t\n\r" ', "\r\n", '""', '",', '"\n', "\u2028", "\x85", "\x1c", "\xa0", "\0", "\1", "é", "\ufeff", "\\"]),
    max_size=20,
)  # fmt: skip
ROWS = st.integers(1, 3).flatmap(
    lambda width: st.lists(
        st.lists(CELLS, min_size=width, max_size=width) | st.lists(CELLS, max_size=width + 1), max_size=6
    )
)
LAID_OUT = st.tuples(
    ROWS,
    st.sampled_from([",", "\t", ";", "|"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "\n", ",\n"]),
).map(lambda drawn: drawn[2].join(drawn[1].join(row) for row in drawn[0]) + drawn[3])


@times(10)
@given(
    st.one_of(PIECES.map("".join), LAID_OUT, LAID_OUT.map("h,i,j\n".__add__)),
    st.sampled_from(["csv", "tsv"]),
    st.booleans(),
)
@example("\ufeff\ufeff#,b", "csv", False)
@example("a,b\nc\nd,e,f", "csv", True)
@example("a,b\nc,d\ne\n,f,", "csv", True)
@example('a,b\nc,"d', "csv", True)
@example("a,b\n\nc,d", "csv", True)
@example('a,b\n"c, d"\n",e"', "csv", True)
@example('a,b\n5" disk,c\n"d\ne",f\n', "csv", True)
@example("x\1d,b\nc,d\n", "csv", True)
def test_all_ways_of_reading_give_the_rows_of_the_readable_twin(text, name, header):
    file, bad = source(text), BadRecords(on_error="skip")
    try:
        expected, lines = by_hand(text, name)
    except csv.Error:
        with pytest.raises(RecordError, match="quotes"):
            TextTable.opened(file, name, named=False)
        return
    table = TextTable.opened(file, name, named=False)
    assert [tuple(row) for row in rows_of(file, name, bad, named=False)] == expected
    assert [error.line for error in bad.errors] == lines
    if table is None:
        assert not expected
        return
    places = {str(place): place for place in range(table.width)}
    skip = int(header)
    for read in (table._lay_out, table._row_by_row):
        again = BadRecords(on_error="skip")
        found = read(places, again, skip)
        if found is None:
            continue
        kept = expected[skip:]
        assert found.frame.rows() == [tuple(row + [""] * (table.width - len(row))) for _, row, _ in kept]
        assert found.lines.tolist() == [line for line, _, _ in kept]
        assert found.places.tolist() == [place - skip for _, _, place in kept]
        assert sorted(error.line or 0 for error in again.errors) == lines
        assert sorted(map(str, again.errors)) == sorted(map(str, bad.errors))


WRITTEN = st.lists(
    st.lists(st.sampled_from(["a", "b c", 'say "hi"', '"q"', "x\ty", "l\nm", '""', '"', '5" disk', "", "é", "["]), min_size=3, max_size=3), min_size=1, max_size=6
)  # fmt: skip


def cells_of(text):
    """The cells of TSV, in every way of reading."""
    file = source(text)
    table = TextTable.opened(file, "tsv")
    rows = [row.cells for row in rows_of(file, "tsv", BadRecords())]
    places = {str(place): place for place in range(table.width)}
    for again in (text, text + "\n" * 2**14):
        found = TextTable.opened(source(again), "tsv").columns(places, BadRecords(), header=False)
        assert [list(row) for row in found.frame.rows()] == [row + [""] * (table.width - len(row)) for row in rows]
    return rows


@times(10)
@given(WRITTEN, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_tsv_of_programs_is_read_as_it_was_written(rows, end, every):
    out = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if every else csv.QUOTE_MINIMAL
    writer = csv.writer(out, delimiter="\t", lineterminator=end, quoting=quoting)
    writer.writerows([("h", "i", "j"), *rows])
    lines = out.getvalue().split("\n")
    if all(line.count("\t") == 2 for line in lines[:-1]) and any(
        mark in "".join(map("".join, rows)) for mark in "\t\n"
    ):
        # Without its quotes each line is a row, too: quotes that are not closed would be written so.
        return
    assert [row for row in cells_of(out.getvalue())[1:] if any(row)] == [row for row in rows if any(row)]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('"A" and "B"\tx\n5" disk\ty\n', [['"A" and "B"', "x"], ['5" disk', "y"]]),
        ('"A" and "B"\tx\n"5"" disk"\ty\n"q\tz\n', [['"A" and "B"', "x"], ['5" disk', "y"], ['"q', "z"]]),
        ('"foo\tx\nbar\ty"\nq\tr\n', [['"foo', "x"], ["bar", 'y"'], ["q", "r"]]),
        ('"foo\tbar"\n', [['"foo', 'bar"']]),
        ('"foo\t5"\nx\ty\n"z"\tw\n', [['"foo', '5"'], ["x", "y"], ["z", "w"]]),
        ('"x\ty"\tz\n"a\tb\n', [["x\ty", "z"], ['"a', "b"]]),
        ('z\t"x\ny"\n"a\tb\n', [["z", "x\ny"], ['"a', "b"]]),
        (' "a" \tb\n"c"\td\n', [[' "a" ', "b"], ["c", "d"]]),
    ],
)
def test_other_quotes_of_tsv_are_letters_and_swallow_no_line(text, rows):
    assert cells_of("h\ti\n" + text)[1:] == rows


@pytest.mark.parametrize(
    "row", ['"foo\tx\n', '"foo\t""\n', '"fo\to"\t"x"\n', '""\t""\n', '"""\tx\n', '"""a\t"""a""\n', '"foo\tx\nz\tb"\n']
)
def test_the_worst_spelling_of_tsv_takes_linear_time(row):
    def seconds(times: int) -> float:
        return spent(TextTable.opened, source("a\tb\n" + row * times), "tsv")

    assert is_linear(seconds, 4_000, 0.005)


def way(text: str) -> str:
    """Which way a table is read in."""
    table = TextTable.opened(source(text), "csv")
    assert table is not None
    places = {str(place): place for place in range(table.width)}
    return "laid out" if table._lay_out(places, BadRecords(on_error="skip"), 1) else "row by row"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\nc,d\n", "laid out"),
        ("a,b\r\nc,d\r\n", "laid out"),
        ("a,b\ncaf\u00e9,d", "laid out"),
        ("a,b\n\nc,d\n", "laid out"),
        ("a,b\nc\n", "laid out"),
        ("a,b\nc,d,\n", "laid out"),
        ("a,b\rc,d\r", "laid out"),
        ('a,b\n"c","d"\n', "laid out"),
        ('a,b\n"c\nd",e\n', "laid out"),
        ('a,b\r\n"c\nd",e\r\n', "laid out"),
        ('a,b\n"c ""d""",e\n', "laid out"),
        ('a,b\n5" disk,e\n"f, g",h\n', "laid out"),
        ('a,b\r\n"c\r\nd",e\r\n', "row by row"),
        ('a,b\n"c\nd,e\n', "row by row"),
        ('a,b\n"c"d,e\n', "row by row"),
    ],
)
def test_only_broken_quotes_and_returns_within_cells_are_read_row_by_row(text, expected):
    assert way(text) == expected


def test_all_ways_agree_on_every_table_of_the_reference_data(reference_data):
    files = [path for ending in ("csv", "tsv") for path in sorted(reference_data.rglob(f"*.{ending}"))]
    read: Counter[str] = Counter()
    for path in (path for path in files if 0 < path.stat().st_size < 2_000_000):
        data = path.read_bytes()
        try:
            text = data.decode()
        except UnicodeDecodeError:
            continue
        name, bad = path.suffix[1:], BadRecords(on_error="skip")
        expected, lines = by_hand(text, name)
        table = TextTable.opened(source(data), name)
        assert table is not None
        found = table.columns({str(place): place for place in range(table.width)}, bad)
        assert found.lines.tolist() == [line for line, _, _ in expected[1:]], path
        assert found.places.tolist() == [place - 1 for _, _, place in expected[1:]], path
        assert found.frame.rows() == [tuple(row + [""] * (table.width - len(row))) for _, row, _ in expected[1:]]
        assert [error.line for error in bad.errors] == lines, path
        read[name] += 1
    assert read["csv"] > 10
    assert read["tsv"] > 10


def test_columns_are_chosen_by_their_places_and_may_be_chosen_twice():
    table = TextTable.opened(source('a,b,c\n1,"2",3\n4,5,6\n'), "csv")
    found = table.columns({"last": 2, "first": 0, "again": 2}, BadRecords())
    assert found.frame.rows(named=True) == [
        {"last": "3", "first": "1", "again": "3"},
        {"last": "6", "first": "4", "again": "6"},
    ]
    assert found.lines.dtype == found.places.dtype == np.int64


def test_a_row_that_is_too_wide_names_its_lines():
    table = TextTable.opened(source('a,b\nc,d\n"e\nf",g,h\n'), "csv")
    with pytest.raises(RecordError, match="3 cells where the first has 2") as caught:
        table.columns({"a": 0}, BadRecords())
    assert caught.value.line == 3
    assert "on lines 3 to 4" in caught.value.found


@given(
    st.integers(2, 5).flatmap(lambda width: st.tuples(st.just(width), st.lists(st.integers(1, width), max_size=4))),
    st.sampled_from([(0,), (1,), (0, 1), (1, 0, 1)]),
    st.randoms(use_true_random=False),
)
@example((3, [1]), (0, 1), None)
def test_long_and_short_rows_that_balance_each_other_are_as_bad_as_one_by_one(drawn, chosen, draw):
    width, lacking = drawn
    widths = [width, *(width + sign * less for less in lacking if less < width for sign in (-1, 1))]
    if draw:
        draw.shuffle(widths)
    text = "".join(
        ",".join(f"c{row}{place}" for place in range(some)) + "\n" for row, some in enumerate([width, *widths])
    )
    places = {f"role {at}": place for at, place in enumerate(chosen)}
    table, ways = TextTable.opened(source(text), "csv"), []
    for small in (0, len(text) + 1):
        bad = BadRecords(on_error="skip")
        with mock.patch.object(delimited, "SMALL", small):
            found = table.columns(places, bad)
        ways.append(
            (found.frame.rows(), found.lines.tolist(), found.widths.tolist(), [error.line for error in bad.errors])
        )
    assert ways[0] == ways[1]
    assert len(ways[0][3]) == sum(some > width for some in widths)


def test_the_usual_width_is_that_of_most_rows():
    assert usual_width(source("a\nb,c,d\ne,f,g\nh,i\n"), "csv") == 3


@given(
    st.lists(
        st.lists(
            st.sampled_from(["a", "b, c", 'd "e"', "f\ng", "h; i", ' "j', "k", '5" disk']), min_size=2, max_size=3
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(",;"),
    st.sampled_from(["", " ", "  "]),
    st.sampled_from([1, 9000]),
)
def test_blanks_around_quotes_are_no_part_of_a_cell(rows, separator, blanks, more):
    rows = [*rows, ["z" * more, "z"]]

    def written(blanks):
        quoted = (['"' + cell.replace('"', '""') + '"' for cell in row] for row in [["x", "y", "w"], *rows])
        return "\n".join(f"{blanks}{(blanks + separator + blanks).join(row)}{blanks}" for row in quoted)

    read = [row.cells for row in rows_of(source(written(blanks)), "csv", BadRecords())]
    assert read == [["x", "y", "w"], *rows]
    table = TextTable.opened(source(written(blanks)), "csv")
    cells = table.columns({"x": 0, "y": 1}, BadRecords()).frame
    assert cells.rows() == [tuple(row[:2]) for row in rows]


@pytest.mark.parametrize("cell", [' "b" c', ' b "c"', ' 5"'])
def test_a_quote_that_does_not_enclose_a_cell_is_a_letter(cell):
    assert [row.cells for row in rows_of(source(f"x,y\na,{cell}\n"), "csv", BadRecords())] == [["x", "y"], ["a", cell]]
    text = 'x,y\n"a, ","b ""c"", d"\n"e, ""f"" g",h\n'
    assert without_blanks(source(text), "csv").data.decode() == text


def test_example_of_text_table_opened():
    from goldassay.formats.source import Source

    assert (
        repr(TextTable.opened(Source(path="a", name="a", data=b'\n"a",b\nc,d', size=10), "csv").first)
        == "Row(line=2, cells=['a', 'b'], place=0)"
    )


def test_example_of_separator_of():
    from goldassay.formats.source import Source

    assert separator_of(Source(path="a", name="a", data=b"cat;animal, wild;x", size=18), "csv") == ";"
    assert separator_of(Source(path="a", name="a", data=b"cat\tanimal", size=10), "csv") == "\t"


def test_example_of_without_blanks():
    from goldassay.formats.source import Source

    assert without_blanks(Source(path="a", name="a", data=b'a, "b, c"\n', size=10), "csv").data == b'a,"b, c"\n'


def test_example_of_rows_of():
    from goldassay.formats.source import Source

    bad = BadRecords(on_error="skip")
    assert (
        repr(list(rows_of(Source(path="a", name="a", data=b'a,b\n"c,d\ne,f\n', size=13), "csv", bad)))
        == "[Row(line=1, cells=['a', 'b'], place=0), Row(line=3, cells=['e', 'f'], place=2)]"
    )
    assert bad.notes()[1] == "skipped line 2: Unbalanced quotes in this row. ('\"c,d')"


def test_example_of_usual_width():
    from goldassay.formats.source import Source

    assert usual_width(Source(path="a", name="a", data=b"cat\ncow,pet\ndog,pet\n", size=20), "csv") == 2
