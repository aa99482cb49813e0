"""Outlines: nested lines, of which each is below the nearest one that is less deep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from goldassay.core.patterns import pattern_of
from goldassay.formats.answers.lines import HEADINGS, LINES, NUMBERS, Line, RawStatement
from goldassay.formats.answers.means import OF_EDGES, Meaning
from goldassay.formats.answers.names import ARTICLE, COLON, FEW_WORDS, LIST, end_of, has_colon, is_prose, name_of
from goldassay.formats.answers.statements import are_lists

FIELD_OF_ITEM = pattern_of(
    r"[*_]{0,3}(?:definitions?|descriptions?|examples?|synonyms?|meaning|explanation|notes?|beschreibung|beispiele?|définition|exemples?)"
    r"[*_]{0,3}\s?[:：][*_]{0,3}\s?\S",
    re.IGNORECASE,
)
"""A line that says something of the item above it."""
HEADED = ":：*_"
INCLUDING = pattern_of(
    r"(?:\s(?:includes?|compris(?:es?|ing)|umfass(?:t|en)|comprend|comprennent|incluyen?)|包括)(?=[*_]{0,3}\s?[:：][*_]{0,3}$)",
    re.IGNORECASE,
)
ENDLESS = pattern_of(
    r"\.{3}|…|[\[(]?(?:\.{3}|…)?\s?(?:etc\.?|and so (?:on|forth)|(?:and )?\d{1,9} (?:more|others?)(?: \w{1,30})?)\s?(?:\.{3}|…|\.)?[\])]?",
    re.IGNORECASE,
)
BEGIN_ENDLESS = "[(.…eEaA0123456789"
"""What says that an outline goes on, and is no name, and how it begins."""
NOT_THERE = frozenset({"none", "n/a", "(none)", "(empty)"})
"""What says that nothing is below a name of a tree, in lower case."""
DESCRIBED = pattern_of(r"[-:–—](?:(?<=:)|(?<=\s.))\s|：\s*+(?=\S)")
BOLD = pattern_of(r"(?:\*\*|__)([^*_]{1,300})(?:\*\*|__)")
CHILDREN = pattern_of(
    r"(?:children|sub[-_ ]?(?:classes|types|categories|concepts|terms)|narrower|hyponyms)\s*:\s*(?:\[\])?",
    re.IGNORECASE,
)
NAMED = pattern_of(r"""(?:name|label|title|concept|term|class)\s*:\s*["']?(\S.*?)["']?""", re.IGNORECASE)
"""In YAML, what is below a name, and the name."""
LONGEST_NAME = 8
"""What is behind a colon is a description if it has more words."""
RANKED = pattern_of(
    r"(?:\*\*|__)?(?:(root(?: (?:node|class|concept))?|(?:level|tier|layer) ?(\d{1,2})|parent|child)|(?:sub-?){0,3}(?:category|class|concept|type|topic|group|node)"
    r"|kingdom|phylum|order|family|genus|species)(?: \d{1,3})?:(?:\*\*|__)?\s+(?=\S)",
    re.IGNORECASE,
)
"""What says where in a tree a name is."""
LEVEL = pattern_of(
    r"(?<!\s)\s++[\[(](?:(?:level|tier|layer|depth) ?(\d{1,2})|\d{1,3}((?:\.\d{1,3})++))[\])]\W*$", re.IGNORECASE
)
"""The same behind a name."""


def outline(lines: Sequence[Line], meaning: Meaning = OF_EDGES) -> tuple[list[RawStatement], set[int]]:
    """Read nested lines: each is below the nearest line before it that is less deep. Also the lines that are nodes."""
    if any(line.text.endswith((":", "]")) and CHILDREN.fullmatch(line.text) for line in lines):
        lines = [line._replace(text=named[1]) for line in lines if (named := NAMED.fullmatch(line.text))]
    lines = _without_levels(_without_labels(_without_fields(lines))) if meaning.nested == "tree" else lines
    tree = _nodes_of(lines)
    listed = _children_behind(tree, meaning) if meaning.nested == "tree" else {}
    facts = meaning.nested == "facts" and _are_facts([line for line in tree if line.depth > tree[0].depth])
    found: list[RawStatement] = []
    nodes: set[int] = set()
    above: list[_Node] = []
    parents: set[int] = set()
    for line in tree:
        while above and above[-1].depth >= line.depth:
            above.pop()
        if above:
            parents.add(above[-1].number)
        relation, end = (above and facts and _fact(line.text, described=False)) or ("", "")
        name = end or ("" if relation else node_of(line.text))
        if (not name and not relation) or (meaning.nested == "tree" and above and name.lower() in NOT_THERE):
            continue
        nodes.add(line.number)
        if above and not relation and meaning.nested == "tree":
            found.append(RawStatement(line.number, name, meaning.is_a, above[-1].name))
            if listed:
                found += [RawStatement(line.number, child, meaning.is_a, name) for child in listed.get(line.number, ())]
        elif above:
            found += _relate_to_above(line.number, above, relation, name, meaning)
        above.append(_Node(line.depth, name, relation if not end else "", line.number))
    # Where a relation is needed, a name states nothing.
    return found, nodes if meaning.arrow else nodes & (parents | {one.line for one in found})


def _nodes_of(lines: Sequence[Line]) -> list[Line]:
    """List the lines of an outline that are no prose: of a line without a bullet the last item above and the line below decide."""
    tree: list[Line] = []
    item, marked = None, any(line.marked for line in lines)
    for at, line in enumerate(lines):
        if line.marked:
            item = line
        elif _is_prose(line, item, lines[at + 1] if at + 1 < len(lines) else None, marked):
            continue
        tree.append(line)
    return tree


def _without_fields(lines: Sequence[Line]) -> Sequence[Line]:
    """Leave out what describes an item below it, such as its definition, and strip 'include' from the name above a list."""
    kept: list[Line] = []
    for line in lines:
        if has_colon(line.text):
            if kept and line.depth > kept[0].depth and FIELD_OF_ITEM.match(line.text):
                continue
            if line.text[-1] in HEADED:
                kept.append(line._replace(text=INCLUDING.sub("", line.text)))
                continue
        kept.append(line)
    return kept


def _without_labels(lines: Sequence[Line]) -> Sequence[Line]:
    """Strip words such as 'Root:' and 'Level 2:' before names, and ranks such as 'Genus:' above other lines, or where most have one."""
    found = [RANKED.match(line.text) if ":" in line.text else None for line in lines]
    if not any(found):
        return lines
    found = [one if one and _is_short(line.text[one.end() :]) else None for one, line in zip(found, lines, strict=True)]
    most = 2 * sum(one is not None for one in found) > len(lines)
    # Levels without bullets that are not indented are as deep as their numbers say.
    flat = all(line[2:] == (LINES, False) for one, line in zip(found, lines, strict=True) if one and one[2])
    return [
        Line(line.number, line.text[one.end() :], *((HEADINGS + float(one[2]), True) if flat and one[2] else line[2:]))
        if one and (most or one[1] or below.depth > line.depth)
        else line
        for one, line, below in zip(found, lines, [*lines[1:], lines[-1]], strict=True)
    ]


def _without_levels(lines: Sequence[Line]) -> Sequence[Line]:
    """Strip levels such as '(level 2)' and '[1.1]' behind names, where most lines have one, which says how deep the line is."""
    found = [LEVEL.search(line.text) if ")" in line.text or "]" in line.text else None for line in lines]
    pairs = list(zip(lines, found, strict=True))
    levels = {(line.depth, one[1] or one[2].count(".")) for line, one in pairs if one}
    if 2 * sum(map(bool, found)) <= len(lines) or any(
        len(set(ends)) < len(levels) for ends in zip(*levels, strict=True)
    ):
        return lines
    kept = [line._replace(text=line.text[: one.start()]) if one else line for line, one in pairs]
    # Versions and degrees may be all in which names differ.
    return kept if len({line.text for line in kept}) == len({line.text for line in lines}) else lines


def _is_short(name: str) -> bool:
    return 0 < len(name.split()) <= FEW_WORDS and not ARTICLE.match(name) and not LIST.search(name)


def _children_behind(tree: Sequence[Line], meaning: Meaning) -> dict[int, list[str]]:
    """Return the names behind the colons of leaves by their lines, if these are lists of short names, and no descriptions."""
    places = [at for at, line in enumerate(tree) if has_colon(line.text)]
    leaves = [tree[at] for at in places if at + 1 == len(tree) or tree[at + 1].depth <= tree[at].depth]
    split = [(line.number, COLON.split(line.text, maxsplit=1)) for line in leaves]
    rows = [(number, name_of(ends[0]), LIST.split(ends[1])) for number, ends in split if len(ends) > 1]
    whole = not any(ends[1].rstrip().endswith(".") for _, ends in split if len(ends) > 1)
    lists = whole and are_lists([some for *_, some in rows], [name for _, name, _ in rows], meaning)
    return {number: list(map(name_of, some)) for number, _, some in rows} if lists else {}


def _are_facts(inner: Sequence[Line]) -> bool:
    """Return whether most lines below others are relations."""
    return 2 * sum(_fact(line.text) is not None for line in inner) >= len(inner)


class _Node(NamedTuple):
    """A line of an outline: a name, or a relation that leads to the names below it."""

    depth: float
    name: str
    relation: str = ""
    number: int = 0


def _relate_to_above(
    number: int, above: Sequence[_Node], relation: str, name: str, meaning: Meaning
) -> Iterator[RawStatement]:
    """Return what a line of an outline is to the lines above it."""
    last = above[-1]
    if meaning.nested == "list":
        yield RawStatement(number, last.name, "", name)
    elif last.relation:
        subject = next((one.name for one in reversed(above) if not one.relation), "")
        yield RawStatement(number, subject, last.relation, name)
    elif relation and name:
        yield RawStatement(number, last.name, relation, name)
    elif not relation and meaning.arrow:
        # In triples what is inside of a name is in some relation to it, which is not written.
        yield RawStatement(number, name, meaning.is_a, last.name)


def _fact(text: str, *, described: bool = True) -> tuple[str, str] | None:
    """Split a line into a relation and an object at its colon; a relation without an object ends with the colon; a description is none, if there may be some."""
    relation, colon, end = text.replace("：", ": ", ":" not in text).partition(":")
    if not colon or (end and not end.startswith((" ", "*", "_", "`"))):
        return None
    name = end_of(end)
    if (described and name.lower().startswith(("a ", "an "))) or len(name.split()) > LONGEST_NAME:
        return None
    return name_of(relation), name


def _is_prose(line: Line, item: Line | None, following: Line | None, marked: bool) -> bool:
    """Return whether a line of an outline without a bullet is a sentence around it, or says more of an item, and is not a node."""
    text = line.text.strip("*_")
    words = len(text.split())
    ends = text.endswith((":", "!", ".", "：", "！", "。"))
    within = item is not None and item.depth < line.depth and item.depth >= LINES
    if within and (words > FEW_WORDS or text.endswith((".", "!", "。", "！")) or ARTICLE.match(text)):
        # What is as deep, and has a bullet, is below the item.
        return following is None or following.depth <= line.depth + 0.5
    headed = item is not None and item.depth < NUMBERS and (following is None or following.marked)
    if headed and words > 1 and text.endswith((".", "。")):
        return True
    if (words > FEW_WORDS or ends) and is_prose(text):
        return True
    if marked and not (following is not None and following.depth > line.depth):
        return True
    return words > FEW_WORDS and (ends or text.endswith(("?", "？")))


def node_of(text: str) -> str:
    """Return the name of a node, without the description after it."""
    if text[:1] in BEGIN_ENDLESS and ENDLESS.fullmatch(text):
        return ""
    if text[-1:] == "/" and "://" not in text:
        text = text.rstrip("/")
    if text[:2] in ("**", "__") and (bold := BOLD.match(text)):
        return name_of(bold[1].removesuffix(":"))
    found = DESCRIBED.search(text) if _may_be_described(text) else None
    name = text[: found.start()] if found else text.rstrip(":：")
    if found and name.count("(") > name.count(")"):
        # The mark is in brackets, which then describe the name.
        name = name[: name.rfind("(")] or text
    return end_of(name)


def _may_be_described(text: str) -> bool:
    return ":" in text or "-" in text or not text.isascii()


def count_described(nodes: Sequence[Line], names: AbstractSet[str]) -> int:
    """Count the nodes of an outline that have a description that was left out, and no names of other nodes."""
    texts = [line.text for line in nodes if _may_be_described(line.text)]
    behind = [text[found.end() :] for text, found in zip(texts, map(DESCRIBED.search, texts), strict=True) if found]
    return sum(names.isdisjoint(map(name_of, LIST.split(text))) for text in behind)
