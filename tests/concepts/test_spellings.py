"""Documents mean the same however a file spells them, and a bad record changes no other."""

import csv
import io
import json
import unicodedata

import polars as pl
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import goldassay
from goldassay.concepts import ConceptReading, read_concepts
from goldassay.concepts.formats import parts
from goldassay.formats import records

NAMES = st.text("aAbé\u0301 s\u00a0", max_size=4) | st.sampled_from(
    ["aspirin", "e\u0301", "\u00e9", " x  y ", '"', "\\", "7"]
)
OBJECTS = st.fixed_dictionaries(
    {},
    optional={
        "text": NAMES,
        "id": NAMES | st.integers(0, 3),
        "negated": st.booleans(),
        "score": st.floats(0, 1),
        "type": st.lists(st.sampled_from("ab"), max_size=2),
    },
)
ODD = st.sampled_from([7, True, None, ["x"], 1.0])
IDS = NAMES | st.integers(0, 9) | st.sampled_from([None, 1.5, 2.0, True])
CONCEPTS = (
    st.lists(NAMES | OBJECTS | ODD, max_size=3) | st.lists(NAMES, max_size=3) | st.sampled_from([None, "a; b", 7])
)
RECORDS = st.lists(
    st.fixed_dictionaries(
        {}, optional={"id": IDS, "concepts": CONCEPTS, "text": st.sampled_from(["a b", None]), "x": ODD}
    ),
    max_size=6,
)
FIRST = {"id": "the first", "concepts": ["aspirin"]}


def tidy(text):
    return " ".join(unicodedata.normalize("NFC", text).split())


def concept_of(one):
    """Read a concept as its documentation says; None if it is none. A list of one text is the text."""
    one = one[0] if isinstance(one, list) and len(one) == 1 else one
    if not isinstance(one, str | dict):
        return None
    one = {"text": one} if isinstance(one, str) else one
    text, key = tidy(str(one.get("text", ""))), tidy_id(str(one.get("id", "")))
    messages = "negated" if one.get("negated") else ""
    return (key or text, text or tidy(key), messages) if text or key else None


def documents_of(some):
    """Read records one by one, and count those that are left out."""
    found, left_out = {}, 0
    for record in some:
        name, concepts = record.get("id"), record.get("concepts")
        name = int(name) if isinstance(name, float) and name.is_integer() else name
        name = tidy_id(str(name)) if isinstance(name, str | int) and not isinstance(name, bool) else ""
        read = list(map(concept_of, concepts)) if isinstance(concepts, list) else [None]
        if not name or name in found or None in read:
            left_out += 1
        else:
            best = {}
            for key, text, messages in sorted(read):
                best.setdefault((messages, key), text)
            found[name] = sorted((messages, key, text) for (messages, key), text in best.items())
    return found, left_out


def tidy_id(text):
    return unicodedata.normalize("NFC", text.strip())


def shown(concepts):
    return {
        name: [(one.assertion, one.key, one.name) for one in concepts.found(row)]
        for row, name in enumerate(concepts.ids.tolist())
    }


@pytest.mark.parametrize("at_once", [1, 2**15])
@example(some=[{"id": "A", "concepts": [{"id": " x  y "}]}], indent=None, ascii_only=False, layout="lines")
@given(
    some=RECORDS,
    indent=st.sampled_from([None, 1]),
    ascii_only=st.booleans(),
    layout=st.sampled_from(["lines", "crlf", "array"]),
)
def test_records_are_read_as_one_by_one(tmp_path_factory, at_once, some, indent, ascii_only, layout):
    some = [FIRST, *some]
    path = tmp_path_factory.getbasetemp() / "spelt.jsonl"
    if layout == "array":
        path.write_text(json.dumps(some, indent=indent, ensure_ascii=ascii_only), encoding="utf-8")
    else:
        end = "\r\n" if layout == "crlf" else "\n"
        path.write_bytes(end.join(json.dumps(one, ensure_ascii=ascii_only) for one in some).encode())
    monkeypatch = pytest.MonkeyPatch()
    with monkeypatch.context() as patch:
        patch.setattr(records, "AT_ONCE", at_once)
        concepts = read_concepts(path, ConceptReading(on_error="skip"))
    assert (shown(concepts), concepts.left_out.get("skipped_records", 0)) == documents_of(some)


@pytest.mark.parametrize("at_once", [1, 1000])
@given(
    st.lists(
        st.tuples(NAMES, st.lists(st.sampled_from(["aspirin", "caf\u00e9", "a b", 'the "a"', "it's"]), max_size=3)),
        max_size=5,
    ),
    st.sampled_from([json.dumps, str, "|".join, "; ".join]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_rows_are_read_as_records(tmp_path_factory, at_once, some, write, end):
    # Rows with one id are one document, and not two records.
    assume(len({tidy_id(name) for name, _ in some}) == len(some))
    rows = [("the first", ["aspirin"]), *some]
    if write not in (json.dumps, str):
        rows = [(name, concepts) for name, concepts in rows]
    cells = [(name, write(concepts)) for name, concepts in rows]
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator=end).writerows(
        [("note", "id", "concepts"), *(("two\nlines", *row) for row in cells)]
    )
    folder = tmp_path_factory.getbasetemp()
    (folder / "spelt.csv").write_bytes(stream.getvalue().encode())
    pl.DataFrame(cells, schema={"id": pl.String, "concepts": pl.String}, orient="row").write_parquet(
        folder / "spelt.parquet"
    )
    frame = pl.DataFrame(rows, schema={"id": pl.String, "concepts": pl.List(pl.String)}, orient="row")
    frame.write_parquet(folder / "lists.parquet")
    wanted = documents_of([{"id": name, "concepts": concepts} for name, concepts in rows])
    monkeypatch = pytest.MonkeyPatch()
    with monkeypatch.context() as patch:
        patch.setattr(parts, "AT_ONCE", at_once)
        for name in ("spelt.csv", "spelt.parquet", "lists.parquet"):
            concepts = read_concepts(folder / name, ConceptReading(on_error="skip"))
            assert (shown(concepts), concepts.left_out.get("skipped_records", 0)) == wanted


@pytest.mark.parametrize("line", [1, 2, 257, 600])
@pytest.mark.parametrize(
    ("bad", "found"),
    [
        ({"id": "d0", "concepts": []}, "it is already in line 1"),
        ({"id": "b", "concepts": ["x", " "]}, "concepts: among them a concept without a text"),
        ({"id": "b", "concepts": [True]}, "concepts: among them True"),
        ({"id": "b", "concepts": [{"text": "x", "start": 2, "end": 1}]}, "concepts: the place (2, 1) of"),
        ({"id": "b"}, "line {} has 'id'"),
    ],
)
def test_the_one_bad_record_among_many_is_named(tmp_path, line, bad, found):
    good = [{"id": f"d{row}", "concepts": [f"c{row % 7}"]} for row in range(700)]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, [*good[:line], bad, *good[line:]])))
    with pytest.raises(goldassay.RecordError) as caught:
        read_concepts(path)
    assert caught.value.line == line + 1
    assert caught.value.found.startswith(found.format(line + 1))
    concepts = read_concepts(path, ConceptReading(on_error="skip"))
    assert shown(concepts) == {one["id"]: [("", one["concepts"][0], one["concepts"][0])] for one in good}
    assert concepts.input_rows.tolist() == [row for row in range(701) if row != line]


def test_the_first_bad_row_is_named_any_is_wrong_with_it(tmp_path):
    """A row with too many cells is found before the cells are read, but it is behind the row without an id."""
    path = tmp_path / "a.csv"
    path.write_text("id,concepts\na,x\n,y\nb,x,z\nc\nd,x\n")
    with pytest.raises(goldassay.RecordError) as caught:
        read_concepts(path)
    assert caught.value.line == 3
    concepts = read_concepts(path, ConceptReading(on_error="skip"))
    assert concepts.ids.tolist() == ["a", "d"]
    assert [note.split(":")[0] for note in concepts.notes if "line" in note] == [
        f"skipped line {line}" for line in (3, 4, 5)
    ]


def test_places_of_objects_that_differ_in_them_only(tmp_path):
    some = [
        {"text": "fever", "start": 0, "end": 5},
        {"text": "fever", "start": 9, "end": 14},
        {"text": "chill", "start": 20, "end": 25},
    ]
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": "d", "concepts": some}))
    concepts = read_concepts(path)
    assert [concepts.item(row) for row in range(len(concepts))] == ["d: chill", "d: fever"]
    assert (concepts.mentions.items.tolist(), concepts.mentions.spans.tolist()) == (
        [1, 1, 0],
        [[0, 5], [9, 14], [20, 25]],
    )
    assert concepts.left_out == {}
