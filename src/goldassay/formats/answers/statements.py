"""The statements in the lines of an answer, each in a shape of its own, and what only several lines together show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

from goldassay.core.patterns import pattern_of
from goldassay.formats.answers.lines import RIGHT, SUBSETS, SUPERSETS, Line, RawStatement
from goldassay.formats.answers.means import OF_EDGES, Meaning
from goldassay.formats.answers.names import (
    ARTICLE,
    COLON,
    COLONS,
    EMOJI,
    FEW_WORDS,
    LIST,
    MARKS,
    OF_SCORES,
    SHARED,
    TAIL,
    cell_of,
    has_colon,
    is_prose,
    name_of,
    number_of,
)
from goldassay.formats.answers.shapes import (
    ARROW,
    CHAIN,
    DASHES,
    EQUAL,
    LONGEST,
    PAIR_ARROW,
    RESTRICTION,
    RULES,
    TUPLES,
    WHOLE,
    Reader,
    close_of,
)
from goldassay.formats.roles import AXIOMS, CORRESPONDENCES, LABELS

BREAK = pattern_of(
    r"(?<=[\w)\"'*\]])[;,]\s++(?:and\s++)?+(?!(?:which|that|who|whose|it|they|this|these|he|she|there)\b)"
    r"|(?<=[\w)\"'*]\.)\s+(?=[\"'*]{0,2}[^\W\d_a-zäöüß])|(?<!\s)\s++and\s+(?=an?\s)"
)
"""Where one statement ends on a line and another may begin; a pronoun says more of the first."""
SYMBOLIC = frozenset({"arrows", "subset symbols"})
"""Shapes of lines in which a comma is not that of a sentence."""
BREAKS = ", ", "; ", ". ", " and a"
LATEX = pattern_of(
    r"\\(?:long)?(?:right|Right)arrow\b|\\to\b|\\(sqsubseteq|subseteq|sqsubset|subset)\b|\\(exists|forall)\b\s*|\\[,;! ()\[\]]|\\(?:text|mathrm|textit|textbf|mathit)\{([^{}]*)\}"
    r"|(?!(?<=[\"“„'])\$\d[^\"”'$]{0,40}+[\"”'])\$"
)
SCORE = pattern_of(
    rf"\s*[\[(（,;]?\s*(?:(?:{OF_SCORES})\s*[:：=]?\s*|(?<=[\[(（])\s*)"
    r"([01]?\.\d+|[01]|\d{1,3}(?:\.\d+)?\s?%)\s*[\])）]?\s*$",
    re.IGNORECASE,
)
NUMERALS, ENDS_OF_WORDS = "])）% \t.0123456789", "([:=eybfEYBFzdaZDA"
"""What a score is written with, and how what is before it ends: a bracket, a mark, or a word of the pattern."""
BARE_SCORE = pattern_of(r"(?:(?<=[,:])\s?|(?<=\s))([01]?\.\d{1,20}|\d{1,3}(?:\.\d{1,20})?\s?%)$")
"""A score without a bracket or a word for it."""
ARROW_SCORE = pattern_of(rf"[,;|:]\s?({SHARED})$")
"""A share behind an arrow, and behind a mark."""
LABEL_ENDS = 24
LABEL = pattern_of(
    r"(?:\*\*)?(?:(?:edge|triple|triplet|relation|relationship|fact|statement|axiom|pair|tuple|link)(?:\s?#?\d{1,4})?|[TREFS]\d{1,4})\s?:(?:\*\*)?\s+"
    r"(?=[(<\[]|[^\s|>→]{1,80}(?:\s[^\s|>→]{1,80}){0,9}?\s(?:\||-{1,2}|–|—|[-=–—\[\w :]{0,60}(?:>|→))\s?|[^\s|>→]{1,80}(?:\s[^\s|>→]{1,80}){0,9}?\s(?:is|are)\s(?:an?|the)\s"
    r"|[^;\n]{1,80};\s[^;\n]{1,80};\s|[a-z]\w{0,40}\()",
    re.IGNORECASE,
)
"""The word before a statement that says that it is one."""
SCORES = ("score", "weight")
"""Roles of numbers that are behind a statement."""
SCORING = ("conf", "score", "prob", "certain", "konfidenz", "置信度", "確信度")
"""What is in every word for a score."""
EXPLAINING = (" (", " [", " - ", ": ", "; ", ". ", "because", "Because", "since it", "as it", "which means")
"""What a text has that is explained."""
STATING = pattern_of(rf"[|>{RIGHT}{SUBSETS}{SUPERSETS}]|\b(?:is an?|[sS]ub-?[cC]lass[-_ ]?[oO]f)\b")
"""What a statement has, and a name as code or in bold has not."""
WHOLE_STATEMENT = pattern_of(r"(`|\*\*|__)((?:(?!\1).){5,300})\1(?:[.,;]?|[:.,;]?\s++[-–—(].*|:\s.*)")
"""A statement as code or in bold, and what may be behind it."""
QUANTIFIERS = " some ", " only ", " value ", " exactly ", " min ", " max "
SUBCLASS_OF = "subClassOf"
DECORATION = MARKS.replace("'", "").replace('"', "") + "".join(sorted({*EMOJI} - set("❌✗✘✖"))) + " "
"""What is around a tuple without a meaning of its own; a cross says that it does not hold."""
DECORATING = frozenset(mark for mark in DECORATION if not mark.isalnum())
LEAST_OF_SENTENCE = 3
MOST_REMARKS = 6
"""So many lines above and below the others are looked at."""


VERDICT = pattern_of(
    r"(?:\s?[,;|]\s?[*_]{0,2}(?:is[ _]?)?(?:correct|valid|true|right|holds|verdict|accepted|supported)[*_]{0,2}(?=:))?"
    r"(?:[:?\uff1a\uff1f]|\s(?!\((?-i:NO)\)$)(?=[(\[\u2713\u2714\u2705\u2717\u2718\u274c]))[*_\s(\[]{0,5}"
    r"(?:(yes|true|correct|valid|\u2713|\u2714|\u2705)|no|false|incorrect|invalid|\u2717|\u2718|\u274c)[*_)\].!\ufe0f]{0,5}$",
    re.IGNORECASE,
)
"""What says behind a statement whether it holds."""
LOOKED_AT, LONGEST_VERDICT = 3, 24
"""One of the first lines has one, if most have, and among its last characters."""


class Statements(NamedTuple):
    """What was read line by line: the statements, the numbers of their lines, and the shapes of these."""

    rows: list[RawStatement]
    taken: list[int]
    shapes: dict[str, None]


def read_lines(lines: Sequence[Line], meaning: Meaning = OF_EDGES) -> Statements:
    """Read each line that is neither prose nor a node of an outline as statements, in the first shape that it has."""
    whole = "\0".join([line.text for line in lines])
    latex = "\\" in whole or "$" in whole
    scored, worded = meaning.more == "score", _has_word(whole)
    shares = "." in whole or "%" in whole
    bare_ones = scored and shares and 2 * sum(BARE_SCORE.search(line.text) is not None for line in lines) > len(lines)
    if latex:
        whole = LATEX.sub(_replace_latex, whole)
    rules = [(shape, rule) for shape, rule, may in RULES[meaning.nested] if may(whole)]
    marks = list(filter(whole.__contains__, EXPLAINING))
    decorated = bool(marks) or not whole.isascii() or any(map(whole.__contains__, "`*_"))
    bracketed = any(map(whole.__contains__, "()[]"))
    found = Statements([], [], {})
    labelled = has_colon(whole)
    for number, written, _, _ in lines if rules else ():
        text, extra = LATEX.sub(_replace_latex, written).strip() if latex else written, ""
        if not text or (labelled and text.endswith(COLONS)):
            continue
        if labelled and ":" in text[:LABEL_ENDS] and (label := LABEL.match(text)):
            text = text[label.end() :]
        if text[0] in DECORATING:
            text = _undecorated(text)
        ends_like_one = (text[-1].isdigit() or text[-1] in "%])）") and (
            text[0] not in "([" or ")-" in text or ")<" in text
        )
        score = _score_of(text, bare_ones=bare_ones, scored=scored, worded=worded) if ends_like_one else None
        if score and score.start():
            text, extra = (
                text[: score.start()].rstrip(" ,:|;–—-"),
                number_of(score[1]) if meaning.more in SCORES else "",
            )
        texts = _statements_in(text, marks, meaning) if decorated else (text,)
        shape, rows = _read_line(rules, number, texts, meaning)
        # A name with one of two brackets is a piece of something else.
        within = bracketed and (shape != TUPLES[0] or text.count("(") != text.count(")"))
        if rows and not (within and not all(map(is_whole, chain(*(row[1:4:2] for row in rows))))):
            found.rows.extend([one._replace(extra=one.extra or extra) for one in rows] if extra else rows)
            found.taken.append(number)
            found.shapes[shape] = None
    return found


def without_verdicts(lines: list[Line], meaning: Meaning) -> tuple[list[Line], list[Line]]:
    """Strip what says behind each statement whether it holds, if most lines say so, and return also the lines that say that theirs do not."""
    some = [line.text[-LONGEST_VERDICT:] for line in lines[:LOOKED_AT]]
    if (meaning.nested == "list" and meaning.documents) or not any(map(VERDICT.search, some)):
        return lines, []
    found = [(line, VERDICT.search(line.text[-LONGEST_VERDICT:])) for line in lines]
    if 2 * sum(one is not None for _, one in found) <= len(lines) or len(lines) == 1:
        return lines, []
    kept = [line._replace(text=line.text[: -len(one[0])]) if one else line for line, one in found]
    if meaning.nested == "facts" and 2 * len(read_lines(kept, meaning).taken) <= len(kept):
        # In 'smoker: yes' below a name the word is an object.
        return lines, []
    return kept, [line for line, one in found if one and not one[1]]


def _read_line(
    rules: Sequence[tuple[str, Reader]], number: int, texts: Sequence[str], meaning: Meaning
) -> tuple[str, list[RawStatement]]:
    """Read a line by the first rule that finds something in it."""
    for text in texts:
        for shape, rule in rules:
            if rows := _apply(rule, number, text, meaning):
                return shape, rows
    return "", []


def _statements_in(text: str, marks: Sequence[str], meaning: Meaning) -> Sequence[str]:
    """Return what a line states without marks around it and what is behind it, and, if that is nothing, the whole line."""
    short = text if text[-1].isascii() else text.rstrip(DECORATION)
    if short[:1] in "`*_" and not (meaning.nested == "list" and meaning.documents):
        whole = WHOLE_STATEMENT.fullmatch(short)
        short = whole[2] if whole and STATING.search(whole[2]) else short
    # A dash in a name is hardly before a word in lower case.
    before, dash, behind = short.rpartition(" — ")
    short = before if dash and before.strip() and behind[:1].islower() else short
    if any(map(short.__contains__, marks)):
        found = TAIL.search(short)
        short = short[: found.start()] if found and found.start() else short
    return (text,) if short is text or not short else (short, text)


def without_remarks(stated: Statements, lines: Sequence[Line]) -> tuple[Statements, list[Line]]:
    """Leave out pairs with a colon above and below all others: next to arrows, equations or tuples they are no pairs, nor are sentences next to names.

    Returns:
        The other statements, and the lines that were left out.
    """
    subjects = {one.line: one.subject for one in stated.rows}
    read = [line for line in lines if line.number in subjects]
    ends = read[:MOST_REMARKS] + read[MOST_REMARKS:][-MOST_REMARKS:]
    kind = _is_remark if _around([_is_remark(line, subjects[line.number]) for line in ends]) else _is_sentence
    odd = _around([kind(line, subjects[line.number]) for line in ends])
    # Those among the others are pairs, and then so are those around.
    odd = _around([kind(line, subjects[line.number]) for line in read]) if odd else []
    if not odd or 3 * len(odd) > len(stated.taken):
        return stated, []
    left = [read[at] for at in odd]
    numbers = {line.number for line in left}
    rows = [one for one in stated.rows if one.line not in numbers]
    return Statements(rows, [one for one in stated.taken if one not in numbers], stated.shapes), left


def _around(kinds: Sequence[bool]) -> list[int]:
    """Return the places of the first and the last lines that are of a kind; none if all are, or some between others."""
    kept = [at for at, odd in enumerate(kinds) if not odd]
    if not kept or any(kinds[kept[0] : kept[-1]]):
        return []
    return [*range(kept[0]), *range(kept[-1] + 1, len(kinds))]


def _is_remark(line: Line, subject: str) -> bool:
    """Return whether a pair has a colon between its names."""
    found = COLON.search(line.text, 1, LONGEST)
    return found is not None and name_of(line.text[: found.start()]) == subject


def _is_sentence(line: Line, subject: str) -> bool:
    """Return whether what is behind the colon of a pair is a sentence."""
    if not line.text.rstrip("*_ ").endswith((".", "!", "?", "。")) or not _is_remark(line, subject):
        return False
    behind = COLON.split(line.text, maxsplit=1)[-1]
    return len(behind.split()) > LEAST_OF_SENTENCE or (not behind.isascii() and len(behind) > FEW_WORDS)


def _apply(
    rule: Callable[[int, str, Meaning], list[RawStatement]], number: int, text: str, meaning: Meaning
) -> list[RawStatement]:
    """Read a line by a rule: as several statements, if each part of it is one."""
    rows = rule(number, text, meaning)
    if meaning.roles is AXIOMS and rows and any(map(text.__contains__, QUANTIFIERS)):
        rows = list(map(_restrict, rows))
    if not rows or rule in WHOLE or not any(map(text.__contains__, BREAKS)):
        return rows
    parts = BREAK.split(text)
    several = [rule(number, part, meaning) for part in parts] if len(parts) > 1 else [[]]
    return list(chain.from_iterable(several)) if all(several) else rows


def _restrict(one: RawStatement) -> RawStatement:
    """Read a superclass that is a restriction, such as ``hasBrand some Brand``, as a property."""
    found = RESTRICTION.fullmatch(one.object)
    return one._replace(relation=found[1], object=found[2]) if found and one.relation == SUBCLASS_OF else one


def _score_of(text: str, *, bare_ones: bool, scored: bool, worded: bool) -> re.Match[str] | None:
    """Find a score at the end of a line: a number in brackets, behind a word for it, or bare where most lines have one or the name before it is an id.

    Where a family has no scores, only what is clearly one is found: a share, or a number behind a word.
    """
    if "(" in text or "[" in text or "（" in text or (worded and _has_word(text)):
        before = text.rstrip(NUMERALS).rstrip()[-1:]
        if (before in ENDS_OF_WORDS or not before.isascii()) and (found := SCORE.search(text)):
            return found if scored or _has_word(found[0]) or not found[1].isdecimal() else None
    if not scored:
        share = ARROW_SCORE.search(text) if any(map(text.__contains__, ",;|:")) else None
        return share if share and ARROW.search(text) else None
    found = BARE_SCORE.search(text) if "." in text or "%" in text else None
    if not found or not (EQUAL.search(text) or PAIR_ARROW.search(text) or COLON.search(text)):
        return None
    name = text[: found.start()].split()[-1:]
    is_id = any(one.endswith((",", ":")) or not one.isalpha() for one in name)
    return found if bare_ones or is_id else None


def _has_word(text: str) -> bool:
    """Return whether a text has a word for a score."""
    lower = text.lower()
    return any(word in lower for word in SCORING)


def _replace_latex(found: re.Match[str]) -> str:
    """Write a symbol of LaTeX as its character, and a text as it is."""
    if found[1] or found[2]:
        return " ⊑ " if found[1] else "∃"
    return found[3] or (" → " if found[0][1:2].isalpha() else "")


def _undecorated(text: str) -> str:
    """Strip emphasis and emoji around a tuple; what is crossed out stays so."""
    inner = text.lstrip(DECORATION)
    if inner[:1] not in ("(", "[", "<") or (end := close_of(inner)) < 0:
        return text
    return inner[: end + 1] + inner[end + 1 :].lstrip(MARKS)


def pairs_at_dashes(lines: Sequence[Line], meaning: Meaning) -> list[RawStatement]:
    """Read lines with two names, and a dash between them, as edges, if they form a graph: a description occurs only once."""
    if meaning.arrow != "edge":
        return []
    some = [line for line in lines if not line.text.endswith(":") and not is_prose(line.text)]
    split = [(line.number, list(map(name_of, DASHES.split(line.text)))) for line in some]
    pairs = [(number, parts[0], parts[1]) for number, parts in split if len(parts) == CHAIN - 1 and all(parts)]
    ends = [b for _, _, b in pairs]
    linked = {a for _, a, _ in pairs}.intersection(ends) or len(set(ends)) < len(ends)
    if not linked or 2 * len(pairs) < len(lines) or any(ARTICLE.match(b) or len(b.split()) > FEW_WORDS for b in ends):
        return []
    return [RawStatement(number, a, meaning.is_a, b, False) for number, a, b in pairs]


def spread_lists(stated: Statements, meaning: Meaning = OF_EDGES) -> list[RawStatement]:
    """Write a statement for each name of a list: several children or parents of one name, or several labels that other lines have, too."""
    rows, pairs = stated.rows, meaning.nested == "list"
    if meaning.roles is CORRESPONDENCES or not (
        pairs or (meaning.arrow == "edge" and SYMBOLIC.issuperset(stated.shapes))
    ):
        return rows
    for end, other in (("object", "subject"), ("subject", "object"))[: 1 if pairs else None]:
        ends = [getattr(one, end) for one in rows]
        parts = list(map(LIST.split, ends)) if any(map(LIST.search, ends)) else []
        if parts and are_lists(parts, [getattr(one, other) for one in rows], meaning):
            spread = [(one, name_of(name)) for one, some in zip(rows, parts, strict=True) for name in some]
            return [
                one._replace(object=name) if end == "object" else one._replace(subject=name) for one, name in spread
            ]
    return rows


def are_lists(parts: Sequence[Sequence[str]], names: Sequence[str], meaning: Meaning) -> bool:
    """Return whether what is split at commas are lists, each next to another name, and not names with commas."""
    listed = [(some, name) for some, name in zip(parts, names, strict=True) if len(some) > 1]
    pieces = [piece for some, _ in listed for piece in some]
    if not listed or any(not piece or len(piece.split()) > FEW_WORDS or ARTICLE.match(piece) for piece in pieces):
        return False
    if meaning.roles is LABELS:
        # Of a name such as 'Arts, Crafts & Sewing' no piece is a name elsewhere.
        counts = Counter(piece for some in {*map(tuple, parts)} for piece in {*some})
        return 2 * sum(counts[piece] > 1 for piece in pieces) > len(pieces)
    plain = len({*names}) == len(names) and not any(map(LIST.search, names))
    return plain and 2 * len(listed) >= len(parts) and not any(name in some for some, name in listed)


def lists_at_colons(lines: Sequence[Line], meaning: Meaning) -> list[RawStatement]:
    """Read lines of a parent and, behind a colon, its children with commas between them, if some of these are parents, too."""
    split = [(line.number, COLON.split(line.text, maxsplit=1)) for line in lines if not is_prose(line.text)]
    rows = [(number, name_of(ends[0]), [*map(name_of, LIST.split(ends[1]))]) for number, ends in split if len(ends) > 1]
    parents, children = [parent for _, parent, _ in rows], [some for *_, some in rows]
    linked = meaning.arrow == "edge" and not {*parents}.isdisjoint(chain.from_iterable(children))
    if not linked or 2 * len(rows) <= len(lines) or not are_lists(children, parents, meaning):
        return []
    return [RawStatement(number, child, meaning.is_a, parent) for number, parent, some in rows for child in some]


def rows_at_commas(lines: Sequence[Line], meaning: Meaning) -> list[RawStatement]:
    """Read lines of three short names with commas between them, if most lines are such."""
    if meaning.documents != "id":
        return []
    split = [(line.number, list(map(cell_of, line.text.split(",")))) for line in lines]
    rows = [(number, names) for number, names in split if len(names) == CHAIN and all(map(is_whole, names))]
    short = all(len(name.split()) <= FEW_WORDS for _, names in rows for name in names)
    whole = short and 2 * len(rows) > len(lines)
    return [RawStatement(number, names[0], names[1], names[2]) for number, names in rows if whole]


def is_whole(cell: str) -> bool:
    """Return whether a cell is a name, and no piece of something whose brackets are open or closed elsewhere."""
    count = cell.count
    return bool(cell) and count("(") == count(")") and count("[") == count("]") and count("{") == count("}")
