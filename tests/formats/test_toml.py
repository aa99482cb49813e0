"""What a schema says of a file, bound by bound, and how what does not fit is shown."""

import pytest

from goldassay.formats.toml import LARGEST, SHOWN, misfits

INTEGER, TEXT = {"type": "integer"}, {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "fits", "others"),
    [
        ({"type": "number", "minimum": 2}, [2, 2.5], [(1.5, "at least 2")]),
        ({"type": "number", "maximum": 2}, [2, 1.5], [(2.5, "at most 2")]),
        ({"type": "number", "exclusiveMinimum": 2}, [2.5], [(2, "more than 2")]),
        ({"type": "number", "exclusiveMaximum": 2}, [1.5], [(2, "less than 2")]),
        ({"type": "array", "minItems": 1}, [[7], [7, 8]], [([], "at least 1 entries")]),
        ({"type": "array", "maxItems": 1}, [[], [7]], [([7, 8], "at most 1 entries")]),
    ],
)
def test_bounds_are_where_they_are(schema, fits, others):
    for value in fits:
        assert list(misfits(value, schema)) == []
    for value, expected in others:
        assert [one.expected for one in misfits(value, schema)] == [expected]


@pytest.mark.parametrize(
    ("kind", "fits", "others"),
    [
        ("integer", [0, LARGEST - 1, 1 - LARGEST], [True, 1.0, LARGEST, -LARGEST, "1", None]),
        ("number", [0, 0.5], [True, float(LARGEST), float("inf"), "1", None]),
        ("boolean", [True], [1, 0, "true", None]),
        ("string", [""], [1, [], None]),
        ("array", [[]], [{}, "", None]),
        ("object", [{}], [[], "", None]),
    ],
)
def test_kinds(kind, fits, others):
    for value in fits:
        assert list(misfits(value, {"type": kind})) == []
        assert list(misfits(None, {"anyOf": [{"type": kind}, {"type": "null"}]})) == []
    for value in others:
        assert len(list(misfits(value, {"type": kind}))) == 1


def test_each_place_is_named():
    schema = {
        "type": "object",
        "properties": {
            "pair": {"type": "array", "prefixItems": [TEXT, INTEGER], "items": TEXT},
            "inner": {"$ref": "#/$defs/inner"},
            "other": {"type": "object", "additionalProperties": INTEGER},
        },
        "additionalProperties": False,
        "$defs": {"inner": {"type": "object", "properties": {"n": INTEGER}}},
    }
    document = {"pair": ["a", "b", 3], "inner": {"n": "x", "more": 1}, "other": {"x": 1, "y": "z"}, "name": 1}
    assert [(one.place, one.found) for one in misfits(document, schema)] == [
        ("pair[1]", '"b"'),
        ("pair[2]", "3"),
        ("inner.n", '"x"'),
        ("other.y", '"z"'),
        ("name", "an unknown key"),
    ]
    assert [one.place for one in misfits(3, schema)] == ["the whole file"]


def test_what_is_found_is_shown_as_it_is_written_and_cut():
    def shown(text):
        [one] = misfits(text, INTEGER)
        return one.found

    assert shown("Zürich") == '"Zürich"'
    assert shown("x" * (SHOWN - 2)) == f'"{"x" * (SHOWN - 2)}"'
    assert shown("x" * (SHOWN - 1)) == f'"{"x" * (SHOWN - 1)}...'


def test_example_of_misfits():
    schema = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer", "minimum": 1}}}
    assert repr(list(misfits({"n": 0}, schema))) == "[Misfit(place='n', found='0', expected='at least 1')]"
    assert [misfit.expected for misfit in misfits({}, schema)] == ["the key 'n'"]
