"""Records are what Python's own parser gives, under strict rules; a bad one changes no other."""

import json
import math
import re
from collections import Counter
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from goldassay.core.errors import InputError, RecordError
from goldassay.core.limits import DEPTH, DIGITS
from goldassay.formats import records
from goldassay.formats.documents import holds_all, json_of, parse_json
from goldassay.formats.records import BadRecords, group_blocks, json_lines, json_members, json_objects, json_records
from goldassay.formats.source import Source

BAD = "cannot be read"


def source_of(data):
    return Source(path="a.jsonl", name="a.jsonl", data=data, size=len(data))


def depth(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def texts_in(value):
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in texts_in(one)]
    return [text for one in value for text in texts_in(one)] if isinstance(value, list) else [value]


def once(pairs):
    if max(Counter(key for key, _ in pairs).values(), default=1) > 1:
        raise ValueError("a key twice")
    return dict(pairs)


def finite(number):
    if not math.isfinite(float(number)):
        raise ValueError("infinite")
    return float(number)


def whole(digits):
    if len(digits) > DIGITS.value:
        raise ValueError("too long")
    return int(digits)


def read_plainly(data):
    """Read one JSON value by Python's parser, and check it as a careful person would."""
    try:
        value = json.loads(
            data.decode(), parse_constant=finite, parse_float=finite, parse_int=whole, object_pairs_hook=once
        )
        "".join(text for text in texts_in(value) if isinstance(text, str)).encode()
    except (ValueError, RecursionError):
        return BAD
    return BAD if depth(value) > DEPTH.value else value


def same(found, expected):
    """Equal, and of equal types: 1 is not 1.0, nor True, and 0.0 not -0.0."""
    return repr(found) == repr(expected)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(2**63 - 2, 2**64 + 2)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text('a:" \\\u00e9\u2028\U0001f600\x7f', max_size=5)
    | st.sampled_from(["9" * 1001, ":", '":', "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", ":", "id"]), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
DAMAGE = st.sampled_from(
    [
        *('"a": 1,', '"a":1,"a":":",', '"\\u0061": 2,', '"\\u003a"', '"\\u003A"', '"\\ud800"', '"\\ud83d\\ude00"', "NaN"),
        *("-Infinity", "1e400", "-0", "01", "9" * 1001, "1" * 30, ":", ",", "{", "}", "[", "]", '"', "\\", "\t", "\r", " "),
        *("\x00", "\x1f", "\u00a0", "\ufeff", "/**/", "'", "+1", ".5", "5.", "1E5", "true", "nul"),
    ]
).map(str.encode) | st.sampled_from([b"\xff", b"\xed\xa0\x80", b"\xc3", b"\xc0\x80"])  # fmt: skip


@st.composite
def written(draw, values=VALUES):
    """A value as it might be written, perhaps with something put in or taken out."""
    options = {
        "ensure_ascii": draw(st.booleans()),
        "separators": draw(st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")])),
    }
    data = json.dumps(draw(values), **options).encode(errors="surrogatepass")
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(data)))
        data = data[:start] + draw(DAMAGE | st.just(b"")) + data[start + draw(st.integers(0, 2)) :]
    return data


@given(written())
@example(b'{"a" :"\\":","a" :1}')
@example(b'{"a": ":", "a": {"b": 1, "c": 2}}')
@example(b'{"a": "\\u003a", "a": 1, "b": 2}')
@example(b'{"a": 1, "\\u0061": 1}')
@example(b'[{"a": 1, "a": 1}, {"b": ":"}]')
@example(b"1" * 1000)
@example(b"1" * 1001)
@example(b"[" * 500 + b"]" * 500)
@example(b"[" * 501 + b"]" * 501)
@example(b'{"a":' * 501 + b"1" + b"}" * 501)
@example(b"[" * 100_000)
def test_json_is_what_pythons_parser_reads_under_strict_rules(data):
    try:
        found = parse_json(data)
    except (ValueError, RecursionError):
        found = BAD
    assert same(found, read_plainly(data))


@given(
    members=st.lists(VALUES, max_size=6), indent=st.sampled_from([None, 0, 2]), at_once=st.sampled_from([1, 40, 2**22])
)
def test_members_of_an_array_are_read_as_if_each_was_by_itself(members, indent, at_once):
    data = json.dumps(members, indent=indent).encode()
    if read_plainly(data) == BAD and any("\ud800" in str(text) for text in texts_in(members)):
        return
    with patch.object(records, "AT_ONCE", at_once):
        values = [value for block in json_records(source_of(data)) for value in block.values]
    assert len(values) == len(members)
    for value, one in zip(values, members, strict=True):
        plain = read_plainly(json.dumps(one).encode())
        assert isinstance(value, RecordError) if plain is BAD else same(value, plain)


@given(VALUES)
def test_a_lost_pair_is_always_seen(value):
    """What a value has in it, one colon in its JSON is lost with each pair."""
    pair = '"a": [' + json.dumps(value) + "], "
    data = ("{" + pair + '"a": 0}').encode()
    assert not holds_all({"a": 0}, data)


@given(
    lines=st.lists(written(VALUES | st.fixed_dictionaries({"id": VALUES})) | st.sampled_from([b"", b" ", b"\t"]), max_size=6),
    ends=st.sampled_from([b"\n", b"\r\n", b"\r"]),
    at_once=st.sampled_from([1, 40, 2**22]),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
)  # fmt: skip
@example(lines=[b'{"a": 1}', b"\xff", b'{"a": 2}'], ends=b"\n", at_once=2**22, mark=b"")
@example(lines=[b'{"a": ":"}', b'{"a": 1, "a": 2}', b""], ends=b"\n", at_once=2**22, mark=b"")
def test_each_line_is_read_as_if_it_was_by_itself(lines, ends, at_once, mark):
    data = mark + ends.join(lines)
    with patch.object(records, "AT_ONCE", at_once):
        blocks = list(json_lines(source_of(data)))
    found = [one for block in blocks for one in block.enumerate_values()]
    expected = [
        (line, one)
        for line, one in enumerate(data.removeprefix(mark).splitlines(), start=1)
        if one.decode(errors="replace").strip()
    ]
    assert [place for place, _, _ in found] == list(range(len(expected)))
    for (_, line, value), (number, one) in zip(found, expected, strict=True):
        assert line == number
        plain = read_plainly(one)
        assert (value.line == line if isinstance(value, RecordError) else False) if plain is BAD else same(value, plain)


RECORDS = [{"id": 1, "text": "\u00e9: \u2028"}, {"id": 2, "concepts": [{"a": {}}]}, {"id": 3}]


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize(
    "layout",
    [
        lambda dumps: "\n".join(map(dumps, RECORDS)),
        lambda dumps: "\n\n" + "\r\n\r\n".join(map(dumps, RECORDS)) + "\n",
        lambda dumps: dumps(RECORDS),
        lambda dumps: dumps(RECORDS, indent=2),
        lambda dumps: "[" + ",\n".join(map(dumps, RECORDS)) + "]\n",
        lambda dumps: "[\n" + "\n,".join(map(dumps, RECORDS)) + "\n]",
        lambda dumps: dumps(RECORDS, separators=(" ,", " : "), indent="\t"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_records_are_the_same_in_every_layout(layout, ascii_only, encoding):
    text = layout(lambda value, **more: json.dumps(value, ensure_ascii=ascii_only, **more))
    found = [one for block in json_objects(source_of(text.encode(encoding))) for one in block.enumerate_values()]
    assert [value for _, _, value in found] == RECORDS
    begins = [text.rindex("{", 0, re.search(rf'"id" ?: ?{number}', text).start()) for number in (1, 2, 3)]
    assert [line for _, line, _ in found] == [text.count("\n", 0, begin) + 1 for begin in begins]


def test_one_object_over_several_lines_is_one_record():
    [block] = json_objects(source_of(json.dumps(RECORDS[1], indent=1).encode()))
    assert block.values == [RECORDS[1]]


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b'{"id": 1}\n[2]\n', 2, "The line is not a JSON object."),
        (b"[1]\n[2]\n", 1, "The line is not a JSON object."),
        (b'{"id": 1}\n{"id": 1, "id": 2}\n', 2, "The line is not a JSON object."),
        (b'{"id": 1}\n\xff\n', 2, "The line is not in UTF-8."),
        (b'{"id": 1\n{"id": 2}\n', 1, "The line is not a JSON object."),
        (b'[{"id": 1}, 2]', 1, "The record is not a JSON object."),
        (b'\n[{"id": 1},\n {"a": 1,\n "a": 2}]', 3, "The record is not a JSON object."),
        (b'[\n{"id": "\\n"},\n\n null]', 4, "The record is not a JSON object."),
    ],
)
def test_what_is_no_object_is_an_error_in_its_place(data, line, message):
    values = [value for block in json_objects(source_of(data)) for value in block.values]
    first = next(value for value in values if isinstance(value, RecordError))
    assert (first.line, first.message) == (line, message)


def test_an_array_that_is_broken_has_the_line_of_the_break():
    with pytest.raises(InputError, match="Invalid JSON") as caught:
        list(json_objects(source_of(b'[{"id": 1},\n {"id": 2},\n {"id": 3\n')))
    assert caught.value.line == 4


def test_a_document_is_as_strict_as_a_line():
    assert json_of(source_of(b'[{"a": ":"}]')) == [{"a": ":"}]
    with pytest.raises(InputError, match="nested too deeply"):
        json_of(source_of(b"[" * 501 + b"]" * 501))
    with pytest.raises(InputError, match="'a' occurs twice"):
        json_of(source_of(b'[{"a": 1, "a": 2}]'))


@pytest.mark.parametrize("first", [b"[[[[", b"[1, 2", b'[{"id": 0}', b"[\xff"])
def test_a_damaged_first_line_that_begins_with_a_bracket_is_one_bad_line(first):
    page = source_of(first + b'\n\n{"id": 1}\n{"id": 2}\n')
    found = [(place, line, value) for block in json_records(page) for place, line, value in block.enumerate_values()]
    assert isinstance(found[0][2], RecordError)
    assert found[1:] == [(1, 3, {"id": 1}), (2, 4, {"id": 2})]


@pytest.mark.parametrize(
    "data", [b'[\n{"id": 1}\n]', b'[{"id": 0},\n{"id": 1}]', b"[ [\n{}\n], 1]", b'[{"a": [\n{"b": 1}\n]}]']
)
def test_an_array_over_several_lines_is_one_array(data):
    assert [value for block in json_records(source_of(data)) for value in block.values] == json.loads(data)


@pytest.mark.parametrize("data", [b'[\n{"id": 1}\n', b'[{"id": 0},\n{"id": 1}\n'])
def test_an_array_without_an_end_is_refused(data):
    with pytest.raises(InputError):
        list(json_records(source_of(data)))


def test_example_of_bad_records():
    bad = BadRecords(on_error="skip")
    assert bad.add(RecordError("The row is short.", path="a.csv", line=3, found="1 cell")) is None
    assert bad.notes() == ("1 bad record skipped", "skipped line 3: The row is short. (1 cell)")


def test_example_of_json_records():
    [block] = json_records(Source(path="a", name="a", data=b'[{"id": 1},\n {"id": 2}]', size=23))
    assert list(block.enumerate_values()) == [(0, 1, {"id": 1}), (1, 2, {"id": 2})]


def test_example_of_json_lines():
    [block] = json_lines(Source(path="a", name="a", data=b'{"id": 1}\n\n\xff\n[2]\n', size=17))
    assert list(block.lines) == [1, 3, 4]
    assert block.values[0] == {"id": 1}
    assert block.values[1].message == "The line is not in UTF-8."
    assert block.values[2] == [2]


def test_example_of_json_objects():
    [block] = json_objects(Source(path="a", name="a", data=b'[{"id": 1}, 3]', size=14))
    assert block.values[0] == {"id": 1}
    assert block.values[1].message == "The record is not a JSON object."


def test_example_of_json_members():
    assert {
        key: bytes(one)
        for key, one in json_members(Source(path="a", name="a", data=b'{"d1": [1, 2]}', size=14)).items()
    } == {"d1": b"[1, 2]"}


def test_example_of_group_blocks():
    assert [(block.first, block.values) for block in group_blocks([(1, "a", 0), (2, "b", 1), (4, "c", 3)])] == [
        (0, ["a", "b"]),
        (3, ["c"]),
    ]
