"""Data in the YAML of answers: it says what the same data says as JSON, however YAML writes it."""

import contextlib
import itertools
import json

import pytest
import yaml

import goldassay
from goldassay.core.errors import GoldassayError
from goldassay.formats.answers.means import OF_EDGES
from goldassay.formats.answers.yaml import data_in
from goldassay.formats.yaml import parse_yaml

DATA = {
    "taxonomy": [
        {"animal": {"mammal": ["éléphant", "chien"], "oiseau": ["pêche", "it's: x"]}},
        {"animal": {"éléphant": {}, "chien d'été": {}}},
        {"animal": ["éléphant", "#chien", "un nom d'une ligne"]},
        [{"child": "éléphant", "parent": "mammal"}, {"child": "mammal", "parent": "animal"}],
        {"éléphant": "mammal", "mammal": "animal"},
    ],
    "labels": [
        {"d1": "été", "d2": "hiver"},
        {"d1": ["été", "d'hiver: x"], "d2": ["hiver"]},
        [{"id": "d1", "label": "été"}, {"id": "d2", "label": "hiver"}],
    ],
    "alignment": [
        {"chat": "été", "chien": "hiver"},
        [{"source": "chat", "target": "été"}, {"source": "chien", "target": "l'hiver: x"}],
    ],
    "triples": [
        [["été", "precede", "hiver"], ["a", "b", "c"]],
        [{"subject": "été", "predicate": "precede", "object": "l'hiver: x"}],
        {"triples": [["été", "precede", "hiver"]]},
    ],
    "concepts": [
        {"q1": ["été", "fièvre"], "q2": ["aspirin"]},
        {"concepts": ["été", "fièvre"]},
        [{"id": "q1", "concepts": ["été", "l'hiver: x"]}],
    ],
    "axioms": [
        {"classes": {"Été": {"subClassOf": "Saison"}}},
        [{"class": "Été", "property": "p", "object": "B"}],
    ],
}
STYLES = [*itertools.product((None, False, True), (False, True), (15, 80))]


def items_of(path, text, kind):
    path.write_text(text, encoding="utf-8")
    model = goldassay.read(path, kind=kind)
    return sorted(map(model.item, range(len(model))))


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("wrapping", ["bare", "fence"])
@pytest.mark.parametrize("kind", DATA)
def test_yaml_in_every_style_has_the_items_of_its_json_or_is_refused(kind, wrapping, tmp_path):
    read = 0
    for value in DATA[kind]:
        items = items_of(tmp_path / "data.json", json.dumps(value), kind)
        for flow, accents, width in STYLES:
            text = yaml.safe_dump(
                value, default_flow_style=flow, allow_unicode=accents, width=width, sort_keys=False, indent=2
            )
            path = tmp_path / f"data.{'yaml' if wrapping == 'bare' else 'md'}"
            with contextlib.suppress(GoldassayError):
                found = items_of(path, text if wrapping == "bare" else f"Sure:\n\n```yaml\n{text}```\n", kind)
                assert found in (items, []), text
                read += found == items
    # Of a file that is none of an answer the beginning decides, and some are refused.
    assert read >= len(DATA[kind]) * len(STYLES) * 2 / 3


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: [b, # one\n  c]\n", {"a": ["b", "c"]}),
        ("a: [b,\n  # one\n  c] # two\nd: e\n", {"a": ["b", "c"], "d": "e"}),
        ("a: 'b\n  #c'\n# d\ne: f\n", {"a": "b #c", "e": "f"}),
        (
            "- id: 1\n  text: |\n    # Pets\n\n    - cat\n      - manx\n",
            [{"id": 1, "text": "# Pets\n\n- cat\n  - manx"}],
        ),
        ("a: >-\n  b\n  c\n", {"a": "b c"}),
        ('a: "caf\\xE9 \\\n  \\ \\U0001F600\\_"\n', {"a": "café  \U0001f600\xa0"}),
        ("- a long\n  name\n- b\n", ["a long name", "b"]),
    ],
)
def test_texts_on_several_lines_and_comments(text, value):
    assert parse_yaml(text) == value


@pytest.mark.parametrize(
    "text", ["a: |b|\n", "a: {b: 1, b: 2}\n", 'a: {"b": 1, "b": 2}\n', 'a: "\\q"\n', "a: [b\n\nc: d\n"]
)
def test_what_would_be_lost_is_no_data(text):
    with pytest.raises(ValueError, match=r"."):
        parse_yaml(text)


def test_example_of_data_in():
    assert data_in("dog:\n  is_a: mammal\n", OF_EDGES) == {"dog": {"is_a": "mammal"}}
    assert data_in("mammal:\n  - dog\n", OF_EDGES) is None
