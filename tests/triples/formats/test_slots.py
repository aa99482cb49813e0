"""Examples of `goldassay.triples.formats.slots`: what its functions give."""

from goldassay.triples.formats.slots import (
    claims,
    columns_of,
    common,
    ends_of,
    is_triple,
    role_of,
    slot_of,
    slots_of,
    weights_of,
)


def test_example_of_role_of():
    assert role_of(["rel", "sub", "obj"], "predicate") == "rel"
    assert role_of(["x"], "predicate") is None


def test_example_of_claims():
    assert claims("json-lines", ["id", "triples"])
    assert not claims("csv", ["child", "parent"])


def test_example_of_is_triple():
    assert is_triple({"sub": "Oslo", "rel": "capital of", "obj": "Norway"})
    assert not is_triple({"id": 1, "triples": []})


def test_example_of_common():
    assert common(lambda keys: (role_of(keys, "id"), role_of(keys, "text")), [("id", "text"), ("id",)]) == (
        "id",
        "text",
    )


def test_example_of_columns_of():
    assert columns_of(lambda keys: (role_of(keys, "id"), role_of(keys, "text")), [{"id": 1}, {"id": 2}]) == [
        [1, 2],
        None,
    ]


def test_example_of_weights_of():
    assert repr(weights_of([None, 2, "0.5", -1, True]).tolist()) == "[1.0, 2.0, 0.5, nan, nan]"


def test_example_of_slots_of():
    assert (
        repr(slots_of([{"name": "Oslo", "type": "city"}, "population", 7]))
        == "RawTriple(slots=['Oslo', 'population', '7'], datatype='xsd:integer', unnamed=None, types={'Oslo': 'city'})"
    )


def test_example_of_ends_of():
    assert ends_of({"head": 0, "child": 4, "label": "in"}) == {"label": "in", "subject": 0, "object": 4}
    assert ends_of({"head_text": ["New", "York"], "tail_text": ["US"], "label": "in"}) == {
        "label": "in",
        "subject": "New York",
        "object": "US",
    }


def test_example_of_slot_of():
    assert slot_of("Oslo") == ("Oslo", "")
    assert slot_of(True) == ("true", "xsd:boolean")
    assert slot_of([]) == (None, "")
