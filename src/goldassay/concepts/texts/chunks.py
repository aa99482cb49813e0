"""Noun phrases of English texts, found by lists of words: the concepts where neither lists nor a dictionary are given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from goldassay.concepts.model import Mention
from goldassay.concepts.texts.fold import JOINERS, SYMBOLS, UNSPACED, fold_words, is_acronym, pieces_of
from goldassay.concepts.texts.words import (
    ADJECTIVAL,
    ADJECTIVE,
    ADVERBIAL,
    AMBIGUOUS,
    CONTRACTED,
    DETERMINERS,
    EPONYMOUS,
    EPONYMS,
    GRADED,
    HEADINGS,
    MARKERS,
    MULTIPLE,
    NAMES,
    NOUN,
    OF,
    PARTICIPLES,
    SEPARATING,
    SPEAKERS,
    SUBJECTS,
    TAILS,
    WEAK,
    is_general,
)
from goldassay.core.patterns import pattern_of

SCALES: Mapping[str, Mapping[str, Fraction | int]] = MappingProxyType(
    {
        "mg": {
            "mg milligram": 1, "g gram gm": 1000, "kg kilogram": 10**6, "mcg µg μg ug microgram": Fraction(1, 1000),
        },
        "ml": {"ml milliliter millilitre cc": 1, "dl deciliter": 100, "l liter litre": 1000},
        "cm": {"mm millimeter": Fraction(1, 10), "cm centimeter centimetre": 1, "km kilometer": 10**5},
        "in": {"inch inches": 1, "foot feet ft": 12, "mile": 63360},
        "lb": {"lb pound": 1, "oz ounce": Fraction(1, 16)},
        "minute": {"second sec": Fraction(1, 60), "minute min": 1, "hour hr": 60, "day": 1440, "week wk": 10080},
        "month": {"month mo": 1, "year yr": 12, "decade": 120},
        "bmi": {"kg/m2": 1}, "%": {"% percent": 1}, "degree": {"degree °": 1},
        "tablet": {"tablet tab": 1}, "teaspoon": {"teaspoon tsp": 1}, "tablespoon": {"tablespoon tbsp": 1},
        **{
            unit: {unit: 1}
            for unit in (
                "mmhg", "mg/dl", "mg/kg", "mmol/l", "g/dl", "mcg/ml", "ng/ml", "meq", "meq/l", "u/l", "iu/l", "g/l", "pg/ml", "units/l",
                "iu", "unit", "bpm", "°c", "°f", "mph", "capsule", "pill", "puff", "drop", "pack", "dose",
            )
        },
    }
)  # fmt: skip
"""Units by what they are compared in, each with the spellings of the singular, and how much of it one is."""

UNITS: Mapping[str, tuple[str, Fraction]] = MappingProxyType(
    {
        f"{spelling}{ending}": (base, Fraction(factor))
        for base, units in SCALES.items()
        for spellings, factor in units.items()
        for spelling in spellings.split()
        for ending in (("", "s") if spelling[-1].isalpha() and spelling[-1] != "s" else ("",))
    }
)
NUMBERS: Mapping[str, int] = MappingProxyType(
    {
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
        "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100,
    }
)  # fmt: skip
NUMERAL = r"\d{1,15}(?:,\d{3})*(?:\.\d{1,15})?"
QUANTITY = pattern_of(
    rf"(?=[\dotfsenhz])(?<![\w.,/])(?P<number>{NUMERAL}|{'|'.join(NUMBERS)})(?:\s?(?P<sign>-|\u2013|/|to)\s?(?P<until>{NUMERAL}))?"
    rf"[ \-]?(?P<unit>{'|'.join(sorted(map(re.escape, UNITS), key=len, reverse=True))})(?![\w/]|-[^\W\d]|\s(?:old|of\sage)\b)",
    re.IGNORECASE,
)
"""A number or a range, in digits or one word, and its unit; not the first half of a compound such as 15-year-old, and no age."""


def quantity(text: str, start: int) -> Mention:
    """Make a concept of the number with its unit that begins somewhere; its key is what it amounts to."""
    match = QUANTITY.match(text, start)
    if match is None:
        raise ValueError(f"no number with a unit begins at {start}")
    base, factor = UNITS[match["unit"].lower()]
    amounts = [str(_number(part) * factor) for part in (match["number"], match["until"]) if part]
    value = f"{('/' if match['sign'] == '/' else ' to ').join(amounts)} {base}"
    return Mention(value, " ".join(match[0].lower().split()), "", match.start(), match.end(), value=value)


def _number(text: str) -> Fraction:
    word = NUMBERS.get(text.lower())
    return Fraction(text.replace(",", "")) if word is None else Fraction(word)


Scope: TypeAlias = Literal["all", "clinical"]
LETTERS = pattern_of(r"[A-Za-z]+")
LOOKED_AT = 20_000
"""So many words decide whether texts are clinical."""
FEWEST_MARKERS, SHARE_OF_MARKERS = 4, 0.025
LONGEST = 5
"""Default maximum number of words of a chunk."""
REMEMBERED = 2**16
"""Spellings whose kind is remembered."""
LETTER = rf"[^\s{SYMBOLS}{UNSPACED}{JOINERS}]"
SHORT = r"(?=[A-Za-z]/)(?<![\w/])(?:[A-Za-z](?:/[A-Za-z]){1,3}(?![\w/])|[wW]/(?!\w))"
"""An abbreviation with slashes: c/o, N/V/D, w/."""
WORD = rf"{SHORT}|{LETTER}+(?:(?:[\-\u2010\u2011'\u2019]|(?<=\d)[./,](?=\d)){LETTER}+)*|[{UNSPACED}]"
"""A word with its hyphens and apostrophes, a number with its points and slashes, or one character of an unspaced script."""
TOKEN = pattern_of(rf"((?=[\dA-Za-z])(?i:{re.sub(r'[?]P<[a-z]+>', '?:', QUANTITY.pattern)}))|({WORD})")
"""A number with its unit, or a word: `split` gives the text between, the one or None, and the other or None."""
PERSON = pattern_of(r"\d{1,3}-?(?:y/?o?)?[mf]|\d{1,3}-?y/?o", re.IGNORECASE)
"""The age and sex of a person in short: 72F, 34yo."""
PASSED = pattern_of(
    # A line in capitals that does not end like a sentence; its end is looked at once, since nothing else bounds a long line.
    r"^(?=[^a-z\n\r]*+(?<![.,;!?])[\n\r])[^a-z\n\r]*?[^\W\d_a-z]{2}[^a-z\n\r]++"
    r"|\b(?:Dr|Mr|Mrs|Ms|Miss)\b\.?(?: [^\W\d_a-z][\w'\u2019\-]+){1,3}",
    re.MULTILINE,
)
"""Headings, and people by title and name: no concepts."""
TIMES = pattern_of(r"x\d+")
"""Fever x3 days."""
MANY = "multiple"
PRONOUNS = "AI"
"""Words of one capital, where others are the name of something."""
GENITIVE = pattern_of(r"['\u2019][sS]$")
LAST_UNCUT = "\u0dff"
"""Beyond it, one character may be a word."""


class Kind(IntEnum):
    """What a word is to a noun phrase."""

    NOUN = 0
    ADJECTIVE = 1
    NUMBER = 2
    SEPARATOR = 3
    EITHER = 4
    PARTICIPLE = 5


LISTED = (
    (frozenset({MANY}), Kind.NUMBER),
    (AMBIGUOUS, Kind.EITHER),
    (PARTICIPLES, Kind.PARTICIPLE),
    (ADJECTIVE, Kind.ADJECTIVE),
    (NOUN, Kind.NOUN),
)
"""The kinds of listed words; the first list that has a word decides."""


class Word(NamedTuple):
    """A word within a noun phrase."""

    folded: str
    kind: Kind
    owns: bool
    general: bool
    start: int
    end: int


@dataclass(frozen=True)
class Chunks:
    r"""Takes noun phrases as concepts: runs of words that end in a noun, within one sentence and one line.

    Function words, verbs, adverbs and people that a note is about separate them; adjectives and numbers stay in front of a
    noun. A number with its unit is a concept of its own. Headings in capitals are none. The default without a dictionary.
    The scope *clinical* takes what a clinician would mark: no headings, names of people, plans and words of discourse.

    Attributes:
        longest: Maximum number of words of a chunk; a longer run is split into several.
        scope: ``"all"``, or ``"clinical"``.

    Example:
        >>> [one.name for one in Chunks().find("Aspirin may prevent a severe heart attack, or two heart attacks.")]
        ['aspirin', 'severe heart attack', 'heart attacks']
        >>> [one.name for one in Chunks().find("She hasn't had pain. Lisinopril 20 mg daily\n- X-ray of the left knee")]
        ['pain', 'lisinopril', '20 mg', 'x-ray', 'left knee']
        >>> [one.name for one in Chunks(scope="clinical").find("Plan: Christina will be back with a repeat lipid panel.")]
        ['repeat lipid panel']
    """

    longest: int = LONGEST
    scope: Scope = "all"

    @property
    def choice(self) -> str:
        """Its entry in the signature."""
        return f"chunks-3:{self.longest}{',clinical' if self.scope == 'clinical' else ''}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user."""
        return ()

    def find(self, text: str) -> list[Mention]:
        """Find the chunks of a text, in its order."""
        found: list[Mention] = []
        clinical = self.scope == "clinical"
        for run, following in _runs(text, found):
            phrase = _phrase(run, following)
            if clinical and phrase:
                phrase = _clinical_part(text, phrase, following)
            for first in range(0, len(phrase), self.longest):
                start, end = phrase[first].start, phrase[first : first + self.longest][-1].end
                if is_concept(text[start:end]):
                    found.append(chunk(text, start, end))
        return sorted(found, key=lambda one: one.start)

    def find_all(self, texts: Iterable[str]) -> Iterator[list[Mention]]:
        """Find the chunks of many texts."""
        return map(self.find, texts)


def chunk(text: str, start: int, end: int, identifier: str = "") -> Mention:
    """Make a concept of a part of a text; case and plurals are ignored."""
    surface = text[start:end]
    key, name = _name_word(surface)
    return Mention(identifier or key, name, identifier, start, end)


@lru_cache(maxsize=REMEMBERED)
def _name_word(surface: str) -> tuple[str, str]:
    name = " ".join(word if is_acronym(word) else word.lower() for word in surface.split())
    return fold_words(pieces_of(surface)), name


def _runs(text: str, quantities: list[Mention]) -> Iterator[tuple[list[Word], str]]:
    """Split a text into the runs of words between separators."""
    shown = text if text.isupper() else PASSED.sub(lambda match: "\n" * len(match[0]), text)
    run: list[Word] = []
    before, end = "", 0
    parts = TOKEN.split(shown)
    for gap, amount, piece in zip(parts[0::3], parts[1::3], parts[2::3], strict=False):
        apart = gap != " " and not _joins(gap, end)
        if run and (apart or amount):
            yield run, gap.lstrip(" *")[:1]
            run = []
        if apart:
            before = ""
        start = end + len(gap)
        end = start + len(piece or amount)
        if amount:
            quantities.append(quantity(shown, start))
            before = "#"
            continue
        word, kind, owns, general = _classify_word(piece)
        if kind > Kind.SEPARATOR:
            kind = _decide_kind(kind, "" if run else before)
        if kind is not Kind.SEPARATOR or (run and word == "of" and run[-1].folded in OF):
            if run and run[-1].owns and word not in EPONYMS:
                run = []
            run.append(Word(word, kind, owns, general, start, end))
        elif run:
            yield run, word
            run = []
        before = word
    if run:
        yield run, ""


def _decide_kind(kind: Kind, before: str) -> Kind:
    """Return the kind of a noun that is also a verb, or of a participle, by the word before it."""
    if kind is Kind.EITHER:
        return Kind.SEPARATOR if before in SUBJECTS else Kind.NOUN
    return Kind.ADJECTIVE if before in DETERMINERS else Kind.SEPARATOR


def _joins(gap: str, end: int) -> bool:
    """Return whether two words with this between them are of one sentence and line."""
    return end > 0 and (not gap or gap.isspace()) and "\n" not in gap and "\r" not in gap


@lru_cache(maxsize=REMEMBERED)
def _classify_word(piece: str) -> tuple[str, Kind, bool, bool]:
    """Fold a word, and say what it is to a noun phrase, and whether it is a genitive, and whether it is of no clinical meaning."""
    word = piece.lower().replace("\u2019", "'")
    bare = GENITIVE.sub("", word)
    stem = bare.partition("'")[0]
    if len(piece) == 1 and piece.isupper() and piece not in PRONOUNS:  # T wave, vitamin D
        return bare, Kind.NOUN, False, is_general(bare)
    if bare in SEPARATING or stem in CONTRACTED or bare.endswith("n't"):
        return bare if bare in SEPARATING else word, Kind.SEPARATOR, False, True
    return bare, _kind(bare, piece), bare != word, is_general(bare)


def _kind(word: str, piece: str) -> Kind:
    listed = next((kind for words, kind in LISTED if word in words), None)
    if listed is not None:
        return listed
    if word[0].isdigit() or TIMES.fullmatch(word):
        if not any(map(str.isalpha, word)):
            return Kind.NUMBER
        if PERSON.fullmatch(word) or not word[0].isdigit():
            return Kind.SEPARATOR
    if is_acronym(piece):
        return Kind.NOUN
    if ADVERBIAL.fullmatch(word):
        return Kind.SEPARATOR
    last = word.rpartition("-")[2]
    return Kind.ADJECTIVE if ADJECTIVAL.fullmatch(last) or last in ADJECTIVE or last == "old" else Kind.NOUN


def _phrase(run: list[Word], following: str) -> list[Word]:
    """Take from a run what is a noun phrase: no number in front, and a noun at the end; nothing if there is none."""
    first, last = 0, len(run)
    while (
        first < last
        and run[first].kind is Kind.NUMBER
        and not (run[first].folded == MANY and first + 1 < last and run[first + 1].folded in MULTIPLE)
    ):
        first += 1
    while first < last and run[last - 1].kind is not Kind.NOUN and not _grades(run, last - 1):
        last -= 1
    if last - first == 1 and following == "of" and run[first].folded in WEAK:
        return []
    return run[first:last]


def _grades(run: list[Word], place: int) -> bool:
    """Return whether a word is the number of a grade: diabetes type 2."""
    return run[place].kind is Kind.NUMBER and place > 0 and run[place - 1].folded in GRADED


def _clinical_part(text: str, phrase: list[Word], following: str) -> list[Word]:
    """Take from a phrase what a clinician would mark; nothing of people, headings, plans and words of discourse."""
    if text[phrase[0].start].isupper():
        phrase = _drop_names(text, phrase, following)
    last = len(phrase)
    while last and phrase[last - 1].folded in TAILS:
        last -= 1
    if not last or (phrase[last - 1].general and all(word.general for word in phrase[:last])):
        return []
    if following == ":" and all(word.general or word.folded in HEADINGS for word in phrase):
        return []
    return phrase if last == len(phrase) else _phrase(phrase[:last], "")


def _drop_names(text: str, phrase: list[Word], following: str) -> list[Word]:
    """Drop the name of a person at the beginning of a phrase: a first name, or what says something; eponyms stay."""
    capitals = [text[word.start].isupper() and not text[word.start : word.end].isupper() for word in phrase]
    named = capitals.index(False) if False in capitals else len(phrase)
    if not named or not (phrase[0].folded in NAMES or (named == len(phrase) and following in SPEAKERS)):
        return phrase
    return phrase if named < len(phrase) and phrase[named].folded in EPONYMOUS else phrase[named:]


def is_clinical(texts: Iterable[str]) -> bool:
    """Return whether texts are clinical, by how many of their first words are such as *patient*, *denies* or *mg*."""
    words = list(islice((word.lower() for text in texts for word in LETTERS.findall(text[:LOOKED_AT])), LOOKED_AT))
    found = [word for word in words if word in MARKERS]
    return len(set(found)) >= FEWEST_MARKERS and len(found) >= SHARE_OF_MARKERS * len(words)


def is_concept(surface: str) -> bool:
    """Return whether a part of a text has letters, and more than one if they are of an alphabet."""
    return (len(surface) > 1 or surface > LAST_UNCUT) and (surface[0].isalpha() or any(map(str.isalpha, surface)))
