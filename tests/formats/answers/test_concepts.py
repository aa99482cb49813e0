"""Examples of `goldassay.formats.answers.concepts`: what its functions give."""

import json

import pytest

import goldassay
from goldassay.formats.answers.concepts import is_absent, led_names, lists_in, without_descriptions


def test_example_of_is_absent():
    assert is_absent("None")
    assert is_absent("No drugs mentioned.")
    assert not is_absent("no pain")


def test_example_of_led_names():
    assert led_names("**Key concepts:** fever, cough") == ["fever", "cough"]
    assert led_names("Diseases: fever; gout") == ["fever", "gout"]


def test_example_of_without_descriptions():
    assert without_descriptions("1. **fever**: a high temperature\n2. cough - dry") == "1. fever\n2. cough"
    assert without_descriptions("- d1: fever\n- d2: a cough") == "- d1: fever\n- d2: a cough"


@pytest.mark.parametrize("head", ["## Concepts", "# 1. Diseases", "**Concepts**", "Concepts:", "### Concepts:"])
def test_a_heading_above_bullets_of_a_batch_is_no_concept(head, tmp_path):
    path = tmp_path / "batch.jsonl"
    rows = [{"id": name, "output": f"{head}\n\n- ox\n- cow"} for name in ("d1", "d2")]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = goldassay.read(path, kind="concepts")
    assert sorted(map(found.item, range(len(found)))) == ["d1: cow", "d1: ox", "d2: cow", "d2: ox"]


@pytest.mark.parametrize(("count", "names"), [(8, None), (9, ["asthma", "fever"])])
def test_answers_that_say_nothing_are_no_reason_to_take_sentences_for_lists(count, names):
    found = lists_in([*["asthma, fever"] * count, "", "The patient was admitted on Monday"])
    assert found[0].names == names
