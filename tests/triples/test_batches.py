"""Documents read many at once are those that are read one by one, and what is not regular is left to that."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.core.context import Context
from goldassay.formats import Source, records
from goldassay.formats.records import BadRecords
from goldassay.triples import TripleSet, TriplesReading, read_triples_of_documents
from goldassay.triples.formats import records as triple_records
from goldassay.triples.formats import slots
from goldassay.triples.formats.raw import RawDocuments
from goldassay.triples.reading import normaliser

JSON_LINES, JSON = "json-lines", "json"
TEXTS = st.text(st.characters(codec="utf-8"), max_size=4) | st.sampled_from(["Oslo", "in", '"', "\\", "\x1c", "\u2028"])
GOOD = st.fixed_dictionaries(
    {"id": TEXTS, "triples": st.lists(st.lists(TEXTS, min_size=3, max_size=3), max_size=3)},
    optional={"text": TEXTS},
)
ODD = st.sampled_from(
    [
        "{}",
        "",
        '{"id": "d", "triples": [["a", "r"]]}',
        '{"id": "d", "triples": [["a", "r", 3]]}',
        '{"id": "d", "id": "e", "triples": []}',
        '{"id": "d", "triples": [["a", "r", "\\ud800"]]}',
        '{"id": "d", "triples": [["a", "r", "\\ud83d\\ude00"]]} ',
        '{"triples": [["a", "r", "b"]], "id": "d"}',
        '{"id": "d", "text": "x", "triples": [], "text": "y"}',
    ]
)
ROLES = st.sampled_from([("subject", "predicate", "object"), ("h", "r", "t")])
OBJECTS = st.builds(
    lambda name, keys, some, text: {
        "text": text,
        "triplets": [dict(zip(keys, one, strict=True)) for one in some],
        "doc_id": name,
    },
    st.integers(0, 9) | TEXTS,
    ROLES,
    st.lists(st.lists(TEXTS, min_size=3, max_size=3), max_size=3),
    TEXTS | st.none(),
)
VALUES = TEXTS | st.integers(-3, 3) | st.floats(-2, 2) | st.booleans() | st.none()
TYPED = st.fixed_dictionaries(
    {"id": TEXTS, "triples": st.lists(st.tuples(TEXTS | st.integers(0, 2), TEXTS, VALUES), max_size=3)},
    optional={"tokens": st.just(["Ada", "in", "Oslo"])},
)
ENTITY = TEXTS | st.fixed_dictionaries(
    {},
    optional={
        "name": TEXTS | st.integers(0, 2),
        "text": TEXTS,
        "type": TEXTS | st.none() | st.lists(TEXTS, max_size=2),
        "label": TEXTS,
        "id": st.integers(0, 2) | TEXTS,
    },
)
LISTED = st.fixed_dictionaries(
    {"id": TEXTS, "triples": st.lists(st.tuples(TEXTS, TEXTS, VALUES), max_size=2), "entities": st.lists(ENTITY)},
    optional={"metadata": st.just({"id": "m"}), "source": TEXTS | st.just({"text": "s"})},
)
ENDS = {"h": TEXTS, "r": TEXTS, "t": VALUES}
WEIGHTED = st.fixed_dictionaries(
    {
        "id": TEXTS,
        "triples": st.lists(
            st.fixed_dictionaries(ENDS, optional={"weight": VALUES | st.just(10**400), "note": TEXTS})
            | st.lists(TEXTS, min_size=2, max_size=4),
            max_size=3,
        ),
    }
)
RECORDS = st.lists(
    st.tuples(GOOD | OBJECTS | TYPED | LISTED | WEIGHTED, st.booleans()).map(
        lambda one: json.dumps(one[0], ensure_ascii=one[1])
    )
    | ODD,
    max_size=6,
)


def stated(raw: RawDocuments) -> list[tuple[object, ...]]:
    """List documents as they were read, what number a text has; a triple is followed by its datatype, weight and row."""
    names, raw.reading = raw.ids, TriplesReading(ids="order")
    triples = TripleSet(**raw.columns(normaliser([])))
    firsts = triples.firsts.tolist()
    rows = [-1] * len(triples) if triples.input_rows is None else triples.input_rows.tolist()
    found = [
        (*triples.written_row(first), triples.datatypes[first] or None, weight, row)
        for first, weight, row in zip(firsts, triples.weights.tolist(), rows, strict=True)
    ]
    sets = [
        (found[start:end], triples.written_of(one))
        for one, (start, end) in enumerate(itertools.pairwise(triples.starts.tolist()))
    ]
    types = [
        {
            str(triples.keys[name]): str(triples.type_names[kind])
            for owner, name, kind in triples.types.tolist()
            if owner == at
        }
        for at in range(len(triples.ids))
    ]
    lines = [line() if callable(line) else line for line in raw.lines]
    columns = (names, triples.texts.tolist(), lines, (~triples.unreadable).tolist())
    listed = [[sets[one] for one in np.flatnonzero(triples.owners == at)] for at in range(len(names))]
    return list(zip(*columns, listed, types, strict=True))


def read(data: bytes, name: str, *, at_once: bool) -> tuple[list[object], list[str]]:
    raw = RawDocuments("a", BadRecords(on_error="skip"), name)
    with pytest.MonkeyPatch.context() as patch:
        if not at_once:
            for module in (slots, triple_records):
                patch.setattr(module, "add_sets", lambda *_, **__: False)
        triple_records.read_json(Source(path="a", name="a", data=data, size=len(data)), raw)
    return stated(raw), [str(error) for error in raw.faults]


@given(lines=RECORDS)
def test_records_at_once_are_those_one_by_one(lines):
    data = "\n".join(lines).encode()
    assert read(data, JSON_LINES, at_once=True) == read(data, JSON_LINES, at_once=False)


@given(lines=RECORDS)
def test_members_of_an_array_at_once_are_those_one_by_one(lines):
    members = [
        line for line in lines if line and not line.endswith(" ") and "ud800" not in line and line.count('"id"') < 2
    ]
    data = f"[{', '.join(members)}]".encode()
    assert read(data, JSON, at_once=True) == read(data, JSON, at_once=False)


def documents(*lines):
    data = "\n".join(lines).encode()
    raw = RawDocuments("a", BadRecords(on_error="skip"), JSON_LINES)
    triple_records.read_json(Source(path="a", name="a", data=data, size=len(data)), raw)
    return [(*rest, [distinct for distinct, _ in sets], types) for *rest, sets, types in stated(raw)]


def test_records_of_any_layout_are_read_at_once(monkeypatch):
    monkeypatch.setattr(slots, "_read_triple", None)
    assert documents(
        '{"id": "d", "triples": [["a", "r", "b"], ["\\u00e9", "r", 3]]}',
        '{"id":7,"triples":[{"t": "b", "h": "a", "r": "r", "weight": 2}],"text":"x","more":1}',
        '{"id": "e", "triples": [{"s": "a", "p": "r", "o": "b", "n": 1}, {"s": "a", "p": "r", "o": "b"}], "metadata": {"id": "f"}, "text": ""}',
        '{"id": "g", "entities": [{"name": "a", "type": "T"}, "b", {"text": "c", "label": ["U"]}], "triples": []}',
    ) == [
        ("d", "", 1, True, [[("a", "r", "b", None, 1, 0), ("é", "r", "3", "xsd:integer", 1, 0)]], {}),
        ("7", "x", 2, True, [[("a", "r", "b", None, 2, 1)]], {}),
        ("e", "", 3, True, [[("a", "r", "b", None, 1, 2)]], {}),
        ("g", "", 4, True, [[]], {"a": "T", "c": "U"}),
    ]


def test_an_odd_record_keeps_its_place_among_others():
    """A line break is no name."""
    first, second, third = documents(
        '{"id": "d", "triples": [["a", "r", "b"]]}',
        '{"id": "e", "triples": [["a", "r", "\\n"]]}',
        '{"id": "f", "triples": [["b", "r", "a"]]}',
    )
    assert (first[0], second[0], third[0]) == ("d", "e", "f")
    assert (first[3], second[3], third[3]) == (True, False, True)


NODES = st.fixed_dictionaries({"name": TEXTS | st.integers(0, 2)}, optional={"type": TEXTS, "id": st.integers(0, 2)})
CELLS = TEXTS | st.integers(-3, 3) | st.just(0.5) | st.booleans() | NODES
ROWS = st.lists(st.tuples(st.sampled_from("de"), CELLS, TEXTS, CELLS, st.sampled_from([None, 1, 0.5])), min_size=1)


@given(rows=ROWS, array=st.booleans())
def test_a_triple_says_the_same_as_a_record_and_in_a_document(rows, array):
    """Values, nodes, ids and blanks, what is next to them."""
    keys = ("subject", "predicate", "object", "weight")
    # The first record says what all are; one without a slot that says something is only an id.
    rows = [("d", "a", "r", "b", None), *(row for row in rows if any(cell != "" for cell in row[1:4]))]
    triples = [(name, dict(zip(keys, row, strict=True))) for name, *row in rows]
    single = [json.dumps({"id": name, **triple}) for name, triple in triples]
    whole = [
        json.dumps({"id": one, "triples": [triple for name, triple in triples if name == one]})
        for one in dict.fromkeys(name for name, _ in triples)
    ]
    found = []
    for name, lines in ((JSON if array else JSON_LINES, single), (JSON_LINES, whole)):
        data = (f"[{','.join(lines)}]" if array and name == JSON else "\n".join(lines)).encode()
        raw = RawDocuments("a", BadRecords(on_error="skip"), name)
        triple_records.read_json(Source(path="a", name="a", data=data, size=len(data)), raw)
        documents = [
            (document, readable, [([triple[:5] for triple in some], written) for some, written in sets], types)
            for document, _, _, readable, sets, types in stated(raw)
        ]
        found.append((documents, sorted(error.message for error in raw.faults)))
    assert found[0] == found[1]


def test_a_record_of_several_documents_is_one_of_each():
    lines = [{"id": ["d", "e"], "s": "a", "p": "r", "o": "b"}, {"id": 7.0, "s": "a", "p": "r", "o": 7.0}, {"id": "f"}]
    assert documents(*(f"{json.dumps(line)}\n" for line in lines)) == [
        ("d", "", 1, True, [[("a", "r", "b", None, 1, 0)]], {}),
        ("e", "", 1, True, [[("a", "r", "b", None, 1, 0)]], {}),
        ("7", "", 3, True, [[("a", "r", "7", "xsd:integer", 1, 1)]], {}),
        ("f", "", 5, True, [[]], {}),
    ]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "json"])
def test_rows_of_any_format_are_one_model(ending, tmp_path):
    """A row says the same what it is written in; of one that cannot be read its line is named."""
    rows = [("d1", "a", "r", "b"), ("d2", "a", "r", ""), ("d1", "c", "r", "d"), ("d3", "", "", ""), ("", "a", "r", "b")]
    names = ("id", "subject", "predicate", "object")
    path = tmp_path / f"a.{ending}"
    if ending.startswith("json"):
        records = [json.dumps(dict(zip(names, row, strict=True))) for row in rows]
        path.write_text("\n".join(records) if ending == "jsonl" else "[" + ",\n".join(records) + "]")
    else:
        separator = "," if ending == "csv" else "\t"
        path.write_text("\n".join(separator.join(row) for row in (names, *rows)))
    triples = read_triples_of_documents(path)
    assert triples.ids.tolist() == ["d1", "d2", "d3"]
    assert [triples.item(row) for row in range(2)] == ["d1: a | r | b", "d1: c | r | d"]
    assert (triples.input_rows.tolist(), triples.unreadable.tolist()) == ([0, 2, 1], [False, True, False])
    first = ending in ("csv", "tsv")
    assert [(error.message, error.line) for error in triples.faults] == [
        ("Incomplete triple: the object is missing.", 2 + first),
        ("The row has no id.", 5 + first),
    ]


@pytest.mark.parametrize("at_once", [1, 60, 2**24])
def test_parts_of_a_file_are_laid_out_as_the_whole(tmp_path, monkeypatch, at_once):
    """Names are kept from part to part, also where one in between is read record by record."""
    slots = [["a", "r", "b"], ["c", "r", "a"], ["\u00e9", "r", 3], ["c", "s", "d"], ["d", "r", "x y"]]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({"id": str(row), "triples": [some]}) + "\n" for row, some in enumerate(slots)))
    monkeypatch.setattr(records, "AT_ONCE", at_once)
    triples = read_triples_of_documents(path)
    assert triples.spellings.tolist() == ["a", "r", "b", "c", "\u00e9", "3", "s", "d", "x y"]
    assert [list(triples.slots(row)) for row in range(5)] == [[str(slot) for slot in some] for some in slots]


def test_triples_match_as_a_plain_loop_finds():
    from goldassay.triples import TripleF1

    rng = np.random.default_rng(0)
    pred, gold = (
        TripleSet.from_lists(
            {str(d): [tuple(map(str, row)) for row in rng.integers(0, (3, 2, 3), (6, 3))] for d in rng.permutation(9)}
        )
        for _ in range(2)
    )
    named = [[(side.ids[side.documents[row]], *side.slots(row)) for row in range(len(side))] for side in (pred, gold)]
    found = TripleF1().match(pred=pred, gold=gold, context=Context())
    assert found.pred.counterpart.tolist() == [named[1].index(one) if one in named[1] else -1 for one in named[0]]
    assert found.gold.counterpart.tolist() == [named[0].index(one) if one in named[0] else -1 for one in named[1]]


@pytest.mark.parametrize("at_once", [1, 2**24])
def test_an_id_twice_is_found_in_batches_too(tmp_path, monkeypatch, at_once):
    monkeypatch.setattr(records, "AT_ONCE", at_once)
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "d", "triples": []}\n{"id": "e", "triples": []}\n{"id": "d", "triples": []}\n')
    with pytest.raises(goldassay.InputError, match="occurs twice") as caught:
        read_triples_of_documents(path)
    assert (caught.value.line, caught.value.found) == (3, "line 1 has it already")
    assert len(read_triples_of_documents(path, TriplesReading(repeated="last")).ids) == 2
    assert read_triples_of_documents(path, TriplesReading(ids="order")).ids.tolist() == ["1", "2", "3"]
