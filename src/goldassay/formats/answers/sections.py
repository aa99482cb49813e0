"""What is around the items of an answer: titles, sections, closing notes, and headings that are a subject or a relation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from goldassay.core.patterns import pattern_of
from goldassay.formats.answers.lines import HEADINGS, LINES, NUMBERS, RULED, Line
from goldassay.formats.answers.means import Meaning
from goldassay.formats.answers.names import COLONS, FEW_WORDS, is_prose, name_of
from goldassay.formats.answers.notes import CLOSING, HEAD_OF_SOURCES, REASONS, REMARKS, SOURCES, SUMMARIES
from goldassay.formats.answers.outline import RANKED
from goldassay.formats.answers.shapes import side_of, two_names
from goldassay.formats.answers.turns import FINAL

NAMES = "ontology|taxonomy|taxonomies|hierarchy|classification|knowledge graph|concept tree"
TITLE = pattern_of(
    rf"(?:[\w'\u2019-]+ ){{0,3}}(?:{NAMES})(?: (?:structure|tree|outline))?(?: (?:of|for|on|about) .*)?", re.IGNORECASE
)
"""The title of what follows."""
QUALITY = (
    "(?:(?:the|all|list of|extracted|identified|key|main|core|named|final|proposed|important|top-level|object|data|datatype|annotation|entity|relation"
    "|relationship|subclass|sub-class|is-a|taxonomic|hierarchical|semantic|parent-child|knowledge graph|node|edge)s? ){0,3}"
)
THINGS = pattern_of(rf"{QUALITY}(?:entities|nodes|classes|concepts|individuals|instances|terms|types)", re.IGNORECASE)
PROPERTIES = pattern_of(rf"{QUALITY}(?:properties|attributes|predicates)", re.IGNORECASE)
STATED = pattern_of(
    rf"{QUALITY}(?:relations|relationships|triples|triplets|edges|facts|statements|axioms|links|subclasses|pairs)"
    "(?: (?:between|among|of|in|from) .*)?",
    re.IGNORECASE,
)
"""Names of sections: of what there is, of what it has, and of what holds between them."""
SAYING_MORE = f"{REMARKS}|{REASONS}|{SUMMARIES}|{SOURCES}|{CLOSING}"
NOTES = pattern_of(
    rf"(?:(?:additional|brief|key|final|some) )?(?:{SAYING_MORE}|design (?:decisions|choices)|next steps)",
    re.IGNORECASE,
)
"""Sections that say more of an answer."""
RESULT = pattern_of(
    r"(?:(?:the|my|final|full|complete|proposed|resulting) ){0,3}(?:results?|answer|output|solution|response|task|(?:hierarchical |tree )structure)"
    r"|ergebnis|résultats?|resultados?|risultat[oi]|结果|結果|النتيجة|(?:endgültige )?antwort|ausgabe|lösung|réponse(?: finale)?|respuesta(?: final)?"
    r"|resposta(?: final)?|risposta(?: finale)?|taxonomie|taxonomía|taxonomia|tassonomia|(?:最终)?(?:答案|回答|输出)|分类|分類|层次结构",
    re.IGNORECASE,
)
"""What an answer is called in bold, in a heading, or on a line above it."""
OPENED = pattern_of(r"</?[a-z][\w-]{0,30}>", re.IGNORECASE)
"""A tag that is the whole line, and is opened or closed nowhere else."""
AROUND_TITLE = " =<>[]-*_"
NOTE = pattern_of(
    rf"[*_(>\s⚠\ufe0f]{{0,5}}(?:(?:important )?(?:{SAYING_MORE})|n\.?b\.?|analysis|total|model|confidence|step \d{{1,2}}|key points?|caveats?|disclaimers)"
    r"\s?(?:[:\uff1a]|[*_]{1,2}[:\uff1a])",
    re.IGNORECASE,
)
"""How a line begins that says more of an answer below it."""
WORDS = frozenset(
    (
        f"{NAMES}|entities|nodes|classes|concepts|individuals|instances|terms|types|properties|attributes|predicates|relations|relationships|triples"
        f"|triplets|edges|facts|statements|axioms|links|subclasses|pairs|decisions|choices|steps|graph|tree|{SAYING_MORE}"
    ).split("|")
)
"""A heading of these kinds has one of these words."""
STEMS = [word for word in WORDS if not any(other in word for other in WORDS - {word})]
"""What is in every text with one of these words."""
APART = str.maketrans(":*_()#", "      ")
CITES = pattern_of(r"https?://|www\.|^[*_]{0,2}\[\^?[\w-]{1,20}\]:?[*_]{0,2}\s|\b(?:19|20)\d\d\b")
"""What is in a line with a source: an address, a number in brackets before it, or a year."""
FOOTNOTE = pattern_of(r"\[\^[\w-]{1,20}\]:\s|\[\d{1,3}\]:?\s<?(?:https?://|www\.)")
COUNT = pattern_of(r"\s\(\d{1,6}\)$")
OUTERMOST = LINES + 1
"""The deepest line that is not indented."""
LONGEST_TITLE, LONGEST = 10, 100
LEAST = 2
"""Where there are no more lines, nothing is around them."""
FIRST = 5
"""A title without a mark is among so many lines."""


class Plain(NamedTuple):
    """The lines of an answer that may be items.

    Attributes:
        used: The numbers of headings that say what their lines are.
        aside: The numbers of lines that are known to be no items.
    """

    lines: list[Line]
    used: set[int]
    aside: set[int]


def plain_lines(lines: list[Line], meaning: Meaning) -> Plain:
    """Take titles, names of sections, lists of mere entities and closing notes out of the lines of an answer."""
    kept, used, aside = _without_ends(lines, meaning), set[int](), set[int]()
    if meaning.nested != "list" and (kinds := _kinds(kept)):
        kept, used = _without_sections(kept, kinds, meaning)
    if len(kept) < len(lines):
        aside = {line.number for line in lines}.difference([line.number for line in kept], used)
    if meaning.nested == "facts":
        kept, more = _below_headings(kept, meaning)
        used |= more
    return Plain(kept, used, aside)


def _without_ends(lines: list[Line], meaning: Meaning) -> list[Line]:
    """Leave out an introduction above an outline, and notes below a blank line that is below no others."""
    whole, lines = lines, without_sources(lines)
    end = at = len(lines)
    while at > LEAST and NOTE.match(lines[at - 1].text):
        at -= 1
        end = at if _gap(lines, at) > _gap(lines, at - 1) else end
    begin = _notes_above(lines[:end])
    begin = _introduction(lines[:end], begin) if meaning.nested == "tree" and end > LEAST else begin
    return whole if end - begin == len(whole) else lines[begin:end]


def without_sources(lines: list[Line]) -> list[Line]:
    """Leave out the sources that an answer ends with: footnotes, the addresses of links, and what is below a heading for them."""
    at = len(lines)
    while at > 1 and CITES.search(lines[at - 1].text):
        at -= 1
    below = lines[at:]
    headed = below and at > 1 and HEAD_OF_SOURCES.fullmatch(lines[at - 1].text)
    if headed:
        return lines[: at - 1]
    while below and FOOTNOTE.match(below[-1].text):
        below.pop()
    return lines[: at + len(below)]


def _gap(lines: Sequence[Line], at: int) -> int:
    return lines[at].number - lines[at - 1].number


def _notes_above(lines: Sequence[Line]) -> int:
    """Return how many of the first lines are notes with a blank line below."""
    at = end = 0
    while at < min(FIRST, len(lines) - LEAST) and NOTE.match(lines[at].text):
        at += 1
        end = at if _gap(lines, at) > 1 else end
    return end


def _introduction(lines: Sequence[Line], notes: int) -> int:
    """Return how many of the first lines are around an answer: titles of results, or words before a colon and a blank line, below notes and above one tree, or above several if they say that it is final."""
    count = notes
    while count < min(FIRST, len(lines) - LEAST) and _is_title(lines, count):
        count += 1
    if any(FINAL.fullmatch(_name(line).strip(AROUND_TITLE)) for line in lines[notes:count]):
        return count
    return (
        count if count > notes and _is_one_tree(lines[count:]) and _is_other(lines[count - 1], lines[count]) else notes
    )


def _is_title(lines: Sequence[Line], at: int) -> bool:
    """Return whether a line is a title of results, or words before a colon and a blank line."""
    line = lines[at]
    if line.marked and line.depth >= NUMBERS:
        return False
    worded = not line.marked and len(line.text.split()) > 1 and line.text.rstrip("*_ ").endswith(COLONS)
    if worded and _gap(lines, at + 1) > 1:
        return True
    return _is_called_result(_name(line)) or OPENED.fullmatch(line.text) is not None


def _is_called_result(name: str) -> bool:
    return any(title.fullmatch(name.strip(AROUND_TITLE)) for title in (RESULT, TITLE))


def is_around(text: str) -> bool:
    """Return whether a line is around an answer: a note, a title of results, a tag or a rule."""
    plain = text.strip("#*_: \t")
    return not plain.strip(RULED) or bool(NOTE.match(text) or OPENED.fullmatch(text)) or _is_called_result(plain)


def _is_other(head: Line, root: Line) -> bool:
    """Return whether a line is written in another way than the root below it: a heading, or a line without a mark, above a bullet."""
    return (head.depth < NUMBERS) != (root.depth < NUMBERS) or head.marked != root.marked


def _is_one_tree(lines: Sequence[Line]) -> bool:
    """Return whether all marked lines are below the first one, which has some, and no other begins a list."""
    root, *below = lines
    is_item = [line.marked or not root.marked for line in below]
    return any(is_item) and all(
        line.depth > root.depth if item else not line.text.endswith(COLONS)
        for line, item in zip(below, is_item, strict=True)
    )


def title_above(lines: Sequence[Line]) -> str:
    """Warn of a line above one tree that is written in another way than it: it is read as its root, and may be a title."""
    at = next((at for at, (head, root) in enumerate(pairwise(lines[:FIRST])) if _is_other(head, root)), None)
    if at is None or len(lines) < at + LEAST + 1 or not _is_one_tree(lines[at + 1 :]):
        return ""
    head, root = lines[at], lines[at + 1]
    if head.depth >= root.depth or RANKED.match(head.text) or any(line.text == head.text for line in lines[at + 1 :]):
        return ""
    return f"line {head.number} ({head.text!r:.60}) is read as the name above {name_of(root.text)!r:.60}: leave it out if it is a title"


def _name(line: Line) -> str:
    return COUNT.sub("", name_of(line.text.strip().rstrip(":").rstrip("*_")).rstrip(":"))


def _is_heading(line: Line) -> bool:
    """Return whether a line is written like a heading: behind #, in bold, before a colon, or without a bullet; nothing is indented, and no tuple."""
    text = line.text.strip()
    return (
        line.depth <= OUTERMOST
        and text[:1] != "("
        and (line.depth < NUMBERS or not line.marked or text.endswith((":", ":**", ":__")) or is_bold(text))
    )


def is_bold(text: str) -> bool:
    """Return whether a text is in bold from its beginning to its end."""
    return text.startswith(("**", "__")) and text.endswith(text[:2]) and text.find(text[:2], 2) == len(text) - 2


def _kinds(lines: Sequence[Line]) -> list[re.Pattern[str] | None]:
    """List what kind of heading each line is; nothing if none is one, as in most answers, which have none of the words."""
    outer = [line.text for line in lines if line.depth <= OUTERMOST and line.text[:1] != "("]
    whole = "\n".join(outer).lower()
    if not outer or not any(map(whole.__contains__, STEMS)):
        return []
    kinds = [_kind(at, line) if _is_heading(line) else None for at, line in enumerate(lines)]
    return kinds if any(kinds) else []


def _kind(at: int, line: Line) -> re.Pattern[str] | None:
    """Return what kind of heading a line is; None if it may be an item, as are most: words are looked up before patterns are tried."""
    if len(line.text) > LONGEST or WORDS.isdisjoint(line.text.lower().translate(APART).split()):
        return None
    name = _name(line)
    if found := next((kind for kind in (THINGS, PROPERTIES, STATED, NOTES) if kind.fullmatch(name)), None):
        return found
    first = line.depth < NUMBERS or (at < FIRST and not line.marked and not is_prose(line.text))
    return TITLE if first and len(name.split()) <= LONGEST_TITLE and TITLE.fullmatch(name) else None


def _without_sections(
    lines: Sequence[Line], called: Sequence[re.Pattern[str] | None], meaning: Meaning
) -> tuple[list[Line], set[int]]:
    kinds = [None if kind is NOTES and not _is_note(lines, called, at) else kind for at, kind in enumerate(called)]
    if len(lines) - sum(kind is not None for kind in kinds) < 1:
        return list(lines), set()
    listed = THINGS in kinds or PROPERTIES in kinds or STATED in kinds
    left = _left_out(kinds, meaning)
    kept: list[Line] = []
    used: set[int] = set()
    section: re.Pattern[str] | None = None
    for line, kind in zip(lines, kinds, strict=True):
        if kind is None and section is NOTES and line.depth < NUMBERS:
            section = None
        if kind is None and section not in left:
            kept.append(line)
        elif kind is not None:
            section = kind
            if kind in (THINGS, PROPERTIES, STATED) and kind not in left:
                used.add(line.number)
    while listed and len(kept) > 1 and _is_title_above(kept, used):
        kept.pop(0)
    return (kept, used) if kept else (list(lines), set())


def _left_out(kinds: Sequence[re.Pattern[str] | None], meaning: Meaning) -> set[re.Pattern[str] | None]:
    """Return the sections whose lines state nothing."""
    if meaning.arrow == "":
        return {NOTES, THINGS, PROPERTIES} if STATED in kinds else {NOTES}
    return {NOTES, PROPERTIES} if meaning.nested == "tree" else {NOTES}


def _is_note(lines: Sequence[Line], kinds: Sequence[re.Pattern[str] | None], at: int) -> bool:
    """Return whether a heading such as Notes is followed by a sentence, up to the next heading."""
    for line, kind in zip(lines[at + 1 :], kinds[at + 1 :], strict=True):
        if kind is not None or line.depth < NUMBERS:
            return False
        if len(line.text.split()) > FEW_WORDS or line.text.endswith("."):
            return at > 0
    return False


def _is_title_above(kept: Sequence[Line], used: set[int]) -> bool:
    """Return whether the first line is a heading above all sections."""
    after = min(used, default=0)
    return kept[0].depth < NUMBERS and kept[0].depth > HEADINGS and kept[0].number < after <= kept[1].number


def _below_headings(lines: list[Line], meaning: Meaning) -> tuple[list[Line], set[int]]:
    """Write pairs below a heading that is their subject or their relation as statements with all three."""
    if len({line.depth for line in lines}) == 1 and not any(line.text.endswith(":") for line in lines):
        return lines, set()
    leads = [*(after.depth > head.depth or head.text.endswith(":") for head, after in pairwise(lines)), False]
    if not any(leads):
        return lines, set()
    made: list[Line] = []
    used: set[int] = set()
    at = 0
    while at < len(lines):
        head = lines[at]
        pairs = list(_pairs_below(lines, at)) if leads[at] else []
        name = _name(head) if pairs else ""
        side = side_of(name, [a for a, _ in pairs], meaning) if name and not set("[]()") & set(name) else ""
        at += 1
        if not side:
            made.append(head)
            continue
        used.add(head.number)
        for line, (a, b) in zip(lines[at:], pairs, strict=False):
            ends = (name, a, b) if side == "subject" else (a, name, b)
            made.append(line._replace(text="{} -[{}]-> {}".format(*ends)))
        at += len(pairs)
    return made, used


def _pairs_below(lines: Sequence[Line], at: int) -> Iterator[tuple[str, str]]:
    """List the pairs of the lines below a heading."""
    head = lines[at]
    level = head.text.endswith(":") and not head.marked
    after = lines[at + 1 : at + 2]
    if not after or (after[0].depth <= head.depth and not level) or not _is_heading(head):
        return
    if is_prose(head.text) or len(head.text.split()) > FEW_WORDS or two_names(head.text):
        return
    for line in islice(lines, at + 1, None):
        pair = two_names(line.text) if line.depth > head.depth or (level and line.depth == head.depth) else None
        if pair is None:
            return
        yield pair
