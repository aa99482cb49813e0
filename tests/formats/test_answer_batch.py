"""Examples of `goldassay.formats.answer_batch`: what its functions give."""

from goldassay.formats.answer_batch import body_of, is_batch, is_program, unwrap, without_programs


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
