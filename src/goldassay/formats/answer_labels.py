"""The labels of an answer to one item, without what models write around them: a box, a score, a sentence, a reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from goldassay.formats.answer_lines import Line, end_of, is_prose, name_of
from goldassay.formats.answer_means import Meaning
from goldassay.formats.roles import NUMBER

PREFIX = re.compile(
    r"[*_#>\s-]*(?:(?:the|my|this|final|predicted|correct|best|most likely|appropriate) ){0,4}"
    r"(?:labels?|types?|class(?:es)?|categor(?:y|ies)|answer|prediction|output|topic)(?:\W{0,3}[:=]\W*| (?:is|are|would be|should be):?\s\W*)(\w.*)",
    re.IGNORECASE,
)
"""A line that names the label of the one item of an answer."""
BOXED = re.compile(r"\\boxed\{(?:\\(?:text|mathrm|textbf|mathbf)\{)?([^{}]{1,200})\}")
"""Where an answer is boxed, as answers to problems are."""
SCORE = re.compile(
    r"(?:\s[-\u2013\u2014]\s|[,:;(\[])\s?(?:(?:confidence|score|probability|prob|certainty|conf)\s?[:=]?\s?)?"
    r"([01]?\.\d{1,20}|[01]\.0{1,20}|\d{1,3}(?:\.\d{1,20})?\s?%)[)\]]?$",
    re.IGNORECASE,
)
"""A share behind a label."""
REASON = re.compile(
    r"(?:reason(?:ing)?|explanation|justification|rationale|because|confidence|score|note|comment|evidence|analysis|why)\b"
)
"""How a line begins that says more of the label above it, in lower case."""
SENTENCE = re.compile(
    r"(?:the|this|it|i|based on|given|according to)\s(?:[^.]{0,200}\s)?(?:is|are|was|belongs|falls|seems|appears|describes|discusses|mentions|would|could|should|think|believe)\s",
    re.IGNORECASE,
)
"""How a sentence begins that has a label somewhere in it."""
FEW_WORDS = 8
"""A line of an answer to one item is a label if it has at most this many words."""
BETWEEN = (":", "->", "=", "|", "\t", "\u2192")
"""What is between an instance and its label."""


class Label(NamedTuple):
    """A label, and the score behind it as it is written."""

    name: str
    score: str = ""


def label_of(text: str, clean: Any = name_of) -> Label:
    """Split a label and the share behind it.

    Example:
        >>> label_of("sport (0.95)"), label_of("arts - 80%"), label_of("phase (1)")
        (Label(name='sport', score='0.95'), Label(name='arts', score='0.8'), Label(name='phase (1)', score=''))
    """
    plain = text.strip().strip("*_`").rstrip(". ")
    found = SCORE.search(plain)
    if not found or not found.start():
        return Label(clean(text))
    share = found[1]
    score = f"{float(share.rstrip('% ')) / 100:g}" if share.endswith("%") else share
    return Label(clean(plain[: found.start()]), score)


def is_label(name: str) -> bool:
    """Return whether a text may be a label: few words, and no sentence.

    Example:
        >>> is_label("sport"), is_label("The text is about sport.")
        (True, False)
    """
    return 0 < len(name.split()) <= FEW_WORDS and not SENTENCE.match(name)


def stated_label(body: str, lines: Sequence[Line]) -> list[Label]:
    r"""Return the label that an answer states as the one: in a box, behind a word for it, on its only line, or above a reason.

    Example:
        >>> from goldassay.formats.answer_lines import lines_of_answer
        >>> texts = (r"So it is \boxed{sport}.", "The label is arts.", "sport\n\nReason: it mentions football.")
        >>> [stated_label(text, lines_of_answer(text))[0].name for text in texts]
        ['sport', 'arts', 'sport']
    """
    if boxed := BOXED.findall(body):
        return [label_of(boxed[-1])]
    if len(prefixed := [found[1] for line in body.split("\n") if (found := PREFIX.fullmatch(line))]) == 1:
        return [label_of(prefixed[0], end_of)]
    if not lines or lines[0].marked:
        return []
    first, more = label_of(lines[0].text), lines[1:]
    only_one = bool(first.score) if not more else all(map(_is_reason, more))
    around = first.name.endswith(":") or is_prose(first.name) or REASON.match(first.name.lower())
    named = only_one and not around and is_label(first.name) and not any(mark in first.name for mark in BETWEEN)
    return [first] if named else []


def _is_reason(line: Line) -> bool:
    return REASON.match(line.text.lower().lstrip("*_(")) is not None or not is_label(line.text)


def labels_in(value: Any, meaning: Meaning) -> list[Label]:
    """List the labels in a value of JSON: a text, a list, or an object with one of these, with their scores.

    Example:
        >>> from goldassay.formats.answer_means import OF_LABELS
        >>> labels_in({"label": "sport", "confidence": 0.9}, OF_LABELS), labels_in(["sport", {"label": "arts"}], OF_LABELS)
        ([Label(name='sport', score='0.9')], [Label(name='sport', score=''), Label(name='arts', score='')])
    """
    if isinstance(value, dict) and meaning.roles.pair and meaning.roles.recognises(list(value)):
        # A whole correspondence, not the target of the one that the answer is for.
        return []
    found = list(_labels_in(value, meaning)) if isinstance(value, dict | list | str) else []
    return found if all(one.name.strip() for one in found) else []


def _labels_in(value: Any, meaning: Meaning) -> Iterator[Label]:
    if isinstance(value, str):
        yield Label(value)
        return
    if isinstance(value, list):
        for one in value:
            yield from _labels_in(one, meaning) if isinstance(one, str | dict) else [Label("")]
        return
    called = meaning.roles.called(meaning.ends[2], list(value)) if isinstance(value, dict) else []
    stated = value[called[0]] if called else None
    if isinstance(stated, list):
        yield from _labels_in(stated, meaning)
        return
    scores = [str(value[name]) for name in meaning.roles.called("score", list(value))] if called else []
    score = next((one for one in scores if NUMBER.fullmatch(one)), "")
    yield Label(stated if isinstance(stated, str) else "", score)
