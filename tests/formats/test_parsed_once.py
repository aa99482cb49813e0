"""A file of JSON is parsed once, and what it holds is gone after the reading."""

import gc
import json
import sys
import weakref
from contextlib import suppress

import pytest

import goldassay
from goldassay.core.errors import GoldassayError
from goldassay.families import kinds
from goldassay.formats import documents, literals
from goldassay.formats.source import Source, keeping, load

N = 40
NAMES = [f"name {at} of a thing" for at in range(N)]
COLUMNS = {
    "id": [f"d{at}" for at in range(N)],
    "child": NAMES,
    "parent": NAMES[1:] + NAMES[:1],
    "text": [f"The cat {at} sat." for at in range(N)],
    "label": NAMES,
}
SHAPES = {
    "names": {f"Q{at}": name for at, name in enumerate(NAMES)},
    "lists of names": {name: [f"one {at}", f"other {at}"] for at, name in enumerate(NAMES)},
    "columns": COLUMNS,
    "numbered columns": {name: dict(zip(map(str, range(N)), cells, strict=True)) for name, cells in COLUMNS.items()},
    "nodes and links": {
        "nodes": [{"id": name} for name in NAMES],
        "links": [{"source": one, "target": NAMES[0]} for one in NAMES[1:]],
    },
    "below a key": {"rows": [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]},
}


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", kinds())
def test_no_file_is_parsed_again(kind, shape, indent, tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(SHAPES[shape], indent=indent))
    whole, times = path.read_text().strip(), []
    parse = documents.parse_json

    def counted(text):
        written = text if isinstance(text, str) else text.decode()
        times.append(written.strip() == whole)
        return parse(text)

    # What a model wrote may be a text with more than JSON: its reader parses it as one, by `parse_literal`.
    readers = {name: one for name, one in sys.modules.items() if name.startswith("goldassay.") and one is not literals}
    for module in readers.values():
        if getattr(module, "parse_json", None) is parse:
            monkeypatch.setattr(module, "parse_json", counted)
    with suppress(GoldassayError):
        goldassay.read(path, kind=kind)
    assert sum(times) <= 1


def test_what_is_made_of_a_file_lasts_for_one_reading(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"cat": ["animal"]}')
    source = load(path)
    assert documents.json_of(source) is documents.json_in(source)
    with keeping({str(path): source}):
        assert load(path).parsed == []
    one = source.rewritten("cat", "txt")
    assert source.parsed == []
    assert one.parsed == []


def test_a_source_holds_what_is_wrong_with_it():
    source = Source(path="a.json", name="a.json", data=b'{"a": 1, "a": 2}', size=16)
    assert documents.json_in(source) is None
    assert not documents.is_json_file(source)
    for _ in range(2):
        with pytest.raises(goldassay.InputError, match="occurs twice"):
            documents.json_of(source)


def test_a_parsed_file_is_gone_after_the_reading(tmp_path, monkeypatch):
    path, found = tmp_path / "a.json", []

    class Seen(dict):
        pass

    parse = documents.parse_json

    def seen(text):
        found.append(weakref.ref(value := Seen(parse(text))))
        return value

    path.write_text(json.dumps(SHAPES["nodes and links"]))
    monkeypatch.setattr(documents, "parse_json", seen)
    model = goldassay.read(path)
    gc.collect()
    assert len(model)
    assert found
    assert not any(one() is not None for one in found)
