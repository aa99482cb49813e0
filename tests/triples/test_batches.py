"""Documents read many at once are those that are read one by one, and what is not regular is left to that."""

import itertools
import json
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goldassay
from goldassay.core.context import Context
from goldassay.formats import Source, quoted
from goldassay.formats.quoted import Vocabulary
from goldassay.formats.records import BadRecords
from goldassay.triples import (
    Triples,
    TriplesReading,
    batches,
    from_lines,
    from_tables,
    read_triples_of_documents,
    regular,
)
from goldassay.triples.answers import Answer, Statement
from goldassay.triples.layout import columns_of
from goldassay.triples.statements import Reader

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
LINES = st.lists(
    st.tuples(GOOD, st.booleans()).map(lambda one: json.dumps(one[0], ensure_ascii=one[1])) | ODD, max_size=5
)


def nothing(*_: object, **__: object) -> None:
    return None


def read(data: bytes, monkeypatch: pytest.MonkeyPatch, **at_once: Callable[..., object]) -> list[Answer]:
    for name in ("records_at_once", "regular_records"):
        monkeypatch.setattr(from_lines, name, at_once.get(name, nothing))
    reader = Reader("a.jsonl", BadRecords(on_error="skip"))
    found: list[Answer] = []
    for one in from_lines.read_json_lines(Source(path="a.jsonl", name="a.jsonl", data=data, size=len(data)), reader):
        found += [one] if isinstance(one, Answer) else one.answers()
    return found


@given(lines=LINES)
def test_json_lines_at_once_are_those_one_by_one(lines):
    data = "\n".join(lines).encode()
    with pytest.MonkeyPatch.context() as patch:
        assert read(data, patch, records_at_once=batches.records_at_once) == read(data, patch)


NAME = st.text(
    st.characters(codec="utf-8", exclude_characters='"\\', exclude_categories=["C"]), min_size=1, max_size=20
)
REGULAR = st.lists(
    st.builds(
        lambda name, some: {"id": name, "triples": some},
        NAME,
        st.lists(st.lists(NAME, min_size=3, max_size=3), max_size=3),
    ),
    min_size=1,
    max_size=4,
)


@given(records=REGULAR, compact=st.booleans(), ended=st.booleans(), data=st.data())
def test_lines_read_by_their_quotes_are_those_one_by_one(records, compact, ended, data):
    separators = (",", ":") if compact else (", ", ": ")
    written = "\n".join(json.dumps(one, ensure_ascii=False, separators=separators) for one in records) + "\n" * ended
    names = {name.strip() for one in records for name in (one["id"], *itertools.chain(*one["triples"]))}
    batch = regular.regular_records(written.encode(), Vocabulary(), first=1)
    assert (batch is not None) == all(names)
    # One letter is another, or gone: what comes of it is what comes of it line by line.
    place = data.draw(st.integers(0, len(written) - 1))
    letter = data.draw(st.sampled_from(["", *'[]{},:" x\n\r\\\t\0', "\u2028"]))
    for text in (written, written[:place] + letter + written[place + 1 :]):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(from_lines, "AT_ONCE", data.draw(st.sampled_from([1, 40, 10**6])))
            patch.setattr(regular, "AT_ONCE", data.draw(st.sampled_from([1, 40, 10**6])))
            one_by_one = read(text.encode(), patch)
            assert read(text.encode(), patch, regular_records=regular.regular_records) == one_by_one


def test_what_is_not_regular_is_left_to_be_read_otherwise():
    good = b'{"id": "d", "triples": [["a", "r", "b"]]}\n'
    assert list(regular.regular_records(good + b'{"id":"e","triples":[]}', Vocabulary(), first=7).answers()) == [
        Answer("d", [[Statement("a", "r", "b")]], "", {}, 7),
        Answer("e", [[]], "", {}, 8),
    ]
    for other in (
        b"",
        b"\n",
        b'"id"',
        b'{"id": "d", "triples": [["a", "r"]]}',
        b'{"id": "d", "triples": [["a", "r", "b", "c"]]}',
        b'{"id": "d", "triples": [["a", "r"], ["b", "c", "d", "e"]]}',
        b'{"id": "d", "triples": [["a", "r"], "b"]}',
        b'{"id": "d", "triples": [["a"], ["r", "b"]]}',
        b'{"id": "d", "tuples": [["a", "r", "b"]]}',
        b'{"no": "d", "triples": [["a", "r", "b"]]}',
        b'{"id": "d": "triples", [["a", "r", "b"]]}',
        b'{"id", "d", "triples": [["a", "r", "b"]]}',
        b'{"id": "d", "triples": ["a", "r", "b"]]}',
        b'{"id": "d", "triples": []]}',
        b'{"id": "d", "triples": [["a", "r", "\xff"]]}',
        b'{"id": "d", "triples": [["a", "r", "b\n"]]}',
        b'{"id": "d", "triples": [["a", "r", "\\u0061"]]}',
        b'{"id": "d", "triples": [["a",   "r", "b"]]}',
        b' {"id": "d", "triples": [["a", "r", "b"]]}',
    ):
        assert regular.regular_records(other, Vocabulary(), first=1) is None
        assert regular.regular_records(good + other + b"\n" + good, Vocabulary(), first=1) is None


def test_names_of_one_key_are_told_apart_before_they_are_numbered(monkeypatch):
    data = b'{"id": "d", "triples": [["a", "r", "b"], ["same begin x", "r", "same begin y"]]}\n'
    assert regular.regular_records(data, Vocabulary(), first=1).slots.names == [
        "a",
        "r",
        "b",
        "same begin x",
        "same begin y",
    ]
    monkeypatch.setattr(quoted, "MIXING", np.uint64(0))
    assert regular.regular_records(data, Vocabulary(), first=1) is None


def test_regular_lines_are_read_at_once():
    lines = ['{"id": "d", "triples": [["a", "r", "b"], ["\\u00e9", "r", "\\n"]]}', '{"id":"e","triples":[],"text":"x"}']
    # The newline is no name.
    assert batches.records_at_once(lines, first=1) is None
    batch = batches.records_at_once([lines[0].replace("\\n", "b"), lines[1]], first=7)
    assert list(batch.answers()) == [
        Answer("d", [[Statement("a", "r", "b"), Statement("é", "r", "b")]], "", {}, 7),
        Answer("e", [[]], "x", {}, 8),
    ]


CELLS = st.text(st.sampled_from("ab c\x1c\u00a0"), max_size=3)
ROWS = st.lists(st.tuples(st.sampled_from(["d1", "d2", " d1", ""]), CELLS, CELLS, CELLS), min_size=1, max_size=6)


@pytest.mark.parametrize("name", ["csv", "tsv", "parquet"])
def test_tables_at_once_are_those_one_by_one(name, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")

    @given(rows=ROWS)
    def check(rows):
        frame = pl.DataFrame(rows, schema=["id", "subject", "predicate", "object"], orient="row")
        path = folder / f"a.{name}"
        if name == "parquet":
            frame.write_parquet(path)
        else:
            frame.write_csv(path, separator="," if name == "csv" else "\t", quote_style="never")
        columns = []
        for at_once in (lambda *_: None, from_tables.rows_at_once):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(from_tables, "rows_at_once", at_once)
                try:
                    triples = read_triples_of_documents(path)
                except goldassay.InputError as error:
                    columns.append(str(error))
                    continue
            columns.append(
                {
                    name: column.tolist() if hasattr(column, "tolist") else str(column)
                    for name, column in vars(triples).items()
                    if name not in ("normalise", "_spelling")
                }
            )
        assert columns[0] == columns[1]

    check()


def test_batches_and_single_documents_are_laid_out_alike():
    lines = [json.dumps({"id": f"d{row}", "triples": [["a", "r", str(row % 3)], ["b", "r", "a"]]}) for row in range(6)]
    first, second = (batches.records_at_once(lines[cut], first=1) for cut in (slice(3), slice(3, 6)))
    mixed = columns_of([first, *second.answers()], normalise=str.strip)
    alone = columns_of([*first.answers(), *second.answers()], normalise=str.strip)
    for name in ("ids", "rows", "keys", "written", "spellings", "starts", "weights", "datatypes"):
        assert mixed[name].tolist() == alone[name].tolist(), name


@pytest.mark.parametrize("at_once", [1, 60, 2**24])
def test_parts_of_a_file_are_laid_out_as_the_whole(tmp_path, monkeypatch, at_once):
    """Names are kept from part to part, also where one in between is read line by line."""
    slots = [["a", "r", "b"], ["c", "r", "a"], ["\u00e9", "r", 3], ["c", "s", "d"], ["d", "r", "x y"]]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({"id": str(row), "triples": [some]}) + "\n" for row, some in enumerate(slots)))
    monkeypatch.setattr(from_lines, "AT_ONCE", at_once)
    triples = read_triples_of_documents(path)
    assert triples.spellings.tolist() == ["a", "r", "b", "c", "\u00e9", "3", "s", "d", "x y"]
    assert [list(triples.slots(row)) for row in range(5)] == [[str(slot) for slot in some] for some in slots]


def test_triples_meet_strip_by_strip(monkeypatch):
    from goldassay.triples import Triple, meeting

    rng = np.random.default_rng(0)
    pred, gold = (
        Triples.from_lists(
            {str(d): [tuple(map(str, row)) for row in rng.integers(0, (3, 2, 3), (6, 3))] for d in rng.permutation(9)}
        )
        for _ in range(2)
    )
    whole = Triple().match(pred=pred, gold=gold, context=Context())
    assert 5 < whole.pred.credit.sum() < len(pred) - 5
    monkeypatch.setattr(meeting, "STRIP", 5)
    monkeypatch.setattr(meeting, "_joined", None)
    parts = Triple().match(pred=pred, gold=gold, context=Context())
    assert parts.pred.counterpart.tolist() == whole.pred.counterpart.tolist()
    assert parts.gold.counterpart.tolist() == whole.gold.counterpart.tolist()


@pytest.mark.parametrize("at_once", [1, 2**24])
def test_an_id_twice_is_found_in_batches_too(tmp_path, monkeypatch, at_once):
    monkeypatch.setattr(from_lines, "AT_ONCE", at_once)
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "d", "triples": []}\n{"id": "e", "triples": []}\n{"id": "d", "triples": []}\n')
    with pytest.raises(goldassay.InputError, match="occurs twice") as caught:
        read_triples_of_documents(path)
    assert (caught.value.line, caught.value.found) == (3, "line 1 has it already")
    assert len(read_triples_of_documents(path, TriplesReading(repeated="last")).ids) == 2
    assert read_triples_of_documents(path, TriplesReading(ids="order")).ids.tolist() == ["1", "2", "3"]


def test_equal_keys_of_different_triples_are_told_apart(monkeypatch):
    from goldassay.triples import Triple, layout, meeting

    for module in (layout, meeting):
        monkeypatch.setattr(module, "mixed", lambda *columns: columns[0].astype("uint64"))
    gold = Triples.from_lists({"d": [("a", "r", "b"), ("a", "r", "c"), ("a", "r", "b")]})
    assert len(gold) == 2
    score = Triple().score(pred=Triples.from_lists({"d": [("a", "r", "c")]}), gold=gold)
    assert (score.precision, score.recall) == (1.0, 0.5)
