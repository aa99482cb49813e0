"""The concepts of one document as models write them: JSON, YAML and XML with objects and wrappers, and sources below any answer."""

from __future__ import annotations

import json

import pytest

import goldassay

JSON = [
    {
        "entities": [
            {"text": "aspirin", "label": "DRUG", "start": 0, "end": 7},
            {"text": "fever", "label": "SYMPTOM", "start": 9, "end": 14},
        ]
    },
    {"entities": [{"id": "T1", "text": "aspirin"}, {"id": "T2", "text": "fever"}]},
    [{"entity": "aspirin", "type": "DRUG"}, {"entity": "fever", "type": "SYMPTOM"}],
    [{"concept": "aspirin", "negated": False}, {"concept": "fever", "negated": False}],
    [{"text": "aspirin", "label": "DRUG"}, {"text": "fever", "label": "SYMPTOM"}],
    [{"term": "aspirin", "definition": "a drug"}, {"term": "fever", "definition": "a symptom"}],
    {"key_concepts": [{"concept": "aspirin", "explanation": "a"}, {"concept": "fever", "explanation": "b"}]},
    {"medical_concepts": ["aspirin", "fever"], "reasoning": "aspirin lowers a fever"},
    {"result": {"concepts": ["aspirin", "fever"]}},
    {"findings": [{"name": "aspirin", "negated": False}, {"name": "fever", "negated": False}]},
]
TEXTS = [
    "concepts:\n  - name: aspirin\n    type: drug\n  - name: fever\n    type: symptom",
    "- concept: aspirin\n  definition: a drug\n- concept: fever\n  definition: a symptom",
    "reasoning: x\nconcepts:\n  - aspirin\n  - fever",
    "concepts: [aspirin, fever]",
    '<entities>\n  <entity type="drug">aspirin</entity>\n  <entity>fever</entity>\n</entities>',
]
FENCES = ("{}", "```\n{}\n```", "Sure:\n\n```json\n{}\n```\n\nDone.")


def items(path, text, kind):
    path.write_text(text)
    model = goldassay.read(path, kind=kind)
    return sorted(map(model.item, range(len(model)))), model


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("fence", FENCES)
@pytest.mark.parametrize("text", [*map(json.dumps, JSON), *TEXTS])
def test_an_answer_to_one_document_has_its_concepts(text, fence, tmp_path):
    assert items(tmp_path / "answer.txt", fence.format(text), "concepts")[0] == ["1: aspirin", "1: fever"]


@pytest.mark.parametrize(
    "text", ["q1:\n  concepts:\n    - aspirin", "id: q1\nconcepts:\n  - aspirin", '{"q1": ["aspirin"]}']
)
def test_an_id_in_it_is_that_of_the_document(text, tmp_path):
    assert items(tmp_path / "answer.txt", text, "concepts")[0] == ["q1: aspirin"]


ANSWERS = {
    "taxonomy": ("- A dog is an animal{}\n- A cat is an animal{}", ["cat -> animal", "dog -> animal"]),
    "triples": (
        "- (Oslo, in, Norway){}\n- (Bergen, in, Norway){}",
        ["1: Bergen | in | Norway", "1: Oslo | in | Norway"],
    ),
    "axioms": (
        "- Cat SubClassOf Animal{}\n- Dog SubClassOf Animal{}",
        ["Cat subClassOf Animal", "Dog subClassOf Animal"],
    ),
    "alignment": ("- cat = chat{}\n- dog = chien{}", ["cat = chat", "dog = chien"]),
    "labels": ("- d1: sport{}\n- d2: art{}", ["d1: sport", "d2: art"]),
    "concepts": ("- aspirin{}\n- fever{}", ["1: aspirin", "1: fever"]),
}
SOURCES = (
    "[^1]: A book.\n[^2]: Another one.",
    "[1]: https://a.org\n[2]: https://b.org",
    "References:\n[1] Smith et al., 2020\n[2] Doe, 2021",
    "**Sources**\n1. https://a.org\n2. https://b.org",
    "## Sources\n- [Wikipedia](https://a.org)\n- [Another](https://b.org)",
)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("sources", SOURCES)
@pytest.mark.parametrize("mark", ["", "[^1]"])
@pytest.mark.parametrize("kind", ANSWERS)
def test_sources_below_an_answer_are_none_of_it_and_counted(kind, mark, sources, tmp_path):
    text, expected = ANSWERS[kind]
    found, model = items(tmp_path / "answer.txt", f"{text.format(mark, mark)}\n\n{sources}\n", kind)
    assert found == expected
    assert model.left_out["lines_of_prose"] == len(sources.split("\n"))


def test_a_class_of_sources_is_one(tmp_path):
    found, _ = items(tmp_path / "answer.txt", "- Thing\n  - Source\n    - Book\n    - Page\n", "taxonomy")
    assert found == ["Book -> Source", "Page -> Source", "Source -> Thing"]
