"""Sentences and UNL in records of JSON and in answers of models."""

import json

import pytest

import goldassay
from goldassay.formats.source import Source
from goldassay.unl.records import _body_of, document_in, without_numbers

UNL = {"1": "agt(bark, dog)", "2": "{unl}\nagt(sleep, cat)\nplc(sleep, house)\n{/unl}"}
SENTENCES = {"1": "Dogs bark.", "2": "The cat sleeps."}
SHAPES = {
    "output": lambda name, text: {"id": name, "output": text},
    "prediction": lambda name, text: {"id": name, "prediction": text},
    "text": lambda name, text: {"id": name, "text": text},
    "OpenAI": lambda name, text: {
        "custom_id": name,
        "response": {"body": {"choices": [{"message": {"role": "assistant", "content": text}}]}},
    },
    "a chat": lambda name, text: {
        "id": name,
        "messages": [{"role": "user", "content": "Say it."}, {"role": "assistant", "content": text}],
    },
}


def write(path, shape, texts, *, array=False):
    records = [SHAPES[shape](name, text) for name, text in texts.items()]
    path.write_text(json.dumps(records, indent=1) if array else "".join(json.dumps(one) + "\n" for one in records))
    return path


def items(model):
    return [model.item(row) for row in range(len(model))]


@pytest.mark.parametrize("shape", SHAPES)
def test_sentences_are_read_in_every_record(shape, tmp_path):
    read = goldassay.read(write(tmp_path / "a.jsonl", shape, SENTENCES), kind="sentences")
    assert items(read) == ["1 Dogs bark.", "2 The cat sleeps."]


def test_an_answer_of_several_lines_is_as_many_sentences(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"choices": [{"message": {"role": "assistant", "content": "Dogs bark.\nCats sleep."}}]}))
    assert items(goldassay.read(path, kind="sentences")) == ["1 Dogs bark.", "2 Cats sleep."]


@pytest.mark.parametrize("array", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_unl_is_read_in_every_record(shape, array, tmp_path):
    read = goldassay.read(write(tmp_path / "a.jsonl", shape, UNL, array=array), kind="unl")
    assert (read.ids, read.graphs.sizes.tolist()) == (("1", "2"), [1, 2])


def test_unl_in_a_fence_is_read(tmp_path):
    path = write(tmp_path / "a.jsonl", "output", {"1": f"Here it is:\n```\n{UNL['2']}\n```\nThat is all."})
    assert goldassay.read(path, kind="unl").graphs.sizes.tolist() == [2]


def test_bad_unl_is_refused_by_the_line_of_its_record(tmp_path):
    path = write(tmp_path / "a.jsonl", "output", {**UNL, "3": "Dogs bark."})
    with pytest.raises(goldassay.InputError, match=r"a\.jsonl:3"):
        goldassay.read(path, kind="unl")


def test_numbers_of_lines_are_left_out_where_all_have_them(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("1. Dogs bark.\n2. Cats sleep.\n3. 4. of July\n")
    read = goldassay.read(path, kind="sentences")
    assert items(read) == ["1 Dogs bark.", "2 Cats sleep.", "3 4. of July"]
    assert "numbered" in read.warnings[0]
    path.write_text("1. Dogs bark.\n3. Cats sleep.\n")
    read = goldassay.read(path, kind="sentences")
    assert items(read) == ["1 1. Dogs bark.", "2 3. Cats sleep."]
    assert not read.warnings


@pytest.mark.parametrize("empty", ['"unl": null', '"unl": ""', '"error": "rate limit"'])
def test_a_record_without_unl_is_a_sentence_that_was_not_returned(tmp_path, empty):
    file = tmp_path / "a.jsonl"
    file.write_text('{"id": "1", "unl": "agt(a, b)"}\n{"id": "2", ' + empty + "}\n")
    read = goldassay.read(file, kind="unl")
    assert read.names == ("1", "2")
    gold = [{"id": "1", "unl": "agt(a, b)"}, {"id": "2", "unl": "obj(a, b)"}]
    report = goldassay.evaluate(file, gold=gold, kind="unl", measures="unl_relations")
    assert report["unl_relations"].recall == 0.5


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"1": "agt(a, b)", "2": ["obj(a, b)", "agt(a, c)"]}'),
        ("a.csv", 'id,unl\n1,"agt(a, b)"\n2,"obj(a, b)\nagt(a, c)"\n'),
        ("a.tsv", "id\tunl\n1\tagt(a, b)\n2\tobj(a, b) agt(a, c)\n"),
        (
            "a.jsonl",
            '{"id": 1, "text": "A.", "prediction": "agt(a, b)"}\n{"id": 2, "prediction": "obj(a, b)\\nagt(a, c)"}',
        ),
    ],
)
def test_other_records_with_unl(tmp_path, name, text):
    file = tmp_path / name
    file.write_text(text)
    gold = [{"id": "1", "unl": "agt(a, b)"}, {"id": "2", "unl": "obj(a, b)\nagt(a, c)"}]
    assert goldassay.evaluate(file, gold=gold, kind="unl", measures="unl_relations")["unl_relations"].f1 == 1.0


def test_unl_next_to_that_of_a_model_is_refused(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text('{"id": "1", "unl": "agt(a, b)", "prediction": "obj(a, b)"}\n')
    with pytest.raises(goldassay.InputError, match="two texts of UNL"):
        goldassay.read(file, kind="unl")


def test_the_example_of_document_in():
    page = b'{"id": "7", "unl": "agt(a, b)"}\n'
    assert document_in(Source(path="a", name="a", data=page, size=len(page))).text == "[S:7]\nagt(a, b)\n[/S]\n"


def test_the_example_of_without_numbers():
    assert (
        without_numbers(["1. Dogs bark.", "2. Cats sleep."]),
        without_numbers(["1. Dogs bark.", "3. Cats sleep."]),
    ) == ((["Dogs bark.", "Cats sleep."], True), (["1. Dogs bark.", "3. Cats sleep."], False))


FRAMES = {
    "thoughts": "<think>\nThe dog? No, hmm.\n</think>\n{}",
    "a tag": "<answer>{}</answer>",
    "a line": "Here is the sentence:\n\n{}",
    "a word": "**Sentence:** {}",
    "emphasis": "**{}**",
    "emphasis below a line": "Here is the sentence:\n\n*{}*",
    "a fence": "Here:\n```text\n{}\n```",
    "JSON": '{{"reasoning": "It is short.", "sentence": "{}"}}',
    "a text of JSON": '```json\n{{"text": "{}"}}\n```',
}
RECORDS = {
    "a record": ("a.jsonl", lambda name, text: json.dumps({"id": name, "output": text})),
    "a batch": ("a.jsonl", lambda name, text: json.dumps({"custom_id": name, "output": text})),
    "a response": (
        "a.jsonl",
        lambda name, text: json.dumps(
            {
                "custom_id": name,
                "response": {"body": {"choices": [{"message": {"role": "assistant", "content": text}}]}},
            }
        ),
    ),
    "a table": ("a.csv", lambda name, text: f'{name},"{text.replace(chr(34), chr(34) * 2)}"'),
}


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("record", RECORDS)
def test_what_is_around_a_sentence_is_not_compared(record, frame, tmp_path):
    gold = ["The cat sleeps on the mat.", "It rains.", "Peter killed Mary.", "Two dogs bark."]
    half = ["The cat sleeps on the mat.", "Go away!", "Peter killed Mary.", "Seven planets orbit the sun."]
    name, write = RECORDS[record]
    for sentences, right in ((gold, 4), (half, 2)):
        rows = [write(str(at), FRAMES[frame].format(one)) for at, one in enumerate(sentences)]
        (tmp_path / name).write_text("\n".join(["id,output"] * name.endswith("csv") + rows) + "\n")
        read = goldassay.read(tmp_path / name, kind="sentences")
        assert [one for (one,) in read.wordings] == sentences
        (tmp_path / "gold.csv").write_text("id,text\n" + "".join(f'{at},"{one}"\n' for at, one in enumerate(gold)))
        counts = goldassay.evaluate(
            tmp_path / name, gold=tmp_path / "gold.csv", kind="sentences", measures="levenshtein"
        )["levenshtein"].counts
        assert counts["hit_pred"] == right
    if record in ("a record", "a table"):
        assert "around the sentence in 4 answers" in read.notes[-1]


def test_a_sentence_of_another_column_keeps_its_words(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": 1, "text": "Sentence: `a` [b]."}\n{"id": 2, "text": "Answer: yes"}\n')
    read = goldassay.read(tmp_path / "a.jsonl", kind="sentences")
    assert read.wordings == (("Sentence: `a` [b].",), ("Answer: yes",))
    assert not read.notes


@pytest.mark.parametrize("frame", ["<think>agt(a, b)</think>\n{}", "Here it is:\n\n{}\n\nLet me know.", "```\n{}\n```"])
def test_what_is_around_unl_is_left_out(frame, tmp_path):
    unl = "agt(kill, Peter)\nobj(kill, Mary)"
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": 1, "output": frame.format(unl)}) + "\n" + json.dumps({"id": 2, "output": unl}))
    document = goldassay.read(path, kind="unl")
    assert [len(one.relations) for one in document.sentences] == [2, 2]


def test_words_below_unl_are_none_of_it():
    below = "\n\nHere is what I left out.\n\nI hope this helps you."
    for unl in ("agt(run, dog)", "agt(run, dog)\nobj(eat, dog)"):
        assert _body_of({"output": f"{unl}{below}"}) == unl
    assert _body_of({"output": "agt(run, dog)\nagt(run, cat)"}) == "agt(run, dog)\nagt(run, cat)"
