"""What a model or a chat writes before its final answer is left out, in every family and container, and is counted."""

import json

import pytest

import goldassay
from goldassay.formats.answers.turns import without_turns

THOUGHTS = "I should list them.\n- x\n  - y\n(foo, bar, baz)\ncat -> dog\nd1: Wrong\n"
TREE = "- animal\n  - dog\n  - cat\n- plant\n  - oak\n"
BODIES = {
    "taxonomy": TREE,
    "triples": "(Oslo, capital of, Norway)\n(Marie Curie, born in, Warsaw)\n",
    "labels": "d1: Sports\nd2: World\n",
    "alignment": "cat = chat\ndog = chien\n",
    "axioms": "(Dog, subClassOf, Animal)\n(Person, owns, Dog)\n",
    "concepts": "q1: aspirin, fever\nq2: insulin\n",
    "sentences": "The dog runs.\n",
}
ANSWERS = {**BODIES, "labels": "Sports", "concepts": "- aspirin\n- fever"}
AROUND = {
    "a chat": "User:\nList dog, cat, oak.\n\nAssistant:\n{body}",
    "a chat that goes on": "User:\nList them.\n\nAssistant: No.\nUser:\nAgain.\nAssistant:\n{body}\nUser: thanks\n",
    "Alpaca": "### Instruction:\nList dog, cat.\n\n### Response:\n{body}",
    "Alpaca with its preamble": "Below is an instruction that describes a task.\n\n### Instruction:\nList dog.\n\n### Response:\n{body}",
    "LangChain": f"{'=' * 32} Human Message {'=' * 32}\n\nList them.\n{'=' * 34} Ai Message {'=' * 34}\n\n{{body}}",
    "ChatGPT": "You sa\x69d:\nList them\nChatGPT sa\x69d:\n{body}",
    "attempts": "Attempt 1:\n{thoughts}\nAttempt 2:\n{body}",
    "a draft": "Draft:\n{thoughts}\n\nFinal taxonomy:\n\n{body}",
    "gpt-oss": "analysis{thoughts}assistantfinal{body}",
    "gpt-oss with a tool": "analysis{thoughts}assistantfinal{thoughts}assistantanalysisNo.assistantfinal{body}",
    "headings": "### Reasoning\n{thoughts}\n### Final Answer\n{body}",
    "headings in bold": "**Reasoning:**\n{thoughts}\n**Answer:**\n{body}",
    "several final answers": "### Reasoning\n{thoughts}\n### Final Answer\n{thoughts}\nWrong.\n### Final Answer\n{body}",
    "elements": "<analysis>{thoughts}</analysis>\n<output>{body}</output>",
    "Open WebUI": '<details type="reasoning" done="true">\n<summary>Thought</summary>\n{thoughts}</details>\n{body}',
    "OpenThinker": "<|begin_of_thought|>{thoughts}<|end_of_thought|>\n<|begin_of_solution|>{body}<|end_of_solution|>",
    "MedGemma": "<unused94>thought\n{thoughts}<unused95>{body}",
    "ReAct": "Thought: I should list them.\nFinal Answer:\n{body}",
    "ReAct on one line": "Thought: I should list them.\nFinal Answer: {body}",
    "thoughts around": "<think>{thoughts}</think>\n{body}\n<think>{thoughts}</think>\n",
}


def read(path, text, kind):
    path.write_text(text)
    model = goldassay.read(path, kind=kind)
    return sorted(model.item(row) for row in range(len(model))), model


def as_text(text):
    return text


def as_records(text):
    return "".join(f"{json.dumps({'id': name, 'output': text})}\n" for name in ("q1", "q2"))


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("kind", BODIES)
def test_what_is_before_the_final_answer_is_left_out(kind, around, tmp_path):
    for write, bodies, name in ((as_text, BODIES, "answer.txt"), (as_records, ANSWERS, "answers.jsonl")):
        expected, _ = read(tmp_path / name, write(bodies[kind]), kind)
        items, model = read(tmp_path / name, write(AROUND[around].format(body=bodies[kind], thoughts=THOUGHTS)), kind)
        assert items == expected
        counted = {"lines_of_thoughts", "lines_of_prose"} & model.left_out.keys()
        assert counted or (kind == "concepts" and model.notes)


@pytest.mark.parametrize(
    ("text", "roots"),
    [
        ("# Output\n- printer\n- screen\n", {"Output"}),
        ("Reasoning:\n- deduction\n- induction\nLearning:\n- deep\n", {"Reasoning", "Learning"}),
        ("AI:\n  - learning\n    - deep learning\n", {"AI"}),
        ("Final taxonomy:\n- animal\n  - dog\n- plant\n  - oak\n", {"animal", "plant"}),
        (f"Assistant:\n{TREE}", {"animal", "plant"}),
    ],
)
def test_a_root_that_is_called_like_a_part_of_an_answer_stays_where_none_is_above_it(text, roots, tmp_path):
    edges, _ = read(tmp_path / "answer.txt", text, "taxonomy")
    pairs = [edge.split(" -> ") for edge in edges]
    assert {parent for _, parent in pairs} - {child for child, _ in pairs} == roots


def test_a_dialogue_of_sentences_stays(tmp_path):
    items, _ = read(tmp_path / "dialogue.txt", "User: Hi.\nAssistant: Hello.\nUser: Fine.\n", "sentences")
    assert len(items) == 3


def test_each_of_several_documents_has_its_answer(tmp_path):
    text = "### doc1\nThought: x\nFinal Answer:\n(a, b, c)\n### doc2\nThought: y\nFinal Answer:\n(d, e, f)\n"
    items, _ = read(tmp_path / "answer.txt", text, "triples")
    assert [item.partition(": ")[2] for item in items] == ["a | b | c", "d | e | f"]


@pytest.mark.filterwarnings("ignore::goldassay.GoldassayWarning")
@pytest.mark.parametrize(
    "ending", [{"finish_reason": "length"}, {"stop_reason": "max_tokens"}, {"done_reason": "stop"}]
)
@pytest.mark.parametrize("kind", sorted({*ANSWERS} - {"taxonomy"}))
def test_answers_that_are_cut_off_are_named(kind, ending, tmp_path):
    rows = [{"id": name, "output": ANSWERS[kind], **ending} for name in ("q1", "q2")]
    cells = "".join(f'{row["id"]},"{row["output"]}",{row[key]}\n' for row in rows for key in ending)
    written = {
        "answers.json": json.dumps(rows),
        "answers.jsonl": "".join(f"{json.dumps(row)}\n" for row in rows),
        "answers.csv": f"id,output,{','.join(ending)}\n{cells}",
    }
    for name, text in written.items():
        _, model = read(tmp_path / name, text, kind)
        cuts = [line for line in model.warnings if line.startswith("2 answers were cut off by the service")]
        assert len(cuts) == ("done_reason" not in ending)


@pytest.mark.parametrize("kind", sorted({*BODIES} - {"sentences"}))
def test_an_answer_that_ends_in_a_fence_is_named(kind, tmp_path):
    for end, count in (("", 1), ("```\n", 0)):
        _, model = read(tmp_path / "answer.txt", f"Here it is:\n\n```\n{BODIES[kind]}{end}", kind)
        assert sum("fence that is not closed" in line for line in model.warnings) == count


@pytest.mark.parametrize(
    ("text", "left"),
    [
        # What is called final needs no title above it, unless it is the first.
        ("- a -> b\n\nFinal taxonomy:\n- c -> d\n", "\n- c -> d\n"),
        ("- a -> b\n\nFinal taxonomy\n- c -> d\n", "\n- c -> d\n"),
        ("- a -> b\n\n## Final Taxonomy\n- c -> d\n", "\n- c -> d\n"),
        ("\n\nFinal taxonomy:\n- c -> d\n", None),
        ("- a -> b\n\nFinal taxonomy:\n\n", None),
        # Any other word needs a mark.
        ("Draft:\n- a -> b\nAnswer\n- c -> d\n", None),
        ("Draft:\n- a -> b\nAnswer:\n- c -> d\n", "\n- c -> d\n"),
        # Titles in code are none.
        ("Thoughts:\nhm\n```\nAnswer:\n- x\n```\nAnswer:\n- c -> d\n", "\n- c -> d\n"),
        ("Thoughts:\nhm\n```\n- x\n```\n```\n- y\nAnswer:\n- z\n```\n", None),
        ("Thoughts:\n```\n- x\n```\n```\n- y\n```\nAnswer:\n- z\n", "\n- z\n"),
        ("```\n- a -> b\nFinal taxonomy:\n- c -> d\n```\n", None),
        # Above thoughts may be prose, and above a chat rules.
        ("1. cat\nThinking: hm\nAnswer: x\n", None),
        ("Sure!\nThinking: hm\nAnswer: x\n", "x\n"),
        ("===\nThinking: hm\nAnswer: x\n", None),
        ("===\nUser: a\nAssistant: b\n", "b\n"),
        ("Sure!\nUser: a\nAssistant: b\n", None),
        ("cat\nUser: a\nAssistant: b\n", None),
        # Of a chat the last turn is read, and nothing that was asked below it.
        ("User: a\nAssistant: b\nUser: c\nAssistant: d\nUser: e\n", "d\n"),
        ("User: a\nAssistant: b\nUser: c\nAssistant:\n", "b\n"),
        ("Assistant: b\n", "b\n"),
        ("Answer: b\n", None),
        # Several answers are of several documents where these have ids.
        ("Thinking: hm\nAnswer: b\nAnswer: c\n", "c\n"),
        ("Thinking: hm\n\ndoc1\nAnswer: b\nAnswer: c\n", "c\n"),
        ("Thinking: hm\n\ndoc1\nAnswer: b\ndoc2\nAnswer: c\n", None),
        ("Thinking: hm\n\ndoc1\ndoc2\nAnswer: c\n", "c\n"),
    ],
)
def test_the_last_part_of_an_answer_is_left(text, left):
    assert without_turns(text, lambda _: "") == (text if left is None else left)
