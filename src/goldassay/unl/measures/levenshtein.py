"""F-measure of NLization: a sentence is correct if few enough characters, or words, differ."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from goldassay.core.context import Context
from goldassay.core.curve import Cut
from goldassay.core.limits import SENTENCE
from goldassay.core.parameters import parameter
from goldassay.core.patterns import pattern_of
from goldassay.unl.match import partners
from goldassay.unl.measures.sentences import SentenceMatching, SentenceMeasure, sentence_matching, tight_limit
from goldassay.unl.model import Texts

UW = pattern_of(r"\.@\w+|[^\W\d]\([a-z]{2,3}[<>][^\W\d][^()\s]*\)?|\b\d{9}:[0-9A-Z]{2}\b|\w%\d:\d\d:\d\d:|\buc[ln]:\S+")
"""What occurs in no natural text: an attribute, a restricted word, a number with a node id, a sense key, a URI of a UW."""

WORDS = pattern_of(r"(?:\w+|[^\w\s]) ?")
"""A word or a sign, with the space after it; texts are folded."""


@dataclass(frozen=True, kw_only=True)
class Levenshtein(SentenceMeasure[Texts]):
    """A sentence is correct if its Levenshtein distance is below a share of the length of the expected one.

    Attributes:
        profile: The revision of the wiki that defines the distance: ``2013`` and ``2012``, Levenshtein, of the
            expected length; ``latest``, exceeding and missing words, of the words of both.
        limit: Upper limit of the distance as a share.

    Example:
        >>> gold = Texts(ids=("1",), wordings=(("The cat sleeps.",),))
        >>> pred = Texts(ids=("1",), wordings=(("A cat sleeps.",),))
        >>> Levenshtein().score(pred=pred, gold=gold).f1
        1.0
    """

    name: ClassVar[str] = "levenshtein"
    title: ClassVar[str] = "F-measure of NLization"
    family: ClassVar[str] = "sentences"
    formula: ClassVar[str] = (
        r"P = \frac{|\{s : \mathrm{lev}(a_s, e_s) < 0.3\,|e_s|\}|}{|\mathrm{returned}|},\quad "
        r"R = \frac{|\{s : \mathrm{lev}(a_s, e_s) < 0.3\,|e_s|\}|}{|\mathrm{expected}|}"
    )
    conventions: ClassVar[tuple[str, ...]] = (
        "a text with a UW that no expected wording has is not a result; a number is not a UW",
        "characters are compared after NFC, with runs of white space as one space",
        "the latest revision of the wiki has (exceeding words + missing words) / total words < 0.3: profile=latest",
    )

    profile: Literal["2013", "2012", "latest"] = parameter(
        "2013",
        help="revision of the wiki: 2013 and 2012 = Levenshtein distance of the expected length; latest = exceeding and "
        "missing words of the words of both",
        choices=("2013", "2012", "latest"),
    )
    limit: float = parameter(0.3, help="upper limit of the distance, as a share", bounds=(0, 1e6))

    def match(self, *, pred: Texts, gold: Texts, context: Context) -> SentenceMatching:
        """Pair the sentences, and compare each predicted one with its nearest expected wording."""
        del context
        partner = partners(pred, gold)
        _check_lengths(pred)
        _check_lengths(gold)
        actual = [fold_text(wordings[0]) for wordings in pred.wordings]
        apart = _words_apart if self.profile == "latest" else _characters_apart
        nearest = [
            _nearest(text, gold.wordings[row] if row >= 0 else ("",), apart)
            for text, row in zip(actual, partner.tolist(), strict=True)
        ]
        limit, counted = Fraction(str(self.limit)), "words" if self.profile == "latest" else "length"
        problems = [
            _explain_missing(text, [fold_text(one) for one in gold.wordings[row]] if row >= 0 else [])
            for text, row in zip(actual, partner.tolist(), strict=True)
        ]
        distances = np.array([one.distance for one in nearest], dtype=np.int64)
        sizes = np.array([one.size for one in nearest], dtype=np.int64)
        within = [one.distance * limit.denominator < limit.numerator * one.size for one in nearest]
        correct = np.array([bool(ok and not problem) for ok, problem in zip(within, problems, strict=True)], np.bool_)
        correct &= partner >= 0
        returned = np.array([problem is None for problem in problems], dtype=np.bool_)
        normalised = distances / np.maximum(sizes, 1)
        return sentence_matching(
            partner=partner,
            returned=returned,
            correct=correct,
            similarity=np.maximum(1 - normalised, 0.0),
            expected=np.ones(len(gold), dtype=np.bool_),
            # No share of nothing is above 0.
            apart=np.array(
                [
                    tight_limit(Fraction(one.distance, one.size)) if answers and one.size else np.nan
                    for one, answers in zip(nearest, ((partner >= 0) & returned).tolist(), strict=True)
                ],
                dtype=np.float64,
            ),
            compared={
                "distance": distances.astype(np.float64),
                "normalised": normalised,
                "edits": np.array(
                    [edit_script(a, e.wording) for a, e in zip(actual, nearest, strict=True)], dtype=object
                ),
                "why": np.array(
                    [
                        problem or ("" if ok else f"distance not below {self.limit:g} of the {counted}")
                        for problem, ok in zip(problems, within, strict=True)
                    ],
                    dtype=object,
                ),
            },
            missing={"distance": np.nan, "normalised": np.nan, "edits": "", "why": "no prediction"},
            pred=pred,
            gold=gold,
        )

    @property
    def cut(self) -> Cut | None:
        """The share that the distance must be less than."""
        return Cut("limit", self.limit, inclusive=False, lower_is_stricter=True)


def _check_lengths(texts: Texts) -> None:
    """The time for a distance is the product of the lengths: for two books it would be a day."""
    for name, wordings in zip(texts.ids, texts.wordings, strict=True):
        longest = max(map(len, wordings), default=0)
        SENTENCE.check(longest, f"The sentence {name!r} is too long to be compared by characters.", path=texts.path)


def fold_text(text: str) -> str:
    """Normalise a text: NFC, single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def edit_script(actual: str, expected: str) -> str:
    """Write the edits that turn one text into another, by words: ``[-gone-]`` and ``{+new+}``."""
    from rapidfuzz.distance import Indel

    old, wanted = WORDS.findall(actual), WORDS.findall(expected)
    parts, gone, new = [], "", ""
    for step in Indel.opcodes(old, wanted):
        here = "".join(old[step.src_start : step.src_end])
        if step.tag != "equal":
            gone, new = gone + here, new + "".join(wanted[step.dest_start : step.dest_end])
            continue
        parts += [_edit(gone, new), here]
        gone, new = "", ""
    return "".join([*parts, _edit(gone, new)])


def _edit(gone: str, new: str) -> str:
    after = " " if gone.endswith(" ") and new.endswith(" ") else ""
    gone, new = gone.removesuffix(after), new.removesuffix(after)
    return (f"[-{gone}-]" if gone else "") + (f"{{+{new}+}}" if new else "") + after


class Nearest(NamedTuple):
    """How far a text is from an expected wording."""

    distance: int
    size: int
    wording: str


def _nearest(text: str, wordings: tuple[str, ...], apart: Callable[[str, str], tuple[int, int]]) -> Nearest:
    """Find the expected wording with the smallest normalised distance."""
    found = [Nearest(*apart(text, wording), wording) for wording in map(fold_text, wordings)]
    return min(found, key=lambda one: one.distance / max(one.size, 1))


def _characters_apart(actual: str, expected: str) -> tuple[int, int]:
    from rapidfuzz.distance import Levenshtein as Distance

    return Distance.distance(actual, expected), len(expected)


def _words_apart(actual: str, expected: str) -> tuple[int, int]:
    here, there = Counter(actual.split()), Counter(expected.split())
    return ((here - there) + (there - here)).total(), here.total() + there.total()


def _explain_missing(text: str, expected: Sequence[str]) -> str | None:
    """Return why a text is no result: it is empty, or has a UW that no expected wording has."""
    if not text:
        return "empty"
    left = (found[0] for found in UW.finditer(text))
    uw = next((one for one in left if not any(one in wording for wording in expected)), None)
    return f"contains a UW: {uw!r}" if uw else None
