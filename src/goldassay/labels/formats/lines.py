"""Files of labels that are no tables with a header: HEMKit's integers, GAF, and predictions as CAFA has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from goldassay.core.errors import InputError
from goldassay.core.limits import DIGITS
from goldassay.core.model import NO_ROW
from goldassay.formats import Source
from goldassay.formats.records import BadRecords
from goldassay.formats.rows import lines_of

OBJECT, QUALIFIER, TERM = 1, 3, 4
HEAD = frozenset({"AUTHOR", "MODEL", "KEYWORDS", "ACCURACY", "END"})
THREE = 3


class RawLabel(NamedTuple):
    """A label of an instance as read."""

    line: int
    instance: str
    label: str
    score: str = ""
    place: int = NO_ROW


def is_whole(word: str) -> bool:
    """Return whether a word is a whole number in ASCII, of no more digits than are read."""
    return word.isascii() and word.isdigit() and len(word) <= DIGITS.value


def hemkit_rows(source: Source, bad: BadRecords) -> Iterator[RawLabel]:
    """Read HEMKit's labels: a line an instance, its labels as whole numbers; an instance is called by its place, from 1."""
    for number, line in lines_of(source, bad):
        words = line.split()
        odd = next((word for word in words if not is_whole(word)), None)
        if odd is not None:
            bad.add_line(
                odd,
                number=number,
                message="The line is not a list of HEMKit's labels.",
                expected=f"whole numbers of at most {DIGITS.value:,} digits, separated by blanks",
            )
        elif words:
            yield from (RawLabel(number, str(number), str(int(word))) for word in words)
        else:
            yield RawLabel(number, str(number), "")


def gaf_rows(source: Source, bad: BadRecords, left_out: Counter[str]) -> Iterator[RawLabel]:
    """Read annotations in GAF: the object's identifier and the term; what is qualified by NOT is left out, and counted."""
    # Source: GAF 2.2, https://geneontology.org/docs/go-annotation-file-gaf-format-2.2/
    for number, line in lines_of(source, bad):
        if not line.strip() or line.startswith("!"):
            continue
        cells = line.split("\t")
        if len(cells) <= TERM or not cells[OBJECT].strip() or not cells[TERM].strip():
            bad.add_line(
                line,
                number=number,
                message="The line is not a GAF annotation.",
                expected="at least 5 cells, the 2nd the object's identifier, the 5th the term",
            )
        elif "NOT" in cells[QUALIFIER].split("|"):
            left_out["negated"] += 1
        else:
            yield RawLabel(number, cells[OBJECT].strip(), cells[TERM].strip())


def cafa_rows(source: Source, bad: BadRecords) -> Iterator[RawLabel]:
    """Read predictions as CAFA has them: target, term and score, between a head and END."""
    model = None
    for number, line in lines_of(source, bad):
        words = line.split()
        if not words or words[0] in HEAD:
            if words and words[0] == "MODEL":
                if model is not None:
                    raise InputError(
                        "The file has several models of CAFA, whose predictions would be mixed.",
                        line=number,
                        found=f"{model}, and {' '.join(words)}",
                        expected="one MODEL per file",
                        hint="write each model to a file of its own, and score both: pred1 pred2 --gold GOLD",
                    )
                model = " ".join(words)
            continue
        if len(words) != THREE:
            bad.add_line(
                line,
                number=number,
                message="The line is not a CAFA prediction.",
                expected="target, term and score",
            )
        else:
            instance, label, score = words
            yield RawLabel(number, instance, label, score)
