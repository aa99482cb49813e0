"""One bad answer in a batch: it is no item, the others are read as without it, and it is counted, wherever it is."""

import json

import pytest

import goldassay

GOOD = {
    "labels": ("sport", "art"),
    "alignment": ("chat", "chien"),
    "taxonomy": ("cat -> pet\ndog -> pet", "oak -> tree\nelm -> tree"),
    "triples": ("(a, b, c)", "(d, e, f)"),
    "axioms": ("(a, hasB, b)", "(c, hasD, d)"),
    "concepts": ('["aspirin", "fever"]', '["insulin"]'),
}
BAD = (
    "\u62b1\u6b49\uff0c\u6211\u65e0\u6cd5\u56de\u7b54\u3002",
    "Je suis d\u00e9sol\u00e9, je ne peux pas r\u00e9pondre.",
    "Es tut mir leid, das kann ich nicht beantworten.",
    "Lo siento, no puedo responder.",
    "\u7533\u3057\u8a33\u3042\u308a\u307e\u305b\u3093\u304c\u3001\u304a\u7b54\u3048\u3067\u304d\u307e\u305b\u3093\u3002",
    "undefined",
    "Internal Server Error",
    "HTTP 500",
    "<html><body>502 Bad Gateway</body></html>",
    'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\nValueError: x',
    '```json\n[{"subj',
    '[{"label": "spo',
    '{"label": "spo',
    "",
    None,
    [],
    {},
    float("nan"),
)
FAILED = (
    {"id": "d9", "error": "Timeout"},
    {"id": "d9", "output": None, "error": {"code": "Timeout", "message": "Too long."}},
    {"recordId": "d9", "modelInput": {}, "error": {"errorCode": "Timeout", "errorMessage": "Too long."}},
    {"custom_id": "d9", "response": None, "error": {"code": "Timeout", "message": "Too long."}},
    {"custom_id": "d9", "response": {"status_code": 429, "body": {"error": {"type": "Timeout"}}}, "error": None},
    {"custom_id": "d9", "result": {"type": "errored", "error": {"type": "error", "error": {"type": "Timeout"}}}},
)


def read(kind, records, folder):
    (path := folder / "answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    return goldassay.read(path, kind=kind)


def items(model):
    return [model.item(at) for at in range(len(model))]


def batch(kind):
    return [{"id": f"d{at}", "output": one} for at, one in enumerate(GOOD[kind])]


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("kind", GOOD)
def test_a_bad_answer_is_no_item_and_takes_none_away(kind, bad, place, tmp_path):
    records = batch(kind)
    expected = items(read(kind, records, tmp_path))
    records.insert(place, {"id": "d9", "output": bad})
    model = read(kind, records, tmp_path)
    assert items(model) == expected
    assert any("batch of answers" in note for note in model.notes)


@pytest.mark.parametrize("place", [0, 2])
@pytest.mark.parametrize("failed", FAILED)
@pytest.mark.parametrize("kind", GOOD)
def test_a_request_that_failed_is_named(kind, failed, place, tmp_path):
    records = batch(kind)
    expected = items(read(kind, records, tmp_path))
    records.insert(place, failed)
    model = read(kind, records, tmp_path)
    assert items(model) == expected
    [warning] = [one for one in model.warnings if "failed" in one]
    assert warning.startswith("1 request of the batch failed, and has no answer, for example d9: Timeout")


def test_a_record_without_an_answer_is_of_the_batch(tmp_path):
    assert items(read("labels", [{"id": "d9"}, *batch("labels")], tmp_path)) == ["d0: sport", "d1: art"]


def test_a_number_next_to_words_is_an_answer(tmp_path):
    records = [{"id": "d9", "output": 0}, *batch("labels")]
    assert items(read("labels", records, tmp_path)) == ["d9: 0", "d0: sport", "d1: art"]


@pytest.mark.parametrize("kind", ["taxonomy", "triples", "alignment", "axioms", "labels", "concepts"])
@pytest.mark.parametrize("line", ["[]", "[[]]", "{}", "null"])
def test_a_line_without_a_record_in_a_batch_is_no_crash(tmp_path, kind, line):
    path = tmp_path / "batch.jsonl"
    path.write_text(f'{{"id": "d1", "output": null}}\n{line}\n{{"id": "d2", "output": "sport"}}\n')
    refusal = ""
    try:
        goldassay.read(path, kind=kind)
    except goldassay.InputError as error:
        refusal = str(error)
    assert not refusal or refusal.startswith(str(path))
