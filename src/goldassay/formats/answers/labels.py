"""The labels of an answer to one item, without what models write around them: a box, a score, a sentence, a reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any, NamedTuple

from goldassay.core.patterns import pattern_of
from goldassay.core.text import BULLETS
from goldassay.formats.answers.fields import FIELD
from goldassay.formats.answers.lines import Line
from goldassay.formats.answers.means import Meaning
from goldassay.formats.answers.names import BEGINS, OF_SCORES, SHARED, end_of, is_prose, name_of, number_of
from goldassay.formats.answers.notes import REASONS
from goldassay.formats.answers.outline import DESCRIBED
from goldassay.formats.answers.tables import tables_in
from goldassay.formats.column_names import NUMBER, levels_of_label

CALLED = (
    r"(?:(?:the|my|this|final|predicted|correct|best|most likely|appropriate|primary|main|top|closest|assigned|suggested|target)[ _-]){0,4}"
    r"(?:labels?|types?|class(?:es)?|classifications?|categor(?:y|ies)|answer|prediction|output|result|topic|match(?:es)?|mappings?|candidates?|equivalents?"
    r"|kategorien?|klassen?|thema|antwort|catégories?|classes?|étiquettes?|réponse|categorías?|clases?|etiquetas?|respuesta"
    r"|类别|類別|分类|分類|标签|答案|カテゴリー?|ラベル|回答)"
)
"""What an answer to one item is called."""
NAMED = pattern_of(CALLED, re.IGNORECASE)
PREFIX = pattern_of(
    rf"[*_#>\s-]*(?:(?:therefore|thus|hence|so|overall),? )?{CALLED}(?: for \W?[^\n\"'*`]{{1,100}}\W?)?(?:\W{{0,3}}[:\uff1a=]\W*| (?:is|are|would be|should be):?\s\W*)(\w.*)",
    re.IGNORECASE,
)
"""A line that names the label of the one item of an answer."""
INSIDE = pattern_of(
    rf"(?<=[.!?,;:])\s(?:(?:actually|therefore|thus|hence|so|overall),? )?{CALLED}(?:\s?[:=]\s|\s(?:is|are|would be|should be):?\s)\W*(\w[^\n]*)"
    r"|(?:答案|标签|類別|类别|分类)(?:是|为|為|\uff1a)\s*([^\n]+)",
    re.IGNORECASE,
)
"""What names the label of the one item behind other words on its line."""
NEXT_ITEM = pattern_of(
    r"(?<=\S)\s*\n\s*\n\s*(?:#{1,6} ?)?(?:text|input|question|q|sentence|document|review|passage|tweet|instruction|user|human)(?: ?\d{1,4})?\s?[:\uff1a]",
    re.IGNORECASE,
)
"""Where a model runs on behind its answer, with another item that it makes up."""
SECTION = pattern_of(rf"^[ \t]*(?:#{{1,6}}[ \t]+|\*\*){CALLED}[*: \t]*$", re.IGNORECASE | re.MULTILINE)
"""A heading above the label of the one item of an answer."""
QUESTION = pattern_of(r"\s*Q(?:uestion)?:\s[^\n]*\n\s*A(?:nswer)?:\s", re.IGNORECASE)
"""A question that is repeated before its answer."""
EXPLAINS = pattern_of(
    rf"(?:{BEGINS}|both|because|since|as|due|mentions|refers|describes|discusses|text|document)\b|(?:\S{{1,40}}\s){{5}}\S",
    re.IGNORECASE,
)
"""How an explanation behind a label begins, or that it is long."""
MARKED = pattern_of(r"[\"“]([^\"“”]{1,100})[\"”]|\*\*([^*]{1,100})\*\*|`([^`]{1,100})`")
"""A name that is marked within a sentence."""
BOXED = pattern_of(r"\\boxed\{(?:\\(?:text|mathrm|textbf|mathbf)\{)?([^{}]{1,200})\}")
"""Where an answer is boxed, as answers to problems are."""
SCORE = pattern_of(
    rf"(?:\s[-\u2013\u2014]\s|[,:;(\[])\s?(?:(?:{OF_SCORES})\s?[:=]?\s?)?({SHARED})[)\]]?$",
    re.IGNORECASE,
)
"""A share behind a label."""
FIRST_SENTENCE = pattern_of(r"[.!]\s(?=(?:the|this|it|because|since)\s)", re.IGNORECASE)
"""Where a label ends that is a sentence by itself."""
SCORED = pattern_of(
    rf"^[ \t]*+(?:[{BULLETS}][ \t]++)?[*_]{{0,3}}(?:{OF_SCORES})(?: score| level)?[*_]{{0,3}} ?[:=][*_]{{0,3}} ?({SHARED})[*_]{{0,3}}[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line with the score of a label."""
REASON = pattern_of(rf"(?:{REASONS}|because|confidence|score|note|comment|evidence|analysis|why)\b")
"""How a line begins that says more of the label above it, in lower case."""
LIKELY = pattern_of(rf"^[\W\d]{{0,20}}(?:{CALLED}|{REASON.pattern})[*_ ]{{0,3}}:", re.IGNORECASE | re.MULTILINE)
"""Where there is a field of an answer at all."""
FEW_LINES = 4
MOST = 0.9
"""A name before a mark is a field if at least this share of answers of one line begin with it."""
SENTENCE = pattern_of(
    r"(?:the|this|it|i|based on|given|according to)\s(?:[^.]{0,200}\s)?(?:is|are|was|belongs|falls|seems|appears|describes|discusses|mentions|would|could|should|think|believe)\s",
    re.IGNORECASE,
)
"""How a sentence begins that has a label somewhere in it."""
WORDS_OF_LABEL = 8
"""A line of an answer to one item is a label if it has at most this many words."""
HOLDS: Mapping[str, bool] = {"yes": True, "true": True, "no": False, "false": False}
BETWEEN = (":", "->", "=", "|", "\t", "\u2192")
"""What is between an instance and its label."""


def without_reasons(lines: Sequence[Line]) -> list[Line]:
    """Leave out lines such as 'Explanation: ...' of one answer, and fields that recur in several: they are no names."""
    fields = list(map(_field_of, lines))
    counts = Counter(fields)
    few = len(lines) <= FEW_LINES
    return [
        line
        for line, name in zip(lines, fields, strict=True)
        if not name or (counts[name] == 1 and not (few and REASON.fullmatch(name)))
    ]


def _field_of(line: Line) -> str:
    """Return the name of the field of a line, if it is called as what is asked for, or as what says more of it."""
    found = FIELD.fullmatch(line.text.strip()) if ":" in line.text else None
    name = found[1].lower() if found else ""
    return name if NAMED.fullmatch(name) or REASON.fullmatch(name) else ""


def with_heads(lines: Sequence[Line], meaning: Meaning) -> Sequence[Line]:
    """Write a name above fields as a field, and the fields by the names of columns, so that each block is a record."""
    fields = list(map(_field_of, lines))
    found = list(lines)
    for at, (line, field) in enumerate(zip(lines, fields, strict=True)):
        if NAMED.fullmatch(field):
            found[at] = line._replace(text=f"{meaning.ends[2]}: {line.text.partition(':')[2].lstrip('*_ ')}")
        elif not field and any(fields[at + 1 : at + 2]) and line.depth <= lines[at + 1].depth:
            name = name_of(line.text.strip("*_ ").removesuffix(":"))
            above = line.marked or line.depth < lines[at + 1].depth or line.text.startswith("**")
            if above and ":" not in name and is_label(name) and not is_prose(name):
                found[at] = line._replace(text=f"{meaning.ends[0]}: {name}")
    return found


class Label(NamedTuple):
    """A label, and the score behind it as it is written."""

    name: str
    score: str = ""


def label_of(text: str, clean: Any = name_of) -> Label:
    """Split a label and the share behind it."""
    plain = text.strip().strip("*_`").rstrip(". ")
    found = SCORE.search(plain)
    if not found or not found.start():
        return Label(clean(text))
    return Label(clean(plain[: found.start()]), number_of(found[1]))


def with_score(labels: list[Label], body: str) -> list[Label]:
    """Give the one label of an answer the score that a line of its own has, if there is one."""
    scores = list(map(number_of, SCORED.findall(body)))
    return [labels[0]._replace(score=scores[0])] if len(scores) == 1 and not labels[0].score else labels


def fields_in(answers: Mapping[str, Sequence[str]], single: AbstractSet[str] = frozenset()) -> set[str]:
    """Return which instances of answers, by their ids, are fields: those that are called so, or recur, with no other but reasons next to them.

    What the only lines of answers begin with is a field only if almost all of them do: 'Sport - Football' next to 'Art - Painting' are labels.
    """
    names = {item: {one.lower() for one in names} for item, names in answers.items()}
    often = Counter(chain.from_iterable(names.values()))
    first = Counter(chain.from_iterable(names[item] for item in single))
    recur = {one for one, count in often.items() if count > 1 and (not first[one] or first[one] >= MOST * len(single))}
    known = {one for one in often if NAMED.fullmatch(one)} | recur
    known -= {item.lower() for item in answers}
    few = (some for some in names.values() if len(some) <= FEW_LINES)
    alike = (some for some in few if all(one in known or REASON.fullmatch(one) for one in some))
    return set(chain.from_iterable(alike))


def is_label(name: str) -> bool:
    """Return whether a text may be a label: few words, and no sentence."""
    return 0 < len(name.split()) <= WORDS_OF_LABEL and not SENTENCE.match(name)


def section_of(body: str) -> str:
    """Return what is below the heading for an answer, or behind a question."""
    heads = list(SECTION.finditer(body)) if "#" in body or "**" in body else []
    rest = body[heads[-1].end() :] if heads else ""
    if rest.strip():
        return rest
    return body[question.end() :] if (question := QUESTION.match(body)) else body


def labels_in_table(body: str, meaning: Meaning) -> list[Label]:
    """List the labels in a Markdown table of an answer to one item, whose columns name no item."""
    found = tables_in(body, 1, meaning)
    if found is None or found.more or meaning.roles.recognises(found.table[0]):
        return []
    names, *rows = found.table
    named = (
        meaning.roles.called(meaning.ends[2], names) or list(filter(NAMED.fullmatch, names)) or names[: len(names) == 1]
    )
    cells = [dict(zip(names, row, strict=False)) for row in rows if row]
    return [label for row in cells for label in _labels_in(row, meaning, named)] if len(named) == 1 else []


def stated_label(body: str, lines: Sequence[Line], item: str = "", *, headed: bool = False) -> list[Label]:
    """Return the label that an answer states as the one: in a box, behind a word for it, on its only line, or above a reason."""
    if boxed := BOXED.findall(body):
        return [label_of(boxed[-1])]
    if len(prefixed := [found[1] for line in body.split("\n") if (found := PREFIX.fullmatch(line))]) == 1:
        return [label_of(prefixed[0], end_of)]
    if len(lines) == 1 and (inside := [one[1] or one[2] for one in INSIDE.finditer(lines[0].text)]):
        last = label_of(inside[-1], end_of)
        return [last] if is_label(last.name) else []
    if not lines or lines[0].marked or (REASON.match(lines[0].text.lower()) and len(lines) == 1):
        return []
    if explained := _explained(lines, item):
        return explained
    first, more = label_of(lines[0].text), lines[1:]
    only_one = headed or bool(first.score) if not more else all(map(_is_reason, more))
    around = first.name.endswith(":") or is_prose(first.name) or REASON.match(first.name.lower())
    named = only_one and not around and is_label(first.name) and not any(mark in first.name for mark in BETWEEN)
    return [first] if named else []


def _explained(lines: Sequence[Line], item: str) -> list[Label]:
    """Return the one name that is marked in a sentence, or the name before its explanation; what names the item is none."""
    text = lines[0].text
    found = DESCRIBED.search(text) or FIRST_SENTENCE.search(text)
    name = name_of(text[: found.start()]) if found else ""
    if name and name != item and EXPLAINS.match(text[found.end() :] if found else "") and is_label(name):
        return [] if NAMED.fullmatch(name) or REASON.match(name.lower()) else [label_of(name)]
    # What is behind other words in bold is the label, unless it is the end of a path.
    bold = text.find("**", 1) > 1 and not any(mark in text for mark in (*BETWEEN, ">", "/", ","))
    if len(lines) > 1 or (len(text.split()) <= WORDS_OF_LABEL and not bold and not SENTENCE.match(text)):
        return []
    marked = {name for one in MARKED.findall(text) for name in one if name and name.lower() != item.lower()}
    return [label_of(marked.pop())] if len(marked) == 1 else []


def _is_reason(line: Line) -> bool:
    text = line.text.lower().lstrip("*_(")
    return not is_label(line.text) or REASON.match(text) is not None or EXPLAINS.match(text) is not None


def path_of(fields: Mapping[str, Any]) -> list[Label]:
    """Return the label that fields of its levels state, such as a category and its subcategory: a path, as columns of levels do."""
    names = list(fields)
    cells = [fields[names[at]] for at in levels_of_label(names).values()]
    return [Label(" > ".join(cells))] if cells and all(isinstance(one, str) and one.strip() for one in cells) else []


def path_in(lines: Sequence[Line]) -> list[Label]:
    """Return the label whose levels are fields, each on a line."""
    found = filter(None, (FIELD.fullmatch(line.text.strip()) for line in lines))
    return path_of({one[1]: name_of(one[2]) for one in found})


def labels_in(value: Any, meaning: Meaning) -> list[Label]:
    """List the labels in a value of JSON: a text, a list, or an object with one of these, with their scores."""
    inner = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
    rows = inner if isinstance(inner, list) else [value]
    if meaning.roles.pair and any(isinstance(one, dict) and meaning.roles.recognises(list(one)) for one in rows):
        # Whole correspondences, not the targets of the entity that the answer is for.
        return []
    if isinstance(value, dict) and isinstance(value.get("arguments"), dict):
        # What a tool is called with.
        return labels_in(value["arguments"], meaning)
    if isinstance(value, dict) and (path := path_of(value)):
        return path
    found = list(_labels_in(value, meaning)) if isinstance(value, dict | list | str) else []
    return found if all(one.name.strip() for one in found) else []


def _labels_in(value: Any, meaning: Meaning, called: Sequence[str] = ()) -> Iterator[Label]:
    if isinstance(value, str):
        yield Label(value)
        return
    if isinstance(value, list):
        for one in value:
            names = [key for key in ("name", "value", "id") if isinstance(one, dict) and key in one][:1]
            yield from _labels_in(one, meaning, names) if isinstance(one, str | dict) else [Label("")]
        return
    keys = list(value)
    named = meaning.roles.called(meaning.ends[2], keys) or [key for key in keys if NAMED.fullmatch(key)] or called
    shares = (
        {key: HOLDS.get(str(one).lower(), one) for key, one in value.items() if one is not None} if not named else {}
    )
    if shares and all(isinstance(one, int | float) and 0 <= one <= 1 for one in shares.values()):
        # A number for each label, or whether it holds.
        yield from (Label(key, "" if one == 1 else str(one)) for key, one in shares.items() if one)
        return
    stated = value[named[0]] if named else None
    if isinstance(stated, list | dict):
        yield from _labels_in(stated if isinstance(stated, list) else [stated], meaning)
        return
    scores = [_score_of(str(value[name])) for name in meaning.roles.called("score", keys)] if named else []
    yield Label(stated if isinstance(stated, str) else "", next(iter(scores), ""))


def _score_of(text: str) -> str:
    """Write a share as a number; another number, or a word, is no score."""
    return text if NUMBER.fullmatch(text) and 0 <= float(text) <= 1 else label_of(f"x ({text})").score
