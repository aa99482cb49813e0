"""Statements in the lines of an answer: arrows, tuples, sentences, axioms in Manchester and functional syntax, and outlines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

IS_A = "is a"
"""The relation of what is written below a parent, or in a sentence."""


class Statement(NamedTuple):
    """One statement as it is written.

    Attributes:
        line: The line of the file, from 1.
        directed: Whether the wording says which side is the child; an arrow without a name does not.
    """

    line: int
    subject: str
    relation: str
    object: str
    directed: bool = True


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
HEADING = re.compile(r"(#{1,6})\s+")
TAB = 4
HEADINGS, NUMBERS, LINES = 0.0, 10.0, 30.0
SINGLE = 29.0
"""A number without a point, at the beginning of a line: an item of a list, or the first level of numbers such as 1.2."""
"""Depths of headings, of numbers such as 1.2.1, and of indented lines: the later are inside the earlier."""

ARTICLE = re.compile(r"(?:an?|the|every|each|all|any)\s+", re.IGNORECASE)
KIND = "(?:sub-?)?(?:type|kind|sort|class|form|category|variety|species|genus|instance|example|hyponym|child|subset)(?:s|es|ies)?"
UPWARDS = re.compile(
    rf"\s+(?:is|are)\s+(?:also\s+)?(?:(?:an?|the|one|all)\s+)?{KIND}\s+of\s+(?:an?\s+|the\s+)?"
    r"|\s+(?:is|are)\s+(?:also\s+)?an?\s+|\s+(?:is[-_]?an?|isa|are)\s+"
    r"|\s+(?:rdfs:)?sub-?class[-_ ]?of:?\s+|\s+(?:sub-?type|kind|child)[-_ ]of\s+|\s+(?:belongs to|falls under|has parent)\s+",
    re.IGNORECASE,
)
DOWNWARDS = re.compile(
    r"\s+(?:is|are)\s+(?:(?:an?|the)\s+)?(?:parent|super-?class|super-?type|hypernym|broader (?:term|concept))\s+of\s+"
    r"|\s+(?:subsumes|has (?:sub-?class|sub-?type|child|hyponym))(?:es)?\s+|\s+(?:super-?class|parent)[-_ ]?of\s+",
    re.IGNORECASE,
)
NAMED_ARROW = re.compile(
    r"\s*-{1,3}\s?[\[(]\s*([^\[\]()]{1,200}?)\s*[\])]\s?-{0,3}>\s*|\s-{1,3}\s*([^-<>|\[\]]{1,200}?)\s*-{1,3}>\s"
)
ARROW = re.compile(r"\s*(?:-{1,3}>|={1,2}>|[→⟶⇒⟹↦➔➜]|[–—]>)\s*|\s+[>›»]\s+")
LEFT_ARROW = re.compile(r"\s*(?:<-{1,3}|[←⟵⇐])\s*")
BELOW, ABOVE = re.compile(r"\s*[⊑⊆⊂⊏]\s*"), re.compile(r"\s*[⊒⊇⊃⊐]\s*")
TUPLE = re.compile(r"[(<\[{](?![(\[{])\s*(\S.*?)\s*[)>\]}]\s*[,;.]?")
PART = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'(?=\s*(?:[,;|]|$))|([^,;|]*))\s*(?:[,;|]|$)""")
FUNCTIONAL = re.compile(r"SubClassOf\s*\(\s*(\S+)\s+(\S+?)\s*\)", re.IGNORECASE)
MANCHESTER = re.compile(r"(Class|SubClassOf|EquivalentTo|DisjointWith|Annotations)\s*:\s*(.*)")
DECORATION = re.compile(r"^(?:\*\*|__|[*_`\"'“”‘’])+|(?:\*\*|__|[*_`\"'“”‘’])+$")
BOLD = re.compile(r"(?:\*\*|__)([^*_]{1,300})(?:\*\*|__)")
PROSE = re.compile(
    r"(?:here(?:'s| is| are)?|sure|certainly|of course|okay|ok|below|the following|based on|note|let me|i |i'|this |these |in this|as requested|"
    r"hope|please|feel free|thank|output|answer|taxonomy|result|relations?|hierarchy|in summary|overall)\b",
    re.IGNORECASE,
)
FEW_WORDS = 5
"""A line that ends with a colon, or begins like a preamble, is the name of a parent only if it is this short."""
CHAIN = 3


def lines_of_answer(text: str, first: int = 1) -> list[Line]:
    r"""List the lines that are not blank, with the depth at which they are nested.

    Example:
        >>> [(line.text, line.depth) for line in lines_of_answer("- animal\n  - dog")]
        [('animal', 30.5), ('dog', 32.5)]
    """
    lines = [line for number, raw in enumerate(text.split("\n"), start=first) for line in _line(number, raw)]
    if any(NUMBERS < line.depth < SINGLE for line in lines):
        # Among numbers such as 1.2 a single one is the first level, and no item of a list.
        return [line._replace(depth=NUMBERS + 1) if line.depth == SINGLE else line for line in lines]
    return [line._replace(depth=LINES + 0.5) if line.depth == SINGLE else line for line in lines]


def _line(number: int, raw: str) -> Iterator[Line]:
    line = raw.expandtabs(TAB).rstrip()
    body = line.lstrip()
    if not body or set(body) <= set("-=_*─━"):
        return
    indent = float(len(line) - len(body))
    if box := BOX.match(line):
        yield Line(number, line[box.end() :].strip(), LINES + box.end() + 1, marked=True)
    elif heading := HEADING.match(body):
        yield Line(number, body[heading.end() :], HEADINGS + len(heading[1]), marked=True)
    elif bullet := BULLET.match(body):
        yield Line(number, body[bullet.end() :], LINES + indent + 0.5, marked=True)
    elif (counted := NUMBER.match(body)) and counted.end() < len(body):
        depth = NUMBERS + 1 + counted[1].count(".") if counted[1] else LINES + indent + 0.5 if indent else SINGLE
        yield Line(number, body[counted.end() :], depth, marked=True)
    else:
        yield Line(number, body, LINES + indent, marked=False)


def name_of(text: str) -> str:
    """Strip decoration from a name: emphasis, quotes, and what ends a sentence.

    Example:
        >>> name_of("**Golden retriever**."), name_of("`cat`,")
        ('Golden retriever', 'cat')
    """
    name = DECORATION.sub("", text.strip().rstrip(".,;").strip())
    return name.strip().rstrip(".,;").strip()


def statements_of_line(line: Line) -> list[Statement]:
    """Read one line as statements; none if it is prose or a node of an outline.

    Example:
        >>> [one[1:4] for one in statements_of_line(Line(1, "A dog is a kind of animal.", 0, False))]
        [('dog', 'is a', 'animal')]
        >>> [one[1:4] for one in statements_of_line(Line(1, "(Oslo, capital of, Norway)", 0, False))]
        [('Oslo', 'capital of', 'Norway')]
    """
    text = line.text
    if not text.endswith(":"):
        for rule in (_of_tuple, _of_symbols, _of_named_arrow, _of_arrows, _of_bars, _of_sentence):
            found = [one for one in rule(line.number, text) if one.subject and one.object]
            if found:
                return found
    return []


def _of_tuple(number: int, text: str) -> Iterator[Statement]:
    inner = TUPLE.fullmatch(text)
    if inner:
        yield from _of_parts(number, _parts(inner[1]))


def _of_bars(number: int, text: str) -> Iterator[Statement]:
    if " | " in text:
        yield from _of_parts(number, text.split(" | "))


def _of_parts(number: int, parts: Sequence[str]) -> Iterator[Statement]:
    names = [name_of(part) for part in parts]
    if len(names) == CHAIN and all(names):
        subject, relation, end = names
        yield Statement(number, subject, relation, end)
    elif len(names) == CHAIN - 1 and all(names):
        yield Statement(number, names[0], IS_A, names[1], directed=False)


def _parts(text: str) -> list[str]:
    """Split at commas, semicolons or bars outside quotes."""
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


def _of_symbols(number: int, text: str) -> Iterator[Statement]:
    """Read subset symbols, and axioms in functional syntax."""
    if axiom := FUNCTIONAL.fullmatch(text.rstrip(".")):
        yield Statement(number, *(_local(axiom[1]), "SubClassOf", _local(axiom[2])))
        return
    for symbol, turned in ((BELOW, False), (ABOVE, True)):
        parts = [name_of(part) for part in symbol.split(text)]
        pairs = pairwise(parts)
        yield from (Statement(number, b, IS_A, a) if turned else Statement(number, a, IS_A, b) for a, b in pairs)


def _of_named_arrow(number: int, text: str) -> Iterator[Statement]:
    found = NAMED_ARROW.search(text)
    if found and found.start() and not ARROW.search(text, found.end()):
        relation = name_of(found[1] or found[2])
        yield Statement(number, name_of(text[: found.start()]), relation, name_of(text[found.end() :]))


def _of_arrows(number: int, text: str) -> Iterator[Statement]:
    for arrow, turned in ((ARROW, False), (LEFT_ARROW, True)):
        parts = [name_of(part) for part in arrow.split(text)]
        if len(parts) == CHAIN and is_relation(parts[1]):
            a, relation, b = parts
            yield Statement(number, b, relation, a) if turned else Statement(number, a, relation, b)
            return
        yield from (
            Statement(number, *((b, IS_A, a) if turned else (a, IS_A, b)), directed=False) for a, b in pairwise(parts)
        )


def is_relation(text: str) -> bool:
    """Return whether a text is a wording of the subclass relation.

    Example:
        >>> is_relation("is a"), is_relation("subclass of"), is_relation("dog")
        (True, True, False)
    """
    padded = f" {text.strip()} "
    return bool(UPWARDS.fullmatch(padded) or DOWNWARDS.fullmatch(padded))


def _of_sentence(number: int, text: str) -> Iterator[Statement]:
    if "," in text.split(" is ", 1)[0] or PROSE.match(text):
        return
    for wording, turned in ((DOWNWARDS, True), (UPWARDS, False)):
        found = wording.search(text)
        if found and found.start():
            ends = [ARTICLE.sub("", name_of(end), count=1) for end in (text[: found.start()], text[found.end() :])]
            child, parent = reversed(ends) if turned else ends
            yield Statement(number, child, IS_A, parent)
            return


def manchester(lines: Sequence[Line]) -> tuple[list[Statement], set[int]]:
    r"""Read frames of OWL's Manchester syntax: classes and their named superclasses; also the lines that were taken.

    Example:
        >>> found, taken = manchester(list(lines_of_answer("Class: dog\n  SubClassOf: animal, pet")))
        >>> [(one.subject, one.object) for one in found], taken
        ([('dog', 'animal'), ('dog', 'pet')], {1, 2})
    """
    found: list[Statement] = []
    taken: set[int] = set()
    subject = slot = ""
    for line in lines:
        frame = MANCHESTER.fullmatch(line.text)
        if frame:
            slot, rest = frame[1], frame[2]
        elif not (slot == "SubClassOf" and subject and line.number - 1 in taken):
            continue
        else:
            rest = line.text
        taken.add(line.number)
        if frame and slot == "Class":
            subject = _local(rest)
        elif slot == "SubClassOf" and subject:
            ends = [part.strip() for part in rest.split(",")]
            found += [
                Statement(line.number, subject, "SubClassOf", _local(end)) for end in ends if end and " " not in end
            ]
    return found, taken


def _local(term: str) -> str:
    """Write a class of OWL as a name: without brackets and without an empty prefix."""
    return name_of(term).removeprefix(":").removeprefix("<").removesuffix(">").replace("_", " ")


def outline(lines: Sequence[Line]) -> tuple[list[Statement], set[int]]:
    r"""Read nested lines: each is below the nearest line before it that is less deep. Also the lines that are nodes.

    Example:
        >>> found, nodes = outline(list(lines_of_answer("animal\n  dog\n    poodle\n  cat")))
        >>> [(one.subject, one.object) for one in found]
        [('dog', 'animal'), ('poodle', 'dog'), ('cat', 'animal')]
    """
    marked = any(line.marked for line in lines)
    found: list[Statement] = []
    nodes: set[int] = set()
    above: list[tuple[float, str]] = []
    for place, line in enumerate(lines):
        following = lines[place + 1] if place + 1 < len(lines) else None
        if _is_prose(line, following, marked=marked):
            continue
        name = _node(line.text)
        if not name:
            continue
        nodes.add(line.number)
        while above and above[-1][0] >= line.depth:
            above.pop()
        if above:
            found.append(Statement(line.number, name, IS_A, above[-1][1]))
        above.append((line.depth, name))
    return found, nodes


def _is_prose(line: Line, following: Line | None, *, marked: bool) -> bool:
    """Return whether a line of an outline is a sentence around it, and not a node."""
    words = line.text.split()
    if line.marked:
        return False
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
    return name_of(re.split(r":\s|\s[-–—]\s", text, maxsplit=1)[0].removesuffix(":"))
