"""Responses of services, chats and calls of tools: each has the items of its last turn and first choice, by itself and in a batch, in every family."""

import json

import pytest

import goldassay
from goldassay.formats.answers.services import _join_words, is_message, last_turn, reply_of

ANSWERS = {
    "triples": ('{"triples": [["Oslo", "capital of", "Norway"]]}', '{"triples": [["a", "wrong", "b"]]}'),
    "labels": ('{"label": "sport"}', '{"label": "wrong"}'),
    "concepts": ('{"concepts": ["aspirin", "fever"]}', '{"concepts": ["wrong"]}'),
    "taxonomy": ('[{"child": "dog", "parent": "animal"}]', '[{"child": "a", "parent": "wrong"}]'),
}
ITEMS = {
    "triples": ["{}: Oslo | capital of | Norway"],
    "labels": ["{}: sport"],
    "concepts": ["{}: aspirin", "{}: fever"],
    "taxonomy": ["dog -> animal"],
}


def user(text):
    return {"role": "user", "content": text}


def model(content, **more):
    return {"role": "assistant", "content": content, **more}


def called(text):
    return {"id": "c1", "type": "function", "function": {"name": "save", "arguments": text}}


SHAPES = {
    "OpenAI": lambda a, b: {"choices": [{"index": 0, "message": model(a)}]},
    "two choices": lambda a, b: {"choices": [{"index": at, "message": model(one)} for at, one in enumerate((a, b))]},
    "a tool of OpenAI": lambda a, b: {"choices": [{"message": model(None, tool_calls=[called(a)])}]},
    "a function of OpenAI": lambda a, b: {
        "choices": [{"message": model(None, function_call={"name": "save", "arguments": a})}]
    },
    "Responses": lambda a, b: {
        "output": [
            {"type": "reasoning", "content": [{"type": "reasoning_text", "text": b}], "summary": []},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": a}]},
        ]
    },
    "a tool of Responses": lambda a, b: {"output": [{"type": "function_call", "name": "save", "arguments": a}]},
    "Anthropic": lambda a, b: model([{"type": "thinking", "thinking": b}, {"type": "text", "text": a}]),
    "a tool of Anthropic": lambda a, b: model(
        [{"type": "text", "text": "I save it."}, {"type": "tool_use", "name": "save", "input": json.loads(a)}]
    ),
    "Gemini": lambda a, b: {
        "candidates": [
            {"content": {"role": "model", "parts": [{"text": b, "thought": True}, {"text": a}]}},
            {"content": {"role": "model", "parts": [{"text": b}]}},
        ]
    },
    "a tool of Gemini": lambda a, b: {
        "candidates": [{"content": {"parts": [{"functionCall": {"name": "save", "args": json.loads(a)}}]}}]
    },
    "Bedrock": lambda a, b: {"output": {"message": model([{"text": a}])}, "stopReason": "end_turn"},
    "a tool of Bedrock": lambda a, b: {
        "output": {"message": model([{"toolUse": {"name": "save", "input": json.loads(a)}}])}
    },
    "Ollama": lambda a, b: {"model": "m", "message": model(a, thinking=b), "done": True},
    "a tool of Ollama": lambda a, b: {
        "model": "m",
        "message": model("", tool_calls=[{"function": {"name": "save", "arguments": json.loads(a)}}]),
        "done": True,
    },
    "a chat with an example": lambda a, b: {"messages": [user("One?"), model(b), user("Two?"), model(a)]},
    "ShareGPT": lambda a, b: {
        "conversations": [
            {"from": "human", "value": "One?"},
            {"from": "gpt", "value": b},
            {"from": "human", "value": "Two?"},
            {"from": "gpt", "value": a},
        ]
    },
    "Hugging Face": lambda a, b: {"generated_text": [user("One?"), model(b), user("Two?"), model(a)]},
    "vLLM": lambda a, b: {"prompt": "One?", "outputs": [{"index": 0, "text": a}, {"index": 1, "text": b}]},
    "lm-eval": lambda a, b: {"doc": {"text": "x"}, "target": "y", "resps": [[a, b]], "filtered_resps": [a]},
}
WRAPPED = {
    "OpenAI": lambda name, body: {"custom_id": name, "response": {"status_code": 200, "body": body}, "error": None},
    "Anthropic": lambda name, body: {"custom_id": name, "result": {"type": "succeeded", "message": body}},
    "Gemini": lambda name, body: {"key": name, "request": {"contents": [{"parts": [{"text": "x"}]}]}, "response": body},
    "Bedrock": lambda name, body: {"recordId": name, "modelInput": {"messages": [user("x")]}, "modelOutput": body},
    "ids": lambda name, body: {"custom_id": name, **body},
}
BATCHES = [(shape, "ids") for shape in SHAPES] + [
    (shape, wrapped)
    for wrapped, shapes in {
        "OpenAI": ("OpenAI", "two choices", "a tool of OpenAI", "Responses", "a tool of Responses"),
        "Anthropic": ("Anthropic", "a tool of Anthropic"),
        "Gemini": ("Gemini", "a tool of Gemini"),
        "Bedrock": ("Anthropic", "a tool of Anthropic"),
    }.items()
    for shape in shapes
]
SEVERAL = {"two choices", "Gemini", "vLLM"}


def items(read):
    return [read.item(row) for row in range(len(read))]


@pytest.mark.parametrize("kind", ["triples", "taxonomy", "concepts"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_response_is_its_last_turn(kind, shape, tmp_path):
    right, wrong = ANSWERS[kind]
    if kind == "taxonomy" and "tool" in shape:
        right = json.dumps({"edges": json.loads(right)})
    path = tmp_path / "answer.json"
    for indent in (None, 1):
        path.write_text(json.dumps(SHAPES[shape](right, wrong), indent=indent))
        read = goldassay.read(path, kind=kind)
        assert items(read) == [item.format("1") for item in ITEMS[kind]]
        assert any("1 other answer to the same prompt" in one for one in read.warnings) == (shape in SEVERAL)


@pytest.mark.parametrize("kind", ["triples", "labels", "concepts"])
@pytest.mark.parametrize(("shape", "wrapped"), BATCHES)
def test_a_batch_has_the_last_turn_of_each(kind, shape, wrapped, tmp_path):
    body = SHAPES[shape](*ANSWERS[kind])
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps(WRAPPED[wrapped](name, body)) + "\n" for name in ("d1", "d2")))
    read = goldassay.read(path, kind=kind)
    assert items(read) == [item.format(name) for name in ("d1", "d2") for item in ITEMS[kind]]
    assert any("2 other answers to the same prompts" in one for one in read.warnings) == (shape in SEVERAL)


def test_calls_of_several_tools_are_joined(tmp_path):
    path = tmp_path / "answer.json"
    lists = [json.dumps({"triples": [["a", "r", one]]}) for one in "bc"]
    rows = [json.dumps({"subject": "a", "predicate": "r", "object": one}) for one in "bc"]
    for calls in (lists, rows):
        path.write_text(json.dumps({"choices": [{"message": model("", tool_calls=list(map(called, calls)))}]}))
        assert items(goldassay.read(path, kind="triples")) == ["1: a | r | b", "1: a | r | c"]


def test_a_list_of_messages_is_its_last_turn(tmp_path):
    path = tmp_path / "chat.json"
    chat = [user("One?"), model("(a, wrong, b)"), user("Two?")]
    path.write_text(json.dumps([*chat, model("(a, r, b)"), user("Thanks!")]))
    assert items(goldassay.read(path, kind="triples")) == ["1: a | r | b"]
    path.write_text("".join(json.dumps({"id": f"m{at}", **model(f"(a, r, {at})")}) + "\n" for at in range(2)))
    assert items(goldassay.read(path, kind="triples")) == ["m0: a | r | 0", "m1: a | r | 1"]


def test_messages_next_to_an_output_are_its_prompt(tmp_path):
    path = tmp_path / "log.jsonl"
    records = [
        {"id": name, "messages": [user("x"), model("(a, wrong, b)"), user("y")], "output": "(a, r, b)"} for name in "12"
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    assert items(goldassay.read(path, kind="triples")) == ["1: a | r | b", "2: a | r | b"]


@pytest.mark.parametrize("text", ["", None])
def test_an_answer_without_a_text_is_a_document_without_items(text, tmp_path):
    path = tmp_path / "batch.jsonl"
    bodies = [{"choices": [{"message": model(one)}]} for one in (text, "(a, r, b)")]
    path.write_text("".join(json.dumps({"id": f"r{at}", **body}) + "\n" for at, body in enumerate(bodies)))
    read = goldassay.read(path, kind="triples")
    assert (read.ids.tolist(), items(read)) == (["r0", "r1"], ["r1: a | r | b"])


STREAMS = {
    "a tool of Anthropic": lambda parts: [
        {"type": "message_start", "message": model([])},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "input": {}}},
        *({"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": one}} for one in parts),
        {"type": "message_stop"},
    ],
    "Responses": lambda parts: [
        {"type": "response.reasoning_text.delta", "delta": "(a, wrong, b)"},
        *({"type": "response.output_text.delta", "delta": one} for one in parts),
        {"type": "response.output_text.done", "text": "".join(parts)},
        {"type": "response.completed", "response": SHAPES["Responses"]("".join(parts), "")},
    ],
    "a tool of OpenAI": lambda parts: [
        {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": one}}]}}]}
        for one in parts
    ],
}


@pytest.mark.parametrize("shape", STREAMS)
def test_parts_of_a_stream_are_one_answer(shape, tmp_path):
    text = ANSWERS["triples"][0]
    path = tmp_path / "stream.txt"
    events = STREAMS[shape]([text[:9], text[9:]])
    path.write_text("".join(f"data: {json.dumps(one)}\n\n" for one in events))
    assert items(goldassay.read(path, kind="triples")) == ["1: Oslo | capital of | Norway"]


def test_the_result_of_a_command_is_the_answer(tmp_path):
    path = tmp_path / "answer.json"
    path.write_text(json.dumps({"type": "result", "subtype": "success", "result": "(a, r, b)", "session_id": "s"}))
    assert items(goldassay.read(path, kind="triples")) == ["1: a | r | b"]


def test_the_events_of_a_command_end_with_the_answer(tmp_path):
    path = tmp_path / "events.jsonl"
    events = [
        {"type": "system", "subtype": "init"},
        {"type": "assistant", "message": model([{"type": "text", "text": "(a, wrong, b)"}])},
        {"type": "result", "subtype": "success", "result": "(a, r, b)"},
    ]
    path.write_text("".join(json.dumps({**one, "session_id": "s"}) + "\n" for one in events))
    assert items(goldassay.read(path, kind="triples")) == ["1: a | r | b"]


@pytest.mark.parametrize("shape", SHAPES)
def test_concepts_are_found_in_the_texts_of_responses(shape, tmp_path):
    if "tool" in shape:
        return
    path = tmp_path / "batch.jsonl"
    body = SHAPES[shape]("She takes aspirin.", "He has a fever.")
    path.write_text("".join(json.dumps({"custom_id": name, **body}) + "\n" for name in ("d1", "d2")))
    assert items(goldassay.read(path, kind="concepts")) == ["d1: aspirin", "d2: aspirin"]


def test_names_in_an_object_are_stated(tmp_path):
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps({"id": name, "output": {"animal": {"dog": {}}}}) + "\n" for name in "12"))
    assert items(goldassay.read(path, kind="taxonomy")) == ["dog -> animal"]


def test_choices_of_a_question_are_no_answers(tmp_path):
    path = tmp_path / "questions.jsonl"
    choices = [{"label": label, "text": text} for label, text in (("A", "gout"), ("B", "fever"))]
    records = [{"id": name, "text": "Take aspirin.", "choices": choices} for name in ("q1", "q2")]
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    read = goldassay.read(path, kind="concepts")
    assert items(read) == ["q1: aspirin", "q2: aspirin"]
    assert any("'choices'" in one for one in read.warnings)


@pytest.mark.parametrize("key", ["output", "response", "prediction"])
@pytest.mark.parametrize(
    "value", [[["a", "r", "b"]], {"triples": [["a", "r", "b"]]}, [{"subject": "a", "predicate": "r", "object": "b"}]]
)
@pytest.mark.parametrize("count", [1, 2])
def test_an_output_that_is_no_text_is_read(key, value, count, tmp_path):
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps({"id": f"d{at}", key: value}) + "\n" for at in range(count)))
    assert items(goldassay.read(path, kind="triples")) == [f"d{at}: a | r | b" for at in range(count)]


def test_pieces_of_a_message_between_which_a_word_is_cut_are_joined(tmp_path):
    path = tmp_path / "answer.json"
    pieces = ["(Oslo, capital of, Norway)\n(Norway, bor", "ders, Sweden)", "(a, r, b)"]
    path.write_text(json.dumps(model([{"type": "text", "text": one} for one in pieces])))
    assert items(goldassay.read(path, kind="triples")) == [
        "1: Oslo | capital of | Norway",
        "1: Norway | borders | Sweden",
        "1: a | r | b",
    ]


@pytest.mark.parametrize(
    ("kind", "key", "value"), [("triples", "triples", [["x", "y", "z"]]), ("concepts", "concepts", ["x"])]
)
def test_a_chat_next_to_items_is_no_answer(kind, key, value, tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"id": "d1", "messages": [user("x"), model("(a, wrong, b)")], key: value}) + "\n")
    [item] = items(goldassay.read(path, kind=kind))
    assert item.startswith("d1: x")


def test_example_of_reply_of():
    assert (
        repr(reply_of({"choices": [{"message": {"content": "A dog."}}, {"message": {"content": "A cat."}}]}))
        == "Reply(texts=['A dog.'], others=1)"
    )
    assert (
        repr(reply_of({"messages": [{"role": "assistant", "content": "One."}, {"role": "user", "content": "More?"}]}))
        == "Reply(texts=['One.'], others=0)"
    )
    assert reply_of({"child": "dog", "parent": "animal"}) is None


def test_example_of_is_message():
    assert is_message({"role": "user", "content": "Which?"})
    assert is_message({"from": "gpt", "value": "A dog."})


def test_example_of_last_turn():
    assert last_turn(
        [{"role": "assistant", "content": "a"}, {"role": "user", "content": "b"}, {"role": "assistant", "content": "c"}]
    ) == ["c"]


def test_example_of_join_words():
    assert _join_words(["The Nor", "wegian coast.", "It is long."]) == ["The Norwegian coast.", "It is long."]


@pytest.mark.parametrize(
    "response",
    [
        lambda text, why: {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": why}]},
        lambda text, why: {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "text", "text": text}],
            "stop_reason": why,
        },
        lambda text, why: {"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": why.upper()}]},
        lambda text, why: {
            "model": "m",
            "message": {"role": "assistant", "content": text},
            "done": True,
            "done_reason": why,
        },
    ],
)
def test_an_answer_that_the_service_cut_off_is_named(response, tmp_path):
    path = tmp_path / "answer.json"
    for why, count in (("length", 1), ("max_tokens", 1), ("stop", 0)):
        path.write_text(json.dumps(response("cat is a pet\\ndog is a p", why)))
        warnings = goldassay.read(path, kind="taxonomy").warnings
        assert sum("cut off by the service" in one for one in warnings) == count


PARTS = {
    "chunks": lambda name, text: {"id": name, "choices": [{"index": 0, "delta": {"content": text}}]},
    "messages of LangChain": lambda name, text: {"content": text, "type": "AIMessageChunk", "id": name},
    "dumps of LangChain": lambda name, text: {"type": "AIMessageChunk", "data": {"content": text, "id": name}},
    "events": lambda name, text: {"type": "response.output_text.delta", "item_id": name, "delta": text},
    "candidates": lambda name, text: {"candidates": [{"content": {"parts": [{"text": text}]}}], "responseId": name},
    "parts without an id": lambda _, text: {"model": "m", "message": {"role": "assistant", "content": text}, "done": text == "x\n- cow"},
}  # fmt: skip


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("names", [["a"], ["a", "b"]])
@pytest.mark.parametrize("form", PARTS)
def test_parts_of_each_stream_are_an_answer(form, names, together, tmp_path):
    parts = [(name, part) for name in names for part in ["- dog\n", "- cat\n- o", "x\n- cow"]]
    if together and form != "parts without an id":
        parts = [(name, part) for part in ["- dog\n", "- cat\n- o", "x\n- cow"] for name in names]
    path = tmp_path / "stream.jsonl"
    path.write_text("".join(json.dumps(PARTS[form](*part)) + "\n" for part in parts), encoding="utf-8")
    found = goldassay.read(path, kind="concepts")
    assert len(found.ids) == len(names)
    assert len(found) == 4 * len(names)
