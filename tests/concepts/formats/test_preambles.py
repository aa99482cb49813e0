"""What models write around a text is left out: it changes no concept, no assertion and no place."""

import json

import pytest
from tests.growing import is_linear, spent

from goldassay.concepts import read_concepts
from goldassay.concepts.formats.preambles import blank_preambles, blank_thoughts

NOTE = "HISTORY: 52-year-old man with asthma and gout. No fever.\n\nASSESSMENT\nAsthma exacerbation."


@pytest.mark.parametrize(
    "preamble",
    [
        "Possible clinical note: ",
        "Sure, here is a clinical note based on the conversation:\n\n",
        "Here is the summary you asked for:\n",
        "**Suggested SOAP note:**\n",
        "Clinical note:\n",
        "Below is a possible summary of the visit: ",
    ],
)
def test_a_preamble_changes_nothing(preamble, tmp_path):
    path = tmp_path / "notes.jsonl"
    lines = [{"id": 1, "text": preamble + NOTE}, {"id": 2, "text": NOTE}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    concepts = read_concepts(path)
    assert concepts.found(0) == concepts.found(1)
    assert concepts.texts[0].startswith(preamble)
    assert any("1 document has text that models write around an answer" in note for note in concepts.notes)
    spans = [concepts.mentions.spans[concepts.documents()[concepts.mentions.items] == at] for at in (0, 1)]
    assert (spans[0] - len(preamble)).tolist() == spans[1].tolist()


@pytest.mark.parametrize(
    "text",
    [
        "Note: this is not medical advice. ",
        "As an AI language model, I cannot diagnose fever.",
        "I hope this helps!",
        "Let me know if you would like changes to the plan.",
        "This information is for educational purposes only and no diagnosis.",
    ],
)
def test_a_sentence_around_a_note_is_left_out(text):
    [blank], count = blank_preambles([f"Gout. {text}"])
    assert (blank.strip(), len(blank), count) == ("Gout.", len(text) + 6, 1)


@pytest.mark.parametrize(
    "text", ["Possible fracture of the note-taking hand.", "Let me know if you have fever.", "This is a 52-year-old man: gout.", ""]
)  # fmt: skip
def test_what_a_note_says_is_left_in(text):
    assert blank_preambles([text]) == ([text], 0)


@pytest.mark.parametrize(
    "piece",
    ["possible note ", "here is the note ", "note: not ", "This is a ", "a" * 60 + " ", "as an ai ", "\n", ". This ", "let me know if you would like "],
)  # fmt: skip
def test_time_is_linear(piece):
    def seconds(size):
        return spent(blank_preambles, [(piece * size)[: 60 * size] + " medical advice purposes substitute"])

    assert is_linear(seconds, 2000, 0.005)


def test_example_of_blank_thoughts():
    assert blank_thoughts(["<think>Gout?</think>Fever.", "Gout?</think>Fever."], answers=False) == (
        ["                    Fever.", "             Fever."],
        2,
    )
