"""How the WebNLG challenge of 2020 compares two triples: words that both have, spans around them, entities scored.

The numbers are those of the challenge's script, with its quirks, which are not recommended: see `Webnlg`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from goldassay.core.counts import shares
from goldassay.core.patterns import pattern_of
from goldassay.triples.model import OBJECT, PREDICATE, SUBJECT, Numbers
from goldassay.triples.words import REMEMBERED, words_of

Triple: TypeAlias = tuple[str, str, str]
SCHEMES = ("strict", "exact", "partial", "ent_type")
EMPTY: Triple = ("", "", "")

PUNCTUATION = re.escape(string.punctuation)
WHOLE_MARKS = pattern_of(rf"[{PUNCTUATION}]+")
ONE_MARK = pattern_of(rf"[{PUNCTUATION}]")
UNMET, TIED = 0, -1

# What each kind of match is in each scheme: the same span and label, the same span under another label, an overlap
# under the same label, an overlap under another label.
SAME, RELABELLED, OVERLAP, RELABELLED_OVERLAP = range(4)
CORRECT = {
    "strict": (SAME,),
    "exact": (SAME, RELABELLED),
    "partial": (SAME, RELABELLED),
    "ent_type": (SAME, OVERLAP),
}
HALF = {"partial": (OVERLAP, RELABELLED_OVERLAP)}


def count_spans(matched: Numbers, scheme: str, slot: int | None = None) -> Numbers:
    """Count correct, incorrect, partial, missed and spurious spans of pairs of triples in one scheme, over all slots or for one."""
    # A spurious span counts against every slot, as nervaluate has it.
    slots = list(range(3)) if slot is None else [slot]
    kinds = matched[:, :12].reshape(-1, 3, 4)[:, slots].sum(axis=1)
    correct = kinds[:, list(CORRECT[scheme])].sum(axis=1)
    partial = kinds[:, list(HALF.get(scheme, ()))].sum(axis=1)
    missed = matched[:, 12:15][:, slots].sum(axis=1)
    return np.column_stack([correct, kinds.sum(axis=1) - correct - partial, partial, missed, matched[:, 15]])


def values_of(counts: Numbers) -> NDArray[np.float64]:
    """Return precision, recall and F1 of each pair, each 0 where it is 0/0."""
    correct, incorrect, partial, missed, spurious = counts.T
    right, matched = correct + 0.5 * partial, correct + incorrect + partial
    precision, recall = shares(right, matched + spurious), shares(right, matched + missed)
    return np.column_stack([precision, recall, shares(2 * (precision * recall), precision + recall)])


class Span(NamedTuple):
    """A span of words, from the first to the last, under a label, which is a slot."""

    label: int
    start: int
    end: int

    def move(self, label: int, base: int) -> Span:
        """Return the span under a label, counted from another word."""
        return Span(label, self.start + base, self.end + base)


@dataclass(frozen=True)
class Slot:
    """One slot of a reference and one of a candidate, laid out on one line of words; whether they share one, and where the next slot begins."""

    found: bool
    reference: tuple[Span, ...]
    candidate: tuple[Span, ...]
    length: int


@lru_cache(maxsize=REMEMBERED)
def count_matched_spans(reference: Triple, candidate: Triple) -> tuple[int, ...]:
    """Match the spans of two triples."""
    # For each slot of the reference: how many spans matched it in each of the four ways; then how many of its spans
    # nothing matched; then how many candidate spans matched nothing, in any slot.
    references, candidates = _lay_out(reference, candidate)
    kinds = [[0, 0, 0, 0] for _ in range(3)]
    matched: list[Span] = []
    spurious = 0
    for span in candidates:
        if span in references:
            kinds[span.label][SAME] += 1
            matched.append(span)
            continue
        for other in references:
            kind = _kind(span, other)
            if kind is not None:
                kinds[other.label][kind] += 1
                matched.append(other)
                break
        else:
            spurious += 1
    missed = [0, 0, 0]
    for other in references:
        missed[other.label] += other not in matched
    return (*kinds[0], *kinds[1], *kinds[2], *missed, spurious)


def _kind(span: Span, other: Span) -> int | None:
    if (span.start, span.end) == (other.start, other.end) and span.label != other.label:
        return RELABELLED
    # The end is left out on both sides, so that spans of one word overlap with nothing.
    if max(span.start, other.start) < min(span.end, other.end):
        return OVERLAP if span.label == other.label else RELABELLED_OVERLAP
    return None


def _lay_out(reference: Triple, candidate: Triple) -> tuple[list[Span], list[Span]]:
    """Align both triples, trying other slots where two slots have no word in common."""
    slots = [_slot(reference[slot], candidate[slot], WHOLE_MARKS, ONE_MARK) for slot in range(3)]
    labels = [SUBJECT, PREDICATE, OBJECT]
    straight = slots[SUBJECT].length + slots[PREDICATE].length
    for one, other in ((SUBJECT, OBJECT), (SUBJECT, PREDICATE), (PREDICATE, OBJECT)):
        if slots[one].found or slots[other].found:
            continue
        here = _slot(reference[one], candidate[other], None, None)
        there = _slot(reference[other], candidate[one], None, None)
        if not here.found and not there.found:
            continue
        predicate = slots[PREDICATE].length
        slots[one], slots[other] = here, there
        labels[one], labels[other] = other, one
        if (one, other) == (PREDICATE, OBJECT):
            straight = slots[SUBJECT].length + here.length
        elif other == OBJECT:
            # The script then takes the words of the object for those of the predicate too.
            slots[PREDICATE] = _slot(reference[OBJECT], candidate[SUBJECT], None, None, again=True)
            straight = here.length + predicate
        # Where subject and predicate change places, the object stays where it was before.
        break
    return _put_on_one_line(slots, labels, object_base=straight)


def _put_on_one_line(
    slots: Sequence[Slot], labels: Sequence[int], *, object_base: int
) -> tuple[list[Span], list[Span]]:
    bases = (0, slots[SUBJECT].length, object_base)
    references, candidates = [], []
    for slot, laid in enumerate(slots):
        references += [span.move(slot, bases[slot]) for span in laid.reference]
        candidates += [span.move(labels[slot], bases[slot]) for span in laid.candidate]
    return references, candidates


@lru_cache(maxsize=REMEMBERED)
def _slot(
    reference: str,
    candidate: str,
    reference_marks: re.Pattern[str] | None,
    candidate_marks: re.Pattern[str] | None,
    *,
    again: bool = False,
) -> Slot:
    here, there = _words(reference, reference_marks), _words(candidate, candidate_marks)
    found_here, found_there = _match_words(here, there)
    if again:
        _spans(found_here, found_there)
    return _spans(found_here, found_there)


def _words(text: str, marks: re.Pattern[str] | None) -> list[str]:
    """Cut a text into words; without a pattern of marks, a word with any mark in it goes."""
    if marks is None:
        return [word.lower() for word in words_of(text) if not ONE_MARK.search(word)]
    return [word.lower() for word in words_of(text) if not marks.fullmatch(word)]


class Mark(NamedTuple):
    """The block of words that matched, from 1, in which a word is, 0 for none; and its place in the reference, -1 next to a block."""

    block: int
    place: int


NOTHING = Mark(UNMET, UNMET)


def _match_words(reference: list[str], candidate: list[str]) -> tuple[list[Mark], list[Mark]]:
    """Find blocks of words that both have, the longest first, of these the first of the candidate."""
    marks = [[NOTHING] * len(reference), [NOTHING] * len(candidate)]
    # A word that matched is replaced by None on one side and by an empty text on the other, which no word equals.
    here: list[str | None] = list(reference)
    there = list(candidate)
    block, length = 1, len(candidate)
    while length:
        start, place = _first_block(here, there, length)
        if place < 0:
            length -= 1
            continue
        for offset in range(length):
            here[place + offset], there[start + offset] = None, ""
            marks[0][place + offset] = marks[1][start + offset] = Mark(block, place + offset)
        block += 1
    return marks[0], marks[1]


def _first_block(here: list[str | None], there: list[str], length: int) -> tuple[int, int]:
    for start in range(len(there) - length + 1):
        words = there[start : start + length]
        for place in range(len(here) - length + 1):
            if here[place] == words[0] and here[place : place + length] == words:
                return start, place
    return -1, -1


def _spans(reference: list[Mark], candidate: list[Mark]) -> Slot:
    """Draw the spans of one slot; marks the words of the candidate next to a block as tied to it."""
    first = next((row for row, mark in enumerate(candidate) if mark.block), None)
    if first is None:
        return _list_apart(len(reference), len(candidate))
    # Words before the first block are tied to it if it is the beginning of the reference, and words after the last block
    # if it is its end.
    begins = candidate[first].place == 0
    last = max(row for row, mark in enumerate(candidate) if mark.block)
    ends = bool(reference[-1].block) and not candidate[-1].block and candidate[last] == reference[-1]
    before = first if begins else 0
    after = len(candidate) - 1 - last if ends else 0
    lone, number = [], 1
    for row, mark in enumerate(candidate):
        if mark.block:
            number += 1
        elif not ((begins and row < first) or (ends and row > last)):
            lone.append(-number)
    line = [candidate[first].block] * before + [mark.block for mark in reference]
    line += [candidate[last].block] * after + lone
    for row in range(before):
        candidate[row] = Mark(candidate[first].block, TIED)
    for row in range(len(candidate) - after, len(candidate)):
        candidate[row] = Mark(candidate[last].block, TIED)
    span = Span(SUBJECT, before, before + len(reference) - 1)
    return Slot(found=True, reference=(span,), candidate=tuple(_runs(line)), length=len(line))


def _runs(line: Sequence[int]) -> list[Span]:
    """Cut a line of block numbers into spans; a word without a block ends a span, and each further one ends it again."""
    spans, current, begin = [], UNMET, 0
    for row, number in enumerate(line):
        if number == UNMET:
            if current != UNMET:
                spans.append(Span(SUBJECT, begin, row - 1))
            continue
        if number != current:
            if current != UNMET:
                spans.append(Span(SUBJECT, begin, row - 1))
            current, begin = number, row
        if row == len(line) - 1:
            spans.append(Span(SUBJECT, begin, row))
    return spans


def _list_apart(reference: int, candidate: int) -> Slot:
    """List two slots that have no word in common."""
    if not reference:
        return Slot(found=False, reference=(), candidate=(Span(SUBJECT, 0, candidate - 1),), length=candidate)
    whole = Span(SUBJECT, 0, reference - 1)
    if not candidate:
        # The script counts the one span of the reference here, and not its words.
        return Slot(found=False, reference=(whole,), candidate=(), length=1)
    rest = Span(SUBJECT, reference, reference + candidate - 1)
    return Slot(found=False, reference=(whole,), candidate=(rest,), length=reference + candidate)
