"""What a model or a chat writes before its answer, and is none of it: prompts, thoughts, drafts, and what each is called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from goldassay.core.patterns import pattern_of
from goldassay.formats.answers.names import is_prose
from goldassay.formats.answers.notes import THINKING

THOUGHTS = pattern_of(
    r"<(?P<tag>think|thinking|reasoning|thought|scratchpad|seed:think)>.*?(?:</(?P=tag)>|\Z)|◁think▷.*?(?:◁/think▷|\Z)|\[THINK\].*?(?:\[/THINK\]|\Z)"
    r"|\[\[ ## (?:reasoning|rationale|thoughts?) ## \]\].*?(?=\[\[ ## |\Z)|<\|channel\|>(?:analysis|commentary)\b.*?(?:<\|(?:end|call)\|>|\Z)"
    r"|<\|begin_of_thought\|>.*?(?:<\|end_of_thought\|>|\Z)|<details type=\"reasoning\"[^>]{0,200}>.*?(?:</details>|\Z)|<unused94>.*?(?:<unused95>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""What a model thinks before it answers."""
LEADING = pattern_of(
    r"\s*+(?:<(?P<above>analysis|plan|planning|reflection)>.*?</(?P=above)>(?=\s*+\S)|(?:analysis|commentary).*assistant(?:final|<\|channel\|>final<\|message\|>))",
    re.DOTALL,
)
"""What is so only at the beginning: an element above others, and the channels of gpt-oss without their marks, of which the last one is the answer."""
TURNS = pattern_of(
    r"<\|im_start\|>(?:system|user)\b.*?(?:<\|im_end\|>|\Z)|<\|start_header_id\|>(?:system|user)\b.*?(?:<\|eot_id\|>|\Z)"
    r"|<start_of_turn>user\b.*?(?:<end_of_turn>|\Z)|\[INST\].*?(?:\[/INST\]|\Z)",
    re.DOTALL,
)
"""What a model was asked, in a chat as it is given to the model."""
STATED = (
    "answer|response|output|results?|version|solution|list|taxonomy|hierarchy|ontology|tree|outline|triples|triplets|knowledge graph|alignment|mappings?"
    "|labels?|sentence|category|classification|prediction"
)
"""What a model is asked for, as its answer is called."""
FINAL = pattern_of(rf"(?:(?:the|my) )?(?:final|revised|corrected|improved)(?:[ _](?:{STATED}))", re.IGNORECASE)
"""What the last of several answers is called; no item is called so."""
CALLED = {
    "asked": r"user|human|you|system|(?:system|human) message|(?:system )?prompt|instructions?",
    "assistant": r"assistant|chatgpt|ai message",
    "model": r"ai|gpt|claude|gemini|model|bot",
    "thought": rf"(?:(?:my|step[ -]by[ -]step) )?(?:{THINKING}|reasoning|rationale)|chain[ -]of[ -]thought|scratchpad",
    "tried": r"(?:(?:first|second|third|initial|rough) )?(?:draft|attempt)(?: ?\d{1,2})?",
    "answered": r"(?:the |my )?(?:answer|response|output|result)s?",
    "final": FINAL.pattern,
}
"""What parts of a chat or of an answer are called: the prompt, what the model wrote, thoughts, answers that others follow, answers, and the last of these."""
KINDS = "|".join(f"(?P<{kind}>{words})" for kind, words in CALLED.items())
TITLE = pattern_of(
    rf"^[ \t]{{0,3}}(?P<dress>#{{0,6}}[ \t]*(?:={{2,60}}[ \t]*|\*\*|__|\[)?)(?:{KINDS})[ \t]*"
    r"(?P<end>(?:sa(?:id|ys)[ \t]*)?[:\uff1a](?:\*\*|__|\])?[ \t]*|(?:\*\*|__|\])[ \t]*[:\uff1a][ \t]*|(?:\*\*|__|={2,60}|\])?[ \t]*$)",
    re.MULTILINE | re.IGNORECASE,
)
"""What begins a part: a heading, a word in bold or between marks, or one before a colon, which a text may follow."""
OPENING = (
    "user", "human", "you ", "you:", "system", "prompt", "instruction", "assistant", "chatgpt", "ai message", "thought", "thinking",
    "analysis", "reasoning", "rationale", "chain", "scratchpad", "draft", "attempt",
)  # fmt: skip
"""What is in every beginning with the title of a part above an answer, in lower case."""
LAST = pattern_of("[Ff]inal|FINAL|[Rr]evised|[Cc]orrected|[Ii]mproved")
"""What is in most titles of a last answer."""
RARE = ("inal", "INAL", "evised", "orrected", "mproved")
"""What is in every text with one of these."""
ALPACA = "Below is an instruction"
"""What instructions of Alpaca begin with."""
NUMBERED = pattern_of(
    r"^[ \t]*+(?:#{1,6}[ \t]++|\*\*|\[)?(?:[^\W\d]{1,20} )?[^\d\s]{0,40}+\d[\w.-]{0,40}+[*\]:]{0,4}[ \t]*+$",
    re.MULTILINE,
)
"""The id of one of several documents, on a line of its own."""
LOOKED_AT = 2**12
FENCES = ("```", "~~~")
SIGNS = {
    "<": ("</", "<think", "<|", "_turn>", "<unused94>"),
    "[": ("INST]", "THINK]", "[[ ##"),
    "\u25c1": ("\u25c1think",),
}
"""What is in every text with marks of thoughts or of turns, by a character that a text without them often lacks."""
LONGEST = 100
"""Before the name of a part there are at most so many characters on its line."""
CHATS = (("asked", "assistant"), (("assistant", "model"), ("answered",)))
THOUGHT = (("thought", "tried"), (("final",), ("tried", "answered")))
"""The parts of a chat, and of one answer: what must be above the part that is read, and which kinds of it are preferred."""
Fill: TypeAlias = Callable[[str], str]


class Title(NamedTuple):
    """What begins a part of a text: what kind of part it is, and where its line begins and its title ends."""

    kind: str
    start: int
    end: int


def without_turns(text: str, fill: Fill, *, titled: bool = True) -> str:
    """Fill what a text has before its final answer: thoughts and prompts, and if it may have titles, drafts and titles too; of a chat, also what was asked below it."""
    if led := LEADING.match(text):
        text = fill(led[0]) + text[led.end() :]
    if may_have_turns(text):
        head, end, rest = text.partition("</think>")
        if end and "<think>" not in head:
            text = fill(head + end) + rest
        for pattern in (THOUGHTS, TURNS):
            text = pattern.sub(lambda found: fill(found[0]), text)
    if titled and _may_have_parts(text):
        for begins, ends in (CHATS, THOUGHT):
            text = _last_part(text, fill, begins, ends)
    return text


def may_have_turns(text: str) -> bool:
    """Return whether a text may have marks of thoughts or of turns."""
    return has_signs(text, SIGNS)


def has_signs(text: str, signs: Mapping[str, Sequence[str]]) -> bool:
    """Return whether a text has one of some signs, each of which has a character that most texts lack."""
    return any(sign in text and any(map(text.__contains__, signs[sign])) for sign in signs)


def _may_have_parts(text: str) -> bool:
    """Return whether a text may have a part above its answer, or a last answer: most have none, and are not looked through for titles."""
    start = text[:LOOKED_AT].lower()
    if any(map(start.__contains__, OPENING)) and any(not one["answered"] for one in TITLE.finditer(text, 0, LOOKED_AT)):
        return True
    if not any(map(text.__contains__, RARE)):
        return False
    ends = (text.rfind("\n", max(0, one.start() - LONGEST), one.start()) for one in LAST.finditer(text))
    return any(TITLE.match(text, end + 1) for end in ends)


def begins_with_turns(text: str) -> bool:
    """Return whether a text begins with the title of thoughts, or with one of a chat on a line of its own, and has an answer below it.

    What follows a name, line by line, may be a dialogue whose lines are read one by one.
    """
    first = TITLE.match(text := text.lstrip("\n"))
    begins = first and (text[first.end() :].startswith("\n") or any(first[kind] for kind in THOUGHT[0]))
    return bool(begins or text.startswith(ALPACA)) and without_turns(text, lambda _: "") != text


def _last_part(text: str, fill: Fill, begins: Sequence[str], ends: Sequence[Sequence[str]]) -> str:
    """Fill what is around the last part of some kinds that is not empty, if a part of other kinds is above it; what is final needs none."""
    titles = [one for one in _titles(text) if one.kind in (*begins, *chain.from_iterable(ends))]
    if not titles:
        return text
    first, begin = titles[0], len(text) - len(text.lstrip())
    opened = first.kind in begins and _is_first(text[: first.start], first.kind)
    stops = [*(one.start for one in titles[1:]), len(text)]
    parts = [
        one
        for one, stop in zip(titles, stops, strict=True)
        if (one.start > begin if one.kind == "final" else opened and (one is not first or one.kind == "assistant"))
        and text[one.end : stop].strip()
    ]
    chosen = next(filter(None, ([one for one in parts if one.kind in kinds] for kinds in ends)), [])
    if not chosen or (len(chosen) > 1 and begins is THOUGHT[0] and _is_of_documents(text, titles)):
        return text
    last = chosen[-1]
    asked = next((one.start for one in titles if one.start > last.start and one.kind == "asked"), len(text))
    return fill(text[: last.end]) + text[last.end : asked] + fill(text[asked:])


def _titles(text: str) -> Iterator[Title]:
    """List the titles of parts outside code fences; a word by itself is one only if it has a mark or says that it is final."""
    fences = end = 0
    for found in TITLE.finditer(text):
        kind = next(kind for kind in CALLED if found[kind])
        fences, end = fences + sum(text.count(mark, end, found.start()) for mark in FENCES), found.start()
        if (kind == "final" or found["dress"].strip() or found["end"].strip()) and fences % 2 == 0:
            yield Title(kind, found.start(), found.end())


def _is_of_documents(text: str, titles: Sequence[Title]) -> bool:
    """Return whether a text has the ids of several documents, each of which may have an answer."""
    return len({one.start() for one in NUMBERED.finditer(text)}.difference(one.start for one in titles)) > 1


def _is_first(above: str, kind: str) -> bool:
    """Return whether what is above the first part is none of it: rules above a chat, a line such as 'Sure!' above thoughts."""
    if kind in CHATS[0]:
        return not above.strip(" \n=-*#") or above.lstrip().startswith(ALPACA)
    return all(map(is_prose, filter(None, map(str.strip, above.split("\n")))))
