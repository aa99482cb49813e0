"""What is around an answer changes nothing: the same items in the response of each service, log, stream and chat, in every family."""

import json

import pytest

import goldassay

NOISE = "zebra is a horse"
USER = {"role": "user", "content": NOISE}
dump = json.dumps


def parts(text, size=7):
    return [text[at : at + size] for at in range(0, len(text), size)]


def message(text, **more):
    return {"role": "assistant", "content": text, **more}


def chat(text):
    return {"object": "chat.completion", "choices": [{"index": 0, "message": message(text)}]}


def called(**given):
    call = {"id": "x", "type": "function", "function": {"name": "Answer", "arguments": dump(given)}}
    return dump({"choices": [{"index": 0, "message": message(None, tool_calls=[call])}]})


def langchain(kind, text):
    return {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", f"{kind}Message"],
        "kwargs": {"content": text, "additional_kwargs": {}},
    }


def events(records, before="data: ", end="\n\n"):
    return "".join(f"{before}{dump(one)}{end}" for one in records)


def lines(*records):
    return events(records, "", "\n")


WRAPPERS = {
    "printed by OpenAI": (
        ".txt",
        lambda a: (
            f"ChatCompletion(id='x', choices=[Choice(finish_reason='stop', index=0, logprobs=None, "
            f"message=ChatCompletionMessage(content={a!r}, role='assistant', annotations=[], tool_calls=None))], "
            f"created=1, object='chat.completion', usage=CompletionUsage(completion_tokens=1))\n"
        ),
    ),
    "printed by Anthropic": (
        ".txt",
        lambda a: (
            f"Message(id='x', content=[TextBlock(citations=None, text={a!r}, type='text')], role='assistant', "
            f"stop_reason='end_turn', usage=Usage(input_tokens=1))"
        ),
    ),
    "printed by Google": (
        ".txt",
        lambda a: (
            f"GenerateContentResponse(create_time=datetime.datetime(2026, 1, 1, tzinfo=TzInfo(UTC)), candidates=[Candidate("
            f"content=Content(parts=[Part(text={a!r})], role='model'), finish_reason=<FinishReason.STOP: 'STOP'>)])"
        ),
    ),
    "printed by LangChain": (
        ".txt",
        lambda a: (
            f"content={a!r} additional_kwargs={{}} response_metadata={{'finish_reason': 'stop'}} id='x' "
            f"usage_metadata={{'input_tokens': 3}}"
        ),
    ),
    "a list of what is printed": (".txt", lambda a: f"[AIMessage(content={a!r}, additional_kwargs={{}}, id='1')]"),
    "thoughts": (".txt", lambda a: f"<think>\n{NOISE}\n</think>\n\n{a}"),
    "thoughts of Seed": (".txt", lambda a: f"<seed:think>{NOISE}</seed:think>\n{a}"),
    "thoughts of Kimi": (".txt", lambda a: f"◁think▷{NOISE}◁/think▷{a}"),
    "thoughts of Mistral": (".txt", lambda a: f"[THINK]{NOISE}[/THINK]{a}"),
    "a tag": (".txt", lambda a: f"<reasoning>{NOISE}</reasoning>\n<answer>\n{a}</answer>\n"),
    "DSPy": (
        ".txt",
        lambda a: f"[[ ## reasoning ## ]]\n{NOISE}\n\n[[ ## answer ## ]]\n{a}\n[[ ## completed ## ]]\n",
    ),
    "DSPy in a response": (
        ".json",
        lambda a: dump(chat(f"[[ ## reasoning ## ]]\n{NOISE}\n\n[[ ## answer ## ]]\n{a}\n\n[[ ## completed ## ]]")),
    ),
    "harmony": (
        ".txt",
        lambda a: (
            f"<|channel|>analysis<|message|>{NOISE}<|end|><|start|>assistant<|channel|>final<|message|>{a}<|return|>"
        ),
    ),
    "ChatML": (
        ".txt",
        lambda a: f"<|im_start|>user\n{NOISE}<|im_end|>\n<|im_start|>assistant\n{a}<|im_end|>\n",
    ),
    "Llama 3": (
        ".txt",
        lambda a: (
            "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\n"
            f"{NOISE}<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n{a}<|eot_id|>"
        ),
    ),
    "Gemma": (
        ".txt",
        lambda a: f"<start_of_turn>user\n{NOISE}<end_of_turn>\n<start_of_turn>model\n{a}<end_of_turn>\n",
    ),
    "Mistral": (".txt", lambda a: f"<s>[INST] {NOISE} [/INST] {a}</s>"),
    "OpenAI": (".json", lambda a: dump(chat(a), indent=1)),
    "Responses": (
        ".json",
        lambda a: dump(
            {
                "output": [
                    {"type": "reasoning", "summary": [{"type": "summary_text", "text": NOISE}]},
                    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": a}]},
                ]
            }
        ),
    ),
    "a stream of OpenAI": (
        ".txt",
        lambda a: (
            events({"choices": [{"index": 0, "delta": {"content": one}}]} for one in parts(a)) + "data: [DONE]\n\n"
        ),
    ),
    "a stream of completions": (
        ".txt",
        lambda a: events({"id": "c", "choices": [{"index": 0, "text": one}]} for one in parts(a)) + "data: [DONE]\n\n",
    ),
    "a tool with a text": (".json", lambda a: called(answer=a)),
    "a tool with a text and reasons": (".json", lambda a: called(reasoning=NOISE, answer=a)),
    "a tool with another text": (".json", lambda a: called(text=a)),
    "structured": (".json", lambda a: dump(chat(dump({"reasoning": NOISE, "answer": a})))),
    "Anthropic": (
        ".json",
        lambda a: dump(message([{"type": "thinking", "thinking": NOISE}, {"type": "text", "text": a}], type="message")),
    ),
    "a stream of Gemini": (
        ".txt",
        lambda a: events(
            {"candidates": [{"content": {"parts": [{"text": one}], "role": "model"}}]} for one in parts(a)
        ),
    ),
    "an array of the stream of Gemini": (
        ".json",
        lambda a: dump(
            [{"candidates": [{"content": {"parts": [{"text": one}], "role": "model"}}]} for one in parts(a)]
        ),
    ),
    "Bedrock": (
        ".json",
        lambda a: dump(
            {
                "output": {"message": message([{"reasoningContent": {"reasoningText": {"text": NOISE}}}, {"text": a}])},
                "stopReason": "end_turn",
            }
        ),
    ),
    "Cohere": (".json", lambda a: dump({"id": "x", "message": message([{"type": "text", "text": a}])})),
    "Cohere's first version": (
        ".json",
        lambda a: dump({"text": a, "generation_id": "g", "chat_history": [{"role": "USER", "message": NOISE}]}),
    ),
    "a stream of Cohere": (
        ".txt",
        lambda a: events(
            {"type": "content-delta", "delta": {"message": {"content": {"text": one}}}} for one in parts(a)
        ),
    ),
    "generations of Cohere": (".json", lambda a: dump({"generations": [{"id": "g", "text": a}], "prompt": NOISE})),
    "TGI": (".json", lambda a: dump([{"generated_text": a, "details": {"finish_reason": "eos"}}])),
    "a stream of TGI": (
        ".txt",
        lambda a: events(
            ({"token": {"id": 1, "text": one}, "generated_text": None} for one in parts(a)), before="data:"
        ),
    ),
    "the end of a stream of TGI": (
        ".txt",
        lambda a: events({"token": {"id": 1, "text": one}, "generated_text": a} for one in parts(a)),
    ),
    "vLLM": (".json", lambda a: dump({"request_id": "0", "prompt": NOISE, "outputs": [{"index": 0, "text": a}]})),
    "SGLang": (".json", lambda a: dump({"text": a, "output_ids": [1], "meta_info": {"id": "x"}})),
    "Ollama": (".json", lambda a: dump({"model": "m", "response": a, "done": True, "context": [1]})),
    "a stream of Ollama": (
        ".jsonl",
        lambda a: lines(
            {"model": "m", "response": "", "thinking": NOISE, "done": False},
            *({"model": "m", "response": one, "done": False} for one in parts(a)),
            {"model": "m", "response": "", "done": True},
        ),
    ),
    "llama.cpp": (".json", lambda a: dump({"content": a, "stop": True, "prompt": NOISE, "timings": {"prompt_n": 1}})),
    "a stream of llama.cpp": (
        ".jsonl",
        lambda a: lines(*({"content": one, "stop": False} for one in parts(a)), {"content": "", "stop": True}),
    ),
    "events of llama.cpp": (".txt", lambda a: events({"content": one, "stop": False} for one in parts(a))),
    "a dump of LangChain": (".json", lambda a: dump(langchain("AI", a))),
    "dumps of LangChain": (".json", lambda a: dump([langchain("Human", NOISE), langchain("AI", a)])),
    "a dictionary of LangChain": (".json", lambda a: dump({"type": "ai", "data": {"content": a, "type": "ai"}})),
    "dictionaries of LangChain": (
        ".json",
        lambda a: dump([{"type": kind, "data": {"content": one}} for kind, one in (("human", NOISE), ("ai", a))]),
    ),
    "a model of LangChain": (".json", lambda a: dump({"content": a, "response_metadata": {}, "type": "ai"})),
    "a state of LangGraph": (
        ".json",
        lambda a: dump({"messages": [{"content": NOISE, "type": "human"}, {"content": a, "type": "ai"}]}),
    ),
    "a result of LangChain": (".json", lambda a: dump({"generations": [[{"text": a, "type": "ChatGeneration"}]]})),
    "LlamaIndex": (
        ".json",
        lambda a: dump(
            {
                "message": {
                    "role": "assistant",
                    "blocks": [{"block_type": "thinking", "content": NOISE}, {"block_type": "text", "text": a}],
                },
                "raw": None,
            }
        ),
    ),
    "a completion of LlamaIndex": (".json", lambda a: dump({"text": a, "additional_kwargs": {}, "raw": None})),
    "Haystack": (".json", lambda a: dump({"llm": {"replies": [a], "meta": [{"model": "x"}]}})),
    "messages of Haystack": (".json", lambda a: dump({"replies": [message([{"text": a}])]})),
    "AI SDK": (".json", lambda a: dump({"text": a, "finishReason": "stop", "response": {"id": "x"}})),
    "promptfoo": (
        ".json",
        lambda a: dump(
            {
                "evalId": "e",
                "results": {"results": [{"prompt": {"raw": NOISE}, "response": {"output": a, "cached": False}}]},
            }
        ),
    ),
    "lm-eval": (
        ".jsonl",
        lambda a: lines({"doc_id": 0, "doc": {"text": NOISE}, "target": "zz", "resps": [[a]], "filtered_resps": [a]}),
    ),
    "Inspect": (
        ".json",
        lambda a: dump(
            {
                "eval": {"task": "t"},
                "samples": [{"id": "d1", "input": NOISE, "messages": [USER, message(a)], "output": chat(a)}],
            }
        ),
    ),
    "evals of OpenAI": (
        ".jsonl",
        lambda a: lines({"sample_id": "d1", "type": "sampling", "data": {"prompt": [USER], "sampled": [a]}}),
    ),
    "Langfuse": (".jsonl", lambda a: lines({"id": "t1", "input": [USER], "output": message(a)})),
    "LangSmith": (
        ".jsonl",
        lambda a: lines({"id": "r1", "inputs": {"messages": [[USER]]}, "outputs": {"generations": [[{"text": a}]]}}),
    ),
    "outputs of LangSmith": (".jsonl", lambda a: lines({"id": "r1", "inputs": {"q": NOISE}, "outputs": {"output": a}})),
    "Weave": (".jsonl", lambda a: lines({"id": "c", "inputs": {"messages": [USER]}, "output": chat(a)})),
    "a batch of OpenAI": (".jsonl", lambda a: lines({"custom_id": "d1", "response": {"body": chat(a)}})),
    "a batch of Anthropic": (
        ".jsonl",
        lambda a: lines({"custom_id": "d1", "result": {"message": message([{"type": "text", "text": a}])}}),
    ),
}
"""The name of a file and what is in it, around an answer."""
TURTLE = (
    "@prefix : <http://e/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\n"
    ':c1 rdfs:label "dog" ;\n    rdfs:subClassOf :c2 .\n\n:c2 rdfs:label "golden_animal" .\n'
)
ANSWERS = {
    "taxonomy": (
        'Here it is:\n```json\n[{"child": "dog", "parent": "animal"}, {"child": "oak", "parent": "tree"}]\n```\nDone!\n',
        "- animal\n  - dog\n  - cat\n- tree\n  - oak\n",
        "Sure, here is the taxonomy:\n\n- A dog is an animal.\n- An oak is a tree.\n",
        TURTLE,
        f"Here is the ontology:\n{TURTLE}Let me know if you need more.\n",
    ),
    "triples": (
        'Here:\n```json\n[["Oslo", "capital of", "Norway"], ["Bergen", "in", "Norway"]]\n```\n',
        "- Oslo | capital of | Norway\n- Bergen | in | Norway\n",
    ),
    "axioms": ("- Dog SubClassOf Animal\n- Dog hasOwner Person\n", "```\nClass: Dog\n  SubClassOf: Animal\n```\n"),
    "alignment": (
        "cat = chat\ndog = chien\n",
        '```json\n[{"source": "cat", "target": "chat"}, {"source": "dog", "target": "chien"}]\n```\n',
    ),
    "concepts": ('["aspirin", "fever"]', "Here are the concepts:\n\n- aspirin\n- heart attack\n"),
    "labels": ("x1: cat\nx2: dog\nx3: cat\n", '```json\n{"x1": "cat", "x2": "dog"}\n```\n'),
    "sentences": ("The cat sleeps on the mat.", "```\nThe cat sleeps.\n```\n", "Here is the sentence:\nThe cat sleeps.\n"),
    "unl": ("[S:1]\n{unl}\nagt(sleep.@entry, cat)\n{/unl}\n[/S]\n", "Here:\n```\n{unl}agt(sleep, cat){/unl}\n```\n"),
}  # fmt: skip


def read(path, text, kind):
    path.write_text(text, encoding="utf-8")
    model = goldassay.read(path, kind=kind)
    if kind == "sentences":
        return [" ".join(words) for words in model.wordings]
    if kind == "unl":
        return [list(model.sentences[row].relations) for row in range(len(model))]
    # An answer by itself has no id.
    return sorted(model.item(row).split(": ", kind != "labels")[-1] for row in range(len(model)))


@pytest.mark.filterwarnings("ignore::goldassay.SuspectInputWarning")
@pytest.mark.parametrize("kind", ANSWERS)
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_what_is_around_an_answer_changes_nothing(wrapper, kind, tmp_path):
    suffix, wrap = WRAPPERS[wrapper]
    for number, answer in enumerate(ANSWERS[kind]):
        bare = read(tmp_path / f"bare{number}.txt", answer, kind)
        assert bare
        if kind == "sentences":
            bare = ["The cat sleeps on the mat." if "mat" in answer else "The cat sleeps."]
        assert read(tmp_path / f"a{number}{suffix}", wrap(answer), kind) == bare, answer
