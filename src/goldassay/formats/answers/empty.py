"""Answers of a model that state nothing: empty lists, null, 'None', and that it cannot answer."""

from __future__ import annotations

import re
from typing import Any

from goldassay.core.patterns import pattern_of
from goldassay.formats.answers.batch import body_of
from goldassay.formats.answers.means import Meaning
from goldassay.formats.documents import parse_if_json

NOTHING = pattern_of(
    r"|none|null|nil|nan|n/a|nothing|undefined|unmatched|not applicable|not found|none of (?:the above|them|these)"
    r"|no (?:(?:suitable|good|exact|clear|direct|close|corresponding|matching|appropriate|equivalent|such|valid) )?"
    r"(?:match(?:es)?|labels?|mappings?|correspondences?|equivalents?|counterparts?|candidates?|terms?|concepts?|class(?:es)?|answer|triples|triplets|entities|keywords|keyphrases)"
    r"(?: (?:found|exists?|available|identified|applies))?"
)
"""What an answer says that states nothing, in lower case."""
BEGIN = "nNuU"
"""How that begins, if it is not empty."""
LONGEST = 400
"""An empty list in a fence, or a refusal, is shorter."""
FEW_WORDS = 3
"""Before a colon so many words are the name of what is asked for."""
REFUSAL = pattern_of(
    r"(?:i|we) (?:cannot|can't|can not|could not|couldn't|do not|don't|am unable|are unable|am not able|am sorry|apologi[sz]e)\b"
    r"|i'm (?:sorry|unable|not able|afraid|not sure)\b|(?:i am )?sorry\b|unfortunately\b|as an ai\b|unable to\b|cannot \w"
    r"|(?:http )?(?:error|exception|timeout)(?: code)?(?::| \d)|timed? ?out\b|rate limit\b|too many requests\b|http \d{3}\b"
    r"|(?:\d{3} )?(?:internal server error|bad gateway|service unavailable|gateway time-?out)\b|content[ _-]filter"
    r"|there (?:is|are|was|were) (?:no|not)\b|none of the\b|it is (?:unclear|not clear|not possible|impossible)\b"
    r"|(?:es )?tut mir (?:sehr )?leid\b|leider\b|entschuldigung\b|ich (?:kann|konnte) (?:\w+ ){0,4}nicht\b|(?:je suis )?désolée?\b|je ne (?:peux|sais) pas\b|malheureusement\b"
    r"|lo siento\b|no (?:puedo|sé)\b|lamentablemente\b|mi dispiace\b|non (?:posso|so)\b|purtroppo\b|(?:me )?desculpe\b|sinto muito\b|não (?:posso|sei)\b|infelizmente\b"
    r"|извините\b|к сожалению\b|не могу\b|(?:很|非常)?抱歉|对不起|對不起|(?:我)?(?:无法|無法|不能)|申し訳|すみません|わかりません|죄송"
    r"|(?:the|this) (?:text|passage|sentence|document|input|article|term) (?:does not|doesn't|do not|contains no|has no|cannot)\b"
)
"""How a model begins that does not answer, in lower case."""
FAILED = pattern_of(
    r"\s*(?:traceback \(most recent call last\)|(?:<!doctype html|<html)\b(?!.*<(?:table|[uod]l|li)\b))",
    re.IGNORECASE | re.DOTALL,
)
"""How an error of a program begins, or a page with an error of a server, which has neither a table nor a list."""
AROUND = " \t\r\n*_`\"'.,;:!()-\u2013\u2014<>\u2205"


def is_nothing(text: str, meaning: Meaning) -> bool:
    """Return whether an answer says that there is nothing; an empty text does not."""
    if len(text) > LONGEST or not text.strip():
        return False
    body = body_of(text).strip()
    if not body.startswith(("[", "{")):
        named, _, stated = body.rpartition(":")
        is_name = len(named.split()) <= FEW_WORDS and "\n" not in named
        return says_nothing(stated if is_name else body)
    value = parse_if_json(body)
    if value is None:
        return False
    called = (
        meaning.roles.called(meaning.ends[2], list(value))
        if isinstance(value, dict) and meaning.nested == "list"
        else []
    )
    return _is_empty(value[called[0]] if called else value)


def says_nothing(name: str) -> bool:
    """Return whether a name is none, such as 'N/A'."""
    stripped = name.strip(AROUND)
    return stripped[:1] in BEGIN and NOTHING.fullmatch(stripped.lower()) is not None


def _is_empty(value: Any) -> bool:
    """Return whether nothing is in a value of JSON; what is nested deeper has names."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
    return all(one is None or one in ([], {}) or (isinstance(one, str) and says_nothing(one)) for one in inside)


def is_failure(text: str) -> bool:
    """Return whether a text is an error of a program or of a server, and no answer."""
    return FAILED.match(text) is not None


def is_refusal(text: str) -> bool:
    """Return whether a model says in one line that it cannot answer."""
    line = text.strip()
    if len(line) > LONGEST or "\n" in line:
        return False
    return REFUSAL.match(line.replace("\u2019", "'").lower().lstrip(AROUND)) is not None
