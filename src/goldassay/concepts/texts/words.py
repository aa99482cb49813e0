"""English words that delimit noun phrases: separators, words that cannot end one, and words that are not a concept by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files

from goldassay.core.patterns import pattern_of

LISTS = {
    name: frozenset(words.split())
    for file in ("english.tsv", "clinical.tsv")
    for name, words in (
        line.split("\t")
        for line in files("goldassay.concepts").joinpath(file).read_text(encoding="utf-8").splitlines()
        if not line.startswith("#")
    )
}
"""The lists of english.tsv and clinical.tsv, which describe each."""
FUNCTION, NOUN = LISTS["function"], LISTS["nouns"]
WEAK, OF, EPONYMS, GRADED, MULTIPLE = (LISTS[name] for name in ("weak", "of", "eponyms", "graded", "multiple"))
EPONYMOUS = EPONYMS | LISTS["tests"]
"""What is not a person after a name: Allen test, Barrett esophagus."""
SUBJECTS, CONTRACTED, DETERMINERS = (LISTS[name] for name in ("subjects", "contracted", "determiners"))
ADJECTIVE = LISTS["adjectives"] - {"clinical"}
AMBIGUOUS = frozenset(word + ending for word in LISTS["ambiguous"] for ending in ("", "s"))
TEST_ENDINGS = tuple(LISTS["test_endings"])
REMEMBERED = 2**16
"""Spellings of which it is remembered what they are."""
GENERAL = (LISTS["general"] | LISTS["people"] | FUNCTION) - {"back"}
HEADINGS, TAILS, NAMES, SPEAKERS, MARKERS = (
    LISTS[name] for name in ("headings", "tails", "names", "speakers", "markers")
)
VOWELS = "aeiou"
ADJECTIVAL = pattern_of(
    r".{2,}(?:[ai]ble|ful|less|ous|[tsr]ive|ical|[nrt]al|ial|eal|[dtlnpsmbrhg]ic|[aeiu]tory|ular|[^e]ed|ary)"
)
ADVERBIAL = pattern_of(r"(?!.*megaly$).{3,}ly")


def _inflect(verb: str) -> Iterable[str]:
    """Make the regular forms of a verb."""
    stem = verb.removesuffix("e")
    last_y = verb.endswith("y") and verb[-2] not in VOWELS
    root = f"{verb[:-1]}i" if last_y else verb
    yield from (verb, f"{root}es" if last_y or verb.endswith(("s", "sh", "ch", "x", "z")) else f"{verb}s")
    yield from (f"{root}ed" if not verb.endswith("e") else f"{verb}d", f"{stem}ing")


INFLECTED = frozenset(form for verb in LISTS["verbs"] for form in _inflect(verb))
PARTICIPLES = frozenset(form for form in INFLECTED if form.endswith("ed"))
"""Adjectives after a determiner or preposition, verbs elsewhere."""
SEPARATING = (
    FUNCTION.union(INFLECTED, *(LISTS[name] for name in ("forms", "people", "separators")))
    - AMBIGUOUS
    - PARTICIPLES
    - {"general"}
)


def is_general(word: str) -> bool:
    """Return whether a word, in lower case, makes no clinical concept: a common word, a number, or a compound of them."""
    return all(
        part in ADJECTIVE
        or part in INFLECTED
        or part[:1].isdigit()
        or not GENERAL.isdisjoint((part, part.removesuffix("s"), re.sub("i?es$", "y", part), part.removesuffix("es")))
        for part in ([word] if word in GENERAL else word.split("-"))
    )


@lru_cache(maxsize=REMEMBERED)
def is_measured(name: str) -> bool:
    """Return whether a concept is a body part, a test or a procedure, by its head: what a text negates there is a finding."""
    words = name.lower().split()
    head = words[words.index("of") - 1] if "of" in words[1:] else words[-1] if words else ""
    stems = {
        form
        for word in (head, head.rpartition("-")[2])
        for form in (word, word.removesuffix("s"), re.sub("i?es$", "y", word))
    }
    is_test = not stems.isdisjoint(LISTS["tests"]) or any(stem.endswith(TEST_ENDINGS) for stem in stems)
    normal = LISTS["abnormal"].isdisjoint(words)
    return normal and (not stems.isdisjoint(LISTS["sites"]) or (is_test and LISTS["levels"].isdisjoint(words)))
