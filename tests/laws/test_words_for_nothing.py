"""A word such as N/A in the place of a name is never a wrong item in silence, in any family and any shape; where gold has a name that is such a word, it is one."""

import json

import pytest

import goldassay

NAMES = {
    "taxonomy": ("child", "parent"),
    "alignment": ("source", "target"),
    "labels": ("instance", "label"),
    "triples": ("subject", "predicate", "object"),
    "axioms": ("class", "property", "object"),
    "concepts": ("document", "concept"),
}
ROWS = {
    "taxonomy": [("dog", "mammal"), ("cat", "mammal"), ("mammal", "{}")],
    "alignment": [("dog", "Hund"), ("cat", "Katze"), ("cow", "{}")],
    "labels": [("d1", "sport"), ("d2", "art"), ("d3", "{}")],
    "triples": [("Oslo", "capital of", "Norway"), ("Nice", "capital of", "{}")],
    "axioms": [("Dog", "eats", "Meat"), ("Cat", "eats", "{}")],
    "concepts": [("d1", "aspirin"), ("d2", "fever"), ("d3", "{}")],
}
LINE = {"taxonomy": "{} is a {}", "alignment": "{} = {}", "labels": "{}: {}", "concepts": "{}: {}"}


def lines(kind, rows):
    return "".join(LINE.get(kind, "({}, {}, {})").format(*row) + "\n" for row in rows)


def records(kind, rows):
    return json.dumps([dict(zip(NAMES[kind], row, strict=True)) for row in rows])


def markdown(kind, rows):
    return "".join(f"| {' | '.join(row)} |\n" for row in [NAMES[kind], ["---"] * len(NAMES[kind]), *rows])


def csv(kind, rows):
    return "".join(",".join(row) + "\n" for row in [NAMES[kind], *rows])


SHAPES = {"lines": (lines, ".txt"), "JSON": (records, ".json"), "Markdown": (markdown, ".txt"), "CSV": (csv, ".csv")}


def written(path, kind, shape, word):
    make, suffix = SHAPES[shape]
    found = path.with_suffix(suffix)
    found.write_text(make(kind, [tuple(cell.format(word) for cell in row) for row in ROWS[kind]]), encoding="utf-8")
    return found


MEASURES = {
    "taxonomy": "literal",
    "labels": "flat",
    "concepts": "concept_exact",
    "axioms": "exact",
    "triples": "triples",
    "alignment": "overlap",
}


def report_of(tmp_path, kind, shape, pred, gold):
    gold, pred = (
        written(tmp_path / name, kind, form, word)
        for name, form, word in (("gold", "CSV", gold), ("pred", shape, pred))
    )
    return goldassay.evaluate(pred, gold=gold, kind=kind, measures=MEASURES[kind], selfcheck=False)


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("word", ["N/A", "none", "null", "unknown", "Not specified", "-"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", NAMES)
def test_a_word_for_nothing_is_warned_of(kind, shape, word, tmp_path):
    found = report_of(tmp_path, kind, shape, word, "animal")
    model = goldassay.read(tmp_path / f"pred{SHAPES[shape][1]}", kind=kind)
    some = [*found.warnings, *model.warnings, *model.notes]
    assert any(repr(word) in one or "without a co" in one or "not read" in one for one in some), some


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("word", ["none", "unknown", "None", "Unknown"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_label_that_gold_has_is_one(shape, word, tmp_path):
    found = report_of(tmp_path, "labels", shape, word, word)
    assert found["flat"].f1 == 1
    assert not any(repr(word) in one for one in found.warnings)
