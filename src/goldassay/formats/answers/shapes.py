"""One line of an answer as statements: tuples, symbols, arrows, cells, dashes and sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from goldassay.core.patterns import pattern_of
from goldassay.formats.answers.lines import CLOSING, LEFT, RIGHT, SUBSETS, SUPERSETS, RawStatement
from goldassay.formats.answers.means import OF_EDGES, Meaning
from goldassay.formats.answers.names import (
    AROUND_QUOTES,
    ARTICLE,
    BRACKETED,
    COLON,
    LIST,
    OPENING,
    cell_of,
    end_of,
    is_prose,
    local_name,
    name_of,
    number_of,
    unescaped,
)
from goldassay.formats.roles import AXIOMS, CORRESPONDENCES

GERMAN_ARTICLE = pattern_of(r"(?:eine?|der|die|das|jede[rs]?)\s+", re.IGNORECASE)
KIND = "(?:sub-?)?(?:type|kind|sort|class|form|category|variety|species|genus|instance|example|hyponym|child|subset)(?:s|es|ies)?"
WORDED = pattern_of(
    r"\s(?:\s*+(?=[abfghiprs])(?:(?P<down>(?:is|are)\s+(?:(?:an?|the)\s+)?(?:parent|super-?class|super-?type|hypernym|broader (?:term|concept))\s+of"
    r"|subsumes|has (?:sub-?class|sub-?type|child|hyponym)(?:es)?|(?:super-?class|parent)[-_ ]?of)"
    rf"|(?:is|are)\s+(?:also\s+)?(?:(?:(?:an?|the|one|all)\s+)?{KIND}\s+of(?:\s+an?|\s+the)?|(?:considered|classified as)(?:\s+an?)?|an?)"
    r"|is[-_]?an?|are|(?:rdfs:)?sub-?class[-_ ]?of:?|belongs to|falls under|has parent"
    r"|(?P<german>(?:ist|sind)\s+(?:eine?\s+)?(?:(?:unter)?art(?:en)?|typ(?:en)?|form(?:en)?|unterklassen?|unterbegriffe?)\s+(?:von|der|des|einer?s?)"
    r"|(?:ist|sind)\s+eine?|gehör(?:t|en)\s+zu[mr]?(?:\s+den)?)))\s+",
)
"""How sentences in lower case say which of two names is below the other; ``down`` where the first is the parent."""
GENITIVE = pattern_of(
    r"the\s+(?:direct\s+)?(?:(?P<above>parent|hypernym|super-?(?:class|type|category|concept))|child|hyponym|sub-?(?:class|type|category|concept))"
    r"(?:\s(?:class|category|concept|term|type|node|topic))?\s++of\s++(?:an?\s++|the\s++)?(\S.*?)\s(?:is|are)\s++(?:an?\s++|the\s++)?(\S.*)",
    re.IGNORECASE,
)
"""A sentence that begins with what the second name is to the first."""
BARE = pattern_of(r"\s(?=[ckst])(?:sub-?type|type|kind|child)[-_ ]?of\s+(?:an?\s+(?=\S))?")
APPOSED = pattern_of(r"(?:,|:|(?<=\s)[-–—])(?:\*\*)?\s+(?:an?|one)$")
"""A relation without a verb, which may also be in a name."""
CLAUSE = pattern_of(
    r"[,\s](?:\s?(?:that|which|who|whose|where)|(?<=,)\s(?:and|but|so|while|with|though|often|usually))\s.*"
)
"""What a sentence says besides."""
PRONOUNS = frozenset({"There", "there", "It", "it", "They", "they"})
"""Words before a verb that are no names; IT is one."""
AND = pattern_of(r",\s++(?:(?:and|und)\s++)?|\s(?:and|und)\s++")
PLURAL = pattern_of(
    r"(?:\S{0,40}[^\ss]\s){0,2}(?:(?!(?:gas|news|sales)$)[a-z]\S{0,40}(?<![isu])s|(?:\S{0,20}wo)?men|children|mice|geese)"
)
"""What is between several names before 'are', and how each but the first is written: 'search' in 'search and rescue dogs' is none, as 'crafts fairs' is."""
ALSO = pattern_of(r"\sand\s(?:also\s)?an?\s", re.IGNORECASE)
NAMED_ARROW = pattern_of(
    r"[-–—](?:[-–—]{0,2}\s?[\[(]\s*:?([^\[\]()]{1,200}?)\s*[\])]\s?(?:[-–—]{0,3}>|[-–—]{0,2}→)\s*"
    r"|(?<=\s[-–—])[-–—]{0,2}\s*((?:[^-–—<>|→\[\]]|(?<=\w)-(?=\w)){1,200}?)\s*(?:[-–—]{1,3}>|[-–—]{0,2}→)\s)"
)
CALLED = pattern_of(r"\{[^{}]*?\b(?:name|title|label|id)\s*:\s*(?:\"([^\"]*)\"|'([^']*)')")
TYPED = pattern_of(r"(\w[^:{}]*?)\s*:\s?[A-Z][a-z]\w*")
"""The name of a node in brackets, and one before its type."""
LABELLED = pattern_of(
    r"(?:\*\*|__|[`\"'\[])?([^\W\d](?:[\w./-]| (?! )){0,40})(?:\*\*|__|[`\"'\]])?(?::(?=(?:\*\*|__)?\s)|\s(?=\())"
)
"""What is before a pair: a word and a colon, or a word and a bracket."""
RELATION_NAME = pattern_of(
    r"(?:has|is|was|are|can)[A-Z_ ].*|(?:\w[^\s_]{0,40}[ _]){1,4}(?:of|in|by|to|from|with|at|on|for)|[a-z]{1,40}(?:[A-Z_]\w*)"
)
"""A name that is one of a relation: it begins with a verb, ends with a preposition, or is written like one of a program."""
PAIR_ARROW = pattern_of(rf"[-=–—{RIGHT}](?:(?<=[-=–—])[-=]{{0,2}}>|(?<=[{RIGHT}]))")
"""Patterns that begin with one of a few characters are looked for only where one of these is."""
ARROW = pattern_of(rf"[-=–—{RIGHT}>›»](?:(?<=[-=–—])[-=]{{0,2}}>|(?<=[{RIGHT}])|(?<=\s[>›»])\s)")
LEFT_ARROW = pattern_of(rf"[<{LEFT}](?:(?<=<)-{{1,3}}|(?<=[{LEFT}]))")
BELOW, ABOVE = pattern_of(rf"[{SUBSETS}<](?:(?<!<)|(?<=\s<)\s)"), pattern_of(rf"[{SUPERSETS}]")
EQUAL = pattern_of(
    r"\s(?:\s*+(?=[=≡≅≈~<osicm])(?:==?|≡|≅|≈|~|<->|<=>|owl:sameAs|owl:equivalentClass|skos:(?:exact|close)Match"
    r"|is (?:equivalent|equal|identical|mapped) to|is the same as|corresponds to|matches|maps to)\s+)|[↔⇔⟷⟺≡]"
)
RELATION = pattern_of(
    r"[=<>≡⊑⊒%]|equivalent(?:\s?to|class)?|(?:skos:)?(?:exact|close|broad|narrow)match|broader|narrower|subclassof|subsumed?",
    re.IGNORECASE,
)
"""A relation of correspondences that may be behind both names."""
LAST_RELATION = pattern_of(r"\s*[\[(]\s*([=<>≡⊑⊒%])\s*[\])]$")
CONJUNCTION = pattern_of(r" ?[⊓∧] ?")
QUANTIFIED = pattern_of(r"[∃∀]\s*([\w:.-]+?)\s*\.\s*(\S.*)")
OF_NAMES = pattern_of(r"(\S{1,200})\s+([a-z]+[A-Z]\w{0,100}|\w{1,100}[_:]\w{1,100})\s+(\S{1,200})")
"""A name, a relation written like one of a program, and a name."""
ITEM_ID = pattern_of(r"(?=[^\s:：]{0,60}\d)[^\s:：]{1,60}(?=[:：])")
"""The id of an item before a colon: one word with a digit; behind it a label may have an arrow, as 'Sport -> Football' has."""
COMMAS = str.maketrans("，；｜", ",;|")
"""Marks of Chinese and Japanese, as those that are between cells."""
BEHIND = pattern_of(r"[,;.]?\s*(?:(?:[-–—:#(\[]|//|because\b|since\b|as\b|see\b).*)?", re.IGNORECASE)
"""What may be behind a tuple: an explanation."""
DASHES = pattern_of(r"\s(?:\s*+[-–—]{1,2}\s+)")
OBJECT = pattern_of(r"""\{\s*["'][^"']*["']\s*:""")
PART = pattern_of(
    r"""\s*(?:"([^"\\]*+(?:\\.[^"\\]*+)*+)"(?=\s*(?:[,;|]|$))|"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|'([^']*)'(?=\s*(?:[,;|]|$))|([^,;|]*))\s*(?:[,;|]|$)"""
)
BARE_PART = 6
"""The group of a part without quotes."""
SHARE = pattern_of(r"0?\.\d{1,20}|[01](?:\.0{1,20})?|\d{1,3}(?:\.\d{1,20})?\s?%")
YEAR = pattern_of(r"\d{4}")
FUNCTIONAL = pattern_of(
    r"SubClassOf\s*\(\s*(\S+)\s+(?:Object(?:SomeValues|AllValues)From\s*\(\s*(\S+)\s+(\S+?)\s*\)|(\S+?))\s*\)",
    re.IGNORECASE,
)
EQUIVALENT = pattern_of(
    r"(?:Equivalent(?:Classes|ObjectProperties|DataProperties)|SameIndividual)\s*\(\s*(\S+)\s+(\S+?)\s*\)",
    re.IGNORECASE,
)
"""An equivalence of two names in functional syntax."""
TERM = r"""((?>'(?:[^'\\\n]|\\.|''){1,200}')|"[^"\n]{1,200}+"|[^(),]{1,200})"""
FACT = pattern_of(rf"([a-z]\w{{0,60}})\(\s*+{TERM},\s*+{TERM}\)\s*\.?")
"""A fact of Prolog."""
QUOTE_INSIDE = pattern_of(r"(?<=.)(?:''|\\')(?=.)")
NAME_OF_OWL = r"([\w:.<>/#-]+|'[^'\n]+'|\"[^\"\n]+\")"
RESTRICTION = pattern_of(
    rf"\(?\s*+{NAME_OF_OWL}\s++(?:some|only|value|exactly \d+|min \d+|max \d+)\s++{NAME_OF_OWL}\s*+\)?"
)
"""What a class of Manchester syntax is restricted by."""
CHAIN, LONGEST = 3, 200


def _parse_tuple(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read a row of cells in brackets, or several on one line, with an explanation behind it."""
    found: list[RawStatement] = []
    while text and text[0] in CLOSING and text[1:2] not in CLOSING and not (text[0] == "{" and OBJECT.match(text)):
        end = close_of(text)
        inner, rest = text[1:end].strip(), text[end + 1 :]
        rows = parse_cells(number, _cells(inner, meaning), meaning) if inner and end > 0 else []
        if not rows:
            return []
        found += rows
        if not rest:
            return found
        text = rest.lstrip(",; ")
        several = rest[:1] in (",", ";") and text[:1] in CLOSING
        if not several and BEHIND.fullmatch(rest):
            return found
    return []


def _cells(inner: str, meaning: Meaning) -> list[str]:
    """Split a tuple, but not within the number or the date that is the object of a fact, such as 709,037 or July 4, 1776."""
    parts = _parts(inner)
    last = len(parts) - 1
    if meaning.nested != "facts" or last < CHAIN:
        return parts
    behind = parts[last].strip()
    if SHARE.fullmatch(behind) and behind.endswith("%"):
        return [*_cells(inner[: inner.rfind(parts[last])].rstrip(" ,;|"), meaning), number_of(behind)]
    # A share is a score, and so is a number that continues nothing.
    scored = SHARE.fullmatch(behind) or not (parts[last - 1][-1:].isdigit() or YEAR.fullmatch(behind))
    more = parts[CHAIN : last + (not scored)]
    if not more or not all(part.strip()[:1].isdigit() for part in more):
        return parts
    place = 0
    for _ in range(CHAIN - 1):
        place = found.end() if (found := PART.match(inner, place)) else place
    whole = inner[place:]
    return [
        *parts[: CHAIN - 1],
        whole[: whole.rfind(parts[last])].rstrip(" ,;|") if scored else whole,
        *parts[last:][: bool(scored)],
    ]


def close_of(text: str) -> int:
    """Return where the bracket is closed that a text begins with; -1 if nowhere."""
    opens, closes = text[0], CLOSING[text[0]]
    end = text.find(closes)
    while end >= 0 and text.count(opens, 0, end) > text.count(closes, 0, end) + 1:
        end = text.find(closes, end + 1)
    return end


def _parse_bars(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    text = text.replace("｜", "|")
    if (
        meaning.nested == "list"
        and meaning.documents
        and (item := ITEM_ID.match(text))
        and COLON.match(text, item.end())
    ):
        # Behind the id of an item is a list.
        return []
    separator = "; " if "|" not in text and "\t" not in text else next(filter(text.__contains__, (" | ", "\t", "|")))
    parts = text.strip("|").split(separator) if separator in text else []
    if separator == "; " and any(part.count("(") != part.count(")") for part in parts):
        # A tuple inside of a sentence.
        begin = text.find("(")
        return _parse_tuple(number, text[begin:], meaning) if text[:begin].count(" ") > 1 else []
    return parse_cells(number, parts, meaning) if separator not in ("; ", "|") or len(parts) == CHAIN else []


def parse_cells(
    number: int, parts: Sequence[str], meaning: Meaning, clean: Callable[[str], str] = cell_of
) -> list[RawStatement]:
    """Read a row of cells: two names, or two with a relation between them, with a number behind them where the family has one."""
    names = list(map(clean, parts))
    extra = ""
    if len(names) > CHAIN or (len(names) == CHAIN and meaning.arrow == "pair"):
        extra = parts[-1].strip()
        if meaning.is_extra(extra):
            names.pop()
        else:
            extra = ""
    if not all(names):
        return []
    if meaning.roles is CORRESPONDENCES and len(names) == CHAIN and RELATION.fullmatch(names[2]):
        names[1:] = reversed(names[1:])
    if len(names) == CHAIN and (meaning.ends[1] or is_relation(names[1])):
        return [RawStatement(number, names[0], names[1], names[2], True, extra)]
    return _pair(number, names[0], names[1], meaning, extra) if len(names) == CHAIN - 1 else []


def _pair(number: int, a: str, b: str, meaning: Meaning, extra: str = "") -> list[RawStatement]:
    """Read two names without a relation between them."""
    if not (meaning.arrow and a and b):
        return []
    if meaning.roles is CORRESPONDENCES and (last := LAST_RELATION.search(b)):
        return [RawStatement(number, a, last[1], b[: last.start()], True, extra)]
    relation = meaning.is_a if meaning.nested != "list" else ""
    return [RawStatement(number, a, relation, b, meaning.arrow != "edge", extra)]


def _parts(text: str) -> list[str]:
    """Split at commas, semicolons or bars outside quotes."""
    if not text.isascii() and not any(map(text.__contains__, ",;|")):
        text = text.translate(COMMAS)
    if '"' not in text and "'" not in text and "“" not in text and "„" not in text:
        even = text.replace(";", ",").replace("|", ",")
        return (even.removesuffix(",")).split(",")
    found, place = [], 0
    while place <= len(text):
        part = PART.match(text, place)
        if part is None or (part.end() == place and place == len(text)):
            break
        inner = unescaped(next((one for one in part.groups() if one is not None), ""))
        plain = part.lastindex == BARE_PART or (inner[:1].isalnum() and inner[-1:].isalnum())
        found.append(inner if plain else f'"{inner}"')
        place = part.end()
        if place == len(text) and text[-1:] not in ",;|":
            break
    return found


def _parse_symbols(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read subset symbols, axioms in functional syntax, and facts of Prolog."""
    if "(" in text and (axiom := FUNCTIONAL.fullmatch(text.rstrip("."))):
        child, relation, filler, parent = axiom.groups()
        if relation:
            facts = meaning.nested == "facts"
            return [RawStatement(number, local_name(child), local_name(relation), local_name(filler))] if facts else []
        relation = meaning.is_a if meaning.roles is AXIOMS else "SubClassOf"
        return [RawStatement(number, local_name(child), relation, local_name(parent))]
    if "(" in text and meaning.roles is CORRESPONDENCES and (equal := EQUIVALENT.fullmatch(text.rstrip("."))):
        return [RawStatement(number, equal[1].strip("<>"), "=", equal[2].strip("<>"))]
    if "(" in text and meaning.nested != "list" and (fact := FACT.fullmatch(text)):
        relation = fact[1].replace("_", " ")
        ends = [name_of(QUOTE_INSIDE.sub("'", end) if end.startswith("'") else end) for end in fact.groups()[1:]]
        stated = all(ends) and (is_relation(relation) or meaning.arrow != "edge")
        return [RawStatement(number, ends[0], relation, ends[1])] if stated else []
    found = []
    may = "|" not in text and ("<" in text or not text.isascii())
    for symbol, turned in ((BELOW, False), (ABOVE, True)) if may else ():
        parts = symbol.split(text)
        names = [end_of(part) for part in parts] if len(parts) > 1 else []
        pairs = pairwise(reversed(names) if turned else names)
        for child, parent in ((a, part) for a, whole in pairs for part in CONJUNCTION.split(whole)):
            inner = QUANTIFIED.fullmatch(parent)
            if inner and meaning.roles is not OF_EDGES.roles:
                found.append(RawStatement(number, child, inner[1], name_of(inner[2])))
            elif not inner:
                found.append(RawStatement(number, child, meaning.is_a, parent))
    return [one for one in found if one.subject and one.object]


def _parse_equals(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read what is equal to what, or the label of what."""
    parts = EQUAL.split(text) if "|" not in text else []
    if len(parts) != CHAIN - 1:
        return []
    relation = "=" if meaning.roles is CORRESPONDENCES else ""
    a, b = _names_of(parts)
    return [RawStatement(number, a, relation, b)] if a and b else []


def _parse_named_arrow(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    del meaning
    found = NAMED_ARROW.search(text)
    if not found or not found.start() or ARROW.search(text, found.end()):
        return []
    a, b = _names_of((_node(text[: found.start()]), _node(text[found.end() :])))
    return [RawStatement(number, a, name_of(found[1] or found[2]), b)] if a and b else []


def _names_of(parts: Iterable[str]) -> list[str]:
    """Strip decoration from the names of a statement, and an explanation behind the last."""
    *names, last = [*parts] or [""]
    return [*map(name_of, names), end_of(last)]


def _node(text: str) -> str:
    """Write the end of an arrow that is in brackets, as in Cypher, as its name."""
    text = text.strip()
    if text[:1] != "(" or close_of(text) != len(text.rstrip(".,;")) - 1:
        return text
    inner = text.rstrip(".,;")[1:-1].strip()
    if named := CALLED.search(inner):
        return named[1] or named[2]
    typed = TYPED.fullmatch(inner)
    return typed[1] if typed else inner


def _parse_arrows(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    parts = ARROW.split(text)
    turned = len(parts) == 1
    if turned:
        parts = LEFT_ARROW.split(text)
        if len(parts) == 1:
            return []
    names = _names_of(map(_node, parts) if "(" in text else parts)
    if turned:
        names.reverse()
    if len(names) == CHAIN - 1:
        return _pair(number, names[0], names[1], meaning)
    if len(names) == CHAIN and (meaning.nested == "facts" or is_relation(names[1])):
        return [RawStatement(number, names[0], names[1], names[2])] if names[0] and names[2] else []
    return [one for a, b in pairwise(names) for one in _pair(number, a, b, meaning)]


def _parse_pair(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read two names with an arrow or a colon between them; what is behind the first of them is one name."""
    found = PAIR_ARROW.search(text)
    item = ITEM_ID.match(text) if found and meaning.documents else None
    if item or not found or not found.start():
        found = COLON.search(text, item.end() - 1 if item else 1, LONGEST)
        if not found or is_prose(text):
            return []
    name, end = name_of(text[: found.start()]), text[found.end() :].strip()
    if name.count("(") > name.count(")"):
        # The colon is in brackets behind a name.
        return []
    ends = LIST.split(end[1:-1]) if end[:1] == "[" and BRACKETED.fullmatch(end) else [end]
    return [row for one in ends for row in _pair(number, name, end_of(one), meaning)]


def _parse_dashes(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read names with dashes between them: with a relation, or a name and its label."""
    parts = _names_of(DASHES.split(text))
    if len(parts) == CHAIN and meaning.nested == "facts" and all(parts):
        return [RawStatement(number, parts[0], parts[1], parts[2])]
    return _pair(number, parts[0], parts[1], meaning) if len(parts) == CHAIN - 1 and meaning.nested == "list" else []


def two_names(text: str) -> tuple[str, str] | None:
    """Split an arrow without a name, or two names in brackets; None if a line is anything else."""
    if text[:1] == "(" and close_of(text) == len(text) - 1:
        parts = _parts(text[1:-1])
    else:
        parts = ARROW.split(text) if any(map(text.__contains__, f">{RIGHT}")) and not NAMED_ARROW.search(text) else []
    names = _names_of(parts)
    return (names[0], names[1]) if len(names) == CHAIN - 1 and all(names) else None


def side_of(name: str, first: Sequence[str], meaning: Meaning) -> Literal["subject", "relation", ""]:
    """Return what a name is to the pairs that it is before or above; nothing if that is not certain.

    Args:
        name: What is before a colon, or above the pairs.
        first: The first names of the pairs.
        meaning: What is read.
    """
    if is_relation(name):
        return "relation"
    if meaning.nested != "facts":
        return ""
    looks, others = RELATION_NAME.fullmatch(name), [RELATION_NAME.fullmatch(one) for one in first]
    if looks and not any(others):
        return "relation"
    if not looks and any(others):
        return "subject"
    # Where two names are an axiom by themselves, only one word in lower case is surely a relation.
    longest = 1 if meaning.arrow else CHAIN
    if name[:1].islower() and len(name.split()) <= longest and all(one[:1].isupper() for one in first):
        return "relation"
    lower = not meaning.arrow and all(one[:1].islower() for one in first)
    return "subject" if lower and name[:1].isupper() else ""


def _parse_labelled(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read a pair behind its relation, such as 'hasAuthor: Book -> Author' or 'hasAuthor (Book -> Author)'."""
    found = LABELLED.match(text) if ":" in text or "(" in text else None
    if not found:
        return []
    rest = text[found.end() :].strip()
    inner = rest[1:-1] if rest[:1] == "(" and close_of(rest) == len(rest) - 1 and ARROW.search(rest) else rest
    pair = two_names(inner) if found[0].endswith(":") or inner is not rest else None
    if not pair:
        return []
    name = name_of(found[1])
    side = side_of(name, pair[:1], meaning)
    rows = {"relation": (pair[0], name, pair[1]), "subject": (name, *pair)}
    return [RawStatement(number, *rows[side])] if side else []


def _parse_names(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read three words, of which the second is written like a relation of a program."""
    del meaning
    found = OF_NAMES.fullmatch(text.rstrip(".,;"))
    names = list(map(name_of, found.groups())) if found else []
    return [RawStatement(number, names[0], names[1], names[2])] if names and names[0] and names[2] else []


def is_relation(text: str) -> bool:
    """Return whether a text is a wording of the subclass relation."""
    padded = f" {text.strip().lower()} "
    return (WORDED.fullmatch(padded) or BARE.fullmatch(padded)) is not None


def _parse_sentence(number: int, text: str, meaning: Meaning) -> list[RawStatement]:
    """Read 'A is a B', or several such sentences; what a sentence says besides is left out."""
    if of := GENITIVE.fullmatch(text):
        names = (name_of(of[2]), end_of(of[3]))
        child, parent = names if of["above"] else reversed(names)
        return [RawStatement(number, child, meaning.is_a, parent)]
    lower = text.lower()
    if len(lower) > len(text):
        lower = text
    worded = WORDED.search(lower)
    found = worded or BARE.search(lower)
    if not found or not found.start() or is_prose(text):
        return []
    before = text[: found.start()].rstrip()
    if not worded and (apposed := APPOSED.search(before)):
        # In 'salmon: a kind of fish' the article is none of the name.
        before = before[: apposed.start()]
    before = before.rstrip("-–—:").rstrip() if before.endswith(("-", "–", "—", ":")) else before
    joined = " and " in before or " und " in before
    subjects = _names_before(before, found[0].split()[0]) if joined else [before]
    if "," in before and len(subjects) == 1:
        return []
    article = GERMAN_ARTICLE if found.lastgroup == "german" else ARTICLE
    more = CLAUSE.search(lower, found.end())
    rest = text[found.end() : more.start() if more else None].lstrip("-–—: ")
    children = [_without(article, name, name_of) for name in subjects]
    ends = [_without(article, part, end_of) for part in (ALSO.split(rest) if " and a" in rest else (rest,))]
    if not all(children) or not all(ends) or children[0] in PRONOUNS:
        return []
    pairs = [(b, a) if found.lastgroup == "down" else (a, b) for a in children for b in ends]
    return [RawStatement(number, a, meaning.is_a, b) for a, b in pairs]


def _names_before(text: str, verb: str) -> list[str]:
    """Split what is before a verb in the plural at its commas and 'and', if all parts are plurals that are written alike."""
    if verb not in ("are", "sind"):
        return [text]
    parts = AND.split(text[5:] if text[:5].lower() == "both " else text)
    articles = all(map(ARTICLE.match, parts))
    return parts if articles or all(map(PLURAL.fullmatch, (parts[0].lower(), *parts[1:]))) else [text]


def _may_be_worded(text: str) -> bool:
    lower = text.lower()
    return (WORDED.search(lower) or BARE.search(lower) or GENITIVE.match(lower)) is not None


def _without(article: re.Pattern[str], text: str, clean: Callable[[str], str]) -> str:
    """Return a name without the articles before its marks and inside of them, unless it is in quotes."""
    text = text.lstrip()
    before = article.match(text)
    text = text[before.end() :] if before else text
    name = clean(text)
    found = article.match(name) if not before and text.lstrip(AROUND_QUOTES)[:1] not in OPENING else None
    return name[found.end() :] if found else name


def _marked(marks: str) -> Callable[[str], object]:
    return lambda text: any(map(text.__contains__, marks))


Reader: TypeAlias = Callable[[int, str, Meaning], list[RawStatement]]
Rule: TypeAlias = tuple[str, Reader, Callable[[str], object]]
"""A shape, its reader, and whether a text may have lines in this shape."""
TUPLES: Rule = ("tuples", _parse_tuple, _marked("(<[{⟨（"))
SYMBOLS: Rule = ("subset symbols", _parse_symbols, _marked(f"({SUBSETS}{SUPERSETS}<"))
EQUATIONS: Rule = ("equations", _parse_equals, EQUAL.search)
LABELLED_PAIRS: Rule = ("arrows", _parse_labelled, _marked(f"(>{RIGHT}"))
NAMED_ARROWS: Rule = ("arrows", _parse_named_arrow, _marked(">→"))
ARROWS: Rule = ("arrows", _parse_arrows, _marked(f"<>›»{RIGHT}{LEFT}"))
CELLS: Rule = ("rows of cells", _parse_bars, _marked("|\t;｜"))
PAIRS: Rule = ("pairs", _parse_pair, _marked(f":：>{RIGHT}"))
DASHED: Rule = ("dashes", _parse_dashes, _marked("-–—"))
SENTENCES: Rule = ("sentences", _parse_sentence, _may_be_worded)
NAMES: Rule = ("statements", _parse_names, pattern_of(r"[A-Z_:](?:(?<=[a-z][A-Z])|(?<=\w[_:])\w)").search)
WHOLE = frozenset({_parse_tuple, _parse_bars, _parse_pair, _parse_dashes})
"""Rules for which commas and semicolons are within a statement."""
RULES = {
    "tree": (TUPLES, SYMBOLS, LABELLED_PAIRS, NAMED_ARROWS, ARROWS, CELLS, SENTENCES),
    "facts": (TUPLES, SYMBOLS, LABELLED_PAIRS, NAMED_ARROWS, ARROWS, CELLS, DASHED, SENTENCES, NAMES),
    "list": (TUPLES, EQUATIONS, SYMBOLS, NAMED_ARROWS, CELLS, PAIRS, SENTENCES, DASHED),
}
"""Shapes of a line, the likelier first."""
