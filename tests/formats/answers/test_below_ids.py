"""One answer to several documents: JSON, tables, fences, triples and labels below the id of each."""

from __future__ import annotations

import pytest

import goldassay

HEADS = ("## {}\n", "**{}**\n", "{}:\n", "### Document {}\n\n")
WRITTEN = {
    "concepts": (
        ['["x"]', '```json\n["x"]\n```', '{"concepts": ["x"]}', "| Concept | Type |\n|--|--|\n| x | drug |"],
        "{}: x",
    ),
    "labels": (
        ['{"label": "x"}', '```json\n{"label": "x", "score": 1}\n```', "| Label | Score |\n|--|--|\n| x | 1 |", "x"],
        "{}: x",
    ),
    "triples": (
        [
            '[["a", "r", "b"]]',
            '```json\n[{"subject": "a", "predicate": "r", "object": "b"}]\n```',
            "| Subject | Predicate | Object |\n|--|--|--|\n| a | r | b |",
            "- a → r → b",
            "```\n(a, r, b)\n```",
        ],
        "{}: a | r | b",
    ),
}


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize(("kind", "body"), [(kind, body) for kind, (bodies, _) in WRITTEN.items() for body in bodies])
def test_answers_below_ids_are_of_them(head, kind, body, tmp_path):
    path = tmp_path / "answer.txt"
    parts = [f"{head.format(name)}{body}\n\n" for name in ("d1", "d2")]
    path.write_text("".join(parts) + f"{head.format('d3')}No {kind} found.\n")
    model = goldassay.read(path, kind=kind)
    assert sorted(map(model.item, range(len(model)))) == [WRITTEN[kind][1].format(name) for name in ("d1", "d2")]


def test_a_list_below_a_heading_is_no_label_of_it(tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("## Part1\n- d1: x\n\n## Part2\n- d2: y\n")
    model = goldassay.read(path, kind="labels")
    assert sorted(map(model.item, range(len(model)))) == ["d1: x", "d2: y"]
