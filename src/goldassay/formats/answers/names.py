"""The names in an answer, without emphasis, quotes, emoji, and explanations behind them."""

from __future__ import annotations

import re

from goldassay.core.patterns import pattern_of

ARTICLE = pattern_of(r"(?:an?|the|every|each|all|any)\s+", re.IGNORECASE)
LIST = pattern_of(r"(?<=\S)(?:[,;]\s(?:\s*+(?:and\s+)?)|[，；、]\s*+)")
"""What is between the names of a list."""
COLON = pattern_of(r":(?:\*\*)?\s|：(?:\*\*)?\s*+(?=\S)")
COLONS = (":", "：")
OF_SCORES = "confidence|score|probability|prob|certainty|conf|konfidenz|confiance|confianza|置信度|確信度"
SHARED = r"[01]?\.\d{1,20}|[01]\.0{1,20}|\d{1,3}(?:\.\d{1,20})?\s?%"
"""A share of one, or in percent."""
BEGINS = "an?|the|both|it|its|they|this|that|used|stated|mentioned|mentions|describes|discusses|refers|implied|inferred|explicit(?:ly)?|see|sentence|e\\.g\\.|i\\.e\\.|for example"
OF_REASONS = (
    r"(?:explicit(?:ly)?|implicit(?:ly)?|inferred|implied|stated|assumed)(?=[\])]|\s)"
    r"|(?:confidence|evidence|certainty|source|reason|rationale|note|quote|see)\s?[:=]"
)
"""How what is in brackets behind a statement begins."""
_BEHIND = (
    r"\s*+[,(;:-]?\s*+\b(?:because|since it|as it|which means)\b.*"
    rf"|\s++\((?:{BEGINS})(?:['\u2019]\w+)?\s[^()]*\)\W*"
    r"|\s++[\[(](?:exact|close|broad|narrow|related) ?match[\])]\W*"
    rf"|\s++[\[(](?:(?:very )?(?:high|medium|moderate|low) confidence|{OF_REASONS})[^()\[\]]*[\])]\W*|[;.]\s++(?:see|cf\.|stated|inferred|implied)\b.*"
    rf"|(?:\s++-|:(?=\s++(?-i:[a-z])))\s++(?:{BEGINS})(?:['\u2019]\w+)?\s.*"
)
_MAY = r"(?=[\s,(;:.\-basw])(?<!\s)"
"""How an explanation may begin, which is seen before its words are tried."""
REASON = pattern_of(rf"{_MAY}(?:\s++[—–]\s.*|{_BEHIND})$", re.IGNORECASE)
"""An explanation behind a statement."""
TAIL = pattern_of(rf"{_MAY}(?:{_BEHIND})$", re.IGNORECASE)
"""The same without a dash, which may be between names."""
EXPLAINED = pattern_of(
    r"\s*(\*\*[^*]{1,200}\*\*|`[^`]{1,200}`|\"[^\"]{1,200}\")(?:(?:\s?[:：]|:\*\*)\s.*|\s?[(（][^()（）]*[)）]\W*)"
)
"""A last name that is marked, and an explanation behind a colon or in brackets."""
OF_QUOTES = "\"'“”‘’„‚＂"
MARKS, QUOTES = f"*_`{OF_QUOTES}", "\"'“”‘’`"
ENDS, ENDS_OF_CELLS = ".,;。，；、", ",;，；、"
ENDS_OF_MARKED = ("*.", "_.", "`.")
"""What may end a name in a sentence, and one in a cell, whose point is its own."""
SHORT = frozenset(["inc", "ltd", "co", "corp", "bros", "jr", "sr", "st", "ave", "sp", "spp"])
"""Words that are written with a point."""
WITHOUT_QUOTES = dict.fromkeys(map(ord, OF_QUOTES))
ESCAPED = pattern_of(r"""\\(["'\\])""")
EMOJI = "".join(
    map(chr, (*range(0x1F000, 0x1FB00), *range(0x2600, 0x2794), *range(0x2B00, 0x2C00), 0xFE0F, 0x200D, 0x2022))
)
"""Emoji and bullets, which decorate names."""
BRACKETED = pattern_of(
    r"\[[^\[\]{}]+\]|\{[^\[\]{}]+\}|«[^«»]+»|»[^«»]+«|‹[^‹›]+›|「[^「」]+」|『[^『』]+』|《[^《》]+》|【[^【】]+】"
)
INNER = pattern_of(r"[\"“”„]")
OPENING, ENDING, AROUND_QUOTES = tuple('"“„'), tuple('"“”'), "*_` "
MARKED_UP = pattern_of(r"\*\*([^*]{1,300})\*\*|__([^_]{1,300})__|`([^`]{1,300})`")
"""A name in bold or as code."""
PROSE = pattern_of(
    r"(?:here(?:'s| is| are)?|sure|certainly|of course|okay|ok|below|the following|based on|note|let me|i |i'|this |these |in this|as requested|"
    r"hope|please|feel free|thank|in summary|overall|"
    r"(?:(?:the|my|your|final|full|complete|proposed|extracted|resulting)\s)*(?:output|answer|taxonomy|ontology|results?|relations?|hierarchy|outline)|"
    r"hier (?:ist|sind)|gerne?|natürlich|ich |im folgenden|die folgende|ergebnis|ausgabe|antwort|taxonomie"
    r"|voici|ci-dessous|bien sûr|aquí (?:tienes|está|se)|a continuación|claro|ecco|aqui está|segue|вот|إليك|فيما يلي|hieronder)\b|.{0,20}如下|以下|下面|下記"
)
"""How a text in lower case begins that is around an answer."""
FEW_WORDS = 5
"""A line that ends with a colon, or begins like a preamble, is the name of a parent only if it is this short."""


def name_of(text: str) -> str:
    """Strip decoration from a name: emphasis, quotes, emoji, and what ends a sentence; what is in quotes is as it is."""
    name = text.strip()
    return name if name.isascii() and name[:1].isalnum() and name[-1:].isalnum() else _bare_name(name, ENDS)


def cell_of(text: str) -> str:
    """Strip decoration from a name in a cell, whose point is its own, unless it is behind marks."""
    name = text.strip()
    if name.isascii() and name[:1].isalnum() and name[-1:].isalnum():
        return name
    return _bare_name(name[:-1] if name.endswith(ENDS_OF_MARKED) else name, ENDS_OF_CELLS)


def _bare_name(name: str, ends: str) -> str:
    """Strip decoration from a name, and what may end one."""
    plain = name.isascii()
    marks = MARKS if plain else MARKS + EMOJI + " "
    body = name.rstrip(ends).strip()
    if ('"' in body or not plain) and (quoted := _quoted(body)):
        return quoted
    found = body.strip(marks).strip()
    if body[-1:] not in QUOTES:
        found = found.rstrip(ends).strip()
    if '"' in found or (not plain and "“" in found):
        found = _with_quotes(body.strip(marks.translate(WITHOUT_QUOTES)))
    if found[-1:].isalpha() and "." in ends and f"{found}." in name and _is_abbreviated(found):
        found = f"{found}."
    if plain and found[:1].isalnum() and found[-1:].isalnum():
        return found
    if BRACKETED.fullmatch(found):
        found = found[1:-1].strip().strip(marks).strip()
    return found.removeprefix(":").lstrip()


def _quoted(text: str) -> str:
    """Return the name that is all of a text in quotes, as it is except for bold and code; none if there are others in it, or none around it."""
    whole = text.strip(AROUND_QUOTES)
    inner = whole[1:-1].strip()
    if whole[:1] not in OPENING or whole[-1:] not in ENDING or not inner or INNER.search(inner):
        return ""
    marked = MARKED_UP.fullmatch(inner)
    return marked[1] or marked[2] or marked[3] if marked else inner


def _is_abbreviated(name: str) -> bool:
    """Return whether the point behind a name is its own, as that of D.C. and Inc."""
    return name[-2:-1] == "." or name.rpartition(" ")[2].lower() in SHORT


def _with_quotes(whole: str) -> str:
    """Strip the quotes around a name in which there are others; those of 'say "hi"' are its own."""
    inner = whole[1:-1]
    quote = INNER.search(inner)
    if not quote or whole[:1] not in '"“„' or whole[-1:] not in '"“”':
        return whole
    opens = quote[0] != "”" and (inner[: quote.start()][-1:] in " ([" or inner.count(quote[0]) % 2 == 1)
    return inner.strip() if opens else whole


def unescaped(text: str) -> str:
    """Write quotes in quotes as they are."""
    return ESCAPED.sub(r"\1", text) if "\\" in text else text


def end_of(text: str) -> str:
    """Strip decoration from the last name of a statement, and an explanation behind it."""
    lower, plain = text.lower(), text.isascii()
    colon = ": " in text or (not plain and "：" in text)
    if (colon or text.rstrip(" .,;*_")[-1:] in (")", "）")) and (explained := EXPLAINED.fullmatch(text)):
        return name_of(explained[1])
    behind = colon or not plain or "(" in text or "[" in text or " - " in text or "; " in text
    if behind or "because" in lower or " it" in lower or "which" in lower:
        text = REASON.sub("", text, count=1)
    return name_of(text)


def has_colon(text: str) -> bool:
    """Return whether a text has a colon, also a wide one."""
    return ":" in text or COLONS[1] in text


def is_prose(text: str) -> bool:
    """Return whether a line begins like one around an answer."""
    return PROSE.match(text[:60].lower()) is not None


def number_of(text: str) -> str:
    """Write a share as a number: a percentage is divided by 100."""
    return str(float(text.rstrip("% ")) / 100) if text.endswith("%") else text


def local_name(term: str) -> str:
    """Write a class of OWL as a name: without brackets and without an empty prefix."""
    return name_of(term).removeprefix(":").removeprefix("<").removesuffix(">").replace("_", " ")
