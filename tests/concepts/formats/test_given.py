"""Examples of `goldassay.concepts.formats.given`: what its functions give."""

import json

import numpy as np

from goldassay.concepts import ConceptReading, read_concepts
from goldassay.concepts.formats.given import (
    Given,
    _numbers,
    compose_texts,
    id_of,
    key_of,
    parse_lists,
    paths_of_each,
    texts_in,
    texts_of,
)
from goldassay.core.errors import InputError


def test_example_of_id_of():
    assert id_of(" d1 ") == "d1"
    assert id_of(7) == "7"
    assert id_of(7.0) == "7"


def test_example_of_texts_of():
    assert texts_of(["cafe\u0301", None]) == (["caf\u00e9", ""], {1: "null"})


def test_example_of_paths_of_each():
    assert paths_of_each([{"a": ["b", "c"]}, 7], " ") == ([["a b", "a c"], []], {1: "7"})


def test_example_of_parse_lists():
    assert parse_lists(['["a", "b"]', "['a', 'b']", "a|b; c", "", ["a"]])[0] == [
        ["a", "b"],
        ["a", "b"],
        ["a", "b", "c"],
        [],
        ["a"],
    ]
    assert parse_lists(["{'a', 'b'}", "a<br>b", "None"])[0] == [["a", "b"], ["a", "b"], []]


def test_example_of_texts_in():
    import polars as pl

    sizes, every = texts_in(pl.Series(["a|b; c", "", "d"]))
    assert sizes.tolist() == [3, 0, 1]
    assert every.to_list() == ["a", "b", "c", "d"]


def test_example_of_given():
    given = Given()
    assert given.add([["fever", {"text": "aspirin", "id": "C1"}], ["fever"], [7]]) == {}
    stated, faults = given.stated(fold=False)
    assert stated.sizes.tolist() == [2, 1, 1]
    assert [stated.words[0][code] for code in stated.codes.tolist()] == ["fever", "C1", "fever", ""]
    assert faults == {2: "among them 7"}


def test_example_of_key_of():
    assert key_of(" Heart  attacks", fold=False) == "Heart attacks"
    assert key_of("Heart attacks", fold=True) == "heart attack"


def test_example_of_numbers():
    assert _numbers("id", [{"id": 1, "text": "fever"}, {"id": 2, "text": "cough"}], np.array([2]))
    assert not _numbers("id", [{"id": "C1", "text": "fever"}], np.array([1]))


def test_example_of_compose_texts():
    assert compose_texts(["cafe\u0301"]) == ["caf\u00e9"]


def test_lists_in_cells_lose_their_bullets_and_numbers():
    cells = [
        "- a\n- b",
        "1. a\n2. b",
        "1. a",
        "\u2022 a\r\n\u2022 b",
        "2. messenger",
        "-COOH",
        "- a\nb",
        "['a' 'b']",
        "('a', 'b')",
    ]
    assert parse_lists(cells)[0] == [
        ["a", "b"],
        ["a", "b"],
        ["a"],
        ["a", "b"],
        ["2. messenger"],
        ["-COOH"],
        ["a", "b"],
        ["a", "b"],
        ["a", "b"],
    ]


def test_a_column_is_split_as_its_cells_are():
    import random

    import polars as pl

    draw = random.Random(1)  # noqa: S311 - only texts
    pieces = [
        "- ",
        "1. ",
        "2) ",
        "\n",
        "a",
        "b c",
        ";",
        "|",
        "<br>",
        " ",
        "\t",
        "\u2022 ",
        "* ",
        "\u25aa ",
        "-",
        "\r\n",
        "none",
    ]
    for _ in range(2000):
        cells = ["".join(draw.choices(pieces, k=draw.randrange(9))) for _ in range(3)]
        sizes, every = texts_in(pl.Series(cells, dtype=pl.String))
        flat, lists = iter(every.to_list()), parse_lists(cells)[0]
        assert [[next(flat) for _ in range(size)] for size in sizes] == lists, cells


def test_every_blank_concept_is_refused_however_it_is_written(tmp_path):
    path = tmp_path / "a.jsonl"
    records = [{"id": "A", "concepts": ["x"]}, {"id": "B", "concepts": [" "]}, {"id": "C", "concepts": [""]}]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in records))
    found = read_concepts(path, ConceptReading(on_error="skip"))
    assert [found.item(row) for row in range(len(found))] == ["A: x"]
    assert found.left_out == {"skipped_records": 2}


def test_what_one_document_has_changes_no_concept_of_another(tmp_path):
    import random

    draw = random.Random(1)  # noqa: S311 - no secret
    ids, names = ["C1", "none", "-", " ", None, "HP:1"], ["fever", "Fever ", "", "a  b", None, 7]
    members = {
        **dict.fromkeys(("text", "name", "label", "value", "key"), names),
        **dict.fromkeys(("id", "cui", "code"), ids),
        "matches": [[], [1], [{"term": {"db": "HP", "id": "1", "entry_name": "Fever"}}]],
        "assertion": ["negated", ["family"], 1],
        "type": ["drug", ["b", "a"], 1],
    }
    path = tmp_path / "a.jsonl"

    def items(documents):
        path.write_text("".join(f"{json.dumps(one)}\n" for one in documents))
        try:
            found = read_concepts(path, ConceptReading(on_error="skip"))
        except InputError:
            return []
        return [found.item(row) for row in range(len(found))]

    for _ in range(80):
        documents = [
            {"id": f"d{at}", "concepts": [{name: draw.choice(members[name]) for name in draw.sample([*members], 3)}]}
            for at in range(3)
        ]
        assert items(documents) == [item for one in documents for item in items([one])], documents
