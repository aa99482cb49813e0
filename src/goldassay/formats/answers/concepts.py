"""The concepts in one answer: JSON, a table, tags, bullets, or names behind a word such as 'Keywords:'."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from goldassay.core.errors import InputError
from goldassay.core.patterns import pattern_of
from goldassay.core.text import BULLETS
from goldassay.formats.answers.batch import body_of
from goldassay.formats.answers.empty import BEGIN, is_nothing, is_refusal
from goldassay.formats.answers.json import values_in
from goldassay.formats.answers.labels import WORDS_OF_LABEL
from goldassay.formats.answers.lines import NUMBERS, Line, lines_of_answer
from goldassay.formats.answers.means import OF_CONCEPTS
from goldassay.formats.answers.names import has_colon, name_of
from goldassay.formats.answers.outline import node_of
from goldassay.formats.answers.sections import without_sources
from goldassay.formats.answers.tables import delimited_in, tables_in
from goldassay.formats.choose_columns import Roles
from goldassay.formats.roles import CONCEPTS, DOCUMENTS

PREAMBLE = 2
"""An answer that is a list has at most as many lines that are none of it."""
NAMING = frozenset({"text", "name", "concept", "term", "mention", "entity", "keyword", "keyphrase", "phrase"})
"""Keys of a concept that is an object."""
OF_KINDS = frozenset({"type", "label", "category", "start", "end", "entity_type", "semantic_type", "kind"})
"""Keys of a concept next to its text."""
OF_LISTS = OF_CONCEPTS._replace(
    roles=Roles(names={"concept": CONCEPTS.names["concept"]}, needed=(("concept",),), asked=False)
)
"""Tables of an answer to one document, which have no column of documents."""
TAGGED = pattern_of(
    r"<(concept|keyword|keyphrase|entity|term|item)(?:\s[^<>]{1,200})?>([^<>]{1,200})</\1>", re.IGNORECASE
)
TAGGED_LINE = pattern_of(rf"^[ \t]*{TAGGED.pattern}[ \t]*$", re.IGNORECASE | re.MULTILINE)
"""A concept in a tag, on a line of its own."""
OF_EAST = "(?:主要|核心|重要|提取的|抽出された|医学)?(?:概念|术语|術語|用語|专业术语|关键词|關鍵詞|关键字|關鍵字|实体|實體|キーワード|エンティティ|개념|키워드|용어)(?:列表|一覧|リスト)?"
LEAD = pattern_of(
    r"(?:the )?(?:(?:key|main|extracted|medical|clinical|relevant|important|following|identified|named) ){0,3}"
    r"(?:concepts?|key ?words?|key ?phrases?|entities|terms|tags|konzepte|begriffe|schlüsselwörter|mots-clés|conceptos|palabras clave)"
    r"(?: (?:are|is|include))?[*_]{0,3}\s?:[*_]{0,3}(?: (.*))?|" + OF_EAST + r"[*_]{0,3}\s?[:\uff1a][*_]{0,3}\s?(.*)",
    re.IGNORECASE,
)
"""A line that begins with what was asked for, and perhaps has the names."""
KIND = pattern_of(r"[A-Z][a-z]{1,20}(?: [a-z]{1,20})?s[*_]{0,3}:[*_]{0,3} (\S.*)")
"""A line that begins with a kind of names, such as diseases."""
COMMA = pattern_of(r",\s{1,9}(?:and\s)?|[\u3001\uff0c]")
MARK = pattern_of(r"\s{0,9}[;|\uff1b]\s{0,9}")
ABSENT = pattern_of(
    r"no (?:\w{1,20} ){0,2}\w{1,20}s (?:(?:were|are) )?(?:found|mentioned|identified|extracted|listed|specified|stated)\b.*"
)
"""What a model writes where it found nothing, in lower case."""
DESCRIBED = pattern_of(
    rf"^([ \t]*(?:[{BULLETS}]|\d{{1,3}}[.)])[ \t]++)(\*\*|__)?([^\n:*_]{{1,80}}?)(?(2)\2)"
    r"(?:[ \t]*+:(?:\*\*|__)?[ \t]|[ \t]++[-\u2013\u2014][ \t])[ \t]*+(\S[^\n]*)$",
    re.MULTILINE,
)
"""A bullet with a name, and a description behind it."""
ARTICLES = ("a ", "an ", "the ", "any ")
QUOTED = pattern_of(r"\s*+[{(]?\s*+([\"'`])(?=\S)[^\n]*(?<=\S)\1\s*+,?\s*+[})]?\s*+")
"""Names in quotes or as code on one line, and a set of Python."""
SAYING = pattern_of(
    r"\b(?:[Ii]s|[Aa]re|was|were|been|has|have|had|does|did|can|could|may|might|must|shall|should|will|would|you|he|she|it|we|they"
    r"|[Tt]his|[Tt]hese|[Tt]here|your|their|its|which|that|because|if|when|[Tt]ake|[Uu]se|[Yy]es)\b|[.!?:]\s|[.!?:\u3002]$"
)
"""What sentences have, and lists of names have not."""
ENDS = " and "
NEARLY_ALL = 0.9
"""So many answers of a batch are lists by their marks, or all are texts."""


class Listed(NamedTuple):
    """The concepts of an answer, and how many of them only say that there is none; None if it is a text. JSON may be cut off, or broken, and is no text then."""

    names: list[Any] | None
    cut: bool = False
    absent: int = 0
    broken: bool = False


def list_in(text: str) -> Listed:
    """Find the list of concepts in one answer."""
    body = body_of(text)
    value, _, cut = next(values_in(body, 1), (None, set[int](), 0))
    if isinstance(value, Mapping):
        called = DOCUMENTS.called("concepts", list(value))
        value = value[called[0]] if called else join_lists(value)
    if isinstance(value, list):
        return Listed(value, bool(cut))
    for read in (_in_tags, partial(_in_table, fenced=body is not text), led_names, _in_bullets):
        if (found := read(body)) is not None:
            names = [name for name in found if not is_absent(name)]
            return Listed(names, absent=len(found) - len(names) if names else 0)
    return Listed(None)


def lists_in(texts: Sequence[str]) -> list[Listed]:
    """Find the list of concepts in each answer of a batch; what is one only by its marks, such as commas, is one if nearly all others are."""
    found = list(map(_list_of, texts))
    places = [at for at, one in enumerate(found) if one.names is None and not one.broken]
    marked = {at: names for at in places if (names := _marked_names(body_of(texts[at])))}
    # What a service did not answer, or a model refused to, says nothing.
    unsaid = sum(
        at not in marked and (not texts[at].strip() or is_nothing(texts[at], OF_CONCEPTS) or is_refusal(texts[at]))
        for at in places
    )
    answered = len(texts) - unsaid
    lists = answered - (len(places) - len(marked) - unsaid)
    if any(len(names) > 1 for names in marked.values()) and lists >= NEARLY_ALL * answered:
        for at, names in zip(marked, split_last(marked.values()), strict=True):
            kept = [name for name in names if not is_absent(name)]
            found[at] = Listed(kept, absent=len(names) - len(kept) if kept else 0)
    return found


def _list_of(text: str) -> Listed:
    """Find the list of concepts in an answer of a batch; of one that cannot be read the others are read."""
    try:
        return list_in(text)
    except InputError:
        return Listed(None, broken=True)


def _marked_names(body: str) -> list[str] | None:
    """List the names of an answer that is a list by its marks: commas, semicolons, bars, quotes, or a line for each; None if it may be a sentence."""
    if QUOTED.fullmatch(body):
        inner = body.strip(" \t\r\n{}()").replace("`", '"')
        value = next((value for value, *_ in values_in(f"[{inner}]", 1)), None)
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return value
    lines = [line for line in map(str.strip, body.split("\n")) if line]
    if any(map(SAYING.search, lines)):
        return None
    names = [name for line in lines for name in split_names(line)]
    return names if all(len(name.split()) <= WORDS_OF_LABEL for name in names) else None


def split_last(lists: Iterable[list[str]]) -> list[list[str]]:
    """Split the last names at 'and' if each list of several ends with it: then it is none of a name."""
    found = list(lists)
    several = [names for names in found if len(names) > 1]
    if not several or not all(ENDS in names[-1] for names in several):
        return found
    return [[*names[:-1], *names[-1].split(ENDS)] if len(names) > 1 else names for names in found]


def is_absent(name: str) -> bool:
    """Return whether what is written in place of a concept says that there is none."""
    if name[:1].isalnum() and name[0] not in BEGIN and ":" not in name and "\n" not in name:
        return False
    return is_nothing(name, OF_CONCEPTS) or ABSENT.fullmatch(name.strip("*_ ").lower()) is not None


def join_lists(value: Mapping[str, Any]) -> list[Any] | None:
    """Join the lists of concepts of several kinds; None if an object has anything else."""
    lists = list(value.values())
    whole = all(isinstance(one, list) and all(map(_is_concept, one)) for one in lists)
    return [concept for one in lists for concept in one] if whole and lists else None


def _is_concept(value: Any) -> bool:
    scored = isinstance(value, list) and list(map(type, value)) in ([str, float], [str, int])
    return isinstance(value, str) or scored or (isinstance(value, dict) and not NAMING.isdisjoint(value))


def is_named(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a concept by its keys: a name next to what it is, without an id, and no document; a text of a few words next to its kind."""
    names = {key.lower(): one for key, one in value.items()}
    if CONCEPTS.called("document", list(value)) or DOCUMENTS.called("id", list(value)):
        return False
    short = [
        one
        for key, one in names.items()
        if key in NAMING and isinstance(one, str) and len(one.split()) <= WORDS_OF_LABEL
    ]
    kinds = not OF_KINDS.isdisjoint(names)
    return len(short) == 1 and (kinds or "text" not in names)


def _in_tags(body: str) -> list[str] | None:
    return [name.strip() for _, name in TAGGED.findall(body)] or None if "</" in body else None


def names_of_one(text: str) -> list[str] | None:
    """List the concepts of a text for one document: in tags, behind a word for them, or in a table without a column of documents."""
    tagged = _in_tags(text) if TAGGED_LINE.search(text) else None
    found = tagged or led_names(text) or _in_table(text, fenced=False, one_document=True)
    return [name for name in found if not is_absent(name)] if found else None


def _in_table(body: str, *, fenced: bool, one_document: bool = False) -> list[str] | None:
    """List the names in the column of concepts of a table: CSV is one only in a fence."""
    found = tables_in(body, 1, OF_LISTS) or (delimited_in(body, 1, OF_LISTS) if fenced else None)
    names, *rows = found.table if found else [()]
    if not OF_LISTS.roles.recognises(names) or (one_document and CONCEPTS.recognises(names)):
        return None
    at = OF_LISTS.roles.chosen(names, always=True).places["concept"]
    return [row[at] for row in rows if len(row) > at and row[at]]


def led_names(body: str) -> list[str] | None:
    """List the names behind what was asked for, or behind kinds of it on every line; None if a line is none."""
    found: list[str] = []
    for line in filter(None, (line.strip(" \t\r*_#>") for line in body.split("\n"))):
        lead = (LEAD.fullmatch(line) or KIND.fullmatch(line)) if has_colon(line[:80]) else None
        names = split_names(lead[lead.lastindex or 1] or "") if lead else []
        if lead is None or any(len(name.split()) > WORDS_OF_LABEL or ". " in name for name in names):
            return None
        found += names
    return [name for name in found if not is_absent(name)] if found else None


def split_names(text: str) -> list[str]:
    """Split names on one line: at semicolons or bars, or else at commas."""
    mark = MARK if any(map(text.__contains__, ";|\uff1b")) else COMMA
    return [name for name in map(name_of, mark.split(text.strip())) if name]


def _in_bullets(body: str) -> list[str] | None:
    """List bullets below at most a line or two, or below the names of their kinds."""
    lines = without_sources(lines_of_answer(body))
    kinds = set(_kinds_of(lines))
    marked = [line.text for line in lines if line.marked]
    short = all(name and len(name.split()) <= WORDS_OF_LABEL for name in map(name_of, marked))
    names = [node_of(line.text) for line in lines if line.marked and line.number not in kinds] if short else []
    others = sum(not line.marked and line.number not in kinds for line in lines) if len(marked) < len(lines) else 0
    return names if names and others <= PREAMBLE else None


def _kinds_of(lines: list[Line]) -> Iterator[int]:
    """List the numbers of lines that name a kind of concepts: they are headings, end with a colon or are bold, and what is below is marked or deeper."""
    for line, below in pairwise(lines):
        deeper = below.depth > line.depth
        if not below.marked or (line.marked and not deeper):
            continue
        plain = line.text.strip("*_ ")
        if line.depth < NUMBERS <= below.depth or (plain != line.text.strip() if line.marked else plain.endswith(":")):
            yield line.number


def without_descriptions(text: str) -> str:
    """Leave the descriptions behind the names of bullets out, where one begins with an article: no concept does."""
    found = DESCRIBED.findall(text)
    described = any(described.lower().startswith(ARTICLES) for *_, described in found)
    # An id has a digit.
    ids = any(any(map(str.isdigit, name)) for _, _, name, _ in found)
    return DESCRIBED.sub(r"\1\3", text) if described and not ids else text
