"""The labels of answers to one item: what models write around them is no part of them, and what is no label is counted."""

import json

import pytest

import goldassay
from goldassay.formats.answers.labels import (
    is_label,
    label_of,
    labels_in,
    labels_in_table,
    section_of,
    stated_label,
    with_heads,
    without_reasons,
)

PLAIN = (
    "{}",
    "**{}**",
    "{}.",
    "```\n{}\n```",
    "\\boxed{{{}}}",
    "So the answer is $\\boxed{{\\text{{{}}}}}$.",
    "Label: {}",
    "The label is {}.",
    "The most likely category is **{}**.",
    "{}\n\nReason: it mentions a ball: that is why.",
    "{}\n\n**Explanation**: the players run.",
    "{}\nThe text describes a match between two teams, and who won it in the end.",
    "{} because it mentions a ball",
    '{{"label": "{}"}}',
    '["{}"]',
    '[{{"label": "{}"}}]',
    '{{"classes": ["{}"], "reason": "a ball"}}',
    "{}: the text mentions a ball",
    "{} - the text mentions a ball",
    "**{}** \u2014 the text mentions a ball.",
    "Primary category: {}",
    "Classification: {}",
    "Therefore, the label is {}.",
    'The document belongs to the "{}" category.',
    "Based on the text, it is about **{}**, as it says.",
    "Step 1: read.\nStep 2: decide.\n\n### Final Answer\n{}",
    "## Classification\n\n**{}**\n\nThis is because the text says so.",
    "Q: What is the label?\nA: {}",
    "{}</s>",
    "[/INST] {}",
    "<|start_header_id|>assistant<|end_header_id|>\n\n{}<|eot_id|>",
    "\u2192 {}",
    '{{"{}": true, "other": false}}',
    '{{"{}": 1, "other": 0}}',
    '{{"{}": "yes", "other": "no"}}',
    '{{"labels": [{{"name": "{}"}}]}}',
    '{{"topic": "{}", "why": "a ball"}}',
    '{{"primary_label": "{}", "secondary_label": null}}',
    '{{"name": "classify", "arguments": {{"label": "{}"}}}}',
    "| Label | Why |\n|---|---|\n| {} | a ball |",
)
SCORED = (
    "{} (0.95)",
    "{} - 95%",
    "{}, 0.95",
    "{} (confidence: 95%)",
    "Label: {} (0.95)",
    '{{"label": "{}", "confidence": 0.95}}',
    '[{{"label": "{}", "score": 0.95}}]',
    '{{"{}": 0.95}}',
    '{{"labels": [{{"name": "{}", "confidence": 0.95}}]}}',
    '{{"label": "{}", "confidence": "95%"}}',
    "| Category | Confidence |\n|---|---|\n| {} | 0.95 |",
)
NO_LABELS = (
    "The text is about sport.",
    "This text belongs to the arts.",
    "I think it could be either of the two.",
    "Here is what I found\nThe text has players, a ball and two teams, so it may be one.",
    "**Analysis**\nThe text has players, a ball and two teams, so it may be one.",
    "Error: timeout",
    "Error code: 500 - {'error': {'message': 'x'}}",
    "{label: sport}",
    '{"mood": {"now": "good"}}',
)


def read(path, answers):
    path.write_text("".join(json.dumps({"id": f"d{at}", "output": one}) + "\n" for at, one in enumerate(answers)))
    return goldassay.read(path, kind="labels")


def items(model):
    return [model.item(row) for row in range(len(model))]


@pytest.mark.parametrize("label", ["sport", "ball games"])
@pytest.mark.parametrize("form", PLAIN)
def test_an_answer_has_its_label(form, label, tmp_path):
    model = read(tmp_path / "batch.jsonl", [form.format(label), "arts"])
    assert items(model) == [f"d0: {label}", "d1: arts"]
    assert not model.warnings


@pytest.mark.parametrize("form", SCORED)
def test_a_share_behind_a_label_is_its_score(form, tmp_path):
    model = read(tmp_path / "batch.jsonl", [form.format("sport"), "arts"])
    assert items(model) == ["d0: sport", "d1: arts"]
    assert model.scores.tolist() == [0.95, 1]
    assert model.warnings == ("1 of 2 statements have no score, and get 1",)


@pytest.mark.parametrize("text", NO_LABELS)
def test_a_sentence_is_no_label(text, tmp_path):
    model = read(tmp_path / "batch.jsonl", ["arts", text])
    assert items(model) == ["d0: arts"]
    assert model.left_out["lines_of_prose"]


@pytest.mark.parametrize("label", ["phase (1)", "type 2", "the arts", "No. 5"])
def test_a_number_in_a_label_stays(label, tmp_path):
    assert items(read(tmp_path / "batch.jsonl", [label, "arts"])) == [f"d0: {label}", "d1: arts"]


@pytest.mark.parametrize(
    "value",
    [
        {"d1": "sport", "d2": "arts", "d3": None},
        {"d1": "sport", "d2": ["arts"], "d3": []},
        {"model": "m", "labels": {"d1": "sport", "d2": "arts"}},
        {"labels": {"d1": "sport", "d2": "arts"}},
        {"classifications": [{"document": "d1", "category": "sport"}, {"document": "d2", "category": "arts"}]},
    ],
)
def test_names_with_labels_may_be_below_a_key_or_have_none(value, tmp_path):
    path = tmp_path / "labels.json"
    for indent in (None, 1):
        path.write_text(json.dumps(value, indent=indent))
        model = goldassay.read(path, kind="labels")
        assert items(model) == ["d1: sport", "d2: arts"]
        assert not model.warnings


@pytest.mark.parametrize(
    "form", [*PLAIN, "Best match: {}", "### Best match\n\n**{}**", '{{"match": "{}", "confidence": 0.9}}']
)
@pytest.mark.parametrize("key", ["custom_id", "id", "source"])
def test_an_answer_for_a_source_is_its_target(form, key, tmp_path):
    path = tmp_path / "batch.jsonl"
    answers = {
        "dog": form.format("Hund"),
        "fish": "No suitable match.",
        "bird": '{"target": "none"}',
        "cat": "Error: timeout",
    }
    path.write_text("".join(json.dumps({key: one, "output": text}) + "\n" for one, text in answers.items()))
    model = goldassay.read(path, kind="alignment")
    assert items(model) == ["dog = Hund"]
    assert "2 answers state nothing: fish, bird" in " ".join(model.warnings)
    assert model.left_out["lines_of_prose"]


@pytest.mark.parametrize(
    "text", ["dog -> Hund", "dog -> Hund\n\nExplanation: the same.", '{"source": "dog", "target": "Hund"}', "dog: Hund"]
)
def test_an_answer_may_repeat_its_source(text, tmp_path):
    path = tmp_path / "batch.jsonl"
    path.write_text(json.dumps({"custom_id": "request-1", "output": text}) + "\n")
    assert items(goldassay.read(path, kind="alignment")) == ["dog = Hund"]


@pytest.mark.parametrize(
    ("kind", "record", "item"),
    [
        ("alignment", {"id": 1, "source": "dog"}, "dog = sport"),
        ("labels", {"id": "d1", "term": "t"}, "d1: sport"),
        ("labels", {"document": "d1"}, "d1: sport"),
        ("labels", {"filename": "d1"}, "d1: sport"),
        ("labels", {"text": "d1"}, "d1: sport"),
        ("labels", {"id": 0, "text": "d1"}, "0: sport"),
    ],
)
def test_a_record_is_called_as_its_family_calls_it(kind, record, item, tmp_path):
    path = tmp_path / "batch.jsonl"
    path.write_text(2 * (json.dumps({**record, "response": "sport"}) + "\n"))
    assert items(goldassay.read(path, kind=kind)) == [item]


BLOCKS = (
    "- **{}**\n  - {}: {}\n  - Confidence: 0.9\n",
    "### {}\n{}: {}\nConfidence: 0.9\nReason: both are\n\n",
    "### {}\n- **{}**: {}\n- **Confidence**: 0.9\n",
    "1. **{}**\n   - {}: {}\n   - Explanation: both are\n   - Confidence: 0.9\n",
    "{}:\n  {}: {}\n  Confidence: 0.9\n",
)


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize(
    ("kind", "word", "mark"), [("alignment", "Best match", " ="), ("labels", "Category", ":"), ("labels", "Label", ":")]
)
def test_fields_below_a_name_are_a_record(block, kind, word, mark, tmp_path):
    path = tmp_path / "answer.txt"
    path.write_text("".join(block.format(a, word, b) for a, b in (("d1", "x"), ("d2", "y"), ("d3", "x"))))
    model = goldassay.read(path, kind=kind)
    assert items(model) == [f"d1{mark} x", f"d2{mark} y", f"d3{mark} x"]
    assert model.scores.tolist() == [0.9, 0.9, 0.9]


def test_example_of_without_reasons():
    from goldassay.formats.answers.lines import lines_of_answer

    assert [line.text for line in without_reasons(lines_of_answer("cat -> Katze\nReason: both purr"))] == [
        "cat -> Katze"
    ]


def test_example_of_with_heads():
    from goldassay.formats.answers.lines import lines_of_answer
    from goldassay.formats.answers.means import OF_LABELS

    assert [
        line.text for line in with_heads(lines_of_answer("### d1\nCategory: sport\n### d2\nCategory: arts"), OF_LABELS)
    ] == ["instance: d1", "label: sport", "instance: d2", "label: arts"]


def test_example_of_label_of():
    assert (
        repr((label_of("sport (0.95)"), label_of("arts - 80%"), label_of("phase (1)")))
        == "(Label(name='sport', score='0.95'), Label(name='arts', score='0.8'), Label(name='phase (1)', score=''))"
    )


def test_example_of_is_label():
    assert is_label("sport")
    assert not is_label("The text is about sport.")


def test_example_of_section_of():
    assert section_of("Step 1: read.\n### Final answer\nsport").strip() == "sport"
    assert section_of("Q: Which?\nA: sport") == "sport"


def test_example_of_labels_in_table():
    from goldassay.formats.answers.means import OF_LABELS

    assert (
        repr(labels_in_table("| Category | Confidence |\n|---|---|\n| sport | 0.9 |", OF_LABELS))
        == "[Label(name='sport', score='0.9')]"
    )


def test_example_of_stated_label():
    from goldassay.formats.answers.lines import lines_of_answer

    texts = (r"So it is \boxed{sport}.", "The label is arts.", "sport\n\nReason: it mentions football.")
    assert [stated_label(text, lines_of_answer(text))[0].name for text in texts] == ["sport", "arts", "sport"]


def test_example_of_labels_in():
    from goldassay.formats.answers.means import OF_LABELS

    assert (
        repr(
            (
                labels_in({"label": "sport", "confidence": 0.9}, OF_LABELS),
                labels_in(["sport", {"label": "arts"}], OF_LABELS),
            )
        )
        == "([Label(name='sport', score='0.9')], [Label(name='sport', score=''), Label(name='arts', score='')])"
    )


WORDED = (
    "Based on the text, the category is: **{}**", "Based on the text, the category is: {}", "Sure! The label is {}.", "{}. The text is about it.",
    "Not law. The label is {}.", "Wait, actually the label is {}.", "{}\n\nText: Another one\nLabel: law", "{}\n\nQ: Another?\nA: law",
)  # fmt: skip
OF_PREDICTIONS = (
    "The category is: {}.", "Label = {}", 'So, the label is: "{}"', "{}\n\nReason: it says so.", "{} - the text says so", "{} (confidence: 0.9)",
    "### Label\n{}", "<label>{}</label>", "{}<|im_end|>", "{}</s>", "\\boxed{{{}}}", '"{}"', "#### {}", "Q: which?\nA: {}",
)  # fmt: skip


@pytest.mark.parametrize("key", ["output", "prediction"])
@pytest.mark.parametrize("form", [*WORDED, *OF_PREDICTIONS])
def test_a_label_is_found_behind_and_before_other_words(form, key, tmp_path):
    path = tmp_path / "answers.jsonl"
    answers = ("art", form.format("sport"), "law", form.format("fine art"))
    path.write_text("".join(json.dumps({"id": f"d{n}", key: one}) + "\n" for n, one in enumerate(answers)))
    model = goldassay.read(path, kind="labels")
    if key == "output" or form in OF_PREDICTIONS:
        assert items(model) == ["d0: art", "d1: sport", "d2: law", "d3: fine art"]


@pytest.mark.parametrize(
    "label",
    [
        "Sport: Football",
        "semi - detached",
        "A01: Typhoid fever, and paratyphoid fevers of all kinds",
        "Yahoo!",
        "is a",
    ],
)
def test_labels_with_marks_in_predictions_stay(label, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(
        "".join(json.dumps({"id": f"d{n}", "prediction": one}) + "\n" for n, one in enumerate(("art", label)))
    )
    assert items(goldassay.read(path, kind="labels")) == ["d0: art", f"d1: {label}"]


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize("form", ["Kategorie: {}", "90% {}", "assistant: {}", "{}!", "I say {} here"])
def test_labels_with_a_label_of_gold_inside_are_named(form, tmp_path):
    gold, pred = tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"
    for path, written in ((gold, "{}"), (pred, form)):
        path.write_text(
            "".join(
                json.dumps({"id": f"d{n}", "label": written.format(one)}) + "\n" for n, one in enumerate(("art", "law"))
            )
        )
    warnings = " ".join(goldassay.evaluate(pred, gold=gold, kind="labels").warnings)
    assert "2 predicted labels have a label of gold inside" in warnings
    assert "inside" not in " ".join(goldassay.evaluate(gold, gold=gold, kind="labels").warnings)


@pytest.mark.parametrize(
    "record",
    [
        lambda name, text: {
            "recordId": name,
            "modelInput": {"a": 1},
            "modelOutput": {"content": [{"type": "text", "text": text}]},
        },
        lambda name, text: {"id": name, "content": [{"type": "text", "text": text}]},
        lambda name, text: {"id": name, "message": {"content": [{"type": "text", "text": text}]}},
    ],
)
def test_texts_in_blocks_are_of_the_id_of_their_record(record, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(record(f"d{n}", one)) + "\n" for n, one in enumerate(("art", "law", "war"))))
    assert items(goldassay.read(path, kind="labels")) == ["d0: art", "d1: law", "d2: war"]


def test_a_kind_of_records_that_is_read_as_labels_is_named(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps({"id": one, "type": "message", "text": one}) + "\n" for one in ("d0", "d1")))
    assert "labels are those of 'type', all 'message', and 'text' is not read" in " ".join(
        goldassay.read(path, kind="labels").warnings
    )


@pytest.mark.parametrize(
    "bad",
    [
        "\u62b1\u6b49\uff0c\u6211\u65e0\u6cd5\u56de\u7b54\u3002",
        "Es tut mir leid, das geht nicht.",
        "D\u00e9sol\u00e9, je ne sais pas.",
        '```json\n[{"subj',
        '{"lab',
        "undefined",
        "Traceback (most recent call last):",
    ],
)
@pytest.mark.parametrize("kind", ["labels", "alignment"])
def test_answers_that_are_none_are_no_labels(kind, bad, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(
        "".join(json.dumps({"id": f"d{n}", "output": one}) + "\n" for n, one in enumerate(("art", bad, "law")))
    )
    assert [one[:2] for one in items(goldassay.read(path, kind=kind))] == ["d0", "d2"]


@pytest.mark.parametrize("kind", ["labels", "alignment"])
@pytest.mark.parametrize(
    "text", ["Label: x\nConfidence: 0.9", "**Label:** x\n**Confidence:** 90%", "x\nConfidence: 0.9", "x\nScore = 0.9\n"]
)
def test_a_score_on_a_line_of_its_own_is_that_of_the_label(kind, text, tmp_path):
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps({"custom_id": one, "output": text}) + "\n" for one in ("d1", "d2")))
    assert goldassay.read(path, kind=kind).scores.tolist() == [0.9, 0.9]


@pytest.mark.parametrize(("answer", "label"), [('Guns "N" Roses', 'Guns "N" Roses'), ("It is **rock**.", "rock")])
def test_a_quoted_part_of_a_label_is_not_the_label(answer, label, tmp_path):
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps({"id": f"d{n}", "output": answer}) + "\n" for n in (1, 2)))
    model = goldassay.read(path, kind="labels")
    assert [model.item(row).partition(": ")[2] or model.item(row) for row in range(len(model))] == [label] * 2


def test_statements_that_all_have_scores_are_not_warned_of(tmp_path):
    path = tmp_path / "pairs.txt"
    path.write_text("dog = Hund (0.9)\ncat = Katze (0.8)\n")
    assert goldassay.read(path, kind="alignment").warnings == ()
