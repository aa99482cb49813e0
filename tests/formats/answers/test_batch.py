"""Examples of `goldassay.formats.answers.batch`: what its functions give."""

import json

import pytest

import goldassay
from goldassay.formats.answers.batch import body_of, is_batch, is_program, stated_in, unwrap, without_programs
from goldassay.formats.answers.means import OF_TRIPLES


def test_example_of_is_batch():
    assert is_batch('{"id": "d1", "output": "A dog is an animal."}')
    assert not is_batch('{"child": "dog", "parent": "animal"}')
    assert is_batch('data: {"choices": [{"delta": {"content": "A dog"}}]}')
    assert is_batch(
        '[{"role": "user", "content": "Which animals?"}, {"role": "assistant", "content": "A dog is an animal."}]'
    )


def test_example_of_unwrap():
    assert unwrap("<think>Is it?</think>A dog is an animal.").text == "A dog is an animal."
    assert (
        unwrap('{"id": "x", "choices": [{"message": {"role": "assistant", "content": "A dog is an animal."}}]}').text
        == "A dog is an animal."
    )
    assert unwrap('{"id": "d1", "output": "A dog is an animal."}').batch == [(1, "d1", "A dog is an animal.")]


def test_example_of_body_of():
    assert body_of("Sure:\n```\nsport\n```") == "sport"
    assert body_of("sport") == "sport"


def test_example_of_is_program():
    assert is_program(["import json", "print(1)"])
    assert is_program(["$ pip install x"])
    assert not is_program(["dogs = ['poodle']"])


def test_example_of_without_programs():
    assert without_programs("```sh\npip install x\n```\n- animal") == "\n\n\n- animal"


KEYS = (
    "output", "answer", "output_text", "response_text", "generated_text", "generated", "result", "reply", "ans", "llm_answer", "model_answer",
    "predicted_answer", "Final Answer", "raw_output",
)  # fmt: skip
ANSWERS = {
    "taxonomy": ("cat is a pet\n{} is a pet", "cat -> pet"),
    "triples": ("(cat, is a, pet)\n({}, is a, pet)", "d1: cat | is a | pet"),
    "labels": ("Label: {}", "d1: cat"),
    "alignment": ("cat = chat\n{} = chien", "cat = chat"),
    "axioms": ("(Cat, hasOwner, Person)\n({}, hasOwner, Person)", "Cat hasOwner Person"),
    "concepts": ('["cat", "{}"]', "d1: cat"),
}


@pytest.mark.parametrize("kind", ANSWERS)
@pytest.mark.parametrize("key", KEYS)
def test_answers_have_the_same_keys_in_every_family(key, kind, tmp_path):
    form, item = ANSWERS[kind]
    read = {}
    for name, more in (
        ("plain", {}),
        ("prompted", {"question": "Which?"} if kind != "concepts" else {}),
        ("listed", None),
    ):
        path = tmp_path / f"{name}.jsonl"
        texts = {"d1": form.format("cat"), "d2": form.format("dog")}
        values = {one: [{"generated_text": text}] if more is None else text for one, text in texts.items()}
        path.write_text(
            "".join(json.dumps({"id": one, **(more or {}), key: value}) + "\n" for one, value in values.items())
        )
        model = goldassay.read(path, kind=kind)
        read[name] = [model.item(row) for row in range(len(model))]
    assert item in read["plain"]
    assert read["plain"] == read["prompted"] == read["listed"]


@pytest.mark.parametrize(("key", "is_text"), [("output", True), ("capital", False)])
def test_only_a_name_for_output_has_a_text(key, is_text):
    answer = json.dumps({key: "Oslo is in Norway"})
    assert (stated_in(answer, OF_TRIPLES) == "Oslo is in Norway") is is_text
