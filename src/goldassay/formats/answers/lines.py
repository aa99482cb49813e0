"""The lines of an answer, without bullets, numbers, headings and boxes, and how deep each is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from goldassay.core.patterns import pattern_of
from goldassay.core.text import BULLETS


class RawStatement(NamedTuple):
    """One statement as it is written.

    Attributes:
        line: The line of the file, from 1.
        relation: Its relation; the empty text if it is a pair of names.
        directed: Whether the wording says which side is the child; an arrow without a name does not.
        extra: What is behind it, as it is written: a score, or the kind of an axiom.
    """

    line: int
    subject: str
    relation: str
    object: str
    directed: bool = True
    extra: str = ""


class Line(NamedTuple):
    """A line without its bullet, number, heading or box.

    Attributes:
        depth: What orders nested lines; only comparisons matter.
        marked: Whether there was a bullet, a number, a heading or a box.
    """

    number: int
    text: str
    depth: float
    marked: bool


BOX = pattern_of(r"[\s│┃║|]*(?:[├└╰┣┗╠╚|+`\\][─━═\-]{1,4}+)\s*")
BOXES = "│┃║|├└╰┣┗╠╚+`\\"
RULED = "-=_*─━│┃║"
"""What a line across the page, or down a tree, is made of."""
RULES = pattern_of(rf"[{RULED}]+(?:\s+[{RULED}]{{3,}})*")
"""A rule, or one below each of several columns; a bullet and one or two dashes are an item."""
NUMERALS_OF_CHINESE = "一二三四五六七八九十"
WIDE_NUMBER = (
    rf"(?:（?(?:\d{{1,4}}|[{NUMERALS_OF_CHINESE}]{{1,3}})）|(?:\d{{1,4}}|[{NUMERALS_OF_CHINESE}]{{1,3}})[、．]|[①-⑳])"
)
"""A number before an item that needs no blank behind it."""
NUMBER = pattern_of(
    r"\(?(?P<levels>(?:\d{1,4}\.)+\d{1,4})[.):]?\s+|\[\d{1,6}\]\s+|\d{1,6}\\[.)]\s+|\(?(?:\d{1,6}|[a-zA-Z](?!:\s[^\n|,;]{1,80}?(?:[|,;]|->|→)\s?[a-zA-Z]:\s)|[ivx]{2,5}|[IVX]{2,5})[.):]\s+"
    rf"|{WIDE_NUMBER}\s*"
)
NUMBERED, ROMAN = (".", ")", ":"), f"ivxIVX{NUMERALS_OF_CHINESE}"
QUOTED = pattern_of(r"^(?:> )+")
"""What is before the lines of a quotation."""
MARK = pattern_of(rf"(?P<heading>#{{1,6}})\s+|(?P<bullet>[{BULLETS}](?=\s)|[・･])\s*(?:\[[ xX]\]\s+)?|{NUMBER.pattern}")
"""What a line may begin with."""
ITEM = pattern_of(r"^(?:([ \t]*)\\item(?![a-z])|[ \t]*\\(?:begin|end)\{[^\n]*)[ \t]*", re.MULTILINE)
"""An item of a list of LaTeX, and where a list begins and ends."""
REPEATED = pattern_of(r"^([-*+])(\1{0,6})(?:[ \t]+|(?<=-)(?=\w))(?=\S)", re.MULTILINE)
"""A bullet that is written as often as its line is deep."""
COUNTED = pattern_of(r"(\*\*|__)?\(?(?:(?:\d{1,4}\.){1,8}\d{1,4}[.):]?|\d{1,4}[.)]|[a-z]\))(?:\1)?\s+(?=\S)")
"""The number of a heading, or in bold."""
TAB = 4
HEADINGS, NUMBERS, LINES = 0.0, 10.0, 30.0
"""Depths of headings, of numbers such as 1.2.1, and of indented lines: the later are inside the earlier."""
COMMENT = pattern_of(r"(?<=[^\s|,;:])\s+(?:#|//)\s+(?=[^\W\d]).*$")
"""What is behind a statement as in a program."""
LEVELS = pattern_of(r"\n[ \t]*+(?:> )*+\(?\d{1,4}(?:\.\d{1,4})++[.):]?[ \t]++\S")
"""A line with a number such as 1.2."""
FIRST_NUMBER = pattern_of(r"^(\d{1,4})\.\d", re.MULTILINE)
PLAIN_NUMBER = pattern_of(r"(\d{1,4})\s+(?=\S)")
"""A number without a point is one of an item if a number such as 1.2 is below it."""
NOTHING: AbstractSet[str] = frozenset()
STRUCK = pattern_of(rf"(?:[{BULLETS}]\s++)?~~[^~]++~~")
"""What is struck out."""
RIGHT, LEFT = "→⟶⇒⟹↦➔➜", "←⟵⇐"
SUBSETS, SUPERSETS = "⊑⊆⊂⊏", "⊒⊇⊃⊐"
CLOSING = {"(": ")", "<": ">", "[": "]", "{": "}", "⟨": "⟩", "（": "）"}
MARKS_BETWEEN = f",;|:=-–—>›»{RIGHT}<{LEFT}{SUBSETS}{SUPERSETS}≡≈()[]{{}}"
_OTHER = rf"[^\"“”„\n{re.escape(MARKS_BETWEEN)}]*+"
IN_QUOTES = pattern_of(
    rf"[\"“„](?<![^\s(\[{{,;|:>→*_].)(?=\w){_OTHER}(?:[:=–—-](?!\s){_OTHER})*+[^\"“”„\n][^\"“”„\n]*+[\"“”]"
)
"""A name in quotes with a mark that else would be between two names."""
HIDDEN = str.maketrans(MARKS_BETWEEN, "".join(chr(0x10F000 + at) for at in range(len(MARKS_BETWEEN))))
SHOWN = {hidden: shown for shown, hidden in HIDDEN.items()}
SPACED = pattern_of(r"«\s++(?=\w)([^«»\n]{1,200}?)\s++»")
"""A name in quotes of French."""
SUMMARY = pattern_of(r"</?(?:details|summary)>")
"""What Markdown folds an outline below its root with."""
WIDE = " " * 8
WIDE_GAP = pattern_of(r"(?<=\S)\s{9,}+")
"""Blanks within a line beyond a few say nothing, and patterns that look for blanks on both sides of a mark would take the cube of their number."""


def lines_of_answer(text: str, first: int = 1) -> list[Line]:
    """List the lines that are not blank, with the depth at which they are nested."""
    # Among numbers such as 1.2 a single one is the first level, and no item of a list.
    levels = LEVELS.search(f"\n{text}")
    single = NUMBERS + 1 if levels else LINES + 0.5
    firsts = frozenset(FIRST_NUMBER.findall(text)) if levels else NOTHING
    text = SUMMARY.sub("", text) if "<summary>" in text else text
    text = ITEM.sub(lambda found: "" if found[1] is None else f"{found[1]}- ", text) if "\\item" in text else text
    if any(map(text.__contains__, ("--", "**", "++"))) and any(found[2] for found in REPEATED.finditer(text)):
        text = REPEATED.sub(lambda found: f"{'  ' * len(found[2])}- ", text)
    written = (SPACED.sub(r"«\1»", text) if "«" in text else text).split("\n")
    lines = map(str.rstrip, written) if _is_clean(text) else map(_cleaned, written)
    numbered = enumerate(lines, start=first)
    return [found for number, line in numbered if (found := _line(number, line, single, firsts))]


def _line(number: int, line: str, single: float, firsts: AbstractSet[str]) -> Line | None:
    body = line.lstrip()
    if not body:
        return None
    indent = float(len(line) - len(body))
    start = body[body[0] == "(" :]
    if start[:1].isalpha() and start[1:2] not in NUMBERED and not (start[0] in ROMAN and NUMBER.match(body)):
        return Line(number, body, LINES + indent, False)
    if body[-1] in RULED and RULES.fullmatch(body):
        return None
    if body[-1] == "~" and STRUCK.fullmatch(body):
        return None
    if body[0] in BOXES and (box := BOX.match(line)):
        return Line(number, line[box.end() :].strip(), LINES + box.end() + 1, True)
    depth, begin = _marker(body, indent, single, firsts)
    name = body[begin:]
    counted = depth < NUMBERS or name[:2] in ("**", "__")
    return Line(number, _without_number(name) if counted else name, depth, begin > 0)


def _marker(body: str, indent: float, single: float, firsts: AbstractSet[str]) -> tuple[float, int]:
    """Return the depth of a line, and where its heading mark, its bullet or its number ends."""
    found = MARK.match(body)
    kind = found.lastgroup if found else None
    # A number that is the whole line marks nothing.
    if found and (kind in ("heading", "bullet") or found.end() < len(body)):
        if kind == "heading":
            return HEADINGS + len(found["heading"]), found.end()
        if kind == "levels":
            return NUMBERS + 1 + found["levels"].count("."), found.end()
        return LINES + indent + 0.5 if indent or kind else single, found.end()
    if firsts and (plain := PLAIN_NUMBER.match(body)) and plain[1] in firsts:
        return NUMBERS + 1, plain.end()
    return LINES + indent, 0


def _is_clean(text: str) -> bool:
    """Return whether no line of a text has anything that is to be cleaned."""
    marked = WIDE in text or "> " in text or " #" in text or " //" in text
    return not marked and text.replace("\n", " ").isprintable()


def _cleaned(raw: str) -> str:
    """Return a line without marks of a quotation, without wide gaps, and without a comment behind it."""
    line = raw.expandtabs(TAB).rstrip()
    if line.startswith("> "):
        line = QUOTED.sub("", line)
    # Of all white space only a blank can be printed.
    if WIDE in line or not line.isprintable():
        # The blanks within a box say how deep the line is.
        begin = box.end() if (box := BOX.match(line)) else 0
        line = line[:begin] + WIDE_GAP.sub(WIDE, line[begin:])
    if (" #" in line or " //" in line) and not line.lstrip().startswith("#"):
        line = COMMENT.sub("", line)
    return line


def _without_number(text: str) -> str:
    """Strip the number at the beginning of a heading, or of what is in bold."""
    found = COUNTED.match(text)
    if not found:
        return text
    # In '**1.** fish' the name is not in bold.
    bold = found[1] or ""
    return ("" if bold and found[0].rstrip().endswith(bold) else bold) + text[found.end() :]


def hide_in_quotes(lines: Sequence[Line]) -> list[Line]:
    """Write marks in quotes as characters that are between no names, except in tuples; ``show`` writes them as they were."""
    return [
        line
        if line.text[:1] in CLOSING
        else line._replace(text=IN_QUOTES.sub(lambda found: found[0].translate(HIDDEN), line.text))
        for line in lines
    ]


def show(rows: Sequence[RawStatement]) -> list[RawStatement]:
    """Write hidden marks as they were."""
    return [
        one._replace(
            subject=one.subject.translate(SHOWN),
            relation=one.relation.translate(SHOWN),
            object=one.object.translate(SHOWN),
        )
        for one in rows
    ]
