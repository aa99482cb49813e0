"""Statements in the lines of an answer: arrows, tuples, sentences, axioms in Manchester and functional syntax, and outlines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from goldassay.formats.answer_means import OF_EDGES, Meaning
from goldassay.formats.roles import AXIOMS, CORRESPONDENCES, bare


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


BOX = re.compile(r"[\s│┃║|]*(?:[├└╰┣┗╠╚|+`\\][─━═\-]{1,4}+)\s*")
BULLET = re.compile(r"[-*+•◦▪▸‣●○–—]\s+(?:\[[ xX]\]\s+)?")
NUMBER = re.compile(r"\(?((?:\d{1,4}\.)+\d{1,4})[.):]?\s+|\(?(?:\d{1,4}|[a-zA-Z])[.):]\s+")
NUMBERED = (".", ")", ":")
QUOTED = re.compile(r"^(?:> )+")
"""What is before the lines of a quotation."""
HEADING = re.compile(r"(#{1,6})\s+")
TAB = 4
HEADINGS, NUMBERS, LINES = 0.0, 10.0, 30.0
"""Depths of headings, of numbers such as 1.2.1, and of indented lines: the later are inside the earlier."""
SINGLE = 29.0
"""A number without a point, at the beginning of a line: an item of a list, or the first level of numbers such as 1.2."""

ARTICLE = re.compile(r"^(?:an?|the|every|each|all|any)\s+", re.IGNORECASE)
KIND = "(?:sub-?)?(?:type|kind|sort|class|form|category|variety|species|genus|instance|example|hyponym|child|subset)(?:s|es|ies)?"
UPWARDS = re.compile(
    rf"\s+(?:is|are)\s+(?:also\s+)?(?:(?:an?|the|one|all)\s+)?{KIND}\s+of\s+(?:an?\s+|the\s+)?"
    r"|\s+(?:is|are)\s+(?:also\s+)?an?\s+|\s+(?:is[-_]?an?|isa|are)\s+"
    r"|\s+(?:rdfs:)?sub-?class[-_ ]?of:?\s+|\s+(?:sub-?type|kind|child)[-_ ]of\s+|\s+(?:belongs to|falls under|has parent)\s+",
    re.IGNORECASE,
)
GERMAN = re.compile(
    r"\s+(?:ist|sind)\s+(?:eine?\s+)?(?:(?:Unter)?[Aa]rt(?:en)?|Typ(?:en)?|Form(?:en)?|Unterklassen?|Unterbegriffe?)\s+(?:von|der|des|einer?s?)\s+"
    r"|\s+(?:ist|sind)\s+eine?\s+|\s+gehör(?:t|en)\s+zu[mr]?\s+(?:den\s+)?"
)
GERMAN_ARTICLE = re.compile(r"^(?:[Ee]ine?|[Dd]er|[Dd]ie|[Dd]as|[Jj]ede[rs]?)\s+")
MAY_BE_WORDED = re.compile(
    r"\s(?:is|are|(?:rdfs:)?sub|kind|child|belongs|falls|has|super|parent|sind|gehör)", re.IGNORECASE
)
"""What is in every text with one of both wordings."""
DOWNWARDS = re.compile(
    r"\s+(?:is|are)\s+(?:(?:an?|the)\s+)?(?:parent|super-?class|super-?type|hypernym|broader (?:term|concept))\s+of\s+"
    r"|\s+(?:subsumes|has (?:sub-?class|sub-?type|child|hyponym))(?:es)?\s+|\s+(?:super-?class|parent)[-_ ]?of\s+",
    re.IGNORECASE,
)
SENTENCE_BREAK = re.compile(r"(?<=[\w)\"'*][.;])\s+(?=[\"'*]{0,2}[^\W\d_a-zäöüß])")
"""Where one sentence ends on a line, and the next begins."""
WORDINGS = ((DOWNWARDS, ARTICLE, True), (UPWARDS, ARTICLE, False), (GERMAN, GERMAN_ARTICLE, False))
LATEX = re.compile(
    r"\\(?:long)?(?:right|Right)arrow\b|\\to\b|\\(sqsubseteq|subseteq|sqsubset|subset)\b|\\(exists|forall)\b\s*|\\[,;! ]|\$"
)
NAMED_ARROW = re.compile(
    r"[-–—](?:[-–—]{0,2}\s?[\[(]\s*:?([^\[\]()]{1,200}?)\s*[\])]\s?(?:[-–—]{0,3}>|[-–—]{0,2}→)\s*"
    r"|(?<=\s[-–—])[-–—]{0,2}\s*([^-–—<>|→\[\]]{1,200}?)\s*(?:[-–—]{1,3}>|[-–—]{0,2}→)\s)"
)
PAIR_ARROW = re.compile(r"->|-->|--->|=>|==>|→|⟶|⇒|⟹|↦|➔|➜|–>|—>")
"""Patterns that begin with one of a few characters are looked for only where one of these is."""
ARROW = re.compile(rf"{PAIR_ARROW.pattern}|>(?<=\s>)\s|›(?<=\s›)\s|»(?<=\s»)\s")
LEFT_ARROW = re.compile(r"<---|<--|<-|←|⟵|⇐")
BELOW, ABOVE = re.compile(r"[⊑⊆⊂⊏]"), re.compile(r"[⊒⊇⊃⊐]")
EQUAL = re.compile(
    r"\s+(?:=|==|≡|≅|≈|~|<->|<=>|owl:sameAs|owl:equivalentClass|skos:(?:exact|close)Match)\s+|\s*[↔⇔≡]\s*"
)
QUANTIFIED = re.compile(r"[∃∀]\s*([\w:.-]+?)\s*\.\s*(\S.*)")
OF_NAMES = re.compile(r"(\S{1,200})\s+([a-z]+[A-Z]\w{0,100}|\w{1,100}[_:]\w{1,100})\s+(\S{1,200})")
"""A name, a relation written like one of a program, and a name."""
COLON = re.compile(r"(?![a-z]+://)(\S.{0,199}?)\s*(?:\*\*|`)?\s*:\s*(?:\*\*)?\s+(\S.*)")
SCORE = re.compile(
    r"\s*[\[(,;]?\s*(?:(?:confidence|score|probability|prob|certainty|conf)\s*[:=]?\s*|(?<=[\[(])\s*)"
    r"([01]?\.\d+|[01]|\d{1,3}(?:\.\d+)?\s?%)\s*[\])]?\s*$",
    re.IGNORECASE,
)
SCORING = ("conf", "score", "prob", "certain")
"""What is in every word for a score."""
REASON = re.compile(
    r"(?<!\s)(?:\s++[—–]\s.*|\s*+[,(;-]?\s*+\b(?:because|since it|as it|which means)\b.*)", re.IGNORECASE
)
MAY_EXPLAIN = re.compile("—|–|because|since it|as it|which means")
"""An explanation behind a statement, and what is in every text in lower case that has one."""
FIELD = re.compile(r"(?:\*\*|__|[`\"'])?([A-Za-z][\w ]{0,30}?)(?:\*\*|__|[`\"'])?\s*:(?:\*\*|__)?\s*(\S.*)")
FIELDS = re.compile(r"[,;|]\s*(?=[\"'*`]{0,2}[A-Za-z][\w ]{0,30}[\"'*`]{0,2}\s*:)")
BETWEEN = re.compile(r"[,;|]")
TUPLE = re.compile(r"[(<\[{⟨](?![(\[{])\s*+(\S(?:.*\S)?)\s*[)>\]}⟩]\s*[,;.]?")
DASHES = re.compile(r"\s+[-–—]{1,2}\s+")
OBJECT = re.compile(r"""\{\s*["'][^"']*["']\s*:""")
PART = re.compile(r"""\s*(?:"([^"]*)"|“([^”]*)”|'([^']*)'(?=\s*(?:[,;|]|$))|([^,;|]*))\s*(?:[,;|]|$)""")
FUNCTIONAL = re.compile(r"SubClassOf\s*\(\s*(\S+)\s+(\S+?)\s*\)", re.IGNORECASE)
FACT = re.compile(r"([a-z]\w{0,60})\(\s*+([^(),]{1,200}),\s*+([^(),]{1,200})\)\s*\.?")
"""A fact of Prolog."""
FRAMES = "Class|ObjectProperty|DataProperty|Individual"
SLOTS = (
    "SubClassOf|EquivalentTo|DisjointWith|Annotations|Domain|Range|Types|Facts|Characteristics|InverseOf|SubPropertyOf"
)
MANCHESTER = re.compile(rf"({FRAMES}|{SLOTS})\s*:\s*(.*)")
SLOT_BREAK = re.compile(rf"(?<=\S)\s(?=(?:{SLOTS})\s*:\s)")
"""Where a slot begins on the line of its frame."""
RESTRICTION = re.compile(r"\(?\s*([\w:.-]+)\s+(?:some|only|value|exactly \d+|min \d+|max \d+)\s+([\w:.<>/#-]+)\s*\)?")
QUOTES = frozenset("\"“'")
MARKS = "*_`\"'“”‘’"
EMOJI = "".join(
    map(chr, (*range(0x1F000, 0x1FB00), *range(0x2600, 0x2794), *range(0x2B00, 0x2C00), 0xFE0F, 0x200D, 0x2022))
)
"""Emoji and bullets, which decorate names."""
DESCRIBED = re.compile(r":\s|\s[-–—]\s")
BOLD = re.compile(r"(?:\*\*|__)([^*_]{1,300})(?:\*\*|__)")
PROSE = re.compile(
    r"(?:here(?:'s| is| are)?|sure|certainly|of course|okay|ok|below|the following|based on|note|let me|i |i'|this |these |in this|as requested|"
    r"hope|please|feel free|thank|output|answer|taxonomy|result|relations?|hierarchy|in summary|overall|"
    r"hier (?:ist|sind)|gerne?|natürlich|ich |im folgenden|die folgende|ergebnis|ausgabe|antwort|taxonomie)\b",
    re.IGNORECASE,
)
FEW_WORDS = 5
"""A line that ends with a colon, or begins like a preamble, is the name of a parent only if it is this short."""
WIDE = " " * 8
WIDE_GAP = re.compile(r"(?<=\S)\s{9,}+")
"""Blanks within a line beyond a few say nothing, and patterns that look for blanks on both sides of a mark would take the cube of their number."""
LONGEST_NAME = 8
"""What is behind a colon is a description if it has more words."""
CHAIN = 3


def lines_of_answer(text: str, first: int = 1) -> list[Line]:
    r"""List the lines that are not blank, with the depth at which they are nested.

    Example:
        >>> [(line.text, line.depth) for line in lines_of_answer("- animal\n  - dog")]
        [('animal', 30.5), ('dog', 32.5)]
    """
    lines = [line for number, raw in enumerate(text.split("\n"), start=first) if (line := _line(number, raw))]
    if any(NUMBERS < line.depth < SINGLE for line in lines):
        # Among numbers such as 1.2 a single one is the first level, and no item of a list.
        return [line._replace(depth=NUMBERS + 1) if line.depth == SINGLE else line for line in lines]
    return [line._replace(depth=LINES + 0.5) if line.depth == SINGLE else line for line in lines]


def _line(number: int, raw: str) -> Line | None:
    line = raw.expandtabs(TAB).rstrip()
    if line.startswith("> "):
        line = QUOTED.sub("", line)
    # Of all white space only a blank can be printed.
    if WIDE in line or not line.isprintable():
        # The blanks within a box say how deep the line is.
        begin = box.end() if (box := BOX.match(line)) else 0
        line = line[:begin] + WIDE_GAP.sub(WIDE, line[begin:])
    body = line.lstrip()
    if not body.strip("-=_*─━"):
        return None
    indent = float(len(line) - len(body))
    if body[0].isalpha() and body[1:2] not in NUMBERED:
        return Line(number, body, LINES + indent, marked=False)
    if box := BOX.match(line):
        return Line(number, line[box.end() :].strip(), LINES + box.end() + 1, marked=True)
    if heading := HEADING.match(body):
        depth, begin = HEADINGS + len(heading[1]), heading.end()
    elif bullet := BULLET.match(body):
        depth, begin = LINES + indent + 0.5, bullet.end()
    elif (counted := NUMBER.match(body)) and counted.end() < len(body):
        depth = NUMBERS + 1 + counted[1].count(".") if counted[1] else LINES + indent + 0.5 if indent else SINGLE
        begin = counted.end()
    else:
        return Line(number, body, LINES + indent, marked=False)
    return Line(number, body[begin:], depth, marked=True)


def name_of(text: str) -> str:
    """Strip decoration from a name: emphasis, quotes, emoji, and what ends a sentence.

    Example:
        >>> name_of("**Golden retriever**."), name_of("`cat`,"), name_of("🐶 Dog")
        ('Golden retriever', 'cat', 'Dog')
    """
    if text[:1].isalnum() and text[-1].isalnum() and text.isascii():
        return text
    marks = MARKS if text.isascii() else MARKS + EMOJI + " "
    name = text.strip().rstrip(".,;").strip().strip(marks)
    return name.strip().rstrip(".,;").strip()


def end_of(text: str) -> str:
    """Strip decoration from the last name of a statement, and an explanation behind it.

    Example:
        >>> end_of("animal — because it breathes"), end_of("animal, because it breathes.")
        ('animal', 'animal')
    """
    return name_of(_unexplained(text))


def _unexplained(text: str) -> str:
    return REASON.sub("", text, count=1) if MAY_EXPLAIN.search(text.lower()) else text


def statements_of_line(line: Line, meaning: Meaning = OF_EDGES) -> list[RawStatement]:
    """Read one line as statements; none if it is prose or a node of an outline.

    Example:
        >>> [one[1:4] for one in statements_of_line(Line(1, "A dog is a kind of animal.", 0, False))]
        [('dog', 'is a', 'animal')]
        >>> [one[1:4] for one in statements_of_line(Line(1, "(Oslo, capital of, Norway)", 0, False))]
        [('Oslo', 'capital of', 'Norway')]
    """
    return parse_line(line, meaning)[1]


def parse_line(line: Line, meaning: Meaning) -> tuple[str, list[RawStatement]]:
    """Read one line as statements, and say in which shape they are; none if it is prose or a node of an outline."""
    text = line.text
    if "\\" in text or "$" in text:
        text = LATEX.sub(_replace_latex, text).strip()
    if not text or text.endswith(":"):
        return "", []
    extra = ""
    if meaning.more == "score" and _may_score(text) and (found := SCORE.search(text)) and found.start():
        text, extra = text[: found.start()], _number(found[1])
    marks = MARKING.intersection(text)
    for shape, rule, needed in RULES_OF_PAIRS if meaning.nested == "list" else RULES:
        if needed and needed.isdisjoint(marks):
            continue
        rows = [one for one in rule(line.number, text, meaning) if one.subject and one.object]
        if rows:
            return shape, [one._replace(extra=one.extra or extra) for one in rows] if extra else rows
    return "", []


def _may_score(text: str) -> bool:
    """Return whether a line may end with a score: a number in brackets, or behind a word for it."""
    if text[0] in "([" or not (text[-1].isdigit() or text[-1] in "%])"):
        return False
    lower = text.lower()
    return "(" in text or "[" in text or any(word in lower for word in SCORING)


def _replace_latex(found: re.Match[str]) -> str:
    """Write a symbol of LaTeX as its character."""
    if found[1] or found[2]:
        return " ⊑ " if found[1] else "∃"
    return " → " if found[0][1:2].isalpha() else ""


def _number(text: str) -> str:
    """Write a share as a number: a percentage is divided by 100."""
    return str(float(text.rstrip("% ")) / 100) if text.endswith("%") else text


def _parse_tuple(number: int, text: str, meaning: Meaning) -> Iterator[RawStatement]:
    inner = TUPLE.fullmatch(_unexplained(text) if text[0] == "(" else text)
    if inner and not OBJECT.match(text):
        yield from parse_cells(number, _parts(inner[1]), meaning)


def _parse_bars(number: int, text: str, meaning: Meaning) -> Iterator[RawStatement]:
    for separator in (" | ", "\t"):
        if separator in text:
            yield from parse_cells(number, text.strip("|").split(separator), meaning)
            return


def parse_cells(
    number: int, parts: Sequence[str], meaning: Meaning, clean: Callable[[str], str] = name_of
) -> Iterator[RawStatement]:
    """Read a row of cells: two names, or two with a relation between them, with a number behind them where the family has one."""
    names = list(map(clean, parts))
    extra = parts[-1].strip() if len(names) > CHAIN - 1 and meaning.is_extra(parts[-1].strip()) else ""
    if extra and (len(names) > CHAIN or meaning.arrow == "pair"):
        names.pop()
    else:
        extra = ""
    if not all(names):
        return
    if len(names) == CHAIN and (meaning.ends[1] or is_relation(names[1])):
        yield RawStatement(number, names[0], names[1], names[2], extra=extra)
    elif len(names) == CHAIN - 1:
        yield from (one._replace(extra=extra) for one in _pair(number, names[0], names[1], meaning))


def _pair(number: int, a: str, b: str, meaning: Meaning) -> Iterator[RawStatement]:
    """Read two names without a relation between them."""
    if meaning.arrow:
        relation = meaning.is_a if meaning.nested != "list" else ""
        yield RawStatement(number, a, relation, b, directed=meaning.arrow != "edge")


def _parts(text: str) -> list[str]:
    """Split at commas, semicolons or bars outside quotes."""
    if QUOTES.isdisjoint(text):
        return BETWEEN.split(text[:-1] if text.endswith((",", ";", "|")) else text)
    found, place = [], 0
    while place <= len(text):
        part = PART.match(text, place)
        if part is None or (part.end() == place and place == len(text)):
            break
        found.append(next((one for one in part.groups() if one is not None), ""))
        place = part.end()
        if place == len(text) and text[-1:] not in ",;|":
            break
    return found


def _parse_symbols(number: int, text: str, meaning: Meaning) -> Iterator[RawStatement]:
    """Read subset symbols, and axioms in functional syntax."""
    if "(" in text and (axiom := FUNCTIONAL.fullmatch(text.rstrip("."))):
        relation = meaning.is_a if meaning.roles is AXIOMS else "SubClassOf"
        yield RawStatement(number, local_name(axiom[1]), relation, local_name(axiom[2]))
        return
    if "(" in text and meaning.nested != "list" and (fact := FACT.fullmatch(text)):
        relation = fact[1].replace("_", " ")
        if is_relation(relation) or meaning.arrow != "edge":
            yield RawStatement(number, name_of(fact[2]), relation, name_of(fact[3]))
        return
    for symbol, turned in () if text.isascii() else ((BELOW, False), (ABOVE, True)):
        if not symbol.search(text):
            continue
        parts = [end_of(part) for part in symbol.split(text)]
        for a, b in pairwise(parts):
            child, parent = (b, a) if turned else (a, b)
            inner = QUANTIFIED.fullmatch(parent)
            if inner and meaning.roles is not OF_EDGES.roles:
                yield RawStatement(number, child, inner[1], name_of(inner[2]))
            elif not inner:
                yield RawStatement(number, child, meaning.is_a, parent)


def _parse_equals(number: int, text: str, meaning: Meaning) -> Iterator[RawStatement]:
    """Read what is equal to what, where that is asked."""
    if meaning.roles is not CORRESPONDENCES:
        return
    parts = [end_of(part) for part in EQUAL.split(text)]
    if len(parts) == CHAIN - 1:
        yield RawStatement(number, parts[0], "=", parts[1])


def _parse_named_arrow(number: int, text: str, meaning: Meaning) -> Iterator[RawStatement]:
    del meaning
    found = NAMED_ARROW.search(text)
    if found and found.start() and not ARROW.search(text, found.end()):
        relation = name_of(found[1] or found[2])
        yield RawStatement(number, name_of(text[: found.start()]), relation, end_of(text[found.end() :]))


def _parse_arrows(number: int, text: str, meaning: Meaning) -> Iterator[RawStatement]:
    for arrow, turned in ((ARROW, False), (LEFT_ARROW, True)):
        parts = list(map(name_of, arrow.split(text)))
        if len(parts) == 1:
            continue
        parts[-1] = end_of(parts[-1])
        if len(parts) == CHAIN and (meaning.nested == "facts" or is_relation(parts[1])):
            a, relation, b = parts
            yield RawStatement(number, b, relation, a) if turned else RawStatement(number, a, relation, b)
            return
        for a, b in pairwise(parts):
            yield from _pair(number, *((b, a) if turned else (a, b)), meaning)


def _parse_pair(number: int, text: str, meaning: Meaning) -> Iterator[RawStatement]:
    """Read two names with an arrow or a colon between them; what is behind the first of them is one name."""
    found = PAIR_ARROW.search(text)
    if found and found.start():
        yield from _pair(number, name_of(text[: found.start()]), end_of(text[found.end() :]), meaning)
    elif (parts := COLON.fullmatch(text)) and not PROSE.match(text):
        yield from _pair(number, name_of(parts[1]), end_of(parts[2]), meaning)


def _parse_dashes(number: int, text: str, meaning: Meaning) -> Iterator[RawStatement]:
    """Read names with dashes between them: with a relation, or a name and its label."""
    parts = [name_of(part) for part in DASHES.split(text)] if " " in text else []
    if len(parts) == CHAIN and meaning.nested == "facts":
        yield RawStatement(number, parts[0], parts[1], parts[2])
    elif len(parts) == CHAIN - 1 and meaning.nested == "list":
        yield from _pair(number, parts[0], parts[1], meaning)


def _parse_names(number: int, text: str, meaning: Meaning) -> Iterator[RawStatement]:
    """Read three words, of which the second is written like a relation of a program."""
    found = OF_NAMES.fullmatch(text.rstrip(".,;"))
    if found and meaning.nested == "facts":
        yield RawStatement(number, name_of(found[1]), name_of(found[2]), name_of(found[3]))


def is_relation(text: str) -> bool:
    """Return whether a text is a wording of the subclass relation.

    Example:
        >>> is_relation("is a"), is_relation("subclass of"), is_relation("dog")
        (True, True, False)
    """
    padded = f" {text.strip()} "
    return bool(UPWARDS.fullmatch(padded) or DOWNWARDS.fullmatch(padded))


def _parse_sentence(number: int, text: str, meaning: Meaning) -> Iterator[RawStatement]:
    if not MAY_BE_WORDED.search(text) or "," in text.split(" is ", 1)[0] or PROSE.match(text):
        return
    if len(several := SENTENCE_BREAK.split(text)) > 1 and all(map(MAY_BE_WORDED.search, several)):
        yield from (one for part in several for one in _parse_sentence(number, part, meaning))
        return
    for wording, article, turned in WORDINGS:
        found = wording.search(text)
        if found and found.start():
            ends = [
                article.sub("", end, count=1) for end in (name_of(text[: found.start()]), end_of(text[found.end() :]))
            ]
            child, parent = reversed(ends) if turned else ends
            yield RawStatement(number, child, meaning.is_a, parent)
            return


Rule: TypeAlias = tuple[str, Callable[[int, str, Meaning], Iterator[RawStatement]], frozenset[str]]
"""A shape, its reader, and characters of which every text has one that is in this shape; none where that is not known."""
POINTED = frozenset("<>›»→⟶⇒⟹↦➔➜←⟵⇐")
TUPLES: Rule = ("tuples", _parse_tuple, frozenset("(<[{⟨"))
SYMBOLS: Rule = ("subset symbols", _parse_symbols, frozenset("(⊑⊆⊂⊏⊒⊇⊃⊐"))
EQUATIONS: Rule = ("equations", _parse_equals, frozenset("=≡≅≈~<:↔⇔"))
NAMED_ARROWS: Rule = ("arrows", _parse_named_arrow, frozenset(">→"))
ARROWS: Rule = ("arrows", _parse_arrows, POINTED)
CELLS: Rule = ("rows of cells", _parse_bars, frozenset("|\t"))
PAIRS: Rule = ("pairs", _parse_pair, POINTED | {":"})
DASHED: Rule = ("dashes", _parse_dashes, frozenset("-–—"))
SENTENCES: Rule = ("sentences", _parse_sentence, frozenset())
NAMES: Rule = ("statements", _parse_names, frozenset())
RULES = (TUPLES, SYMBOLS, EQUATIONS, NAMED_ARROWS, ARROWS, CELLS, DASHED, SENTENCES, NAMES)
RULES_OF_PAIRS = (TUPLES, EQUATIONS, SYMBOLS, NAMED_ARROWS, CELLS, PAIRS, SENTENCES, DASHED)
"""Shapes of a line, the likelier first."""
MARKING = frozenset[str]().union(*(needed for _, _, needed in (*RULES, *RULES_OF_PAIRS)))


def fields(lines: Sequence[Line], meaning: Meaning) -> tuple[list[RawStatement], set[int]]:
    r"""Read blocks of lines such as ``Subject: Oslo``, where the names of the fields are those of columns.

    Example:
        >>> found, taken = fields(lines_of_answer("Child: dog\nParent: animal"), OF_EDGES)
        >>> [(one.subject, one.object) for one in found], taken
        ([('dog', 'animal')], {1, 2})
    """
    roles = _roles_of_fields(meaning)
    blocks: list[tuple[dict[str, str], list[int]]] = [({}, [])]
    for line in lines:
        for part in filter(
            None, () if ":" not in line.text else (FIELD.fullmatch(part.strip()) for part in FIELDS.split(line.text))
        ):
            role = roles.get(bare(part[1]))
            if role is None:
                continue
            if role in blocks[-1][0]:
                blocks.append(({}, []))
            cells, numbers = blocks[-1]
            cells[role] = _number(part[2].strip()) if role == "score" else name_of(part[2])
            numbers.append(line.number)
    before, relation, after = meaning.ends
    whole = [
        (cells, numbers)
        for cells, numbers in blocks
        if cells.get(before) and cells.get(after) and (cells.get(relation) or meaning.arrow)
    ]
    found = [
        RawStatement(
            numbers[-1],
            cells[before],
            cells.get(relation) or ("" if meaning.nested == "list" else meaning.is_a),
            cells[after],
            extra=cells.get(meaning.more, ""),
        )
        for cells, numbers in whole
    ]
    return found, {number for _, numbers in whole for number in numbers}


@cache
def _roles_of_fields(meaning: Meaning) -> Mapping[str, str]:
    """Return the role of each name of a field; where a name has several, the first."""
    found: dict[str, str] = {}
    for role in filter(None, (*meaning.ends, meaning.more)):
        for name in (name for words in meaning.roles.names[role] for name in words.names if len(name) > 1):
            found.setdefault(name, role)
    return found


class _Frame(NamedTuple):
    """What a frame of Manchester syntax is about, and the slot that is read."""

    kind: str = ""
    subject: str = ""
    slot: str = ""


def manchester(lines: Sequence[Line], meaning: Meaning = OF_EDGES) -> tuple[list[RawStatement], set[int]]:
    r"""Read frames of OWL's Manchester syntax: classes, properties and individuals; also the lines that were taken.

    Example:
        >>> found, taken = manchester(list(lines_of_answer("Class: dog\n  SubClassOf: animal, pet")))
        >>> [(one.subject, one.object) for one in found], taken
        ([('dog', 'animal'), ('dog', 'pet')], {1, 2})
    """
    found: list[RawStatement] = []
    taken: set[int] = set()
    frame, ends = _Frame(), dict[str, list[str]]()
    for line in (whole._replace(text=part) for whole in lines for part in SLOT_BREAK.split(whole.text)):
        head = MANCHESTER.fullmatch(line.text)
        if head and head[1] in FRAMES.split("|"):
            frame, ends = _Frame(head[1], local_name(head[2])), {}
            taken.add(line.number)
            continue
        if head:
            frame = frame._replace(slot=head[1])
        elif not (frame.slot and frame.subject and line.number - 1 in taken):
            continue
        taken.add(line.number)
        if not frame.subject:
            continue
        rest = head[2] if head else line.text
        terms = [part.strip() for part in rest.split(",") if part.strip()]
        if frame.slot in ("Domain", "Range"):
            ends.setdefault(frame.slot, []).extend(map(local_name, terms))
            if frame.slot == "Range" or "Range" in ends:
                new = ends["Range"] if frame.slot == "Domain" else list(map(local_name, terms))
                found += [
                    RawStatement(line.number, a, frame.subject, b, extra=frame.kind if meaning.more == "kind" else "")
                    for a in ends.get("Domain", ())
                    for b in new
                    if meaning.nested == "facts"
                ]
            continue
        found += [one for term in terms for one in _parse_slot(line.number, frame, term, meaning)]
    return found, taken


def _parse_slot(number: int, frame: _Frame, term: str, meaning: Meaning) -> Iterator[RawStatement]:
    """Read one term behind ``SubClassOf:``, ``Types:`` or ``Facts:``."""
    restriction = RESTRICTION.fullmatch(term)
    is_a = meaning.is_a if meaning.roles is AXIOMS else "SubClassOf"
    if frame.slot in ("SubClassOf", "EquivalentTo") and restriction and meaning.nested == "facts":
        yield RawStatement(number, frame.subject, local_name(restriction[1]), local_name(restriction[2]))
    elif frame.slot == "SubClassOf" and " " not in term:
        yield RawStatement(number, frame.subject, is_a, local_name(term))
    elif frame.slot == "Types" and " " not in term:
        yield RawStatement(number, frame.subject, meaning.is_a, local_name(term))
    elif frame.slot == "Facts" and meaning.nested == "facts":
        relation, _, end = term.partition(" ")
        yield from (RawStatement(number, frame.subject, local_name(relation), local_name(one)) for one in [end] if one)


def local_name(term: str) -> str:
    """Write a class of OWL as a name: without brackets and without an empty prefix."""
    return name_of(term).removeprefix(":").removeprefix("<").removesuffix(">").replace("_", " ")


def outline(lines: Sequence[Line], meaning: Meaning = OF_EDGES) -> tuple[list[RawStatement], set[int]]:
    r"""Read nested lines: each is below the nearest line before it that is less deep. Also the lines that are nodes.

    Example:
        >>> found, nodes = outline(list(lines_of_answer("animal\n  dog\n    poodle\n  cat")))
        >>> [(one.subject, one.object) for one in found]
        [('dog', 'animal'), ('poodle', 'dog'), ('cat', 'animal')]
    """
    marked = any(line.marked for line in lines)
    following: list[Line | None] = [*lines[1:], None][: len(lines)]
    tree = [line for line, after in zip(lines, following, strict=True) if not _is_prose(line, after, marked=marked)]
    inner = [line for line in tree if line.depth > tree[0].depth]
    facts = meaning.nested == "facts" and 2 * sum(_fact(line.text) is not None for line in inner) >= len(inner)
    found: list[RawStatement] = []
    nodes: set[int] = set()
    above: list[_Node] = []
    for line in tree:
        while above and above[-1].depth >= line.depth:
            above.pop()
        relation, end = (above and facts and _fact(line.text)) or ("", "")
        name = end or ("" if relation else _node(line.text))
        if not name and not relation:
            continue
        nodes.add(line.number)
        if above:
            found += _relate_to_above(line.number, above, relation, name, meaning)
        above.append(_Node(line.depth, name, relation if not end else ""))
    return found, nodes


class _Node(NamedTuple):
    """A line of an outline: a name, or a relation that leads to the names below it."""

    depth: float
    name: str
    relation: str = ""


def _relate_to_above(
    number: int, above: Sequence[_Node], relation: str, name: str, meaning: Meaning
) -> Iterator[RawStatement]:
    """Say what a line of an outline is to the lines above it."""
    last = above[-1]
    if meaning.nested == "list":
        yield RawStatement(number, last.name, "", name)
    elif last.relation:
        subject = next((one.name for one in reversed(above) if not one.relation), "")
        yield RawStatement(number, subject, last.relation, name)
    elif relation and name:
        yield RawStatement(number, last.name, relation, name)
    elif not relation:
        yield RawStatement(number, name, meaning.is_a, last.name)


def _fact(text: str) -> tuple[str, str] | None:
    """Split a line into a relation and an object at its colon; a relation without an object ends with the colon; a description is none."""
    relation, colon, end = text.partition(":")
    if not colon or (end and not end.startswith((" ", "*", "_", "`"))):
        return None
    name = end_of(end)
    if name.lower().startswith(("a ", "an ")) or len(name.split()) > LONGEST_NAME:
        return None
    return name_of(relation), name


def _is_prose(line: Line, following: Line | None, *, marked: bool) -> bool:
    """Return whether a line of an outline is a sentence around it, and not a node."""
    if line.marked:
        return False
    words = line.text.split()
    has_children = following is not None and following.depth > line.depth
    if PROSE.match(line.text) and (len(words) > FEW_WORDS or line.text.endswith((":", "!", "."))):
        return True
    if marked and not has_children:
        return True
    return len(words) > FEW_WORDS and line.text.endswith((":", "!", ".", "?"))


def _node(text: str) -> str:
    """Return the name of a node, without the description after it.

    Example:
        >>> _node("**Dog**: a domesticated animal"), _node("Dog - barks"), _node("dog:")
        ('Dog', 'Dog', 'dog')
    """
    if bold := BOLD.match(text):
        return name_of(bold[1].removesuffix(":"))
    return name_of(DESCRIBED.split(text, maxsplit=1)[0].removesuffix(":"))
